/* SPDX-License-Identifier: MIT */
#include "base/err.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

__attribute__((format(printf, 4, 0))) static enum mlv_rc
set(struct mlv_err *err, enum mlv_rc rc, uint64_t offset, const char *fmt, va_list ap)
{
	if (err && err->rc == MLV_OK) {
		err->rc = rc;
		err->offset = offset;
		vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	}
	return rc;
}

enum mlv_rc mlv_err_set(struct mlv_err *err, enum mlv_rc rc, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	set(err, rc, MLV_NO_OFFSET, fmt, ap);
	va_end(ap);
	return rc;
}

enum mlv_rc mlv_err_at(struct mlv_err *err, enum mlv_rc rc, uint64_t offset, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	set(err, rc, offset, fmt, ap);
	va_end(ap);
	return rc;
}

enum mlv_rc mlv_err_nomem(struct mlv_err *err)
{
	return mlv_err_set(err, MLV_E_NOMEM, "out of memory");
}

void mlv_err_file(struct mlv_err *err, const char *file)
{
	if (err && !err->file)
		err->file = file;
}

void mlv_err_format(const struct mlv_err *err, char *buf, unsigned long size)
{
	char where[64] = "";
	if (err->line)
		snprintf(where, sizeof(where), "line %" PRIu32 ": ", err->line);
	else if (err->offset != MLV_NO_OFFSET)
		snprintf(where, sizeof(where), "offset %" PRIu64 ": ", err->offset);
	snprintf(buf, size, "%s%s%s%s", err->file ? err->file : "", err->file ? ": " : "", where,
		 err->msg);
}
