/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_EXPORT_EXPORT_H
#define MLV_REPORT_EXPORT_EXPORT_H
/*
 * The model in the formats of other tools. docs/export.md says what each of
 * them holds. All write as they go: nothing is held twice.
 */
#include "analysis/flame/flame.h"
#include "base/sink.h"
#include "report/export/relations.h"

/* Stacks deeper than this are cut: what lies deeper counts to the frame at this depth. */
enum { MLV_FOLDED_DEPTH = 1024 };

/*
 * Folded stacks, one line for each stack of a settled graph: names from the
 * outside in, separated by ';', a blank, the value.
 */
enum mlv_rc mlv_export_folded(const struct mlv_flame *f, const struct mlv_sink *sink,
			      struct mlv_err *err);

/* Chrome's Trace Event Format, for Perfetto: counters of memory, spans, instants. */
enum mlv_rc mlv_export_chrome(const struct mlv_run *const *runs, size_t count,
			      const struct mlv_sink *sink, struct mlv_err *err);

/*
 * One table as CSV. `raw`: texts that a spreadsheet would take for a formula
 * are left as they are.
 */
enum mlv_rc mlv_export_csv(struct mlv_relation_sources *sources, const struct mlv_relation *table,
			   bool raw, const struct mlv_sink *sink, struct mlv_err *err);

/* All tables as a SQLite database, into the empty file `path`, whose directory nobody else uses. */
enum mlv_rc mlv_export_sqlite(struct mlv_relation_sources *sources, const char *path,
			      struct mlv_err *err);

#endif
