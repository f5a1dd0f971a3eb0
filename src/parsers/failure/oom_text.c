/* SPDX-License-Identifier: MIT */
/*
 * Out-of-memory messages in logs: found in any line, joined where a terminal
 * or a person broke them, and told with every number as it was printed.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/decimal.h"
#include "parsers/failure/oom_message.h"
#include "parsers/text/scan.h"
#include "parsers/text/statement.h"

enum {
	MESSAGE_BYTES = 8192,
	PREFIX_BYTES = 256,
	LINES = 24,  /* that a message may be broken into */
	WAITING = 6, /* lines in a row that may hold only part of a sentence */
};

/* A message whose text reached the end of its line: more of it may follow. */
struct open_message {
	char text[MESSAGE_BYTES];
	size_t n;
	char prefix[PREFIX_BYTES]; /* what stood before it in its line */
	size_t prefix_n;
	enum mlv_oom_kind kind;
	uint32_t numbers[LINES]; /* of its lines, */
	size_t starts[LINES];    /* and where each of them begins in the text */
	unsigned lines, waiting;
};

struct state {
	struct open_message *open; /* NULL: none yet */
	bool is_open;
	uint32_t section;
};

static const char *const codes[] = { "cuda-oom", "hip-oom", "xpu-oom", "mps-oom", "cpu-oom" };

static double bytes_of(struct mlv_str size)
{
	static const struct {
		const char *name;
		double factor;
	} units[] = { { "KiB", 0x1p10 }, { "MiB", 0x1p20 }, { "GiB", 0x1p30 },
		      { "TiB", 0x1p40 }, { "PiB", 0x1p50 }, { "KB", 0x1p10 },
		      { "MB", 0x1p20 },  { "GB", 0x1p30 },  { "TB", 0x1p40 } };
	struct mlv_decimal d;
	size_t used;
	if (!mlv_decimal_parse(size, &used, &d))
		return 0;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (mlv_str_find(size, units[i].name) >= 0)
			return mlv_decimal_value(d) * units[i].factor;
	}
	return mlv_decimal_value(d);
}

struct fact {
	const char *key;
	struct mlv_str size;
};

/*
 * Sizes that no machine has (2^64 bytes is what an unsigned subtraction below
 * zero prints), and more free than there is in all.
 */
static enum mlv_rc impossible(struct mlv_text *t, const struct mlv_oom *o, const struct fact *facts,
			      size_t n, struct mlv_err *err)
{
	char keys[200] = "";
	size_t len = 0;
	for (size_t i = 0; i < n; i++) {
		bool odd = bytes_of(facts[i].size) >= 0x1p50;
		if (strcmp(facts[i].key, "requested") == 0)
			continue; /* a program may ask for anything */
		if (strcmp(facts[i].key, "free") == 0 && o->total.n)
			odd = odd || bytes_of(o->free) > bytes_of(o->total);
		if (odd)
			len += (size_t)snprintf(keys + len, sizeof(keys) - len, "%s%s",
						len ? "," : "", facts[i].key);
	}
	for (uint32_t i = 0; i < o->other_count; i++) {
		if (bytes_of(o->others[i].size) >= 0x1p50) {
			len += (size_t)snprintf(keys + len, sizeof(keys) - len, "%sother_processes",
						len ? "," : "");
			break;
		}
	}
	return mlv_statement_text(t, "impossible", (struct mlv_str){ keys, len }, err);
}

/* "3258 14.73 GiB, 3260 1.02 GiB" */
static enum mlv_rc others(struct mlv_text *t, const struct mlv_oom *o, struct mlv_err *err)
{
	char list[MLV_OOM_OTHERS * 48];
	size_t n = 0;
	for (uint32_t i = 0; i < o->other_count && n < sizeof(list) - 48; i++)
		n += (size_t)snprintf(list + n, sizeof(list) - n, "%s%" PRId64 " %.*s",
				      n ? ", " : "", o->others[i].pid,
				      o->others[i].size.n < 20 ? (int)o->others[i].size.n : 20,
				      o->others[i].size.p);
	return mlv_statement_text(t, "other_processes", (struct mlv_str){ list, n }, err);
}

static enum mlv_rc add(struct state *st, struct mlv_text *t, const struct mlv_oom *o,
		       struct mlv_str text, uint32_t line, uint32_t last_line, struct mlv_err *err)
{
	const struct fact facts[] = { { "requested", o->requested },
				      { "total", o->total },
				      { "free", o->free },
				      { "process", o->process },
				      { "allocated", o->allocated },
				      { "reserved", o->reserved },
				      { "reserved_unallocated", o->reserved_unallocated },
				      { "private_pools", o->private_pools },
				      { "allowed", o->allowed },
				      { "other_allocations", o->other_allocations } };
	size_t n = sizeof(facts) / sizeof(facts[0]);
	struct mlv_statement s = { .format = "oom-text",
				   .code = codes[o->kind],
				   .severity = MLV_FINDING_ERROR,
				   .text = mlv_str_head(text, o->statement),
				   .file = o->file,
				   .file_line = o->file_line,
				   .line = line,
				   .last_line = last_line,
				   .rank = -1,
				   .attrs = mlv_run_attrs_begin(t->run) };
	enum mlv_rc rc = MLV_OK;
	for (size_t i = 0; i < n && !rc; i++)
		rc = mlv_statement_text(t, facts[i].key, facts[i].size, err);
	if (!rc && o->device >= 0)
		rc = mlv_statement_int(t, "device", o->device, err);
	if (!rc)
		rc = others(t, o, err);
	if (!rc)
		rc = mlv_statement_text(t, "pool", o->pool, err);
	if (!rc)
		rc = mlv_statement_text(t, "conf_hint", o->conf_hint, err);
	if (!rc)
		rc = impossible(t, o, facts, n, err);
	return rc ? rc : mlv_statement_add(t, &s, &st->section, NULL, err);
}

static struct mlv_str message(const struct open_message *m)
{
	return (struct mlv_str){ m->text, m->n };
}

/* The message is as long as it will get. */
static enum mlv_rc close_message(struct state *st, struct mlv_text *t, struct mlv_err *err)
{
	struct open_message *m = st->open;
	struct mlv_oom o;
	uint32_t last = m->numbers[0];
	st->is_open = false;
	if (!mlv_oom_read(message(m), m->kind, &o))
		return MLV_OK;
	for (unsigned i = 0; i < m->lines && m->starts[i] < o.used; i++)
		last = m->numbers[i];
	if (m->lines > 1) {
		m->n = mlv_oom_plain(&o, m->text, mlv_str_head(message(m), o.used), m->text, m->n);
		if (!mlv_oom_read(message(m), m->kind, &o))
			return MLV_OK;
	}
	return add(st, t, &o, message(m), m->numbers[0], last, err);
}

static bool append(struct open_message *m, struct mlv_str text, uint32_t number)
{
	if (m->lines == LINES || m->n + text.n + 1 > MESSAGE_BYTES)
		return false;
	if (m->lines)
		m->text[m->n++] = '\n';
	m->numbers[m->lines] = number;
	m->starts[m->lines++] = m->n;
	memcpy(m->text + m->n, text.p, text.n);
	m->n += text.n;
	return true;
}

/* Whether the message gets longer with this text behind it. */
static bool join(struct open_message *m, struct mlv_str text, uint32_t number)
{
	struct mlv_oom before, after;
	size_t n = m->n;
	unsigned lines = m->lines;
	(void)mlv_oom_read(message(m), m->kind, &before);
	if (append(m, text, number)) {
		(void)mlv_oom_read(message(m), m->kind, &after);
		if (after.used > before.used && after.used > n)
			return true;
	}
	m->n = n;
	m->lines = lines;
	return false;
}

/* A line behind an open message: as it is, without the logger's prefix, or broken within a word. */
static bool continues(struct open_message *m, const struct mlv_line *line)
{
	struct mlv_str text = mlv_str_trim(line->text), bare;
	struct mlv_str prefix = { m->prefix, m->prefix_n };
	if (!text.n)
		return false;
	bool prefixed = m->prefix_n && mlv_scan_prefix(line->text, prefix, &bare);
	if (join(m, text, line->number) ||
	    (prefixed && join(m, mlv_str_trim(bare), line->number))) {
		m->waiting = 0;
		return true;
	}
	/* Perhaps half of a sentence, whose rest comes with the next line. */
	return ++m->waiting < WAITING &&
	       append(m, prefixed ? mlv_str_trim(bare) : text, line->number);
}

static enum mlv_rc begin(struct state *st, struct mlv_str prefix, struct mlv_str text,
			 enum mlv_oom_kind kind, uint32_t number, struct mlv_err *err)
{
	if (!st->open)
		st->open = malloc(sizeof(*st->open));
	if (!st->open)
		return mlv_err_nomem(err);
	struct open_message *m = st->open;
	m->n = m->lines = m->waiting = 0;
	m->kind = kind;
	m->prefix_n = prefix.n < PREFIX_BYTES ? prefix.n : 0;
	memcpy(m->prefix, prefix.p, m->prefix_n);
	st->is_open = append(m, mlv_str_head(text, MESSAGE_BYTES - 1), number);
	return MLV_OK;
}

/* All messages of a line; the last one stays open if it reaches the end. */
static enum mlv_rc messages(struct state *st, struct mlv_text *t, const struct mlv_line *line,
			    bool *any, struct mlv_err *err)
{
	struct mlv_str rest = mlv_str_trim(line->text);
	enum mlv_oom_kind kind, other;
	enum mlv_rc rc = MLV_OK;
	for (ptrdiff_t at; !rc && (at = mlv_oom_begin(rest, &kind)) >= 0;) {
		struct mlv_str prefix = { line->text.p,
					  (size_t)(rest.p - line->text.p) + (size_t)at };
		struct mlv_str text = mlv_str_from(rest, (size_t)at);
		struct mlv_oom o;
		bool said = mlv_oom_read(text, kind, &o);
		rest = mlv_str_from(text, o.used ? o.used : 1);
		struct mlv_str behind = mlv_str_trim(rest);
		if (st->is_open)
			rc = close_message(st, t, err);
		*any = *any || said;
		if (!rc && kind != MLV_OOM_CPU && behind.n < 120 &&
		    mlv_oom_begin(behind, &other) < 0)
			return begin(st, prefix, text, kind, line->number, err);
		if (!rc && said)
			rc = add(st, t, &o, text, line->number, line->number, err);
	}
	return rc;
}

static enum mlv_rc line_of(void *state, struct mlv_text *t, const struct mlv_line *line,
			   enum mlv_take *take, struct mlv_err *err)
{
	struct state *st = state;
	enum mlv_oom_kind kind;
	bool any = false;
	enum mlv_rc rc = MLV_OK;
	if (mlv_oom_begin(line->text, &kind) >= 0) {
		rc = messages(st, t, line, &any, err);
		*take = any ? MLV_TAKE : MLV_PASS;
	} else if (st->is_open) {
		if (!continues(st->open, line))
			rc = close_message(st, t, err);
		else if (!st->open->waiting)
			*take = MLV_TAKE;
	}
	return rc;
}

static enum mlv_rc finish(void *state, struct mlv_text *t, struct mlv_err *err)
{
	struct state *st = state;
	return st->is_open ? close_message(st, t, err) : MLV_OK;
}

static void fini(void *state)
{
	free(((struct state *)state)->open);
}

const struct mlv_text_format mlv_text_oom = {
	.name = "oom-text",
	.summary = "out-of-memory messages of CUDA, HIP, XPU, MPS and the host, in any log",
	.state_size = sizeof(struct state),
	.line = line_of,
	.finish = finish,
	.fini = fini,
};
