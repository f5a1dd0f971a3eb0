/* SPDX-License-Identifier: MIT */
#include "analysis/hang/hang.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/hang/judge.h"

static uint32_t last_ended(const struct mlv_evidence *e, const struct mlv_job_rank *r)
{
	for (uint32_t i = r->calls; i-- > 0;) {
		if (e->calls.data[r->first_call + i].done)
			return r->first_call + i;
	}
	return MLV_NO_CALL;
}

/* The watchdog says how long it waited; a dump only what came after the call was issued. */
static void waiting(const struct mlv_evidence *e, const struct mlv_job_rank *r,
		    struct mlv_rank_state *s)
{
	const struct mlv_call *c = &e->calls.data[s->stands];
	s->waiting_ns = -1;
	if (c->from_log) {
		s->waiting_ns = c->duration_ns;
		s->exactly = true;
		return;
	}
	if (c->start_ns != MLV_NO_TIME && r->last_ns != MLV_NO_TIME && r->last_ns > c->start_ns)
		s->waiting_ns = r->last_ns - c->start_ns;
}

static void told(const struct mlv_evidence *e, struct mlv_hang *h)
{
	for (size_t i = 0; i < e->facts.len; i++) {
		const struct mlv_finding *f = &e->store.findings.data[e->facts.data[i].finding];
		uint32_t row = mlv_rank_row(e, e->facts.data[i].rank);
		if (row == UINT32_MAX || h->states[row].stands == MLV_NO_CALL ||
		    !mlv_str_eq(mlv_evidence_str(e, f->code), MLV_STR("nccl-watchdog-timeout")))
			continue;
		const struct mlv_attr *seq = mlv_run_attr(&e->store, f->attrs, "seq");
		const struct mlv_attr *ran = mlv_run_attr(&e->store, f->attrs, "ran_ms");
		if (seq && ran && !seq->is_text && !ran->is_text && ran->number >= 0 &&
		    ran->number < INT64_MAX / 1000000 && seq->number == h->waits.stands[row].seq) {
			h->states[row].waiting_ns = ran->number * 1000000;
			h->states[row].exactly = true;
		}
	}
}

static bool states(struct mlv_hang *h, const struct mlv_evidence *e)
{
	h->states = calloc(e->ranks.len + 1, sizeof(*h->states));
	for (uint32_t i = 0; h->states && i < e->ranks.len; i++) {
		struct mlv_rank_state *s = &h->states[i];
		s->ended = last_ended(e, &e->ranks.data[i]);
		s->stands = h->waits.stands[i].call;
		s->waiting_ns = -1;
		if (s->stands != MLV_NO_CALL)
			waiting(e, &e->ranks.data[i], s);
	}
	if (h->states)
		told(e, h);
	return h->states != NULL;
}

enum mlv_rc mlv_hang_init(struct mlv_hang *h, const struct mlv_evidence *e,
			  const char *const *prefixes, size_t prefix_count, struct mlv_err *err)
{
	memset(h, 0, sizeof(*h));
	h->evidence = e;
	enum mlv_rc rc = mlv_sites_init(&h->sites, &e->store, prefixes, prefix_count, err);
	if (!rc)
		rc = mlv_waits_init(&h->waits, e, err);
	if (!rc)
		rc = mlv_hang_verdict_init(&h->verdict, &h->waits, err);
	if (!rc)
		rc = mlv_chain_init(&h->chain, e, err);
	if (!rc)
		rc = mlv_stack_classes_init(&h->stacks, e, err);
	if (!rc)
		rc = mlv_stragglers_init(&h->stragglers, e, err);
	if (!rc) {
		mlv_judge_fingerprints(&h->verdict, e);
		mlv_stack_classes_judge(&h->stacks, e, &h->verdict);
		mlv_chain_judge(&h->chain, &h->waits, &h->verdict);
		if (e->mixed_runs)
			mlv_reason(&h->verdict, "these are files of more than one run, of which "
						"this mixes the calls: give those of one run");
		mlv_hang_advise(&h->verdict, e);
	}
	if (!rc && (h->verdict.failed || !states(h, e)))
		rc = mlv_err_nomem(err);
	if (rc)
		mlv_hang_fini(h);
	return rc;
}

void mlv_hang_fini(struct mlv_hang *h)
{
	mlv_stragglers_fini(&h->stragglers);
	mlv_stack_classes_fini(&h->stacks);
	mlv_chain_fini(&h->chain);
	mlv_hang_verdict_fini(&h->verdict);
	mlv_waits_fini(&h->waits);
	mlv_sites_fini(&h->sites);
	free(h->states);
	h->states = NULL;
}

void mlv_call_line(struct mlv_hang *h, const struct mlv_call *c, char *buf, size_t size)
{
	uint32_t site;
	*buf = '\0';
	if (!mlv_stack_has_frame(c->stack) || !mlv_site_of(&h->sites, c->stack, &site))
		return;
	const struct mlv_site *s = &h->sites.list.data[site];
	const struct mlv_frame *f = &h->evidence->store.stacks.frames.data[s->user.i];
	struct mlv_str function = mlv_evidence_str(h->evidence, f->function);
	char place[512];
	mlv_frame_place(&h->evidence->store, s->user, place, sizeof(place));
	snprintf(buf, size, "%.200s  %s", function.p, place);
}
