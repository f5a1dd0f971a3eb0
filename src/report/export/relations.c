/* SPDX-License-Identifier: MIT */
#include "report/export/relations.h"

#include <stdlib.h>
#include <string.h>

#include "report/export/relation_row.h"

const struct mlv_relation *const mlv_relations[] = {
	&mlv_relation_runs,        &mlv_relation_properties,
	&mlv_relation_diagnostics, &mlv_relation_tracks,
	&mlv_relation_frames,      &mlv_relation_stacks,
	&mlv_relation_devices,     &mlv_relation_events,
	&mlv_relation_allocations, &mlv_relation_segments,
	&mlv_relation_blocks,      &mlv_relation_pools,
	&mlv_relation_spans,       &mlv_relation_attributes,
	&mlv_relation_groups,      &mlv_relation_samples,
	&mlv_relation_metrics,     &mlv_relation_findings,
	&mlv_relation_sections,    NULL,
};

const struct mlv_relation *mlv_relation_find(const char *name)
{
	for (const struct mlv_relation *const *r = mlv_relations; *r; r++) {
		if (strcmp((*r)->name, name) == 0)
			return *r;
	}
	return NULL;
}

/* A caller has a lower number than those whom it calls. */
static bool find_depths(struct mlv_relation_source *s)
{
	const struct mlv_stacks *stacks = &s->run->stacks;
	s->depth = mlv_zeroed(stacks->nodes.len, sizeof(*s->depth));
	for (uint32_t i = MLV_STACK_EMPTY.i + 1; s->depth && i < stacks->nodes.len; i++)
		s->depth[i] = s->depth[stacks->nodes.data[i].caller.i] + 1;
	return s->depth;
}

static bool find_segments(struct mlv_relation_source *s)
{
	const struct mlv_run *run = s->run;
	s->segment_of = mlv_zeroed(run->blocks.len, sizeof(*s->segment_of));
	for (uint32_t i = 0; s->segment_of && i < run->segments.len; i++) {
		const struct mlv_segment *g = &run->segments.data[i];
		for (uint32_t k = 0; k < g->blocks; k++)
			s->segment_of[g->first_block + k] = i;
	}
	return s->segment_of;
}

static void own(struct mlv_relation_source *s, struct mlv_attrs attrs, uint32_t row, bool finding)
{
	for (uint32_t i = 0; i < attrs.count; i++) {
		s->owner[attrs.first + i] = row;
		s->owner_is_finding[attrs.first + i] = finding;
	}
}

static bool find_owners(struct mlv_relation_source *s)
{
	const struct mlv_run *run = s->run;
	s->owner = mlv_zeroed(run->attrs.len, sizeof(*s->owner));
	s->owner_is_finding = mlv_zeroed(run->attrs.len, sizeof(*s->owner_is_finding));
	if (!s->owner || !s->owner_is_finding)
		return false;
	memset(s->owner, 0xff, run->attrs.len * sizeof(*s->owner));
	for (uint32_t i = 0; i < run->spans.len; i++)
		own(s, run->spans.data[i].attrs, i, false);
	for (uint32_t i = 0; i < run->findings.len; i++)
		own(s, run->findings.data[i].attrs, i, true);
	return true;
}

static enum mlv_rc source_init(struct mlv_relation_source *s, const struct mlv_run *run,
			       int64_t number, struct mlv_err *err)
{
	s->run = run;
	s->number = number;
	enum mlv_rc rc = mlv_sites_init(&s->sites, run, NULL, 0, err);
	s->histories = calloc(run->devices.len + 1, sizeof(*s->histories));
	if (!rc && (!s->histories || !find_depths(s) || !find_segments(s) || !find_owners(s)))
		rc = mlv_err_nomem(err);
	for (size_t i = 0; !rc && i < run->devices.len; i++)
		rc = mlv_history_init(&s->histories[i], run, i, err);
	return rc;
}

enum mlv_rc mlv_relation_sources_init(struct mlv_relation_sources *s,
				      const struct mlv_run *const *runs, size_t count,
				      struct mlv_err *err)
{
	s->count = count;
	s->list = calloc(count + 1, sizeof(*s->list));
	enum mlv_rc rc = s->list ? MLV_OK : mlv_err_nomem(err);
	for (size_t i = 0; !rc && i < count; i++)
		rc = source_init(&s->list[i], runs[i], (int64_t)i, err);
	if (rc)
		mlv_relation_sources_fini(s);
	return rc;
}

void mlv_relation_sources_fini(struct mlv_relation_sources *s)
{
	for (size_t i = 0; s->list && i < s->count; i++) {
		struct mlv_relation_source *one = &s->list[i];
		for (size_t k = 0; one->histories && k < one->run->devices.len; k++)
			mlv_history_fini(&one->histories[k]);
		free(one->histories);
		if (one->run)
			mlv_sites_fini(&one->sites);
		free(one->depth);
		free(one->segment_of);
		free(one->owner);
		free(one->owner_is_finding);
	}
	free(s->list);
	memset(s, 0, sizeof(*s));
}

size_t mlv_relation_rows(const struct mlv_relation_sources *s, const struct mlv_relation *relation)
{
	size_t n = 0;
	for (size_t i = 0; i < s->count; i++)
		n += relation->rows(&s->list[i]);
	return n;
}

/* A trace tells neither who allocated nor for how long: its spans say more. */
static bool has_requests(const struct mlv_relation_sources *s)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct mlv_run *run = s->list[i].run;
		for (size_t d = 0; d < run->devices.len; d++) {
			if (run->devices.data[d].bytes_are == MLV_BYTES_REQUESTED)
				return true;
		}
	}
	return false;
}

const struct mlv_relation *mlv_relation_main(const struct mlv_relation_sources *s)
{
	static const struct mlv_relation *const order[] = {
		&mlv_relation_spans,    &mlv_relation_samples,    &mlv_relation_metrics,
		&mlv_relation_findings, &mlv_relation_properties,
	};
	if (has_requests(s) && mlv_relation_rows(s, &mlv_relation_allocations))
		return &mlv_relation_allocations;
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		if (mlv_relation_rows(s, order[i]))
			return order[i];
	}
	return &mlv_relation_runs;
}

enum mlv_rc mlv_relation_walk(struct mlv_relation_sources *s, const struct mlv_relation *relation,
			      enum mlv_rc (*take)(void *opaque, const struct mlv_relation_row *row,
						  struct mlv_err *err),
			      void *opaque, struct mlv_err *err)
{
	struct mlv_relation_row row = { 0 };
	enum mlv_rc rc = MLV_OK;
	for (size_t i = 0; !rc && i < s->count; i++) {
		size_t n = relation->rows(&s->list[i]);
		s->list[i].device = s->list[i].device_base = 0;
		for (size_t k = 0; !rc && k < n; k++) {
			row.count = 0;
			mlv_row_int(&row, s->list[i].number);
			bool ok = relation->row(&s->list[i], k, &row);
			for (int t = 0; t < MLV_ROW_TEXTS; t++)
				ok = ok && !row.made[t].failed;
			rc = ok ? take(opaque, &row, err) : mlv_err_nomem(err);
		}
	}
	for (int t = 0; t < MLV_ROW_TEXTS; t++)
		mlv_buf_fini(&row.made[t]);
	return rc;
}
