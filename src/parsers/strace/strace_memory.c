/* SPDX-License-Identifier: MIT */
/* Calls that change an address space, and the histories as devices of the run. */
#include <string.h>

#include "parsers/strace/strace_state.h"

/* What a mapping is for, kept as the note of its events. */
static bool note_of(struct mlv_strace *st, struct mlv_str what, mlv_noteid *id)
{
	struct mlv_note note = { MLV_STR_NONE, MLV_STR_NONE, MLV_STR_NONE };
	return mlv_run_intern(st->run, what, &note.user_metadata) &&
	       mlv_run_note(st->run, note, id);
}

static struct mlv_str purpose(const struct mlv_strace *st, const struct mlv_strace_call *c)
{
	struct mlv_str flags = mlv_strace_arg(c->args, 3);
	if (c->path.i)
		return mlv_run_str(st->run, c->path);
	if (c->fd >= 0)
		return MLV_STR("file");
	if (mlv_str_eq(mlv_strace_arg(c->args, 2), MLV_STR("PROT_NONE")))
		return MLV_STR("reserved");
	return mlv_str_contains(flags, MLV_STR("MAP_STACK")) ? MLV_STR("stack")
							     : MLV_STR("anonymous");
}

static enum mlv_rc map(struct mlv_strace *st, const struct mlv_strace_call *c, uint64_t addr,
		       uint64_t bytes, uint64_t end, mlv_noteid note, struct mlv_err *err)
{
	struct mlv_mem_event what = { .addr = addr, .bytes = bytes, .note = note };
	if (end <= addr)
		return MLV_OK;
	st->last.mapped = true;
	return mlv_strace_map(&st->heap, mlv_strace_space_of(st, c->task), st->now, what, end, err);
}

static enum mlv_rc on_mmap(struct mlv_strace *st, const struct mlv_strace_call *c, uint64_t result,
			   struct mlv_err *err)
{
	uint64_t bytes;
	mlv_noteid note;
	if (!mlv_strace_arg_address(mlv_strace_arg(c->args, 1), &bytes))
		return MLV_OK;
	if (!note_of(st, purpose(st, c), &note))
		return mlv_err_nomem(err);
	return map(st, c, result, bytes, mlv_strace_page_end(result, bytes), note, err);
}

static enum mlv_rc on_munmap(struct mlv_strace *st, const struct mlv_strace_call *c,
			     struct mlv_err *err)
{
	uint64_t addr, bytes;
	if (!mlv_strace_arg_address(mlv_strace_arg(c->args, 0), &addr) ||
	    !mlv_strace_arg_address(mlv_strace_arg(c->args, 1), &bytes))
		return MLV_OK;
	uint64_t end = mlv_strace_page_end(addr, bytes);
	if (end <= addr)
		return MLV_OK;
	return mlv_strace_unmap(&st->heap, mlv_strace_space_of(st, c->task), st->now, addr, end,
				c->serial, err);
}

static enum mlv_rc on_mremap(struct mlv_strace *st, const struct mlv_strace_call *c,
			     uint64_t result, struct mlv_err *err)
{
	uint64_t addr, old, bytes;
	struct mlv_strace_space *s = mlv_strace_space_of(st, c->task);
	if (!mlv_strace_arg_address(mlv_strace_arg(c->args, 0), &addr) ||
	    !mlv_strace_arg_address(mlv_strace_arg(c->args, 1), &old) ||
	    !mlv_strace_arg_address(mlv_strace_arg(c->args, 2), &bytes))
		return MLV_OK;
	uint64_t end = mlv_strace_page_end(addr, old);
	mlv_noteid note = mlv_strace_note_at(&st->heap, s, addr);
	if (!note.i && !note_of(st, MLV_STR("anonymous"), &note))
		return mlv_err_nomem(err);
	/* With a size of 0 the old mapping stays as well. */
	if (end > addr && !mlv_str_contains(c->args, MLV_STR("MREMAP_DONTUNMAP"))) {
		enum mlv_rc rc = mlv_strace_unmap(&st->heap, s, st->now, addr, end, c->serial, err);
		if (rc)
			return rc;
	}
	return map(st, c, result, bytes, mlv_strace_page_end(result, bytes), note, err);
}

/* The heap of malloc: growth is a piece, and what is given back is cut off. */
static enum mlv_rc on_brk(struct mlv_strace *st, const struct mlv_strace_call *c, uint64_t result,
			  struct mlv_err *err)
{
	struct mlv_strace_space *s = mlv_strace_space_of(st, c->task);
	uint64_t old = s->brk;
	mlv_noteid note;
	if (!result)
		return MLV_OK;
	s->brk = result;
	if (!old || result == old)
		return MLV_OK;
	if (result < old)
		return mlv_strace_unmap(&st->heap, s, st->now, result, old, UINT64_MAX, err);
	if (!note_of(st, MLV_STR("heap"), &note))
		return mlv_err_nomem(err);
	return map(st, c, old, result - old, result, note, err);
}

enum mlv_rc mlv_strace_memory(struct mlv_strace *st, const struct mlv_strace_call *c,
			      const struct mlv_strace_result *r, struct mlv_err *err)
{
	uint64_t result = (uint64_t)r->number;
	switch (c->shape) {
	case MLV_STRACE_MMAP:
		return on_mmap(st, c, result, err);
	case MLV_STRACE_MUNMAP:
		return on_munmap(st, c, err);
	case MLV_STRACE_MREMAP:
		return on_mremap(st, c, result, err);
	default:
		return on_brk(st, c, result, err);
	}
}

/* ---- the histories as devices ---- */

struct place {
	int64_t pid;
	uint32_t space;
};

static int by_pid(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return x->space < y->space ? -1 : x->space > y->space;
}

static bool append(struct mlv_strace *st, struct place p, mlv_trackid track)
{
	struct mlv_strace_space *s = &st->spaces.data[p.space];
	struct mlv_run *run = st->run;
	if (!mlv_vec_room(&run->mem_events, s->events.len))
		return false;
	for (size_t i = 0; i < s->events.len; i++) {
		s->events.data[i].track = track;
		run->mem_events.data[run->mem_events.len++] = s->events.data[i];
	}
	mlv_vec_free(&s->events);
	return true;
}

/* A process with the same number follows: what the earlier one had is gone by then. */
static enum mlv_rc end_space(struct mlv_strace *st, uint32_t space, uint32_t next,
			     struct mlv_err *err)
{
	return mlv_strace_unmap_all(&st->heap, &st->spaces.data[space],
				    st->spaces.data[next].events.data[0].time_ns, err);
}

/* Spaces of one number become one device, in the order in which they came to be. */
static enum mlv_rc add_devices(struct mlv_strace *st, const struct place *places, size_t n,
			       mlv_trackid parent, struct mlv_err *err)
{
	struct mlv_run *run = st->run;
	for (size_t i = 0; i < n;) {
		struct mlv_device d = { .ordinal = places[i].pid < 0 ? 0 : (uint32_t)places[i].pid,
					.bytes_are = MLV_BYTES_MAPPED,
					.first_event = run->mem_events.len,
					.first_segment = run->segments.len };
		size_t first = i;
		if (!mlv_run_track(run, MLV_TRACK_HOST, parent, places[i].pid, &d.track))
			return mlv_err_nomem(err);
		for (; i < n && places[i].pid == places[first].pid; i++) {
			bool more = i + 1 < n && places[i + 1].pid == places[first].pid;
			enum mlv_rc rc =
				more ? end_space(st, places[i].space, places[i + 1].space, err)
				     : MLV_OK;
			if (rc)
				return rc;
			if (!append(st, places[i], d.track))
				return mlv_err_nomem(err);
		}
		d.events = run->mem_events.len - d.first_event;
		if (!mlv_vec_push(&run->devices, d))
			return mlv_err_nomem(err);
	}
	return MLV_OK;
}

enum mlv_rc mlv_strace_devices(struct mlv_strace *st, mlv_trackid parent, struct mlv_err *err)
{
	struct place *places = calloc(st->spaces.len + 1, sizeof(*places));
	size_t n = 0;
	if (!places)
		return mlv_err_nomem(err);
	for (size_t i = 0; i < st->spaces.len; i++) {
		if (!st->spaces.data[i].events.len)
			continue;
		places[n].pid = mlv_strace_pid(st, st->spaces.data[i].owner);
		places[n++].space = (uint32_t)i;
	}
	qsort(places, n, sizeof(*places), by_pid);
	enum mlv_rc rc = add_devices(st, places, n, parent, err);
	free(places);
	return rc;
}
