/* SPDX-License-Identifier: MIT */
#ifndef MLV_BASE_JSON_LEX_H
#define MLV_BASE_JSON_LEX_H
/*
 * The words of JSON: strings, numbers and names, private to json_read.c, which
 * knows the grammar around them, and json_damage.c. What is odd but readable is noted here.
 */
#include <stdbool.h>

#include "base/buf.h"
#include "base/json_read.h"

struct mlv_json_lex {
	struct mlv_reader *r;
	const struct mlv_limits *limits;
	struct mlv_diags *diags;
	struct mlv_buf text; /* a string with its escapes resolved */
};

enum mlv_lexed {
	MLV_LEX_OK,
	MLV_LEX_ENDED, /* the input ends inside the word */
	MLV_LEX_BAD,   /* no word of JSON, nothing was taken */
	MLV_LEX_FAILED /* a limit or memory; err is set */
};

/* Each begins at the reader's p, where at least one byte is at hand, takes the word, and sets the
 * token's text, and its kind if the first byte does not tell it. */
enum mlv_lexed mlv_json_lex_string(struct mlv_json_lex *lex, struct mlv_json_token *token,
				   struct mlv_err *err);
/* A number at the end of the input may be cut off, unless it is the `whole` document. */
enum mlv_lexed mlv_json_lex_number(struct mlv_json_lex *lex, bool whole,
				   struct mlv_json_token *token, struct mlv_err *err);
/* true, false, null, and the names of what is not finite */
enum mlv_lexed mlv_json_lex_name(struct mlv_json_lex *lex, struct mlv_json_token *token);

/*
 * Behind damage: the next '{' that begins with one of the keys, or the ']' of
 * the list, at the reader's p. `between`: the damage is not in a record. False
 * if there is none.
 */
bool mlv_json_find_record(struct mlv_reader *r, const struct mlv_str *keys, bool between);
/* The next `"key":`, at the reader's p. */
bool mlv_json_find_key(struct mlv_reader *r, struct mlv_str key);

/* Whether the text is a number by the grammar of JSON. */
bool mlv_json_is_number(struct mlv_str s);

#endif
