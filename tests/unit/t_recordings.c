/* SPDX-License-Identifier: MIT */
/*
 * Real recordings against what PyTorch itself counted: the peaks and the last
 * values of requested and reserved memory agree to the byte. Skipped where the
 * recordings are not beside the checkout (CORPUS and PUBLIC name their folders).
 */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "analysis/consistency.h"
#include "analysis/stacking.h"
#include "recording.h"

/* Whether the name without its suffix is one of these. */
static bool is_one_of(const char *name, const char *const *names)
{
	for (; *names; names++) {
		size_t n = strlen(*names);
		if (!strncmp(name, *names, n) && name[n] == '.')
			return true;
	}
	return false;
}

static void check_history(const char *file, const struct mlv_history *h, const cJSON *stats)
{
	static const char *const partial[] = { "compile", "late-start", "ring-2000",
					       "never-recorded", NULL };
	if (h->complete == is_one_of(file, partial))
		ck_abort_msg("%s: complete is %d", file, h->complete);
	if (!strncmp(file, "ring-2000.", 10))
		ck_assert_uint_eq(h->orphan_frees, 91);
	else
		ck_assert_uint_eq(h->orphan_frees, 0);
	ck_assert((h->unseen_blocks > 0) == is_one_of(file, partial));
	recording_counter(file, stats, "requested_bytes.all.current", h->requested.end);
	recording_counter(file, stats, "reserved_bytes.all.current", h->reserved.end);
	if (is_one_of(file, partial))
		return;
	recording_counter(file, stats, "requested_bytes.all.peak", h->requested.peak);
	recording_counter(file, stats, "reserved_bytes.all.peak", h->reserved.peak);
	ck_assert_uint_eq(h->requested.start, 0);
	ck_assert_uint_eq(h->reserved.start, 0);
}

static void no_complaint(const char *file, const struct mlv_diags *diags)
{
	if (diags->list.len)
		ck_abort_msg("%s: %s", file, diags->list.data[0].text);
}

static void check_recording(const char *dir, const char *file)
{
	struct mlv_buf bytes;
	struct mlv_run run;
	struct mlv_diags diags = { 0 };
	unit_check(recording_load(dir, file, &bytes));
	if (snap_read(&run, &bytes, 0, NULL, NULL))
		ck_abort_msg("%s is not read", file);
	mlv_buf_fini(&bytes);
	no_complaint(file, &run.diags);
	cJSON *stats = recording_stats(dir, file);
	for (size_t i = 0; i < run.devices.len; i++) {
		const struct mlv_device *d = &run.devices.data[i];
		struct mlv_history h;
		uint64_t reserved = 0;
		unit_check(!mlv_history_init(&h, &run, i, NULL));
		unit_check(!mlv_check_device(&h, i, &diags, NULL));
		for (size_t k = 0; k < d->segments; k++)
			reserved += run.segments.data[d->first_segment + k].bytes;
		unit_check(h.reserved.end == reserved);
		if (stats && d->ordinal == 0)
			check_history(file, &h, stats);
		mlv_history_fini(&h);
	}
	ck_assert_int_eq(run.devices.len == 0, !strncmp(file, "empty.", 6));
	no_complaint(file, &diags);
	mlv_diags_fini(&diags);
	cJSON_Delete(stats);
	mlv_run_fini(&run);
}

START_TEST(every_recording_agrees_with_pytorch)
{
	char dir[4096];
	unsigned n = 0;
	if (!recording_folder("CORPUS"))
		return;
	snprintf(dir, sizeof(dir), "%s/snapshots", recording_folder("CORPUS"));
	DIR *d = opendir(dir);
	ck_assert_ptr_nonnull(d);
	for (struct dirent *e; (e = readdir(d));) {
		/* The largest one is for the measurements of speed. */
		if (recording_has_suffix(e->d_name, ".pickle.zst") &&
		    strncmp(e->d_name, "big400.", 7)) {
			check_recording(dir, e->d_name);
			n++;
		}
	}
	closedir(d);
	ck_assert_uint_ge(n, 35);
}
END_TEST

START_TEST(both_writers_of_one_run)
{
	char dir[4096];
	struct mlv_buf a, b;
	struct mlv_run python, cpp;
	if (!recording_folder("CORPUS"))
		return;
	snprintf(dir, sizeof(dir), "%s/snapshots", recording_folder("CORPUS"));
	unit_check(recording_load(dir, "cpp-pickle.pickle.zst", &a));
	unit_check(recording_load(dir, "cpp-pickle.cpp.pickle.zst", &b));
	unit_check(!snap_read(&python, &a, 0, NULL, NULL) && !snap_read(&cpp, &b, 0, NULL, NULL));
	mlv_buf_fini(&a);
	mlv_buf_fini(&b);
	/* The second of the two dumps sees the mark that the first one left. */
	ck_assert_uint_eq(python.mem_events.len, cpp.mem_events.len + 1);
	ck_assert_int_eq(python.mem_events.data[cpp.mem_events.len].action, MLV_MEM_SNAPSHOT);
	for (size_t i = 0; i < cpp.mem_events.len; i++) {
		const struct mlv_mem_event *x = &python.mem_events.data[i];
		const struct mlv_mem_event *y = &cpp.mem_events.data[i];
		unit_check(x->action == y->action && x->addr == y->addr && x->bytes == y->bytes &&
			   x->time_ns == y->time_ns);
	}
	ck_assert_uint_eq(python.segments.len, cpp.segments.len);
	ck_assert_uint_eq(python.blocks.len, cpp.blocks.len);
	mlv_run_fini(&python);
	mlv_run_fini(&cpp);
}
END_TEST

/* The whole way: parser, histories, checks, a small layout. */
static void whole_way(const struct mlv_run *run)
{
	struct mlv_sites sites;
	struct mlv_diags diags = { 0 };
	unit_check(!mlv_sites_init(&sites, run, NULL, 0, NULL));
	for (size_t i = 0; i < run->devices.len; i++) {
		struct mlv_history h;
		struct mlv_classes c;
		struct mlv_stacking s;
		unit_check(!mlv_history_init(&h, run, i, NULL));
		unit_check(!mlv_check_device(&h, i, &diags, NULL));
		unit_check(!mlv_classes_init(&c, MLV_BY_SITE, &h, &sites, NULL));
		struct mlv_view v = { .last = h.count ? (uint32_t)h.count - 1 : 0,
				      .columns = 60,
				      .rows = 40,
				      .top_bytes = h.reserved.peak };
		unit_check(!mlv_stacking_init(&s, &c, &v, NULL));
		mlv_stacking_fini(&s);
		mlv_classes_fini(&c);
		mlv_history_fini(&h);
	}
	mlv_diags_fini(&diags);
	mlv_sites_fini(&sites);
}

START_TEST(random_truncations)
{
	char dir[4096];
	struct mlv_buf bytes;
	struct mlv_run run;
	struct mlv_history whole;
	uint64_t state = 7;
	if (!recording_folder("CORPUS"))
		return;
	snprintf(dir, sizeof(dir), "%s/snapshots", recording_folder("CORPUS"));
	unit_check(recording_load(dir, "train-adamw.pickle.zst", &bytes));
	struct mlv_run all;
	unit_check(!snap_read(&all, &bytes, 0, NULL, NULL));
	unit_check(!mlv_history_init(&whole, &all, 0, NULL));
	for (int i = 0; i < 200; i++) {
		/* Of its exact size, so that a sanitizer sees a step beyond it. */
		size_t cut = unit_random(&state) % bytes.len;
		struct mlv_buf part = { 0 };
		mlv_buf_add(&part, bytes.data, cut);
		if (snap_read(&run, &part, i % 2 ? 4096 : 0, NULL, NULL)) {
			unit_check(cut < 1000);
			mlv_buf_fini(&part);
			continue;
		}
		unit_check(run.diags.list.len == 1 && snap_diag(&run.diags, "input-truncated"));
		whole_way(&run);
		/* What is there of the trace is as it was. */
		unit_check(run.mem_events.len <= all.mem_events.len);
		for (size_t k = 0; k < run.mem_events.len; k++)
			unit_check(run.mem_events.data[k].addr == all.mem_events.data[k].addr &&
				   run.mem_events.data[k].bytes == all.mem_events.data[k].bytes);
		if (run.mem_events.len) {
			struct mlv_history h;
			unit_check(!mlv_history_init(&h, &run, 0, NULL));
			unit_check(h.requested.peak <= whole.requested.peak);
			unit_check(h.requested.start == 0 && h.orphan_frees == 0);
			mlv_history_fini(&h);
		}
		mlv_run_fini(&run);
		mlv_buf_fini(&part);
	}
	mlv_history_fini(&whole);
	mlv_run_fini(&all);
	mlv_buf_fini(&bytes);
}
END_TEST

START_TEST(files_of_others)
{
	static const char *const none[] = { "not-a-snapshot", NULL };
	char dir[4096];
	if (!recording_folder("PUBLIC"))
		return;
	snprintf(dir, sizeof(dir), "%s/snapshots", recording_folder("PUBLIC"));
	DIR *d = opendir(dir);
	ck_assert_ptr_nonnull(d);
	for (struct dirent *e; (e = readdir(d));) {
		struct mlv_buf bytes;
		struct mlv_run run;
		struct mlv_err err = MLV_ERR_INIT;
		if (!recording_has_suffix(e->d_name, ".zst"))
			continue;
		unit_check(recording_load(dir, e->d_name, &bytes));
		enum mlv_rc rc = snap_read(&run, &bytes, 0, NULL, &err);
		mlv_buf_fini(&bytes);
		if (is_one_of(e->d_name, none)) {
			ck_assert_int_eq(rc, MLV_E_FORMAT);
			continue;
		}
		if (rc)
			ck_abort_msg("%s: %s", e->d_name, err.msg);
		no_complaint(e->d_name, &run.diags);
		ck_assert(run.mem_events.len || run.segments.len);
		whole_way(&run);
		mlv_run_fini(&run);
	}
	closedir(d);
}
END_TEST

RECORDING_MAIN("recordings", every_recording_agrees_with_pytorch, both_writers_of_one_run,
	       random_truncations, files_of_others)
