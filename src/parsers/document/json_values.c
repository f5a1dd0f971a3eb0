/* SPDX-License-Identifier: MIT */
#include "parsers/document/json_values.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_read.h"

static enum mlv_rc begin(struct mlv_values *v, uint32_t kind, struct mlv_err *err)
{
	mlv_word w;
	enum mlv_rc rc = mlv_values_object(v, kind, &w, err);
	if (!rc)
		rc = mlv_values_push(v, w, err);
	return rc ? rc : mlv_values_mark(v, err);
}

static enum mlv_rc end(struct mlv_values *v, bool dict, struct mlv_err *err)
{
	size_t from = v->marks.data[--v->marks.len];
	return dict ? mlv_values_set_items(v, from, err) : mlv_values_append(v, from, err);
}

/* The word of a scalar token. */
static enum mlv_rc scalar(struct mlv_values *v, const struct mlv_json_token *t, mlv_word *w,
			  struct mlv_err *err)
{
	switch (t->kind) {
	case MLV_JSON_KEY:
	case MLV_JSON_STRING:
		return mlv_values_string(v, MLV_W_STR, t->text.p, t->text.n, w, err);
	case MLV_JSON_INTEGER:
		return t->is_unsigned ? mlv_values_uint(v, (uint64_t)t->integer, w, err)
				      : mlv_values_int(v, t->integer, w, err);
	case MLV_JSON_NUMBER: {
		char digits[64];
		size_t n = t->text.n < sizeof(digits) - 1 ? t->text.n : sizeof(digits) - 1;
		for (size_t i = 0; i < n; i++)
			digits[i] = t->text.p[i];
		digits[n] = '\0';
		return mlv_values_float(v, strtod(digits, NULL), w, err);
	}
	case MLV_JSON_TRUE:
	case MLV_JSON_FALSE:
		*w = mlv_word_make(MLV_W_BOOL, t->kind == MLV_JSON_TRUE);
		return MLV_OK;
	default:
		*w = mlv_word_make(MLV_W_NONE, 0);
		return MLV_OK;
	}
}

static enum mlv_rc take(struct mlv_values *v, const struct mlv_json_token *t, struct mlv_err *err)
{
	mlv_word w;
	enum mlv_rc rc;
	switch (t->kind) {
	case MLV_JSON_OBJECT_BEGIN:
		return begin(v, MLV_OBJ_DICT, err);
	case MLV_JSON_ARRAY_BEGIN:
		return begin(v, MLV_OBJ_LIST, err);
	case MLV_JSON_OBJECT_END:
		return end(v, true, err);
	case MLV_JSON_ARRAY_END:
		return end(v, false, err);
	default:
		rc = scalar(v, t, &w, err);
		return rc ? rc : mlv_values_push(v, w, err);
	}
}

/* Whether the tokenizer has given up on the input: it makes up the tokens that come now. */
static bool gave_up(const struct mlv_diags *diags)
{
	for (size_t i = 0; i < diags->list.len; i++) {
		const char *code = diags->list.data[i].code;
		if (!strcmp(code, "input-truncated") || !strcmp(code, "json-truncated") ||
		    !strcmp(code, "json-syntax"))
			return true;
	}
	return false;
}

enum mlv_rc mlv_json_read_values(struct mlv_values *v, struct mlv_reader *r, mlv_word *result,
				 struct mlv_diags *diags, struct mlv_err *err)
{
	struct mlv_json_reader *j = mlv_json_reader_create(r, &v->limits, diags);
	if (!j)
		return mlv_err_nomem(err);
	if (v->one_document)
		mlv_json_one_document(j);
	struct mlv_json_token t;
	enum mlv_rc rc;
	size_t seen = diags->list.len;
	while ((rc = mlv_json_next(j, &t, err)) == MLV_OK && t.kind != MLV_JSON_END) {
		if (diags->list.len != seen) {
			seen = diags->list.len;
			v->ended = v->ended || gave_up(diags);
		}
		rc = take(v, &t, err);
		if (!rc && mlv_budget_due(&v->budget, t.offset))
			rc = mlv_budget_look(&v->budget, t.offset, mlv_values_bytes(v), err);
		if (rc)
			break;
	}
	mlv_json_reader_destroy(j);
	if (rc == MLV_OK && r->err.rc == MLV_E_LIMIT) {
		rc = MLV_E_LIMIT;
		if (err && !err->rc)
			*err = r->err;
	}
	if (rc == MLV_OK)
		rc = mlv_values_unwind(v, err);
	if (rc == MLV_OK)
		*result = v->stack.len ? v->stack.data[0] : mlv_word_make(MLV_W_UNSET, 0);
	return rc;
}
