/* SPDX-License-Identifier: MIT */
/*
 * The pickle machine on its own, with nobody who takes what it builds. What
 * comes of an input must not depend on how it is cut into spans.
 */
#include "fuzz.h"

#include <string.h>

#include "parsers/document/pickle.h"

static void mix(uint64_t *h, uint64_t n)
{
	*h = (*h ^ n) * UINT64_C(0x9e3779b97f4a7c15);
	*h ^= *h >> 29;
}

static uint64_t number_of(const struct mlv_values *v, mlv_word w)
{
	uint64_t bits = mlv_word_payload(w);
	if (mlv_word_tag(w) == MLV_W_BIG)
		bits = v->bigs.data[mlv_word_payload(w)];
	else if (mlv_word_tag(w) == MLV_W_FLOAT)
		memcpy(&bits, &v->floats.data[mlv_word_payload(w)], sizeof(bits));
	else if (mlv_word_tag(w) == MLV_W_OBJ)
		bits = v->objs.data[mlv_word_payload(w)].kind;
	return bits;
}

/* All that hangs on a value, a few levels down, in one number. */
static void visit(const struct mlv_values *v, mlv_word w, int levels, uint64_t *h, unsigned *left)
{
	mlv_strid id;
	if (mlv_word_str(w, &id))
		FUZZ_CHECK(mlv_str_get(v->strings, id).p != NULL);
	mix(h, (uint64_t)mlv_word_tag(w));
	mix(h, number_of(v, w));
	struct mlv_value_iter it = mlv_values_iter(v, w);
	for (mlv_word item; levels && *left && mlv_value_next(&it, &item);) {
		--*left;
		visit(v, item, levels - 1, h, left);
	}
}

static uint64_t read_cut(const uint8_t *data, size_t size, size_t chunk)
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
	uint64_t h = 1;
	unsigned left = 10000;

	FUZZ_CHECK(!mlv_source_memory(&src, "input", (struct mlv_bytes){ data, size }, chunk,
				      &limits, NULL));
	/* How much of damaged compressed data comes through depends on the spans. */
	if (mlv_source_compression(src) != MLV_PLAIN) {
		mlv_source_close(src);
		return 0;
	}
	FUZZ_CHECK(mlv_interner_init(&strings) && mlv_values_init(&v, &strings, &limits, hooks));
	mlv_reader_init(&r, src);
	enum mlv_rc rc = mlv_pickle_read(&v, &r, &top, &diags, &err);
	FUZZ_CHECK(rc == err.rc);
	FUZZ_CHECK(rc == MLV_OK || rc == MLV_E_UNSUPPORTED || rc == MLV_E_LIMIT);
	mix(&h, (uint64_t)rc);
	/* A limit of the input stops where a span ends. */
	if (rc != MLV_E_LIMIT)
		mix(&h, err.offset);
	if (rc == MLV_OK)
		visit(&v, top, 6, &h, &left);
	for (size_t i = 0; i < diags.list.len && rc != MLV_E_LIMIT; i++)
		mix(&h, diags.list.data[i].offset);
	mlv_reader_fini(&r);
	mlv_source_close(src);
	mlv_values_fini(&v);
	mlv_interner_fini(&strings);
	mlv_diags_fini(&diags);
	return h;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t chunk = fuzz_chunk(size);
	uint64_t h = read_cut(data, size, chunk ? 0 : 5);
	FUZZ_CHECK(h == read_cut(data, size, chunk));
	return 0;
}
