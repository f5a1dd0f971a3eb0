/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_FAILURE_FAILURES_H
#define MLV_PARSERS_FAILURE_FAILURES_H
/*
 * How runs die, other than by a Python exception: what launchers, libraries,
 * the kernel, the scheduler and debuggers write about it. A statement is found
 * by the words that it begins with (failures.c); each kind has a file of its
 * own, and a part of the state for statements of several lines.
 */
#include "parsers/text/statement.h"

enum { MLV_FAILURE_FRAMES = 512, MLV_FAILURE_WORDS = 64 };

/* One process in the table of torchelastic. */
struct mlv_failure_child {
	bool table, root, open; /* within the table, below "Root Cause", within "[0]:" */
	int64_t rank, local_rank, exitcode, pid;
	mlv_strid time, host, error_file, traceback;
	uint32_t first_line, last_line;
};

/* "NCCL error in:", with what its next lines add. */
struct mlv_failure_nccl {
	bool open, last_error; /* the next line is the last error */
	unsigned lines;        /* that may still add something */
	mlv_strid text, file, version, result, detail;
	uint32_t file_line, first_line, last_line;
};

enum mlv_stack_kind { MLV_STACK_GDB, MLV_STACK_PYTHON, MLV_STACK_NATIVE };

/* A stack while its frames arrive, one a line, innermost first. */
struct mlv_failure_stack {
	bool open;
	enum mlv_stack_kind kind;
	mlv_frameid *frames; /* owned; NULL: none yet */
	size_t count;
	mlv_strid title, thread, exception, file;
	uint32_t file_line, first_line, last_line;
	bool fatal, current; /* below a fatal error; of the thread that had it */
	char *pending;       /* owned: a frame of gdb that goes on in the next line */
	size_t pending_n;
};

/* A fatal error of Python or a signal that gdb reported, until a stack tells the rest. */
struct mlv_failure_cause {
	mlv_strid text;
	uint32_t line;
	bool told;
};

/* "oom-kill:constraint=…", which belongs to the kill that follows. */
struct mlv_failure_kill {
	bool open;
	int64_t pid;
	mlv_strid text, constraint, cgroup, task;
	uint32_t line;
};

struct mlv_failures {
	bool indexed;
	uint8_t words_of[256], next_word[MLV_FAILURE_WORDS]; /* rows of the table + 1; 0: none */
	uint32_t section, row;
	struct mlv_failure_child child;
	struct mlv_failure_nccl nccl;
	struct mlv_failure_stack stack;
	struct mlv_failure_cause cause; /* "Fatal Python error" */
	struct mlv_failure_cause signal;
	struct mlv_failure_kill kill;
	mlv_strid thread_title; /* of gdb */
	uint32_t thread_line;
	int64_t events[8]; /* of memory.events, in the order of the file */
	unsigned event;    /* how many came */
	uint32_t event_line;
	mlv_strid cgroup_file; /* the last line named it: its content follows */
	uint32_t cgroup_line;
};

/* A statement found at `at` in the text of the line. */
typedef enum mlv_rc mlv_failure_rule(struct mlv_failures *f, struct mlv_text *t,
				     const struct mlv_line *line, size_t at, bool *mine,
				     struct mlv_err *err);

/* failure_child.c */
mlv_failure_rule mlv_failure_table, mlv_failure_process;
/* failure_nccl.c */
mlv_failure_rule mlv_failure_nccl_warn, mlv_failure_nccl_error, mlv_failure_nccl_result;
/* failure_device.c */
mlv_failure_rule mlv_failure_cuda, mlv_failure_assert, mlv_failure_xid;
/* failure_kernel.c */
mlv_failure_rule mlv_failure_killed, mlv_failure_oom_kill, mlv_failure_invoked;
/* failure_scheduler.c */
mlv_failure_rule mlv_failure_slurm, mlv_failure_container;
/* failure_cgroup.c */
mlv_failure_rule mlv_failure_cgroup;
/* failure_shell.c */
mlv_failure_rule mlv_failure_shell, mlv_failure_segfault;
/* failure_faulthandler.c */
mlv_failure_rule mlv_failure_fatal, mlv_failure_thread;
/* failure_gdb.c */
mlv_failure_rule mlv_failure_signal, mlv_failure_frame;
/* failure_terminate.c */
mlv_failure_rule mlv_failure_terminate;

/* A line behind an open statement of several lines; *mine: it was part of it. */
enum mlv_rc mlv_failure_child_line(struct mlv_failures *f, struct mlv_text *t,
				   const struct mlv_line *line, bool *mine, struct mlv_err *err);
enum mlv_rc mlv_failure_nccl_line(struct mlv_failures *f, struct mlv_text *t,
				  const struct mlv_line *line, bool *mine, struct mlv_err *err);
enum mlv_rc mlv_failure_stack_line(struct mlv_failures *f, struct mlv_text *t,
				   const struct mlv_line *line, bool *mine, struct mlv_err *err);
enum mlv_rc mlv_failure_cgroup_line(struct mlv_failures *f, struct mlv_text *t,
				    const struct mlv_line *line, bool *mine, struct mlv_err *err);

/* No more lines. */
enum mlv_rc mlv_failure_child_end(struct mlv_failures *f, struct mlv_text *t, struct mlv_err *err);
enum mlv_rc mlv_failure_nccl_end(struct mlv_failures *f, struct mlv_text *t, struct mlv_err *err);
enum mlv_rc mlv_failure_stack_end(struct mlv_failures *f, struct mlv_text *t, struct mlv_err *err);
enum mlv_rc mlv_failure_cgroup_end(struct mlv_failures *f, struct mlv_text *t, struct mlv_err *err);
enum mlv_rc mlv_failure_kernel_end(struct mlv_failures *f, struct mlv_text *t, struct mlv_err *err);

/* What all of them need: a statement of one line, to which attributes are added before it is told.
 */
struct mlv_statement mlv_failure_begin(const struct mlv_text *t, const char *code,
				       enum mlv_finding_severity severity, struct mlv_str text,
				       uint32_t line);
enum mlv_rc mlv_failure_tell(struct mlv_failures *f, struct mlv_text *t,
			     const struct mlv_statement *s, struct mlv_err *err);
enum mlv_rc mlv_failure_intern(struct mlv_text *t, struct mlv_str s, mlv_strid *id,
			       struct mlv_err *err);

#endif
