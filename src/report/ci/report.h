/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_CI_REPORT_H
#define MLV_REPORT_CI_REPORT_H
/*
 * What `mlviz report` knows of a run: inputs, ranks, findings, cards, changes
 * since a baseline. It is gathered input by input (gather.h), so that none of
 * them has to stay in memory, and finished once; then every sink (JSON,
 * Markdown, the page, JUnit, SARIF, text) reads the same report. It owns all
 * that it points to.
 */
#include "analysis/growth/verdict.h"
#include "base/diag.h"
#include "report/ci/budget_result.h"
#include "report/ci/finding.h"
#include "report/ci/observation.h"
#include "report/diff_statements.h"

#define MLV_UNTOLD (-1) /* of figures that are never negative */

struct mlv_report_note {
	enum mlv_severity severity;
	const char *code, *text;
};

/* A file that was read. */
struct mlv_report_input {
	const char *file; /* as the report names it: below the directory that was given */
	const char *format, *title;
	int64_t rank;    /* -1: unknown */
	uint64_t events; /* of memory */
	uint64_t rows;   /* of all other tables */
	bool speaks;     /* a log that holds lines of ranks, whatever they say */
	MLV_VEC(struct mlv_report_note) notes;
};

/* A call site, and what it holds of the peak. */
struct mlv_report_site {
	const char *function, *place; /* "attention", "gen_mem.py:23"; "" where there is none */
	uint64_t bytes, count;
};

/* A call site whose live bytes grow. */
struct mlv_report_leak {
	const char *function, *place, *frames;
	double bytes_per_step;
};

/* The most in each of up to MLV_SERIES_MOST equal parts of a recording. */
enum { MLV_SERIES_MOST = 400, MLV_SITES_MOST = 10 };
struct mlv_report_series {
	bool by_time;
	double x0, x1; /* seconds since the first event, or event numbers */
	uint64_t *requested, *reserved;
	size_t count;
};

/* One device of one rank; of inputs that tell no rank, one device of one file. */
struct mlv_report_rank {
	int64_t rank, device; /* -1: unknown */
	bool alone;        /* several files are of this rank: they are not of one moment of a job */
	const char *label; /* "rank 3", "rank 0, device 1", "mem.pickle" */
	const char *file;  /* of the recording that the figures are of; NULL: none */
	MLV_VEC(uint32_t) inputs;
	/* Bytes; MLV_UNTOLD. */
	int64_t requested_peak, allocated_peak, reserved_peak, requested_end, reserved_end;
	int64_t capacity;
	int64_t idle_bytes; /* reserved at its peak, beyond the peak of what is allocated */
	int64_t retries;    /* requests for which cached memory had to be given back */
	bool judged;        /* the next ones are a verdict */
	enum mlv_growth growth;
	enum mlv_confidence confidence;
	int64_t growth_bytes; /* a step */
	int64_t steps, steps_until_full;
	bool oom;
	int64_t wait_ns; /* for others, in collectives; MLV_UNTOLD */
	uint64_t events; /* of its recording */
	bool complete;   /* the recording begins with an empty allocator */
	struct mlv_report_series series;
	MLV_VEC(struct mlv_report_site) top;   /* at the peak of what is requested */
	MLV_VEC(struct mlv_report_leak) leaks; /* the fastest first */
	MLV_VEC(const char *) pictures;        /* stems */
};

enum mlv_report_state { MLV_REPORT_UNKNOWN, MLV_REPORT_GOOD, MLV_REPORT_WARNING, MLV_REPORT_ERROR };

/* A subject of the overview, with its verdict. */
struct mlv_report_card {
	const char *id; /* "memory", "oom", … */
	enum mlv_report_state state;
	const char *title, *headline;
	MLV_VEC(const char *) details;
	const char *picture; /* stem; NULL */
};

/* A figure of the baseline and of this run. */
struct mlv_report_figure {
	const char *rank; /* label */
	const char *name; /* "reserved_peak" */
	const char *unit;
	int64_t a, b;
};

/* What changed, in words: those of several ranks that say the same are one. */
struct mlv_report_statement {
	const char *text;
	const char *ranks;
};

enum mlv_report_picture_kind {
	MLV_REPORT_TIMELINE,
	MLV_REPORT_TRACE,
	MLV_REPORT_SAMPLES,
	MLV_REPORT_REPLAY,
	MLV_REPORT_CLASSIFY,
	MLV_REPORT_HANG,
	MLV_REPORT_DIFF,
	MLV_REPORT_PICTURES,
};

#define MLV_NO_INPUT UINT32_MAX

struct mlv_report_picture {
	const char *stem, *title;
	enum mlv_report_picture_kind kind;
	int64_t rank;   /* -1: of all, or unknown */
	uint32_t input; /* MLV_NO_INPUT: of several */
};

struct mlv_report {
	struct mlv_arena texts;
	bool failed;          /* memory ran out: the report is not to be used */
	const char *title;    /* of what was given: "run-regressed" */
	const char *baseline; /* the same; NULL: there is none */
	uint64_t baseline_inputs;
	uint64_t ignored; /* files that are no reports */
	MLV_VEC(struct mlv_report_input) inputs;
	MLV_VEC(struct mlv_report_rank) ranks;
	struct mlv_observations observations;
	bool has_hang; /* dumps or logs tell of collectives; and that they do not meet */
	const char *hang_headline;  /* NULL */
	bool has_waits;             /* durations of collectives were compared */
	const char *waits_headline; /* NULL */
	MLV_VEC(const char *) waits_details;

	/* Set by mlv_report_finish. */
	enum mlv_report_state state;
	const char *headline;
	struct mlv_ci_findings findings;
	MLV_VEC(struct mlv_report_card) cards;
	MLV_VEC(struct mlv_report_statement) statements;
	MLV_VEC(struct mlv_report_figure) figures;
	MLV_VEC(struct mlv_report_picture) pictures;
	MLV_VEC(const char *) cut;                /* what documents left out, in words */
	MLV_VEC(const char *) files;              /* that the report consists of */
	const struct mlv_budget_results *budgets; /* borrowed; NULL: there are none */
};

void mlv_report_init(struct mlv_report *r);
void mlv_report_fini(struct mlv_report *r);

/* Texts that the report owns; "" when memory runs out, which `failed` keeps. */
const char *mlv_report_say(struct mlv_report *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
const char *mlv_report_copy(struct mlv_report *r, struct mlv_str s);

/* A new row, of which nothing is known. NULL when memory runs out. */
struct mlv_report_rank *mlv_report_rank_add(struct mlv_report *r, int64_t rank, int64_t device,
					    uint32_t input);

/*
 * A picture of that input, MLV_NO_INPUT: of all. Returns its stem, which is that of no other:
 * "rank3-timeline"; "" when memory runs out.
 */
const char *mlv_report_picture_add(struct mlv_report *r, enum mlv_report_picture_kind kind,
				   uint32_t input, const char *title);
/* "timeline" */
const char *mlv_report_picture_kind_name(enum mlv_report_picture_kind kind);

struct mlv_ci_gate;

/*
 * Put the rows of each rank together, make findings of what was observed, and
 * cards of both. `baseline` is gathered in the same way; NULL: none.
 * `gate` holds budgets, with the figures of all inputs; NULL: none.
 */
void mlv_report_finish(struct mlv_report *r, struct mlv_report *baseline,
		       struct mlv_statements *statements, struct mlv_ci_gate *gate);

/* Whether so much of what it reserves is not in use that it is worth a finding. */
bool mlv_report_rank_idles(const struct mlv_report_rank *k);

/* "good", "warning", … */
const char *mlv_report_state_name(enum mlv_report_state s);

#endif
