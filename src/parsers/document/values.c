/* SPDX-License-Identifier: MIT */
#include "parsers/document/values.h"

#include <string.h>

/*
 * A stored object is a chain of chunks in `cells`:
 *   cells[c]     count of words << 32 | next chunk (0 = last)
 *   cells[c + 1] last chunk of the chain (kept in the first one only)
 *   cells[c + 2] the words
 * Chunks never move relative to the table's start, and are never freed.
 */
enum { CHUNK_HEAD = 2 };

bool mlv_values_init(struct mlv_values *v, struct mlv_interner *strings,
		     const struct mlv_limits *limits, struct mlv_value_hooks hooks)
{
	memset(v, 0, sizeof(*v));
	v->strings = strings;
	v->limits = *limits;
	if (v->limits.rows > MLV_REF_MAX)
		v->limits.rows = MLV_REF_MAX;
	v->hooks = hooks;
	/* Chunk 0 means "none". */
	return mlv_vec_push(&v->cells, 0) && mlv_vec_room(&v->stack, 1024);
}

void mlv_values_fini(struct mlv_values *v)
{
	mlv_vec_free(&v->stack);
	mlv_vec_free(&v->marks);
	mlv_vec_free(&v->objs);
	mlv_vec_free(&v->cells);
	mlv_vec_free(&v->bigs);
	mlv_vec_free(&v->floats);
}

uint64_t mlv_values_bytes(const struct mlv_values *v)
{
	return v->stack.len * sizeof(*v->stack.data) + v->marks.len * sizeof(*v->marks.data) +
	       v->objs.len * sizeof(*v->objs.data) + v->cells.len * sizeof(*v->cells.data) +
	       v->bigs.len * sizeof(*v->bigs.data) + v->floats.len * sizeof(*v->floats.data);
}

static enum mlv_rc too_many(struct mlv_values *v, struct mlv_err *err)
{
	return mlv_limits_full(&v->limits, "values at once", err);
}

enum mlv_rc mlv_values_uint(struct mlv_values *v, uint64_t n, mlv_word *w, struct mlv_err *err)
{
	if (n < UINT64_C(1) << 59) {
		*w = mlv_word_make(MLV_W_INT, n);
		return MLV_OK;
	}
	if (v->bigs.len >= v->limits.rows)
		return too_many(v, err);
	if (!mlv_vec_push(&v->bigs, n))
		return mlv_err_nomem(err);
	*w = mlv_word_make(MLV_W_BIG, v->bigs.len - 1);
	return MLV_OK;
}

enum mlv_rc mlv_values_int(struct mlv_values *v, int64_t n, mlv_word *w, struct mlv_err *err)
{
	if (n >= 0)
		return mlv_values_uint(v, (uint64_t)n, w, err);
	/* Nothing that a report counts lies below -2^59; such a number stays negative. */
	if (n < -(INT64_C(1) << 59))
		n = -(INT64_C(1) << 59);
	*w = mlv_word_make(MLV_W_INT, (uint64_t)n);
	return MLV_OK;
}

enum mlv_rc mlv_values_float(struct mlv_values *v, double d, mlv_word *w, struct mlv_err *err)
{
	if (v->floats.len >= v->limits.rows)
		return too_many(v, err);
	if (!mlv_vec_push(&v->floats, d))
		return mlv_err_nomem(err);
	*w = mlv_word_make(MLV_W_FLOAT, v->floats.len - 1);
	return MLV_OK;
}

enum mlv_rc mlv_values_string(struct mlv_values *v, enum mlv_tag tag, const void *p, size_t n,
			      mlv_word *w, struct mlv_err *err)
{
	mlv_strid id;
	if (v->strings->strings.len >= v->limits.rows)
		return too_many(v, err);
	if (!mlv_intern(v->strings, p, n, &id))
		return mlv_err_nomem(err);
	*w = mlv_word_make(tag, id.i);
	return MLV_OK;
}

enum mlv_rc mlv_values_object_slow(struct mlv_values *v, uint32_t kind, mlv_word *w,
				   struct mlv_err *err)
{
	if (v->objs.len >= v->limits.rows)
		return too_many(v, err);
	struct mlv_obj obj = { kind, 0 };
	if (!mlv_vec_push(&v->objs, obj))
		return mlv_err_nomem(err);
	*w = mlv_word_make(MLV_W_OBJ, v->objs.len - 1);
	return MLV_OK;
}

enum mlv_rc mlv_values_push_slow(struct mlv_values *v, mlv_word w, struct mlv_err *err)
{
	if (v->stack.len >= v->limits.rows)
		return too_many(v, err);
	if (!mlv_vec_push(&v->stack, w))
		return mlv_err_nomem(err);
	return MLV_OK;
}

enum mlv_rc mlv_values_mark_slow(struct mlv_values *v, struct mlv_err *err)
{
	if (v->marks.len >= v->limits.depth)
		return mlv_err_set(err, MLV_E_LIMIT,
				   "containers nested deeper than %llu; raise it with "
				   "--limit depth=N",
				   (unsigned long long)v->limits.depth);
	if (v->stack.len > UINT32_MAX || !mlv_vec_push(&v->marks, (uint32_t)v->stack.len))
		return mlv_err_nomem(err);
	return MLV_OK;
}

enum mlv_rc mlv_values_store(struct mlv_values *v, uint32_t obj, const mlv_word *words, size_t n,
			     struct mlv_err *err)
{
	if (n == 0)
		return MLV_OK;
	size_t at = v->cells.len;
	if (at + n + CHUNK_HEAD > MLV_REF_MAX || (at + n) / 2 > v->limits.rows)
		return too_many(v, err);
	if (!mlv_vec_room(&v->cells, n + CHUNK_HEAD))
		return mlv_err_nomem(err);
	mlv_word *cells = v->cells.data;
	cells[at] = (uint64_t)n << 32;
	cells[at + 1] = at;
	memcpy(cells + at + CHUNK_HEAD, words, n * sizeof(*words));
	v->cells.len += n + CHUNK_HEAD;
	uint32_t first = v->objs.data[obj].ref;
	if (!first) {
		v->objs.data[obj].ref = (uint32_t)at;
		return MLV_OK;
	}
	cells[cells[first + 1]] |= at;
	cells[first + 1] = at;
	return MLV_OK;
}

enum container { NOT_ONE, A_DICT, A_LIST };

static enum container container_kind(const struct mlv_values *v, mlv_word w)
{
	if (mlv_word_tag(w) != MLV_W_OBJ)
		return NOT_ONE;
	uint32_t kind = v->objs.data[mlv_word_payload(w)].kind;
	return kind == MLV_OBJ_TUPLE ? NOT_ONE : kind & 1 ? A_LIST : A_DICT;
}

/* What lies below `from` and may take items. */
static enum container container(const struct mlv_values *v, size_t from, uint32_t *obj)
{
	if (from == 0 || from > v->stack.len)
		return NOT_ONE;
	mlv_word w = v->stack.data[from - 1];
	*obj = (uint32_t)mlv_word_payload(w);
	return container_kind(v, w);
}

enum mlv_rc mlv_values_append(struct mlv_values *v, size_t from, struct mlv_err *err)
{
	uint32_t obj;
	if (container(v, from, &obj) != A_LIST)
		return mlv_err_set(err, MLV_E_FORMAT, "items for something that is not a list");
	const mlv_word *items = v->stack.data + from;
	size_t n = v->stack.len - from;
	bool taken = false;
	enum mlv_rc rc = MLV_OK;
	if (v->hooks.list && n)
		rc = v->hooks.list(v->hooks.ctx, v, obj, items, n, &taken, err);
	if (rc == MLV_OK && !taken && v->objs.data[obj].kind == MLV_OBJ_LIST)
		rc = mlv_values_store(v, obj, items, n, err);
	v->stack.len = from;
	return rc;
}

enum mlv_rc mlv_values_set_items(struct mlv_values *v, size_t from, struct mlv_err *err)
{
	uint32_t obj;
	if (container(v, from, &obj) != A_DICT)
		return mlv_err_set(err, MLV_E_FORMAT, "items for something that is not a dict");
	const mlv_word *pairs = v->stack.data + from;
	size_t n = (v->stack.len - from) & ~(size_t)1;
	bool taken = false;
	enum mlv_rc rc = MLV_OK;
	if (v->hooks.dict && n)
		rc = v->hooks.dict(v->hooks.ctx, v, obj, pairs, n, &taken, err);
	if (rc == MLV_OK && !taken && v->objs.data[obj].kind == MLV_OBJ_DICT)
		rc = mlv_values_store(v, obj, pairs, n, err);
	v->stack.len = from;
	return rc;
}

/* Close the container below `from`, if there is one; what cannot be placed is dropped. */
static enum mlv_rc close_from(struct mlv_values *v, size_t from, struct mlv_err *err)
{
	uint32_t obj;
	switch (container(v, from, &obj)) {
	case A_LIST:
		return mlv_values_append(v, from, err);
	case A_DICT:
		return mlv_values_set_items(v, from, err);
	case NOT_ONE:
		break;
	}
	if (from < v->stack.len)
		v->stack.len = from;
	return MLV_OK;
}

/*
 * Items given one by one have no mark: the list or dict that waits for them
 * lies one or two words below. Give them on until `base` words are left.
 */
static enum mlv_rc close_singles(struct mlv_values *v, size_t base, struct mlv_err *err)
{
	while (v->stack.len > base) {
		uint32_t obj;
		size_t top = v->stack.len;
		bool pair = container(v, top - 1, &obj) != A_LIST && top > base + 1 &&
			    container(v, top - 2, &obj) == A_DICT;
		enum mlv_rc rc = close_from(v, pair ? top - 2 : top - 1, err);
		if (rc != MLV_OK)
			return rc;
	}
	return MLV_OK;
}

/*
 * How many of the words behind a mark are for the container below it. Those
 * above them were on their way into the last one, without a mark of their own.
 */
static size_t own_words(const struct mlv_values *v, size_t from)
{
	const mlv_word *words = v->stack.data + from;
	size_t n = v->stack.len - from, i;
	uint32_t obj;
	if (container(v, from, &obj) == A_DICT) {
		/* A dict or list is no key. */
		for (i = 0; i < n; i += 2) {
			if (container_kind(v, words[i]) != NOT_ONE)
				break;
		}
		return i < n ? i : n;
	}
	/* The items of a list are alike: a dict behind a list will be its item, and what stands
	 * behind a dict is its next key. */
	for (i = 1; i < n; i++) {
		enum container kind = container_kind(v, words[i]);
		enum container before = container_kind(v, words[i - 1]);
		if (kind != container_kind(v, words[0]) &&
		    (before == A_DICT || (before == A_LIST && kind == A_DICT)))
			break;
	}
	return i < n ? i : n;
}

enum mlv_rc mlv_values_unwind(struct mlv_values *v, struct mlv_err *err)
{
	while (v->marks.len) {
		size_t from = v->marks.data[--v->marks.len];
		enum mlv_rc rc = MLV_OK;
		if (from < v->stack.len)
			rc = close_singles(v, from + own_words(v, from), err);
		if (!rc)
			rc = close_from(v, from, err);
		if (rc)
			return rc;
	}
	return close_singles(v, 1, err);
}

struct mlv_value_iter mlv_values_iter(const struct mlv_values *v, mlv_word w)
{
	struct mlv_value_iter it = { v, 0, 0 };
	if (mlv_word_tag(w) == MLV_W_OBJ) {
		const struct mlv_obj *obj = &v->objs.data[mlv_word_payload(w)];
		if (obj->kind < MLV_OBJ_HOOK)
			it.chunk = obj->ref;
	}
	return it;
}

bool mlv_value_next(struct mlv_value_iter *it, mlv_word *w)
{
	if (!it->chunk)
		return false;
	const mlv_word *chunk = it->v->cells.data + it->chunk;
	*w = chunk[CHUNK_HEAD + it->i];
	if (++it->i == chunk[0] >> 32) {
		it->chunk = (uint32_t)chunk[0];
		it->i = 0;
	}
	return true;
}

mlv_word mlv_values_get(const struct mlv_values *v, mlv_word dict, mlv_strid key)
{
	mlv_word found = mlv_word_make(MLV_W_UNSET, 0);
	if (!mlv_word_is_obj(v, dict, MLV_OBJ_DICT))
		return found;
	struct mlv_value_iter it = mlv_values_iter(v, dict);
	mlv_word k, value;
	while (mlv_value_next(&it, &k) && mlv_value_next(&it, &value)) {
		if (k == mlv_word_make(MLV_W_STR, key.i))
			found = value;
	}
	return found;
}
