/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_TRACK_LABEL_H
#define MLV_ANALYSIS_TRACK_LABEL_H
/* What people call the place where something happens, from the outside in. */
#include <stddef.h>

#include "model/run.h"

/* "rank 3 · default_pg", "device 0 stream 7", "python (pid 123) thread 124" */
void mlv_track_label(const struct mlv_run *run, mlv_trackid track, char *buf, size_t size);

/* The same with the rank of the run before it, unless it begins with one: for several runs. */
void mlv_track_label_ranked(const struct mlv_run *run, mlv_trackid track, char *buf, size_t size);

#endif
