/* SPDX-License-Identifier: MIT */
#include "analysis/table_build.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool mlv_table_column(struct mlv_table_builder *b, const char *name, bool change)
{
	struct mlv_table *t = b->t;
	struct mlv_column c = { mlv_arena_strndup(&t->texts, name, strlen(name)), change };
	return c.name && mlv_vec_push(&t->columns, c);
}

static bool wanted(const struct mlv_table_options *o, struct mlv_str subject)
{
	if (!o->grep || !*o->grep)
		return true;
	return mlv_str_contains(subject, mlv_str_of(o->grep));
}

bool mlv_table_has(const struct mlv_table_builder *b, uint64_t key)
{
	return mlv_map_find(&b->ids, key) != NULL;
}

struct mlv_cell *mlv_table_row(struct mlv_table_builder *b, uint64_t key, const char *subject,
			       uint32_t line)
{
	struct mlv_table *t = b->t;
	struct mlv_map_slot *slot = mlv_map_find(&b->ids, key);
	if (slot)
		return &t->cells.data[t->rows.data[slot->value].first_cell];
	size_t n = strlen(subject);
	struct mlv_table_row row = { { mlv_arena_strndup(&t->texts, subject, n), n },
				     line,
				     t->cells.len };
	if (!row.subject.p || !mlv_vec_room(&t->cells, t->columns.len) ||
	    !mlv_vec_push(&t->rows, row) || !mlv_map_set(&b->ids, key, (uint32_t)t->rows.len - 1))
		return NULL;
	memset(t->cells.data + t->cells.len, 0, t->columns.len * sizeof(*t->cells.data));
	t->cells.len += t->columns.len;
	return &t->cells.data[row.first_cell];
}

static int64_t plus(int64_t a, int64_t b)
{
	int64_t sum;
	return __builtin_add_overflow(a, b, &sum) ? (b > 0 ? INT64_MAX : INT64_MIN) : sum;
}

void mlv_cell_add(struct mlv_cell *c, int64_t n, enum mlv_unit unit)
{
	c->value = mlv_decimal_int(c->present ? plus(c->value.mantissa, n) : n, unit);
	c->present = true;
}

void mlv_cell_raise(struct mlv_cell *c, int64_t n, enum mlv_unit unit)
{
	if (!c->present || n > c->value.mantissa)
		c->value = mlv_decimal_int(n, unit);
	c->present = true;
}

/*
 * Order by one column: numbers descending, empty cells last, then by subject.
 * A column may hold unlike quantities (bytes of some counters, counts of
 * others), which are not compared: times come first, then sizes, then counts.
 */
struct sort_key {
	double value;
	int quantity; /* -1: empty */
	uint32_t row;
	const struct mlv_table *t;
};

static int by_value(const void *pa, const void *pb)
{
	const struct sort_key *a = pa, *b = pb;
	if (a->quantity != b->quantity)
		return a->quantity > b->quantity ? -1 : 1;
	if (a->value < b->value || a->value > b->value)
		return a->value > b->value ? -1 : 1;
	int c = mlv_str_cmp(a->t->rows.data[a->row].subject, a->t->rows.data[b->row].subject);
	return c ? c : (a->row > b->row) - (a->row < b->row);
}

static bool sort_rows(struct mlv_table *t)
{
	size_t n = t->rows.len;
	/* A table without rows has no memory either, and memcpy wants some. */
	if (!n)
		return true;
	struct sort_key *keys = malloc(n * sizeof(*keys));
	struct mlv_table_row *sorted = malloc(n * sizeof(*sorted));
	bool ok = keys && sorted;
	for (size_t i = 0; ok && i < n; i++) {
		const struct mlv_cell *c = &t->cells.data[t->rows.data[i].first_cell + t->by];
		double v = c->present ? mlv_decimal_value(c->value) : 0;
		int q = c->present ? (int)mlv_unit_quantity((enum mlv_unit)c->value.unit) : -1;
		keys[i] = (struct sort_key){ isnan(v) ? -INFINITY : v, q, (uint32_t)i, t };
	}
	if (ok) {
		qsort(keys, n, sizeof(*keys), by_value);
		for (size_t i = 0; i < n; i++)
			sorted[i] = t->rows.data[keys[i].row];
		memcpy(t->rows.data, sorted, n * sizeof(*sorted));
	}
	free(keys);
	free(sorted);
	return ok;
}

static bool same_name(const char *column, const char *by)
{
	return strncasecmp(column, by, strlen(by)) == 0;
}

/* "Self CPU, Self CUDA": each name once, whatever the number of tables that have it. */
static void name_columns(const struct mlv_table *t, struct mlv_buf *names)
{
	for (size_t i = 0; i < t->columns.len; i++) {
		struct mlv_str name = mlv_str_of(t->columns.data[i].name), rest;
		rest = (struct mlv_str){ names->data, names->len };
		bool there = false;
		while (rest.n && !there) {
			ptrdiff_t comma = mlv_str_find(rest, ", ");
			there = mlv_str_eq(mlv_str_head(rest, comma < 0 ? rest.n : (size_t)comma),
					   name);
			rest = mlv_str_from(rest, comma < 0 ? rest.n : (size_t)comma + 2);
		}
		if (there)
			continue;
		mlv_buf_puts(names, names->len ? ", " : "");
		mlv_buf_str(names, name);
	}
}

/* Choose the column to rank by: the whole name first, then a beginning of one. */
static enum mlv_rc finish(struct mlv_table_builder *f, size_t otherwise, struct mlv_err *err)
{
	struct mlv_table *t = f->t;
	bool found = !f->o->by;
	t->by = otherwise;
	for (size_t pass = 0; pass < 2 && !found; pass++) {
		for (size_t i = 0; i < t->columns.len && !found; i++) {
			found = pass ? same_name(t->columns.data[i].name, f->o->by)
				     : strcasecmp(t->columns.data[i].name, f->o->by) == 0;
			if (found)
				t->by = i;
		}
	}
	mlv_map_fini(&f->ids);
	t->total_rows = t->rows.len;
	if (!found) {
		if (f->o->others)
			name_columns(t, f->o->others);
		return mlv_err_set(err, MLV_E_USAGE, "--by %s: there is no such column", f->o->by);
	}
	if (t->columns.len && !sort_rows(t))
		return mlv_err_nomem(err);
	size_t kept = 0;
	for (size_t i = 0; i < t->rows.len; i++) {
		if (wanted(f->o, t->rows.data[i].subject))
			t->rows.data[kept++] = t->rows.data[i];
	}
	t->rows.len = kept;
	return MLV_OK;
}

enum mlv_rc mlv_table_begin(struct mlv_table_builder *b, struct mlv_table *t, const char *title,
			    const char *const *columns, size_t count,
			    const struct mlv_table_options *o, struct mlv_err *err)
{
	memset(t, 0, sizeof(*t));
	memset(b, 0, sizeof(*b));
	b->t = t;
	b->o = o;
	t->title = mlv_arena_strndup(&t->texts, title, strlen(title));
	bool ok = t->title != NULL;
	for (size_t i = 0; ok && i < count; i++)
		ok = mlv_table_column(b, columns[i], false);
	if (ok)
		return MLV_OK;
	mlv_table_fini(t);
	return mlv_err_nomem(err);
}

enum mlv_rc mlv_table_end(struct mlv_table_builder *b, bool ok, size_t otherwise,
			  struct mlv_err *err)
{
	enum mlv_rc rc = ok ? finish(b, otherwise, err) : mlv_err_nomem(err);
	mlv_map_fini(&b->ids);
	if (rc)
		mlv_table_fini(b->t);
	return rc;
}

void mlv_table_fini(struct mlv_table *t)
{
	mlv_arena_fini(&t->texts);
	mlv_vec_free(&t->columns);
	mlv_vec_free(&t->rows);
	mlv_vec_free(&t->cells);
	mlv_vec_free(&t->totals);
	memset(t, 0, sizeof(*t));
}
