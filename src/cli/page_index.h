/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_PAGE_INDEX_H
#define MLV_CLI_PAGE_INDEX_H
/* The block "index" of a page: what stands on one axis, and what is not there. */
#include "cli/page_timelines.h"

/* `most_bytes` is what its blocks may have. MLV_E_NOMEM only. */
enum mlv_rc mlv_page_index(const struct mlv_page_timelines *p, uint64_t most_bytes,
			   struct mlv_buf *out, struct mlv_err *err);

#endif
