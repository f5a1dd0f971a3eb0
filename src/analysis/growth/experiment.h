/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_GROWTH_EXPERIMENT_H
#define MLV_ANALYSIS_GROWTH_EXPERIMENT_H
/*
 * Several runs as an experiment. Runs that differ in one recorded property are
 * a sweep, whose scaling is fitted; that differ in none, repeats; in more than
 * one, confounded: nothing can be said of either. Beside the properties the
 * measured kind of a run counts (whether it has optimizer state, whether it
 * grows), so that runs of unlike programs are not compared. Names are not read.
 */
#include "analysis/growth/classify.h"

enum mlv_dimension {
	MLV_DIM_BATCH,
	MLV_DIM_SEQUENCE,
	MLV_DIM_STEPS,
	MLV_DIM_MODEL, /* parameters */
	MLV_DIM_PRECISION,
	MLV_DIM_RANKS,
	MLV_DIM_PARAM, /* given on the command line */
	MLV_DIMENSIONS,
};

struct mlv_setting {
	bool known;
	double number;    /* of those that are numbers, for order and fits */
	const char *text; /* as it was written; owned by the experiment */
};

/* One run of it. */
struct mlv_subject {
	const struct mlv_run *run;         /* borrowed */
	const struct mlv_verdict *verdict; /* of the rank that needs most; NULL: host memory only */
	double host_bytes;                 /* NAN: not told */
	struct mlv_setting settings[MLV_DIMENSIONS];
	bool used; /* in a sweep or a repeat */
};

/* y = fixed + slope * x */
struct mlv_fit_line {
	bool known;
	double slope, fixed;
	double residual;    /* the largest distance of a point from the line */
	double first, last; /* y at the least and the largest x */
	bool scattered;     /* most runs lie off it: it is the line of none */
};

enum mlv_sweep_kind { MLV_SWEEP, MLV_REPEAT, MLV_CONFOUNDED };
enum mlv_agreement { MLV_SAYS_NOTHING, MLV_CONFIRMS, MLV_CONTRADICTS };

struct mlv_sweep {
	enum mlv_sweep_kind kind;
	enum mlv_dimension dim; /* of a sweep */
	size_t first, count;    /* in the experiment's members */
	struct mlv_fit_line activation, state, growth, peak, reserved, host;
	enum mlv_agreement agreement; /* with the verdicts */
	const char *why;
	unsigned differs; /* confounded: a bit for each dimension */
	/* From a batch sweep: the largest batch that fits the capacity, and what it leaves. */
	bool has_largest;
	int64_t largest_batch, margin_bytes;
};

struct mlv_experiment {
	struct mlv_arena texts;
	MLV_VEC(struct mlv_subject) subjects;
	MLV_VEC(uint32_t) members; /* subjects of all sweeps, ascending values */
	MLV_VEC(struct mlv_sweep) list;
	const char *param; /* NULL: none */
	/* Values given beyond the inputs: what the fit foretells there. */
	MLV_VEC(double) beyond;
};

struct mlv_experiment_options {
	uint64_t capacity;  /* 0: not given */
	const char *param;  /* "layers"; NULL: none */
	const char *values; /* "12,24,96": one for each run, then those to foretell */
};

/* MLV_E_NOMEM, MLV_E_USAGE for values that are none. */
enum mlv_rc mlv_experiment_init(struct mlv_experiment *e, const struct mlv_run *const *runs,
				size_t count, const struct mlv_verdicts *v,
				const struct mlv_experiment_options *o, struct mlv_err *err);
void mlv_experiment_fini(struct mlv_experiment *e);

/* "batch", and what one of it is called: "sample" */
const char *mlv_dimension_name(const struct mlv_experiment *e, enum mlv_dimension d);
const char *mlv_dimension_unit(const struct mlv_experiment *e, enum mlv_dimension d);

#endif
