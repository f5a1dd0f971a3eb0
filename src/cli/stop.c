/* SPDX-License-Identifier: MIT */
#include "cli/stop.h"

#include <stddef.h>

enum { SIGNALS = 3 };

/* A handler has no argument to find anything by. */
static volatile sig_atomic_t stopped;
static struct sigaction before[SIGNALS];
static const int signals[SIGNALS] = { SIGINT, SIGTERM, SIGHUP };

static void on_stop(int number)
{
	stopped = number;
	for (int i = 0; i < SIGNALS; i++)
		sigaction(signals[i], &before[i], NULL);
}

const volatile sig_atomic_t *mlv_stop_begin(void)
{
	struct sigaction now = { .sa_handler = on_stop };
	stopped = 0;
	for (int i = 0; i < SIGNALS; i++) {
		sigaction(signals[i], NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &now, NULL);
	}
	return &stopped;
}

void mlv_stop_end(void)
{
	for (int i = 0; i < SIGNALS; i++)
		sigaction(signals[i], &before[i], NULL);
}
