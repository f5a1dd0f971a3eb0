/* SPDX-License-Identifier: MIT */
/*
 * What a call is about: its descriptor, and the path that it names or that
 * the descriptor stands for. This is looked up when the call begins, since
 * another task may close the descriptor before it returns.
 */
#include <string.h>

#include "parsers/strace/strace_state.h"

static bool add_text(struct mlv_buf *b, struct mlv_str s)
{
	mlv_buf_str(b, s);
	return !b->failed;
}

/* Append what is within the quotes; false if it is no string. */
static bool add_quoted(struct mlv_buf *b, struct mlv_str arg)
{
	if (!arg.n || arg.p[0] != '"')
		return false;
	char *out = malloc(arg.n);
	if (!out)
		return false;
	mlv_buf_add(b, out, mlv_strace_unquote(arg, out));
	free(out);
	return !b->failed;
}

/* With -x all of an address is escaped. */
static bool add_unescaped(struct mlv_buf *b, struct mlv_str s)
{
	char *out = malloc(s.n + 1);
	if (!out)
		return false;
	mlv_buf_add(b, out, mlv_strace_unescape(s, out));
	free(out);
	return !b->failed;
}

bool mlv_strace_intern_text(struct mlv_strace *st, mlv_strid *id)
{
	struct mlv_str s = { st->text.data ? st->text.data : "", st->text.len };
	return !st->text.failed && mlv_run_intern(st->run, s, id);
}

/* A path as a decoration gives it: "/lib/libc.so.6", "TCP:[…]", escaped like a string. */
bool mlv_strace_decorated(struct mlv_strace *st, struct mlv_str inside, mlv_strid *path)
{
	char *out = malloc(inside.n + 1);
	if (!out)
		return false;
	size_t n = mlv_strace_unescape(inside, out);
	bool ok = mlv_run_intern(st->run, (struct mlv_str){ out, n }, path);
	free(out);
	return ok;
}

/* The path of a descriptor: as it is written there, else as the log has shown. */
static bool descriptor(struct mlv_strace *st, struct mlv_strace_call *c, struct mlv_str arg)
{
	int64_t fd;
	struct mlv_str inside = mlv_strace_decoration(arg);
	if (mlv_strace_arg_number(arg, &fd) && fd >= 0)
		c->fd = fd;
	if (inside.n)
		return mlv_strace_decorated(st, inside, &c->path);
	if (c->fd >= 0)
		c->path = mlv_strace_files_get(mlv_strace_files_of(st, c->task), c->fd);
	return true;
}

static bool path_at(struct mlv_strace *st, struct mlv_strace_call *c, unsigned n)
{
	st->text.len = 0;
	return !add_quoted(&st->text, mlv_strace_arg(c->args, n)) ||
	       mlv_strace_intern_text(st, &c->path);
}

/* A folder's descriptor at `n` and a path behind it, which may be absolute or empty. */
static bool path_in(struct mlv_strace *st, struct mlv_strace_call *c, unsigned n)
{
	st->text.len = 0;
	struct mlv_str path = mlv_strace_arg(c->args, n + 1);
	if (!descriptor(st, c, mlv_strace_arg(c->args, n)))
		return false;
	struct mlv_str folder = mlv_run_str(st->run, c->path);
	bool quoted = path.n > 2 && path.p[0] == '"' && path.p[1] != '"';
	if (!quoted)
		return true;
	if (!add_quoted(&st->text, path))
		return false;
	if (st->text.len && st->text.data[0] != '/' && folder.n && folder.p[0] == '/') {
		/* Written behind the folder; the arena keeps `folder` where it is. */
		st->text.len = 0;
		if (!add_text(&st->text, folder))
			return false;
		if (folder.p[folder.n - 1] != '/')
			mlv_buf_putc(&st->text, '/');
		if (!add_quoted(&st->text, path))
			return false;
	}
	return mlv_strace_intern_text(st, &c->path);
}

/* What stands in `s` between `before` and `end`; empty if it is not there. */
static struct mlv_str between(struct mlv_str s, struct mlv_str before, char end)
{
	for (size_t i = 0; i + before.n <= s.n; i++) {
		if (memcmp(s.p + i, before.p, before.n) != 0)
			continue;
		size_t from = i + before.n, to = from;
		while (to < s.n && s.p[to] != end)
			to++;
		return (struct mlv_str){ s.p + from, to < s.n ? to - from : 0 };
	}
	return (struct mlv_str){ "", 0 };
}

/* "socket to 127.0.0.1:5000", "socket at /run/x" from a struct sockaddr; false if it shows none. */
bool mlv_strace_address(struct mlv_strace *st, const char *word, struct mlv_str arg)
{
	struct mlv_str host = between(arg, MLV_STR("inet_addr(\""), '"');
	struct mlv_str port = between(arg, MLV_STR("_port=htons("), ')');
	struct mlv_str path = between(arg, MLV_STR("sun_path="), '}');
	bool six = !host.n;
	if (!host.n)
		host = between(arg, MLV_STR("inet_pton(AF_INET6, \""), '"');
	st->text.len = 0;
	mlv_buf_puts(&st->text, word);
	if (path.n) {
		if (path.p[0] == '@') {
			mlv_buf_putc(&st->text, '@');
			path = (struct mlv_str){ path.p + 1, path.n - 1 };
		}
		return add_quoted(&st->text, path);
	}
	if (!host.n || !port.n)
		return false;
	mlv_buf_puts(&st->text, six ? "[" : "");
	if (!add_unescaped(&st->text, host))
		return false;
	mlv_buf_puts(&st->text, six ? "]:" : ":");
	return add_text(&st->text, port);
}

static bool enter_connect(struct mlv_strace *st, struct mlv_strace_call *c)
{
	const char *word = c->shape == MLV_STRACE_BIND ? "socket at " : "socket to ";
	struct mlv_str fd = mlv_strace_arg(c->args, 0);
	return descriptor(st, c, fd) &&
	       (mlv_strace_decoration(fd).n ||
		!mlv_strace_address(st, word, mlv_strace_arg(c->args, 1)) ||
		mlv_strace_intern_text(st, &c->path));
}

static bool find_subject(struct mlv_strace *st, struct mlv_strace_call *c)
{
	switch (c->shape) {
	case MLV_STRACE_FD:
	case MLV_STRACE_IO:
	case MLV_STRACE_CLOSE:
	case MLV_STRACE_DUP:
	case MLV_STRACE_DUP_TO:
	case MLV_STRACE_FCNTL:
	case MLV_STRACE_ACCEPT:
		return descriptor(st, c, mlv_strace_arg(c->args, 0));
	case MLV_STRACE_MMAP:
		return descriptor(st, c, mlv_strace_arg(c->args, 4));
	case MLV_STRACE_PATH:
	case MLV_STRACE_CREATE:
	case MLV_STRACE_EXEC:
		return path_at(st, c, 0);
	case MLV_STRACE_PATH_1:
		return path_at(st, c, 1);
	case MLV_STRACE_AT:
	case MLV_STRACE_CREATE_AT:
	case MLV_STRACE_EXEC_AT:
		return path_in(st, c, 0);
	case MLV_STRACE_AT_1:
		return path_in(st, c, 1);
	case MLV_STRACE_CONNECT:
	case MLV_STRACE_BIND:
		return enter_connect(st, c);
	case MLV_STRACE_MEMFD:
		st->text.len = 0;
		mlv_buf_puts(&st->text, "memfd:");
		return !add_quoted(&st->text, mlv_strace_arg(c->args, 0)) ||
		       mlv_strace_intern_text(st, &c->path);
	default:
		return true;
	}
}

bool mlv_strace_enter(struct mlv_strace *st, struct mlv_strace_call *c)
{
	c->path = MLV_STR_NONE;
	c->fd = -1;
	c->serial = st->heap.serial + 1;
	c->forked = MLV_STRACE_NO_TASK;
	if (!find_subject(st, c))
		return false;
	/* The number is free at once, whatever close returns; another task may get it now. */
	if (c->shape == MLV_STRACE_CLOSE && c->fd >= 0)
		mlv_strace_files_close(mlv_strace_files_of(st, c->task), c->fd);
	return true;
}
