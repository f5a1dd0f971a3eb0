/* SPDX-License-Identifier: MIT */
/*
 * Where to go on behind a syntax error. Quotes cannot be trusted there, a
 * quote too many or too few being the usual damage, so nothing is parsed:
 * what looks like the seam between two records is one. Kernels have names
 * with braces in them, hence the key behind the brace.
 */
#include "base/json_lex.h"

#include <string.h>

/* How far behind a brace its first key is looked for; more than any writer indents. */
enum { AHEAD = 96 };

static bool is_space(uint8_t c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* The bytes at hand from p on, up to AHEAD of them, without the first one and blanks. */
static struct mlv_bytes behind_byte(struct mlv_reader *r)
{
	(void)mlv_reader_need(r, AHEAD);
	struct mlv_bytes b = { r->p, (size_t)(r->end - r->p) };
	b.n = b.n < AHEAD ? b.n : AHEAD;
	do {
		b.p++;
		b.n--;
	} while (b.n && is_space(*b.p));
	return b;
}

static bool begins_record(struct mlv_reader *r, const struct mlv_str *keys)
{
	struct mlv_bytes b = behind_byte(r);
	for (; keys->n; keys++) {
		if (b.n >= keys->n + 2 && b.p[0] == '"' && b.p[keys->n + 1] == '"' &&
		    memcmp(b.p + 1, keys->p, keys->n) == 0)
			return true;
	}
	return false;
}

/* The end of the document, or another key of the object that holds the list. */
static bool ends_list(struct mlv_reader *r)
{
	struct mlv_bytes b = behind_byte(r);
	if (!b.n || *b.p == '}')
		return true;
	if (*b.p != ',')
		return false;
	do {
		b.p++;
		b.n--;
	} while (b.n && is_space(*b.p));
	return b.n && *b.p == '"';
}

bool mlv_json_find_record(struct mlv_reader *r, const struct mlv_str *keys, bool between)
{
	bool closed = false, seam = between; /* behind '}', and perhaps a comma */
	uint8_t last = 0;
	while (mlv_reader_need(r, 1)) {
		uint8_t c = *r->p;
		if (c == '{' && (seam || (between && last != ':')) && begins_record(r, keys))
			return true;
		if (c == ']' && closed && ends_list(r))
			return true;
		if (!is_space(c)) {
			seam = c == '}' || (c == ',' && closed);
			closed = c == '}';
			last = c;
		}
		r->p++;
	}
	return false;
}

bool mlv_json_find_key(struct mlv_reader *r, struct mlv_str key)
{
	for (; mlv_reader_need(r, key.n + 3); r->p++) {
		if (*r->p != '"' || r->p[key.n + 1] != '"' || memcmp(r->p + 1, key.p, key.n) != 0)
			continue;
		size_t i = key.n + 2;
		while (i < key.n + AHEAD && mlv_reader_need(r, i + 1) && is_space(r->p[i]))
			i++;
		if (mlv_reader_need(r, i + 1) && r->p[i] == ':')
			return true;
	}
	return false;
}
