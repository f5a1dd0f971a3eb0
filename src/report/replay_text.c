/* SPDX-License-Identifier: MIT */
/* A study of one device in plain words. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "report/info.h"
#include "report/replay.h"

const char *mlv_conf_words(const struct mlv_alloc_conf *conf, char *buf, size_t size)
{
	return *mlv_alloc_conf_text(conf, buf, size) ? buf : "the default settings";
}

static void row(struct mlv_buf *out, const char *name)
{
	mlv_buf_printf(out, "    %-16s", name);
}

static void part(struct mlv_buf *out, uint64_t some, uint64_t all, const char *what)
{
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE];
	if (some == all)
		mlv_buf_printf(out, "all %s %s", mlv_count(a, all), what);
	else
		mlv_buf_printf(out, "%s of %s %s", mlv_count(a, some), mlv_count(b, all), what);
}

static const char *action(uint8_t a)
{
	return a < MLV_MEM_ACTIONS ? mlv_mem_action_name((enum mlv_mem_action)a) : "nothing";
}

/* The first difference: what each did. */
static void difference(const struct mlv_difference *d, struct mlv_buf *out)
{
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE];
	row(out, "first differs");
	mlv_buf_printf(out, "at event %s, a request of %s on stream %" PRIu64,
		       mlv_count(a, d->event), mlv_bytes(b, d->bytes), d->stream);
	if (d->pool)
		mlv_buf_printf(out, " in private pool %" PRIu32, d->pool);
	mlv_buf_puts(out, ": ");
	switch (d->kind) {
	case MLV_DIFFERENT_PLACE:
		mlv_buf_printf(out, "recorded at 0x%" PRIx64 ", by the model at 0x%" PRIx64 "\n",
			       d->recorded_addr, d->model_addr);
		return;
	case MLV_DIFFERENT_FAILURE:
		mlv_buf_puts(out, d->recorded_addr ? "it fails in the model\n"
						   : "it failed, and is met in the model\n");
		return;
	case MLV_DIFFERENT_SEGMENT:
		mlv_buf_printf(out, "recorded %s", action(d->recorded_action));
		if (d->recorded_action < MLV_MEM_ACTIONS)
			mlv_buf_printf(out, " of %s at 0x%" PRIx64, mlv_bytes(a, d->recorded_bytes),
				       d->recorded_addr);
		mlv_buf_printf(out, ", the model does %s", action(d->model_action));
		if (d->model_action < MLV_MEM_ACTIONS)
			mlv_buf_printf(out, " of %s at 0x%" PRIx64, mlv_bytes(a, d->model_bytes),
				       d->model_addr);
		mlv_buf_putc(out, '\n');
	}
}

static void exactness(const struct mlv_study *s, struct mlv_buf *out)
{
	const struct mlv_recorded *r = &s->recorded;
	char a[MLV_NUM_SIZE];
	row(out, s->options.lead == MLV_REPLAY_PREDICT ? "predicted" : "replayed");
	mlv_buf_puts(out, mlv_recorded_exact(r) ? "exactly: " : "NOT exactly: ");
	part(out, r->placements_exact, r->placements, "placements, ");
	part(out, r->segment_events_exact, r->segment_events, "segment events");
	if (r->final_blocks) {
		mlv_buf_puts(out, ", ");
		part(out, r->final_blocks_exact, r->final_blocks, "blocks of the final heap");
	}
	mlv_buf_puts(out, " as recorded\n");
	if (r->different)
		difference(&r->first, out);
	if (r->empty_caches) {
		row(out, "");
		mlv_buf_printf(out, "empty_cache() by the program: %s\n",
			       mlv_count(a, r->empty_caches));
	}
	if (s->history.initial) {
		row(out, "begins with");
		mlv_buf_printf(out, "%s blocks older than the recording",
			       mlv_count(a, s->history.initial));
		if (r->origin.inferred)
			mlv_buf_printf(out, "; the size of %s of them is inferred",
				       mlv_count(a, r->origin.inferred));
		mlv_buf_putc(out, '\n');
	}
}

static void stat(struct mlv_buf *out, const char *name, const struct mlv_alloc_stat *v)
{
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE];
	row(out, name);
	mlv_buf_printf(out, "peak %s (%" PRIu64 " bytes); %s at the end\n", mlv_bytes(a, v->peak),
		       v->peak, mlv_bytes(b, v->now));
}

static void stats(const struct mlv_alloc_stats *s, struct mlv_buf *out)
{
	char a[2 * MLV_NUM_SIZE], b[MLV_NUM_SIZE], c[2 * MLV_NUM_SIZE];
	stat(out, "requested", &s->requested_bytes);
	stat(out, "allocated", &s->allocated_bytes);
	if (s->active_bytes.peak != s->allocated_bytes.peak)
		stat(out, "active", &s->active_bytes);
	stat(out, "reserved", &s->reserved_bytes);
	if (s->inactive_split_bytes.peak)
		stat(out, "inactive split", &s->inactive_split_bytes);
	row(out, "device calls");
	mlv_buf_printf(out, "%s took memory, %s gave it back; %s",
		       mlv_count(a, s->num_device_alloc), mlv_count(b, s->num_device_free),
		       mlv_fmt_count_of(c, sizeof(c), s->num_alloc_retries, "retry", "retries"));
	if (s->collections)
		mlv_buf_printf(out, ", %s",
			       mlv_fmt_count_of(a, sizeof(a), s->collections, "garbage collection",
						"garbage collections"));
	mlv_buf_putc(out, '\n');
}

/* What came after the request in the recording, as if the program had given it back at once. */
static void how_far(const struct mlv_study *s, const struct mlv_survivor *v, struct mlv_buf *out)
{
	uint64_t later = s->recorded.placements - s->postmortem.at_alloc;
	char a[2 * MLV_NUM_SIZE];
	/* What only survives perhaps also ends somewhere that hangs on the limit. */
	if (v->survives && v->oom_at_alloc >= 0)
		mlv_buf_printf(out, ", up to request %s",
			       mlv_fmt_count(a, sizeof(a), (uint64_t)v->oom_at_alloc));
	else if (v->survives && later)
		mlv_buf_printf(out, ", and so do the %s recorded after it",
			       mlv_fmt_count_of(a, sizeof(a), later, "request", "requests"));
	mlv_buf_putc(out, '\n');
}

static void survivor_rows(const struct mlv_study *s, struct mlv_buf *out)
{
	bool any = false;
	for (size_t i = 0; i < s->survivor_count; i++) {
		const struct mlv_survivor *v = &s->survivors[i];
		if (!v->perhaps)
			continue;
		mlv_buf_printf(out, "      %-16s%s%s", any ? "" : "survives with",
			       *v->conf ? v->conf : "the default settings",
			       v->survives ? "" : " (depending on the limit)");
		how_far(s, v, out);
		any = true;
	}
	if (any)
		return;
	mlv_buf_printf(out, "      %-16snone of the %zu other settings tried\n", "survives with",
		       s->survivor_count);
}

static void profile_row(const struct mlv_study *s, struct mlv_buf *out)
{
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE];
	row(out, "addresses");
	mlv_buf_printf(out, "by the profile %s", mlv_driver_profile_name(s->profile));
	if (s->share.allocs)
		mlv_buf_printf(out, ", which explains %s of the recording's %s",
			       mlv_count(a, s->share.explained), mlv_count(b, s->share.allocs));
	else
		mlv_buf_puts(out, "; the recording shows none to compare with");
	mlv_buf_putc(out, '\n');
}

static void whatif_text(const struct mlv_study *s, struct mlv_sites *sites, size_t top,
			struct mlv_buf *out)
{
	const struct mlv_whatif *w = &s->whatif;
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE], conf[400];
	mlv_buf_printf(out, "\n    what if: %s",
		       mlv_conf_words(&s->whatif_conf, conf, sizeof(conf)));
	if (w->setup.limit)
		mlv_buf_printf(out, ", limit %s", mlv_bytes(a, w->setup.limit));
	if (w->setup.capacity)
		mlv_buf_printf(out, ", device of %s", mlv_bytes(a, w->setup.capacity));
	mlv_buf_putc(out, '\n');
	stats(&w->allocator.stats, out);
	profile_row(s, out);
	if (s->reserved_least != s->reserved_most) {
		row(out, "");
		mlv_buf_printf(out, "reserved peaks over all profiles: %s to %s\n",
			       mlv_bytes(a, s->reserved_least), mlv_bytes(b, s->reserved_most));
	}
	if (w->oom_at_alloc < 0) {
		row(out, "outcome");
		mlv_buf_puts(out, w->survived_recorded
					  ? "the request that failed in the recording is met; what "
					    "the program would have done next is not known\n"
					  : "every request is met\n");
	}
	if (s->profiles_oom && s->profiles_oom < MLV_DRIVER_PROFILES) {
		row(out, "");
		mlv_buf_printf(out,
			       "a request fails under %u of %d address profiles: this hangs on "
			       "where the driver puts segments\n",
			       s->profiles_oom, MLV_DRIVER_PROFILES);
	}
	if (s->has_whatif_postmortem)
		mlv_postmortem_text(&s->whatif_postmortem, sites, top, out);
}

static void fit_words(const struct mlv_fit *f, struct mlv_buf *out)
{
	char a[MLV_NUM_SIZE];
	mlv_buf_puts(out, mlv_bytes(a, f->capacity));
	if (f->smaller_fits)
		mlv_buf_printf(out, ", and %s", mlv_bytes(a, f->smaller_fits));
	if (f->larger_fails)
		mlv_buf_printf(out, ", not %s", mlv_bytes(a, f->larger_fails));
}

static void fit_text(const struct mlv_study *s, struct mlv_buf *out)
{
	char a[MLV_NUM_SIZE];
	row(out, "fits on");
	fit_words(&s->fit, out);
	mlv_buf_printf(out, " (to within %s; %u devices tried)\n", mlv_bytes(a, s->fit.resolution),
		       s->fit.tried);
}

static void sweep_text(const struct mlv_study *s, size_t top, struct mlv_buf *out)
{
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE], c[MLV_NUM_SIZE], conf[400];
	mlv_buf_puts(out, "\n         fits on  peak reserved  device calls  settings\n");
	for (size_t i = 0; i < s->row_count && i < top; i++) {
		const struct mlv_sweep_row *r = &s->rows[i];
		mlv_buf_printf(out, "    %12s  %13s  %12s  %s", mlv_bytes(a, r->fit.capacity),
			       mlv_bytes(b, r->reserved_peak), mlv_count(c, r->device_calls),
			       mlv_conf_words(&r->conf, conf, sizeof(conf)));
		if (r->fit.larger_fails)
			mlv_buf_printf(out, " (not on %s)", mlv_bytes(a, r->fit.larger_fails));
		if (r->oom_at_alloc >= 0)
			mlv_buf_printf(out, " (out of memory at request %s)",
				       mlv_count(a, (uint64_t)r->oom_at_alloc));
		mlv_buf_putc(out, '\n');
	}
	if (s->row_count > top)
		mlv_buf_printf(out, "    and %zu more; --top shows more\n", s->row_count - top);
	if (!s->row_count)
		return;
	const struct mlv_alloc_conf *best = &s->rows[0].conf;
	if (*mlv_alloc_conf_text(best, conf, sizeof(conf)))
		mlv_buf_printf(out, "\n    export PYTORCH_CUDA_ALLOC_CONF='%s'\n", conf);
	else
		mlv_buf_puts(out, "\n    the default settings do best\n");
	mlv_buf_puts(out, "    not covered: a program that reacts to free memory, or catches "
			  "out-of-memory errors,\n    would have asked for other things\n");
	for (size_t i = 0; mlv_study_caution(s, best, i); i++)
		mlv_buf_printf(out, "    caution: %s\n", mlv_study_caution(s, best, i));
}

void mlv_replay_text(const struct mlv_study *s, struct mlv_sites *sites, size_t top,
		     struct mlv_buf *out)
{
	char name[100], conf[400];
	mlv_buf_printf(out, "  %s: %s\n",
		       mlv_device_name(s->history.run, s->history.device, name, sizeof(name)),
		       mlv_conf_words(&s->conf, conf, sizeof(conf)));
	if (s->not_replayable) {
		row(out, "not replayed");
		mlv_buf_printf(out, "%s\n", s->not_replayable);
		return;
	}
	exactness(s, out);
	stats(&s->recorded.allocator.stats, out);
	if (s->has_postmortem) {
		mlv_buf_putc(out, '\n');
		mlv_postmortem_text(&s->postmortem, sites, top, out);
		survivor_rows(s, out);
	}
	if (s->has_whatif)
		whatif_text(s, sites, top, out);
	if (s->has_fit)
		fit_text(s, out);
	if (s->row_count)
		sweep_text(s, top, out);
}
