/* SPDX-License-Identifier: MIT */
/*
 * Which process groups there are: those with one name and the same members
 * are one. A dump that does not tell the members (PyTorch 2.2) joins the
 * group of that name that has its rank.
 */
#include <stdlib.h>

#include "analysis/hang/gather.h"
#include "base/buf.h"

static bool has_member(struct mlv_str list, int64_t rank)
{
	int64_t n;
	while (mlv_next_number(&list, &n)) {
		if (n == rank)
			return true;
	}
	return false;
}

static bool add_member(struct mlv_evidence *e, uint32_t group, uint32_t place, int64_t rank)
{
	struct mlv_raw_member m = { group, place, mlv_rank_row(e, rank) };
	return mlv_vec_push(&e->raw->members, m);
}

static bool add_group(struct mlv_evidence *e, const struct mlv_raw_group *raw, uint32_t *row)
{
	struct mlv_job_group g = { .name = raw->name,
				   .description = raw->description,
				   .members_text = raw->members,
				   .members_known = raw->members.i != 0 };
	struct mlv_str list = mlv_evidence_str(e, raw->members);
	int64_t rank;
	*row = (uint32_t)e->groups.len;
	if (!mlv_vec_push(&e->groups, g))
		return false;
	for (uint32_t place = 0; mlv_next_number(&list, &rank); place++) {
		if (!add_member(e, *row, place, rank))
			return false;
	}
	return true;
}

static bool known(struct mlv_evidence *e, struct mlv_map *rows, struct mlv_raw_group *raw)
{
	uint64_t key = (uint64_t)raw->name.i << 32 | raw->members.i;
	struct mlv_map_slot *s = mlv_map_find(rows, key);
	if (s) {
		raw->group = s->value;
		if (!e->groups.data[s->value].description.i)
			e->groups.data[s->value].description = raw->description;
		return true;
	}
	return add_group(e, raw, &raw->group) && mlv_map_set(rows, key, raw->group);
}

static bool unknown(struct mlv_evidence *e, struct mlv_map *rows, struct mlv_raw_group *raw,
		    int64_t rank)
{
	for (uint32_t i = 0; i < e->groups.len; i++) {
		const struct mlv_job_group *g = &e->groups.data[i];
		if (g->name.i == raw->name.i && g->members_known &&
		    has_member(mlv_evidence_str(e, g->members_text), rank)) {
			raw->group = i;
			return true;
		}
	}
	return known(e, rows, raw) && add_member(e, raw->group, UINT32_MAX, rank);
}

enum mlv_rc mlv_settle_groups(struct mlv_evidence *e, struct mlv_err *err)
{
	struct mlv_raw *raw = e->raw;
	struct mlv_map rows = { 0 };
	bool ok = true;
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; ok && i < raw->dumps.len; i++) {
			const struct mlv_raw_dump *d = &raw->dumps.data[i];
			for (uint32_t k = 0; ok && k < d->groups; k++) {
				struct mlv_raw_group *g = &raw->groups.data[d->first_group + k];
				if ((g->members.i != 0) == (pass == 0))
					ok = pass == 0 ? known(e, &rows, g)
						       : unknown(e, &rows, g, d->rank);
			}
		}
	}
	/* A rank may speak of a group that does not count it as a member. */
	for (size_t i = 0; ok && i < raw->dumps.len; i++) {
		const struct mlv_raw_dump *d = &raw->dumps.data[i];
		for (uint32_t k = 0; ok && k < d->groups; k++) {
			const struct mlv_raw_group *g = &raw->groups.data[d->first_group + k];
			if (g->members.i && !has_member(mlv_evidence_str(e, g->members), d->rank))
				ok = add_member(e, g->group, UINT32_MAX, d->rank);
		}
	}
	mlv_map_fini(&rows);
	return ok ? MLV_OK : mlv_err_nomem(err);
}
