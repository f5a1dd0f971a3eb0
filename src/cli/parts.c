/* SPDX-License-Identifier: MIT */
#include "cli/parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

bool mlv_part_name(const char *path, struct mlv_str *stem, int64_t *number)
{
	static const struct mlv_str endings[] = { MLV_STR_INIT(".gz"), MLV_STR_INIT(".zst") };
	struct mlv_str s = mlv_str_of(path);
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		if (mlv_str_has_suffix(s, endings[i]))
			s.n -= endings[i].n;
	}
	size_t n = 0;
	while (n < s.n && mlv_is_digit(s.p[s.n - 1 - n]))
		n++;
	if (!n || n > 9 || n + 1 >= s.n || s.p[s.n - 1 - n] != '.' || s.p[s.n - 2 - n] == '/')
		return false;
	*number = 0;
	for (size_t i = s.n - n; i < s.n; i++)
		*number = *number * 10 + (s.p[i] - '0');
	*stem = (struct mlv_str){ s.p, s.n - 1 - n };
	return true;
}

static int by_number(const void *pa, const void *pb)
{
	const struct mlv_part *a = pa, *b = pb;
	return (a->number > b->number) - (a->number < b->number);
}

/* Open one and look at it. What is not kept is closed again. */
static void add(struct mlv_parts *parts, struct mlv_path *path, int64_t number,
		const struct mlv_common *c)
{
	struct mlv_source *src;
	struct mlv_reader *r = &parts->readers[parts->count];
	/* "many.12" beside "many.12.gz": only one of them is of this recording. */
	for (size_t i = 0; i < parts->count; i++) {
		if (parts->list[i].number == number)
			return;
	}
	if (mlv_path_open(path, &c->limits, &src, NULL))
		return;
	mlv_reader_init(r, src);
	(void)mlv_reader_need(r, MLV_PROBE_BYTES);
	struct mlv_bytes head = { r->p, (size_t)(r->end - r->p) };
	head.n = head.n > MLV_PROBE_BYTES ? MLV_PROBE_BYTES : head.n;
	const struct mlv_parser *parser = mlv_parser_of_part(head, number, c->format);
	if (!parser || (!head.n && r->err.rc)) {
		mlv_reader_fini(r);
		mlv_source_close(src);
		return;
	}
	if (head.n)
		parts->parser = parser;
	if (!parts->count)
		parts->compression = mlv_source_compression(src);
	parts->stored_bytes += mlv_source_stored_bytes(src);
	parts->sources[parts->count] = src;
	parts->paths[parts->count] = path;
	parts->list[parts->count++] =
		(struct mlv_part){ .reader = r, .file = path->path, .number = number };
}

/* The next file from `i` on whose name has this stem; the end of the list if there is none. */
static size_t next_of(const struct mlv_paths *paths, size_t i, struct mlv_str stem, int64_t *number)
{
	struct mlv_str other;
	while (i < paths->list.len && (paths->list.data[i].taken ||
				       !mlv_part_name(paths->list.data[i].path, &other, number) ||
				       !mlv_str_eq(stem, other)))
		i++;
	return i;
}

static bool name_them(struct mlv_parts *parts, struct mlv_paths *paths, struct mlv_str stem)
{
	struct mlv_buf name = { 0 };
	if (parts->count == 1) {
		parts->name = parts->list[0].file;
		return true;
	}
	mlv_buf_str(&name, stem);
	mlv_buf_puts(&name, ".*");
	if (!name.failed)
		parts->name = mlv_arena_strndup(&paths->arena, name.data, name.len);
	mlv_buf_fini(&name);
	return parts->name != NULL;
}

enum mlv_rc mlv_parts_init(struct mlv_parts *parts, struct mlv_paths *paths, size_t first,
			   const struct mlv_common *c, struct mlv_err *err)
{
	struct mlv_str stem;
	int64_t number;
	size_t most = 0;
	memset(parts, 0, sizeof(*parts));
	if (!mlv_part_name(paths->list.data[first].path, &stem, &number))
		return MLV_OK;
	for (size_t i = first; (i = next_of(paths, i, stem, &number)) < paths->list.len; i++)
		most++;
	parts->list = calloc(most, sizeof(*parts->list));
	parts->paths = calloc(most, sizeof(struct mlv_path *));
	parts->sources = calloc(most, sizeof(struct mlv_source *));
	parts->readers = calloc(most, sizeof(*parts->readers));
	bool ok = parts->list && parts->paths && parts->sources && parts->readers;
	for (size_t i = first; ok && (i = next_of(paths, i, stem, &number)) < paths->list.len; i++)
		add(parts, &paths->list.data[i], number, c);
	/* Files that are all empty are left to the caller, who says what that means. */
	if (ok && !parts->parser) {
		mlv_parts_fini(parts);
		return MLV_OK;
	}
	if (!ok || !name_them(parts, paths, stem)) {
		mlv_parts_fini(parts);
		return mlv_err_nomem(err);
	}
	qsort(parts->list, parts->count, sizeof(*parts->list), by_number);
	for (size_t i = 0; i < parts->count; i++)
		parts->paths[i]->taken = true;
	return MLV_OK;
}

void mlv_parts_fini(struct mlv_parts *parts)
{
	for (size_t i = 0; i < parts->count; i++) {
		mlv_reader_fini(&parts->readers[i]);
		mlv_source_close(parts->sources[i]);
	}
	free(parts->list);
	free(parts->paths);
	free(parts->sources);
	free(parts->readers);
	memset(parts, 0, sizeof(*parts));
}
