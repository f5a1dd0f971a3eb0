/* SPDX-License-Identifier: MIT */
/*
 * Most bytes of a snapshot are memo references, marks, integers and small
 * containers, so those run in one tight loop over the bytes at hand (`hot`);
 * all other opcodes go through `rare`. Opcode names are those of Python's
 * pickletools, where their arguments are documented too.
 */
#include "parsers/pickle.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

struct machine {
	struct mlv_values *v;
	struct mlv_reader *r;
	MLV_VEC(mlv_word) memo;
	struct mlv_err *err;
	struct mlv_diags *diags;
	uint64_t at;  /* offset of the current opcode */
	bool stopped; /* STOP was met */
	bool ended;   /* the bytes ended before */
};

/* clang-format off */
enum {
	MARK = '(', STOP = '.', POP = '0', POP_MARK = '1', DUP = '2', FLOAT = 'F', INT = 'I',
	BININT = 'J', BININT1 = 'K', LONG = 'L', BININT2 = 'M', NONE = 'N', PERSID = 'P',
	BINPERSID = 'Q', REDUCE = 'R', STRING = 'S', BINSTRING = 'T', SHORT_BINSTRING = 'U',
	UNICODE = 'V', BINUNICODE = 'X', APPEND = 'a', BUILD = 'b', GLOBAL = 'c', DICT = 'd',
	APPENDS = 'e', GET = 'g', BINGET = 'h', INST = 'i', LONG_BINGET = 'j', LIST = 'l',
	OBJ = 'o', PUT = 'p', BINPUT = 'q', LONG_BINPUT = 'r', SETITEM = 's', TUPLE = 't',
	SETITEMS = 'u', BINFLOAT = 'G', EMPTY_LIST = ']', EMPTY_TUPLE = ')', EMPTY_DICT = '}',
	BINBYTES = 'B', SHORT_BINBYTES = 'C', PROTO = 0x80, NEWOBJ = 0x81, EXT1 = 0x82,
	EXT2 = 0x83, EXT4 = 0x84, TUPLE1 = 0x85, TUPLE2 = 0x86, TUPLE3 = 0x87, NEWTRUE = 0x88,
	NEWFALSE = 0x89, LONG1 = 0x8a, LONG4 = 0x8b, SHORT_BINUNICODE = 0x8c,
	BINUNICODE8 = 0x8d, BINBYTES8 = 0x8e, EMPTY_SET = 0x8f, ADDITEMS = 0x90,
	FROZENSET = 0x91, NEWOBJ_EX = 0x92, STACK_GLOBAL = 0x93, MEMOIZE = 0x94, FRAME = 0x95,
	BYTEARRAY8 = 0x96,
};
/* clang-format on */

static uint64_t little_endian(const uint8_t *p, size_t n)
{
	uint64_t v = 0;
	for (size_t i = 0; i < n; i++)
		v |= (uint64_t)p[i] << (8 * i);
	return v;
}

static inline uint32_t load32(const uint8_t *p)
{
	uint32_t v;
	memcpy(&v, p, sizeof(v));
	return le32toh(v);
}

static inline uint64_t load64(const uint8_t *p)
{
	uint64_t v;
	memcpy(&v, p, sizeof(v));
	return le64toh(v);
}

static enum mlv_rc damaged(struct machine *m, const char *what)
{
	return mlv_err_at(m->err, MLV_E_FORMAT, m->at, "%s", what);
}

static enum mlv_rc ends_early(struct machine *m)
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

/* Remember the top of the stack in the next slot. */
static inline enum mlv_rc memo_next(struct machine *m)
{
	if (m->v->stack.len == 0)
		return damaged(m, "nothing to remember");
	if (m->memo.len >= m->v->limits.memo)
		return mlv_err_at(m->err, MLV_E_LIMIT, m->at,
				  "more than %llu memo slots; raise the limit with --limit memo=N",
				  (unsigned long long)m->v->limits.memo);
	if (!mlv_vec_push(&m->memo, m->v->stack.data[m->v->stack.len - 1]))
		return mlv_err_nomem(m->err);
	return MLV_OK;
}

/* The same in any slot. Writers number them one after the other; `hot` leaves others to `rare`. */
static enum mlv_rc memo_put(struct machine *m, uint64_t index)
{
	/* Every memo slot costs a byte at least: a larger index is damage, not data. */
	if (index > m->at)
		return damaged(m, "memo index out of reach");
	while (m->memo.len < index && m->v->stack.len) {
		enum mlv_rc rc = memo_next(m);
		if (rc)
			return rc;
		m->memo.data[m->memo.len - 1] = mlv_word_make(MLV_W_UNSET, 0);
	}
	if (index >= m->memo.len)
		return memo_next(m);
	if (m->v->stack.len == 0)
		return damaged(m, "nothing to remember");
	m->memo.data[index] = m->v->stack.data[m->v->stack.len - 1];
	return MLV_OK;
}

static enum mlv_rc memo_get(struct machine *m, uint64_t index)
{
	if (index >= m->memo.len || mlv_word_tag(m->memo.data[index]) == MLV_W_UNSET)
		return damaged(m, "memo entry that was never set");
	return mlv_values_push(m->v, m->memo.data[index], m->err);
}

static enum mlv_rc push_object(struct machine *m, uint32_t kind)
{
	mlv_word w;
	enum mlv_rc rc = mlv_values_object(m->v, kind, &w, m->err);
	return rc ? rc : mlv_values_push(m->v, w, m->err);
}

static enum mlv_rc push_float(struct machine *m, double d)
{
	mlv_word w;
	enum mlv_rc rc = mlv_values_float(m->v, d, &w, m->err);
	return rc ? rc : mlv_values_push(m->v, w, m->err);
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

static inline enum mlv_rc push_bytes(struct machine *m, enum mlv_tag tag, const uint8_t *p,
				     size_t n)
{
	mlv_word w;
	enum mlv_rc rc = mlv_values_string(m->v, tag, p, n, &w, m->err);
	return rc ? rc : mlv_values_push(m->v, w, m->err);
}

/* `n` bytes of a string whose length has been read. */
static enum mlv_rc push_string(struct machine *m, enum mlv_tag tag, uint64_t n)
{
	if (n > m->v->limits.string)
		return mlv_err_at(m->err, MLV_E_LIMIT, m->at,
				  "a string of %llu bytes; raise the limit with --limit string=N",
				  (unsigned long long)n);
	if (!mlv_reader_need(m->r, (size_t)n))
		return ends_early(m);
	enum mlv_rc rc = push_bytes(m, tag, m->r->p, (size_t)n);
	m->r->p += n;
	return rc;
}

/* The argument of the text opcodes of protocol 0: up to a line feed, which is consumed. */
static enum mlv_rc read_line(struct machine *m, struct mlv_str *line)
{
	size_t seen = 0;
	for (;;) {
		size_t have = (size_t)(m->r->end - m->r->p);
		const uint8_t *lf = memchr(m->r->p + seen, '\n', have - seen);
		line->p = (const char *)m->r->p;
		line->n = lf ? (size_t)(lf - m->r->p) : have;
		if (line->n > m->v->limits.string)
			return mlv_err_at(m->err, MLV_E_LIMIT, m->at,
					  "a line of more than %llu bytes; raise the limit with "
					  "--limit string=N",
					  (unsigned long long)m->v->limits.string);
		if (lf) {
			m->r->p = lf + 1;
			return MLV_OK;
		}
		seen = have;
		if (!mlv_reader_need(m->r, have + 1))
			return ends_early(m);
	}
}

/* The digits of a line as an unsigned number; nothing else may stand there. */
static bool decimal(struct mlv_str s, uint64_t *n)
{
	*n = 0;
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] < '0' || s.p[i] > '9' || __builtin_mul_overflow(*n, 10, n) ||
		    __builtin_add_overflow(*n, (uint64_t)(s.p[i] - '0'), n))
			return false;
	}
	return s.n > 0;
}

/* INT, LONG (which ends with L) and FLOAT; integers beyond 64 bits become floats. */
static enum mlv_rc push_text_number(struct machine *m, uint8_t op)
{
	struct mlv_str line;
	enum mlv_rc rc = read_line(m, &line);
	if (rc)
		return rc;
	if (op == INT && line.n == 2 && line.p[0] == '0' && (line.p[1] == '0' || line.p[1] == '1'))
		return mlv_values_push(m->v, mlv_word_make(MLV_W_BOOL, line.p[1] == '1'), m->err);
	if (op == LONG && line.n && line.p[line.n - 1] == 'L')
		line.n--;
	bool negative = line.n && line.p[0] == '-';
	struct mlv_str digits = { line.p + negative, line.n - negative };
	uint64_t n;
	mlv_word w;
	if (op != FLOAT && decimal(digits, &n) && (!negative || n <= INT64_MAX)) {
		rc = negative ? mlv_values_int(m->v, -(int64_t)n, &w, m->err)
			      : mlv_values_uint(m->v, n, &w, m->err);
		return rc ? rc : mlv_values_push(m->v, w, m->err);
	}
	char text[400], *end;
	if (line.n == 0 || line.n >= sizeof(text) || strchr(" \t\v\f\r", line.p[0]))
		return damaged(m, "a number that is none");
	memcpy(text, line.p, line.n);
	text[line.n] = '\0';
	double d = strtod(text, &end);
	return *end || end != text + line.n ? damaged(m, "a number that is none")
					    : push_float(m, d);
}

static size_t put_utf8(char *out, uint32_t c)
{
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	for (size_t i = n - 1; i > 0; i--, c >>= 6)
		out[i] = (char)(0x80 | (c & 0x3f));
	out[0] = (char)((0xf00u >> n & 0xf0) | c);
	return n;
}

static bool hex(const char *p, size_t digits, uint32_t *value)
{
	uint32_t n = 0;
	for (size_t i = 0; i < digits; i++) {
		char c = p[i];
		if (c >= '0' && c <= '9')
			n = n << 4 | (uint32_t)(c - '0');
		else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
			n = n << 4 | (uint32_t)((c | 0x20) - 'a' + 10);
		else
			return false;
	}
	*value = n;
	return true;
}

/* UNICODE: raw-unicode-escape, that is Latin-1 with \uXXXX and \UXXXXXXXX. */
static enum mlv_rc push_text_unicode(struct machine *m)
{
	struct mlv_str line;
	enum mlv_rc rc = read_line(m, &line);
	if (rc)
		return rc;
	char *out = malloc(line.n * 2 + 4);
	if (!out)
		return mlv_err_nomem(m->err);
	size_t n = 0;
	for (size_t i = 0; i < line.n;) {
		uint32_t c = (uint8_t)line.p[i];
		size_t digits = 0;
		if (c == '\\' && i + 1 < line.n)
			digits = line.p[i + 1] == 'u' ? 4 : line.p[i + 1] == 'U' ? 8 : 0;
		if (digits && i + 2 + digits <= line.n && hex(line.p + i + 2, digits, &c))
			i += digits + 1;
		i++;
		n += put_utf8(out + n, c > 0x10ffff ? 0xfffd : c);
	}
	mlv_word w;
	rc = mlv_values_string(m->v, MLV_W_STR, out, n, &w, m->err);
	free(out);
	return rc ? rc : mlv_values_push(m->v, w, m->err);
}

/* STRING: quoted, as Python 2 wrote it; escapes are left as they are. */
static enum mlv_rc push_text_string(struct machine *m)
{
	struct mlv_str line;
	enum mlv_rc rc = read_line(m, &line);
	if (rc)
		return rc;
	if (line.n >= 2 && (line.p[0] == '\'' || line.p[0] == '"')) {
		line.p++;
		line.n -= 2;
	}
	mlv_word w;
	rc = mlv_values_string(m->v, MLV_W_STR, line.p, line.n, &w, m->err);
	return rc ? rc : mlv_values_push(m->v, w, m->err);
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

static enum mlv_rc items_marked(struct machine *m, bool dict)
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
	if ((op == GLOBAL || op == INST) && read_line(m, &module) == MLV_OK) {
		size_t n = module.n < 60 ? module.n : 60;
		memcpy(what, module.p, n);
		what[n] = '.';
		if (read_line(m, &name) == MLV_OK)
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
		return ends_early(m);
	uint64_t n = little_endian(m->r->p, width);
	m->r->p += width;
	return push_string(m, tag, n);
}

static enum mlv_rc rare_text(struct machine *m, uint8_t op)
{
	struct mlv_str line;
	uint64_t index;
	enum mlv_rc rc;
	switch (op) {
	case INT:
	case LONG:
	case FLOAT:
		return push_text_number(m, op);
	case STRING:
		return push_text_string(m);
	case UNICODE:
		return push_text_unicode(m);
	case GET:
	case PUT:
		rc = read_line(m, &line);
		if (rc)
			return rc;
		if (!decimal(line, &index))
			return damaged(m, "a memo index that is no number");
		return op == GET ? memo_get(m, index) : memo_put(m, index);
	default:
		return mlv_err_at(m->err, MLV_E_FORMAT, m->at, "unknown pickle opcode 0x%02x", op);
	}
}

static enum mlv_rc rare_fixed(struct machine *m, uint8_t op)
{
	static const uint8_t widths[] = {
		[BINFLOAT] = 8, [LONG1] = 1,  [LONG4] = 4,       [FRAME] = 8,
		[PROTO] = 1,    [BINPUT] = 1, [LONG_BINPUT] = 4,
	};
	size_t width = widths[op];
	if (!mlv_reader_need(m->r, width))
		return ends_early(m);
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
		return memo_put(m, little_endian(p, width));
	if (op == LONG1 || op == LONG4) {
		uint64_t n = little_endian(p, width);
		if (n > 1024)
			return damaged(m, "an integer of more than 8192 bits");
		if (!mlv_reader_need(m->r, n))
			return ends_early(m);
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

/* All opcodes that `hot` does not handle. */
static enum mlv_rc rare(struct machine *m, uint8_t op)
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
		return items_marked(m, false);
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
		return rare_text(m, op);
	}
}

/* Bytes behind an opcode that `hot` may read whatever it is. */
enum { MARGIN = 16 };

/* The length of an opcode that `hot` always takes, with its argument; 0 = another one. */
static size_t hot_length(const uint8_t *p)
{
	switch (*p) {
	case MARK:
	case MEMOIZE:
	case EMPTY_DICT:
	case EMPTY_LIST:
	case SETITEMS:
	case APPENDS:
		return 1;
	case BINGET:
	case BININT1:
		return 2;
	case BININT2:
		return 3;
	case LONG_BINGET:
	case BININT:
		return 5;
	case LONG1:
		return p[1] <= 8 ? 2 + (size_t)p[1] : 0;
	default:
		return 0;
	}
}

/* LONG1 of up to 8 bytes: shift the number to the top, and back with its sign. */
static enum mlv_rc hot_long(struct machine *m, const uint8_t *p, size_t n)
{
	mlv_word w = mlv_word_make(MLV_W_INT, 0);
	enum mlv_rc rc = MLV_OK;
	if (n) {
		unsigned spare = 64 - 8 * (unsigned)n;
		int64_t v = (int64_t)(load64(p) << spare) >> spare;
		rc = mlv_values_int(m->v, v, &w, m->err);
	}
	return rc ? rc : mlv_values_push(m->v, w, m->err);
}

/*
 * The opcodes that make up a snapshot, as long as MARGIN bytes are at hand.
 * Stops before any other opcode and after an error; returns where it stands.
 */
static const uint8_t *hot(struct machine *m, const uint8_t *p, const uint8_t *end, enum mlv_rc *rc)
{
	struct mlv_values *v = m->v;
	while (end - p >= MARGIN) {
		size_t length = 1;
		switch (*p) {
		case LONG_BINGET:
			length = 5;
			*rc = memo_get(m, load32(p + 1));
			break;
		case BINGET:
			length = 2;
			*rc = memo_get(m, p[1]);
			break;
		case MEMOIZE:
			*rc = memo_next(m);
			break;
		case LONG1:
			length = 2 + (size_t)p[1];
			if (p[1] > 8)
				return p;
			*rc = hot_long(m, p + 2, p[1]);
			break;
		case MARK:
			*rc = mlv_values_mark(v, m->err);
			break;
		case BININT1:
			length = 2;
			*rc = mlv_values_push(v, mlv_word_make(MLV_W_INT, p[1]), m->err);
			break;
		case BININT2:
			length = 3;
			*rc = mlv_values_push(
				v, mlv_word_make(MLV_W_INT, (uint64_t)(p[1] | p[2] << 8)), m->err);
			break;
		case BININT:
			length = 5;
			*rc = mlv_values_push(
				v,
				mlv_word_make(MLV_W_INT, (uint64_t)(int64_t)(int32_t)load32(p + 1)),
				m->err);
			break;
		case EMPTY_DICT:
			*rc = push_object(m, MLV_OBJ_DICT);
			break;
		case EMPTY_LIST:
			*rc = push_object(m, MLV_OBJ_LIST);
			break;
		case SETITEMS:
			*rc = items_marked(m, true);
			break;
		case APPENDS:
			*rc = items_marked(m, false);
			break;
		case BINPUT:
			length = 2;
			if (p[1] != m->memo.len)
				return p;
			*rc = memo_next(m);
			break;
		case LONG_BINPUT:
			length = 5;
			if (load32(p + 1) != m->memo.len)
				return p;
			*rc = memo_next(m);
			break;
		case SHORT_BINUNICODE:
			length = 2 + (size_t)p[1];
			if ((size_t)(end - p) < length)
				return p;
			*rc = push_bytes(m, MLV_W_STR, p + 2, p[1]);
			break;
		default:
			return p;
		}
		if (*rc)
			return p;
		p += length;
	}
	return p;
}

/* The last few bytes: one opcode from a copy that is long enough. */
static enum mlv_rc hot_at_end(struct machine *m, bool *known)
{
	uint8_t copy[2 * MARGIN] = { 0 };
	size_t left = (size_t)(m->r->end - m->r->p);
	memcpy(copy, m->r->p, left);
	size_t length = hot_length(copy);
	*known = length > 0;
	if (!length)
		return MLV_OK;
	if (length > left)
		return ends_early(m);
	enum mlv_rc rc = MLV_OK;
	(void)hot(m, copy, copy + MARGIN, &rc);
	m->r->p += length;
	return rc;
}

static enum mlv_rc run(struct machine *m)
{
	struct mlv_reader *r = m->r;
	enum mlv_rc rc = MLV_OK;
	while (!m->stopped) {
		bool known = false;
		r->p = hot(m, r->p, r->end, &rc);
		m->at = mlv_reader_offset(r);
		if (rc) {
			m->err->offset = m->at; /* `hot` does not keep count */
			return rc;
		}
		if (r->end - r->p < MARGIN && !mlv_reader_fill(r, MARGIN)) {
			if (r->p == r->end)
				return ends_early(m);
			rc = hot_at_end(m, &known);
		} else if (hot_length(r->p)) {
			continue; /* there was too little at hand, and now there is enough */
		}
		if (!rc && !known) {
			r->p++;
			rc = rare(m, r->p[-1]);
		}
		if (rc)
			return rc;
	}
	return MLV_OK;
}

/* What stands behind STOP: nothing, in a file that one process wrote once. */
static void check_rest(struct machine *m)
{
	uint64_t rest = 0, at = mlv_reader_offset(m->r);
	while (mlv_reader_need(m->r, 1)) {
		rest += (uint64_t)(m->r->end - m->r->p);
		m->r->p = m->r->end;
	}
	if (m->r->err.rc)
		mlv_diag_from_err(m->diags, "input-truncated", &m->r->err);
	if (rest)
		mlv_diag_add(m->diags, MLV_DAMAGE, "pickle-trailing-bytes", at,
			     "%llu bytes follow the end of the pickle: two processes wrote this "
			     "file, or a shorter dump was written over a longer one",
			     (unsigned long long)rest);
}

enum mlv_rc mlv_pickle_read(struct mlv_values *v, struct mlv_reader *r, mlv_word *result,
			    struct mlv_diags *diags, struct mlv_err *err)
{
	struct mlv_err stop = MLV_ERR_INIT;
	struct machine m = { .v = v, .r = r, .diags = diags, .err = &stop };
	enum mlv_rc rc = run(&m);
	if (rc == MLV_E_FORMAT) {
		if (stop.offset == MLV_NO_OFFSET)
			stop.offset = m.at;
		mlv_diag_from_err(diags, m.ended ? "input-truncated" : "pickle-damaged", &stop);
		stop = MLV_ERR_INIT;
		rc = MLV_OK;
		v->ended = true;
	}
	if (rc == MLV_OK)
		rc = mlv_values_unwind(v, &stop);
	if (rc == MLV_OK && m.stopped)
		check_rest(&m);
	mlv_vec_free(&m.memo);
	if (rc) {
		if (stop.offset == MLV_NO_OFFSET)
			stop.offset = m.at;
		if (err && !err->rc)
			*err = stop;
		return rc;
	}
	*result = v->stack.len ? v->stack.data[0] : mlv_word_make(MLV_W_UNSET, 0);
	return MLV_OK;
}
