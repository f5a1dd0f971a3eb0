/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_CI_STATED_H
#define MLV_REPORT_CI_STATED_H
/* Statements of logs: which of them are of one kind, and what stays of them in the next run. */
#include <stdbool.h>

#include "base/str.h"

struct mlv_report;

/* Whether a finding of that code, or text, tells of a request for device memory that failed. */
bool mlv_stated_oom(struct mlv_str code, struct mlv_str text);

/* Whether it is what ranks and launchers say when a collective does not end: a consequence. */
bool mlv_stated_of_hang(struct mlv_str code, struct mlv_str text);

/* Code and text without numbers, addresses and directories. */
const char *mlv_stated_subject(struct mlv_report *r, struct mlv_str code, struct mlv_str text);

/* The text, no longer than people read. */
const char *mlv_stated_cut(struct mlv_report *r, struct mlv_str text);

#endif
