/* SPDX-License-Identifier: MIT */
#include "analysis/stacking.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"

enum { CHUNK = 64 };

/*
 * 64 neighbouring allocations: which of them live, and what they hold. A
 * chunk of less than half a pixel is taken as one, without looking at its
 * members, which keeps a heap of a million small tensors affordable.
 */
struct chunk {
	uint64_t live, bytes;
	uint64_t narrow; /* those that live for less than two columns */
	uint32_t cls;    /* that holds most, if not stale */
	bool stale;
};

/* One step and the shape it belongs to; sorted by shape at the end. */
struct piece {
	uint32_t shape;
	struct mlv_step step;
};

/* Rows of one class within a band. */
struct run_of_rows {
	int32_t r0, r1;
	uint32_t cls;
	uint32_t allocs;
	uint64_t bytes;
};

struct layout {
	struct mlv_stacking *out;
	const struct mlv_classes *classes;
	const struct mlv_history *h;
	const struct mlv_view *view;
	double rows_per_byte;
	struct chunk *chunks;
	uint32_t *shape_of;   /* for each allocation: its own shape + 1, 0 = none yet */
	struct mlv_map other; /* bands and pending allocations -> shape */
	MLV_VEC(struct piece) pieces;
	MLV_VEC(uint32_t) last_piece; /* of each shape */
	/* The band that is being gathered, from the bottom up. */
	MLV_VEC(struct run_of_rows) runs;
	uint64_t *row_bytes; /* for each class: bytes in the current row */
	MLV_VEC(uint32_t) row_classes;
	uint32_t row_allocs;
	int32_t row, band_bottom;
	uint32_t *bands_of;               /* for each class: bands in the current columns */
	MLV_VEC(uint32_t) banded_classes; /* those that have any */
	int32_t x0, x1;                   /* columns being laid out */
};

static int64_t time_of(const struct mlv_history *h, uint32_t event)
{
	return h->events[event].time_ns;
}

double mlv_view_time_x(const struct mlv_history *h, const struct mlv_view *view, int64_t time_ns)
{
	int64_t t0 = time_of(h, view->first), t1 = time_of(h, view->last);
	double span = (double)mlv_time_between(t0, t1);
	return (double)mlv_time_between(t0, time_ns) * view->columns / (span > 0 ? span + 1 : 1);
}

int32_t mlv_view_column(const struct mlv_history *h, const struct mlv_view *view, uint32_t event)
{
	if (event < view->first)
		return 0;
	if (event > view->last)
		return view->columns - 1;
	uint64_t n = (uint64_t)view->last - view->first + 1;
	double x;
	if (view->by_time)
		x = mlv_view_time_x(h, view, time_of(h, event));
	else
		return (int32_t)((uint64_t)(event - view->first) * (uint64_t)view->columns / n);
	return x < 0 ? 0 : x >= view->columns ? view->columns - 1 : (int32_t)x;
}

/* Births come in the order of the allocations, deaths in an order of their own. */
struct replay {
	uint32_t next_birth;
	size_t next_death, next_other;
	uint64_t requested, reserved;
};

/* Whether the next allocation to die does so at this event. */
static bool dies_at(const struct mlv_history *h, size_t next_death, uint32_t event)
{
	return next_death < h->death_count && h->allocs[h->deaths[next_death]].died == event;
}

static void step_sums(const struct layout *l, struct replay *r, uint32_t event)
{
	const struct mlv_history *h = l->h;
	if (r->next_other < h->other_count && h->others[r->next_other] == event) {
		r->reserved += (uint64_t)mlv_reserved_delta(&h->events[event]);
		r->next_other++;
	}
	if (dies_at(h, r->next_death, event))
		r->requested -= h->allocs[h->deaths[r->next_death++]].bytes;
	if (r->next_birth < h->alloc_count && h->allocs[r->next_birth].born == event)
		r->requested += h->allocs[r->next_birth++].bytes;
}

static struct replay replay_start(const struct layout *l)
{
	const struct mlv_history *h = l->h;
	return (struct replay){ (uint32_t)h->initial, 0, 0, h->requested.start, h->reserved.start };
}

/* First pass: the instant that each column shows. */
static void choose_instants(struct layout *l)
{
	const struct mlv_view *v = l->view;
	struct mlv_stacking *out = l->out;
	struct replay r = replay_start(l);
	for (uint32_t e = 0; e < v->first; e++)
		step_sums(l, &r, e);
	int32_t filled = 0; /* columns that have an instant */
	int64_t before = (int64_t)v->first - 1;
	struct replay last = r;
	for (uint32_t e = v->first; e <= v->last && l->h->count; e++) {
		step_sums(l, &r, e);
		int32_t x = mlv_view_column(l->h, v, e);
		if (x < filled - 1)
			x = filled - 1; /* a clock that went back */
		/* Columns without events show what was left before them. */
		for (; filled < x; filled++) {
			out->instant[filled] = before;
			out->requested[filled] = last.requested;
			out->reserved[filled] = last.reserved;
		}
		if (filled == x) {
			out->instant[x] = x == 0 && last.requested > r.requested ? before : e;
			out->requested[x] = x == 0 && last.requested > r.requested ? last.requested
										   : r.requested;
			out->reserved[x] = r.reserved;
			filled++;
		} else {
			if (r.requested > out->requested[x]) {
				out->instant[x] = e;
				out->requested[x] = r.requested;
			}
			if (r.reserved > out->reserved[x])
				out->reserved[x] = r.reserved;
		}
		before = e;
		last = r;
	}
	for (; filled < v->columns; filled++) {
		out->instant[filled] = before;
		out->requested[filled] = last.requested;
		out->reserved[filled] = last.reserved;
	}
}

static bool add_shape(struct layout *l, struct mlv_shape shape, uint32_t *index)
{
	*index = (uint32_t)l->out->shapes.len;
	return mlv_vec_push(&l->out->shapes, shape) && mlv_vec_push(&l->last_piece, UINT32_MAX);
}

/* Rows r0..r1 from the bottom, in the current columns. */
static bool add_step(struct layout *l, uint32_t shape, int32_t r0, int32_t r1)
{
	struct mlv_step step = { l->x0, l->x1, l->view->rows - r1, l->view->rows - r0 };
	uint32_t last = l->last_piece.data[shape];
	if (last != UINT32_MAX) {
		struct mlv_step *s = &l->pieces.data[last].step;
		if (s->x1 == step.x0 && s->y0 == step.y0 && s->y1 == step.y1) {
			s->x1 = step.x1;
			return true;
		}
	}
	struct piece piece = { shape, step };
	l->last_piece.data[shape] = (uint32_t)l->pieces.len;
	return mlv_vec_push(&l->pieces, piece);
}

static bool other_shape(struct layout *l, uint64_t key, struct mlv_shape fresh, uint32_t *shape)
{
	struct mlv_map_slot *slot = mlv_map_find(&l->other, key);
	if (slot) {
		*shape = slot->value;
		return true;
	}
	return add_shape(l, fresh, shape) && mlv_map_set(&l->other, key, *shape);
}

/*
 * The n-th band of its class from the bottom is one shape in all columns:
 * there are never more shapes than a column has rows for each class.
 */
static bool add_band(struct layout *l, const struct run_of_rows *run)
{
	uint32_t nth = l->bands_of[run->cls]++;
	if (!nth && !mlv_vec_push(&l->banded_classes, run->cls))
		return false;
	struct mlv_shape fresh = { .alloc = MLV_NEVER, .cls = run->cls };
	uint32_t shape;
	if (!other_shape(l, (uint64_t)run->cls << 32 | nth, fresh, &shape))
		return false;
	struct mlv_shape *s = &l->out->shapes.data[shape];
	if (run->allocs > s->most_allocs)
		s->most_allocs = run->allocs;
	if (run->bytes > s->most_bytes)
		s->most_bytes = run->bytes;
	return add_step(l, shape, run->r0, run->r1);
}

/* The class that holds most of the current row gets it. */
static bool end_row(struct layout *l)
{
	if (!l->row_classes.len)
		return true;
	struct run_of_rows row = { l->row, l->row + 1, 0, l->row_allocs, 0 };
	uint64_t most = 0;
	for (size_t i = 0; i < l->row_classes.len; i++) {
		uint32_t cls = l->row_classes.data[i];
		if (l->row_bytes[cls] >= most) {
			most = l->row_bytes[cls];
			row.cls = cls;
		}
		row.bytes += l->row_bytes[cls];
		l->row_bytes[cls] = 0;
	}
	l->row_classes.len = 0;
	l->row_allocs = 0;
	if (l->runs.len) {
		struct run_of_rows *last = &l->runs.data[l->runs.len - 1];
		if (last->cls == row.cls) {
			last->r1 = row.r1;
			last->allocs += row.allocs;
			last->bytes += row.bytes;
			return true;
		}
		/* A row that nothing has its middle in belongs to what lies above. */
		row.r0 = last->r1;
	} else {
		row.r0 = l->band_bottom;
	}
	return mlv_vec_push(&l->runs, row);
}

static bool add_small(struct layout *l, uint64_t bottom, uint64_t bytes, uint32_t cls,
		      uint32_t allocs)
{
	int32_t row = (int32_t)(((double)bottom + (double)bytes / 2) * l->rows_per_byte);
	if (row < l->band_bottom)
		row = l->band_bottom;
	if (row != l->row) {
		if (!end_row(l))
			return false;
		l->row = row;
	}
	if (!l->row_bytes[cls] && !mlv_vec_push(&l->row_classes, cls))
		return false;
	l->row_bytes[cls] += bytes;
	l->row_allocs += allocs;
	return true;
}

/* The band ends below row `top`. */
static bool end_band(struct layout *l, int32_t top)
{
	if (!end_row(l))
		return false;
	bool ok = true;
	for (size_t i = 0; ok && i < l->runs.len; i++) {
		struct run_of_rows *run = &l->runs.data[i];
		if (run->r1 > top || i + 1 == l->runs.len)
			run->r1 = top;
		if (run->r0 < run->r1)
			ok = add_band(l, run);
	}
	l->runs.len = 0;
	return ok;
}

static bool add_large(struct layout *l, uint32_t alloc, int32_t r0, int32_t r1, uint32_t event)
{
	bool pending = mlv_alloc_pending(&l->h->allocs[alloc], event);
	struct mlv_shape fresh = { .alloc = alloc,
				   .cls = l->classes->of_alloc[alloc],
				   .pending = pending,
				   .most_allocs = 1,
				   .most_bytes = l->h->allocs[alloc].bytes };
	uint32_t shape = l->shape_of[alloc] - 1;
	if (pending) {
		/* No class has so high a number as to meet this key. */
		if (!other_shape(l, UINT64_MAX - alloc, fresh, &shape))
			return false;
	} else if (shape == UINT32_MAX) {
		if (!add_shape(l, fresh, &shape))
			return false;
		l->shape_of[alloc] = shape + 1;
		l->out->banded--;
	}
	return add_step(l, shape, r0, r1);
}

static void refresh(const struct layout *l, struct chunk *c, uint32_t base)
{
	uint64_t most = 0;
	for (uint64_t live = c->live; live; live &= live - 1) {
		uint32_t a = base + (uint32_t)__builtin_ctzll(live);
		if (l->h->allocs[a].bytes >= most) {
			most = l->h->allocs[a].bytes;
			c->cls = l->classes->of_alloc[a];
		}
	}
	c->stale = false;
}

static bool add_alloc(struct layout *l, uint32_t a, uint64_t *y, uint32_t event)
{
	uint64_t bytes = l->h->allocs[a].bytes;
	uint64_t bottom = *y;
	*y += bytes;
	bool narrow = l->chunks[a / CHUNK].narrow >> (a % CHUNK) & 1;
	if (narrow || (double)bytes * l->rows_per_byte < 1)
		return add_small(l, bottom, bytes, l->classes->of_alloc[a], 1);
	int32_t r0 = (int32_t)((double)bottom * l->rows_per_byte + 0.5);
	int32_t r1 = (int32_t)((double)*y * l->rows_per_byte + 0.5);
	bool ok = end_band(l, r0) && add_large(l, a, r0, r1, event);
	l->band_bottom = l->row = r1;
	return ok;
}

/* The state after `event`, for the columns x0..x1, from the bottom up. */
static bool lay_out(struct layout *l, uint32_t born, uint32_t event)
{
	uint64_t y = 0;
	for (size_t i = 0; i < l->banded_classes.len; i++)
		l->bands_of[l->banded_classes.data[i]] = 0;
	l->banded_classes.len = 0;
	l->band_bottom = l->row = 0;
	for (uint32_t base = 0; base < born; base += CHUNK) {
		struct chunk *c = &l->chunks[base / CHUNK];
		if (!c->live)
			continue;
		if ((double)c->bytes * l->rows_per_byte < 0.5) {
			if (c->stale)
				refresh(l, c, base);
			if (!add_small(l, y, c->bytes, c->cls,
				       (uint32_t)__builtin_popcountll(c->live)))
				return false;
			y += c->bytes;
			continue;
		}
		for (uint64_t live = c->live; live; live &= live - 1) {
			if (!add_alloc(l, base + (uint32_t)__builtin_ctzll(live), &y, event))
				return false;
		}
	}
	return end_band(l, (int32_t)((double)y * l->rows_per_byte + 0.5));
}

static void be_born(struct layout *l, uint32_t a)
{
	const struct mlv_alloc *x = &l->h->allocs[a];
	struct chunk *c = &l->chunks[a / CHUNK];
	c->live |= UINT64_C(1) << (a % CHUNK);
	c->bytes += x->bytes;
	c->stale = true;
	int32_t from = x->born == MLV_NEVER ? 0 : mlv_view_column(l->h, l->view, x->born);
	int32_t to =
		x->died == MLV_NEVER ? l->view->columns : mlv_view_column(l->h, l->view, x->died);
	if (to - from < 2)
		c->narrow |= UINT64_C(1) << (a % CHUNK);
}

static void die(struct layout *l, uint32_t a)
{
	struct chunk *c = &l->chunks[a / CHUNK];
	c->live &= ~(UINT64_C(1) << (a % CHUNK));
	c->bytes -= l->h->allocs[a].bytes;
	c->stale = true;
}

/* Second pass: replay, and lay the living out at each instant. */
static bool lay_out_all(struct layout *l)
{
	const struct mlv_history *h = l->h;
	const struct mlv_stacking *out = l->out;
	uint32_t next = (uint32_t)h->initial;
	for (uint32_t a = 0; a < h->initial; a++)
		be_born(l, a);
	size_t next_death = 0;
	int64_t done = -1; /* events applied so far */
	for (int32_t x = 0; x < l->view->columns; x = l->x1) {
		for (; done < out->instant[x];) {
			uint32_t e = (uint32_t)++done;
			if (dies_at(h, next_death, e))
				die(l, h->deaths[next_death++]);
			if (next < h->alloc_count && h->allocs[next].born == e)
				be_born(l, next++);
		}
		l->x0 = x;
		l->x1 = x + 1;
		while (l->x1 < l->view->columns && out->instant[l->x1] == out->instant[x])
			l->x1++;
		if (!lay_out(l, next, done < 0 ? 0 : (uint32_t)done))
			return false;
	}
	return true;
}

/* Group the pieces by shape; within one they stand by x already. */
static bool sort_pieces(struct layout *l)
{
	struct mlv_stacking *out = l->out;
	out->steps = malloc((l->pieces.len + 1) * sizeof(*out->steps));
	if (!out->steps)
		return false;
	for (size_t i = 0; i < l->pieces.len; i++)
		out->shapes.data[l->pieces.data[i].shape].steps++;
	size_t at = 0;
	for (size_t i = 0; i < out->shapes.len; i++) {
		out->shapes.data[i].first_step = at;
		at += out->shapes.data[i].steps;
		out->shapes.data[i].steps = 0;
	}
	for (size_t i = 0; i < l->pieces.len; i++) {
		struct mlv_shape *s = &out->shapes.data[l->pieces.data[i].shape];
		out->steps[s->first_step + s->steps++] = l->pieces.data[i].step;
	}
	return true;
}

static bool prepare(struct layout *l)
{
	const struct mlv_history *h = l->h;
	struct mlv_stacking *out = l->out;
	size_t columns = (size_t)l->view->columns;
	out->instant = calloc(columns, sizeof(*out->instant));
	out->requested = calloc(columns, sizeof(*out->requested));
	out->reserved = calloc(columns, sizeof(*out->reserved));
	l->chunks = mlv_zeroed(h->alloc_count / CHUNK + 1, sizeof(*l->chunks));
	l->shape_of = mlv_zeroed(h->alloc_count + 1, sizeof(*l->shape_of));
	l->row_bytes = calloc(l->classes->count + 1, sizeof(*l->row_bytes));
	l->bands_of = calloc(l->classes->count + 1, sizeof(*l->bands_of));
	if (!out->instant || !out->requested || !out->reserved || !l->chunks || !l->shape_of ||
	    !l->row_bytes || !l->bands_of)
		return false;
	return true;
}

enum mlv_rc mlv_stacking_init(struct mlv_stacking *s, const struct mlv_classes *classes,
			      const struct mlv_view *view, struct mlv_err *err)
{
	memset(s, 0, sizeof(*s));
	struct layout l;
	memset(&l, 0, sizeof(l));
	l.out = s;
	l.classes = classes;
	l.h = classes->h;
	l.view = view;
	l.rows_per_byte = (double)view->rows / (double)(view->top_bytes ? view->top_bytes : 1);
	s->banded = (uint32_t)l.h->alloc_count;
	bool ok = prepare(&l);
	if (ok) {
		choose_instants(&l);
		ok = lay_out_all(&l) && sort_pieces(&l);
	}
	free(l.chunks);
	free(l.shape_of);
	free(l.row_bytes);
	free(l.bands_of);
	mlv_vec_free(&l.banded_classes);
	mlv_map_fini(&l.other);
	mlv_vec_free(&l.pieces);
	mlv_vec_free(&l.last_piece);
	mlv_vec_free(&l.runs);
	mlv_vec_free(&l.row_classes);
	if (ok)
		return MLV_OK;
	mlv_stacking_fini(s);
	return mlv_err_nomem(err);
}

void mlv_stacking_fini(struct mlv_stacking *s)
{
	mlv_vec_free(&s->shapes);
	free(s->steps);
	free(s->instant);
	free(s->requested);
	free(s->reserved);
	memset(s, 0, sizeof(*s));
}
