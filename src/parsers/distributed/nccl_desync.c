/* SPDX-License-Identifier: MIT */
/*
 * The desync report (TORCH_NCCL_DESYNC_DEBUG=1): what the rank that timed out
 * found in the store about where all ranks of its group stand. It goes over
 * several lines, which become one finding.
 */
#include "parsers/distributed/nccl_watchdog.h"

/* "[0, 1, 2]" at the front, into `list` as "0,1,2" behind what it has. An ellipsis is dropped. */
static bool ranks(struct mlv_str *s, struct mlv_buf *list)
{
	struct mlv_str inner, rest = *s;
	size_t before = list ? list->len : 0;
	if (!mlv_scan(&rest, "[") || !mlv_scan_to(&rest, "]", &inner))
		return false;
	for (;;) {
		int64_t n;
		mlv_scan_blanks(&inner);
		if (!mlv_scan_int(&inner, &n)) {
			if (inner.n && !mlv_scan(&inner, "..."))
				break;
			if (!inner.n)
				*s = rest;
			return !inner.n;
		}
		if (list && list->len < MLV_NCCL_TEXT) {
			if (list->len)
				mlv_buf_putc(list, ',');
			mlv_buf_int(list, n);
		}
		mlv_scan_blanks(&inner);
		if (inner.n && !mlv_scan(&inner, ","))
			break;
	}
	if (list)
		list->len = before;
	return false;
}

/* A statement about ranks, to stand in the finding's text. */
static void say(struct mlv_nccl_desync *d, struct mlv_str s)
{
	ptrdiff_t count = mlv_str_find(s, " (count from 1)");
	if (count >= 0)
		s = mlv_str_head(s, (size_t)count);
	if (d->text.len > MLV_NCCL_TEXT)
		return;
	if (d->text.len)
		mlv_buf_puts(&d->text, "; ");
	mlv_buf_str(&d->text, mlv_str_trim(s));
}

static void reset(struct mlv_nccl_desync *d)
{
	struct mlv_buf *bufs[] = { &d->text,     &d->lagging, &d->unfinished,
				   &d->unjoined, &d->never,   &d->snapshot };
	for (size_t i = 0; i < sizeof(bufs) / sizeof(bufs[0]); i++)
		bufs[i]->len = 0;
	d->open = false;
	d->seq = d->lag_seq = d->state_seq = -1;
	d->op = MLV_STR_NONE;
}

void mlv_nccl_desync_fini(struct mlv_nccl_desync *d)
{
	struct mlv_buf *bufs[] = { &d->text,     &d->lagging, &d->unfinished,
				   &d->unjoined, &d->never,   &d->snapshot };
	for (size_t i = 0; i < sizeof(bufs) / sizeof(bufs[0]); i++)
		mlv_buf_fini(bufs[i]);
}

static struct mlv_str view(const struct mlv_buf *b)
{
	return (struct mlv_str){ b->data ? b->data : "", b->len };
}

static enum mlv_rc open(struct mlv_nccl *n, struct mlv_text *t, const struct mlv_line *line,
			int64_t group_rank, struct mlv_err *err)
{
	struct mlv_nccl_desync *d = &n->desync;
	enum mlv_rc rc = mlv_nccl_desync_close(n, t, err);
	if (rc)
		return rc;
	reset(d);
	d->open = true;
	d->first = line->number;
	d->rank = n->has_rank ? n->rank : t->rank >= 0 ? t->rank : group_rank;
	return MLV_OK;
}

/* "- [0] Timeout at collective: ALLREDUCE, #5" */
static bool begins(struct mlv_str s, int64_t *group_rank, struct mlv_str *op, int64_t *seq)
{
	return mlv_scan(&s, "- [") && mlv_scan_int(&s, group_rank) &&
	       mlv_scan(&s, "] Timeout at collective: ") && mlv_scan_to(&s, ", #", op) &&
	       mlv_scan_int(&s, seq);
}

/* What the report thinks: which ranks hold the others up. */
static bool verdict(struct mlv_nccl_desync *d, struct mlv_str s)
{
	struct mlv_str rest;
	size_t before = d->lagging.len;
	(void)mlv_scan(&s, "- ");
	rest = s;
	if (mlv_scan(&rest, "To our best knowledge, ranks ")) {
		struct mlv_str statement = rest, list = rest;
		if (!ranks(&rest, &d->lagging) || mlv_str_find(rest, " are the lagging ranks") != 0)
			return false;
		(void)ranks(&list, &d->never);
		mlv_buf_puts(&d->text, d->text.len ? "; ranks " : "ranks ");
		mlv_buf_str(&d->text, mlv_str_head(statement, MLV_NCCL_TEXT));
		return true;
	}
	if (!ranks(&rest, &d->lagging))
		return false;
	struct mlv_str list = s;
	if (mlv_scan(&rest, " joined but didn't finish collective #"))
		(void)ranks(&list, &d->unfinished);
	else if (mlv_scan(&rest, " finished collective #"))
		(void)ranks(&list, &d->unjoined);
	else {
		d->lagging.len = before;
		return false;
	}
	(void)mlv_scan_int(&rest, &d->lag_seq);
	say(d, s);
	return true;
}

/* "#5 started ranks:" and "[0, 1] started ALLREDUCE" */
static bool snapshot(struct mlv_nccl_desync *d, struct mlv_str s)
{
	struct mlv_str rest = s;
	int64_t seq;
	if (mlv_scan(&rest, "#") && mlv_scan_int(&rest, &seq)) {
		d->started = mlv_str_eq(rest, MLV_STR(" started ranks:"));
		if (!d->started && !mlv_str_eq(rest, MLV_STR(" finished ranks:")))
			return false;
		d->state_seq = seq;
		return true;
	}
	rest = s;
	if (d->state_seq < 0 || !ranks(&rest, NULL) ||
	    !mlv_scan(&rest, d->started ? " started " : " finished "))
		return false;
	if (d->snapshot.len < MLV_NCCL_TEXT)
		mlv_buf_printf(&d->snapshot, "%s#%lld ", d->snapshot.len ? "; " : "",
			       (long long)d->state_seq);
	if (d->snapshot.len < MLV_NCCL_TEXT)
		mlv_buf_str(&d->snapshot, mlv_str_head(s, MLV_NCCL_TEXT));
	return true;
}

static bool heading(struct mlv_str s)
{
	return mlv_str_has_prefix(s, MLV_STR("- Snapshot of ranks' latest states:")) ||
	       mlv_str_eq(s, MLV_STR("They never joined any collectives"));
}

static bool concludes(struct mlv_str s)
{
	return mlv_str_has_prefix(s, MLV_STR("- To our best knowledge, the lagging/dead/mism")) ||
	       (mlv_str_has_prefix(s, MLV_STR("- To our best knowledge, ranks [")) &&
		mlv_str_find(s, "] are the lagging ranks that caused this timeout") > 0);
}

enum mlv_rc mlv_nccl_desync_line(struct mlv_nccl *n, struct mlv_text *t,
				 const struct mlv_line *line, bool *taken, struct mlv_err *err)
{
	struct mlv_nccl_desync *d = &n->desync;
	struct mlv_str s = mlv_str_trim(line->text), op;
	int64_t group_rank = -1, seq;
	enum mlv_rc rc = MLV_OK;
	if (!s.n || (s.p[0] != '-' && !d->open))
		return MLV_OK;
	if (begins(s, &group_rank, &op, &seq)) {
		rc = open(n, t, line, group_rank, err);
		if (!rc && !mlv_run_intern(t->run, op, &d->op))
			rc = mlv_err_nomem(err);
		d->seq = seq;
		*taken = true;
	} else if (concludes(s)) {
		/* Its first line is missing, or it is the next report. */
		if (!d->open || d->text.len)
			rc = open(n, t, line, -1, err);
		(void)verdict(d, s);
		*taken = true;
	} else if (d->open) {
		*taken = verdict(d, s) || snapshot(d, s) || heading(s);
	}
	if (*taken)
		d->last = line->number;
	return rc;
}

static bool list_attr(struct mlv_text *t, const char *key, const struct mlv_buf *b)
{
	return !b->failed && (!b->len || mlv_run_attr_text(t->run, key, view(b)));
}

static bool attrs(struct mlv_text *t, const struct mlv_nccl_desync *d)
{
	return mlv_run_attr_int(t->run, "count", 1) &&
	       (d->seq < 0 || mlv_run_attr_int(t->run, "seq", d->seq)) &&
	       (!d->op.i || mlv_run_attr_text(t->run, "op", mlv_run_str(t->run, d->op))) &&
	       (d->lag_seq < 0 || mlv_run_attr_int(t->run, "lag_seq", d->lag_seq)) &&
	       list_attr(t, "lagging_ranks", &d->lagging) &&
	       list_attr(t, "unfinished_ranks", &d->unfinished) &&
	       list_attr(t, "unjoined_ranks", &d->unjoined) &&
	       list_attr(t, "never_joined_ranks", &d->never) &&
	       list_attr(t, "snapshot", &d->snapshot);
}

enum mlv_rc mlv_nccl_desync_close(struct mlv_nccl *n, struct mlv_text *t, struct mlv_err *err)
{
	struct mlv_nccl_desync *d = &n->desync;
	if (!d->open)
		return MLV_OK;
	d->open = false;
	if (!d->text.len)
		mlv_buf_puts(&d->text, "a collective timed out");
	struct mlv_finding f = { .severity = MLV_FINDING_ERROR,
				 .line = d->first,
				 .last_line = d->last,
				 .rank = d->rank };
	uint32_t begin = mlv_run_attrs_begin(t->run);
	if (d->text.failed || !attrs(t, d))
		return mlv_err_nomem(err);
	return mlv_nccl_tell(n, t, f, "nccl-desync", view(&d->text), begin, NULL, err);
}
