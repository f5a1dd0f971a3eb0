/* SPDX-License-Identifier: MIT */
#include "cli/timeline_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/page_timelines.h"
#include "cli/timeline_other.h"
#include "render/html/memory_blocks.h"
#include "report/info.h"
#include "report/timeline.h"

/* What is said of one panel. */
struct said {
	char title[400], completeness[400];
};

static void say(const struct mlv_panels *panels, size_t i, struct said *said,
		struct mlv_memory_block_words *words)
{
	const struct mlv_panel_data *d = &panels->data[i];
	struct mlv_str file = mlv_str_basename(mlv_str_of(d->input->run.file));
	/* Of several inputs the title names its file already. */
	if (strncmp(d->title, file.p, file.n < 180 ? file.n : 180) == 0)
		snprintf(said->title, sizeof(said->title), "%s", d->title);
	else
		snprintf(said->title, sizeof(said->title), "%.60s \u00b7 %s", file.p, d->title);
	mlv_history_in_words(&d->history, said->completeness, sizeof(said->completeness));
	*words = (struct mlv_memory_block_words){ said->title, said->completeness };
}

enum mlv_rc mlv_panels_blocks(const struct mlv_panels *panels, size_t first, uint64_t capacity,
			      size_t top, struct mlv_html *html, struct mlv_err *err)
{
	struct said *said = calloc(panels->count + 1, sizeof(*said));
	struct mlv_memory_block_words *words = calloc(panels->count + 1, sizeof(*words));
	enum mlv_rc rc = said && words ? MLV_OK : mlv_err_nomem(err);
	if (!rc) {
		for (size_t i = 0; i < panels->count; i++)
			say(panels, i, &said[i], &words[i]);
		struct mlv_memory_blocks blocks = { .panels = panels->list,
						    .words = words,
						    .count = panels->count,
						    .first = first,
						    .capacity = capacity,
						    .by_time = panels->by_time,
						    .top = top };
		rc = mlv_memory_blocks_add(html, &blocks, err);
	}
	free(said);
	free(words);
	return rc;
}

/* A file of spans alone may hold millions; a page of some ten MiB shows as many. */
enum { MOST_SPANS = 2000000 };

static enum mlv_rc add_all(struct mlv_page_timelines *p, const struct mlv_panels *panels,
			   const struct mlv_inputs *in, const struct mlv_memory_options *o,
			   struct mlv_err *err)
{
	enum mlv_rc rc = mlv_page_add_memory(p, panels, o->capacity, o->top, err);
	for (size_t i = 0; !rc && i < in->count; i++) {
		if (mlv_picture_kind(&in->list[i].run) == MLV_PICTURE_SPANS)
			rc = mlv_page_add_spans(p, &in->list[i].run, MOST_SPANS, err);
	}
	return rc;
}

enum mlv_rc mlv_timeline_page(const struct mlv_panels *panels, const struct mlv_inputs *in,
			      const struct mlv_memory_options *o, struct mlv_buf *page,
			      struct mlv_err *err)
{
	struct mlv_html html = { 0 };
	struct mlv_buf title = { 0 };
	struct mlv_page_timelines timelines = { 0 };
	const struct mlv_page_limits no_limits = { 0 };
	const struct mlv_input *first = panels->count ? panels->data[0].input : &in->list[0];
	if (o->picture.title)
		mlv_buf_puts(&title, o->picture.title);
	else
		mlv_picture_title(first->run.file, in->count, &title);
	enum mlv_rc rc =
		title.failed ? mlv_err_nomem(err) : add_all(&timelines, panels, in, o, err);
	if (!rc)
		rc = mlv_page_timelines_end(&timelines, &no_limits, &html, err);
	if (!rc)
		rc = mlv_html_end(&html, title.data ? title.data : "", page, err);
	mlv_page_timelines_fini(&timelines);
	mlv_html_fini(&html);
	mlv_buf_fini(&title);
	return rc;
}
