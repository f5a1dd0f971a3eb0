/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/diff_pairs.h"
#include "cli/diff_picture.h"
#include "cli/exit.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/term.h"
#include "report/diff.h"
#include "report/diff_statements.h"
#include "report/diff_thresholds.h"
#include "report/info.h"

struct state {
	const char *ignore, *fail_on;
	int64_t top, device;
	int align, x;
	bool same_process;
	struct mlv_picture_options picture;
	struct mlv_common common;
};

static const char *const aligns[] = { "start", "step", "peak", NULL };
static const char *const axes[] = { "event", "time", NULL };

static const struct mlv_option options[] = {
	MLV_OPT(0, "fail-on", STRING, struct state, fail_on, "LIST",
		"exit with 1 when a change passes one of these: peak>+5%,reserved>+256MiB"),
	MLV_OPT(0, "ignore", STRING, struct state, ignore, "NAMES",
		"leave out figures, rows, columns, settings and stacks whose name contains one of "
		"these, separated by commas"),
	MLV_OPT(0, "same-process", FLAG, struct state, same_process, NULL,
		"A and B are snapshots of one process: match what is alive by address, too"),
	MLV_OPT(0, "top", INT, struct state, top, "N", "print N rows of each ranking"),
	MLV_OPT(0, "device", INT, struct state, device, "N", "only this device"),
	MLV_OPT_ONE_OF(0, "align", struct state, align, "HOW",
		       "in the picture, lay the runs above each other at their start, step by step "
		       "or at their peaks",
		       aligns),
	MLV_OPT_ONE_OF(0, "x", struct state, x, "AXIS", "in the picture, by event or time", axes),
	MLV_PICTURE_OPTIONS(struct state, picture),
	MLV_COMMON_OPTIONS(struct state, common),
	MLV_OPT_END,
};

enum { TOP_OF_ONE = 10, TOP_OF_MANY = 3, MOST_STATEMENTS = 8 };

static void defaults(void *opaque)
{
	struct state *st = opaque;
	st->top = st->device = -1;
	mlv_picture_options_init(&st->picture);
}

/* Where it goes. */
struct sink {
	const struct state *st;
	struct mlv_buf *pairs; /* text of all pairs, behind the statements */
	struct mlv_json *json; /* NULL: text */
	struct mlv_statements statements;
	struct mlv_thresholds thresholds;
	size_t top;
	bool no_device;                /* --device asks for one that no pair had so far */
	enum mlv_form form;            /* of the picture that is written, if one is */
	struct mlv_buf picture;        /* of the pair that is most worth showing so far */
	struct mlv_diff_worth shown;   /* what it is worth */
	const struct mlv_run *pair[2]; /* what it shows */
};

/* The picture shows one pair: that which changed most, of the kind that tells most. */
static enum mlv_rc draw(struct sink *k, const struct mlv_diff *d, struct mlv_err *err)
{
	struct mlv_diff_worth worth = mlv_diff_worth_of(d);
	struct mlv_diff_picture o = { mlv_picture_of(&k->st->picture, k->form, NULL),
				      (enum mlv_align)k->st->align, k->st->x == 1 };
	bool better = worth.kind > k->shown.kind ||
		      (worth.kind == k->shown.kind && worth.size > k->shown.size);
	if (k->form == MLV_FORM_NONE || !better)
		return MLV_OK;
	k->picture.len = 0;
	enum mlv_rc rc = mlv_diff_draw(d, &o, &k->picture, err);
	if (rc)
		return rc;
	k->shown = worth;
	k->pair[0] = d->run[0];
	k->pair[1] = d->run[1];
	return MLV_OK;
}

static enum mlv_rc diff_pair(struct sink *k, const struct mlv_pair *p, struct mlv_err *err)
{
	struct mlv_diff_options o = { k->st->ignore, k->st->device, k->st->same_process };
	struct mlv_diff d;
	enum mlv_rc rc = mlv_diff_init(&d, p->side[0], p->side[1], &o, err);
	if (rc)
		return rc;
	if (k->json)
		mlv_diff_json(&d, k->top, k->json);
	else
		mlv_diff_text(&d, k->top, mlv_term_width(STDOUT_FILENO), k->pairs);
	if (!mlv_statements_add(&k->statements, &d) || !mlv_thresholds_judge(&k->thresholds, &d))
		rc = mlv_err_nomem(err);
	else if (!mlv_diff_shares(&d))
		rc = mlv_err_set(err, MLV_E_FORMAT, "it shares nothing with %.150s",
				 p->side[0]->file);
	else
		rc = draw(k, &d, err);
	k->no_device = k->no_device && !d.device_count && !d.devices_only[0] && !d.devices_only[1];
	mlv_diff_fini(&d);
	return rc;
}

/* One without a partner. False when memory runs out. */
static bool single(struct sink *k, const struct mlv_pair *p)
{
	unsigned side = p->side[0] == NULL;
	const struct mlv_run *run = p->side[side];
	bool ok = mlv_thresholds_lone(&k->thresholds, run, side);
	if (k->json) {
		mlv_json_object(k->json);
		mlv_json_key_text(k->json, "side", side ? "b" : "a");
		mlv_json_key_text(k->json, "file", run->file);
		mlv_json_key_text(k->json, "format", run->format);
		mlv_json_object_end(k->json);
		return ok;
	}
	mlv_buf_safe(k->pairs, (struct mlv_str){ run->file, strlen(run->file) });
	mlv_buf_printf(k->pairs, ": %s, in %s only\n", run->format, side ? "B" : "A");
	return ok;
}

static void diff_all(struct sink *k, struct mlv_inputs *in, const struct mlv_pairs *pairs)
{
	if (k->json)
		mlv_json_key_array(k->json, "pairs");
	for (size_t i = 0; i < pairs->paired; i++) {
		struct mlv_err err = MLV_ERR_INIT;
		if (!diff_pair(k, &pairs->list.data[i], &err))
			continue;
		mlv_err_file(&err, pairs->list.data[i].side[1]->file);
		mlv_inputs_fail(in, &err);
	}
	if (k->json) {
		mlv_json_array_end(k->json);
		mlv_json_key_array(k->json, "unpaired");
	}
	for (size_t i = pairs->paired; i < pairs->list.len; i++) {
		struct mlv_err err = MLV_ERR_INIT;
		if (single(k, &pairs->list.data[i]))
			continue;
		mlv_err_nomem(&err);
		mlv_inputs_fail(in, &err);
	}
	if (k->json)
		mlv_json_array_end(k->json);
	mlv_statements_sort(&k->statements);
}

static void begin(struct sink *k, char **argv, struct mlv_buf *out)
{
	if (k->json) {
		mlv_json_document(k->json, out, "mlviz.diff/1");
		mlv_json_key_text(k->json, "a", argv[0]);
		mlv_json_key_text(k->json, "b", argv[1]);
		return;
	}
	for (unsigned s = 0; s < 2; s++) {
		mlv_buf_printf(out, "%s  ", s ? "B" : "A");
		mlv_buf_safe(out, (struct mlv_str){ argv[s], strlen(argv[s]) });
		mlv_buf_putc(out, '\n');
	}
}

static void end(struct sink *k, struct mlv_buf *out)
{
	if (k->json) {
		mlv_statements_json(&k->statements, k->json);
		if (k->st->fail_on)
			mlv_thresholds_json(&k->thresholds, k->json);
		mlv_json_document_end(k->json);
		return;
	}
	mlv_statements_text(&k->statements, MOST_STATEMENTS, out);
	mlv_thresholds_text(&k->thresholds, out);
	mlv_buf_add(out, k->pairs->data ? k->pairs->data : "", k->pairs->len);
	out->failed = out->failed || k->pairs->failed;
}

/* A threshold that was passed, or whose name is nobody's, decides about the exit code. */
static int judge(const struct sink *k, int code)
{
	struct mlv_err err = MLV_ERR_INIT;
	enum mlv_rc rc = mlv_thresholds_check(&k->thresholds, &err);
	mlv_report_error(&err);
	if (!rc && !mlv_thresholds_failed(&k->thresholds))
		return code;
	return mlv_exit_worst(code, rc ? mlv_exit_of(rc) : MLV_EXIT_THRESHOLD);
}

static void write_picture(const struct sink *k, struct mlv_inputs *in, struct mlv_buf *out)
{
	const char *path = k->st->common.output;
	struct mlv_err err = MLV_ERR_INIT;
	if (!k->shown.kind)
		mlv_err_set(&err, MLV_E_FORMAT, "there is nothing to draw");
	else
		mlv_output_buf(path, &k->picture, &err);
	if (err.rc) {
		mlv_err_file(&err, path);
		mlv_inputs_fail(in, &err);
	} else if (!k->json && strcmp(path, "-") != 0) {
		mlv_buf_puts(out, "wrote ");
		mlv_buf_safe(out, mlv_str_of(path));
		mlv_buf_puts(out, ": ");
		for (unsigned s = 0; s < 2; s++) {
			mlv_buf_puts(out, s ? " → " : "");
			mlv_buf_safe(out, mlv_str_of(k->pair[s]->file));
		}
		mlv_buf_putc(out, '\n');
	}
}

static void compare(struct sink *k, struct mlv_inputs *in, char **argv, struct mlv_buf *out)
{
	struct mlv_pairs pairs;
	struct mlv_err err = MLV_ERR_INIT;
	if (mlv_pairs_init(&pairs, &in[0], &in[1], &err)) {
		mlv_inputs_fail(&in[0], &err);
		return;
	}
	k->top = k->st->top >= 0 ? (size_t)k->st->top : pairs.paired > 1 ? TOP_OF_MANY : TOP_OF_ONE;
	k->no_device = k->st->device >= 0;
	begin(k, argv, out);
	diff_all(k, &in[0], &pairs);
	end(k, out);
	if (k->form != MLV_FORM_NONE && pairs.paired && !in[0].exit_code)
		write_picture(k, &in[0], out);
	if (pairs.paired && k->no_device) {
		out->len = 0; /* that nothing differs would be no answer */
		mlv_no_device(pairs.list.data[0].side[1], k->st->device, &err);
		mlv_err_file(&err, argv[1]);
		mlv_inputs_fail(&in[0], &err);
	} else if (pairs.paired) {
		in[0].exit_code = judge(k, in[0].exit_code);
	} else {
		mlv_err_set(&err, MLV_E_FORMAT,
			    "nothing in it has the format and rank of anything in %.150s", argv[0]);
		mlv_err_file(&err, argv[1]);
		mlv_inputs_fail(&in[0], &err);
	}
	mlv_pairs_fini(&pairs);
}

static int run(void *opaque, int argc, char **argv)
{
	struct state *st = opaque;
	struct mlv_inputs in[2];
	struct mlv_buf out = { 0 }, text = { 0 };
	struct mlv_json json;
	struct mlv_err err = MLV_ERR_INIT;
	struct sink k = { .st = st,
			  .pairs = &text,
			  .json = st->common.json ? &json : NULL,
			  .form = mlv_form_of(st->common.output) };
	(void)argc;
	if (st->fail_on && mlv_thresholds_parse(&k.thresholds, st->fail_on, &err)) {
		mlv_report_error(&err);
		return mlv_exit_of(err.rc);
	}
	for (unsigned s = 0; s < 2; s++)
		mlv_inputs_load(&in[s], 1, argv + s, &st->common);
	if (in[0].count && in[1].count)
		compare(&k, in, argv, &out);
	in[0].exit_code = mlv_exit_worst(in[0].exit_code, in[1].exit_code);
	mlv_buf_fini(&text);
	mlv_statements_fini(&k.statements);
	mlv_thresholds_fini(&k.thresholds);
	mlv_buf_fini(&k.picture);
	if (k.form != MLV_FORM_NONE)
		st->common.output = NULL; /* it is written; the words go to standard output */
	mlv_inputs_fini(&in[1]);
	return mlv_inputs_end(&in[0], &st->common, &out);
}

const struct mlv_command mlv_cmd_diff = {
	.name = "diff",
	.summary = "say what changed between two runs",
	.usage = "mlviz diff [options] A B",
	.details =
		"Compares two inputs that fill a common table: memory snapshots by stack, never by "
		"address; profiler tables, cProfile, time, strace and hyperfine by subject; "
		"memory reports and logs by phase; traces and flight-recorder dumps by name; "
		"settings and findings of any. A and B may be directories, whose files are "
		"compared by format and rank. What grows comes first, then causes, then figures; "
		"a change is B - A.\n\n"
		"Stacks are matched by every line, then by functions, then without the frames "
		"that only wrap a call (activation checkpointing, torch.compile, data-parallel "
		"wrappers), which are named. The changes that are listed sum to the change of the "
		"peak exactly.\n\n"
		"-o NAME.svg or NAME.png draws the pair that changed most: both timelines, their "
		"difference and the stacks; phases side by side; or the rows of tables. The words "
		"are printed as well.",
	.examples = "mlviz diff before.pickle after.pickle\n"
		    "mlviz diff run-1/ run-2/\n"
		    "mlviz diff --align step -o diff.svg run-1/ run-2/\n"
		    "mlviz diff --fail-on 'peak>+5%,growth>+1MiB' run-1/ run-2/\n"
		    "mlviz diff --ignore \"CPU time,Optimizer\" table-1.txt table-2.txt",
	.options = options,
	.state_size = sizeof(struct state),
	.defaults = defaults,
	.common_offset = offsetof(struct state, common),
	.min_args = 2,
	.max_args = 2,
	.run = run,
};
