/* SPDX-License-Identifier: MIT */
/*
 * Real recordings through the model of the allocator: every placement and
 * every segment event is the recorded one, and the counters are PyTorch's own,
 * to the byte. Skipped where the recordings are not beside the checkout.
 */
#include <dirent.h>

#include "recording.h"
#include "replay/sweep.h"

struct recording {
	struct mlv_run run;
	struct mlv_history history;
	struct mlv_recorded recorded;
	struct mlv_alloc_conf conf;
};

static bool load(struct recording *r, const char *dir, const char *file)
{
	struct mlv_buf bytes;
	unit_check(recording_load(dir, file, &bytes));
	enum mlv_rc rc = snap_read(&r->run, &bytes, 0, NULL, NULL);
	mlv_buf_fini(&bytes);
	return !rc;
}

static void replay(struct recording *r, size_t device, uint64_t limit, enum mlv_replay_lead lead)
{
	struct mlv_diags notes = { 0 };
	unit_check(!mlv_history_init(&r->history, &r->run, device, NULL));
	r->conf = mlv_alloc_conf_of(&r->run, &notes);
	unit_check(!notes.list.len);
	struct mlv_replay_options o = { .allowed = limit, .lead = lead };
	unit_check(!mlv_recorded_init(&r->recorded, &r->history, &r->conf, &o, NULL));
}

static void replay_end(struct recording *r)
{
	mlv_recorded_fini(&r->recorded);
	mlv_history_fini(&r->history);
}

static void check_exact(const char *file, const struct mlv_recorded *r)
{
	if (r->different || r->placements_exact != r->placements ||
	    r->segment_events_exact != r->segment_events || r->ooms_exact != r->ooms ||
	    r->final_blocks_exact != r->final_blocks)
		ck_abort_msg("%s: %llu of %llu placements, %llu of %llu segment events, first "
			     "difference at event %u",
			     file, (unsigned long long)r->placements_exact,
			     (unsigned long long)r->placements,
			     (unsigned long long)r->segment_events_exact,
			     (unsigned long long)r->segment_events, r->first.event);
}

/* Under the names of torch.cuda.memory_stats(). */
static void check_stats(const char *file, const struct recording *r, const cJSON *stats)
{
	const struct mlv_alloc_stats *s = &r->recorded.allocator.stats;
	const struct {
		const char *name;
		const struct mlv_alloc_stat *value;
	} counters[] = {
		{ "requested_bytes", &s->requested_bytes },
		{ "allocated_bytes", &s->allocated_bytes },
		{ "active_bytes", &s->active_bytes },
		{ "reserved_bytes", &s->reserved_bytes },
		{ "inactive_split_bytes", &s->inactive_split_bytes },
	};
	for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++) {
		char key[80];
		snprintf(key, sizeof(key), "%s.all.current", counters[i].name);
		recording_counter(file, stats, key, counters[i].value->now);
		snprintf(key, sizeof(key), "%s.all.peak", counters[i].name);
		if (r->history.complete)
			recording_counter(file, stats, key, counters[i].value->peak);
	}
	if (!r->history.complete)
		return;
	recording_counter(file, stats, "num_alloc_retries", s->num_alloc_retries);
	recording_counter(file, stats, "num_ooms", s->num_ooms);
	recording_counter(file, stats, "num_device_alloc", s->num_device_alloc);
	recording_counter(file, stats, "num_device_free", s->num_device_free);
}

static void check_file(const char *dir, const char *file)
{
	struct recording r;
	if (!load(&r, dir, file))
		return;
	cJSON *stats = recording_stats(dir, file);
	for (size_t i = 0; i < r.run.devices.len; i++) {
		replay(&r, i, 0, MLV_REPLAY_RECORDED);
		check_exact(file, &r.recorded);
		if (stats && r.run.devices.data[i].ordinal == 0 && strncmp(file, "never-", 6))
			check_stats(file, &r, stats);
		replay_end(&r);
	}
	cJSON_Delete(stats);
	mlv_run_fini(&r.run);
}

static unsigned check_folder(const char *variable, const char *name)
{
	char path[4096];
	unsigned n = 0;
	if (!recording_folder(variable))
		return 0;
	snprintf(path, sizeof(path), "%s/%s", recording_folder(variable), name);
	DIR *d = opendir(path);
	ck_assert_ptr_nonnull(d);
	for (struct dirent *e; (e = readdir(d));) {
		/* The largest one is for measurements; one of the public ones was made up. */
		bool is_snapshot = recording_has_suffix(e->d_name, ".pickle.zst");
		if (is_snapshot && strncmp(e->d_name, "big400.", 7) &&
		    strncmp(e->d_name, "synthetic-odd-keys.", 19)) {
			check_file(path, e->d_name);
			n++;
		}
	}
	closedir(d);
	return n;
}

START_TEST(recordings_are_exact)
{
	if (!recording_folder("CORPUS"))
		return;
	ck_assert_uint_ge(check_folder("CORPUS", "snapshots"), 40);
	ck_assert_uint_ge(check_folder("CORPUS", "memory-reports"), 6);
	ck_assert_uint_ge(check_folder("CORPUS", "run-base"), 4);
	ck_assert_uint_ge(check_folder("CORPUS", "run-regressed"), 4);
}
END_TEST

START_TEST(public_recordings_are_exact)
{
	if (recording_folder("PUBLIC"))
		ck_assert_uint_ge(check_folder("PUBLIC", "snapshots"), 13);
}
END_TEST

#define GIB(x) ((uint64_t)((x)*1073741824.0))

/* Streams that were recorded several times under other settings and limits. */
struct member {
	const char *name;
	uint64_t limit;
};

enum { FAMILY = 4 };

static const struct member families[][FAMILY] = {
	{ { "churn-native", 0 },
	  { "churn-expandable", 0 },
	  { "churn-roundup-list", 0 },
	  { "churn-split64", 0 } },
	{ { "varlen-native", GIB(6) },
	  { "varlen-expandable", GIB(6) },
	  { "varlen-roundup4", GIB(6) } },
	{ { "churn-cap-native", GIB(3) },
	  { "churn-cap-expandable", GIB(3) },
	  { "churn-cap-gc05", GIB(3) } },
	{ { "oom-3.6-native", GIB(3.6) },
	  { "oom-3.6-expandable", GIB(3.6) },
	  { "oom-3.7-native", GIB(3.7) },
	  { "oom-3.7-expandable", GIB(3.7) } },
};

static void check_prediction(const struct recording *from, const struct recording *to,
			     const struct member *a, const struct member *b)
{
	struct mlv_whatif w;
	struct mlv_whatif_setup setup = { .conf = to->conf,
					  .limit = b->limit,
					  .profile = MLV_DRIVER_CHUNKS };
	unit_check(!mlv_whatif_init(&w, &from->recorded, &setup, NULL));
	const struct mlv_alloc_stats *x = &w.allocator.stats, *y = &to->recorded.allocator.stats;
	bool to_end = w.allocs >= to->recorded.placements;
	/* A stream that ended with an error says nothing of what came later. */
	ck_assert(to_end || w.survived_recorded);
	if (to_end && (x->reserved_bytes.peak != y->reserved_bytes.peak ||
		       x->reserved_bytes.now != y->reserved_bytes.now ||
		       x->num_alloc_retries != y->num_alloc_retries || x->num_ooms != y->num_ooms ||
		       x->num_device_alloc != y->num_device_alloc))
		ck_abort_msg("%s says reserved %llu of %s", a->name,
			     (unsigned long long)x->reserved_bytes.peak, b->name);
	if (to_end && to->recorded.ooms)
		ck_assert_int_eq(w.oom_at_alloc, (int64_t)to->recorded.placements);
	else
		ck_assert_int_eq(w.oom_at_alloc, -1);
	mlv_whatif_fini(&w);
}

START_TEST(families_predict_each_other)
{
	char dir[4096];
	if (!recording_folder("CORPUS"))
		return;
	snprintf(dir, sizeof(dir), "%s/snapshots", recording_folder("CORPUS"));
	for (size_t f = 0; f < sizeof(families) / sizeof(families[0]); f++) {
		static struct recording r[FAMILY];
		size_t n = 0;
		for (; n < FAMILY && families[f][n].name; n++) {
			char file[100];
			snprintf(file, sizeof(file), "%s.pickle.zst", families[f][n].name);
			unit_check(load(&r[n], dir, file));
			/* Under the limit the model decides all by itself. */
			replay(&r[n], 0, families[f][n].limit, MLV_REPLAY_PREDICT);
			check_exact(file, &r[n].recorded);
		}
		for (size_t i = 0; i < n; i++) {
			for (size_t k = 0; k < n; k++)
				check_prediction(&r[i], &r[k], &families[f][i], &families[f][k]);
		}
		while (n--) {
			replay_end(&r[n]);
			mlv_run_fini(&r[n].run);
		}
	}
}
END_TEST

/* The smallest device: on it the program fits, on the next smaller one it does not. */
START_TEST(smallest_devices)
{
	static const char *const names[] = { "varlen-native", "churn-expandable", "train-adamw" };
	const uint64_t step = 16 * MLV_MIB;
	char dir[4096];
	if (!recording_folder("CORPUS"))
		return;
	snprintf(dir, sizeof(dir), "%s/snapshots", recording_folder("CORPUS"));
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		static struct recording r;
		struct mlv_whatif w;
		struct mlv_fit fit;
		char file[100];
		snprintf(file, sizeof(file), "%s.pickle.zst", names[i]);
		unit_check(load(&r, dir, file));
		replay(&r, 0, 0, MLV_REPLAY_RECORDED);
		struct mlv_whatif_setup s = { .conf = r.conf, .profile = MLV_DRIVER_CHUNKS };
		unit_check(!mlv_fit(&fit, &r.recorded, &s, step, NULL));
		unit_check(fit.capacity >= r.recorded.allocator.stats.active_bytes.peak);
		unit_check(fit.capacity <= r.recorded.allocator.stats.reserved_bytes.peak + step);
		s.capacity = fit.capacity;
		unit_check(!mlv_whatif_init(&w, &r.recorded, &s, NULL));
		ck_assert_int_eq(w.oom_at_alloc, -1);
		mlv_whatif_fini(&w);
		s.capacity -= step;
		unit_check(!mlv_whatif_init(&w, &r.recorded, &s, NULL));
		unit_check(w.oom_at_alloc >= 0 || fit.smaller_fits);
		mlv_whatif_fini(&w);
		replay_end(&r);
		mlv_run_fini(&r.run);
	}
}
END_TEST

RECORDING_MAIN("replay", recordings_are_exact, public_recordings_are_exact,
	       families_predict_each_other, smallest_devices)
