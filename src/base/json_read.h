/* SPDX-License-Identifier: MIT */
#ifndef MLV_BASE_JSON_READ_H
#define MLV_BASE_JSON_READ_H
/*
 * A streaming JSON tokenizer: constant memory whatever the size of the
 * document, exact integers, and the offset of every token. It
 * forgives what profilers are known to write (raw control characters and
 * invalid UTF-8 in strings, NaN, Infinity, trailing commas), each with a
 * diagnostic, and checks the nesting so that a caller sees a well-formed
 * sequence of tokens: every KEY has its value and every BEGIN its END, also
 * when the input stops in the middle (after a diagnostic, what is missing is
 * supplied: NULL for a value, and the ENDs). Words cut off by the end of the
 * input are dropped.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/reader.h"
#include "base/str.h"

enum mlv_json_kind {
	MLV_JSON_END, /* end of the document, or of what could be read of it */
	MLV_JSON_OBJECT_BEGIN,
	MLV_JSON_OBJECT_END,
	MLV_JSON_ARRAY_BEGIN,
	MLV_JSON_ARRAY_END,
	MLV_JSON_KEY,
	MLV_JSON_STRING,
	MLV_JSON_INTEGER, /* fits int64 or uint64 and has no fraction or exponent */
	MLV_JSON_NUMBER,  /* any other number; its digits are in `text` */
	MLV_JSON_TRUE,
	MLV_JSON_FALSE,
	MLV_JSON_NULL,
};

struct mlv_json_token {
	enum mlv_json_kind kind;
	/* KEY, STRING: unescaped; INTEGER, NUMBER: as written, also NaN, Infinity, nan, inf.
	 * Valid until the next token, and not NUL-terminated. */
	struct mlv_str text;
	int64_t integer;  /* INTEGER: the value, two's complement when is_unsigned */
	bool is_unsigned; /* INTEGER: above INT64_MAX */
	uint64_t offset;
};

struct mlv_json_reader;

/* `r`, `limits` (depth, string) and `diags` are borrowed. NULL when memory runs out. */
struct mlv_json_reader *mlv_json_reader_create(struct mlv_reader *r,
					       const struct mlv_limits *limits,
					       struct mlv_diags *diags);
void mlv_json_reader_destroy(struct mlv_json_reader *j);

/* A document that is one long list of records, at the top or under a key of the top object. */
struct mlv_json_records {
	struct mlv_str list; /* that key */
	const struct mlv_str
		*keys; /* those that a record may begin with; an empty one at the end */
};

/*
 * Lose only the record in which a syntax error stands: its tokens are made up
 * as at the end of an input, and reading goes on at the next object that
 * begins with one of the keys, or behind the list. Damage before the list is
 * passed over up to its key. To be called before the first token; `records`
 * is borrowed.
 */
void mlv_json_salvage(struct mlv_json_reader *j, const struct mlv_json_records *records);

/*
 * Other documents may follow: this one ends where it ends, nothing is said of
 * what stands behind it, and the reader is left there. To be called before the
 * first token.
 */
void mlv_json_one_document(struct mlv_json_reader *j);

/* How many records were lost so, and whether the input ended before the document did. */
uint64_t mlv_json_lost(const struct mlv_json_reader *j);
bool mlv_json_ended_early(const struct mlv_json_reader *j);

/*
 * The next token. Fails only for limits and memory, for good, and the token is
 * then undefined: damage is a diagnostic, after which the reader resumes where
 * it safely can or ends the document. An input that ended with an error, which
 * r->err keeps, also ends the document (diagnostic "input-truncated").
 */
enum mlv_rc mlv_json_next(struct mlv_json_reader *j, struct mlv_json_token *token,
			  struct mlv_err *err);

/* After a BEGIN, or anywhere in its container: pass over everything up to and including its END. */
enum mlv_rc mlv_json_skip(struct mlv_json_reader *j, struct mlv_err *err);

#endif
