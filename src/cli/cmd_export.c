/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/json_write.h"
#include "cli/command.h"
#include "cli/each.h"
#include "cli/exit.h"
#include "cli/export_inputs.h"
#include "cli/load.h"
#include "cli/output.h"
#include "report/export/relations.h"

struct state {
	struct mlv_export_ask ask;
	struct mlv_common common;
};

static const struct mlv_option options[] = {
	MLV_OPT_ONE_OF(0, "to", struct state, ask.to, "FORM", "what to write", mlv_export_forms),
	MLV_OPT(0, "table", STRING, struct state, ask.table, "NAME",
		"of csv: the table to write, or all"),
	MLV_OPT(0, "raw", FLAG, struct state, ask.raw, NULL,
		"of csv: leave texts that a spreadsheet takes for formulas as they are"),
	MLV_FLAME_OPTIONS(struct state, ask.flame),
	MLV_COMMON_OPTIONS(struct state, common),
	MLV_OPT_END,
};

static void defaults(void *opaque)
{
	struct state *st = opaque;
	st->ask.to = -1;
	mlv_flame_ask_init(&st->ask.flame);
}

static enum mlv_rc say_json(const struct state *st, const struct mlv_exported *done,
			    struct mlv_err *err)
{
	struct mlv_buf text = { 0 };
	struct mlv_json j;
	mlv_json_document(&j, &text, "mlviz.export/1");
	mlv_json_key_text(&j, "to", mlv_export_forms[st->ask.to]);
	mlv_json_key_text(&j, "output", st->common.output);
	mlv_json_key_uint(&j, "files", done->files);
	mlv_json_key_uint(&j, "written_bytes", done->bytes);
	mlv_json_document_end(&j);
	enum mlv_rc rc = mlv_output_buf(NULL, &text, err);
	mlv_buf_fini(&text);
	return rc;
}

static enum mlv_rc export(const void *context, struct mlv_inputs *in, struct mlv_err *err) {
	const struct state *st = context; struct mlv_exported done;
	enum mlv_rc rc = mlv_export_inputs(in, &st->ask, st->common.output, &done, err);
	return rc || !st->common.json ? rc : say_json(st, &done, err);
}

static enum mlv_rc check_table(const struct state *st, bool to_file, struct mlv_err *err)
{
	struct mlv_buf names = { 0 };
	if (!st->ask.table)
		return MLV_OK;
	if (st->ask.to != MLV_EXPORT_CSV)
		return mlv_err_set(err, MLV_E_USAGE, "--table is of --to csv only");
	if (strcmp(st->ask.table, "all") == 0)
		return to_file ? MLV_OK
			       : mlv_err_set(err, MLV_E_USAGE,
					     "--table all makes a file for each table: name their "
					     "directory with -o");
	if (mlv_relation_find(st->ask.table))
		return MLV_OK;
	for (const struct mlv_relation *const *t = mlv_relations; *t; t++)
		mlv_buf_printf(&names, "%s%s", names.len ? ", " : "", (*t)->name);
	enum mlv_rc rc = mlv_err_set(err, MLV_E_USAGE, "--table %.20s: the tables are %s, or all",
				     st->ask.table, names.failed ? "" : names.data);
	mlv_buf_fini(&names);
	return rc;
}

static enum mlv_rc check(const struct state *st, struct mlv_err *err)
{
	const char *path = st->common.output;
	bool to_file = path && strcmp(path, "-") != 0;
	if (st->ask.to < 0)
		return mlv_err_set(err, MLV_E_USAGE,
				   "--to says what to write: chrome, folded, csv or sqlite");
	if (st->ask.to == MLV_EXPORT_SQLITE && !to_file)
		return mlv_err_set(err, MLV_E_USAGE,
				   "a database is written to a file: name one with -o");
	if (st->common.json && !to_file)
		return mlv_err_set(err, MLV_E_USAGE,
				   "--json tells what was written to a file: name one with -o");
	return check_table(st, to_file, err);
}

static int run(void *opaque, int argc, char **argv)
{
	const struct state *st = opaque;
	struct mlv_err err = MLV_ERR_INIT;
	if (check(st, &err)) {
		mlv_report_error(&err);
		return mlv_exit_of(err.rc);
	}
	return mlv_all_inputs(&st->common, argc, argv, export, st);
}

const struct mlv_command mlv_cmd_export = {
	.name = "export",
	.summary = "write what a file holds for other tools",
	.usage = "mlviz export [options] --to FORM FILE...",
	.details =
		"Writes to standard output, or to the file of -o.\n\n"
		"chrome: a trace that Perfetto (ui.perfetto.dev) opens, with memory as counters, "
		"spans with their attributes, and a process for each rank.\n\n"
		"csv: one table, --table says which; sqlite: all of them as a database, with views "
		"that join them. docs/export.md describes the tables.\n\n"
		"folded: stacks in a line each, from the outermost call to the innermost, with a "
		"value: what flame-graph tools read. --value says which: of a memory snapshot "
		"peak (what is alive when most is requested, the default), end, or allocated (all "
		"that was allocated); of anything with calls that took time, time; count counts "
		"calls, or threads and tracebacks with a stack. The values sum up to what mlviz "
		"info says, to the byte.",
	.examples = "mlviz export --to chrome -o trace.json mem.pickle\n"
		    "mlviz export --to sqlite -o mem.db mem.pickle\n"
		    "mlviz export --to csv --table allocations mem.pickle\n"
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
