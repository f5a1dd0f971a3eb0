/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_STRACE_STRACE_PARTS_H
#define MLV_PARSERS_STRACE_STRACE_PARTS_H
/* The files of one recording by strace -ff, while they are read side by side. */
#include "parsers/budget.h"
#include "parsers/strace/strace_state.h"

#define MLV_STRACE_NOT_YET UINT32_MAX
#define MLV_NS_PER_DAY INT64_C(86400000000000)

struct mlv_strace_part {
	const struct mlv_part *is;
	struct mlv_lines lines;
	struct mlv_line line;     /* the one that is due, */
	struct mlv_strace_line l; /* taken apart */
	bool more;                /* there is one */
	bool inside;              /* its call has begun; what is due is its end */
	bool has_time;
	int64_t due;
	int64_t stamp, midnight; /* the last time of day, and the days before it */
	uint32_t turn;           /* in the order in which the processes became known */
	size_t at;               /* in the heap */
	uint32_t task;           /* of its last line */
	uint64_t rows;
};

struct mlv_strace_parts {
	struct mlv_parse *parse; /* borrowed */
	struct mlv_budget budget;
	uint64_t read; /* bytes of all files */
	struct mlv_text text;
	struct mlv_strace st;
	struct mlv_strace_part *list; /* owned */
	size_t count;
	struct mlv_strace_part **numbers; /* owned: by number */
	struct mlv_strace_part **heap;    /* owned: those with lines left, the one due next first */
	size_t waiting;
	uint32_t turns;
	int64_t first_of_day; /* of times without a date: those below it are of the next day */
	int64_t unit;         /* all times are multiples of it: 1 s, 1 ms, 1 us or 1 ns */
	bool relative;        /* there were times of -r */
};

/* ---- strace_parts.c ---- */

/* When the line at hand was written, on a scale that all files share. */
void mlv_strace_parts_tell_due(struct mlv_strace_parts *m, struct mlv_strace_part *p);
/* To the next line that is strace's. */
void mlv_strace_parts_advance(struct mlv_strace_parts *m, struct mlv_strace_part *p);

/* ---- strace_parts_queue.c ---- */

void mlv_strace_parts_add(struct mlv_strace_parts *m, struct mlv_strace_part *p);
/* One that waits at that place goes before others now. */
void mlv_strace_parts_rise(struct mlv_strace_parts *m, size_t at);
/* The first has another line, or none. */
void mlv_strace_parts_put_back(struct mlv_strace_parts *m);
/* Whether another than the first has a line before `time`. */
bool mlv_strace_parts_others_before(const struct mlv_strace_parts *m, int64_t time);

/* ---- strace_parts_ends.c ---- */

enum mlv_rc mlv_strace_parts_start(struct mlv_strace_parts *m, struct mlv_err *err);
enum mlv_rc mlv_strace_parts_finish(struct mlv_strace_parts *m, struct mlv_err *err);

#endif
