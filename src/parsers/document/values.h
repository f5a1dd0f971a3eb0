/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_DOCUMENT_VALUES_H
#define MLV_PARSERS_DOCUMENT_VALUES_H
/*
 * The value machine: what a pickle or a JSON document builds while it is
 * read. Values are 64-bit words with a tag, so that the references that make
 * up most of a snapshot cost a copy. Strings are interned in the run. Lists
 * and dicts are objects; a format's hooks see their items as soon as they
 * arrive and may take them (an event becomes a row, a list of frames a
 * stack), so that only what nobody takes is stored.
 *
 * The machine has an operand stack with marks, exactly as the pickle machine
 * defines it; JSON drives the same operations.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/limits.h"
#include "base/intern.h"
#include "base/vec.h"
#include "parsers/budget.h"

typedef uint64_t mlv_word; /* low 4 bits: tag; the rest: payload */

enum mlv_tag {
	MLV_W_UNSET, /* a memo slot without value */
	MLV_W_INT,   /* payload: 60-bit signed integer */
	MLV_W_BIG,   /* payload: index of an unsigned 64-bit integer beyond that */
	MLV_W_FLOAT, /* payload: index of a double */
	MLV_W_STR,   /* payload: mlv_strid */
	MLV_W_BYTES, /* payload: mlv_strid */
	MLV_W_NONE,
	MLV_W_BOOL, /* payload: 0 or 1 */
	MLV_W_OBJ,  /* payload: index of an object */
	MLV_W_MARK,
};

static inline mlv_word mlv_word_make(enum mlv_tag tag, uint64_t payload)
{
	return payload << 4 | tag;
}

static inline enum mlv_tag mlv_word_tag(mlv_word w)
{
	return (enum mlv_tag)(w & 15);
}

static inline uint64_t mlv_word_payload(mlv_word w)
{
	return w >> 4;
}

/* What an object is. Hooks use their own kinds from MLV_OBJ_HOOK on: even ones for dicts, odd for
 * lists. */
enum { MLV_OBJ_DICT, MLV_OBJ_LIST, MLV_OBJ_TUPLE = 3, MLV_OBJ_HOOK = 4 };

enum { MLV_REF_MAX = (1 << 28) - 1 };

/* Millions of them are made for one snapshot: a kind and a reference in one word. */
struct mlv_obj {
	uint32_t kind : 4;
	uint32_t ref : 28; /* of a stored object: its first chunk, 0 = empty; a hook's: its own */
};

struct mlv_values;

/*
 * A hook is offered items that arrive at `obj` (pairs: key, value, key, value…).
 * It returns MLV_OK and sets *taken if it has taken them; an object once taken
 * keeps the kind that the hook gave it and comes back to the hook only.
 */
struct mlv_value_hooks {
	void *ctx;
	enum mlv_rc (*dict)(void *ctx, struct mlv_values *v, uint32_t obj, const mlv_word *pairs,
			    size_t words, bool *taken, struct mlv_err *err);
	enum mlv_rc (*list)(void *ctx, struct mlv_values *v, uint32_t obj, const mlv_word *items,
			    size_t words, bool *taken, struct mlv_err *err);
};

struct mlv_values {
	struct mlv_interner *strings; /* borrowed */
	struct mlv_value_hooks hooks;
	struct mlv_limits limits;
	MLV_VEC(mlv_word) stack;
	MLV_VEC(uint32_t) marks; /* positions in the stack, innermost last */
	MLV_VEC(struct mlv_obj) objs;
	MLV_VEC(mlv_word) cells; /* chunks of stored objects */
	MLV_VEC(uint64_t) bigs;
	MLV_VEC(double) floats;
	bool ended;        /* the input ended early: what closes from now on may not be whole */
	bool one_document; /* set by those who read JSON behind this document as another one */
	struct mlv_budget budget; /* set by those who read an input, behind mlv_values_init */
};

bool mlv_values_init(struct mlv_values *v, struct mlv_interner *strings,
		     const struct mlv_limits *limits, struct mlv_value_hooks hooks);
void mlv_values_fini(struct mlv_values *v);

/* Bytes that it holds. */
uint64_t mlv_values_bytes(const struct mlv_values *v);

/* Words for values. */
enum mlv_rc mlv_values_int(struct mlv_values *v, int64_t n, mlv_word *w, struct mlv_err *err);
enum mlv_rc mlv_values_uint(struct mlv_values *v, uint64_t n, mlv_word *w, struct mlv_err *err);
enum mlv_rc mlv_values_float(struct mlv_values *v, double d, mlv_word *w, struct mlv_err *err);
enum mlv_rc mlv_values_string(struct mlv_values *v, enum mlv_tag tag, const void *p, size_t n,
			      mlv_word *w, struct mlv_err *err);
enum mlv_rc mlv_values_object_slow(struct mlv_values *v, uint32_t kind, mlv_word *w,
				   struct mlv_err *err);
static inline enum mlv_rc mlv_values_object(struct mlv_values *v, uint32_t kind, mlv_word *w,
					    struct mlv_err *err)
{
	if (v->objs.len == v->objs.cap)
		return mlv_values_object_slow(v, kind, w, err);
	v->objs.data[v->objs.len] = (struct mlv_obj){ kind, 0 };
	*w = mlv_word_make(MLV_W_OBJ, v->objs.len++);
	return MLV_OK;
}

/* The operand stack. Limits are looked at when something grows. */
enum mlv_rc mlv_values_push_slow(struct mlv_values *v, mlv_word w, struct mlv_err *err);
static inline enum mlv_rc mlv_values_push(struct mlv_values *v, mlv_word w, struct mlv_err *err)
{
	if (v->stack.len == v->stack.cap)
		return mlv_values_push_slow(v, w, err);
	v->stack.data[v->stack.len++] = w;
	return MLV_OK;
}
enum mlv_rc mlv_values_mark_slow(struct mlv_values *v, struct mlv_err *err);
static inline enum mlv_rc mlv_values_mark(struct mlv_values *v, struct mlv_err *err)
{
	if (v->marks.len == v->marks.cap || v->marks.len >= v->limits.depth ||
	    v->stack.len > UINT32_MAX)
		return mlv_values_mark_slow(v, err);
	v->marks.data[v->marks.len++] = (uint32_t)v->stack.len;
	return MLV_OK;
}

/*
 * Give the words from stack position `from` on to the container that lies
 * below `from`, and remove them. MLV_E_FORMAT if it is not such a container.
 */
enum mlv_rc mlv_values_append(struct mlv_values *v, size_t from, struct mlv_err *err);
enum mlv_rc mlv_values_set_items(struct mlv_values *v, size_t from, struct mlv_err *err);

/* Store words in a list, dict or tuple object, behind those it has. */
enum mlv_rc mlv_values_store(struct mlv_values *v, uint32_t obj, const mlv_word *words, size_t n,
			     struct mlv_err *err);

/*
 * After an input that stops in the middle: close every container that is
 * still open, so that what was read hangs together. Leaves one value on the
 * stack, or none if there was none.
 */
enum mlv_rc mlv_values_unwind(struct mlv_values *v, struct mlv_err *err);

/* Reading what was built. */
static inline bool mlv_word_is_obj(const struct mlv_values *v, mlv_word w, uint32_t kind)
{
	return mlv_word_tag(w) == MLV_W_OBJ && v->objs.data[mlv_word_payload(w)].kind == kind;
}
/* Integers in int64, and bools. */
static inline bool mlv_word_int(mlv_word w, int64_t *n)
{
	if (mlv_word_tag(w) != MLV_W_INT && mlv_word_tag(w) != MLV_W_BOOL)
		return false;
	*n = (int64_t)w >> 4;
	return true;
}

/* Any integer as 64 bits; negative ones fail. */
static inline bool mlv_word_uint(const struct mlv_values *v, mlv_word w, uint64_t *n)
{
	if (mlv_word_tag(w) == MLV_W_BIG) {
		*n = v->bigs.data[mlv_word_payload(w)];
		return true;
	}
	int64_t s;
	if (!mlv_word_int(w, &s) || s < 0)
		return false;
	*n = (uint64_t)s;
	return true;
}

static inline bool mlv_word_str(mlv_word w, mlv_strid *id)
{
	if (mlv_word_tag(w) != MLV_W_STR)
		return false;
	id->i = (uint32_t)mlv_word_payload(w);
	return true;
}

struct mlv_value_iter {
	const struct mlv_values *v;
	uint32_t chunk; /* 0 = at the end */
	uint32_t i;
};

/* Over the words of a stored list, tuple or dict (key, value, …); empty for anything else. */
struct mlv_value_iter mlv_values_iter(const struct mlv_values *v, mlv_word w);
bool mlv_value_next(struct mlv_value_iter *it, mlv_word *w);
/* The last value of `key` in a stored dict; MLV_W_UNSET if it has none. */
mlv_word mlv_values_get(const struct mlv_values *v, mlv_word dict, mlv_strid key);

#endif
