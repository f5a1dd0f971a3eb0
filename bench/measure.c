/* SPDX-License-Identifier: MIT */
/*
 * measure COMMAND...: run it, then print "SECONDS KIB" on descriptor 3: wall
 * time of the whole process and its peak memory.
 *
 * A process begins with the peak memory of the one that started it, so a
 * program smaller than Python cannot be measured from Python directly: this
 * one, which is smaller than anything, stands in between.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct timespec a, b;
	struct rusage use;
	int status;
	if (argc < 2)
		return 2;
	clock_gettime(CLOCK_MONOTONIC, &a);
	pid_t pid = fork();
	if (pid == 0) {
		close(3);
		execvp(argv[1], argv + 1);
		perror(argv[1]);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &use) < 0)
		return 1;
	clock_gettime(CLOCK_MONOTONIC, &b);
	dprintf(3, "%.6f %ld\n",
		(double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) / 1e9,
		use.ru_maxrss);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
