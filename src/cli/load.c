/* SPDX-License-Identifier: MIT */
#include "cli/load.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/exit.h"
#include "cli/output.h"
#include "cli/parts.h"
#include "cli/rank_name.h"
#include "parsers/parser.h"

/* Nothing in what GNU time -f writes says what it is; that its format was given does. */
static enum mlv_rc find(struct mlv_bytes head, const struct mlv_common *c,
			const struct mlv_parser **parser, struct mlv_err *err)
{
	enum mlv_rc rc = mlv_parser_find(head, c->format, parser, err);
	if (rc != MLV_E_FORMAT || c->format || !c->parse.time_format)
		return rc;
	*err = MLV_ERR_INIT;
	return mlv_parser_find(head, "gnu-time-format", parser, err);
}

static enum mlv_rc parse(struct mlv_input *in, struct mlv_source *src, const struct mlv_common *c,
			 struct mlv_err *err)
{
	struct mlv_reader reader;
	mlv_reader_init(&reader, src);
	(void)mlv_reader_need(&reader, MLV_PROBE_BYTES);
	struct mlv_bytes head = { reader.p, (size_t)(reader.end - reader.p) };
	if (head.n > MLV_PROBE_BYTES)
		head.n = MLV_PROBE_BYTES;
	const struct mlv_parser *parser;
	enum mlv_rc rc = MLV_OK;
	if (!head.n && reader.err.rc) {
		*err = reader.err;
		rc = err->rc;
	}
	if (!rc)
		rc = find(head, c, &parser, err);
	if (!rc) {
		/* What the content says of its rank goes before both. */
		in->run.rank = c->rank >= 0 ? c->rank
					    : mlv_rank_of_name(in->run.file, parser->named_by_rank);
		in->run.format = parser->name;
		struct mlv_parse p = { .reader = &reader,
				       .run = &in->run,
				       .limits = &c->limits,
				       .options = &c->parse,
				       .forced = c->format };
		rc = parser->parse(&p, err);
	}
	/* A parser reads what there is; that a limit ended it is for the caller to know. */
	if (!rc && reader.err.rc == MLV_E_LIMIT) {
		*err = reader.err;
		rc = err->rc;
	}
	mlv_reader_fini(&reader);
	return rc;
}

static enum mlv_rc load(struct mlv_input *in, const char *path, const struct mlv_common *c,
			struct mlv_err *err)
{
	struct mlv_source *src;
	in->is_stdin = strcmp(path, "-") == 0;
	if (!mlv_run_init(&in->run, in->is_stdin ? "standard input" : path))
		return mlv_err_nomem(err);
	enum mlv_rc rc = mlv_source_open(&src, path, &c->limits, err);
	if (!rc) {
		in->compression = mlv_source_compression(src);
		in->stored_bytes = mlv_source_stored_bytes(src);
		rc = parse(in, src, c, err);
		mlv_source_close(src);
	}
	if (rc)
		mlv_run_fini(&in->run);
	return rc;
}

/* Several files that are one recording. */
static enum mlv_rc load_parts(struct mlv_input *in, const struct mlv_parts *parts,
			      const struct mlv_common *c, struct mlv_err *err)
{
	if (!mlv_run_init(&in->run, parts->name))
		return mlv_err_nomem(err);
	in->compression = parts->compression;
	in->stored_bytes = parts->stored_bytes;
	in->run.rank = c->rank >= 0 ? c->rank : mlv_rank_of_name(parts->name, false);
	struct mlv_parse p = { .run = &in->run,
			       .limits = &c->limits,
			       .options = &c->parse,
			       .forced = c->format,
			       .parts = parts->list,
			       .part_count = parts->count };
	enum mlv_rc rc = parts->parser->parse(&p, err);
	for (size_t i = 0; !rc && i < parts->count; i++) {
		if (parts->list[i].reader->err.rc == MLV_E_LIMIT) {
			*err = parts->list[i].reader->err;
			rc = err->rc;
		}
	}
	if (rc)
		mlv_run_fini(&in->run);
	return rc;
}

void mlv_inputs_fail(struct mlv_inputs *in, const struct mlv_err *err)
{
	mlv_report_error(err);
	in->exit_code = mlv_exit_worst(in->exit_code, mlv_exit_of(err->rc));
}

static void loaded(struct mlv_inputs *in, const struct mlv_common *c)
{
	struct mlv_input *input = &in->list[in->count];
	struct mlv_run *run = &input->run;
	in->read++;
	mlv_inputs_diags(in, run->file, &run->diags, c);
	if (!in->visit) {
		in->count++;
		return;
	}
	in->visit(in->opaque, input);
	mlv_run_fini(run);
}

/* The files of which this is one, if it is one of several. */
static void load_together(struct mlv_inputs *in, size_t first, const struct mlv_common *c)
{
	struct mlv_err err = MLV_ERR_INIT;
	struct mlv_parts parts;
	enum mlv_rc rc = mlv_parts_init(&parts, &in->paths, first, c, &err);
	if (!rc && !parts.count)
		return;
	if (!rc)
		rc = load_parts(&in->list[in->count], &parts, c, &err);
	if (!rc) {
		loaded(in, c);
	} else {
		mlv_err_file(&err, parts.name ? parts.name : in->paths.list.data[first].path);
		mlv_inputs_fail(in, &err);
	}
	mlv_parts_fini(&parts);
}

/* One file. In a directory there may be others than reports: those are only counted. */
static void load_one(struct mlv_inputs *in, const struct mlv_path *path, const struct mlv_common *c)
{
	struct mlv_err err = MLV_ERR_INIT;
	enum mlv_rc rc = load(&in->list[in->count], path->path, c, &err);
	if (rc == MLV_OK) {
		loaded(in, c);
		return;
	}
	mlv_err_file(&err, path->path);
	if (path->found && rc == MLV_E_FORMAT && !c->verbose)
		in->passed++;
	else
		mlv_inputs_fail(in, &err);
}

/* One file, or by their names those of one recording. */
static bool one_recording(const struct mlv_paths *paths)
{
	struct mlv_str stem, other;
	int64_t number;
	for (size_t i = 1; i < paths->list.len; i++) {
		if (!mlv_part_name(paths->list.data[0].path, &stem, &number) ||
		    !mlv_part_name(paths->list.data[i].path, &other, &number) ||
		    !mlv_str_eq(stem, other))
			return false;
	}
	return true;
}

void mlv_inputs_load(struct mlv_inputs *in, int count, char **operands, const struct mlv_common *c)
{
	mlv_inputs_each(in, count, operands, c, NULL, NULL);
}

void mlv_inputs_each(struct mlv_inputs *in, int count, char **operands, const struct mlv_common *c,
		     void (*visit)(void *opaque, const struct mlv_input *input), void *opaque)
{
	struct mlv_paths *paths = &in->paths;
	struct mlv_err err = MLV_ERR_INIT;
	memset(in, 0, sizeof(*in));
	in->visit = visit;
	in->opaque = opaque;
	if (mlv_paths_init(paths, count, operands, &err)) {
		mlv_inputs_fail(in, &err);
		return;
	}
	if (c->rank >= 0 && !one_recording(paths)) {
		mlv_err_set(&err, MLV_E_USAGE,
			    "--rank %" PRId64 " would give all %zu inputs one rank; leave it out, "
			    "or give one input",
			    c->rank, paths->list.len);
		mlv_inputs_fail(in, &err);
		return;
	}
	in->list = calloc(paths->list.len + 1, sizeof(*in->list));
	if (!in->list) {
		mlv_err_nomem(&err);
		mlv_inputs_fail(in, &err);
		return;
	}
	for (size_t i = 0; i < paths->list.len; i++) {
		if (!paths->list.data[i].taken)
			load_together(in, i, c);
		if (!paths->list.data[i].taken)
			load_one(in, &paths->list.data[i], c);
	}
	if (in->passed && !in->read) {
		mlv_err_set(&err, MLV_E_FORMAT,
			    "none of the %" PRIu64 " files in it is a report that mlviz reads",
			    in->passed);
		mlv_err_file(&err, operands[0]);
		mlv_inputs_fail(in, &err);
	} else if (in->passed && !c->quiet) {
		fprintf(stderr, "mlviz: note: %" PRIu64 " other file%s passed over; -v tells why\n",
			in->passed, in->passed == 1 ? " was" : "s were");
	}
}

void mlv_inputs_fini(struct mlv_inputs *in)
{
	for (size_t i = 0; i < in->count; i++)
		mlv_run_fini(&in->list[i].run);
	free(in->list);
	mlv_paths_fini(&in->paths);
	*in = (struct mlv_inputs){ 0 };
}

void mlv_inputs_diags(struct mlv_inputs *in, const char *file, const struct mlv_diags *diags,
		      const struct mlv_common *c)
{
	mlv_report_diags(file, diags, c->quiet ? -1 : c->verbose);
	if (c->strict && mlv_diags_have(diags, MLV_DAMAGE))
		in->exit_code = mlv_exit_worst(in->exit_code, MLV_EXIT_INPUT);
}

int mlv_inputs_end(struct mlv_inputs *in, const struct mlv_common *c, struct mlv_buf *out)
{
	if (!in->read)
		out->len = 0;
	int code = mlv_command_end(c->output, out, in->exit_code);
	mlv_inputs_fini(in);
	return code;
}
