/* SPDX-License-Identifier: MIT */
/*
 * Python tracebacks in logs. Several may be open at once, when the lines of
 * processes are mixed: each has a prefix of its own (a logger's, a worker's
 * name, the bars of an exception group), which the first frame shows.
 */
#include <inttypes.h>
#include <string.h>

#include "parsers/text/scan.h"
#include "parsers/text/statement.h"
#include "parsers/failure/traceback.h"
#include "parsers/failure/traceback_line.h"

enum {
	OPEN = 16,     /* at once */
	FRAMES = 4000, /* of one; of more the outermost are forgotten */
	FOREIGN = 64,  /* lines of others within one */
	PREFIX_BYTES = 512,
};

static enum mlv_rc intern(struct mlv_text *t, struct mlv_str s, mlv_strid *id, struct mlv_err *err)
{
	return mlv_run_intern(t->run, mlv_str_some(s), id) ? MLV_OK : mlv_err_nomem(err);
}

/* What the last line of the one before said about the one that begins. */
static void hang_together(struct mlv_tracebacks *st, const struct mlv_text *t, struct mlv_str text,
			  struct mlv_traceback *tb)
{
	struct mlv_str rest;
	for (size_t i = 0; i < MLV_TB_CLOSED; i++) {
		struct mlv_traceback_closed *c = &st->closed[i];
		if (c->used && c->chain &&
		    mlv_scan_prefix(text, mlv_run_str(t->run, c->prefix), &rest)) {
			tb->chain = c->chain;
			tb->chain_line = c->line;
			c->chain = NULL;
		}
	}
}

static enum mlv_rc begin(struct mlv_tracebacks *st, struct mlv_text *t, const struct mlv_line *line,
			 struct mlv_str before, struct mlv_traceback tb, struct mlv_err *err)
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
	struct mlv_traceback *last = st->open.len ? &st->open.data[st->open.len - 1] : NULL;
	if (!rc && last && !last->lines.known && last->kind == tb.kind &&
	    last->start.i == tb.start.i && tb.kind == MLV_TB_EXCEPTION) {
		last->twins++;
		return MLV_OK;
	}
	/* The same prefix again: the earlier one never ended. */
	for (size_t i = st->open.len; i-- && !rc;) {
		if (st->open.data[i].start.i == tb.start.i || st->open.len == OPEN ||
		    st->open.data[i].kind != MLV_TB_EXCEPTION)
			rc = mlv_traceback_close(st, t, i, MLV_STR(""), MLV_STR(""), err);
	}
	if (!rc && !mlv_vec_push(&st->open, tb))
		rc = mlv_err_nomem(err);
	return rc;
}

/* Where the frame begins in the first line below the start, and so what stands before each. */
static enum mlv_rc first_frame(struct mlv_traceback *tb, struct mlv_text *t, struct mlv_str text,
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

static enum mlv_rc push_frame(struct mlv_traceback *tb, struct mlv_text *t,
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
static enum mlv_rc feed(struct mlv_tracebacks *st, struct mlv_text *t, size_t i,
			const struct mlv_line *line, bool *mine, struct mlv_err *err)
{
	struct mlv_traceback *tb = &st->open.data[i];
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
	if (tb->kind == MLV_TB_FORWARD_CALL) {
		*mine = false;
		return mlv_traceback_close(st, t, i, MLV_STR(""), MLV_STR(""), err);
	}
	if (mlv_tb_exception(text, &name, &sure) && (sure || next) &&
	    (tb->kind != MLV_TB_SYNTAX || is_syntax_error(name))) {
		tb->last_line = line->number;
		return mlv_traceback_close(st, t, i, text, name, err);
	}
	*mine = false;
	return MLV_OK;
}

/* Lines that were nobody's: what waits too long was cut. */
static enum mlv_rc grow_old(struct mlv_tracebacks *st, struct mlv_text *t, struct mlv_err *err)
{
	enum mlv_rc rc = MLV_OK;
	for (size_t i = st->open.len; i-- && !rc;) {
		struct mlv_traceback *tb = &st->open.data[i];
		if (++tb->foreign <= (tb->kind == MLV_TB_SYNTAX ? 6 : FOREIGN))
			continue;
		if (tb->kind == MLV_TB_SYNTAX)
			mlv_traceback_drop(st, i);
		else
			rc = mlv_traceback_close(st, t, i, MLV_STR(""), MLV_STR(""), err);
	}
	return rc;
}

/* `  File "x.py", line 3` without more: the only head that a SyntaxError of the script has. */
static enum mlv_rc syntax_head(struct mlv_tracebacks *st, struct mlv_text *t,
			       const struct mlv_line *line, bool *mine, struct mlv_err *err)
{
	struct mlv_tb_frame f;
	*mine = mlv_tb_frame(line->text, &f) && !f.function.n && !st->open.len;
	if (!*mine)
		return MLV_OK;
	struct mlv_traceback tb = { .kind = MLV_TB_SYNTAX, .lines = { .known = true } };
	enum mlv_rc rc = begin(st, t, line, MLV_STR(""), tb, err);
	return rc ? rc : push_frame(&st->open.data[st->open.len - 1], t, &f, err);
}

static void note_chain(struct mlv_tracebacks *st, const struct mlv_text *t, struct mlv_str text,
		       bool *mine)
{
	struct mlv_str rest;
	for (unsigned k = 0; k < MLV_TB_CLOSED; k++) {
		struct mlv_traceback_closed *c =
			&st->closed[(st->next_closed + MLV_TB_CLOSED - 1 - k) % MLV_TB_CLOSED];
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
	struct mlv_tracebacks *st = state;
	struct mlv_str before, operation;
	struct mlv_traceback tb = { .kind = MLV_TB_EXCEPTION };
	enum mlv_rc rc = MLV_OK;
	bool mine = false;
	enum mlv_tb_start start = mlv_tb_start(line->text, &before, &operation);
	if (start) {
		tb.group = start == MLV_TB_START_GROUP;
		if (start == MLV_TB_START_FORWARD) {
			tb.kind = MLV_TB_FORWARD_CALL;
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
	struct mlv_tracebacks *st = state;
	enum mlv_rc rc = MLV_OK;
	while (st->open.len && !rc) {
		if (st->open.data[0].kind == MLV_TB_SYNTAX)
			mlv_traceback_drop(st, 0);
		else
			rc = mlv_traceback_close(st, t, 0, MLV_STR(""), MLV_STR(""), err);
	}
	/* A forward call whose error never came. */
	return rc ? rc : mlv_traceback_forwards(st, t, MLV_STR("error in a backward call"), err);
}

static void fini(void *state)
{
	struct mlv_tracebacks *st = state;
	while (st->open.len)
		mlv_traceback_drop(st, st->open.len - 1);
	mlv_vec_free(&st->open);
}

const struct mlv_text_format mlv_text_traceback = {
	.name = "traceback",
	.summary = "Python tracebacks, chained, grouped and of anomaly mode, in any log",
	.state_size = sizeof(struct mlv_tracebacks),
	.line = line_of,
	.finish = finish,
	.fini = fini,
};
