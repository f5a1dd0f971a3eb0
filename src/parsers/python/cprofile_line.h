/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_PYTHON_CPROFILE_LINE_H
#define MLV_PARSERS_PYTHON_CPROFILE_LINE_H
/*
 * The lines that pstats prints, each on its own and without blanks around it
 * unless said otherwise. Texts in the results are parts of the line.
 */
#include "parsers/python/cprofile.h"

/* "23849 function calls (23258 primitive calls) in 0.009 seconds" */
struct mlv_cprofile_summary {
	struct mlv_decimal calls, primitive, seconds;
};

bool mlv_cprofile_is_summary(struct mlv_str s, struct mlv_cprofile_summary *r);

/* "Ordered by: …", "List reduced from …": what stands between a summary and a table. */
bool mlv_cprofile_is_note(struct mlv_str s);
/* The order comes first; what is there already belongs to a table that was not printed. */
bool mlv_cprofile_begins_notes(struct mlv_str s);

/* "ncalls  tottime  percall  cumtime  percall filename:lineno(function)" */
bool mlv_cprofile_is_title(struct mlv_str s);
/* "ncalls  tottime  cumtime": below the title of callers and callees */
bool mlv_cprofile_is_subtitle(struct mlv_str s);
/* "Function            was called by..." or "Function            called...", with its blanks. */
bool mlv_cprofile_is_calls_title(struct mlv_str s, struct mlv_cprofile_calls *calls);

/* A row of print_stats, with its blanks. */
struct mlv_cprofile_stats {
	struct mlv_decimal calls, primitive, times[4];
	bool has[4]; /* tottime, its share of a call, cumtime, its share of a call */
	struct mlv_str name;
};
bool mlv_cprofile_is_stats(struct mlv_str s, struct mlv_cprofile_stats *r);

/* "a.py:3(work)", "{built-in method len}": not cut off. */
bool mlv_cprofile_has_end(struct mlv_str name);

#endif
