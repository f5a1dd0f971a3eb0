/* SPDX-License-Identifier: MIT */
/* A thread of a py-spy dump becomes a finding. */
#include <stdio.h>

#include "base/buf.h"
#include "parsers/python/py_spy.h"

static bool text_attr(struct mlv_run *run, const char *key, mlv_strid value)
{
	return !value.i || mlv_run_attr_text(run, key, mlv_run_str(run, value));
}

static bool attrs(struct mlv_run *run, const struct mlv_py_spy_thread *th)
{
	return (th->pid <= 0 || mlv_run_attr_int(run, "pid", th->pid)) &&
	       text_attr(run, "thread_id", th->id) && text_attr(run, "status", th->status) &&
	       text_attr(run, "thread_name", th->name) && text_attr(run, "command", th->command) &&
	       text_attr(run, "python", th->python) &&
	       (th->parent <= 0 || mlv_run_attr_int(run, "parent_pid", th->parent)) &&
	       (!th->dump || mlv_run_attr_int(run, "dump", th->dump)) &&
	       (!th->locals || mlv_run_attr_int(run, "locals", th->locals)) &&
	       (!th->elided || mlv_run_attr_int(run, "elided", 1));
}

/* "MainThread (active+gil)"; a thread without a name is known by its number. */
static bool title(struct mlv_run *run, const struct mlv_py_spy_thread *th, mlv_strid *text)
{
	struct mlv_buf b = { 0 };
	if (th->name.i) {
		mlv_buf_str(&b, mlv_run_str(run, th->name));
	} else {
		mlv_buf_puts(&b, "Thread ");
		mlv_buf_str(&b, mlv_run_str(run, th->id));
	}
	if (th->status.i) {
		mlv_buf_puts(&b, " (");
		mlv_buf_str(&b, mlv_run_str(run, th->status));
		mlv_buf_putc(&b, ')');
	}
	bool ok = !b.failed && mlv_intern(&run->strings, b.data, b.len, text);
	mlv_buf_fini(&b);
	return ok;
}

enum mlv_rc mlv_py_spy_add(struct mlv_run *run, const struct mlv_limits *limits,
			   const struct mlv_py_spy_thread *th, struct mlv_err *err)
{
	struct mlv_finding f = { .severity = MLV_FINDING_NOTE,
				 .line = th->line,
				 .last_line = th->last_line,
				 .rank = th->rank };
	uint32_t begin = mlv_run_attrs_begin(run);
	enum mlv_rc full = mlv_limits_room(limits, run->findings.len, "threads", err);
	if (full)
		return full;
	if (!attrs(run, th) || !title(run, th, &f.text) ||
	    !mlv_run_intern(run, MLV_STR("py-spy-thread"), &f.code) ||
	    !mlv_stack_intern(&run->stacks, th->frames.data, th->frames.len, &f.stack))
		return mlv_err_nomem(err);
	f.attrs = mlv_run_attrs_end(run, begin);
	return mlv_vec_push(&run->findings, f) ? MLV_OK : mlv_err_nomem(err);
}
