/* SPDX-License-Identifier: MIT */
#include "analysis/table_diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#define XXH_INLINE_ALL
#include <xxhash.h>

bool mlv_ignores(const char *list, struct mlv_str name)
{
	for (const char *p = list; p && *p;) {
		size_t n = strcspn(p, ",");
		if (n && mlv_str_contains(name, (struct mlv_str){ p, n }))
			return true;
		p += n + (p[n] == ',');
	}
	return false;
}

/* ------------------------------------------------------------------ columns */

static size_t column_named(const struct mlv_table *t, const char *name)
{
	size_t i = 0;
	while (i < t->columns.len && strcmp(t->columns.data[i].name, name) != 0)
		i++;
	return i;
}

bool mlv_tables_share(const struct mlv_table *a, const struct mlv_table *b)
{
	/* Reports of which only the totals are left have no columns. */
	if (!a->columns.len && !b->columns.len)
		return true;
	for (size_t i = 0; i < a->columns.len; i++) {
		if (column_named(b, a->columns.data[i].name) < b->columns.len)
			return true;
	}
	return false;
}

struct matching {
	struct mlv_table_diff *d;
	const struct mlv_table *t[2];
	const char *ignore;
	size_t *column[2]; /* of each common column in each table */
	size_t strip[2];   /* bytes at the end of each subject that only name the place */
	bool one_row;
	struct mlv_map rows; /* subject and its number to row of the result */
};

static bool common_columns(struct matching *m)
{
	struct mlv_table_diff *d = m->d;
	for (size_t i = 0; i < m->t[0]->columns.len; i++) {
		const char *name = m->t[0]->columns.data[i].name;
		size_t k = column_named(m->t[1], name), n = strlen(name);
		if (k == m->t[1]->columns.len) {
			d->columns_only[0]++;
			continue;
		}
		if (mlv_ignores(m->ignore, (struct mlv_str){ name, n }))
			continue;
		m->column[0][d->columns.len] = i;
		m->column[1][d->columns.len] = k;
		struct mlv_column c = { mlv_arena_strndup(&d->texts, name, n),
					m->t[0]->columns.data[i].change };
		if (!c.name || !mlv_vec_push(&d->columns, c))
			return false;
	}
	for (size_t i = 0; i < m->t[1]->columns.len; i++)
		d->columns_only[1] += column_named(m->t[0], m->t[1]->columns.data[i].name) ==
				      m->t[0]->columns.len;
	return true;
}

static size_t common_named(const struct mlv_table_diff *d, const char *name)
{
	size_t i = 0;
	while (i < d->columns.len && strcmp(d->columns.data[i].name, name) != 0)
		i++;
	return i;
}

/* The one by which both are ranked, or the one of B, or of A; whichever is there. */
static void choose_ranking(struct matching *m)
{
	/* Of repeated runs the median, which a slow one among them does not move. */
	size_t median = common_named(m->d, "median");
	if (median < m->d->columns.len && common_named(m->d, "stddev") < m->d->columns.len) {
		m->d->by = median;
		return;
	}
	for (unsigned side = 2; side-- > 0;) {
		for (size_t i = 0; i < m->d->columns.len; i++) {
			if (m->column[side][i] == m->t[side]->by) {
				m->d->by = i;
				return;
			}
		}
	}
}

/* ------------------------------------------------------------------ rows */

/* ", rank 0" and the like, where every subject of a table ends with the same. */
static size_t common_place(const struct mlv_table *t)
{
	struct mlv_str first = t->rows.len ? t->rows.data[0].subject : MLV_STR("");
	size_t at = first.n;
	while (at > 0 && !(first.p[at - 1] == ',' && first.p[at] == ' '))
		at--;
	if (!at || t->rows.len < 2)
		return 0;
	struct mlv_str place = { first.p + at - 1, first.n - at + 1 };
	bool numbered = false;
	for (size_t i = 0; i < place.n; i++)
		numbered = numbered || mlv_is_digit(place.p[i]);
	for (size_t i = 0; numbered && i < t->rows.len; i++)
		numbered = mlv_str_has_suffix(t->rows.data[i].subject, place);
	return numbered ? place.n : 0;
}

/* " (line 12)" tells rows of one table apart; in another file they stand elsewhere. */
static size_t line_mark(struct mlv_str s)
{
	static const struct mlv_str open = MLV_STR_INIT(" (line ");
	size_t n = s.n;
	if (!n || s.p[n - 1] != ')')
		return 0;
	for (n--; n && mlv_is_digit(s.p[n - 1]);)
		n--;
	return mlv_str_has_suffix((struct mlv_str){ s.p, n }, open) ? s.n - n + open.n : 0;
}

static bool row_of(struct matching *m, uint64_t key, struct mlv_str subject, size_t *row)
{
	struct mlv_table_diff *d = m->d;
	struct mlv_map_slot *slot = mlv_map_find(&m->rows, key);
	if (slot) {
		*row = slot->value;
		return true;
	}
	struct mlv_row_diff fresh = {
		.subject = { mlv_arena_strndup(&d->texts, subject.p, subject.n), subject.n },
		.first_cell = d->cells.len
	};
	size_t columns = d->columns.len;
	*row = d->rows.len;
	if (!fresh.subject.p || !mlv_vec_room(&d->cells, columns + 1) ||
	    !mlv_vec_push(&d->rows, fresh) || !mlv_map_set(&m->rows, key, (uint32_t)*row))
		return false;
	memset(d->cells.data + d->cells.len, 0, columns * sizeof(*d->cells.data));
	d->cells.len += columns;
	return true;
}

static bool take_rows(struct matching *m, unsigned side)
{
	const struct mlv_table *t = m->t[side];
	struct mlv_map numbers = { 0 };
	bool ok = true;
	for (size_t i = 0; ok && i < t->rows.len; i++) {
		struct mlv_str subject = t->rows.data[i].subject;
		subject.n -= m->strip[side];
		subject.n -= line_mark(subject);
		if (mlv_ignores(m->ignore, subject)) {
			m->d->ignored_rows++;
			continue;
		}
		uint64_t key = m->one_row ? 0 : XXH3_64bits(subject.p, subject.n);
		struct mlv_map_slot *slot = mlv_map_find(&numbers, key);
		uint32_t number = slot ? slot->value + 1 : 0;
		size_t row;
		ok = mlv_map_set(&numbers, key, number) &&
		     row_of(m, XXH3_64bits_withSeed(&number, sizeof(number), key), subject, &row);
		if (!ok)
			break;
		struct mlv_row_diff *r = &m->d->rows.data[row];
		r->present[side] = true;
		r->line[side] = t->rows.data[i].first_line;
		for (size_t c = 0; c < m->d->columns.len; c++)
			m->d->cells.data[r->first_cell + c].side[side] =
				t->cells.data[t->rows.data[i].first_cell + m->column[side][c]];
	}
	mlv_map_fini(&numbers);
	return ok;
}

/* ------------------------------------------------------------------ cells */

static struct mlv_decimal minus(struct mlv_decimal d)
{
	d.mantissa = d.mantissa == INT64_MIN ? INT64_MAX : -d.mantissa;
	if (d.special == MLV_DECIMAL_INF)
		d.special = MLV_DECIMAL_NEG_INF;
	else if (d.special == MLV_DECIMAL_NEG_INF)
		d.special = MLV_DECIMAL_INF;
	return d;
}

/* What a row that one side lacks has there is nothing, which is 0; a lacking cell is not. */
static void compare(struct mlv_cell_diff *c, const bool *rows)
{
	const struct mlv_cell *a = &c->side[0], *b = &c->side[1];
	c->ratio = NAN;
	if (a->present && b->present) {
		double x = mlv_decimal_value(a->value), y = mlv_decimal_value(b->value);
		c->change.present = mlv_decimal_minus(b->value, a->value, &c->change.value);
		if (c->change.present && x > 0 && y >= 0 && isfinite(x) && isfinite(y))
			c->ratio = y / x;
		/* Nothing has no digits behind the point. */
		if (c->change.present && !c->change.value.mantissa)
			c->change.value.exponent = 0;
	} else if (a->present && !rows[1]) {
		c->change = (struct mlv_cell){ true, minus(a->value) };
	} else if (b->present && !rows[0]) {
		c->change = *b;
	}
}

static bool same_value(const struct mlv_cell_diff *c)
{
	const struct mlv_cell *a = &c->side[0], *b = &c->side[1];
	if (a->present != b->present)
		return false;
	if (!a->present || (a->value.special && a->value.special == b->value.special))
		return true;
	return c->change.present && !c->change.value.mantissa && !c->change.value.special;
}

/* A column of means or medians beside one of standard deviations tells of repeated runs. */
static void judge_noise(struct mlv_table_diff *d, size_t row)
{
	static const char *const centres[] = { "mean", "median" };
	struct mlv_cell_diff *cells = &d->cells.data[d->rows.data[row].first_cell];
	size_t stddev = common_named(d, "stddev");
	const struct mlv_cell_diff *spread = &cells[stddev];
	if (stddev == d->columns.len || !spread->side[0].present || !spread->side[1].present)
		return;
	double sum = hypot(mlv_decimal_value(spread->side[0].value),
			   mlv_decimal_value(spread->side[1].value));
	for (size_t i = 0; i < d->columns.len; i++) {
		bool centre = strcmp(d->columns.data[i].name, centres[0]) == 0 ||
			      strcmp(d->columns.data[i].name, centres[1]) == 0;
		if (!centre || !cells[i].change.present || !isfinite(sum))
			continue;
		cells[i].spread = sum;
		cells[i].noise = fabs(mlv_decimal_value(cells[i].change.value)) > sum
					 ? MLV_NOISE_EXCEEDED
					 : MLV_NOISE_WITHIN;
	}
}

static void compare_rows(struct mlv_table_diff *d)
{
	size_t kept = 0;
	for (size_t i = 0; i < d->rows.len; i++) {
		struct mlv_row_diff *r = &d->rows.data[i];
		bool same = r->present[0] && r->present[1];
		for (size_t c = 0; c < d->columns.len; c++) {
			struct mlv_cell_diff *cell = &d->cells.data[r->first_cell + c];
			compare(cell, r->present);
			same = same && same_value(cell);
		}
		judge_noise(d, i);
		d->same_rows += same;
		if (!same)
			d->rows.data[kept++] = *r;
	}
	d->rows.len = kept;
}

/* ------------------------------------------------------------------ order */

struct sort_key {
	int quantity; /* times first, then sizes, then counts; -1: no change that can be told */
	double size;
	uint32_t row;
	const struct mlv_table_diff *d;
};

static int by_change(const void *pa, const void *pb)
{
	const struct sort_key *a = pa, *b = pb;
	if (a->quantity != b->quantity)
		return a->quantity > b->quantity ? -1 : 1;
	if (a->size < b->size || a->size > b->size)
		return a->size > b->size ? -1 : 1;
	int c = mlv_str_cmp(a->d->rows.data[a->row].subject, a->d->rows.data[b->row].subject);
	return c ? c : (a->row > b->row) - (a->row < b->row);
}

static bool sort_rows(struct mlv_table_diff *d)
{
	size_t n = d->rows.len;
	if (!n || !d->columns.len)
		return true;
	struct sort_key *keys = malloc(n * sizeof(*keys));
	struct mlv_row_diff *sorted = malloc(n * sizeof(*sorted));
	bool ok = keys && sorted;
	for (size_t i = 0; ok && i < n; i++) {
		const struct mlv_cell *c = &mlv_cell_diff_at(d, i, d->by)->change;
		double v = c->present ? fabs(mlv_decimal_value(c->value)) : 0;
		int q = c->present ? (int)mlv_unit_quantity((enum mlv_unit)c->value.unit) : -1;
		keys[i] = (struct sort_key){ q, isnan(v) ? 0 : v, (uint32_t)i, d };
	}
	if (ok) {
		qsort(keys, n, sizeof(*keys), by_change);
		for (size_t i = 0; i < n; i++)
			sorted[i] = d->rows.data[keys[i].row];
		memcpy(d->rows.data, sorted, n * sizeof(*sorted));
	}
	free(keys);
	free(sorted);
	return ok;
}

/* ------------------------------------------------------------------ the whole */

static bool compare_totals(struct matching *m)
{
	static const bool both[2] = { true, true };
	const struct mlv_table *a = m->t[0], *b = m->t[1];
	for (size_t i = 0; i < a->totals.len; i++) {
		struct mlv_str name = a->totals.data[i].name;
		for (size_t k = 0; k < b->totals.len; k++) {
			struct mlv_total_diff t = { .name = name };
			if (!mlv_str_eq(name, b->totals.data[k].name) ||
			    mlv_ignores(m->ignore, name))
				continue;
			t.cell.side[0] = (struct mlv_cell){ true, a->totals.data[i].value };
			t.cell.side[1] = (struct mlv_cell){ true, b->totals.data[k].value };
			compare(&t.cell, both);
			if (!same_value(&t.cell) && !mlv_vec_push(&m->d->totals, t))
				return false;
			break;
		}
	}
	return true;
}

enum mlv_rc mlv_table_diff_init(struct mlv_table_diff *d, const struct mlv_table *a,
				const struct mlv_table *b, const char *ignore, struct mlv_err *err)
{
	struct matching m = { .d = d, .t = { a, b }, .ignore = ignore };
	size_t strip[2] = { common_place(a), common_place(b) };
	*d = (struct mlv_table_diff){ .title = NULL };
	d->title = mlv_arena_strndup(&d->texts, b->title, strlen(b->title));
	m.one_row = a->total_rows == 1 && b->total_rows == 1;
	for (unsigned side = 0; side < 2; side++) {
		m.strip[side] = strip[0] && strip[1] ? strip[side] : 0;
		m.column[side] = calloc(a->columns.len + 1, sizeof(*m.column[side]));
	}
	bool ok = d->title && m.column[0] && m.column[1] && common_columns(&m);
	if (ok)
		choose_ranking(&m);
	ok = ok && take_rows(&m, 0) && take_rows(&m, 1) && compare_totals(&m);
	if (ok) {
		compare_rows(d);
		ok = sort_rows(d);
	}
	mlv_map_fini(&m.rows);
	free(m.column[0]);
	free(m.column[1]);
	if (ok)
		return MLV_OK;
	mlv_table_diff_fini(d);
	return mlv_err_nomem(err);
}

void mlv_table_diff_fini(struct mlv_table_diff *d)
{
	mlv_arena_fini(&d->texts);
	mlv_vec_free(&d->columns);
	mlv_vec_free(&d->rows);
	mlv_vec_free(&d->cells);
	mlv_vec_free(&d->totals);
	*d = (struct mlv_table_diff){ 0 };
}
