/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_CLASSES_H
#define MLV_ANALYSIS_CLASSES_H
/*
 * What allocations are grouped and coloured by: call site, size, stream, pool
 * or lifetime. Every allocation of a history has one class; classes have names and
 * can be ranked by what they hold at a moment.
 */
#include "analysis/callsite.h"
#include "analysis/history.h"

enum mlv_class_kind {
	MLV_BY_SITE,
	MLV_BY_SIZE,
	MLV_BY_STREAM,
	MLV_BY_POOL,
	MLV_BY_LIFETIME, /* classes are enum mlv_life */
};

struct mlv_classes {
	enum mlv_class_kind kind;
	const struct mlv_history *h; /* borrowed */
	struct mlv_sites *sites;     /* borrowed */
	uint32_t *of_alloc;          /* class of each allocation */
	size_t count;                /* classes are 0 .. count - 1 */
	/* Streams and pools: the ordinal and the row (of tracks, pools) of each class. */
	uint32_t *ordinals, *rows;
};

/* MLV_E_NOMEM only. */
enum mlv_rc mlv_classes_init(struct mlv_classes *c, enum mlv_class_kind kind,
			     const struct mlv_history *h, struct mlv_sites *sites,
			     struct mlv_err *err);
void mlv_classes_fini(struct mlv_classes *c);

/* The name, and beside it where or what that is: "attention" and "gen_mem.py:23". */
void mlv_class_name(const struct mlv_classes *c, uint32_t cls, char *name, size_t name_size,
		    char *place, size_t place_size);

/*
 * What tells the classes of a kind apart, the same in every picture and run
 * for the same call site, stream, pool or size. Streams of a device count in
 * the order in which allocations first use them, the default one is 0: their
 * handles are addresses, which no other run shares.
 */
uint64_t mlv_class_hash(const struct mlv_classes *c, uint32_t cls);

#define MLV_NO_ORDINAL UINT32_MAX

/*
 * Small numbers for colours, of anything but call sites: that of the size or
 * stream; 0 for the default pool and others for those that PyTorch numbers.
 * MLV_NO_ORDINAL for the pool that is not known.
 */
uint32_t mlv_class_ordinal(const struct mlv_classes *c, uint32_t cls);

struct mlv_rank {
	uint32_t cls;
	uint64_t bytes; /* requested */
	uint64_t count;
};

/*
 * What each class holds after event `e` (-1: the initial state), largest
 * first. *ranks is malloc'ed, the caller frees it.
 */
enum mlv_rc mlv_classes_rank(const struct mlv_classes *c, int64_t e, struct mlv_rank **ranks,
			     size_t *count, struct mlv_err *err);

#endif
