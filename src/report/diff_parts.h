/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_DIFF_PARTS_H
#define MLV_REPORT_DIFF_PARTS_H
/* Between the files of the diff report. */
#include "report/diff.h"

/* Fill d->counters. MLV_E_NOMEM only. */
enum mlv_rc mlv_diff_counters(struct mlv_diff *d, struct mlv_err *err);
void mlv_figures_text(const mlv_figures *list, const char *ignore, struct mlv_buf *out);
void mlv_figures_json(const mlv_figures *list, const char *ignore, const char *key,
		      struct mlv_json *j);

void mlv_diff_device_text(const struct mlv_diff *d, const struct mlv_device_diff *dd, size_t top,
			  struct mlv_buf *out);
void mlv_diff_device_json(const struct mlv_diff *d, const struct mlv_device_diff *dd, size_t top,
			  struct mlv_json *j);
void mlv_process_diff_text(const struct mlv_memory_diff *m, const struct mlv_process_diff *p,
			   size_t top, struct mlv_buf *out);
/* The key "same_process" with an object. */
void mlv_process_diff_json(const struct mlv_memory_diff *m, const struct mlv_process_diff *p,
			   size_t top, struct mlv_json *j);
/* Nothing where one of them is NULL or nothing was judged. */
void mlv_verdict_pair_text(const struct mlv_verdict *a, const struct mlv_verdict *b,
			   struct mlv_buf *out);
void mlv_verdict_pair_json(const struct mlv_verdict *a, const struct mlv_verdict *b,
			   struct mlv_json *j);
void mlv_table_diff_text(const struct mlv_table_diff *t, size_t top, int width,
			 struct mlv_buf *out);
void mlv_table_diff_json(const struct mlv_table_diff *t, size_t top, struct mlv_json *j);

#endif
