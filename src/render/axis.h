/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_AXIS_H
#define MLV_RENDER_AXIS_H
/*
 * Where the ticks of an axis lie and what they say. Bytes step by powers of
 * two, counts by 1, 2 or 5 times a power of ten, times by what a clock shows.
 */
#include <stddef.h>
#include <stdint.h>

/* The step between ticks for a range of `span`, with at most `most` steps in it. */
uint64_t mlv_axis_bytes_step(uint64_t span, unsigned most);
uint64_t mlv_axis_count_step(uint64_t span, unsigned most);
int64_t mlv_axis_time_step(int64_t span_ns, unsigned most);

/* "512 MiB", "1.5 GiB", "0": as short as it is exact. */
void mlv_axis_bytes_label(uint64_t bytes, char *buf, size_t size);
/* A time that is a multiple of `step`: "2.5 s", "250 ms", "1 min 30 s". */
void mlv_axis_time_label(int64_t ns, int64_t step, char *buf, size_t size);

#endif
