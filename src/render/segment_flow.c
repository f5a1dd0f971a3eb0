/* SPDX-License-Identifier: MIT */
/* Which groups have a heading of their own, the scale, and the places of rows. */
#include "render/segment_flow.h"

#include "render/segment_walk.h"

enum {
	MARGIN = 4,    /* between rows */
	ROW_LEAST = 9, /* heights of rows, with the margin */
	ROW_GOOD = 19,
	ROW_MOST = 34,
	WIDTH_LEAST = 100,
};

/* Rows that groups need which share a part, at the coarsest scale: a narrow bar each. */
static size_t rows_shared(const struct mlv_segment_flow *f, size_t groups)
{
	size_t in_row = (size_t)(f->width / (MLV_FLOW_NARROW + 1 + MLV_FLOW_GAP));
	return (groups + in_row - 1) / in_row;
}

static size_t rows_at(struct mlv_segment_walk *w, double scale, size_t most)
{
	w->scale = scale;
	w->most = most;
	w->keep = false;
	mlv_segment_walk_all(w);
	return w->rows;
}

/*
 * The finest scale at which all rows fit. It is not strictly so that a coarser one needs fewer
 * rows: steps of a few percent find one that fits. Rows that would break all segments only to
 * fill the page are not worth it: then the longest segment fills its row.
 */
static void choose_scale(struct mlv_segment_walk *w, int32_t height)
{
	uint64_t total = 0, longest = 0;
	size_t most = (size_t)(height / ROW_GOOD), least = w->f->parts.len;
	const struct mlv_flow_part *last = &w->f->parts.data[least - 1];
	if (last->groups > 1)
		least += rows_shared(w->f, last->groups) - 1;
	most = most < least ? least : most;
	for (size_t i = 0; i < w->m->segments.len; i++) {
		uint64_t bytes = w->m->segments.data[i].bytes;
		total += bytes;
		longest = bytes > longest ? bytes : longest;
	}
	double scale = (double)total / (double)w->f->width / (double)most;
	scale = scale < 1 ? 1 : scale;
	double whole = (double)longest / w->f->width;
	while (rows_at(w, scale, most) > most)
		scale *= 1.03;
	if (scale < whole && rows_at(w, whole, most) * ROW_MOST * 10 >= (size_t)height * 5)
		scale = whole;
	w->f->bytes_per_pixel = scale;
}

/* Rows and headings, one below the other. */
static void place(struct mlv_segment_flow *f, int32_t height)
{
	int32_t room = height - (int32_t)f->parts.len * MLV_FLOW_HEADING, y = 0;
	int32_t pitch = f->rows.len ? room / (int32_t)f->rows.len : ROW_MOST;
	pitch = pitch > ROW_MOST ? ROW_MOST : pitch;
	f->bar_height = pitch - MARGIN;
	for (size_t i = 0, row = 0; i < f->parts.len; i++) {
		size_t end = i + 1 < f->parts.len ? (size_t)f->parts.data[i + 1].y : f->rows.len;
		f->parts.data[i].y = y;
		y += MLV_FLOW_HEADING;
		for (; row < end; row++, y += pitch)
			f->rows.data[row].y = y;
	}
}

struct sized {
	size_t group;
	uint64_t bytes;
};

static int by_bytes(const void *pa, const void *pb)
{
	const struct sized *a = pa, *b = pb;
	if (a->bytes != b->bytes)
		return a->bytes > b->bytes ? -1 : 1;
	return (a->group > b->group) - (a->group < b->group);
}

static int by_group(const void *pa, const void *pb)
{
	const struct sized *a = pa, *b = pb;
	return (a->group > b->group) - (a->group < b->group);
}

/* How many groups can have a part of their own; SIZE_MAX: there is no room for any picture. */
static size_t own_parts(const struct mlv_segment_flow *f, size_t n, int32_t height)
{
	for (size_t own = n;; own--) {
		size_t shared = rows_shared(f, n - own);
		size_t parts = own + (shared > 0), rows = own + shared;
		if (parts * MLV_FLOW_HEADING + rows * ROW_LEAST <= (size_t)height)
			return own;
		if (!own)
			return SIZE_MAX;
	}
}

/* A part for each group; where there is no room, the smallest groups share the last part. */
static bool make_parts(struct mlv_segment_flow *f, const struct mlv_segment_map *m, size_t own)
{
	size_t n = m->groups.len;
	struct sized *sized = mlv_zeroed(n + 1, sizeof(*sized));
	f->order = mlv_zeroed(n + 1, sizeof(*f->order));
	bool ok = sized && f->order;
	for (size_t i = 0; ok && i < n; i++)
		sized[i] = (struct sized){ i, m->groups.data[i].bytes };
	if (ok && own < n) {
		qsort(sized, n, sizeof(*sized), by_bytes);
		qsort(sized, own, sizeof(*sized), by_group);
	}
	for (size_t i = 0; ok && i < n; i++) {
		f->order[i] = sized[i].group;
		if (i <= own)
			ok = mlv_vec_push(&f->parts, ((struct mlv_flow_part){ 0, i, 0 }));
		if (ok)
			f->parts.data[f->parts.len - 1].groups++;
	}
	free(sized);
	return ok;
}

enum mlv_rc mlv_segment_flow_init(struct mlv_segment_flow *f, const struct mlv_segment_map *m,
				  int32_t width, int32_t height, struct mlv_err *err)
{
	*f = (struct mlv_segment_flow){ .width = width, .bytes_per_pixel = 1 };
	size_t own = width < WIDTH_LEAST ? SIZE_MAX : own_parts(f, m->groups.len, height);
	if (own == SIZE_MAX)
		return mlv_err_set(err, MLV_E_USAGE,
				   "the picture is too small for a segment map; choose a larger "
				   "--size");
	struct mlv_segment_walk w = { .f = f, .m = m };
	bool ok = make_parts(f, m, own);
	if (ok && f->parts.len) {
		choose_scale(&w, height - (int32_t)f->parts.len * MLV_FLOW_HEADING);
		w.scale = f->bytes_per_pixel;
		w.most = SIZE_MAX - 1;
		w.keep = true;
		ok = mlv_segment_walk_all(&w);
	}
	if (!ok) {
		mlv_segment_flow_fini(f);
		return mlv_err_nomem(err);
	}
	place(f, height);
	return MLV_OK;
}

void mlv_segment_flow_fini(struct mlv_segment_flow *f)
{
	mlv_vec_free(&f->cells);
	mlv_vec_free(&f->bars);
	mlv_vec_free(&f->rows);
	mlv_vec_free(&f->parts);
	free(f->order);
	f->order = NULL;
}
