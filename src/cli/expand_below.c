/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* fts */
#include "cli/expand_below.h"

#include <errno.h>
#include <fts.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/report_made.h"

/* A file that was found, to know it again under another name. */
struct found {
	dev_t device;
	ino_t inode;
	size_t at; /* in the list of paths */
	bool link;
};

struct walk {
	struct mlv_paths *paths;
	size_t first;
	uint64_t most;
	MLV_VEC(struct found) files;
};

/* The list of an earlier report in the directory that holds the entry; NULL: there is none. */
static const struct mlv_report_made *made_beside(const FTSENT *e)
{
	return e->fts_level > 0 ? e->fts_parent->fts_pointer : NULL;
}

static enum mlv_rc enter(FTSENT *e, struct mlv_err *err)
{
	struct mlv_report_made *made = calloc(1, sizeof(*made));
	if (!made)
		return mlv_err_nomem(err);
	e->fts_pointer = made;
	return mlv_report_made_init(made, e->fts_accpath, err);
}

static void leave(FTSENT *e)
{
	struct mlv_report_made *made = e->fts_pointer;
	if (made)
		mlv_report_made_fini(made);
	free(made);
	e->fts_pointer = NULL;
}

static enum mlv_rc add(struct walk *w, const FTSENT *e, const struct stat *st, bool is_link,
		       struct mlv_err *err)
{
	struct mlv_paths *p = w->paths;
	struct mlv_path path = { .found = true };
	struct found f = { st->st_dev, st->st_ino, p->list.len, is_link };
	if (p->list.len - w->first >= w->most)
		return mlv_err_set(err, MLV_E_LIMIT,
				   "more than %" PRIu64
				   " files below it; raise it with --limit files=N",
				   w->most);
	path.path = mlv_arena_strndup(&p->arena, e->fts_path, e->fts_pathlen);
	if (!path.path || !mlv_vec_push(&p->list, path) || !mlv_vec_push(&w->files, f))
		return mlv_err_nomem(err);
	return MLV_OK;
}

static bool is_hidden(const FTSENT *e)
{
	return e->fts_level > 0 && e->fts_name[0] == '.';
}

static enum mlv_rc visit(struct walk *w, FTS *tree, FTSENT *e, struct mlv_err *err)
{
	struct stat st;
	switch (e->fts_info) {
	case FTS_D:
		if (!is_hidden(e))
			return enter(e, err);
		fts_set(tree, e, FTS_SKIP);
		return MLV_OK;
	case FTS_DP:
		leave(e);
		return MLV_OK;
	case FTS_DNR:
	case FTS_ERR:
	case FTS_NS:
		leave(e);
		w->paths->unreadable++;
		return MLV_OK;
	case FTS_F:
	case FTS_SL:
		if (is_hidden(e) || stat(e->fts_accpath, &st) != 0 || !S_ISREG(st.st_mode) ||
		    (made_beside(e) && mlv_report_made_has(made_beside(e), e->fts_name)))
			return MLV_OK;
		return add(w, e, &st, e->fts_info == FTS_SL, err);
	default:
		return MLV_OK; /* sockets, links to nothing, and what closes a circle */
	}
}

/* The same file together, its own name before links to it. */
static int by_file(const void *pa, const void *pb)
{
	const struct found *a = pa, *b = pb;
	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	if (a->inode != b->inode)
		return a->inode < b->inode ? -1 : 1;
	if (a->link != b->link)
		return a->link ? 1 : -1;
	return (a->at > b->at) - (a->at < b->at);
}

/* Of the names of one file, one stays. */
static void drop_twins(struct walk *w)
{
	struct mlv_path *list = w->paths->list.data;
	size_t n = w->first;
	if (w->files.len)
		qsort(w->files.data, w->files.len, sizeof(*w->files.data), by_file);
	for (size_t i = 1; i < w->files.len; i++) {
		const struct found *a = &w->files.data[i - 1], *b = &w->files.data[i];
		if (a->device == b->device && a->inode == b->inode)
			list[b->at].path = NULL;
	}
	for (size_t i = w->first; i < w->paths->list.len; i++) {
		if (list[i].path)
			list[n++] = list[i];
	}
	w->paths->list.len = n;
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

enum mlv_rc mlv_paths_below(struct mlv_paths *p, const char *directory, uint64_t most,
			    struct mlv_err *err)
{
	struct walk w = { .paths = p, .first = p->list.len, .most = most };
	char *root = strdup(directory), *roots[] = { root, NULL };
	enum mlv_rc rc = MLV_OK;
	if (!root)
		return mlv_err_nomem(err);
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, by_name);
	if (!tree)
		rc = mlv_err_set(err, MLV_E_IO, "cannot open: %s", strerror(errno));
	for (FTSENT *e; tree && (e = fts_read(tree));) {
		/* After a failure only what was entered is left. */
		if (!rc)
			rc = visit(&w, tree, e, err);
		else if (e->fts_info == FTS_DP)
			leave(e);
		else if (e->fts_info == FTS_D)
			fts_set(tree, e, FTS_SKIP);
	}
	if (tree)
		fts_close(tree);
	if (!rc)
		drop_twins(&w);
	mlv_vec_free(&w.files);
	free(root);
	return rc;
}
