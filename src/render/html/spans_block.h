/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_HTML_SPANS_BLOCK_H
#define MLV_RENDER_HTML_SPANS_BLOCK_H
/*
 * Spans on their way into the page: a block of kind "spans" with the lanes of
 * traces, dumps and logs that share a clock. span_data.js is the other side.
 *
 *   meta    title, start (digits: nanoseconds of the clock at 0), length,
 *           clock, total, untimed, tracks [{label, kind, rows}], keys, texts
 *   rows    by track, then start: start, length (ns; -1: has not ended, -2: an
 *           instant), name, category, status (texts), bytes (-1: none),
 *           attributes (how many), stack (0: none)
 *   name_text, name_colour   of each name its text, and 0xRRGGBB
 *   attribute_key (of keys), attribute_text (0: a number), attribute_number
 *   stack_frames (of each stack, from 1), frame (texts, innermost first)
 *   rest_track, rest_part, rest_count, rest_ns   what found no room
 */
#include "model/run.h"
#include "render/html/page.h"

struct mlv_spans_block {
	const char *title;
	int64_t rank;
	const struct mlv_run *const *runs; /* of one rank, on one clock */
	size_t count;
	bool unix_clock;
	size_t most; /* spans that stay */
};

/* How they lie in time, for who puts others beside them. */
struct mlv_spans_written {
	int64_t t0, t1;
	uint64_t total, kept; /* total 0: no block was written */
};

/* Writes nothing if no span has a time. MLV_E_NOMEM only. */
enum mlv_rc mlv_spans_block_add(struct mlv_html *html, const char *id,
				const struct mlv_spans_block *block, struct mlv_spans_written *ret,
				struct mlv_err *err);

/* How long a rank waited in a collective for the others, known by when its kernel began. */
struct mlv_span_wait {
	int64_t start_ns, wait_ns;
};

/*
 * A block of kind "waits" beside the spans of that id, whose 0 is `zero`: meta "spans" (the id),
 * columns start and wait. It comes later than they do, since it takes all ranks to know.
 */
enum mlv_rc mlv_span_waits_add(struct mlv_html *html, const char *id, const char *spans,
			       const struct mlv_span_wait *waits, size_t count, int64_t zero,
			       struct mlv_err *err);

#endif
