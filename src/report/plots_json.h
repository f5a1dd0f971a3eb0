/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_PLOTS_JSON_H
#define MLV_REPORT_PLOTS_JSON_H
/*
 * What a timeline of spans, samples or metrics shows, as an element of
 * "plots": what is in it, over which time, and its largest rows. docs/json.md
 * lists the keys.
 */
#include "base/json_write.h"
#include "model/run.h"

/* The part between `from` and `to` is shown; MLV_NO_TIME: from the first, to the last. */
enum mlv_rc mlv_spans_plot_json(const struct mlv_run *run, int64_t from, int64_t to, size_t top,
				struct mlv_json *j, struct mlv_err *err);
enum mlv_rc mlv_samples_plot_json(const struct mlv_run *run, size_t top, struct mlv_json *j,
				  struct mlv_err *err);
enum mlv_rc mlv_metrics_plot_json(const struct mlv_run *run, size_t top, struct mlv_json *j,
				  struct mlv_err *err);

#endif
