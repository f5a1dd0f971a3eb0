/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_CI_GATHER_H
#define MLV_REPORT_CI_GATHER_H
/* From one run to rows, observations and notes of the report; the run may be freed then. */
#include "analysis/callsite.h"
#include "analysis/hang/hang.h"
#include "report/ci/report.h"
#include "report/ci/tracebacks.h"

struct mlv_gather_options {
	uint64_t capacity;     /* of each device; 0: as the inputs say */
	const char *user_path; /* NULL: the standard rule */
};

/* `name` is what the report calls it. */
enum mlv_rc mlv_report_gather(struct mlv_report *r, const struct mlv_run *run, const char *name,
			      const struct mlv_gather_options *o, struct mlv_err *err);

/* A file that could not be read, or not to its end. */
void mlv_report_damage(struct mlv_report *r, const char *name, const char *text);

/* What all inputs together say of collectives; call it after them. */
enum mlv_rc mlv_report_hang(struct mlv_report *r, struct mlv_hang *h, struct mlv_err *err);

/* ---- its parts ---- */

struct mlv_gather {
	struct mlv_report *r;
	const struct mlv_run *run;
	const struct mlv_gather_options *o;
	uint32_t input;    /* of the report */
	const char *name;  /* of it */
	size_t first_rank; /* rows of this run begin here */
	struct mlv_sites sites;
	struct mlv_tracebacks tracebacks; /* of gather_texts.c */
};

/* gather_memory.c: a row for each device, with peaks, series and call sites. */
enum mlv_rc mlv_gather_memory(struct mlv_gather *g, struct mlv_err *err);
/* gather_growth.c: verdicts on what grows. */
enum mlv_rc mlv_gather_growth(struct mlv_gather *g, struct mlv_err *err);
/* gather_oom.c: why a request of that device failed. */
enum mlv_rc mlv_gather_oom(struct mlv_gather *g, size_t device, struct mlv_report_rank *k,
			   struct mlv_err *err);
/* gather_texts.c: what the input itself states. */
void mlv_gather_texts(struct mlv_gather *g);

/* The row of this run for a device; NULL. */
struct mlv_report_rank *mlv_gather_row(struct mlv_gather *g, int64_t rank, int64_t device);
/* The user's line of a stack; a place without a file where there is none. */
struct mlv_ci_place mlv_gather_place(struct mlv_gather *g, mlv_stackid stack);
/* "step gen_run.py" for a subject: without the line, which changes with every commit. */
const char *mlv_gather_subject(struct mlv_report *r, struct mlv_ci_place place);

#endif
