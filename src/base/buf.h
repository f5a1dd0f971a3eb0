/* SPDX-License-Identifier: MIT */
#ifndef MLV_BASE_BUF_H
#define MLV_BASE_BUF_H
/*
 * A growing byte buffer for output (text, JSON, SVG, PNG). A failed
 * allocation is sticky: writers append without checks and look once, at the
 * end, at `failed`.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

struct mlv_buf {
	char *data; /* NUL-terminated whenever it is not NULL */
	size_t len, cap;
	bool failed;
};

/* A zeroed buffer is ready to use. */
void mlv_buf_fini(struct mlv_buf *b);
void mlv_buf_add(struct mlv_buf *b, const void *p, size_t n);
void mlv_buf_puts(struct mlv_buf *b, const char *s);
void mlv_buf_putc(struct mlv_buf *b, char c);
void mlv_buf_str(struct mlv_buf *b, struct mlv_str s);
void mlv_buf_printf(struct mlv_buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Decimal digits without the cost of printf. */
void mlv_buf_int(struct mlv_buf *b, int64_t v);

/* Text for a terminal: line breaks and tabs become spaces, other control characters, marks that
 * reorder text, and invalid UTF-8 become U+FFFD. */
void mlv_buf_safe(struct mlv_buf *b, struct mlv_str s);

#endif
