/* SPDX-License-Identifier: MIT */
/* A thread replaces the program of its process by one that writes "after" to descriptor 3 and
 * "closed" to descriptor 4, and ends with 7. The first stays open, the second does not. */
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>
static void *replace(void *unused)
{
	char *arguments[] = { "./cat", NULL };
	usleep(20000);
	execv("./cat", arguments);
	return unused;
}
int main(void)
{
	pthread_t thread;
	open("/dev/null", O_WRONLY);
	open("/dev/zero", O_RDONLY | O_CLOEXEC);
	pthread_create(&thread, NULL, replace, NULL);
	pause();
}
