/* SPDX-License-Identifier: MIT */
/* The program whose calls the logs of this folder show: files, threads, processes, signals, a
 * connection, and memory. What it reads and writes is asserted in tests/unit/t_strace.c. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static char bytes[4096];
static struct sockaddr_in address = { .sin_family = AF_INET };

static void ignore(int signal)
{
	(void)signal;
}

static void *client(void *unused)
{
	int s = socket(AF_INET, SOCK_STREAM, 0);
	connect(s, (struct sockaddr *)&address, sizeof(address));
	send(s, bytes, 777, 0);
	recv(s, bytes, 333, MSG_WAITALL);
	close(s);
	return unused;
}

/* 7 writes of 1000 to 1006 bytes, read again by 512. */
static void files(void)
{
	int fd = open("demo.data", O_RDWR | O_CREAT | O_TRUNC, 0600);
	for (int i = 0; i < 7; i++)
		write(fd, bytes, 1000 + (size_t)i);
	int again = dup2(fd, 50);
	close(fd);
	lseek(again, 0, SEEK_SET);
	while (read(again, bytes, 512) > 0)
		;
	close(again);
	open("missing) = 5", O_RDONLY);
	unlink("demo.data");
}

static void memory(void)
{
	char *p = mmap(NULL, 40960, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap(p + 8192, 4096);
	p = mremap(p, 8192, 65536, MREMAP_MAYMOVE);
	munmap(p, 65536);
	sbrk(8192);
	sbrk(-4096);
}

int main(void)
{
	int pipes[2], status;
	socklen_t size = sizeof(address);
	pthread_t thread;
	memset(bytes, '"', sizeof(bytes));
	signal(SIGUSR1, ignore);
	files();
	memory();
	int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	bind(server, (struct sockaddr *)&address, sizeof(address));
	listen(server, 1);
	getsockname(server, (struct sockaddr *)&address, &size);
	pthread_create(&thread, NULL, client, NULL);
	int connection = accept(server, NULL, NULL);
	recv(connection, bytes, 777, MSG_WAITALL);
	send(connection, bytes, 333, 0);
	pthread_join(thread, NULL);
	pipe(pipes);
	kill(getpid(), SIGUSR1);
	if (fork() == 0) {
		write(pipes[1], "child", 5);
		_exit(3);
	}
	wait(&status);
	read(pipes[0], bytes, 100);
	pid_t child = fork();
	if (child == 0)
		pause();
	usleep(20000);
	kill(child, SIGKILL);
	wait(&status);
	write(1, "no line end", 11);
	return 0;
}
