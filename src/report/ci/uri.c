/* SPDX-License-Identifier: MIT */
#include "report/ci/uri.h"

#include <ctype.h>

/* A path may be as long as its recorder liked; no file system has longer ones. */
enum { LONGEST_PATH = 4096, MOST_PARTS = 256 };

static bool is_separator(char c)
{
	return c == '/' || c == '\\';
}

static bool same(char a, char b)
{
	return a == b || (is_separator(a) && is_separator(b));
}

/* Without the root, where it begins with it as a whole directory. */
static struct mlv_str below(struct mlv_str path, const char *root)
{
	size_t n = root ? strlen(root) : 0;
	while (n && is_separator(root[n - 1]))
		n--;
	if (!n || path.n <= n || !is_separator(path.p[n]))
		return path;
	for (size_t i = 0; i < n; i++)
		if (!same(path.p[i], root[i]))
			return path;
	return mlv_str_from(path, n + 1);
}

static struct mlv_str without_drive(struct mlv_str path)
{
	bool drive = path.n >= 3 && isalpha((unsigned char)path.p[0]) && path.p[1] == ':' &&
		     is_separator(path.p[2]);
	return drive ? mlv_str_from(path, 2) : path;
}

/* The parts of a path that are left once "." and ".." are resolved. */
static size_t split(struct mlv_str path, struct mlv_str parts[MOST_PARTS])
{
	size_t count = 0;
	for (size_t i = 0, n; i < path.n; i += n + 1) {
		for (n = 0; i + n < path.n && !is_separator(path.p[i + n]);)
			n++;
		struct mlv_str part = { path.p + i, n };
		if (!n || mlv_str_eq(part, MLV_STR(".")))
			continue;
		if (mlv_str_eq(part, MLV_STR("..")))
			count -= count > 0;
		else if (count < MOST_PARTS)
			parts[count++] = part;
	}
	return count;
}

/* What RFC 3986 calls unreserved; all else is encoded, which is always right. */
static void encode(struct mlv_buf *out, struct mlv_str part)
{
	for (size_t i = 0; i < part.n; i++) {
		unsigned char c = (unsigned char)part.p[i];
		bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			     (c >= '0' && c <= '9') || (c && strchr("-._~", c));
		if (plain)
			mlv_buf_putc(out, (char)c);
		else
			mlv_buf_printf(out, "%%%02X", c);
	}
}

void mlv_ci_uri(struct mlv_buf *out, struct mlv_str path, const char *root)
{
	struct mlv_str parts[MOST_PARTS];
	struct mlv_buf text = { 0 };
	/* Readers decode it as UTF-8. */
	mlv_buf_safe(&text, without_drive(below(mlv_str_head(path, LONGEST_PATH), root)));
	size_t count = split((struct mlv_str){ text.data, text.len }, parts);
	for (size_t i = 0; i < count; i++) {
		if (i)
			mlv_buf_putc(out, '/');
		encode(out, parts[i]);
	}
	if (!count)
		mlv_buf_puts(out, "unknown");
	out->failed |= text.failed;
	mlv_buf_fini(&text);
}
