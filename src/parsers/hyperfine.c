/* SPDX-License-Identifier: MIT */
/*
 * hyperfine --export-json: for each command its statistics and its runs. Up to
 * version 1 the statistics are members of the result and the runs are arrays
 * (times since the beginning, exit_codes since 1.12, memory_usage_byte since
 * 1.20); in version 2 each run is an object in "measurements" and the
 * statistics are in "summary", with units of their own. Nothing is computed
 * that the file does not state.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "parsers/add.h"
#include "parsers/document.h"
#include "parsers/json_tree.h"

#define FORMAT "hyperfine"

enum { MOST_VALUES = 16 * 1000 * 1000 };

struct bench {
	struct mlv_json_tree tree;
	struct mlv_run *run;
	struct mlv_add add;
	uint32_t section;
	uint32_t row; /* of the command at hand */
	mlv_strid command;
	mlv_trackid track;
	/* how its runs ended */
	int64_t runs, failed, first_failure;
	bool failure_known;
};

static int probe(struct mlv_bytes head)
{
	if (mlv_document_kind(head) != MLV_DOC_JSON || !mlv_head_has(head, "\"results\"") ||
	    !mlv_head_has(head, "\"command\""))
		return 0;
	if (mlv_head_has(head, "\"hyperfine_version\"") ||
	    (mlv_head_has(head, "\"mean\"") && mlv_head_has(head, "\"stddev\"") &&
	     mlv_head_has(head, "\"median\"")))
		return 90;
	return mlv_head_has(head, "\"time_wall_clock\"") ? 90 : 0;
}

static const struct mlv_node *member(const struct bench *b, const struct mlv_node *o,
				     const char *key, enum mlv_node_kind kind)
{
	return mlv_json_member(&b->tree, b->run, o, key, kind);
}

static enum mlv_unit unit_named(struct mlv_str name)
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
		if (mlv_str_eq(name, (struct mlv_str){ names[i].name, strlen(names[i].name) }))
			return names[i].unit;
	}
	return MLV_UNIT_NONE;
}

/* A number with a unit of its own, or a plain one that is in `unit`. */
static bool quantity(const struct bench *b, const struct mlv_node *n, enum mlv_unit unit,
		     struct mlv_decimal *value)
{
	if (n->kind == MLV_NODE_OBJECT) {
		const struct mlv_node *name = member(b, n, "unit", MLV_NODE_STRING);
		n = member(b, n, "value", MLV_NODE_NUMBER);
		if (!n || !name)
			return false;
		unit = unit_named(mlv_run_str(b->run, name->text));
	}
	if (n->kind != MLV_NODE_NUMBER)
		return false;
	*value = n->number;
	value->unit = (uint8_t)unit;
	return true;
}

static enum mlv_rc metric(struct bench *b, const char *name, struct mlv_decimal value,
			  struct mlv_err *err)
{
	struct mlv_str s = { name, strlen(name) };
	return mlv_add_metric(b->add, b->section, b->row, b->command, s, value, 0, err);
}

static enum mlv_rc sample(struct bench *b, const char *name, size_t run, struct mlv_decimal value,
			  struct mlv_err *err)
{
	struct mlv_sample s = { .time_ns = MLV_NO_TIME,
				.track = b->track,
				.step = run < INT32_MAX ? (int32_t)run : MLV_NO_STEP,
				.value = value };
	struct mlv_str metric_name = { name, strlen(name) };
	return mlv_add_sample(b->add, b->section, s, metric_name, err);
}

/* ---- version 1 ---- */

static enum mlv_rc statistics(struct bench *b, const struct mlv_node *result, struct mlv_err *err)
{
	static const char *const names[] = { "mean",   "stddev", "median", "user",
					     "system", "min",    "max" };
	enum mlv_rc rc = MLV_OK;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !rc; i++) {
		const struct mlv_node *n = member(b, result, names[i], MLV_NODE_NUMBER);
		struct mlv_decimal value;
		if (n && quantity(b, n, MLV_UNIT_S, &value))
			rc = metric(b, names[i], value, err);
	}
	return rc;
}

static enum mlv_rc runs(struct bench *b, const struct mlv_node *result, const char *key,
			const char *name, enum mlv_unit unit, struct mlv_err *err)
{
	const struct mlv_node *list = member(b, result, key, MLV_NODE_ARRAY);
	size_t run = 0;
	enum mlv_rc rc = MLV_OK;
	for (const struct mlv_node *n = mlv_json_child(&b->tree, list); n && !rc;
	     n = mlv_json_next_of(&b->tree, n)) {
		struct mlv_decimal value;
		run++;
		if (quantity(b, n, unit, &value))
			rc = sample(b, name, run, value, err);
	}
	return rc;
}

static void ended(struct bench *b, const struct mlv_node *code)
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

static void exit_codes(struct bench *b, const struct mlv_node *result)
{
	const struct mlv_node *list = member(b, result, "exit_codes", MLV_NODE_ARRAY);
	for (const struct mlv_node *n = mlv_json_child(&b->tree, list); n;
	     n = mlv_json_next_of(&b->tree, n))
		ended(b, n);
}

/* ---- version 2 ---- */

static const char *short_name(struct mlv_str key)
{
	static const char *const names[][2] = {
		{ "time_wall_clock", "time" },        { "time_user", "user" },
		{ "time_system", "system" },          { "peak_memory_usage", "memory" },
		{ "memory_peak_resident", "memory" },
	};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (mlv_str_eq(key, (struct mlv_str){ names[i][0], strlen(names[i][0]) }))
			return names[i][1];
	}
	return key.p;
}

static enum mlv_rc measurements(struct bench *b, const struct mlv_node *result, struct mlv_err *err)
{
	const struct mlv_node *list = member(b, result, "measurements", MLV_NODE_ARRAY);
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
				ended(b, n);
			else if (n->kind == MLV_NODE_OBJECT &&
				 quantity(b, n, MLV_UNIT_NONE, &value))
				rc = sample(b, short_name(key), run, value, err);
		}
	}
	return rc;
}

/* "mean" and so on of the wall time; "user", "system": their means; "memory mean", … */
static enum mlv_rc summary_of(struct bench *b, const char *what, const struct mlv_node *object,
			      struct mlv_err *err)
{
	static const char *const names[] = { "mean", "stddev", "median", "min", "max" };
	const struct mlv_node *name = member(b, object, "unit", MLV_NODE_STRING);
	enum mlv_unit unit = name ? unit_named(mlv_run_str(b->run, name->text)) : MLV_UNIT_NONE;
	bool wall = strcmp(what, "time") == 0;
	bool cpu = strcmp(what, "user") == 0 || strcmp(what, "system") == 0;
	enum mlv_rc rc = MLV_OK;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !rc; i++) {
		const struct mlv_node *n = member(b, object, names[i], MLV_NODE_NUMBER);
		char full[96];
		struct mlv_decimal value;
		if (!n || !quantity(b, n, unit, &value))
			continue;
		if (wall || (cpu && i == 0))
			rc = metric(b, wall ? names[i] : what, value, err);
		if (!wall) {
			snprintf(full, sizeof(full), "%s %s", what, names[i]);
			rc = rc || (cpu && i == 0) ? rc : metric(b, full, value, err);
		}
	}
	return rc;
}

static enum mlv_rc summary(struct bench *b, const struct mlv_node *result, struct mlv_err *err)
{
	const struct mlv_node *object = member(b, result, "summary", MLV_NODE_OBJECT);
	enum mlv_rc rc = MLV_OK;
	for (const struct mlv_node *n = mlv_json_child(&b->tree, object); n && !rc;
	     n = mlv_json_next_of(&b->tree, n)) {
		if (n->kind == MLV_NODE_OBJECT)
			rc = summary_of(b, short_name(mlv_run_str(b->run, n->key)), n, err);
	}
	return rc;
}

/* ---- both ---- */

/* "2/threads": the value of a parameter in the second result. */
static enum mlv_rc parameter(struct bench *b, struct mlv_str name, const struct mlv_node *n,
			     struct mlv_err *err)
{
	char key[160], digits[64];
	struct mlv_str text = mlv_run_str(b->run, n->text);
	if (n->kind == MLV_NODE_NUMBER) {
		mlv_decimal_text(n->number, digits, sizeof(digits));
		text = (struct mlv_str){ digits, strlen(digits) };
	} else if (n->kind != MLV_NODE_STRING) {
		return MLV_OK;
	}
	snprintf(key, sizeof(key), "%u/%s", b->row + 1, name.p);
	if (!mlv_run_property_text(b->run, "parameters", key, text))
		return mlv_err_nomem(err);
	return MLV_OK;
}

static enum mlv_rc parameters(struct bench *b, const struct mlv_node *result, struct mlv_err *err)
{
	const struct mlv_node *object = member(b, result, "parameters", MLV_NODE_OBJECT);
	const struct mlv_node *old = member(b, result, "parameter", MLV_NODE_STRING);
	enum mlv_rc rc = old ? parameter(b, MLV_STR("parameter"), old, err) : MLV_OK;
	for (const struct mlv_node *n = mlv_json_child(&b->tree, object); n && !rc;
	     n = mlv_json_next_of(&b->tree, n))
		rc = parameter(b, mlv_run_str(b->run, n->key), n, err);
	return rc;
}

static enum mlv_rc report_failures(struct bench *b, struct mlv_err *err)
{
	char text[160];
	if (!b->failed)
		return MLV_OK;
	if (b->failure_known)
		snprintf(text, sizeof(text),
			 "%" PRId64 " of %" PRId64 " runs exited with a status other than 0, the "
			 "first of them with %" PRId64,
			 b->failed, b->runs, b->first_failure);
	else
		snprintf(text, sizeof(text),
			 "%" PRId64 " of %" PRId64 " runs failed, the first of them without an "
			 "exit status: a signal ended it",
			 b->failed, b->runs);
	struct mlv_found f = { .severity = MLV_FINDING_ERROR,
			       .code = "exit-status",
			       .text = { text, strlen(text) },
			       .command = mlv_run_str(b->run, b->command),
			       .key = b->failure_known ? "status" : NULL,
			       .number = b->first_failure,
			       .rank = -1 };
	return mlv_add_found(b->add, &f, err);
}

static enum mlv_rc result(struct bench *b, const struct mlv_node *n, struct mlv_err *err)
{
	const struct mlv_node *command = member(b, n, "command", MLV_NODE_STRING);
	b->runs = b->failed = 0;
	b->command = command ? command->text : MLV_STR_NONE;
	struct mlv_str name = mlv_run_str(b->run, b->command);
	if (!name.n && !mlv_run_intern(b->run, MLV_STR("command"), &b->command))
		return mlv_err_nomem(err);
	if (!mlv_run_named_track(b->run, MLV_TRACK_PROCESS, MLV_TRACK_NONE, b->row + 1, name,
				 &b->track))
		return mlv_err_nomem(err);
	enum mlv_rc rc = mlv_add_section(b->add, FORMAT, name, 0, b->run->rank, &b->section, err);
	if (!rc)
		rc = statistics(b, n, err);
	if (!rc)
		rc = summary(b, n, err);
	if (!rc)
		rc = runs(b, n, "times", "time", MLV_UNIT_S, err);
	if (!rc)
		rc = runs(b, n, "memory_usage_byte", "memory", MLV_UNIT_BYTES, err);
	if (!rc)
		rc = measurements(b, n, err);
	if (!rc)
		rc = parameters(b, n, err);
	exit_codes(b, n);
	return rc ? rc : report_failures(b, err);
}

static enum mlv_rc build(struct bench *b, struct mlv_err *err)
{
	const struct mlv_node *results =
		member(b, mlv_json_root(&b->tree), "results", MLV_NODE_ARRAY);
	enum mlv_rc rc = MLV_OK;
	for (const struct mlv_node *n = mlv_json_child(&b->tree, results); n && !rc;
	     n = mlv_json_next_of(&b->tree, n)) {
		if (n->kind != MLV_NODE_OBJECT)
			continue;
		rc = result(b, n, err);
		b->row++;
	}
	if (!rc && !b->row)
		return mlv_err_set(err, MLV_E_FORMAT, "no result of a benchmark in it");
	return rc;
}

static enum mlv_rc parse(struct mlv_parse *p, struct mlv_err *err)
{
	struct bench b = { .run = p->run, .add = { p->run, p->limits } };
	enum mlv_rc rc = mlv_json_tree_read(&b.tree, p, MOST_VALUES, err);
	if (!rc)
		rc = build(&b, err);
	mlv_json_tree_fini(&b.tree);
	return rc;
}

const struct mlv_parser mlv_parser_hyperfine = {
	.name = FORMAT,
	.summary = "hyperfine --export-json: statistics and every run of each command",
	.probe = probe,
	.parse = parse,
};
