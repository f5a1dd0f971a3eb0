/* SPDX-License-Identifier: MIT */
/*
 * Reports of memory diagnostics: one JSON document of a training run whose
 * "rank_reports" hold, for each rank, samples by step and phase and a few
 * indicators. Every number of a sample is a metric under its own key, without
 * the unit that ends it ("allocated_mib": allocated, MiB); everything around
 * the samples is a property, under its key as it stands. Nothing is judged
 * here, least of all by the names that a report gives to its case.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "parsers/add.h"
#include "parsers/document/document.h"
#include "parsers/document/json_tree.h"

#define FORMAT "memory-report"
#define GROUP "report"

enum { MOST_VALUES = 8 * 1000 * 1000, KEY_SIZE = 160 };

struct report {
	struct mlv_json_tree tree;
	struct mlv_run *run;
	struct mlv_add add;
	uint32_t section;
	uint32_t row;      /* of the rank at hand among the reports */
	int64_t rank;      /* of it */
	mlv_trackid track; /* of it */
	mlv_strid subject; /* "rank 3" */
};

static int probe(struct mlv_bytes head)
{
	if (mlv_document_kind(head) != MLV_DOC_JSON || !mlv_head_has(head, "\"rank_reports\""))
		return 0;
	return mlv_head_has(head, "\"samples\"") ? 95 : 60;
}

/* A key without the unit it ends with. Report writers mean binary units. */
static struct mlv_str split_unit(struct mlv_str key, enum mlv_unit *unit)
{
	static const struct {
		struct mlv_str end;
		enum mlv_unit unit;
	} ends[] = {
		{ MLV_STR_INIT("_bytes"), MLV_UNIT_BYTES },
		{ MLV_STR_INIT("_kib"), MLV_UNIT_KIB },
		{ MLV_STR_INIT("_mib"), MLV_UNIT_MIB },
		{ MLV_STR_INIT("_gib"), MLV_UNIT_GIB },
		{ MLV_STR_INIT("_mb"), MLV_UNIT_MB },
		{ MLV_STR_INIT("_gb"), MLV_UNIT_GB },
		{ MLV_STR_INIT("_ms"), MLV_UNIT_MS },
		{ MLV_STR_INIT("_us"), MLV_UNIT_US },
		{ MLV_STR_INIT("_ns"), MLV_UNIT_NS },
		{ MLV_STR_INIT("_seconds"), MLV_UNIT_S },
		{ MLV_STR_INIT("_percent"), MLV_UNIT_PERCENT },
	};
	*unit = MLV_UNIT_NONE;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		if (key.n > ends[i].end.n && mlv_str_has_suffix(key, ends[i].end)) {
			*unit = ends[i].unit;
			return (struct mlv_str){ key.p, key.n - ends[i].end.n };
		}
	}
	return key;
}

/* ---- properties ---- */

/* The digits of a number as it was written, without an exponent where it had none. */
static void digits_of(struct mlv_decimal d, char *buf, size_t size)
{
	int64_t power = 1;
	uint64_t m = d.mantissa < 0 ? 0 - (uint64_t)d.mantissa : (uint64_t)d.mantissa;
	if (d.special || d.exponent >= 0 || d.exponent < -18) {
		mlv_decimal_text(d, buf, size);
		return;
	}
	for (int i = d.exponent; i < 0; i++)
		power *= 10;
	snprintf(buf, size, "%s%" PRIu64 ".%0*" PRIu64, d.mantissa < 0 ? "-" : "",
		 m / (uint64_t)power, -d.exponent, m % (uint64_t)power);
}

static enum mlv_rc add_property(struct report *r, struct mlv_str key, const struct mlv_node *n,
				struct mlv_err *err)
{
	struct mlv_property p = { .kind = MLV_PROP_TEXT, .text = n->text };
	struct mlv_str group = MLV_STR(GROUP);
	char digits[64];
	if (n->kind == MLV_NODE_NULL)
		return MLV_OK;
	if (n->kind == MLV_NODE_BOOL) {
		p.kind = MLV_PROP_BOOL;
		p.number = n->truth;
	} else if (mlv_node_int(n, &p.number)) {
		p.kind = MLV_PROP_INT;
	} else if (n->kind == MLV_NODE_NUMBER) {
		p.kind = MLV_PROP_DECIMAL;
		digits_of(n->number, digits, sizeof(digits));
		if (!mlv_run_intern(r->run, mlv_str_of(digits), &p.text))
			return mlv_err_nomem(err);
	}
	enum mlv_rc full =
		mlv_limits_room(r->add.limits, r->run->properties.len, "properties", err);
	if (full)
		return full;
	if (!mlv_run_intern(r->run, group, &p.group) || !mlv_run_intern(r->run, key, &p.key) ||
	    !mlv_vec_push(&r->run->properties, p))
		return mlv_err_nomem(err);
	return MLV_OK;
}

/* The members of `object` that are plain values, as "BEFORE/KEY", or "KEY" without `before`. */
static enum mlv_rc add_properties(struct report *r, const char *before,
				  const struct mlv_node *object, struct mlv_err *err)
{
	for (const struct mlv_node *n = mlv_json_child(&r->tree, object); n;
	     n = mlv_json_next_of(&r->tree, n)) {
		struct mlv_str key = mlv_run_str(r->run, n->key);
		char full[KEY_SIZE];
		enum mlv_rc rc = MLV_OK;
		if (n->kind == MLV_NODE_OBJECT || n->kind == MLV_NODE_ARRAY)
			continue;
		if (*before) {
			snprintf(full, sizeof(full), "%s/%s", before, key.p);
			key = mlv_str_of(full);
		}
		rc = add_property(r, key, n, err);
		if (rc)
			return rc;
	}
	return MLV_OK;
}

/* Plain values of the report, and those of the objects in it ("model_config/layers"). */
static enum mlv_rc add_settings(struct report *r, const struct mlv_node *root, struct mlv_err *err)
{
	enum mlv_rc rc = add_properties(r, "", root, err);
	for (const struct mlv_node *n = mlv_json_child(&r->tree, root); n && !rc;
	     n = mlv_json_next_of(&r->tree, n)) {
		char before[KEY_SIZE / 2];
		if (n->kind != MLV_NODE_OBJECT)
			continue;
		snprintf(before, sizeof(before), "%s", mlv_run_str(r->run, n->key).p);
		rc = add_properties(r, before, n, err);
	}
	return rc;
}

/* ---- a rank ---- */

static int32_t step_of(const struct report *r, const struct mlv_node *sample)
{
	int64_t step;
	if (mlv_node_int(mlv_json_member(&r->tree, r->run, sample, "step", MLV_NODE_NUMBER),
			 &step) &&
	    step > MLV_NO_STEP && step <= INT32_MAX)
		return (int32_t)step;
	return MLV_NO_STEP;
}

static enum mlv_rc add_sample(struct report *r, const struct mlv_node *object, struct mlv_err *err)
{
	const struct mlv_node *phase =
		mlv_json_member(&r->tree, r->run, object, "phase", MLV_NODE_STRING);
	struct mlv_sample s = { .time_ns = MLV_NO_TIME,
				.track = r->track,
				.phase = phase ? phase->text : MLV_STR_NONE,
				.step = step_of(r, object) };
	enum mlv_rc rc = MLV_OK;
	for (const struct mlv_node *n = mlv_json_child(&r->tree, object); n && !rc;
	     n = mlv_json_next_of(&r->tree, n)) {
		enum mlv_unit unit;
		struct mlv_str key = mlv_run_str(r->run, n->key);
		struct mlv_str name = split_unit(key, &unit);
		if (n->kind != MLV_NODE_NUMBER || mlv_str_eq(key, MLV_STR("step")) ||
		    mlv_str_eq(key, MLV_STR("rank")))
			continue;
		s.value = n->number;
		s.value.unit = (uint8_t)unit;
		rc = mlv_add_sample(r->add, r->section, s, name, err);
	}
	return rc;
}

static enum mlv_rc add_samples(struct report *r, const struct mlv_node *rank, struct mlv_err *err)
{
	const struct mlv_node *samples =
		mlv_json_member(&r->tree, r->run, rank, "samples", MLV_NODE_ARRAY);
	enum mlv_rc rc = MLV_OK;
	if (!samples)
		mlv_diag_add(&r->run->diags, MLV_WARNING, "report-no-samples", MLV_NO_OFFSET,
			     "the report of rank %" PRId64 " has no samples", r->rank);
	for (const struct mlv_node *n = mlv_json_child(&r->tree, samples); n && !rc;
	     n = mlv_json_next_of(&r->tree, n)) {
		if (n->kind == MLV_NODE_OBJECT)
			rc = add_sample(r, n, err);
		else
			mlv_diag_add(&r->run->diags, MLV_DAMAGE, "report-sample", MLV_NO_OFFSET,
				     "a sample of rank %" PRId64 " is not an object", r->rank);
	}
	return rc;
}

/* The numbers of `object`, as metrics of the rank; `units_only`: those with a unit in their key. */
static enum mlv_rc add_metrics(struct report *r, const struct mlv_node *object, bool units_only,
			       struct mlv_err *err)
{
	struct mlv_metric_row at = { r->run, r->add.limits, r->section, r->row, r->subject };
	enum mlv_rc rc = MLV_OK;
	for (const struct mlv_node *n = mlv_json_child(&r->tree, object); n && !rc;
	     n = mlv_json_next_of(&r->tree, n)) {
		enum mlv_unit unit;
		mlv_strid metric;
		struct mlv_str name = split_unit(mlv_run_str(r->run, n->key), &unit);
		struct mlv_decimal value = n->number;
		if (n->kind != MLV_NODE_NUMBER || (units_only && unit == MLV_UNIT_NONE))
			continue;
		value.unit = (uint8_t)unit;
		if (!mlv_run_intern(r->run, name, &metric))
			return mlv_err_nomem(err);
		rc = mlv_add_metric(&at, metric, value, err);
		if (!rc)
			mlv_section_grow(r->run, r->section, 0);
	}
	return rc;
}

/* Which rank it is: by its own word, else by its place. */
static enum mlv_rc name_rank(struct report *r, const struct mlv_node *object, struct mlv_err *err)
{
	char text[32];
	if (!mlv_node_int(mlv_json_member(&r->tree, r->run, object, "rank", MLV_NODE_NUMBER),
			  &r->rank) ||
	    r->rank < 0) {
		r->rank = r->row;
		mlv_diag_add(&r->run->diags, MLV_WARNING, "report-no-rank", MLV_NO_OFFSET,
			     "a report does not say whose it is; its place in the list, %" PRId64
			     ", is taken for the rank",
			     r->rank);
	}
	snprintf(text, sizeof(text), "rank %" PRId64, r->rank);
	if (!mlv_run_track(r->run, MLV_TRACK_RANK, MLV_TRACK_NONE, r->rank, &r->track) ||
	    !mlv_run_intern(r->run, mlv_str_of(text), &r->subject))
		return mlv_err_nomem(err);
	return MLV_OK;
}

static enum mlv_rc add_rank(struct report *r, const struct mlv_node *object, struct mlv_err *err)
{
	enum mlv_rc rc = name_rank(r, object, err);
	if (!rc)
		rc = mlv_add_section(r->add, FORMAT, (struct mlv_str){ "", 0 }, 0, r->rank,
				     &r->section, err);
	if (!rc)
		mlv_section_noun(r->run, r->section, "value");
	if (!rc)
		rc = add_properties(r, mlv_run_str(r->run, r->subject).p, object, err);
	if (!rc)
		rc = add_metrics(
			r, mlv_json_member(&r->tree, r->run, object, "indicators", MLV_NODE_OBJECT),
			false, err);
	if (!rc)
		rc = add_metrics(r, object, true, err);
	return rc ? rc : add_samples(r, object, err);
}

static enum mlv_rc build(struct report *r, struct mlv_err *err)
{
	const struct mlv_node *root = mlv_json_root(&r->tree);
	const struct mlv_node *ranks =
		mlv_json_member(&r->tree, r->run, root, "rank_reports", MLV_NODE_ARRAY);
	if (!ranks)
		return mlv_err_set(err, MLV_E_FORMAT,
				   "no \"rank_reports\" in it: not a memory report");
	enum mlv_rc rc = add_settings(r, root, err);
	for (const struct mlv_node *n = mlv_json_child(&r->tree, ranks); n && !rc;
	     n = mlv_json_next_of(&r->tree, n)) {
		if (n->kind == MLV_NODE_OBJECT)
			rc = add_rank(r, n, err);
		r->row++;
	}
	if (rc)
		return rc;
	if (!r->run->sections.len)
		return mlv_err_set(err, MLV_E_FORMAT, "the report holds no rank");
	if (r->run->sections.len == 1 && r->run->rank < 0)
		r->run->rank = r->rank;
	return MLV_OK;
}

static enum mlv_rc parse(struct mlv_parse *p, struct mlv_err *err)
{
	struct report r = { .run = p->run, .add = { p->run, p->limits } };
	enum mlv_rc rc = mlv_json_tree_read(&r.tree, p, MOST_VALUES, err);
	if (!rc)
		rc = build(&r, err);
	mlv_json_tree_fini(&r.tree);
	return rc;
}

const struct mlv_parser mlv_parser_memory_report = {
	.name = FORMAT,
	.summary = "memory diagnostics by rank, step and phase (JSON with rank_reports)",
	.probe = probe,
	.parse = parse,
};
