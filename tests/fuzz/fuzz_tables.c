/* SPDX-License-Identifier: MIT */
/* The tables of a run: whether they hang together, and one number for all that is in them. */
#include "fuzz_tables.h"

#include "fuzz.h"

static void check_text(const struct mlv_run *run, mlv_strid id)
{
	FUZZ_CHECK(id.i < run->strings.strings.len && mlv_run_str(run, id).p);
}

static void check_track(const struct mlv_run *run, mlv_trackid id)
{
	FUZZ_CHECK(id.i == MLV_TRACK_NONE.i || id.i < run->tracks.len);
}

static void check_attrs(const struct mlv_run *run, struct mlv_attrs attrs)
{
	FUZZ_CHECK((uint64_t)attrs.first + attrs.count <= run->attrs.len);
	for (uint32_t i = 0; i < attrs.count; i++) {
		const struct mlv_attr *a = &run->attrs.data[attrs.first + i];
		check_text(run, a->key);
		if (a->is_text)
			check_text(run, a->text);
	}
}

static void check_stack(const struct mlv_run *run, mlv_stackid stack)
{
	FUZZ_CHECK(stack.i < run->stacks.nodes.len);
}

/* Callers stand before those whom they call, so every walk ends. */
static void check_stacks(const struct mlv_run *run)
{
	for (uint32_t i = 2; i < run->stacks.nodes.len; i++) {
		const struct mlv_stack_node *n = &run->stacks.nodes.data[i];
		FUZZ_CHECK(n->caller.i < i && n->frame.i < run->stacks.frames.len);
	}
	for (size_t i = 0; i < run->stacks.frames.len; i++) {
		check_text(run, run->stacks.frames.data[i].function);
		check_text(run, run->stacks.frames.data[i].file);
	}
}

static void check_tracks(const struct mlv_run *run)
{
	for (uint32_t i = 0; i < run->tracks.len; i++) {
		const struct mlv_track *t = &run->tracks.data[i];
		FUZZ_CHECK(t->kind < MLV_TRACK_KINDS);
		FUZZ_CHECK(t->parent.i == MLV_TRACK_NONE.i || t->parent.i < i);
		check_text(run, t->name);
	}
}

static void check_findings(const struct mlv_run *run)
{
	for (size_t i = 0; i < run->findings.len; i++) {
		const struct mlv_finding *f = &run->findings.data[i];
		check_text(run, f->code);
		check_text(run, f->text);
		check_text(run, f->file);
		check_stack(run, f->stack);
		check_attrs(run, f->attrs);
		FUZZ_CHECK(f->line <= f->last_line);
	}
}

static void check_spans(const struct mlv_run *run)
{
	for (size_t i = 0; i < run->spans.len; i++) {
		const struct mlv_span *s = &run->spans.data[i];
		check_track(run, s->track);
		check_text(run, s->name);
		check_text(run, s->category);
		check_text(run, s->status);
		check_stack(run, s->stack);
		check_attrs(run, s->attrs);
	}
}

static void check_values(const struct mlv_run *run)
{
	for (size_t i = 0; i < run->metrics.len; i++) {
		const struct mlv_metric *m = &run->metrics.data[i];
		FUZZ_CHECK(m->section < run->sections.len);
		FUZZ_CHECK(m->value.unit < MLV_UNITS);
		check_text(run, m->subject);
		check_text(run, m->metric);
	}
	for (size_t i = 0; i < run->samples.len; i++) {
		const struct mlv_sample *s = &run->samples.data[i];
		FUZZ_CHECK(s->value.unit < MLV_UNITS);
		check_track(run, s->track);
		check_text(run, s->metric);
		check_text(run, s->phase);
	}
	for (size_t i = 0; i < run->sections.len; i++) {
		const struct mlv_section *s = &run->sections.data[i];
		check_text(run, s->title);
		FUZZ_CHECK(s->format && s->line <= s->last_line);
	}
	for (size_t i = 0; i < run->groups.len; i++) {
		const struct mlv_group *g = &run->groups.data[i];
		check_text(run, g->name);
		check_text(run, g->description);
		check_text(run, g->members);
	}
	for (size_t i = 0; i < run->properties.len; i++) {
		const struct mlv_property *p = &run->properties.data[i];
		check_text(run, p->group);
		check_text(run, p->key);
		check_text(run, p->text);
	}
}

static void check_memory(const struct mlv_run *run)
{
	for (size_t i = 0; i < run->mem_events.len; i++) {
		const struct mlv_mem_event *e = &run->mem_events.data[i];
		FUZZ_CHECK(e->action < MLV_MEM_ACTIONS && e->note.i < run->notes.len);
		FUZZ_CHECK(e->pool == MLV_POOL_UNKNOWN || e->pool < run->pools.len);
		check_track(run, e->track);
		check_stack(run, e->stack);
	}
	for (size_t i = 0; i < run->segments.len; i++) {
		const struct mlv_segment *s = &run->segments.data[i];
		FUZZ_CHECK((uint64_t)s->first_block + s->blocks <= run->blocks.len);
		check_track(run, s->track);
		check_stack(run, s->stack);
	}
	for (size_t i = 0; i < run->blocks.len; i++)
		check_stack(run, run->blocks.data[i].stack);
	for (size_t i = 0; i < run->devices.len; i++) {
		const struct mlv_device *d = &run->devices.data[i];
		check_track(run, d->track);
		FUZZ_CHECK(d->first_event + d->events <= run->mem_events.len);
		FUZZ_CHECK(d->first_segment + d->segments <= run->segments.len);
	}
}

void fuzz_check_tables(const struct mlv_run *run)
{
	check_stacks(run);
	check_tracks(run);
	check_findings(run);
	check_spans(run);
	check_values(run);
	check_memory(run);
}

static void mix(uint64_t *h, uint64_t n)
{
	*h = (*h ^ n) * UINT64_C(0x9e3779b97f4a7c15);
	*h ^= *h >> 29;
}

static void mix_decimal(uint64_t *h, struct mlv_decimal d)
{
	mix(h, (uint64_t)d.mantissa);
	mix(h, (uint64_t)(uint16_t)d.exponent << 16 | (uint64_t)d.unit << 8 | d.special);
}

/* Ids are given in the order of reading: the same reading gives the same ids. */
uint64_t fuzz_tables_hash(const struct mlv_run *run)
{
	uint64_t h = 0;
	mix(&h, run->stacks.nodes.len);
	mix(&h, run->strings.strings.len);
	mix(&h, run->attrs.len);
	mix(&h, run->tracks.len);
	mix(&h, run->groups.len);
	mix(&h, run->properties.len);
	mix(&h, run->diags.list.len);
	for (size_t i = 0; i < run->findings.len; i++) {
		const struct mlv_finding *f = &run->findings.data[i];
		mix(&h, (uint64_t)f->code.i << 32 | f->text.i);
		mix(&h, (uint64_t)f->line << 32 | f->stack.i);
	}
	for (size_t i = 0; i < run->spans.len; i++) {
		const struct mlv_span *s = &run->spans.data[i];
		mix(&h, (uint64_t)s->start_ns);
		mix(&h, (uint64_t)s->end_ns);
		mix(&h, (uint64_t)s->name.i << 32 | s->track.i);
		mix(&h, (uint64_t)s->status.i << 32 | s->stack.i);
	}
	for (size_t i = 0; i < run->metrics.len; i++) {
		const struct mlv_metric *m = &run->metrics.data[i];
		mix(&h, (uint64_t)m->subject.i << 32 | m->metric.i);
		mix_decimal(&h, m->value);
	}
	for (size_t i = 0; i < run->samples.len; i++) {
		const struct mlv_sample *s = &run->samples.data[i];
		mix(&h, (uint64_t)s->time_ns);
		mix(&h, (uint64_t)s->metric.i << 32 | s->phase.i);
		mix_decimal(&h, s->value);
	}
	for (size_t i = 0; i < run->mem_events.len; i++) {
		const struct mlv_mem_event *e = &run->mem_events.data[i];
		mix(&h, e->addr);
		mix(&h, e->bytes);
		mix(&h, (uint64_t)e->stack.i << 8 | e->action);
	}
	for (size_t i = 0; i < run->sections.len; i++)
		mix(&h, (uint64_t)run->sections.data[i].line << 32 | run->sections.data[i].rows);
	return h;
}
