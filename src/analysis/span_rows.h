/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_SPAN_ROWS_H
#define MLV_ANALYSIS_SPAN_ROWS_H
/*
 * The timed spans of recordings that share a clock, in the order in which
 * lanes are filled, and at most so many of them. Where there are more, the
 * longest stay: a short one is first seen when a reader looks closely, a long
 * one at once. What does not stay is counted, by track and by where it was, so
 * that a picture can say so; annotations, collectives and what never ended
 * stay as long as there is room for them.
 */
#include "analysis/span_order.h"

struct mlv_span_track {
	uint32_t run; /* which of those given */
	mlv_trackid track;
	size_t first, count; /* rows */
};

/* Spans that were left out: those of a track that began in one part of the whole time. */
struct mlv_span_rest {
	uint32_t track, part, count;
	int64_t ns; /* that they took together */
};

enum { MLV_SPAN_PARTS = 2048 };

struct mlv_span_rows {
	MLV_VEC(struct mlv_span_track) tracks; /* by run, then in its own order */
	/* In the order of span_order.h; `track` is a row of tracks, `span` of the run of that
	 * track. */
	MLV_VEC(struct mlv_span_item) list;
	MLV_VEC(struct mlv_span_rest) rest; /* by track, then part */
	int64_t t0, t1;                     /* from the first beginning to the last moment */
	uint64_t total;                     /* timed spans */
	uint64_t untimed;
};

/* MLV_E_NOMEM only; without timed spans there are no rows. */
enum mlv_rc mlv_span_rows_init(struct mlv_span_rows *r, const struct mlv_run *const *runs,
			       size_t count, size_t most, struct mlv_err *err);
void mlv_span_rows_fini(struct mlv_span_rows *r);

#endif
