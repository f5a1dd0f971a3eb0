/* SPDX-License-Identifier: MIT */
/*
 * Logs of strace, with any of its options. strace_line.h takes a line apart,
 * strace_probe.c judges it, strace_glue.c mends what a program's own output
 * did to it, and strace_take.c adds it to what strace_state.h holds.
 */
#include "parsers/strace/strace_state.h"

enum { SURE_CALLS = 3 };

static enum mlv_rc whole_line(struct mlv_strace *st, struct mlv_text *t, struct mlv_str s,
			      uint32_t line, bool *mine, struct mlv_err *err)
{
	struct mlv_strace_line l;
	bool sure = st->calls >= SURE_CALLS;
	enum mlv_rc rc = MLV_OK;
	mlv_strace_parse(s, &l);
	bool follows = st->previous && (l.kind == MLV_STRACE_FRAME || l.kind == MLV_STRACE_DUMP);
	*mine = mlv_strace_certain(&l) || follows || (sure && mlv_strace_likely(&l));
	if (*mine && l.kind != MLV_STRACE_FRAME && !mlv_strace_frames_end(st))
		return mlv_err_nomem(err);
	if (!*mine && st->begun) {
		rc = mlv_strace_complete_open(st, t, s, mine, err);
		if (rc || *mine)
			return rc;
		*mine = sure && mlv_strace_glued(s, &l);
	}
	if (!*mine)
		return MLV_OK;
	/* Only a call by the same task ends an open one: messages and others' lines may stand
	   within it. */
	if (st->open.is && (l.kind == MLV_STRACE_OPEN || l.kind == MLV_STRACE_CALL ||
			    l.kind == MLV_STRACE_UNFINISHED))
		rc = mlv_strace_give_up_open(st, t, err);
	if (rc)
		return rc;
	return l.kind == MLV_STRACE_OPEN ? mlv_strace_keep_open(st, s, line, err)
					 : mlv_strace_take(st, t, &l, line, err);
}

static enum mlv_rc on_line(void *state, struct mlv_text *t, const struct mlv_line *line,
			   enum mlv_take *takes, struct mlv_err *err)
{
	struct mlv_strace *st = state;
	struct mlv_str s = line->text;
	bool mine = false;
	enum mlv_rc rc = MLV_OK;
	st->run = t->run;
	if (st->begun) {
		rc = mlv_strace_table_line(&st->table, t, s, line->number, takes, err);
		if (rc || *takes != MLV_PASS) {
			*takes = rc ? *takes : MLV_OWN;
			return rc;
		}
	}
	size_t message = mlv_strace_message_within(s);
	if (message) {
		struct mlv_str head = { s.p, message };
		rc = whole_line(st, t, head, line->number, &mine, err);
		s = (struct mlv_str){ s.p + message, s.n - message };
	}
	if (!rc)
		rc = whole_line(st, t, s, line->number, &mine, err);
	if (!rc && !mine && st->begun && mlv_str_trim(s).n && !st->foreign++)
		st->foreign_line = line->number;
	st->previous = mine;
	*takes = mine ? MLV_OWN : MLV_PASS;
	return rc;
}

static enum mlv_rc on_finish(void *state, struct mlv_text *t, struct mlv_err *err)
{
	struct mlv_strace *st = state;
	if (!st->begun)
		return MLV_OK;
	st->run = t->run;
	enum mlv_rc rc = mlv_strace_give_up_open(st, t, err);
	if (rc)
		return rc;
	mlv_strace_table_finish(&st->table, t);
	return mlv_strace_finish(st, t, err);
}

static void on_fini(void *state)
{
	mlv_strace_fini(state);
}

const struct mlv_text_format mlv_text_strace = {
	.name = "strace",
	.summary = "system calls by strace, with or without pids, times, stacks and paths",
	.probe = mlv_strace_probe,
	.state_size = sizeof(struct mlv_strace),
	.line = on_line,
	.finish = on_finish,
	.fini = on_fini,
};
