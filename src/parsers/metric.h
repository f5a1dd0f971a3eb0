/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_METRIC_H
#define MLV_PARSERS_METRIC_H
/*
 * What formats that are tables of figures share: a metric is added within the
 * limit on rows, and a number is read together with the unit behind it.
 */
#include "base/err.h"
#include "base/limits.h"
#include "model/run.h"

/* Whose figures these are: a row of a section. */
struct mlv_metric_row {
	struct mlv_run *run;
	const struct mlv_limits *limits;
	uint32_t section, row;
	mlv_strid subject;
};

enum mlv_rc mlv_metric_add(const struct mlv_metric_row *at, mlv_strid metric,
			   struct mlv_decimal value, struct mlv_err *err);
/* The same with the metric's name. */
enum mlv_rc mlv_metric_named(const struct mlv_metric_row *at, const char *metric,
			     struct mlv_decimal value, struct mlv_err *err);

/*
 * The whole of `s` as a number and a unit: "1.234ms", "45.6us", "-512 b",
 * "12.3 Mb", "12.34%", "7". For sizes that tools of PyTorch print: KB, Kb and
 * KiB all mean 1024 bytes. Blanks may stand between the two. False if it is
 * anything else.
 */
bool mlv_value_parse(struct mlv_str s, struct mlv_decimal *d);

/* Whether the blank-trimmed line begins with `word`; *rest is what follows it, without blanks. */
bool mlv_str_take(struct mlv_str s, struct mlv_str word, struct mlv_str *rest);

#endif
