/* SPDX-License-Identifier: MIT */
/* Numbers of hyperfine's JSON, and the rows that they become. */
#include "parsers/timing/hyperfine.h"

#include <string.h>

const struct mlv_node *mlv_bench_member(const struct mlv_bench *b, const struct mlv_node *o,
					const char *key, enum mlv_node_kind kind)
{
	return mlv_json_member(&b->tree, b->run, o, key, kind);
}

enum mlv_unit mlv_bench_unit(struct mlv_str name)
{
	static const struct {
		const char *name;
		enum mlv_unit unit;
	} names[] = {
		{ "second", MLV_UNIT_S },       { "s", MLV_UNIT_S },
		{ "millisecond", MLV_UNIT_MS }, { "ms", MLV_UNIT_MS },
		{ "microsecond", MLV_UNIT_US }, { "us", MLV_UNIT_US },
		{ "nanosecond", MLV_UNIT_NS },  { "ns", MLV_UNIT_NS },
		{ "byte", MLV_UNIT_BYTES },     { "B", MLV_UNIT_BYTES },
		{ "kibibyte", MLV_UNIT_KIB },   { "KiB", MLV_UNIT_KIB },
		{ "mebibyte", MLV_UNIT_MIB },   { "MiB", MLV_UNIT_MIB },
		{ "gibibyte", MLV_UNIT_GIB },   { "GiB", MLV_UNIT_GIB },
	};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (mlv_str_eq(name, mlv_str_of(names[i].name)))
			return names[i].unit;
	}
	return MLV_UNIT_NONE;
}

bool mlv_bench_quantity(const struct mlv_bench *b, const struct mlv_node *n, enum mlv_unit unit,
			struct mlv_decimal *value)
{
	if (n->kind == MLV_NODE_OBJECT) {
		const struct mlv_node *name = mlv_bench_member(b, n, "unit", MLV_NODE_STRING);
		n = mlv_bench_member(b, n, "value", MLV_NODE_NUMBER);
		if (!n || !name)
			return false;
		unit = mlv_bench_unit(mlv_run_str(b->run, name->text));
	}
	if (n->kind != MLV_NODE_NUMBER)
		return false;
	*value = n->number;
	value->unit = (uint8_t)unit;
	return true;
}

enum mlv_rc mlv_bench_metric(struct mlv_bench *b, const char *name, struct mlv_decimal value,
			     struct mlv_err *err)
{
	struct mlv_metric_row at = { b->run, b->add.limits, b->section, b->row, b->command };
	enum mlv_rc rc = mlv_add_metric_named(&at, name, value, err);
	if (!rc)
		mlv_section_grow(b->run, b->section, 0);
	return rc;
}

enum mlv_rc mlv_bench_sample(struct mlv_bench *b, const char *name, size_t run,
			     struct mlv_decimal value, struct mlv_err *err)
{
	struct mlv_sample s = { .time_ns = MLV_NO_TIME,
				.track = b->track,
				.step = run < INT32_MAX ? (int32_t)run : MLV_NO_STEP,
				.value = value };
	struct mlv_str metric_name = mlv_str_of(name);
	return mlv_add_sample(b->add, b->section, s, metric_name, err);
}

void mlv_bench_ended(struct mlv_bench *b, const struct mlv_node *code)
{
	int64_t status;
	bool known = mlv_node_int(code, &status);
	b->runs++;
	if (known && status == 0)
		return;
	if (!b->failed++) {
		b->failure_known = known;
		b->first_failure = known ? status : 0;
	}
}
