/* SPDX-License-Identifier: MIT */
/* What the collectives of all ranks say: a hang, or for whom the others wait. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/hang/judge.h"
#include "base/num.h"
#include "report/ci/gather.h"
#include "report/hang.h"

/* What each kind is called, of one culprit and of ranks among which none is known to be it; "%s" is
 * first the ranks, then the call. */
static const struct {
	const char *sure, *ambiguous;
} sentences[] = {
	[MLV_HANG_MISSING_RANK] = { "%s never joined %s", "one of %s never joined %s" },
	[MLV_HANG_LAG] = { "%s came less far than the others, which wait in %s",
			   "one of %s came less far than the others, which wait in %s" },
	[MLV_HANG_EXTRA_CALL] = { "%s issued %s, which the others do not join",
				  "one of %s issued %s, which the others do not join" },
	[MLV_HANG_TYPE] = { "%s issued another collective than the others at %s",
			    "%s issued different collectives at %s" },
	[MLV_HANG_SIZE] = { "%s issued %s with another size than the others",
			    "%s issued %s with different sizes" },
	[MLV_HANG_DTYPE] = { "%s issued %s with another dtype than the others",
			     "%s issued %s with different dtypes" },
	[MLV_HANG_ORDER] = { "%s issued collectives in another order than the others, from %s on",
			     "%s issued collectives in different orders, from %s on" },
	[MLV_HANG_P2P] = { "%s waits in %s, which nobody meets",
			   "%s wait in %s, which nobody meets" },
};

/* The call by which the place is named: what the others wait in, where a rank is late, and else
 * what it issued there itself, if that was in the same group. */
static uint32_t call_of_group(const struct mlv_hang *h)
{
	const struct mlv_hang_verdict *v = &h->verdict;
	const struct mlv_evidence *e = h->evidence;
	bool late = v->kind == MLV_HANG_LAG || v->kind == MLV_HANG_MISSING_RANK;
	const uint32_t calls[] = { late ? v->other : v->call, late ? v->call : v->other };
	for (unsigned i = 0; i < 2; i++) {
		if (calls[i] != MLV_NO_CALL &&
		    e->lanes.data[e->calls.data[calls[i]].lane].group == v->group)
			return calls[i];
	}
	return calls[0] != MLV_NO_CALL ? calls[0] : calls[1];
}

/* "rank 0 issued all_reduce #6 of group 0 (default_pg), which the others do not join" */
static const char *sentence(struct mlv_report *r, const struct mlv_hang *h, const char *ranks)
{
	const struct mlv_hang_verdict *v = &h->verdict;
	char at[MLV_PLACE_SIZE] = "a collective", who[MLV_RANKS_SIZE] = "a rank", words[800];
	if (v->group != UINT32_MAX)
		mlv_place_text(h->evidence, v->group, v->seq, call_of_group(h), at);
	if (*ranks)
		snprintf(who, sizeof(who), "%s %.200s", v->culprits.len > 1 ? "ranks" : "rank",
			 ranks);
	if (v->kind == MLV_HANG_UNDECIDED)
		return "collectives do not end, and the evidence does not tell why";
	const char *form = v->ambiguous ? sentences[v->kind].ambiguous : sentences[v->kind].sure;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(words, sizeof(words), form, who, at);
#pragma GCC diagnostic pop
	return mlv_report_copy(r, mlv_str_of(words));
}

static const char *culprits(struct mlv_report *r, const struct mlv_hang *h)
{
	const struct mlv_hang_verdict *v = &h->verdict;
	int64_t *ranks = malloc((v->culprits.len + 1) * sizeof(*ranks));
	r->failed |= !ranks;
	for (size_t i = 0; ranks && i < v->culprits.len; i++)
		ranks[i] = h->evidence->ranks.data[v->culprits.data[i]].rank;
	const char *text = ranks ? mlv_report_ranks_text(r, ranks, v->culprits.len) : "";
	free(ranks);
	return text;
}

/* The user's line of the call, as a place. */
static struct mlv_ci_place place_of(struct mlv_report *r, struct mlv_hang *h, uint32_t call)
{
	struct mlv_gather g = { .r = r, .run = &h->evidence->store, .sites = h->sites };
	struct mlv_ci_place place = { .function = "" };
	if (call != MLV_NO_CALL)
		place = mlv_gather_place(&g, h->evidence->calls.data[call].stack);
	h->sites = g.sites;
	return place;
}

static void explain(struct mlv_report *r, struct mlv_observation *o, struct mlv_hang *h)
{
	const struct mlv_hang_verdict *v = &h->verdict;
	for (size_t i = 0; i < v->reasons.len && i < 5; i++)
		mlv_observation_detail(r, o, mlv_report_copy(r, mlv_str_of(v->reasons.data[i])));
	for (size_t i = 0; i < v->advice.len && i < 3; i++)
		mlv_observation_detail(r, o,
				       mlv_report_say(r, "what to do: %s", v->advice.data[i]));
}

/* A call, as of one rank: "rank 0: all_reduce #4 of group 0 (default_pg): all_reduce [[4]] Float".
 */
static void tell_call(struct mlv_report *r, struct mlv_observation *o, const struct mlv_hang *h,
		      uint32_t call)
{
	const struct mlv_evidence *e = h->evidence;
	struct mlv_buf words = { 0 };
	if (call == MLV_NO_CALL)
		return;
	const struct mlv_call *c = &e->calls.data[call];
	mlv_hang_call_words(e, c, &words);
	mlv_observation_detail(r, o,
			       mlv_report_say(r, "rank %" PRId64 ": %s",
					      e->ranks.data[e->lanes.data[c->lane].rank].rank,
					      words.data ? words.data : ""));
	r->failed |= words.failed;
	mlv_buf_fini(&words);
}

static void observe(struct mlv_report *r, struct mlv_hang *h)
{
	const struct mlv_hang_verdict *v = &h->verdict;
	bool decided = v->kind != MLV_HANG_UNDECIDED;
	struct mlv_ci_place place = place_of(r, h, v->call);
	struct mlv_observation *o =
		mlv_observe(r, decided ? "hang" : "undecided", mlv_hang_verdict_name(v->kind));
	if (!o)
		return;
	o->ranks = culprits(r, h);
	o->head = sentence(r, h, o->ranks);
	o->place = place;
	if (place.file)
		o->subject = mlv_report_say(r, "%s %s", o->subject, mlv_gather_subject(r, place));
	o->weight = (double)h->evidence->ranks.len;
	mlv_observation_detail(r, o,
			       mlv_report_say(r, "verdict: %s", mlv_hang_verdict_name(v->kind)));
	tell_call(r, o, h, v->call);
	tell_call(r, o, h, v->other);
	explain(r, o, h);
	r->hang_headline = o->head;
}

static void observe_straggler(struct mlv_report *r, const struct mlv_hang *h)
{
	const struct mlv_stragglers *s = &h->stragglers;
	const struct mlv_straggler *first = &s->list.data[0];
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE], n[MLV_NUM_SIZE];
	int64_t rank = h->evidence->ranks.data[first->rank].rank;
	struct mlv_observation *o = mlv_observe(r, "straggler", "collectives");
	if (!o)
		return;
	o->rank = rank;
	o->ranks = mlv_report_ranks_text(r, &rank, 1);
	o->head = mlv_report_say(r, "the other ranks wait for rank %" PRId64, rank);
	o->value = mlv_report_say(r,
				  "%s in all over %s collectives, at most %s in one; it comes last "
				  "to %" PRIu64 " of them",
				  mlv_fmt_duration(a, sizeof(a), first->caused_ns),
				  mlv_fmt_count(n, sizeof(n), s->collectives),
				  mlv_fmt_duration(b, sizeof(b), first->longest_ns), first->last);
	o->metric = "collective_wait";
	o->unit = "ns";
	o->has_actual = true;
	o->actual = o->weight = (double)first->caused_ns;
	mlv_observation_detail(
		r, o,
		"what to do: see what is slower on that rank: more work (a larger batch, longer "
		"sequences), a slower device, or a host that is late; the spans of its trace "
		"beside those of another rank tell");
}

static void add_waits(struct mlv_report *r, const struct mlv_hang *h)
{
	const struct mlv_stragglers *s = &h->stragglers;
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE];
	if (s->why_not || !s->list.len)
		return;
	r->has_waits = true;
	for (size_t i = 0; i < s->list.len; i++) {
		const struct mlv_straggler *x = &s->list.data[i];
		int64_t rank = h->evidence->ranks.data[x->rank].rank;
		for (size_t k = 0; k < r->ranks.len; k++) {
			if (r->ranks.data[k].rank == rank)
				r->ranks.data[k].wait_ns = x->waited_ns;
		}
		if (i >= 4)
			continue;
		const char *text = mlv_report_say(
			r, "for rank %" PRId64 " the others waited %s; it waited %s itself", rank,
			mlv_fmt_duration(a, sizeof(a), x->caused_ns),
			mlv_fmt_duration(b, sizeof(b), x->waited_ns));
		r->failed |= !mlv_vec_push(&r->waits_details, text);
	}
	if (mlv_stragglers_clear(s) && h->verdict.kind == MLV_HANG_HEALTHY)
		observe_straggler(r, h);
	else
		r->waits_headline = "no rank stands out";
}

/* Whether anything tells of collectives: of what nobody recorded, nothing is said. */
static bool tells(const struct mlv_evidence *e)
{
	return e->dumps || e->calls.len || e->lanes.len;
}

/* What was left out of the evidence, or may not belong together. */
static void observe_evidence(struct mlv_report *r, const struct mlv_evidence *e)
{
	char n[MLV_NUM_SIZE];
	struct mlv_observation *o =
		e->nameless ? mlv_observe(r, "undecided", "dumps of no rank") : NULL;
	if (o) {
		o->severity = MLV_FINDING_WARNING;
		o->head = mlv_report_say(
			r, "%s of no rank that anything tells: left out of the verdict on hangs",
			mlv_fmt_count_of(n, sizeof(n), e->nameless, "flight-recorder dump",
					 "flight-recorder dumps"));
		mlv_observation_detail(r, o,
				       "what to do: give each a name that ends in its rank, as "
				       "PyTorch does, or name one file alone with --rank");
	}
	o = e->mixed_runs ? mlv_observe(r, "undecided", "dumps of two runs") : NULL;
	if (o) {
		o->severity = MLV_FINDING_WARNING;
		o->head = "ranks have dumps of two runs: the verdict on hangs may mix them";
		mlv_observation_detail(r, o, "what to do: report the files of one run alone");
	}
}

enum mlv_rc mlv_report_hang(struct mlv_report *r, struct mlv_hang *h, struct mlv_err *err)
{
	if (tells(h->evidence)) {
		r->has_hang = true;
		if (h->verdict.kind != MLV_HANG_HEALTHY)
			observe(r, h);
		else
			r->hang_headline = "every collective has ended";
	}
	observe_evidence(r, h->evidence);
	add_waits(r, h);
	return r->failed ? mlv_err_nomem(err) : MLV_OK;
}
