/* SPDX-License-Identifier: MIT */
#ifndef MLV_UNIT_GPU_RECORDING_H
#define MLV_UNIT_GPU_RECORDING_H
/* Recordings, real and made up, to be driven through a GPU of the fake driver. */
#include <stdio.h>

#include "base/source.h"
#include "fake_gpu.h"
#include "replay/gpu/gpu_run.h"
#include "snapshot_writer.h"

struct gpu_recording {
	struct mlv_run run;
	struct mlv_history history;
	struct mlv_recorded recorded;
};

static inline void gpu_recording_of(struct gpu_recording *r, const struct mlv_buf *file,
				    size_t device)
{
	struct mlv_diags notes = { 0 };
	unit_check(!snap_read(&r->run, file, 0, NULL, NULL));
	unit_check(!mlv_history_init(&r->history, &r->run, device, NULL));
	struct mlv_alloc_conf conf = mlv_alloc_conf_of(&r->run, &notes);
	struct mlv_replay_options o = { 0 };
	unit_check(!mlv_recorded_init(&r->recorded, &r->history, &conf, &o, NULL));
}

static inline void gpu_recording_fini(struct gpu_recording *r)
{
	mlv_recorded_fini(&r->recorded);
	mlv_history_fini(&r->history);
	mlv_run_fini(&r->run);
}

/* A file of samples/, which meson names in SAMPLES. */
static inline void gpu_recording_sample(struct gpu_recording *r, const char *name, size_t device)
{
	char path[4096];
	struct mlv_source *src;
	struct mlv_bytes span;
	struct mlv_buf file = { 0 };
	unit_check(getenv("SAMPLES"));
	snprintf(path, sizeof(path), "%s/%s", getenv("SAMPLES"), name);
	unit_check(!mlv_source_open(&src, path, &mlv_limits_default, NULL));
	while (!mlv_source_next(src, &span, NULL) && span.n)
		mlv_buf_add(&file, span.p, span.n);
	mlv_source_close(src);
	gpu_recording_of(r, &file, device);
	mlv_buf_fini(&file);
}

/* Events that contradict each other, sizes and addresses that make no sense. */
static inline void gpu_recording_damage(struct snap *snap, uint64_t seed)
{
	static const char *const actions[] = { "alloc",          "free_requested",
					       "free_completed", "segment_alloc",
					       "segment_free",   "segment_map",
					       "segment_unmap",  "oom" };
	static const uint64_t sizes[] = { 0, 1, 4096, 2 << 20, 20 << 20, UINT64_MAX / 4 };
	for (size_t n = 1 + unit_random(&seed) % 20; n; n--) {
		struct snap_event *e =
			&snap->traces[0].data[unit_random(&seed) % snap->traces[0].len];
		switch (unit_random(&seed) % 4) {
		case 0:
			e->action = actions[unit_random(&seed) % 8];
			break;
		case 1:
			e->size = sizes[unit_random(&seed) % 6];
			break;
		case 2:
			e->addr += (unit_random(&seed) % 41 - 20) * 512 * 1024;
			break;
		default:
			*e = snap->traces[0].data[unit_random(&seed) % snap->traces[0].len];
		}
	}
}

/*
 * A random program, from a seed; `keep`: only its last so many events; 0: all. `damage`: a seed for
 * that; 0: none.
 */
static inline void gpu_recording_program_damaged(struct gpu_recording *r, uint64_t seed,
						 bool expandable, size_t keep, uint64_t damage)
{
	struct snap snap = { 0 };
	struct mlv_buf file = { 0 };
	uint64_t random = seed * 2654435761u + 1;
	snap_record(&snap,
		    &(struct snap_program){ .seed = seed,
					    .steps = 50 + (unsigned)(unit_random(&random) % 300),
					    .devices = 1,
					    .streams = 1 + (int)(unit_random(&random) % 3),
					    .pools = 1 + (int)(unit_random(&random) % 2),
					    .pending = unit_random(&random) % 2,
					    .empty_cache = true,
					    .expandable = expandable });
	if (keep)
		snap_keep_last(&snap, keep);
	if (damage)
		gpu_recording_damage(&snap, damage);
	snap_write(&snap, (struct snap_style){ 0 }, &file);
	gpu_recording_of(r, &file, 0);
	mlv_buf_fini(&file);
	snap_fini(&snap);
}

static inline void gpu_recording_program(struct gpu_recording *r, uint64_t seed, bool expandable,
					 size_t keep)
{
	gpu_recording_program_damaged(r, seed, expandable, keep, 0);
}

static inline void gpu_run_init(struct mlv_gpu_run *g, const struct gpu_recording *r,
				const struct mlv_gpu_run_setup *setup)
{
	struct mlv_err err = MLV_ERR_INIT;
	if (mlv_gpu_run_init(g, &r->recorded, setup, &err))
		ck_abort_msg("%s", err.msg);
}

/* Of a run that nothing disturbed. */
static inline void gpu_run_fini(struct mlv_gpu_run *g)
{
	if (g->failure.rc)
		ck_abort_msg("%s", g->failure.msg);
	unit_check(g->ended && !g->stopped);
	unit_check(g->returned_known && !g->returned);
	mlv_gpu_run_fini(g);
}

#endif
