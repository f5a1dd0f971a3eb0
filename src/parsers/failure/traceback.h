/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_FAILURE_TRACEBACK_H
#define MLV_PARSERS_FAILURE_TRACEBACK_H
/*
 * Tracebacks that are open, and those that ended lately: shared by
 * traceback.c, which reads their lines, and traceback_close.c, which tells
 * what was read.
 */
#include "parsers/text/text.h"

enum {
	MLV_TB_CLOSED = 8,   /* that a following one may refer to */
	MLV_TB_FORWARDS = 4, /* forward calls that an error may refer to */
};

enum mlv_traceback_kind { MLV_TB_EXCEPTION, MLV_TB_FORWARD_CALL, MLV_TB_SYNTAX };

struct mlv_traceback {
	enum mlv_traceback_kind kind;
	mlv_strid start; /* what stood before "Traceback" */
	struct {
		mlv_strid text;
		bool known;
	} lines; /* what stands before its lines, known from the first frame on */
	MLV_VEC(mlv_frameid) frames; /* outermost first */
	mlv_strid operation;
	struct {
		mlv_strid file;
		uint32_t line;
	} place; /* of a SyntaxError, or of the innermost frame */
	uint32_t first_line, last_line;
	unsigned foreign;
	unsigned twins, repeats; /* equal ones in the same lines, each line as often */
	bool group;
	const char *chain; /* how it hangs together with the one at chain_line */
	uint32_t chain_line;
	uint32_t group_line; /* of the exception group that it is part of */
};

struct mlv_traceback_closed {
	mlv_strid prefix;
	uint32_t line;
	const char *chain; /* what was said behind it */
	bool used;
};

struct mlv_traceback_forward {
	mlv_stackid stack;
	mlv_strid operation;
	uint32_t first_line, last_line;
};

struct mlv_tracebacks {
	MLV_VEC(struct mlv_traceback) open;
	struct mlv_traceback_closed closed[MLV_TB_CLOSED];
	unsigned next_closed;
	struct mlv_traceback_forward forward[MLV_TB_FORWARDS];
	unsigned forwards;
	uint32_t group_line;
	uint32_t section;
};

/* Forget the i-th that is open. */
void mlv_traceback_drop(struct mlv_tracebacks *st, size_t i);

/* Tell what was read; `text` is the line of the exception, empty when it never came. */
enum mlv_rc mlv_traceback_close(struct mlv_tracebacks *st, struct mlv_text *t, size_t i,
				struct mlv_str text, struct mlv_str name, struct mlv_err *err);

/* Which forward calls led to the backward error `text`: findings beside that of the error. */
enum mlv_rc mlv_traceback_forwards(struct mlv_tracebacks *st, struct mlv_text *t,
				   struct mlv_str text, struct mlv_err *err);

#endif
