/* SPDX-License-Identifier: MIT */
#include "report/ci/sarif.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "base/json_write.h"
#include "base/utf8.h"
#include "report/ci/explain.h"
#include "report/ci/number.h"
#include "report/ci/uri.h"

enum {
	MOST_RESULTS = 25000,
	MOST_BYTES = 10000000, /* compressed with gzip */
	LONGEST_TEXT = 2000,
	LONGEST_NAME = 400,
	LONGEST_DETAIL = 400,
	MOST_DETAILS = 8,
};

static const char *level_name(enum mlv_finding_severity s)
{
	static const char *const names[] = { "note", "warning", "error" };
	return names[s];
}

/*
 * A text for people: cut where it is long, without marks that would reorder
 * it. Readers take "[text](target)" in a message for a link, and names come
 * from reports: a blank between the brackets makes it none.
 */
static void safe_text(struct mlv_json *j, const char *key, const char *text, size_t longest)
{
	char fit[LONGEST_TEXT];
	struct mlv_buf plain = { 0 };
	mlv_utf8_fit(fit, longest, text, strlen(text));
	for (const char *p = fit, *link; *p; p = link) {
		link = strstr(p, "](");
		link = link ? link + 1 : p + strlen(p);
		mlv_buf_safe(&plain, (struct mlv_str){ p, (size_t)(link - p) });
		if (*link)
			mlv_buf_putc(&plain, ' ');
	}
	mlv_json_key_text(j, key, plain.data ? plain.data : "");
	j->out->failed |= plain.failed;
	mlv_buf_fini(&plain);
}

static void message(struct mlv_json *j, const char *key, const char *text)
{
	mlv_json_key_object(j, key);
	safe_text(j, "text", text, LONGEST_TEXT);
	mlv_json_object_end(j);
}

/* The page of the rule without its heading; its first paragraph says in full what it is. */
static void rule_help(struct mlv_json *j, const struct mlv_rule *r)
{
	const struct mlv_rule_page *page = mlv_rule_page_of(r->id);
	const char *begin = page ? strstr(page->text, "\n\n") : NULL;
	begin = begin ? begin + 2 : r->title;
	const char *end = strstr(begin, "\n\n");
	char first[LONGEST_TEXT];
	snprintf(first, sizeof(first), "%.*s", end ? (int)(end - begin) : LONGEST_TEXT - 1, begin);
	message(j, "fullDescription", first);
	mlv_json_key_object(j, "help");
	mlv_json_key_text(j, "text", begin);
	mlv_json_key_text(j, "markdown", begin);
	mlv_json_object_end(j);
}

/* Of some rules findings were made, of others not: all of them were looked for. */
static void rules(struct mlv_json *j)
{
	mlv_json_key_array(j, "rules");
	for (size_t i = 0; i < mlv_rule_count; i++) {
		const struct mlv_rule *r = &mlv_rules[i];
		mlv_json_object(j);
		mlv_json_key_text(j, "id", r->id);
		message(j, "shortDescription", r->title);
		rule_help(j, r);
		mlv_json_key_object(j, "defaultConfiguration");
		mlv_json_key_text(j, "level", level_name(r->severity));
		mlv_json_object_end(j);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}

/*
 * A finding without a line of the program gets the input that shows it:
 * receivers refuse a result without a location.
 */
static void location(struct mlv_json *j, const struct mlv_ci_finding *f, const char *root)
{
	struct mlv_buf uri = { 0 };
	bool placed = f->place.file && *f->place.file;
	uint32_t line = placed ? f->place.line : f->input_line;
	const char *file = placed ? f->place.file : f->input ? f->input : "";
	mlv_ci_uri(&uri, mlv_str_of(file), placed ? root : NULL);
	mlv_json_key_array(j, "locations");
	mlv_json_object(j);
	mlv_json_key_object(j, "physicalLocation");
	mlv_json_key_object(j, "artifactLocation");
	mlv_json_key_text(j, "uri", uri.data);
	mlv_json_object_end(j);
	mlv_json_key_object(j, "region");
	mlv_json_key_uint(j, "startLine", line ? line : 1);
	mlv_json_object_end(j);
	mlv_json_object_end(j);
	if (placed && *f->place.function) {
		mlv_json_key_array(j, "logicalLocations");
		mlv_json_object(j);
		safe_text(j, "name", f->place.function, LONGEST_NAME);
		mlv_json_key_text(j, "kind", "function");
		mlv_json_object_end(j);
		mlv_json_array_end(j);
	}
	mlv_json_object_end(j);
	mlv_json_array_end(j);
	j->out->failed |= uri.failed;
	mlv_buf_fini(&uri);
}

/* GitHub follows an alert from run to run by primaryLocationLineHash; others by any. */
static void fingerprints(struct mlv_json *j, const struct mlv_ci_finding *f)
{
	char hex[24];
	snprintf(hex, sizeof(hex), "%016" PRIx64, f->fingerprint);
	mlv_json_key_object(j, "partialFingerprints");
	mlv_json_key_text(j, "mlviz/v1", hex);
	mlv_json_key_text(j, "primaryLocationLineHash", hex);
	mlv_json_object_end(j);
}

static void text_if(struct mlv_json *j, const char *key, const char *text)
{
	if (text && *text)
		safe_text(j, key, text, LONGEST_NAME);
}

static void properties(struct mlv_json *j, const struct mlv_ci_finding *f)
{
	mlv_json_key_object(j, "properties");
	text_if(j, "subject", f->subject);
	text_if(j, "ranks", f->ranks);
	text_if(j, "metric", f->metric);
	if (f->metric && f->has_actual)
		mlv_ci_key_number(j, "actual", f->actual);
	if (f->metric && f->has_limit)
		mlv_ci_key_number(j, "limit", f->limit);
	if (f->metric)
		text_if(j, "unit", f->unit);
	text_if(j, "file", f->place.file);
	text_if(j, "input", f->input);
	text_if(j, "picture", f->picture);
	mlv_json_object_end(j);
}

/* The message and the first details: one text, since receivers show no other. */
static void result_text(struct mlv_json *j, const struct mlv_ci_finding *f)
{
	struct mlv_buf text = { 0 };
	char fit[LONGEST_DETAIL];
	mlv_buf_puts(&text, f->message);
	for (size_t i = 0; i < f->details.len && i < MOST_DETAILS; i++) {
		mlv_utf8_fit(fit, sizeof(fit), f->details.data[i], strlen(f->details.data[i]));
		mlv_buf_printf(&text, ". %s", fit);
	}
	message(j, "message", text.data ? text.data : "");
	j->out->failed |= text.failed;
	mlv_buf_fini(&text);
}

static void result(struct mlv_json *j, const struct mlv_ci_finding *f, const char *root)
{
	mlv_json_object(j);
	mlv_json_key_text(j, "ruleId", f->rule->id);
	mlv_json_key_uint(j, "ruleIndex", (uint64_t)(f->rule - mlv_rules));
	mlv_json_key_text(j, "level", level_name(f->severity));
	result_text(j, f);
	location(j, f, root);
	fingerprints(j, f);
	properties(j, f);
	mlv_json_object_end(j);
}

/* What a reader must know of the run itself: whether it is all there. */
static void invocation(struct mlv_json *j, size_t shown, size_t all)
{
	char text[160];
	mlv_json_key_array(j, "invocations");
	mlv_json_object(j);
	mlv_json_key_bool(j, "executionSuccessful", true);
	if (shown < all) {
		snprintf(text, sizeof(text),
			 "%zu of %zu findings are in this file, the most important ones: receivers "
			 "take no more; report.json has all",
			 shown, all);
		mlv_json_key_array(j, "toolExecutionNotifications");
		mlv_json_object(j);
		mlv_json_key_text(j, "level", "warning");
		message(j, "message", text);
		mlv_json_object_end(j);
		mlv_json_array_end(j);
	}
	mlv_json_object_end(j);
	mlv_json_array_end(j);
}

static void tool(struct mlv_json *j)
{
	mlv_json_key_object(j, "tool");
	mlv_json_key_object(j, "driver");
	mlv_json_key_text(j, "name", "mlviz");
	mlv_json_key_text(j, "semanticVersion", MLV_VERSION);
	rules(j);
	mlv_json_object_end(j);
	mlv_json_object_end(j);
}

static void document(const struct mlv_ci_findings *f, size_t count, const char *root,
		     struct mlv_buf *out)
{
	struct mlv_json j;
	mlv_json_init(&j, out);
	mlv_json_object(&j);
	mlv_json_key_text(&j, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
	mlv_json_key_text(&j, "version", "2.1.0");
	mlv_json_key_array(&j, "runs");
	mlv_json_object(&j);
	tool(&j);
	invocation(&j, count, f->list.len);
	/* Columns are not told; the key says in what they would be counted, as some validators ask.
	 */
	mlv_json_key_text(&j, "columnKind", "unicodeCodePoints");
	mlv_json_key_array(&j, "results");
	for (size_t i = 0; i < count; i++)
		result(&j, &f->list.data[i], root);
	mlv_json_array_end(&j);
	mlv_json_object_end(&j);
	mlv_json_array_end(&j);
	mlv_json_object_end(&j);
	mlv_buf_putc(out, '\n');
}

/* How many bytes the document has once it is compressed, as it is sent; 0 when memory runs out. */
static size_t compressed(const struct mlv_buf *b)
{
	uLong room = compressBound((uLong)b->len), n = room;
	Bytef *to = malloc(room);
	if (!to || compress2(to, &n, (const Bytef *)b->data, (uLong)b->len, 6) != Z_OK)
		n = 0;
	free(to);
	return (size_t)n;
}

void mlv_ci_sarif(const struct mlv_ci_findings *f, const struct mlv_sarif_options *o,
		  struct mlv_buf *out)
{
	size_t most = o->most_results ? o->most_results : MOST_RESULTS;
	size_t room = o->most_bytes ? o->most_bytes : MOST_BYTES;
	size_t count = f->list.len < most ? f->list.len : most;
	size_t begin = out->len;
	for (;;) {
		document(f, count, o->source_root, out);
		/* What is small enough as it is needs no trial. */
		if (out->failed || !count || out->len - begin <= room)
			return;
		struct mlv_buf written = { .data = out->data + begin, .len = out->len - begin };
		size_t n = compressed(&written);
		if (!n)
			out->failed = true;
		if (n <= room)
			return;
		count = count * 3 / 4;
		out->len = begin;
	}
}
