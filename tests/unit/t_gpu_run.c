/* SPDX-License-Identifier: MIT */
/*
 * Recordings driven through a GPU: the device takes what the recording or the
 * model says, runs out of memory where that was predicted, finds blocks that
 * overlap and no others.
 */
#include "gpu_recording.h"

static const struct {
	const char *name;
	size_t devices;
} samples[] = {
	{ "train-adamw.pickle.zst", 1 }, { "leak-graph.pickle.zst", 1 },
	{ "ring-2000.pickle.zst", 1 },   { "annotations.pickle.zst", 1 },
	{ "multi-gpu.pickle.zst", 4 },   { "oom-3.6-native.pickle.zst", 1 },
};

enum { SAMPLES = sizeof(samples) / sizeof(samples[0]) };

/* ---- recorded ---- */

static void check_recorded(const struct gpu_recording *r)
{
	struct mlv_gpu_run g;
	struct mlv_gpu_run_setup setup = { .scale = 1 };
	struct fake_gpu fake = fake_gpu_hold("capacity=140G");
	gpu_run_init(&g, r, &setup);
	unit_check(!g.space.unknown);
	ck_assert_uint_eq(g.taken_peak, r->history.reserved.peak);
	ck_assert_uint_eq(g.reserved_peak, r->history.reserved.peak);
	ck_assert_uint_eq(g.meter.used_peak, r->history.reserved.peak);
	ck_assert_uint_eq(fake_gpu_figures(&fake).taken_peak, r->history.reserved.peak);
	unit_check(!g.meter.overhead_most && !g.meter.overhead_least && !g.meter.foreign_changes);
	const uint64_t *count = r->history.action_count;
	ck_assert_uint_eq(g.takes, count[MLV_MEM_SEGMENT_ALLOC] + count[MLV_MEM_SEGMENT_MAP] +
					   r->recorded.origin.segments.len);
	ck_assert_uint_eq(g.gives, count[MLV_MEM_SEGMENT_FREE] + count[MLV_MEM_SEGMENT_UNMAP]);
	ck_assert_uint_eq(g.allocs, count[MLV_MEM_ALLOC]);
	unit_check(g.measured.alloc == -1);
	gpu_run_fini(&g);
	fake_gpu_let_go(&fake);
}

START_TEST(samples_as_recorded)
{
	struct gpu_recording r;
	for (size_t i = 0; i < SAMPLES; i++) {
		for (size_t device = 0; device < samples[i].devices; device++) {
			gpu_recording_sample(&r, samples[i].name, device);
			check_recorded(&r);
			gpu_recording_fini(&r);
		}
	}
}
END_TEST

START_TEST(programs_as_recorded)
{
	struct gpu_recording r;
	for (uint64_t seed = 1; seed <= 60; seed++) {
		gpu_recording_program(&r, seed, seed % 2, seed % 3 ? 0 : seed);
		check_recorded(&r);
		gpu_recording_fini(&r);
	}
}
END_TEST

/* ---- verified ---- */

/* Every block of the recording is found on the device, and holds what was written into it. */
static void check_verified(const struct gpu_recording *r, struct mlv_gpu_run_setup setup,
			   const char *options)
{
	struct mlv_gpu_run g;
	struct fake_gpu fake = fake_gpu_hold(options);
	setup.verify = true;
	gpu_run_init(&g, r, &setup);
	unit_check(!g.verify.errors && !g.meter.foreign_changes);
	ck_assert_uint_eq(g.verify.blocks, r->history.alloc_count);
	gpu_run_fini(&g);
	fake_gpu_let_go(&fake);
}

START_TEST(samples_verified)
{
	struct gpu_recording r;
	for (size_t i = 0; i < SAMPLES; i += 2) {
		gpu_recording_sample(&r, samples[i].name, 0);
		check_verified(&r, (struct mlv_gpu_run_setup){ .scale = 64 }, "");
		check_verified(&r, (struct mlv_gpu_run_setup){ .scale = 50 }, "modules=no");
		check_verified(&r, (struct mlv_gpu_run_setup){ .scale = 64, .mode = MLV_GPU_RAW },
			       "");
		gpu_recording_fini(&r);
	}
}
END_TEST

START_TEST(programs_verified)
{
	struct gpu_recording r;
	for (uint64_t seed = 1; seed <= 9; seed++) {
		struct mlv_gpu_run_setup setup = { .scale = 40 + (uint32_t)(seed * 7 % 25),
						   .conf = mlv_alloc_conf_default };
		setup.conf.expandable = seed % 4 < 2;
		gpu_recording_program(&r, seed, seed % 2, seed % 5 ? 0 : 40);
		check_verified(&r, setup, "granularity=64K");
		setup.mode = MLV_GPU_RAW;
		check_verified(&r, setup, "modules=no");
		setup.mode = MLV_GPU_WHATIF;
		check_verified(&r, setup, "");
		gpu_recording_fini(&r);
	}
}
END_TEST

/* Whatever is wrong with the memory of a device is seen in each mode. */
static void check_errors(const struct gpu_recording *r, enum mlv_gpu_mode mode, const char *options)
{
	struct mlv_gpu_run g;
	struct mlv_gpu_run_setup setup = {
		.scale = 64, .verify = true, .mode = mode, .conf = mlv_alloc_conf_default
	};
	setup.conf.expandable = strstr(options, "expandable");
	struct fake_gpu fake = fake_gpu_hold(*options == '-' ? strchr(options, ' ') + 1 : options);
	gpu_run_init(&g, r, &setup);
	if (!g.verify.errors)
		ck_abort_msg("%s: nothing found in mode %s", options, mlv_gpu_mode_name(mode));
	gpu_run_fini(&g);
	fake_gpu_let_go(&fake);
}

START_TEST(errors_are_found)
{
	struct gpu_recording r;
	gpu_recording_sample(&r, "train-adamw.pickle.zst", 0);
	check_errors(&r, MLV_GPU_RECORDED, "damage=1");
	check_errors(&r, MLV_GPU_RECORDED, "damage=777");
	check_errors(&r, MLV_GPU_RECORDED, "damage=777 modules=no");
	check_errors(&r, MLV_GPU_WHATIF, "damage=777");
	check_errors(&r, MLV_GPU_RAW, "damage=777");
	check_errors(&r, MLV_GPU_RECORDED, "alias=5");
	check_errors(&r, MLV_GPU_RECORDED, "alias=5 modules=no");
	check_errors(&r, MLV_GPU_WHATIF, "alias=5");
	check_errors(&r, MLV_GPU_WHATIF, "-expandable alias=8");
	check_errors(&r, MLV_GPU_RAW, "alias=5");
	gpu_recording_fini(&r);
}
END_TEST

/* ---- what-if ---- */

static const char *const settings[] = { "", "expandable_segments:True", "max_split_size_mb:64",
					"roundup_power2_divisions:4" };

static struct mlv_alloc_conf settings_of(size_t i)
{
	struct mlv_alloc_conf conf = mlv_alloc_conf_default;
	struct mlv_str text = { settings[i], strlen(settings[i]) };
	struct mlv_diags notes = { 0 };
	unit_check(!mlv_alloc_conf_parse(&conf, text, &notes, NULL));
	return conf;
}

/* The model alone, on its own model of a driver, and the model on the device. */
static bool same(const struct mlv_whatif *a, const struct mlv_whatif *b)
{
	const struct mlv_alloc_stats *x = &a->allocator.stats, *y = &b->allocator.stats;
	return a->allocs == b->allocs && a->oom_at_alloc == b->oom_at_alloc &&
	       a->oom_event == b->oom_event && a->oom_bytes == b->oom_bytes &&
	       x->reserved_bytes.now == y->reserved_bytes.now &&
	       x->reserved_bytes.peak == y->reserved_bytes.peak &&
	       x->allocated_bytes.peak == y->allocated_bytes.peak &&
	       x->inactive_split_bytes.peak == y->inactive_split_bytes.peak &&
	       x->num_alloc_retries == y->num_alloc_retries && x->num_ooms == y->num_ooms &&
	       x->num_device_alloc == y->num_device_alloc &&
	       x->num_device_free == y->num_device_free;
}

/* `capacity` 0: as much as is wanted. */
static void check_whatif(const struct gpu_recording *r, size_t conf, uint64_t capacity,
			 enum mlv_driver_profile profile, bool *failed, bool *retried)
{
	static const char *const policies[] = { "chunks", "ascending", "descending" };
	char options[80];
	struct mlv_gpu_run g;
	struct mlv_gpu_run_setup setup = { .mode = MLV_GPU_WHATIF,
					   .scale = 1,
					   .conf = settings_of(conf),
					   .profile = profile,
					   .remaining = capacity };
	struct mlv_whatif alone;
	struct mlv_whatif_setup model = { .conf = setup.conf,
					  .profile = profile,
					  .capacity = capacity };
	snprintf(options, sizeof(options), "capacity=140G policy=%s", policies[profile]);
	struct fake_gpu fake = fake_gpu_hold(options);
	gpu_run_init(&g, r, &setup);
	unit_check(!mlv_whatif_init(&alone, &r->recorded, &model, NULL));
	unit_check(g.has_whatif && !g.whatif.lost);
	unit_check(same(&g.whatif, &alone));
	unit_check(!g.space.unknown && g.allocs == alone.allocs);
	/* In memory, in calls, in addresses. */
	ck_assert_uint_eq(g.taken_peak, alone.allocator.stats.reserved_bytes.peak);
	ck_assert_uint_eq(g.meter.used_peak, g.taken_peak);
	ck_assert_uint_eq(g.takes, alone.allocator.stats.num_device_alloc);
	ck_assert_uint_eq(g.gives, alone.allocator.stats.num_device_free);
	ck_assert_uint_eq(g.follow.share.explained, g.follow.share.allocs);
	unit_check(setup.conf.expandable || g.follow.share.allocs + 1 >= g.takes);
	ck_assert_int_eq(g.expected.alloc, alone.oom_at_alloc);
	ck_assert_int_eq(g.measured.alloc, alone.oom_at_alloc);
	unit_check(g.measured.alloc < 0 ||
		   (g.measured.event == alone.oom_event && g.measured.bytes == alone.oom_bytes));
	*failed = alone.oom_at_alloc >= 0;
	*retried = alone.allocator.stats.num_alloc_retries > 0;
	mlv_whatif_fini(&alone);
	gpu_run_fini(&g);
	fake_gpu_let_go(&fake);
}

/* With as much memory as is wanted, and under ballast with a part of that. */
static void check_whatifs(const struct gpu_recording *r, uint64_t *seed, unsigned *failed,
			  unsigned *retried)
{
	for (size_t conf = 0; conf < sizeof(settings) / sizeof(settings[0]); conf++) {
		enum mlv_driver_profile profile =
			(enum mlv_driver_profile)(unit_random(seed) % MLV_DRIVER_PROFILES);
		uint64_t peak = r->history.reserved.peak / MLV_MIB / 2;
		uint64_t part = (peak / 2 + unit_random(seed) % (peak + 1) / 2 + 1) * 2 * MLV_MIB;
		bool fails = false, retries = false;
		check_whatif(r, conf, 0, profile, &fails, &retries);
		unit_check(!fails && !retries);
		check_whatif(r, conf, part, profile, &fails, &retries);
		*failed += fails;
		*retried += retries;
	}
}

START_TEST(samples_what_if)
{
	struct gpu_recording r;
	uint64_t seed = 9;
	unsigned failed = 0, retried = 0;
	for (size_t i = 0; i < SAMPLES; i++) {
		gpu_recording_sample(&r, samples[i].name, 0);
		/* Older segments lie elsewhere on the device than in the recording. */
		if (!r.recorded.origin.segments.len)
			check_whatifs(&r, &seed, &failed, &retried);
		gpu_recording_fini(&r);
	}
	ck_assert_uint_gt(failed, 2);
	ck_assert_uint_gt(retried, 2);
}
END_TEST

START_TEST(programs_what_if)
{
	struct gpu_recording r;
	uint64_t state = 10;
	unsigned failed = 0, retried = 0;
	for (uint64_t seed = 100; seed < 125; seed++) {
		gpu_recording_program(&r, seed, seed % 2, 0);
		check_whatifs(&r, &state, &failed, &retried);
		gpu_recording_fini(&r);
	}
	ck_assert_uint_gt(failed, 10);
	ck_assert_uint_gt(retried, 10);
}
END_TEST

/* From a recording that begins with segments in use; no model knows their places on the device. */
START_TEST(what_if_from_the_middle)
{
	struct gpu_recording r;
	for (uint64_t seed = 1; seed <= 40; seed++) {
		gpu_recording_program(&r, seed, seed % 2, 30 + seed);
		for (size_t conf = 0; conf < sizeof(settings) / sizeof(settings[0]); conf++) {
			struct mlv_gpu_run g;
			struct mlv_gpu_run_setup setup = { .mode = MLV_GPU_WHATIF,
							   .scale = 1,
							   .conf = settings_of(conf) };
			struct fake_gpu fake = fake_gpu_hold("capacity=140G");
			gpu_run_init(&g, &r, &setup);
			unit_check(!g.space.unknown);
			unit_check(g.expected.alloc < 0 && g.measured.alloc < 0);
			ck_assert_uint_eq(g.taken_peak,
					  g.whatif.allocator.stats.reserved_bytes.peak);
			ck_assert_uint_eq(g.meter.used_peak, g.taken_peak);
			gpu_run_fini(&g);
			fake_gpu_let_go(&fake);
		}
		gpu_recording_fini(&r);
	}
}
END_TEST

/* ---- out of memory ---- */

/* The recording that failed under a limit, on a device as small as that. */
START_TEST(out_of_memory_as_recorded)
{
	struct gpu_recording r;
	struct mlv_gpu_run g;
	struct mlv_gpu_run_setup setup = { .scale = 1, .remaining = (uint64_t)(3.6 * 1073741824) };
	struct fake_gpu fake = fake_gpu_hold("capacity=140G context=497M");
	gpu_recording_sample(&r, "oom-3.6-native.pickle.zst", 0);
	gpu_run_init(&g, &r, &setup);
	unit_check(g.expected.alloc >= 0);
	ck_assert_int_eq(g.measured.alloc, g.expected.alloc);
	ck_assert_uint_eq(g.measured.event, g.expected.event);
	ck_assert_uint_eq(g.measured.bytes, g.expected.bytes);
	gpu_run_fini(&g);
	/* On a large one nothing fails. */
	setup.remaining = 0;
	gpu_run_init(&g, &r, &setup);
	unit_check(g.expected.alloc >= 0 && g.measured.alloc < 0);
	gpu_run_fini(&g);
	fake_gpu_let_go(&fake);
	gpu_recording_fini(&r);
}
END_TEST

/* --verify takes memory of its own: not out of what is to remain. */
START_TEST(ballast_and_verify)
{
	struct gpu_recording r;
	uint64_t peak = 0;
	gpu_recording_program(&r, 3, false, 0);
	for (int small = -1; small < 2; small++) {
		struct mlv_gpu_run g;
		struct mlv_gpu_run_setup setup = { .scale = 64, .verify = small >= 0 };
		struct fake_gpu fake = fake_gpu_hold("lazy=24M step=64K granularity=64K");
		if (small >= 0)
			setup.remaining = peak - (uint64_t)small * 65536;
		gpu_run_init(&g, &r, &setup);
		if (small < 0) {
			peak = g.meter.used_peak;
			gpu_run_fini(&g);
			fake_gpu_let_go(&fake);
			continue;
		}
		unit_check((g.measured.alloc >= 0) == small);
		ck_assert_uint_eq(g.meter.free_at_start, setup.remaining);
		unit_check(g.verify.blocks && !g.verify.errors);
		/* The driver keeps what it took for the kernel. */
		ck_assert_int_eq(g.returned, -24 * (int64_t)MLV_MIB);
		mlv_gpu_run_fini(&g);
		fake_gpu_let_go(&fake);
	}
	gpu_recording_fini(&r);
}
END_TEST

/* A limit stops a run as want of memory does. */
START_TEST(a_limit)
{
	struct gpu_recording r;
	struct mlv_gpu_run g;
	gpu_recording_program(&r, 3, false, 0);
	uint64_t peak = r.history.reserved.peak;
	struct mlv_gpu_run_setup setup = { .scale = 1, .gpu.most = peak };
	struct fake_gpu fake = fake_gpu_hold("");
	gpu_run_init(&g, &r, &setup);
	unit_check(g.measured.alloc < 0 && !g.gpu.refused_by_most);
	gpu_run_fini(&g);
	setup.gpu.most--;
	gpu_run_init(&g, &r, &setup);
	unit_check(g.measured.alloc >= 0 && g.gpu.refused_by_most == 1);
	unit_check(fake_gpu_figures(&fake).taken_peak < peak);
	gpu_run_fini(&g);
	fake_gpu_let_go(&fake);
	gpu_recording_fini(&r);
}
END_TEST

/* ---- raw ---- */

START_TEST(raw)
{
	struct gpu_recording r;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct mlv_gpu_run g;
		struct mlv_gpu_run_setup setup = { .scale = 1, .mode = MLV_GPU_RAW };
		struct fake_gpu fake = fake_gpu_hold("step=4K capacity=64G");
		gpu_recording_program(&r, seed, seed % 2, seed % 3 ? 0 : 50);
		gpu_run_init(&g, &r, &setup);
		ck_assert_uint_eq(g.taken_peak, r.history.requested.peak);
		ck_assert_uint_eq(g.takes, r.history.alloc_count);
		ck_assert_uint_eq(g.gives, r.history.death_count);
		ck_assert_uint_eq(g.calls[MLV_CU_cuMemAlloc].count, g.takes);
		ck_assert_uint_eq(g.allocs, r.history.action_count[MLV_MEM_ALLOC]);
		unit_check(!g.calls[MLV_CU_cuMemCreate].count);
		gpu_run_fini(&g);
		fake_gpu_let_go(&fake);
		gpu_recording_fini(&r);
	}
}
END_TEST

/* ---- other processes ---- */

START_TEST(others_are_not_blamed_on_the_trace)
{
	struct gpu_recording r;
	gpu_recording_sample(&r, "train-adamw.pickle.zst", 0);
	struct mlv_gpu_run g;
	struct mlv_gpu_run_setup setup = { .scale = 1 };
	struct fake_gpu fake =
		fake_gpu_hold("capacity=140G foreign=21:3G foreign=40:1500M foreign=61:-2G");
	gpu_run_init(&g, &r, &setup);
	ck_assert_uint_eq(g.meter.foreign_changes, 3);
	ck_assert_int_eq(g.meter.foreign_most, (3072 + 1500) * (int64_t)MLV_MIB);
	ck_assert_uint_eq(g.meter.used_peak, r.history.reserved.peak);
	unit_check(!g.meter.overhead_most && !g.meter.overhead_least);
	unit_check(g.returned == -(3072 + 1500 - 2048) * (int64_t)MLV_MIB && g.ended);
	mlv_gpu_run_fini(&g);
	fake_gpu_let_go(&fake);
	gpu_recording_fini(&r);
}
END_TEST

UNIT_MAIN("gpu_run", samples_as_recorded, programs_as_recorded, samples_verified, programs_verified,
	  errors_are_found, samples_what_if, programs_what_if, what_if_from_the_middle,
	  out_of_memory_as_recorded, ballast_and_verify, a_limit, raw,
	  others_are_not_blamed_on_the_trace)
