/* SPDX-License-Identifier: MIT */
/* What gdb prints: signals, headings of threads, and backtraces, whose frames may be broken. */
#include <stdlib.h>
#include <string.h>

#include "parsers/failure/failure_stack.h"
#include "parsers/failure/native_frame.h"
#include "parsers/text/scan.h"

/* "Program received signal SIGSEGV, Segmentation fault." */
enum mlv_rc mlv_failure_signal(struct mlv_failures *f, struct mlv_text *t,
			       const struct mlv_line *line, size_t at, bool *mine,
			       struct mlv_err *err)
{
	struct mlv_str text = mlv_str_trim(mlv_str_from(line->text, at));
	if (mlv_str_find(text, "SIG") < 0)
		return MLV_OK;
	enum mlv_rc rc = mlv_failure_stack_close(f, t, err);
	if (!rc)
		rc = mlv_failure_cause_tell(f, t, &f->signal, "signal", err);
	*mine = true;
	f->signal = (struct mlv_failure_cause){ .line = line->number };
	return rc ? rc : mlv_failure_intern(t, text, &f->signal.text, err);
}

enum mlv_rc mlv_failure_gdb_thread(struct mlv_failures *f, struct mlv_text *t, struct mlv_str text,
				   uint32_t line, struct mlv_err *err)
{
	enum mlv_rc rc = mlv_failure_stack_close(f, t, err);
	f->thread_line = line;
	return rc ? rc : mlv_failure_intern(t, text, &f->thread_title, err);
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

enum mlv_rc mlv_failure_gdb_line(struct mlv_failures *f, struct mlv_text *t, struct mlv_str text,
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
		return indented || s->pending_n ? MLV_OK : mlv_failure_stack_close(f, t, err);
	}
	switch (mlv_gdb_frame(text, s->count, &frame)) {
	case MLV_FRAME_WHOLE:
		s->pending_n = 0;
		return mlv_failure_stack_push(s, t, frame.function, frame.file, frame.line, err);
	case MLV_FRAME_BROKEN:
		if (s->pending_n || append(s, text))
			return MLV_OK;
		break;
	case MLV_FRAME_NONE:
		break;
	}
	s->pending_n = 0;
	*mine = false;
	return mlv_failure_stack_close(f, t, err);
}

/* "#0  0x00007f… in raise () from /lib/libc.so.6": the first frame of gdb. */
enum mlv_rc mlv_failure_frame(struct mlv_failures *f, struct mlv_text *t,
			      const struct mlv_line *line, size_t at, bool *mine,
			      struct mlv_err *err)
{
	struct mlv_native_frame frame;
	if (mlv_gdb_frame(mlv_str_from(line->text, at), 0, &frame) == MLV_FRAME_NONE)
		return MLV_OK;
	enum mlv_rc rc = mlv_failure_stack_close(f, t, err);
	if (!rc)
		rc = mlv_failure_stack_open(f, MLV_STACK_GDB, line->number, err);
	struct mlv_str title = MLV_STR("backtrace of gdb");
	if (f->thread_title.i && line->number - f->thread_line <= 2)
		title = mlv_run_str(t->run, f->thread_title);
	if (!rc)
		rc = mlv_failure_intern(t, title, &f->stack.title, err);
	return rc ? rc : mlv_failure_gdb_line(f, t, mlv_str_from(line->text, at), mine, err);
}
