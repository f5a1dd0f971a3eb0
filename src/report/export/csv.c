/* SPDX-License-Identifier: MIT */
/*
 * One table as CSV: quoted as RFC 4180 has it, lines end with a line feed. A
 * text that a spreadsheet would run as a formula gets an apostrophe in front,
 * unless it is to be left alone. Texts are UTF-8 without control characters.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "report/export/export.h"
#include "report/export/relations.h"

struct csv {
	const struct mlv_sink *sink;
	struct mlv_buf out, safe;
	bool raw;
};

/* What Excel, LibreOffice and Google Sheets take for the beginning of a formula. */
static bool is_formula(struct mlv_str s)
{
	return s.n && memchr("=+-@\t\r", s.p[0], 6);
}

static void put_text(struct csv *c, struct mlv_str s)
{
	bool quoted = false, guarded = !c->raw && is_formula(s);
	c->safe.len = 0;
	mlv_buf_safe(&c->safe, s);
	s = (struct mlv_str){ c->safe.data ? c->safe.data : "", c->safe.len };
	/* An empty text is not the same as none. */
	quoted = !s.n || memchr(s.p, '"', s.n) || memchr(s.p, ',', s.n) || s.p[0] == ' ' ||
		 s.p[s.n - 1] == ' ';
	mlv_buf_puts(&c->out, quoted ? "\"" : "");
	mlv_buf_puts(&c->out, guarded ? "'" : "");
	for (size_t i = 0; i < s.n; i++) {
		const char *quote = memchr(s.p + i, '"', s.n - i);
		size_t end = quote ? (size_t)(quote - s.p) + 1 : s.n;
		mlv_buf_add(&c->out, s.p + i, end - i);
		mlv_buf_puts(&c->out, quote ? "\"" : "");
		i = end - 1;
	}
	mlv_buf_puts(&c->out, quoted ? "\"" : "");
}

static void put_value(struct csv *c, const struct mlv_value *v)
{
	switch (v->kind) {
	case MLV_VALUE_NONE:
		break;
	case MLV_VALUE_INT:
		mlv_buf_int(&c->out, v->i);
		break;
	case MLV_VALUE_UINT:
		mlv_buf_printf(&c->out, "%" PRIu64, v->u);
		break;
	case MLV_VALUE_REAL:
		mlv_buf_printf(&c->out, "%.17g", v->real);
		break;
	case MLV_VALUE_TEXT:
		put_text(c, v->text);
		break;
	}
}

static enum mlv_rc put_row(void *opaque, const struct mlv_relation_row *row, struct mlv_err *err)
{
	struct csv *c = opaque;
	for (size_t i = 0; i < row->count; i++) {
		if (i)
			mlv_buf_putc(&c->out, ',');
		put_value(c, &row->values[i]);
	}
	mlv_buf_putc(&c->out, '\n');
	if (c->safe.failed)
		return mlv_err_nomem(err);
	return mlv_sink_drain(c->sink, &c->out, err);
}

enum mlv_rc mlv_export_csv(struct mlv_relation_sources *sources, const struct mlv_relation *table,
			   bool raw, const struct mlv_sink *sink, struct mlv_err *err)
{
	struct csv c = { .sink = sink, .raw = raw };
	for (const struct mlv_relation_column *k = table->columns; k->name; k++)
		mlv_buf_printf(&c.out, "%s%s", k == table->columns ? "" : ",", k->name);
	mlv_buf_putc(&c.out, '\n');
	enum mlv_rc rc = mlv_relation_walk(sources, table, put_row, &c, err);
	if (!rc)
		rc = mlv_sink_flush(sink, &c.out, err);
	mlv_buf_fini(&c.out);
	mlv_buf_fini(&c.safe);
	return rc;
}
