/* SPDX-License-Identifier: MIT */
#include "parsers/python/marshal.h"

#include <stdlib.h>
#include <string.h>

enum {
	FLAG_REF = 0x80, /* later objects may refer to this one */
	DEPTH = 40,      /* a profile nests four deep */
	LONG_BITS = 15,  /* of each digit of a long integer */
};

void mlv_marshal_fini(struct mlv_marshal *m)
{
	mlv_vec_free(&m->refs);
	mlv_vec_free(&m->names);
}

/* `n` bytes, consumed; they stay where they are until the next call. NULL at the end. */
static const uint8_t *bytes(struct mlv_marshal *m, size_t n, struct mlv_err *err)
{
	if (!mlv_reader_need(m->reader, n)) {
		mlv_err_at(err, MLV_E_FORMAT, mlv_reader_offset(m->reader),
			   "the file ends within an object");
		return NULL;
	}
	const uint8_t *p = m->reader->p;
	m->reader->p += n;
	return p;
}

static uint32_t u32(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* A size of one or of four bytes, which the input must be able to hold. */
static enum mlv_rc size(struct mlv_marshal *m, bool is_short, size_t *n, struct mlv_err *err)
{
	const uint8_t *p = bytes(m, is_short ? 1 : 4, err);
	if (!p)
		return MLV_E_FORMAT;
	*n = is_short ? p[0] : u32(p);
	if (*n > INT32_MAX)
		return mlv_err_at(err, MLV_E_FORMAT, mlv_reader_offset(m->reader),
				  "an object has a negative size");
	return MLV_OK;
}

static enum mlv_rc string(struct mlv_marshal *m, enum mlv_tag tag, bool is_short, mlv_word *w,
			  struct mlv_err *err)
{
	size_t n = 0;
	enum mlv_rc rc = size(m, is_short, &n, err);
	if (!rc && n > m->values->limits.string)
		rc = mlv_err_at(err, MLV_E_FORMAT, mlv_reader_offset(m->reader),
				"a string of %zu bytes, which is no name", n);
	if (rc)
		return rc;
	const uint8_t *p = bytes(m, n, err);
	return !p ? MLV_E_FORMAT : mlv_values_string(m->values, tag, p, n, w, err);
}

/* Digits of 15 bits, least first; a negative count is the sign. None if it is too large. */
static enum mlv_rc long_integer(struct mlv_marshal *m, mlv_word *w, struct mlv_err *err)
{
	uint64_t n = 0;
	const uint8_t *p = bytes(m, 4, err);
	if (!p)
		return MLV_E_FORMAT;
	int32_t count = (int32_t)u32(p);
	size_t digits = count < 0 ? 0 - (size_t)count : (size_t)count;
	/* Nothing that a profile counts has more digits than fit 64 bits. */
	if (digits > 1000)
		return mlv_err_at(err, MLV_E_FORMAT, mlv_reader_offset(m->reader),
				  "an integer of %zu digits", digits);
	p = bytes(m, 2 * digits, err);
	if (!p)
		return MLV_E_FORMAT;
	*w = mlv_word_make(MLV_W_NONE, 0);
	for (size_t i = digits; i-- > 0;) {
		if (n >> (64 - LONG_BITS))
			return MLV_OK;
		n = n << LONG_BITS | (uint64_t)((p[2 * i] | p[2 * i + 1] << 8) & 0x7fff);
	}
	if (count < 0)
		return n > INT64_MAX ? MLV_OK : mlv_values_int(m->values, -(int64_t)n, w, err);
	return mlv_values_uint(m->values, n, w, err);
}

static enum mlv_rc real(struct mlv_marshal *m, bool is_text, mlv_word *w, struct mlv_err *err)
{
	double d = 0;
	char text[256];
	size_t n = 8;
	enum mlv_rc rc = is_text ? size(m, true, &n, err) : MLV_OK;
	if (rc)
		return rc;
	const uint8_t *p = bytes(m, n, err);
	if (!p)
		return MLV_E_FORMAT;
	if (is_text) {
		memcpy(text, p, n);
		text[n] = '\0';
		d = strtod(text, NULL);
	} else {
		uint64_t bits = u32(p) | (uint64_t)u32(p + 4) << 32;
		memcpy(&d, &bits, sizeof(d));
	}
	return mlv_values_float(m->values, d, w, err);
}

static enum mlv_rc reference(struct mlv_marshal *m, bool is_name, mlv_word *w, struct mlv_err *err)
{
	const uint8_t *p = bytes(m, 4, err);
	if (!p)
		return MLV_E_FORMAT;
	uint32_t i = u32(p);
	size_t len = is_name ? m->names.len : m->refs.len;
	*w = mlv_word_make(MLV_W_UNSET, 0);
	if (i < len)
		*w = is_name ? m->names.data[i] : m->refs.data[i];
	if (mlv_word_tag(*w) == MLV_W_UNSET)
		return mlv_err_at(err, MLV_E_FORMAT, mlv_reader_offset(m->reader) - 5,
				  "a reference to an object that is not there");
	return MLV_OK;
}

static enum mlv_rc object(struct mlv_marshal *m, unsigned depth, mlv_word *w, struct mlv_err *err);

/* The items of a tuple gather on the stack of the values. */
static enum mlv_rc tuple(struct mlv_marshal *m, bool is_short, unsigned depth, mlv_word *w,
			 struct mlv_err *err)
{
	size_t n = 0, from = m->values->stack.len;
	mlv_word item;
	enum mlv_rc rc = size(m, is_short, &n, err);
	for (size_t i = 0; i < n && !rc; i++) {
		rc = object(m, depth + 1, &item, err);
		if (!rc)
			rc = mlv_values_push(m->values, item, err);
	}
	if (!rc)
		rc = mlv_values_object(m->values, MLV_OBJ_TUPLE, w, err);
	if (!rc)
		rc = mlv_values_store(m->values, (uint32_t)mlv_word_payload(*w),
				      m->values->stack.data + from, n, err);
	m->values->stack.len = from;
	return rc;
}

static enum mlv_rc dict(struct mlv_marshal *m, unsigned depth, mlv_word *w, struct mlv_err *err)
{
	size_t from = m->values->stack.len;
	mlv_word item;
	enum mlv_rc rc = MLV_OK;
	for (bool key = true; !rc; key = !key) {
		rc = object(m, depth + 1, &item, err);
		if (!rc && key && mlv_word_tag(item) == MLV_W_UNSET)
			break;
		if (!rc)
			rc = mlv_values_push(m->values, item, err);
	}
	if (!rc)
		rc = mlv_values_object(m->values, MLV_OBJ_DICT, w, err);
	if (!rc)
		rc = mlv_values_store(m->values, (uint32_t)mlv_word_payload(*w),
				      m->values->stack.data + from, m->values->stack.len - from,
				      err);
	m->values->stack.len = from;
	return rc;
}

static enum mlv_rc of_type(struct mlv_marshal *m, uint8_t type, unsigned depth, mlv_word *w,
			   struct mlv_err *err)
{
	const uint8_t *p;
	enum mlv_rc rc;
	switch (type) {
	case '0':
		*w = mlv_word_make(MLV_W_UNSET, 0);
		return MLV_OK;
	case 'N':
		*w = mlv_word_make(MLV_W_NONE, 0);
		return MLV_OK;
	case 'T':
	case 'F':
		*w = mlv_word_make(MLV_W_BOOL, type == 'T');
		return MLV_OK;
	case 'i':
		p = bytes(m, 4, err);
		return !p ? MLV_E_FORMAT : mlv_values_int(m->values, (int32_t)u32(p), w, err);
	case 'I': /* 64 bits; Python 2 */
		p = bytes(m, 8, err);
		return !p ? MLV_E_FORMAT
			  : mlv_values_int(m->values,
					   (int64_t)(u32(p) | (uint64_t)u32(p + 4) << 32), w, err);
	case 'l':
		return long_integer(m, w, err);
	case 'g':
	case 'f':
		return real(m, type == 'f', w, err);
	case 'z':
	case 'Z':
		return string(m, MLV_W_STR, true, w, err);
	case 'a':
	case 'A':
	case 'u':
		return string(m, MLV_W_STR, false, w, err);
	case 's':
		return string(m, MLV_W_BYTES, false, w, err);
	case 't':
		rc = string(m, MLV_W_STR, false, w, err);
		if (!rc && !mlv_vec_push(&m->names, *w))
			rc = mlv_err_nomem(err);
		return rc;
	case 'R':
	case 'r':
		return reference(m, type == 'R', w, err);
	case ')':
	case '(':
		return tuple(m, type == ')', depth, w, err);
	case '{':
		return dict(m, depth, w, err);
	default:
		return mlv_err_at(err, MLV_E_FORMAT, mlv_reader_offset(m->reader) - 1,
				  "an object of type 0x%02x, which is not data of a profile", type);
	}
}

static enum mlv_rc object(struct mlv_marshal *m, unsigned depth, mlv_word *w, struct mlv_err *err)
{
	const uint8_t *p;
	size_t ref = 0;
	if (depth > DEPTH || depth > m->values->limits.depth)
		return mlv_err_at(err, MLV_E_LIMIT, mlv_reader_offset(m->reader),
				  "objects are nested too deep");
	p = bytes(m, 1, err);
	if (!p)
		return MLV_E_FORMAT;
	bool keep = *p & FLAG_REF;
	uint8_t type = *p & (uint8_t)~FLAG_REF;
	/* The index is taken before the parts of the object are read. */
	if (keep && !mlv_vec_push(&m->refs, mlv_word_make(MLV_W_UNSET, 0)))
		return mlv_err_nomem(err);
	ref = m->refs.len - 1;
	enum mlv_rc rc = of_type(m, type, depth, w, err);
	if (!rc && keep)
		m->refs.data[ref] = *w;
	return rc;
}

enum mlv_rc mlv_marshal_dict(struct mlv_marshal *m, struct mlv_err *err)
{
	const uint8_t *p;
	p = bytes(m, 1, err);
	if (!p)
		return MLV_E_FORMAT;
	if ((*p & ~FLAG_REF) != '{')
		return mlv_err_at(err, MLV_E_FORMAT, mlv_reader_offset(m->reader) - 1,
				  "not a dict");
	if ((*p & FLAG_REF) && !mlv_vec_push(&m->refs, mlv_word_make(MLV_W_UNSET, 0)))
		return mlv_err_nomem(err);
	return MLV_OK;
}

enum mlv_rc mlv_marshal_next(struct mlv_marshal *m, mlv_word *w, struct mlv_err *err)
{
	uint64_t at = mlv_reader_offset(m->reader);
	if (mlv_budget_due(&m->values->budget, at)) {
		uint64_t refs = (m->refs.len + m->names.len) * sizeof(*m->refs.data);
		enum mlv_rc rc = mlv_budget_look(&m->values->budget, at,
						 refs + mlv_values_bytes(m->values), err);
		if (rc)
			return rc;
	}
	return object(m, 1, w, err);
}
