/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_DOCUMENT_PICKLE_H
#define MLV_PARSERS_DOCUMENT_PICKLE_H
/*
 * The pickle machine: data opcodes of protocols 0 to 5 into values. Opcodes
 * that would import or call something are refused with their offset, whatever
 * they name: nothing in an input is ever executed.
 */
#include "base/diag.h"
#include "base/reader.h"
#include "parsers/document/values.h"

/*
 * Read one pickle. A pickle that is damaged or ends early is read up to
 * there: `diags` gets the place, open containers are closed, and the call
 * succeeds with what there was (*result has the tag MLV_W_UNSET if that is
 * nothing). Fails with MLV_E_UNSUPPORTED for code, MLV_E_LIMIT, MLV_E_NOMEM.
 */
enum mlv_rc mlv_pickle_read(struct mlv_values *v, struct mlv_reader *r, mlv_word *result,
			    struct mlv_diags *diags, struct mlv_err *err);

#endif
