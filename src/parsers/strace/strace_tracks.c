/* SPDX-License-Identifier: MIT */
/* What is put in at the end: tracks and numbers; and the stacks of -k, which follow their call. */
#include <string.h>

#include "parsers/strace/strace_state.h"

int64_t mlv_strace_pid(const struct mlv_strace *st, uint32_t task)
{
	const struct mlv_strace_task *t = &st->tasks.data[task];
	return t->pid >= 0 ? t->pid : t->learned;
}

static struct mlv_str scratch(const struct mlv_strace *st)
{
	return (struct mlv_str){ st->text.data ? st->text.data : "", st->text.len };
}

/* "python3 (4711)": programs of a job often have the same name. */
static bool numbered(struct mlv_strace *st, struct mlv_str name, int64_t number)
{
	st->text.len = 0;
	if (name.n) {
		mlv_buf_str(&st->text, name);
		if (number >= 0)
			mlv_buf_printf(&st->text, " (%lld)", (long long)number);
	}
	return !st->text.failed;
}

static bool track_of(struct mlv_strace *st, uint32_t task, mlv_trackid parent, mlv_trackid *track)
{
	const struct mlv_strace_task *t = &st->tasks.data[task];
	const struct mlv_strace_task *leader = &st->tasks.data[t->leader];
	struct mlv_str name = mlv_run_str(st->run, t->name);
	int64_t pid = mlv_strace_pid(st, t->leader), tid = mlv_strace_pid(st, task);
	mlv_trackid process;
	if (!numbered(st, mlv_run_str(st->run, leader->name), pid) ||
	    !mlv_run_named_track(st->run, MLV_TRACK_PROCESS, parent, pid, scratch(st), &process))
		return false;
	/* Mostly it has the name of its process. */
	if (t->name.i == leader->name.i)
		name.n = 0;
	return numbered(st, name, tid) &&
	       mlv_run_named_track(st->run, MLV_TRACK_THREAD, process, tid, scratch(st), track);
}

bool mlv_strace_tracks(struct mlv_strace *st, mlv_trackid parent)
{
	mlv_trackid *tracks = calloc(st->tasks.len + 1, sizeof(*tracks));
	bool ok = tracks != NULL;
	for (uint32_t i = 0; ok && i < st->tasks.len; i++)
		ok = track_of(st, i, parent, &tracks[i]);
	for (size_t i = 0; ok && i < st->span_ids.len; i++)
		st->run->spans.data[st->span_ids.data[i]].track = tracks[st->span_tasks.data[i]];
	free(tracks);
	for (size_t i = 0; ok && i < st->nameless.len; i++) {
		struct mlv_attrs *attrs = &st->run->findings.data[st->nameless.data[i]].attrs;
		int64_t pid = mlv_strace_pid(st, st->unnamed);
		st->run->attrs.data[attrs->first].number = pid;
		attrs->first += pid < 0;
		attrs->count -= pid < 0;
	}
	return ok;
}

/* ---- stacks ---- */

enum { MAX_FRAMES = 512 };

static struct mlv_str cut_at(struct mlv_str *s, size_t i)
{
	struct mlv_str head = { s->p, i };
	*s = (struct mlv_str){ s->p + i, s->n - i };
	return head;
}

static size_t find(struct mlv_str s, char c)
{
	const char *p = memchr(s.p, c, s.n);
	return p ? (size_t)(p - s.p) : s.n;
}

static size_t find_last(struct mlv_str s, char c)
{
	size_t i = s.n;
	while (i && s.p[i - 1] != c)
		i--;
	return i ? i - 1 : s.n;
}

/* "file.c:12" */
static void place(struct mlv_str s, struct mlv_str *file, uint32_t *line)
{
	size_t colon = find_last(s, ':');
	uint64_t n;
	struct mlv_str number = { s.p + colon + 1, s.n - colon - (colon < s.n) };
	if (colon < s.n && mlv_strace_arg_address(number, &n) && n <= UINT32_MAX) {
		*line = (uint32_t)n;
		*file = (struct mlv_str){ s.p, colon };
	}
}

/*
 * "/usr/lib/libc.so.6(open64+0x5d) [0x10f53d]"; without a symbol its address
 * stands for it: "/usr/bin/echo() [0x2901]". With -kk the source may follow.
 */
bool mlv_strace_frame(struct mlv_strace *st, struct mlv_str s)
{
	struct mlv_frame frame = { 0 };
	mlv_frameid id;
	s = mlv_str_trim(s);
	struct mlv_str file = cut_at(&s, find(s, '('));
	struct mlv_str function = { "", 0 }, address = { "", 0 };
	if (s.n) {
		s = (struct mlv_str){ s.p + 1, s.n - 1 };
		function = cut_at(&s, find(s, ')'));
		function.n = find_last(function, '+');
	} else {
		function = file;
		function.n = find(function, ' ');
		file.n = 0;
	}
	size_t open = find(s, '[');
	if (open < s.n) {
		(void)cut_at(&s, open + 1);
		address = cut_at(&s, find(s, ']'));
		if (s.n)
			place(mlv_str_trim((struct mlv_str){ s.p + 1, s.n - 1 }), &file,
			      &frame.line);
	}
	if (!function.n)
		function = address;
	if (!st->last.is || st->last.frames.len >= MAX_FRAMES)
		return true;
	return mlv_run_intern(st->run, function, &frame.function) &&
	       mlv_run_intern(st->run, file, &frame.file) &&
	       mlv_frame_intern(&st->run->stacks, frame, &id) && mlv_vec_push(&st->last.frames, id);
}

bool mlv_strace_frames_end(struct mlv_strace *st)
{
	mlv_stackid stack;
	if (!st->last.is)
		return true;
	st->last.is = false;
	if (!st->last.frames.len)
		return true;
	if (!mlv_stack_intern(&st->run->stacks, st->last.frames.data, st->last.frames.len, &stack))
		return false;
	st->last.frames.len = 0;
	if (st->last.is_signal) {
		st->run->findings.data[st->last.row].stack = stack;
		return true;
	}
	st->run->spans.data[st->last.row].stack = stack;
	struct mlv_strace_space *s = &st->spaces.data[st->last.space];
	/* Pieces that remain of an older mapping keep the stack that made it. */
	for (size_t i = st->last.first_event; i < s->events.len; i++) {
		if (s->events.data[i].stack.i == MLV_STACK_NONE.i)
			s->events.data[i].stack = stack;
	}
	if (st->last.mapped)
		mlv_strace_newest_stack(&st->heap, stack);
	return true;
}
