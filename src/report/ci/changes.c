/* SPDX-License-Identifier: MIT */
/* What differs from the baseline: figures side by side, and the statements of the comparison. */
#include <string.h>

#include "report/ci/finish.h"
#include "report/ci/stated.h"

static void figure(struct mlv_report *r, const char *rank, const char *name, const char *unit,
		   int64_t a, int64_t b)
{
	struct mlv_report_figure f = { rank, name, unit, a, b };
	if (a != MLV_UNTOLD && b != MLV_UNTOLD)
		r->failed |= !mlv_vec_push(&r->figures, f);
}

static const struct mlv_report_rank *twin(const struct mlv_report *baseline,
					  const struct mlv_report_rank *k)
{
	bool only = baseline->ranks.len == 1 && k->rank < 0;
	for (size_t i = 0; i < baseline->ranks.len; i++) {
		const struct mlv_report_rank *b = &baseline->ranks.data[i];
		if (only || (b->rank == k->rank && b->device == k->device &&
			     ((k->rank >= 0 && !k->alone) || strcmp(b->label, k->label) == 0)))
			return b;
	}
	return NULL;
}

void mlv_report_figures(struct mlv_report *r, const struct mlv_report *baseline)
{
	for (size_t i = 0; i < r->ranks.len; i++) {
		const struct mlv_report_rank *k = &r->ranks.data[i], *b = twin(baseline, k);
		if (!b)
			continue;
		figure(r, k->label, "requested_peak", "B", b->requested_peak, k->requested_peak);
		figure(r, k->label, "allocated_peak", "B", b->allocated_peak, k->allocated_peak);
		figure(r, k->label, "reserved_peak", "B", b->reserved_peak, k->reserved_peak);
		figure(r, k->label, "reserved_beyond_allocated", "B", b->idle_bytes, k->idle_bytes);
		if (b->judged && k->judged)
			figure(r, k->label, "growth", "B", b->growth_bytes, k->growth_bytes);
		figure(r, k->label, "collective_wait", "ns", b->wait_ns, k->wait_ns);
	}
}

/* More by so much is a warning; less, and what no figure tells, a note. */
static const double WORSE_SHARE = 0.05;
static const double WORSE_BYTES = 16 << 20;

static enum mlv_finding_severity severity_of(const struct mlv_statement *s)
{
	bool worse = s->to - s->from > WORSE_BYTES && s->to - s->from > WORSE_SHARE * s->from;
	switch (s->kind) {
	case MLV_STATE_OOM:
		return s->to > s->from ? MLV_FINDING_WARNING : MLV_FINDING_NOTE;
	case MLV_STATE_GROWTH:
	case MLV_STATE_WRAPPER:
		return MLV_FINDING_WARNING;
	case MLV_STATE_RESERVED:
	case MLV_STATE_PEAK:
		return worse ? MLV_FINDING_WARNING : MLV_FINDING_NOTE;
	default:
		return MLV_FINDING_NOTE;
	}
}

/* Who reads a report has no A and B before him. */
static const char *plain(struct mlv_report *r, const char *subject)
{
	static const struct {
		const char *letter, *words;
	} sides[] = { { " in A only", " in the baseline only" },
		      { " in B only", " in this run only" } };
	for (size_t i = 0; i < 2; i++) {
		const char *at = strstr(subject, sides[i].letter);
		if (at)
			return mlv_report_say(r, "%.*s%s%s", (int)(at - subject), subject,
					      sides[i].words, at + strlen(sides[i].letter));
	}
	return mlv_report_copy(r, mlv_str_of(subject));
}

void mlv_report_observe_changes(struct mlv_report *r, struct mlv_statements *s)
{
	mlv_statements_sort(s);
	for (size_t i = 0; i < s->list.len; i++) {
		const struct mlv_statement *x = &s->list.data[i];
		const char *subject = plain(r, x->subject);
		struct mlv_observation *o = mlv_observe(
			r, "change", mlv_stated_subject(r, MLV_STR("change"), mlv_str_of(subject)));
		if (!o)
			return;
		o->severity = severity_of(x);
		o->rank = x->rank;
		o->head = subject;
		o->value = mlv_report_copy(r, mlv_str_of(x->value));
		/* Their order is that of importance. */
		o->weight = (double)(s->list.len - i);
		o->actual = o->weight;
	}
}

void mlv_report_add_statements(struct mlv_report *r)
{
	for (size_t i = 0; i < r->findings.list.len; i++) {
		const struct mlv_ci_finding *f = &r->findings.list.data[i];
		struct mlv_report_statement s = { f->message, f->ranks };
		if (strcmp(f->rule->id, "change") == 0)
			r->failed |= !mlv_vec_push(&r->statements, s);
	}
}
