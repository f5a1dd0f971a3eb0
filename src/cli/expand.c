/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* strverscmp */
#include "cli/expand.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/expand_below.h"

static bool is_directory(const char *path)
{
	struct stat st;
	return strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int by_name(const void *pa, const void *pb)
{
	return strverscmp(((const struct mlv_path *)pa)->path, ((const struct mlv_path *)pb)->path);
}

static bool add_path(struct mlv_paths *p, const char *full)
{
	struct mlv_path path = { .path = mlv_arena_strndup(&p->arena, full, strlen(full)),
				 .found = true };
	return path.path && mlv_vec_push(&p->list, path);
}

/* The regular files in it, not those below; hidden ones are none of ours. */
static enum mlv_rc add_files(struct mlv_paths *p, const char *directory, struct mlv_err *err)
{
	DIR *dir = opendir(directory);
	bool ok = true;
	if (!dir)
		return mlv_err_set(err, MLV_E_IO, "cannot open: %s", strerror(errno));
	for (struct dirent *e; ok && (e = readdir(dir));) {
		char full[4096];
		struct stat st;
		size_t n = strlen(directory);
		const char *gap = n && directory[n - 1] == '/' ? "" : "/";
		if (e->d_name[0] != '.' &&
		    (size_t)snprintf(full, sizeof(full), "%s%s%s", directory, gap, e->d_name) <
			    sizeof(full) &&
		    stat(full, &st) == 0 && S_ISREG(st.st_mode))
			ok = add_path(p, full);
	}
	closedir(dir);
	return ok ? MLV_OK : mlv_err_nomem(err);
}

static enum mlv_rc add_directory(struct mlv_paths *p, const char *directory,
				 const struct mlv_paths_options *o, struct mlv_err *err)
{
	size_t first = p->list.len;
	enum mlv_rc rc = o->deep ? mlv_paths_below(p, directory, o->most, err)
				 : add_files(p, directory, err);
	if (!rc && p->list.len == first)
		rc = mlv_err_set(err, MLV_E_FORMAT, "is a directory without files");
	if (!rc)
		qsort(p->list.data + first, p->list.len - first, sizeof(*p->list.data), by_name);
	return rc;
}

enum mlv_rc mlv_paths_init(struct mlv_paths *p, int count, char **operands,
			   const struct mlv_paths_options *o, struct mlv_err *err)
{
	memset(p, 0, sizeof(*p));
	for (int i = 0; i < count; i++) {
		struct mlv_path named = { .path = operands[i] };
		enum mlv_rc rc = MLV_OK;
		if (is_directory(operands[i]))
			rc = add_directory(p, operands[i], o, err);
		else if (!mlv_vec_push(&p->list, named))
			rc = mlv_err_nomem(err);
		if (rc) {
			mlv_err_file(err, operands[i]);
			return rc;
		}
	}
	return MLV_OK;
}

void mlv_paths_fini(struct mlv_paths *p)
{
	mlv_arena_fini(&p->arena);
	mlv_vec_free(&p->list);
}

enum mlv_rc mlv_path_open(const struct mlv_path *path, const struct mlv_limits *limits,
			  struct mlv_source **src, struct mlv_err *err)
{
	if (!path->data)
		return mlv_source_open(src, path->path, limits, err);
	struct mlv_bytes bytes = { (const uint8_t *)path->data->data, path->data->len };
	return mlv_source_memory(src, path->path, bytes, 0, limits, err);
}
