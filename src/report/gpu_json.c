/* SPDX-License-Identifier: MIT */
/* A replay on a GPU as JSON; docs/json.md lists the fields. */
#include "report/replay.h"

static void at(struct mlv_json *j, const char *key, int64_t n)
{
	if (n >= 0) {
		mlv_json_key_int(j, key, n);
		return;
	}
	mlv_json_key(j, key);
	mlv_json_null(j);
}

static void calls(const struct mlv_gpu_run *g, struct mlv_json *j)
{
	mlv_json_key_object(j, "calls");
	for (int i = 0; i < MLV_CU_CALL_COUNT; i++) {
		const struct mlv_call_figures *f = &g->calls[i];
		if (!f->count)
			continue;
		mlv_json_key_object(j, mlv_cuda_call_name((enum mlv_cu_call)i));
		mlv_json_key_uint(j, "count", f->count);
		mlv_json_key_uint(j, "total_ns", f->total_ns);
		mlv_json_key_uint(j, "p50_ns", f->p50_ns);
		mlv_json_key_uint(j, "p99_ns", f->p99_ns);
		mlv_json_key_uint(j, "max_ns", f->max_ns);
		mlv_json_object_end(j);
	}
	mlv_json_object_end(j);
}

static void verify(const struct mlv_gpu_run *g, struct mlv_json *j)
{
	const struct mlv_gpu_verify *v = &g->verify;
	mlv_json_key_text(j, "verify", !g->setup.verify ? "no" : v->check ? "all" : "samples");
	mlv_json_key_uint(j, "verify_blocks", v->blocks);
	mlv_json_key_uint(j, "verify_bytes", v->bytes);
	mlv_json_key_uint(j, "verify_errors", v->errors);
}

static void others(const struct mlv_gpu_meter *m, struct mlv_json *j)
{
	mlv_json_key_uint(j, "other_processes_changes", m->foreign_changes);
	mlv_json_key_int(j, "other_processes_bytes_most", m->foreign_most);
	mlv_json_key_int(j, "other_processes_bytes_end", m->foreign);
}

static void outcome(const struct mlv_gpu_run *g, struct mlv_json *j)
{
	at(j, "oom_expected_at", g->expected.alloc);
	at(j, "oom_measured_at", g->measured.alloc);
	mlv_json_key_text(j, "ended",
			  g->failure.rc ? "device failed"
			  : g->stopped  ? "interrupted"
					: "complete");
	mlv_json_key_text(j, "failure", g->failure.rc ? g->failure.msg : NULL);
	mlv_json_key(j, "returned_difference_bytes");
	if (g->returned_known)
		mlv_json_int(j, g->returned);
	else
		mlv_json_null(j);
}

void mlv_gpu_json(const struct mlv_gpu_run *g, struct mlv_json *j)
{
	const struct mlv_gpu *d = &g->gpu;
	mlv_json_object(j);
	mlv_json_key_text(j, "device_name", d->name);
	mlv_json_key_int(j, "driver_version", d->driver_version);
	mlv_json_key_uint(j, "device_bytes", d->total);
	mlv_json_key_uint(j, "free_at_start_bytes", d->free_at_start);
	mlv_json_key_uint(j, "ballast_bytes", g->ballast);
	mlv_json_key_text(j, "mode", mlv_gpu_mode_name(g->setup.mode));
	mlv_json_key_uint(j, "scale", g->setup.scale);
	mlv_json_key_uint(j, "allocs", g->allocs);
	mlv_json_key_uint(j, "segments_allocated", g->takes);
	mlv_json_key_uint(j, "segments_freed", g->gives);
	mlv_json_key_uint(j, "pieces_most", g->live_most);
	mlv_json_key_uint(j, "bytes_peak_model", g->taken_peak);
	mlv_json_key_uint(j, "bytes_peak_device", g->meter.used_peak);
	mlv_json_key_int(j, "device_overhead_bytes", g->meter.overhead_most);
	mlv_json_key_int(j, "device_overhead_least_bytes", g->meter.overhead_least);
	others(&g->meter, j);
	verify(g, j);
	outcome(g, j);
	mlv_json_key_uint(j, "addresses", g->follow.share.allocs);
	mlv_json_key_text(j, "address_profile", mlv_driver_profile_name(g->setup.profile));
	mlv_json_key_uint(j, "addresses_explained", g->follow.share.explained);
	mlv_json_key_text(j, "best_profile", mlv_driver_profile_name(g->best_profile));
	mlv_json_key_uint(j, "best_explained", g->best_share.explained);
	mlv_json_key_uint(j, "refused_by_limit", d->refused_by_most);
	mlv_json_key_uint(j, "refused_by_device", d->refused_by_device);
	mlv_json_key_uint(j, "driver_memory_ns", g->memory_ns);
	mlv_json_key_uint(j, "wall_ns", g->wall_ns);
	calls(g, j);
	mlv_json_object_end(j);
}
