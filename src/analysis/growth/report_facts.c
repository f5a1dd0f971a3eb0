/* SPDX-License-Identifier: MIT */
#include "analysis/growth/report_facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define GROUP "report"

/* More parameters or samples than this are a mistake of the file. */
#define MOST INT64_C(1000000000000000)

bool mlv_report_has_facts(const struct mlv_run *run)
{
	for (size_t i = 0; i < run->properties.len; i++) {
		if (mlv_str_eq(mlv_run_str(run, run->properties.data[i].group), MLV_STR(GROUP)))
			return true;
	}
	return false;
}

bool mlv_report_int(const struct mlv_run *run, int64_t rank, const char *key, int64_t *value)
{
	char own[120];
	const struct mlv_property *p = NULL;
	snprintf(own, sizeof(own), "rank %" PRId64 "/%s", rank, key);
	if (rank >= 0)
		p = mlv_run_property(run, GROUP, own);
	if (!p)
		p = mlv_run_property(run, GROUP, key);
	if (!p || p->kind != MLV_PROP_INT)
		return false;
	*value = p->number;
	return true;
}

struct mlv_str mlv_report_text(const struct mlv_run *run, const char *key, char *digits,
			       size_t size)
{
	const struct mlv_property *p = mlv_run_property(run, GROUP, key);
	if (!p)
		return (struct mlv_str){ "", 0 };
	if (p->kind == MLV_PROP_TEXT || p->kind == MLV_PROP_DECIMAL)
		return mlv_run_str(run, p->text);
	int n = snprintf(digits, size, "%" PRId64, p->number);
	return (struct mlv_str){ digits, (size_t)n };
}

int64_t mlv_report_parameters(const struct mlv_run *run)
{
	char digits[32];
	int64_t n;
	if (mlv_report_int(run, -1, "parameter_count", &n))
		return n > 0 && n < MOST ? n : 0;
	double mib =
		strtod(mlv_report_text(run, "parameters_fp32_mib", digits, sizeof(digits)).p, NULL);
	return mib > 0 && mib < 1e9 ? (int64_t)(mib * 1048576 / 4 + 0.5) : 0;
}

int64_t mlv_report_batch(const struct mlv_run *run, int64_t rank)
{
	int64_t n;
	if (!mlv_report_int(run, rank, "local_batch_size", &n) &&
	    !mlv_report_int(run, rank, "batch_size_per_device", &n) &&
	    !mlv_report_int(run, rank, "batch_size", &n))
		return 0;
	return n > 0 && n < MOST ? n : 0;
}
