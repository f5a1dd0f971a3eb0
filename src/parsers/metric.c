/* SPDX-License-Identifier: MIT */
#include "parsers/metric.h"

#include <string.h>
#include <strings.h>

#include "parsers/lines.h"

enum mlv_rc mlv_metric_add(const struct mlv_metric_row *at, mlv_strid metric,
			   struct mlv_decimal value, struct mlv_err *err)
{
	struct mlv_metric m = { .section = at->section,
				.row = at->row,
				.subject = at->subject,
				.metric = metric,
				.value = value };
	enum mlv_rc full = mlv_limits_room(at->limits, at->run->metrics.len, "metrics", err);
	if (full)
		return full;
	if (!mlv_vec_push(&at->run->metrics, m))
		return mlv_err_nomem(err);
	return MLV_OK;
}

enum mlv_rc mlv_metric_named(const struct mlv_metric_row *at, const char *metric,
			     struct mlv_decimal value, struct mlv_err *err)
{
	mlv_strid id;
	if (!mlv_intern(&at->run->strings, metric, strlen(metric), &id))
		return mlv_err_nomem(err);
	return mlv_metric_add(at, id, value, err);
}

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

bool mlv_str_take(struct mlv_str s, struct mlv_str word, struct mlv_str *rest)
{
	s = mlv_str_trim(s);
	if (!mlv_str_has_prefix(s, word))
		return false;
	*rest = mlv_str_trim((struct mlv_str){ s.p + word.n, s.n - word.n });
	return true;
}
