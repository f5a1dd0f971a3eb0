/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_CLASSES_H
#define MLV_ANALYSIS_CLASSES_H
/*
 * What allocations are grouped and coloured by: call site, size, stream or
 * pool. Every allocation of a history has one class; classes have names and
 * can be ranked by what they hold at a moment.
 */
#include "analysis/callsite.h"
#include "analysis/history.h"

enum mlv_class_kind { MLV_BY_SITE, MLV_BY_SIZE, MLV_BY_STREAM, MLV_BY_POOL };

struct mlv_classes {
	enum mlv_class_kind kind;
	const struct mlv_history *h; /* borrowed */
	struct mlv_sites *sites;     /* borrowed */
	uint32_t *of_alloc;          /* class of each allocation */
	size_t count;                /* classes are 0 .. count - 1 */
};

/* MLV_E_NOMEM only. */
enum mlv_rc mlv_classes_init(struct mlv_classes *c, enum mlv_class_kind kind,
			     const struct mlv_history *h, struct mlv_sites *sites,
			     struct mlv_err *err);
void mlv_classes_fini(struct mlv_classes *c);

/* The name, and beside it where or what that is: "attention" and "gen_mem.py:23". */
void mlv_class_name(const struct mlv_classes *c, uint32_t cls, char *name, size_t name_size,
		    char *place, size_t place_size);

/* The same in every picture and run for the same call site, stream number, pool or size. */
uint64_t mlv_class_hash(const struct mlv_classes *c, uint32_t cls);

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
