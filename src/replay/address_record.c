/* SPDX-License-Identifier: MIT */
#include "replay/address_record.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/json_read.h"
#include "base/json_write.h"
#include "replay/driver_follow.h"

#define SCHEMA "mlviz.addresses/1"

void mlv_address_record_fini(struct mlv_address_record *r)
{
	mlv_vec_free(&r->ops);
	*r = (struct mlv_address_record){ 0 };
}

/* ---- profiles ---- */

bool mlv_address_record_explain(const struct mlv_address_record *r, enum mlv_driver_profile profile,
				struct mlv_driver_share *share)
{
	struct mlv_driver_follow f;
	bool ok = mlv_driver_follow_init(&f, profile);
	for (size_t i = 0; ok && i < r->ops.len; i++) {
		const struct mlv_address_op *op = &r->ops.data[i];
		ok = op->free ? mlv_driver_follow_free(&f, op->addr, op->bytes)
			      : mlv_driver_follow_alloc(&f, op->addr, op->bytes);
	}
	*share = f.share;
	mlv_driver_follow_fini(&f);
	return ok;
}

static bool explain(const void *state, enum mlv_driver_profile profile,
		    struct mlv_driver_share *share)
{
	return mlv_address_record_explain(state, profile, share);
}

bool mlv_address_record_learn(const struct mlv_address_record *r, enum mlv_driver_profile *profile,
			      struct mlv_driver_share *share)
{
	return mlv_driver_choose(explain, r, profile, share);
}

/* ---- as JSON ---- */

static void write_profiles(const struct mlv_address_record *r, struct mlv_json *j)
{
	mlv_json_key_array(j, "profiles");
	for (int p = 0; p < MLV_DRIVER_PROFILES; p++) {
		struct mlv_driver_share share;
		if (!mlv_address_record_explain(r, (enum mlv_driver_profile)p, &share)) {
			j->out->failed = true;
			break;
		}
		mlv_json_object(j);
		mlv_json_key_text(j, "profile",
				  mlv_driver_profile_name((enum mlv_driver_profile)p));
		mlv_json_key_uint(j, "explained", share.explained);
		mlv_json_key_uint(j, "allocs", share.allocs);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}

void mlv_address_record_write(const struct mlv_address_record *r, struct mlv_buf *out)
{
	struct mlv_json j;
	mlv_json_document(&j, out, SCHEMA);
	mlv_json_key_text(&j, "device_name", r->device);
	mlv_json_key_int(&j, "driver_version", r->driver_version);
	write_profiles(r, &j);
	mlv_json_key_array(&j, "operations");
	for (size_t i = 0; i < r->ops.len; i++) {
		const struct mlv_address_op *op = &r->ops.data[i];
		char addr[24];
		snprintf(addr, sizeof(addr), "0x%" PRIx64, op->addr);
		mlv_json_object(&j);
		mlv_json_key_text(&j, "action", op->free ? "free" : "alloc");
		mlv_json_key_text(&j, "address", addr);
		mlv_json_key_uint(&j, "bytes", op->bytes);
		mlv_json_object_end(&j);
	}
	mlv_json_array_end(&j);
	mlv_json_document_end(&j);
}

struct reading {
	struct mlv_address_record *r;
	struct mlv_json_reader *json;
	struct mlv_json_token t;
	bool schema; /* it says what it is */
	struct mlv_err *err;
};

static enum mlv_rc next(struct reading *p)
{
	return mlv_json_next(p->json, &p->t, p->err);
}

static bool is(const struct reading *p, enum mlv_json_kind kind, const char *text)
{
	return p->t.kind == kind && mlv_str_eq(p->t.text, (struct mlv_str){ text, strlen(text) });
}

static enum mlv_rc wrong(struct reading *p, const char *what)
{
	return mlv_err_at(p->err, MLV_E_FORMAT, p->t.offset,
			  "%s; it takes a file that mlviz replay --probe wrote", what);
}

/* The value after a key of an operation. */
static enum mlv_rc read_value(struct reading *p, struct mlv_address_op *op)
{
	char key[16], text[24] = "", *end = text;
	snprintf(key, sizeof(key), "%.*s", (int)p->t.text.n, p->t.text.p);
	enum mlv_rc rc = next(p);
	if (rc)
		return rc;
	if (!strcmp(key, "bytes") && p->t.kind == MLV_JSON_INTEGER && p->t.integer > 0) {
		op->bytes = (uint64_t)p->t.integer;
		return MLV_OK;
	}
	if (p->t.kind != MLV_JSON_STRING)
		return wrong(p, "that is not what an operation has there");
	if (!strcmp(key, "action")) {
		op->free = is(p, MLV_JSON_STRING, "free");
		return op->free || is(p, MLV_JSON_STRING, "alloc")
			       ? MLV_OK
			       : wrong(p, "an action is alloc or free");
	}
	if (p->t.text.n < sizeof(text))
		memcpy(text, p->t.text.p, p->t.text.n);
	op->addr = strtoull(text, &end, 16);
	return !strcmp(key, "address") && *text && !*end ? MLV_OK : wrong(p, "that is no address");
}

static enum mlv_rc read_operation(struct reading *p)
{
	/* Of more no device has memory, and sums stay far from their ends. */
	const uint64_t most = UINT64_C(1) << 45;
	struct mlv_address_op op = { 0 };
	if (p->t.kind != MLV_JSON_OBJECT_BEGIN)
		return wrong(p, "an operation is an object");
	enum mlv_rc rc = next(p);
	for (; !rc && p->t.kind == MLV_JSON_KEY; rc = rc ? rc : next(p))
		rc = read_value(p, &op);
	if (rc)
		return rc;
	if (!op.bytes || op.bytes > most || op.addr > UINT64_MAX / 2)
		return wrong(p, "an operation has an action, an address and bytes");
	return mlv_vec_push(&p->r->ops, op) ? MLV_OK : mlv_err_nomem(p->err);
}

static enum mlv_rc read_operations(struct reading *p)
{
	enum mlv_rc rc = next(p);
	if (!rc && p->t.kind != MLV_JSON_ARRAY_BEGIN)
		return wrong(p, "operations is a list");
	while (!rc) {
		rc = next(p);
		if (!rc && p->t.kind == MLV_JSON_ARRAY_END)
			break;
		if (!rc)
			rc = read_operation(p);
	}
	return rc;
}

/* A key of the document, and its value. */
static enum mlv_rc read_key(struct reading *p)
{
	if (is(p, MLV_JSON_KEY, "operations"))
		return read_operations(p);
	bool schema = is(p, MLV_JSON_KEY, "schema"), name = is(p, MLV_JSON_KEY, "device_name");
	bool version = is(p, MLV_JSON_KEY, "driver_version");
	enum mlv_rc rc = next(p);
	if (rc)
		return rc;
	if (schema)
		p->schema = is(p, MLV_JSON_STRING, SCHEMA);
	if (name && p->t.kind == MLV_JSON_STRING)
		snprintf(p->r->device, sizeof(p->r->device), "%.*s", (int)p->t.text.n, p->t.text.p);
	if (version && p->t.kind == MLV_JSON_INTEGER)
		p->r->driver_version = (int)p->t.integer;
	if (p->t.kind == MLV_JSON_OBJECT_BEGIN || p->t.kind == MLV_JSON_ARRAY_BEGIN)
		return mlv_json_skip(p->json, p->err);
	return MLV_OK;
}

static enum mlv_rc read_document(struct reading *p)
{
	enum mlv_rc rc = next(p);
	if (!rc && p->t.kind != MLV_JSON_OBJECT_BEGIN)
		return wrong(p, "this is no record of addresses");
	if (!rc)
		rc = next(p);
	for (; !rc && p->t.kind == MLV_JSON_KEY; rc = rc ? rc : next(p))
		rc = read_key(p);
	if (!rc && !p->schema)
		return mlv_err_set(p->err, MLV_E_FORMAT,
				   "its schema is not " SCHEMA
				   "; it takes a file that mlviz replay --probe wrote");
	if (!rc && !p->r->ops.len)
		return mlv_err_set(p->err, MLV_E_FORMAT, "there are no operations in it");
	return rc;
}

enum mlv_rc mlv_address_record_read(struct mlv_address_record *r, const char *path,
				    const struct mlv_limits *limits, struct mlv_err *err)
{
	struct mlv_source *src;
	struct mlv_reader reader;
	struct mlv_diags diags = { 0 };
	*r = (struct mlv_address_record){ 0 };
	enum mlv_rc rc = mlv_source_open(&src, path, limits, err);
	if (rc)
		return rc;
	mlv_reader_init(&reader, src);
	struct reading p = { .r = r, .err = err };
	p.json = mlv_json_reader_create(&reader, limits, &diags);
	rc = p.json ? read_document(&p) : mlv_err_nomem(err);
	if (!rc && reader.err.rc)
		rc = mlv_err_set(err, reader.err.rc, "%s", reader.err.msg);
	if (rc)
		mlv_err_file(err, path);
	mlv_json_reader_destroy(p.json);
	mlv_reader_fini(&reader);
	mlv_source_close(src);
	mlv_diags_fini(&diags);
	if (rc)
		mlv_address_record_fini(r);
	return rc;
}
