/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_MEMORY_MEMORY_LOG_H
#define MLV_PARSERS_MEMORY_MEMORY_LOG_H
/*
 * The lines in which training frameworks print memory, taken apart. All of
 * them divide by powers of 1024 and print "GB" or "MB": those are GiB and MiB
 * here.
 */
#include "model/decimal.h"
#include "parsers/text/lines.h"

enum { MLV_MEMORY_VALUES = 12 };

enum mlv_memory_line {
	MLV_MEMORY_NONE,
	MLV_MEMORY_BEGIN, /* the first or only line of a report */
	MLV_MEMORY_MORE,  /* more of the report before it */
};

struct mlv_memory_values {
	struct {
		const char *metric;
		struct mlv_decimal value;
	} list[MLV_MEMORY_VALUES];
	unsigned count;
	struct mlv_str prefix; /* what stands before the report in its line */
	bool has_message;      /* the line itself says where it was printed: */
	struct mlv_str message;
	int64_t rank; /* that the report names; -1: none */
	int64_t step; /* that it names; -1: none */
};

enum mlv_memory_line mlv_memory_line(struct mlv_str text, struct mlv_memory_values *v);

#endif
