/* SPDX-License-Identifier: MIT */
#ifndef MLV_FUZZ_FUZZ_H
#define MLV_FUZZ_FUZZ_H
/*
 * What the fuzz targets share. A target defines LLVMFuzzerTestOneInput: any
 * bytes may come, and it must return without a crash, a leak or undefined
 * behaviour, in time and memory that fit the size of the input.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What must hold whatever comes. */
#define FUZZ_CHECK(condition)                                                                      \
	do {                                                                                       \
		if (!(condition))                                                                  \
			abort();                                                                   \
	} while (0)

/* Small enough that a fuzzer meets the limits too. */
static inline struct mlv_limits fuzz_limits(void)
{
	struct mlv_limits limits = mlv_limits_default;
	limits.bytes = 4 << 20;
	limits.depth = 60;
	limits.memo = 100000;
	limits.string = 1 << 16;
	limits.rows = 50000;
	return limits;
}

/* How the input is cut into spans, chosen by its length, so that any file is an input. */
static inline size_t fuzz_chunk(size_t size)
{
	static const size_t chunks[] = { 0, 1, 2, 3, 7, 16, 64, 1000 };
	return chunks[size % (sizeof(chunks) / sizeof(chunks[0]))];
}

/* Compressed input is for the target of snapshots: elsewhere it hides the format. */
static inline bool fuzz_compressed(struct mlv_bytes data)
{
	return (data.n >= 4 && memcmp(data.p, "\x28\xb5\x2f\xfd", 4) == 0) ||
	       (data.n >= 4 && memcmp(data.p + 1, "\x2a\x4d\x18", 3) == 0) ||
	       (data.n >= 2 && memcmp(data.p, "\x1f\x8b", 2) == 0);
}

#endif
