/* SPDX-License-Identifier: MIT */
/* Single rows in words. */
#include <inttypes.h>
#include <string.h>

#include "analysis/track_label.h"
#include "base/num.h"
#include "report/findings.h"
#include "report/items.h"

void mlv_item_stack_text(const struct mlv_run *run, mlv_stackid stack, struct mlv_buf *out)
{
	if (!mlv_stack_has_frame(stack)) {
		mlv_buf_puts(out, stack.i == MLV_STACK_EMPTY.i ? "    no frame on its stack\n"
							       : "    no stack recorded\n");
		return;
	}
	mlv_buf_printf(out, "    stack %" PRIu32 "\n", stack.i);
	mlv_stack_text(run, stack, "      ", out);
}

void mlv_item_event_text(const struct mlv_run *run, const struct mlv_device *d, uint64_t n,
			 struct mlv_buf *out)
{
	const struct mlv_mem_event *e = &run->mem_events.data[d->first_event + n];
	const struct mlv_note *note = &run->notes.data[e->note.i];
	char bytes[MLV_NUM_SIZE], time[MLV_NUM_SIZE], device[64];
	const struct mlv_mem_event *first = &run->mem_events.data[d->first_event];
	mlv_buf_printf(out, "  %s, event %" PRIu64 ": %s",
		       mlv_device_name(run, d, device, sizeof(device)), n,
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
	mlv_item_stack_text(run, e->stack, out);
}

void mlv_item_alloc_text(const struct mlv_run *run, const struct mlv_device *d,
			 const struct mlv_alloc *a, struct mlv_buf *out)
{
	char bytes[MLV_NUM_SIZE], device[64];
	mlv_buf_printf(out, "  %s, allocation at 0x%" PRIx64 ", %s (%" PRIu64 " bytes), ",
		       mlv_device_name(run, d, device, sizeof(device)), a->addr,
		       mlv_fmt_bytes(bytes, sizeof(bytes), a->bytes), a->bytes);
	if (a->born == MLV_NEVER)
		mlv_buf_puts(out, "older than the recording");
	else
		mlv_buf_printf(out, "made by event %" PRIu32, a->born);
	if (a->died == MLV_NEVER)
		mlv_buf_puts(out, ", alive at the end\n");
	else
		mlv_buf_printf(out, ", freed by event %" PRIu32 "\n", a->died);
	mlv_item_stack_text(run, a->stack, out);
}

void mlv_item_span_text(const struct mlv_run *run, size_t i, struct mlv_buf *out)
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
	int64_t ns;
	if (mlv_run_span_took(s, &ns))
		mlv_buf_printf(out, ", %s", mlv_fmt_duration(took, sizeof(took), ns));
	else if (mlv_run_span_open(run, s))
		mlv_buf_puts(out, ", not ended");
	if (s->status.i) {
		mlv_buf_puts(out, ", ");
		mlv_buf_safe(out, mlv_run_str(run, s->status));
	}
	mlv_buf_putc(out, '\n');
	mlv_track_label(run, s->track, label, sizeof(label));
	mlv_buf_puts(out, "    on ");
	mlv_buf_safe(out, mlv_str_of(label));
	mlv_buf_putc(out, '\n');
	if (s->bytes >= 0)
		mlv_buf_printf(out, "    bytes: %" PRId64 "\n", s->bytes);
	mlv_attrs_text(run, s->attrs, "    ", out);
	mlv_stack_text(run, s->stack, "      ", out);
}

void mlv_item_metric_text(const struct mlv_run *run, const struct mlv_metric *m,
			  struct mlv_buf *out)
{
	char value[80];
	mlv_buf_puts(out, "  ");
	mlv_buf_puts(out, run->sections.data[m->section].format);
	mlv_buf_puts(out, ", ");
	mlv_buf_safe(out, mlv_run_str(run, m->subject));
	mlv_buf_puts(out, ": ");
	mlv_buf_safe(out, mlv_run_str(run, m->metric));
	mlv_buf_printf(out, " %s\n", mlv_decimal_text(m->value, value, sizeof(value)));
}

void mlv_item_sample_text(const struct mlv_run *run, const struct mlv_sample *s,
			  struct mlv_buf *out)
{
	char value[80], label[256];
	mlv_buf_puts(out, "  sample ");
	mlv_buf_safe(out, mlv_run_str(run, s->metric));
	if (s->phase.i) {
		mlv_buf_puts(out, ", ");
		mlv_buf_safe(out, mlv_run_str(run, s->phase));
	}
	mlv_track_label(run, s->track, label, sizeof(label));
	mlv_buf_puts(out, *label ? ", " : "");
	mlv_buf_safe(out, mlv_str_of(label));
	mlv_buf_printf(out, ": %s\n", mlv_decimal_text(s->value, value, sizeof(value)));
}
