/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_REPORT_MADE_H
#define MLV_CLI_REPORT_MADE_H
/*
 * What an earlier `mlviz report` wrote into a directory, by the list in its
 * report.json. Those files are no inputs of a later run, and those of them
 * that a later report does not have are removed. Names that no report gives
 * are passed over: whoever wrote the list, recordings stay.
 */
#include "base/arena.h"
#include "base/limits.h"
#include "base/vec.h"

struct mlv_report_made {
	struct mlv_arena texts;
	MLV_VEC(const char *) files; /* plain names, report.json among them */
};

/* Of a directory without a report of ours it is empty. MLV_E_NOMEM only. */
enum mlv_rc mlv_report_made_init(struct mlv_report_made *m, const char *directory,
				 struct mlv_err *err);
void mlv_report_made_fini(struct mlv_report_made *m);
bool mlv_report_made_has(const struct mlv_report_made *m, const char *name);

#endif
