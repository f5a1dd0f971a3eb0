/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_PANEL_H
#define MLV_ANALYSIS_PANEL_H
/* One device's memory as a picture and the words beside it show it. */
#include "analysis/classes.h"

/* All pointers are borrowed. */
struct mlv_memory_panel {
	const char *title; /* of a small multiple; unused when there is one panel */
	const struct mlv_history *history;
	const struct mlv_classes *classes;
	mlv_trackid device;
	uint32_t first, last; /* events shown */
	/* Rounded up to blocks, by a replay; 0: unknown. */
	uint64_t allocated_peak, allocated_end;
};

#endif
