/* SPDX-License-Identifier: MIT */
#ifndef MLV_FUZZ_FUZZ_TABLES_H
#define MLV_FUZZ_FUZZ_TABLES_H
/* What must hold of the tables of a run, whichever format filled them from whatever bytes. */
#include "base/buf.h"
#include "model/run.h"

/* Every id in the tables is one, every range lies within its table, every tree ends. */
void fuzz_check_tables(const struct mlv_run *run);

/* The content of the tables in one number: two runs with the same tables have the same. */
uint64_t fuzz_tables_hash(const struct mlv_run *run);

/* What reports and rankings make of the run: text, and JSON, which must be well-formed. */
void fuzz_report(const struct mlv_run *run);

/* Graphs, traces and tables for other tools. */
void fuzz_export(const struct mlv_run *run);

/* The project's own reader must find nothing amiss in what the project's writer wrote. */
void fuzz_check_json(const struct mlv_buf *text);

#endif
