/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_DOCUMENT_JSON_VALUES_H
#define MLV_PARSERS_DOCUMENT_JSON_VALUES_H
/*
 * JSON into the value machine: a document that was dumped with json.dump
 * instead of pickle.dump reads exactly as the pickle would, however large, and
 * becomes rows as it is read. json_tree.h is for small reports, of which a
 * whole tree is wanted and the digits of a number count.
 */
#include "base/diag.h"
#include "base/reader.h"
#include "parsers/document/values.h"

/* As mlv_pickle_read; damage ends in `diags` in the same way. */
enum mlv_rc mlv_json_read_values(struct mlv_values *v, struct mlv_reader *r, mlv_word *result,
				 struct mlv_diags *diags, struct mlv_err *err);

#endif
