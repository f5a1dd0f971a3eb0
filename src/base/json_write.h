/* SPDX-License-Identifier: MIT */
#ifndef MLV_BASE_JSON_WRITE_H
#define MLV_BASE_JSON_WRITE_H
/*
 * A JSON writer with two-space indentation into a buffer. Commas and nesting
 * are its business; wrong nesting is a programming error (assert). Strings are
 * escaped and made valid UTF-8. Key order is the order of the calls, so the
 * same input gives the same bytes.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

enum { MLV_JSON_WRITE_DEPTH = 32 };

struct mlv_json {
	struct mlv_buf *out; /* borrowed */
	unsigned depth;
	bool any[MLV_JSON_WRITE_DEPTH];   /* this level has an element already */
	bool array[MLV_JSON_WRITE_DEPTH]; /* this level is an array */
	bool keyed;                       /* a key waits for its value */
	bool compact;                     /* all on one line */
};

void mlv_json_init(struct mlv_json *j, struct mlv_buf *out);
/* The same without blanks and line breaks: for what no one reads. */
void mlv_json_init_compact(struct mlv_json *j, struct mlv_buf *out);
/* What `--json` prints: one object that begins with its schema, on lines of its own. */
void mlv_json_document(struct mlv_json *j, struct mlv_buf *out, const char *schema);
void mlv_json_document_end(struct mlv_json *j);
void mlv_json_object(struct mlv_json *j);     /* { */
void mlv_json_object_end(struct mlv_json *j); /* } */
void mlv_json_array(struct mlv_json *j);      /* [ */
void mlv_json_array_end(struct mlv_json *j);  /* ] */
void mlv_json_key(struct mlv_json *j, const char *key);
void mlv_json_key_str(struct mlv_json *j, struct mlv_str key);
void mlv_json_str(struct mlv_json *j, struct mlv_str s);
void mlv_json_text(struct mlv_json *j, const char *s); /* NULL writes null */
void mlv_json_int(struct mlv_json *j, int64_t v);
void mlv_json_uint(struct mlv_json *j, uint64_t v);
void mlv_json_bool(struct mlv_json *j, bool v);
void mlv_json_null(struct mlv_json *j);
/* Digits written elsewhere (a decimal that a report printed); what is no JSON number, such as
 * "nan", becomes a string. */
void mlv_json_raw(struct mlv_json *j, const char *digits);

/* key and value in one call */
void mlv_json_key_text(struct mlv_json *j, const char *key, const char *s);
void mlv_json_key_int(struct mlv_json *j, const char *key, int64_t v);
void mlv_json_key_uint(struct mlv_json *j, const char *key, uint64_t v);
void mlv_json_key_bool(struct mlv_json *j, const char *key, bool v);
void mlv_json_key_array(struct mlv_json *j, const char *key);  /* "key": [ */
void mlv_json_key_object(struct mlv_json *j, const char *key); /* "key": { */

#endif
