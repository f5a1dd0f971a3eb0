/* SPDX-License-Identifier: MIT */
#include "analysis/growth/steps.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"

/* A name that comes twice tells of two steps; less tells nothing. */
enum { LEAST_STEPS = 2, LEAST_PERIODS = 4 };

struct finding {
	struct mlv_steps *s;
	const struct mlv_history *h;
	const struct mlv_stack_marks *marks;
	MLV_VEC(int64_t) times;
};

static int by_time(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

/* How many events had happened by that time. */
static uint32_t events_until(const struct mlv_history *h, int64_t time_ns)
{
	size_t low = 0, high = h->count;
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (h->events[mid].time_ns <= time_ns)
			low = mid + 1;
		else
			high = mid;
	}
	return (uint32_t)low;
}

/* Where the times cut the events into steps; a step without an event is none. */
static bool cut(struct finding *f)
{
	qsort(f->times.data, f->times.len, sizeof(*f->times.data), by_time);
	free(f->s->ends);
	f->s->ends = calloc(f->times.len + 1, sizeof(*f->s->ends));
	if (!f->s->ends)
		return false;
	for (size_t i = 0; i < f->times.len; i++) {
		uint32_t end = events_until(f->h, f->times.data[i]);
		if (end > (f->s->count ? f->s->ends[f->s->count - 1] : 0))
			f->s->ends[f->s->count++] = end;
	}
	return true;
}

static bool is_digits(struct mlv_str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (!mlv_is_digit(s.p[i]))
			return false;
	}
	return s.n > 0;
}

/* A name of a step, such as "step 3": what stands before its number. */
static bool numbered_name(struct mlv_str name, struct mlv_str *stem)
{
	size_t n = name.n;
	while (n && mlv_is_digit(name.p[n - 1]))
		n--;
	*stem = (struct mlv_str){ name.p, n };
	if (n == name.n || name.n - n > 9)
		return false;
	return mlv_str_has_prefix(*stem, MLV_STR("step")) ||
	       mlv_str_has_prefix(*stem, MLV_STR("Step")) ||
	       mlv_str_has_prefix(*stem, MLV_STR("iter")) ||
	       mlv_str_has_prefix(*stem, MLV_STR("train_step"));
}

static bool names_step(enum mlv_steps_by by, struct mlv_str name)
{
	static const struct mlv_str profiler = MLV_STR_INIT("ProfilerStep#");
	struct mlv_str rest;
	switch (by) {
	case MLV_STEPS_BY_PROFILER:
		rest = (struct mlv_str){ name.p + profiler.n, name.n - profiler.n };
		return mlv_str_has_prefix(name, profiler) && is_digits(rest);
	case MLV_STEPS_BY_OPTIMIZER:
		return mlv_str_has_prefix(name, MLV_STR("Optimizer.step#"));
	default:
		return numbered_name(name, &rest);
	}
}

/* The name whose ends count, where several optimizers step in turn: the first that is met. */
static bool one_optimizer(const struct mlv_run *run, mlv_strid *which)
{
	for (size_t i = 0; i < run->spans.len; i++) {
		*which = run->spans.data[i].name;
		if (names_step(MLV_STEPS_BY_OPTIMIZER, mlv_run_str(run, *which)))
			return true;
	}
	return false;
}

/* Traces show an annotation on the device as well as on the host: the host's counts. */
static bool on_device(const struct mlv_run *run, const struct mlv_span *s)
{
	return mlv_str_has_prefix(mlv_run_str(run, s->category), MLV_STR("gpu"));
}

static bool by_annotation(struct finding *f, enum mlv_steps_by by)
{
	const struct mlv_run *run = f->h->run;
	mlv_strid only = MLV_STR_NONE;
	int64_t last = MLV_NO_TIME;
	f->times.len = 0;
	if (!f->h->has_times || (by == MLV_STEPS_BY_OPTIMIZER && !one_optimizer(run, &only)))
		return true;
	for (size_t i = 0; i < run->spans.len; i++) {
		const struct mlv_span *s = &run->spans.data[i];
		/* A step of the profiler goes on until the next one begins. */
		int64_t t = by == MLV_STEPS_BY_PROFILER ? s->start_ns : s->end_ns;
		if (!names_step(by, mlv_run_str(run, s->name)) || on_device(run, s) ||
		    (by == MLV_STEPS_BY_OPTIMIZER && s->name.i != only.i))
			continue;
		if (s->end_ns > last)
			last = s->end_ns;
		if (t != MLV_NO_TIME && !mlv_vec_push(&f->times, t))
			return false;
	}
	if (f->times.len < LEAST_STEPS)
		return true;
	if (by == MLV_STEPS_BY_PROFILER) {
		/* Before the first one is what the program sets up. */
		qsort(f->times.data, f->times.len, sizeof(*f->times.data), by_time);
		f->times.len--;
		memmove(f->times.data, f->times.data + 1, f->times.len * sizeof(*f->times.data));
		/* The last one may not have ended. */
		int64_t begun = f->times.len ? f->times.data[f->times.len - 1] : last;
		if (last > begun && !mlv_vec_push(&f->times, last))
			return false;
	}
	f->s->by = by;
	return cut(f);
}

static bool push_end(struct mlv_steps *s, size_t *cap, uint32_t end)
{
	if (s->count && s->ends[s->count - 1] >= end)
		return true;
	if (s->count == *cap &&
	    !mlv_vec_grow((void **)&s->ends, cap, sizeof(*s->ends), s->count + 1))
		return false;
	s->ends[s->count++] = end;
	return true;
}

/* An optimizer allocates in one go: where something else follows, its step has ended. */
static bool by_optimizer_frames(struct finding *f)
{
	size_t cap = 0, other = 0, run = 0;
	uint32_t last = 0;
	for (uint32_t e = 0; e < f->h->count; e++) {
		const struct mlv_mem_event *ev = &f->h->events[e];
		if (ev->action != MLV_MEM_ALLOC)
			continue;
		if (f->marks->of[ev->stack.i] & MLV_MARK_OPTIMIZER) {
			other = 0;
			run++;
			last = e + 1;
		} else if (run && ++other == 8) {
			/* A few allocations between are those of other threads. */
			if (!push_end(f->s, &cap, last))
				return false;
			run = 0;
		}
	}
	if (run && !push_end(f->s, &cap, last))
		return false;
	if (f->s->count >= LEAST_STEPS) {
		f->s->by = MLV_STEPS_BY_OPTIMIZER_FRAMES;
		return true;
	}
	f->s->count = 0;
	return true;
}

/* ---- the period of the pattern ---- */

struct repeated {
	uint32_t first, last, count, shortest, longest; /* numbers of allocations */
};

static bool regular(const struct repeated *r, uint32_t allocs)
{
	if (r->count < LEAST_PERIODS)
		return false;
	double mean = (double)(r->last - r->first) / (r->count - 1);
	/* Almost equal distances, over most of the trace, and steps of more than a few. */
	return mean >= 8 && r->shortest >= 0.8 * mean && r->longest <= 1.25 * mean &&
	       mean * r->count >= 0.6 * allocs;
}

static bool gather(const struct finding *f, struct repeated *of, uint32_t *allocs)
{
	uint32_t n = 0;
	for (uint32_t e = 0; e < f->h->count; e++) {
		const struct mlv_mem_event *ev = &f->h->events[e];
		if (ev->action != MLV_MEM_ALLOC)
			continue;
		struct repeated *r = &of[ev->stack.i];
		if (r->count++) {
			uint32_t d = n - r->last;
			r->shortest = r->count == 2 || d < r->shortest ? d : r->shortest;
			r->longest = d > r->longest ? d : r->longest;
		} else {
			r->first = n;
		}
		r->last = n++;
	}
	*allocs = n;
	return true;
}

/* The stack that comes once in each period, the same number of times as most others do. */
static uint32_t anchor(const struct repeated *of, size_t stacks, uint32_t allocs)
{
	uint32_t best = 0, best_votes = 0;
	struct mlv_map votes = { 0 };
	for (size_t i = 0; i < stacks; i++) {
		if (!regular(&of[i], allocs))
			continue;
		struct mlv_map_slot *slot = mlv_map_find(&votes, of[i].count);
		uint32_t n = slot ? slot->value + 1 : 1;
		if (!mlv_map_set(&votes, of[i].count, n))
			break;
		if (n > best_votes) {
			best_votes = n;
			best = of[i].count;
		}
	}
	mlv_map_fini(&votes);
	if (best_votes < 3)
		return UINT32_MAX;
	for (size_t i = 0; i < stacks; i++) {
		if (of[i].count == best && regular(&of[i], allocs))
			return (uint32_t)i;
	}
	return UINT32_MAX;
}

static bool by_period(struct finding *f)
{
	size_t stacks = f->h->run->stacks.nodes.len + 2, cap = 0;
	struct repeated *of = mlv_zeroed(stacks, sizeof(*of));
	uint32_t allocs;
	if (!of)
		return false;
	bool ok = gather(f, of, &allocs);
	uint32_t which = anchor(of, stacks, allocs);
	bool first = true;
	free(of);
	for (uint32_t e = 0; ok && which != UINT32_MAX && e < f->h->count; e++) {
		const struct mlv_mem_event *ev = &f->h->events[e];
		if (ev->action != MLV_MEM_ALLOC || ev->stack.i != which)
			continue;
		if (!first)
			ok = push_end(f->s, &cap, e);
		first = false;
	}
	if (f->s->count)
		f->s->by = MLV_STEPS_BY_PERIOD;
	return ok;
}

enum mlv_rc mlv_steps_init(struct mlv_steps *s, const struct mlv_history *h,
			   const struct mlv_stack_marks *marks, struct mlv_err *err)
{
	struct finding f = { .s = s, .h = h, .marks = marks };
	memset(s, 0, sizeof(*s));
	bool ok = by_annotation(&f, MLV_STEPS_BY_PROFILER);
	if (ok && !s->count)
		ok = by_annotation(&f, MLV_STEPS_BY_OPTIMIZER);
	if (ok && !s->count)
		ok = by_annotation(&f, MLV_STEPS_BY_ANNOTATION);
	if (ok && !s->count)
		ok = by_optimizer_frames(&f);
	if (ok && !s->count)
		ok = by_period(&f);
	mlv_vec_free(&f.times);
	if (!s->count)
		s->by = MLV_STEPS_NONE;
	if (ok)
		return MLV_OK;
	mlv_steps_fini(s);
	return mlv_err_nomem(err);
}

void mlv_steps_fini(struct mlv_steps *s)
{
	free(s->ends);
	s->ends = NULL;
	s->count = 0;
}

size_t mlv_step_of(const struct mlv_steps *s, uint32_t event)
{
	size_t low = 0, high = s->count;
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (s->ends[mid] <= event)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

const char *mlv_steps_by_words(enum mlv_steps_by by)
{
	static const char *const words[] = {
		[MLV_STEPS_NONE] = "no step boundaries were found",
		[MLV_STEPS_BY_PROFILER] = "by annotations ProfilerStep#",
		[MLV_STEPS_BY_OPTIMIZER] = "by annotations Optimizer.step",
		[MLV_STEPS_BY_ANNOTATION] = "by numbered annotations",
		[MLV_STEPS_BY_OPTIMIZER_FRAMES] = "by allocations of the optimizer",
		[MLV_STEPS_BY_PERIOD] = "by the period of the allocations",
	};
	return words[by];
}
