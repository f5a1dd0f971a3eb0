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

#include "parsers/document/document.h"
#include "parsers/timing/hyperfine.h"

#define FORMAT "hyperfine"

enum { MOST_VALUES = 16 * 1000 * 1000 };

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

/* ---- version 1 ---- */

static enum mlv_rc statistics(struct mlv_bench *b, const struct mlv_node *result,
			      struct mlv_err *err)
{
	static const char *const names[] = { "mean",   "stddev", "median", "user",
					     "system", "min",    "max" };
	enum mlv_rc rc = MLV_OK;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !rc; i++) {
		const struct mlv_node *n = mlv_bench_member(b, result, names[i], MLV_NODE_NUMBER);
		struct mlv_decimal value;
		if (n && mlv_bench_quantity(b, n, MLV_UNIT_S, &value))
			rc = mlv_bench_metric(b, names[i], value, err);
	}
	return rc;
}

static enum mlv_rc runs(struct mlv_bench *b, const struct mlv_node *result, const char *key,
			const char *name, enum mlv_unit unit, struct mlv_err *err)
{
	const struct mlv_node *list = mlv_bench_member(b, result, key, MLV_NODE_ARRAY);
	size_t run = 0;
	enum mlv_rc rc = MLV_OK;
	for (const struct mlv_node *n = mlv_json_child(&b->tree, list); n && !rc;
	     n = mlv_json_next_of(&b->tree, n)) {
		struct mlv_decimal value;
		run++;
		if (mlv_bench_quantity(b, n, unit, &value))
			rc = mlv_bench_sample(b, name, run, value, err);
	}
	return rc;
}

static void exit_codes(struct mlv_bench *b, const struct mlv_node *result)
{
	const struct mlv_node *list = mlv_bench_member(b, result, "exit_codes", MLV_NODE_ARRAY);
	for (const struct mlv_node *n = mlv_json_child(&b->tree, list); n;
	     n = mlv_json_next_of(&b->tree, n))
		mlv_bench_ended(b, n);
}

/* ---- both ---- */

/* "result 2: threads": the value of a parameter in the second result. */
static enum mlv_rc parameter(struct mlv_bench *b, struct mlv_str name, const struct mlv_node *n,
			     struct mlv_err *err)
{
	char key[160], digits[64];
	struct mlv_str text = mlv_run_str(b->run, n->text);
	if (n->kind == MLV_NODE_NUMBER) {
		mlv_decimal_text(n->number, digits, sizeof(digits));
		text = mlv_str_of(digits);
	} else if (n->kind != MLV_NODE_STRING) {
		return MLV_OK;
	}
	snprintf(key, sizeof(key), "result %u: %s", b->row + 1, name.p);
	if (!mlv_run_property_text(b->run, "parameters", key, text))
		return mlv_err_nomem(err);
	return MLV_OK;
}

static enum mlv_rc parameters(struct mlv_bench *b, const struct mlv_node *result,
			      struct mlv_err *err)
{
	const struct mlv_node *object = mlv_bench_member(b, result, "parameters", MLV_NODE_OBJECT);
	const struct mlv_node *old = mlv_bench_member(b, result, "parameter", MLV_NODE_STRING);
	enum mlv_rc rc = old ? parameter(b, MLV_STR("parameter"), old, err) : MLV_OK;
	for (const struct mlv_node *n = mlv_json_child(&b->tree, object); n && !rc;
	     n = mlv_json_next_of(&b->tree, n))
		rc = parameter(b, mlv_run_str(b->run, n->key), n, err);
	return rc;
}

static enum mlv_rc report_failures(struct mlv_bench *b, struct mlv_err *err)
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
			       .text = mlv_str_of(text),
			       .command = mlv_run_str(b->run, b->command),
			       .key = b->failure_known ? "status" : NULL,
			       .number = b->first_failure,
			       .rank = -1 };
	return mlv_add_found(b->add, &f, err);
}

static enum mlv_rc result(struct mlv_bench *b, const struct mlv_node *n, struct mlv_err *err)
{
	const struct mlv_node *command = mlv_bench_member(b, n, "command", MLV_NODE_STRING);
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
		rc = runs(b, n, "times", "time", MLV_UNIT_S, err);
	if (!rc)
		rc = runs(b, n, "memory_usage_byte", "memory", MLV_UNIT_BYTES, err);
	if (!rc)
		rc = mlv_bench_version2(b, n, err);
	if (!rc)
		rc = parameters(b, n, err);
	exit_codes(b, n);
	return rc ? rc : report_failures(b, err);
}

static enum mlv_rc build(struct mlv_bench *b, struct mlv_err *err)
{
	const struct mlv_node *results =
		mlv_bench_member(b, mlv_json_root(&b->tree), "results", MLV_NODE_ARRAY);
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
	struct mlv_bench b = { .run = p->run, .add = { p->run, p->limits } };
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
