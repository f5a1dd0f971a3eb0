/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_ITEMS_H
#define MLV_REPORT_ITEMS_H
/*
 * Single rows with all that is known of them: what `mlviz show` prints. As
 * text the first ones are printed and the others counted; as JSON all are
 * elements of the array that is open.
 */
#include "analysis/history.h"
#include "base/buf.h"
#include "base/json_write.h"
#include "model/run.h"

struct mlv_items {
	struct mlv_buf *text;  /* NULL: JSON */
	struct mlv_json *json; /* NULL: text */
	size_t found;
};

/* Event `n` of a device. */
void mlv_items_event(struct mlv_items *items, const struct mlv_run *run, const struct mlv_device *d,
		     uint64_t n);
void mlv_items_alloc(struct mlv_items *items, const struct mlv_run *run, const struct mlv_device *d,
		     const struct mlv_alloc *a);
void mlv_items_stack(struct mlv_items *items, const struct mlv_run *run, mlv_stackid stack);
void mlv_items_span(struct mlv_items *items, const struct mlv_run *run, size_t span);
void mlv_items_finding(struct mlv_items *items, const struct mlv_run *run,
		       const struct mlv_finding *f);
void mlv_items_metric(struct mlv_items *items, const struct mlv_run *run,
		      const struct mlv_metric *m);
void mlv_items_sample(struct mlv_items *items, const struct mlv_run *run,
		      const struct mlv_sample *s);
/* How many were not printed. */
void mlv_items_end(struct mlv_items *items);

/* ---- the two forms: items_text.c, items_json.c ---- */

void mlv_item_event_text(const struct mlv_run *run, const struct mlv_device *d, uint64_t n,
			 struct mlv_buf *out);
void mlv_item_alloc_text(const struct mlv_run *run, const struct mlv_device *d,
			 const struct mlv_alloc *a, struct mlv_buf *out);
void mlv_item_stack_text(const struct mlv_run *run, mlv_stackid stack, struct mlv_buf *out);
void mlv_item_span_text(const struct mlv_run *run, size_t span, struct mlv_buf *out);
void mlv_item_metric_text(const struct mlv_run *run, const struct mlv_metric *m,
			  struct mlv_buf *out);
void mlv_item_sample_text(const struct mlv_run *run, const struct mlv_sample *s,
			  struct mlv_buf *out);

void mlv_item_event_json(const struct mlv_run *run, const struct mlv_device *d, uint64_t n,
			 struct mlv_json *j);
void mlv_item_alloc_json(const struct mlv_run *run, const struct mlv_device *d,
			 const struct mlv_alloc *a, struct mlv_json *j);
void mlv_item_stack_json(const struct mlv_run *run, mlv_stackid stack, struct mlv_json *j);
void mlv_item_span_json(const struct mlv_run *run, size_t span, struct mlv_json *j);
void mlv_item_finding_json(const struct mlv_run *run, const struct mlv_finding *f,
			   struct mlv_json *j);
void mlv_item_metric_json(const struct mlv_run *run, const struct mlv_metric *m,
			  struct mlv_json *j);
void mlv_item_sample_json(const struct mlv_run *run, const struct mlv_sample *s,
			  struct mlv_json *j);

#endif
