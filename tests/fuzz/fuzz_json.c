/* SPDX-License-Identifier: MIT */
/* The JSON tokenizer: its tokens must nest, and be the same however the input is cut. */
#include "fuzz.h"

#include <string.h>

#include "base/json_read.h"

/* What the tokens were, in one number, and whether they nest. */
struct result {
	enum mlv_rc rc;
	uint64_t hash;
};

static void mix(uint64_t *h, const void *p, size_t n)
{
	const uint8_t *bytes = p;
	for (size_t i = 0; i < n; i++)
		*h = (*h ^ bytes[i]) * UINT64_C(0x100000001b3);
}

static bool is_begin(enum mlv_json_kind kind)
{
	return kind == MLV_JSON_OBJECT_BEGIN || kind == MLV_JSON_ARRAY_BEGIN;
}

static bool is_end(enum mlv_json_kind kind)
{
	return kind == MLV_JSON_OBJECT_END || kind == MLV_JSON_ARRAY_END;
}

static struct result tokens(const uint8_t *data, size_t size, size_t chunk, bool skip)
{
	struct mlv_limits limits = fuzz_limits();
	struct mlv_diags diags = { 0 };
	struct mlv_source *src;
	struct mlv_reader r;
	struct mlv_err err = MLV_ERR_INIT;
	struct mlv_json_token t;
	struct result result = { MLV_OK, 0 };
	uint64_t depth = 0, key = 0;
	FUZZ_CHECK(!mlv_source_memory(&src, "input", (struct mlv_bytes){ data, size }, chunk,
				      &limits, NULL));
	mlv_reader_init(&r, src);
	struct mlv_json_reader *j = mlv_json_reader_create(&r, &limits, &diags);
	FUZZ_CHECK(j);
	for (uint64_t n = 0; !(result.rc = mlv_json_next(j, &t, &err)); n++) {
		if (t.kind == MLV_JSON_END)
			break;
		FUZZ_CHECK(n <= 2 * size + 2);
		FUZZ_CHECK(!key || (t.kind != MLV_JSON_KEY && !is_end(t.kind)));
		key = t.kind == MLV_JSON_KEY;
		depth += is_begin(t.kind);
		FUZZ_CHECK(depth <= limits.depth && (!is_end(t.kind) || depth));
		depth -= is_end(t.kind);
		mix(&result.hash, &t.kind, sizeof(t.kind));
		mix(&result.hash, t.text.p, t.text.n);
		if (skip && is_begin(t.kind) && n % 3 == 0) {
			if ((result.rc = mlv_json_skip(j, &err)))
				break;
			depth--;
		}
	}
	FUZZ_CHECK(result.rc ? result.rc == MLV_E_LIMIT : !depth && !key);
	mlv_json_reader_destroy(j);
	mlv_reader_fini(&r);
	mlv_source_close(src);
	mlv_diags_fini(&diags);
	return result;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct result whole = tokens(data, size, 0, false);
	struct result cut = tokens(data, size, size % 17 + 1, false);
	FUZZ_CHECK(whole.rc == cut.rc && whole.hash == cut.hash);
	(void)tokens(data, size, 3, true);
	return 0;
}
