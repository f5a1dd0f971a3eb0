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

/* A reader that went away is an error without a message. */
static enum mlv_rc fail_stdout(struct mlv_err *err, int sys)
{
	if (sys == EPIPE)
		return mlv_err_set(err, MLV_E_OUTPUT, "%s", "");
	mlv_err_file(err, "standard output");
	return fail(err, sys);
}

enum mlv_rc mlv_stdout_write(const void *data, size_t n, struct mlv_err *err)
{
	int sys = write_all(STDOUT_FILENO, data, n);
	return sys ? fail_stdout(err, sys) : MLV_OK;
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

/* `-o x >x` and `-o /dev/stdout >>x`: a rename would cut the descriptor off from the name. */
static bool is_stdout(const struct stat *st)
{
	struct stat out;
	return fstat(STDOUT_FILENO, &out) == 0 && out.st_dev == st->st_dev &&
	       out.st_ino == st->st_ino;
}

/* What is to be replaced: behind a symbolic link it is the file, not the link. */
static enum mlv_rc open_renamed(struct mlv_output *o, const char *path, bool exists,
				struct mlv_err *err)
{
	o->target = exists ? realpath(path, NULL) : strdup(path);
	if (!o->target)
		return fail(err, errno);
	o->fd = open_temporary(o->target);
	return o->fd < 0 ? fail(err, errno) : MLV_OK;
}

/* How to write to `path`, by what is there. */
static enum mlv_rc choose(struct mlv_output *o, const char *path, struct mlv_err *err)
{
	struct stat st;
	if (stat(path, &st) != 0)
		return errno == ENOENT ? open_renamed(o, path, false, err) : fail(err, errno);
	if (is_stdout(&st)) {
		o->fd = STDOUT_FILENO;
		return MLV_OK;
	}
	if (S_ISDIR(st.st_mode))
		return fail(err, EISDIR);
	if (!S_ISREG(st.st_mode)) {
		/* What exists already and cannot be renamed over. */
		o->fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
		return o->fd < 0 ? fail(err, errno) : MLV_OK;
	}
	/* A rename asks the directory only; a file that is protected stays so. */
	if (access(path, W_OK) != 0)
		return fail(err, errno);
	return open_renamed(o, path, true, err);
}

enum mlv_rc mlv_output_open(struct mlv_output *o, const char *path, struct mlv_err *err)
{
	*o = (struct mlv_output){ .fd = -1 };
	if (strcmp(path, "-") == 0) {
		o->fd = STDOUT_FILENO;
		return MLV_OK;
	}
	mlv_err_file(err, path);
	enum mlv_rc rc = choose(o, path, err);
	if (rc)
		free(o->target);
	return rc;
}

enum mlv_rc mlv_output_put(void *output, const void *data, size_t n, struct mlv_err *err)
{
	struct mlv_output *o = output;
	o->written += n;
	if (o->fd == STDOUT_FILENO)
		return mlv_stdout_write(data, n, err);
	int sys = write_all(o->fd, data, n);
	return sys ? fail(err, sys) : MLV_OK;
}

struct mlv_sink mlv_output_sink(struct mlv_output *o)
{
	return (struct mlv_sink){ mlv_output_put, o };
}

const char *mlv_output_temporary(const struct mlv_output *o)
{
	return o->target ? temporary.path : NULL;
}

enum mlv_rc mlv_output_close(struct mlv_output *o, enum mlv_rc rc, struct mlv_err *err)
{
	int sys = 0;
	if (o->fd != STDOUT_FILENO && close(o->fd) != 0) /* a full disk on NFS shows here */
		sys = errno;
	if (o->target && !rc && !sys && rename(temporary.path, o->target) != 0)
		sys = errno;
	if (o->target && (rc || sys))
		mlv_output_discard();
	else if (o->target)
		temporary.armed = 0;
	free(o->target);
	o->target = NULL;
	return rc ? rc : sys ? fail(err, sys) : MLV_OK;
}

enum mlv_rc mlv_output_write(const char *path, const void *data, size_t n, struct mlv_err *err)
{
	struct mlv_output o;
	enum mlv_rc rc = mlv_output_open(&o, path, err);
	return rc ? rc : mlv_output_close(&o, mlv_output_put(&o, data, n, err), err);
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
