/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_HANG_H
#define MLV_REPORT_HANG_H
/* What is known about a hang, in words and as JSON. */
#include "analysis/hang/hang.h"
#include "base/buf.h"
#include "base/json_write.h"

struct mlv_hang_text {
	size_t top;  /* rows of each table */
	bool stacks; /* the whole stack of each call that is shown */
};

void mlv_hang_text(struct mlv_hang *h, const struct mlv_hang_text *o, struct mlv_buf *out);

/* "all_reduce [[4]] Float, started" */
void mlv_hang_call_words(const struct mlv_evidence *e, const struct mlv_call *c,
			 struct mlv_buf *out);

/* The keys of the object of schema mlviz.hang/1. */
void mlv_hang_json(struct mlv_hang *h, struct mlv_json *j);

#endif
