/* SPDX-License-Identifier: MIT */
#include "analysis/track_label.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void mlv_track_label(const struct mlv_run *run, mlv_trackid track, char *buf, size_t size)
{
	buf[0] = '\0';
	if (track.i >= run->tracks.len)
		return;
	const struct mlv_track *t = &run->tracks.data[track.i];
	mlv_track_label(run, t->parent, buf, size);
	size_t n = strlen(buf);
	const char *gap = n ? " \u00b7 " : "";
	struct mlv_str name = mlv_run_str(run, t->name);
	if (n + 8 >= size)
		return;
	/* The name of a group is a number as often as not. */
	const char *kind = t->kind == MLV_TRACK_GROUP ? "group " : "";
	if (name.n)
		snprintf(buf + n, size - n, "%s%s%.100s", gap, kind, name.p);
	else if (t->number >= 0)
		snprintf(buf + n, size - n, "%s%s %" PRId64, gap, mlv_track_kind_name(t->kind),
			 t->number);
	else
		snprintf(buf + n, size - n, "%s%s", gap, mlv_track_kind_name(t->kind));
}

void mlv_track_label_ranked(const struct mlv_run *run, mlv_trackid track, char *buf, size_t size)
{
	char label[256];
	mlv_track_label(run, track, label, sizeof(label));
	if (run->rank < 0 || strncmp(label, "rank", 4) == 0)
		snprintf(buf, size, "%s", label);
	else
		snprintf(buf, size, "rank %" PRId64 "%s%s", run->rank, *label ? " \u00b7 " : "",
			 label);
}
