/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_METRIC_TABLES_H
#define MLV_ANALYSIS_METRIC_TABLES_H
/*
 * Which metrics of a run make one table. A section is a table of its own,
 * wherever its metrics stand; sections that are one row each, such as the
 * reports of many commands in one log, are rows of one table. The row that
 * parsers call "(total)" stands for all others and is kept beside them.
 */
#include "analysis/table.h"

struct mlv_metric_tables {
	const struct mlv_run *run; /* borrowed */
	size_t count;
	uint32_t *order;    /* metrics, table by table, as they stand in the run */
	size_t *start;      /* of each table in it; one more than there are tables */
	uint32_t *section;  /* the first of each table */
	uint32_t *sections; /* how many make it */
	bool *one_row;      /* whose sections are one row each */
	uint32_t *table_of; /* of each section; UINT32_MAX: it has no metrics */
};

enum mlv_rc mlv_metric_tables_init(struct mlv_metric_tables *m, const struct mlv_run *run,
				   struct mlv_err *err);
void mlv_metric_tables_fini(struct mlv_metric_tables *m);

/* Table i. Without --by it is ranked by its most telling column. */
enum mlv_rc mlv_table_metrics(struct mlv_table *t, const struct mlv_metric_tables *m, size_t i,
			      const struct mlv_table_options *o, struct mlv_err *err);

#endif
