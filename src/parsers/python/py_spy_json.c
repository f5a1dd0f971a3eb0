/* SPDX-License-Identifier: MIT */
/* `py-spy dump --json`: an array of threads; a file may hold several, of one dump after the other.
 */
#include <stdio.h>

#include "parsers/document/document.h"
#include "parsers/parser.h"
#include "parsers/python/py_spy.h"

struct reading {
	struct mlv_run *run;
	struct mlv_values values;
	const struct mlv_limits *limits;
	struct mlv_py_spy_thread thread;
};

static int probe(struct mlv_bytes head)
{
	return mlv_document_kind(head) == MLV_DOC_JSON && mlv_head_has(head, "\"owns_gil\"") &&
			       mlv_head_has(head, "\"thread_id\"") &&
			       mlv_head_has(head, "\"frames\"")
		       ? 95
		       : 0;
}

/* An identifier as text: as "0x7F3A…" where it is that of a thread library, as py-spy prints it. */
static bool id_text(struct reading *r, mlv_word w, bool hex, mlv_strid *id)
{
	char digits[32];
	uint64_t n;
	if (!mlv_word_uint(&r->values, w, &n))
		return true;
	int len = hex ? snprintf(digits, sizeof(digits), "0x%llX", (unsigned long long)n)
		      : snprintf(digits, sizeof(digits), "%llu", (unsigned long long)n);
	return mlv_intern(&r->run->strings, digits, (size_t)len, id);
}

static bool add_frame(struct reading *r, mlv_word w)
{
	struct mlv_frame row = { 0 };
	mlv_frameid id;
	int64_t line;
	(void)mlv_word_str(mlv_document_get(&r->values, w, "name"), &row.function);
	/* The short name is the one that the text form shows. */
	if (!mlv_word_str(mlv_document_get(&r->values, w, "short_filename"), &row.file))
		(void)mlv_word_str(mlv_document_get(&r->values, w, "filename"), &row.file);
	if (mlv_word_int(mlv_document_get(&r->values, w, "line"), &line) && line > 0 &&
	    line <= INT32_MAX)
		row.line = (uint32_t)line;
	struct mlv_value_iter it =
		mlv_values_iter(&r->values, mlv_document_get(&r->values, w, "locals"));
	for (mlv_word local; mlv_value_next(&it, &local);)
		r->thread.locals++;
	return mlv_frame_intern(&r->run->stacks, row, &id) && mlv_vec_push(&r->thread.frames, id);
}

static bool status(struct reading *r, mlv_word w, mlv_strid *id)
{
	int64_t active, gil;
	if (!mlv_word_int(mlv_document_get(&r->values, w, "active"), &active) ||
	    !mlv_word_int(mlv_document_get(&r->values, w, "owns_gil"), &gil))
		return true;
	return mlv_run_intern(r->run,
			      !active ? MLV_STR("idle")
			      : gil   ? MLV_STR("active+gil")
				      : MLV_STR("active"),
			      id);
}

static void process(struct reading *r, mlv_word info)
{
	mlv_word parent = mlv_document_get(&r->values, info, "parent");
	(void)mlv_word_str(mlv_document_get(&r->values, info, "command_line"), &r->thread.command);
	(void)mlv_word_int(mlv_document_get(&r->values, parent, "pid"), &r->thread.parent);
}

static enum mlv_rc add_thread(struct reading *r, mlv_word w, struct mlv_err *err)
{
	struct mlv_py_spy_thread *th = &r->thread;
	struct mlv_value_iter it =
		mlv_values_iter(&r->values, mlv_document_get(&r->values, w, "frames"));
	mlv_word item;
	th->pid = th->parent = -1;
	th->id = th->name = th->status = th->command = th->python = MLV_STR_NONE;
	th->locals = 0;
	th->rank = r->run->rank;
	th->frames.len = 0;
	(void)mlv_word_int(mlv_document_get(&r->values, w, "pid"), &th->pid);
	(void)mlv_word_str(mlv_document_get(&r->values, w, "thread_name"), &th->name);
	if (!id_text(r, mlv_document_get(&r->values, w, "os_thread_id"), false, &th->id) ||
	    (!th->id.i &&
	     !id_text(r, mlv_document_get(&r->values, w, "thread_id"), true, &th->id)) ||
	    !status(r, w, &th->status))
		return mlv_err_nomem(err);
	process(r, mlv_document_get(&r->values, w, "process_info"));
	while (mlv_value_next(&it, &item)) {
		if (mlv_word_is_obj(&r->values, item, MLV_OBJ_DICT) && !add_frame(r, item))
			return mlv_err_nomem(err);
	}
	return mlv_py_spy_add(r->run, r->limits, th, err);
}

static enum mlv_rc build(struct reading *r, mlv_word top, struct mlv_err *err)
{
	struct mlv_value_iter it = mlv_values_iter(&r->values, top);
	struct mlv_section s = { .format = "py-spy-json", .rank = r->run->rank, .noun = "thread" };
	size_t before = r->run->findings.len;
	enum mlv_rc rc = MLV_OK;
	char title[24] = "";
	mlv_word w;
	if (!mlv_word_is_obj(&r->values, top, MLV_OBJ_LIST))
		return mlv_err_set(err, MLV_E_FORMAT,
				   "not a py-spy dump: the document is not an array of threads");
	while (!rc && mlv_value_next(&it, &w)) {
		if (mlv_word_is_obj(&r->values, w, MLV_OBJ_DICT))
			rc = add_thread(r, w, err);
	}
	s.rows = r->run->findings.len - before;
	if (r->thread.dump)
		snprintf(title, sizeof(title), "dump %u", r->thread.dump);
	if (!rc && (!mlv_run_intern(r->run, mlv_str_of(title), &s.title) ||
		    !mlv_vec_push(&r->run->sections, s)))
		rc = mlv_err_nomem(err);
	return rc;
}

/* Whether another array begins here. */
static bool more(struct mlv_reader *r)
{
	while (mlv_reader_need(r, 1)) {
		if (*r->p != ' ' && *r->p != '\n' && *r->p != '\r' && *r->p != '\t')
			return *r->p == '[';
		r->p++;
	}
	return false;
}

/* One array; *last: none follows that could be read. */
static enum mlv_rc read_dump(struct reading *r, struct mlv_parse *p, uint32_t number, bool *last,
			     struct mlv_err *err)
{
	struct mlv_value_hooks none = { 0 };
	mlv_word top;
	enum mlv_rc rc = MLV_OK;
	if (!mlv_values_init(&r->values, &p->run->strings, p->limits, none))
		rc = mlv_err_nomem(err);
	r->values.budget.parse = p;
	r->values.one_document = true;
	if (!rc)
		rc = mlv_document_read(&r->values, p->reader, &top, &p->run->diags, err);
	*last = rc || r->values.ended || !more(p->reader);
	r->thread.dump = *last && number == 1 ? 0 : number;
	if (!rc)
		rc = build(r, top, err);
	mlv_values_fini(&r->values);
	return rc;
}

static enum mlv_rc parse(struct mlv_parse *p, struct mlv_err *err)
{
	struct reading r = { .run = p->run, .limits = p->limits };
	enum mlv_rc rc = MLV_OK;
	bool last = false;
	for (uint32_t number = 1; !rc && !last; number++) {
		rc = mlv_limits_room(p->limits, p->run->sections.len, "sections", err);
		if (!rc)
			rc = read_dump(&r, p, number, &last, err);
	}
	if (!rc && mlv_reader_need(p->reader, 1) && !mlv_diags_have(&p->run->diags, MLV_DAMAGE))
		mlv_diag_add(&p->run->diags, MLV_DAMAGE, "json-trailing-data",
			     mlv_reader_offset(p->reader),
			     "there is more behind the JSON document, it is not read");
	mlv_vec_free(&r.thread.frames);
	return rc;
}

const struct mlv_parser mlv_parser_py_spy_json = {
	.name = "py-spy-json",
	.summary = "py-spy dump --json: what each thread of a Python process was doing",
	.probe = probe,
	.parse = parse,
};
