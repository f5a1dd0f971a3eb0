/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_CI_FIGURES_H
#define MLV_REPORT_CI_FIGURES_H
/*
 * What the inputs of a run measure, as one list of figures: what budgets are
 * held against, and what a baseline file holds. Gathered input by input, so
 * that none has to stay in memory; the list owns its texts.
 */
#include "analysis/hang/straggle.h"
#include "model/run.h"
#include "report/ci/budget_file.h"
#include "report/ci/finding.h"

/* Where several inputs tell one thing, the best of them is taken: the least of these. */
enum mlv_source_of {
	MLV_FROM_RECORDING, /* of every allocation */
	MLV_FROM_REPORT,    /* of samples, in a report or log */
	MLV_FROM_COUNTERS,  /* memory_stats(), whose peaks a program can reset */
	MLV_FROM_TRACE,     /* of a part of the run */
	MLV_FROM_ANY,       /* each input tells something of its own */
};

struct mlv_ci_figure {
	const struct mlv_ci_metric *metric;
	int64_t rank;        /* -1: unknown, or of none */
	const char *subject; /* "": the whole */
	const char *column;  /* of a table; "" */
	bool ranking;        /* the table is ranked by that column */
	const char *format;  /* of the input */
	const char *input;   /* its name; "" */
	enum mlv_source_of source;
	uint32_t table;  /* of the input, in which it stands */
	bool part;       /* with others of its table it makes one figure */
	uint32_t number; /* among figures that are alike but for the input */
	bool known;
	bool complete;       /* else the value may be more than is known */
	const char *why;     /* of what is not known or not complete; "" */
	int64_t value;       /* in the small unit of the metric: see mlv_quantity_text */
	const char *picture; /* stem; NULL */
};

struct mlv_ci_figures {
	const struct mlv_budgets *budgets; /* borrowed: of calls, only what one of them names */
	MLV_VEC(struct mlv_ci_figure) list;
	struct mlv_arena texts;
	bool failed; /* memory ran out: the list is not to be used */
};

void mlv_ci_figures_init(struct mlv_ci_figures *f, const struct mlv_budgets *budgets);
void mlv_ci_figures_fini(struct mlv_ci_figures *f);

/* All that one input tells; the run may be freed then. `name`: what the report calls it. */
enum mlv_rc mlv_ci_figures_run(struct mlv_ci_figures *f, const struct mlv_run *run,
			       const char *name, struct mlv_err *err);

/* How long the others waited for each rank, by all inputs together. */
void mlv_ci_figures_waits(struct mlv_ci_figures *f, const struct mlv_evidence *e,
			  const struct mlv_stragglers *s);

/* How many findings there are, of each rule, and of each severity: "errors". */
void mlv_ci_figures_findings(struct mlv_ci_figures *f, const struct mlv_ci_findings *findings);

/*
 * At the end: what a better input tells goes, and so do the parts that one subject was made of.
 * Sorts by metric, subject, format, column, rank.
 */
void mlv_ci_figures_settle(struct mlv_ci_figures *f);

/* The order alone, of figures that are settled: as a baseline file holds them. */
void mlv_ci_figures_sort(struct mlv_ci_figures *f);

/* ---- between those who gather ---- */

struct mlv_ci_gather {
	struct mlv_ci_figures *f;
	const struct mlv_run *run;
	const char *name; /* owned by the list */
	enum mlv_source_of source;
	uint32_t table;
};

/* Add one that is known and complete; it stays valid until the next. NULL when memory runs out. */
struct mlv_ci_figure *mlv_ci_figure_add(struct mlv_ci_gather *g, const char *metric, int64_t rank,
					const char *subject, int64_t value);
/* A copy without what is no text: see mlv_buf_safe. */
const char *mlv_ci_figures_text(struct mlv_ci_figures *f, struct mlv_str s);
/* figures_memory.c */
enum mlv_rc mlv_ci_figures_memory(struct mlv_ci_gather *g, struct mlv_err *err);
/* figures_calls.c */
enum mlv_rc mlv_ci_figures_calls(struct mlv_ci_gather *g, struct mlv_err *err);

#endif
