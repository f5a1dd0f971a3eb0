/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_ALIVE_H
#define MLV_ANALYSIS_ALIVE_H
/* What is allocated at a moment of a history, as a table. */
#include "analysis/classes.h"
#include "analysis/table.h"

enum mlv_alive_by {
	MLV_ALIVE_BY_SITE,
	MLV_ALIVE_BY_STACK,  /* every distinct stack on its own */
	MLV_ALIVE_BY_MODULE, /* the file of the call site */
	MLV_ALIVE_BY_SIZE,
	MLV_ALIVE_BY_STREAM,
	MLV_ALIVE_BY_POOL,
};

/* After event `e`; -1: the initial state. */
enum mlv_rc mlv_table_alive(struct mlv_table *t, const struct mlv_history *h,
			    struct mlv_sites *sites, enum mlv_alive_by by, int64_t e,
			    const struct mlv_table_options *o, struct mlv_err *err);

/* "train_step gen_mem.py:63 < train gen_mem.py:72": the innermost frames outside PyTorch. */
void mlv_stack_brief(struct mlv_sites *sites, mlv_stackid stack, unsigned most, char *buf,
		     size_t size);

#endif
