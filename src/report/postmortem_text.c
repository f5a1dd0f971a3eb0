/* SPDX-License-Identifier: MIT */
/* Why a request failed, in words and figures. */
#include <inttypes.h>
#include <stdio.h>

#include "base/num.h"
#include "report/replay.h"

static void row(struct mlv_buf *out, const char *name)
{
	mlv_buf_printf(out, "      %-16s", name);
}

static void bytes(struct mlv_buf *out, uint64_t n)
{
	char text[MLV_NUM_SIZE];
	mlv_buf_puts(out, mlv_fmt_bytes(text, sizeof(text), n));
}

static void count_of(struct mlv_buf *out, uint64_t n, const char *one, const char *many)
{
	char text[2 * MLV_NUM_SIZE];
	mlv_buf_puts(out, mlv_fmt_count_of(text, sizeof(text), n, one, many));
}

static void percent(struct mlv_buf *out, uint64_t part, uint64_t whole)
{
	mlv_buf_printf(out, "%.1f %%", whole ? 100.0 * (double)part / (double)whole : 0.0);
}

static void limit_row(const struct mlv_postmortem *p, struct mlv_buf *out)
{
	row(out, "limit");
	switch (p->limit_kind) {
	case MLV_LIMIT_GIVEN:
		bytes(out, p->limit);
		mlv_buf_puts(out, ", as given\n");
		return;
	case MLV_LIMIT_INFERRED:
		mlv_buf_puts(out, "at least ");
		bytes(out, p->limit);
		mlv_buf_puts(out, ", less than ");
		bytes(out, p->limit_most);
		mlv_buf_puts(out, ": the device still had ");
		bytes(out, p->device_free);
		mlv_buf_puts(out, ", so the process\n");
		row(out, "");
		mlv_buf_puts(out, "had a limit of its own (set_per_process_memory_fraction); "
				  "--limit says which\n");
		return;
	case MLV_LIMIT_DEVICE:
		bytes(out, p->limit);
		mlv_buf_puts(out, ": what was reserved and the ");
		bytes(out, p->device_free);
		mlv_buf_puts(out, " that the device had left\n");
		if (!p->outside)
			return;
		row(out, "");
		bytes(out, p->outside);
		mlv_buf_puts(out, " of the device are neither: CUDA itself, other libraries, other "
				  "processes\n");
	}
}

static void live_row(const struct mlv_postmortem *p, struct mlv_buf *out)
{
	uint64_t live = p->at.active_bytes.now, wanted = live + p->rounded;
	row(out, "live");
	bytes(out, live);
	mlv_buf_puts(out, " in blocks (");
	percent(out, live, p->limit);
	mlv_buf_puts(out, " of the limit), with the request ");
	bytes(out, wanted);
	mlv_buf_puts(out, " (");
	percent(out, wanted, p->limit);
	mlv_buf_puts(out, ")\n");
	if (p->space.pending) {
		row(out, "");
		bytes(out, p->space.pending);
		mlv_buf_puts(out, " of that were given back and wait for a stream\n");
	}
}

static void free_rows(const struct mlv_postmortem *p, struct mlv_buf *out)
{
	row(out, "reserved");
	bytes(out, p->at.reserved_bytes.now);
	mlv_buf_puts(out, " (");
	percent(out, p->at.reserved_bytes.now, p->limit);
	mlv_buf_puts(out, " of the limit)\n");
	row(out, "free in it");
	bytes(out, p->space.bytes);
	if (p->space.bytes != p->usable) {
		mlv_buf_puts(out, ", of which ");
		bytes(out, p->usable);
		mlv_buf_puts(out, " in the request's own pool and stream");
	}
	mlv_buf_puts(out, "; largest free block ");
	bytes(out, p->usable_largest);
	mlv_buf_putc(out, '\n');
	row(out, "fragmentation");
	percent(out, p->at.reserved_bytes.now - p->at.active_bytes.now, p->at.reserved_bytes.now);
	mlv_buf_puts(out, " of reserved memory external (not in use), ");
	percent(out, p->space.internal, p->at.active_bytes.now);
	mlv_buf_puts(out, " of live blocks internal (rounding)\n");
	for (size_t i = 0; p->space.shares.len > 1 && i < p->space.shares.len && i < 6; i++) {
		const struct mlv_free_share *f = &p->space.shares.data[i];
		row(out, i ? "" : "free by pool");
		bytes(out, f->bytes);
		mlv_buf_puts(out, " in ");
		count_of(out, f->blocks, "block", "blocks");
		mlv_buf_puts(out, ", largest ");
		bytes(out, f->largest);
		mlv_buf_printf(out, ": %s blocks", f->small ? "small" : "large");
		if (f->pool)
			mlv_buf_printf(out, " of private pool %" PRIu32, f->pool);
		mlv_buf_printf(out, ", stream %" PRIu64 "\n", f->stream);
	}
}

static void site(struct mlv_buf *out, struct mlv_sites *sites, mlv_stackid stack)
{
	char function[200], place[200];
	uint32_t id;
	if (!mlv_site_of(sites, stack, &id))
		return;
	mlv_site_function(sites, id, function, sizeof(function));
	mlv_site_place(sites, id, place, sizeof(place));
	mlv_buf_printf(out, "%s  %s", function, place);
}

static void pin_rows(const struct mlv_postmortem *p, struct mlv_sites *sites, size_t top,
		     struct mlv_buf *out)
{
	for (size_t i = 0; i < p->space.pins.len && i < top; i++) {
		const struct mlv_pin *pin = &p->space.pins.data[i];
		row(out, i ? "" : "pinned by");
		site(out, sites, pin->stack);
		mlv_buf_puts(out, ": ");
		count_of(out, pin->blocks, "block", "blocks");
		mlv_buf_puts(out, " of ");
		bytes(out, pin->bytes);
		mlv_buf_puts(out, " keep ");
		bytes(out, pin->pinned);
		mlv_buf_puts(out, " in their segments, the oldest ");
		if (pin->oldest == MLV_NEVER)
			mlv_buf_puts(out, "from before the recording\n");
		else
			mlv_buf_printf(out, "from event %" PRIu32 "\n", pin->oldest);
	}
	if (p->space.pins.len > top) {
		row(out, "");
		count_of(out, p->space.pins.len - top, "more stack", "more stacks");
		mlv_buf_puts(out, "; --top shows more\n");
	}
}

static void because(const struct mlv_postmortem *p, struct mlv_buf *out)
{
	uint64_t wanted = p->at.active_bytes.now + p->rounded;
	switch (p->verdict) {
	case MLV_OOM_FRAGMENTATION:
		mlv_buf_puts(out, "fragmentation: live memory and the request fit below the limit "
				  "with ");
		bytes(out, p->limit - wanted);
		mlv_buf_puts(out, " to spare,\n");
		row(out, "");
		mlv_buf_puts(out, "but no free block holds ");
		bytes(out, p->rounded);
		mlv_buf_puts(out, ", and the rest cannot be given back\n");
		return;
	case MLV_OOM_CAPACITY:
		mlv_buf_puts(out, "capacity: live memory and the request exceed the limit by ");
		bytes(out, wanted - p->limit);
		mlv_buf_puts(out, ", however they are placed\n");
		return;
	case MLV_OOM_LEAK:
		mlv_buf_puts(out, "leak before: live memory and the request exceed the limit by ");
		bytes(out, wanted - p->limit);
		mlv_buf_puts(out, ", and\n");
		row(out, "");
		mlv_buf_puts(out, "what is never freed grew from quarter to quarter: ");
		for (int q = 0; q < 4; q++) {
			bytes(out, p->floors[q]);
			mlv_buf_puts(out, q < 3 ? ", " : "\n");
		}
		return;
	case MLV_OOM_OTHER_MEMORY:
		mlv_buf_puts(out, "other memory on the device: ");
		bytes(out, p->outside);
		mlv_buf_puts(out, " are held outside of PyTorch; the request lacked ");
		bytes(out, wanted - p->limit);
		mlv_buf_putc(out, '\n');
	}
}

void mlv_postmortem_text(const struct mlv_postmortem *p, struct mlv_sites *sites, size_t top,
			 struct mlv_buf *out)
{
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE];
	mlv_buf_printf(out, "    out of memory at request %s (event %s): ",
		       mlv_fmt_count(a, sizeof(a), p->at_alloc),
		       mlv_fmt_count(b, sizeof(b), p->event));
	if (p->requested) {
		bytes(out, p->requested);
		mlv_buf_puts(out, ", a block of ");
	}
	bytes(out, p->rounded);
	mlv_buf_printf(out, " (%" PRIu64 " bytes)", p->rounded);
	if (p->segment != p->rounded) {
		mlv_buf_puts(out, ", from the device ");
		bytes(out, p->segment);
	}
	mlv_buf_puts(out, "\n      ");
	mlv_buf_puts(out, "asked for by    ");
	site(out, sites, p->stack);
	mlv_buf_putc(out, '\n');
	row(out, "verdict");
	because(p, out);
	limit_row(p, out);
	live_row(p, out);
	free_rows(p, out);
	pin_rows(p, sites, top, out);
}
