/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_CI_SMALL_JSON_H
#define MLV_REPORT_CI_SMALL_JSON_H
/*
 * Small JSON files that people write, such as budgets: read by cJSON, and
 * every complaint says where, since a file that is edited by hand is wrong
 * more often than one that a program wrote.
 */
#include <cjson/cJSON.h>

#include "base/err.h"
#include "base/str.h"

struct mlv_small_json {
	const char *name;    /* of the file, for messages */
	struct mlv_str text; /* borrowed, with a NUL behind it */
	cJSON *root;
};

/*
 * Parse a document that is one object. MLV_E_FORMAT with its place, also for
 * what cJSON lets pass: keys that come twice, bytes that are no UTF-8, text
 * behind the end.
 */
enum mlv_rc mlv_small_json_init(struct mlv_small_json *d, const char *name, struct mlv_str text,
				struct mlv_err *err);
void mlv_small_json_fini(struct mlv_small_json *d);

/* An error at a value, or at its key. Returns MLV_E_FORMAT. */
enum mlv_rc mlv_small_json_wrong(const struct mlv_small_json *d, const cJSON *value, bool at_key,
				 struct mlv_err *err, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

/* Keys that an object may have; NULL ends the list. An unknown one is an error that suggests. */
enum mlv_rc mlv_small_json_keys(const struct mlv_small_json *d, const cJSON *object,
				const char *const *keys, struct mlv_err *err);

/* The document's "schema" must be this one. */
enum mlv_rc mlv_small_json_schema(const struct mlv_small_json *d, const char *schema,
				  struct mlv_err *err);

/* A text that may be missing: *text stays as it is then. */
enum mlv_rc mlv_small_json_text(const struct mlv_small_json *d, const cJSON *object,
				const char *key, const char **text, struct mlv_err *err);

#endif
