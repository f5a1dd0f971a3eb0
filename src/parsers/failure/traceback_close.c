/* SPDX-License-Identifier: MIT */
/* The end of a traceback: from what was read of it to a finding, and what hangs on it. */
#include <string.h>

#include "parsers/text/scan.h"
#include "parsers/text/statement.h"
#include "parsers/failure/traceback.h"

void mlv_traceback_drop(struct mlv_tracebacks *st, size_t i)
{
	mlv_vec_free(&st->open.data[i].frames);
	memmove(&st->open.data[i], &st->open.data[i + 1],
		(st->open.len - i - 1) * sizeof(st->open.data[0]));
	st->open.len--;
}

static enum mlv_rc stack_of(struct mlv_traceback *tb, struct mlv_text *t, mlv_stackid *stack,
			    struct mlv_err *err)
{
	mlv_frameid *f = tb->frames.data;
	size_t n = tb->frames.len;
	for (size_t i = 0; i < n / 2; i++) {
		mlv_frameid swap = f[i];
		f[i] = f[n - 1 - i];
		f[n - 1 - i] = swap;
	}
	*stack = MLV_STACK_NONE;
	if (!n)
		return MLV_OK;
	return mlv_stack_intern(&t->run->stacks, f, n, stack) ? MLV_OK : mlv_err_nomem(err);
}

enum mlv_rc mlv_traceback_forwards(struct mlv_tracebacks *st, struct mlv_text *t,
				   struct mlv_str text, struct mlv_err *err)
{
	enum mlv_rc rc = MLV_OK;
	for (unsigned i = 0; i < st->forwards && !rc; i++) {
		struct mlv_traceback_forward *f = &st->forward[i];
		struct mlv_statement s = { .format = "traceback",
					   .code = "anomaly-forward",
					   .severity = MLV_FINDING_ERROR,
					   .text = text,
					   .line = f->first_line,
					   .last_line = f->last_line,
					   .rank = -1,
					   .stack = f->stack,
					   .attrs = mlv_run_attrs_begin(t->run) };
		if (mlv_stack_has_frame(f->stack)) {
			const struct mlv_frame *frame = mlv_stack_frame(&t->run->stacks, f->stack);
			s.file = mlv_run_str(t->run, frame->file);
			s.file_line = frame->line;
		}
		rc = mlv_statement_text(t, "operation", mlv_run_str(t->run, f->operation), err);
		if (!rc)
			rc = mlv_statement_add(t, &s, &st->section, NULL, err);
	}
	st->forwards = 0;
	return rc;
}

static enum mlv_rc attributes(const struct mlv_tracebacks *st, const struct mlv_traceback *tb,
			      struct mlv_text *t, struct mlv_str text, struct mlv_str name,
			      struct mlv_err *err)
{
	int64_t n;
	enum mlv_rc rc = mlv_statement_text(t, "exception", name, err);
	if (!rc && tb->chain)
		rc = mlv_statement_text(t, "chained", mlv_str_of(tb->chain), err);
	if (!rc && tb->chain)
		rc = mlv_statement_int(t, "chain_line", tb->chain_line, err);
	if (!rc && tb->group && mlv_scan_to(&text, "(", NULL) && mlv_scan_int(&text, &n))
		rc = mlv_statement_int(t, "sub_exceptions", n, err);
	if (!rc && tb->group_line)
		rc = mlv_statement_int(t, "group_line", tb->group_line, err);
	if (!rc && st->forwards)
		rc = mlv_statement_int(t, "forward_stack", st->forward[0].stack.i, err);
	if (!rc && !name.n)
		rc = mlv_statement_int(t, "incomplete", 1, err);
	return rc;
}

static enum mlv_rc keep_forward(struct mlv_tracebacks *st, struct mlv_text *t, size_t i,
				struct mlv_err *err)
{
	struct mlv_traceback *tb = &st->open.data[i];
	struct mlv_traceback_forward f = { .operation = tb->operation,
					   .first_line = tb->first_line,
					   .last_line = tb->last_line };
	enum mlv_rc rc = stack_of(tb, t, &f.stack, err);
	if (!rc && f.stack.i && st->forwards < MLV_TB_FORWARDS)
		st->forward[st->forwards++] = f;
	mlv_traceback_drop(st, i);
	return rc;
}

static enum mlv_rc remember(struct mlv_tracebacks *st, struct mlv_text *t,
			    const struct mlv_traceback *tb, struct mlv_err *err)
{
	struct mlv_traceback_closed *c = &st->closed[st->next_closed];
	*c = (struct mlv_traceback_closed){ .prefix = tb->lines.text,
					    .line = tb->first_line,
					    .used = true };
	st->next_closed = (st->next_closed + 1) % MLV_TB_CLOSED;
	if (!tb->group)
		return MLV_OK;
	st->group_line = tb->first_line;
	/* What is said behind a group stands outside its bars. */
	struct mlv_str prefix = mlv_run_str(t->run, tb->lines.text);
	if (mlv_str_has_suffix(prefix, MLV_STR("  | ")))
		return mlv_run_intern(t->run, mlv_str_head(prefix, prefix.n - 4), &c->prefix)
			       ? MLV_OK
			       : mlv_err_nomem(err);
	return MLV_OK;
}

enum mlv_rc mlv_traceback_close(struct mlv_tracebacks *st, struct mlv_text *t, size_t i,
				struct mlv_str text, struct mlv_str name, struct mlv_err *err)
{
	struct mlv_traceback *tb = &st->open.data[i];
	if (tb->kind == MLV_TB_FORWARD_CALL)
		return keep_forward(st, t, i, err);
	if (!text.n && !tb->frames.len) {
		mlv_traceback_drop(st, i);
		return MLV_OK;
	}
	struct mlv_statement s = { .format = "traceback",
				   .code = "traceback",
				   .severity = MLV_FINDING_ERROR,
				   .text = text,
				   .file = mlv_run_str(t->run, tb->place.file),
				   .file_line = tb->place.line,
				   .line = tb->first_line,
				   .last_line = tb->last_line,
				   .rank = -1,
				   .attrs = mlv_run_attrs_begin(t->run) };
	if (!text.n)
		s.text = MLV_STR("traceback without its end");
	enum mlv_rc rc = stack_of(tb, t, &s.stack, err);
	if (!rc)
		rc = attributes(st, tb, t, text, name, err);
	unsigned twins = tb->twins;
	for (unsigned k = 0; k <= twins && !rc; k++) {
		rc = mlv_statement_add(t, &s, &st->section, NULL, err);
		s.attrs = mlv_run_attrs_begin(t->run);
	}
	if (!rc)
		rc = mlv_traceback_forwards(st, t, s.text, err);
	if (!rc)
		rc = remember(st, t, tb, err);
	mlv_traceback_drop(st, i);
	return rc;
}
