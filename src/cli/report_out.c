/* SPDX-License-Identifier: MIT */
#include "cli/report_out.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/output.h"

enum mlv_rc mlv_report_out_init(struct mlv_report_out *o, const char *directory,
				struct mlv_report *report, struct mlv_err *err)
{
	*o = (struct mlv_report_out){ .directory = directory, .report = report };
	return directory ? mlv_report_made_init(&o->before, directory, err) : MLV_OK;
}

void mlv_report_out_fini(struct mlv_report_out *o)
{
	mlv_report_made_fini(&o->before);
	mlv_arena_fini(&o->paths);
}

/* The path outlives errors that name it. */
static const char *path_of(struct mlv_report_out *o, const char *name)
{
	char path[4096];
	int n = snprintf(path, sizeof(path), "%s/%s", o->directory, name);
	return n > 0 && (size_t)n < sizeof(path) ? mlv_arena_strndup(&o->paths, path, (size_t)n)
						 : NULL;
}

static enum mlv_rc begin(struct mlv_report_out *o, struct mlv_err *err)
{
	struct stat st;
	if (o->begun)
		return MLV_OK;
	if (mkdir(o->directory, 0777) != 0 &&
	    (errno != EEXIST || stat(o->directory, &st) != 0 || !S_ISDIR(st.st_mode))) {
		mlv_err_set(err, MLV_E_OUTPUT, "cannot be made: %s",
			    errno == EEXIST ? "it is no directory" : strerror(errno));
		mlv_err_file(err, o->directory);
		return err->rc;
	}
	o->begun = true;
	return MLV_OK;
}

static bool is_listed(const struct mlv_report_out *o, const char *name)
{
	for (size_t i = 0; i < o->report->files.len; i++) {
		if (strcmp(o->report->files.data[i], name) == 0)
			return true;
	}
	return false;
}

enum mlv_rc mlv_report_out_list(struct mlv_report_out *o, const char *name, struct mlv_err *err)
{
	const char *copy = mlv_report_copy(o->report, mlv_str_of(name));
	size_t i = o->report->files.len;
	if (is_listed(o, name))
		return MLV_OK;
	if (!*copy || !mlv_vec_push(&o->report->files, copy))
		return mlv_err_nomem(err);
	const char **list = o->report->files.data;
	for (; i && strcmp(list[i - 1], copy) > 0; i--)
		list[i] = list[i - 1];
	list[i] = copy;
	return MLV_OK;
}

enum mlv_rc mlv_report_out_file(struct mlv_report_out *o, const char *name,
				const struct mlv_buf *data, struct mlv_err *err)
{
	if (data->failed)
		return mlv_err_nomem(err);
	if (!o->directory)
		return MLV_OK;
	if (mlv_report_out_list(o, name, err))
		return err->rc;
	const char *path = path_of(o, name);
	if (!path)
		return mlv_err_set(err, MLV_E_OUTPUT, "%.200s: the path is too long", o->directory);
	enum mlv_rc rc = begin(o, err);
	return rc ? rc : mlv_output_write(path, data->data ? data->data : "", data->len, err);
}

void mlv_report_out_tidy(struct mlv_report_out *o)
{
	for (size_t i = 0; o->directory && i < o->before.files.len; i++) {
		const char *name = o->before.files.data[i], *path = path_of(o, name);
		struct stat st;
		if (path && !is_listed(o, name) && lstat(path, &st) == 0 && S_ISREG(st.st_mode))
			(void)unlink(path);
	}
}
