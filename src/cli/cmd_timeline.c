/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/each.h"
#include "cli/exit.h"
#include "cli/output.h"
#include "cli/picture_name.h"
#include "cli/timeline_picture.h"

struct state {
	int color, x;
	uint64_t capacity;
	int64_t device;
	const char *from, *to, *title, *user_path;
	uint64_t top;
	struct mlv_picture_options picture;
	enum mlv_form form;
	struct mlv_common common;
};

static const char *const colors[] = { "stack", "size", "stream", "pool", "lifetime", NULL };
static const char *const axes[] = { "event", "time", NULL };

static const struct mlv_option options[] = {
	MLV_OPT_ONE_OF(0, "color", struct state, color, "BY", "what a colour stands for", colors),
	MLV_OPT_ONE_OF(0, "x", struct state, x, "AXIS", "event number or wall time along x", axes),
	MLV_OPT(0, "capacity", BYTES, struct state, capacity, "SIZE",
		"draw the device's capacity as a line, as in 80GiB"),
	MLV_OPT(0, "device", INT, struct state, device, "N", "only this device"),
	MLV_OPT(0, "from", STRING, struct state, from, "EVENT|TIME",
		"begin at an event number, or at a time since the first event as in 1.5s"),
	MLV_OPT(0, "to", STRING, struct state, to, "EVENT|TIME", "end there"),
	MLV_PICTURE_OPTIONS(struct state, picture),
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
	mlv_picture_options_init(&st->picture);
}

static enum mlv_rc say(struct mlv_timeline_picture *t, const char *path, struct mlv_buf *out,
		       struct mlv_err *err)
{
	enum mlv_rc rc = mlv_timeline_picture_text(t, out, err);
	mlv_buf_puts(out, "wrote ");
	mlv_buf_safe(out, mlv_str_of(path));
	mlv_buf_putc(out, '\n');
	return rc;
}

static enum mlv_rc say_json(struct mlv_timeline_picture *t, const char *path, struct mlv_buf *out,
			    struct mlv_err *err)
{
	struct mlv_json j;
	mlv_json_document(&j, out, "mlviz.timeline/1");
	mlv_json_key_text(&j, "output", path);
	mlv_json_key_array(&j, "plots");
	enum mlv_rc rc = mlv_timeline_picture_json(t, &j, err);
	if (rc)
		return rc;
	mlv_json_array_end(&j);
	mlv_json_document_end(&j);
	return MLV_OK;
}

/* The picture to its file, and words beside it to standard output. */
static enum mlv_rc produce(const struct state *st, struct mlv_timeline_picture *t,
			   struct mlv_err *err)
{
	char name[256];
	const char *path = st->common.output;
	struct mlv_buf picture = { 0 }, text = { 0 };
	enum mlv_rc rc = mlv_timeline_picture_draw(t, &picture, err);
	if (!path) {
		mlv_picture_name(mlv_timeline_picture_first(t), "timeline", name, sizeof(name));
		path = name;
	}
	if (!rc)
		rc = mlv_output_buf(path, &picture, err);
	if (!rc && st->common.json && strcmp(path, "-") != 0)
		rc = say_json(t, path, &text, err);
	else if (!rc && !st->common.json && !st->common.output && !st->common.quiet)
		rc = say(t, path, &text, err);
	if (!rc && text.len)
		rc = mlv_output_buf(NULL, &text, err);
	mlv_buf_fini(&picture);
	mlv_buf_fini(&text);
	return rc;
}

static enum mlv_rc timeline(const void *context, struct mlv_inputs *in, struct mlv_err *err)
{
	const struct state *st = context;
	struct mlv_timeline_picture t;
	struct mlv_timeline_options o = {
		.picture = mlv_picture_of(&st->picture, st->form, st->title),
		.panels = { (enum mlv_class_kind)st->color, st->device, st->from, st->to,
			    st->user_path, 0 },
		.capacity = st->capacity,
		.top = (size_t)st->top,
		.by_time = st->x == 1,
		.page = mlv_form_is_page(st->common.output),
	};
	enum mlv_rc rc = mlv_timeline_picture_init(&t, in, &o, err);
	for (size_t i = 0; i < t.panels.count; i++)
		mlv_inputs_diags(in, t.panels.data[i].input->run.file, &t.panels.data[i].checks,
				 &st->common);
	if (!rc && mlv_timeline_picture_first(&t))
		rc = produce(st, &t, err);
	mlv_timeline_picture_fini(&t);
	return rc;
}

static int run(void *opaque, int argc, char **argv)
{
	struct state *st = opaque;
	struct mlv_err err = MLV_ERR_INIT;
	if (mlv_form_always(st->common.output, "a timeline", true, &st->form, &err)) {
		mlv_report_error(&err);
		return mlv_exit_of(err.rc);
	}
	return mlv_all_inputs(&st->common, argc, argv, timeline, st);
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
		"shows its size, address, life and stack.\n\n"
		"-o NAME.html writes a page to look around in: one file with all of the recording, "
		"which loads nothing and opens from disk. Zoom and move, point at any allocation, "
		"search, select a range, and link to what is shown.",
	.examples = "mlviz timeline mem.pickle\n"
		    "mlviz timeline -o mem.png --capacity 80GiB --x time mem.pickle.gz\n"
		    "mlviz timeline -o mem.html mem.pickle\n"
		    "mlviz timeline --from 90000 --to 120000 --color size mem.pickle",
	.options = options,
	.state_size = sizeof(struct state),
	.defaults = defaults,
	.common_offset = offsetof(struct state, common),
	.min_args = 1,
	.max_args = -1,
	.run = run,
};
