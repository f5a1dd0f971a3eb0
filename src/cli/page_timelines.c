/* SPDX-License-Identifier: MIT */
#include "cli/page_timelines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "cli/page_index.h"
#include "cli/timeline_page.h"
#include "render/html/spans_block.h"

void mlv_page_timelines_fini(struct mlv_page_timelines *p)
{
	for (size_t i = 0; i < p->chunks.len; i++) {
		mlv_html_fini(&p->chunks.data[i].html);
		mlv_clock_witness_fini(&p->chunks.data[i].witness);
	}
	mlv_vec_free(&p->chunks);
	mlv_vec_free(&p->parts);
	mlv_arena_fini(&p->texts);
	memset(p, 0, sizeof(*p));
}

enum { NAME = 200 };

/* Of its file, without the path. */
static void name_of(const struct mlv_run *run, char *buf)
{
	struct mlv_str file = mlv_str_basename(mlv_str_of(run->file));
	mlv_utf8_fit(buf, NAME, file.p, file.n);
}

/* A new one for the input; it is valid until the next. NULL when memory runs out. */
static struct mlv_page_chunk *begin(struct mlv_page_timelines *p, const struct mlv_run *run)
{
	struct mlv_page_chunk chunk = { .rank = run->rank };
	char name[NAME];
	name_of(run, name);
	chunk.file = mlv_arena_strndup(&p->texts, name, strlen(name));
	if (!chunk.file || mlv_clock_witness_init(&chunk.witness, run, NULL) ||
	    !mlv_vec_push(&p->chunks, chunk)) {
		mlv_clock_witness_fini(&chunk.witness);
		return NULL;
	}
	return &p->chunks.data[p->chunks.len - 1];
}

/* Panels of one input. */
static enum mlv_rc add_memory(struct mlv_page_timelines *p, const struct mlv_panels *panels,
			      uint64_t capacity, size_t top, struct mlv_err *err)
{
	const struct mlv_run *run = &panels->data[0].input->run;
	struct mlv_page_chunk *chunk = begin(p, run);
	if (!chunk)
		return mlv_err_nomem(err);
	chunk->memory = true;
	chunk->trace = run->spans.len > 0 && !run->segments.len;
	enum mlv_rc rc = mlv_panels_blocks(panels, p->memories, capacity, top, &chunk->html, err);
	for (size_t i = 0; !rc && i < panels->count; i++) {
		const struct mlv_history *h = &panels->data[i].history;
		struct mlv_page_part part = {
			.chunk = p->chunks.len - 1,
			.number = p->memories++,
			.device = panels->data[i].ordinal,
			.zero = h->count && h->has_times ? h->events[0].time_ns : MLV_NO_TIME,
		};
		if (!mlv_vec_push(&p->parts, part))
			rc = mlv_err_nomem(err);
	}
	return rc;
}

enum mlv_rc mlv_page_add_memory(struct mlv_page_timelines *p, const struct mlv_panels *panels,
				uint64_t capacity, size_t top, struct mlv_err *err)
{
	enum mlv_rc rc = MLV_OK;
	for (size_t i = 0, n; !rc && i < panels->count; i += n) {
		n = 1;
		while (i + n < panels->count && panels->data[i + n].input == panels->data[i].input)
			n++;
		struct mlv_panels of_input = {
			.data = panels->data + i,
			.list = panels->list + i,
			.count = n,
			.by_time = panels->by_time,
		};
		rc = add_memory(p, &of_input, capacity, top, err);
	}
	return rc;
}

static bool has_kernels(const struct mlv_run *run)
{
	for (size_t i = 0; i < run->spans.len; i++) {
		if (mlv_str_eq(mlv_run_str(run, run->spans.data[i].category), MLV_STR("kernel")))
			return true;
	}
	return false;
}

enum mlv_rc mlv_page_add_spans(struct mlv_page_timelines *p, const struct mlv_run *run, size_t most,
			       struct mlv_err *err)
{
	char id[32];
	struct mlv_spans_written written;
	struct mlv_page_chunk *chunk = begin(p, run);
	if (!chunk)
		return mlv_err_nomem(err);
	snprintf(id, sizeof(id), "spans-%zu", p->spans);
	struct mlv_spans_block block = { .title = chunk->file,
					 .rank = run->rank,
					 .runs = &run,
					 .count = 1,
					 .unix_clock = chunk->witness.clock == MLV_CLOCK_UNIX,
					 .most = most };
	enum mlv_rc rc = mlv_spans_block_add(&chunk->html, id, &block, &written, err);
	struct mlv_page_part part = { p->chunks.len - 1, p->spans, 0, written.t0 };
	chunk->out = !written.total;
	chunk->kernels = has_kernels(run);
	if (!rc && written.total && !mlv_vec_push(&p->parts, part))
		rc = mlv_err_nomem(err);
	p->spans += !rc && written.total;
	return rc;
}

static enum mlv_rc add_waits(struct mlv_page_timelines *p, const struct mlv_page_part *part,
			     const struct mlv_collective_wait *waits, size_t count,
			     struct mlv_err *err)
{
	char id[40], spans[40];
	struct mlv_span_wait *list = malloc((count + 1) * sizeof(*list));
	if (!list)
		return mlv_err_nomem(err);
	for (size_t i = 0; i < count; i++)
		list[i] = (struct mlv_span_wait){ waits[i].start_ns, waits[i].wait_ns };
	snprintf(id, sizeof(id), "waits-%zu", part->number);
	snprintf(spans, sizeof(spans), "spans-%zu", part->number);
	enum mlv_rc rc = mlv_span_waits_add(&p->chunks.data[part->chunk].html, id, spans, list,
					    count, part->zero, err);
	free(list);
	return rc;
}

enum mlv_rc mlv_page_add_waits(struct mlv_page_timelines *p,
			       const struct mlv_collective_wait *waits, size_t count,
			       struct mlv_err *err)
{
	enum mlv_rc rc = MLV_OK;
	for (size_t i = 0; !rc && i < p->parts.len; i++) {
		const struct mlv_page_part *part = &p->parts.data[i];
		const struct mlv_page_chunk *c = &p->chunks.data[part->chunk];
		size_t from = 0, n = 0;
		while (from < count && waits[from].rank != c->rank)
			from++;
		while (from + n < count && waits[from + n].rank == c->rank)
			n++;
		if (n && c->kernels && !c->out)
			rc = add_waits(p, part, waits + from, n, err);
	}
	return rc;
}

static bool has_findings(const struct mlv_page_limits *l, int64_t rank)
{
	for (size_t i = 0; i < l->rank_count; i++) {
		if (l->ranks[i] == rank)
			return true;
	}
	return false;
}

static bool has_snapshot(const struct mlv_page_timelines *p, int64_t rank)
{
	for (size_t i = 0; rank >= 0 && i < p->chunks.len; i++) {
		const struct mlv_page_chunk *c = &p->chunks.data[i];
		if (c->memory && !c->trace && c->rank == rank)
			return true;
	}
	return false;
}

/* Which of two goes first: spans, then what has no findings, then the higher rank. */
static bool goes_before(const struct mlv_page_limits *l, const struct mlv_page_chunk *a,
			const struct mlv_page_chunk *b)
{
	bool fa = has_findings(l, a->rank), fb = has_findings(l, b->rank);
	if (a->memory != b->memory)
		return b->memory;
	if (fa != fb)
		return fb;
	return a->rank >= b->rank;
}

static struct mlv_page_chunk *next_to_go(struct mlv_page_timelines *p,
					 const struct mlv_page_limits *l)
{
	struct mlv_page_chunk *next = NULL;
	for (size_t i = 0; i < p->chunks.len; i++) {
		struct mlv_page_chunk *c = &p->chunks.data[i];
		if (!c->out && (!next || goes_before(l, c, next)))
			next = c;
	}
	return next;
}

void mlv_page_make_room(struct mlv_page_timelines *p, const struct mlv_page_limits *l)
{
	uint64_t bytes = 0;
	for (size_t i = 0; i < p->chunks.len; i++)
		bytes += p->chunks.data[i].out ? 0 : p->chunks.data[i].html.blocks.len;
	while (l->most_bytes && bytes > l->most_bytes) {
		struct mlv_page_chunk *c = next_to_go(p, l);
		c->out = true;
		bytes -= c->html.blocks.len;
		p->left.bytes += c->html.blocks.len;
		p->left.memory += c->memory;
		p->left.spans += !c->memory;
		mlv_html_fini(&c->html);
	}
}

enum mlv_rc mlv_page_timelines_end(struct mlv_page_timelines *p,
				   const struct mlv_page_limits *limits, struct mlv_html *html,
				   struct mlv_err *err)
{
	struct mlv_buf index = { 0 };
	for (size_t i = 0; i < p->chunks.len; i++) {
		struct mlv_page_chunk *c = &p->chunks.data[i];
		c->out = c->out || (limits->one_memory && c->trace && has_snapshot(p, c->rank));
	}
	mlv_page_make_room(p, limits);
	enum mlv_rc rc = mlv_page_index(p, limits->most_bytes, &index, err);
	if (!rc && index.failed)
		rc = mlv_err_nomem(err);
	if (!rc)
		mlv_html_json(html, "index", "index", (struct mlv_str){ index.data, index.len });
	for (size_t i = 0; !rc && i < p->chunks.len; i++) {
		const struct mlv_page_chunk *c = &p->chunks.data[i];
		if (!c->out)
			mlv_buf_add(&html->blocks, c->html.blocks.data, c->html.blocks.len);
	}
	mlv_buf_fini(&index);
	return rc;
}
