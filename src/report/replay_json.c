/* SPDX-License-Identifier: MIT */
/* A study of one device as JSON; docs/json.md lists the fields. */
#include <stdio.h>

#include "report/replay.h"

static void stat(struct mlv_json *j, const char *name, const struct mlv_alloc_stat *v)
{
	char key[64];
	snprintf(key, sizeof(key), "%s_peak_bytes", name);
	mlv_json_key_uint(j, key, v->peak);
	snprintf(key, sizeof(key), "%s_end_bytes", name);
	mlv_json_key_uint(j, key, v->now);
}

static void stats(struct mlv_json *j, const struct mlv_alloc_stats *s)
{
	stat(j, "requested", &s->requested_bytes);
	stat(j, "allocated", &s->allocated_bytes);
	stat(j, "active", &s->active_bytes);
	stat(j, "reserved", &s->reserved_bytes);
	stat(j, "inactive_split", &s->inactive_split_bytes);
	mlv_json_key_uint(j, "num_device_alloc", s->num_device_alloc);
	mlv_json_key_uint(j, "num_device_free", s->num_device_free);
	mlv_json_key_uint(j, "num_alloc_retries", s->num_alloc_retries);
	mlv_json_key_uint(j, "num_ooms", s->num_ooms);
	mlv_json_key_uint(j, "garbage_collections", s->collections);
}

static void hex(struct mlv_json *j, const char *key, uint64_t addr)
{
	char text[24];
	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)addr);
	mlv_json_key_text(j, key, text);
}

static void step(struct mlv_json *j, const char *key, uint8_t action, uint64_t addr, uint64_t bytes)
{
	mlv_json_key(j, key);
	mlv_json_object(j);
	mlv_json_key_text(
		j, "action",
		action < MLV_MEM_ACTIONS ? mlv_mem_action_name((enum mlv_mem_action)action) : NULL);
	hex(j, "address", addr);
	mlv_json_key_uint(j, "bytes", bytes);
	mlv_json_object_end(j);
}

static void difference(struct mlv_json *j, const struct mlv_recorded *r)
{
	static const char *const kinds[] = { [MLV_DIFFERENT_PLACE] = "placement",
					     [MLV_DIFFERENT_SEGMENT] = "segment",
					     [MLV_DIFFERENT_FAILURE] = "failure" };
	const struct mlv_difference *d = &r->first;
	mlv_json_key(j, "first_difference");
	if (!r->different) {
		mlv_json_null(j);
		return;
	}
	mlv_json_object(j);
	mlv_json_key_text(j, "kind", kinds[d->kind]);
	mlv_json_key_uint(j, "event", d->event);
	mlv_json_key_uint(j, "request_bytes", d->bytes);
	mlv_json_key_uint(j, "stream", d->stream);
	mlv_json_key_uint(j, "pool", d->pool);
	step(j, "recorded", d->recorded_action, d->recorded_addr, d->recorded_bytes);
	step(j, "model", d->model_action, d->model_addr, d->model_bytes);
	mlv_json_object_end(j);
}

static void recorded(struct mlv_json *j, const struct mlv_study *s)
{
	const struct mlv_recorded *r = &s->recorded;
	mlv_json_key_bool(j, "exact", mlv_recorded_exact(r));
	mlv_json_key_uint(j, "allocs", r->placements);
	mlv_json_key_uint(j, "placements_exact", r->placements_exact);
	mlv_json_key_uint(j, "segment_events", r->segment_events);
	mlv_json_key_uint(j, "segment_events_exact", r->segment_events_exact);
	mlv_json_key_uint(j, "final_blocks", r->final_blocks);
	mlv_json_key_uint(j, "final_blocks_exact", r->final_blocks_exact);
	difference(j, r);
	mlv_json_key_uint(j, "empty_caches", r->empty_caches);
	mlv_json_key_uint(j, "initial_blocks", s->history.initial);
	mlv_json_key_uint(j, "initial_blocks_inferred", r->origin.inferred);
	stats(j, &r->allocator.stats);
	mlv_json_key_uint(j, "recorded_reserved_peak_bytes", s->history.reserved.peak);
}

static void fit(struct mlv_json *j, const struct mlv_fit *f)
{
	mlv_json_object(j);
	mlv_json_key_uint(j, "capacity_bytes", f->capacity);
	mlv_json_key_uint(j, "resolution_bytes", f->resolution);
	mlv_json_key_uint(j, "smaller_fits_bytes", f->smaller_fits);
	mlv_json_key_uint(j, "larger_fails_bytes", f->larger_fails);
	mlv_json_key_uint(j, "tried", f->tried);
	mlv_json_object_end(j);
}

static void conf(struct mlv_json *j, const char *key, const struct mlv_alloc_conf *c)
{
	char text[400];
	mlv_json_key_text(j, key, mlv_alloc_conf_text(c, text, sizeof(text)));
}

static void or_null(struct mlv_json *j, const char *key, int64_t n)
{
	if (n >= 0) {
		mlv_json_key_int(j, key, n);
	} else {
		mlv_json_key(j, key);
		mlv_json_null(j);
	}
}

static void whatif(struct mlv_json *j, const struct mlv_study *s, struct mlv_sites *sites,
		   size_t top)
{
	const struct mlv_whatif *w = &s->whatif;
	mlv_json_key(j, "what_if");
	if (!s->has_whatif) {
		mlv_json_null(j);
		return;
	}
	mlv_json_object(j);
	conf(j, "conf", &s->whatif_conf);
	mlv_json_key_uint(j, "limit_bytes", w->setup.limit);
	mlv_json_key_uint(j, "capacity_bytes", w->setup.capacity);
	mlv_json_key_text(j, "address_profile", mlv_driver_profile_name(s->profile));
	mlv_json_key_uint(j, "allocs", w->allocs);
	stats(j, &w->allocator.stats);
	mlv_json_key_uint(j, "reserved_peak_least_bytes", s->reserved_least);
	mlv_json_key_uint(j, "reserved_peak_most_bytes", s->reserved_most);
	or_null(j, "oom_at_alloc", w->oom_at_alloc);
	mlv_json_key_uint(j, "profiles_out_of_memory", s->profiles_oom);
	mlv_json_key_bool(j, "survived_recorded_oom", w->survived_recorded);
	mlv_json_key(j, "out_of_memory");
	if (s->has_whatif_postmortem)
		mlv_postmortem_json(&s->whatif_postmortem, sites, top, j);
	else
		mlv_json_null(j);
	mlv_json_object_end(j);
}

static void survivors(struct mlv_json *j, const struct mlv_study *s)
{
	mlv_json_key(j, "survivors");
	mlv_json_array(j);
	for (size_t i = 0; i < s->survivor_count; i++) {
		const struct mlv_survivor *v = &s->survivors[i];
		mlv_json_object(j);
		mlv_json_key_text(j, "conf", v->conf);
		mlv_json_key_text(j, "survives",
				  v->survives  ? "yes"
				  : v->perhaps ? "depends on the limit"
					       : "no");
		or_null(j, "oom_at_alloc", v->oom_at_alloc);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}

static void sweep(struct mlv_json *j, const struct mlv_study *s)
{
	mlv_json_key(j, "sweep");
	mlv_json_array(j);
	for (size_t i = 0; i < s->row_count; i++) {
		const struct mlv_sweep_row *r = &s->rows[i];
		mlv_json_object(j);
		conf(j, "conf", &r->conf);
		mlv_json_key(j, "fit");
		fit(j, &r->fit);
		mlv_json_key_uint(j, "reserved_peak_bytes", r->reserved_peak);
		mlv_json_key_uint(j, "reserved_end_bytes", r->reserved_end);
		mlv_json_key_uint(j, "device_calls", r->device_calls);
		mlv_json_key_uint(j, "num_alloc_retries", r->retries);
		or_null(j, "oom_at_alloc", r->oom_at_alloc);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}

void mlv_replay_json(const struct mlv_study *s, const struct mlv_gpu_run *gpu,
		     const struct mlv_map_moment *moment, struct mlv_sites *sites, size_t top,
		     struct mlv_json *j)
{
	mlv_json_object(j);
	mlv_json_key_uint(j, "device", s->history.device->ordinal);
	conf(j, "conf", &s->conf);
	mlv_json_key_text(j, "not_replayable", s->not_replayable);
	if (s->not_replayable) {
		mlv_json_object_end(j);
		return;
	}
	recorded(j, s);
	or_null(j, "oom_at_alloc", s->has_postmortem ? (int64_t)s->postmortem.at_alloc : -1);
	mlv_json_key_text(j, "address_profile", mlv_driver_profile_name(s->profile));
	mlv_json_key_uint(j, "addresses", s->share.allocs);
	mlv_json_key_uint(j, "addresses_explained", s->share.explained);
	mlv_json_key_text(j, "verdict",
			  s->has_postmortem ? mlv_oom_verdict_name(s->postmortem.verdict) : NULL);
	mlv_json_key(j, "out_of_memory");
	if (s->has_postmortem)
		mlv_postmortem_json(&s->postmortem, sites, top, j);
	else
		mlv_json_null(j);
	survivors(j, s);
	whatif(j, s, sites, top);
	mlv_json_key(j, "fit");
	if (s->has_fit)
		fit(j, &s->fit);
	else
		mlv_json_null(j);
	sweep(j, s);
	mlv_json_key(j, "gpu");
	if (gpu)
		mlv_gpu_json(gpu, j);
	else
		mlv_json_null(j);
	mlv_json_key(j, "moment");
	if (moment)
		mlv_map_moment_json(moment, &s->history, j);
	else
		mlv_json_null(j);
	mlv_json_object_end(j);
}
