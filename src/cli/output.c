/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* realpath, O_CLOEXEC */
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/exit.h"

/*
 * The one piece of static state in mlviz. A signal handler gets no argument,
 * so the name of the temporary file must stand where the handler finds it.
 * `armed` is set only while `path` names a file that this process made.
 */
static struct {
	char path[PATH_MAX];
	volatile sig_atomic_t armed;
} temporary;

void mlv_output_discard(void)
{
	if (temporary.armed)
		unlink(temporary.path);
	temporary.armed = 0;
}

static enum mlv_rc fail(struct mlv_err *err, int sys)
{
	return mlv_err_set(err, MLV_E_OUTPUT, "cannot be written: %s", strerror(sys));
}

/* Returns 0 or an errno. */
static int write_all(int fd, const void *data, size_t n)
{
	const char *p = data;
	while (n) {
		ssize_t done = write(fd, p, n);
		if (done > 0) {
			p += done;
			n -= (size_t)done;
		} else if (done < 0 && errno == EAGAIN) {
			/* A pipe that somebody else made non-blocking. */
			poll(&(struct pollfd){ fd, POLLOUT, 0 }, 1, -1);
		} else if (done < 0 && errno != EINTR) {
			return errno;
		}
	}
	return 0;
}

enum mlv_rc mlv_stdout_write(const void *data, size_t n, struct mlv_err *err)
{
	int sys = write_all(STDOUT_FILENO, data, n);
	if (sys == 0)
		return MLV_OK;
	if (sys == EPIPE)
		return mlv_err_set(err, MLV_E_OUTPUT, "%s", "");
	mlv_err_file(err, "standard output");
	return fail(err, sys);
}

/* Into what exists already and cannot be renamed over. */
static enum mlv_rc write_direct(const char *path, const void *data, size_t n, struct mlv_err *err)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return fail(err, errno);
	int sys = write_all(fd, data, n);
	if (close(fd) != 0 && !sys)
		sys = errno;
	return sys ? fail(err, sys) : MLV_OK;
}

/* Create a file with the user's umask beside `target`. Returns its descriptor or -1. */
static int open_temporary(const char *target)
{
	const char *slash = strrchr(target, '/');
	int dir = slash ? (int)(slash - target) + 1 : 0;
	for (unsigned i = 0; i < 100; i++) {
		int len = snprintf(temporary.path, sizeof(temporary.path), "%.*s.mlviz-%ld-%u.tmp",
				   dir, target, (long)getpid(), i);
		if (len < 0 || (size_t)len >= sizeof(temporary.path)) {
			errno = ENAMETOOLONG;
			return -1;
		}
		/* Armed before it exists: a signal in between unlinks nothing. */
		temporary.armed = 1;
		int fd = open(temporary.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd >= 0)
			return fd;
		temporary.armed = 0;
		if (errno != EEXIST)
			return -1;
	}
	return -1;
}

static enum mlv_rc write_renamed(const char *target, const void *data, size_t n,
				 struct mlv_err *err)
{
	int fd = open_temporary(target);
	if (fd < 0)
		return fail(err, errno);
	int sys = write_all(fd, data, n);
	if (close(fd) != 0 && !sys) /* a full disk on NFS shows here */
		sys = errno;
	if (!sys && rename(temporary.path, target) != 0)
		sys = errno;
	if (!sys) {
		temporary.armed = 0;
		return MLV_OK;
	}
	mlv_output_discard();
	return fail(err, sys);
}

/* `-o x >x` and `-o /dev/stdout >>x`: a rename would cut the descriptor off from the name. */
static bool is_stdout(const struct stat *st)
{
	struct stat out;
	return fstat(STDOUT_FILENO, &out) == 0 && out.st_dev == st->st_dev &&
	       out.st_ino == st->st_ino;
}

enum mlv_rc mlv_output_write(const char *path, const void *data, size_t n, struct mlv_err *err)
{
	if (strcmp(path, "-") == 0)
		return mlv_stdout_write(data, n, err);
	mlv_err_file(err, path);

	struct stat st;
	if (stat(path, &st) != 0)
		return errno == ENOENT ? write_renamed(path, data, n, err) : fail(err, errno);
	if (is_stdout(&st))
		return mlv_stdout_write(data, n, err);
	if (S_ISDIR(st.st_mode))
		return fail(err, EISDIR);
	if (!S_ISREG(st.st_mode))
		return write_direct(path, data, n, err);
	/* A rename asks the directory only; a file that is protected stays so. */
	if (access(path, W_OK) != 0)
		return fail(err, errno);

	/* Behind a symbolic link it is the file that is replaced, not the link. */
	char *target = realpath(path, NULL);
	if (!target)
		return fail(err, errno);
	enum mlv_rc rc = write_renamed(target, data, n, err);
	free(target);
	return rc;
}

enum mlv_rc mlv_output_buf(const char *path, const struct mlv_buf *b, struct mlv_err *err)
{
	if (b->failed)
		return mlv_err_nomem(err);
	return mlv_output_write(path ? path : "-", b->data, b->len, err);
}

int mlv_command_end(const char *path, struct mlv_buf *out, int code)
{
	struct mlv_err err = MLV_ERR_INIT;
	enum mlv_rc rc = MLV_OK;
	if (out->len || out->failed)
		rc = mlv_output_buf(path, out, &err);
	if (rc)
		mlv_report_error(&err);
	mlv_buf_fini(out);
	return mlv_exit_worst(code, mlv_exit_of(rc));
}
