/* SPDX-License-Identifier: MIT */
#include "report/items.h"

#include "report/findings.h"

enum { SHOWN = 50 };

/* Count one; whether it is to be printed as text. */
static bool as_text(struct mlv_items *items)
{
	return items->found++ < SHOWN && !items->json;
}

void mlv_items_event(struct mlv_items *items, const struct mlv_run *run, const struct mlv_device *d,
		     uint64_t n)
{
	if (as_text(items))
		mlv_item_event_text(run, d, n, items->text);
	else if (items->json)
		mlv_item_event_json(run, d, n, items->json);
}

void mlv_items_alloc(struct mlv_items *items, const struct mlv_run *run, const struct mlv_device *d,
		     const struct mlv_alloc *a)
{
	if (as_text(items))
		mlv_item_alloc_text(run, d, a, items->text);
	else if (items->json)
		mlv_item_alloc_json(run, d, a, items->json);
}

void mlv_items_stack(struct mlv_items *items, const struct mlv_run *run, mlv_stackid stack)
{
	if (as_text(items))
		mlv_item_stack_text(run, stack, items->text);
	else if (items->json)
		mlv_item_stack_json(run, stack, items->json);
}

void mlv_items_span(struct mlv_items *items, const struct mlv_run *run, size_t span)
{
	if (as_text(items))
		mlv_item_span_text(run, span, items->text);
	else if (items->json)
		mlv_item_span_json(run, span, items->json);
}

void mlv_items_finding(struct mlv_items *items, const struct mlv_run *run,
		       const struct mlv_finding *f)
{
	if (as_text(items))
		mlv_finding_full(run, f, items->text);
	else if (items->json)
		mlv_item_finding_json(run, f, items->json);
}

void mlv_items_metric(struct mlv_items *items, const struct mlv_run *run,
		      const struct mlv_metric *m)
{
	if (as_text(items))
		mlv_item_metric_text(run, m, items->text);
	else if (items->json)
		mlv_item_metric_json(run, m, items->json);
}

void mlv_items_sample(struct mlv_items *items, const struct mlv_run *run,
		      const struct mlv_sample *s)
{
	if (as_text(items))
		mlv_item_sample_text(run, s, items->text);
	else if (items->json)
		mlv_item_sample_json(run, s, items->json);
}

void mlv_items_end(struct mlv_items *items)
{
	if (!items->json && items->found > SHOWN)
		mlv_buf_printf(items->text, "  and %zu more\n", items->found - SHOWN);
}
