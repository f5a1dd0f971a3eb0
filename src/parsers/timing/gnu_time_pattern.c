/* SPDX-License-Identifier: MIT */
/*
 * A format string of GNU time, turned round: literal text and directives in
 * order, one pattern for each line that it prints. Every directive but %C says
 * by itself where it ends; a command may be anything, so its end is tried from
 * the shortest on, with a bound on all trials.
 */
#include <stdlib.h>
#include <string.h>

#include "parsers/timing/gnu_time.h"
#include "parsers/text/lines.h"
#include "parsers/text/scan.h"

enum { MOST_TRIALS = 100000, MOST_LINE = 65536 };

static const struct mlv_time_field *by_letter(char letter)
{
	for (unsigned i = 0; i < mlv_time_field_count; i++) {
		if (mlv_time_fields[i].letter == letter)
			return &mlv_time_fields[i];
	}
	return NULL;
}

struct compiler {
	struct mlv_time_pattern *p;
	size_t text_len, text_begin; /* of the literal at hand */
	bool failed;
};

static void put(struct compiler *c, char byte)
{
	c->p->text[c->text_len++] = byte;
}

static void part(struct compiler *c, struct mlv_time_part part)
{
	if (!mlv_vec_push(&c->p->parts, part))
		c->failed = true;
}

static void end_literal(struct compiler *c)
{
	struct mlv_time_part literal = { .text = { c->p->text + c->text_begin,
						   c->text_len - c->text_begin } };
	if (literal.text.n)
		part(c, literal);
	c->text_begin = c->text_len;
}

/* Blanks at both ends are no part of a pattern: texts are trimmed too. */
static void trim_line(struct mlv_time_pattern *p, uint32_t first)
{
	if (first == p->parts.len)
		return;
	struct mlv_time_part *a = &p->parts.data[first], *b = &p->parts.data[p->parts.len - 1];
	while (!a->field && a->text.n && (a->text.p[0] == ' ' || a->text.p[0] == '\t'))
		mlv_scan_skip(&a->text, 1);
	while (!b->field && b->text.n &&
	       (b->text.p[b->text.n - 1] == ' ' || b->text.p[b->text.n - 1] == '\t'))
		b->text.n--;
}

static void end_line(struct compiler *c)
{
	struct mlv_time_pattern *p = c->p;
	uint32_t first = p->line_count ? p->lines[p->line_count - 1].first +
						 p->lines[p->line_count - 1].count
				       : 0;
	end_literal(c);
	if (p->line_count == MLV_TIME_VALUES)
		return;
	trim_line(p, first);
	p->lines[p->line_count].first = first;
	p->lines[p->line_count].count = (uint32_t)p->parts.len - first;
	p->line_count++;
}

/* The letter behind a '%'. An unknown one is printed with a question mark. */
static void directive(struct compiler *c, char letter)
{
	struct mlv_time_part d = { .field = by_letter(letter), .command = letter == 'C' };
	if (letter == '%') {
		put(c, '%');
	} else if (d.field || d.command) {
		end_literal(c);
		part(c, d);
		c->p->directives++;
	} else {
		put(c, '?');
		if (letter)
			put(c, letter);
	}
}

static void escape(struct compiler *c, char letter)
{
	if (letter == 'n') {
		end_line(c);
	} else if (letter == 't') {
		put(c, '\t');
	} else if (letter == '\\') {
		put(c, '\\');
	} else {
		put(c, '?');
		put(c, '\\');
		if (letter)
			put(c, letter);
	}
}

bool mlv_time_pattern_init(struct mlv_time_pattern *p, const char *format)
{
	struct compiler c = { .p = p };
	*p = (struct mlv_time_pattern){ 0 };
	p->text = malloc(strlen(format) * 3 + 4);
	if (!p->text)
		return false;
	for (const char *f = format; *f; f++) {
		if (*f == '%')
			directive(&c, f[1]);
		else if (*f == '\\')
			escape(&c, f[1]);
		else if (*f == '\n')
			end_line(&c);
		else
			put(&c, *f);
		if ((*f == '%' || *f == '\\') && f[1])
			f++;
	}
	end_line(&c);
	/* An empty line at the end says nothing. */
	while (p->line_count > 1 && !p->lines[p->line_count - 1].count)
		p->line_count--;
	if (c.failed)
		mlv_time_pattern_fini(p);
	return !c.failed;
}

void mlv_time_pattern_fini(struct mlv_time_pattern *p)
{
	free(p->text);
	p->text = NULL;
	mlv_vec_free(&p->parts);
	p->directives = p->line_count = 0;
}

static bool match(const struct mlv_time_part *part, uint32_t parts, struct mlv_str s,
		  struct mlv_time_values *v, unsigned *trials)
{
	for (; parts; part++, parts--) {
		if (++*trials > MOST_TRIALS)
			return false;
		if (part->command)
			break;
		if (!part->field) {
			if (s.n < part->text.n || memcmp(s.p, part->text.p, part->text.n) != 0)
				return false;
			mlv_scan_skip(&s, part->text.n);
			continue;
		}
		struct mlv_decimal value;
		if (v->count == MLV_TIME_VALUES || !mlv_time_value(part->field, &s, &value))
			return false;
		v->list[v->count].field = part->field;
		v->list[v->count++].value = value;
	}
	if (!parts)
		return s.n == 0;
	unsigned count = v->count;
	for (size_t n = parts == 1 ? s.n : 0; n <= s.n && *trials <= MOST_TRIALS; n++) {
		struct mlv_str rest = { s.p + n, s.n - n };
		v->count = count;
		if (match(part + 1, parts - 1, rest, v, trials)) {
			v->command = (struct mlv_str){ s.p, n };
			return true;
		}
	}
	return false;
}

bool mlv_time_match(const struct mlv_time_pattern *p, unsigned line, struct mlv_str s,
		    struct mlv_time_values *values)
{
	unsigned trials = 0;
	s = mlv_str_trim(s);
	values->count = 0;
	values->command = (struct mlv_str){ "", 0 };
	if (!p->directives || line >= p->line_count || s.n > MOST_LINE)
		return false;
	return match(p->parts.data + p->lines[line].first, p->lines[line].count, s, values,
		     &trials);
}
