/* SPDX-License-Identifier: MIT */
/* A replay on a GPU in plain words. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "report/replay.h"

static void row(struct mlv_buf *out, const char *name)
{
	mlv_buf_printf(out, "    %-16s", name);
}

/* 1500 nanoseconds are "1.5" microseconds. */
static const char *thousandth(char *buf, uint64_t n)
{
	n = (n + 50) / 100;
	snprintf(buf, MLV_NUM_SIZE, "%" PRIu64 ".%" PRIu64, n / 10, n % 10);
	return buf;
}

static void heading(const struct mlv_gpu_run *g, struct mlv_buf *out)
{
	const struct mlv_gpu *d = &g->gpu;
	char a[400], b[MLV_NUM_SIZE];
	mlv_buf_puts(out, "\n    on ");
	mlv_buf_safe(out, (struct mlv_str){ d->name, strlen(d->name) });
	mlv_buf_printf(out, " (device %d, %s, driver %d.%d): ", d->device, mlv_bytes(b, d->total),
		       d->driver_version / 1000, d->driver_version % 1000 / 10);
	switch (g->setup.mode) {
	case MLV_GPU_RECORDED:
		mlv_buf_puts(out, "the recorded segments, each at its moment");
		break;
	case MLV_GPU_WHATIF:
		mlv_buf_printf(out, "what if: %s", mlv_conf_words(&g->setup.conf, a, sizeof(a)));
		break;
	case MLV_GPU_RAW:
		mlv_buf_puts(out, "raw, every allocation from the driver");
		break;
	}
	if (g->setup.scale > 1)
		mlv_buf_printf(out, "; all sizes scaled to 1/%" PRIu32, g->setup.scale);
	mlv_buf_putc(out, '\n');
}

static void room(const struct mlv_gpu_run *g, struct mlv_buf *out)
{
	const struct mlv_gpu *d = &g->gpu;
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE];
	row(out, "room");
	mlv_buf_printf(out, "%s free at the start; ", mlv_bytes(a, d->free_at_start));
	if (g->setup.remaining)
		mlv_buf_printf(out, "%s of ballast left %s", mlv_bytes(a, g->ballast),
			       mlv_bytes(b, g->meter.free_at_start));
	else
		mlv_buf_printf(out, "at most %s to be taken", mlv_bytes(a, d->most));
	mlv_buf_putc(out, '\n');
	if (d->refused_by_most) {
		row(out, "");
		mlv_buf_printf(out, "this limit, not the device, refused memory %s\n",
			       mlv_fmt_count_of(a, sizeof(a), d->refused_by_most, "time", "times"));
	}
}

static void peaks(const struct mlv_gpu_run *g, struct mlv_buf *out)
{
	const struct mlv_gpu_meter *m = &g->meter;
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE], c[MLV_NUM_SIZE];
	row(out, "taken");
	mlv_buf_printf(out, "peak %s (%" PRIu64 " bytes) in %s pieces at the most; ",
		       mlv_bytes(a, g->taken_peak), g->taken_peak, mlv_count(b, g->live_most));
	mlv_buf_printf(out, "%s operations took memory, %s gave it back\n", mlv_count(a, g->takes),
		       mlv_count(b, g->gives));
	row(out, "device");
	mlv_buf_printf(out, "peak %s (%" PRIu64 " bytes) in use by its own account; at any moment ",
		       mlv_bytes(a, m->used_peak), m->used_peak);
	if (m->overhead_most == 0 && m->overhead_least == 0)
		mlv_buf_puts(out, "exactly what was taken\n");
	else
		mlv_buf_printf(out, "what was taken %s to %s\n",
			       mlv_fmt_bytes_signed(b, sizeof(b), m->overhead_least),
			       mlv_fmt_bytes_signed(c, sizeof(c), m->overhead_most));
	if (!m->foreign_changes)
		return;
	row(out, "other processes");
	mlv_buf_printf(out,
		       "changed free memory %s, first at event %s; they held up to %s more "
		       "than at the start, which is not counted above\n",
		       mlv_fmt_count_of(a, sizeof(a), m->foreign_changes, "time", "times"),
		       mlv_count(b, m->foreign_event),
		       mlv_bytes(c, m->foreign_most > 0 ? (uint64_t)m->foreign_most : 0));
}

static void request(const struct mlv_gpu_oom *o, struct mlv_buf *out)
{
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE], c[MLV_NUM_SIZE];
	if (o->alloc < 0)
		mlv_buf_puts(out, "nowhere");
	else
		mlv_buf_printf(out, "at request %s (%s, event %s)",
			       mlv_count(a, (uint64_t)o->alloc), mlv_bytes(b, o->bytes),
			       mlv_count(c, o->event));
}

static void out_of_memory(const struct mlv_gpu_run *g, struct mlv_buf *out)
{
	row(out, "out of memory");
	mlv_buf_puts(out, "expected ");
	request(&g->expected, out);
	mlv_buf_puts(out, ", measured ");
	request(&g->measured, out);
	if (g->setup.mode == MLV_GPU_RECORDED && g->expected.alloc >= 0 && !g->setup.remaining)
		mlv_buf_puts(out, ": the device is not as small as the recording's; --ballast "
				  "makes it so");
	mlv_buf_putc(out, '\n');
}

static void verified(const struct mlv_gpu_run *g, struct mlv_buf *out)
{
	const struct mlv_gpu_verify *v = &g->verify;
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE];
	row(out, "verified");
	mlv_buf_printf(out, "%s blocks, %s, %s: ", mlv_count(a, v->blocks), mlv_bytes(b, v->bytes),
		       v->check ? "every word on the device" : "samples of each read back");
	if (!v->errors) {
		mlv_buf_puts(out, "each held what was written into it\n");
		return;
	}
	mlv_buf_printf(out,
		       "%s held something else, first that of allocation %s at byte %" PRIu64 "\n",
		       mlv_count(a, v->errors), mlv_count(b, v->first_error), v->first_error_at);
}

static void calls(const struct mlv_gpu_run *g, struct mlv_buf *out)
{
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE], c[MLV_NUM_SIZE], d[MLV_NUM_SIZE], e[MLV_NUM_SIZE];
	row(out, "driver time");
	mlv_buf_printf(out, "%s ms in calls that take memory and give it back, of %s ms\n",
		       thousandth(a, g->memory_ns / 1000), thousandth(b, g->wall_ns / 1000));
	mlv_buf_printf(out, "      %-20s %10s %12s %12s %12s %12s\n", "call", "count", "total ms",
		       "median us", "99 % us", "longest us");
	for (int i = 0; i < MLV_CU_CALL_COUNT; i++) {
		const struct mlv_call_figures *f = &g->calls[i];
		if (f->count)
			mlv_buf_printf(out, "      %-20s %10s %12s %12s %12s %12s\n",
				       mlv_cuda_call_name((enum mlv_cu_call)i),
				       mlv_count(a, f->count), thousandth(b, f->total_ns / 1000),
				       thousandth(c, f->p50_ns), thousandth(d, f->p99_ns),
				       thousandth(e, f->max_ns));
	}
}

static void addresses(const struct mlv_gpu_run *g, struct mlv_buf *out)
{
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE];
	if (g->setup.mode == MLV_GPU_RAW || !g->follow.share.allocs)
		return;
	row(out, "addresses");
	mlv_buf_printf(
		out, "the profile %s expected %s of %s", mlv_driver_profile_name(g->setup.profile),
		mlv_count(a, g->follow.share.explained), mlv_count(b, g->follow.share.allocs));
	if (g->best_share.explained > g->follow.share.explained)
		mlv_buf_printf(out, "; %s would have been right of %s on this GPU",
			       mlv_driver_profile_name(g->best_profile),
			       mlv_count(a, g->best_share.explained));
	mlv_buf_putc(out, '\n');
}

static void returned(const struct mlv_gpu_run *g, struct mlv_buf *out)
{
	char a[MLV_NUM_SIZE];
	int64_t own = g->returned + g->meter.foreign;
	row(out, "returned");
	if (!g->returned_known)
		mlv_buf_puts(out, "unknown: the device does not say what is free");
	else if (own)
		mlv_buf_printf(out, "%s%s %s free than at the start",
			       own < 0 ? "not everything: " : "",
			       mlv_bytes(a, own < 0 ? 0 - (uint64_t)own : (uint64_t)own),
			       own < 0 ? "less" : "more");
	else
		mlv_buf_puts(out, "everything: as much is free as at the start");
	if (g->returned_known && g->meter.foreign_changes)
		mlv_buf_puts(out, ", left aside what other processes changed");
	mlv_buf_putc(out, '\n');
}

static void ending(const struct mlv_gpu_run *g, struct mlv_buf *out)
{
	char a[MLV_NUM_SIZE];
	if (g->failure.rc) {
		row(out, "ended early");
		mlv_buf_printf(out, "%s, after %s requests\n", g->failure.msg,
			       mlv_count(a, g->allocs));
	} else if (g->stopped) {
		row(out, "ended early");
		mlv_buf_printf(out, "interrupted after %s requests\n", mlv_count(a, g->allocs));
	}
	if (g->space.unknown) {
		row(out, "left out");
		mlv_buf_printf(out, "%s operations on segments that the recording does not hold\n",
			       mlv_count(a, g->space.unknown));
	}
	returned(g, out);
}

void mlv_gpu_text(const struct mlv_gpu_run *g, struct mlv_buf *out)
{
	heading(g, out);
	room(g, out);
	peaks(g, out);
	out_of_memory(g, out);
	if (g->setup.verify)
		verified(g, out);
	addresses(g, out);
	calls(g, out);
	ending(g, out);
}
