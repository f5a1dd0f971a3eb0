/* SPDX-License-Identifier: MIT */
#ifndef MLV_BASE_UTF8_H
#define MLV_BASE_UTF8_H
/*
 * UTF-8, one code point at a time. Names and paths in reports come in any
 * encoding and are kept as they came; what leaves mlviz is valid UTF-8, so
 * every writer walks its strings with this.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MLV_UTF8_MAX = 4 };

#define MLV_UTF8_INVALID UINT32_MAX
#define MLV_UTF8_REPLACEMENT 0xfffdu /* stands for what is not valid */

/*
 * Decode the code point at `p` (n >= 1 bytes). Returns how many bytes it has.
 * Invalid bytes give MLV_UTF8_INVALID and the length of the part to replace by
 * one U+FFFD, as the Unicode standard recommends it.
 */
size_t mlv_utf8_step(const char *p, size_t n, uint32_t *cp);

/* Encode a code point (a surrogate or a value above U+10FFFF: U+FFFD). Returns its bytes. */
size_t mlv_utf8_encode(uint32_t cp, char out[MLV_UTF8_MAX]);

/* Marks that make what follows read in another direction: a name could pass for another. */
static inline bool mlv_utf8_reorders(uint32_t cp)
{
	return (cp >= 0x202a && cp <= 0x202e) || (cp >= 0x2066 && cp <= 0x2069);
}

/*
 * Copy `n` bytes as a C string of at most `size` (>= 1) bytes with its NUL.
 * What does not fit is cut at the end of a code point, and an ellipsis says so. A
 * NUL within, which would hide what follows, becomes U+0001.
 */
void mlv_utf8_fit(char *buf, size_t size, const char *p, size_t n);

#endif
