/* SPDX-License-Identifier: MIT */
/*
 * Where an event happened. Threads stand below processes and streams below
 * devices, but a trace has only pid and tid for both, and tells them apart by
 * the category. Names of lanes come as events of their own, before or behind
 * those they are for, and for more lanes than the trace has.
 */
#include "parsers/profiler/kineto.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum place { ANYWHERE, ON_HOST, ON_DEVICE };

/* Categories whose place is known, and today's words for those of PyTorch before 1.12. */
static const struct {
	const char *written, *name;
	enum place place;
} known[] = {
	{ "cpu_op", NULL, ON_HOST },
	{ "python_function", NULL, ON_HOST },
	{ "user_annotation", NULL, ON_HOST },
	{ "cuda_runtime", NULL, ON_HOST },
	{ "cuda_driver", NULL, ON_HOST },
	{ "overhead", NULL, ON_HOST },
	{ "trace", NULL, ON_HOST },
	{ "kernel", NULL, ON_DEVICE },
	{ "gpu_memcpy", NULL, ON_DEVICE },
	{ "gpu_memset", NULL, ON_DEVICE },
	{ "gpu_user_annotation", NULL, ON_DEVICE },
	{ "cuda_sync", NULL, ON_DEVICE },
	{ "cuda_event", NULL, ON_DEVICE },
	{ "xpu_sync", NULL, ON_DEVICE },
	{ "cuda_profiler_range", NULL, ON_DEVICE },
	{ "mtia_ccp_events", NULL, ON_DEVICE },
	{ "operator", "cpu_op", ON_HOST },
	{ "runtime", "cuda_runtime", ON_HOST },
	{ "python", "python_function", ON_HOST },
	{ "memcpy", "gpu_memcpy", ON_DEVICE },
	{ "memset", "gpu_memset", ON_DEVICE },
};

static bool describe(struct kineto *k, mlv_strid written, struct kineto_category *c)
{
	struct mlv_str s = mlv_run_str(k->run, written);
	char lower[64];
	*c = (struct kineto_category){ .name = written };
	if (s.n >= sizeof(lower))
		return true;
	for (size_t i = 0; i <= s.n; i++)
		lower[i] = s.p[i] >= 'A' && s.p[i] <= 'Z' ? (char)(s.p[i] | 0x20) : s.p[i];
	const char *name = lower;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (strcmp(known[i].written, lower) != 0)
			continue;
		name = known[i].name ? known[i].name : lower;
		c->device = known[i].place == ON_DEVICE;
		c->host = known[i].place == ON_HOST;
	}
	struct mlv_str text = { name, name == lower ? s.n : strlen(name) };
	return mlv_run_intern(k->run, text, &c->name);
}

bool mlv_kineto_category(struct kineto *k, mlv_strid written, const struct kineto_category **c)
{
	if (k->categories.len && written.i == k->last_category.i) {
		*c = &k->categories.data[k->last_row];
		return true;
	}
	const struct mlv_map_slot *slot = mlv_map_find(&k->category_ids, written.i);
	uint32_t row = slot ? slot->value : (uint32_t)k->categories.len;
	struct kineto_category fresh;
	if (!slot && (!describe(k, written, &fresh) || !mlv_vec_push(&k->categories, fresh) ||
		      !mlv_map_set(&k->category_ids, written.i, row)))
		return false;
	k->last_category = written;
	k->last_row = row;
	*c = &k->categories.data[row];
	return true;
}

static bool track_of(struct kineto *k, enum mlv_track_kind kind, mlv_trackid parent,
		     const struct kineto_id *id, mlv_trackid *track)
{
	struct mlv_str name = id->is_name ? mlv_run_str(k->run, id->name) : MLV_STR("");
	return mlv_run_named_track(k->run, kind, parent, id->number, name, track);
}

bool mlv_kineto_lane(struct kineto *k, const struct kineto_event *e,
		     const struct kineto_category *c, mlv_trackid *track)
{
	bool device = c->device;
	/* Other accelerators have categories of their own, and the same arguments. */
	if (!device && !c->host && (e->has & 1U << ARG_DEVICE) && (e->has & 1U << ARG_STREAM))
		device = e->numbers[ARG_DEVICE] == e->pid.number;
	if (e->pid.is_name) {
		device = e->pid.name.i == k->cuda_functions.i;
		if (device)
			return track_of(k, MLV_TRACK_DEVICE, MLV_TRACK_NONE, &e->tid, track);
	}
	struct kineto_lane *last = &k->lanes[device];
	if (last->known && last->pid.number == e->pid.number && last->tid.number == e->tid.number) {
		*track = last->track;
		return true;
	}
	mlv_trackid outer;
	if (!track_of(k, device ? MLV_TRACK_DEVICE : MLV_TRACK_PROCESS, MLV_TRACK_NONE, &e->pid,
		      &outer) ||
	    !track_of(k, device ? MLV_TRACK_STREAM : MLV_TRACK_THREAD, outer, &e->tid, track))
		return false;
	*last = (struct kineto_lane){ e->pid, e->tid, *track, true };
	return true;
}

bool mlv_kineto_add_name(struct kineto *k, const struct kineto_event *e)
{
	bool thread = e->name.i == k->thread_name.i;
	if ((!thread && e->name.i != k->process_name.i) || !(e->has & 1U << ARG_NAME))
		return true;
	struct mlv_str s = mlv_run_str(k->run, e->texts[ARG_NAME - ARG_NUMBERS]);
	while (s.n && s.p[s.n - 1] == ' ')
		s.n--;
	struct kineto_name n = { .pid = e->pid.number,
				 .tid = thread ? e->tid.number : 0,
				 .order = (uint32_t)k->names.len,
				 .thread = thread };
	return !s.n || (mlv_run_intern(k->run, s, &n.name) && mlv_vec_push(&k->names, n));
}

static int by_place(const struct kineto_name *x, const struct kineto_name *y)
{
	if (x->thread != y->thread)
		return x->thread ? 1 : -1;
	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return (x->tid > y->tid) - (x->tid < y->tid);
}

static int compare_names(const void *a, const void *b)
{
	const struct kineto_name *x = a, *y = b;
	int c = by_place(x, y);
	return c ? c : (x->order > y->order) - (x->order < y->order);
}

/* The first name of that place, behind all of smaller ones. */
static size_t first_name(const struct kineto *k, const struct kineto_name *place)
{
	size_t low = 0, high = k->names.len;
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (by_place(&k->names.data[mid], place) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* "thread 992 (python)" in a process called python: the name that every thread begins with. */
static bool is_inherited(struct mlv_str name, struct mlv_str process)
{
	return process.n && name.n > process.n + 2 && name.p[name.n - 1] == ')' &&
	       name.p[name.n - process.n - 2] == '(' &&
	       memcmp(name.p + name.n - process.n - 1, process.p, process.n) == 0;
}

/* The last name that a place was given, one of its own before an inherited one. */
static mlv_strid name_of(const struct kineto *k, const struct kineto_name *place,
			 struct mlv_str process)
{
	mlv_strid best = MLV_STR_NONE;
	bool own = false;
	for (size_t i = first_name(k, place); i < k->names.len; i++) {
		const struct kineto_name *n = &k->names.data[i];
		if (by_place(n, place) != 0)
			break;
		bool inherited = is_inherited(mlv_run_str(k->run, n->name), process);
		if (own && inherited)
			continue;
		best = n->name;
		own = !inherited;
	}
	return best;
}

void mlv_kineto_name_tracks(struct kineto *k)
{
	if (k->names.len)
		qsort(k->names.data, k->names.len, sizeof(*k->names.data), compare_names);
	for (size_t i = 0; i < k->run->tracks.len; i++) {
		struct mlv_track *t = &k->run->tracks.data[i];
		if (t->name.i || t->kind == MLV_TRACK_DEVICE || t->kind == MLV_TRACK_HOST)
			continue;
		bool inner = t->parent.i != MLV_TRACK_NONE.i;
		int64_t pid = inner ? k->run->tracks.data[t->parent.i].number : t->number;
		struct kineto_name process = { .pid = pid };
		struct kineto_name place = { .pid = pid, .tid = t->number, .thread = true };
		mlv_strid name = name_of(k, &process, MLV_STR(""));
		if (inner)
			name = name_of(k, &place, mlv_run_str(k->run, name));
		char plain[40];
		snprintf(plain, sizeof(plain), "stream %" PRId64, t->number);
		struct mlv_str said = mlv_str_of(plain);
		if (t->kind != MLV_TRACK_STREAM || !mlv_str_eq(mlv_run_str(k->run, name), said))
			t->name = name;
	}
}
