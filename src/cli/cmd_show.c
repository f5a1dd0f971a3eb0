/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/alive.h"
#include "analysis/lanes.h"
#include "base/num.h"
#include "cli/command.h"
#include "cli/exit.h"
#include "cli/load.h"
#include "report/findings_text.h"

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

static void stack_of(const struct mlv_run *run, mlv_stackid stack, struct mlv_buf *out)
{
	if (!mlv_stack_has_frame(stack)) {
		mlv_buf_puts(out, stack.i == MLV_STACK_EMPTY.i ? "    no frame on its stack\n"
							       : "    no stack recorded\n");
		return;
	}
	mlv_buf_printf(out, "    stack %" PRIu32 "\n", stack.i);
	mlv_stack_text(run, stack, "      ", out);
}

static void show_event(const struct mlv_run *run, const struct mlv_device *d, uint64_t n,
		       struct mlv_buf *out)
{
	const struct mlv_mem_event *e = &run->mem_events.data[d->first_event + n];
	const struct mlv_note *note = &run->notes.data[e->note.i];
	char bytes[MLV_NUM_SIZE], time[MLV_NUM_SIZE];
	const struct mlv_mem_event *first = &run->mem_events.data[d->first_event];
	mlv_buf_printf(out, "  device %" PRIu32 ", event %" PRIu64 ": %s", d->ordinal, n,
		       mlv_mem_action_name((enum mlv_mem_action)e->action));
	if (e->action != MLV_MEM_OOM)
		mlv_buf_printf(out, " at 0x%" PRIx64, e->addr);
	mlv_buf_printf(out, ", %s (%" PRIu64 " bytes)",
		       mlv_fmt_bytes(bytes, sizeof(bytes), e->bytes), e->bytes);
	if (e->action == MLV_MEM_OOM)
		mlv_buf_printf(out, " could not be had; the device reported %s free",
			       mlv_fmt_bytes(bytes, sizeof(bytes), mlv_oom_device_free(e)));
	if (e->time_ns != MLV_NO_TIME && first->time_ns != MLV_NO_TIME)
		mlv_buf_printf(out, ", %s after the first event",
			       mlv_fmt_duration(time, sizeof(time),
						mlv_time_between(first->time_ns, e->time_ns)));
	mlv_buf_putc(out, '\n');
	mlv_strid extras[3] = { note->action, note->compile_context, note->user_metadata };
	static const char *const names[3] = { "action", "compile context", "user metadata" };
	for (size_t i = 0; i < 3; i++) {
		if (!extras[i].i)
			continue;
		mlv_buf_printf(out, "    %s: ", names[i]);
		mlv_buf_safe(out, mlv_run_str(run, extras[i]));
		mlv_buf_putc(out, '\n');
	}
	stack_of(run, e->stack, out);
}

static void show_alloc(const struct mlv_run *run, const struct mlv_device *d,
		       const struct mlv_alloc *a, struct mlv_buf *out)
{
	char bytes[MLV_NUM_SIZE];
	mlv_buf_printf(
		out, "  device %" PRIu32 ", allocation at 0x%" PRIx64 ", %s (%" PRIu64 " bytes), ",
		d->ordinal, a->addr, mlv_fmt_bytes(bytes, sizeof(bytes), a->bytes), a->bytes);
	if (a->born == MLV_NEVER)
		mlv_buf_puts(out, "older than the recording");
	else
		mlv_buf_printf(out, "made by event %" PRIu32, a->born);
	if (a->died == MLV_NEVER)
		mlv_buf_puts(out, ", alive at the end\n");
	else
		mlv_buf_printf(out, ", freed by event %" PRIu32 "\n", a->died);
	stack_of(run, a->stack, out);
}

/* Allocations that cover the address, whenever they lived. */
static enum mlv_rc show_addr(const struct mlv_run *run, size_t device, uint64_t addr, size_t *found,
			     struct mlv_buf *out, struct mlv_err *err)
{
	struct mlv_history h;
	enum mlv_rc rc = mlv_history_init(&h, run, device, err);
	if (rc)
		return rc;
	for (size_t i = 0; i < h.alloc_count; i++) {
		const struct mlv_alloc *a = &h.allocs[i];
		if (addr < a->addr || addr - a->addr >= (a->bytes ? a->bytes : 1))
			continue;
		if (++*found <= 50)
			show_alloc(run, &run->devices.data[device], a, out);
	}
	mlv_history_fini(&h);
	return MLV_OK;
}

static void show_span(const struct mlv_run *run, size_t i, struct mlv_buf *out)
{
	const struct mlv_span *s = &run->spans.data[i];
	char took[MLV_NUM_SIZE], label[256];
	mlv_buf_printf(out, "  span %zu: ", i);
	mlv_buf_safe(out, mlv_run_str(run, s->name));
	if (s->category.i) {
		mlv_buf_puts(out, " (");
		mlv_buf_safe(out, mlv_run_str(run, s->category));
		mlv_buf_puts(out, ")");
	}
	if (s->start_ns != MLV_NO_TIME && s->end_ns != MLV_NO_TIME)
		mlv_buf_printf(out, ", %s",
			       mlv_fmt_duration(took, sizeof(took),
						mlv_time_between(s->start_ns, s->end_ns)));
	else if (mlv_run_span_open(run, s))
		mlv_buf_puts(out, ", not ended");
	if (s->status.i) {
		mlv_buf_puts(out, ", ");
		mlv_buf_safe(out, mlv_run_str(run, s->status));
	}
	mlv_buf_putc(out, '\n');
	mlv_track_label(run, s->track, label, sizeof(label));
	mlv_buf_puts(out, "    on ");
	mlv_buf_safe(out, (struct mlv_str){ label, strlen(label) });
	mlv_buf_putc(out, '\n');
	if (s->bytes >= 0)
		mlv_buf_printf(out, "    bytes: %" PRId64 "\n", s->bytes);
	mlv_attrs_text(run, s->attrs, "    ", out);
	mlv_stack_text(run, s->stack, "      ", out);
}

static size_t show_line(const struct mlv_run *run, uint32_t line, struct mlv_buf *out)
{
	size_t found = 0;
	for (size_t i = 0; i < run->findings.len; i++) {
		const struct mlv_finding *f = &run->findings.data[i];
		if (line < f->line || line > (f->last_line ? f->last_line : f->line))
			continue;
		mlv_finding_full(run, f, out);
		found++;
	}
	for (size_t i = 0; i < run->spans.len; i++) {
		if (run->spans.data[i].line == line) {
			show_span(run, i, out);
			found++;
		}
	}
	for (size_t i = 0; i < run->samples.len; i++) {
		const struct mlv_sample *s = &run->samples.data[i];
		char value[80];
		if (s->line != line)
			continue;
		mlv_buf_puts(out, "  sample ");
		mlv_buf_safe(out, mlv_run_str(run, s->metric));
		mlv_buf_printf(out, ": %s\n", mlv_decimal_text(s->value, value, sizeof(value)));
		found++;
	}
	return found;
}

static enum mlv_rc show_memory(const struct state *st, const struct mlv_run *run, size_t *found,
			       struct mlv_buf *out, struct mlv_err *err)
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
			rc = show_addr(run, i, addr, found, out, err);
		if (!rc && st->event >= 0 && (uint64_t)st->event < d->events) {
			show_event(run, d, (uint64_t)st->event, out);
			++*found;
		}
	}
	return rc;
}

static enum mlv_rc show(const struct state *st, const struct mlv_run *run, struct mlv_buf *out,
			struct mlv_err *err)
{
	size_t found = 0;
	enum mlv_rc rc = show_memory(st, run, &found, out, err);
	if (!rc && st->stack >= 0 && (uint64_t)st->stack < run->stacks.nodes.len) {
		stack_of(run, (mlv_stackid){ (uint32_t)st->stack }, out);
		found++;
	}
	if (!rc && st->span >= 0 && (uint64_t)st->span < run->spans.len) {
		show_span(run, (size_t)st->span, out);
		found++;
	}
	if (!rc && st->line > 0 && st->line <= UINT32_MAX)
		found += show_line(run, (uint32_t)st->line, out);
	if (!rc && found > 50)
		mlv_buf_printf(out, "  and %zu more\n", found - 50);
	if (!rc && !found)
		rc = mlv_err_set(err, MLV_E_USAGE, "there is no such thing in it");
	return rc;
}

static int run(void *opaque, int argc, char **argv)
{
	const struct state *st = opaque;
	struct mlv_err err = MLV_ERR_INIT;
	struct mlv_inputs in;
	struct mlv_buf out = { 0 };
	if (!st->addr && st->event < 0 && st->stack < 0 && st->line < 0 && st->span < 0) {
		mlv_err_set(&err, MLV_E_USAGE,
			    "say what to show: --addr, --event, --stack, --span or --line");
		mlv_report_error(&err);
		return MLV_EXIT_USAGE;
	}
	if (st->common.json) {
		mlv_err_set(&err, MLV_E_USAGE,
			    "show has no JSON form; `mlviz info --json` and "
			    "`mlviz top --json` have");
		mlv_report_error(&err);
		return MLV_EXIT_USAGE;
	}
	mlv_inputs_load(&in, argc, argv, &st->common);
	for (size_t i = 0; i < in.count; i++) {
		const struct mlv_run *r = &in.list[i].run;
		struct mlv_err e = MLV_ERR_INIT;
		enum mlv_rc rc = show(st, r, &out, &e);
		if (rc) {
			mlv_err_file(&e, r->file);
			mlv_inputs_fail(&in, &e);
		}
	}
	return mlv_inputs_end(&in, &st->common, &out);
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
		    "mlviz show --line 120 train.log",
	.options = options,
	.state_size = sizeof(struct state),
	.defaults = defaults,
	.common_offset = offsetof(struct state, common),
	.min_args = 1,
	.max_args = -1,
	.run = run,
};
