/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_CLOCKS_H
#define MLV_REPORT_CLOCKS_H
/* Why two recordings stand on one axis of time, or why they do not. */
#include "analysis/clock.h"

/* "the clocks agree: 4 716 of 4 716 allocations that both saw lie within 100 us, …" */
void mlv_clocks_in_words(const struct mlv_clocks *c, char *buf, size_t size);

#endif
