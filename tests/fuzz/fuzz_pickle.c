/* SPDX-License-Identifier: MIT */
/* The pickle machine on its own, with nobody who takes what it builds. */
#include "fuzz.h"

#include "parsers/pickle.h"

/* Visit all that hangs on a value, a few levels down. */
static size_t visit(const struct mlv_values *v, mlv_word w, int levels)
{
	size_t n = 1;
	struct mlv_value_iter it = mlv_values_iter(v, w);
	for (mlv_word item; n < 10000 && mlv_value_next(&it, &item);) {
		mlv_strid id;
		if (mlv_word_str(item, &id))
			FUZZ_CHECK(mlv_str_get(v->strings, id).p != NULL);
		n += levels ? visit(v, item, levels - 1) : 1;
	}
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mlv_limits limits = fuzz_limits();
	struct mlv_interner strings;
	struct mlv_diags diags = { 0 };
	struct mlv_values v;
	struct mlv_source *src;
	struct mlv_reader r;
	struct mlv_value_hooks hooks = { 0 };
	struct mlv_err err = MLV_ERR_INIT;
	mlv_word top = 0;

	FUZZ_CHECK(mlv_interner_init(&strings) && mlv_values_init(&v, &strings, &limits, hooks) &&
		   !mlv_source_memory(&src, "input", (struct mlv_bytes){ data, size },
				      fuzz_chunk(size), &limits, NULL));
	mlv_reader_init(&r, src);
	enum mlv_rc rc = mlv_pickle_read(&v, &r, &top, &diags, &err);
	FUZZ_CHECK(rc == err.rc);
	FUZZ_CHECK(rc == MLV_OK || rc == MLV_E_UNSUPPORTED || rc == MLV_E_LIMIT);
	if (rc == MLV_OK)
		visit(&v, top, 4);
	mlv_reader_fini(&r);
	mlv_source_close(src);
	mlv_values_fini(&v);
	mlv_interner_fini(&strings);
	mlv_diags_fini(&diags);
	return 0;
}
