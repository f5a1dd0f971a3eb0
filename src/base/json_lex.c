/* SPDX-License-Identifier: MIT */
/*
 * A string without escapes, nearly all of them, is found by one scan and stays
 * where it is, in the reader's bytes. Only a string with escapes is copied.
 */
#include "base/json_lex.h"

#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* What a string holds that has to be looked at again. */
struct oddities {
	bool high;    /* bytes that are not ASCII */
	bool control; /* raw control characters */
	bool escape;  /* an escape that JSON does not know */
	bool lone;    /* half a surrogate pair */
};

/* How many bytes come before a quote, a backslash or a control character. */
static size_t plain_run(const uint8_t *begin, const uint8_t *end, struct oddities *odd)
{
	const uint8_t *p = begin;
#if defined(__SSE2__)
	const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\');
	const __m128i control = _mm_set1_epi8(0x1f);
	for (; end - p >= 16; p += 16) {
		__m128i c = _mm_loadu_si128((const __m128i *)(const void *)p);
		__m128i hit = _mm_or_si128(_mm_cmpeq_epi8(c, quote), _mm_cmpeq_epi8(c, backslash));
		hit = _mm_or_si128(hit, _mm_cmpeq_epi8(_mm_min_epu8(c, control), c));
		unsigned at = (unsigned)_mm_movemask_epi8(hit);
		odd->high |= _mm_movemask_epi8(c) != 0;
		if (at)
			return (size_t)(p - begin) + (unsigned)__builtin_ctz(at);
	}
#endif
	for (; p < end && *p >= 0x20 && *p != '"' && *p != '\\'; p++)
		odd->high |= *p >= 0x80;
	return (size_t)(p - begin);
}

static void note_oddities(struct mlv_json_lex *lex, struct mlv_str s, struct oddities odd,
			  uint64_t offset)
{
	if (odd.control)
		mlv_diag_add(lex->diags, MLV_NOTE, "json-control-character", offset,
			     "a string holds a control character that is not escaped");
	if (odd.escape)
		mlv_diag_add(lex->diags, MLV_NOTE, "json-unknown-escape", offset,
			     "a string holds a backslash that begins no escape; it is kept");
	if (odd.lone)
		mlv_diag_add(lex->diags, MLV_NOTE, "json-lone-surrogate", offset,
			     "a string holds half of a surrogate pair; U+FFFD stands for it");
	for (size_t i = 0; odd.high && i < s.n;) {
		uint32_t cp;
		i += mlv_utf8_step(s.p + i, s.n - i, &cp);
		if (cp != MLV_UTF8_INVALID)
			continue;
		mlv_diag_add(lex->diags, MLV_NOTE, "json-invalid-utf8", offset,
			     "a string is not valid UTF-8");
		break;
	}
}

static enum mlv_lexed no_memory(struct mlv_json_lex *lex, struct mlv_err *err)
{
	mlv_err_nomem(err);
	mlv_err_file(err, mlv_source_name(lex->r->src));
	return MLV_LEX_FAILED;
}

static enum mlv_lexed too_long(struct mlv_json_lex *lex, const char *what, uint64_t offset,
			       struct mlv_err *err)
{
	mlv_err_at(err, MLV_E_LIMIT, offset,
		   "a %s of more than %" PRIu64 " bytes; raise it with --limit string=N", what,
		   lex->limits->string);
	mlv_err_file(err, mlv_source_name(lex->r->src));
	return MLV_LEX_FAILED;
}

/* Four hexadecimal digits, or UINT32_MAX. */
static uint32_t hex4(const uint8_t *p)
{
	uint32_t v = 0;
	for (unsigned i = 0; i < 4; i++) {
		uint8_t c = p[i], letter = c | 0x20;
		if (mlv_is_digit(c))
			v = v << 4 | (uint32_t)(c - '0');
		else if (letter >= 'a' && letter <= 'f')
			v = v << 4 | (uint32_t)(letter - 'a' + 10);
		else
			return UINT32_MAX;
	}
	return v;
}

/* \uXXXX at p, and the second half of a surrogate pair. False if it is something else. */
static bool unescape_unicode(struct mlv_json_lex *lex, struct oddities *odd)
{
	struct mlv_reader *r = lex->r;
	uint32_t cp = mlv_reader_need(r, 6) ? hex4(r->p + 2) : UINT32_MAX;
	if (cp == UINT32_MAX)
		return false;
	size_t taken = 6;
	if (cp >= 0xd800 && cp <= 0xdbff && mlv_reader_need(r, 12) && r->p[6] == '\\' &&
	    r->p[7] == 'u') {
		uint32_t low = hex4(r->p + 8);
		if (low >= 0xdc00 && low <= 0xdfff) {
			cp = 0x10000 + ((cp - 0xd800) << 10) + (low - 0xdc00);
			taken = 12;
		}
	}
	odd->lone |= cp >= 0xd800 && cp <= 0xdfff;
	char utf8[MLV_UTF8_MAX];
	mlv_buf_add(&lex->text, utf8, mlv_utf8_encode(cp, utf8));
	r->p += taken;
	return true;
}

/* The escape at p. False if the input ends in it. */
static bool unescape(struct mlv_json_lex *lex, struct oddities *odd)
{
	static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
	struct mlv_reader *r = lex->r;
	if (!mlv_reader_need(r, 2))
		return false;
	if (r->p[1] == 'u' && unescape_unicode(lex, odd))
		return true;
	const char *name = r->p[1] ? strchr(names, r->p[1]) : NULL;
	if (name) {
		mlv_buf_putc(&lex->text, values[name - names]);
		r->p += 2;
		return true;
	}
	/* Such as a Windows path: the backslash was meant as one. */
	odd->escape = true;
	mlv_buf_putc(&lex->text, '\\');
	r->p++;
	return true;
}

/* A string whose first escape comes after `i` bytes. */
static enum mlv_lexed escaped_string(struct mlv_json_lex *lex, size_t i, struct oddities odd,
				     struct mlv_json_token *token, struct mlv_err *err)
{
	struct mlv_reader *r = lex->r;
	struct mlv_buf *text = &lex->text;
	uint64_t offset = mlv_reader_offset(r);
	text->len = 0;
	mlv_buf_add(text, r->p + 1, i - 1);
	r->p += i;
	for (;;) {
		if (text->failed)
			return no_memory(lex, err);
		if (text->len > lex->limits->string)
			return too_long(lex, "string", offset, err);
		if (!mlv_reader_need(r, 1))
			return MLV_LEX_ENDED;
		size_t n = plain_run(r->p, r->end, &odd);
		mlv_buf_add(text, r->p, n);
		r->p += n;
		if (r->p == r->end)
			continue;
		if (*r->p == '"')
			break;
		if (*r->p == '\\') {
			if (!unescape(lex, &odd))
				return MLV_LEX_ENDED;
		} else {
			odd.control = true;
			mlv_buf_putc(text, (char)*r->p++);
		}
	}
	if (text->failed)
		return no_memory(lex, err);
	if (text->len > lex->limits->string)
		return too_long(lex, "string", offset, err);
	r->p++;
	token->text = (struct mlv_str){ text->data, text->len };
	note_oddities(lex, token->text, odd, offset);
	return MLV_LEX_OK;
}

enum mlv_lexed mlv_json_lex_string(struct mlv_json_lex *lex, struct mlv_json_token *token,
				   struct mlv_err *err)
{
	struct mlv_reader *r = lex->r;
	struct oddities odd = { false, false, false, false };
	size_t i = 1;
	for (;;) {
		i += plain_run(r->p + i, r->end, &odd);
		if (r->p + i == r->end) {
			if (i - 1 > lex->limits->string)
				break;
			if (!mlv_reader_fill(r, i + 1))
				return MLV_LEX_ENDED;
			continue;
		}
		if (r->p[i] == '"')
			break;
		if (r->p[i] == '\\')
			return escaped_string(lex, i, odd, token, err);
		odd.control = true;
		i++;
	}
	if (i - 1 > lex->limits->string)
		return too_long(lex, "string", mlv_reader_offset(r), err);
	token->text = (struct mlv_str){ (const char *)r->p + 1, i - 1 };
	if (odd.control || odd.high)
		note_oddities(lex, token->text, odd, mlv_reader_offset(r));
	r->p += i + 1;
	return MLV_LEX_OK;
}

/* Skip digits from `i` on; false if there is none. */
static bool digits(struct mlv_str s, size_t *i)
{
	size_t begin = *i;
	while (*i < s.n && mlv_is_digit(s.p[*i]))
		++*i;
	return *i > begin;
}

bool mlv_json_is_number(struct mlv_str s)
{
	size_t i = s.n && s.p[0] == '-', begin = i;
	if (!digits(s, &i) || (s.p[begin] == '0' && i > begin + 1))
		return false;
	if (i < s.n && s.p[i] == '.' && (++i, !digits(s, &i)))
		return false;
	if (i < s.n && (s.p[i] | 0x20) == 'e') {
		i++;
		i += i < s.n && (s.p[i] == '+' || s.p[i] == '-');
		if (!digits(s, &i))
			return false;
	}
	return i == s.n;
}

static bool in_number(uint8_t c)
{
	return mlv_is_digit(c) || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

/* The value of digits, up to the 20 that 64 bits take. False if it does not fit. */
static bool integer(const uint8_t *p, size_t n, bool negative, struct mlv_json_token *token)
{
	if (n == 0 || n > 20)
		return false;
	uint64_t v = 0;
	for (size_t i = 0; i < n; i++) {
		uint64_t digit = (uint64_t)(p[i] - '0');
		if (i >= 19 && v > (UINT64_MAX - digit) / 10)
			return false;
		v = v * 10 + digit;
	}
	if (negative && v > (uint64_t)1 << 63)
		return false;
	token->integer = (int64_t)(negative ? 0 - v : v);
	token->is_unsigned = !negative && v > INT64_MAX;
	return true;
}

enum mlv_lexed mlv_json_lex_number(struct mlv_json_lex *lex, bool whole,
				   struct mlv_json_token *token, struct mlv_err *err)
{
	struct mlv_reader *r = lex->r;
	bool negative = *r->p == '-';
	size_t i = negative, n; /* n: where the digits end */
	for (n = i; r->p + n < r->end && mlv_is_digit((char)r->p[n]); n++)
		;
	for (i = n;; i++) {
		if (r->p + i == r->end) {
			if (i > lex->limits->string)
				break;
			if (!mlv_reader_fill(r, i + 1)) {
				if (!whole)
					return MLV_LEX_ENDED;
				break;
			}
		}
		if (!in_number(r->p[i]))
			break;
		n += n == i && mlv_is_digit((char)r->p[i]);
	}
	if (i > lex->limits->string)
		return too_long(lex, "number", mlv_reader_offset(r), err);
	struct mlv_str s = { (const char *)r->p, i };
	token->text = s;
	bool exact = n == i && integer(r->p + negative, n - negative, negative, token);
	token->kind = exact ? MLV_JSON_INTEGER : MLV_JSON_NUMBER;
	if (!(exact && (s.p[0] >= '1' || n == 1)) && !mlv_json_is_number(s))
		mlv_diag_add(lex->diags, MLV_NOTE, "json-odd-number", mlv_reader_offset(r),
			     "a number is not written as JSON wants it");
	r->p += i;
	return MLV_LEX_OK;
}

static bool is_letter(uint8_t c)
{
	return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

enum mlv_lexed mlv_json_lex_name(struct mlv_json_lex *lex, struct mlv_json_token *token)
{
	static const struct {
		const char *name;
		enum mlv_json_kind kind;
	} names[] = {
		{ "true", MLV_JSON_TRUE },       { "false", MLV_JSON_FALSE },
		{ "null", MLV_JSON_NULL },       { "NaN", MLV_JSON_NUMBER },
		{ "Infinity", MLV_JSON_NUMBER }, { "-Infinity", MLV_JSON_NUMBER },
		{ "nan", MLV_JSON_NUMBER },      { "-nan", MLV_JSON_NUMBER },
		{ "inf", MLV_JSON_NUMBER },      { "-inf", MLV_JSON_NUMBER },
	};
	enum { LONGEST = sizeof("-Infinity") - 1 };
	struct mlv_reader *r = lex->r;
	size_t n = 1;
	bool more;
	while ((more = mlv_reader_need(r, n + 1)) && n <= LONGEST && is_letter(r->p[n]))
		n++;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strlen(names[i].name) != n || memcmp(names[i].name, r->p, n) != 0)
			continue;
		token->kind = names[i].kind;
		token->text = (struct mlv_str){ (const char *)r->p, n };
		if (token->kind == MLV_JSON_NUMBER)
			mlv_diag_add(lex->diags, MLV_NOTE, "json-not-finite", mlv_reader_offset(r),
				     "%s is not a number of JSON", names[i].name);
		r->p += n;
		return MLV_LEX_OK;
	}
	return more ? MLV_LEX_BAD : MLV_LEX_ENDED;
}
