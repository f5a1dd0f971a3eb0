/* SPDX-License-Identifier: MIT */
#include "cli/replay_moment.h"

#include <string.h>

#include "cli/moment.h"

/* The first failure of a replay; -1: none. */
static int64_t first_failure(const struct mlv_frag_series *s)
{
	for (uint32_t i = 0; i < s->ended; i++)
		if (s->columns[i].ooms)
			return s->columns[i].first_oom;
	return -1;
}

/* Moments of the replay that is shown; the others are those of the recording. */
static enum mlv_rc find_event(const struct mlv_study *s, const struct mlv_frag_series *series,
			      const char *at, int64_t *event, struct mlv_err *err)
{
	if (strcmp(at, "scattered") == 0) {
		*event = series->outside_peak.event;
		return MLV_OK;
	}
	if (strcmp(at, "oom") != 0)
		return mlv_moment_of(&s->history, at, event, err);
	*event = first_failure(series);
	return *event < 0 ? mlv_err_set(err, MLV_E_USAGE, "--at oom: no request failed") : MLV_OK;
}

static enum mlv_rc map_recorded(struct mlv_replay_moment *m, const struct mlv_study *s,
				struct mlv_err *err)
{
	struct mlv_recorded r;
	struct mlv_replay_options o = { .allowed = s->recorded_limit,
					.lead = s->options.lead,
					.events = m->event + 1 };
	enum mlv_rc rc = mlv_recorded_init(&r, &s->history, &s->conf, &o, err);
	if (rc)
		return rc;
	const struct mlv_mem_event *e = &s->history.events[m->event];
	m->request = e->action == MLV_MEM_OOM ? e->bytes : 0;
	rc = mlv_segment_map_init(&m->map, &r.allocator, err);
	mlv_recorded_fini(&r);
	return rc;
}

static enum mlv_rc map_whatif(struct mlv_replay_moment *m, const struct mlv_study *s,
			      struct mlv_err *err)
{
	struct mlv_whatif w;
	struct mlv_whatif_setup setup = s->whatif.setup;
	setup.events = m->event + 1;
	enum mlv_rc rc = mlv_whatif_init(&w, &s->recorded, &setup, err);
	if (rc)
		return rc;
	if (w.oom_at_alloc >= 0) {
		m->ended = m->event > w.oom_event;
		m->event = w.oom_event;
		m->request = w.oom_bytes;
	}
	rc = mlv_segment_map_init(&m->map, &w.allocator, err);
	mlv_whatif_fini(&w);
	return rc;
}

enum mlv_rc mlv_replay_moment_init(struct mlv_replay_moment *m, const struct mlv_study *s,
				   const struct mlv_frag_series *series, bool whatif,
				   const char *at, struct mlv_err *err)
{
	*m = (struct mlv_replay_moment){ 0 };
	int64_t event;
	enum mlv_rc rc = find_event(s, series, at, &event, err);
	if (rc)
		return rc;
	/* The state before the first event has no picture: that after it is as near. */
	m->event = event < 0 ? 0 : (uint32_t)event;
	return whatif ? map_whatif(m, s, err) : map_recorded(m, s, err);
}

/* The replay once more, watched in one column: its peaks are what is asked for. */
static enum mlv_rc watch(struct mlv_frag_series *series, const struct mlv_study *s,
			 struct mlv_err *err)
{
	struct mlv_replay_options o = { .allowed = s->recorded_limit, .lead = s->options.lead };
	struct mlv_whatif_setup setup = s->whatif.setup;
	struct mlv_recorded r;
	struct mlv_whatif w;
	enum mlv_rc rc;
	if (s->has_whatif) {
		setup.watch = mlv_frag_series_watch(series);
		rc = mlv_whatif_init(&w, &s->recorded, &setup, err);
		if (rc)
			return rc;
		mlv_frag_series_end(series, &w.allocator);
		mlv_whatif_fini(&w);
		return MLV_OK;
	}
	o.watch = mlv_frag_series_watch(series);
	rc = mlv_recorded_init(&r, &s->history, &s->conf, &o, err);
	if (rc)
		return rc;
	mlv_frag_series_end(series, &r.allocator);
	mlv_recorded_fini(&r);
	return MLV_OK;
}

enum mlv_rc mlv_replay_moment_find(struct mlv_replay_moment *m, const struct mlv_study *s,
				   const char *at, struct mlv_err *err)
{
	struct mlv_frag_series series;
	enum mlv_rc rc = mlv_frag_series_init(&series, 0, (uint32_t)s->history.count - 1, 1, err);
	if (rc)
		return rc;
	rc = watch(&series, s, err);
	if (!rc)
		rc = mlv_replay_moment_init(m, s, &series, s->has_whatif, at, err);
	mlv_frag_series_fini(&series);
	return rc;
}

void mlv_replay_moment_fini(struct mlv_replay_moment *m)
{
	mlv_segment_map_fini(&m->map);
}
