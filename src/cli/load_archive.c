/* SPDX-License-Identifier: MIT */
#include "cli/load_archive.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/archive.h"
#include "cli/parts.h"
#include "parsers/parser.h"

/* Whether its first bytes are of anything that is read: most members of most archives are not. */
static bool is_report(const struct mlv_path *member, const struct mlv_common *c, bool *part)
{
	struct mlv_source *src;
	struct mlv_reader r;
	const struct mlv_parser *parser;
	struct mlv_str stem;
	int64_t number;
	if (mlv_path_open(member, &c->limits, &src, NULL))
		return false;
	mlv_reader_init(&r, src);
	struct mlv_bytes head = mlv_load_head(&r);
	*part = mlv_part_name(member->path, &stem, &number) &&
		mlv_parser_of_part(head, number, c->format) != NULL;
	bool is = *part || (head.n && mlv_load_find(head, c, &parser, NULL) == MLV_OK);
	mlv_reader_fini(&r);
	mlv_source_close(src);
	return is;
}

struct unpacking {
	struct mlv_inputs *in;
	const struct mlv_common *c;
	struct mlv_archive *archive;
	const char *file; /* of the archive */
	/* Files that are one recording together: all of them are kept until the end. */
	struct mlv_paths parts;
	MLV_VEC(struct mlv_buf *) kept;
};

static bool keep(struct unpacking *u, struct mlv_path *member, struct mlv_buf *data)
{
	struct mlv_buf *copy = malloc(sizeof(*copy));
	if (!copy || !mlv_vec_push(&u->kept, copy)) {
		free(copy);
		return false;
	}
	*copy = *data;
	*data = (struct mlv_buf){ 0 };
	member->data = copy;
	return mlv_vec_push(&u->parts.list, *member);
}

/* One member: a look at its beginning, and all of it if it is of interest. */
static enum mlv_rc take_member(struct unpacking *u, const char *name, struct mlv_err *err)
{
	struct mlv_buf data = { 0 }, full = { 0 };
	struct mlv_path member = { .found = true, .data = &data };
	bool part = false;
	mlv_buf_printf(&full, "%s:%s", u->file, name);
	member.path =
		full.failed ? NULL : mlv_arena_strndup(&u->in->paths.arena, full.data, full.len);
	mlv_buf_fini(&full);
	enum mlv_rc rc = member.path ? mlv_archive_read(u->archive, &data, 2 * MLV_PROBE_BYTES, err)
				     : mlv_err_nomem(err);
	bool wanted = rc != MLV_E_NOMEM && is_report(&member, u->c, &part);
	if (!rc && wanted)
		rc = mlv_archive_read(u->archive, &data, SIZE_MAX, err);
	if (!wanted && rc != MLV_E_NOMEM)
		u->in->passed++;
	else if (wanted && part && rc != MLV_E_NOMEM)
		rc = keep(u, &member, &data) ? rc : mlv_err_nomem(err);
	else if (wanted && rc != MLV_E_NOMEM)
		mlv_load_one(u->in, &member, u->c);
	mlv_buf_fini(&data);
	return rc;
}

/* The archive ends early: what it held before that was read. */
static void archive_failed(struct unpacking *u, const struct mlv_err *err)
{
	struct mlv_diags d = { 0 };
	if (err->rc == MLV_E_FORMAT || err->rc == MLV_E_IO) {
		mlv_diag_from_err(&d, "archive-damaged", err);
		mlv_inputs_diags(u->in, u->file, &d, u->c);
		mlv_diags_fini(&d);
	} else {
		struct mlv_err named = *err;
		mlv_err_file(&named, u->file);
		mlv_inputs_fail(u->in, &named);
	}
	mlv_load_damage(u->in, u->file, err->msg);
}

void mlv_load_archive(struct mlv_inputs *in, const struct mlv_path *path, struct mlv_reader *r,
		      const struct mlv_common *c)
{
	struct mlv_err err = MLV_ERR_INIT;
	struct unpacking u = { .in = in,
			       .c = c,
			       .file = strcmp(path->path, "-") == 0 ? "standard input"
								    : path->path };
	const char *name;
	if (c->rank >= 0) {
		mlv_err_set(&err, MLV_E_USAGE,
			    "--rank %" PRId64
			    " would give all files of the archive one rank; leave "
			    "it out, or give one file",
			    c->rank);
		mlv_err_file(&err, u.file);
		mlv_inputs_fail(in, &err);
		return;
	}
	enum mlv_rc rc = mlv_archive_create(&u.archive, r, &c->limits, &err);
	while (!rc && !(rc = mlv_archive_next(u.archive, &name, &err)) && name) {
		rc = take_member(&u, name, &err);
		if (rc != MLV_E_UNSUPPORTED)
			continue;
		/* One file that is not read; those behind it are. */
		archive_failed(&u, &err);
		err = MLV_ERR_INIT;
		rc = MLV_OK;
	}
	if (rc)
		archive_failed(&u, &err);
	mlv_load_all(in, &u.parts, c);
	mlv_archive_destroy(u.archive);
	for (size_t i = 0; i < u.kept.len; i++) {
		mlv_buf_fini(u.kept.data[i]);
		free(u.kept.data[i]);
	}
	mlv_vec_free(&u.kept);
	mlv_vec_free(&u.parts.list);
	/* Names of parts are borrowed by the runs. */
	mlv_arena_adopt(&in->paths.arena, &u.parts.arena);
}
