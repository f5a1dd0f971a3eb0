/* SPDX-License-Identifier: MIT */
/*
 * Who the tasks of a log are. A log on standard error names a pid only while
 * more than one process is traced, and a child may show up before the call
 * that made it returns; it is then taken for the child of a call that is
 * under way, and put right if the result says otherwise.
 */
#include "parsers/strace/strace_state.h"

enum { MAX_FORKING = 256 };

static bool add_files(struct mlv_strace *st, uint32_t *index)
{
	struct mlv_strace_files f = { .users = 1 };
	*index = (uint32_t)st->files.len;
	return mlv_vec_push(&st->files, f);
}

static bool add_space(struct mlv_strace *st, uint32_t owner, bool inherited, uint32_t *index)
{
	struct mlv_strace_space s = { .owner = owner, .users = 1, .inherited = inherited };
	*index = (uint32_t)st->spaces.len;
	return mlv_vec_push(&st->spaces, s);
}

static void drop_files(struct mlv_strace *st, uint32_t index)
{
	struct mlv_strace_files *f = &st->files.data[index];
	if (f->users && --f->users == 0)
		mlv_map_fini(&f->paths);
}

/* What an ended process had mapped stays in its history. */
static void drop_space(struct mlv_strace *st, uint32_t index)
{
	st->spaces.data[index].users--;
}

static bool add_task(struct mlv_strace *st, int64_t pid, uint32_t *task)
{
	struct mlv_strace_task t = { .pid = pid, .learned = -1, .parent = MLV_STRACE_NO_TASK };
	*task = (uint32_t)st->tasks.len;
	t.leader = *task;
	if (!add_files(st, &t.files) || !add_space(st, *task, false, &t.space) ||
	    !mlv_vec_push(&st->tasks, t))
		return false;
	st->alive++;
	return pid < 0 || mlv_map_set(&st->task_ids, (uint64_t)pid, *task);
}

/* Make `task` the child of `parent`, with what the flags of the call say. */
static bool inherit(struct mlv_strace *st, uint32_t task, uint32_t parent, struct mlv_str args,
		    struct mlv_str name)
{
	struct mlv_strace_task *c = &st->tasks.data[task];
	const struct mlv_strace_task *p = &st->tasks.data[parent];
	bool thread = mlv_str_contains(args, MLV_STR("CLONE_THREAD"));
	bool vm = mlv_str_contains(args, MLV_STR("CLONE_VM")) || mlv_str_eq(name, MLV_STR("vfork"));
	bool files = mlv_str_contains(args, MLV_STR("CLONE_FILES"));
	c->rooted = true;
	c->leader = thread ? p->leader : task;
	c->parent = parent;
	c->name = c->name.i ? c->name : p->name;
	drop_files(st, c->files);
	drop_space(st, c->space);
	if (files) {
		c->files = p->files;
		st->files.data[p->files].users++;
	} else if (!add_files(st, &c->files) ||
		   !mlv_strace_files_copy(&st->files.data[c->files], &st->files.data[p->files],
					  false, &st->work)) {
		return false;
	}
	if (vm) {
		c->space = p->space;
		st->spaces.data[p->space].users++;
		return true;
	}
	st->forked_spaces++;
	if (!add_space(st, task, true, &c->space))
		return false;
	st->spaces.data[c->space].brk = st->spaces.data[p->space].brk;
	return true;
}

/* A new task may be the child of a call that is under way: the first one without. */
static bool adopt(struct mlv_strace *st, uint32_t task)
{
	for (size_t i = 0; i < st->forking.len; i++) {
		struct mlv_strace_task *parent = &st->tasks.data[st->forking.data[i]];
		if (parent->pending.forked != MLV_STRACE_NO_TASK)
			continue;
		struct mlv_str args = { parent->args, parent->args_len };
		struct mlv_str name = mlv_run_str(st->run, parent->pending.name);
		parent->pending.forked = task;
		st->tasks.data[task].guessed = true;
		return inherit(st, task, st->forking.data[i], args, name);
	}
	return true;
}

/* The only task that is left. */
static uint32_t last_one(const struct mlv_strace *st)
{
	for (size_t i = st->tasks.len; i-- > 0;) {
		if (!st->tasks.data[i].ended)
			return (uint32_t)i;
	}
	return MLV_STRACE_NO_TASK;
}

/* Lines without a pid are of the only task there is. */
static bool without_pid(struct mlv_strace *st, uint32_t *task)
{
	bool has = st->root != MLV_STRACE_NO_TASK;
	if ((!has || st->tasks.data[st->root].ended) && st->alive == 1)
		st->root = last_one(st);
	else if (!has && !add_task(st, -1, &st->root))
		return false;
	else if (!has)
		st->unnamed = st->root;
	*task = st->root;
	return true;
}

/* A pid that is new names the task that had no number so far, unless that one makes a child. */
static bool names_root(const struct mlv_strace *st, const struct mlv_strace_line *l)
{
	if (st->root == MLV_STRACE_NO_TASK || st->tasks.data[st->root].pid >= 0 ||
	    l->kind == MLV_STRACE_ATTACHED)
		return false;
	const struct mlv_strace_task *root = &st->tasks.data[st->root];
	if (!root->is_pending)
		return true;
	return l->kind == MLV_STRACE_RESUMED &&
	       mlv_str_eq(l->name, mlv_run_str(st->run, root->pending.name));
}

bool mlv_strace_task(struct mlv_strace *st, const struct mlv_strace_line *l, int64_t pid,
		     uint32_t *task)
{
	if (pid < 0)
		return without_pid(st, task);
	const struct mlv_map_slot *known = mlv_map_find(&st->task_ids, (uint64_t)pid);
	if (known) {
		struct mlv_strace_task *t = &st->tasks.data[known->value];
		/* strace announced it before the call that made it was seen whole. */
		bool orphan = !t->seen && !t->rooted && l->kind != MLV_STRACE_ATTACHED;
		t->seen = t->seen || orphan;
		*task = known->value;
		return !orphan || adopt(st, *task);
	}
	if (names_root(st, l)) {
		*task = st->root;
		st->tasks.data[st->root].pid = pid;
		return mlv_map_set(&st->task_ids, (uint64_t)pid, st->root);
	}
	if (!add_task(st, pid, task))
		return false;
	st->tasks.data[*task].seen = l->kind != MLV_STRACE_ATTACHED;
	return adopt(st, *task);
}

bool mlv_strace_forking(struct mlv_strace *st, uint32_t task)
{
	/* All who wait for a child are looked at for each new task; there are never many. */
	return st->forking.len >= MAX_FORKING || mlv_vec_push(&st->forking, task);
}

void mlv_strace_forked(struct mlv_strace *st, uint32_t task)
{
	for (size_t i = st->forking.len; i-- > 0;) {
		if (st->forking.data[i] != task)
			continue;
		for (size_t k = i + 1; k < st->forking.len; k++)
			st->forking.data[k - 1] = st->forking.data[k];
		st->forking.len--;
		return;
	}
}

bool mlv_strace_child(struct mlv_strace *st, uint32_t parent, int64_t pid, uint32_t guess,
		      struct mlv_str args, struct mlv_str name)
{
	uint32_t task;
	const struct mlv_map_slot *known = mlv_map_find(&st->task_ids, (uint64_t)pid);
	if (known && known->value == guess) {
		st->tasks.data[guess].guessed = false;
		return true;
	}
	/* The number of one that ended unseen. */
	if (known && st->tasks.data[known->value].rooted && !st->tasks.data[known->value].guessed) {
		mlv_strace_task_end(st, known->value);
		known = NULL;
	}
	if (known && known->value != parent)
		task = known->value;
	else if (!add_task(st, pid, &task))
		return false;
	st->tasks.data[task].guessed = false;
	return inherit(st, task, parent, args, name);
}

enum mlv_rc mlv_strace_exec(struct mlv_strace *st, uint32_t task, int64_t time, struct mlv_err *err)
{
	struct mlv_strace_task *t = &st->tasks.data[task];
	struct mlv_strace_files *files = &st->files.data[t->files];
	struct mlv_strace_space *space = &st->spaces.data[t->space];
	uint32_t old = t->files;
	bool ok = true;
	t->rooted = true;
	if (files->users > 1) {
		ok = add_files(st, &t->files) &&
		     mlv_strace_files_copy(&st->files.data[t->files], &st->files.data[old], true,
					   &st->work);
		drop_files(st, old);
	} else {
		ok = mlv_strace_files_exec(files, &st->work);
	}
	if (!ok)
		return mlv_err_nomem(err);
	if (space->users > 1) {
		drop_space(st, t->space);
		return add_space(st, task, false, &t->space) ? MLV_OK : mlv_err_nomem(err);
	}
	return mlv_strace_unmap_all(&st->heap, space, time, err);
}

void mlv_strace_task_end(struct mlv_strace *st, uint32_t task)
{
	struct mlv_strace_task *t = &st->tasks.data[task];
	if (t->ended)
		return;
	struct mlv_map_slot *slot =
		t->pid < 0 ? NULL : mlv_map_find(&st->task_ids, (uint64_t)t->pid);
	if (slot && slot->value == task)
		mlv_map_remove(&st->task_ids, slot);
	t->ended = true;
	st->alive--;
	drop_files(st, t->files);
	drop_space(st, t->space);
	free(t->args);
	t->args = NULL;
	t->args_len = t->args_cap = 0;
}

void mlv_strace_supersede(struct mlv_strace *st, uint32_t from, uint32_t to)
{
	struct mlv_strace_task *f = &st->tasks.data[from], *t = &st->tasks.data[to];
	if (from == to || !f->is_pending)
		return;
	free(t->args);
	t->args = f->args;
	t->args_len = f->args_len;
	t->args_cap = f->args_cap;
	t->pending = f->pending;
	t->pending.task = to;
	t->is_pending = true;
	f->args = NULL;
	f->args_len = f->args_cap = 0;
	f->is_pending = false;
}

void mlv_strace_tasks_fini(struct mlv_strace *st)
{
	for (size_t i = 0; i < st->tasks.len; i++)
		free(st->tasks.data[i].args);
	for (size_t i = 0; i < st->files.len; i++)
		mlv_map_fini(&st->files.data[i].paths);
	for (size_t i = 0; i < st->spaces.len; i++)
		mlv_vec_free(&st->spaces.data[i].events);
	mlv_vec_free(&st->tasks);
	mlv_vec_free(&st->files);
	mlv_vec_free(&st->spaces);
	mlv_vec_free(&st->forking);
	mlv_map_fini(&st->task_ids);
	mlv_strace_heap_fini(&st->heap);
}
