/* SPDX-License-Identifier: MIT */
#include "cli/report_made.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/json_read.h"
#include "base/source.h"
#include "cli/report_sinks.h"

#define REPORT_SCHEMA "mlviz.report/"

/* A name in this directory; what names another is none of ours. */
static bool is_plain(struct mlv_str name)
{
	return name.n && name.n < 256 && name.p[0] != '.' && !memchr(name.p, '/', name.n) &&
	       !memchr(name.p, '\0', name.n);
}

/* A name that reports give. A list may be anyone's: it must not remove recordings or hide them. */
static bool is_given(struct mlv_str name)
{
	for (const struct mlv_report_sink *k = mlv_report_sinks; k->file; k++) {
		if (mlv_str_eq(name, mlv_str_of(k->file)))
			return true;
	}
	return mlv_str_has_suffix(name, MLV_STR(".svg")) ||
	       mlv_str_has_suffix(name, MLV_STR(".png"));
}

static enum mlv_rc add(struct mlv_report_made *m, struct mlv_str name, struct mlv_err *err)
{
	bool ours = is_plain(name) && is_given(name);
	const char *copy = ours ? mlv_arena_strndup(&m->texts, name.p, name.n) : "";
	if (!copy || (*copy && !mlv_vec_push(&m->files, copy)))
		return mlv_err_nomem(err);
	return MLV_OK;
}

/* The strings of the array "files"; other keys are passed over. */
static enum mlv_rc read_files(struct mlv_report_made *m, struct mlv_json_reader *j,
			      struct mlv_err *err)
{
	struct mlv_json_token t;
	enum mlv_rc rc = mlv_json_next(j, &t, err);
	if (rc || t.kind != MLV_JSON_ARRAY_BEGIN)
		return rc;
	while (!(rc = mlv_json_next(j, &t, err)) && t.kind == MLV_JSON_STRING && !rc)
		rc = add(m, t.text, err);
	return rc;
}

static enum mlv_rc read_keys(struct mlv_report_made *m, struct mlv_json_reader *j,
			     struct mlv_err *err)
{
	struct mlv_json_token t;
	unsigned depth = 0;
	bool ours = false;
	enum mlv_rc rc;
	while (!(rc = mlv_json_next(j, &t, err)) && t.kind != MLV_JSON_END) {
		depth += t.kind == MLV_JSON_OBJECT_BEGIN || t.kind == MLV_JSON_ARRAY_BEGIN;
		depth -= t.kind == MLV_JSON_OBJECT_END || t.kind == MLV_JSON_ARRAY_END;
		if (t.kind != MLV_JSON_KEY || depth != 1)
			continue;
		if (mlv_str_eq(t.text, MLV_STR("files")))
			return ours ? read_files(m, j, err) : MLV_OK;
		if (!mlv_str_eq(t.text, MLV_STR("schema")))
			continue;
		rc = mlv_json_next(j, &t, err);
		ours = !rc && t.kind == MLV_JSON_STRING &&
		       mlv_str_has_prefix(t.text, MLV_STR(REPORT_SCHEMA));
		if (!ours)
			return rc;
	}
	return rc;
}

static enum mlv_rc read_report(struct mlv_report_made *m, const char *path, struct mlv_err *err)
{
	struct mlv_limits limits = mlv_limits_default;
	struct mlv_err why = MLV_ERR_INIT;
	struct mlv_diags diags = { 0 };
	struct mlv_source *src;
	struct mlv_reader reader;
	/* A report is small: what is not is not read to its end. */
	limits.bytes = UINT64_C(256) << 20;
	if (mlv_source_open(&src, path, &limits, &why))
		return MLV_OK;
	mlv_reader_init(&reader, src);
	struct mlv_json_reader *j = mlv_json_reader_create(&reader, &limits, &diags);
	enum mlv_rc rc = j ? read_keys(m, j, &why) : MLV_E_NOMEM;
	mlv_json_reader_destroy(j);
	mlv_reader_fini(&reader);
	mlv_source_close(src);
	mlv_diags_fini(&diags);
	return rc == MLV_E_NOMEM ? mlv_err_nomem(err) : MLV_OK;
}

enum mlv_rc mlv_report_made_init(struct mlv_report_made *m, const char *directory,
				 struct mlv_err *err)
{
	char path[4096];
	struct stat st;
	memset(m, 0, sizeof(*m));
	if ((size_t)snprintf(path, sizeof(path), "%s/report.json", directory) >= sizeof(path) ||
	    stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return MLV_OK;
	enum mlv_rc rc = read_report(m, path, err);
	if (rc)
		mlv_report_made_fini(m);
	return rc;
}

void mlv_report_made_fini(struct mlv_report_made *m)
{
	mlv_vec_free(&m->files);
	mlv_arena_fini(&m->texts);
}

bool mlv_report_made_has(const struct mlv_report_made *m, const char *name)
{
	for (size_t i = 0; i < m->files.len; i++) {
		if (strcmp(m->files.data[i], name) == 0)
			return true;
	}
	return false;
}
