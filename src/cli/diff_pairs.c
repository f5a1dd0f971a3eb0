/* SPDX-License-Identifier: MIT */
#include "cli/diff_pairs.h"

#include <string.h>

static bool alike(const struct mlv_run *a, const struct mlv_run *b)
{
	return a->rank == b->rank && strcmp(a->format, b->format) == 0;
}

static bool is_taken(const struct mlv_pairs *p, unsigned side, const struct mlv_run *run)
{
	for (size_t i = 0; i < p->list.len; i++) {
		if (p->list.data[i].side[side] == run)
			return true;
	}
	return false;
}

static const struct mlv_run *partner(const struct mlv_pairs *p, const struct mlv_inputs *b,
				     const struct mlv_run *of)
{
	for (size_t i = 0; i < b->count; i++) {
		const struct mlv_run *run = &b->list[i].run;
		if (alike(of, run) && !is_taken(p, 1, run))
			return run;
	}
	return NULL;
}

/* Memory of devices before all else. */
static bool add_partners(struct mlv_pairs *p, const struct mlv_inputs *a,
			 const struct mlv_inputs *b, bool memory)
{
	for (size_t i = 0; i < a->count; i++) {
		const struct mlv_run *run = &a->list[i].run;
		const struct mlv_run *with =
			(run->segments.len != 0) == memory ? partner(p, b, run) : NULL;
		struct mlv_pair pair = { { run, with } };
		if (with && !mlv_vec_push(&p->list, pair))
			return false;
	}
	return true;
}

static bool add_single(struct mlv_pairs *p, const struct mlv_inputs *in, unsigned side)
{
	for (size_t i = 0; i < in->count; i++) {
		struct mlv_pair pair = { { NULL, NULL } };
		pair.side[side] = &in->list[i].run;
		if (!is_taken(p, side, pair.side[side]) && !mlv_vec_push(&p->list, pair))
			return false;
	}
	return true;
}

enum mlv_rc mlv_pairs_init(struct mlv_pairs *p, const struct mlv_inputs *a,
			   const struct mlv_inputs *b, struct mlv_err *err)
{
	*p = (struct mlv_pairs){ .paired = 0 };
	bool ok;
	if (a->count == 1 && b->count == 1) {
		struct mlv_pair only = { { &a->list[0].run, &b->list[0].run } };
		ok = mlv_vec_push(&p->list, only);
	} else {
		ok = add_partners(p, a, b, true) && add_partners(p, a, b, false);
	}
	p->paired = p->list.len;
	ok = ok && add_single(p, a, 0) && add_single(p, b, 1);
	if (ok)
		return MLV_OK;
	mlv_pairs_fini(p);
	return mlv_err_nomem(err);
}

void mlv_pairs_fini(struct mlv_pairs *p)
{
	mlv_vec_free(&p->list);
}
