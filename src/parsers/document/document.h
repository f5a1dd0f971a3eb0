/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_DOCUMENT_DOCUMENT_H
#define MLV_PARSERS_DOCUMENT_DOCUMENT_H
/*
 * A document is one value, written as pickle or as JSON: memory snapshots,
 * flight-recorder dumps, profiles. Which of the two it is, and reading it,
 * is the same for all formats; what its keys mean is theirs.
 */
#include <stdbool.h>

#include "base/diag.h"
#include "base/reader.h"
#include "parsers/document/values.h"

enum mlv_document_kind { MLV_DOC_NONE, MLV_DOC_PICKLE, MLV_DOC_JSON };

/* By the first bytes, after decompression. */
enum mlv_document_kind mlv_document_kind(struct mlv_bytes head);

/* Whether `text` occurs in these bytes: a key that tells one format from another. */
bool mlv_head_has(struct mlv_bytes head, const char *text);

/*
 * Read the document into `v`, whose hooks are set. As mlv_pickle_read: damage
 * is in `diags`, *result is what could be read.
 */
enum mlv_rc mlv_document_read(struct mlv_values *v, struct mlv_reader *r, mlv_word *result,
			      struct mlv_diags *diags, struct mlv_err *err);

/* `"version", "entries"`: up to three keys of a dict, for a message. Empty if it has no text keys.
 */
void mlv_document_keys(const struct mlv_values *v, mlv_word top, char *buf, size_t size);

/* The value of a text key in a stored dict; MLV_W_UNSET if there is none. */
mlv_word mlv_document_get(const struct mlv_values *v, mlv_word dict, const char *key);

#endif
