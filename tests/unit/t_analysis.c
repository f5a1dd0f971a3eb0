/* SPDX-License-Identifier: MIT */
/* Small traces, and what the analyses must say of each. */
#include "unit.h"

#include <string.h>

#include "analysis/consistency.h"
#include "analysis/history.h"
#include "snapshot_writer.h"

static struct snap snap;
static struct mlv_run run;
static struct mlv_history history;
static struct mlv_diags checks;

static const char *const actions[128] = {
	['a'] = "alloc",         ['r'] = "free_requested", ['c'] = "free_completed",
	['s'] = "segment_alloc", ['f'] = "segment_free",   ['o'] = "oom",
};

/*
 * Words such as `a100:64` (alloc of 64 bytes at 100) are events; `S0:200` is
 * a segment of the final heap, and `B100:64` a block in use in it.
 */
static void describe(int device, const char *words)
{
	for (const char *p = words; *p;) {
		char kind = *p, *end;
		uint64_t addr = strtoull(p + 1, &end, 10);
		uint64_t size = strtoull(end + 1, &end, 10);
		p = end + (*end == ' ');
		if (kind == 'S') {
			struct snap_segment seg = { .device = device,
						    .addr = addr,
						    .size = size,
						    .stack = -1,
						    .first_block = snap.blocks.len };
			unit_check(mlv_vec_push(&snap.segments, seg));
		} else if (kind == 'B') {
			struct snap_segment *seg = &snap.segments.data[snap.segments.len - 1];
			struct snap_block b = { addr, size, size, "active_allocated", -1 };
			unit_check(mlv_vec_push(&snap.blocks, b));
			seg->blocks++;
			seg->allocated += size;
		} else {
			snap_event(&snap, device, snap_plain(actions[(int)kind], addr, size));
		}
	}
	if (device >= snap.devices)
		snap.devices = device + 1;
}

static void read_all(void)
{
	struct mlv_buf bytes = { 0 };
	snap_write(&snap, (struct snap_style){ .form = SNAP_P4 }, &bytes);
	unit_check(!snap_read(&run, &bytes, 0, NULL, NULL));
	mlv_buf_fini(&bytes);
}

static void analyse(const char *words)
{
	describe(0, words);
	read_all();
	unit_check(!mlv_history_init(&history, &run, 0, NULL));
	unit_check(!mlv_check_device(&history, 0, &checks, NULL));
}

static void done(void)
{
	mlv_diags_fini(&checks);
	memset(&checks, 0, sizeof(checks));
	mlv_history_fini(&history);
	mlv_run_fini(&run);
	snap_fini(&snap);
	memset(&snap, 0, sizeof(snap));
}

START_TEST(what_was_given_back_was_reserved_before)
{
	/* The final segments alone would say that 20 were reserved at first, of which 100 went. */
	analyse("f500:100 s900:30 S900:30 S1900:20");
	ck_assert_uint_eq(history.reserved.start, 120);
	ck_assert_uint_eq(history.reserved_missing, 0);
	done();
	analyse("f500:100 s900:30 s1000:50 S900:30");
	ck_assert_uint_eq(history.reserved.start, 100);
	ck_assert_uint_eq(history.reserved.peak, 100);
	ck_assert_uint_eq(history.reserved.end, 80);
	ck_assert_uint_eq(history.reserved_missing, 50);
	ck_assert(!history.complete);
	ck_assert(snap_diag(&checks, "reserved-missing"));
	done();
}
END_TEST

START_TEST(segments_that_the_file_does_not_list)
{
	analyse("s0:100 s200:30 f200:30");
	ck_assert_uint_eq(history.reserved_missing, 100);
	ck_assert_uint_eq(history.reserved.end, 100);
	const struct mlv_diag *d = snap_diag(&checks, "reserved-missing");
	ck_assert_ptr_nonnull(d);
	ck_assert_ptr_nonnull(strstr(d->text, "lists no segments"));
	done();
	analyse("s0:100 f0:100");
	ck_assert(!snap_diag(&checks, "reserved-missing"));
	done();
}
END_TEST

START_TEST(blocks_that_the_trace_freed)
{
	analyse("s0:100 a10:5 r10:5 c10:5 S0:100 B10:5 B20:5");
	ck_assert_uint_eq(history.freed_blocks, 1);
	ck_assert(snap_diag(&checks, "block-freed"));
	done();
	/* Twice freed is one block; an orphan's free counts as one; what is allocated again is
	 * there. */
	analyse("s0:100 a10:5 c10:5 a10:5 c10:5 c20:5 c30:5 a30:5 S0:100 B10:5 B20:5 B30:5");
	ck_assert_uint_eq(history.freed_blocks, 2);
	done();
	/* Without allocations a trace says nothing of what came after a free. */
	analyse("c10:5 S0:100 B10:5");
	ck_assert_uint_eq(history.freed_blocks, 0);
	done();
}
END_TEST

START_TEST(overlaps_leave_a_history_incomplete)
{
	analyse("s0:100 a0:10 a0:20 c0:20 S0:100");
	ck_assert_uint_eq(history.overlaps, 1);
	ck_assert(!history.complete);
	done();
	analyse("s0:100 a0:10 c0:10 a0:20 c0:20 S0:100");
	ck_assert(history.complete);
	done();
}
END_TEST

START_TEST(each_device_has_its_own_findings)
{
	describe(0, "s0:100 S0:100 S50:100 B50:100");
	describe(1, "s0:100 S0:100 S50:100 B50:100");
	read_all();
	for (size_t i = 0; i < 2; i++) {
		struct mlv_history h;
		unit_check(!mlv_history_init(&h, &run, i, NULL));
		unit_check(!mlv_check_device(&h, i, &checks, NULL));
		mlv_history_fini(&h);
	}
	int64_t sum = 0;
	for (size_t i = 0; i < checks.list.len; i++) {
		const struct mlv_diag *d = &checks.list.data[i];
		sum += d->device;
		ck_assert_uint_eq(d->count, 1);
		ck_assert_ptr_null(strstr(d->text, "device"));
	}
	ck_assert_uint_eq(checks.list.len, 4); /* segment-overlap and segment-blocks of each */
	ck_assert_int_eq(sum, 2);
	done();
}
END_TEST

UNIT_MAIN("analysis", blocks_that_the_trace_freed, overlaps_leave_a_history_incomplete,
	  each_device_has_its_own_findings, what_was_given_back_was_reserved_before,
	  segments_that_the_file_does_not_list)
