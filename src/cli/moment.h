/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_MOMENT_H
#define MLV_CLI_MOMENT_H
/* A moment of a recording as --at names it: the state after one of its events. */
#include "analysis/history.h"

/*
 * "peak" (of requested memory), "oom" (the first request that failed), "end",
 * "start" (*event is -1: before the first event) or an event number; what lies
 * behind the last event is the end. MLV_E_USAGE if it is none of them.
 */
enum mlv_rc mlv_moment_of(const struct mlv_history *h, const char *at, int64_t *event,
			  struct mlv_err *err);

#endif
