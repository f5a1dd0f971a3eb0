/* SPDX-License-Identifier: MIT */
#ifndef MLV_BASE_NUM_H
#define MLV_BASE_NUM_H
/*
 * Numbers as people read and write them. All output formats its sizes, counts
 * and times here, so that a figure looks the same in a picture, a table and a
 * message; integer arithmetic only, so that it is the same on every machine.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Enough for any of the texts below. */
enum { MLV_NUM_SIZE = 40 };

/*
 * The formatters write a NUL-terminated text into `buf` (cut if `size` is too
 * small) and return `buf`. They round half away from zero.
 */

/* "512 B", "24.0 MiB", "3.11 GiB": KiB and MiB with one decimal, GiB and more with two. */
char *mlv_fmt_bytes(char *buf, size_t size, uint64_t bytes);

/* A difference: "+24.0 MiB", "-512 B", "0 B". */
char *mlv_fmt_bytes_signed(char *buf, size_t size, int64_t bytes);

/* "1 083 150" */
char *mlv_fmt_count(char *buf, size_t size, uint64_t n);

/* "1 stream", "1 083 150 streams": a count and what is counted, in the right number. */
char *mlv_fmt_count_of(char *buf, size_t size, uint64_t n, const char *one, const char *many);

/* "45 us", "812 ms", "6.10 s", "3 min 20 s", "2 h 05 min", "4 d 03 h" */
char *mlv_fmt_duration(char *buf, size_t size, int64_t ns);

/* The same within a sentence of several figures: `buf` has MLV_NUM_SIZE. */
static inline const char *mlv_bytes(char *buf, uint64_t n)
{
	return mlv_fmt_bytes(buf, MLV_NUM_SIZE, n);
}

static inline const char *mlv_count(char *buf, uint64_t n)
{
	return mlv_fmt_count(buf, MLV_NUM_SIZE, n);
}

/* Bytes that may be fewer than none, and no change: "24.0 MiB", "-512 B". */
static inline const char *mlv_bytes_net(char *buf, int64_t n)
{
	return n < 0 ? mlv_fmt_bytes_signed(buf, MLV_NUM_SIZE, n)
		     : mlv_fmt_bytes(buf, MLV_NUM_SIZE, (uint64_t)n);
}

/*
 * The parsers take the whole text or nothing. Decimals are exact to nine
 * digits, spaces before a unit and the case of letters do not matter.
 */

/* "123", "512MB", "80GiB", "1.5G": K, KiB, M, MiB … are binary, KB, MB … decimal. */
bool mlv_parse_bytes(const char *s, uint64_t *bytes);

/* "250ms", "1.5s", "2h 05min", "-3us"; units ns, us, ms, s, m or min, h, d. A unit is required. */
bool mlv_parse_duration(const char *s, int64_t *ns);

#endif
