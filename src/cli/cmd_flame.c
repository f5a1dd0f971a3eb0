/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <unistd.h>

#include "base/json_write.h"
#include "cli/command.h"
#include "cli/each.h"
#include "cli/exit.h"
#include "cli/flame_picture.h"
#include "cli/output.h"
#include "cli/picture_name.h"
#include "cli/term.h"
#include "report/flame.h"

struct state {
	struct mlv_flame_ask ask;
	struct mlv_picture_options picture;
	bool inverted;
	uint64_t top, min;
	const char *title;
	enum mlv_form form;
	struct mlv_common common;
};

static const struct mlv_option options[] = {
	MLV_FLAME_OPTIONS(struct state, ask),
	MLV_OPT(0, "inverted", FLAG, struct state, inverted, NULL,
		"the outermost call at the top: an icicle graph"),
	MLV_OPT(0, "min", UINT, struct state, min, "PIXELS",
		"draw what is narrower together as one bar"),
	MLV_PICTURE_OPTIONS(struct state, picture),
	MLV_OPT(0, "top", UINT, struct state, top, "N", "name the N heaviest branches in words"),
	MLV_OPT(0, "title", STRING, struct state, title, "TEXT",
		"heading, instead of the file's name"),
	MLV_COMMON_OPTIONS(struct state, common),
	MLV_OPT_END,
};

static void defaults(void *opaque)
{
	struct state *st = opaque;
	mlv_flame_ask_init(&st->ask);
	mlv_picture_options_init(&st->picture);
	st->picture.size.h = 0;
	st->top = 20;
	st->min = 2;
}

static enum mlv_rc say(const struct state *st, const struct mlv_flame_source *s, const char *title,
		       const char *path, struct mlv_buf *out, struct mlv_err *err)
{
	struct mlv_buf notice = { 0 };
	mlv_flame_notice(&s->flame, &notice);
	mlv_buf_safe(out, mlv_str_of(title));
	mlv_buf_puts(out, "\n  ");
	mlv_flame_picture_what(s, out);
	mlv_buf_putc(out, '\n');
	if (notice.len)
		mlv_buf_printf(out, "  %s\n", notice.data);
	enum mlv_rc rc = mlv_flame_text(&s->flame, s->value, (size_t)st->top,
					mlv_term_width(STDOUT_FILENO), out, err);
	mlv_buf_puts(out, "wrote ");
	mlv_buf_safe(out, mlv_str_of(path));
	mlv_buf_putc(out, '\n');
	mlv_buf_fini(&notice);
	return rc;
}

static enum mlv_rc say_json(const struct state *st, const struct mlv_flame_source *s,
			    const char *path, struct mlv_buf *out, struct mlv_err *err)
{
	struct mlv_json j;
	mlv_json_document(&j, out, "mlviz.flame/1");
	mlv_json_key_text(&j, "output", path);
	mlv_json_key_text(&j, "what", s->what.data);
	mlv_json_key_uint(&j, "inputs", s->used);
	enum mlv_rc rc = mlv_flame_json(&s->flame, s->value, (size_t)st->top, &j, err);
	if (!rc)
		mlv_json_document_end(&j);
	return rc;
}

/* The picture to its file, and words beside it to standard output. */
static enum mlv_rc produce(const struct state *st, const struct mlv_flame_source *s,
			   struct mlv_err *err)
{
	char name[256];
	const char *path = st->common.output;
	struct mlv_buf picture = { 0 }, text = { 0 }, title = { 0 };
	mlv_picture_title(s->first->run.file, s->used, &title);
	if (!path) {
		mlv_picture_name(s->first, "flame", name, sizeof(name));
		path = name;
	}
	if (title.failed)
		return mlv_err_nomem(err);
	const char *heading = st->title ? st->title : title.data;
	struct mlv_flame_picture p = { mlv_picture_of(&st->picture, st->form, heading),
				       (uint32_t)(st->min < 1000 ? st->min : 1000), st->inverted };
	enum mlv_rc rc = mlv_flame_picture_draw(s, &p, &picture, err);
	if (!rc)
		rc = mlv_output_buf(path, &picture, err);
	if (!rc && st->common.json && strcmp(path, "-") != 0)
		rc = say_json(st, s, path, &text, err);
	else if (!rc && !st->common.json && !st->common.output && !st->common.quiet)
		rc = say(st, s, heading, path, &text, err);
	if (!rc && text.len)
		rc = mlv_output_buf(NULL, &text, err);
	mlv_buf_fini(&picture);
	mlv_buf_fini(&text);
	mlv_buf_fini(&title);
	return rc;
}

static enum mlv_rc flame(const void *context, struct mlv_inputs *in, struct mlv_err *err)
{
	const struct state *st = context;
	struct mlv_flame_source source;
	enum mlv_rc rc = mlv_flame_source_init(&source, in, &st->ask, err);
	if (rc)
		return rc;
	rc = produce(st, &source, err);
	mlv_flame_source_fini(&source);
	return rc;
}

static int run(void *opaque, int argc, char **argv)
{
	struct state *st = opaque;
	struct mlv_err err = MLV_ERR_INIT;
	if (mlv_form_always(st->common.output, "a flame graph", false, &st->form, &err)) {
		mlv_report_error(&err);
		return mlv_exit_of(err.rc);
	}
	return mlv_all_inputs(&st->common, argc, argv, flame, st);
}

const struct mlv_command mlv_cmd_flame = {
	.name = "flame",
	.summary = "draw memory or time by call stack, as a flame graph",
	.usage = "mlviz flame [options] FILE...",
	.details =
		"Draws a bar for each call, as wide as what it and all that it calls account for, "
		"upon the call that made it. Of a memory snapshot that is what is alive at the "
		"peak, "
		"or with --value end or allocated, or --at any moment; of traces, flight-recorder "
		"dumps and system-call logs it is time; of dumps of threads and tracebacks, how "
		"many "
		"have a stack. Colours stay with the function in every picture; PyTorch's own "
		"functions are paler.\n\n"
		"What is too narrow to draw is drawn together as one bar, and totals are exact. "
		"The "
		"SVG is interactive where it is opened in a browser: hover tells, a click zooms, a "
		"field searches and sums up what it finds. Without -o the picture is "
		"NAME.flame.svg "
		"in the current directory, and the heaviest branches are printed.",
	.examples = "mlviz flame mem.pickle\n"
		    "mlviz flame --value allocated --inverted -o churn.png mem.pickle\n"
		    "mlviz flame --value time trace.json\n"
		    "mlviz flame --grep forward --at end rank0.pickle rank1.pickle",
	.options = options,
	.state_size = sizeof(struct state),
	.defaults = defaults,
	.common_offset = offsetof(struct state, common),
	.min_args = 1,
	.max_args = -1,
	.run = run,
};
