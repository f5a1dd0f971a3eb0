/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_STRACE_STRACE_STATE_H
#define MLV_PARSERS_STRACE_STRACE_STATE_H
/*
 * What is known while a log of strace is read: the tasks (threads and
 * processes), their descriptors and address spaces, and the calls that have
 * begun and not returned. Rows of the run are made as lines come; their tracks
 * are put in at the end, since a task's process may be told late.
 */
#include "base/buf.h"
#include "parsers/strace/strace_files.h"
#include "parsers/strace/strace_line.h"
#include "parsers/strace/strace_space.h"
#include "parsers/strace/strace_summary.h"
#include "parsers/text/text.h"

#define MLV_STRACE_NO_TASK UINT32_MAX

/* A call that is being read. */
struct mlv_strace_call {
	uint32_t span;
	uint32_t task;
	mlv_strid name;
	enum mlv_strace_shape shape;
	struct mlv_str args; /* all that is known of them */
	int64_t start_ns;
	/* Found when it began, before other tasks could change it. */
	mlv_strid path;
	int64_t fd;      /* -1: none */
	uint64_t serial; /* of the heap */
	uint32_t forked; /* task that was taken for its child; MLV_STRACE_NO_TASK */
};

struct mlv_strace_task {
	int64_t pid;     /* -1: not told */
	int64_t learned; /* what getpid and its like returned; -1 */
	uint32_t leader; /* of its thread group: itself unless it is a thread */
	uint32_t parent; /* whose call made it; MLV_STRACE_NO_TASK: not in the log */
	uint32_t files, space;
	mlv_strid name;
	bool rooted;  /* it is known whose child it is */
	bool guessed; /* it is thought to be known */
	bool seen;    /* a line of its own was there */
	bool ended;
	bool is_pending;
	struct mlv_strace_call pending;
	char *args; /* owned: of `pending` */
	size_t args_len, args_cap;
};

/* A call whose line ended early, kept until its rest comes: what a program wrote got in between. */
struct mlv_strace_open {
	bool is;
	struct mlv_buf text; /* the line, and what completes it */
	uint32_t line;
};

struct mlv_strace {
	struct mlv_run *run; /* borrowed */
	bool begun;
	const char *file; /* of the line, where there are several; NULL: there is one */
	uint32_t section;
	uint64_t calls;        /* lines that were calls beyond doubt */
	uint64_t lines;        /* lines of strace */
	uint64_t foreign;      /* lines in between that are not */
	uint32_t foreign_line; /* the first */
	const char *foreign_file;
	uint64_t cut; /* calls whose line lost its end */
	uint32_t cut_line;
	const char *cut_file;
	uint64_t overlap; /* second halves without a first */
	bool previous;    /* the line before was strace's */

	enum mlv_strace_clock clock;
	int64_t first_ns, last_ns, days_ns; /* time of day; last_ns also the sum of -r */
	int64_t now;                        /* of the last line that had a time */
	bool durations;

	MLV_VEC(struct mlv_strace_task) tasks;
	struct mlv_map task_ids; /* pid -> task */
	uint32_t task;           /* of the last line; MLV_STRACE_NO_TASK: it is of none */
	uint32_t root;           /* the task of lines without a pid */
	uint32_t unnamed;        /* the first of these, if it had no number then */
	uint64_t alive;
	MLV_VEC(uint32_t) forking; /* tasks with a call that makes children, not returned */
	MLV_VEC(struct mlv_strace_files) files;
	MLV_VEC(struct mlv_strace_space) spaces;
	struct mlv_strace_heap heap;
	uint64_t work;          /* see strace_files.h */
	uint64_t forked_spaces; /* copies of address spaces that were not followed */

	MLV_VEC(uint32_t) span_ids; /* the spans made here */
	MLV_VEC(uint32_t) span_tasks;
	MLV_VEC(uint32_t)
	nameless; /* findings of `unnamed`, whose first attribute, "pid", comes later */
	mlv_strid category, unfinished;
	struct mlv_buf text; /* scratch */
	struct mlv_buf args; /* scratch: both halves of a call */

	struct { /* the call that returned last, or a signal: a stack may follow */
		bool is, is_signal;
		uint32_t row, space; /* row: a span or a finding */
		size_t first_event;
		bool mapped;
		MLV_VEC(mlv_frameid) frames;
	} last;
	struct mlv_strace_open open;
	struct mlv_strace_table table;
};

/* ---- strace_tasks.c ---- */

/* The task of a line; made if it is new. False when memory runs out. */
bool mlv_strace_task(struct mlv_strace *st, const struct mlv_strace_line *l, int64_t pid,
		     uint32_t *task);
/* A call made a child, which copies or shares its parent's tables; `guess` was taken for it. */
bool mlv_strace_child(struct mlv_strace *st, uint32_t parent, int64_t pid, uint32_t guess,
		      struct mlv_str args, struct mlv_str name);
/* A call that makes children has begun, and has returned. */
bool mlv_strace_forking(struct mlv_strace *st, uint32_t task);
void mlv_strace_forked(struct mlv_strace *st, uint32_t task);
/* The program was replaced. */
enum mlv_rc mlv_strace_exec(struct mlv_strace *st, uint32_t task, int64_t time,
			    struct mlv_err *err);
void mlv_strace_task_end(struct mlv_strace *st, uint32_t task);
/* `from` replaced the program of its whole process, and has the number of `to` from now on. */
void mlv_strace_supersede(struct mlv_strace *st, uint32_t from, uint32_t to);
void mlv_strace_tasks_fini(struct mlv_strace *st);

static inline struct mlv_strace_files *mlv_strace_files_of(struct mlv_strace *st, uint32_t task)
{
	return &st->files.data[st->tasks.data[task].files];
}

static inline struct mlv_strace_space *mlv_strace_space_of(struct mlv_strace *st, uint32_t task)
{
	return &st->spaces.data[st->tasks.data[task].space];
}

/* ---- strace_subject.c ---- */

/* When a call begins: its file, and what takes effect at once. */
bool mlv_strace_enter(struct mlv_strace *st, struct mlv_strace_call *c);
/* The path within a decoration, which is escaped like a string. */
bool mlv_strace_decorated(struct mlv_strace *st, struct mlv_str inside, mlv_strid *path);
/* "socket to 127.0.0.1:5000" of a struct sockaddr, into the scratch text; false if it shows none.
 */
bool mlv_strace_address(struct mlv_strace *st, const char *word, struct mlv_str arg);
bool mlv_strace_intern_text(struct mlv_strace *st, mlv_strid *id);

/* ---- strace_effects.c ---- */

/* When it returned. */
enum mlv_rc mlv_strace_leave(struct mlv_strace *st, const struct mlv_strace_call *c,
			     const struct mlv_strace_result *r, struct mlv_err *err);

/* ---- strace_memory.c ---- */

enum mlv_rc mlv_strace_memory(struct mlv_strace *st, const struct mlv_strace_call *c,
			      const struct mlv_strace_result *r, struct mlv_err *err);
/* All histories into the run, as devices. */
enum mlv_rc mlv_strace_devices(struct mlv_strace *st, mlv_trackid parent, struct mlv_err *err);

/* ---- strace_rows.c ---- */

/* A line that begins a call, or holds it whole (`r`). */
enum mlv_rc mlv_strace_begin_call(struct mlv_strace *st, struct mlv_text *t,
				  const struct mlv_strace_line *l, uint32_t task, uint32_t line,
				  struct mlv_err *err);
enum mlv_rc mlv_strace_resume_call(struct mlv_strace *st, struct mlv_text *t,
				   const struct mlv_strace_line *l, uint32_t task, uint32_t line,
				   struct mlv_err *err);
/* A call that will not return any more gets the attributes it has. */
enum mlv_rc mlv_strace_abandon(struct mlv_strace *st, uint32_t task, struct mlv_err *err);
/* A signal or an end. */
enum mlv_rc mlv_strace_event(struct mlv_strace *st, struct mlv_text *t,
			     const struct mlv_strace_line *l, uint32_t task, uint32_t line,
			     struct mlv_err *err);

/* ---- strace_tracks.c ---- */

/* A frame of the call that returned last; and the end of its stack. */
bool mlv_strace_frame(struct mlv_strace *st, struct mlv_str s);
bool mlv_strace_frames_end(struct mlv_strace *st);
/* Tracks of all spans. */
bool mlv_strace_tracks(struct mlv_strace *st, mlv_trackid parent);
/* The number that a task has in the end; -1: the log does not tell it. */
int64_t mlv_strace_pid(const struct mlv_strace *st, uint32_t task);

/* ---- strace_probe.c ---- */

int mlv_strace_probe(struct mlv_bytes head);
/* A line that is strace's whatever stands around it; one that is within a log of strace. */
bool mlv_strace_certain(const struct mlv_strace_line *l);
bool mlv_strace_likely(const struct mlv_strace_line *l);

/* ---- strace_take.c ---- */

/* Everything that a line of strace adds. */
enum mlv_rc mlv_strace_take(struct mlv_strace *st, struct mlv_text *t,
			    const struct mlv_strace_line *l, uint32_t line, struct mlv_err *err);

/* ---- strace_glue.c ---- */

/* Keep a call whose line ends early; take it as it is, since its rest did not come. */
enum mlv_rc mlv_strace_keep_open(struct mlv_strace *st, struct mlv_str s, uint32_t line,
				 struct mlv_err *err);
enum mlv_rc mlv_strace_give_up_open(struct mlv_strace *st, struct mlv_text *t, struct mlv_err *err);
/* A line that completes it; *done says whether it does. */
enum mlv_rc mlv_strace_complete_open(struct mlv_strace *st, struct mlv_text *t, struct mlv_str s,
				     bool *done, struct mlv_err *err);
/* A line that output of a program precedes. */
bool mlv_strace_glued(struct mlv_str s, struct mlv_strace_line *l);
/* Where "strace: Process 13340 attached" ends a line; 0 where it does not or is all of it. */
size_t mlv_strace_message_within(struct mlv_str s);

/* ---- strace_end.c ---- */

/* No more lines: calls that are open stay so, and tracks and devices are made. */
enum mlv_rc mlv_strace_finish(struct mlv_strace *st, struct mlv_text *t, struct mlv_err *err);
/* Free what it owns. */
void mlv_strace_fini(struct mlv_strace *st);

#endif
