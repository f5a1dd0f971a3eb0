/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_FAILURE_FAILURE_STACK_H
#define MLV_PARSERS_FAILURE_FAILURE_STACK_H
/*
 * Stacks that no Python exception printed, between those who read their lines
 * (failure_faulthandler.c, failure_gdb.c, failure_terminate.c) and
 * failure_stack.c, which gathers the frames and tells the finding.
 */
#include "parsers/failure/failures.h"

/* ---- failure_stack.c ---- */

/* A stack begins at this line; it owns its frames until the end of the text. */
enum mlv_rc mlv_failure_stack_open(struct mlv_failures *f, enum mlv_stack_kind kind, uint32_t line,
				   struct mlv_err *err);
/* The next frame, further out; beyond MLV_FAILURE_FRAMES they are left out. */
enum mlv_rc mlv_failure_stack_push(struct mlv_failure_stack *s, struct mlv_text *t,
				   struct mlv_str function, struct mlv_str file, uint32_t line,
				   struct mlv_err *err);
/* Tell what is open, if anything is. */
enum mlv_rc mlv_failure_stack_close(struct mlv_failures *f, struct mlv_text *t,
				    struct mlv_err *err);
/* Tell a cause that no stack followed. */
enum mlv_rc mlv_failure_cause_tell(struct mlv_failures *f, struct mlv_text *t,
				   struct mlv_failure_cause *c, const char *code,
				   struct mlv_err *err);

/* ---- one line of the stack that is open; a line that is not `mine` may end it ---- */

enum mlv_rc mlv_failure_faulthandler_line(struct mlv_failures *f, struct mlv_text *t,
					  struct mlv_str text, bool *mine, struct mlv_err *err);
enum mlv_rc mlv_failure_gdb_line(struct mlv_failures *f, struct mlv_text *t, struct mlv_str text,
				 bool *mine, struct mlv_err *err);
enum mlv_rc mlv_failure_terminate_line(struct mlv_failures *f, struct mlv_text *t,
				       struct mlv_str text, bool *mine, struct mlv_err *err);

/* "Thread 12 (Thread 0x7f… (LWP 1234) "python"):": gdb's heading, which a stack may follow. */
enum mlv_rc mlv_failure_gdb_thread(struct mlv_failures *f, struct mlv_text *t, struct mlv_str text,
				   uint32_t line, struct mlv_err *err);

#endif
