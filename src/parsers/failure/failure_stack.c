/* SPDX-License-Identifier: MIT */
/* Stacks that no Python exception printed: their frames, and the finding that they become. */
#include "parsers/failure/failure_stack.h"

#include <stdlib.h>

enum { NEAR = 12 }; /* lines within which a cause belongs to a stack */

enum mlv_rc mlv_failure_stack_open(struct mlv_failures *f, enum mlv_stack_kind kind, uint32_t line,
				   struct mlv_err *err)
{
	struct mlv_failure_stack *s = &f->stack;
	mlv_frameid *frames = s->frames;
	char *pending = s->pending;
	if (!frames)
		frames = malloc(MLV_FAILURE_FRAMES * sizeof(*frames));
	if (!frames)
		return mlv_err_nomem(err);
	*s = (struct mlv_failure_stack){ .open = true,
					 .kind = kind,
					 .frames = frames,
					 .pending = pending,
					 .first_line = line,
					 .last_line = line };
	return MLV_OK;
}

enum mlv_rc mlv_failure_stack_push(struct mlv_failure_stack *s, struct mlv_text *t,
				   struct mlv_str function, struct mlv_str file, uint32_t line,
				   struct mlv_err *err)
{
	if (s->count == MLV_FAILURE_FRAMES)
		return MLV_OK;
	enum mlv_rc rc = mlv_statement_frame(t, function, file, line, &s->frames[s->count], err);
	s->count += !rc;
	return rc;
}

static bool is_near(const struct mlv_failure_cause *c, uint32_t line)
{
	return c->text.i && !c->told && line - c->line <= NEAR;
}

/* What the stack is of: a fatal error, a signal, a C++ exception, or just a thread. */
static void name_it(struct mlv_failures *f, const struct mlv_failure_stack *s, struct mlv_text *t,
		    struct mlv_statement *st)
{
	st->code = "thread-stack";
	st->severity = MLV_FINDING_NOTE;
	st->text = mlv_run_str(t->run, s->title);
	if (s->kind == MLV_STACK_NATIVE) {
		st->code = "terminate";
		st->severity = MLV_FINDING_ERROR;
	} else if (s->kind == MLV_STACK_PYTHON && s->fatal && s->current) {
		st->code = "fatal-python-error";
		st->severity = MLV_FINDING_ERROR;
		st->text = mlv_run_str(t->run, f->cause.text);
		st->line = f->cause.line;
		f->cause.told = true;
	} else if (s->kind == MLV_STACK_GDB) {
		st->code = "gdb-backtrace";
		if (is_near(&f->signal, s->first_line)) {
			st->severity = MLV_FINDING_ERROR;
			st->text = mlv_run_str(t->run, f->signal.text);
			st->line = f->signal.line;
			f->signal.told = true;
		}
	}
}

enum mlv_rc mlv_failure_stack_close(struct mlv_failures *f, struct mlv_text *t, struct mlv_err *err)
{
	struct mlv_failure_stack *s = &f->stack;
	if (!s->open)
		return MLV_OK;
	s->open = false;
	struct mlv_statement st =
		mlv_failure_begin(t, "", MLV_FINDING_NOTE, MLV_STR(""), s->first_line);
	name_it(f, s, t, &st);
	st.last_line = s->last_line;
	if (!s->count && s->kind == MLV_STACK_GDB)
		return MLV_OK;
	if (s->count && !mlv_stack_intern(&t->run->stacks, s->frames, s->count, &st.stack))
		return mlv_err_nomem(err);
	if (s->kind == MLV_STACK_NATIVE) {
		st.file = mlv_run_str(t->run, s->file);
		st.file_line = s->file_line;
	} else if (s->count) {
		const struct mlv_frame *top = mlv_stack_frame(&t->run->stacks, st.stack);
		st.file = mlv_run_str(t->run, top->file);
		st.file_line = top->line;
	}
	enum mlv_rc rc = mlv_statement_text(t, "thread", mlv_run_str(t->run, s->thread), err);
	if (!rc)
		rc = mlv_statement_text(t, "exception", mlv_run_str(t->run, s->exception), err);
	return rc ? rc : mlv_failure_tell(f, t, &st, err);
}

/* A cause that no stack followed. */
enum mlv_rc mlv_failure_cause_tell(struct mlv_failures *f, struct mlv_text *t,
				   struct mlv_failure_cause *c, const char *code,
				   struct mlv_err *err)
{
	if (!c->text.i || c->told)
		return MLV_OK;
	c->told = true;
	struct mlv_statement s = mlv_failure_begin(t, code, MLV_FINDING_ERROR,
						   mlv_run_str(t->run, c->text), c->line);
	return mlv_failure_tell(f, t, &s, err);
}

enum mlv_rc mlv_failure_stack_end(struct mlv_failures *f, struct mlv_text *t, struct mlv_err *err)
{
	enum mlv_rc rc = mlv_failure_stack_close(f, t, err);
	if (!rc)
		rc = mlv_failure_cause_tell(f, t, &f->cause, "fatal-python-error", err);
	return rc ? rc : mlv_failure_cause_tell(f, t, &f->signal, "signal", err);
}

enum mlv_rc mlv_failure_stack_line(struct mlv_failures *f, struct mlv_text *t,
				   const struct mlv_line *line, bool *mine, struct mlv_err *err)
{
	enum mlv_rc rc = MLV_OK;
	if (!f->stack.open)
		return MLV_OK;
	if (f->stack.kind == MLV_STACK_PYTHON)
		rc = mlv_failure_faulthandler_line(f, t, line->text, mine, err);
	else if (f->stack.kind == MLV_STACK_GDB)
		rc = mlv_failure_gdb_line(f, t, line->text, mine, err);
	else
		rc = mlv_failure_terminate_line(f, t, line->text, mine, err);
	if (*mine)
		f->stack.last_line = line->number;
	return rc;
}
