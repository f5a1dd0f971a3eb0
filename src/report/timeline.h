/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_TIMELINE_H
#define MLV_REPORT_TIMELINE_H
/* What `mlviz timeline` says beside its picture: headings, a summary in text, JSON. */
#include "analysis/panel.h"
#include "base/buf.h"
#include "base/json_write.h"

/* "device 0 · 1 581 allocations in 6.10 s · peak 735.7 MiB requested, …" */
void mlv_timeline_subtitle(const struct mlv_memory_panel *panels, size_t count,
			   struct mlv_buf *out);
/* Whether the panels come from allocators with several settings: then each plot names its own. */
bool mlv_timeline_settings_differ(const struct mlv_memory_panel *panels, size_t count);
/* What is incomplete; empty when nothing is. */
void mlv_timeline_notice(const struct mlv_memory_panel *panels, size_t count, struct mlv_buf *out);

/* One panel: figures, the largest at the peak. `top` names how many. */
enum mlv_rc mlv_timeline_text(const struct mlv_memory_panel *panel, size_t top, struct mlv_buf *out,
			      struct mlv_err *err);
enum mlv_rc mlv_timeline_json(const struct mlv_memory_panel *panel, size_t top, struct mlv_json *j,
			      struct mlv_err *err);

#endif
