/* SPDX-License-Identifier: MIT */
/* Opcodes that are rare in a snapshot, and those that are refused. */
#include "parsers/document/pickle_machine.h"

static uint64_t little_endian(const uint8_t *p, size_t n)
{
	uint64_t v = 0;
	for (size_t i = 0; i < n; i++)
		v |= (uint64_t)p[i] << (8 * i);
	return v;
}

enum mlv_rc mlv_pickle_ends_early(struct machine *m)
{
	const struct mlv_err *cause = &m->r->err;
	if (cause->rc == MLV_E_NOMEM || cause->rc == MLV_E_LIMIT) {
		*m->err = *cause;
		return cause->rc;
	}
	m->ended = true;
	uint64_t end = mlv_reader_offset(m->r) + (uint64_t)(m->r->end - m->r->p);
	return mlv_err_at(m->err, MLV_E_FORMAT, end, "%s",
			  cause->rc ? cause->msg : "the file ends in the middle of the pickle");
}

enum mlv_rc mlv_pickle_memo_slow(struct machine *m)
{
	if (m->v->stack.len == 0)
		return damaged(m, "nothing to remember");
	if (m->memo.len >= m->v->limits.memo)
		return mlv_err_at(m->err, MLV_E_LIMIT, m->at,
				  "more than %llu memo slots; raise it with --limit memo=N",
				  (unsigned long long)m->v->limits.memo);
	mlv_word w = m->v->stack.data[m->v->stack.len - 1];
	if (w > UINT32_MAX) {
		if (m->wide.len >= UINT32_MAX >> 4 || !mlv_vec_push(&m->wide, w))
			return mlv_err_nomem(m->err);
		w = (m->wide.len - 1) << 4 | WIDE;
	}
	return mlv_vec_push(&m->memo, (uint32_t)w) ? MLV_OK : mlv_err_nomem(m->err);
}

enum mlv_rc mlv_pickle_memo_put(struct machine *m, uint64_t index)
{
	/* Every memo slot costs a byte at least: a larger index is damage, not data. */
	if (index > m->at)
		return damaged(m, "memo index out of reach");
	while (m->memo.len < index && m->v->stack.len) {
		enum mlv_rc rc = memo_next(m);
		if (rc)
			return rc;
		m->memo.data[m->memo.len - 1] = MLV_W_UNSET;
	}
	if (index >= m->memo.len)
		return memo_next(m);
	/* Out of turn: remember it in the next slot, and move it from there. */
	enum mlv_rc rc = memo_next(m);
	if (!rc)
		m->memo.data[index] = m->memo.data[--m->memo.len];
	return rc;
}

/*
 * LONG1 and LONG4: two's complement of any length, 9 bytes for an unsigned
 * 64-bit number.
 */
static enum mlv_rc push_long(struct machine *m, const uint8_t *p, size_t n)
{
	mlv_word w = mlv_word_make(MLV_W_INT, 0);
	enum mlv_rc rc = MLV_OK;
	bool negative = n && p[n - 1] & 0x80;
	while (n > 1 && p[n - 1] == (negative ? 0xff : 0))
		n--;
	if (n > 8 || (n == 8 && negative && !(p[n - 1] & 0x80))) {
		/* No address and no size: as JSON does, keep about what it is. */
		double d = 0;
		for (size_t i = n; i-- > 0;)
			d = d * 256 + (uint8_t)(negative ? ~p[i] : p[i]);
		return push_float(m, negative ? -d - 1 : d);
	}
	uint64_t u = little_endian(p, n);
	if (negative && n < 8)
		u |= UINT64_MAX << (8 * n);
	rc = negative ? mlv_values_int(m->v, (int64_t)u, &w, m->err)
		      : mlv_values_uint(m->v, u, &w, m->err);
	return rc ? rc : mlv_values_push(m->v, w, m->err);
}

/* `n` bytes of a string whose length has been read. */
static enum mlv_rc push_string(struct machine *m, enum mlv_tag tag, uint64_t n)
{
	if (n > m->v->limits.string)
		return mlv_err_at(m->err, MLV_E_LIMIT, m->at,
				  "a string of %llu bytes; raise it with --limit string=N",
				  (unsigned long long)n);
	if (!mlv_reader_need(m->r, (size_t)n))
		return mlv_pickle_ends_early(m);
	enum mlv_rc rc = push_bytes(m, tag, m->r->p, (size_t)n);
	m->r->p += n;
	return rc;
}

static enum mlv_rc pop_mark(struct machine *m, size_t *from)
{
	if (m->v->marks.len == 0)
		return damaged(m, "an end without its mark");
	*from = m->v->marks.data[--m->v->marks.len];
	if (*from > m->v->stack.len)
		return damaged(m, "an end below its mark");
	return MLV_OK;
}

/* Make the words from `from` on one new object. */
static enum mlv_rc collect(struct machine *m, uint32_t kind, size_t from)
{
	mlv_word obj;
	if (from > m->v->stack.len)
		return damaged(m, "too few values");
	enum mlv_rc rc =
		mlv_values_object(m->v, kind == MLV_OBJ_DICT ? kind : MLV_OBJ_LIST, &obj, m->err);
	if (!rc)
		rc = mlv_values_push(m->v, obj, m->err);
	if (rc)
		return rc;
	/* Slide the container below its items. */
	mlv_word *words = m->v->stack.data + from;
	memmove(words + 1, words, (m->v->stack.len - 1 - from) * sizeof(*words));
	words[0] = obj;
	rc = kind == MLV_OBJ_DICT ? mlv_values_set_items(m->v, from + 1, m->err)
				  : mlv_values_append(m->v, from + 1, m->err);
	struct mlv_obj *made = &m->v->objs.data[mlv_word_payload(obj)];
	if (kind == MLV_OBJ_TUPLE && made->kind == MLV_OBJ_LIST)
		made->kind = MLV_OBJ_TUPLE;
	return rc;
}

static enum mlv_rc collect_marked(struct machine *m, uint32_t kind)
{
	size_t from = 0;
	enum mlv_rc rc = pop_mark(m, &from);
	return rc ? rc : collect(m, kind, from);
}

enum mlv_rc mlv_pickle_items(struct machine *m, bool dict)
{
	size_t from = 0;
	enum mlv_rc rc = pop_mark(m, &from);
	if (rc)
		return rc;
	if (dict && (m->v->stack.len - from) % 2)
		return damaged(m, "a key without its value");
	return dict ? mlv_values_set_items(m->v, from, m->err)
		    : mlv_values_append(m->v, from, m->err);
}

static enum mlv_rc items_single(struct machine *m, bool dict)
{
	size_t n = dict ? 2 : 1;
	if (m->v->stack.len < n)
		return damaged(m, "too few values");
	size_t from = m->v->stack.len - n;
	return dict ? mlv_values_set_items(m->v, from, m->err)
		    : mlv_values_append(m->v, from, m->err);
}

static enum mlv_rc refuse(struct machine *m, uint8_t op)
{
	char what[160] = "";
	struct mlv_str module, name;
	struct mlv_err ignored = MLV_ERR_INIT, *err = m->err;
	m->err = &ignored;
	if ((op == GLOBAL || op == INST) && mlv_pickle_line(m, &module) == MLV_OK) {
		size_t n = module.n < 60 ? module.n : 60;
		memcpy(what, module.p, n);
		what[n] = '.';
		if (mlv_pickle_line(m, &name) == MLV_OK)
			memcpy(what + n + 1, name.p, name.n < 60 ? name.n : 60);
	} else if (op == STACK_GLOBAL && m->v->stack.len >= 2) {
		mlv_strid a, b;
		if (mlv_word_str(m->v->stack.data[m->v->stack.len - 2], &a) &&
		    mlv_word_str(m->v->stack.data[m->v->stack.len - 1], &b)) {
			module = mlv_str_get(m->v->strings, a);
			name = mlv_str_get(m->v->strings, b);
			size_t n = module.n < 60 ? module.n : 60;
			memcpy(what, module.p, n);
			what[n] = '.';
			memcpy(what + n + 1, name.p, name.n < 60 ? name.n : 60);
		}
	}
	m->err = err;
	return mlv_err_at(
		m->err, MLV_E_UNSUPPORTED, m->at,
		"this pickle would run code when loaded%s%s; refused, nothing was executed",
		*what ? ": it names " : "", what);
}

static enum mlv_rc binary_string(struct machine *m, enum mlv_tag tag, size_t width)
{
	if (!mlv_reader_need(m->r, width))
		return mlv_pickle_ends_early(m);
	uint64_t n = little_endian(m->r->p, width);
	m->r->p += width;
	return push_string(m, tag, n);
}

static enum mlv_rc rare_fixed(struct machine *m, uint8_t op)
{
	static const uint8_t widths[] = {
		[BINFLOAT] = 8, [LONG1] = 1,  [LONG4] = 4,       [FRAME] = 8,
		[PROTO] = 1,    [BINPUT] = 1, [LONG_BINPUT] = 4,
	};
	size_t width = widths[op];
	if (!mlv_reader_need(m->r, width))
		return mlv_pickle_ends_early(m);
	const uint8_t *p = m->r->p;
	m->r->p += width;
	if (op == PROTO) {
		if (*p > 5)
			mlv_diag_add(m->diags, MLV_NOTE, "pickle-protocol", m->at,
				     "pickle protocol %u is newer than those mlviz knows (0 to 5)",
				     *p);
		return MLV_OK;
	}
	if (op == FRAME)
		return MLV_OK; /* only tells a reader how much to buffer */
	if (op == BINPUT || op == LONG_BINPUT)
		return mlv_pickle_memo_put(m, little_endian(p, width));
	if (op == LONG1 || op == LONG4) {
		uint64_t n = little_endian(p, width);
		if (n > 1024)
			return damaged(m, "an integer of more than 8192 bits");
		if (!mlv_reader_need(m->r, n))
			return mlv_pickle_ends_early(m);
		enum mlv_rc rc = push_long(m, m->r->p, n);
		m->r->p += n;
		return rc;
	}
	uint64_t bits = 0;
	for (size_t i = 0; i < 8; i++)
		bits = bits << 8 | p[i];
	double d;
	memcpy(&d, &bits, sizeof(d));
	return push_float(m, d);
}

enum mlv_rc mlv_pickle_rare(struct machine *m, uint8_t op)
{
	struct mlv_values *v = m->v;
	size_t from = 0;
	enum mlv_rc rc;
	switch (op) {
	case STOP:
		m->stopped = true;
		return MLV_OK;
	case NONE:
		return mlv_values_push(v, mlv_word_make(MLV_W_NONE, 0), m->err);
	case NEWTRUE:
	case NEWFALSE:
		return mlv_values_push(v, mlv_word_make(MLV_W_BOOL, op == NEWTRUE), m->err);
	case SHORT_BINUNICODE:
		return binary_string(m, MLV_W_STR, 1);
	case BINUNICODE:
		return binary_string(m, MLV_W_STR, 4);
	case BINUNICODE8:
		return binary_string(m, MLV_W_STR, 8);
	case BINSTRING:
		return binary_string(m, MLV_W_STR, 4);
	case SHORT_BINSTRING:
		return binary_string(m, MLV_W_STR, 1);
	case SHORT_BINBYTES:
		return binary_string(m, MLV_W_BYTES, 1);
	case BINBYTES:
		return binary_string(m, MLV_W_BYTES, 4);
	case BINBYTES8:
	case BYTEARRAY8:
		return binary_string(m, MLV_W_BYTES, 8);
	case EMPTY_TUPLE:
		return push_object(m, MLV_OBJ_TUPLE);
	case EMPTY_SET:
		return push_object(m, MLV_OBJ_LIST);
	case TUPLE1:
	case TUPLE2:
	case TUPLE3:
		return collect(m, MLV_OBJ_TUPLE, v->stack.len - (size_t)(op - TUPLE1 + 1));
	case TUPLE:
		return collect_marked(m, MLV_OBJ_TUPLE);
	case LIST:
	case FROZENSET:
		return collect_marked(m, MLV_OBJ_LIST);
	case DICT:
		return collect_marked(m, MLV_OBJ_DICT);
	case APPEND:
		return items_single(m, false);
	case SETITEM:
		return items_single(m, true);
	case ADDITEMS:
		return mlv_pickle_items(m, false);
	case POP:
		/* Popping a mark is allowed: POP on an empty frame takes the mark. */
		if (v->marks.len && v->marks.data[v->marks.len - 1] == v->stack.len)
			v->marks.len--;
		else if (v->stack.len)
			v->stack.len--;
		return MLV_OK;
	case POP_MARK:
		rc = pop_mark(m, &from);
		if (!rc)
			v->stack.len = from;
		return rc;
	case DUP:
		if (!v->stack.len)
			return damaged(m, "nothing to duplicate");
		return mlv_values_push(v, v->stack.data[v->stack.len - 1], m->err);
	case PROTO:
	case FRAME:
	case LONG1:
	case LONG4:
	case BINFLOAT:
	case BINPUT:
	case LONG_BINPUT:
		return rare_fixed(m, op);
	case GLOBAL:
	case STACK_GLOBAL:
	case REDUCE:
	case BUILD:
	case NEWOBJ:
	case NEWOBJ_EX:
	case INST:
	case OBJ:
	case PERSID:
	case BINPERSID:
	case EXT1:
	case EXT2:
	case EXT4:
		return refuse(m, op);
	default:
		return mlv_pickle_text(m, op);
	}
}
