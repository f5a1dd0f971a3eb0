/* SPDX-License-Identifier: MIT */
/*
 * The grammar of JSON as a state machine: what may come next is one enum, the
 * open containers are a stack of bytes. When the document ends too soon, for
 * whatever reason, `over` is set, and what is missing is made up from these.
 */
#include "base/json_read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json_lex.h"
#include "base/vec.h"

enum expect {
	EXPECT_START,       /* nothing was read yet */
	EXPECT_VALUE,       /* at the top, or behind a colon */
	EXPECT_FIRST_VALUE, /* behind '[' */
	EXPECT_NEXT_VALUE,  /* behind a comma in an array */
	EXPECT_FIRST_KEY,   /* behind '{' */
	EXPECT_NEXT_KEY,    /* behind a comma in an object */
	EXPECT_COLON,
	EXPECT_COMMA,
	EXPECT_NOTHING, /* behind the document */
};

struct mlv_json_reader {
	struct mlv_json_lex lex;
	enum expect expect;
	bool in_object; /* the innermost container is an object */
	bool over, early;
	uint64_t over_offset;
	const struct mlv_json_records *records; /* NULL: a syntax error ends the document */
	size_t list_depth; /* of the open containers when their list is the innermost; 0: not in it
			    */
	size_t owed;       /* behind a lost record: make up tokens down to this depth; 0: none */
	bool list_next, list_seen;
	uint64_t lost;
	MLV_VEC(bool) stack; /* of the open containers: is it an object */
	struct mlv_err err;
};

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

/* The document ends here; the tokens that are missing are made up from now on. */
static void end_document(struct mlv_json_reader *j, uint64_t offset)
{
	j->over = true;
	j->over_offset = offset;
}

/* The input has no more bytes: is that as it should be? Only memory is a failure. */
static void end_of_input(struct mlv_json_reader *j)
{
	struct mlv_reader *r = j->lex.r;
	uint64_t offset = r->start_offset + (uint64_t)(r->end - r->start);
	if (r->err.rc == MLV_E_NOMEM)
		j->err = r->err;
	else if (r->err.rc)
		mlv_diag_from_err(j->lex.diags, "input-truncated", &r->err);
	else if (j->expect != EXPECT_NOTHING)
		mlv_diag_add(j->lex.diags, MLV_DAMAGE, "json-truncated", offset,
			     offset ? "the JSON document ends early"
				    : "there is no JSON document, the input is empty");
	j->early = j->expect != EXPECT_NOTHING;
	end_document(j, offset);
}

/* Behind a syntax error, find where to go on, if the caller told how. */
static bool salvage(struct mlv_json_reader *j)
{
	struct mlv_reader *r = j->lex.r;
	const struct mlv_json_records *records = j->records;
	if (!records || !j->stack.len)
		return false;
	if (j->list_depth) {
		j->lost++;
		if (!mlv_json_find_record(r, records->keys, j->stack.len == j->list_depth))
			return false;
		j->owed = j->list_depth;
		return true;
	}
	if (j->list_seen || !j->stack.data[0] || !mlv_json_find_key(r, records->list))
		return false;
	j->owed = 1;
	return true;
}

static void syntax_error(struct mlv_json_reader *j, const char *wanted)
{
	uint64_t offset = mlv_reader_offset(j->lex.r);
	uint8_t c = *j->lex.r->p;
	char found[16];
	snprintf(found, sizeof(found), c > 0x20 && c < 0x7f ? "'%c'" : "byte 0x%02x", c);
	bool on = salvage(j);
	mlv_diag_add(j->lex.diags, MLV_DAMAGE, "json-syntax", offset,
		     "expected %s, found %s; the rest of the %s is not read", wanted, found,
		     on ? "record" : "document");
	if (on)
		j->over_offset = offset;
	else if (j->lex.r->p == j->lex.r->end && j->lex.r->err.rc)
		end_of_input(j);
	else
		end_document(j, offset);
	j->early = j->early || !on;
}

void mlv_json_salvage(struct mlv_json_reader *j, const struct mlv_json_records *records)
{
	j->records = records;
}

uint64_t mlv_json_lost(const struct mlv_json_reader *j)
{
	return j->lost;
}

bool mlv_json_ended_early(const struct mlv_json_reader *j)
{
	return j->early;
}

/* Take the byte at p if it is `c` and at hand: without a call that moves the bytes, the token's
 * text stays valid, and the next call need not come back for it. */
static bool take(struct mlv_reader *r, uint8_t c)
{
	if (r->p == r->end || *r->p != c)
		return false;
	r->p++;
	return true;
}

static void value_done(struct mlv_json_reader *j)
{
	if (!j->stack.len)
		j->expect = EXPECT_NOTHING;
	else if (!j->over && !j->owed && take(j->lex.r, ','))
		j->expect = j->in_object ? EXPECT_NEXT_KEY : EXPECT_NEXT_VALUE;
	else
		j->expect = EXPECT_COMMA;
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
	j->expect = object ? EXPECT_FIRST_KEY : EXPECT_FIRST_VALUE;
	token->kind = object ? MLV_JSON_OBJECT_BEGIN : MLV_JSON_ARRAY_BEGIN;
	return MLV_OK;
}

static void close_container(struct mlv_json_reader *j, struct mlv_json_token *token)
{
	token->kind = j->in_object ? MLV_JSON_OBJECT_END : MLV_JSON_ARRAY_END;
	j->stack.len--;
	if (j->stack.len < j->list_depth)
		j->list_depth = 0;
	j->in_object = j->stack.len && j->stack.data[j->stack.len - 1];
	value_done(j);
}

/* The tokens that are missing: of a document which ended early, or of a lost record. */
static void make_up(struct mlv_json_reader *j, struct mlv_json_token *token)
{
	token->offset = j->over_offset;
	if (!j->stack.len) {
		token->kind = MLV_JSON_END;
	} else if (j->in_object && (j->expect == EXPECT_COLON || j->expect == EXPECT_VALUE)) {
		token->kind = MLV_JSON_NULL;
		value_done(j);
	} else {
		close_container(j, token);
	}
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
	j->expect = EXPECT_VALUE;
}

/* After a word: true if `token` is one to hand out. */
static bool word_done(struct mlv_json_reader *j, enum mlv_lexed lexed)
{
	if (lexed == MLV_LEX_ENDED)
		end_of_input(j);
	else if (lexed == MLV_LEX_BAD)
		syntax_error(j, "a value");
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
			syntax_error(j, "a value");
			return false;
		}
		done = read_number(j, token);
		break;
	}
	if (done)
		value_done(j);
	return done || j->err.rc;
}

static bool read_key(struct mlv_json_reader *j, struct mlv_json_token *token)
{
	if (*j->lex.r->p != '"') {
		syntax_error(j, "a key in quotes");
		return false;
	}
	token->kind = MLV_JSON_KEY;
	bool done = word_done(j, mlv_json_lex_string(&j->lex, token, &j->err));
	if (done && j->records && j->stack.len == 1)
		j->list_next = mlv_str_eq(token->text, j->records->list);
	if (done)
		j->expect = take(j->lex.r, ':') ? EXPECT_VALUE : EXPECT_COLON;
	return done || j->err.rc;
}

/* Behind a comma or a bracket: a stray comma or the end of the container. True for a token. */
static bool element_missing(struct mlv_json_reader *j, uint8_t c, struct mlv_json_token *token)
{
	bool first = j->expect == EXPECT_FIRST_KEY || j->expect == EXPECT_FIRST_VALUE;
	if (c == ',') {
		mlv_diag_add(j->lex.diags, MLV_NOTE, "json-extra-comma", token->offset,
			     "a comma with nothing before it");
		j->expect = j->in_object ? EXPECT_NEXT_KEY : EXPECT_NEXT_VALUE;
		j->lex.r->p++;
		return false;
	}
	if (!first)
		mlv_diag_add(j->lex.diags, MLV_NOTE, "json-trailing-comma", token->offset,
			     "a comma before '%c'", c);
	j->lex.r->p++;
	close_container(j, token);
	return true;
}

/* Behind an element of a container. True for a token. */
static bool after_element(struct mlv_json_reader *j, uint8_t c, struct mlv_json_token *token)
{
	enum expect next = j->in_object ? EXPECT_NEXT_KEY : EXPECT_NEXT_VALUE;
	if (c == ',') {
		j->lex.r->p++;
		j->expect = next;
		return false;
	}
	if (c == (j->in_object ? '}' : ']')) {
		j->lex.r->p++;
		close_container(j, token);
		return true;
	}
	if (c == '"' || (!j->in_object && (c == '{' || c == '[' || c == '-' || mlv_is_digit(c)))) {
		mlv_diag_add(j->lex.diags, MLV_NOTE, "json-missing-comma", token->offset,
			     "no comma between two elements");
		j->expect = next;
		return false;
	}
	syntax_error(j, j->in_object ? "',' or '}'" : "',' or ']'");
	return false;
}

/* Behind a lost record: true for a token that is made up, false where reading goes on. */
static bool owed(struct mlv_json_reader *j, struct mlv_json_token *token)
{
	bool keyed = j->in_object && (j->expect == EXPECT_COLON || j->expect == EXPECT_VALUE);
	if (j->stack.len > j->owed || keyed) {
		make_up(j, token);
		return true;
	}
	j->owed = 0;
	uint8_t c = *j->lex.r->p;
	j->expect = c == '"' ? EXPECT_NEXT_KEY : c == '{' ? EXPECT_NEXT_VALUE : EXPECT_COMMA;
	return false;
}

/* One step at the byte `c`. True if `token` is to be handed out or j->err is set. */
static bool step(struct mlv_json_reader *j, uint8_t c, struct mlv_json_token *token)
{
	switch (j->expect) {
	case EXPECT_START:
		skip_byte_order_mark(j);
		return false;
	case EXPECT_FIRST_KEY:
	case EXPECT_NEXT_KEY:
		return c == ',' || c == '}' ? element_missing(j, c, token) : read_key(j, token);
	case EXPECT_COLON:
		if (c == ':') {
			j->lex.r->p++;
			j->expect = EXPECT_VALUE;
		} else {
			syntax_error(j, "':'");
		}
		return false;
	case EXPECT_FIRST_VALUE:
	case EXPECT_NEXT_VALUE:
		return c == ',' || c == ']' ? element_missing(j, c, token) : read_value(j, token);
	case EXPECT_VALUE:
		if (j->in_object && (c == ',' || c == '}')) {
			mlv_diag_add(j->lex.diags, MLV_WARNING, "json-missing-value", token->offset,
				     "a key without a value, null stands for it");
			token->kind = MLV_JSON_NULL;
			value_done(j);
			return true;
		}
		return read_value(j, token);
	case EXPECT_COMMA:
		return after_element(j, c, token);
	case EXPECT_NOTHING:
		mlv_diag_add(j->lex.diags, MLV_DAMAGE, "json-trailing-data", token->offset,
			     "there is more behind the JSON document, it is not read");
		end_document(j, token->offset);
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
			if (owed(j, token))
				return MLV_OK;
			continue;
		}
		if (!skip_space(r)) {
			end_of_input(j);
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
	make_up(j, token);
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
