/* SPDX-License-Identifier: MIT */
/*
 * The grammar of JSON as a state machine: what may come next is one enum, the
 * open containers are a stack of flags.
 */
#include "base/json_state.h"

#include <inttypes.h>
#include <stdlib.h>

struct mlv_json_reader *mlv_json_reader_create(struct mlv_reader *r,
					       const struct mlv_limits *limits,
					       struct mlv_diags *diags)
{
	struct mlv_json_reader *j = calloc(1, sizeof(*j));
	if (!j)
		return NULL;
	j->lex.r = r;
	j->lex.limits = limits;
	j->lex.diags = diags;
	j->err = MLV_ERR_INIT;
	return j;
}

void mlv_json_reader_destroy(struct mlv_json_reader *j)
{
	if (!j)
		return;
	mlv_buf_fini(&j->lex.text);
	mlv_vec_free(&j->stack);
	free(j);
}

void mlv_json_one_document(struct mlv_json_reader *j)
{
	j->one = true;
}

/* Keep the error for the next calls too. */
static enum mlv_rc failed(struct mlv_json_reader *j, struct mlv_err *err)
{
	if (err && !err->rc)
		*err = j->err;
	return j->err.rc;
}

static enum mlv_rc open_container(struct mlv_json_reader *j, bool object,
				  struct mlv_json_token *token)
{
	if (j->stack.len >= j->lex.limits->depth) {
		mlv_err_at(&j->err, MLV_E_LIMIT, token->offset,
			   "nested more than %" PRIu64 " deep; raise it with --limit depth=N",
			   j->lex.limits->depth);
		mlv_err_file(&j->err, mlv_source_name(j->lex.r->src));
		return j->err.rc;
	}
	if (!mlv_vec_push(&j->stack, object)) {
		mlv_err_file(&j->err, mlv_source_name(j->lex.r->src));
		return mlv_err_nomem(&j->err);
	}
	if (!object && j->records && !j->list_depth &&
	    (j->stack.len == 1 || (j->list_next && j->stack.len == 2))) {
		j->list_depth = j->stack.len;
		j->list_seen = true;
	}
	j->list_next = false;
	j->lex.r->p++;
	j->in_object = object;
	j->expect = object ? MLV_EXPECT_FIRST_KEY : MLV_EXPECT_FIRST_VALUE;
	token->kind = object ? MLV_JSON_OBJECT_BEGIN : MLV_JSON_ARRAY_BEGIN;
	return MLV_OK;
}

void mlv_json_close(struct mlv_json_reader *j, struct mlv_json_token *token)
{
	token->kind = j->in_object ? MLV_JSON_OBJECT_END : MLV_JSON_ARRAY_END;
	j->stack.len--;
	if (j->stack.len < j->list_depth)
		j->list_depth = 0;
	j->in_object = j->stack.len && j->stack.data[j->stack.len - 1];
	mlv_json_value_done(j);
}

/* Skip white space. False at the end of the input. */
static bool skip_space(struct mlv_reader *r)
{
	do {
		for (; r->p < r->end; r->p++) {
			uint8_t c = *r->p;
			if (c > ' ' || (c != ' ' && c != '\n' && c != '\r' && c != '\t'))
				return true;
		}
	} while (mlv_reader_fill(r, 1));
	return false;
}

static void skip_byte_order_mark(struct mlv_json_reader *j)
{
	struct mlv_reader *r = j->lex.r;
	if (mlv_reader_need(r, 3) && r->p[0] == 0xef && r->p[1] == 0xbb && r->p[2] == 0xbf)
		r->p += 3;
	j->expect = MLV_EXPECT_VALUE;
}

/* After a word: true if `token` is one to hand out. */
static bool word_done(struct mlv_json_reader *j, enum mlv_lexed lexed)
{
	if (lexed == MLV_LEX_ENDED)
		mlv_json_input_ended(j);
	else if (lexed == MLV_LEX_BAD)
		mlv_json_syntax_error(j, "a value");
	return lexed == MLV_LEX_OK;
}

static bool read_number(struct mlv_json_reader *j, struct mlv_json_token *token)
{
	struct mlv_reader *r = j->lex.r;
	bool name = *r->p == '-' && mlv_reader_need(r, 2) && (r->p[1] | 0x20) >= 'a' &&
		    (r->p[1] | 0x20) <= 'z';
	return word_done(j, name ? mlv_json_lex_name(&j->lex, token)
				 : mlv_json_lex_number(&j->lex, !j->stack.len, token, &j->err));
}

/* The value at p. True if `token` is to be handed out or j->err is set. */
static bool read_value(struct mlv_json_reader *j, struct mlv_json_token *token)
{
	uint8_t c = *j->lex.r->p;
	bool done;
	switch (c) {
	case '{':
	case '[':
		open_container(j, c == '{', token);
		return true;
	case '"':
		token->kind = MLV_JSON_STRING;
		done = word_done(j, mlv_json_lex_string(&j->lex, token, &j->err));
		break;
	case 't':
	case 'f':
	case 'n':
	case 'N':
	case 'I':
	case 'i':
		done = word_done(j, mlv_json_lex_name(&j->lex, token));
		break;
	default:
		if ((c < '0' || c > '9') && c != '-' && c != '+' && c != '.') {
			mlv_json_syntax_error(j, "a value");
			return false;
		}
		done = read_number(j, token);
		break;
	}
	if (done)
		mlv_json_value_done(j);
	return done || j->err.rc;
}

static bool read_key(struct mlv_json_reader *j, struct mlv_json_token *token)
{
	if (*j->lex.r->p != '"') {
		mlv_json_syntax_error(j, "a key in quotes");
		return false;
	}
	token->kind = MLV_JSON_KEY;
	bool done = word_done(j, mlv_json_lex_string(&j->lex, token, &j->err));
	if (done && j->records && j->stack.len == 1)
		j->list_next = mlv_str_eq(token->text, j->records->list);
	if (done)
		j->expect = mlv_json_take(j->lex.r, ':') ? MLV_EXPECT_VALUE : MLV_EXPECT_COLON;
	return done || j->err.rc;
}

/* Behind a comma or a bracket: a stray comma or the end of the container. True for a token. */
static bool element_missing(struct mlv_json_reader *j, uint8_t c, struct mlv_json_token *token)
{
	bool first = j->expect == MLV_EXPECT_FIRST_KEY || j->expect == MLV_EXPECT_FIRST_VALUE;
	if (c == ',') {
		mlv_diag_add(j->lex.diags, MLV_NOTE, "json-extra-comma", token->offset,
			     "a comma with nothing before it");
		j->expect = j->in_object ? MLV_EXPECT_NEXT_KEY : MLV_EXPECT_NEXT_VALUE;
		j->lex.r->p++;
		return false;
	}
	if (!first)
		mlv_diag_add(j->lex.diags, MLV_NOTE, "json-trailing-comma", token->offset,
			     "a comma before '%c'", c);
	j->lex.r->p++;
	mlv_json_close(j, token);
	return true;
}

/* Behind an element of a container. True for a token. */
static bool after_element(struct mlv_json_reader *j, uint8_t c, struct mlv_json_token *token)
{
	enum mlv_json_expect next = j->in_object ? MLV_EXPECT_NEXT_KEY : MLV_EXPECT_NEXT_VALUE;
	if (c == ',') {
		j->lex.r->p++;
		j->expect = next;
		return false;
	}
	if (c == (j->in_object ? '}' : ']')) {
		j->lex.r->p++;
		mlv_json_close(j, token);
		return true;
	}
	if (c == '"' || (!j->in_object && (c == '{' || c == '[' || c == '-' || mlv_is_digit(c)))) {
		mlv_diag_add(j->lex.diags, MLV_NOTE, "json-missing-comma", token->offset,
			     "no comma between two elements");
		j->expect = next;
		return false;
	}
	mlv_json_syntax_error(j, j->in_object ? "',' or '}'" : "',' or ']'");
	return false;
}

/* One step at the byte `c`. True if `token` is to be handed out or j->err is set. */
static bool step(struct mlv_json_reader *j, uint8_t c, struct mlv_json_token *token)
{
	switch (j->expect) {
	case MLV_EXPECT_START:
		skip_byte_order_mark(j);
		return false;
	case MLV_EXPECT_FIRST_KEY:
	case MLV_EXPECT_NEXT_KEY:
		return c == ',' || c == '}' ? element_missing(j, c, token) : read_key(j, token);
	case MLV_EXPECT_COLON:
		if (c == ':') {
			j->lex.r->p++;
			j->expect = MLV_EXPECT_VALUE;
		} else {
			mlv_json_syntax_error(j, "':'");
		}
		return false;
	case MLV_EXPECT_FIRST_VALUE:
	case MLV_EXPECT_NEXT_VALUE:
		return c == ',' || c == ']' ? element_missing(j, c, token) : read_value(j, token);
	case MLV_EXPECT_VALUE:
		if (j->in_object && (c == ',' || c == '}')) {
			mlv_diag_add(j->lex.diags, MLV_WARNING, "json-missing-value", token->offset,
				     "a key without a value, null stands for it");
			token->kind = MLV_JSON_NULL;
			mlv_json_value_done(j);
			return true;
		}
		return read_value(j, token);
	case MLV_EXPECT_COMMA:
		return after_element(j, c, token);
	case MLV_EXPECT_NOTHING:
		if (!j->one)
			mlv_diag_add(j->lex.diags, MLV_DAMAGE, "json-trailing-data", token->offset,
				     "there is more behind the JSON document, it is not read");
		mlv_json_end_document(j, token->offset);
		return false;
	}
	return false;
}

enum mlv_rc mlv_json_next(struct mlv_json_reader *j, struct mlv_json_token *token,
			  struct mlv_err *err)
{
	struct mlv_reader *r = j->lex.r;
	token->text = MLV_STR("");
	token->integer = 0;
	token->is_unsigned = false;
	while (!j->err.rc && !j->over) {
		if (j->owed) {
			if (mlv_json_owed(j, token))
				return MLV_OK;
			continue;
		}
		if (!skip_space(r)) {
			mlv_json_input_ended(j);
			continue;
		}
		token->offset = mlv_reader_offset(r);
		if (!step(j, *r->p, token))
			continue;
		return j->err.rc ? failed(j, err) : MLV_OK;
	}
	if (j->err.rc)
		return failed(j, err);
	token->text = MLV_STR("");
	mlv_json_make_up(j, token);
	return MLV_OK;
}

enum mlv_rc mlv_json_skip(struct mlv_json_reader *j, struct mlv_err *err)
{
	size_t outer = j->stack.len ? j->stack.len - 1 : 0;
	while (j->stack.len > outer) {
		struct mlv_json_token token;
		enum mlv_rc rc = mlv_json_next(j, &token, err);
		if (rc)
			return rc;
	}
	return MLV_OK;
}
