/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_DOCUMENT_JSON_TREE_H
#define MLV_PARSERS_DOCUMENT_JSON_TREE_H
/*
 * A small JSON document as a tree, for reports whose keys may come in any
 * order. Numbers keep the digits they were written with ("44.0" is not "44"),
 * and of a damaged or truncated document everything before the damage is
 * there: neither holds for a library that converts to doubles and takes whole
 * documents only. Strings are interned in the run.
 */
#include "base/json_read.h"
#include "base/vec.h"
#include "model/run.h"
#include "parsers/parser.h"

enum mlv_node_kind {
	MLV_NODE_NULL,
	MLV_NODE_BOOL,
	MLV_NODE_NUMBER,
	MLV_NODE_STRING,
	MLV_NODE_ARRAY,
	MLV_NODE_OBJECT,
};

struct mlv_node {
	enum mlv_node_kind kind;
	mlv_strid key;  /* in an object */
	mlv_strid text; /* STRING */
	uint32_t child; /* the first; 0: none */
	uint32_t next;  /* sibling; 0: none */
	bool truth;     /* BOOL */
	struct mlv_decimal number;
};

struct mlv_json_tree {
	MLV_VEC(struct mlv_node) nodes; /* the first is no value; the root is the second */
};

/*
 * Reads the document; damage is a diagnostic of the run. More values than the
 * limits allow, or than `most`, are MLV_E_LIMIT.
 */
enum mlv_rc mlv_json_tree_read(struct mlv_json_tree *tree, struct mlv_parse *p, uint32_t most,
			       struct mlv_err *err);
void mlv_json_tree_fini(struct mlv_json_tree *tree);

/* NULL for an empty document. */
static inline const struct mlv_node *mlv_json_root(const struct mlv_json_tree *tree)
{
	return tree->nodes.len > 1 ? &tree->nodes.data[1] : NULL;
}

/* for (n = mlv_json_child(t, parent); n; n = mlv_json_next_of(t, n)) */
static inline const struct mlv_node *mlv_json_child(const struct mlv_json_tree *tree,
						    const struct mlv_node *parent)
{
	return parent && parent->child ? &tree->nodes.data[parent->child] : NULL;
}

static inline const struct mlv_node *mlv_json_next_of(const struct mlv_json_tree *tree,
						      const struct mlv_node *n)
{
	return n->next ? &tree->nodes.data[n->next] : NULL;
}

/* The last member of that name and kind; NULL if there is none. */
const struct mlv_node *mlv_json_member(const struct mlv_json_tree *tree, const struct mlv_run *run,
				       const struct mlv_node *object, const char *key,
				       enum mlv_node_kind kind);

/* A number without fraction, in int64. */
bool mlv_node_int(const struct mlv_node *n, int64_t *value);

#endif
