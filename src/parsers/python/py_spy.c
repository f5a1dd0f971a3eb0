/* SPDX-License-Identifier: MIT */
/*
 * What `py-spy dump` prints: for each process a heading, and its threads with
 * their frames, innermost first. People paste single threads of it, so a
 * thread is known without its heading when frames follow it.
 */
#include "parsers/python/py_spy.h"

#include "parsers/text/scan.h"
#include "parsers/text/statement.h"
#include "parsers/text/text.h"

enum { LOCALS_GAP = 64, MAX_FRAMES = 16384 };

struct state {
	bool headed;  /* "Process N:" was the line before */
	bool in_dump; /* threads may follow here */
	bool open;    /* a thread is being read */
	uint32_t headed_line;
	uint32_t locals_line; /* of the last line of locals; 0 not within them */
	uint32_t section;     /* + 1; 0 none */
	struct mlv_py_spy_thread thread;
	int64_t pid, parent;
	mlv_strid command, python;
};

static struct mlv_py_spy_thread *fresh(struct state *s, struct mlv_text *t, uint32_t line)
{
	struct mlv_py_spy_thread *th = &s->thread;
	mlv_frameid *frames = th->frames.data;
	size_t cap = th->frames.cap;
	*th = (struct mlv_py_spy_thread){ .pid = s->in_dump ? s->pid : -1,
					  .parent = s->in_dump ? s->parent : -1,
					  .command = s->in_dump ? s->command : MLV_STR_NONE,
					  .python = s->in_dump ? s->python : MLV_STR_NONE,
					  .line = line,
					  .last_line = line,
					  .rank = t->rank };
	th->frames.data = frames;
	th->frames.cap = cap;
	s->open = true;
	s->locals_line = 0;
	return th;
}

static enum mlv_rc section(struct state *s, struct mlv_text *t, uint32_t line, uint32_t last_line,
			   struct mlv_err *err)
{
	enum mlv_rc rc =
		mlv_statement_section(t, "py-spy", MLV_STR(""), line, last_line, &s->section, err);
	if (!rc)
		mlv_section_noun(t->run, s->section - 1, "thread");
	return rc;
}

/* The end of a thread. One line alone that looks like its heading is something else. */
static enum mlv_rc end_thread(struct state *s, struct mlv_text *t, struct mlv_err *err)
{
	if (!s->open)
		return MLV_OK;
	s->open = false;
	if (!s->in_dump && !s->thread.frames.len)
		return MLV_OK;
	s->in_dump = true;
	enum mlv_rc rc = section(s, t, s->thread.line, s->thread.last_line, err);
	if (!rc)
		rc = mlv_py_spy_add(t->run, t->limits, &s->thread, err);
	if (!rc)
		mlv_section_grow(t->run, s->section - 1, 0);
	return rc;
}

static enum mlv_rc end_dump(struct state *s, struct mlv_text *t, struct mlv_err *err)
{
	enum mlv_rc rc = end_thread(s, t, err);
	s->in_dump = s->headed = false;
	s->section = 0;
	s->pid = s->parent = -1;
	s->command = s->python = MLV_STR_NONE;
	return rc;
}

/* "Process 123: python train.py", which counts when the version follows. */
static bool process(struct mlv_str text, int64_t *pid, struct mlv_str *command)
{
	if (!mlv_scan(&text, "Process ") || !mlv_scan_int(&text, pid) || !mlv_scan(&text, ": "))
		return false;
	*command = mlv_str_head(text, 4096);
	return true;
}

static bool is_status(struct mlv_str s)
{
	return mlv_str_eq(s, MLV_STR("active")) || mlv_str_eq(s, MLV_STR("idle")) ||
	       mlv_str_eq(s, MLV_STR("active+gil")) || mlv_str_eq(s, MLV_STR("gil")) ||
	       mlv_str_eq(s, MLV_STR("idle+gil"));
}

/* `Thread 835995 (active+gil): "MainThread"`; number and status as they stand. */
static bool heading(struct mlv_str s, bool in_dump, struct mlv_str *id, struct mlv_str *status,
		    struct mlv_str *name)
{
	int64_t n;
	*status = *name = MLV_STR("");
	if (!mlv_scan(&s, "Thread "))
		return false;
	*id = s;
	if (!mlv_scan_hex(&s, id)) {
		if (!mlv_scan_int(&s, &n))
			return false;
		id->n = (size_t)(s.p - id->p);
	}
	if (mlv_scan(&s, " (")) {
		if (!mlv_scan_to(&s, ")", status) || !is_status(*status))
			return false;
	} else if (!in_dump) {
		return false;
	}
	if (!s.n)
		return true;
	if (!mlv_scan(&s, ": \"") || !s.n || s.p[s.n - 1] != '"')
		return false;
	*name = mlv_str_head(s, s.n - 1);
	return true;
}

/* Where the parenthesis opens that the line closes: names and paths may hold some too. */
static ptrdiff_t place_of(struct mlv_str s)
{
	size_t depth = 0;
	for (size_t i = s.n; i-- > 1;) {
		depth += s.p[i] == ')';
		if (s.p[i] == '(' && --depth == 0)
			return s.p[i - 1] == ' ' ? (ptrdiff_t)i - 1 : mlv_str_find_last(s, " (");
	}
	return MLV_NOT_FOUND;
}

/* "func (file.py:12)", "func (lib.so)", "func". */
static bool frame(struct mlv_text *t, struct mlv_str s, mlv_frameid *id)
{
	struct mlv_frame row = { 0 };
	struct mlv_str function = s, file = MLV_STR("");
	ptrdiff_t at = s.p[s.n - 1] == ')' ? place_of(s) : MLV_NOT_FOUND;
	if (at > 0) {
		struct mlv_str place = mlv_str_from(s, (size_t)at + 2), path;
		place.n--;
		function = mlv_str_head(s, (size_t)at);
		file = mlv_scan_place(place, &path, &row.line) ? path : place;
	}
	return mlv_run_intern(t->run, function, &row.function) &&
	       mlv_run_intern(t->run, file, &row.file) &&
	       mlv_frame_intern(&t->run->stacks, row, id);
}

static bool is_rule(struct mlv_str s)
{
	size_t i = 0;
	while (i < s.n && s.p[i] == '-')
		i++;
	return i >= 3 && i == s.n;
}

static enum mlv_rc begin_thread(struct state *s, struct mlv_text *t, uint32_t line,
				struct mlv_str id, struct mlv_str status, struct mlv_str name,
				struct mlv_err *err)
{
	enum mlv_rc rc = end_thread(s, t, err);
	if (rc)
		return rc;
	struct mlv_py_spy_thread *th = fresh(s, t, line);
	if (!mlv_run_intern(t->run, id, &th->id) || !mlv_run_intern(t->run, status, &th->status) ||
	    !mlv_run_intern(t->run, name, &th->name))
		return mlv_err_nomem(err);
	return MLV_OK;
}

/* A line below the heading of a thread: a frame, or the values that -l shows below one. */
static enum mlv_rc below(struct state *s, struct mlv_text *t, const struct mlv_line *line,
			 bool *taken, struct mlv_err *err)
{
	struct mlv_py_spy_thread *th = &s->thread;
	size_t indent = mlv_str_indent(line->text);
	struct mlv_str text = mlv_str_trim(line->text);
	mlv_frameid id;
	if (indent >= 8 && th->frames.len) {
		bool label = mlv_str_eq(text, MLV_STR("Arguments:")) ||
			     mlv_str_eq(text, MLV_STR("Locals:"));
		*taken = label || s->locals_line;
		if (*taken)
			s->locals_line = th->last_line = line->number;
		th->locals += *taken && !label && indent == 12;
		return MLV_OK;
	}
	if (indent == 4 && text.n && th->frames.len < MAX_FRAMES) {
		*taken = true;
		s->locals_line = 0;
		th->last_line = line->number;
		if (mlv_str_eq(text, MLV_STR("..."))) {
			th->elided = true;
			return MLV_OK;
		}
		return frame(t, text, &id) && mlv_vec_push(&th->frames, id) ? MLV_OK
									    : mlv_err_nomem(err);
	}
	/* A value may hold line ends. */
	*taken = s->locals_line && line->number <= s->locals_line + LOCALS_GAP;
	return MLV_OK;
}

static enum mlv_rc head(struct state *s, struct mlv_text *t, const struct mlv_line *line,
			bool *taken, struct mlv_err *err)
{
	struct mlv_str text = mlv_str_trim(line->text), command;
	enum mlv_rc rc = MLV_OK;
	int64_t pid;
	if (process(text, &pid, &command)) {
		rc = end_dump(s, t, err);
		s->headed = true;
		s->headed_line = line->number;
		s->pid = pid;
		if (!rc && !mlv_run_intern(t->run, command, &s->command))
			rc = mlv_err_nomem(err);
		return rc;
	}
	if (s->headed && mlv_scan(&text, "Python v")) {
		*taken = s->in_dump = true;
		s->headed = false;
		if (!mlv_run_intern(t->run, mlv_str_head(text, 512), &s->python))
			return mlv_err_nomem(err);
		return section(s, t, s->headed_line, line->number, err);
	}
	s->headed = false;
	text = mlv_str_trim(line->text);
	if (s->in_dump && mlv_scan(&text, "Parent Process ") && mlv_scan_int(&text, &pid)) {
		s->parent = pid;
		*taken = true;
	}
	return MLV_OK;
}

static enum mlv_rc line(void *state, struct mlv_text *t, const struct mlv_line *line,
			enum mlv_take *take, struct mlv_err *err)
{
	struct state *s = state;
	struct mlv_str id, status, name;
	bool taken = false;
	enum mlv_rc rc = MLV_OK;
	if (!s->in_dump && !s->open && !s->headed && (!line->text.n || line->text.p[0] == ' '))
		return MLV_OK;
	if (heading(mlv_str_trim(line->text), s->in_dump, &id, &status, &name) &&
	    mlv_str_indent(line->text) < 4) {
		taken = true;
		rc = begin_thread(s, t, line->number, id, status, name, err);
	} else if (s->open) {
		rc = below(s, t, line, &taken, err);
	}
	if (!rc && !taken)
		rc = head(s, t, line, &taken, err);
	if (taken)
		*take = MLV_OWN;
	struct mlv_str text = mlv_str_trim(line->text);
	if (!rc && !taken && text.n == 0)
		return s->locals_line ? MLV_OK : end_thread(s, t, err);
	if (!rc && !taken && !s->headed && (s->in_dump || s->open)) {
		if (is_rule(text))
			*take = MLV_OWN;
		rc = end_dump(s, t, err);
	}
	return rc;
}

static enum mlv_rc finish(void *state, struct mlv_text *t, struct mlv_err *err)
{
	return end_dump(state, t, err);
}

static void fini(void *state)
{
	struct state *s = state;
	mlv_vec_free(&s->thread.frames);
}

const struct mlv_text_format mlv_text_py_spy = {
	.name = "py-spy",
	.summary = "py-spy dump: what each thread of a Python process was doing",
	.state_size = sizeof(struct state),
	.line = line,
	.finish = finish,
	.fini = fini,
};
