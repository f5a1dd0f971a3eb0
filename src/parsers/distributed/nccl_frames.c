/* SPDX-License-Identifier: MIT */
/*
 * "Stack trace of the failed collective:" and the frames below it. The first
 * line has the prefix "[rank3]:", the others have none unless a launcher wrote
 * one, so that they may come in another rank's state: there they are known by
 * standing right below.
 */
#include "parsers/distributed/nccl_watchdog.h"

static const char code[] = "nccl-failed-collective";

enum mlv_rc mlv_nccl_frames_begin(struct mlv_nccl *n, struct mlv_text *t,
				  const struct mlv_line *line, const struct mlv_nccl_who *who,
				  struct mlv_err *err)
{
	struct mlv_finding f = { .severity = MLV_FINDING_ERROR,
				 .line = line->number,
				 .last_line = line->number,
				 .rank = who->rank };
	/* The process that wrote the desync report before it. */
	if (f.rank < 0 && n->desync.first)
		f.rank = n->desync.rank;
	uint32_t begin = mlv_run_attrs_begin(t->run);
	enum mlv_rc rc = mlv_nccl_frames_close(n, t, err);
	if (rc)
		return rc;
	if (!mlv_run_attr_int(t->run, "count", 1) ||
	    (who->logged_at.n && !mlv_run_attr_text(t->run, "logged_at", who->logged_at)) ||
	    !mlv_run_intern(t->run, MLV_STR(code), &f.code) ||
	    !mlv_run_intern(t->run, MLV_STR("Stack trace of the failed collective"), &f.text))
		return mlv_err_nomem(err);
	f.attrs = mlv_run_attrs_end(t->run, begin);
	enum mlv_rc full = mlv_limits_room(t->limits, t->run->findings.len, "findings", err);
	if (full)
		return full;
	n->frames.open = true;
	n->frames.finding = (uint32_t)t->run->findings.len;
	n->frames.last = line->number;
	n->frames.number = -1;
	n->frames.count = 0;
	if (!mlv_vec_push(&t->run->findings, f))
		return mlv_err_nomem(err);
	return mlv_nccl_section(n, t, line->number, 1, err);
}

/* "#2 train_step from /path/train.py:33"; a C++ function has blanks in its name. */
static bool frame(struct mlv_str s, int64_t *number, struct mlv_str *function, struct mlv_str *file,
		  uint32_t *line)
{
	s = mlv_str_trim(s);
	if (!mlv_scan(&s, "#") || !mlv_scan_int(&s, number) || !mlv_scan(&s, " "))
		return false;
	ptrdiff_t at = mlv_str_find_last(s, " from ");
	if (at <= 0)
		return false;
	*function = mlv_str_head(s, (size_t)at);
	return mlv_scan_place(mlv_str_from(s, (size_t)at + 6), file, line);
}

/* A stack that another rank's state began on the line before this one. */
static bool adopt(struct mlv_nccl *n, const struct mlv_run *run, uint32_t line)
{
	for (size_t i = run->findings.len, seen = 0; i-- && seen < 16; seen++) {
		const struct mlv_finding *f = &run->findings.data[i];
		if (f->last_line + 1 != line ||
		    !mlv_str_eq(mlv_run_str(run, f->code), MLV_STR(code)))
			continue;
		n->frames.open = true;
		n->frames.finding = (uint32_t)i;
		n->frames.number = -1;
		n->frames.count = 0;
		return true;
	}
	return false;
}

enum mlv_rc mlv_nccl_frames_line(struct mlv_nccl *n, struct mlv_text *t,
				 const struct mlv_line *line, bool *taken, struct mlv_err *err)
{
	struct mlv_str function, file;
	struct mlv_frame row = { 0 };
	int64_t number;
	size_t i = mlv_str_indent(line->text);
	if (i >= line->text.n || line->text.p[i] != '#' ||
	    !frame(line->text, &number, &function, &file, &row.line))
		return MLV_OK;
	if (n->frames.open && number <= n->frames.number) {
		enum mlv_rc rc = mlv_nccl_frames_close(n, t, err);
		if (rc)
			return rc;
	}
	if (!n->frames.open && !adopt(n, t->run, line->number))
		return MLV_OK;
	*taken = true;
	n->frames.number = number;
	n->frames.last = line->number;
	t->run->findings.data[n->frames.finding].last_line = line->number;
	if (n->frames.count < MLV_NCCL_FRAMES) {
		if (!mlv_run_intern(t->run, function, &row.function) ||
		    !mlv_run_intern(t->run, file, &row.file) ||
		    !mlv_frame_intern(&t->run->stacks, row, &n->frames.ids[n->frames.count++]))
			return mlv_err_nomem(err);
	} else {
		mlv_diag_add_line(&t->run->diags, MLV_WARNING, "nccl-stack-long", line->number,
				  "the stack of a failed collective has more than %d frames; the "
				  "outer ones are left out",
				  MLV_NCCL_FRAMES);
	}
	return mlv_nccl_section(n, t, line->number, 0, err);
}

enum mlv_rc mlv_nccl_frames_close(struct mlv_nccl *n, struct mlv_text *t, struct mlv_err *err)
{
	struct mlv_run *run = t->run;
	if (!n->frames.open)
		return MLV_OK;
	n->frames.open = false;
	if (!n->frames.count)
		return MLV_OK;
	struct mlv_finding *f = &run->findings.data[n->frames.finding];
	if (!mlv_stack_intern(&run->stacks, n->frames.ids, n->frames.count, &f->stack))
		return mlv_err_nomem(err);
	/* It is that of the timeout which the same rank reported before. */
	for (size_t i = n->frames.finding, seen = 0; i-- && seen < 256; seen++) {
		struct mlv_finding *timeout = &run->findings.data[i];
		if (timeout->rank != f->rank ||
		    !mlv_str_eq(mlv_run_str(run, timeout->code), MLV_STR("nccl-watchdog-timeout")))
			continue;
		if (timeout->stack.i == MLV_STACK_NONE.i)
			timeout->stack = f->stack;
		break;
	}
	return MLV_OK;
}
