/* SPDX-License-Identifier: MIT */
/* Opcodes of protocols 0 and 1 whose arguments are lines of text. */
#include "parsers/document/pickle_machine.h"

#include <stdlib.h>

enum mlv_rc mlv_pickle_line(struct machine *m, struct mlv_str *line)
{
	size_t seen = 0;
	for (;;) {
		size_t have = (size_t)(m->r->end - m->r->p);
		const uint8_t *lf = memchr(m->r->p + seen, '\n', have - seen);
		line->p = (const char *)m->r->p;
		line->n = lf ? (size_t)(lf - m->r->p) : have;
		if (line->n > m->v->limits.string)
			return mlv_err_at(m->err, MLV_E_LIMIT, m->at,
					  "a line of more than %llu bytes; raise it with "
					  "--limit string=N",
					  (unsigned long long)m->v->limits.string);
		if (lf) {
			m->r->p = lf + 1;
			return MLV_OK;
		}
		seen = have;
		if (!mlv_reader_need(m->r, have + 1))
			return mlv_pickle_ends_early(m);
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
	enum mlv_rc rc = mlv_pickle_line(m, &line);
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
		if (mlv_is_digit(c))
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
	enum mlv_rc rc = mlv_pickle_line(m, &line);
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
	enum mlv_rc rc = mlv_pickle_line(m, &line);
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

enum mlv_rc mlv_pickle_text(struct machine *m, uint8_t op)
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
		rc = mlv_pickle_line(m, &line);
		if (rc)
			return rc;
		if (!decimal(line, &index))
			return damaged(m, "a memo index that is no number");
		return op == GET ? memo_get(m, index) : mlv_pickle_memo_put(m, index);
	default:
		return mlv_err_at(m->err, MLV_E_FORMAT, m->at, "unknown pickle opcode 0x%02x", op);
	}
}
