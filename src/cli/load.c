/* SPDX-License-Identifier: MIT */
#include "cli/load.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/archive.h"
#include "cli/exit.h"
#include "cli/load_archive.h"
#include "cli/output.h"
#include "cli/parts.h"
#include "cli/rank_name.h"
#include "parsers/parser.h"

/* Nothing in what GNU time -f writes says what it is; that its format was given does. */
enum mlv_rc mlv_load_find(struct mlv_bytes head, const struct mlv_common *c,
			  const struct mlv_parser **parser, struct mlv_err *err)
{
	enum mlv_rc rc = mlv_parser_find(head, c->format, parser, err);
	if (rc != MLV_E_FORMAT || c->format || !c->parse.time_format)
		return rc;
	*err = MLV_ERR_INIT;
	return mlv_parser_find(head, "gnu-time-format", parser, err);
}

/* The first bytes, by which it is judged. */
struct mlv_bytes mlv_load_head(struct mlv_reader *r)
{
	(void)mlv_reader_need(r, MLV_PROBE_BYTES);
	struct mlv_bytes head = { r->p, (size_t)(r->end - r->p) };
	if (head.n > MLV_PROBE_BYTES)
		head.n = MLV_PROBE_BYTES;
	return head;
}

static enum mlv_rc parse(struct mlv_input *in, struct mlv_reader *r, const struct mlv_common *c,
			 struct mlv_err *err)
{
	struct mlv_bytes head = mlv_load_head(r);
	const struct mlv_parser *parser;
	enum mlv_rc rc = MLV_OK;
	if (!head.n && r->err.rc) {
		*err = r->err;
		rc = err->rc;
	}
	if (!rc)
		rc = mlv_load_find(head, c, &parser, err);
	/* Too little of it for a judgement. */
	if (rc == MLV_E_FORMAT && r->err.rc == MLV_E_LIMIT) {
		*err = r->err;
		rc = err->rc;
	}
	if (!rc) {
		/* What the content says of its rank goes before both. */
		in->run.rank = c->rank >= 0 ? c->rank
					    : mlv_rank_of_name(in->run.file, parser->named_by_rank);
		in->run.format = parser->name;
		struct mlv_parse p = { .reader = r,
				       .run = &in->run,
				       .limits = &c->limits,
				       .options = &c->parse,
				       .forced = c->format };
		rc = parser->parse(&p, err);
	}
	/* A parser reads what there is; that a limit ended it is for the caller to know. */
	if (!rc && r->err.rc == MLV_E_LIMIT) {
		*err = r->err;
		rc = err->rc;
	}
	return rc;
}

static enum mlv_rc load(struct mlv_input *in, struct mlv_source *src, struct mlv_reader *r,
			const char *name, const struct mlv_common *c, struct mlv_err *err)
{
	in->is_stdin = strcmp(name, "-") == 0;
	if (!mlv_run_init(&in->run, in->is_stdin ? "standard input" : name))
		return mlv_err_nomem(err);
	in->compression = mlv_source_compression(src);
	in->stored_bytes = mlv_source_stored_bytes(src);
	enum mlv_rc rc = parse(in, r, c, err);
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

/* Room for one more. NULL when memory runs out, which is told. */
static struct mlv_input *fresh(struct mlv_inputs *in)
{
	struct mlv_err err = MLV_ERR_INIT;
	if (in->count < in->cap ||
	    mlv_vec_grow((void **)&in->list, &in->cap, sizeof(*in->list), in->count + 1)) {
		memset(&in->list[in->count], 0, sizeof(*in->list));
		return &in->list[in->count];
	}
	mlv_err_nomem(&err);
	mlv_inputs_fail(in, &err);
	return NULL;
}

static void loaded(struct mlv_inputs *in, const struct mlv_common *c)
{
	struct mlv_input *input = &in->list[in->count];
	struct mlv_run *run = &input->run;
	in->read++;
	mlv_inputs_diags(in, run->file, &run->diags, c);
	if (!in->visitor) {
		in->count++;
		return;
	}
	if (in->visitor->input)
		in->visitor->input(in->visitor->opaque, input);
	mlv_run_fini(run);
}

void mlv_load_damage(struct mlv_inputs *in, const char *file, const char *text)
{
	if (in->visitor && in->visitor->damage)
		in->visitor->damage(in->visitor->opaque, file, text);
}

/* In a directory there may be others than reports, and what nobody may read: those are only
 * counted. */
static void failed(struct mlv_inputs *in, const struct mlv_path *path, struct mlv_err *err,
		   const struct mlv_common *c)
{
	bool other = err->rc == MLV_E_FORMAT || (err->rc == MLV_E_IO && c->deep);
	mlv_err_file(err, path->path);
	if (path->found && other && !c->verbose) {
		in->passed++;
		return;
	}
	mlv_inputs_fail(in, err);
	if (path->found && !other)
		mlv_load_damage(in, path->path, err->msg);
}

/* The files of which this is one, if it is one of several. */
static void load_together(struct mlv_inputs *in, struct mlv_paths *paths, size_t first,
			  const struct mlv_common *c)
{
	struct mlv_err err = MLV_ERR_INIT;
	struct mlv_parts parts;
	enum mlv_rc rc = mlv_parts_init(&parts, paths, first, c, &err);
	if (!rc && !parts.count)
		return;
	struct mlv_input *input = fresh(in);
	if (!rc && input)
		rc = load_parts(input, &parts, c, &err);
	if (!rc && input) {
		loaded(in, c);
	} else if (input) {
		mlv_err_file(&err, parts.name ? parts.name : paths->list.data[first].path);
		mlv_inputs_fail(in, &err);
	}
	mlv_parts_fini(&parts);
}

/* One file, or the files of one archive. Within an archive there is none. */
void mlv_load_one(struct mlv_inputs *in, const struct mlv_path *path, const struct mlv_common *c)
{
	struct mlv_err err = MLV_ERR_INIT;
	struct mlv_source *src;
	struct mlv_reader reader;
	struct mlv_input *input = fresh(in);
	if (!input)
		return;
	if (mlv_path_open(path, &c->limits, &src, &err)) {
		failed(in, path, &err, c);
		return;
	}
	mlv_reader_init(&reader, src);
	if (!c->format && !path->data && mlv_archive_looks(mlv_load_head(&reader)))
		mlv_load_archive(in, path, &reader, c);
	else if (!load(input, src, &reader, path->path, c, &err))
		loaded(in, c);
	else
		failed(in, path, &err, c);
	mlv_reader_fini(&reader);
	mlv_source_close(src);
}

/* Each alone, or with those that it belongs to. */
void mlv_load_all(struct mlv_inputs *in, struct mlv_paths *paths, const struct mlv_common *c)
{
	for (size_t i = 0; i < paths->list.len; i++) {
		if (!paths->list.data[i].taken)
			load_together(in, paths, i, c);
		if (!paths->list.data[i].taken)
			mlv_load_one(in, &paths->list.data[i], c);
	}
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
	mlv_inputs_each(in, count, operands, c, NULL);
}

void mlv_inputs_each(struct mlv_inputs *in, int count, char **operands, const struct mlv_common *c,
		     const struct mlv_visitor *visitor)
{
	struct mlv_paths *paths = &in->paths;
	struct mlv_err err = MLV_ERR_INIT;
	memset(in, 0, sizeof(*in));
	in->visitor = visitor;
	struct mlv_paths_options o = { .deep = c->deep, .most = c->limits.files };
	if (mlv_paths_init(paths, count, operands, &o, &err)) {
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
	mlv_load_all(in, paths, c);
	in->passed += paths->unreadable;
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
