/* SPDX-License-Identifier: MIT */
#include "cli/replay_picture.h"

#include <stdio.h>

#include "base/num.h"
#include "cli/replay_moment.h"
#include "render/replay_page.h"
#include "report/replay.h"

enum { SITES = 40 }; /* in the legend, as far as there is room */

struct drawing {
	const struct mlv_replay_drawing *r;
	const struct mlv_study *s;
	const struct mlv_picture *o;
	struct mlv_frag_series series[MLV_FRAG_SETTINGS];
	size_t count;
	char name[400]; /* of the what-if */
};

static enum mlv_rc add_series(struct drawing *d, struct mlv_err *err)
{
	const struct mlv_history *h = &d->s->history;
	uint32_t columns = mlv_replay_page_columns(d->o->width);
	enum mlv_rc rc =
		mlv_frag_series_init(&d->series[d->count], 0, (uint32_t)h->count - 1, columns, err);
	if (!rc)
		d->count++;
	return rc;
}

static enum mlv_rc watch_recorded(struct drawing *d, struct mlv_err *err)
{
	struct mlv_recorded r;
	struct mlv_replay_options o = { .allowed = d->s->recorded_limit,
					.lead = d->s->options.lead };
	enum mlv_rc rc = add_series(d, err);
	if (rc)
		return rc;
	o.watch = mlv_frag_series_watch(&d->series[0]);
	rc = mlv_recorded_init(&r, &d->s->history, &d->s->conf, &o, err);
	if (rc)
		return rc;
	mlv_frag_series_end(&d->series[0], &r.allocator);
	mlv_recorded_fini(&r);
	return MLV_OK;
}

static enum mlv_rc watch_whatif(struct drawing *d, struct mlv_err *err)
{
	struct mlv_whatif w;
	struct mlv_whatif_setup setup = d->s->whatif.setup;
	char conf[400];
	enum mlv_rc rc = add_series(d, err);
	if (rc)
		return rc;
	setup.watch = mlv_frag_series_watch(&d->series[1]);
	rc = mlv_whatif_init(&w, &d->s->recorded, &setup, err);
	if (rc)
		return rc;
	mlv_frag_series_end(&d->series[1], &w.allocator);
	mlv_whatif_fini(&w);
	snprintf(d->name, sizeof(d->name), "%s",
		 mlv_conf_words(&d->s->whatif_conf, conf, sizeof(conf)));
	return MLV_OK;
}

static void add_gpu(struct mlv_frag_chart *chart, const struct mlv_gpu_run *gpu)
{
	chart->device = gpu->meter.samples.data;
	chart->device_samples = gpu->meter.samples.len;
	chart->device_last = mlv_gpu_run_last_event(gpu);
	chart->device_peak = gpu->meter.used_peak;
	chart->device_scale = gpu->setup.scale;
}

/* Fragmentation over the replay, and the map below it. NULL: there is none. */
static enum mlv_rc draw_page(const struct drawing *d, struct mlv_canvas *c,
			     const struct mlv_segment_map_chart *map, struct mlv_err *err)
{
	const struct mlv_history *h = &d->s->history;
	char conf[400], device[64], subtitle[600];
	snprintf(subtitle, sizeof(subtitle), "%s \u00b7 fragmentation over the replay \u00b7 %s",
		 mlv_device_name(h->run, h->device, device, sizeof(device)),
		 mlv_conf_words(&d->s->conf, conf, sizeof(conf)));
	struct mlv_frag_setting settings[MLV_FRAG_SETTINGS] = {
		{ &d->series[0], d->count > 1 ? "recorded" : conf }, { &d->series[1], d->name }
	};
	struct mlv_frag_chart chart = { .theme = d->o->theme,
					.history = h,
					.settings = settings,
					.count = d->count,
					.limit = d->s->options.limit ? d->s->options.limit
								     : d->s->options.capacity,
					.moment = map ? map->event : -1,
					.hover = d->o->svg };
	if (d->r->gpu)
		add_gpu(&chart, d->r->gpu);
	struct mlv_replay_page page = { .page = mlv_picture_page(d->o, subtitle, NULL),
					.frag = &chart,
					.map = map };
	return mlv_replay_page_draw(c, &page, err);
}

/* With the segments at the moment of --at: of the what-if, if there is one. */
static enum mlv_rc draw_moment(const struct drawing *d, struct mlv_canvas *c, struct mlv_err *err)
{
	struct mlv_replay_moment m;
	struct mlv_classes classes;
	bool whatif = d->count > 1;
	char title[600], number[MLV_NUM_SIZE];
	enum mlv_rc rc =
		mlv_replay_moment_init(&m, d->s, &d->series[whatif], whatif, d->r->at, err);
	if (rc)
		return rc;
	snprintf(title, sizeof(title), "Segments after event %s%s: %s",
		 mlv_fmt_count(number, sizeof(number), m.event),
		 m.ended ? ", where the what-if ends" : "", whatif ? d->name : "recorded");
	rc = mlv_classes_init(&classes, MLV_BY_SITE, &d->s->history, d->r->sites, err);
	if (!rc) {
		struct mlv_segment_map_chart chart = { .theme = d->o->theme,
						       .map = &m.map,
						       .classes = &classes,
						       .by_site = !d->r->by_state,
						       .history = &d->s->history,
						       .title = title,
						       .event = m.event,
						       .request = m.request,
						       .top = SITES,
						       .hover = d->o->svg };
		rc = draw_page(d, c, &chart, err);
		mlv_classes_fini(&classes);
	}
	mlv_replay_moment_fini(&m);
	return rc;
}

static enum mlv_rc draw(const void *context, struct mlv_canvas *c, struct mlv_err *err)
{
	const struct drawing *d = context;
	return d->r->at ? draw_moment(d, c, err) : draw_page(d, c, NULL, err);
}

enum mlv_rc mlv_replay_picture_draw(const struct mlv_replay_drawing *r, const struct mlv_picture *o,
				    struct mlv_buf *picture, struct mlv_err *err)
{
	struct drawing d = { .r = r, .s = r->study, .o = o };
	if (d.s->not_replayable)
		return mlv_err_set(err, MLV_E_FORMAT, "there is no replay to draw: %s",
				   d.s->not_replayable);
	enum mlv_rc rc = watch_recorded(&d, err);
	if (!rc && d.s->has_whatif)
		rc = watch_whatif(&d, err);
	if (!rc)
		rc = mlv_picture_draw(o, draw, &d, picture, err);
	for (size_t i = 0; i < d.count; i++)
		mlv_frag_series_fini(&d.series[i]);
	return rc;
}
