/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_CI_NUMBER_H
#define MLV_REPORT_CI_NUMBER_H
/* Figures of findings and budgets in JSON: the shortest digits that are the same number. */
#include "base/json_write.h"

/* null where it is not finite. */
void mlv_ci_number(struct mlv_json *j, double v);
void mlv_ci_key_number(struct mlv_json *j, const char *key, double v);

#endif
