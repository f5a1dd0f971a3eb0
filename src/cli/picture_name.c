/* SPDX-License-Identifier: MIT */
#include "cli/picture_name.h"

#include <stdio.h>

void mlv_picture_name(const struct mlv_input *input, const char *kind, char *buf, size_t size)
{
	static const struct mlv_str endings[] = {
		MLV_STR_INIT(".gz"),   MLV_STR_INIT(".zst"),  MLV_STR_INIT(".pickle"),
		MLV_STR_INIT(".pkl"),  MLV_STR_INIT(".json"), MLV_STR_INIT(".txt"),
		MLV_STR_INIT(".log"),  MLV_STR_INIT(".csv"),  MLV_STR_INIT(".dat"),
		MLV_STR_INIT(".prof"), MLV_STR_INIT(".*"),
	};
	struct mlv_str name = mlv_str_basename(mlv_str_of(input->run.file));
	if (input->is_stdin)
		name = MLV_STR("stdin");
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		if (name.n > endings[i].n && mlv_str_has_suffix(name, endings[i]))
			name.n -= endings[i].n;
	}
	snprintf(buf, size, "%.*s.%s.svg", name.n > 200 ? 200 : (int)name.n, name.p, kind);
}
