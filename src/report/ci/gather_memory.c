/* SPDX-License-Identifier: MIT */
/* The memory of devices: peaks, what was reserved and not used, the course, and who holds it. */
#include <stdlib.h>
#include <string.h>

#include "analysis/memory_facts.h"
#include "analysis/view.h"
#include "replay/counters.h"
#include "report/ci/gather.h"

static int64_t bytes(uint64_t n)
{
	return n > INT64_MAX ? INT64_MAX : (int64_t)n;
}

static bool is_alive(const struct mlv_alloc *a, int64_t event)
{
	return (a->born == MLV_NEVER || (int64_t)a->born <= event) &&
	       (a->died == MLV_NEVER || (int64_t)a->died > event);
}

/* What only a replay tells. */
static enum mlv_rc add_counters(struct mlv_report_rank *k, const struct mlv_history *h,
				struct mlv_err *err)
{
	struct mlv_counters c = { 0 };
	enum mlv_rc rc = h->count ? mlv_counters_of(&c, h, err) : MLV_OK;
	if (rc)
		return rc;
	if (c.known) {
		k->allocated_peak = bytes(c.stats.allocated_bytes.peak);
		k->retries = bytes(c.stats.num_alloc_retries);
	}
	int64_t used = c.known ? k->allocated_peak : k->requested_peak;
	if (k->reserved_peak > 0)
		k->idle_bytes = k->reserved_peak > used ? k->reserved_peak - used : 0;
	return MLV_OK;
}

static enum mlv_rc add_series(struct mlv_report_rank *k, const struct mlv_history *h,
			      struct mlv_err *err)
{
	struct mlv_report_series *s = &k->series;
	if (!h->count)
		return MLV_OK;
	struct mlv_view view = { .last = (uint32_t)h->count - 1,
				 .columns = h->count < MLV_SERIES_MOST ? (int32_t)h->count
								       : MLV_SERIES_MOST,
				 .rows = 100,
				 .top_bytes = h->requested.peak };
	struct mlv_instant *instants = mlv_view_instants(h, &view);
	s->requested = calloc((size_t)view.columns, sizeof(*s->requested));
	s->reserved = calloc((size_t)view.columns, sizeof(*s->reserved));
	s->count = (size_t)view.columns;
	s->x1 = (double)h->count - 1;
	for (size_t i = 0; instants && s->requested && s->reserved && i < s->count; i++) {
		s->requested[i] = instants[i].requested;
		s->reserved[i] = instants[i].reserved;
	}
	bool ok = instants && s->requested && s->reserved;
	free(instants);
	return ok ? MLV_OK : mlv_err_nomem(err);
}

struct sum {
	uint32_t site;
	uint64_t bytes, count;
};

static int most_bytes(const void *pa, const void *pb)
{
	const struct sum *a = pa, *b = pb;
	if (a->bytes != b->bytes)
		return a->bytes > b->bytes ? -1 : 1;
	return (a->site > b->site) - (a->site < b->site);
}

static bool add_to(struct sum **sums, size_t *cap, size_t *len, uint32_t site, uint64_t n)
{
	if (site >= *cap && !mlv_vec_grow((void **)sums, cap, sizeof(**sums), (size_t)site + 1))
		return false;
	for (; *len <= site; ++*len)
		(*sums)[*len] = (struct sum){ .site = (uint32_t)*len };
	(*sums)[site].bytes += n;
	(*sums)[site].count++;
	return true;
}

static enum mlv_rc add_top(struct mlv_gather *g, struct mlv_report_rank *k,
			   const struct mlv_history *h, struct mlv_err *err)
{
	struct sum *sums = NULL;
	size_t cap = 0, len = 0;
	bool ok = true;
	char text[MLV_NAME_SIZE];
	for (size_t i = 0; ok && i < h->alloc_count; i++) {
		const struct mlv_alloc *a = &h->allocs[i];
		uint32_t site;
		if (!is_alive(a, h->requested.peak_event))
			continue;
		bool before = a->origin != MLV_ALLOC_TRACED && a->stack.i == MLV_STACK_NONE.i;
		ok = (before ? mlv_site_before(&g->sites, &site)
			     : mlv_site_of(&g->sites, a->stack, &site)) &&
		     add_to(&sums, &cap, &len, site, a->bytes);
	}
	if (ok && len)
		qsort(sums, len, sizeof(*sums), most_bytes);
	for (size_t i = 0; ok && i < len && i < MLV_SITES_MOST && sums[i].count; i++) {
		struct mlv_report_site s = { .bytes = sums[i].bytes, .count = sums[i].count };
		mlv_site_function(&g->sites, sums[i].site, text, sizeof(text));
		s.function = mlv_report_copy(g->r, mlv_str_of(text));
		mlv_site_place(&g->sites, sums[i].site, text, sizeof(text));
		s.place = mlv_report_copy(g->r, mlv_str_of(text));
		ok = mlv_vec_push(&k->top, s);
	}
	free(sums);
	return ok ? MLV_OK : mlv_err_nomem(err);
}

static enum mlv_rc add_device(struct mlv_gather *g, size_t device, struct mlv_err *err)
{
	const struct mlv_device *d = &g->run->devices.data[device];
	struct mlv_memory_facts f;
	enum mlv_rc rc = mlv_memory_facts_init(&f, g->run, device, &g->sites, err);
	if (rc)
		return rc;
	const struct mlv_history *h = &f.history;
	struct mlv_report_rank *k = NULL;
	if (h->requested.peak || h->reserved.peak)
		k = mlv_report_rank_add(g->r, g->run->rank, d->ordinal, g->input);
	if (k) {
		k->file = g->name;
		k->events = h->count;
		k->complete = h->complete;
		k->oom = f.oom_count != 0;
		if (d->bytes_are == MLV_BYTES_REQUESTED) {
			k->requested_peak = bytes(h->requested.peak);
			k->requested_end = bytes(h->requested.end);
			k->reserved_peak = bytes(h->reserved.peak);
			k->reserved_end = bytes(h->reserved.end);
			rc = add_counters(k, h, err);
		} else {
			k->allocated_peak = bytes(h->requested.peak);
		}
		if (!rc)
			rc = add_series(k, h, err);
		if (!rc)
			rc = add_top(g, k, h, err);
		if (!rc && k->oom)
			rc = mlv_gather_oom(g, device, k, err);
	}
	mlv_memory_facts_fini(&f);
	return rc;
}

enum mlv_rc mlv_gather_memory(struct mlv_gather *g, struct mlv_err *err)
{
	enum mlv_rc rc = MLV_OK;
	for (size_t i = 0; !rc && i < g->run->devices.len; i++) {
		const struct mlv_device *d = &g->run->devices.data[i];
		/* The memory of a process on the host is no rank's. */
		if (d->bytes_are != MLV_BYTES_MAPPED)
			rc = add_device(g, i, err);
	}
	return rc;
}
