/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_SERIES_H
#define MLV_ANALYSIS_SERIES_H
/*
 * Samples as lines: one series for each metric of each track. Where times
 * were recorded they give x; otherwise the order of the samples does, which
 * keeps steps and phases apart.
 */
#include "model/run.h"

struct mlv_series_point {
	double x; /* nanoseconds since the first sample, or the running number of the moment */
	double y; /* in bytes, seconds or as it is */
	uint32_t sample;
};

struct mlv_series {
	mlv_strid metric;
	mlv_trackid track;
	enum mlv_quantity quantity;
	size_t first_point, points; /* ascending x */
	double least, most;
};

struct mlv_series_set {
	bool by_time;
	double x_end; /* largest x */
	MLV_VEC(struct mlv_series) list;
	struct mlv_series_point *points;
	/* Moments in order, when not by time: the sample that names step and phase of each. */
	MLV_VEC(uint32_t) moments;
};

/* MLV_E_NOMEM only. */
enum mlv_rc mlv_series_init(struct mlv_series_set *s, const struct mlv_run *run,
			    struct mlv_err *err);
void mlv_series_fini(struct mlv_series_set *s);

#endif
