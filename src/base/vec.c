/* SPDX-License-Identifier: MIT */
#include "base/vec.h"

#include <stdint.h>

bool mlv_vec_grow(void **data, size_t *cap, size_t size, size_t need)
{
	size_t most = SIZE_MAX / 2 / size;
	if (need > most)
		return false;
	size_t want = *cap + *cap / 2;
	if (want < need)
		want = need;
	if (want < 16)
		want = 16;
	if (want > most)
		want = most;
	void *p = realloc(*data, want * size);
	if (!p)
		return false;
	*data = p;
	*cap = want;
	return true;
}
