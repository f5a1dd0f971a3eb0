/* SPDX-License-Identifier: MIT */
/*
 * Stacks that no Python exception printed: of faulthandler (fatal errors of
 * Python, time-outs), of gdb, and of C++ exceptions that nobody caught.
 */
#include <stdlib.h>
#include <string.h>

#include "parsers/failure/failures.h"
#include "parsers/failure/native_frame.h"
#include "parsers/text/scan.h"

enum { NEAR = 12 }; /* lines within which a cause belongs to a stack */

static enum mlv_rc open_stack(struct mlv_failures *f, enum mlv_stack_kind kind, uint32_t line,
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

static enum mlv_rc push(struct mlv_failure_stack *s, struct mlv_text *t, struct mlv_str function,
			struct mlv_str file, uint32_t line, struct mlv_err *err)
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

static enum mlv_rc close_stack(struct mlv_failures *f, struct mlv_text *t, struct mlv_err *err)
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
static enum mlv_rc tell_cause(struct mlv_failures *f, struct mlv_text *t,
			      struct mlv_failure_cause *c, const char *code, struct mlv_err *err)
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
	enum mlv_rc rc = close_stack(f, t, err);
	if (!rc)
		rc = tell_cause(f, t, &f->cause, "fatal-python-error", err);
	return rc ? rc : tell_cause(f, t, &f->signal, "signal", err);
}

/* "Fatal Python error: Segmentation fault", "Timeout (0:00:10)!" */
enum mlv_rc mlv_failure_fatal(struct mlv_failures *f, struct mlv_text *t,
			      const struct mlv_line *line, size_t at, bool *mine,
			      struct mlv_err *err)
{
	struct mlv_str text = mlv_str_trim(mlv_str_from(line->text, at)), s = text;
	struct mlv_str when = MLV_STR("");
	if (mlv_scan(&s, "Timeout (") &&
	    (!mlv_scan_to(&s, ")!", &when) || s.n || !when.n || mlv_str_find(when, ":") < 0))
		return MLV_OK;
	enum mlv_rc rc = mlv_failure_stack_end(f, t, err);
	*mine = true;
	f->cause = (struct mlv_failure_cause){ .line = line->number };
	if (when.n) {
		struct mlv_statement st = mlv_failure_begin(t, "faulthandler-timeout",
							    MLV_FINDING_ERROR, text, line->number);
		return rc ? rc : mlv_failure_tell(f, t, &st, err);
	}
	return rc ? rc : mlv_failure_intern(t, text, &f->cause.text, err);
}

/* "Thread 12 (Thread 0x7f… (LWP 1234) "python"):" of gdb */
static enum mlv_rc gdb_thread(struct mlv_failures *f, struct mlv_text *t, struct mlv_str text,
			      uint32_t line, struct mlv_err *err)
{
	enum mlv_rc rc = close_stack(f, t, err);
	f->thread_line = line;
	return rc ? rc : mlv_failure_intern(t, text, &f->thread_title, err);
}

/* "Current thread 0x00007f… (most recent call first):" */
enum mlv_rc mlv_failure_thread(struct mlv_failures *f, struct mlv_text *t,
			       const struct mlv_line *line, size_t at, bool *mine,
			       struct mlv_err *err)
{
	struct mlv_str text = mlv_str_trim(mlv_str_from(line->text, at)), s = text, id, name;
	int64_t n;
	bool current = mlv_scan(&s, "Current thread ");
	if (!current && !mlv_scan(&s, "Thread "))
		return MLV_OK;
	if (mlv_scan_int(&s, &n) && mlv_scan(&s, " (Thread 0x"))
		return gdb_thread(f, t, text, line->number, err);
	s = mlv_str_from(text, current ? strlen("Current thread ") : strlen("Thread "));
	if (!mlv_scan_hex(&s, &id) || !mlv_scan_to(&s, "(most recent call first):", &name) || s.n)
		return MLV_OK;
	enum mlv_rc rc = close_stack(f, t, err);
	if (!rc)
		rc = open_stack(f, MLV_STACK_PYTHON, line->number, err);
	if (rc)
		return rc;
	*mine = true;
	f->stack.current = current;
	f->stack.fatal = f->cause.text.i && !f->cause.told;
	/* Which thread it is differs from rank to rank; what it does need not. */
	name = mlv_str_trim(name);
	if (name.n > 2 && name.p[0] == '[')
		name = mlv_str_head(mlv_str_from(name, 1), name.n - 2);
	rc = mlv_failure_intern(t, name.n ? name : MLV_STR("stack of a thread"), &f->stack.title,
				err);
	return rc ? rc : mlv_failure_intern(t, id, &f->stack.thread, err);
}

/* "Program received signal SIGSEGV, Segmentation fault." */
enum mlv_rc mlv_failure_signal(struct mlv_failures *f, struct mlv_text *t,
			       const struct mlv_line *line, size_t at, bool *mine,
			       struct mlv_err *err)
{
	struct mlv_str text = mlv_str_trim(mlv_str_from(line->text, at));
	if (mlv_str_find(text, "SIG") < 0)
		return MLV_OK;
	enum mlv_rc rc = close_stack(f, t, err);
	if (!rc)
		rc = tell_cause(f, t, &f->signal, "signal", err);
	*mine = true;
	f->signal = (struct mlv_failure_cause){ .line = line->number };
	return rc ? rc : mlv_failure_intern(t, text, &f->signal.text, err);
}

/* "terminate called after throwing an instance of 'c10::DistBackendError'" */
enum mlv_rc mlv_failure_terminate(struct mlv_failures *f, struct mlv_text *t,
				  const struct mlv_line *line, size_t at, bool *mine,
				  struct mlv_err *err)
{
	struct mlv_str text = mlv_str_trim(mlv_str_from(line->text, at)), s = text, name;
	if (!mlv_scan_to(&s, "instance of '", NULL) || !mlv_scan_to(&s, "'", &name))
		return MLV_OK;
	enum mlv_rc rc = close_stack(f, t, err);
	if (!rc)
		rc = open_stack(f, MLV_STACK_NATIVE, line->number, err);
	*mine = true;
	if (!rc)
		rc = mlv_failure_intern(t, text, &f->stack.title, err);
	return rc ? rc : mlv_failure_intern(t, name, &f->stack.exception, err);
}

/* "  what():  …", "Exception raised from f at x.cpp:12 (most recent call first):", frames */
static enum mlv_rc native_line(struct mlv_failures *f, struct mlv_text *t, struct mlv_str text,
			       bool *mine, struct mlv_err *err)
{
	struct mlv_failure_stack *s = &f->stack;
	struct mlv_str rest = mlv_str_trim(text), place, file;
	struct mlv_native_frame frame;
	uint32_t line;
	*mine = true;
	if (mlv_scan(&rest, "what():")) {
		char whole[2000];
		struct mlv_str title = mlv_str_head(mlv_run_str(t->run, s->title), 400);
		struct mlv_str what = mlv_str_head(mlv_str_trim(rest), 1500);
		memcpy(whole, title.p, title.n);
		memcpy(whole + title.n, ": ", 2);
		memcpy(whole + title.n + 2, what.p, what.n);
		return mlv_failure_intern(t, (struct mlv_str){ whole, title.n + 2 + what.n },
					  &s->title, err);
	}
	if (!s->count && mlv_scan(&rest, "Exception raised from ") &&
	    mlv_scan_to(&rest, " at ", NULL) && mlv_scan_to(&rest, " (most recent", &place)) {
		if (mlv_scan_place(place, &file, &line)) {
			s->file_line = line;
			return mlv_failure_intern(t, file, &s->file, err);
		}
		return MLV_OK;
	}
	rest = mlv_str_trim(text);
	if (mlv_c10_frame(rest, s->count, &frame))
		return push(s, t, frame.function, frame.file, frame.line, err);
	*mine = false;
	return s->count || !rest.n ? close_stack(f, t, err) : MLV_OK;
}

/* `  File "x.py", line 12 in f`, without the comma of a traceback */
static enum mlv_rc python_line(struct mlv_failures *f, struct mlv_text *t, struct mlv_str text,
			       bool *mine, struct mlv_err *err)
{
	struct mlv_failure_stack *s = &f->stack;
	struct mlv_str rest = text, file;
	int64_t line;
	*mine = true;
	if (mlv_scan(&rest, "  File \"") && mlv_scan_to(&rest, "\", line ", &file) &&
	    mlv_scan_int(&rest, &line) && line <= INT32_MAX && mlv_scan(&rest, " in "))
		return push(s, t, mlv_str_trim(rest), file, (uint32_t)line, err);
	rest = text;
	if (mlv_scan(&rest, "  <no Python frame>") || mlv_scan(&rest, "  ..."))
		return MLV_OK;
	*mine = false;
	return close_stack(f, t, err);
}

/* Append a line to a frame of gdb that was broken; false if there is no room. */
static bool append(struct mlv_failure_stack *s, struct mlv_str text)
{
	enum { ROOM = 8192 };
	if (!s->pending)
		s->pending = malloc(ROOM);
	if (!s->pending || s->pending_n + text.n + 1 > ROOM)
		return false;
	if (s->pending_n)
		s->pending[s->pending_n++] = ' ';
	memcpy(s->pending + s->pending_n, text.p, text.n);
	s->pending_n += text.n;
	return true;
}

/* "    at x.c:12" below a frame that seemed complete. */
static enum mlv_rc place_of_last(struct mlv_failure_stack *s, struct mlv_text *t,
				 struct mlv_str text, bool *mine, struct mlv_err *err)
{
	struct mlv_str file;
	uint32_t line = 0;
	bool at = mlv_scan(&text, "at ") && mlv_scan_place(text, &file, &line);
	if (!at && !(mlv_scan(&text, "from ") && mlv_scan_word(&text, &file) && !text.n))
		return MLV_OK;
	const struct mlv_frame *last = &t->run->stacks.frames.data[s->frames[s->count - 1].i];
	if (last->line || mlv_run_str(t->run, last->file).n)
		return MLV_OK;
	*mine = true;
	return mlv_statement_frame(t, mlv_run_str(t->run, last->function), file, line,
				   &s->frames[s->count - 1], err);
}

static enum mlv_rc gdb_line(struct mlv_failures *f, struct mlv_text *t, struct mlv_str text,
			    bool *mine, struct mlv_err *err)
{
	struct mlv_failure_stack *s = &f->stack;
	struct mlv_native_frame frame;
	bool indented = text.n && text.p[0] == ' ';
	text = mlv_str_trim(text);
	*mine = true;
	if (s->pending_n && indented && append(s, text)) {
		text = (struct mlv_str){ s->pending, s->pending_n };
	} else if (text.n && text.p[0] == '#') {
		s->pending_n = 0;
	} else {
		/* Source text below a frame, values of variables: not mine, and no end. */
		*mine = false;
		if (text.n && mlv_is_digit(text.p[0]))
			return MLV_OK;
		if (indented && s->count)
			return place_of_last(s, t, text, mine, err);
		return indented || s->pending_n ? MLV_OK : close_stack(f, t, err);
	}
	switch (mlv_gdb_frame(text, s->count, &frame)) {
	case MLV_FRAME_WHOLE:
		s->pending_n = 0;
		return push(s, t, frame.function, frame.file, frame.line, err);
	case MLV_FRAME_BROKEN:
		if (s->pending_n || append(s, text))
			return MLV_OK;
		break;
	case MLV_FRAME_NONE:
		break;
	}
	s->pending_n = 0;
	*mine = false;
	return close_stack(f, t, err);
}

/* "#0  0x00007f… in raise () from /lib/libc.so.6": the first frame of gdb. */
enum mlv_rc mlv_failure_frame(struct mlv_failures *f, struct mlv_text *t,
			      const struct mlv_line *line, size_t at, bool *mine,
			      struct mlv_err *err)
{
	struct mlv_native_frame frame;
	if (mlv_gdb_frame(mlv_str_from(line->text, at), 0, &frame) == MLV_FRAME_NONE)
		return MLV_OK;
	enum mlv_rc rc = close_stack(f, t, err);
	if (!rc)
		rc = open_stack(f, MLV_STACK_GDB, line->number, err);
	struct mlv_str title = MLV_STR("backtrace of gdb");
	if (f->thread_title.i && line->number - f->thread_line <= 2)
		title = mlv_run_str(t->run, f->thread_title);
	if (!rc)
		rc = mlv_failure_intern(t, title, &f->stack.title, err);
	return rc ? rc : gdb_line(f, t, mlv_str_from(line->text, at), mine, err);
}

enum mlv_rc mlv_failure_stack_line(struct mlv_failures *f, struct mlv_text *t,
				   const struct mlv_line *line, bool *mine, struct mlv_err *err)
{
	enum mlv_rc rc = MLV_OK;
	if (!f->stack.open)
		return MLV_OK;
	if (f->stack.kind == MLV_STACK_PYTHON)
		rc = python_line(f, t, line->text, mine, err);
	else if (f->stack.kind == MLV_STACK_GDB)
		rc = gdb_line(f, t, line->text, mine, err);
	else
		rc = native_line(f, t, line->text, mine, err);
	if (*mine)
		f->stack.last_line = line->number;
	return rc;
}
