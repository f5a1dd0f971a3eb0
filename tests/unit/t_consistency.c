/* SPDX-License-Identifier: MIT */
/* Each check fires on a file that contradicts itself in its way, and none on a file that does not.
 */
#include "unit.h"

#include <string.h>

#include "analysis/consistency.h"
#include "snapshot_writer.h"

static void read_snap(struct mlv_run *run, const struct snap *s)
{
	struct mlv_buf bytes = { 0 };
	snap_write(s, (struct snap_style){ .form = SNAP_P4 }, &bytes);
	unit_check(!snap_read(run, &bytes, 0, NULL, NULL));
	unit_check(run->diags.list.len == 0);
	mlv_buf_fini(&bytes);
}

static void check_all(const struct mlv_run *run, struct mlv_diags *diags)
{
	memset(diags, 0, sizeof(*diags));
	for (size_t i = 0; i < run->devices.len; i++) {
		struct mlv_history h;
		unit_check(!mlv_history_init(&h, run, i, NULL));
		unit_check(!mlv_check_device(&h, i, diags, NULL));
		mlv_history_fini(&h);
	}
}

static void record(struct snap *s, uint64_t seed)
{
	struct snap_program p = { .seed = seed,
				  .steps = 300,
				  .devices = 1 + (int)(seed % 2),
				  .streams = 2,
				  .pools = 2,
				  .pending = seed % 3 == 0,
				  .empty_cache = true,
				  .expandable = seed % 4 == 0,
				  .oom = true };
	snap_record(s, &p);
}

START_TEST(nothing_to_say_of_valid_files)
{
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct snap s;
		struct mlv_run run;
		struct mlv_diags diags;
		record(&s, seed);
		for (size_t keep = 1000; keep; keep = keep * 2 / 3) {
			/* Also with less and less of the trace. */
			snap_keep_last(&s, keep);
			read_snap(&run, &s);
			check_all(&run, &diags);
			if (diags.list.len)
				ck_abort_msg("seed %u: %s", (unsigned)seed,
					     diags.list.data[0].text);
			mlv_diags_fini(&diags);
			mlv_run_fini(&run);
		}
		snap_fini(&s);
	}
}
END_TEST

START_TEST(nothing_to_say_of_files_cut_anywhere)
{
	struct snap s;
	struct mlv_buf bytes = { 0 };
	record(&s, 5);
	snap_write(&s, (struct snap_style){ .form = SNAP_P4 }, &bytes);
	for (size_t cut = bytes.len / 3; cut < bytes.len; cut += 97) {
		struct mlv_buf part = { bytes.data, cut, 0, false };
		struct mlv_run run;
		struct mlv_diags diags;
		ck_assert(!snap_read(&run, &part, 0, NULL, NULL));
		check_all(&run, &diags);
		for (size_t i = 0; i < diags.list.len; i++) {
			/* The last segment that is there may lack its blocks. */
			if (strcmp(diags.list.data[i].code, "segment-blocks"))
				ck_abort_msg("cut at %zu: %s", cut, diags.list.data[i].text);
		}
		mlv_diags_fini(&diags);
		mlv_run_fini(&run);
	}
	mlv_buf_fini(&bytes);
	snap_fini(&s);
}
END_TEST

/* ---- one contradiction at a time ---- */

static struct snap_event *find(struct snap *s, const char *action)
{
	for (size_t i = 0; i < s->traces[0].len; i++) {
		if (!strcmp(s->traces[0].data[i].action, action))
			return &s->traces[0].data[i];
	}
	ck_abort_msg("no %s", action);
	return NULL;
}

static struct snap_block *find_block(struct snap *s, const char *state)
{
	for (size_t i = 0; i < s->blocks.len; i++) {
		if (!strcmp(s->blocks.data[i].state, state))
			return &s->blocks.data[i];
	}
	ck_abort_msg("no %s", state);
	return NULL;
}

/* An event of the trace again, at its end. */
static void again(struct snap *s, const struct snap_event *e)
{
	struct snap_event copy = *e;
	snap_event(s, 0, copy);
}

static void shorter_block(struct snap *s)
{
	find_block(s, "inactive")->size -= 512;
}

static void moved_block(struct snap *s)
{
	find_block(s, "inactive")->addr += 512;
}

static void other_sum(struct snap *s)
{
	s->segments.data[0].allocated += 512;
}

static void segment_overlap(struct snap *s)
{
	struct snap_segment copy = s->segments.data[0];
	copy.blocks = 0;
	copy.size = 4096;
	copy.addr += 512;
	unit_check(mlv_vec_push(&s->segments, copy));
}

static void segment_twice(struct snap *s)
{
	for (int i = 0; i < 4; i++)
		snap_event(s, 0,
			   snap_plain(i < 2 ? "segment_alloc" : "segment_free",
				      UINT64_C(0x7e0000000000), 2 << 20));
}

static void segment_gone(struct snap *s)
{
	snap_event(s, 0, snap_plain("segment_alloc", UINT64_C(0x7e0000000000), 2 << 20));
	snap_event(s, 0, snap_plain("segment_unmap", 0, 2 << 20)); /* the sums still agree */
}

static void segment_of_another_size(struct snap *s)
{
	size_t i = 0, k = 0;
	/* The event of a segment that is there at the end. */
	while (s->segments.data[i].device != 0)
		i++;
	for (size_t e = 0; e < s->traces[0].len; e++) {
		if (!strcmp(s->traces[0].data[e].action, "segment_alloc") &&
		    s->traces[0].data[e].addr == s->segments.data[i].addr)
			k = e;
	}
	s->traces[0].data[k].size += 2 << 20;
	snap_event(s, 0, snap_plain("segment_unmap", 0, 2 << 20)); /* the sums still agree */
}

static void alloc_overlap(struct snap *s)
{
	again(s, find(s, "alloc"));
	again(s, find(s, "alloc"));
	struct snap_event e = *find(s, "alloc");
	e.action = "free_completed";
	again(s, &e);
}

static void block_missing(struct snap *s)
{
	find_block(s, "active_allocated")->state = "inactive";
	for (size_t i = 0; i < s->segments.len; i++) {
		struct snap_segment *seg = &s->segments.data[i];
		seg->allocated = 0;
		for (size_t k = 0; k < seg->blocks; k++) {
			const struct snap_block *b = &s->blocks.data[seg->first_block + k];
			if (!strcmp(b->state, "active_allocated"))
				seg->allocated += b->size;
		}
	}
}

static void block_size(struct snap *s)
{
	find_block(s, "active_allocated")->requested++;
}

/* The last event of a block that is there at the end frees it. */
static void block_freed(struct snap *s)
{
	size_t i = 0;
	while (s->segments.data[i].device != 0 || !s->segments.data[i].allocated)
		i++;
	const struct snap_segment *seg = &s->segments.data[i];
	size_t k = seg->first_block;
	while (strcmp(s->blocks.data[k].state, "active_allocated"))
		k++;
	const struct snap_block *b = &s->blocks.data[k];
	snap_event(s, 0, snap_plain("free_requested", b->addr, b->requested));
	snap_event(s, 0, snap_plain("free_completed", b->addr, b->requested));
}

static void reserved_missing(struct snap *s)
{
	snap_event(s, 0, snap_plain("segment_map", UINT64_C(0x7e0000000000), 2 << 20));
}

static const struct {
	const char *code;
	void (*spoil)(struct snap *s);
} spoilers[] = {
	{ "segment-blocks", shorter_block },
	{ "segment-blocks", moved_block },
	{ "segment-allocated", other_sum },
	{ "segment-overlap", segment_overlap },
	{ "segment-twice", segment_twice },
	{ "segment-final", segment_gone },
	{ "segment-final", segment_of_another_size },
	{ "alloc-overlap", alloc_overlap },
	{ "block-missing", block_missing },
	{ "block-size", block_size },
	{ "block-freed", block_freed },
	{ "reserved-missing", reserved_missing },
};

START_TEST(each_check_fires)
{
	for (size_t i = 0; i < sizeof(spoilers) / sizeof(spoilers[0]); i++) {
		for (uint64_t seed = 1; seed < 10; seed += 2) {
			struct snap s;
			struct mlv_run run;
			struct mlv_diags diags;
			record(&s, seed);
			spoilers[i].spoil(&s);
			read_snap(&run, &s);
			check_all(&run, &diags);
			const struct mlv_diag *d = snap_diag(&diags, spoilers[i].code);
			if (!d)
				ck_abort_msg("%s is not found (%zu)", spoilers[i].code, i);
			ck_assert_int_eq(d->severity, MLV_DAMAGE);
			ck_assert_int_ge(d->device, 0);
			mlv_diags_fini(&diags);
			mlv_run_fini(&run);
			snap_fini(&s);
		}
	}
}
END_TEST

START_TEST(two_programs_in_one_file)
{
	/* The trace of one program with the heap of another. */
	unsigned said = 0;
	for (uint64_t seed = 1; seed < 20; seed += 2) {
		struct snap a, b;
		struct mlv_run run;
		struct mlv_diags diags;
		record(&a, seed);
		record(&b, seed + 100);
		snap_events swap = a.traces[0];
		a.traces[0] = b.traces[0];
		b.traces[0] = swap;
		read_snap(&run, &a);
		check_all(&run, &diags);
		said += mlv_diags_have(&diags, MLV_DAMAGE) != 0;
		mlv_diags_fini(&diags);
		mlv_run_fini(&run);
		snap_fini(&a);
		snap_fini(&b);
	}
	ck_assert_uint_eq(said, 10);
}
END_TEST

UNIT_MAIN("consistency", nothing_to_say_of_valid_files, nothing_to_say_of_files_cut_anywhere,
	  each_check_fires, two_programs_in_one_file)
