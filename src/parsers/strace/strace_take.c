/* SPDX-License-Identifier: MIT */
/* A line that is strace's: its time, its task, and what it adds. */
#include "parsers/strace/strace_state.h"

#define NS_PER_DAY INT64_C(86400000000000)

/* The moment of a line, counted from the first one unless the stamps have a date. */
static void tell_time(struct mlv_strace *st, const struct mlv_strace_leader *l)
{
	if (!l->clock || (st->clock && st->clock != l->clock))
		return;
	bool first = !st->clock;
	st->clock = l->clock;
	switch (l->clock) {
	case MLV_STRACE_DAY:
		if (first)
			st->first_ns = st->last_ns = l->stamp_ns;
		/* Midnight; and back, where lines of two tasks cross there. */
		if (l->stamp_ns - st->last_ns < -NS_PER_DAY / 2)
			st->days_ns += NS_PER_DAY;
		else if (l->stamp_ns - st->last_ns > NS_PER_DAY / 2 && st->days_ns)
			st->days_ns -= NS_PER_DAY;
		st->last_ns = l->stamp_ns;
		st->now = l->stamp_ns + st->days_ns - st->first_ns;
		break;
	case MLV_STRACE_RELATIVE:
		if (first)
			st->last_ns = 0;
		if (__builtin_add_overflow(st->last_ns, l->stamp_ns, &st->last_ns))
			st->last_ns = INT64_MAX;
		st->now = st->last_ns;
		break;
	default:
		st->now = l->stamp_ns;
		break;
	}
}

static enum mlv_rc begin(struct mlv_strace *st, struct mlv_text *t, uint32_t line,
			 struct mlv_err *err)
{
	if (st->begun)
		return MLV_OK;
	st->begun = true;
	st->root = MLV_STRACE_NO_TASK;
	st->now = MLV_NO_TIME;
	st->work = UINT64_C(1) << 24;
	st->heap.work = &st->work;
	st->heap.limits = t->limits;
	if (!mlv_run_intern(t->run, MLV_STR("syscall"), &st->category) ||
	    !mlv_run_intern(t->run, MLV_STR("unfinished"), &st->unfinished))
		return mlv_err_nomem(err);
	enum mlv_rc rc =
		mlv_text_section(t, "strace", MLV_STR("system calls"), line, &st->section, err);
	if (!rc)
		mlv_section_noun(t->run, st->section, "call");
	return rc;
}

static bool name_task(struct mlv_strace *st, uint32_t task, struct mlv_str comm)
{
	/* Before execve it is strace itself. */
	if (!comm.n || mlv_str_eq(comm, MLV_STR("strace")))
		return true;
	return mlv_run_intern(st->run, comm, &st->tasks.data[task].name);
}

static enum mlv_rc ended(struct mlv_strace *st, struct mlv_text *t, const struct mlv_strace_line *l,
			 uint32_t task, uint32_t line, struct mlv_err *err)
{
	enum mlv_rc rc = mlv_strace_event(st, t, l, task, line, err);
	if (rc)
		return rc;
	if (l->kind != MLV_STRACE_SUPERSEDED) {
		rc = mlv_strace_abandon(st, task, err);
		mlv_strace_task_end(st, task);
		return rc;
	}
	/* The task whose number the line names did the execve, and has this task's number now. */
	const struct mlv_map_slot *slot = mlv_map_find(&st->task_ids, (uint64_t)l->number);
	rc = mlv_strace_abandon(st, task, err);
	if (rc || !slot)
		return rc;
	uint32_t from = slot->value;
	mlv_strace_supersede(st, from, task);
	if (from != task)
		mlv_strace_task_end(st, from);
	return MLV_OK;
}

/* A line that is strace's, to the end. */
enum mlv_rc mlv_strace_take(struct mlv_strace *st, struct mlv_text *t,
			    const struct mlv_strace_line *l, uint32_t line, struct mlv_err *err)
{
	uint32_t task;
	enum mlv_rc rc = begin(st, t, line, err);
	st->task = MLV_STRACE_NO_TASK;
	if (rc)
		return rc;
	struct mlv_section *section = &t->run->sections.data[st->section];
	section->last_line = section->last_line > line ? section->last_line : line;
	st->lines++;
	tell_time(st, &l->leader);
	if (l->kind == MLV_STRACE_FRAME)
		return mlv_strace_frame(st, l->text) ? MLV_OK : mlv_err_nomem(err);
	if (l->kind == MLV_STRACE_DUMP || l->kind == MLV_STRACE_MESSAGE)
		return MLV_OK;
	int64_t pid = l->kind == MLV_STRACE_ATTACHED ? l->number : l->leader.pid;
	if (!mlv_strace_task(st, l, pid, &task) || !name_task(st, task, l->leader.comm))
		return mlv_err_nomem(err);
	st->task = task;
	switch (l->kind) {
	case MLV_STRACE_CALL:
	case MLV_STRACE_UNFINISHED:
	case MLV_STRACE_OPEN:
		st->calls += l->kind == MLV_STRACE_CALL;
		section->rows++;
		return mlv_strace_begin_call(st, t, l, task, line, err);
	case MLV_STRACE_RESUMED:
		return mlv_strace_resume_call(st, t, l, task, line, err);
	case MLV_STRACE_SIGNAL:
		return mlv_strace_event(st, t, l, task, line, err);
	case MLV_STRACE_EXITED:
	case MLV_STRACE_KILLED:
	case MLV_STRACE_SUPERSEDED:
		return ended(st, t, l, task, line, err);
	default:
		return MLV_OK;
	}
}
