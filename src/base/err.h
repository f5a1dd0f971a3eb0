/* SPDX-License-Identifier: MIT */
#ifndef MLV_BASE_ERR_H
#define MLV_BASE_ERR_H
/*
 * The one error type. It lives in the caller's memory and never allocates, so
 * that running out of memory can be reported too. Functions that can fail
 * return enum mlv_rc and take `struct mlv_err *err` last; their other
 * out-parameters are untouched on failure. The first error wins: a later
 * mlv_err_set on the same object keeps the first message.
 */
#include <stdint.h>

enum mlv_rc {
	MLV_OK = 0,
	MLV_E_USAGE,       /* the caller asked for something that makes no sense */
	MLV_E_IO,          /* an input could not be opened or read */
	MLV_E_FORMAT,      /* an input is not what it should be, or damaged */
	MLV_E_UNSUPPORTED, /* recognised, but not something mlviz does */
	MLV_E_LIMIT,       /* a limit of struct mlv_limits was hit */
	MLV_E_NOMEM,
	MLV_E_OUTPUT, /* an output could not be written */
	MLV_E_DEVICE,
	MLV_E_INTERRUPTED,
};

#define MLV_NO_OFFSET UINT64_MAX

struct mlv_err {
	enum mlv_rc rc;
	uint32_t line;    /* 1-based, 0 = unknown */
	uint64_t offset;  /* byte offset after decompression, or MLV_NO_OFFSET */
	const char *file; /* borrowed; NULL = unknown */
	char msg[240];
};

#define MLV_ERR_INIT ((struct mlv_err){ .offset = MLV_NO_OFFSET })

/* Record an error unless one is recorded already. Returns `rc`, for `return mlv_err_set(…)`.
 * `err` may be NULL. */
enum mlv_rc mlv_err_set(struct mlv_err *err, enum mlv_rc rc, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The same with the byte offset at which it happened. */
enum mlv_rc mlv_err_at(struct mlv_err *err, enum mlv_rc rc, uint64_t offset, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* The same for a failed allocation. */
enum mlv_rc mlv_err_nomem(struct mlv_err *err);

/* Put the file's name to an error that has none. */
void mlv_err_file(struct mlv_err *err, const char *file);

/* Format "FILE: offset N: message" (parts that are unknown are left out) into `buf`. */
void mlv_err_format(const struct mlv_err *err, char *buf, unsigned long size);

#endif
