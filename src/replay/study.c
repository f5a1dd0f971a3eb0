/* SPDX-License-Identifier: MIT */
#include "replay/study.h"

#include <string.h>

static const char *why_not(const struct mlv_study *s)
{
	const struct mlv_history *h = &s->history;
	const struct mlv_recorded *r = &s->recorded;
	if (h->device->bytes_are != MLV_BYTES_REQUESTED)
		return "it tells neither requested sizes nor segments";
	if (!h->action_count[MLV_MEM_ALLOC] && !h->action_count[MLV_MEM_OOM])
		return "no allocation was recorded, only the heap at the end";
	if (r->origin.outside * 2 > h->action_count[MLV_MEM_ALLOC] && !r->segment_events)
		return "most allocations lie at addresses of no segment: no allocator wrote this";
	return NULL;
}

static enum mlv_rc run_whatif(struct mlv_study *s, struct mlv_err *err)
{
	struct mlv_whatif_setup setup = { .conf = s->whatif_conf,
					  .limit = s->options.limit,
					  .capacity = s->options.capacity,
					  .profile = s->profile };
	if (s->whatif_conf.fraction > 0 && !setup.limit && setup.capacity)
		setup.limit = (uint64_t)(s->whatif_conf.fraction * (double)setup.capacity);
	enum mlv_rc rc = mlv_whatif_init(&s->whatif, &s->recorded, &setup, err);
	if (rc)
		return rc;
	s->has_whatif = true;
	s->reserved_least = s->reserved_most = s->whatif.allocator.stats.reserved_bytes.peak;
	s->profiles_oom = s->whatif.oom_at_alloc >= 0;
	for (int p = 0; !rc && p < MLV_DRIVER_PROFILES; p++) {
		struct mlv_whatif other;
		if (p == (int)s->profile)
			continue;
		setup.profile = (enum mlv_driver_profile)p;
		rc = mlv_whatif_init(&other, &s->recorded, &setup, err);
		if (rc)
			break;
		uint64_t peak = other.allocator.stats.reserved_bytes.peak;
		if (peak < s->reserved_least)
			s->reserved_least = peak;
		if (peak > s->reserved_most)
			s->reserved_most = peak;
		s->profiles_oom += other.oom_at_alloc >= 0;
		mlv_whatif_fini(&other);
	}
	if (!rc && s->whatif.oom_at_alloc >= 0) {
		rc = mlv_postmortem_whatif(&s->whatif_postmortem, &s->whatif, &s->history, err);
		s->has_whatif_postmortem = !rc;
	}
	return rc;
}

/* Whether the failed request is met under these settings, with so much memory. */
static enum mlv_rc survives(const struct mlv_study *s, const struct mlv_alloc_conf *conf,
			    uint64_t bytes, struct mlv_survivor *v, bool *yes, struct mlv_err *err)
{
	struct mlv_whatif w;
	struct mlv_whatif_setup setup = { .conf = *conf, .profile = s->profile, .go_on = true };
	if (s->postmortem.limit_kind == MLV_LIMIT_DEVICE)
		setup.capacity = bytes;
	else
		setup.limit = bytes;
	enum mlv_rc rc = mlv_whatif_init(&w, &s->recorded, &setup, err);
	if (rc)
		return rc;
	*yes = w.survived_recorded;
	v->oom_at_alloc = w.oom_at_alloc;
	mlv_whatif_fini(&w);
	return MLV_OK;
}

static enum mlv_rc find_survivors(struct mlv_study *s, struct mlv_err *err)
{
	static const char *const confs[MLV_SURVIVORS] = {
		"expandable_segments:True",   "",
		"max_split_size_mb:64",       "max_split_size_mb:128",
		"max_split_size_mb:256",      "roundup_power2_divisions:4",
		"roundup_power2_divisions:8", "garbage_collection_threshold:0.8",
	};
	struct mlv_diags notes = { 0 };
	char recorded[400], line[400];
	enum mlv_rc rc = MLV_OK;
	mlv_alloc_conf_text(&s->conf, recorded, sizeof(recorded));
	for (size_t i = 0; !rc && i < MLV_SURVIVORS; i++) {
		struct mlv_survivor v = { .conf = confs[i] };
		struct mlv_alloc_conf conf = mlv_alloc_conf_default;
		rc = mlv_alloc_conf_parse(&conf, (struct mlv_str){ confs[i], strlen(confs[i]) },
					  &notes, err);
		if (rc || !strcmp(mlv_alloc_conf_text(&conf, line, sizeof(line)), recorded))
			continue;
		uint64_t most = s->postmortem.limit_most;
		most -= most > s->postmortem.limit;
		rc = survives(s, &conf, most, &v, &v.perhaps, err);
		if (!rc && v.perhaps)
			rc = survives(s, &conf, s->postmortem.limit, &v, &v.survives, err);
		s->survivors[s->survivor_count++] = v;
	}
	mlv_diags_fini(&notes);
	return rc;
}

static enum mlv_rc examine(struct mlv_study *s, struct mlv_err *err)
{
	struct mlv_postmortem_setup setup = { s->options.limit, s->options.capacity };
	int64_t event = mlv_oom_event(&s->history, 0);
	s->oom_count = s->history.action_count[MLV_MEM_OOM];
	if (event < 0)
		return MLV_OK;
	enum mlv_rc rc = mlv_postmortem_init(&s->postmortem, &s->history, &s->conf, (uint32_t)event,
					     &setup, err);
	if (rc)
		return rc;
	s->has_postmortem = true;
	return find_survivors(s, err);
}

static enum mlv_rc beyond(struct mlv_study *s, struct mlv_err *err)
{
	struct mlv_whatif_setup setup = { .conf = s->whatif_conf,
					  .limit = s->options.limit,
					  .capacity = s->options.capacity,
					  .profile = s->profile };
	enum mlv_rc rc = examine(s, err);
	if (!rc && s->options.whatif)
		rc = run_whatif(s, err);
	if (!rc && s->options.fit) {
		rc = mlv_fit(&s->fit, &s->recorded, &setup, s->options.resolution, err);
		s->has_fit = !rc;
	}
	if (!rc && s->options.sweep)
		rc = mlv_sweep(&s->rows, &s->row_count, &s->recorded, &setup, s->options.resolution,
			       s->options.threads, err);
	return rc;
}

static enum mlv_rc settings(struct mlv_study *s, const struct mlv_run *run, struct mlv_err *err)
{
	const char *text = s->options.conf;
	s->conf = mlv_alloc_conf_of(run, &s->notes);
	s->whatif_conf = s->conf;
	if (!text)
		return MLV_OK;
	s->whatif_conf = mlv_alloc_conf_default;
	return mlv_alloc_conf_parse(&s->whatif_conf, (struct mlv_str){ text, strlen(text) },
				    &s->notes, err);
}

static enum mlv_rc address_profile(struct mlv_study *s, struct mlv_err *err)
{
	bool ok;
	if (s->options.profile == MLV_PROFILE_LEARN) {
		ok = mlv_driver_learn(&s->history, &s->profile, &s->share);
	} else {
		s->profile = (enum mlv_driver_profile)s->options.profile;
		ok = mlv_driver_explain(s->profile, &s->history, &s->share);
	}
	return ok ? MLV_OK : mlv_err_nomem(err);
}

enum mlv_rc mlv_study_init(struct mlv_study *s, const struct mlv_run *run, size_t device,
			   const struct mlv_study_options *options, struct mlv_err *err)
{
	*s = (struct mlv_study){ .options = *options };
	/* A limit for the what-if is not that of the recording. */
	if (options->lead == MLV_REPLAY_PREDICT || !options->whatif)
		s->recorded_limit = options->limit;
	struct mlv_replay_options o = { .allowed = s->recorded_limit, .lead = options->lead };
	enum mlv_rc rc = settings(s, run, err);
	if (rc)
		return rc;
	rc = mlv_history_init(&s->history, run, device, err);
	if (!rc)
		rc = mlv_recorded_init(&s->recorded, &s->history, &s->conf, &o, err);
	if (!rc)
		rc = address_profile(s, err);
	if (!rc) {
		s->not_replayable = why_not(s);
		if (!s->not_replayable)
			rc = beyond(s, err);
	}
	if (rc)
		mlv_study_fini(s);
	return rc;
}

void mlv_study_fini(struct mlv_study *s)
{
	if (s->has_postmortem)
		mlv_postmortem_fini(&s->postmortem);
	if (s->has_whatif_postmortem)
		mlv_postmortem_fini(&s->whatif_postmortem);
	if (s->has_whatif)
		mlv_whatif_fini(&s->whatif);
	free(s->rows);
	mlv_recorded_fini(&s->recorded);
	mlv_history_fini(&s->history);
	mlv_diags_fini(&s->notes);
	*s = (struct mlv_study){ 0 };
}

const char *mlv_study_caution(const struct mlv_study *s, const struct mlv_alloc_conf *conf,
			      size_t i)
{
	const char *cautions[3];
	size_t n = 0;
	if (conf->expandable && s->history.run->pools.len > 1)
		cautions[n++] = "the program uses private pools (CUDA graphs or MemPool): older "
				"versions of PyTorch do not combine them with expandable segments";
	if (conf->expandable && conf->max_split != UINT64_MAX)
		cautions[n++] = "early versions of PyTorch that combine max_split_size_mb with "
				"expandable segments release memory wrongly (pytorch issue 123548)";
	if (conf->gc_threshold > 0)
		cautions[n++] = "garbage collection only runs when a limit is set by "
				"set_per_process_memory_fraction; here it was assumed to be set";
	return i < n ? cautions[i] : NULL;
}
