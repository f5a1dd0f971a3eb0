/* SPDX-License-Identifier: MIT */
/* Why a request of a recording failed: the post-mortem of its replay as an observation. */
#include <inttypes.h>
#include <stdio.h>

#include "base/num.h"
#include "replay/study.h"
#include "report/ci/gather.h"

struct telling {
	struct mlv_gather *g;
	struct mlv_observation *o;
	const struct mlv_postmortem *p;
	char text[6][MLV_NUM_SIZE];
};

static const char *b(struct telling *t, unsigned slot, uint64_t n)
{
	return mlv_fmt_bytes(t->text[slot], MLV_NUM_SIZE, n);
}

static const char *verdict(struct telling *t)
{
	const struct mlv_postmortem *p = t->p;
	uint64_t wanted = p->at.active_bytes.now + p->rounded;
	const char *asked = b(t, 0, p->requested ? p->requested : p->rounded);
	switch (p->verdict) {
	case MLV_OOM_FRAGMENTATION:
		return mlv_report_say(
			t->g->r,
			"%s could not be had for fragmentation: %s are free in the %s "
			"that are reserved, in pieces of at most %s",
			asked, b(t, 1, p->space.bytes), b(t, 2, p->at.reserved_bytes.now),
			b(t, 3, p->usable_largest));
	case MLV_OOM_LEAK:
		return mlv_report_say(t->g->r,
				      "%s could not be had after a leak: %s are alive, and what is "
				      "never freed grew from %s to %s before",
				      asked, b(t, 1, p->at.active_bytes.now), b(t, 2, p->floors[0]),
				      b(t, 3, p->floors[3]));
	case MLV_OOM_OTHER_MEMORY:
		return mlv_report_say(
			t->g->r,
			"%s could not be had beside other memory: %s of the device are "
			"held outside of PyTorch",
			asked, b(t, 1, p->outside));
	case MLV_OOM_CAPACITY:
		break;
	}
	return mlv_report_say(
		t->g->r,
		"%s could not be had for lack of capacity: %s are alive, and with the "
		"request the limit of %s is exceeded by %s",
		asked, b(t, 1, p->at.active_bytes.now), b(t, 2, p->limit),
		b(t, 3, wanted > p->limit ? wanted - p->limit : 0));
}

static void limit(struct telling *t)
{
	const struct mlv_postmortem *p = t->p;
	const char *text;
	if (p->limit_kind == MLV_LIMIT_GIVEN)
		return;
	if (p->limit_kind == MLV_LIMIT_INFERRED)
		text = mlv_report_say(
			t->g->r,
			"the device still had %s: the process had a limit of its own, "
			"of at least %s and less than %s "
			"(set_per_process_memory_fraction)",
			b(t, 0, p->device_free), b(t, 1, p->limit), b(t, 2, p->limit_most));
	else
		text = mlv_report_say(t->g->r,
				      "the limit was %s: what was reserved and the %s that the "
				      "device had left",
				      b(t, 0, p->limit), b(t, 1, p->device_free));
	mlv_observation_detail(t->g->r, t->o, text);
}

static const char *site(struct mlv_gather *g, mlv_stackid stack)
{
	char function[MLV_NAME_SIZE], place[MLV_NAME_SIZE];
	uint32_t id;
	if (!mlv_site_of(&g->sites, stack, &id)) {
		g->r->failed = true;
		return "";
	}
	mlv_site_function(&g->sites, id, function, sizeof(function));
	mlv_site_place(&g->sites, id, place, sizeof(place));
	return mlv_report_say(g->r, "%s%s%s", function, *place ? " " : "", place);
}

/* Of what is alive or free at the failure. */
static void state(struct telling *t)
{
	const struct mlv_postmortem *p = t->p;
	mlv_observation_detail(
		t->g->r, t->o,
		mlv_report_say(t->g->r, "asked for by %s; then %s were in blocks and %s reserved",
			       site(t->g, p->stack), b(t, 0, p->at.active_bytes.now),
			       b(t, 1, p->at.reserved_bytes.now)));
	if (p->verdict != MLV_OOM_FRAGMENTATION || !p->space.pins.len)
		return;
	const struct mlv_pin *pin = &p->space.pins.data[0];
	mlv_observation_detail(
		t->g->r, t->o,
		mlv_report_say(t->g->r,
			       "most of the free memory is kept in pieces by %s: %" PRIu64
			       " blocks of %s keep %s in their segments",
			       site(t->g, pin->stack), pin->blocks, b(t, 0, pin->bytes),
			       b(t, 1, pin->pinned)));
}

/* The settings under which the same requests would have been met. */
static void survivors(struct telling *t, const struct mlv_study *s)
{
	for (int sure = 1; sure >= 0; sure--) {
		for (size_t i = 0; i < s->survivor_count; i++) {
			const struct mlv_survivor *v = &s->survivors[i];
			if (sure ? !v->survives : v->survives || !v->perhaps)
				continue;
			mlv_observation_detail(
				t->g->r, t->o,
				mlv_report_say(t->g->r,
					       "by replay it %s under PYTORCH_CUDA_ALLOC_CONF=%s",
					       sure ? "survives"
						    : "may survive, depending on the "
						      "limit,",
					       v->conf));
		}
	}
}

static void observe(struct mlv_gather *g, const struct mlv_study *s, struct mlv_report_rank *k)
{
	const struct mlv_postmortem *p = &s->postmortem;
	struct mlv_ci_place place = mlv_gather_place(g, p->stack);
	struct telling t = { .g = g, .p = p };
	t.o = mlv_observe(g->r, "out-of-memory", mlv_oom_verdict_name(p->verdict));
	if (!t.o)
		return;
	t.o->head = "out of memory";
	t.o->value = verdict(&t);
	t.o->rank = k->rank;
	t.o->metric = "requested";
	t.o->unit = "B";
	t.o->has_actual = true;
	t.o->actual = t.o->bytes = (double)(p->requested ? p->requested : p->rounded);
	t.o->from_device = (double)p->segment;
	t.o->weight = t.o->actual;
	t.o->place = place;
	t.o->input = g->name;
	state(&t);
	limit(&t);
	survivors(&t, s);
	if (s->oom_count > 1)
		mlv_observation_detail(g->r, t.o,
				       mlv_report_say(g->r,
						      "%" PRIu64 " requests failed; this is the "
						      "first of them",
						      s->oom_count));
}

/* A failure that no replay reaches is still one. */
static void observe_bare(struct mlv_gather *g, const struct mlv_study *s, struct mlv_report_rank *k)
{
	char text[MLV_NUM_SIZE];
	int64_t event = mlv_oom_event(&s->history, 0);
	struct mlv_observation *o = mlv_observe(g->r, "out-of-memory", "not replayable");
	if (!o || event < 0)
		return;
	const struct mlv_mem_event *e = &s->history.events[event];
	o->head = "out of memory";
	o->rank = k->rank;
	o->metric = "requested";
	o->unit = "B";
	o->has_actual = true;
	o->actual = o->bytes = o->weight = (double)e->bytes;
	o->value = mlv_report_say(g->r, "%s could not be had",
				  mlv_fmt_bytes(text, sizeof(text), e->bytes));
	o->input = g->name;
	if (s->not_replayable)
		mlv_observation_detail(
			g->r, o, mlv_report_say(g->r, "why is not known: %s", s->not_replayable));
}

enum mlv_rc mlv_gather_oom(struct mlv_gather *g, size_t device, struct mlv_report_rank *k,
			   struct mlv_err *err)
{
	struct mlv_study s;
	struct mlv_study_options o = { .lead = MLV_REPLAY_RECORDED,
				       .capacity = g->o->capacity,
				       .profile = MLV_PROFILE_LEARN,
				       .threads = 1 };
	enum mlv_rc rc = mlv_study_init(&s, g->run, device, &o, err);
	if (rc)
		return rc;
	if (s.has_postmortem)
		observe(g, &s, k);
	else
		observe_bare(g, &s, k);
	mlv_study_fini(&s);
	return MLV_OK;
}
