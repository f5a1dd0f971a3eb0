/* SPDX-License-Identifier: MIT */
#include "cli/timeline_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

enum mlv_rc mlv_panels_blocks(const struct mlv_panels *panels, uint64_t capacity, size_t top,
			      struct mlv_html *html, struct mlv_err *err)
{
	struct said *said = calloc(panels->count + 1, sizeof(*said));
	struct mlv_memory_block_words *words = calloc(panels->count + 1, sizeof(*words));
	enum mlv_rc rc = said && words ? MLV_OK : mlv_err_nomem(err);
	if (!rc) {
		for (size_t i = 0; i < panels->count; i++)
			say(panels, i, &said[i], &words[i]);
		struct mlv_memory_blocks blocks = { panels->list, words, panels->count, capacity,
						    top };
		rc = mlv_memory_blocks_add(html, &blocks, err);
	}
	free(said);
	free(words);
	return rc;
}

enum mlv_rc mlv_memory_page(const struct mlv_panels *panels, const struct mlv_memory_options *o,
			    struct mlv_buf *page, struct mlv_err *err)
{
	struct mlv_html html = { 0 };
	struct mlv_buf title = { 0 };
	if (o->picture.title)
		mlv_buf_puts(&title, o->picture.title);
	else
		mlv_picture_title(panels->data[0].input->run.file, panels->sites_count, &title);
	enum mlv_rc rc = title.failed ? mlv_err_nomem(err)
				      : mlv_panels_blocks(panels, o->capacity, o->top, &html, err);
	if (!rc)
		rc = mlv_html_end(&html, title.data ? title.data : "", page, err);
	mlv_html_fini(&html);
	mlv_buf_fini(&title);
	return rc;
}
