/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_PYTHON_PYTHON_TRACE_LINE_H
#define MLV_PARSERS_PYTHON_PYTHON_TRACE_LINE_H
/*
 * One line of `python -m trace --trace` or of NicerTrace, taken for what it is
 * by its shape alone.
 */
#include "base/str.h"

struct mlv_python_trace_line {
	struct mlv_str file, code;
	struct mlv_str function; /* of a heading */
	int64_t pid;             /* -1: not told */
	int64_t time;            /* in hundredths of a second; -1: none */
	uint32_t line;
	bool heading; /* it says which function follows */
};

/* False if it is neither. */
bool mlv_python_trace_line(struct mlv_str text, struct mlv_python_trace_line *l);

#endif
