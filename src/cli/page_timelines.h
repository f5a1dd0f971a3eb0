/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_PAGE_TIMELINES_H
#define MLV_CLI_PAGE_TIMELINES_H
/*
 * The timelines of a page, gathered input by input, since a report lets each
 * input go before it reads the next: the memory of devices, and spans. At the
 * end those of one rank are put on one axis where their clocks allow it, what
 * has no room is left out, the least important first, and the block "index"
 * tells the page all of that (places.js):
 *
 *   {"timelines": [{"memory": id or null, "spans": [{"id", "offset_ns", "clocks"}],
 *     "rank", "device", "title", "notes": [sentences]}],
 *    "left_out": [sentences]}
 *
 * offset_ns is what to add to a time of the spans to have one of the memory,
 * or, where there is none, of the first of the spans.
 */
#include "base/arena.h"
#include "cli/timeline_panels.h"
#include "analysis/clock.h"
#include "analysis/hang/straggle.h"
#include "render/html/page.h"

/* Blocks that stay or go together: those of one input. */
struct mlv_page_chunk {
	struct mlv_html html;
	struct mlv_clock_witness witness;
	const char *file; /* its name, without the path */
	int64_t rank;
	bool memory;  /* else spans */
	bool trace;   /* its memory is that of a trace, not of a snapshot */
	bool kernels; /* its spans are those of devices, which wait in collectives */
	bool out;     /* it has no room, or another shows the same */
};

/* One block. */
struct mlv_page_part {
	size_t chunk;
	size_t number;   /* "memory-NUMBER", "spans-NUMBER" */
	uint32_t device; /* of memory */
	int64_t zero;    /* the time that is 0 in it; MLV_NO_TIME: it has none */
};

struct mlv_page_timelines {
	MLV_VEC(struct mlv_page_chunk) chunks;
	MLV_VEC(struct mlv_page_part) parts;
	size_t memories, spans;       /* numbers given */
	struct {                      /* what had no room */
		size_t memory, spans; /* inputs */
		uint64_t bytes;
	} left;
	struct mlv_arena texts;
};

/* A zeroed one is ready to use. */
void mlv_page_timelines_fini(struct mlv_page_timelines *p);

/* All panels; those of one input follow each other. MLV_E_NOMEM only. */
enum mlv_rc mlv_page_add_memory(struct mlv_page_timelines *p, const struct mlv_panels *panels,
				uint64_t capacity, size_t top, struct mlv_err *err);
/* The spans of a run with times, at most so many of them; none is no error. MLV_E_NOMEM only. */
enum mlv_rc mlv_page_add_spans(struct mlv_page_timelines *p, const struct mlv_run *run, size_t most,
			       struct mlv_err *err);

/* What ranks waited in collectives, by rank, then start; each is shown with the spans of its rank.
 */
enum mlv_rc mlv_page_add_waits(struct mlv_page_timelines *p,
			       const struct mlv_collective_wait *waits, size_t count,
			       struct mlv_err *err);

struct mlv_page_limits {
	uint64_t most_bytes;  /* of all blocks; 0: no limit */
	const int64_t *ranks; /* with findings: the last to be left out */
	size_t rank_count;
	bool one_memory; /* of a rank with a snapshot, the memory of its trace is left out */
};

/* Leave out what is beyond the limit, the least important first. */
void mlv_page_make_room(struct mlv_page_timelines *p, const struct mlv_page_limits *limits);

/* The blocks and the index to `html`. MLV_E_NOMEM only. */
enum mlv_rc mlv_page_timelines_end(struct mlv_page_timelines *p,
				   const struct mlv_page_limits *limits, struct mlv_html *html,
				   struct mlv_err *err);

#endif
