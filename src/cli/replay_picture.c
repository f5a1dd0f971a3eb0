/* SPDX-License-Identifier: MIT */
#include "cli/replay_picture.h"

#include <stdio.h>

#include "render/frag_chart.h"
#include "replay/frag_series.h"
#include "report/replay.h"

enum { LEGEND = 302, MARGIN = 32 };

struct drawing {
	const struct mlv_study *s;
	const struct mlv_gpu_run *gpu;
	const struct mlv_picture *o;
	struct mlv_frag_series series[MLV_FRAG_SETTINGS];
	size_t count;
	char name[400];
};

static enum mlv_rc add_series(struct drawing *d, struct mlv_err *err)
{
	const struct mlv_history *h = &d->s->history;
	uint32_t columns = mlv_frag_chart_columns(d->o->width - LEGEND - MARGIN);
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

static enum mlv_rc draw(const void *context, struct mlv_canvas *c, struct mlv_err *err)
{
	const struct drawing *d = context;
	const struct mlv_history *h = &d->s->history;
	char conf[400], device[64], subtitle[600];
	snprintf(subtitle, sizeof(subtitle), "%s \u00b7 fragmentation over the replay \u00b7 %s",
		 mlv_device_name(h->run, h->device, device, sizeof(device)),
		 mlv_conf_words(&d->s->conf, conf, sizeof(conf)));
	struct mlv_page page = mlv_picture_page(d->o, subtitle, NULL);
	struct mlv_frag_setting settings[MLV_FRAG_SETTINGS] = {
		{ &d->series[0], d->count > 1 ? "recorded" : conf }, { &d->series[1], d->name }
	};
	struct mlv_frag_chart chart = { .theme = d->o->theme,
					.history = h,
					.settings = settings,
					.count = d->count,
					.limit = d->s->options.limit ? d->s->options.limit
								     : d->s->options.capacity,
					.moment = -1,
					.hover = d->o->svg };
	if (d->gpu) {
		chart.device = d->gpu->meter.samples.data;
		chart.device_samples = d->gpu->meter.samples.len;
		chart.device_last = mlv_gpu_run_last_event(d->gpu);
		chart.device_peak = d->gpu->meter.used_peak;
		chart.device_scale = d->gpu->setup.scale;
	}
	double y = mlv_page_headings(c, &page), right = d->o->width - LEGEND - MARGIN;
	struct mlv_rect area = { 0, y, right, d->o->height - y };
	struct mlv_rect legend = { right + 4, y + 12, LEGEND, d->o->height - y - 12 };
	enum mlv_rc rc = mlv_frag_chart_draw(c, &chart, area, err);
	if (!rc)
		mlv_frag_legend_draw(c, &chart, legend);
	return rc;
}

enum mlv_rc mlv_replay_picture_draw(const struct mlv_study *s, const struct mlv_gpu_run *gpu,
				    const struct mlv_picture *o, struct mlv_buf *picture,
				    struct mlv_err *err)
{
	struct drawing d = { .s = s, .gpu = gpu, .o = o };
	if (s->not_replayable)
		return mlv_err_set(err, MLV_E_FORMAT, "there is no replay to draw: %s",
				   s->not_replayable);
	if (o->width < 2 * LEGEND + MARGIN)
		return mlv_err_set(err, MLV_E_USAGE,
				   "--size: a replay needs a width of %d at "
				   "least",
				   2 * LEGEND + MARGIN);
	enum mlv_rc rc = watch_recorded(&d, err);
	if (!rc && s->has_whatif)
		rc = watch_whatif(&d, err);
	if (!rc)
		rc = mlv_picture_draw(o, draw, &d, picture, err);
	for (size_t i = 0; i < d.count; i++)
		mlv_frag_series_fini(&d.series[i]);
	return rc;
}
