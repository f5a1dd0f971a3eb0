/* SPDX-License-Identifier: MIT */
/*
 * The tensors of a flight-recorder entry: shapes as "[[4,5],[2]]", dtypes as
 * "Float,Long", and how many bytes went in.
 */
#include "parsers/distributed/fr_build.h"

#include <string.h>

/* Bytes of an element by the name that c10::toString gives the type; 0 unknown. */
static unsigned dtype_bytes(struct mlv_str name)
{
	static const struct {
		struct mlv_str name;
		unsigned bytes;
	} types[] = {
		{ MLV_STR_INIT("Float"), 4 },
		{ MLV_STR_INIT("BFloat16"), 2 },
		{ MLV_STR_INIT("Half"), 2 },
		{ MLV_STR_INIT("Long"), 8 },
		{ MLV_STR_INIT("Int"), 4 },
		{ MLV_STR_INIT("Byte"), 1 },
		{ MLV_STR_INIT("Double"), 8 },
		{ MLV_STR_INIT("Char"), 1 },
		{ MLV_STR_INIT("Short"), 2 },
		{ MLV_STR_INIT("Bool"), 1 },
		{ MLV_STR_INIT("Float8_e4m3fn"), 1 },
		{ MLV_STR_INIT("Float8_e5m2"), 1 },
		{ MLV_STR_INIT("ComplexHalf"), 4 },
		{ MLV_STR_INIT("ComplexFloat"), 8 },
		{ MLV_STR_INIT("ComplexDouble"), 16 },
		{ MLV_STR_INIT("Float8_e5m2fnuz"), 1 },
		{ MLV_STR_INIT("Float8_e4m3fnuz"), 1 },
		{ MLV_STR_INIT("Float8_e8m0fnu"), 1 },
		{ MLV_STR_INIT("Float4_e2m1fn_x2"), 1 },
		{ MLV_STR_INIT("QInt8"), 1 },
		{ MLV_STR_INIT("QUInt8"), 1 },
		{ MLV_STR_INIT("QInt32"), 4 },
		{ MLV_STR_INIT("UInt16"), 2 },
		{ MLV_STR_INIT("UInt32"), 4 },
		{ MLV_STR_INIT("UInt64"), 8 },
	};
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (mlv_str_eq(types[i].name, name))
			return types[i].bytes;
	}
	return 0;
}

/* One shape into f->text; its number of elements, -1 where that is not known. */
static int64_t shape(struct mlv_fr *f, mlv_word dims)
{
	struct mlv_value_iter it = mlv_values_iter(&f->values, dims);
	int64_t numel = 1, n;
	mlv_word w;
	bool first = true;
	mlv_buf_putc(&f->text, '[');
	while (mlv_value_next(&it, &w) && mlv_fr_work(f, 1)) {
		if (!first)
			mlv_buf_putc(&f->text, ',');
		first = false;
		if (!mlv_fr_int(f, w, &n)) {
			mlv_buf_putc(&f->text, '?');
			numel = -1;
			continue;
		}
		mlv_buf_int(&f->text, n);
		if (n < 0 || (numel >= 0 && __builtin_mul_overflow(numel, n, &numel)))
			numel = -1;
	}
	mlv_buf_putc(&f->text, ']');
	return numel;
}

/* A list of shapes into f->text. False if it is no such list. */
static bool shapes(struct mlv_fr *f, mlv_word list, bool inputs)
{
	struct mlv_value_iter it = mlv_values_iter(&f->values, list);
	mlv_word w;
	bool first = true;
	f->text.len = 0;
	f->input_numels.len = inputs ? 0 : f->input_numels.len;
	if (!mlv_fr_is_list(f, list))
		return false;
	mlv_buf_putc(&f->text, '[');
	while (mlv_value_next(&it, &w) && mlv_fr_work(f, 1)) {
		if (!first)
			mlv_buf_putc(&f->text, ',');
		first = false;
		int64_t numel = mlv_fr_is_list(f, w) ? shape(f, w) : -1;
		if (inputs && !mlv_vec_push(&f->input_numels, numel))
			f->text.failed = true;
	}
	mlv_buf_putc(&f->text, ']');
	return true;
}

/* A list of dtypes into f->text; *bytes: of the tensors whose elements f->input_numels counts. */
static bool dtypes(struct mlv_fr *f, mlv_word list, int64_t *bytes)
{
	struct mlv_value_iter it = mlv_values_iter(&f->values, list);
	mlv_word w;
	mlv_strid name;
	size_t i = 0;
	int64_t sum = 0;
	f->text.len = 0;
	*bytes = -1;
	if (!mlv_fr_is_list(f, list))
		return false;
	for (; mlv_value_next(&it, &w) && mlv_fr_work(f, 1); i++) {
		struct mlv_str s =
			mlv_word_str(w, &name) ? mlv_run_str(f->run, name) : MLV_STR("?");
		int64_t numel = i < f->input_numels.len ? f->input_numels.data[i] : -1;
		int64_t size = dtype_bytes(s), part;
		if (i)
			mlv_buf_putc(&f->text, ',');
		if (s.n > 64)
			s.n = 64;
		mlv_buf_str(&f->text, s);
		if (sum < 0 || numel < 0 || !size || __builtin_mul_overflow(numel, size, &part) ||
		    __builtin_add_overflow(sum, part, &sum))
			sum = -1;
	}
	/* No tensor is not the same as tensors without bytes. */
	if (i && i == f->input_numels.len)
		*bytes = sum;
	return true;
}

static bool keep(struct mlv_fr *f, enum mlv_fr_word key)
{
	mlv_strid id;
	return !f->text.failed &&
	       mlv_intern(&f->run->strings, f->text.data ? f->text.data : "", f->text.len, &id) &&
	       mlv_fr_attr_text(f, key, id);
}

enum mlv_rc mlv_fr_tensors(struct mlv_fr *f, const mlv_word *fields, int64_t *bytes,
			   struct mlv_err *err)
{
	int64_t unused;
	*bytes = -1;
	if (shapes(f, fields[W_INPUT_SIZES], true) && !keep(f, W_INPUT_SIZES))
		return mlv_err_nomem(err);
	if (dtypes(f, fields[W_INPUT_DTYPES], bytes) && !keep(f, W_INPUT_DTYPES))
		return mlv_err_nomem(err);
	if (shapes(f, fields[W_OUTPUT_SIZES], false) && !keep(f, W_OUTPUT_SIZES))
		return mlv_err_nomem(err);
	if (dtypes(f, fields[W_OUTPUT_DTYPES], &unused) && !keep(f, W_OUTPUT_DTYPES))
		return mlv_err_nomem(err);
	return f->text.failed ? mlv_err_nomem(err) : MLV_OK;
}
