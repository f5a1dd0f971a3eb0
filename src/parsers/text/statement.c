/* SPDX-License-Identifier: MIT */
#include "parsers/text/statement.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "parsers/text/scan.h"

enum {
	LOOK_BACK = 256, /* findings that a new one is compared with: what repeats, repeats soon */
	TEXT_BYTES = 4000,  /* of a statement */
	RANKS_BYTES = 2000, /* of the list of ranks; then it ends with "…" */
};

static enum mlv_rc checked(bool ok, struct mlv_err *err)
{
	return ok ? MLV_OK : mlv_err_nomem(err);
}

enum mlv_rc mlv_statement_text(struct mlv_text *t, const char *key, struct mlv_str text,
			       struct mlv_err *err)
{
	if (!text.n)
		return MLV_OK;
	text.n = text.n < TEXT_BYTES ? text.n : TEXT_BYTES;
	return checked(mlv_run_attr_text(t->run, key, text), err);
}

enum mlv_rc mlv_statement_int(struct mlv_text *t, const char *key, int64_t n, struct mlv_err *err)
{
	return checked(mlv_run_attr_int(t->run, key, n), err);
}

enum mlv_rc mlv_statement_frame(struct mlv_text *t, struct mlv_str function, struct mlv_str file,
				uint32_t line, mlv_frameid *id, struct mlv_err *err)
{
	struct mlv_frame f = { .line = line };
	function.n = function.n < TEXT_BYTES ? function.n : TEXT_BYTES;
	file.n = file.n < TEXT_BYTES ? file.n : TEXT_BYTES;
	return checked(mlv_run_intern(t->run, mlv_str_some(function), &f.function) &&
			       mlv_run_intern(t->run, mlv_str_some(file), &f.file) &&
			       mlv_frame_intern(&t->run->stacks, f, id),
		       err);
}

enum mlv_rc mlv_statement_section(struct mlv_text *t, const char *format, struct mlv_str title,
				  uint32_t line, uint32_t last_line, uint32_t *section,
				  struct mlv_err *err)
{
	if (!*section) {
		uint32_t index;
		enum mlv_rc rc = mlv_text_section(t, format, title, line, &index, err);
		if (rc)
			return rc;
		*section = index + 1;
	}
	struct mlv_section *s = &t->run->sections.data[*section - 1];
	if (last_line > s->last_line)
		s->last_line = last_line;
	return MLV_OK;
}

static bool same(const struct mlv_finding *a, const struct mlv_finding *b)
{
	return a->text.i == b->text.i && a->code.i == b->code.i && a->stack.i == b->stack.i &&
	       a->file.i == b->file.i && a->file_line == b->file_line && a->severity == b->severity;
}

static struct mlv_attr *attr(struct mlv_run *run, struct mlv_attrs attrs, const char *key)
{
	for (uint32_t i = 0; i < attrs.count; i++) {
		struct mlv_attr *a = &run->attrs.data[attrs.first + i];
		if (strcmp(mlv_run_str(run, a->key).p, key) == 0)
			return a;
	}
	return NULL;
}

/* Ascending numbers, each once; `list` has room. */
static void insert(char *list, size_t size, int64_t number)
{
	char old[RANKS_BYTES + 64], one[24];
	size_t n = 0;
	bool placed = false;
	snprintf(old, sizeof(old), "%s", list);
	list[0] = '\0';
	for (char *p = old; *p || !placed;) {
		char *end;
		long long r = *p ? strtoll(p, &end, 10) : INT64_MAX;
		if (!placed && number <= r) {
			placed = true;
			snprintf(one, sizeof(one), "%" PRId64, number);
			n += (size_t)snprintf(list + n, size - n, "%s%s", n ? "," : "", one);
			if (number == r)
				p = *end ? end + 1 : end;
			continue;
		}
		if (!*p)
			break;
		n += (size_t)snprintf(list + n, size - n, "%s%lld", n ? "," : "", r);
		p = *end ? end + 1 : end;
	}
}

/* To the attribute that lists ranks or workers, where there is one. */
static bool add_to_list(struct mlv_run *run, struct mlv_attr *ranks, int64_t number)
{
	char list[RANKS_BYTES + 64];
	struct mlv_str now = ranks ? mlv_run_str(run, ranks->text) : MLV_STR("");
	if (!ranks || number < 0 || now.n >= RANKS_BYTES)
		return true;
	snprintf(list, sizeof(list), "%.*s", (int)now.n, now.p);
	insert(list, sizeof(list), number);
	size_t n = strlen(list);
	if (n >= RANKS_BYTES)
		n += (size_t)snprintf(list + n, sizeof(list) - n, ",…");
	return mlv_run_intern(run, (struct mlv_str){ list, n }, &ranks->text);
}

static bool begin_list(struct mlv_run *run, const char *key, int64_t number)
{
	char text[24];
	snprintf(text, sizeof(text), "%" PRId64, number);
	return number < 0 || mlv_run_attr_text(run, key, mlv_str_of(text));
}

/* The first repeat moves the attributes to the end, where there is room for the new ones. */
static bool make_room(struct mlv_run *run, struct mlv_finding *f)
{
	struct mlv_attrs from = f->attrs;
	const struct mlv_attr *worker = attr(run, from, "worker");
	int64_t first = worker ? worker->number : -1;
	uint32_t begin = mlv_run_attrs_begin(run);
	for (uint32_t i = 0; i < from.count; i++) {
		struct mlv_attr a = run->attrs.data[from.first + i];
		if (!mlv_vec_push(&run->attrs, a))
			return false;
	}
	if (!mlv_run_attr_int(run, "count", 1) || !begin_list(run, "ranks", f->rank) ||
	    !begin_list(run, "workers", first))
		return false;
	f->attrs = mlv_run_attrs_end(run, begin);
	return true;
}

static bool count_again(struct mlv_run *run, struct mlv_finding *f, int64_t rank, int64_t worker)
{
	if (!attr(run, f->attrs, "count") && !make_room(run, f))
		return false;
	attr(run, f->attrs, "count")->number++;
	return add_to_list(run, attr(run, f->attrs, "ranks"), rank) &&
	       add_to_list(run, attr(run, f->attrs, "workers"), worker);
}

static bool fill(struct mlv_text *t, const struct mlv_statement *s, struct mlv_finding *f)
{
	struct mlv_run *run = t->run;
	struct mlv_str text = mlv_str_trim(s->text), code = mlv_str_of(s->code);
	text.n = text.n < TEXT_BYTES ? text.n : TEXT_BYTES;
	if (t->worker >= 0 && !mlv_run_attr_int(run, "worker", t->worker))
		return false;
	*f = (struct mlv_finding){ .severity = s->severity,
				   .file_line = s->file_line,
				   .line = s->line,
				   .last_line = s->last_line,
				   .rank = s->rank >= 0 ? s->rank : t->rank,
				   .stack = s->stack,
				   .attrs = mlv_run_attrs_end(run, s->attrs) };
	return mlv_run_intern(run, code, &f->code) && mlv_run_intern(run, text, &f->text) &&
	       mlv_run_intern(run, mlv_str_some(s->file), &f->file);
}

enum mlv_rc mlv_statement_add(struct mlv_text *t, const struct mlv_statement *s, uint32_t *section,
			      uint32_t *index, struct mlv_err *err)
{
	struct mlv_run *run = t->run;
	struct mlv_finding f;
	size_t n = run->findings.len;
	enum mlv_rc rc = mlv_statement_section(t, s->format, (struct mlv_str){ "", 0 }, s->line,
					       s->last_line, section, err);
	if (rc)
		return rc;
	mlv_section_grow(run, *section - 1, 0);
	if (!fill(t, s, &f))
		return mlv_err_nomem(err);
	for (size_t back = 1; back <= LOOK_BACK && back <= n; back++) {
		struct mlv_finding *earlier = &run->findings.data[n - back];
		if (!same(earlier, &f))
			continue;
		run->attrs.len = s->attrs;
		if (index)
			*index = (uint32_t)(n - back);
		return checked(count_again(run, earlier, f.rank, t->worker), err);
	}
	enum mlv_rc full = mlv_limits_room(t->limits, n, "findings", err);
	if (full)
		return full;
	if (index)
		*index = (uint32_t)n;
	return checked(mlv_vec_push(&run->findings, f), err);
}
