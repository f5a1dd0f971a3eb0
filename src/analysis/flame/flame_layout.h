/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_FLAME_FLAME_LAYOUT_H
#define MLV_ANALYSIS_FLAME_FLAME_LAYOUT_H
/*
 * The layout of a settled flame graph: a bar for each node that is wide
 * enough, and one for the rest of a node's children, which stands for their
 * exact sum. Rows count from the root, which is row 0.
 */
#include "analysis/flame/flame.h"

struct mlv_flame_bar {
	int32_t x0, x1; /* columns, x1 exclusive */
	uint32_t row;
	uint32_t node;   /* of a rest: the node whose children it stands for */
	uint32_t hidden; /* of a rest: how many children; 0: the bar is a node */
	bool cut;        /* it has children that lie deeper than there are rows */
	uint64_t value;
};

struct mlv_flame_layout {
	MLV_VEC(struct mlv_flame_bar) bars; /* a node before what lies upon it */
	uint32_t rows;                      /* that are used */
	uint32_t cut;                       /* bars with something deeper than there are rows */
};

struct mlv_flame_space {
	int32_t columns;
	uint32_t rows;
	double least; /* columns that a bar must have to be one; at least 1 */
};

/* MLV_E_NOMEM only. */
enum mlv_rc mlv_flame_layout_init(struct mlv_flame_layout *l, const struct mlv_flame *f,
				  const struct mlv_flame_space *space, struct mlv_err *err);
void mlv_flame_layout_fini(struct mlv_flame_layout *l);

/*
 * The `most` nodes that account for most, the root among them: `kept` gets one
 * flag for each node. The parent of one that is kept is kept. False when
 * memory runs out.
 */
bool mlv_flame_heaviest(const struct mlv_flame *f, size_t most, bool *kept);

#endif
