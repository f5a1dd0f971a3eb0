/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "analysis/metric_tables.h"
#include "cli/command.h"
#include "cli/each.h"
#include "cli/exit.h"
#include "report/items.h"

struct state {
	const char *addr;
	int64_t event, stack, line, span, device;
	struct mlv_common common;
};

static const struct mlv_option options[] = {
	MLV_OPT(0, "addr", STRING, struct state, addr, "0xADDR",
		"the allocations that lay at this address"),
	MLV_OPT(0, "event", INT, struct state, event, "N", "memory event N of a device"),
	MLV_OPT(0, "stack", INT, struct state, stack, "ID", "the stack with this number"),
	MLV_OPT(0, "span", INT, struct state, span, "N", "call, collective or other span N"),
	MLV_OPT(0, "line", INT, struct state, line, "N", "what was found at line N of a text"),
	MLV_OPT(0, "device", INT, struct state, device, "N", "only this device"),
	MLV_COMMON_OPTIONS(struct state, common),
	MLV_OPT_END,
};

static void defaults(void *opaque)
{
	struct state *st = opaque;
	st->event = st->stack = st->line = st->span = st->device = -1;
}

/* Allocations that cover the address, whenever they lived. */
static enum mlv_rc show_addr(struct mlv_items *items, const struct mlv_run *run, size_t device,
			     uint64_t addr, struct mlv_err *err)
{
	struct mlv_history h;
	enum mlv_rc rc = mlv_history_init(&h, run, device, err);
	if (rc)
		return rc;
	for (size_t i = 0; i < h.alloc_count; i++) {
		const struct mlv_alloc *a = &h.allocs[i];
		if (addr >= a->addr && addr - a->addr < (a->bytes ? a->bytes : 1))
			mlv_items_alloc(items, run, &run->devices.data[device], a);
	}
	mlv_history_fini(&h);
	return MLV_OK;
}

/* Those on the line; of a report on one thing, such as a command, all of them. */
static enum mlv_rc show_metrics(struct mlv_items *items, const struct mlv_run *run, uint32_t line,
				struct mlv_err *err)
{
	struct mlv_metric_tables m;
	enum mlv_rc rc = mlv_metric_tables_init(&m, run, err);
	for (size_t i = 0; !rc && i < run->metrics.len; i++) {
		const struct mlv_metric *x = &run->metrics.data[i];
		const struct mlv_section *s = &run->sections.data[x->section];
		bool within = line >= s->line && line <= s->last_line;
		if (x->line == line || (within && m.one_row[m.table_of[x->section]]))
			mlv_items_metric(items, run, x);
	}
	mlv_metric_tables_fini(&m);
	return rc;
}

static enum mlv_rc show_line(struct mlv_items *items, const struct mlv_run *run, uint32_t line,
			     struct mlv_err *err)
{
	enum mlv_rc rc;
	for (size_t i = 0; i < run->findings.len; i++) {
		const struct mlv_finding *f = &run->findings.data[i];
		if (line >= f->line && line <= (f->last_line ? f->last_line : f->line))
			mlv_items_finding(items, run, f);
	}
	for (size_t i = 0; i < run->spans.len; i++) {
		if (run->spans.data[i].line == line)
			mlv_items_span(items, run, i);
	}
	rc = show_metrics(items, run, line, err);
	for (size_t i = 0; i < run->samples.len; i++) {
		if (run->samples.data[i].line == line)
			mlv_items_sample(items, run, &run->samples.data[i]);
	}
	return rc;
}

static enum mlv_rc show_memory(const struct state *st, struct mlv_items *items,
			       const struct mlv_run *run, struct mlv_err *err)
{
	char *end = NULL;
	uint64_t addr = st->addr ? strtoull(st->addr, &end, 0) : 0;
	enum mlv_rc rc = MLV_OK;
	if (st->addr && (*end || end == st->addr))
		return mlv_err_set(err, MLV_E_USAGE,
				   "--addr takes an address such as "
				   "0x7f2404800000, not '%s'",
				   st->addr);
	for (size_t i = 0; !rc && i < run->devices.len; i++) {
		const struct mlv_device *d = &run->devices.data[i];
		if (st->device >= 0 && d->ordinal != st->device)
			continue;
		if (st->addr)
			rc = show_addr(items, run, i, addr, err);
		if (!rc && st->event >= 0 && (uint64_t)st->event < d->events)
			mlv_items_event(items, run, d, (uint64_t)st->event);
	}
	return rc;
}

static enum mlv_rc show(const struct state *st, struct mlv_items *items, const struct mlv_run *run,
			struct mlv_err *err)
{
	enum mlv_rc rc = show_memory(st, items, run, err);
	if (!rc && st->stack >= 0 && (uint64_t)st->stack < run->stacks.nodes.len)
		mlv_items_stack(items, run, (mlv_stackid){ (uint32_t)st->stack });
	if (!rc && st->span >= 0 && (uint64_t)st->span < run->spans.len)
		mlv_items_span(items, run, (size_t)st->span);
	if (!rc && st->line > 0 && st->line <= UINT32_MAX)
		rc = show_line(items, run, (uint32_t)st->line, err);
	mlv_items_end(items);
	if (!rc && !items->found)
		rc = mlv_err_set(err, MLV_E_USAGE, "there is no such thing in it");
	return rc;
}

static enum mlv_rc show_input(void *opaque, const struct mlv_each *one, struct mlv_err *err)
{
	struct mlv_items items = { .text = one->text, .json = one->json };
	if (one->json || one->in->count > 1)
		mlv_each_begin(one);
	if (one->json)
		mlv_json_key_array(one->json, "items");
	enum mlv_rc rc = show(opaque, &items, &one->input->run, err);
	if (one->json)
		mlv_json_array_end(one->json);
	mlv_each_end(one);
	return rc;
}

static int run(void *opaque, int argc, char **argv)
{
	const struct state *st = opaque;
	struct mlv_err err = MLV_ERR_INIT;
	if (!st->addr && st->event < 0 && st->stack < 0 && st->line < 0 && st->span < 0) {
		mlv_err_set(&err, MLV_E_USAGE,
			    "say what to show: --addr, --event, --stack, --span or --line");
		mlv_report_error(&err);
		return MLV_EXIT_USAGE;
	}
	return mlv_each_input(&st->common, argc, argv, "mlviz.show/1", show_input, opaque);
}

const struct mlv_command mlv_cmd_show = {
	.name = "show",
	.summary = "show one item in full",
	.usage = "mlviz show [options] FILE...",
	.details = "Prints one thing with all that is known of it: the allocations that lay at an "
		   "address, a memory event, a stack, a span with its attributes, or what was "
		   "found at a line of a text. The numbers are those that info, top and timeline "
		   "print.",
	.examples = "mlviz show --addr 0x7f2404800000 mem.pickle\n"
		    "mlviz show --event 1856 mem.pickle\n"
		    "mlviz show --json --line 120 train.log",
	.options = options,
	.state_size = sizeof(struct state),
	.defaults = defaults,
	.common_offset = offsetof(struct state, common),
	.min_args = 1,
	.max_args = -1,
	.run = run,
};
