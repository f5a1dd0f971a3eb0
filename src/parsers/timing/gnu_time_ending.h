/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_TIMING_GNU_TIME_ENDING_H
#define MLV_PARSERS_TIMING_GNU_TIME_ENDING_H
/*
 * The line that GNU time prints before its report when a command failed, in
 * every form but -p. It is kept until the report is there, which may name the
 * command.
 */
#include "parsers/text/measure.h"

enum { MLV_TIME_ENDING_GAP = 3 }; /* lines between it and the report */

struct mlv_time_ending {
	enum {
		MLV_ENDING_NOT_SAID,
		MLV_ENDING_EXITED,
		MLV_ENDING_TERMINATED,
		MLV_ENDING_STOPPED,
		MLV_ENDING_NOT_RUN,
	} how;
	int64_t number; /* status or signal */
	uint32_t line;
	mlv_strid text;
};

/* Whether a line says how a command ended; `text` of *e is interned. */
enum mlv_rc mlv_time_ending_read(struct mlv_text *t, struct mlv_str text, uint32_t line,
				 struct mlv_time_ending *e, struct mlv_err *err);

/* Make it a finding, if there is one, and forget it. */
enum mlv_rc mlv_time_ending_say(struct mlv_time_ending *e, struct mlv_text *t,
				struct mlv_str command, struct mlv_err *err);

/* A finding for an exit status that only a field of the report tells (-q). */
enum mlv_rc mlv_time_status_say(struct mlv_text *t, int64_t status, struct mlv_str command,
				uint32_t line, struct mlv_err *err);

#endif
