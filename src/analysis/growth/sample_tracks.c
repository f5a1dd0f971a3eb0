/* SPDX-License-Identifier: MIT */
#include "analysis/growth/sample_tracks.h"

enum mlv_rc mlv_sample_tracks(const struct mlv_run *run,
			      bool (*wanted)(const struct mlv_run *run, const struct mlv_sample *s),
			      mlv_trackid **tracks, size_t *count, struct mlv_err *err)
{
	struct mlv_map seen = { 0 };
	MLV_VEC(mlv_trackid) list = { 0 };
	bool ok = true;
	for (size_t i = 0; ok && i < run->samples.len; i++) {
		const struct mlv_sample *s = &run->samples.data[i];
		if (mlv_map_find(&seen, s->track.i) || !wanted(run, s))
			continue;
		ok = mlv_map_set(&seen, s->track.i, 1) && mlv_vec_push(&list, s->track);
	}
	mlv_map_fini(&seen);
	if (!ok)
		mlv_vec_free(&list);
	*tracks = list.data;
	*count = list.len;
	return ok ? MLV_OK : mlv_err_nomem(err);
}
