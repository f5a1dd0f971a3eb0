/* SPDX-License-Identifier: MIT */
/* junit.xml and findings.sarif: what must stand in them, and what names from reports cannot do. */
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "base/utf8.h"
#include "base/xml_write.h"
#include "report/ci/junit.h"
#include "report/ci/sarif.h"
#include "report/ci/uri.h"
#include "unit.h"

/* All that a name may bring along, 10 kB of it. */
static const char *hostile(void)
{
	static char text[10200];
	static const char part[] = "<b>&amp;\"'</failure>]]>[x](http://a.example)"
				   "[[ATTACHMENT|/etc/passwd]]\x01\x1b[31m\x7f\xff\xc0\xaf\n\r\t"
				   "\xe2\x80\xae\xe2\x81\xa6\xef\xbf\xbe{0}%s<![CDATA[";
	text[0] = '\0';
	while (strlen(text) + sizeof(part) < sizeof(text))
		strcat(text, part);
	return text;
}

static const char *xml(const char *text, bool lines)
{
	static struct mlv_buf b;
	mlv_buf_fini(&b);
	mlv_xml_str(&b, mlv_str_of(text), lines);
	return b.data ? b.data : "";
}

START_TEST(test_xml)
{
	ck_assert_str_eq(xml("a<b>&\"'", false), "a&lt;b&gt;&amp;&quot;&apos;");
	ck_assert_str_eq(xml("]]>", false), "]]&gt;");
	ck_assert_str_eq(xml("a\nb\tc", false), "a b c");
	ck_assert_str_eq(xml("a\nb\tc", true), "a\nb c");
	ck_assert_str_eq(xml("\x01\x1b", true), "\xef\xbf\xbd\xef\xbf\xbd");
	ck_assert_str_eq(xml("\xef\xbf\xbe\xef\xbf\xbf", true), "\xef\xbf\xbd\xef\xbf\xbd");
	ck_assert_str_eq(xml("\xef\xbf\xbd\xef\xbe", true), "\xef\xbf\xbd\xef\xbf\xbd");
	ck_assert_str_eq(xml("\xe2\x80\xae", false), "\xef\xbf\xbd");
	ck_assert_str_eq(xml("\xc3\xa4", false), "\xc3\xa4");
}
END_TEST

static const char *uri(const char *path, const char *root)
{
	static struct mlv_buf b;
	mlv_buf_fini(&b);
	mlv_ci_uri(&b, mlv_str_of(path), root);
	return b.data;
}

START_TEST(test_uri)
{
	ck_assert_str_eq(uri("src/train.py", NULL), "src/train.py");
	ck_assert_str_eq(uri("/home/me/repo/src/a.py", "/home/me/repo"), "src/a.py");
	ck_assert_str_eq(uri("/home/me/repo/src/a.py", "/home/me/repo/"), "src/a.py");
	ck_assert_str_eq(uri("/home/me/repository/a.py", "/home/me/repo"),
			 "home/me/repository/a.py");
	ck_assert_str_eq(uri("/opt/a.py", NULL), "opt/a.py");
	ck_assert_str_eq(uri("C:\\work\\a b.py", NULL), "work/a%20b.py");
	ck_assert_str_eq(uri("C:\\work\\a.py", "C:/work"), "a.py");
	ck_assert_str_eq(uri("./x/../y//z.py", NULL), "y/z.py");
	ck_assert_str_eq(uri("../../etc/passwd", NULL), "etc/passwd");
	ck_assert_str_eq(uri("<string>", NULL), "%3Cstring%3E");
	ck_assert_str_eq(uri("http://a.example/x?y#z", NULL), "http%3A/a.example/x%3Fy%23z");
	ck_assert_str_eq(uri("\xff\xc3\xa4%", NULL), "%EF%BF%BD%C3%A4%25");
	ck_assert_str_eq(uri("", NULL), "unknown");
	ck_assert_str_eq(uri("/", "/"), "unknown");
}
END_TEST

/* For validators outside (tests/schemas), where a directory for them is given. */
static void keep(const char *name, const struct mlv_buf *b)
{
	char path[400];
	const char *dir = getenv("KEEP_SINKS");
	snprintf(path, sizeof(path), "%s/%s", dir ? dir : "", name);
	FILE *file = dir ? fopen(path, "w") : NULL;
	if (file) {
		fwrite(b->data, 1, b->len, file);
		fclose(file);
	}
}

/* ---- SARIF ---- */

static cJSON *sarif(const char *name, const struct mlv_ci_findings *f, struct mlv_sarif_options o,
		    size_t *bytes)
{
	struct mlv_buf b = { 0 };
	mlv_ci_sarif(f, &o, &b);
	ck_assert(!b.failed);
	keep(name, &b);
	cJSON *root = cJSON_ParseWithOpts(b.data, NULL, 1);
	ck_assert_msg(root != NULL, "no JSON: %.300s", b.data);
	uLong n = compressBound((uLong)b.len);
	Bytef *to = malloc(n);
	compress2(to, &n, (const Bytef *)b.data, (uLong)b.len, 6);
	free(to);
	if (bytes)
		*bytes = (size_t)n;
	mlv_buf_fini(&b);
	return root;
}

static cJSON *at(const cJSON *o, const char *key)
{
	cJSON *v = cJSON_GetObjectItemCaseSensitive(o, key);
	ck_assert_msg(v != NULL, "no %s", key);
	return v;
}

static const char *text(const cJSON *o, const char *key)
{
	const char *s = cJSON_GetStringValue(at(o, key));
	ck_assert_msg(s != NULL, "%s is no text", key);
	return s;
}

static cJSON *run_of(const cJSON *root)
{
	return cJSON_GetArrayItem(at(root, "runs"), 0);
}

/* Every field that the format and code scanning require. */
static void check_required(const cJSON *root)
{
	ck_assert_str_eq(text(root, "version"), "2.1.0");
	ck_assert_int_eq(cJSON_GetArraySize(at(root, "runs")), 1);
	const cJSON *driver = at(at(run_of(root), "tool"), "driver"), *rules = at(driver, "rules");
	ck_assert_str_eq(text(driver, "name"), "mlviz");
	ck_assert_uint_eq((size_t)cJSON_GetArraySize(rules), mlv_rule_count);
	const cJSON *one;
	cJSON_ArrayForEach(one, rules)
	{
		ck_assert(*text(one, "id"));
		ck_assert(*text(at(one, "shortDescription"), "text"));
		ck_assert(*text(at(one, "fullDescription"), "text"));
		/* The page of the rule. */
		ck_assert_ptr_nonnull(
			strstr(text(at(one, "help"), "markdown"), "## How it is reached"));
		ck_assert_str_eq(text(at(one, "help"), "text"), text(at(one, "help"), "markdown"));
		ck_assert_ptr_null(strchr(text(at(one, "fullDescription"), "text"), '#'));
	}
	cJSON_ArrayForEach(one, at(run_of(root), "results"))
	{
		int rule = at(one, "ruleIndex")->valueint;
		const char *level = text(one, "level");
		ck_assert_str_eq(text(cJSON_GetArrayItem(rules, rule), "id"), text(one, "ruleId"));
		ck_assert(!strcmp(level, "note") || !strcmp(level, "warning") ||
			  !strcmp(level, "error"));
		ck_assert(*text(at(one, "message"), "text"));
		ck_assert_int_eq(cJSON_GetArraySize(at(one, "locations")), 1);
		const cJSON *place =
			at(cJSON_GetArrayItem(at(one, "locations"), 0), "physicalLocation");
		const char *where = text(at(place, "artifactLocation"), "uri");
		ck_assert(*where && *where != '/' && !strstr(where, "..") && !strchr(where, ':') &&
			  !strchr(where, ' ') && !strchr(where, '<'));
		ck_assert_int_ge(at(at(place, "region"), "startLine")->valueint, 1);
		ck_assert_uint_eq(
			strlen(text(at(one, "partialFingerprints"), "primaryLocationLineHash")),
			16);
	}
}

static void add_some(struct mlv_ci_findings *f)
{
	struct mlv_ci_finding *one = mlv_ci_finding_add(f, "memory-growth");
	one->message = mlv_ci_text(f, "keep_logits keeps %d MiB in each step", 13);
	one->subject = "train.py:keep_logits";
	one->ranks = "0-3";
	one->metric = "growth";
	one->unit = "B";
	one->has_actual = true;
	one->actual = 13631488;
	one->place = (struct mlv_ci_place){ "keep_logits", "/repo/src/train.py", 33 };
	one->input = "mem-rank0.pickle.zst";
	one->picture = "rank0-timeline";
	mlv_ci_detail(f, one, "13 MiB a step over 6 steps");
	one = mlv_ci_finding_add(f, "straggler");
	one->message = "the other ranks waited 1.20 s for rank 2";
	one->subject = "rank";
	one->input = "logs/train rank2.log";
	one->input_line = 7;
	mlv_ci_findings_sort(f);
}

START_TEST(test_sarif)
{
	struct mlv_ci_findings f;
	mlv_ci_findings_init(&f);
	add_some(&f);
	cJSON *root =
		sarif("some.sarif", &f, (struct mlv_sarif_options){ .source_root = "/repo" }, NULL);
	check_required(root);
	const cJSON *results = at(run_of(root), "results");
	ck_assert_int_eq(cJSON_GetArraySize(results), 2);
	const cJSON *first = cJSON_GetArrayItem(results, 0);
	ck_assert_str_eq(text(first, "ruleId"), "memory-growth");
	ck_assert_str_eq(text(first, "level"), "error");
	ck_assert_str_eq(text(at(first, "message"), "text"),
			 "keep_logits keeps 13 MiB in each step. 13 MiB a step over 6 steps");
	const cJSON *where = at(cJSON_GetArrayItem(at(first, "locations"), 0), "physicalLocation");
	ck_assert_str_eq(text(at(where, "artifactLocation"), "uri"), "src/train.py");
	ck_assert_int_eq(at(at(where, "region"), "startLine")->valueint, 33);
	ck_assert_double_eq(at(at(first, "properties"), "actual")->valuedouble, 13631488);
	/* Without a line of the program: the input. */
	const cJSON *second = cJSON_GetArrayItem(results, 1);
	where = at(cJSON_GetArrayItem(at(second, "locations"), 0), "physicalLocation");
	ck_assert_str_eq(text(at(where, "artifactLocation"), "uri"), "logs/train%20rank2.log");
	ck_assert_int_eq(at(at(where, "region"), "startLine")->valueint, 7);
	const cJSON *run = cJSON_GetArrayItem(at(run_of(root), "invocations"), 0);
	ck_assert_ptr_null(cJSON_GetObjectItem(run, "toolExecutionNotifications"));
	cJSON_Delete(root);
	mlv_ci_findings_fini(&f);
}
END_TEST

START_TEST(test_sarif_empty)
{
	struct mlv_ci_findings f;
	mlv_ci_findings_init(&f);
	cJSON *root =
		sarif("empty.sarif", &f, (struct mlv_sarif_options){ .most_results = 0 }, NULL);
	check_required(root);
	ck_assert_int_eq(cJSON_GetArraySize(at(run_of(root), "results")), 0);
	cJSON_Delete(root);
	mlv_ci_findings_fini(&f);
}
END_TEST

static void check_cut(const cJSON *root, int shown, const char *said)
{
	const cJSON *results = at(run_of(root), "results");
	const cJSON *run = cJSON_GetArrayItem(at(run_of(root), "invocations"), 0);
	const cJSON *note = cJSON_GetArrayItem(at(run, "toolExecutionNotifications"), 0);
	ck_assert_int_eq(cJSON_GetArraySize(results), shown);
	ck_assert_ptr_nonnull(strstr(text(at(note, "message"), "text"), said));
	/* What is left is the most important. */
	for (int i = 0; i < shown; i++)
		ck_assert_str_eq(text(cJSON_GetArrayItem(results, i), "level"),
				 i == 0 ? "error" : "warning");
}

START_TEST(test_sarif_limits)
{
	struct mlv_ci_findings f;
	mlv_ci_findings_init(&f);
	uint64_t state = 1;
	for (int i = 0; i < 400; i++) {
		struct mlv_ci_finding *one = mlv_ci_finding_add(&f, "change");
		one->severity = i < 300 ? MLV_FINDING_WARNING : MLV_FINDING_NOTE;
		/* Random digits do not compress. */
		one->message = mlv_ci_text(&f, "%016" PRIx64 "%016" PRIx64, unit_random(&state),
					   unit_random(&state));
		one->weight = -i;
	}
	mlv_ci_finding_add(&f, "hang")->message = "stuck";
	mlv_ci_findings_sort(&f);
	cJSON *root =
		sarif("cut.sarif", &f, (struct mlv_sarif_options){ .most_results = 50 }, NULL);
	check_required(root);
	check_cut(root, 50, "50 of 401 findings");
	cJSON_Delete(root);

	size_t bytes;
	root = sarif("small.sarif", &f, (struct mlv_sarif_options){ .most_bytes = 16000 }, &bytes);
	ck_assert_uint_le(bytes, 16000);
	ck_assert_uint_gt(bytes, 8000);
	int shown = cJSON_GetArraySize(at(run_of(root), "results"));
	ck_assert_int_gt(shown, 50);
	check_cut(root, shown, "of 401 findings");
	cJSON_Delete(root);
	mlv_ci_findings_fini(&f);
}
END_TEST

START_TEST(test_sarif_hostile)
{
	struct mlv_ci_findings f;
	mlv_ci_findings_init(&f);
	struct mlv_ci_finding *one = mlv_ci_finding_add(&f, "failure");
	one->message = one->subject = one->ranks = one->metric = one->unit = one->input =
		one->picture = hostile();
	one->place = (struct mlv_ci_place){ hostile(), hostile(), UINT32_MAX };
	mlv_ci_detail(&f, one, hostile());
	one = mlv_ci_finding_add(&f, "failure");
	one->message = "x";
	one->input = hostile();
	mlv_ci_findings_sort(&f);
	size_t bytes;
	cJSON *root = sarif("hostile.sarif", &f,
			    (struct mlv_sarif_options){ .source_root = hostile() }, &bytes);
	check_required(root);
	char *all = cJSON_PrintUnformatted(at(run_of(root), "results"));
	ck_assert_ptr_null(strstr(all, "]("));
	ck_assert_ptr_null(strstr(all, "\xe2\x80\xae"));
	ck_assert_ptr_null(strstr(all, "\\u001b"));
	ck_assert_uint_lt(strlen(all), 40000);
	for (size_t i = 0, n = strlen(all); i < n;) {
		uint32_t cp;
		i += mlv_utf8_step(all + i, n - i, &cp);
		ck_assert_uint_ne(cp, MLV_UTF8_INVALID);
	}
	cJSON_free(all);
	cJSON_Delete(root);
	mlv_ci_findings_fini(&f);
}
END_TEST

/* ---- JUnit ---- */

static void budget(struct mlv_budget_results *r, size_t number, const char *name,
		   enum mlv_budget_state state, bool fails, const char *message)
{
	struct mlv_budget_result one = { .budget = number,
					 .name = name,
					 .metric = "reserved_peak",
					 .subject = "",
					 .state = state,
					 .fails = fails,
					 .unit = "B",
					 .message = message,
					 .picture = "rank0-timeline" };
	ck_assert(mlv_vec_push(&r->list, one));
}

static char *junit(const char *name, const struct mlv_ci_findings *f,
		   const struct mlv_budget_results *r)
{
	struct mlv_buf b = { 0 };
	mlv_ci_junit(f, r, "report/", &b);
	ck_assert(!b.failed);
	keep(name, &b);
	return b.data;
}

static size_t count(const char *text_of, const char *part)
{
	size_t n = 0;
	for (const char *p = text_of; (p = strstr(p, part)); p++)
		n++;
	return n;
}

START_TEST(test_junit)
{
	struct mlv_ci_findings f;
	struct mlv_budget_results r = { 0 };
	mlv_ci_findings_init(&f);
	add_some(&f);
	budget(&r, 0, "peak", MLV_BUDGET_KEPT, false, "rank 0: 1 GiB of 2 GiB");
	budget(&r, 0, "peak", MLV_BUDGET_PASSED, true, "rank 1: 3 GiB of 2 GiB");
	budget(&r, 1, "growth", MLV_BUDGET_KEPT, false, "0 B of 1 MiB");
	budget(&r, 2, "mm", MLV_BUDGET_NOTICE, false, "no baseline");
	budget(&r, 3, "need", MLV_BUDGET_NOTICE, true, "nothing measures it");
	budget(&r, 4, "part", MLV_BUDGET_UNKNOWN, false, "rank 0: cut");
	budget(&r, 4, "part", MLV_BUDGET_KEPT, false, "rank 1: 1 B of 2 B");
	char *x = junit("some.xml", &f, &r);
	const char *expected =
		"  <testsuite name=\"budgets\" tests=\"5\" failures=\"2\" errors=\"0\" "
		"skipped=\"1\">\n"
		"    <testcase classname=\"mlviz.budgets\" name=\"peak\" time=\"0\">\n"
		"      <failure type=\"passed\" message=\"rank 1: 3 GiB of 2 GiB\">rank 1: 3 GiB "
		"of 2 GiB\n</failure>\n"
		"      <system-out>[[ATTACHMENT|report/rank0-timeline.png]]</system-out>\n"
		"    </testcase>\n";
	ck_assert_ptr_nonnull(strstr(x, expected));
	ck_assert_ptr_nonnull(strstr(x, "name=\"mm\" time=\"0\">\n      <skipped message=\"no "
					"baseline\">no baseline\n</skipped>"));
	ck_assert_ptr_nonnull(strstr(x, "<failure type=\"not-judged\" message=\"nothing "
					"measures it\">"));
	/* The class of growth fails, the other severe ones do not; a straggler is no failure. */
	ck_assert_ptr_nonnull(strstr(x, "name=\"memory-growth\" time=\"0\">\n      <failure "
					"type=\"memory-growth\""));
	ck_assert_ptr_nonnull(strstr(x, "(/repo/src/train.py:33)"));
	ck_assert_ptr_nonnull(strstr(x, "name=\"out-of-memory\" time=\"0\"/>"));
	ck_assert_ptr_null(strstr(x, "straggler"));
	ck_assert_ptr_nonnull(strstr(x, "<testsuites name=\"mlviz report\" tests=\"9\" "
					"failures=\"3\" errors=\"0\">"));
	ck_assert_uint_eq(count(x, "<testcase"), 9);
	ck_assert_uint_eq(count(x, "<failure"), 3);
	free(x);
	mlv_budget_results_fini(&r);
	mlv_ci_findings_fini(&f);
}
END_TEST

START_TEST(test_junit_without_budgets)
{
	struct mlv_ci_findings f;
	mlv_ci_findings_init(&f);
	char *x = junit("none.xml", &f, NULL);
	ck_assert_ptr_null(strstr(x, "budgets"));
	ck_assert_uint_eq(count(x, "<testcase"), 4);
	ck_assert_uint_eq(count(x, "<failure"), 0);
	free(x);
	mlv_ci_findings_fini(&f);
}
END_TEST

START_TEST(test_junit_hostile)
{
	struct mlv_ci_findings f;
	struct mlv_budget_results r = { 0 };
	mlv_ci_findings_init(&f);
	char first[11000], second[11000];
	snprintf(first, sizeof(first), "1%s", hostile());
	snprintf(second, sizeof(second), "2%s", hostile());
	for (int i = 0; i < 100; i++) {
		struct mlv_ci_finding *one = mlv_ci_finding_add(&f, "failure");
		one->message = hostile();
		one->place = (struct mlv_ci_place){ hostile(), hostile(), 1 };
		budget(&r, 0, first, MLV_BUDGET_PASSED, true, hostile());
	}
	for (int i = 0; i < 100; i++)
		budget(&r, 1, second, MLV_BUDGET_NOTICE, false, hostile());
	char *x = junit("hostile.xml", &f, &r);
	ck_assert_uint_eq(count(x, "<testcase"), 6);
	/* No element but ours, and no attachment but ours. */
	ck_assert_uint_eq(count(x, "<b>"), 0);
	ck_assert_uint_eq(count(x, "]]>"), 0);
	ck_assert_uint_eq(count(x, "<![CDATA"), 0);
	ck_assert_uint_eq(count(x, "<system-out>"), 2);
	ck_assert_uint_eq(count(x, "<system-out>[[ATTACHMENT|report/rank0-timeline.png]]</"), 2);
	ck_assert_uint_lt(strlen(x), 200000);
	for (size_t i = 0, n = strlen(x); i < n;) {
		uint32_t cp;
		i += mlv_utf8_step(x + i, n - i, &cp);
		ck_assert_msg(cp == '\n' || (cp >= ' ' && cp != 0x7f && cp != MLV_UTF8_INVALID &&
					     cp != 0x202e && cp != 0xfffe),
			      "U+%04X", cp);
	}
	free(x);
	mlv_budget_results_fini(&r);
	mlv_ci_findings_fini(&f);
}
END_TEST

UNIT_MAIN("ci_sinks", test_xml, test_uri, test_sarif, test_sarif_empty, test_sarif_limits,
	  test_sarif_hostile, test_junit, test_junit_without_budgets, test_junit_hostile)
