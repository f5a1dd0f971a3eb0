/* SPDX-License-Identifier: MIT */
#include "report/ci/small_json.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "base/utf8.h"

/* ------------------------------------------------------------------ where something stands */

/* "line 3, column 14", both from 1; columns are characters. */
static void place_words(struct mlv_str text, size_t offset, char *buf, size_t size)
{
	size_t line = 1, column = 1;
	for (size_t i = 0; i < offset && i < text.n;) {
		uint32_t cp;
		size_t n = mlv_utf8_step(text.p + i, text.n - i, &cp);
		column = cp == '\n' ? 1 : column + 1;
		line += cp == '\n';
		i += n;
	}
	snprintf(buf, size, "line %zu, column %zu", line, column);
}

__attribute__((format(printf, 4, 0))) static enum mlv_rc complain(const struct mlv_small_json *d,
								  size_t offset,
								  struct mlv_err *err,
								  const char *fmt, va_list ap)
{
	char where[60], what[300];
	place_words(d->text, offset, where, sizeof(where));
	vsnprintf(what, sizeof(what), fmt, ap);
	mlv_err_file(err, d->name);
	return mlv_err_set(err, MLV_E_FORMAT, "%s: %.180s", where, what);
}

__attribute__((format(printf, 4, 5))) static enum mlv_rc
wrong_at(const struct mlv_small_json *d, size_t offset, struct mlv_err *err, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	enum mlv_rc rc = complain(d, offset, err, fmt, ap);
	va_end(ap);
	return rc;
}

/*
 * cJSON keeps no places, but the order of a document: the n-th value of the
 * tree is the n-th of the text. This walks the words of the text, which is
 * known to be JSON.
 */
struct walk {
	struct mlv_str text;
	size_t at;
	size_t key; /* where the latest key stands */
};

static void skip_string(struct walk *w)
{
	for (w->at++; w->at < w->text.n && w->text.p[w->at] != '"'; w->at++)
		w->at += w->text.p[w->at] == '\\';
	w->at++;
}

static bool is_key(const struct walk *w)
{
	struct walk after = *w;
	skip_string(&after);
	while (after.at < after.text.n && strchr(" \t\r\n", after.text.p[after.at]))
		after.at++;
	return after.at < after.text.n && after.text.p[after.at] == ':';
}

/* The next value from here, or the end. */
static size_t next_value(struct walk *w)
{
	while (w->at < w->text.n) {
		char c = w->text.p[w->at];
		size_t begin = w->at;
		if (c == '"') {
			bool key = is_key(w);
			skip_string(w);
			if (!key)
				return begin;
			w->key = begin;
		} else if (c && strchr(" \t\r\n,:]}", c)) {
			w->at++;
		} else if (c == '{' || c == '[') {
			w->at++;
			return begin;
		} else {
			while (w->at < w->text.n && !strchr(" \t\r\n,:]}", w->text.p[w->at]))
				w->at++;
			return begin;
		}
	}
	return w->text.n;
}

/* How many values of the tree come before `value`; true once it is reached. */
static bool count_before(const cJSON *tree, const cJSON *value, size_t *n)
{
	if (tree == value)
		return true;
	++*n;
	for (const cJSON *c = tree->child; c; c = c->next)
		if (count_before(c, value, n))
			return true;
	return false;
}

enum mlv_rc mlv_small_json_wrong(const struct mlv_small_json *d, const cJSON *value, bool at_key,
				 struct mlv_err *err, const char *fmt, ...)
{
	struct walk w = { .text = d->text };
	size_t before = 0;
	count_before(d->root, value, &before);
	size_t at = next_value(&w);
	for (size_t i = 0; i < before; i++)
		at = next_value(&w);
	va_list ap;
	va_start(ap, fmt);
	enum mlv_rc rc = complain(d, at_key ? w.key : at, err, fmt, ap);
	va_end(ap);
	return rc;
}

/* ------------------------------------------------------------------ reading */

static enum mlv_rc check_utf8(const struct mlv_small_json *d, struct mlv_err *err)
{
	for (size_t i = 0; i < d->text.n;) {
		uint32_t cp;
		size_t n = mlv_utf8_step(d->text.p + i, d->text.n - i, &cp);
		if (cp == MLV_UTF8_INVALID)
			return wrong_at(d, i, err, "the text is not UTF-8");
		if (cp < ' ' && cp != '\n' && cp != '\r' && cp != '\t')
			return wrong_at(d, i, err, "a control character");
		i += n;
	}
	return MLV_OK;
}

/* No object of ours has as many keys; looking each up would take long where there are more. */
enum { MOST_KEYS = 64 };

static enum mlv_rc check_twice(const struct mlv_small_json *d, const cJSON *tree,
			       struct mlv_err *err)
{
	enum mlv_rc rc = MLV_OK;
	size_t n = 0;
	for (const cJSON *c = tree->child; c && cJSON_IsObject(tree); c = c->next)
		if (++n > MOST_KEYS)
			return mlv_small_json_wrong(d, c, true, err,
						    "an object with more than %d keys", MOST_KEYS);
	for (const cJSON *c = tree->child; c && !rc; c = c->next) {
		/* cJSON finds the first one of a name. */
		if (cJSON_IsObject(tree) && cJSON_GetObjectItemCaseSensitive(tree, c->string) != c)
			return mlv_small_json_wrong(d, c, true, err, "'%.60s' stands here twice",
						    c->string);
		rc = check_twice(d, c, err);
	}
	return rc;
}

/* cJSON reads numbers with strtod, which knows more of them than JSON does. */
static enum mlv_rc check_numbers(const struct mlv_small_json *d, struct mlv_err *err)
{
	struct walk w = { .text = d->text };
	for (size_t at; (at = next_value(&w)) < d->text.n;) {
		char c = d->text.p[at];
		bool zeros = c == '0' && at + 1 < d->text.n && mlv_is_digit(d->text.p[at + 1]);
		if (c == '+' || zeros)
			return wrong_at(d, at, err, "this is no number of JSON");
	}
	return MLV_OK;
}

enum mlv_rc mlv_small_json_init(struct mlv_small_json *d, const char *name, struct mlv_str text,
				struct mlv_err *err)
{
	/* The mark that some editors put before UTF-8. */
	if (mlv_str_has_prefix(text, MLV_STR("\xef\xbb\xbf")))
		text = mlv_str_from(text, 3);
	*d = (struct mlv_small_json){ .name = name, .text = text };
	enum mlv_rc rc = check_utf8(d, err);
	if (rc)
		return rc;
	const char *end = text.p;
	d->root = cJSON_ParseWithLengthOpts(text.p, text.n, &end, 0);
	size_t at = (size_t)(end - text.p);
	if (!d->root)
		return at + 1 < text.n ? wrong_at(d, at, err, "this is no JSON")
				       : wrong_at(d, at, err, "the JSON ends here, unfinished");
	while (at < text.n && strchr(" \t\r\n", text.p[at]))
		at++;
	if (at < text.n)
		rc = wrong_at(d, at, err, "there is more behind the end of the JSON");
	if (!rc && !cJSON_IsObject(d->root))
		rc = wrong_at(d, 0, err, "this must be an object, { ... }");
	if (!rc)
		rc = check_numbers(d, err);
	if (!rc)
		rc = check_twice(d, d->root, err);
	if (rc)
		mlv_small_json_fini(d);
	return rc;
}

void mlv_small_json_fini(struct mlv_small_json *d)
{
	cJSON_Delete(d->root);
	d->root = NULL;
}

/* ------------------------------------------------------------------ asking */

enum mlv_rc mlv_small_json_keys(const struct mlv_small_json *d, const cJSON *object,
				const char *const *keys, struct mlv_err *err)
{
	for (const cJSON *c = object->child; c; c = c->next) {
		struct mlv_suggestion near = mlv_suggest_for(c->string);
		size_t i = 0;
		for (; keys[i] && strcmp(keys[i], c->string) != 0; i++)
			mlv_suggest_try(&near, keys[i]);
		if (!keys[i])
			return mlv_small_json_wrong(d, c, true, err, "unknown key '%.60s'%s%s%s",
						    c->string, near.best ? "; did you mean '" : "",
						    near.best ? near.best : "",
						    near.best ? "'?" : "");
	}
	return MLV_OK;
}

enum mlv_rc mlv_small_json_text(const struct mlv_small_json *d, const cJSON *object,
				const char *key, const char **text, struct mlv_err *err)
{
	const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, key);
	if (!value)
		return MLV_OK;
	if (!cJSON_IsString(value) || !value->valuestring[0])
		return mlv_small_json_wrong(d, value, false, err, "'%s' must be a text", key);
	*text = value->valuestring;
	return MLV_OK;
}

enum mlv_rc mlv_small_json_schema(const struct mlv_small_json *d, const char *schema,
				  struct mlv_err *err)
{
	const char *is = NULL;
	enum mlv_rc rc = mlv_small_json_text(d, d->root, "schema", &is, err);
	if (rc)
		return rc;
	if (!is)
		return mlv_small_json_wrong(d, d->root, false, err,
					    "the object has no \"schema\": \"%s\"", schema);
	if (strcmp(is, schema) != 0)
		return mlv_small_json_wrong(d, cJSON_GetObjectItemCaseSensitive(d->root, "schema"),
					    false, err, "the schema is '%.60s' and must be '%s'",
					    is, schema);
	return MLV_OK;
}
