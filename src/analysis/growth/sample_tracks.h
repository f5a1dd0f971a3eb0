/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_GROWTH_SAMPLE_TRACKS_H
#define MLV_ANALYSIS_GROWTH_SAMPLE_TRACKS_H
/* What verdicts that are made of samples share: of which tracks there are any, and how much memory
 * a figure may mean. */
#include "base/err.h"
#include "model/run.h"

/* No device has so much: sums of a few such figures stay far from the ends of an integer. */
#define MLV_MOST_BYTES (INT64_C(1) << 56)

/* The tracks with samples that are wanted, as they come. free() *tracks. MLV_E_NOMEM only. */
enum mlv_rc mlv_sample_tracks(const struct mlv_run *run,
			      bool (*wanted)(const struct mlv_run *run, const struct mlv_sample *s),
			      mlv_trackid **tracks, size_t *count, struct mlv_err *err);

/* Bytes in use: false where the value is no such figure. */
static inline bool mlv_sample_bytes(struct mlv_decimal value, int64_t *bytes)
{
	return mlv_decimal_bytes(value, bytes) && *bytes >= 0 && *bytes <= MLV_MOST_BYTES;
}

#endif
