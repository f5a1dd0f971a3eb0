/* SPDX-License-Identifier: MIT */
#include "cli/classify_picture.h"

#include <stdio.h>

#include "render/verdict_chart.h"

struct drawing {
	const struct mlv_verdicts *v;
	const struct mlv_picture *p;
};

static enum mlv_rc draw(const void *context, struct mlv_canvas *c, struct mlv_err *err)
{
	const struct drawing *d = context;
	size_t most = mlv_verdict_chart_most(d->p->height), count = d->v->list.len;
	char subtitle[160];
	int n = snprintf(subtitle, sizeof(subtitle),
			 "allocated through the steps; dashed: what each step begins with");
	if (count > most)
		snprintf(subtitle + n, sizeof(subtitle) - (size_t)n,
			 "; %zu more verdicts are not drawn", count - most);
	struct mlv_verdict_chart chart = { .page = mlv_picture_page(d->p, subtitle, NULL),
					   .verdicts = d->v->list.data,
					   .count = count < most ? count : most };
	return mlv_verdict_chart_draw(c, &chart, err);
}

/* How many files the verdicts are from. */
static size_t files(const struct mlv_verdicts *v)
{
	size_t n = v->list.len > 0;
	for (size_t i = 1; i < v->list.len; i++)
		n += v->list.data[i].run != v->list.data[i - 1].run;
	return n;
}

enum mlv_rc mlv_classify_picture_draw(const struct mlv_verdicts *v,
				      const struct mlv_picture_options *o, enum mlv_form form,
				      struct mlv_buf *picture, struct mlv_err *err)
{
	struct mlv_buf title = { 0 };
	if (!v->list.len)
		return mlv_err_set(err, MLV_E_FORMAT, "there is no verdict to draw");
	mlv_buf_puts(&title, "Why memory grows: ");
	mlv_picture_title(v->list.data[0].run->file, files(v), &title);
	struct mlv_picture p = mlv_picture_of(o, form, title.data ? title.data : "");
	struct drawing d = { v, &p };
	enum mlv_rc rc =
		title.failed ? mlv_err_nomem(err) : mlv_picture_draw(&p, draw, &d, picture, err);
	mlv_buf_fini(&title);
	return rc;
}
