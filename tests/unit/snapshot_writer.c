/* SPDX-License-Identifier: MIT */
#include "snapshot_writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "parsers/parser.h"
#include "unit.h"

void snap_fini(struct snap *s)
{
	mlv_vec_free(&s->stacks);
	for (int i = 0; i < SNAP_DEVICES; i++)
		mlv_vec_free(&s->traces[i]);
	mlv_vec_free(&s->segments);
	mlv_vec_free(&s->blocks);
	mlv_vec_free(&s->annotations);
}

void snap_event(struct snap *s, int device, struct snap_event e)
{
	unit_check(mlv_vec_push(&s->traces[device], e));
	if (device >= s->devices)
		s->devices = device + 1;
}

struct snap_event snap_plain(const char *action, uint64_t addr, uint64_t size)
{
	return (struct snap_event){ .action = action,
				    .addr = addr,
				    .size = size,
				    .time_us = SNAP_NONE,
				    .stack = -1,
				    .pool = -1 };
}

void snap_keep_last(struct snap *s, size_t keep)
{
	for (int i = 0; i < s->devices; i++) {
		size_t n = s->traces[i].len;
		if (n <= keep)
			continue;
		memmove(s->traces[i].data, s->traces[i].data + (n - keep),
			keep * sizeof(*s->traces[i].data));
		s->traces[i].len = keep;
	}
}

/* ---- a caching allocator ---- */

struct cell {
	uint64_t addr, size, requested;
	enum { FREE, USED, PENDING } state;
	int stack;
};

struct arena {
	int device, pool;
	int64_t stream;
	uint64_t addr, size;
	int stack;
	bool expandable;
	MLV_VEC(struct cell) cells;
};

struct allocator {
	struct snap *snap;
	const struct snap_program *p;
	uint64_t state, next_addr[SNAP_DEVICES], clock;
	MLV_VEC(struct arena) arenas;
};

static uint64_t rnd(struct allocator *a, uint64_t n)
{
	return unit_random(&a->state) % n;
}

static int any_stack(struct allocator *a)
{
	return a->p->stacks ? (int)rnd(a, a->snap->stacks.len + 1) - 1 : -1;
}

static void emit(struct allocator *a, const struct arena *on, const char *action, uint64_t addr,
		 uint64_t size, int stack)
{
	static const char *const contexts[] = { "N/A", "0/0", "Torch-Compiled Region: 1/0" };
	static const char *const metadata[] = { "", "step 3", "{\"layer\": \"\xc3\xa9\"}" };
	struct snap_event e = snap_plain(action, addr, size);
	e.stream = on->stream;
	e.stack = stack;
	a->clock += rnd(a, 50);
	if (a->p->times)
		e.time_us = (int64_t)(UINT64_C(1700000000000000) + a->clock);
	if (a->p->contexts) {
		e.context = contexts[rnd(a, 3)];
		e.metadata = metadata[rnd(a, 3)];
		e.pool = on->pool;
	}
	e.odd = a->p->odd && rnd(a, 20) == 0;
	snap_event(a->snap, on->device, e);
}

static struct arena *new_arena(struct allocator *a, struct arena like, uint64_t size, int stack)
{
	like.size = (size + (2 << 20) - 1) >> 21 << 21;
	like.addr = a->next_addr[like.device];
	a->next_addr[like.device] += like.size + (rnd(a, 3) ? 0 : 2 << 20);
	like.stack = stack;
	struct cell all = { like.addr, like.size, 0, FREE, -1 };
	memset(&like.cells, 0, sizeof(like.cells));
	unit_check(mlv_vec_push(&like.cells, all) && mlv_vec_push(&a->arenas, like));
	if (like.expandable) {
		/* Mapped in two steps, as an expandable segment grows. */
		emit(a, &like, "segment_map", like.addr, 2 << 20, stack);
		if (like.size > 2 << 20)
			emit(a, &like, "segment_map", like.addr + (2 << 20), like.size - (2 << 20),
			     stack);
	} else {
		emit(a, &like, "segment_alloc", like.addr, like.size, stack);
	}
	return &a->arenas.data[a->arenas.len - 1];
}

static void use_cell(struct allocator *a, struct arena *on, size_t i, uint64_t size, int stack)
{
	uint64_t rounded = (size + 511) & ~UINT64_C(511);
	struct cell rest = on->cells.data[i];
	if (rest.size > rounded) {
		rest.addr += rounded;
		rest.size -= rounded;
		unit_check(mlv_vec_push(&on->cells, rest));
		memmove(&on->cells.data[i + 2], &on->cells.data[i + 1],
			(on->cells.len - i - 2) * sizeof(rest));
		on->cells.data[i + 1] = rest;
	}
	struct cell *c = &on->cells.data[i];
	*c = (struct cell){ c->addr, rounded, size, USED, stack };
	emit(a, on, "alloc", c->addr, size, stack);
}

static void allocate(struct allocator *a)
{
	static const uint64_t most[] = { 600, 5000, 100000, 3 << 20, 40 << 20 };
	uint64_t size = rnd(a, most[rnd(a, 5)]) + 1;
	uint64_t rounded = (size + 511) & ~UINT64_C(511);
	struct arena like = { .device = (int)rnd(a, (uint64_t)a->p->devices),
			      .stream = (int64_t)rnd(a, (uint64_t)a->p->streams) * 0x7f0000001000,
			      .pool = (int)rnd(a, (uint64_t)a->p->pools),
			      .expandable = a->p->expandable };
	int stack = any_stack(a);
	if (a->p->oom && rnd(a, 60) == 0) {
		emit(a, &like, "oom", rnd(a, 1 << 30), rounded, stack);
		return;
	}
	for (size_t i = 0; i < a->arenas.len; i++) {
		struct arena *on = &a->arenas.data[i];
		if (on->device != like.device || on->stream != like.stream || on->pool != like.pool)
			continue;
		for (size_t k = 0; k < on->cells.len; k++) {
			if (on->cells.data[k].state == FREE && on->cells.data[k].size >= rounded) {
				use_cell(a, on, k, size, stack);
				return;
			}
		}
	}
	use_cell(a, new_arena(a, like, rounded, stack), 0, size, stack);
}

static void merge(struct arena *on)
{
	size_t n = 0;
	for (size_t i = 0; i < on->cells.len; i++) {
		struct cell c = on->cells.data[i];
		if (n && on->cells.data[n - 1].state == FREE && c.state == FREE)
			on->cells.data[n - 1].size += c.size;
		else
			on->cells.data[n++] = c;
	}
	on->cells.len = n;
}

static void complete(struct allocator *a, struct arena *on, struct cell *c)
{
	emit(a, on, "free_completed", c->addr, c->requested, c->stack);
	c->state = FREE;
	merge(on);
}

static void release(struct allocator *a)
{
	if (!a->arenas.len)
		return;
	struct arena *on = &a->arenas.data[rnd(a, a->arenas.len)];
	struct cell *c = &on->cells.data[rnd(a, on->cells.len)];
	if (c->state == PENDING) {
		complete(a, on, c);
	} else if (c->state == USED) {
		emit(a, on, "free_requested", c->addr, c->requested, c->stack);
		c->state = PENDING;
		if (!a->p->pending || rnd(a, 4))
			complete(a, on, c);
	}
}

static void empty_cache(struct allocator *a)
{
	size_t n = 0;
	for (size_t i = 0; i < a->arenas.len; i++) {
		struct arena on = a->arenas.data[i];
		if (on.cells.len == 1 && on.cells.data[0].state == FREE) {
			emit(a, &on, on.expandable ? "segment_unmap" : "segment_free", on.addr,
			     on.size, on.stack);
			mlv_vec_free(&on.cells);
		} else {
			a->arenas.data[n++] = on;
		}
	}
	a->arenas.len = n;
}

static void annotate(struct allocator *a, unsigned step)
{
	static const char *const names[] = { "ProfilerStep#1", "Optimizer.step#AdamW.step", "x" };
	struct snap_annotation s = { rnd(a, 2) ? "START" : "END", names[rnd(a, 3)],
				     (int64_t)rnd(a, (uint64_t)a->p->devices),
				     (int64_t)(UINT64_C(1700000000000000) + step) };
	unit_check(mlv_vec_push(&a->snap->annotations, s));
}

/* The final heap, of all devices mixed, in the order in which the segments came. */
static void dump(struct allocator *a)
{
	struct snap *s = a->snap;
	for (size_t i = 0; i < a->arenas.len; i++) {
		struct arena *on = &a->arenas.data[i];
		struct snap_segment seg = { .device = on->device,
					    .addr = on->addr,
					    .size = on->size,
					    .stream = on->stream,
					    .pool = on->pool,
					    .small = on->size <= 2 << 20,
					    .expandable = on->expandable,
					    .stack = on->stack,
					    .first_block = s->blocks.len,
					    .blocks = on->cells.len };
		for (size_t k = 0; k < on->cells.len; k++) {
			const struct cell *c = &on->cells.data[k];
			static const char *const states[] = { "inactive", "active_allocated",
							      "active_pending_free" };
			struct snap_block b = { c->addr, c->size, c->requested, states[c->state],
						c->stack };
			unit_check(mlv_vec_push(&s->blocks, b));
			seg.allocated += c->state == USED ? c->size : 0;
			seg.active += c->state != FREE ? c->size : 0;
			seg.requested += c->state != FREE ? c->requested : 0;
		}
		unit_check(mlv_vec_push(&s->segments, seg));
		mlv_vec_free(&on->cells);
	}
	mlv_vec_free(&a->arenas);
}

void snap_record(struct snap *s, const struct snap_program *p)
{
	struct allocator a = { .snap = s, .p = p, .state = p->seed * 2654435761 + 1 };
	memset(s, 0, sizeof(*s));
	s->devices = p->devices;
	s->settings = true;
	for (int i = 0; i < SNAP_DEVICES; i++)
		a.next_addr[i] = UINT64_C(0x7f0000000000) + ((uint64_t)i << 36);
	for (int i = 0; p->stacks && i < 12; i++) {
		struct snap_stack stack = { .count = (int)rnd(&a, 8) };
		for (int k = 0; k < stack.count; k++)
			stack.frames[k] = (int)rnd(&a, 9);
		unit_check(mlv_vec_push(&s->stacks, stack));
	}
	for (unsigned i = 0; i < p->steps; i++) {
		uint64_t what = rnd(&a, 100);
		if (what < 52)
			allocate(&a);
		else if (what < 98 || !p->empty_cache)
			release(&a);
		else
			empty_cache(&a);
		if (p->odd && rnd(&a, 50) == 0)
			emit(&a, &(struct arena){ .pool = 0 }, "user_defined", 0, 0, -1);
		if (p->odd && rnd(&a, 80) == 0)
			emit(&a, &(struct arena){ .pool = 0 }, "snapshot", 0, 12345, -1);
		if (p->annotations && rnd(&a, 6) == 0)
			annotate(&a, i);
	}
	dump(&a);
}

/* ---- a tree of Python values ---- */

enum kind { INT, FLOAT, STR, BOOL, NONE, TUPLE, LIST, DICT };

struct node {
	enum kind kind;
	bool shared; /* one object in Python, referred to from several places */
	int64_t i;   /* INT, BOOL */
	uint64_t u;  /* INT above INT64_MAX, when i is -1 */
	double d;
	const char *s;
	MLV_VEC(struct node *) items; /* of a DICT: key, value, … */
	uint32_t memo;                /* index + 1 while writing */
};

struct tree {
	struct mlv_arena arena;
	struct node *frames[64], **stacks;
	MLV_VEC(struct node *) texts; /* shared ones */
	MLV_VEC(struct node *) all;
	struct snap_style style;
	uint64_t state;
};

static struct node *node(struct tree *t, enum kind kind)
{
	struct node *n = mlv_arena_alloc(&t->arena, sizeof(*n));
	unit_check(n);
	memset(n, 0, sizeof(*n));
	n->kind = kind;
	unit_check(mlv_vec_push(&t->all, n));
	return n;
}

static struct node *integer(struct tree *t, int64_t i)
{
	struct node *n = node(t, INT);
	n->i = i;
	return n;
}

static struct node *number(struct tree *t, uint64_t u)
{
	struct node *n = node(t, INT);
	n->i = u > INT64_MAX ? -1 : (int64_t)u;
	n->u = u;
	return n;
}

static struct node *fresh_text(struct tree *t, const char *s)
{
	struct node *n = node(t, STR);
	n->s = s;
	return n;
}

/* A string constant of the writer: one object. */
static struct node *text(struct tree *t, const char *s)
{
	for (size_t i = 0; i < t->texts.len; i++) {
		if (t->texts.data[i]->s == s || !strcmp(t->texts.data[i]->s, s))
			return t->texts.data[i];
	}
	struct node *n = fresh_text(t, s);
	n->shared = true;
	unit_check(mlv_vec_push(&t->texts, n));
	return n;
}

static void append(struct node *list, struct node *item)
{
	unit_check(mlv_vec_push(&list->items, item));
}

static void set(struct tree *t, struct node *dict, const char *key, struct node *value)
{
	append(dict, text(t, key));
	append(dict, value);
}

static struct node *boolean(struct tree *t, bool b)
{
	struct node *n = node(t, BOOL);
	n->i = b;
	return n;
}

static struct node *frame(struct tree *t, int id)
{
	static const char *const files[] = { "/home/me/train.py", "/usr/lib/python3/torch/nn.py",
					     "??" };
	static const char *const names[] = { "f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8" };
	if (t->frames[id])
		return t->frames[id];
	struct node *n = t->frames[id] = node(t, DICT);
	n->shared = true;
	set(t, n, "name", text(t, names[id]));
	set(t, n, "filename", text(t, files[id % 3]));
	set(t, n, "line", integer(t, id % 3 == 2 ? 0 : 10 + id));
	return n;
}

static struct node *stack(struct tree *t, const struct snap *s, int id)
{
	if (t->stacks[id])
		return t->stacks[id];
	struct node *n = t->stacks[id] = node(t, LIST);
	n->shared = true;
	for (int i = 0; i < s->stacks.data[id].count; i++)
		append(n, frame(t, s->stacks.data[id].frames[i]));
	return n;
}

static struct node *pool(struct tree *t, int id)
{
	struct node *n = node(t, TUPLE);
	append(n, integer(t, id));
	append(n, integer(t, 2 * id));
	return n;
}

static void shuffle(struct tree *t, struct node *dict)
{
	size_t n = dict->items.len / 2;
	if (!t->style.shuffle)
		return;
	for (size_t i = n; i > 1; i--) {
		size_t k = unit_random(&t->state) % i;
		for (size_t part = 0; part < 2; part++) {
			struct node *swap = dict->items.data[2 * (i - 1) + part];
			dict->items.data[2 * (i - 1) + part] = dict->items.data[2 * k + part];
			dict->items.data[2 * k + part] = swap;
		}
	}
}

static struct node *event(struct tree *t, const struct snap *s, const struct snap_event *e)
{
	struct node *n = node(t, DICT);
	set(t, n, "action", text(t, e->action));
	set(t, n, strcmp(e->action, "oom") ? "addr" : "device_free", number(t, e->addr));
	set(t, n, "size", number(t, e->size));
	if (e->stream != SNAP_NONE)
		set(t, n, "stream", integer(t, e->stream));
	if (e->stack >= 0 && t->style.form != SNAP_CPP)
		set(t, n, "frames", stack(t, s, e->stack));
	if (e->time_us != SNAP_NONE)
		set(t, n, "time_us", integer(t, e->time_us));
	if (e->context)
		set(t, n, "compile_context", fresh_text(t, e->context));
	if (e->metadata)
		set(t, n, "user_metadata", fresh_text(t, e->metadata));
	if (e->pool >= 0)
		set(t, n, "pool_id", pool(t, e->pool));
	if (e->odd) {
		struct node *list = node(t, LIST);
		append(list, fresh_text(t, "  File \"a.py\", line 1"));
		append(list, node(t, NONE));
		set(t, n, "forward_frames", list);
		set(t, n, "a key of tomorrow", boolean(t, true));
	}
	if (e->stack >= 0 && t->style.form == SNAP_CPP)
		set(t, n, "frames", stack(t, s, e->stack));
	shuffle(t, n);
	return n;
}

static struct node *history(struct tree *t, const struct snap *s, const struct snap_block *b)
{
	struct node *n = node(t, LIST), *newest = node(t, DICT), *older = node(t, DICT);
	set(t, newest, "addr", number(t, b->addr));
	set(t, newest, "real_size", number(t, b->requested));
	if (b->stack >= 0)
		set(t, newest, "frames", stack(t, s, b->stack));
	set(t, older, "addr", number(t, b->addr));
	set(t, older, "real_size", integer(t, 77));
	append(n, newest);
	append(n, older);
	return n;
}

static struct node *block(struct tree *t, const struct snap *s, const struct snap_block *b)
{
	struct node *n = node(t, DICT);
	if (!s->history)
		set(t, n, "address", number(t, b->addr));
	set(t, n, "size", number(t, b->size));
	if (s->history)
		set(t, n, "history", history(t, s, b));
	else
		set(t, n, "requested_size", number(t, b->requested));
	set(t, n, "state", text(t, b->state));
	if (!s->history && b->stack >= 0)
		set(t, n, "frames", stack(t, s, b->stack));
	shuffle(t, n);
	return n;
}

static struct node *segment(struct tree *t, const struct snap *s, const struct snap_segment *seg)
{
	struct node *n = node(t, DICT), *blocks = node(t, LIST);
	for (size_t i = 0; i < seg->blocks; i++)
		append(blocks, block(t, s, &s->blocks.data[seg->first_block + i]));
	set(t, n, "device", integer(t, seg->device));
	set(t, n, "address", number(t, seg->addr));
	set(t, n, "total_size", number(t, seg->size));
	set(t, n, "allocated_size", number(t, seg->allocated));
	set(t, n, "active_size", number(t, seg->active));
	set(t, n, "requested_size", number(t, seg->requested));
	set(t, n, "stream", integer(t, seg->stream));
	set(t, n, "segment_type", text(t, seg->small ? "small" : "large"));
	set(t, n, "segment_pool_id", pool(t, seg->pool));
	set(t, n, "is_expandable", boolean(t, seg->expandable));
	if (seg->stack >= 0)
		set(t, n, "frames", stack(t, s, seg->stack));
	set(t, n, "blocks", blocks);
	shuffle(t, n);
	return n;
}

static struct node *settings(struct tree *t)
{
	struct node *n = node(t, DICT), *divisions = node(t, DICT), *gc = node(t, FLOAT);
	gc->d = 0.8;
	set(t, divisions, "1", integer(t, 0));
	set(t, divisions, "256", integer(t, 4));
	set(t, n, "PYTORCH_CUDA_ALLOC_CONF", text(t, "garbage_collection_threshold:0.8"));
	set(t, n, "max_split_size", integer(t, -1));
	set(t, n, "garbage_collection_threshold", gc);
	set(t, n, "expandable_segments", boolean(t, false));
	set(t, n, "roundup_power2_divisions", divisions);
	set(t, n, "graph_capture_record_stream_reuse", boolean(t, true));
	set(t, n, "unlimited", number(t, UINT64_MAX));
	set(t, n, "nothing", node(t, NONE));
	return n;
}

static struct node *annotation(struct tree *t, const struct snap_annotation *a)
{
	struct node *n = node(t, DICT);
	set(t, n, "stage", text(t, a->stage));
	set(t, n, "name", text(t, a->name));
	set(t, n, "device", integer(t, a->device));
	set(t, n, "time_us", integer(t, a->time_us));
	shuffle(t, n);
	return n;
}

static struct node *build(struct tree *t, const struct snap *s)
{
	struct node *top = node(t, DICT), *segments = node(t, LIST), *traces = node(t, LIST);
	for (size_t i = 0; i < s->segments.len; i++)
		append(segments, segment(t, s, &s->segments.data[i]));
	if (s->only_segments)
		return segments;
	for (int i = 0; i < s->devices; i++) {
		struct node *trace = node(t, LIST);
		for (size_t k = 0; k < s->traces[i].len; k++)
			append(trace, event(t, s, &s->traces[i].data[k]));
		append(traces, trace);
	}
	set(t, top, "segments", segments);
	set(t, top, "device_traces", traces);
	if (s->settings)
		set(t, top, "allocator_settings", settings(t));
	struct node *annotations = node(t, LIST);
	for (size_t i = 0; i < s->annotations.len; i++)
		append(annotations, annotation(t, &s->annotations.data[i]));
	if (s->annotations.len)
		set(t, top, "external_annotations", annotations);
	shuffle(t, top);
	return top;
}

/* ---- pickle ---- */

struct pickler {
	struct mlv_buf *out;
	struct snap_style style;
	uint32_t memo; /* slots so far */
};

static void le(struct mlv_buf *out, uint64_t v, int bytes)
{
	for (int i = 0; i < bytes; i++)
		mlv_buf_putc(out, (char)(v >> (8 * i)));
}

static void op_le(struct pickler *p, int op, uint64_t v, int bytes)
{
	mlv_buf_putc(p->out, (char)op);
	le(p->out, v, bytes);
}

static void put_memo(struct pickler *p, struct node *n)
{
	uint32_t i = p->memo++;
	n->memo = i + 1;
	if (p->style.form == SNAP_P0)
		mlv_buf_printf(p->out, "p%" PRIu32 "\n", i);
	else if (p->style.form >= SNAP_P4)
		mlv_buf_putc(p->out, (char)0x94);
	else if (i < 256)
		op_le(p, 'q', i, 1);
	else
		op_le(p, 'r', i, 4);
}

static bool get_memo(struct pickler *p, const struct node *n)
{
	if (!n->memo || !n->shared || p->style.unshared)
		return false;
	uint32_t i = n->memo - 1;
	if (p->style.form == SNAP_P0)
		mlv_buf_printf(p->out, "g%" PRIu32 "\n", i);
	else if (i < 256)
		op_le(p, 'h', i, 1);
	else
		op_le(p, 'j', i, 4);
	return true;
}

static void pickle_long(struct pickler *p, const struct node *n)
{
	if (p->style.form <= SNAP_P1) {
		if (n->i < 0 && n->u)
			mlv_buf_printf(p->out, "L%" PRIu64 "L\n", n->u);
		else
			mlv_buf_printf(p->out, "L%" PRId64 "L\n", n->i);
		return;
	}
	int bytes = 8;
	bool big = n->i < 0 && n->u;
	uint64_t v = big ? n->u : (uint64_t)n->i;
	if (big)
		bytes = 9;
	while (p->style.form != SNAP_CPP && !big && bytes > 1 &&
	       (int64_t)(v << (8 * (9 - bytes))) >> (8 * (9 - bytes)) == (int64_t)v)
		bytes--;
	mlv_buf_putc(p->out, (char)0x8a);
	mlv_buf_putc(p->out, (char)bytes);
	for (int i = 0; i < bytes; i++)
		mlv_buf_putc(p->out, i < 8 ? (char)(v >> (8 * i)) : 0);
}

static void pickle_int(struct pickler *p, const struct node *n)
{
	bool big = n->i < 0 && n->u;
	if (p->style.form == SNAP_P0 && !big && n->i >= INT32_MIN && n->i <= INT32_MAX)
		mlv_buf_printf(p->out, "I%" PRId64 "\n", n->i);
	else if (p->style.form == SNAP_P0 || big || n->i > INT32_MAX || n->i < INT32_MIN)
		pickle_long(p, n);
	else if (n->i >= 0 && n->i < 256)
		op_le(p, 'K', (uint64_t)n->i, 1);
	else if (n->i >= 0 && n->i < 65536)
		op_le(p, 'M', (uint64_t)n->i, 2);
	else
		op_le(p, 'J', (uint64_t)n->i, 4);
}

/* Protocol 0 has Latin-1 with \u escapes. */
static void pickle_text0(struct pickler *p, const char *s)
{
	mlv_buf_putc(p->out, 'V');
	for (const uint8_t *c = (const uint8_t *)s; *c; c++) {
		if (*c == '\\' || *c == '\n')
			mlv_buf_printf(p->out, "\\u%04x", *c);
		else if (*c >= 0xc0 && *c < 0xe0 && c[1]) {
			unsigned u = (unsigned)(*c & 0x1f) << 6 | (c[1] & 0x3f);
			if (u < 256)
				mlv_buf_putc(p->out, (char)u);
			else
				mlv_buf_printf(p->out, "\\u%04x", u);
			c++;
		} else
			mlv_buf_putc(p->out, (char)*c);
	}
	mlv_buf_putc(p->out, '\n');
}

static void pickle_text(struct pickler *p, const char *s)
{
	size_t n = strlen(s);
	if (p->style.form == SNAP_P0) {
		pickle_text0(p, s);
		return;
	}
	if (p->style.form >= SNAP_P4 && n < 256)
		op_le(p, 0x8c, n, 1);
	else
		op_le(p, 'X', n, 4);
	mlv_buf_add(p->out, s, n);
}

static void pickle(struct pickler *p, struct node *n);

/* Items in batches, as Python writes them; a batch of one has no mark. */
static void pickle_batches(struct pickler *p, struct node *n, size_t width)
{
	size_t batch = p->style.batch ? p->style.batch : 1000;
	if (p->style.form == SNAP_P0)
		batch = 1;
	if (p->style.form == SNAP_CPP)
		batch = SIZE_MAX / 4;
	size_t count = n->items.len / width;
	bool dict = width == 2;
	for (size_t i = 0; i < count || (p->style.form == SNAP_CPP && dict && !i);) {
		size_t k = count - i < batch ? count - i : batch;
		bool mark = k != 1 || p->style.form == SNAP_CPP;
		if (mark)
			mlv_buf_putc(p->out, '(');
		for (size_t w = i * width; w < (i + k) * width; w++)
			pickle(p, n->items.data[w]);
		mlv_buf_putc(p->out, dict ? mark ? 'u' : 's' : mark ? 'e' : 'a');
		i += k;
		if (!count)
			break;
	}
}

static void pickle_container(struct pickler *p, struct node *n)
{
	bool dict = n->kind == DICT, cpp = p->style.form == SNAP_CPP;
	if (p->style.form == SNAP_P0)
		mlv_buf_puts(p->out, dict ? "(d" : "(l");
	else
		mlv_buf_putc(p->out, dict ? '}' : ']');
	/* Python remembers a container before its items, the C++ writer behind them. */
	if (!cpp)
		put_memo(p, n);
	pickle_batches(p, n, dict ? 2 : 1);
	if (cpp && n->shared)
		put_memo(p, n);
}

static void pickle_tuple(struct pickler *p, struct node *n)
{
	if (p->style.form <= SNAP_P1)
		mlv_buf_putc(p->out, '(');
	for (size_t i = 0; i < n->items.len; i++)
		pickle(p, n->items.data[i]);
	mlv_buf_putc(p->out, p->style.form <= SNAP_P1 ? 't' : (char)0x86);
	if (p->style.form != SNAP_CPP)
		put_memo(p, n);
}

static void pickle_float(struct pickler *p, double d)
{
	uint64_t bits;
	if (p->style.form == SNAP_P0) {
		mlv_buf_printf(p->out, "F%.17g\n", d);
		return;
	}
	memcpy(&bits, &d, sizeof(bits));
	mlv_buf_putc(p->out, 'G');
	for (int i = 7; i >= 0; i--)
		mlv_buf_putc(p->out, (char)(bits >> (8 * i)));
}

static void pickle(struct pickler *p, struct node *n)
{
	if (get_memo(p, n))
		return;
	switch (n->kind) {
	case INT:
		pickle_int(p, n);
		break;
	case FLOAT:
		pickle_float(p, n->d);
		break;
	case BOOL:
		if (p->style.form <= SNAP_P1)
			mlv_buf_puts(p->out, n->i ? "I01\n" : "I00\n");
		else
			mlv_buf_putc(p->out, n->i ? (char)0x88 : (char)0x89);
		break;
	case NONE:
		mlv_buf_putc(p->out, 'N');
		break;
	case STR:
		pickle_text(p, n->s);
		put_memo(p, n);
		break;
	case TUPLE:
		pickle_tuple(p, n);
		break;
	case LIST:
	case DICT:
		pickle_container(p, n);
		break;
	}
}

static void write_pickle(struct snap_style style, struct node *top, struct mlv_buf *out)
{
	struct mlv_buf body = { 0 };
	struct pickler p = { &body, style, 0 };
	pickle(&p, top);
	mlv_buf_putc(&body, '.');
	if (style.form >= SNAP_CPP) {
		mlv_buf_putc(out, (char)0x80);
		mlv_buf_putc(out, style.form == SNAP_CPP ? 2 : style.form == SNAP_P4 ? 4 : 5);
	}
	if (style.form >= SNAP_P4) {
		mlv_buf_putc(out, (char)0x95);
		le(out, body.len, 8);
	}
	mlv_buf_add(out, body.data, body.len);
	mlv_buf_fini(&body);
}

/* ---- JSON ---- */

static void json_text(struct mlv_buf *out, const char *s)
{
	mlv_buf_putc(out, '"');
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			mlv_buf_putc(out, '\\');
		mlv_buf_putc(out, *s);
	}
	mlv_buf_putc(out, '"');
}

static void json(struct mlv_buf *out, const struct node *n)
{
	switch (n->kind) {
	case INT:
		if (n->i < 0 && n->u)
			mlv_buf_printf(out, "%" PRIu64, n->u);
		else
			mlv_buf_printf(out, "%" PRId64, n->i);
		break;
	case FLOAT:
		mlv_buf_printf(out, "%.17g", n->d);
		break;
	case BOOL:
		mlv_buf_puts(out, n->i ? "true" : "false");
		break;
	case NONE:
		mlv_buf_puts(out, "null");
		break;
	case STR:
		json_text(out, n->s);
		break;
	case TUPLE:
	case LIST:
	case DICT:
		mlv_buf_putc(out, n->kind == DICT ? '{' : '[');
		for (size_t i = 0; i < n->items.len; i++) {
			if (i)
				mlv_buf_puts(out, n->kind == DICT && i % 2 ? ": " : ", ");
			json(out, n->items.data[i]);
		}
		mlv_buf_putc(out, n->kind == DICT ? '}' : ']');
		break;
	}
}

void snap_write(const struct snap *s, struct snap_style style, struct mlv_buf *out)
{
	struct tree t = { .style = style, .state = style.shuffle | 1 };
	t.stacks = calloc(s->stacks.len + 1, sizeof(*t.stacks));
	unit_check(t.stacks);
	struct node *top = build(&t, s);
	if (style.form == SNAP_JSON)
		json(out, top);
	else
		write_pickle(style, top, out);
	unit_check(!out->failed);
	for (size_t i = 0; i < t.all.len; i++)
		mlv_vec_free(&t.all.data[i]->items);
	free(t.stacks);
	mlv_vec_free(&t.all);
	mlv_vec_free(&t.texts);
	mlv_arena_fini(&t.arena);
}

void snap_gzip(const struct mlv_buf *in, struct mlv_buf *out)
{
	z_stream z = { 0 };
	unit_check(deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
	uLong bound = deflateBound(&z, (uLong)in->len);
	uint8_t *bytes = malloc(bound);
	unit_check(bytes);
	z.next_in = (Bytef *)in->data;
	z.avail_in = (uInt)in->len;
	z.next_out = bytes;
	z.avail_out = (uInt)bound;
	unit_check(deflate(&z, Z_FINISH) == Z_STREAM_END);
	mlv_buf_add(out, bytes, bound - z.avail_out);
	deflateEnd(&z);
	free(bytes);
}

void snap_zstd(const struct mlv_buf *in, struct mlv_buf *out)
{
	size_t bound = ZSTD_compressBound(in->len);
	uint8_t *bytes = malloc(bound);
	unit_check(bytes);
	size_t n = ZSTD_compress(bytes, bound, in->data, in->len, 1);
	unit_check(!ZSTD_isError(n));
	mlv_buf_add(out, bytes, n);
	free(bytes);
}

/* ---- reading, comparing ---- */

enum mlv_rc snap_read(struct mlv_run *run, const struct mlv_buf *bytes, size_t chunk,
		      const struct mlv_limits *limits, struct mlv_err *err)
{
	struct mlv_bytes data = { (const uint8_t *)bytes->data, bytes->len };
	struct mlv_err ignored = MLV_ERR_INIT;
	const struct mlv_parser *parser = NULL;
	struct mlv_source *src;
	struct mlv_reader r;
	if (!limits)
		limits = &mlv_limits_default;
	if (!err)
		err = &ignored;
	unit_check(mlv_run_init(run, "test"));
	unit_check(!mlv_source_memory(&src, "test", data, chunk, limits, NULL));
	mlv_reader_init(&r, src);
	(void)mlv_reader_need(&r, MLV_PROBE_BYTES);
	struct mlv_bytes head = { r.p, (size_t)(r.end - r.p) };
	if (head.n > MLV_PROBE_BYTES)
		head.n = MLV_PROBE_BYTES;
	enum mlv_rc rc = mlv_parser_find(head, NULL, &parser, err);
	if (!rc) {
		run->format = parser->name;
		struct mlv_parse p = { .reader = &r, .run = run, .limits = limits };
		rc = parser->parse(&p, err);
	}
	mlv_reader_fini(&r);
	mlv_source_close(src);
	unit_check(rc == err->rc);
	if (rc)
		mlv_run_fini(run);
	return rc;
}

static bool same_text(const struct mlv_run *a, mlv_strid x, const struct mlv_run *b, mlv_strid y)
{
	return mlv_str_eq(mlv_run_str(a, x), mlv_run_str(b, y));
}

static bool same_stack(const struct mlv_run *a, mlv_stackid x, const struct mlv_run *b,
		       mlv_stackid y)
{
	while (mlv_stack_has_frame(x) && mlv_stack_has_frame(y)) {
		const struct mlv_frame *f = mlv_stack_frame(&a->stacks, x);
		const struct mlv_frame *g = mlv_stack_frame(&b->stacks, y);
		if (!same_text(a, f->function, b, g->function) ||
		    !same_text(a, f->file, b, g->file) || f->line != g->line)
			return false;
		x = mlv_stack_caller(&a->stacks, x);
		y = mlv_stack_caller(&b->stacks, y);
	}
	return x.i == y.i;
}

static bool same_track(const struct mlv_run *a, mlv_trackid x, const struct mlv_run *b,
		       mlv_trackid y)
{
	while (x.i < a->tracks.len && y.i < b->tracks.len) {
		const struct mlv_track *t = &a->tracks.data[x.i], *u = &b->tracks.data[y.i];
		if (t->kind != u->kind || t->number != u->number)
			return false;
		x = t->parent;
		y = u->parent;
	}
	return x.i == MLV_TRACK_NONE.i && y.i == MLV_TRACK_NONE.i;
}

static bool same_pool(const struct mlv_run *a, uint16_t x, const struct mlv_run *b, uint16_t y)
{
	if (x == MLV_POOL_UNKNOWN || y == MLV_POOL_UNKNOWN)
		return x == y;
	const struct mlv_pool *p = &a->pools.data[x], *q = &b->pools.data[y];
	return p->owner == q->owner && p->id == q->id;
}

static const char *event_differs(const struct mlv_run *a, const struct mlv_mem_event *x,
				 const struct mlv_run *b, const struct mlv_mem_event *y)
{
	const struct mlv_note *n = &a->notes.data[x->note.i], *o = &b->notes.data[y->note.i];
	if (x->action != y->action)
		return "action of an event";
	if (x->addr != y->addr || x->bytes != y->bytes)
		return "address or size of an event";
	if (x->time_ns != y->time_ns)
		return "time of an event";
	if (!same_track(a, x->track, b, y->track))
		return "track of an event";
	if (!same_stack(a, x->stack, b, y->stack))
		return "stack of an event";
	if (!same_pool(a, x->pool, b, y->pool))
		return "pool of an event";
	if (!same_text(a, n->action, b, o->action) ||
	    !same_text(a, n->compile_context, b, o->compile_context) ||
	    !same_text(a, n->user_metadata, b, o->user_metadata))
		return "note of an event";
	return NULL;
}

static const char *heap_differs(const struct mlv_run *a, const struct mlv_run *b)
{
	if (a->segments.len != b->segments.len || a->blocks.len != b->blocks.len)
		return "number of segments or blocks";
	for (size_t i = 0; i < a->segments.len; i++) {
		const struct mlv_segment *x = &a->segments.data[i], *y = &b->segments.data[i];
		if (x->addr != y->addr || x->bytes != y->bytes || x->blocks != y->blocks ||
		    x->allocated_bytes != y->allocated_bytes || x->small != y->small ||
		    x->active_bytes != y->active_bytes || x->expandable != y->expandable ||
		    x->requested_bytes != y->requested_bytes)
			return "a segment";
		if (!same_track(a, x->track, b, y->track) || !same_pool(a, x->pool, b, y->pool) ||
		    !same_stack(a, x->stack, b, y->stack))
			return "track, pool or stack of a segment";
		for (uint32_t k = 0; k < x->blocks; k++) {
			const struct mlv_block *c = &a->blocks.data[x->first_block + k];
			const struct mlv_block *d = &b->blocks.data[y->first_block + k];
			if (c->addr != d->addr || c->bytes != d->bytes || c->state != d->state ||
			    c->requested != d->requested || !same_stack(a, c->stack, b, d->stack))
				return "a block";
		}
	}
	return NULL;
}

static const char *rest_differs(const struct mlv_run *a, const struct mlv_run *b)
{
	if (a->spans.len != b->spans.len)
		return "number of spans";
	for (size_t i = 0; i < a->spans.len; i++) {
		const struct mlv_span *x = &a->spans.data[i], *y = &b->spans.data[i];
		if (x->start_ns != y->start_ns || x->end_ns != y->end_ns ||
		    !same_text(a, x->name, b, y->name) || !same_track(a, x->track, b, y->track))
			return "a span";
	}
	if (a->properties.len != b->properties.len)
		return "number of properties";
	for (size_t i = 0; i < a->properties.len; i++) {
		const struct mlv_property *x = &a->properties.data[i], *y = &b->properties.data[i];
		if (x->kind != y->kind || x->number != y->number ||
		    !same_text(a, x->key, b, y->key) || !same_text(a, x->text, b, y->text) ||
		    !same_text(a, x->group, b, y->group))
			return "a property";
	}
	return NULL;
}

const char *snap_differs(const struct mlv_run *a, const struct mlv_run *b)
{
	if (a->devices.len != b->devices.len)
		return "number of devices";
	if (a->mem_events.len != b->mem_events.len)
		return "number of events";
	for (size_t i = 0; i < a->devices.len; i++) {
		const struct mlv_device *x = &a->devices.data[i], *y = &b->devices.data[i];
		if (x->ordinal != y->ordinal || x->events != y->events ||
		    x->first_event != y->first_event || x->segments != y->segments ||
		    x->first_segment != y->first_segment || x->cut != y->cut ||
		    !same_track(a, x->track, b, y->track))
			return "a device";
	}
	for (size_t i = 0; i < a->mem_events.len; i++) {
		const char *what =
			event_differs(a, &a->mem_events.data[i], b, &b->mem_events.data[i]);
		if (what)
			return what;
	}
	const char *what = heap_differs(a, b);
	return what ? what : rest_differs(a, b);
}

const struct mlv_diag *snap_diag(const struct mlv_diags *diags, const char *code)
{
	for (size_t i = 0; i < diags->list.len; i++) {
		if (!strcmp(diags->list.data[i].code, code))
			return &diags->list.data[i];
	}
	return NULL;
}
