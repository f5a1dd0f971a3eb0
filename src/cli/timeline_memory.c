/* SPDX-License-Identifier: MIT */
#include "cli/timeline_memory.h"

#include <stdlib.h>
#include <unistd.h>

#include "cli/term.h"
#include "render/term_chart.h"
#include "report/timeline.h"

static enum mlv_rc draw(const void *context, struct mlv_canvas *c, struct mlv_err *err)
{
	return mlv_memory_chart_draw(c, context, err);
}

enum mlv_rc mlv_memory_draw(const struct mlv_panels *panels, const struct mlv_memory_options *o,
			    struct mlv_buf *picture, struct mlv_err *err)
{
	struct mlv_buf subtitle = { 0 }, notice = { 0 }, title = { 0 };
	struct mlv_picture p = o->picture;
	mlv_timeline_subtitle(panels->list, panels->count, &subtitle);
	mlv_timeline_notice(panels->list, panels->count, &notice);
	if (!p.title) {
		mlv_picture_title(panels->data[0].input->run.file, panels->sites_count, &title);
		p.title = title.data ? title.data : "";
	}
	struct mlv_memory_chart chart = {
		.page = mlv_picture_page(&p, subtitle.data ? subtitle.data : "",
					 notice.len ? notice.data : NULL),
		.panels = panels->list,
		.count = panels->count,
		.capacity = o->capacity,
		.top = o->top,
		.by_time = o->by_time,
		.hover = p.svg,
	};
	enum mlv_rc rc = mlv_picture_draw(&p, draw, &chart, picture, err);
	mlv_buf_fini(&subtitle);
	mlv_buf_fini(&notice);
	mlv_buf_fini(&title);
	return rc;
}

static enum mlv_rc text_chart(const struct mlv_memory_panel *panel, struct mlv_buf *out,
			      struct mlv_err *err)
{
	const struct mlv_history *h = panel->history;
	uint64_t top = h->reserved.peak > h->requested.peak ? h->reserved.peak : h->requested.peak;
	struct mlv_view view = { .first = panel->first,
				 .last = panel->last,
				 .columns = mlv_term_chart_columns(mlv_term_width(STDOUT_FILENO)),
				 .rows = 10,
				 .top_bytes = top };
	if (!top)
		return MLV_OK;
	struct mlv_instant *instants = mlv_view_instants(h, &view);
	if (!instants)
		return mlv_err_nomem(err);
	struct mlv_term_chart chart = { .values = instants,
					.columns = view.columns,
					.rows = view.rows,
					.top = top,
					.utf8 = mlv_term_utf8(),
					.color = mlv_term_color(STDOUT_FILENO) };
	mlv_term_chart_draw(&chart, out);
	free(instants);
	return MLV_OK;
}

enum mlv_rc mlv_memory_text(struct mlv_panels *panels, const struct mlv_memory_options *o,
			    struct mlv_buf *out, struct mlv_err *err)
{
	enum mlv_rc rc = mlv_panels_counted(panels, err);
	const struct mlv_input *last = NULL;
	for (size_t i = 0; !rc && i < panels->count; i++) {
		const struct mlv_panel_data *d = &panels->data[i];
		if (d->input != last) {
			const char *file = d->input->run.file;
			mlv_buf_safe(out, mlv_str_of(file));
			mlv_buf_putc(out, '\n');
		}
		last = d->input;
		rc = mlv_timeline_text(&panels->list[i], o->top < 5 ? o->top : 5, out, err);
		if (!rc)
			rc = text_chart(&panels->list[i], out, err);
	}
	return rc;
}

enum mlv_rc mlv_memory_json(struct mlv_panels *panels, const struct mlv_memory_options *o,
			    struct mlv_json *j, struct mlv_err *err)
{
	enum mlv_rc rc = mlv_panels_counted(panels, err);
	for (size_t i = 0; !rc && i < panels->count; i++)
		rc = mlv_timeline_json(&panels->list[i], o->top, j, err);
	return rc;
}
