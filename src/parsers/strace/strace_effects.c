/* SPDX-License-Identifier: MIT */
/*
 * What a call that returned has changed: descriptors that come and go,
 * children, new programs.
 */
#include "parsers/strace/strace_state.h"

static bool set(struct mlv_strace *st, const struct mlv_strace_call *c, int64_t fd, mlv_strid path)
{
	return mlv_strace_files_set(mlv_strace_files_of(st, c->task), fd, path,
				    mlv_str_contains(c->args, MLV_STR("_CLOEXEC")));
}

/* The result is a new descriptor: of what its decoration says, else of `path`. */
static bool made(struct mlv_strace *st, const struct mlv_strace_call *c,
		 const struct mlv_strace_result *r, mlv_strid path)
{
	if (r->decoration.n && !mlv_strace_decorated(st, r->decoration, &path))
		return false;
	return set(st, c, r->number, path);
}

static bool made_named(struct mlv_strace *st, const struct mlv_strace_call *c,
		       const struct mlv_strace_result *r, struct mlv_str name)
{
	mlv_strid id;
	return mlv_run_intern(st->run, name, &id) && made(st, c, r, id);
}

static bool accepted(struct mlv_strace *st, const struct mlv_strace_call *c,
		     const struct mlv_strace_result *r)
{
	mlv_strid id;
	if (!mlv_strace_address(st, "socket from ", mlv_strace_arg(c->args, 1)))
		return made_named(st, c, r, MLV_STR("socket"));
	return mlv_strace_intern_text(st, &id) && made(st, c, r, id);
}

/* "[3, 4]", "[3<pipe:[12]>, 4<pipe:[12]>]" */
static bool made_pair(struct mlv_strace *st, const struct mlv_strace_call *c, bool socket)
{
	struct mlv_str list = mlv_strace_arg(c->args, socket ? 3 : 0), arg;
	size_t at = 0;
	if (list.n < 2 || list.p[0] != '[')
		return true;
	list = (struct mlv_str){ list.p + 1, list.n - 2 };
	while (mlv_strace_next_arg(list, &at, &arg)) {
		struct mlv_strace_result r = { .decoration = mlv_strace_decoration(arg) };
		if (mlv_strace_arg_number(arg, &r.number) &&
		    !made_named(st, c, &r, socket ? MLV_STR("socketpair") : MLV_STR("pipe")))
			return false;
		/* Not separated by a comma. */
		if (at < list.n && list.p[at - 1] != ',')
			break;
	}
	return true;
}

static bool fcntl_done(struct mlv_strace *st, const struct mlv_strace_call *c,
		       const struct mlv_strace_result *r)
{
	struct mlv_str command = mlv_strace_arg(c->args, 1);
	if (mlv_str_has_prefix(command, MLV_STR("F_DUPFD")))
		return made(st, c, r, c->path);
	if (mlv_str_eq(command, MLV_STR("F_SETFD")))
		mlv_strace_files_cloexec(mlv_strace_files_of(st, c->task), c->fd,
					 mlv_str_contains(c->args, MLV_STR("FD_CLOEXEC")));
	return true;
}

static bool closed_range(struct mlv_strace *st, const struct mlv_strace_call *c)
{
	uint64_t first, last;
	if (!mlv_strace_arg_address(mlv_strace_arg(c->args, 0), &first) ||
	    !mlv_strace_arg_address(mlv_strace_arg(c->args, 1), &last))
		return true;
	return mlv_strace_files_close_range(
		mlv_strace_files_of(st, c->task), first, last,
		mlv_str_contains(c->args, MLV_STR("CLOSE_RANGE_CLOEXEC")), &st->work);
}

/* connect that goes on in the background has its address too. */
static bool connected(struct mlv_strace *st, const struct mlv_strace_call *c)
{
	struct mlv_strace_files *f = mlv_strace_files_of(st, c->task);
	struct mlv_map_slot *s = c->fd >= 0 ? mlv_map_find(&f->paths, (uint64_t)c->fd) : NULL;
	return !c->path.i || mlv_strace_files_set(f, c->fd, c->path, s && s->value & 1);
}

static enum mlv_rc replaced(struct mlv_strace *st, const struct mlv_strace_call *c,
			    struct mlv_err *err)
{
	struct mlv_str name = mlv_str_basename(mlv_run_str(st->run, c->path));
	if (name.n && !mlv_run_intern(st->run, name, &st->tasks.data[c->task].name))
		return mlv_err_nomem(err);
	return mlv_strace_exec(st, c->task, st->now, err);
}

static bool descriptors(struct mlv_strace *st, const struct mlv_strace_call *c,
			const struct mlv_strace_result *r)
{
	switch (c->shape) {
	case MLV_STRACE_CREATE:
	case MLV_STRACE_CREATE_AT:
	case MLV_STRACE_MEMFD:
	case MLV_STRACE_DUP:
	case MLV_STRACE_DUP_TO:
		return made(st, c, r, c->path);
	case MLV_STRACE_NEW_FD:
		return made_named(st, c, r, mlv_run_str(st->run, c->name));
	case MLV_STRACE_SOCKET:
		return made_named(st, c, r, MLV_STR("socket"));
	case MLV_STRACE_ACCEPT:
		return accepted(st, c, r);
	case MLV_STRACE_PAIR:
		return made_pair(st, c,
				 mlv_str_eq(mlv_run_str(st->run, c->name), MLV_STR("socketpair")));
	case MLV_STRACE_BIND:
	case MLV_STRACE_CONNECT:
		return connected(st, c);
	case MLV_STRACE_FCNTL:
		return fcntl_done(st, c, r);
	case MLV_STRACE_CLOSE_RANGE:
		return closed_range(st, c);
	case MLV_STRACE_FORK:
		return r->number == 0 || mlv_strace_child(st, c->task, r->number, c->forked,
							  c->args, mlv_run_str(st->run, c->name));
	default:
		return true;
	}
}

enum mlv_rc mlv_strace_leave(struct mlv_strace *st, const struct mlv_strace_call *c,
			     const struct mlv_strace_result *r, struct mlv_err *err)
{
	bool failed = !r->is_number || r->number < 0;
	if (failed && c->shape == MLV_STRACE_CONNECT &&
	    mlv_str_eq(r->error, MLV_STR("EINPROGRESS")))
		return connected(st, c) ? MLV_OK : mlv_err_nomem(err);
	if (failed)
		return MLV_OK;
	switch (c->shape) {
	case MLV_STRACE_EXEC:
	case MLV_STRACE_EXEC_AT:
		return replaced(st, c, err);
	case MLV_STRACE_GETPID:
		/* A thread is told the number of its process. */
		if (st->tasks.data[c->task].learned < 0)
			st->tasks.data[c->task].learned = r->number;
		return MLV_OK;
	case MLV_STRACE_GETTID:
		st->tasks.data[c->task].learned = r->number;
		return MLV_OK;
	case MLV_STRACE_MMAP:
	case MLV_STRACE_MUNMAP:
	case MLV_STRACE_MREMAP:
	case MLV_STRACE_BRK:
		return mlv_strace_memory(st, c, r, err);
	default:
		return descriptors(st, c, r) ? MLV_OK : mlv_err_nomem(err);
	}
}
