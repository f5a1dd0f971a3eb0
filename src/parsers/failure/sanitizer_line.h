/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_FAILURE_SANITIZER_LINE_H
#define MLV_PARSERS_FAILURE_SANITIZER_LINE_H
/* The lines of compute-sanitizer and cuda-memcheck, without their prefix, each on its own. */
#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

enum mlv_sanitizer_code {
	MLV_SANITIZER_MEMCHECK,
	MLV_SANITIZER_RACECHECK,
	MLV_SANITIZER_INITCHECK,
	MLV_SANITIZER_SYNCCHECK,
	MLV_SANITIZER_LEAK,
	MLV_SANITIZER_FAILED, /* the tool itself */
	MLV_SANITIZER_CODES,
};

/* The first line of a record. */
struct mlv_sanitizer_head {
	enum mlv_sanitizer_code code;
	bool warning;
	struct mlv_str text;    /* without what differs from thread to thread */
	struct mlv_str address; /* "0x7fce32800000"; empty: none */
	int64_t size;           /* bytes; -1: none */
	struct mlv_str block, error, api;
	int64_t number;       /* of a CUDA error; -1 */
	struct mlv_str where; /* "Race reported between Write access at WHERE" */
};

/* False if it begins no record. */
bool mlv_sanitizer_head(struct mlv_str line, struct mlv_sanitizer_head *h);

/* "kern(int *)+0x60 in f.cu:7", "0x100 in f.cu:30:kern(…)", "0x00000020 in kern(int*)" */
struct mlv_sanitizer_place {
	struct mlv_str kernel, offset, file;
	uint32_t line;
};

void mlv_sanitizer_place(struct mlv_str where, struct mlv_sanitizer_place *p);

/*
 * What follows "Host Frame:" or "Device Frame:". The address within a module
 * is kept as "module+0x8d37", as addr2line takes it, where no line is known.
 */
struct mlv_sanitizer_frame {
	struct mlv_str function, file;
	struct mlv_str address; /* within the file; empty: the line is known */
	uint32_t line;
};

bool mlv_sanitizer_frame(struct mlv_str s, struct mlv_sanitizer_frame *f);

/* "1,024" */
bool mlv_sanitizer_int(struct mlv_str *s, int64_t *n);

#endif
