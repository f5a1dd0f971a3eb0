/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_LANES_H
#define MLV_ANALYSIS_LANES_H
/*
 * The layout of spans as bars in lanes: a lane for each track, and below it
 * one for each level of nesting. Bars that would share a pixel are one bar,
 * which has the name that takes most of its time, so that two million spans
 * become no more bars than the picture has pixels.
 */
#include "model/run.h"

struct mlv_bar {
	int32_t x0, x1;    /* columns, x1 exclusive */
	uint32_t span;     /* the longest of them */
	uint32_t together; /* spans that this bar stands for */
	int64_t ns;        /* of the longest one */
	bool open;         /* has not ended */
};

struct mlv_lane {
	mlv_trackid track;
	uint32_t depth; /* 0: the track's own lane */
	size_t first_bar, bars;
};

struct mlv_lanes {
	MLV_VEC(struct mlv_lane) list; /* tracks in order, each with its depths in order */
	struct mlv_bar *bars;
	int64_t t0, t1;       /* times of the left and right edge */
	size_t tracks;        /* that have spans in the range */
	size_t hidden_tracks; /* that found no place: those least busy */
	uint64_t deeper;      /* spans nested deeper than is shown */
	uint64_t untimed;     /* spans without a beginning */
};

struct mlv_lanes_options {
	int64_t from, to; /* MLV_NO_TIME: all */
	int32_t columns;
	size_t most_lanes;
	uint32_t most_depth;
};

/* MLV_E_NOMEM only. A run without timed spans has no lanes. */
enum mlv_rc mlv_lanes_init(struct mlv_lanes *l, const struct mlv_run *run,
			   const struct mlv_lanes_options *options, struct mlv_err *err);
void mlv_lanes_fini(struct mlv_lanes *l);

#endif
