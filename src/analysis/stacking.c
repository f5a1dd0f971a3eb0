/* SPDX-License-Identifier: MIT */
#include "analysis/stacking.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/bands.h"
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

struct layout {
	struct mlv_stacking *out;
	const struct mlv_classes *classes;
	const struct mlv_history *h;
	const struct mlv_view *view;
	double rows_per_byte;
	struct chunk *chunks;
	uint64_t *living;     /* a bit for each chunk in which anything lives */
	uint32_t *shape_of;   /* for each allocation: its own shape + 1, 0 = none yet */
	struct mlv_map other; /* bands and pending allocations -> shape */
	MLV_VEC(struct piece) pieces;
	MLV_VEC(uint32_t) last_piece; /* of each shape */
	struct mlv_bands bands;
	uint32_t *bands_of;               /* for each class: bands in the current columns */
	MLV_VEC(uint32_t) banded_classes; /* those that have any */
	int32_t x0, x1;                   /* columns being laid out */
};

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
static bool add_band(struct layout *l, const struct mlv_band *band)
{
	uint32_t nth = l->bands_of[band->cls]++;
	if (!nth && !mlv_vec_push(&l->banded_classes, band->cls))
		return false;
	struct mlv_shape fresh = { .alloc = MLV_NEVER, .cls = band->cls };
	uint32_t shape;
	if (!other_shape(l, (uint64_t)band->cls << 32 | nth, fresh, &shape))
		return false;
	struct mlv_shape *s = &l->out->shapes.data[shape];
	if (band->allocs > s->most_allocs)
		s->most_allocs = band->allocs;
	if (band->bytes > s->most_bytes)
		s->most_bytes = band->bytes;
	return add_step(l, shape, band->r0, band->r1);
}

/* Draw the small ones gathered so far, up to row `top`. */
static bool end_bands(struct layout *l, int32_t top)
{
	bool ok = mlv_bands_end(&l->bands, top);
	for (size_t i = 0; ok && i < l->bands.list.len; i++) {
		const struct mlv_band *band = &l->bands.list.data[i];
		if (band->r0 < band->r1)
			ok = add_band(l, band);
	}
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
		size_t shapes = l->out->shapes.len;
		if (!other_shape(l, UINT64_MAX - alloc, fresh, &shape))
			return false;
		if (l->out->shapes.len > shapes && !l->shape_of[alloc])
			l->out->banded--;
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

/* The row at this height; what lies above the plot ends at its edge. */
static int32_t row_at(const struct layout *l, uint64_t bytes)
{
	double row = (double)bytes * l->rows_per_byte + 0.5;
	return row < l->view->rows ? (int32_t)row : l->view->rows;
}

static bool add_alloc(struct layout *l, uint32_t a, uint64_t *y, uint32_t event)
{
	uint64_t bytes = l->h->allocs[a].bytes;
	uint64_t bottom = *y;
	*y += bytes;
	bool narrow = l->chunks[a / CHUNK].narrow >> (a % CHUNK) & 1;
	if (narrow || (double)bytes * l->rows_per_byte < 1)
		return mlv_bands_add(&l->bands, bottom, bytes, l->classes->of_alloc[a], 1);
	int32_t r0 = row_at(l, bottom), r1 = row_at(l, *y);
	bool ok = end_bands(l, r0) && (r0 >= r1 || add_large(l, a, r0, r1, event));
	mlv_bands_start(&l->bands, r1);
	return ok;
}

/* What lives in a chunk, from its bottom up. */
static bool add_chunk(struct layout *l, uint32_t chunk, uint64_t *y, uint32_t event)
{
	struct chunk *c = &l->chunks[chunk];
	uint32_t base = chunk * CHUNK;
	if ((double)c->bytes * l->rows_per_byte < 0.5) {
		if (c->stale)
			refresh(l, c, base);
		uint64_t bottom = *y;
		*y += c->bytes;
		return mlv_bands_add(&l->bands, bottom, c->bytes, c->cls,
				     (uint32_t)__builtin_popcountll(c->live));
	}
	for (uint64_t live = c->live; live; live &= live - 1) {
		if (!add_alloc(l, base + (uint32_t)__builtin_ctzll(live), y, event))
			return false;
	}
	return true;
}

/* The state after `event`, for the columns x0..x1, from the bottom up. */
static bool lay_out(struct layout *l, uint32_t born, uint32_t event)
{
	uint64_t y = 0;
	for (size_t i = 0; i < l->banded_classes.len; i++)
		l->bands_of[l->banded_classes.data[i]] = 0;
	l->banded_classes.len = 0;
	mlv_bands_start(&l->bands, 0);
	for (uint32_t word = 0; word <= born / CHUNK / 64; word++) {
		for (uint64_t bits = l->living[word]; bits; bits &= bits - 1) {
			uint32_t chunk = word * 64 + (uint32_t)__builtin_ctzll(bits);
			if (!add_chunk(l, chunk, &y, event))
				return false;
		}
	}
	return end_bands(l, row_at(l, y));
}

static void be_born(struct layout *l, uint32_t a)
{
	const struct mlv_alloc *x = &l->h->allocs[a];
	struct chunk *c = &l->chunks[a / CHUNK];
	c->live |= UINT64_C(1) << (a % CHUNK);
	l->living[a / CHUNK / 64] |= UINT64_C(1) << (a / CHUNK % 64);
	c->bytes += x->bytes;
	c->stale = true;
	int32_t from = x->born == MLV_NEVER ? 0 : mlv_view_column(l->h, l->view, x->born);
	int32_t to = x->died > l->view->last ? l->view->columns
					     : mlv_view_column(l->h, l->view, x->died);
	if (to - from < 2)
		c->narrow |= UINT64_C(1) << (a % CHUNK);
}

static void die(struct layout *l, uint32_t a)
{
	struct chunk *c = &l->chunks[a / CHUNK];
	c->live &= ~(UINT64_C(1) << (a % CHUNK));
	if (!c->live)
		l->living[a / CHUNK / 64] &= ~(UINT64_C(1) << (a / CHUNK % 64));
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
		for (; done < out->columns[x].event;) {
			uint32_t e = (uint32_t)++done;
			if (mlv_history_dies_at(h, next_death, e))
				die(l, h->deaths[next_death++]);
			if (mlv_history_born_at(h, next, e))
				be_born(l, next++);
		}
		l->x0 = x;
		l->x1 = x + 1;
		while (l->x1 < l->view->columns &&
		       out->columns[l->x1].event == out->columns[x].event)
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
	out->columns = mlv_view_instants(h, l->view);
	l->chunks = mlv_zeroed(h->alloc_count / CHUNK + 1, sizeof(*l->chunks));
	l->living = mlv_zeroed(h->alloc_count / CHUNK / 64 + 1, sizeof(*l->living));
	l->shape_of = mlv_zeroed(h->alloc_count + 1, sizeof(*l->shape_of));
	l->bands_of = calloc(l->classes->count + 1, sizeof(*l->bands_of));
	return mlv_bands_init(&l->bands, l->classes->count, l->rows_per_byte) && out->columns &&
	       l->chunks && l->living && l->shape_of && l->bands_of;
}

/* Allocations that live at some moment of the view. */
static uint32_t count_seen(const struct mlv_history *h, const struct mlv_view *view)
{
	uint32_t n = 0;
	for (size_t a = 0; a < h->alloc_count; a++) {
		const struct mlv_alloc *x = &h->allocs[a];
		n += (x->born == MLV_NEVER || x->born <= view->last) && x->died >= view->first;
	}
	return n;
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
	s->banded = count_seen(l.h, view);
	bool ok = prepare(&l) && lay_out_all(&l) && sort_pieces(&l);
	free(l.chunks);
	free(l.living);
	free(l.shape_of);
	free(l.bands_of);
	mlv_vec_free(&l.banded_classes);
	mlv_bands_fini(&l.bands);
	mlv_map_fini(&l.other);
	mlv_vec_free(&l.pieces);
	mlv_vec_free(&l.last_piece);
	if (ok)
		return MLV_OK;
	mlv_stacking_fini(s);
	return mlv_err_nomem(err);
}

void mlv_stacking_fini(struct mlv_stacking *s)
{
	mlv_vec_free(&s->shapes);
	free(s->steps);
	free(s->columns);
	memset(s, 0, sizeof(*s));
}
