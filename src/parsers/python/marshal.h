/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_PYTHON_MARSHAL_H
#define MLV_PARSERS_PYTHON_MARSHAL_H
/*
 * Python's marshal, as far as it holds data: what .prof files are made of.
 * Objects are read one by one into the words of values.h. Code objects and
 * whatever else a profile has no use for are refused with their offset.
 * Versions 0 to 5, and the strings of Python 2.
 */
#include "base/reader.h"
#include "parsers/document/values.h"

struct mlv_marshal {
	struct mlv_reader *reader; /* borrowed */
	struct mlv_values *values; /* borrowed */
	MLV_VEC(mlv_word) refs;    /* objects that later ones may refer to */
	MLV_VEC(mlv_word) names;   /* the same for interned strings, until version 2 */
};

void mlv_marshal_fini(struct mlv_marshal *m);

/*
 * Begin a dict, whose keys and values are then read one by one until a key is
 * MLV_W_UNSET, which ends it. MLV_E_FORMAT if what comes is no dict.
 */
enum mlv_rc mlv_marshal_dict(struct mlv_marshal *m, struct mlv_err *err);

/* The next object. MLV_W_UNSET for the mark that ends a dict. */
enum mlv_rc mlv_marshal_next(struct mlv_marshal *m, mlv_word *w, struct mlv_err *err);

#endif
