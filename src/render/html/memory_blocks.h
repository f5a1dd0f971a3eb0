/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_HTML_MEMORY_BLOCKS_H
#define MLV_RENDER_HTML_MEMORY_BLOCKS_H
/*
 * The memory of devices on its way into the page: a block of kind "memory"
 * each, with every allocation in full. memory_data.js is the other side.
 *
 * Rows of allocations stand in the order of stacking (analysis/history.h);
 * MLV_NEVER is a number that no event has. Columns:
 *
 *   born         event of each allocation that is not older than the recording
 *   asked, ended 0 = never; else 1 + events from birth to the request of the
 *                free, and from there (from birth if there was none) to its end
 *   size, addr_high, addr_low, stack, origin, first_site (of the older ones)
 *   of_lifetime, of_stream, of_pool, of_size
 *   stack_site   call site of each stack; 0xffffffff: of no allocation
 *   KIND_light, KIND_dark   colours 0xRRGGBB of the classes of a kind
 *   time         of each event, in units of meta.time_unit from the first
 *   other_*      events that neither allocate nor free
 *   segment_*    the segments before the first event, and as far as a replay tells (meta.replay)
 *   extra        of each allocation: 1 + units of 512 bytes that its block has beyond its size
 *                rounded up to them; 0 where the replay found it no block
 *   span_*       annotations, times as above
 *
 * The other tables are described in stack_table.h.
 */
#include "analysis/panel.h"
#include "render/html/page.h"

/* What is to be said of a device besides its rows. */
struct mlv_memory_block_words {
	const char *title;        /* "mem.pickle · device 0" */
	const char *completeness; /* of its history; NULL: complete */
};

struct mlv_memory_blocks {
	/* All of each history is written; events shown and classes are where a timeline begins. */
	const struct mlv_memory_panel *panels;
	const struct mlv_memory_block_words *words; /* of each panel */
	size_t count;
	size_t first;      /* number of the first block */
	uint64_t capacity; /* bytes; 0: none */
	bool by_time;      /* how a timeline begins: its axis; window and colours are the panel's */
	size_t top;        /* as many classes are named at the peak, and get colours of their own */
};

/* Blocks "memory-FIRST", … MLV_E_NOMEM only. */
enum mlv_rc mlv_memory_blocks_add(struct mlv_html *html, const struct mlv_memory_blocks *blocks,
				  struct mlv_err *err);

#endif
