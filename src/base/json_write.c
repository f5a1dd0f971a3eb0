/* SPDX-License-Identifier: MIT */
#include "base/json_write.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/json_lex.h"
#include "base/utf8.h"

void mlv_json_init(struct mlv_json *j, struct mlv_buf *out)
{
	memset(j, 0, sizeof(*j));
	j->out = out;
}

void mlv_json_init_compact(struct mlv_json *j, struct mlv_buf *out)
{
	mlv_json_init(j, out);
	j->compact = true;
}

/* The innermost open level. Too deep is a programming error; a release build, which does not
 * assert, then fails the output rather than write beside the arrays. */
static unsigned level(const struct mlv_json *j)
{
	return j->depth < MLV_JSON_WRITE_DEPTH ? j->depth : MLV_JSON_WRITE_DEPTH - 1;
}

static void new_line(struct mlv_json *j)
{
	if (j->compact)
		return;
	mlv_buf_putc(j->out, '\n');
	for (unsigned i = 0; i < j->depth; i++)
		mlv_buf_add(j->out, "  ", 2);
}

/* What stands before an element: a comma behind the last one, and its own line. */
static void element(struct mlv_json *j)
{
	if (j->any[level(j)])
		mlv_buf_putc(j->out, ',');
	j->any[level(j)] = true;
	if (j->depth)
		new_line(j);
}

static void before_value(struct mlv_json *j)
{
	if (j->keyed) {
		j->keyed = false;
		return;
	}
	assert(j->depth ? j->array[level(j)] : !j->any[0]);
	element(j);
}

static void open_level(struct mlv_json *j, bool array)
{
	before_value(j);
	mlv_buf_putc(j->out, array ? '[' : '{');
	assert(j->depth + 1 < MLV_JSON_WRITE_DEPTH);
	j->depth++;
	if (j->depth >= MLV_JSON_WRITE_DEPTH)
		j->out->failed = true;
	j->any[level(j)] = false;
	j->array[level(j)] = array;
}

static void close_level(struct mlv_json *j, bool array)
{
	assert(j->depth && !j->keyed && j->array[level(j)] == array);
	if (!j->depth)
		return;
	bool any = j->any[level(j)];
	j->depth--;
	if (any)
		new_line(j);
	mlv_buf_putc(j->out, array ? ']' : '}');
}

void mlv_json_object(struct mlv_json *j)
{
	open_level(j, false);
}

void mlv_json_object_end(struct mlv_json *j)
{
	close_level(j, false);
}

void mlv_json_array(struct mlv_json *j)
{
	open_level(j, true);
}

void mlv_json_array_end(struct mlv_json *j)
{
	close_level(j, true);
}

/* The escape of a code point; NULL if it stands as it is. Beyond what JSON demands these are the
 * controls a terminal obeys and the line ends of JavaScript, so that the text is safe there. */
static const char *escape(uint32_t cp, char text[8])
{
	static const char hex[] = "0123456789abcdef";
	switch (cp) {
	case '"':
		return "\\\"";
	case '\\':
		return "\\\\";
	case '\n':
		return "\\n";
	case '\r':
		return "\\r";
	case '\t':
		return "\\t";
	case MLV_UTF8_INVALID:
		return "\xef\xbf\xbd";
	default:
		break;
	}
	if (cp >= 0x20 && (cp < 0x7f || cp > 0x9f) && cp != 0x2028 && cp != 0x2029)
		return NULL;
	text[0] = '\\';
	text[1] = 'u';
	for (unsigned i = 0; i < 4; i++)
		text[2 + i] = hex[cp >> (12 - 4 * i) & 15];
	text[6] = '\0';
	return text;
}

static void quoted(struct mlv_buf *out, struct mlv_str s)
{
	size_t clean = 0; /* begin of the bytes that go out as they are */
	size_t i = 0;
	mlv_buf_putc(out, '"');
	while (i < s.n) {
		uint32_t cp;
		char text[8];
		if (s.p[i] >= ' ' && s.p[i] < 0x7f && s.p[i] != '"' && s.p[i] != '\\') {
			i++;
			continue;
		}
		size_t len = mlv_utf8_step(s.p + i, s.n - i, &cp);
		const char *escaped = escape(cp, text);
		if (escaped) {
			mlv_buf_add(out, s.p + clean, i - clean);
			mlv_buf_puts(out, escaped);
			clean = i + len;
		}
		i += len;
	}
	mlv_buf_add(out, s.p + clean, s.n - clean);
	mlv_buf_putc(out, '"');
}

void mlv_json_key_str(struct mlv_json *j, struct mlv_str key)
{
	assert(j->depth && !j->keyed && !j->array[level(j)]);
	element(j);
	quoted(j->out, key);
	mlv_buf_add(j->out, ": ", j->compact ? 1 : 2);
	j->keyed = true;
}

void mlv_json_key(struct mlv_json *j, const char *key)
{
	mlv_json_key_str(j, mlv_str_of(key));
}

void mlv_json_str(struct mlv_json *j, struct mlv_str s)
{
	before_value(j);
	quoted(j->out, s);
}

void mlv_json_text(struct mlv_json *j, const char *s)
{
	if (s)
		mlv_json_str(j, mlv_str_of(s));
	else
		mlv_json_null(j);
}

void mlv_json_int(struct mlv_json *j, int64_t v)
{
	before_value(j);
	mlv_buf_int(j->out, v);
}

void mlv_json_uint(struct mlv_json *j, uint64_t v)
{
	before_value(j);
	if (v <= INT64_MAX)
		mlv_buf_int(j->out, (int64_t)v);
	else
		mlv_buf_printf(j->out, "%" PRIu64, v);
}

void mlv_json_bool(struct mlv_json *j, bool v)
{
	before_value(j);
	mlv_buf_puts(j->out, v ? "true" : "false");
}

void mlv_json_null(struct mlv_json *j)
{
	before_value(j);
	mlv_buf_puts(j->out, "null");
}

void mlv_json_raw(struct mlv_json *j, const char *digits)
{
	struct mlv_str s = mlv_str_of(digits);
	if (!mlv_json_is_number(s)) {
		mlv_json_str(j, s);
		return;
	}
	before_value(j);
	mlv_buf_str(j->out, s);
}

void mlv_json_key_text(struct mlv_json *j, const char *key, const char *s)
{
	mlv_json_key(j, key);
	mlv_json_text(j, s);
}

void mlv_json_key_int(struct mlv_json *j, const char *key, int64_t v)
{
	mlv_json_key(j, key);
	mlv_json_int(j, v);
}

void mlv_json_key_uint(struct mlv_json *j, const char *key, uint64_t v)
{
	mlv_json_key(j, key);
	mlv_json_uint(j, v);
}

void mlv_json_key_bool(struct mlv_json *j, const char *key, bool v)
{
	mlv_json_key(j, key);
	mlv_json_bool(j, v);
}

void mlv_json_key_array(struct mlv_json *j, const char *key)
{
	mlv_json_key(j, key);
	mlv_json_array(j);
}

void mlv_json_key_object(struct mlv_json *j, const char *key)
{
	mlv_json_key(j, key);
	mlv_json_object(j);
}

void mlv_json_document(struct mlv_json *j, struct mlv_buf *out, const char *schema)
{
	mlv_json_init(j, out);
	mlv_json_object(j);
	mlv_json_key_text(j, "schema", schema);
}

void mlv_json_document_end(struct mlv_json *j)
{
	mlv_json_object_end(j);
	mlv_buf_putc(j->out, '\n');
}
