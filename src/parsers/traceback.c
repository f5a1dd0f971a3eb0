/* SPDX-License-Identifier: MIT */
/*
 * Python tracebacks in logs. Several may be open at once, when the lines of
 * processes are mixed: each has a prefix of its own (a logger's, a worker's
 * name, the bars of an exception group), which the first frame shows.
 */
#include <inttypes.h>
#include <string.h>

#include "parsers/scan.h"
#include "parsers/statement.h"
#include "parsers/traceback_line.h"

enum {
	OPEN = 16,     /* at once */
	CLOSED = 8,    /* that a following one may refer to */
	FRAMES = 4000, /* of one; of more the outermost are forgotten */
	FOREIGN = 64,  /* lines of others within one */
	FORWARD = 4,   /* forward calls that an error may refer to */
	PREFIX_BYTES = 512,
};

enum kind { EXCEPTION, FORWARD_CALL, SYNTAX };

struct prefix {
	mlv_strid text;
	bool known;
};

struct traceback {
	enum kind kind;
	mlv_strid start;     /* what stood before "Traceback" */
	struct prefix lines; /* what stands before its lines, known from the first frame on */
	MLV_VEC(mlv_frameid) frames; /* outermost first */
	mlv_strid operation;
	struct {
		mlv_strid file;
		uint32_t line;
	} place; /* of a SyntaxError, or of the innermost frame */
	uint32_t first_line, last_line;
	unsigned foreign;
	unsigned twins, repeats; /* equal ones in the same lines, each line as often */
	bool group;
	const char *chain; /* how it hangs together with the one at chain_line */
	uint32_t chain_line;
	uint32_t group_line; /* of the exception group that it is part of */
};

struct closed {
	mlv_strid prefix;
	uint32_t line;
	const char *chain; /* what was said behind it */
	bool used;
};

struct forward {
	mlv_stackid stack;
	mlv_strid operation;
	uint32_t first_line, last_line;
};

struct state {
	MLV_VEC(struct traceback) open;
	struct closed closed[CLOSED];
	unsigned next_closed;
	struct forward forward[FORWARD];
	unsigned forwards;
	uint32_t group_line;
	uint32_t section;
};

static enum mlv_rc intern(struct mlv_text *t, struct mlv_str s, mlv_strid *id, struct mlv_err *err)
{
	return mlv_run_intern(t->run, mlv_str_some(s), id) ? MLV_OK : mlv_err_nomem(err);
}

static void drop(struct state *st, size_t i)
{
	mlv_vec_free(&st->open.data[i].frames);
	memmove(&st->open.data[i], &st->open.data[i + 1],
		(st->open.len - i - 1) * sizeof(st->open.data[0]));
	st->open.len--;
}

static enum mlv_rc stack_of(struct traceback *tb, struct mlv_text *t, mlv_stackid *stack,
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

/* Which forward call led to the backward error: a finding beside that of the error. */
static enum mlv_rc add_forwards(struct state *st, struct mlv_text *t, struct mlv_str text,
				struct mlv_err *err)
{
	enum mlv_rc rc = MLV_OK;
	for (unsigned i = 0; i < st->forwards && !rc; i++) {
		struct forward *f = &st->forward[i];
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

static enum mlv_rc attributes(const struct state *st, const struct traceback *tb,
			      struct mlv_text *t, struct mlv_str text, struct mlv_str name,
			      struct mlv_err *err)
{
	int64_t n;
	enum mlv_rc rc = mlv_statement_text(t, "exception", name, err);
	if (!rc && tb->chain)
		rc = mlv_statement_text(t, "chained",
					(struct mlv_str){ tb->chain, strlen(tb->chain) }, err);
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

static enum mlv_rc keep_forward(struct state *st, struct mlv_text *t, size_t i, struct mlv_err *err)
{
	struct traceback *tb = &st->open.data[i];
	struct forward f = { .operation = tb->operation,
			     .first_line = tb->first_line,
			     .last_line = tb->last_line };
	enum mlv_rc rc = stack_of(tb, t, &f.stack, err);
	if (!rc && f.stack.i && st->forwards < FORWARD)
		st->forward[st->forwards++] = f;
	drop(st, i);
	return rc;
}

static enum mlv_rc remember(struct state *st, struct mlv_text *t, const struct traceback *tb,
			    struct mlv_err *err)
{
	struct closed *c = &st->closed[st->next_closed];
	*c = (struct closed){ .prefix = tb->lines.text, .line = tb->first_line, .used = true };
	st->next_closed = (st->next_closed + 1) % CLOSED;
	if (!tb->group)
		return MLV_OK;
	st->group_line = tb->first_line;
	/* What is said behind a group stands outside its bars. */
	struct mlv_str prefix = mlv_run_str(t->run, tb->lines.text);
	if (mlv_str_has_suffix(prefix, MLV_STR("  | ")))
		return intern(t, mlv_str_head(prefix, prefix.n - 4), &c->prefix, err);
	return MLV_OK;
}

/* Tell what was read; `text` is the line of the exception, empty when it never came. */
static enum mlv_rc close_one(struct state *st, struct mlv_text *t, size_t i, struct mlv_str text,
			     struct mlv_str name, struct mlv_err *err)
{
	struct traceback *tb = &st->open.data[i];
	if (tb->kind == FORWARD_CALL)
		return keep_forward(st, t, i, err);
	if (!text.n && !tb->frames.len) {
		drop(st, i);
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
		rc = add_forwards(st, t, s.text, err);
	if (!rc)
		rc = remember(st, t, tb, err);
	drop(st, i);
	return rc;
}

/* What the last line of the one before said about the one that begins. */
static void hang_together(struct state *st, const struct mlv_text *t, struct mlv_str text,
			  struct traceback *tb)
{
	struct mlv_str rest;
	for (size_t i = 0; i < CLOSED; i++) {
		struct closed *c = &st->closed[i];
		if (c->used && c->chain &&
		    mlv_scan_prefix(text, mlv_run_str(t->run, c->prefix), &rest)) {
			tb->chain = c->chain;
			tb->chain_line = c->line;
			c->chain = NULL;
		}
	}
}

static enum mlv_rc begin(struct state *st, struct mlv_text *t, const struct mlv_line *line,
			 struct mlv_str before, struct traceback tb, struct mlv_err *err)
{
	char prefix[PREFIX_BYTES];
	enum mlv_rc rc = MLV_OK;
	tb.first_line = tb.last_line = line->number;
	before = mlv_str_from(before, before.n > PREFIX_BYTES ? before.n - PREFIX_BYTES : 0);
	memcpy(prefix, before.p, before.n);
	/* "  + Exception Group Traceback" is followed by "  |   File". */
	if (tb.group && before.n >= 2 && prefix[before.n - 2] == '+')
		prefix[before.n - 2] = '|';
	rc = intern(t, (struct mlv_str){ prefix, before.n }, &tb.start, err);
	bool within = before.n >= 2 && prefix[before.n - 2] == '|';
	if (!tb.group && within)
		tb.group_line = st->group_line;
	else if (!within)
		st->group_line = 0;
	hang_together(st, t, line->text, &tb);
	struct traceback *last = st->open.len ? &st->open.data[st->open.len - 1] : NULL;
	if (!rc && last && !last->lines.known && last->kind == tb.kind &&
	    last->start.i == tb.start.i && tb.kind == EXCEPTION) {
		last->twins++;
		return MLV_OK;
	}
	/* The same prefix again: the earlier one never ended. */
	for (size_t i = st->open.len; i-- && !rc;) {
		if (st->open.data[i].start.i == tb.start.i || st->open.len == OPEN ||
		    st->open.data[i].kind != EXCEPTION)
			rc = close_one(st, t, i, MLV_STR(""), MLV_STR(""), err);
	}
	if (!rc && !mlv_vec_push(&st->open, tb))
		rc = mlv_err_nomem(err);
	return rc;
}

/* Where the frame begins in the first line below the start, and so what stands before each. */
static enum mlv_rc first_frame(struct traceback *tb, struct mlv_text *t, struct mlv_str text,
			       bool *mine, struct mlv_err *err)
{
	struct mlv_tb_frame f;
	struct mlv_str rest;
	ptrdiff_t at = mlv_str_find(text, "  File \"");
	*mine = false;
	if (at < 0 || at > PREFIX_BYTES || !mlv_tb_frame(mlv_str_from(text, (size_t)at), &f))
		return MLV_OK;
	struct mlv_str before = mlv_str_head(text, (size_t)at);
	if (mlv_scan_prefix(text, mlv_run_str(t->run, tb->start), &rest) && mlv_tb_frame(rest, &f))
		before = mlv_str_head(text, text.n - rest.n);
	else if (mlv_str_indent(before) != before.n)
		return MLV_OK;
	*mine = tb->lines.known = true;
	return intern(t, before, &tb->lines.text, err);
}

static enum mlv_rc push_frame(struct traceback *tb, struct mlv_text *t,
			      const struct mlv_tb_frame *f, struct mlv_err *err)
{
	mlv_frameid id;
	enum mlv_rc rc = intern(t, f->file, &tb->place.file, err);
	tb->place.line = f->line;
	if (rc || !f->function.n)
		return rc;
	rc = mlv_statement_frame(t, f->function, f->file, f->line, &id, err);
	if (rc)
		return rc;
	size_t n = tb->frames.len;
	if (tb->repeats < tb->twins && n && tb->frames.data[n - 1].i == id.i) {
		tb->repeats++;
		return MLV_OK;
	}
	tb->repeats = 0;
	if (n == FRAMES) {
		memmove(tb->frames.data, tb->frames.data + FRAMES / 2,
			FRAMES / 2 * sizeof(tb->frames.data[0]));
		tb->frames.len -= FRAMES / 2;
	}
	return mlv_vec_push(&tb->frames, id) ? MLV_OK : mlv_err_nomem(err);
}

static bool is_syntax_error(struct mlv_str name)
{
	return mlv_str_eq(name, MLV_STR("SyntaxError")) ||
	       mlv_str_eq(name, MLV_STR("IndentationError")) ||
	       mlv_str_eq(name, MLV_STR("TabError"));
}

/* Offer the line to one that is open. *mine: it was a line of it. */
static enum mlv_rc feed(struct state *st, struct mlv_text *t, size_t i, const struct mlv_line *line,
			bool *mine, struct mlv_err *err)
{
	struct traceback *tb = &st->open.data[i];
	struct mlv_str text = line->text, name;
	struct mlv_tb_frame f;
	bool sure;
	enum mlv_rc rc = MLV_OK;
	*mine = true;
	if (!tb->lines.known) {
		rc = first_frame(tb, t, text, mine, err);
		if (rc || !*mine)
			return rc;
	}
	if (!mlv_scan_prefix(text, mlv_run_str(t->run, tb->lines.text), &text)) {
		*mine = false;
		return MLV_OK;
	}
	bool next = line->number == tb->last_line + 1;
	if (mlv_tb_frame(text, &f)) {
		tb->last_line = line->number;
		return push_frame(tb, t, &f, err);
	}
	if (mlv_tb_detail(text)) {
		tb->last_line = line->number;
		return MLV_OK;
	}
	if (tb->kind == FORWARD_CALL) {
		*mine = false;
		return close_one(st, t, i, MLV_STR(""), MLV_STR(""), err);
	}
	if (mlv_tb_exception(text, &name, &sure) && (sure || next) &&
	    (tb->kind != SYNTAX || is_syntax_error(name))) {
		tb->last_line = line->number;
		return close_one(st, t, i, text, name, err);
	}
	*mine = false;
	return MLV_OK;
}

/* Lines that were nobody's: what waits too long was cut. */
static enum mlv_rc grow_old(struct state *st, struct mlv_text *t, struct mlv_err *err)
{
	enum mlv_rc rc = MLV_OK;
	for (size_t i = st->open.len; i-- && !rc;) {
		struct traceback *tb = &st->open.data[i];
		if (++tb->foreign <= (tb->kind == SYNTAX ? 6 : FOREIGN))
			continue;
		if (tb->kind == SYNTAX)
			drop(st, i);
		else
			rc = close_one(st, t, i, MLV_STR(""), MLV_STR(""), err);
	}
	return rc;
}

/* `  File "x.py", line 3` without more: the only head that a SyntaxError of the script has. */
static enum mlv_rc syntax_head(struct state *st, struct mlv_text *t, const struct mlv_line *line,
			       bool *mine, struct mlv_err *err)
{
	struct mlv_tb_frame f;
	*mine = mlv_tb_frame(line->text, &f) && !f.function.n && !st->open.len;
	if (!*mine)
		return MLV_OK;
	struct traceback tb = { .kind = SYNTAX, .lines = { .known = true } };
	enum mlv_rc rc = begin(st, t, line, MLV_STR(""), tb, err);
	return rc ? rc : push_frame(&st->open.data[st->open.len - 1], t, &f, err);
}

static void note_chain(struct state *st, const struct mlv_text *t, struct mlv_str text, bool *mine)
{
	struct mlv_str rest;
	for (unsigned k = 0; k < CLOSED; k++) {
		struct closed *c = &st->closed[(st->next_closed + CLOSED - 1 - k) % CLOSED];
		if (!c->used || !mlv_scan_prefix(text, mlv_run_str(t->run, c->prefix), &rest))
			continue;
		const char *chain = mlv_tb_chain(rest);
		if (!chain)
			continue;
		c->chain = chain;
		*mine = true;
		return;
	}
}

static enum mlv_rc line_of(void *state, struct mlv_text *t, const struct mlv_line *line,
			   enum mlv_take *take, struct mlv_err *err)
{
	struct state *st = state;
	struct mlv_str before, operation;
	struct traceback tb = { .kind = EXCEPTION };
	enum mlv_rc rc = MLV_OK;
	bool mine = false;
	enum mlv_tb_start start = mlv_tb_start(line->text, &before, &operation);
	if (start) {
		tb.group = start == MLV_TB_START_GROUP;
		if (start == MLV_TB_START_FORWARD) {
			tb.kind = FORWARD_CALL;
			rc = intern(t, operation, &tb.operation, err);
		}
		*take = MLV_TAKE;
		return rc ? rc : begin(st, t, line, before, tb, err);
	}
	for (size_t i = st->open.len; i-- && !mine && !rc;)
		rc = feed(st, t, i, line, &mine, err);
	if (!rc && !mine)
		rc = grow_old(st, t, err);
	if (!rc && !mine)
		rc = syntax_head(st, t, line, &mine, err);
	if (!rc && !mine)
		note_chain(st, t, line->text, &mine);
	if (mine)
		*take = MLV_TAKE;
	return rc;
}

static enum mlv_rc finish(void *state, struct mlv_text *t, struct mlv_err *err)
{
	struct state *st = state;
	enum mlv_rc rc = MLV_OK;
	while (st->open.len && !rc) {
		if (st->open.data[0].kind == SYNTAX)
			drop(st, 0);
		else
			rc = close_one(st, t, 0, MLV_STR(""), MLV_STR(""), err);
	}
	/* A forward call whose error never came. */
	return rc ? rc : add_forwards(st, t, MLV_STR("error in a backward call"), err);
}

static void fini(void *state)
{
	struct state *st = state;
	while (st->open.len)
		drop(st, st->open.len - 1);
	mlv_vec_free(&st->open);
}

const struct mlv_text_format mlv_text_traceback = {
	.name = "traceback",
	.summary = "Python tracebacks, chained, grouped and of anomaly mode, in any log",
	.state_size = sizeof(struct state),
	.line = line_of,
	.finish = finish,
	.fini = fini,
};
