/* SPDX-License-Identifier: MIT */
/* Verdicts on what makes memory grow, as rows and observations. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/alive.h"
#include "analysis/growth/classify.h"
#include "base/num.h"
#include "report/ci/gather.h"

static struct mlv_report_rank *row_of(struct mlv_gather *g, const struct mlv_verdict *v)
{
	struct mlv_report_rank *k = mlv_gather_row(g, v->rank, v->device);
	return k ? k : mlv_report_rank_add(g->r, v->rank, v->device, g->input);
}

static void fill(struct mlv_report_rank *k, const struct mlv_verdict *v)
{
	k->judged = true;
	k->growth = v->growth;
	k->confidence = v->confidence;
	k->growth_bytes = v->cumulative_bytes;
	k->steps = (int64_t)v->steps;
	k->steps_until_full = v->steps_until_full;
	if (v->device_bytes > 0)
		k->capacity = v->device_bytes;
	/* Without a recording, what was written down from time to time. */
	if (k->requested_peak < 0 && k->allocated_peak < 0)
		k->allocated_peak = v->peak_bytes;
	if (k->reserved_peak < 0)
		k->reserved_peak = v->reserved_bytes;
}

static void explain(struct mlv_gather *g, struct mlv_observation *o, const struct mlv_verdict *v)
{
	for (size_t i = 0; i < v->evidence.len && i < 2; i++)
		mlv_observation_detail(g->r, o,
				       mlv_report_copy(g->r, mlv_str_of(v->evidence.data[i])));
	for (size_t i = 0; i < v->advice.len && i < 3; i++)
		mlv_observation_detail(g->r, o,
				       mlv_report_say(g->r, "what to do: %s",
						      mlv_advice_text(v->advice.data[i])->what));
}

static struct mlv_observation *grows(struct mlv_gather *g, const struct mlv_verdict *v,
				     const char *subject, const char *what, double bytes)
{
	char text[MLV_NUM_SIZE];
	struct mlv_observation *o = mlv_observe(g->r, "memory-growth", subject);
	if (!o)
		return NULL;
	o->head = mlv_report_say(g->r, "memory grows from step to step: %s", what);
	o->value = mlv_report_say(g->r, "%s a step",
				  mlv_fmt_bytes(text, sizeof(text), (uint64_t)(bytes + 0.5)));
	o->rank = v->rank;
	o->metric = "growth";
	o->unit = "B";
	o->has_actual = true;
	o->actual = o->weight = bytes;
	o->input = g->name;
	return o;
}

/* Leaks of one call site are one: they stand apart in the list, the fastest first. */
static bool is_first_of_site(const struct mlv_verdict *v, size_t i)
{
	for (size_t k = 0; k < i; k++) {
		if (v->leaks.data[k].site == v->leaks.data[i].site)
			return false;
	}
	return true;
}

enum { FRAMES_MOST = 256, LEAKS_MOST = 20 };

/* Frames of a stack, outermost first. */
static size_t frames_of(const struct mlv_run *run, mlv_stackid stack, uint32_t *frames)
{
	size_t n = 0;
	for (mlv_stackid id = stack; mlv_stack_has_frame(id) && n < FRAMES_MOST;
	     id = mlv_stack_caller(&run->stacks, id))
		frames[n++] = run->stacks.nodes.data[id.i].frame.i;
	for (size_t i = 0; i < n / 2; i++) {
		uint32_t f = frames[i];
		frames[i] = frames[n - 1 - i];
		frames[n - 1 - i] = f;
	}
	return n;
}

/* The innermost call that all that grows was made in; a stack without frames. */
static mlv_stackid common_call(const struct mlv_run *run, const struct mlv_verdict *v)
{
	uint32_t first[FRAMES_MOST], other[FRAMES_MOST];
	size_t common = frames_of(run, v->leaks.data[0].stack, first), whole = common;
	for (size_t i = 1; i < v->leaks.len; i++) {
		size_t n = frames_of(run, v->leaks.data[i].stack, other), k = 0;
		/* What autograd's own threads keep has no frame of the program. */
		while (n && k < n && k < common && first[k] == other[k])
			k++;
		common = n ? k : common;
	}
	mlv_stackid id = v->leaks.data[0].stack;
	for (size_t i = common; i < whole; i++)
		id = mlv_stack_caller(&run->stacks, id);
	return common ? id : MLV_STACK_NONE;
}

static double bytes_of_site(const struct mlv_verdict *v, size_t i)
{
	double bytes = 0;
	for (size_t k = i; k < v->leaks.len; k++)
		bytes += v->leaks.data[k].site == v->leaks.data[i].site
				 ? v->leaks.data[k].bytes_per_step
				 : 0;
	return bytes;
}

struct site {
	size_t leak; /* its first */
	double bytes;
};

static int faster(const void *pa, const void *pb)
{
	const struct site *a = pa, *b = pb;
	if (a->bytes > b->bytes || a->bytes < b->bytes)
		return a->bytes > b->bytes ? -1 : 1;
	return (a->leak > b->leak) - (a->leak < b->leak);
}

/* The call sites of all leaks, the fastest first; free() them. */
static struct site *sites_of(struct mlv_gather *g, const struct mlv_verdict *v, size_t *count)
{
	struct site *list = calloc(v->leaks.len + 1, sizeof(*list));
	size_t n = 0;
	g->r->failed |= !list;
	for (size_t i = 0; list && i < v->leaks.len; i++) {
		if (is_first_of_site(v, i))
			list[n++] = (struct site){ i, bytes_of_site(v, i) };
	}
	if (list)
		qsort(list, n, sizeof(*list), faster);
	*count = n;
	return list;
}

static const char *site_name(struct mlv_gather *g, const struct mlv_leak *leak)
{
	return mlv_report_say(g->r, "%s%s%s", leak->function, *leak->place ? " " : "", leak->place);
}

static void add_leaks(struct mlv_gather *g, const struct mlv_verdict *v, const struct site *sites,
		      size_t count, struct mlv_report_rank *k)
{
	for (size_t i = 0; i < count && i < LEAKS_MOST; i++) {
		const struct mlv_leak *leak = &v->leaks.data[sites[i].leak];
		struct mlv_report_leak x = {
			.function = mlv_report_copy(g->r, mlv_str_of(leak->function)),
			.place = mlv_report_copy(g->r, mlv_str_of(leak->place)),
			.frames = mlv_report_copy(g->r, mlv_str_of(leak->frames)),
			.bytes_per_step = sites[i].bytes,
		};
		g->r->failed |= !mlv_vec_push(&k->leaks, x);
	}
}

/* The fastest sites, and where all of them come together. */
static void tell_sites(struct mlv_gather *g, struct mlv_observation *o, const struct mlv_verdict *v,
		       const struct site *sites, size_t count)
{
	char text[MLV_NUM_SIZE], brief[1024];
	const struct mlv_leak *first = &v->leaks.data[sites[0].leak];
	mlv_stackid common = common_call(g->run, v);
	if (count > 1 && mlv_stack_has_frame(common)) {
		mlv_stack_brief(&g->sites, common, 3, brief, sizeof(brief));
		mlv_observation_detail(g->r, o,
				       mlv_report_say(g->r, "all of it is allocated in %s", brief));
	} else if (*first->frames) {
		mlv_observation_detail(g->r, o,
				       mlv_report_say(g->r, "allocated in %s", first->frames));
	}
	for (size_t i = 0; count > 1 && i < count && i < 3; i++) {
		mlv_fmt_bytes(text, sizeof(text), (uint64_t)(sites[i].bytes + 0.5));
		mlv_observation_detail(g->r, o,
				       mlv_report_say(g->r, "%s a step: %s", text,
						      site_name(g, &v->leaks.data[sites[i].leak])));
	}
}

static void observe_leaks(struct mlv_gather *g, const struct mlv_verdict *v,
			  const struct site *sites, size_t count)
{
	const struct mlv_leak *leak = &v->leaks.data[sites[0].leak];
	struct mlv_ci_place place = mlv_gather_place(g, leak->stack);
	const char *subject = place.file ? mlv_gather_subject(g->r, place)
					 : mlv_report_copy(g->r, mlv_str_of(leak->function));
	double bytes = 0;
	for (size_t i = 0; i < count; i++)
		bytes += sites[i].bytes;
	const char *what = site_name(g, leak);
	if (count > 1)
		what = mlv_report_say(g->r, "%s and %zu more call site%s", what, count - 1,
				      count > 2 ? "s" : "");
	struct mlv_observation *o = grows(g, v, subject, what, bytes);
	if (!o)
		return;
	o->place = place;
	tell_sites(g, o, v, sites, count);
	explain(g, o, v);
}

static void observe_unknown(struct mlv_gather *g, const struct mlv_verdict *v)
{
	struct mlv_observation *o = mlv_observe(g->r, "undecided", "growth");
	if (!o)
		return;
	o->head = "whether memory grows from step to step could not be told";
	o->rank = v->rank;
	o->input = g->name;
	for (size_t i = 0; i < v->evidence.len && i < 2; i++)
		mlv_observation_detail(g->r, o,
				       mlv_report_copy(g->r, mlv_str_of(v->evidence.data[i])));
	mlv_observation_detail(g->r, o,
			       "what to do: record at least five steps, and annotate them");
}

static void observe(struct mlv_gather *g, const struct mlv_verdict *v, struct mlv_report_rank *k)
{
	struct mlv_observation *o;
	size_t count;
	struct site *sites = sites_of(g, v, &count);
	if (sites)
		add_leaks(g, v, sites, count, k);
	if (sites && v->growth == MLV_GROWTH_CUMULATIVE && count) {
		observe_leaks(g, v, sites, count);
	} else if (v->growth == MLV_GROWTH_CUMULATIVE) {
		o = grows(g, v, "all that is allocated", "all that is allocated",
			  (double)v->cumulative_bytes);
		if (o)
			explain(g, o, v);
	}
	if (v->growth == MLV_GROWTH_UNKNOWN)
		observe_unknown(g, v);
	free(sites);
}

enum mlv_rc mlv_gather_growth(struct mlv_gather *g, struct mlv_err *err)
{
	struct mlv_verdicts verdicts = { 0 };
	struct mlv_classify_options o = { .capacity = g->o->capacity };
	enum mlv_rc rc = mlv_classify_run(&verdicts, g->run, &o, err);
	for (size_t i = 0; !rc && i < verdicts.list.len; i++) {
		const struct mlv_verdict *v = &verdicts.list.data[i];
		struct mlv_report_rank *k = row_of(g, v);
		if (!k)
			break;
		fill(k, v);
		observe(g, v, k);
	}
	mlv_verdicts_fini(&verdicts);
	return rc;
}
