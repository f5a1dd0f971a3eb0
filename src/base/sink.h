/* SPDX-License-Identifier: MIT */
#ifndef MLV_BASE_SINK_H
#define MLV_BASE_SINK_H
/*
 * Where output goes that is too large to be held as a whole. Writers fill a
 * buffer and let it go whenever it is large enough; who provides the sink
 * knows whether it is a file, a pipe or a test.
 */
#include "base/buf.h"
#include "base/err.h"

struct mlv_sink {
	/* The first failure ends the output: nothing is written after it. */
	enum mlv_rc (*write)(void *opaque, const void *data, size_t n, struct mlv_err *err);
	void *opaque;
};

enum { MLV_SINK_CHUNK = 256 * 1024 };

/* Write what `b` holds and empty it; MLV_E_NOMEM if it had failed. */
static inline enum mlv_rc mlv_sink_flush(const struct mlv_sink *sink, struct mlv_buf *b,
					 struct mlv_err *err)
{
	if (b->failed)
		return mlv_err_nomem(err);
	enum mlv_rc rc = b->len ? sink->write(sink->opaque, b->data, b->len, err) : MLV_OK;
	b->len = 0;
	return rc;
}

/* The same once there is enough of it. */
static inline enum mlv_rc mlv_sink_drain(const struct mlv_sink *sink, struct mlv_buf *b,
					 struct mlv_err *err)
{
	return b->len >= MLV_SINK_CHUNK || b->failed ? mlv_sink_flush(sink, b, err) : MLV_OK;
}

#endif
