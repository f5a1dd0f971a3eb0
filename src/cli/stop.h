/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_STOP_H
#define MLV_CLI_STOP_H
/*
 * Stopping by a signal where something must be given back first. Between begin
 * and end the first SIGINT, SIGTERM or SIGHUP only sets a flag; the second ends
 * the process as usual.
 */
#include <signal.h>

/* The flag: 0, or the number of the signal. */
const volatile sig_atomic_t *mlv_stop_begin(void);
void mlv_stop_end(void);

#endif
