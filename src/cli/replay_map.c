/* SPDX-License-Identifier: MIT */
/* The other picture of `mlviz replay -o`: the segments at one moment, to scale. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "cli/moment.h"
#include "cli/replay_picture.h"
#include "render/segment_map_chart.h"
#include "replay/segment_map.h"
#include "report/replay.h"

enum { SIDE = 302, MARGIN = 32 };

struct moment {
	const struct mlv_study *s;
	const struct mlv_picture *o;
	uint32_t event;
	struct mlv_segment_map map;
	struct mlv_classes classes;
};

static enum mlv_rc draw(const void *context, struct mlv_canvas *c, struct mlv_err *err)
{
	const struct moment *m = context;
	const struct mlv_history *h = &m->s->history;
	char title[80], number[MLV_NUM_SIZE], conf[400], device[64], subtitle[600];
	const struct mlv_mem_event *e = &h->events[m->event];
	snprintf(title, sizeof(title), "after event %s",
		 mlv_fmt_count(number, sizeof(number), m->event));
	snprintf(subtitle, sizeof(subtitle), "%s \u00b7 segments %s \u00b7 %s",
		 mlv_device_name(h->run, h->device, device, sizeof(device)), title,
		 mlv_conf_words(&m->s->conf, conf, sizeof(conf)));
	struct mlv_page page = mlv_picture_page(m->o, subtitle, NULL);
	struct mlv_segment_map_chart chart = { .theme = m->o->theme,
					       .map = &m->map,
					       .classes = &m->classes,
					       .by_site = true,
					       .history = h,
					       .title = title,
					       .event = m->event,
					       .request = e->action == MLV_MEM_OOM ? e->bytes : 0,
					       .top = 10,
					       .hover = m->o->svg };
	double y = mlv_page_headings(c, &page), right = m->o->width - SIDE - MARGIN;
	struct mlv_rect area = { 0, y, right, m->o->height - y };
	struct mlv_rect side = { right + 4, y + 12, SIDE, m->o->height - y - 12 };
	return mlv_segment_map_draw(c, &chart, area, side, err);
}

/* The recording once more, up to the moment. */
static enum mlv_rc map_of(struct moment *m, struct mlv_err *err)
{
	struct mlv_recorded r;
	struct mlv_replay_options o = { .allowed = m->s->recorded_limit,
					.lead = m->s->options.lead,
					.events = m->event + 1 };
	enum mlv_rc rc = mlv_recorded_init(&r, &m->s->history, &m->s->conf, &o, err);
	if (rc)
		return rc;
	rc = mlv_segment_map_init(&m->map, &r.allocator, err);
	mlv_recorded_fini(&r);
	return rc;
}

enum mlv_rc mlv_replay_map_draw(const struct mlv_study *s, struct mlv_sites *sites, const char *at,
				const struct mlv_picture *o, struct mlv_buf *picture,
				struct mlv_err *err)
{
	struct moment m = { .s = s, .o = o };
	int64_t event;
	enum mlv_rc rc = mlv_moment_of(&s->history, at, &event, err);
	/* At least one event: a replay shows what was done, and before it there is nothing. */
	m.event = event > 0 ? (uint32_t)event : 0;
	if (!rc)
		rc = map_of(&m, err);
	if (rc)
		return rc;
	rc = mlv_classes_init(&m.classes, MLV_BY_SITE, &s->history, sites, err);
	if (!rc) {
		rc = mlv_picture_draw(o, draw, &m, picture, err);
		mlv_classes_fini(&m.classes);
	}
	mlv_segment_map_fini(&m.map);
	return rc;
}
