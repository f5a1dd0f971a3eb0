/* SPDX-License-Identifier: MIT */
/*
 * The process groups of a flight-recorder dump. "pg_config" has them by name;
 * "pg_status" tells how far each has come, but by a number that the process
 * gave it. Which is whose: the entries of the ring hold both; a group
 * without entries is told by the order, for both count in the order in which
 * the groups were made.
 */
#include "parsers/distributed/fr_build.h"

#include <stdlib.h>

struct status {
	int64_t id; /* the process's own number of the group */
	int64_t enqueued, started, completed;
	int64_t row; /* of groups; -1 not known yet */
};

struct named {
	int64_t number; /* the group's name */
	uint32_t row;
};

enum mlv_rc mlv_fr_group(struct mlv_fr *f, mlv_strid name, mlv_strid desc, uint32_t *row,
			 struct mlv_err *err)
{
	struct mlv_map_slot *slot = mlv_map_find(&f->group_rows, name.i);
	if (slot) {
		struct mlv_group *g = &f->run->groups.data[slot->value];
		*row = slot->value;
		if (!g->description.i)
			g->description = desc;
		return MLV_OK;
	}
	struct mlv_group g = { .name = name,
			       .description = desc,
			       .last_enqueued = -1,
			       .last_started = -1,
			       .last_completed = -1 };
	*row = (uint32_t)f->run->groups.len;
	if (f->run->groups.len >= UINT32_MAX || !mlv_vec_push(&f->run->groups, g) ||
	    !mlv_map_set(&f->group_rows, name.i, *row))
		return mlv_err_nomem(err);
	return MLV_OK;
}

/* "[0, 1, 2]", a text, into f->text as "0,1,2". Returns their number, 0 if it is something else. */
static uint32_t members_of_text(struct mlv_fr *f, struct mlv_str s)
{
	uint32_t count = 0;
	bool within = false;
	f->text.len = 0;
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];
		bool digit = mlv_is_digit(c);
		if (!digit && c != ' ' && c != ',' && c != '[' && c != ']')
			return 0;
		if (digit && !within) {
			if (count++)
				mlv_buf_putc(&f->text, ',');
		}
		if (digit)
			mlv_buf_putc(&f->text, c);
		within = digit;
	}
	return count;
}

static uint32_t members_of_list(struct mlv_fr *f, mlv_word list)
{
	struct mlv_value_iter it = mlv_values_iter(&f->values, list);
	uint32_t count = 0;
	int64_t n;
	mlv_word w;
	f->text.len = 0;
	while (mlv_value_next(&it, &w) && mlv_fr_work(f, 1)) {
		if (!mlv_fr_int(f, w, &n) || n < 0)
			return 0;
		if (count++)
			mlv_buf_putc(&f->text, ',');
		mlv_buf_int(&f->text, n);
	}
	return count;
}

static enum mlv_rc read_members(struct mlv_fr *f, mlv_word ranks, uint32_t row, struct mlv_err *err)
{
	struct mlv_group *g = &f->run->groups.data[row];
	mlv_strid text;
	uint32_t count = 0;
	if (mlv_fr_is_list(f, ranks))
		count = members_of_list(f, ranks);
	else if (mlv_word_str(ranks, &text) && mlv_fr_work(f, mlv_run_str(f->run, text).n / 4))
		count = members_of_text(f, mlv_run_str(f->run, text));
	if (f->text.failed ||
	    (count && !mlv_intern(&f->run->strings, f->text.data, f->text.len, &g->members)))
		return mlv_err_nomem(err);
	g->member_count = count;
	return MLV_OK;
}

enum mlv_rc mlv_fr_read_config(struct mlv_fr *f, mlv_word config, struct mlv_err *err)
{
	struct mlv_value_iter it = mlv_values_iter(&f->values, config);
	mlv_word key, value, fields[W_COUNT];
	mlv_strid name, desc;
	enum mlv_rc rc = MLV_OK;
	uint32_t row;
	if (!mlv_word_is_obj(&f->values, config, MLV_OBJ_DICT))
		return MLV_OK;
	while (!rc && mlv_value_next(&it, &key) && mlv_value_next(&it, &value)) {
		if (!mlv_word_str(key, &name) || !mlv_word_is_obj(&f->values, value, MLV_OBJ_DICT))
			continue;
		mlv_fr_fields(f, value, fields);
		desc = MLV_STR_NONE;
		(void)mlv_word_str(fields[W_DESC], &desc);
		rc = mlv_fr_group(f, name, desc, &row, err);
		if (!rc)
			rc = read_members(f, fields[W_RANKS], row, err);
	}
	return rc;
}

static int by_number(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b; /* the first member of both */
	return (x > y) - (x < y);
}

/* The groups whose name is a number, in that order. NULL when memory runs out. */
static struct named *by_name(const struct mlv_fr *f, size_t *count)
{
	size_t n = f->run->groups.len;
	struct named *list = calloc(n ? n : 1, sizeof(*list));
	*count = 0;
	for (size_t i = 0; list && i < n; i++) {
		mlv_word w = mlv_word_make(MLV_W_STR, f->run->groups.data[i].name.i);
		int64_t number;
		if (mlv_fr_int(f, w, &number))
			list[(*count)++] = (struct named){ number, (uint32_t)i };
	}
	if (list)
		qsort(list, *count, sizeof(*list), by_number);
	return list;
}

/* Groups of which the entries do not tell the number: the n-th number is the n-th name, if the
 * entries do not say otherwise. */
static bool pair_by_order(const struct mlv_fr *f, struct status *list, size_t count)
{
	size_t names;
	struct named *named = by_name(f, &names);
	if (!named)
		return false;
	bool fits = names == count && names == f->run->groups.len;
	for (size_t i = 0; fits && i < count; i++)
		fits = list[i].row < 0 || list[i].row == named[i].row;
	for (size_t i = 0; fits && i < count; i++)
		list[i].row = named[i].row;
	free(named);
	return true;
}

static size_t gather(struct mlv_fr *f, mlv_word status, struct status *list, size_t room)
{
	struct mlv_value_iter it = mlv_values_iter(&f->values, status);
	mlv_word key, value, fields[W_COUNT];
	size_t n = 0;
	while (n < room && mlv_value_next(&it, &key) && mlv_value_next(&it, &value)) {
		struct status s = { .enqueued = -1, .started = -1, .completed = -1, .row = -1 };
		if (!mlv_fr_int(f, key, &s.id) || !mlv_word_is_obj(&f->values, value, MLV_OBJ_DICT))
			continue;
		mlv_fr_fields(f, value, fields);
		(void)mlv_fr_int(f, fields[W_LAST_ENQUEUED], &s.enqueued);
		(void)mlv_fr_int(f, fields[W_LAST_STARTED], &s.started);
		(void)mlv_fr_int(f, fields[W_LAST_COMPLETED], &s.completed);
		struct mlv_map_slot *slot = mlv_map_find(&f->pg_rows, (uint64_t)s.id);
		if (slot)
			s.row = slot->value;
		list[n++] = s;
	}
	return n;
}

static void state(struct mlv_fr *f, struct status *s, size_t row)
{
	struct mlv_group *g = &f->run->groups.data[row];
	s->row = (int64_t)row;
	g->last_enqueued = s->enqueued;
	g->last_started = s->started;
	g->last_completed = s->completed;
	g->has_status = true;
}

/* One number and one group that are left belong together. */
static void pair_last(struct mlv_fr *f, struct status *list, size_t count)
{
	size_t open = 0, bare = 0, which = 0, row = 0;
	for (size_t i = 0; i < count; i++) {
		if (list[i].row < 0) {
			open++;
			which = i;
		}
	}
	for (size_t i = 0; i < f->run->groups.len; i++) {
		if (!f->run->groups.data[i].has_status) {
			bare++;
			row = i;
		}
	}
	if (open == 1 && bare == 1)
		state(f, &list[which], row);
}

static void keep(struct mlv_fr *f, struct status *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (list[i].row >= 0)
			state(f, &list[i], (size_t)list[i].row);
	}
	pair_last(f, list, count);
	for (size_t i = 0; i < count; i++) {
		if (list[i].row >= 0)
			continue;
		mlv_diag_add(&f->run->diags, MLV_NOTE, "fr-status", MLV_NO_OFFSET,
			     "the status of process group number %lld (last enqueued %lld, last "
			     "completed %lld) belongs to a group that neither the entries nor the "
			     "order of the groups tell",
			     (long long)list[i].id, (long long)list[i].enqueued,
			     (long long)list[i].completed);
	}
}

enum mlv_rc mlv_fr_read_status(struct mlv_fr *f, mlv_word status, struct mlv_err *err)
{
	struct mlv_value_iter it = mlv_values_iter(&f->values, status);
	size_t room = 0;
	mlv_word w;
	if (!mlv_word_is_obj(&f->values, status, MLV_OBJ_DICT))
		return MLV_OK;
	while (mlv_value_next(&it, &w))
		room++;
	struct status *list = calloc(room ? room : 1, sizeof(*list));
	if (!list)
		return mlv_err_nomem(err);
	size_t count = gather(f, status, list, room);
	qsort(list, count, sizeof(*list), by_number);
	bool ok = pair_by_order(f, list, count);
	if (ok)
		keep(f, list, count);
	free(list);
	return ok ? MLV_OK : mlv_err_nomem(err);
}
