/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/num.h"
#include "cli/command.h"
#include "cli/exit.h"
#include "cli/output.h"
#include "cli/term.h"
#include "cli/timeline_other.h"
#include "cli/timeline_panels.h"
#include "render/term_chart.h"
#include "report/timeline.h"

struct state {
	int color, x, theme;
	uint64_t capacity;
	int64_t device;
	const char *from, *to, *title, *user_path;
	uint64_t top;
	struct mlv_opt_size size;
	struct mlv_common common;
};

static const char *const colors[] = { "stack", "size", "stream", "pool", NULL };
static const char *const axes[] = { "event", "time", NULL };
static const char *const themes[] = { "light", "dark", NULL };

static const struct mlv_option options[] = {
	MLV_OPT_ONE_OF(0, "color", struct state, color, "BY", "what a colour stands for", colors),
	MLV_OPT_ONE_OF(0, "x", struct state, x, "AXIS", "event number or wall time along x", axes),
	MLV_OPT(0, "capacity", BYTES, struct state, capacity, "SIZE",
		"draw the device's capacity as a line, as in 80GiB"),
	MLV_OPT(0, "device", INT, struct state, device, "N", "only this device"),
	MLV_OPT(0, "from", STRING, struct state, from, "EVENT|TIME",
		"begin at an event number, or at a time since the first event as in 1.5s"),
	MLV_OPT(0, "to", STRING, struct state, to, "EVENT|TIME", "end there"),
	MLV_OPT(0, "size", SIZE, struct state, size, "WxH", "size of the picture in pixels"),
	MLV_OPT_ONE_OF(0, "theme", struct state, theme, "NAME", "colours of the page", themes),
	MLV_OPT(0, "top", UINT, struct state, top, "N", "name the N largest in the legend"),
	MLV_OPT(0, "title", STRING, struct state, title, "TEXT",
		"heading, instead of the file's name"),
	MLV_OPT(0, "user-path", STRING, struct state, user_path, "PREFIX",
		"files below PREFIX are the user's own code"),
	MLV_COMMON_OPTIONS(struct state, common),
	MLV_OPT_END,
};

static void defaults(void *opaque)
{
	struct state *st = opaque;
	st->device = -1;
	st->top = 12;
	st->size = (struct mlv_opt_size){ 1600, 900 };
}

enum form { FORM_SVG, FORM_PNG };

static enum mlv_rc form_of(const char *path, enum form *form, struct mlv_err *err)
{
	struct mlv_str p = { path ? path : "", path ? strlen(path) : 0 };
	*form = FORM_SVG;
	if (mlv_str_has_suffix(p, MLV_STR(".png")))
		*form = FORM_PNG;
	else if (path && strcmp(path, "-") != 0 && strncmp(path, "/dev/", 5) != 0 &&
		 !mlv_str_has_suffix(p, MLV_STR(".svg")))
		return mlv_err_set(err, MLV_E_USAGE,
				   "-o %s: the name must end in .svg or .png, which is what a "
				   "timeline can be",
				   path);
	return MLV_OK;
}

/* "runs/mem.pickle.gz" becomes "mem.timeline.svg" in the current directory. */
static void default_name(const struct mlv_input *input, char *buf, size_t size)
{
	static const struct mlv_str endings[] = { MLV_STR_INIT(".gz"),     MLV_STR_INIT(".zst"),
						  MLV_STR_INIT(".pickle"), MLV_STR_INIT(".pkl"),
						  MLV_STR_INIT(".json"),   MLV_STR_INIT(".*") };
	const char *path = input->run.file;
	struct mlv_str name = mlv_str_basename(mlv_str_of(path));
	if (input->is_stdin)
		name = MLV_STR("stdin");
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		if (name.n > endings[i].n && mlv_str_has_suffix(name, endings[i]))
			name.n -= endings[i].n;
	}
	snprintf(buf, size, "%.*s.timeline.svg", name.n > 200 ? 200 : (int)name.n, name.p);
}

static enum mlv_rc draw(const struct state *st, const struct mlv_panels *panels, enum form form,
			struct mlv_buf *picture, struct mlv_err *err)
{
	struct mlv_buf subtitle = { 0 }, notice = { 0 }, title = { 0 };
	const char *file = panels->data[0].input->run.file;
	mlv_timeline_subtitle(panels->list, panels->count, &subtitle);
	mlv_timeline_notice(panels->list, panels->count, &notice);
	if (st->title)
		mlv_buf_puts(&title, st->title);
	else
		mlv_buf_str(&title, mlv_str_basename(mlv_str_of(file)));
	if (!st->title && panels->sites_count > 1)
		mlv_buf_printf(&title, " and %zu more", panels->sites_count - 1);
	struct mlv_memory_chart chart = { .page = { .title = title.data ? title.data : "",
						    .subtitle = subtitle.data ? subtitle.data : "",
						    .notice = notice.len ? notice.data : NULL,
						    .theme = mlv_theme_find(themes[st->theme]),
						    .width = st->size.w,
						    .height = st->size.h },
					  .panels = panels->list,
					  .count = panels->count,
					  .capacity = st->capacity,
					  .top = (size_t)st->top,
					  .by_time = st->x == 1,
					  .hover = form == FORM_SVG };
	struct mlv_canvas *canvas =
		form == FORM_PNG
			? mlv_canvas_create_png(st->size.w, st->size.h, chart.page.theme->ground,
						err)
			: mlv_canvas_create_svg(st->size.w, st->size.h, chart.page.theme->ground,
						chart.page.title, err);
	enum mlv_rc rc = canvas ? mlv_memory_chart_draw(canvas, &chart, err) : err->rc;
	if (!rc)
		rc = mlv_canvas_finish(canvas, picture, err);
	mlv_canvas_destroy(canvas);
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

/* What is printed beside the picture. */
static enum mlv_rc summarise(const struct state *st, struct mlv_panels *panels, const char *path,
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
		rc = mlv_timeline_text(&panels->list[i], st->top < 5 ? (size_t)st->top : 5, out,
				       err);
		if (!rc)
			rc = text_chart(&panels->list[i], out, err);
	}
	mlv_buf_puts(out, "wrote ");
	mlv_buf_safe(out, mlv_str_of(path));
	mlv_buf_putc(out, '\n');
	return rc;
}

static void begin_json(struct mlv_json *j, const char *path, struct mlv_buf *out)
{
	mlv_json_document(j, out, "mlviz.timeline/1");
	mlv_json_key_text(j, "output", path);
	mlv_json_key_array(j, "plots");
}

static void end_json(struct mlv_json *j)
{
	mlv_json_array_end(j);
	mlv_json_document_end(j);
}

static enum mlv_rc summarise_json(const struct state *st, struct mlv_panels *panels,
				  const char *path, struct mlv_buf *out, struct mlv_err *err)
{
	enum mlv_rc rc = mlv_panels_counted(panels, err);
	struct mlv_json j;
	begin_json(&j, path, out);
	for (size_t i = 0; !rc && i < panels->count; i++)
		rc = mlv_timeline_json(&panels->list[i], (size_t)st->top, &j, err);
	if (!rc)
		end_json(&j);
	return rc;
}

static enum mlv_rc produce(const struct state *st, struct mlv_panels *panels, struct mlv_err *err)
{
	enum form form;
	char name[256];
	const char *path = st->common.output;
	struct mlv_buf picture = { 0 }, text = { 0 };
	enum mlv_rc rc = form_of(path, &form, err);
	if (!rc)
		rc = draw(st, panels, form, &picture, err);
	if (!path) {
		default_name(panels->data[0].input, name, sizeof(name));
		path = name;
	}
	if (!rc)
		rc = mlv_output_buf(path, &picture, err);
	bool to_stdout = strcmp(path, "-") == 0;
	if (!rc && st->common.json && !to_stdout)
		rc = summarise_json(st, panels, path, &text, err);
	else if (!rc && !st->common.output && !st->common.quiet)
		rc = summarise(st, panels, path, &text, err);
	if (!rc && text.len)
		rc = mlv_output_buf(NULL, &text, err);
	mlv_buf_fini(&picture);
	mlv_buf_fini(&text);
	return rc;
}

/* Inputs that hold no device memory. */
static enum mlv_rc produce_other(const struct state *st, const struct mlv_inputs *in,
				 enum mlv_picture_kind kind, struct mlv_err *err)
{
	enum form form;
	char name[256];
	const char *path = st->common.output;
	struct mlv_buf picture = { 0 }, text = { 0 };
	enum mlv_rc rc = form_of(path, &form, err);
	struct mlv_other_options o = { .title = st->title,
				       .from = st->from,
				       .to = st->to,
				       .theme = mlv_theme_find(themes[st->theme]),
				       .capacity = st->capacity,
				       .top = (size_t)st->top,
				       .width = st->size.w,
				       .height = st->size.h,
				       .svg = form == FORM_SVG };
	if (!rc)
		rc = mlv_other_draw(in, kind, &o, &picture, err);
	if (!path) {
		default_name(&in->list[0], name, sizeof(name));
		path = name;
	}
	if (!rc)
		rc = mlv_output_buf(path, &picture, err);
	if (!rc && st->common.json && strcmp(path, "-") != 0) {
		struct mlv_json j;
		begin_json(&j, path, &text);
		rc = mlv_other_json(in, kind, &o, &j, err);
		end_json(&j);
	} else if (!rc && !st->common.output && !st->common.quiet) {
		rc = mlv_other_text(in, kind, mlv_term_width(STDOUT_FILENO), &text, err);
		mlv_buf_printf(&text, "wrote %s\n", path);
	}
	if (!rc && text.len)
		rc = mlv_output_buf(NULL, &text, err);
	mlv_buf_fini(&picture);
	mlv_buf_fini(&text);
	return rc;
}

static int run(void *opaque, int argc, char **argv)
{
	const struct state *st = opaque;
	struct mlv_err err = MLV_ERR_INIT;
	struct mlv_inputs in;
	struct mlv_panels panels = { 0 };
	enum form form;
	enum mlv_rc rc = form_of(st->common.output, &form, &err);
	if (rc) {
		mlv_report_error(&err);
		return mlv_exit_of(rc);
	}
	mlv_inputs_load(&in, argc, argv, &st->common);
	struct mlv_panels_options o = { (enum mlv_class_kind)st->color, st->device, st->from,
					st->to, st->user_path };
	enum mlv_picture_kind kind = MLV_PICTURE_NONE;
	for (size_t i = 0; i < in.count && kind == MLV_PICTURE_NONE; i++)
		kind = mlv_picture_kind(&in.list[i].run);
	if (kind > MLV_PICTURE_MEMORY)
		rc = produce_other(st, &in, kind, &err);
	else if (in.count)
		rc = mlv_panels_init(&panels, &in, &o, &err);
	for (size_t i = 0; i < panels.count; i++)
		mlv_inputs_diags(&in, panels.data[i].input->run.file, &panels.data[i].checks,
				 &st->common);
	if (!rc && panels.count)
		rc = produce(st, &panels, &err);
	if (rc)
		mlv_report_error(&err);
	int code = mlv_exit_worst(in.exit_code, mlv_exit_of(rc));
	mlv_panels_fini(&panels);
	mlv_inputs_fini(&in);
	return code;
}

const struct mlv_command mlv_cmd_timeline = {
	.name = "timeline",
	.summary = "draw memory over time",
	.usage = "mlviz timeline [options] FILE...",
	.details =
		"Draws every allocation of a recording, stacked in the order in which they were "
		"made and coloured by the code that made them, below the line of what the "
		"allocator had reserved. Marks the peak, out-of-memory events and annotations, "
		"and names what was alive at the peak.\n\n"
		"Every column of pixels shows the exact state at one instant, the one of the "
		"largest sum among its events. Allocations smaller than a pixel are drawn "
		"together; totals are exact. Several devices or files become small multiples on "
		"one scale.\n\n"
		"Without -o the picture goes to NAME.timeline.svg in the current directory, and a "
		"summary with a small chart is printed. In the SVG, resting on an allocation "
		"shows its size, address, life and stack.",
	.examples = "mlviz timeline mem.pickle\n"
		    "mlviz timeline -o mem.png --capacity 80GiB --x time mem.pickle.gz\n"
		    "mlviz timeline --from 90000 --to 120000 --color size mem.pickle",
	.options = options,
	.state_size = sizeof(struct state),
	.defaults = defaults,
	.common_offset = offsetof(struct state, common),
	.min_args = 1,
	.max_args = -1,
	.run = run,
};
