/* SPDX-License-Identifier: MIT */
/*
 * Version 2 of hyperfine's JSON: each run is an object in "measurements", whose
 * values name their units, and what was computed of them is in "summary".
 */
#include "parsers/timing/hyperfine.h"

#include <stdio.h>
#include <string.h>

static const char *short_name(struct mlv_str key)
{
	static const char *const names[][2] = {
		{ "time_wall_clock", "time" },        { "time_user", "user" },
		{ "time_system", "system" },          { "peak_memory_usage", "memory" },
		{ "memory_peak_resident", "memory" },
	};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (mlv_str_eq(key, mlv_str_of(names[i][0])))
			return names[i][1];
	}
	return key.p;
}

static enum mlv_rc measurements(struct mlv_bench *b, const struct mlv_node *result,
				struct mlv_err *err)
{
	const struct mlv_node *list = mlv_bench_member(b, result, "measurements", MLV_NODE_ARRAY);
	size_t run = 0;
	enum mlv_rc rc = MLV_OK;
	for (const struct mlv_node *m = mlv_json_child(&b->tree, list); m && !rc;
	     m = mlv_json_next_of(&b->tree, m)) {
		run++;
		if (m->kind != MLV_NODE_OBJECT)
			continue;
		for (const struct mlv_node *n = mlv_json_child(&b->tree, m); n && !rc;
		     n = mlv_json_next_of(&b->tree, n)) {
			struct mlv_str key = mlv_run_str(b->run, n->key);
			struct mlv_decimal value;
			if (mlv_str_eq(key, MLV_STR("exit_code")))
				mlv_bench_ended(b, n);
			else if (n->kind == MLV_NODE_OBJECT &&
				 mlv_bench_quantity(b, n, MLV_UNIT_NONE, &value))
				rc = mlv_bench_sample(b, short_name(key), run, value, err);
		}
	}
	return rc;
}

/* "mean" and so on of the wall time; "user", "system": their means; "memory mean", … */
static enum mlv_rc summary_of(struct mlv_bench *b, const char *what, const struct mlv_node *object,
			      struct mlv_err *err)
{
	static const char *const names[] = { "mean", "stddev", "median", "min", "max" };
	const struct mlv_node *name = mlv_bench_member(b, object, "unit", MLV_NODE_STRING);
	enum mlv_unit unit = name ? mlv_bench_unit(mlv_run_str(b->run, name->text)) : MLV_UNIT_NONE;
	bool wall = strcmp(what, "time") == 0;
	bool cpu = strcmp(what, "user") == 0 || strcmp(what, "system") == 0;
	enum mlv_rc rc = MLV_OK;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !rc; i++) {
		const struct mlv_node *n = mlv_bench_member(b, object, names[i], MLV_NODE_NUMBER);
		char full[96];
		struct mlv_decimal value;
		if (!n || !mlv_bench_quantity(b, n, unit, &value))
			continue;
		if (wall || (cpu && i == 0))
			rc = mlv_bench_metric(b, wall ? names[i] : what, value, err);
		if (!wall) {
			snprintf(full, sizeof(full), "%s %s", what, names[i]);
			rc = rc || (cpu && i == 0) ? rc : mlv_bench_metric(b, full, value, err);
		}
	}
	return rc;
}

static enum mlv_rc summary(struct mlv_bench *b, const struct mlv_node *result, struct mlv_err *err)
{
	const struct mlv_node *object = mlv_bench_member(b, result, "summary", MLV_NODE_OBJECT);
	enum mlv_rc rc = MLV_OK;
	for (const struct mlv_node *n = mlv_json_child(&b->tree, object); n && !rc;
	     n = mlv_json_next_of(&b->tree, n)) {
		if (n->kind == MLV_NODE_OBJECT)
			rc = summary_of(b, short_name(mlv_run_str(b->run, n->key)), n, err);
	}
	return rc;
}

enum mlv_rc mlv_bench_version2(struct mlv_bench *b, const struct mlv_node *result,
			       struct mlv_err *err)
{
	enum mlv_rc rc = summary(b, result, err);
	return rc ? rc : measurements(b, result, err);
}
