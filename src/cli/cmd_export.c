/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "cli/command.h"
#include "cli/exit.h"
#include "cli/flame_source.h"
#include "cli/load.h"
#include "cli/output.h"
#include "report/export/export.h"

struct state {
	int to;
	struct mlv_flame_ask ask;
	struct mlv_common common;
};

enum form { CHROME, FOLDED };

static const char *const forms[] = { "chrome", "folded", NULL };

static const struct mlv_option options[] = {
	MLV_OPT_ONE_OF(0, "to", struct state, to, "FORM", "what to write", forms),
	MLV_FLAME_OPTIONS(struct state, ask),
	MLV_COMMON_OPTIONS(struct state, common),
	MLV_OPT_END,
};

static void defaults(void *opaque)
{
	struct state *st = opaque;
	st->to = -1;
	mlv_flame_ask_init(&st->ask);
}

static enum mlv_rc write_folded(const struct state *st, const struct mlv_inputs *in,
				const struct mlv_sink *sink, struct mlv_err *err)
{
	struct mlv_flame_source source;
	enum mlv_rc rc = mlv_flame_source_init(&source, in, &st->ask, err);
	if (rc)
		return rc;
	rc = mlv_export_folded(&source.flame, sink, err);
	mlv_flame_source_fini(&source);
	return rc;
}

static enum mlv_rc write_chrome(const struct mlv_inputs *in, const struct mlv_sink *sink,
				struct mlv_err *err)
{
	const struct mlv_run **runs = malloc(in->count * sizeof(*runs));
	if (!runs)
		return mlv_err_nomem(err);
	for (size_t i = 0; i < in->count; i++)
		runs[i] = &in->list[i].run;
	enum mlv_rc rc = mlv_export_chrome(runs, in->count, sink, err);
	free(runs);
	return rc;
}

static enum mlv_rc write_form(const struct state *st, const struct mlv_inputs *in,
			      struct mlv_output *o, struct mlv_err *err)
{
	struct mlv_sink sink = mlv_output_sink(o);
	if (st->to == CHROME)
		return write_chrome(in, &sink, err);
	return write_folded(st, in, &sink, err);
}

static enum mlv_rc say_json(const struct state *st, const struct mlv_output *o, struct mlv_err *err)
{
	struct mlv_buf text = { 0 };
	struct mlv_json j;
	mlv_json_document(&j, &text, "mlviz.export/1");
	mlv_json_key_text(&j, "to", forms[st->to]);
	mlv_json_key_text(&j, "output", st->common.output);
	mlv_json_key_uint(&j, "written_bytes", o->written);
	mlv_json_document_end(&j);
	enum mlv_rc rc = mlv_output_buf(NULL, &text, err);
	mlv_buf_fini(&text);
	return rc;
}

static enum mlv_rc export(const struct state *st, const struct mlv_inputs *in,
			  struct mlv_err *err) {
	struct mlv_output o;
	enum mlv_rc rc = mlv_output_open(&o, st->common.output ? st->common.output : "-", err);
	if (rc) return rc;
	rc = mlv_output_close(&o, write_form(st, in, &o, err), err);
	if (!rc && st->common.json) rc = say_json(st, &o, err);
	return rc;
}

static enum mlv_rc check(const struct state *st, struct mlv_err *err)
{
	const char *path = st->common.output;
	if (st->to < 0)
		return mlv_err_set(err, MLV_E_USAGE, "--to says what to write: chrome or folded");
	if (st->common.json && (!path || strcmp(path, "-") == 0))
		return mlv_err_set(err, MLV_E_USAGE,
				   "--json tells what was written to a file: name one with -o");
	return MLV_OK;
}

static int run(void *opaque, int argc, char **argv)
{
	const struct state *st = opaque;
	struct mlv_err err = MLV_ERR_INIT;
	struct mlv_inputs in;
	enum mlv_rc rc = check(st, &err);
	if (rc) {
		mlv_report_error(&err);
		return mlv_exit_of(rc);
	}
	mlv_inputs_load(&in, argc, argv, &st->common);
	if (in.count && export(st, &in, &err))
		mlv_inputs_fail(&in, &err);
	int code = in.exit_code;
	mlv_inputs_fini(&in);
	return code;
}

const struct mlv_command mlv_cmd_export = {
	.name = "export",
	.summary = "write what a file holds for other tools",
	.usage = "mlviz export [options] --to FORM FILE...",
	.details =
		"Writes to standard output, or to the file of -o.\n\n"
		"chrome: a trace that Perfetto (ui.perfetto.dev) opens, with memory as counters, "
		"spans with their attributes, and a process for each rank.\n\n"
		"folded: stacks in a line each, from the outermost call to the innermost, with a "
		"value: what flame-graph tools read. --value says which: of a memory snapshot "
		"peak (what is alive when most is requested, the default), end, or allocated (all "
		"that was allocated); of anything with calls that took time, time; count counts "
		"calls, or threads and tracebacks with a stack. The values sum up to what mlviz "
		"info says, to the byte.",
	.examples = "mlviz export --to chrome -o trace.json mem.pickle\n"
		    "mlviz export --to folded mem.pickle | flamegraph.pl > mem.svg\n"
		    "mlviz export --to folded --value time trace.json -o trace.folded",
	.options = options,
	.state_size = sizeof(struct state),
	.defaults = defaults,
	.common_offset = offsetof(struct state, common),
	.min_args = 1,
	.max_args = -1,
	.run = run,
};
