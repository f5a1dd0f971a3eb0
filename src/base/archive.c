/* SPDX-License-Identifier: MIT */
#include "base/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 512, MAGIC_AT = 257, SUM_AT = 148, SUM_DIGITS = 8 };

struct mlv_archive {
	struct archive *tar;
	struct mlv_reader *reader;
	uint64_t files, most_files, most_bytes;
	bool ended;
	struct mlv_bytes block; /* of the member, what was not taken yet */
	uint64_t at;            /* bytes of it that were taken */
};

/* The sum of a header's bytes, with blanks for its own digits: what all kinds of tar have. */
static bool has_sum(const uint8_t *block)
{
	uint64_t sum = 0, stated = 0;
	bool any = false;
	for (size_t i = 0; i < BLOCK; i++)
		sum += i >= SUM_AT && i < SUM_AT + SUM_DIGITS ? ' ' : block[i];
	for (size_t i = SUM_AT; i < SUM_AT + SUM_DIGITS; i++) {
		if (block[i] >= '0' && block[i] <= '7') {
			stated = stated * 8 + (block[i] - '0');
			any = true;
		} else if (any) {
			break;
		}
	}
	return any && stated == sum;
}

bool mlv_archive_looks(struct mlv_bytes head)
{
	return head.n >= BLOCK && head.p[0] && has_sum(head.p) &&
	       (memcmp(head.p + MAGIC_AT, "ustar", 5) == 0 || head.p[MAGIC_AT] == 0);
}

/* All bytes at hand, then those behind them. An error of the source ends them. */
static ssize_t give(struct archive *tar, void *opaque, const void **bytes)
{
	struct mlv_reader *r = opaque;
	(void)tar;
	if (r->p == r->end && !mlv_reader_need(r, 1))
		return 0;
	*bytes = r->p;
	size_t n = (size_t)(r->end - r->p);
	r->p = r->end;
	return (ssize_t)n;
}

enum mlv_rc mlv_archive_create(struct mlv_archive **out, struct mlv_reader *r,
			       const struct mlv_limits *limits, struct mlv_err *err)
{
	struct mlv_archive *a = calloc(1, sizeof(*a));
	if (!a || !(a->tar = archive_read_new())) {
		free(a);
		return mlv_err_nomem(err);
	}
	a->reader = r;
	a->most_files = limits->files;
	a->most_bytes = limits->bytes;
	if (archive_read_support_format_tar(a->tar) != ARCHIVE_OK ||
	    archive_read_support_filter_none(a->tar) != ARCHIVE_OK ||
	    archive_read_open(a->tar, r, NULL, give, NULL) != ARCHIVE_OK) {
		mlv_err_set(err, MLV_E_FORMAT, "the archive cannot be read: %.160s",
			    archive_error_string(a->tar));
		mlv_archive_destroy(a);
		return err->rc;
	}
	*out = a;
	return MLV_OK;
}

void mlv_archive_destroy(struct mlv_archive *a)
{
	if (!a)
		return;
	archive_read_free(a->tar);
	free(a);
}

/* What ended the archive: its own bytes, or where they come from. */
static enum mlv_rc fail(struct mlv_archive *a, struct mlv_err *err)
{
	const char *why = archive_error_string(a->tar);
	a->ended = true;
	if (a->reader->err.rc) {
		*err = a->reader->err;
		return err->rc;
	}
	return mlv_err_at(err, MLV_E_FORMAT, mlv_reader_offset(a->reader),
			  "the archive is damaged: %.160s", why ? why : "no reason is given");
}

/* Hidden files, and what programs leave beside others, are none of ours. */
static bool is_hidden(const char *name)
{
	for (const char *p = name; *p; p++) {
		if ((p == name || p[-1] == '/') && p[0] == '.' && p[1] && p[1] != '/' &&
		    !(p[1] == '.' && (p[2] == '/' || !p[2])))
			return true;
	}
	return false;
}

enum mlv_rc mlv_archive_next(struct mlv_archive *a, const char **name, struct mlv_err *err)
{
	struct archive_entry *e;
	*name = NULL;
	while (!a->ended) {
		int rc = archive_read_next_header(a->tar, &e);
		if (rc == ARCHIVE_RETRY)
			continue;
		if (rc == ARCHIVE_EOF) {
			a->ended = true;
			/* A tar that stops where a header would come looks whole. */
			return a->reader->err.rc ? fail(a, err) : MLV_OK;
		}
		if (rc == ARCHIVE_FATAL)
			return fail(a, err);
		const char *path = archive_entry_pathname(e);
		if (archive_entry_filetype(e) != AE_IFREG || !path || is_hidden(path))
			continue;
		if (++a->files > a->most_files) {
			a->ended = true;
			return mlv_err_set(err, MLV_E_LIMIT,
					   "more than %" PRIu64
					   " files in it; raise it with --limit files=N",
					   a->most_files);
		}
		while (path[0] == '.' && path[1] == '/')
			path += 2;
		*name = path;
		a->block.n = 0;
		a->at = 0;
		return MLV_OK;
	}
	return MLV_OK;
}

/* The next bytes of the member, as they lie in the archive: none at its end. A call that wants a
 * number of bytes would lose those before a damage. */
static enum mlv_rc next_block(struct mlv_archive *a, struct mlv_err *err)
{
	const void *block;
	size_t n = 0;
	la_int64_t at = 0;
	int rc;
	do
		rc = archive_read_data_block(a->tar, &block, &n, &at);
	while (rc == ARCHIVE_RETRY || (rc == ARCHIVE_OK && !n));
	if (rc == ARCHIVE_EOF)
		return a->reader->err.rc ? fail(a, err) : MLV_OK;
	if (rc != ARCHIVE_OK && rc != ARCHIVE_WARN)
		return fail(a, err);
	if ((uint64_t)at != a->at)
		return mlv_err_set(err, MLV_E_UNSUPPORTED, "a file with holes in it");
	a->block = (struct mlv_bytes){ block, n };
	return MLV_OK;
}

enum mlv_rc mlv_archive_read(struct mlv_archive *a, struct mlv_buf *data, size_t most,
			     struct mlv_err *err)
{
	while (data->len < most) {
		enum mlv_rc rc = a->block.n ? MLV_OK : next_block(a, err);
		if (rc || !a->block.n)
			return rc;
		size_t n = a->block.n < most - data->len ? a->block.n : most - data->len;
		if (n > a->most_bytes - data->len)
			return mlv_err_set(err, MLV_E_LIMIT,
					   "more than %" PRIu64
					   " bytes in one file; raise it with --limit bytes=N",
					   a->most_bytes);
		mlv_buf_add(data, a->block.p, n);
		if (data->failed)
			return mlv_err_nomem(err);
		a->at += n;
		a->block.p += n;
		a->block.n -= n;
	}
	return MLV_OK;
}
