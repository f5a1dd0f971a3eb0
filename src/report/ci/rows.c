/* SPDX-License-Identifier: MIT */
/*
 * The rows that inputs gave become one of each device of each rank, in an
 * order that does not depend on the order of the inputs.
 */
#define _GNU_SOURCE /* strverscmp */
#include "report/ci/rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int by_name(const void *pa, const void *pb, void *opaque)
{
	const struct mlv_report *r = opaque;
	return strverscmp(r->inputs.data[*(const uint32_t *)pa].file,
			  r->inputs.data[*(const uint32_t *)pb].file);
}

/* Inputs in the order of their names, and the rows and pictures with them. */
static void sort_inputs(struct mlv_report *r)
{
	size_t n = r->inputs.len;
	uint32_t *order = malloc((n + 1) * sizeof(*order));
	uint32_t *place = malloc((n + 1) * sizeof(*place));
	struct mlv_report_input *sorted = malloc((n + 1) * sizeof(*sorted));
	bool ok = order && place && sorted;
	r->failed |= !ok;
	for (uint32_t i = 0; ok && i < n; i++)
		order[i] = i;
	if (ok)
		qsort_r(order, n, sizeof(*order), by_name, r);
	for (uint32_t i = 0; ok && i < n; i++) {
		sorted[i] = r->inputs.data[order[i]];
		place[order[i]] = i;
	}
	if (ok && n)
		memcpy(r->inputs.data, sorted, n * sizeof(*sorted));
	for (size_t i = 0; ok && i < r->ranks.len; i++) {
		struct mlv_report_rank *k = &r->ranks.data[i];
		for (size_t j = 0; j < k->inputs.len; j++)
			k->inputs.data[j] = place[k->inputs.data[j]];
	}
	for (size_t i = 0; ok && i < r->pictures.len; i++) {
		if (r->pictures.data[i].input != MLV_NO_INPUT)
			r->pictures.data[i].input = place[r->pictures.data[i].input];
	}
	free(order);
	free(place);
	free(sorted);
}

/* What is written down of a rank without a device stands behind its devices. */
static int by_rank(const void *pa, const void *pb)
{
	const struct mlv_report_rank *a = pa, *b = pb;
	if ((a->rank < 0) != (b->rank < 0))
		return a->rank < 0 ? 1 : -1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	if (a->rank < 0 && a->inputs.data[0] != b->inputs.data[0])
		return a->inputs.data[0] < b->inputs.data[0] ? -1 : 1;
	if (a->device != b->device)
		return (uint64_t)a->device < (uint64_t)b->device ? -1 : 1;
	return (a->inputs.data[0] > b->inputs.data[0]) - (a->inputs.data[0] < b->inputs.data[0]);
}

/* What tells no rank, or one of several files that tell the same one, is by itself. */
static bool is_by_file(const struct mlv_report_rank *k)
{
	return k->rank < 0 || k->alone;
}

static bool is_same(const struct mlv_report_rank *a, const struct mlv_report_rank *b)
{
	if (a->rank != b->rank || is_by_file(a) != is_by_file(b) ||
	    (is_by_file(a) && a->inputs.data[0] != b->inputs.data[0]))
		return false;
	return a->device == b->device || b->device < 0;
}

/* Recordings of an allocator before those of a profiler, then the longer one. */
static bool is_better(const struct mlv_report_rank *a, const struct mlv_report_rank *b)
{
	if ((a->requested_peak >= 0) != (b->requested_peak >= 0))
		return a->requested_peak >= 0;
	return a->events > b->events;
}

static void take(int64_t *to, int64_t from)
{
	if (*to < 0)
		*to = from;
}

/* `from` goes; what it alone knows stays. */
static void merge(struct mlv_report *r, struct mlv_report_rank *to, struct mlv_report_rank *from)
{
	if (is_better(from, to)) {
		struct mlv_report_rank other = *to;
		int64_t device = to->device;
		*to = *from;
		to->device = device;
		*from = other;
	}
	for (size_t i = 0; i < from->inputs.len; i++)
		r->failed |= !mlv_vec_push(&to->inputs, from->inputs.data[i]);
	/* Figures of one recording are not completed from another, which may be of other steps. */
	if (to->requested_peak < 0) {
		take(&to->allocated_peak, from->allocated_peak);
		take(&to->reserved_peak, from->reserved_peak);
	}
	take(&to->capacity, from->capacity);
	take(&to->wait_ns, from->wait_ns);
	if (from->judged &&
	    (!to->judged || to->growth == MLV_GROWTH_UNKNOWN ||
	     (from->growth == MLV_GROWTH_CUMULATIVE && to->growth != MLV_GROWTH_CUMULATIVE))) {
		to->judged = true;
		to->growth = from->growth;
		to->confidence = from->confidence;
		to->growth_bytes = from->growth_bytes;
		to->steps = from->steps;
		to->steps_until_full = from->steps_until_full;
		if (!to->leaks.len) {
			mlv_vec_free(&to->leaks);
			memcpy(&to->leaks, &from->leaks, sizeof(to->leaks));
			memset(&from->leaks, 0, sizeof(from->leaks));
		}
	}
	to->oom |= from->oom;
	mlv_report_rank_fini(from);
}

/* A sweep, or one rank at several times: rows of one format, rank and device from several files. */
static void set_alone(struct mlv_report *r)
{
	for (size_t i = 0; i < r->ranks.len; i++) {
		struct mlv_report_rank *a = &r->ranks.data[i];
		const char *format = r->inputs.data[a->inputs.data[0]].format;
		for (size_t k = i + 1; a->rank >= 0 && k < r->ranks.len; k++) {
			struct mlv_report_rank *b = &r->ranks.data[k];
			if (b->rank != a->rank)
				break;
			if (b->device != a->device || b->inputs.data[0] == a->inputs.data[0] ||
			    strcmp(r->inputs.data[b->inputs.data[0]].format, format) != 0)
				continue;
			a->alone = b->alone = true;
		}
	}
}

static bool has_sibling(const struct mlv_report *r, size_t i)
{
	for (size_t k = 0; k < r->ranks.len; k++) {
		const struct mlv_report_rank *a = &r->ranks.data[i], *b = &r->ranks.data[k];
		if (k != i && a->rank == b->rank && is_by_file(a) == is_by_file(b) &&
		    (!is_by_file(a) || a->inputs.data[0] == b->inputs.data[0]))
			return true;
	}
	return false;
}

/* Whether the file of a row has rows of other ranks. */
static bool holds_others(const struct mlv_report *r, const struct mlv_report_rank *k)
{
	for (size_t i = 0; i < r->ranks.len; i++) {
		if (r->ranks.data[i].inputs.data[0] == k->inputs.data[0] &&
		    r->ranks.data[i].rank != k->rank)
			return true;
	}
	return false;
}

static void name_row(struct mlv_report *r, size_t i)
{
	struct mlv_report_rank *k = &r->ranks.data[i];
	const char *file = r->inputs.data[k->inputs.data[0]].file, *name = file;
	if (!is_by_file(k))
		name = mlv_report_say(r, "rank %" PRId64, k->rank);
	else if (k->rank >= 0 && holds_others(r, k))
		name = mlv_report_say(r, "%s, rank %" PRId64, file, k->rank);
	k->label = k->device >= 0 && has_sibling(r, i)
			   ? mlv_report_say(r, "%s, device %" PRId64, name, k->device)
			   : name;
}

static int by_number(const void *pa, const void *pb)
{
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
	return (a > b) - (a < b);
}

/* Each input once, ascending. */
static void tidy_inputs(struct mlv_report_rank *k)
{
	size_t n = 0;
	qsort(k->inputs.data, k->inputs.len, sizeof(*k->inputs.data), by_number);
	for (size_t i = 0; i < k->inputs.len; i++) {
		if (!n || k->inputs.data[n - 1] != k->inputs.data[i])
			k->inputs.data[n++] = k->inputs.data[i];
	}
	k->inputs.len = n;
}

void mlv_report_rows_settle(struct mlv_report *r)
{
	size_t n = 0;
	sort_inputs(r);
	if (r->failed)
		return;
	if (r->ranks.len)
		qsort(r->ranks.data, r->ranks.len, sizeof(*r->ranks.data), by_rank);
	set_alone(r);
	for (size_t i = 0; i < r->ranks.len; i++) {
		size_t of = 0;
		while (of < n && !is_same(&r->ranks.data[of], &r->ranks.data[i]))
			of++;
		if (of < n) {
			merge(r, &r->ranks.data[of], &r->ranks.data[i]);
			continue;
		}
		struct mlv_report_rank k = r->ranks.data[i];
		r->ranks.data[n++] = k;
	}
	r->ranks.len = n;
	for (size_t i = 0; i < n; i++) {
		tidy_inputs(&r->ranks.data[i]);
		name_row(r, i);
	}
}
