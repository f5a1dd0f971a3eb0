/* SPDX-License-Identifier: MIT */
/* Single rows as JSON; docs/json.md lists the keys. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/track_label.h"
#include "report/findings.h"
#include "report/items.h"
#include "report/table_text.h"

static void begin(struct mlv_json *j, const char *kind)
{
	mlv_json_object(j);
	mlv_json_key_text(j, "kind", kind);
}

/* As text: a number of 64 bits is more than most readers of JSON keep. */
static void address(struct mlv_json *j, uint64_t addr)
{
	char text[24];
	snprintf(text, sizeof(text), "0x%" PRIx64, addr);
	mlv_json_key_text(j, "address", text);
}

static void time_key(struct mlv_json *j, const char *key, int64_t ns)
{
	mlv_json_key(j, key);
	if (ns == MLV_NO_TIME)
		mlv_json_null(j);
	else
		mlv_json_int(j, ns);
}

static void text_key(const struct mlv_run *run, struct mlv_json *j, const char *key, mlv_strid text)
{
	if (!text.i)
		return;
	mlv_json_key(j, key);
	mlv_json_str(j, mlv_run_str(run, text));
}

static void track_key(const struct mlv_run *run, struct mlv_json *j, mlv_trackid track)
{
	char label[256];
	mlv_track_label(run, track, label, sizeof(label));
	if (label[0])
		mlv_json_key_text(j, "track", label);
}

static void stack_keys(const struct mlv_run *run, struct mlv_json *j, mlv_stackid stack)
{
	if (stack.i == MLV_STACK_NONE.i)
		return;
	mlv_json_key_uint(j, "stack_id", stack.i);
	mlv_stack_json(run, stack, j);
}

/* What the bytes of an event are, which its key says. */
static const char *bytes_key(const struct mlv_device *d, enum mlv_mem_action action)
{
	static const char *const keys[] = { "requested_bytes", "allocated_bytes", "mapped_bytes" };
	switch (action) {
	case MLV_MEM_SEGMENT_ALLOC:
	case MLV_MEM_SEGMENT_FREE:
	case MLV_MEM_SEGMENT_MAP:
	case MLV_MEM_SEGMENT_UNMAP:
		return "reserved_bytes";
	case MLV_MEM_OOM:
		return "rounded_bytes";
	default:
		return keys[d->bytes_are];
	}
}

void mlv_item_event_json(const struct mlv_run *run, const struct mlv_device *d, uint64_t n,
			 struct mlv_json *j)
{
	const struct mlv_mem_event *e = &run->mem_events.data[d->first_event + n];
	const struct mlv_note *note = &run->notes.data[e->note.i];
	enum mlv_mem_action action = (enum mlv_mem_action)e->action;
	begin(j, "event");
	mlv_json_key_uint(j, "device", d->ordinal);
	mlv_json_key_uint(j, "event", n);
	mlv_json_key_text(j, "action", mlv_mem_action_name(action));
	if (action == MLV_MEM_OOM)
		mlv_json_key_uint(j, "device_free_bytes", mlv_oom_device_free(e));
	else
		address(j, e->addr);
	mlv_json_key_uint(j, bytes_key(d, action), e->bytes);
	time_key(j, "time_ns", e->time_ns);
	track_key(run, j, e->track);
	text_key(run, j, "action_name", note->action);
	text_key(run, j, "compile_context", note->compile_context);
	text_key(run, j, "user_metadata", note->user_metadata);
	stack_keys(run, j, e->stack);
	mlv_json_object_end(j);
}

/* An event, or that there is none. */
static void event_key(struct mlv_json *j, const char *key, uint32_t event)
{
	mlv_json_key(j, key);
	if (event == MLV_NEVER)
		mlv_json_null(j);
	else
		mlv_json_uint(j, event);
}

void mlv_item_alloc_json(const struct mlv_run *run, const struct mlv_device *d,
			 const struct mlv_alloc *a, struct mlv_json *j)
{
	begin(j, "allocation");
	mlv_json_key_uint(j, "device", d->ordinal);
	address(j, a->addr);
	mlv_json_key_uint(j, bytes_key(d, MLV_MEM_ALLOC), a->bytes);
	event_key(j, "born_event", a->born);
	event_key(j, "free_requested_event", a->free_requested);
	event_key(j, "died_event", a->died);
	stack_keys(run, j, a->stack);
	mlv_json_object_end(j);
}

void mlv_item_stack_json(const struct mlv_run *run, mlv_stackid stack, struct mlv_json *j)
{
	begin(j, "stack");
	stack_keys(run, j, stack);
	mlv_json_object_end(j);
}

void mlv_item_span_json(const struct mlv_run *run, size_t span, struct mlv_json *j)
{
	const struct mlv_span *s = &run->spans.data[span];
	begin(j, "span");
	mlv_json_key_uint(j, "span", span);
	mlv_json_key(j, "name");
	mlv_json_str(j, mlv_run_str(run, s->name));
	text_key(run, j, "category", s->category);
	text_key(run, j, "status", s->status);
	time_key(j, "start_ns", s->start_ns);
	time_key(j, "end_ns", s->instant ? MLV_NO_TIME : s->end_ns);
	mlv_json_key_bool(j, "open", mlv_run_span_open(run, s));
	track_key(run, j, s->track);
	if (s->line)
		mlv_json_key_uint(j, "line", s->line);
	if (s->bytes >= 0)
		mlv_json_key_int(j, "bytes", s->bytes);
	mlv_attrs_json(run, s->attrs, j);
	stack_keys(run, j, s->stack);
	mlv_json_object_end(j);
}

void mlv_item_finding_json(const struct mlv_run *run, const struct mlv_finding *f,
			   struct mlv_json *j)
{
	begin(j, "finding");
	mlv_finding_json(run, f, j);
	mlv_json_object_end(j);
}

void mlv_item_metric_json(const struct mlv_run *run, const struct mlv_metric *m, struct mlv_json *j)
{
	begin(j, "metric");
	mlv_json_key_text(j, "format", run->sections.data[m->section].format);
	mlv_json_key(j, "subject");
	mlv_json_str(j, mlv_run_str(run, m->subject));
	mlv_json_key(j, "metric");
	mlv_json_str(j, mlv_run_str(run, m->metric));
	mlv_value_json(m->value, j);
	if (m->line)
		mlv_json_key_uint(j, "line", m->line);
	mlv_json_object_end(j);
}

void mlv_item_sample_json(const struct mlv_run *run, const struct mlv_sample *s, struct mlv_json *j)
{
	begin(j, "sample");
	mlv_json_key(j, "metric");
	mlv_json_str(j, mlv_run_str(run, s->metric));
	mlv_value_json(s->value, j);
	time_key(j, "time_ns", s->time_ns);
	if (s->step != MLV_NO_STEP)
		mlv_json_key_int(j, "step", s->step);
	text_key(run, j, "phase", s->phase);
	track_key(run, j, s->track);
	if (s->line)
		mlv_json_key_uint(j, "line", s->line);
	mlv_json_object_end(j);
}
