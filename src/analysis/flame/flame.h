/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_FLAME_FLAME_H
#define MLV_ANALYSIS_FLAME_FLAME_H
/*
 * A flame graph's tree: what a stack, or a span within others, accounts for,
 * summed up from the innermost call to the outermost. Several devices, tracks
 * or runs stand beside each other below the root. A tree owns its names, so
 * that it outlives the runs and that equal calls of several runs are one node.
 *
 * It is filled (mlv_flame_memory, mlv_flame_spans, mlv_flame_findings, as
 * often as there are sources), then settled once: totals are reckoned and
 * children put in order, those that account for most first. Whatever is added
 * costs time linear in the rows and in the distinct nodes of their stacks,
 * however deep these are.
 */
#include <stdbool.h>
#include <stdint.h>

#include "analysis/history.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/intern.h"
#include "base/map.h"
#include "model/run.h"

/* What the width of a node stands for. */
enum mlv_flame_value {
	MLV_FLAME_PEAK,      /* bytes alive when most were requested */
	MLV_FLAME_END,       /* bytes alive at the end */
	MLV_FLAME_ALLOCATED, /* bytes allocated in the recording, all in all */
	MLV_FLAME_TIME,      /* nanoseconds of spans */
	MLV_FLAME_COUNT,     /* spans, or findings */
	MLV_FLAME_VALUES,
};

enum mlv_flame_kind {
	MLV_FLAME_FRAME, /* a function in a line of a file */
	MLV_FLAME_SPAN,  /* a call, a kernel, a collective by its name */
	MLV_FLAME_PLACE, /* a rank, a device, a track */
	MLV_FLAME_NONE,  /* what stands for a stack where there is none */
	MLV_FLAME_KINDS,
};

/* What a node is called; rows with the same name are one. */
struct mlv_flame_label {
	mlv_strid name, file;
	uint32_t line;
	uint8_t kind; /* enum mlv_flame_kind */
};

enum { MLV_FLAME_ROOT = 0, MLV_FLAME_NO_NODE = 0 };

struct mlv_flame_node {
	uint32_t parent; /* always a lower index; the root is its own */
	uint32_t label;
	uint32_t first, next; /* child and sibling, once settled; MLV_FLAME_NO_NODE: none */
	uint64_t self, total;
};

struct mlv_flame {
	struct mlv_interner names;
	MLV_VEC(struct mlv_flame_label) labels;
	MLV_VEC(struct mlv_flame_node) nodes;
	struct mlv_map label_ids, node_ids;
	uint32_t deepest;  /* nodes on the longest path, once settled */
	uint64_t rows;     /* allocations, spans or findings that are in it */
	uint64_t open;     /* spans that are not, for they never ended */
	uint64_t untimed;  /* spans that are not, for they have no time */
	uint64_t overlaps; /* spans that began in another on their track and outlived it */
};

enum mlv_rc mlv_flame_init(struct mlv_flame *f, struct mlv_err *err);
void mlv_flame_fini(struct mlv_flame *f);

/* Find or add a node. False when memory runs out. */
bool mlv_flame_child(struct mlv_flame *f, uint32_t parent, enum mlv_flame_kind kind,
		     struct mlv_str name, struct mlv_str file, uint32_t line, uint32_t *node);

/* Damaged sizes may add up to anything: what would wrap stays at the top. */
static inline uint64_t mlv_flame_plus(uint64_t a, uint64_t b)
{
	uint64_t sum;
	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/* A node accounts for `value` more by itself. */
static inline void mlv_flame_weigh(struct mlv_flame *f, uint32_t node, uint64_t value)
{
	f->nodes.data[node].self = mlv_flame_plus(f->nodes.data[node].self, value);
}

/* What is allocated after event `e` (-1: the initial state). */
enum mlv_rc mlv_flame_alive(struct mlv_flame *f, uint32_t below, const struct mlv_history *h,
			    int64_t e, struct mlv_err *err);
/* All that the recording saw being allocated, whether it lived for long or not. */
enum mlv_rc mlv_flame_allocated(struct mlv_flame *f, uint32_t below, const struct mlv_history *h,
				struct mlv_err *err);

/*
 * Spans: those with a stack below it, the others in the span of their track
 * that contains them, with a node for each track where there are several.
 * `counted`: every span is one; otherwise the nanoseconds that it took beyond
 * what those within it took.
 */
enum mlv_rc mlv_flame_spans(struct mlv_flame *f, uint32_t below, const struct mlv_run *run,
			    bool counted, struct mlv_err *err);

/* Findings that have a stack, each of which is one: threads of a dump, tracebacks. */
enum mlv_rc mlv_flame_findings(struct mlv_flame *f, uint32_t below, const struct mlv_run *run,
			       struct mlv_err *err);

/* Before it is settled: keep only what has a name or file that contains `text` on its path. */
enum mlv_rc mlv_flame_grep(struct mlv_flame *f, const char *text, struct mlv_err *err);

/* MLV_E_NOMEM only. */
enum mlv_rc mlv_flame_settle(struct mlv_flame *f, struct mlv_err *err);

static inline const struct mlv_flame_label *mlv_flame_label(const struct mlv_flame *f,
							    uint32_t node)
{
	return &f->labels.data[f->nodes.data[node].label];
}

/* "train_step gen_mem.py:63", "aten::mm": the whole name, whatever bytes it has. */
void mlv_flame_name(const struct mlv_flame *f, uint32_t node, struct mlv_buf *out);

/* "3.11 GiB", "812 ms", "1 200": `buf` holds the result. */
char *mlv_flame_value_text(enum mlv_flame_value value, uint64_t n, char *buf, size_t size);
/* "33.2 %" of the whole. */
char *mlv_flame_share_text(const struct mlv_flame *f, uint64_t n, char *buf, size_t size);

/* The same for the same function of the same file in every run, for colours. */
uint64_t mlv_flame_hash(const struct mlv_flame *f, uint32_t node);

#endif
