/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_PAGE_INDEX_H
#define MLV_CLI_PAGE_INDEX_H
/* The block "index" of a page: what stands on one axis, and what is not there. */
#include "cli/page_timelines.h"

/* What had no room. */
struct mlv_page_left_out {
	size_t memory, spans; /* inputs */
	uint64_t bytes, most_bytes;
};

/* MLV_E_NOMEM only. */
enum mlv_rc mlv_page_index(const struct mlv_page_timelines *p, const struct mlv_page_left_out *left,
			   struct mlv_buf *out, struct mlv_err *err);

#endif
