/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_PYTHON_PY_SPY_H
#define MLV_PARSERS_PYTHON_PY_SPY_H
/*
 * A thread of a `py-spy dump`, as text or JSON: what it was doing at that
 * moment is a finding with a stack. Source: dump.rs and stack_trace.rs of
 * py-spy 0.3 and 0.4.
 */
#include "base/limits.h"
#include "model/run.h"

struct mlv_py_spy_thread {
	int64_t pid, parent; /* -1 unknown */
	mlv_strid id;        /* decimal, or "0x7F3A…" */
	mlv_strid name;      /* empty: none */
	mlv_strid status;    /* "active+gil", "active", "idle", "gil"; empty: not told */
	mlv_strid command, python;
	uint32_t dump;  /* which of several in one file, from 1; 0: there is one */
	int64_t locals; /* values of arguments and variables that were shown, and are not kept */
	bool elided;    /* somebody cut frames out: "..." */
	uint32_t line, last_line;
	int64_t rank;
	MLV_VEC(mlv_frameid) frames; /* innermost first */
};

/* Add it to the findings. */
enum mlv_rc mlv_py_spy_add(struct mlv_run *run, const struct mlv_limits *limits,
			   const struct mlv_py_spy_thread *thread, struct mlv_err *err);

#endif
