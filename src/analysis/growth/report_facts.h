/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_GROWTH_REPORT_FACTS_H
#define MLV_ANALYSIS_GROWTH_REPORT_FACTS_H
/*
 * What a memory report states of the run it was measured in: numbers that a
 * verdict or an experiment needs. What a report calls its case is not among
 * them, nor is any name.
 */
#include "model/run.h"

/* Whether it states any: properties of the group "report", whichever format they are from. */
bool mlv_report_has_facts(const struct mlv_run *run);

/* A whole number among the properties: of the rank (-1: none), else of the report. */
bool mlv_report_int(const struct mlv_run *run, int64_t rank, const char *key, int64_t *value);
/* The same as it was written: "small", "2"; an empty text if there is none. */
struct mlv_str mlv_report_text(const struct mlv_run *run, const char *key, char *digits,
			       size_t size);

/* How many parameters the model has; 0: not told. */
int64_t mlv_report_parameters(const struct mlv_run *run);
/* The samples of a micro-batch of that rank; 0: not told. */
int64_t mlv_report_batch(const struct mlv_run *run, int64_t rank);

#endif
