/* SPDX-License-Identifier: MIT */
#include "parsers/text/table_value.h"

#include <string.h>
#include <strings.h>

#include "parsers/text/lines.h"

bool mlv_value_parse(struct mlv_str s, struct mlv_decimal *d)
{
	/*
	 * PyTorch divides by 1024 whatever it calls the result: _format_memory of
	 * torch/autograd/profiler_util.py ("Kb", later "KB") and _format_size of
	 * torch/cuda/memory.py ("KB", later "KiB").
	 */
	static const struct {
		const char *name;
		enum mlv_unit unit;
	} units[] = {
		{ "", MLV_UNIT_NONE },   { "%", MLV_UNIT_PERCENT },    { "ns", MLV_UNIT_NS },
		{ "us", MLV_UNIT_US },   { "\xc2\xb5s", MLV_UNIT_US }, { "\xce\xbcs", MLV_UNIT_US },
		{ "ms", MLV_UNIT_MS },   { "s", MLV_UNIT_S },          { "b", MLV_UNIT_BYTES },
		{ "kb", MLV_UNIT_KIB },  { "kib", MLV_UNIT_KIB },      { "mb", MLV_UNIT_MIB },
		{ "mib", MLV_UNIT_MIB }, { "gb", MLV_UNIT_GIB },       { "gib", MLV_UNIT_GIB },
		{ "tb", MLV_UNIT_TIB },  { "tib", MLV_UNIT_TIB },      { "pb", MLV_UNIT_PIB },
		{ "pib", MLV_UNIT_PIB },
	};
	struct mlv_decimal r;
	size_t used;
	s = mlv_str_trim(s);
	if (!mlv_decimal_parse(s, &used, &r))
		return false;
	struct mlv_str unit = mlv_str_trim((struct mlv_str){ s.p + used, s.n - used });
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (unit.n != strlen(units[i].name) ||
		    strncasecmp(unit.p, units[i].name, unit.n) != 0)
			continue;
		r.unit = (uint8_t)units[i].unit;
		*d = r;
		return true;
	}
	return false;
}
