/* SPDX-License-Identifier: MIT */
#include "parsers/document/json_tree.h"

#include <string.h>

#include "parsers/budget.h"

/* An open container: its node, and the last of its values. */
struct level {
	uint32_t node, last;
};

struct build {
	struct mlv_json_tree *tree;
	struct mlv_run *run;
	MLV_VEC(struct level) levels;
	mlv_strid key;
	const struct mlv_limits *limits;
	uint32_t most; /* what the format can need, whatever the limits are */
	struct mlv_budget budget;
};

static enum mlv_rc fill(struct build *b, const struct mlv_json_token *t, struct mlv_node *n,
			struct mlv_err *err)
{
	switch (t->kind) {
	case MLV_JSON_OBJECT_BEGIN:
		n->kind = MLV_NODE_OBJECT;
		break;
	case MLV_JSON_ARRAY_BEGIN:
		n->kind = MLV_NODE_ARRAY;
		break;
	case MLV_JSON_STRING:
		n->kind = MLV_NODE_STRING;
		if (!mlv_run_intern(b->run, t->text, &n->text))
			return mlv_err_nomem(err);
		break;
	case MLV_JSON_INTEGER:
	case MLV_JSON_NUMBER:
		n->kind = MLV_NODE_NUMBER;
		if (t->kind == MLV_JSON_INTEGER && !t->is_unsigned)
			n->number = mlv_decimal_int(t->integer, MLV_UNIT_NONE);
		else if (!mlv_decimal_whole(t->text, MLV_UNIT_NONE, &n->number))
			n->kind = MLV_NODE_NULL;
		break;
	case MLV_JSON_TRUE:
	case MLV_JSON_FALSE:
		n->kind = MLV_NODE_BOOL;
		n->truth = t->kind == MLV_JSON_TRUE;
		break;
	default:
		n->kind = MLV_NODE_NULL;
	}
	return MLV_OK;
}

static enum mlv_rc add(struct build *b, const struct mlv_json_token *t, struct mlv_err *err)
{
	struct mlv_node n = { .key = b->key };
	b->key = MLV_STR_NONE;
	size_t values = b->tree->nodes.len - 1;
	enum mlv_rc rc = mlv_limits_room(b->limits, values, "values", err);
	if (rc)
		return rc;
	if (values >= b->most)
		return mlv_err_at(err, MLV_E_LIMIT, t->offset,
				  "more than %u values in a report of this kind", b->most);
	rc = fill(b, t, &n, err);
	if (rc)
		return rc;
	uint32_t at = (uint32_t)b->tree->nodes.len;
	if (!mlv_vec_push(&b->tree->nodes, n))
		return mlv_err_nomem(err);
	if (b->levels.len) {
		struct level *l = &b->levels.data[b->levels.len - 1];
		if (l->last)
			b->tree->nodes.data[l->last].next = at;
		else
			b->tree->nodes.data[l->node].child = at;
		l->last = at;
	}
	if (n.kind == MLV_NODE_OBJECT || n.kind == MLV_NODE_ARRAY) {
		struct level l = { .node = at };
		if (!mlv_vec_push(&b->levels, l))
			return mlv_err_nomem(err);
	}
	return MLV_OK;
}

static enum mlv_rc take(struct build *b, const struct mlv_json_token *t, struct mlv_err *err)
{
	if (mlv_budget_due(&b->budget, t->offset)) {
		uint64_t nodes = b->tree->nodes.len * sizeof(*b->tree->nodes.data);
		enum mlv_rc rc = mlv_budget_look(&b->budget, t->offset, nodes, err);
		if (rc)
			return rc;
	}
	switch (t->kind) {
	case MLV_JSON_KEY:
		return mlv_run_intern(b->run, t->text, &b->key) ? MLV_OK : mlv_err_nomem(err);
	case MLV_JSON_OBJECT_END:
	case MLV_JSON_ARRAY_END:
		if (b->levels.len)
			b->levels.len--;
		return MLV_OK;
	default:
		return add(b, t, err);
	}
}

enum mlv_rc mlv_json_tree_read(struct mlv_json_tree *tree, struct mlv_parse *p, uint32_t most,
			       struct mlv_err *err)
{
	struct build b = { .tree = tree,
			   .run = p->run,
			   .limits = p->limits,
			   .most = most,
			   .budget = { .parse = p } };
	struct mlv_node none = { 0 };
	struct mlv_json_token t;
	enum mlv_rc rc = MLV_OK;
	*tree = (struct mlv_json_tree){ 0 };
	struct mlv_json_reader *j = mlv_json_reader_create(p->reader, p->limits, &p->run->diags);
	if (!j || !mlv_vec_push(&tree->nodes, none))
		rc = mlv_err_nomem(err);
	while (!rc && (rc = mlv_json_next(j, &t, err)) == MLV_OK && t.kind != MLV_JSON_END)
		rc = take(&b, &t, err);
	mlv_vec_free(&b.levels);
	if (j)
		mlv_json_reader_destroy(j);
	return rc;
}

void mlv_json_tree_fini(struct mlv_json_tree *tree)
{
	mlv_vec_free(&tree->nodes);
}

const struct mlv_node *mlv_json_member(const struct mlv_json_tree *tree, const struct mlv_run *run,
				       const struct mlv_node *object, const char *key,
				       enum mlv_node_kind kind)
{
	struct mlv_str wanted = mlv_str_of(key);
	const struct mlv_node *found = NULL;
	if (!object || object->kind != MLV_NODE_OBJECT)
		return NULL;
	for (const struct mlv_node *n = mlv_json_child(tree, object); n;
	     n = mlv_json_next_of(tree, n)) {
		if (n->kind == kind && mlv_str_eq(mlv_run_str(run, n->key), wanted))
			found = n;
	}
	return found;
}

bool mlv_node_int(const struct mlv_node *n, int64_t *value)
{
	if (!n || n->kind != MLV_NODE_NUMBER || n->number.exponent || n->number.special)
		return false;
	*value = n->number.mantissa;
	return true;
}
