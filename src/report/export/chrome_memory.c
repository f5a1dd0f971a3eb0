/* SPDX-License-Identifier: MIT */
/*
 * Memory as counters: a value after each event that changed one, so that the
 * last and the greatest are those of the history. What the allocator rounded
 * requests to is there where an exact replay knows it. What ran out, and where
 * snapshots were taken, are instants.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/view.h"
#include "replay/counters.h"
#include "report/export/chrome_write.h"

struct device {
	struct mlv_chrome_run *r;
	const struct mlv_history *h;
	const uint64_t *allocated;             /* after each event; NULL: not known */
	const char *name;                      /* of what the bytes are */
	uint64_t requested, reserved, rounded; /* as they stand */
	uint32_t pid;
	bool has_reserved;
};

/* Events have the times of the recording, or their numbers where not all have one. */
static int64_t time_of(const struct device *d, int64_t event)
{
	if (!d->h->has_times)
		return (event < 0 ? 0 : event) * 1000;
	return mlv_chrome_time(d->r, d->h->events[event < 0 ? 0 : event].time_ns);
}

static void put_member(struct mlv_buf *b, const char *key, uint64_t value)
{
	mlv_buf_puts(b, key);
	if (value <= INT64_MAX)
		mlv_buf_int(b, (int64_t)value);
	else
		mlv_buf_printf(b, "%" PRIu64, value);
}

/* By hand: a recording has a million of them, and nothing in it needs to be escaped. */
static enum mlv_rc put_counter(struct device *d, int64_t event, struct mlv_err *err)
{
	struct mlv_chrome *c = d->r->c;
	struct mlv_buf *b = &c->out;
	mlv_buf_puts(b, c->any ? ",\n{\"ph\":\"C\",\"pid\":" : "\n{\"ph\":\"C\",\"pid\":");
	c->any = true;
	mlv_buf_int(b, d->pid);
	mlv_buf_puts(b, ",\"ts\":");
	mlv_chrome_ts(b, time_of(d, event));
	mlv_buf_puts(b, ",\"name\":\"memory\",\"args\":{\"");
	mlv_buf_puts(b, d->name);
	put_member(b, "\":", d->requested);
	if (d->allocated)
		put_member(b, ",\"allocated\":", d->rounded);
	if (d->has_reserved)
		put_member(b, ",\"reserved\":", d->reserved);
	mlv_buf_puts(b, "}}");
	c->events++;
	return mlv_sink_drain(c->sink, b, err);
}

static enum mlv_rc put_instant(struct device *d, uint32_t event, struct mlv_err *err)
{
	const struct mlv_mem_event *e = &d->h->events[event];
	struct mlv_json j;
	mlv_chrome_begin(d->r->c, &j, "i", d->pid, -1, time_of(d, event));
	mlv_json_key_text(&j, "s", "p");
	if (e->action == MLV_MEM_OOM) {
		mlv_json_key_text(&j, "name", "out of memory");
		mlv_json_key_object(&j, "args");
		mlv_json_key_uint(&j, "rounded_bytes", e->bytes);
		mlv_json_key_uint(&j, "device_free_bytes", mlv_oom_device_free(e));
	} else {
		mlv_json_key_text(&j, "name", "snapshot");
		mlv_json_key_object(&j, "args");
	}
	mlv_json_key_uint(&j, "event", event);
	mlv_json_object_end(&j);
	return mlv_chrome_end(d->r->c, &j, err);
}

static enum mlv_rc walk(struct device *d, struct mlv_err *err)
{
	const struct mlv_history *h = d->h;
	size_t birth = h->initial, death = 0, other = 0;
	enum mlv_rc rc = put_counter(d, -1, err);
	for (uint32_t e = 0; !rc && e < h->count; e++) {
		uint64_t requested = d->requested, reserved = d->reserved, rounded = d->rounded;
		if (other < h->other_count && h->others[other] == e) {
			d->reserved += (uint64_t)mlv_reserved_delta(&h->events[e]);
			other++;
		}
		if (mlv_history_dies_at(h, death, e))
			d->requested -= h->allocs[h->deaths[death++]].bytes;
		if (mlv_history_born_at(h, birth, e))
			d->requested += h->allocs[birth++].bytes;
		if (d->allocated)
			d->rounded = d->allocated[e];
		if (requested != d->requested || reserved != d->reserved || rounded != d->rounded)
			rc = put_counter(d, e, err);
		uint8_t action = h->events[e].action;
		if (!rc && (action == MLV_MEM_OOM || action == MLV_MEM_SNAPSHOT))
			rc = put_instant(d, e, err);
	}
	return rc;
}

static enum mlv_rc put_device(struct mlv_chrome_run *r, size_t row, struct mlv_err *err)
{
	struct mlv_history h;
	struct mlv_counters counters = { 0 };
	uint64_t start = 0;
	enum mlv_rc rc = mlv_history_init(&h, r->run, row, err);
	if (rc)
		return rc;
	uint64_t *allocated = mlv_zeroed(h.count, sizeof(*allocated));
	struct device d = { .r = r,
			    .h = &h,
			    .name = mlv_bytes_are_name(h.device->bytes_are),
			    .requested = h.requested.start,
			    .reserved = h.reserved.start,
			    .has_reserved = h.device->segments || h.reserved.peak };
	rc = allocated ? mlv_counters_series(&counters, &h, &start, allocated, err)
		       : mlv_err_nomem(err);
	if (!rc && counters.known) {
		d.allocated = allocated;
		d.rounded = start;
	}
	if (!rc)
		rc = mlv_chrome_pid(r, h.device->track, &d.pid, err);
	if (!rc)
		rc = walk(&d, err);
	free(allocated);
	mlv_history_fini(&h);
	return rc;
}

enum mlv_rc mlv_chrome_memory(struct mlv_chrome_run *r, struct mlv_err *err)
{
	enum mlv_rc rc = MLV_OK;
	for (size_t i = 0; !rc && i < r->run->devices.len; i++)
		rc = put_device(r, i, err);
	return rc;
}
