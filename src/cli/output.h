/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_OUTPUT_H
#define MLV_CLI_OUTPUT_H
/*
 * Writing results. A file appears whole or not at all: it is written under a
 * temporary name in the same directory and renamed, and the temporary file is
 * removed on every failure, also by the signal handlers of main.c. What exists
 * and is no regular file (a device, a FIFO) is written directly, and so is
 * whatever standard output already is.
 * Failures are MLV_E_OUTPUT.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/sink.h"

/*
 * An output that is written piece by piece; one regular file at a time. What
 * mlv_output_open returned MLV_OK for must be closed, with the result of all
 * writing: only MLV_OK lets the file appear. `path` "-" is standard output.
 * It is borrowed by `err`.
 */
struct mlv_output {
	int fd;
	uint64_t written; /* bytes */
	char *target;     /* what a temporary file will replace; NULL: written directly */
};

enum mlv_rc mlv_output_open(struct mlv_output *o, const char *path, struct mlv_err *err);
enum mlv_rc mlv_output_put(void *output, const void *data, size_t n, struct mlv_err *err);
struct mlv_sink mlv_output_sink(struct mlv_output *o);
/* The file to write to, for a library that wants a name; NULL: there is only a descriptor. */
const char *mlv_output_temporary(const struct mlv_output *o);
enum mlv_rc mlv_output_close(struct mlv_output *o, enum mlv_rc rc, struct mlv_err *err);

/* The whole of an output at once. */
enum mlv_rc mlv_output_write(const char *path, const void *data, size_t n, struct mlv_err *err);

/* A reader that went away (EPIPE) is an error without a message: there is nobody to tell. */
enum mlv_rc mlv_stdout_write(const void *data, size_t n, struct mlv_err *err);

/* A whole buffer to `path`, or to standard output when it is NULL; MLV_E_NOMEM if it had failed. */
enum mlv_rc mlv_output_buf(const char *path, const struct mlv_buf *b, struct mlv_err *err);

/*
 * The end of a command: write what it has to say to `path` as above, nothing
 * if that is empty, and tell of a failure. Frees the buffer. Returns the worse
 * of `code` and what came of writing.
 */
int mlv_command_end(const char *path, struct mlv_buf *out, int code);

/* Remove the temporary file of a write under way, if there is one. Async-signal-safe. */
void mlv_output_discard(void);

#endif
