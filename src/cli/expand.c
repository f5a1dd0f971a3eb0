/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* strverscmp */
#include "cli/expand.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_directory(const char *path)
{
	struct stat st;
	return strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int by_name(const void *pa, const void *pb)
{
	return strverscmp(((const struct mlv_path *)pa)->path, ((const struct mlv_path *)pb)->path);
}

/* The regular files in it, not those below; hidden ones are none of ours. */
static enum mlv_rc add_files(struct mlv_paths *p, const char *directory, struct mlv_err *err)
{
	DIR *dir = opendir(directory);
	size_t first = p->list.len;
	bool ok = true;
	if (!dir)
		return mlv_err_set(err, MLV_E_IO, "cannot open: %s", strerror(errno));
	for (struct dirent *e; ok && (e = readdir(dir));) {
		char full[4096];
		struct stat st;
		size_t n = strlen(directory);
		const char *gap = n && directory[n - 1] == '/' ? "" : "/";
		if (e->d_name[0] == '.' ||
		    (size_t)snprintf(full, sizeof(full), "%s%s%s", directory, gap, e->d_name) >=
			    sizeof(full) ||
		    stat(full, &st) != 0 || !S_ISREG(st.st_mode))
			continue;
		struct mlv_path path = { .path = mlv_arena_strndup(&p->arena, full, strlen(full)),
					 .found = true };
		ok = path.path && mlv_vec_push(&p->list, path);
	}
	closedir(dir);
	if (!ok)
		return mlv_err_nomem(err);
	if (p->list.len == first)
		return mlv_err_set(err, MLV_E_FORMAT, "is a directory without files");
	qsort(p->list.data + first, p->list.len - first, sizeof(*p->list.data), by_name);
	return MLV_OK;
}

enum mlv_rc mlv_paths_init(struct mlv_paths *p, int count, char **operands, struct mlv_err *err)
{
	memset(p, 0, sizeof(*p));
	for (int i = 0; i < count; i++) {
		struct mlv_path named = { .path = operands[i] };
		enum mlv_rc rc = MLV_OK;
		if (is_directory(operands[i]))
			rc = add_files(p, operands[i], err);
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
