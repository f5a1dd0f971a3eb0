/* SPDX-License-Identifier: MIT */
#include "report/hang.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/hang/judge.h"
#include "base/num.h"
#include "report/findings.h"

static void puts_ranks(const struct mlv_evidence *e, const uint32_t *rows, size_t n,
		       struct mlv_buf *out)
{
	char ranks[MLV_RANKS_SIZE];
	mlv_buf_puts(out, mlv_ranks_named(e, rows, n, ranks));
}

void mlv_hang_call_words(const struct mlv_evidence *e, const struct mlv_call *c,
			 struct mlv_buf *out)
{
	struct mlv_str in = mlv_evidence_str(e, c->in_sizes),
		       types = mlv_evidence_str(e, c->in_dtypes);
	struct mlv_str res = mlv_evidence_str(e, c->out_sizes);
	mlv_buf_safe(out, mlv_evidence_str(e, c->name));
	if (in.n) {
		mlv_buf_putc(out, ' ');
		mlv_buf_safe(out, (struct mlv_str){ in.p, in.n < 60 ? in.n : 60 });
	}
	if (res.n && c->out_sizes.i != c->in_sizes.i) {
		mlv_buf_puts(out, " -> ");
		mlv_buf_safe(out, (struct mlv_str){ res.p, res.n < 60 ? res.n : 60 });
	}
	if (types.n) {
		mlv_buf_putc(out, ' ');
		mlv_buf_safe(out, (struct mlv_str){ types.p, types.n < 40 ? types.n : 40 });
	}
	if (c->from_log)
		mlv_buf_puts(out, ", as the watchdog says");
	else
		mlv_buf_puts(out, c->done ? ", ended" : c->started ? ", started" : ", scheduled");
}

static void line_of(struct mlv_hang *h, const struct mlv_call *c, const char *indent, bool stacks,
		    struct mlv_buf *out)
{
	char line[1024];
	mlv_call_line(h, c, line, sizeof(line));
	if (!*line)
		return;
	mlv_buf_puts(out, indent);
	mlv_buf_safe(out, (struct mlv_str){ line, strlen(line) });
	mlv_buf_putc(out, '\n');
	if (stacks)
		mlv_stack_text(&h->evidence->store, c->stack, indent, out);
}

static void one_call(struct mlv_hang *h, const char *label, uint32_t call, bool stacks,
		     struct mlv_buf *out)
{
	const struct mlv_evidence *e = h->evidence;
	if (call == MLV_NO_CALL)
		return;
	const struct mlv_call *c = &e->calls.data[call];
	const struct mlv_job_lane *l = &e->lanes.data[c->lane];
	char place[MLV_PLACE_SIZE];
	mlv_place_text(e, l->group, c->kind == MLV_CALL_COLLECTIVE ? c->seq : -1, call, place);
	mlv_buf_printf(out, "  %-14srank %" PRId64 ": ", label, e->ranks.data[l->rank].rank);
	mlv_buf_safe(out, (struct mlv_str){ place, strlen(place) });
	mlv_buf_puts(out, "\n                ");
	mlv_hang_call_words(e, c, out);
	mlv_buf_putc(out, '\n');
	line_of(h, c, "                ", stacks, out);
}

static void verdict_text(struct mlv_hang *h, const struct mlv_hang_text *o, struct mlv_buf *out)
{
	const struct mlv_hang_verdict *v = &h->verdict;
	mlv_buf_printf(out, "verdict: %s", mlv_hang_verdict_name(v->kind));
	if (v->culprits.len) {
		mlv_buf_puts(out, v->ambiguous ? ", between " : ", ");
		puts_ranks(h->evidence, v->culprits.data, v->culprits.len, out);
	}
	if (v->ambiguous)
		mlv_buf_puts(out, " (ambiguous)");
	if (v->stuck == MLV_STUCK_HOST)
		mlv_buf_puts(out, ": the host is stuck");
	else if (v->stuck == MLV_STUCK_DEVICE)
		mlv_buf_puts(out, ": the device is stuck");
	mlv_buf_putc(out, '\n');
	bool late = (v->kind == MLV_HANG_LAG && !v->ambiguous) ||
		    (v->kind == MLV_HANG_MISSING_RANK && v->call != MLV_NO_CALL &&
		     h->evidence->calls.data[v->call].done);
	one_call(h, late ? "last call" : "call", v->call, o->stacks, out);
	one_call(h, late ? "awaited in" : "the others", v->other, o->stacks, out);
}

static void list(const char *title, const char *const *lines, size_t n, struct mlv_buf *out)
{
	if (n)
		mlv_buf_printf(out, "%s\n", title);
	for (size_t i = 0; i < n; i++) {
		mlv_buf_puts(out, "  - ");
		mlv_buf_safe(out, (struct mlv_str){ lines[i], strlen(lines[i]) });
		mlv_buf_putc(out, '\n');
	}
}

static void votes_text(const struct mlv_hang *h, struct mlv_buf *out)
{
	const struct mlv_hang_verdict *v = &h->verdict;
	if (!v->votes.len)
		return;
	mlv_buf_puts(out, "  - votes:");
	for (size_t i = 0; i < v->votes.len && i < 16; i++) {
		const struct mlv_vote *vote = &v->votes.data[i];
		mlv_buf_printf(out, "%s %" PRIu32 "%s against rank %" PRId64, i ? "," : "",
			       vote->halves / 2, vote->halves % 2 ? ".5" : "",
			       h->evidence->ranks.data[vote->rank].rank);
	}
	if (v->votes.len > 16)
		mlv_buf_printf(out, " and %zu more", v->votes.len - 16);
	mlv_buf_putc(out, '\n');
}

/* Ranks that stand in the same way become one row. */
static bool alike(struct mlv_hang *h, uint32_t a, uint32_t b)
{
	const struct mlv_stand *x = &h->waits.stands[a], *y = &h->waits.stands[b];
	const struct mlv_evidence *e = h->evidence;
	uint32_t p = h->states[a].stands, q = h->states[b].stands;
	if (p == MLV_NO_CALL || q == MLV_NO_CALL)
		return p == q && x->lane == y->lane && x->heard == y->heard &&
		       e->ranks.data[a].fate == e->ranks.data[b].fate;
	const struct mlv_call *c = &e->calls.data[p], *d = &e->calls.data[q];
	return e->lanes.data[c->lane].group == e->lanes.data[d->lane].group && c->seq == d->seq &&
	       c->name.i == d->name.i && c->in_sizes.i == d->in_sizes.i &&
	       c->stack.i == d->stack.i && c->started == d->started;
}

static const char *fate_text(enum mlv_rank_fate fate)
{
	return fate == MLV_FATE_FINISHED     ? "; the program came to its end"
	       : fate == MLV_FATE_TERMINATED ? "; ended by the launcher"
					     : "";
}

static void stand_text(struct mlv_hang *h, uint32_t rank, bool one, struct mlv_buf *out)
{
	const char *stands = one ? "stands" : "stand";
	const struct mlv_evidence *e = h->evidence;
	const struct mlv_rank_state *s = &h->states[rank];
	char place[MLV_PLACE_SIZE], time[MLV_NUM_SIZE];
	if (s->stands == MLV_NO_CALL) {
		if (h->waits.stands[rank].lane != MLV_NO_CALL) {
			const struct mlv_job_lane *l = mlv_stand_lane(&h->waits, rank);
			mlv_place_text(e, l->group, h->waits.stands[rank].seq, MLV_NO_CALL, place);
			mlv_buf_printf(out, "%s in %s, by the status", stands, place);
		} else if (!h->waits.stands[rank].heard)
			mlv_buf_puts(out, "no dump");
		else
			mlv_buf_puts(out, one ? "waits for nothing" : "wait for nothing");
		mlv_buf_puts(out, fate_text(e->ranks.data[rank].fate));
		return;
	}
	const struct mlv_call *c = &e->calls.data[s->stands];
	mlv_place_text(e, e->lanes.data[c->lane].group,
		       c->kind == MLV_CALL_COLLECTIVE ? c->seq : -1, s->stands, place);
	mlv_buf_printf(out, "%s in ", stands);
	mlv_buf_safe(out, (struct mlv_str){ place, strlen(place) });
	mlv_buf_puts(out, c->started ? ", started" : ", scheduled");
	/* What came after it in a dump is often all of one moment, and tells nothing. */
	if (s->exactly || s->waiting_ns >= 1000000000)
		mlv_buf_printf(out, ", for %s%s", s->exactly ? "" : "at least ",
			       mlv_fmt_duration(time, sizeof(time), s->waiting_ns));
}

static void rank_row(struct mlv_hang *h, const uint32_t *rows, size_t n,
		     const struct mlv_hang_text *o, struct mlv_buf *out)
{
	const struct mlv_evidence *e = h->evidence;
	const struct mlv_rank_state *s = &h->states[rows[0]];
	char place[MLV_PLACE_SIZE];
	mlv_buf_puts(out, "  ");
	puts_ranks(e, rows, n, out);
	mlv_buf_puts(out, ": ");
	stand_text(h, rows[0], n == 1, out);
	mlv_buf_putc(out, '\n');
	if (s->stands != MLV_NO_CALL)
		line_of(h, &e->calls.data[s->stands], "      ", o->stacks, out);
	if (s->ended != MLV_NO_CALL && n == 1) {
		const struct mlv_call *c = &e->calls.data[s->ended];
		mlv_place_text(e, e->lanes.data[c->lane].group,
			       c->kind == MLV_CALL_COLLECTIVE ? c->seq : -1, s->ended, place);
		mlv_buf_puts(out, "      ended last: ");
		mlv_buf_safe(out, (struct mlv_str){ place, strlen(place) });
		mlv_buf_putc(out, '\n');
	}
}

static void ranks_text(struct mlv_hang *h, const struct mlv_hang_text *o, struct mlv_buf *out)
{
	size_t n = h->evidence->ranks.len, shown = 0, left = 0;
	bool *taken = calloc(n + 1, sizeof(*taken));
	uint32_t *rows = calloc(n + 1, sizeof(*rows));
	if (!taken || !rows) {
		out->failed = true;
		n = 0;
	}
	if (n)
		mlv_buf_puts(out, "ranks\n");
	/* The culprits' rows first. */
	for (uint32_t at = 0; at < n + h->verdict.culprits.len; at++) {
		size_t k = 0;
		uint32_t i = at < h->verdict.culprits.len ? h->verdict.culprits.data[at]
							  : at - (uint32_t)h->verdict.culprits.len;
		if (taken[i])
			continue;
		for (uint32_t j = 0; j < n && shown < o->top; j++) {
			if (taken[j] || !alike(h, i, j))
				continue;
			taken[j] = true;
			rows[k++] = j;
		}
		if (k)
			rank_row(h, rows, k, o, out);
		shown++;
	}
	for (size_t i = 0; i < n; i++)
		left += !taken[i];
	if (left)
		mlv_buf_printf(out, "  and %zu more; --top prints more\n", left);
	free(taken);
	free(rows);
}

static void chain_text(struct mlv_hang *h, const struct mlv_hang_text *o, struct mlv_buf *out)
{
	const struct mlv_evidence *e = h->evidence;
	static const char *const titles[] = { "failed", "then timed out", "then aborted",
					      "then ended by the launcher", "the launcher says" };
	/* A hang without a failure needs no chain: the ranks above tell all. */
	if (!h->chain.causes)
		return;
	mlv_buf_puts(out, "what failed first\n");
	for (size_t i = 0; i < h->chain.links.len && i < o->top; i++) {
		const struct mlv_link *l = &h->chain.links.data[i];
		const struct mlv_fact *fact = &e->facts.data[l->fact];
		const struct mlv_finding *f = &e->store.findings.data[fact->finding];
		struct mlv_str text = mlv_evidence_str(e, f->text);
		struct mlv_call where = { .stack = f->stack };
		mlv_buf_printf(out, "  %s: ", titles[l->role]);
		if (fact->rank >= 0)
			mlv_buf_printf(out, "rank %" PRId64 ": ", fact->rank);
		mlv_buf_safe(out, (struct mlv_str){ text.p, text.n < 120 ? text.n : 120 });
		mlv_buf_puts(out, "  (");
		mlv_buf_safe(out, mlv_evidence_str(e, fact->file));
		mlv_buf_printf(out, ":%" PRIu32 ")\n", f->line);
		if (l->role == MLV_LINK_CAUSE)
			line_of(h, &where, "      ", o->stacks, out);
	}
	if (h->chain.links.len > o->top)
		mlv_buf_printf(out, "  and %zu more\n", h->chain.links.len - o->top);
}

static void stacks_text(struct mlv_hang *h, const struct mlv_hang_text *o, struct mlv_buf *out)
{
	if (h->stacks.list.len)
		mlv_buf_puts(out, "main threads, by py-spy or the last line of a trace\n");
	for (size_t i = 0; i < h->stacks.list.len && i < o->top; i++) {
		const struct mlv_stack_class *c = &h->stacks.list.data[i];
		struct mlv_call where = { .stack = c->stack };
		mlv_buf_puts(out, "  ");
		puts_ranks(h->evidence, c->ranks.data, c->ranks.len, out);
		mlv_buf_puts(out, ":\n");
		line_of(h, &where, "      ", o->stacks, out);
	}
}

static void stragglers_text(const struct mlv_hang *h, const struct mlv_hang_text *o,
			    struct mlv_buf *out)
{
	const struct mlv_stragglers *s = &h->stragglers;
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE], c[MLV_NUM_SIZE];
	if (h->verdict.kind != MLV_HANG_HEALTHY && !s->from_traces)
		return;
	mlv_buf_puts(out, "who is waited for\n");
	if (s->why_not) {
		mlv_buf_printf(out, "  undetermined: %s\n", s->why_not);
		return;
	}
	mlv_buf_printf(out, "  %s, by %s; ",
		       mlv_fmt_count_of(a, sizeof(a), s->collectives, "collective", "collectives"),
		       s->from_traces ? "kernels in traces" : "durations in dumps");
	if (mlv_stragglers_clear(s))
		mlv_buf_printf(out, "rank %" PRId64 " is the straggler\n",
			       h->evidence->ranks.data[s->list.data[0].rank].rank);
	else
		mlv_buf_puts(out, "no rank accounts for most of the waiting\n");
	for (size_t i = 0; i < s->list.len && i < o->top; i++) {
		const struct mlv_straggler *t = &s->list.data[i];
		mlv_buf_printf(out,
			       "  rank %" PRId64 ": last in %" PRIu64
			       ", the others waited %s for it "
			       "(one at most %s); waited %s itself\n",
			       h->evidence->ranks.data[t->rank].rank, t->last,
			       mlv_fmt_duration(a, sizeof(a), t->caused_ns),
			       mlv_fmt_duration(b, sizeof(b), t->longest_ns),
			       mlv_fmt_duration(c, sizeof(c), t->waited_ns));
	}
	if (s->left_out)
		mlv_buf_printf(out, "  %s could not be matched\n",
			       mlv_fmt_count_of(a, sizeof(a), s->left_out, "call", "calls"));
}

static void missing_text(const struct mlv_hang *h, struct mlv_buf *out)
{
	const struct mlv_evidence *e = h->evidence;
	uint32_t *rows = calloc(e->ranks.len + 1, sizeof(*rows));
	size_t n = 0;
	for (uint32_t i = 0; rows && i < e->ranks.len; i++) {
		if (!e->ranks.data[i].dump)
			rows[n++] = i;
	}
	if (n && e->dumps) {
		mlv_buf_puts(out, "without a dump: ");
		puts_ranks(e, rows, n, out);
		mlv_buf_putc(out, '\n');
	}
	free(rows);
}

void mlv_hang_text(struct mlv_hang *h, const struct mlv_hang_text *o, struct mlv_buf *out)
{
	const struct mlv_hang_verdict *v = &h->verdict;
	const struct mlv_evidence *e = h->evidence;
	char dumps[MLV_NUM_SIZE], ranks[MLV_NUM_SIZE], groups[MLV_NUM_SIZE];
	mlv_fmt_count_of(dumps, sizeof(dumps), e->dumps, "flight-recorder dump",
			 "flight-recorder dumps");
	mlv_fmt_count_of(ranks, sizeof(ranks), e->ranks.len, "rank", "ranks");
	mlv_fmt_count_of(groups, sizeof(groups), e->groups.len, "process group", "process groups");
	if (e->dumps)
		mlv_buf_printf(out, "%s of %s in %s\n", dumps, ranks, groups);
	else if (e->ranks.len)
		mlv_buf_printf(out, "no flight-recorder dump%s; the other files tell of %s%s%s\n",
			       e->nameless ? " of a known rank" : "", ranks,
			       e->groups.len ? " in " : "", e->groups.len ? groups : "");
	else
		mlv_buf_printf(out, "no flight-recorder dump%s, and nothing tells of ranks\n",
			       e->nameless ? " of a known rank" : "");
	verdict_text(h, o, out);
	list("because", v->reasons.data, v->reasons.len, out);
	votes_text(h, out);
	chain_text(h, o, out);
	ranks_text(h, o, out);
	missing_text(h, out);
	stacks_text(h, o, out);
	stragglers_text(h, o, out);
	list("next", v->advice.data, v->advice.len, out);
}
