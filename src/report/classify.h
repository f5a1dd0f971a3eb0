/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_CLASSIFY_H
#define MLV_REPORT_CLASSIFY_H
/* What `mlviz classify` says: verdicts, as text and as JSON. */
#include "analysis/growth/phases.h"
#include "analysis/growth/verdict.h"
#include "base/buf.h"
#include "base/json_write.h"

/* `top` rows of rankings. */
void mlv_verdict_text(const struct mlv_verdict *v, size_t top, struct mlv_buf *out);
/* One element of "runs". */
void mlv_verdict_json(const struct mlv_verdict *v, struct mlv_json *j);

/* The table of phases of any number of grids side by side. MLV_E_NOMEM only. */
enum mlv_rc mlv_phase_table_text(const struct mlv_phase_grid *grids, size_t count,
				 struct mlv_buf *out, struct mlv_err *err);

/* One element of "phases". */
void mlv_phases_json(const struct mlv_phase_grid *g, struct mlv_json *j);

#endif
