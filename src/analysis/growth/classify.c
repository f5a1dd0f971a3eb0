/* SPDX-License-Identifier: MIT */
#include "analysis/growth/classify.h"

#include <stdlib.h>

#include "analysis/growth/category_verdict.h"
#include "analysis/growth/heap_verdict.h"
#include "analysis/growth/phase_verdict.h"

/* Room for one more, which the caller fills. */
static struct mlv_verdict *another(struct mlv_verdicts *v)
{
	struct mlv_verdict empty = { 0 };
	return mlv_vec_push(&v->list, empty) ? &v->list.data[v->list.len - 1] : NULL;
}

static enum mlv_rc by_phases(struct mlv_verdicts *v, const struct mlv_run *run, mlv_trackid track,
			     const struct mlv_classify_options *o, struct mlv_err *err)
{
	struct mlv_phase_grid grid;
	struct mlv_verdict *to = another(v);
	if (!to)
		return mlv_err_nomem(err);
	enum mlv_rc rc = mlv_phase_grid_init(&grid, run, track, err);
	if (rc)
		return rc;
	rc = mlv_phase_verdict(to, &grid, o->capacity, err);
	mlv_phase_grid_fini(&grid);
	return rc;
}

static enum mlv_rc by_categories(struct mlv_verdicts *v, const struct mlv_run *run,
				 const struct mlv_classify_options *o, struct mlv_err *err)
{
	mlv_trackid *tracks;
	size_t count;
	enum mlv_rc rc = mlv_category_tracks(run, &tracks, &count, err);
	for (size_t i = 0; !rc && i < count; i++) {
		struct mlv_verdict *to = another(v);
		rc = to ? mlv_category_verdict(to, run, tracks[i], o->capacity, err)
			: mlv_err_nomem(err);
	}
	free(tracks);
	return rc;
}

/* Address ranges of the host are no allocations of a step. */
static bool has_allocations(const struct mlv_device *d)
{
	return d->events && d->bytes_are != MLV_BYTES_MAPPED;
}

enum mlv_rc mlv_classify_run(struct mlv_verdicts *v, const struct mlv_run *run,
			     const struct mlv_classify_options *o, struct mlv_err *err)
{
	mlv_trackid *tracks;
	size_t count;
	enum mlv_rc rc = mlv_phase_tracks(run, &tracks, &count, err);
	if (rc)
		return rc;
	for (size_t i = 0; !rc && i < count; i++)
		rc = by_phases(v, run, tracks[i], o, err);
	free(tracks);
	if (!rc)
		rc = by_categories(v, run, o, err);
	for (size_t i = 0; !rc && i < run->devices.len; i++) {
		struct mlv_verdict *to;
		if (!has_allocations(&run->devices.data[i]))
			continue;
		to = another(v);
		rc = to ? mlv_heap_verdict(to, run, i, o->capacity, err) : mlv_err_nomem(err);
	}
	return rc;
}

void mlv_verdicts_fini(struct mlv_verdicts *v)
{
	for (size_t i = 0; i < v->list.len; i++)
		mlv_verdict_fini(&v->list.data[i]);
	mlv_vec_free(&v->list);
}
