/* SPDX-License-Identifier: MIT */
#include "analysis/growth/ranks.h"

#include <string.h>

#include "base/map.h"

static bool same_job(const struct mlv_verdict *a, const struct mlv_verdict *b)
{
	return a->rank >= 0 && b->rank >= 0 && a->source == b->source &&
	       strcmp(a->run->format, b->run->format) == 0;
}

/* How many verdicts from `first` on are those of one job; SIZE_MAX: no memory. */
static size_t job_length(const struct mlv_verdicts *v, size_t first)
{
	struct mlv_map ranks = { 0 };
	size_t n = first;
	while (n < v->list.len && same_job(&v->list.data[first], &v->list.data[n]) &&
	       !mlv_map_find(&ranks, (uint64_t)v->list.data[n].rank)) {
		if (!mlv_map_set(&ranks, (uint64_t)v->list.data[n].rank, 1)) {
			mlv_map_fini(&ranks);
			return SIZE_MAX;
		}
		n++;
	}
	mlv_map_fini(&ranks);
	return n - first;
}

/* Of a set, at one moment: who has most and least. */
static bool at_moment(struct mlv_rank_set *s, const struct mlv_verdicts *v, int when)
{
	const struct mlv_verdict *list = v->list.data;
	size_t most = s->first, least = s->first;
	for (size_t i = s->first; i < s->first + s->count; i++) {
		if (list[i].after[when] < 0)
			return false;
		if (list[i].after[when] > list[most].after[when])
			most = i;
		if (list[i].after[when] < list[least].after[when])
			least = i;
	}
	s->most = most;
	s->least = least;
	s->when = (enum mlv_moment_of)when;
	s->bytes = list[most].after[when] - list[least].after[when];
	return true;
}

/* At the moment at which they differ most. */
static void compare(struct mlv_rank_set *s, const struct mlv_verdicts *v)
{
	struct mlv_rank_set best = *s;
	bool any = false;
	for (int when = 0; when < MLV_MOMENTS; when++) {
		struct mlv_rank_set one = *s;
		if (when == MLV_AT_PEAK && any)
			break;
		if (!at_moment(&one, v, when))
			continue;
		if (!any || one.bytes > best.bytes)
			best = one;
		any = true;
	}
	*s = best;
	s->matters = any && s->bytes >= 1 << 20 &&
		     s->bytes >= v->list.data[s->most].after[s->when] / 100;
}

enum mlv_rc mlv_rank_sets_init(struct mlv_rank_sets *r, const struct mlv_verdicts *v,
			       struct mlv_err *err)
{
	memset(r, 0, sizeof(*r));
	for (size_t i = 0; i < v->list.len;) {
		struct mlv_rank_set s = { .first = i, .most = i, .least = i };
		s.count = job_length(v, i);
		if (s.count == SIZE_MAX) {
			mlv_rank_sets_fini(r);
			return mlv_err_nomem(err);
		}
		i += s.count ? s.count : 1;
		if (s.count < 2)
			continue;
		compare(&s, v);
		if (!mlv_vec_push(&r->list, s)) {
			mlv_rank_sets_fini(r);
			return mlv_err_nomem(err);
		}
	}
	return MLV_OK;
}

void mlv_rank_sets_fini(struct mlv_rank_sets *r)
{
	mlv_vec_free(&r->list);
}
