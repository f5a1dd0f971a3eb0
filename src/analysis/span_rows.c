/* SPDX-License-Identifier: MIT */
#include "analysis/span_rows.h"

#include <stdlib.h>
#include <string.h>

/* Gives the tracks of a run that have timed spans their rows; `of` maps one to the other. */
static bool add_tracks(struct mlv_span_rows *r, const struct mlv_run *run, uint32_t index,
		       uint32_t *of)
{
	for (size_t i = 0; i < run->spans.len; i++) {
		const struct mlv_span *s = &run->spans.data[i];
		r->untimed += s->start_ns == MLV_NO_TIME;
		if (s->start_ns != MLV_NO_TIME && s->track.i < run->tracks.len)
			of[s->track.i] = 1;
	}
	for (uint32_t t = 0; t < run->tracks.len; t++) {
		struct mlv_span_track track = { .run = index, .track = { t } };
		if (!of[t])
			continue;
		of[t] = (uint32_t)r->tracks.len;
		if (!mlv_vec_push(&r->tracks, track))
			return false;
	}
	return true;
}

static bool add_run(struct mlv_span_rows *r, const struct mlv_run *run, uint32_t index)
{
	uint32_t *of = calloc(run->tracks.len + 1, sizeof(*of));
	bool ok = of && add_tracks(r, run, index, of) && mlv_vec_room(&r->list, run->spans.len);
	for (size_t i = 0; ok && i < run->spans.len; i++) {
		const struct mlv_span *s = &run->spans.data[i];
		if (s->start_ns == MLV_NO_TIME || s->track.i >= run->tracks.len)
			continue;
		bool open = s->end_ns == MLV_NO_TIME;
		int64_t end = open ? INT64_MAX : s->end_ns > s->start_ns ? s->end_ns : s->start_ns;
		struct mlv_span_item row = { of[s->track.i], (uint32_t)i, s->start_ns, end };
		int64_t last = open ? s->start_ns : end;
		r->t0 = !r->total || s->start_ns < r->t0 ? s->start_ns : r->t0;
		r->t1 = !r->total || last > r->t1 ? last : r->t1;
		r->total++;
		ok = mlv_vec_push(&r->list, row);
	}
	free(of);
	return ok;
}

/* What a reader looks for by name, and what there are few of. */
static bool is_dear(const struct mlv_run *run, const struct mlv_span *s)
{
	struct mlv_str category = mlv_run_str(run, s->category);
	return s->end_ns == MLV_NO_TIME || mlv_str_eq(category, MLV_STR("collective")) ||
	       mlv_str_contains(category, MLV_STR("annotation"));
}

static int longest_first(const void *pa, const void *pb)
{
	const int64_t *a = pa, *b = pb;
	return (*a < *b) - (*a > *b);
}

/* Of a chosen length, so many stay; longer ones do, shorter ones do not. */
struct choice {
	int64_t length;
	size_t of_length;
	bool keep_dear;
};

static int64_t length_of(const struct mlv_span_item *row)
{
	return row->end == INT64_MAX ? INT64_MAX : mlv_time_between(row->start, row->end);
}

static bool choose(const struct mlv_span_rows *r, const struct mlv_run *const *runs, size_t most,
		   struct choice *c)
{
	int64_t *lengths = malloc((r->list.len + 1) * sizeof(*lengths));
	size_t dear = 0, n = 0;
	if (!lengths)
		return false;
	for (size_t i = 0; i < r->list.len; i++) {
		const struct mlv_span_item *row = &r->list.data[i];
		const struct mlv_run *run = runs[r->tracks.data[row->track].run];
		dear += is_dear(run, &run->spans.data[row->span]);
	}
	c->keep_dear = dear <= most;
	size_t room = c->keep_dear ? most - dear : most;
	for (size_t i = 0; i < r->list.len; i++) {
		const struct mlv_span_item *row = &r->list.data[i];
		const struct mlv_run *run = runs[r->tracks.data[row->track].run];
		if (!c->keep_dear || !is_dear(run, &run->spans.data[row->span]))
			lengths[n++] = length_of(row);
	}
	qsort(lengths, n, sizeof(*lengths), longest_first);
	c->length = room ? lengths[room - 1] : INT64_MAX;
	c->of_length = 0;
	for (size_t i = room; i > 0 && lengths[i - 1] == c->length; i--)
		c->of_length++;
	free(lengths);
	return true;
}

static bool stays(struct choice *c, const struct mlv_run *run, const struct mlv_span_item *row)
{
	if (c->keep_dear && is_dear(run, &run->spans.data[row->span]))
		return true;
	int64_t length = length_of(row);
	if (length != c->length)
		return length > c->length;
	if (!c->of_length)
		return false;
	c->of_length--;
	return true;
}

static bool leave_out(struct mlv_span_rows *r, const struct mlv_span_item *row)
{
	double whole = (double)mlv_time_between(r->t0, r->t1);
	double at = (double)mlv_time_between(r->t0, row->start);
	uint32_t part = whole > 0 ? (uint32_t)(at / whole * (MLV_SPAN_PARTS - 1)) : 0;
	int64_t ns = row->end == INT64_MAX ? 0 : mlv_time_between(row->start, row->end);
	struct mlv_span_rest *last = r->rest.len ? &r->rest.data[r->rest.len - 1] : NULL;
	if (!last || last->track != row->track || last->part != part) {
		struct mlv_span_rest rest = { .track = row->track, .part = part };
		if (!mlv_vec_push(&r->rest, rest))
			return false;
		last = &r->rest.data[r->rest.len - 1];
	}
	last->count++;
	if (__builtin_add_overflow(last->ns, ns, &last->ns))
		last->ns = INT64_MAX;
	return true;
}

static bool reduce(struct mlv_span_rows *r, const struct mlv_run *const *runs, size_t most)
{
	struct choice c;
	size_t kept = 0;
	if (r->list.len <= most)
		return true;
	if (!choose(r, runs, most, &c))
		return false;
	for (size_t i = 0; i < r->list.len; i++) {
		struct mlv_span_item row = r->list.data[i];
		if (stays(&c, runs[r->tracks.data[row.track].run], &row))
			r->list.data[kept++] = row;
		else if (!leave_out(r, &row))
			return false;
	}
	r->list.len = kept;
	return true;
}

enum mlv_rc mlv_span_rows_init(struct mlv_span_rows *r, const struct mlv_run *const *runs,
			       size_t count, size_t most, struct mlv_err *err)
{
	bool ok = true;
	memset(r, 0, sizeof(*r));
	for (uint32_t i = 0; ok && i < count; i++)
		ok = add_run(r, runs[i], i);
	mlv_span_order(r->list.data, r->list.len);
	ok = ok && reduce(r, runs, most);
	for (size_t i = 0; ok && i < r->list.len; i++) {
		struct mlv_span_track *t = &r->tracks.data[r->list.data[i].track];
		t->first = t->count ? t->first : i;
		t->count++;
	}
	if (ok)
		return MLV_OK;
	mlv_span_rows_fini(r);
	return mlv_err_nomem(err);
}

void mlv_span_rows_fini(struct mlv_span_rows *r)
{
	mlv_vec_free(&r->tracks);
	mlv_vec_free(&r->list);
	mlv_vec_free(&r->rest);
	memset(r, 0, sizeof(*r));
}
