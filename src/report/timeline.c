/* SPDX-License-Identifier: MIT */
#include "report/timeline.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "report/info.h"
#include "report/settings.h"

static uint32_t ordinal_of(const struct mlv_memory_panel *p)
{
	return (uint32_t)p->history->run->tracks.data[p->device.i].number;
}

static void span_of_time(const struct mlv_history *h, struct mlv_buf *out)
{
	char t[MLV_NUM_SIZE];
	if (h->has_times)
		mlv_buf_printf(out, " in %s",
			       mlv_fmt_duration(t, sizeof(t),
						mlv_time_between(h->events[0].time_ns,
								 h->events[h->count - 1].time_ns)));
}

bool mlv_timeline_settings_differ(const struct mlv_memory_panel *panels, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		if (!mlv_settings_alike(panels[0].history->run, panels[i].history->run))
			return true;
	}
	return false;
}

void mlv_timeline_subtitle(const struct mlv_memory_panel *panels, size_t count, struct mlv_buf *out)
{
	const struct mlv_history *h = panels[0].history;
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE], name[64];
	if (count > 1) {
		mlv_buf_printf(out, "%zu plots on one scale \u00b7 ", count);
		if (mlv_timeline_settings_differ(panels, count))
			mlv_buf_puts(out, "allocator settings differ");
		else
			mlv_settings_brief(h->run, out);
		return;
	}
	mlv_buf_printf(out, "%s \u00b7 ", mlv_device_name(h->run, h->device, name, sizeof(name)));
	if (h->count) {
		mlv_buf_printf(out, "%s allocations",
			       mlv_fmt_count(a, sizeof(a), h->action_count[MLV_MEM_ALLOC]));
		span_of_time(h, out);
		mlv_buf_puts(out, " \u00b7 ");
	}
	mlv_buf_printf(out, "peak %s %s", mlv_bytes(a, h->requested.peak),
		       mlv_bytes_are_name(h->device->bytes_are));
	if (h->device->bytes_are != MLV_BYTES_REQUESTED)
		return;
	mlv_buf_printf(out, ", %s reserved \u00b7 ", mlv_bytes(b, h->reserved.peak));
	mlv_settings_brief(h->run, out);
}

/* "history incomplete: …", "no history: …" */
static void history_line(const struct mlv_history *h, struct mlv_buf *out)
{
	char words[400];
	mlv_history_in_words(h, words, sizeof(words));
	if (strncmp(words, "none: ", 6) == 0)
		mlv_buf_printf(out, "no history: %s", words + 6);
	else
		mlv_buf_printf(out, "history %s", words);
}

void mlv_timeline_notice(const struct mlv_memory_panel *panels, size_t count, struct mlv_buf *out)
{
	size_t incomplete = 0;
	for (size_t i = 0; i < count; i++)
		incomplete += !panels[i].history->complete;
	if (!incomplete)
		return;
	if (count > 1) {
		mlv_buf_printf(out, "history incomplete in %zu of %zu plots", incomplete, count);
		return;
	}
	history_line(panels[0].history, out);
}

static void rank_line(const struct mlv_memory_panel *p, const struct mlv_rank *r,
		      struct mlv_buf *out)
{
	char name[256], place[512], size[MLV_NUM_SIZE];
	uint64_t peak = p->history->requested.peak;
	mlv_class_name(p->classes, r->cls, name, sizeof(name), place, sizeof(place));
	mlv_buf_printf(out, "    %10s %5.1f %%  ", mlv_bytes(size, r->bytes),
		       peak ? 100.0 * (double)r->bytes / (double)peak : 0.0);
	mlv_buf_safe(out, mlv_str_of(name));
	mlv_buf_puts(out, *place ? "  " : "");
	mlv_buf_safe(out, mlv_str_of(place));
	mlv_buf_putc(out, '\n');
}

static void sums_line(const struct mlv_memory_panel *p, struct mlv_buf *out)
{
	const struct mlv_history *h = p->history;
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE], name[64];
	mlv_buf_printf(out, "  %s: ", mlv_device_name(h->run, h->device, name, sizeof(name)));
	if (!h->count) {
		mlv_buf_printf(out, "%s requested, %s reserved\n", mlv_bytes(a, h->requested.end),
			       mlv_bytes(b, h->reserved.end));
		return;
	}
	mlv_buf_printf(out, "%s peak %s", mlv_bytes_are_name(h->device->bytes_are),
		       mlv_bytes(a, h->requested.peak));
	if (h->requested.peak_event >= 0)
		mlv_buf_printf(out, " after event %s of %s",
			       mlv_fmt_count(a, sizeof(a), (uint64_t)h->requested.peak_event),
			       mlv_fmt_count(b, sizeof(b), h->count));
	else
		mlv_buf_puts(out, " at the beginning");
	if (h->device->bytes_are != MLV_BYTES_REQUESTED) {
		mlv_buf_printf(out, "; at the end %s\n", mlv_bytes(a, h->requested.end));
		return;
	}
	if (p->allocated_peak)
		mlv_buf_printf(out, ", allocated peak %s", mlv_bytes(b, p->allocated_peak));
	mlv_buf_printf(out, ", reserved peak %s", mlv_bytes(b, h->reserved.peak));
	mlv_buf_printf(out, "; at the end %s and %s\n", mlv_bytes(a, h->requested.end),
		       mlv_bytes(b, h->reserved.end));
}

enum mlv_rc mlv_timeline_text(const struct mlv_memory_panel *p, size_t top, struct mlv_buf *out,
			      struct mlv_err *err)
{
	const struct mlv_history *h = p->history;
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE];
	struct mlv_rank *ranks;
	size_t n;
	enum mlv_rc rc = mlv_classes_rank(p->classes, h->requested.peak_event, &ranks, &n, err);
	if (rc)
		return rc;
	sums_line(p, out);
	for (size_t k = 0; k < h->other_count; k++) {
		uint32_t i = h->others[k];
		if (h->events[i].action != MLV_MEM_OOM)
			continue;
		mlv_buf_printf(out, "  out of memory at event %s: could not get %s (rounded)\n",
			       mlv_fmt_count(b, sizeof(b), i), mlv_bytes(a, h->events[i].bytes));
		break;
	}
	if (!h->complete) {
		mlv_buf_puts(out, "  ");
		history_line(h, out);
		mlv_buf_putc(out, '\n');
	}
	if (n && top)
		mlv_buf_puts(out, h->count ? "  alive at the peak:\n" : "  in use:\n");
	for (size_t i = 0; i < n && i < top; i++)
		rank_line(p, &ranks[i], out);
	if (top && n > top)
		mlv_buf_printf(out, "    and %zu more\n", n - top);
	free(ranks);
	return MLV_OK;
}

static void rank_json(const struct mlv_memory_panel *p, const struct mlv_rank *r,
		      struct mlv_json *j)
{
	char name[MLV_NAME_SIZE], place[MLV_NAME_SIZE];
	mlv_class_name(p->classes, r->cls, name, sizeof(name), place, sizeof(place));
	mlv_json_object(j);
	mlv_json_key_text(j, "name", name);
	mlv_json_key_text(j, "place", place);
	mlv_json_key_uint(j, "bytes", r->bytes);
	mlv_json_key_uint(j, "allocations", r->count);
	mlv_json_object_end(j);
}

enum mlv_rc mlv_timeline_json(const struct mlv_memory_panel *p, size_t top, struct mlv_json *j,
			      struct mlv_err *err)
{
	const struct mlv_history *h = p->history;
	struct mlv_rank *ranks;
	size_t n;
	enum mlv_rc rc = mlv_classes_rank(p->classes, h->requested.peak_event, &ranks, &n, err);
	if (rc)
		return rc;
	mlv_json_object(j);
	mlv_json_key_text(j, "file", h->run->file);
	mlv_json_key_text(j, "kind", "memory");
	mlv_json_key_uint(j, "device", ordinal_of(p));
	mlv_json_key_uint(j, "first_event", p->first);
	mlv_json_key_uint(j, "last_event", p->last);
	mlv_json_key_uint(j, "requested_peak_bytes", h->requested.peak);
	mlv_json_key_int(j, "requested_peak_event", h->requested.peak_event);
	mlv_json_key_uint(j, "requested_end_bytes", h->requested.end);
	mlv_json_key(j, "allocated_peak_bytes");
	if (p->allocated_peak)
		mlv_json_uint(j, p->allocated_peak);
	else
		mlv_json_null(j);
	mlv_json_key_uint(j, "reserved_peak_bytes", h->reserved.peak);
	mlv_json_key_uint(j, "reserved_end_bytes", h->reserved.end);
	mlv_json_key_bool(j, "history_complete", h->complete);
	mlv_json_key_uint(j, "oom_events", h->action_count[MLV_MEM_OOM]);
	mlv_json_key_array(j, "alive_at_peak");
	for (size_t i = 0; i < n && i < top; i++)
		rank_json(p, &ranks[i], j);
	mlv_json_array_end(j);
	mlv_json_object_end(j);
	free(ranks);
	return MLV_OK;
}
