/* SPDX-License-Identifier: MIT */
/* Rows of the run: a span for a call, a finding for a signal or an end. */
#include <string.h>

#include "parsers/strace/strace_state.h"

enum { ARGS_SHOWN = 200 };

static enum mlv_rc ok_or_nomem(bool ok, struct mlv_err *err)
{
	return ok ? MLV_OK : mlv_err_nomem(err);
}

/* A row that is not ended, which is what it stays if no result comes. */
static enum mlv_rc add_span(struct mlv_strace *st, struct mlv_text *t, struct mlv_strace_call *c,
			    uint32_t line, struct mlv_err *err)
{
	struct mlv_span s = { .start_ns = c->start_ns,
			      .end_ns = MLV_NO_TIME,
			      .track = MLV_TRACK_NONE,
			      .name = c->name,
			      .category = st->category,
			      .status = st->unfinished,
			      .line = line,
			      .bytes = -1 };
	enum mlv_rc full = mlv_limits_room(t->limits, t->run->spans.len, "calls", err);
	if (full)
		return full;
	c->span = (uint32_t)t->run->spans.len;
	return ok_or_nomem(mlv_vec_push(&t->run->spans, s) &&
				   mlv_vec_push(&st->span_ids, c->span) &&
				   mlv_vec_push(&st->span_tasks, c->task),
			   err);
}

/* `text`, or its beginning and an ellipsis. */
static bool shortened(struct mlv_run *run, const char *key, struct mlv_str text)
{
	char buf[ARGS_SHOWN];
	if (text.n <= ARGS_SHOWN)
		return mlv_run_attr_text(run, key, text);
	memcpy(buf, text.p, ARGS_SHOWN - 3);
	memcpy(buf + ARGS_SHOWN - 3, "...", 3);
	return mlv_run_attr_text(run, key, (struct mlv_str){ buf, ARGS_SHOWN });
}

static bool add_attrs(struct mlv_run *run, const struct mlv_strace_call *c,
		      const struct mlv_strace_result *r, const struct mlv_strace_leader *l)
{
	bool ok = shortened(run, "args", c->args);
	if (r->is_number)
		ok = ok && mlv_run_attr_int(run, "result", r->number);
	else if (r->text.n)
		ok = ok && mlv_run_attr_text(run, "result", r->text);
	if (c->fd >= 0)
		ok = ok && mlv_run_attr_int(run, "fd", c->fd);
	if (c->path.i)
		ok = ok && mlv_run_attr_text(run, "path", mlv_run_str(run, c->path));
	if (r->error_text.n)
		ok = ok && shortened(run, "errno_text", r->error_text);
	if (r->duration_ns >= 0)
		ok = ok && mlv_run_attr_int(run, "duration_ns", r->duration_ns);
	if (r->detail.n)
		ok = ok && shortened(run, "detail", r->detail);
	if (r->tampering.n)
		ok = ok && shortened(run, "tampering", r->tampering);
	if (l->has_ip)
		ok = ok && mlv_run_attr_int(run, "ip", (int64_t)l->ip);
	return ok;
}

/* Fill the row of a call. `ends` is when its result came. */
static bool complete(struct mlv_strace *st, const struct mlv_strace_call *c,
		     const struct mlv_strace_line *l, int64_t ends)
{
	const struct mlv_strace_result *r = &l->result;
	struct mlv_run *run = st->run;
	struct mlv_span *s = &run->spans.data[c->span];
	bool never = !r->text.n || l->never_returned || (r->text.p[0] == '?' && !r->error.n);
	/* A call that ends its task is not one that is waited for. */
	if (!never || c->shape == MLV_STRACE_EXIT) {
		s->status = MLV_STR_NONE;
		s->end_ns = never ? s->start_ns : ends;
		/* Line and result came at once: how long it took, only -T measures. */
		s->instant = s->end_ns == s->start_ns && r->duration_ns < 0;
		if (r->error.n && !mlv_run_intern(run, r->error, &s->status))
			return false;
	}
	if (c->shape == MLV_STRACE_IO && r->is_number && r->number >= 0)
		s->bytes = r->number;
	if (r->duration_ns >= 0 && !never) {
		int64_t from = s->start_ns != MLV_NO_TIME ? s->start_ns : INT64_MIN;
		st->durations = true;
		/* What strace measured is exact; its line came a little later. */
		if (from != INT64_MIN)
			s->end_ns = from > INT64_MAX - r->duration_ns ? INT64_MAX
								      : from + r->duration_ns;
		else if (ends != MLV_NO_TIME && ends >= INT64_MIN + 1 + r->duration_ns)
			s->start_ns = ends - r->duration_ns;
	}
	uint32_t begin = mlv_run_attrs_begin(run);
	if (!add_attrs(run, c, r, &l->leader))
		return false;
	run->spans.data[c->span].attrs = mlv_run_attrs_end(run, begin);
	return true;
}

/* The call returned: its row, what it changed, and what a stack behind it belongs to. */
static enum mlv_rc returned(struct mlv_strace *st, const struct mlv_strace_call *c,
			    const struct mlv_strace_line *l, struct mlv_err *err)
{
	if (!complete(st, c, l, st->now))
		return mlv_err_nomem(err);
	st->last.is = true;
	st->last.is_signal = false;
	st->last.row = c->span;
	st->last.mapped = false;
	st->last.space = st->tasks.data[c->task].space;
	st->last.first_event = st->spaces.data[st->last.space].events.len;
	return l->never_returned ? MLV_OK : mlv_strace_leave(st, c, &l->result, err);
}

static bool keep_args(struct mlv_strace_task *task, struct mlv_str args)
{
	if (task->args_cap < args.n + 1) {
		char *more = realloc(task->args, args.n + 1);
		if (!more)
			return false;
		task->args = more;
		task->args_cap = args.n + 1;
	}
	memcpy(task->args, args.p, args.n);
	task->args_len = args.n;
	return true;
}

enum mlv_rc mlv_strace_abandon(struct mlv_strace *st, uint32_t task, struct mlv_err *err)
{
	struct mlv_strace_task *k = &st->tasks.data[task];
	struct mlv_strace_line none = { .leader = { .pid = -1 }, .result = { .duration_ns = -1 } };
	if (!k->is_pending)
		return MLV_OK;
	k->is_pending = false;
	k->pending.args = (struct mlv_str){ k->args ? k->args : "", k->args_len };
	if (k->pending.shape == MLV_STRACE_FORK)
		mlv_strace_forked(st, task);
	return ok_or_nomem(complete(st, &k->pending, &none, MLV_NO_TIME), err);
}

enum mlv_rc mlv_strace_begin_call(struct mlv_strace *st, struct mlv_text *t,
				  const struct mlv_strace_line *l, uint32_t task, uint32_t line,
				  struct mlv_err *err)
{
	struct mlv_strace_call c = { .task = task, .args = l->args, .start_ns = st->now };
	enum mlv_rc rc = mlv_strace_abandon(st, task, err);
	c.shape = mlv_strace_shape(l->name);
	if (!rc && (!mlv_run_intern(t->run, l->name, &c.name) || !mlv_strace_enter(st, &c)))
		return mlv_err_nomem(err);
	if (!rc)
		rc = add_span(st, t, &c, line, err);
	if (rc || l->kind == MLV_STRACE_CALL)
		return rc ? rc : returned(st, &c, l, err);
	struct mlv_strace_task *k = &st->tasks.data[task];
	k->pending = c;
	k->is_pending = keep_args(k, l->args);
	return ok_or_nomem(
		k->is_pending && (c.shape != MLV_STRACE_FORK || mlv_strace_forking(st, task)), err);
}

/* A second half whose first is not in the log: the call began before it. */
static enum mlv_rc end_only(struct mlv_strace *st, struct mlv_text *t,
			    const struct mlv_strace_line *l, uint32_t task, uint32_t line,
			    struct mlv_err *err)
{
	struct mlv_strace_call c = { .task = task,
				     .args = l->args,
				     .start_ns = MLV_NO_TIME,
				     .fd = -1,
				     .serial = UINT64_MAX,
				     .forked = MLV_STRACE_NO_TASK };
	st->overlap++;
	if (!mlv_run_intern(t->run, l->name, &c.name))
		return mlv_err_nomem(err);
	/* Only half of the arguments is known: good for a new process, and for nothing else. */
	if (mlv_strace_shape(l->name) == MLV_STRACE_FORK)
		c.shape = MLV_STRACE_FORK;
	enum mlv_rc rc = add_span(st, t, &c, line, err);
	return rc ? rc : returned(st, &c, l, err);
}

enum mlv_rc mlv_strace_resume_call(struct mlv_strace *st, struct mlv_text *t,
				   const struct mlv_strace_line *l, uint32_t task, uint32_t line,
				   struct mlv_err *err)
{
	struct mlv_strace_task *k = &st->tasks.data[task];
	bool pairs = k->is_pending && mlv_str_eq(mlv_run_str(t->run, k->pending.name), l->name);
	if (!pairs) {
		enum mlv_rc rc = mlv_strace_abandon(st, task, err);
		return rc || l->still_unfinished ? rc : end_only(st, t, l, task, line, err);
	}
	struct mlv_strace_call c = k->pending;
	st->args.len = 0;
	mlv_buf_add(&st->args, k->args, k->args_len);
	if (k->args_len && k->args[k->args_len - 1] == ',' && l->args.n && l->args.p[0] != ' ')
		mlv_buf_putc(&st->args, ' ');
	mlv_buf_str(&st->args, l->args);
	if (st->args.failed)
		return mlv_err_nomem(err);
	c.args = (struct mlv_str){ st->args.data ? st->args.data : "", st->args.len };
	if (l->still_unfinished)
		return ok_or_nomem(keep_args(k, c.args), err);
	k->is_pending = false;
	if (c.shape == MLV_STRACE_FORK)
		mlv_strace_forked(st, task);
	return returned(st, &c, l, err);
}

/* ---- signals and ends ---- */

static bool fatal(struct mlv_str name)
{
	static const struct mlv_str names[] = { MLV_STR_INIT("SIGSEGV"), MLV_STR_INIT("SIGBUS"),
						MLV_STR_INIT("SIGABRT"), MLV_STR_INIT("SIGFPE"),
						MLV_STR_INIT("SIGILL"),  MLV_STR_INIT("SIGSYS"),
						MLV_STR_INIT("SIGTRAP") };
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (mlv_str_eq(name, names[i]))
			return true;
	}
	return false;
}

enum mlv_rc mlv_strace_event(struct mlv_strace *st, struct mlv_text *t,
			     const struct mlv_strace_line *l, uint32_t task, uint32_t line,
			     struct mlv_err *err)
{
	struct mlv_finding f = {
		.severity = MLV_FINDING_NOTE, .line = line, .last_line = line, .rank = t->rank
	};
	struct mlv_str code = MLV_STR("exit");
	if (l->kind == MLV_STRACE_SIGNAL) {
		code = MLV_STR("signal");
		f.severity = fatal(l->name) ? MLV_FINDING_WARNING : MLV_FINDING_NOTE;
	} else if (l->kind == MLV_STRACE_KILLED) {
		code = MLV_STR("killed");
		f.severity = MLV_FINDING_ERROR;
	} else if (l->kind == MLV_STRACE_EXITED && l->number) {
		f.severity = MLV_FINDING_WARNING;
	}
	enum mlv_rc full = mlv_limits_room(t->limits, t->run->findings.len, "findings", err);
	if (full)
		return full;
	uint32_t begin = mlv_run_attrs_begin(t->run);
	bool ok = mlv_run_intern(t->run, code, &f.code) && mlv_run_intern(t->run, l->text, &f.text);
	/* The number may be told later than this line. */
	ok = ok && mlv_run_attr_int(t->run, "pid", st->tasks.data[task].pid);
	if (st->file)
		ok = ok && mlv_run_attr_text(t->run, "log",
					     mlv_str_basename((struct mlv_str){
						     st->file, strlen(st->file) }));
	if (l->name.n)
		ok = ok && mlv_run_attr_text(t->run, "signal", l->name);
	if (l->kind == MLV_STRACE_EXITED)
		ok = ok && mlv_run_attr_int(t->run, "status", l->number);
	if (st->now != MLV_NO_TIME)
		ok = ok && mlv_run_attr_int(t->run, "time_ns", st->now);
	f.attrs = mlv_run_attrs_end(t->run, begin);
	if (ok && st->tasks.data[task].pid < 0)
		ok = mlv_vec_push(&st->nameless, (uint32_t)t->run->findings.len);
	st->last.is = st->last.is_signal = true;
	st->last.row = (uint32_t)t->run->findings.len;
	return ok_or_nomem(ok && mlv_vec_push(&t->run->findings, f), err);
}
