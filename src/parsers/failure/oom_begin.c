/* SPDX-License-Identifier: MIT */
/* Where an out-of-memory message begins: by its first words, and the device that they name. */
#include <string.h>

#include "parsers/failure/oom_message.h"
#include "parsers/text/scan.h"

static bool begins(struct mlv_str s, const char *text)
{
	return mlv_scan(&s, text);
}

/* The device named before " out of memory" at `at`; its name's place. */
static ptrdiff_t named_device(struct mlv_str line, size_t at, enum mlv_oom_kind *kind)
{
	static const struct {
		const char *name;
		enum mlv_oom_kind kind;
	} devices[] = { { "CUDA", MLV_OOM_CUDA },
			{ "HIP", MLV_OOM_HIP },
			{ "XPU", MLV_OOM_XPU },
			{ "MPS backend", MLV_OOM_MPS } };
	for (size_t k = 0; k < sizeof(devices) / sizeof(devices[0]); k++) {
		size_t n = strlen(devices[k].name);
		if (at >= n && memcmp(line.p + at - n, devices[k].name, n) == 0) {
			*kind = devices[k].kind;
			return (ptrdiff_t)(at - n);
		}
	}
	return MLV_NOT_FOUND;
}

/* Whether a message begins just here; those that name a device begin before "out of memory". */
static bool begins_here(struct mlv_str s, enum mlv_oom_kind *kind)
{
	switch (s.p[0]) {
	case 'T':
		*kind = MLV_OOM_CUDA;
		return begins(s, "Tried to allocate ") &&
		       mlv_str_find(mlv_str_head(s, 64), " (GPU") >= 0;
	case 'C':
		*kind = MLV_OOM_XPU;
		return begins(s, "Current platform can NOT allocate");
	case '[':
		*kind = MLV_OOM_CPU;
		return begins(s, "[enforce fail at ") &&
		       mlv_str_find(mlv_str_head(s, MLV_OOM_HOST_BYTES / 2),
				    "DefaultCPUAllocator: ") >= 0;
	case 'D':
		*kind = MLV_OOM_CPU;
		return begins(s, "DefaultCPUAllocator: ");
	case 'U':
		*kind = MLV_OOM_CPU;
		return begins(s, "Unable to allocate ");
	default:
		return false;
	}
}

ptrdiff_t mlv_oom_begin(struct mlv_str line, enum mlv_oom_kind *kind)
{
	for (size_t i = 0; i < line.n; i++) {
		char c = line.p[i];
		if (!(c == ' ' || c == 'T' || c == 'C' || c == '[' || c == 'D' || c == 'U') ||
		    (c == ' ' && i + 1 < line.n && line.p[i + 1] != 'o'))
			continue;
		struct mlv_str s = mlv_str_from(line, i);
		ptrdiff_t at = MLV_NOT_FOUND;
		if (c == ' ' && begins(s, " out of memory"))
			at = named_device(line, i, kind);
		else if (begins_here(s, kind))
			at = (ptrdiff_t)i;
		if (at >= 0)
			return at;
	}
	return MLV_NOT_FOUND;
}
