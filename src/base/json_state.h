/* SPDX-License-Identifier: MIT */
#ifndef MLV_BASE_JSON_STATE_H
#define MLV_BASE_JSON_STATE_H
/*
 * The state of a JSON reader, private to json_read.c, which knows the grammar,
 * and json_damage.c, which knows what to do where a document leaves it.
 */
#include "base/json_lex.h"
#include "base/vec.h"

enum mlv_json_expect {
	MLV_EXPECT_START,       /* nothing was read yet */
	MLV_EXPECT_VALUE,       /* at the top, or behind a colon */
	MLV_EXPECT_FIRST_VALUE, /* behind '[' */
	MLV_EXPECT_NEXT_VALUE,  /* behind a comma in an array */
	MLV_EXPECT_FIRST_KEY,   /* behind '{' */
	MLV_EXPECT_NEXT_KEY,    /* behind a comma in an object */
	MLV_EXPECT_COLON,
	MLV_EXPECT_COMMA,
	MLV_EXPECT_NOTHING, /* behind the document */
};

struct mlv_json_reader {
	struct mlv_json_lex lex;
	enum mlv_json_expect expect;
	bool in_object; /* the innermost container is an object */
	bool one;       /* what stands behind the document is another matter */
	bool over, early;
	uint64_t over_offset;
	const struct mlv_json_records *records; /* NULL: a syntax error ends the document */
	/* Number of open containers when the list of records is the innermost; 0: not in it. */
	size_t list_depth;
	size_t owed; /* behind a lost record: make up tokens down to this depth; 0: none */
	bool list_next, list_seen;
	uint64_t lost;
	MLV_VEC(bool) stack; /* of the open containers: is it an object */
	struct mlv_err err;
};

/* Take the byte at p if it is `c` and at hand: without a call that moves the bytes, the token's
 * text stays valid, and the next call need not come back for it. */
static inline bool mlv_json_take(struct mlv_reader *r, uint8_t c)
{
	if (r->p == r->end || *r->p != c)
		return false;
	r->p++;
	return true;
}

static inline void mlv_json_value_done(struct mlv_json_reader *j)
{
	if (!j->stack.len)
		j->expect = MLV_EXPECT_NOTHING;
	else if (!j->over && !j->owed && mlv_json_take(j->lex.r, ','))
		j->expect = j->in_object ? MLV_EXPECT_NEXT_KEY : MLV_EXPECT_NEXT_VALUE;
	else
		j->expect = MLV_EXPECT_COMMA;
}

/* ---- json_read.c ---- */

/* The innermost container ends; `token` says so. */
void mlv_json_close(struct mlv_json_reader *j, struct mlv_json_token *token);

/* ---- json_damage.c ---- */

/* The document ends here; the tokens that are missing are made up from now on. */
void mlv_json_end_document(struct mlv_json_reader *j, uint64_t offset);
/* The input has no more bytes: tells whether that is as it should be. Only memory is a failure. */
void mlv_json_input_ended(struct mlv_json_reader *j);
/* The byte at p is not what was `wanted`: ends the document, or loses the record. */
void mlv_json_syntax_error(struct mlv_json_reader *j, const char *wanted);
/* The next of the tokens that are missing: of a document that ended early, or of a lost record. */
void mlv_json_make_up(struct mlv_json_reader *j, struct mlv_json_token *token);
/* Behind a lost record: true for a token that is made up, false where reading goes on. */
bool mlv_json_owed(struct mlv_json_reader *j, struct mlv_json_token *token);

#endif
