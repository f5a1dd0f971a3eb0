/* SPDX-License-Identifier: MIT */
#include "analysis/name_totals.h"

#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

static uint64_t hash_of(struct mlv_str s)
{
	return XXH3_64bits(s.p, s.n);
}

static bool add(struct mlv_name_totals *t, struct mlv_str name, int64_t ns)
{
	uint64_t hash = hash_of(name);
	struct mlv_map_slot *slot = mlv_map_find(&t->ids, hash);
	if (!slot) {
		struct mlv_name_total fresh = { .hash = hash, .name = name };
		if (!mlv_vec_push(&t->list, fresh) ||
		    !mlv_map_set(&t->ids, hash, (uint32_t)t->list.len - 1))
			return false;
		slot = mlv_map_find(&t->ids, hash);
	}
	struct mlv_name_total *of = &t->list.data[slot->value];
	of->count++;
	of->ns = of->ns > INT64_MAX - ns ? INT64_MAX : of->ns + ns;
	return true;
}

static int by_time(const void *pa, const void *pb)
{
	const struct mlv_name_total *a = pa, *b = pb;
	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return mlv_str_cmp(a->name, b->name);
}

enum mlv_rc mlv_name_totals_init(struct mlv_name_totals *t, const struct mlv_run *const *runs,
				 size_t count, struct mlv_err *err)
{
	memset(t, 0, sizeof(*t));
	for (size_t r = 0; r < count; r++) {
		const struct mlv_run *run = runs[r];
		for (size_t i = 0; i < run->spans.len; i++) {
			const struct mlv_span *s = &run->spans.data[i];
			int64_t ns;
			if (!mlv_run_span_took(s, &ns) || ns < 0)
				ns = 0;
			if (!add(t, mlv_run_str(run, s->name), ns))
				return mlv_err_nomem(err);
		}
	}
	if (t->list.len)
		qsort(t->list.data, t->list.len, sizeof(*t->list.data), by_time);
	for (size_t i = 0; i < t->list.len; i++)
		mlv_map_find(&t->ids, t->list.data[i].hash)->value = (uint32_t)i;
	return MLV_OK;
}

void mlv_name_totals_fini(struct mlv_name_totals *t)
{
	mlv_vec_free(&t->list);
	mlv_map_fini(&t->ids);
}

size_t mlv_name_totals_find(const struct mlv_name_totals *t, struct mlv_str name)
{
	const struct mlv_map_slot *slot = mlv_map_find(&t->ids, hash_of(name));
	return slot ? slot->value : t->list.len;
}
