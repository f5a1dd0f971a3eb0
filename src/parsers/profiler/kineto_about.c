/* SPDX-License-Identifier: MIT */
/*
 * What stands beside the events: versions and settings, the devices, the rank
 * and its process groups, and the profiler's own log. In any order, before
 * the events or behind them, and any of it may be missing.
 */
#include "parsers/profiler/kineto.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"

/* More than any recorder writes; the rest is read and not kept. */
enum { MAX_PROPERTIES = 10000, MAX_GROUPS = 100000, KEY_SIZE = 128 };

/* A scalar as a property of the group "trace". False when memory runs out. */
static bool add_property(struct kineto *k, const char *key)
{
	const struct mlv_json_token *t = &k->token;
	if (k->run->properties.len >= MAX_PROPERTIES || !*key)
		return true;
	switch (t->kind) {
	case MLV_JSON_INTEGER:
		if (t->is_unsigned)
			return mlv_run_property_text(k->run, "trace", key, t->text);
		return mlv_run_property_int(k->run, "trace", key, t->integer);
	case MLV_JSON_NUMBER:
	case MLV_JSON_STRING:
		return mlv_run_property_text(k->run, "trace", key, t->text);
	case MLV_JSON_TRUE:
	case MLV_JSON_FALSE:
		return mlv_run_property_int(k->run, "trace", key, t->kind == MLV_JSON_TRUE);
	default:
		return true;
	}
}

/* "PREFIX/KEY" of the current key. */
static void member_key(const struct kineto *k, const char *prefix, char *buf)
{
	struct mlv_str s = k->token.text;
	snprintf(buf, KEY_SIZE, "%s/%.*s", prefix, s.n < 64 ? (int)s.n : 64, s.p);
}

/* Behind the '{' of a device: its scalars under "device N/". */
static enum mlv_rc device(struct kineto *k, int64_t number, struct mlv_err *err)
{
	char prefix[40], key[KEY_SIZE];
	enum mlv_rc rc;
	while ((rc = mlv_kineto_next(k, err)) == MLV_OK && k->token.kind == MLV_JSON_KEY) {
		bool id = mlv_str_eq(k->token.text, MLV_STR("id"));
		snprintf(prefix, sizeof(prefix), "device %" PRId64, number);
		member_key(k, prefix, key);
		rc = mlv_kineto_next(k, err);
		if (rc)
			return rc;
		/* It comes first, and only says which device this is. */
		if (id && k->token.kind == MLV_JSON_INTEGER)
			number = k->token.integer;
		else if (!add_property(k, key))
			return mlv_err_nomem(err);
		rc = mlv_kineto_skip(k, err);
		if (rc)
			return rc;
	}
	return rc;
}

static enum mlv_rc devices(struct kineto *k, struct mlv_err *err)
{
	enum mlv_rc rc;
	for (int64_t i = 0; (rc = mlv_kineto_next(k, err)) == MLV_OK; i++) {
		if (k->token.kind == MLV_JSON_ARRAY_END || k->token.kind == MLV_JSON_END)
			break;
		rc = k->token.kind == MLV_JSON_OBJECT_BEGIN ? device(k, i, err)
							    : mlv_kineto_skip(k, err);
		if (rc)
			return rc;
	}
	return rc;
}

/* "[0, 1]" as "0,1". A long list is written with "..." in it, and is then unknown. */
static void members_from_text(struct mlv_str s, struct mlv_buf *out)
{
	for (size_t i = 0; i < s.n; i++) {
		if (mlv_is_digit(s.p[i]) || s.p[i] == ',')
			mlv_buf_putc(out, s.p[i]);
		if (s.p[i] == '.')
			out->len = 0;
		if (s.p[i] == '.')
			return;
	}
}

/* The ranks of a group: an array, or a text of one. */
static enum mlv_rc members(struct kineto *k, struct mlv_buf *out, struct mlv_err *err)
{
	enum mlv_rc rc = MLV_OK;
	out->len = 0;
	if (k->token.kind == MLV_JSON_STRING)
		members_from_text(k->token.text, out);
	if (k->token.kind != MLV_JSON_ARRAY_BEGIN)
		return mlv_kineto_skip(k, err);
	while (!rc && (rc = mlv_kineto_next(k, err)) == MLV_OK &&
	       k->token.kind != MLV_JSON_ARRAY_END) {
		if (k->token.kind == MLV_JSON_INTEGER)
			mlv_buf_printf(out, "%s%" PRId64, out->len ? "," : "", k->token.integer);
		else
			rc = mlv_kineto_skip(k, err);
	}
	return rc;
}

static bool add_group(struct kineto *k, struct mlv_group *g, const struct mlv_buf *ranks)
{
	uint32_t count = ranks->len > 0;
	for (size_t i = 0; i < ranks->len; i++)
		count += ranks->data[i] == ',';
	if (count)
		g->member_count = count;
	struct mlv_str text = { ranks->data, ranks->len };
	if (ranks->len && !mlv_run_intern(k->run, text, &g->members))
		return false;
	return mlv_vec_push(&k->run->groups, *g);
}

/* Behind the '{' of a process group. */
static enum mlv_rc group(struct kineto *k, struct mlv_buf *ranks, bool keep, struct mlv_err *err)
{
	struct mlv_group g = { .last_enqueued = -1, .last_started = -1, .last_completed = -1 };
	enum mlv_rc rc;
	ranks->len = 0;
	while ((rc = mlv_kineto_next(k, err)) == MLV_OK && k->token.kind == MLV_JSON_KEY) {
		struct mlv_str key = k->token.text;
		bool name = mlv_str_eq(key, MLV_STR("pg_name"));
		bool description =
			mlv_str_eq(key, MLV_STR("pg_desc")) || mlv_str_eq(key, MLV_STR("uid"));
		bool size = mlv_str_eq(key, MLV_STR("pg_size"));
		bool list = mlv_str_eq(key, MLV_STR("ranks"));
		rc = mlv_kineto_next(k, err);
		if (rc)
			return rc;
		const struct mlv_json_token *t = &k->token;
		if (size && t->kind == MLV_JSON_INTEGER && t->integer >= 0 &&
		    t->integer < UINT32_MAX)
			g.member_count = (uint32_t)t->integer;
		if ((name || description) &&
		    (t->kind == MLV_JSON_STRING || t->kind == MLV_JSON_INTEGER) &&
		    !mlv_run_intern(k->run, t->text, name ? &g.name : &g.description))
			return mlv_err_nomem(err);
		rc = list ? members(k, ranks, err) : mlv_kineto_skip(k, err);
		if (rc)
			return rc;
	}
	if (!rc && (ranks->failed || (keep && !add_group(k, &g, ranks))))
		return mlv_err_nomem(err);
	return rc;
}

static enum mlv_rc groups(struct kineto *k, struct mlv_err *err)
{
	struct mlv_buf ranks = { 0 };
	/* On demand it is written twice. */
	bool keep = k->run->groups.len == 0;
	enum mlv_rc rc = MLV_OK;
	if (k->token.kind != MLV_JSON_ARRAY_BEGIN)
		return mlv_kineto_skip(k, err);
	while (!rc && (rc = mlv_kineto_next(k, err)) == MLV_OK &&
	       k->token.kind != MLV_JSON_ARRAY_END) {
		keep = keep && k->run->groups.len < MAX_GROUPS;
		rc = k->token.kind == MLV_JSON_OBJECT_BEGIN ? group(k, &ranks, keep, err)
							    : mlv_kineto_skip(k, err);
	}
	mlv_buf_fini(&ranks);
	return rc;
}

/* Behind the '{' of "distributedInfo". */
static enum mlv_rc distributed(struct kineto *k, struct mlv_err *err)
{
	char key[KEY_SIZE];
	enum mlv_rc rc;
	while ((rc = mlv_kineto_next(k, err)) == MLV_OK && k->token.kind == MLV_JSON_KEY) {
		bool rank = mlv_str_eq(k->token.text, MLV_STR("rank"));
		bool config = mlv_str_eq(k->token.text, MLV_STR("pg_config"));
		member_key(k, "distributedInfo", key);
		rc = mlv_kineto_next(k, err);
		if (rc)
			return rc;
		if (rank && k->token.kind == MLV_JSON_INTEGER && k->token.integer >= 0 &&
		    k->token.integer <= INT32_MAX)
			k->run->rank = k->token.integer;
		if (!add_property(k, key))
			return mlv_err_nomem(err);
		rc = config ? groups(k, err) : mlv_kineto_skip(k, err);
		if (rc)
			return rc;
	}
	return rc;
}

/* Lines that the profiler logged while it recorded: what it says of its own trouble. */
static enum mlv_rc log_lines(struct kineto *k, enum mlv_finding_severity severity,
			     struct mlv_err *err)
{
	enum mlv_rc rc = MLV_OK;
	while (!rc && (rc = mlv_kineto_next(k, err)) == MLV_OK &&
	       k->token.kind != MLV_JSON_ARRAY_END) {
		struct mlv_finding f = { .severity = severity, .rank = k->run->rank };
		if (k->token.kind != MLV_JSON_STRING)
			rc = mlv_kineto_skip(k, err);
		else if (!(rc = mlv_limits_room(k->limits, k->run->findings.len, "findings",
						err)) &&
			 (!mlv_run_intern(k->run, MLV_STR("profiler-log"), &f.code) ||
			  !mlv_run_intern(k->run, k->token.text, &f.text) ||
			  !mlv_vec_push(&k->run->findings, f)))
			rc = mlv_err_nomem(err);
	}
	return rc;
}

enum mlv_rc mlv_kineto_about(struct kineto *k, const char *key, struct mlv_err *err)
{
	const struct mlv_json_token *t = &k->token;
	bool object = t->kind == MLV_JSON_OBJECT_BEGIN, array = t->kind == MLV_JSON_ARRAY_BEGIN;
	if (object && strcmp(key, "distributedInfo") == 0)
		return distributed(k, err);
	if (array && strcmp(key, "deviceProperties") == 0)
		return devices(k, err);
	if (array && strcmp(key, "WARNING") == 0)
		return log_lines(k, MLV_FINDING_WARNING, err);
	if (array && strcmp(key, "ERROR") == 0)
		return log_lines(k, MLV_FINDING_ERROR, err);
	if (strcmp(key, "baseTimeNanoseconds") == 0 && t->kind == MLV_JSON_INTEGER)
		k->base = t->integer;
	if (!add_property(k, key))
		return mlv_err_nomem(err);
	return mlv_kineto_skip(k, err);
}
