/* SPDX-License-Identifier: MIT */
#include "cli/timeline_picture.h"

#include <unistd.h>

#include "cli/term.h"
#include "cli/timeline_page.h"

/* A page shows memory, also that of traces, and spans. */
static enum mlv_rc page_of(struct mlv_timeline_picture *t, const struct mlv_inputs *in,
			   struct mlv_err *err)
{
	bool spans = false;
	for (size_t i = 0; i < in->count; i++) {
		spans |= mlv_picture_kind(&in->list[i].run) == MLV_PICTURE_SPANS;
		if (in->list[i].run.devices.len)
			t->kind = MLV_PICTURE_MEMORY;
	}
	if (t->kind <= MLV_PICTURE_MEMORY)
		return MLV_OK;
	t->kind = MLV_PICTURE_SPANS;
	if (spans)
		return MLV_OK;
	return mlv_err_set(err, MLV_E_USAGE,
			   "a page shows memory and spans over time, of which no input has "
			   "recorded any; what they hold can be drawn with -o NAME.svg or "
			   "NAME.png");
}

enum mlv_rc mlv_timeline_picture_init(struct mlv_timeline_picture *t, struct mlv_inputs *in,
				      const struct mlv_timeline_options *o, struct mlv_err *err)
{
	*t = (struct mlv_timeline_picture){
		.page = o->page,
		.in = in,
		.memory = { o->picture, o->capacity, o->top, o->by_time },
		.other = { o->picture, o->panels.from, o->panels.to, o->capacity, o->top },
	};
	for (size_t i = 0; i < in->count && t->kind == MLV_PICTURE_NONE; i++)
		t->kind = mlv_picture_kind(&in->list[i].run);
	enum mlv_rc rc = o->page ? page_of(t, in, err) : MLV_OK;
	if (rc || t->kind > MLV_PICTURE_MEMORY)
		return rc;
	t->kind = MLV_PICTURE_MEMORY;
	struct mlv_panels_options panels = o->panels;
	panels.spans_elsewhere = o->page;
	rc = in->count ? mlv_panels_init(&t->panels, in, &panels, err) : MLV_OK;
	t->panels.by_time = o->by_time;
	return rc;
}

void mlv_timeline_picture_fini(struct mlv_timeline_picture *t)
{
	mlv_panels_fini(&t->panels);
}

const struct mlv_input *mlv_timeline_picture_first(const struct mlv_timeline_picture *t)
{
	if (t->kind != MLV_PICTURE_MEMORY)
		return &t->in->list[0];
	return t->panels.count ? t->panels.data[0].input : NULL;
}

enum mlv_rc mlv_timeline_picture_draw(const struct mlv_timeline_picture *t, struct mlv_buf *picture,
				      struct mlv_err *err)
{
	if (t->page)
		return mlv_timeline_page(&t->panels, t->in, &t->memory, picture, err);
	if (t->kind == MLV_PICTURE_MEMORY)
		return mlv_memory_draw(&t->panels, &t->memory, picture, err);
	return mlv_other_draw(t->in, t->kind, &t->other, picture, err);
}

enum mlv_rc mlv_timeline_picture_text(struct mlv_timeline_picture *t, struct mlv_buf *out,
				      struct mlv_err *err)
{
	if (t->kind == MLV_PICTURE_MEMORY)
		return mlv_memory_text(&t->panels, &t->memory, out, err);
	return mlv_other_text(t->in, t->kind, mlv_term_width(STDOUT_FILENO), out, err);
}

enum mlv_rc mlv_timeline_picture_json(struct mlv_timeline_picture *t, struct mlv_json *j,
				      struct mlv_err *err)
{
	if (t->kind == MLV_PICTURE_MEMORY)
		return mlv_memory_json(&t->panels, &t->memory, j, err);
	return mlv_other_json(t->in, t->kind, &t->other, j, err);
}
