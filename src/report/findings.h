/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_FINDINGS_H
#define MLV_REPORT_FINDINGS_H
/* What reports state, in words and as JSON: severity, line, rank, statement, location, numbers. */
#include "base/buf.h"
#include "base/json_write.h"
#include "model/run.h"

/* Up to `top` findings that contain `grep` (NULL: all). */
void mlv_findings_text(const struct mlv_run *run, size_t top, const char *grep,
		       struct mlv_buf *out);
/* The key "findings" with an array of all that contain `grep`. */
void mlv_findings_json(const struct mlv_run *run, const char *grep, struct mlv_json *j);
/* Whether the text or the code of a finding contains `grep`, which may be NULL. */
bool mlv_finding_wanted(const struct mlv_run *run, const struct mlv_finding *f, const char *grep);
/* The keys of one of them. */
void mlv_finding_json(const struct mlv_run *run, const struct mlv_finding *f, struct mlv_json *j);
/* One finding with all it has: numbers and stack. */
void mlv_finding_full(const struct mlv_run *run, const struct mlv_finding *f, struct mlv_buf *out);

/* A stack, one frame a line, innermost first. */
void mlv_stack_text(const struct mlv_run *run, mlv_stackid stack, const char *indent,
		    struct mlv_buf *out);
/* The key "stack" with an array. */
void mlv_stack_json(const struct mlv_run *run, mlv_stackid stack, struct mlv_json *j);
void mlv_attrs_text(const struct mlv_run *run, struct mlv_attrs attrs, const char *indent,
		    struct mlv_buf *out);
/* The key "attrs" with an object. */
void mlv_attrs_json(const struct mlv_run *run, struct mlv_attrs attrs, struct mlv_json *j);

#endif
