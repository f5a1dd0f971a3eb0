/* SPDX-License-Identifier: MIT */
/*
 * Profiles as cProfile and profile write them (dump_stats, -m cProfile -o):
 * one dict of functions, marshalled, without a magic number. It gives the
 * same metrics as the text of pstats does, unrounded.
 *
 *   (file, line, name): (primitive calls, calls, tottime, cumtime, callers)
 *   callers: {(file, line, name): (calls, primitive calls, tottime, cumtime)}
 *
 * with the two counts in the other order; the profile module has a plain count
 * in place of the second tuple.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "parsers/python/cprofile.h"
#include "parsers/python/marshal.h"
#include "parsers/parser.h"

static const char format_name[] = "cprofile-binary";

enum {
	PART_MAX = 300, /* of a file's or a function's name; what is longer is cut */
	NAMES_FREE = 256 << 20,
	NAMES_FACTOR = 16,
};

/* A function whose callers are listed after all functions. */
struct callee {
	mlv_strid name;
	mlv_word callers;
};

struct reading {
	struct mlv_run *run;
	const struct mlv_limits *limits;
	struct mlv_marshal marshal;
	struct mlv_values values;
	MLV_VEC(struct callee) callees;
	uint64_t name_bytes; /* of the names made so far */
	struct mlv_metric_row at;
};

/* ------------------------------------------------------------------ names */

/*
 * Names are made of shared parts, so that a small file could ask for more text
 * than there is memory; no real one comes near this.
 */
static enum mlv_rc spend(struct reading *r, size_t n, struct mlv_err *err)
{
	r->name_bytes += n;
	if (r->name_bytes > NAMES_FREE + NAMES_FACTOR * mlv_reader_offset(r->marshal.reader))
		return mlv_err_set(err, MLV_E_LIMIT,
				   "the names of its functions take more memory than a profile "
				   "of this size can need");
	return MLV_OK;
}

static bool text_of(const struct reading *r, mlv_word w, struct mlv_str *s)
{
	if (mlv_word_tag(w) != MLV_W_STR && mlv_word_tag(w) != MLV_W_BYTES)
		return false;
	*s = mlv_run_str(r->run, (mlv_strid){ (uint32_t)mlv_word_payload(w) });
	return true;
}

/* Up to `max` words of a tuple; how many it has. */
static size_t tuple_words(const struct reading *r, mlv_word w, mlv_word *words, size_t max)
{
	size_t n = 0;
	mlv_word item;
	if (!mlv_word_is_obj(&r->values, w, MLV_OBJ_TUPLE))
		return 0;
	struct mlv_value_iter it = mlv_values_iter(&r->values, w);
	for (; mlv_value_next(&it, &item); n++) {
		if (n < max)
			words[n] = item;
	}
	return n;
}

/* As pstats' func_std_string: "file:line(name)", "{built-in method len}". */
static enum mlv_rc function_name(struct reading *r, mlv_word key, mlv_strid *id, bool *good,
				 struct mlv_err *err)
{
	mlv_word parts[3];
	struct mlv_str file, name;
	int64_t line;
	struct mlv_buf b = { 0 };
	*good = tuple_words(r, key, parts, 3) == 3 && text_of(r, parts[0], &file) &&
		mlv_word_int(parts[1], &line) && text_of(r, parts[2], &name);
	if (!*good)
		return MLV_OK;
	if (file.n > PART_MAX) {
		mlv_buf_puts(&b, "...");
		file.p += file.n - PART_MAX;
		file.n = PART_MAX;
	}
	if (name.n > PART_MAX)
		name.n = PART_MAX;
	if (mlv_str_eq(file, MLV_STR("~")) && line == 0) {
		bool angled = name.n > 1 && name.p[0] == '<' && name.p[name.n - 1] == '>';
		if (angled) {
			mlv_buf_putc(&b, '{');
			mlv_buf_add(&b, name.p + 1, name.n - 2);
			mlv_buf_putc(&b, '}');
		} else {
			mlv_buf_str(&b, name);
		}
	} else {
		mlv_buf_str(&b, file);
		mlv_buf_putc(&b, ':');
		mlv_buf_int(&b, line);
		mlv_buf_putc(&b, '(');
		mlv_buf_str(&b, name);
		mlv_buf_putc(&b, ')');
	}
	enum mlv_rc rc = b.failed ? mlv_err_nomem(err) : spend(r, b.len, err);
	if (!rc && !mlv_run_intern(r->run, (struct mlv_str){ b.data ? b.data : "", b.len }, id))
		rc = mlv_err_nomem(err);
	mlv_buf_fini(&b);
	return rc;
}

/* ------------------------------------------------------------------ figures */

/* The shortest digits that mean this number. */
static bool decimal_of(double d, struct mlv_decimal *v)
{
	char text[40];
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, d);
		if (strtod(text, NULL) == d)
			break;
	}
	return mlv_decimal_whole(mlv_str_of(text), MLV_UNIT_S, v);
}

static bool figure(const struct reading *r, mlv_word w, bool seconds, struct mlv_decimal *v)
{
	int64_t n;
	uint64_t big;
	if (seconds && mlv_word_tag(w) == MLV_W_FLOAT)
		return decimal_of(r->values.floats.data[mlv_word_payload(w)], v);
	if (mlv_word_uint(&r->values, w, &big) && big <= INT64_MAX)
		n = (int64_t)big;
	else if (!mlv_word_int(w, &n))
		return false;
	*v = mlv_decimal_int(n, seconds ? MLV_UNIT_S : MLV_UNIT_NONE);
	return true;
}

/* The four figures of `words`, of which the first two are in this or the other order. */
static enum mlv_rc add_figures(struct reading *r, const mlv_word *words, bool primitive_first,
			       struct mlv_err *err)
{
	const struct {
		const char *name;
		unsigned place;
		bool seconds;
	} figures[] = {
		{ MLV_CPROFILE_CALLS, primitive_first, false },
		{ MLV_CPROFILE_PRIMITIVE, !primitive_first, false },
		{ MLV_CPROFILE_TOTTIME, 2, true },
		{ MLV_CPROFILE_CUMTIME, 3, true },
	};
	struct mlv_decimal v;
	enum mlv_rc rc = MLV_OK;
	for (size_t i = 0; i < 4 && !rc; i++) {
		if (figure(r, words[figures[i].place], figures[i].seconds, &v))
			rc = mlv_add_metric_named(&r->at, figures[i].name, v, err);
		else
			mlv_diag_add(&r->run->diags, MLV_DAMAGE, "cprofile-figure",
				     mlv_reader_offset(r->marshal.reader),
				     "a function's %s is no number", figures[i].name);
	}
	return rc;
}

static void odd_entry(struct reading *r)
{
	mlv_diag_add(&r->run->diags, MLV_DAMAGE, "cprofile-entry",
		     mlv_reader_offset(r->marshal.reader),
		     "an entry is not a function with its figures, and is left out");
}

static enum mlv_rc begin_section(struct reading *r, struct mlv_str title, struct mlv_err *err)
{
	r->at.row = 0;
	return mlv_add_section((struct mlv_add){ r->run, r->limits }, format_name, title, 0,
			       r->run->rank, &r->at.section, err);
}

static void end_row(struct reading *r)
{
	r->at.row++;
	mlv_section_grow(r->run, r->at.section, 0);
}

static enum mlv_rc add_function(struct reading *r, mlv_word key, mlv_word value,
				struct mlv_err *err)
{
	mlv_word words[5];
	bool good;
	enum mlv_rc rc = function_name(r, key, &r->at.subject, &good, err);
	if (rc)
		return rc;
	if (!good || tuple_words(r, value, words, 5) != 5) {
		odd_entry(r);
		return MLV_OK;
	}
	rc = add_figures(r, words, true, err);
	end_row(r);
	struct callee c = { r->at.subject, words[4] };
	mlv_word first;
	struct mlv_value_iter it = mlv_values_iter(&r->values, words[4]);
	if (!rc && mlv_word_is_obj(&r->values, words[4], MLV_OBJ_DICT) &&
	    mlv_value_next(&it, &first) && !mlv_vec_push(&r->callees, c))
		rc = mlv_err_nomem(err);
	return rc;
}

static enum mlv_rc add_caller(struct reading *r, mlv_strid callee, mlv_word key, mlv_word value,
			      struct mlv_err *err)
{
	mlv_word words[4];
	struct mlv_decimal count;
	mlv_strid caller;
	bool good;
	enum mlv_rc rc = function_name(r, key, &caller, &good, err);
	bool is_count = !rc && figure(r, value, false, &count);
	if (rc)
		return rc;
	if (!good || (!is_count && tuple_words(r, value, words, 4) != 4)) {
		odd_entry(r);
		return MLV_OK;
	}
	rc = spend(r, mlv_run_str(r->run, caller).n + mlv_run_str(r->run, callee).n, err);
	if (!rc)
		rc = mlv_cprofile_edge(r->run, caller, callee, &r->at.subject, err);
	if (!rc)
		rc = is_count ? mlv_add_metric_named(&r->at, MLV_CPROFILE_CALLS, count, err)
			      : add_figures(r, words, false, err);
	end_row(r);
	return rc;
}

/* ------------------------------------------------------------------ the file */

/* What was read before the damage is kept. */
static enum mlv_rc read_functions(struct reading *r, struct mlv_err *err)
{
	struct mlv_err damage = MLV_ERR_INIT;
	mlv_word key, value;
	enum mlv_rc rc = mlv_marshal_dict(&r->marshal, &damage);
	while (!rc) {
		rc = mlv_marshal_next(&r->marshal, &key, &damage);
		if (!rc && mlv_word_tag(key) == MLV_W_UNSET)
			break;
		if (!rc)
			rc = mlv_marshal_next(&r->marshal, &value, &damage);
		if (!rc)
			rc = add_function(r, key, value, &damage);
	}
	/* The bytes may have ended for a reason of their own. */
	if (rc == MLV_E_FORMAT && r->marshal.reader->err.rc)
		damage = r->marshal.reader->err;
	if (rc == MLV_E_FORMAT && r->at.row) {
		mlv_diag_from_err(&r->run->diags, "cprofile-truncated", &damage);
		return MLV_OK;
	}
	if (rc) {
		*err = damage;
		rc = damage.rc;
	} else if (mlv_reader_need(r->marshal.reader, 1)) {
		mlv_diag_add(&r->run->diags, MLV_DAMAGE, "cprofile-trailing",
			     mlv_reader_offset(r->marshal.reader),
			     "the profile ends here, and more bytes follow, which are not read");
	}
	return rc;
}

static enum mlv_rc add_callers(struct reading *r, struct mlv_err *err)
{
	if (!r->callees.len)
		return MLV_OK;
	enum mlv_rc rc = begin_section(r, MLV_STR("callers"), err);
	for (size_t i = 0; i < r->callees.len && !rc; i++) {
		mlv_word key, value;
		struct mlv_value_iter it = mlv_values_iter(&r->values, r->callees.data[i].callers);
		while (!rc && mlv_value_next(&it, &key) && mlv_value_next(&it, &value))
			rc = add_caller(r, r->callees.data[i].name, key, value, err);
	}
	return rc;
}

static enum mlv_rc parse(struct mlv_parse *p, struct mlv_err *err)
{
	struct reading r = { .run = p->run, .limits = p->limits };
	const struct mlv_value_hooks no_hooks = { 0 };
	r.at.run = p->run;
	r.at.limits = p->limits;
	r.marshal.reader = p->reader;
	r.marshal.values = &r.values;
	enum mlv_rc rc = MLV_OK;
	if (!mlv_values_init(&r.values, &p->run->strings, p->limits, no_hooks))
		rc = mlv_err_nomem(err);
	r.values.budget.parse = p;
	if (!rc)
		rc = begin_section(&r, MLV_STR("functions"), err);
	if (!rc)
		rc = read_functions(&r, err);
	if (!rc)
		rc = add_callers(&r, err);
	p->run->format = format_name;
	mlv_marshal_fini(&r.marshal);
	mlv_values_fini(&r.values);
	mlv_vec_free(&r.callees);
	return rc;
}

/* There is no magic number: a dict whose first key is a tuple of three that begins with a text. */
static int probe(struct mlv_bytes head)
{
	size_t at;
	if (head.n < 2 || (head.p[0] & 0x7f) != '{')
		return 0;
	if (head.n == 2 && head.p[1] == '0')
		return 60; /* nothing was called */
	if (head.n < 8)
		return 0;
	if ((head.p[1] & 0x7f) == ')' && head.p[2] == 3)
		at = 3;
	else if ((head.p[1] & 0x7f) == '(' && memcmp(head.p + 2, "\3\0\0\0", 4) == 0)
		at = 6;
	else
		return 0;
	uint8_t type = head.p[at] & 0x7f;
	return type && strchr("zZaAutsR", type) ? 90 : 0;
}

const struct mlv_parser mlv_parser_cprofile_binary = {
	.name = format_name,
	.summary = "profile of Python's cProfile or profile (.prof, dump_stats)",
	.probe = probe,
	.parse = parse,
};
