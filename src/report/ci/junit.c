/* SPDX-License-Identifier: MIT */
#include "report/ci/junit.h"

#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "base/xml_write.h"

/*
 * GitLab refuses a file of 30 MB and more. A case has at most so many lines of
 * so many bytes, and a file of budgets is limited too (budget_file.h).
 */
enum { MOST_LINES = 16, LONGEST_LINE = 600, LONGEST_NAME = 160 };

/* One test case, written when all that belongs to it is known. */
struct test {
	const char *class, *name;
	const char *failed, *skipped; /* what to say first; NULL: neither */
	const char *type;             /* of a failure */
	struct mlv_buf lines;         /* what is said of it */
	size_t said, left_out;
	const char *picture;
};

struct suite {
	const char *name;
	size_t tests, failures, skipped;
	struct mlv_buf cases;
};

static void say(struct test *t, const char *text)
{
	char line[LONGEST_LINE];
	if (t->said >= MOST_LINES) {
		t->left_out++;
		return;
	}
	t->said++;
	mlv_utf8_fit(line, sizeof(line), text, strlen(text));
	mlv_xml_str(&t->lines, mlv_str_of(line), false);
	mlv_buf_putc(&t->lines, '\n');
}

static void attribute(struct mlv_buf *b, const char *name, const char *value, size_t longest)
{
	char text[LONGEST_LINE];
	mlv_utf8_fit(text, longest < sizeof(text) ? longest : sizeof(text), value, strlen(value));
	mlv_xml_attribute(b, name, mlv_str_of(text));
}

static void element(struct mlv_buf *b, const struct test *t)
{
	const char *tag = t->failed ? "failure" : "skipped";
	mlv_buf_printf(b, "      <%s", tag);
	if (t->failed)
		mlv_xml_attribute(b, "type", mlv_str_of(t->type));
	attribute(b, "message", t->failed ? t->failed : t->skipped, LONGEST_LINE);
	mlv_buf_putc(b, '>');
	mlv_buf_add(b, t->lines.data, t->lines.len);
	if (t->left_out)
		mlv_buf_printf(b, "and %zu more\n", t->left_out);
	mlv_buf_printf(b, "</%s>\n", tag);
}

/*
 * No text of an input goes to system-out: a receiver that finds an attachment
 * named there takes the file.
 */
static void attachment(struct mlv_buf *b, const char *prefix, const char *picture)
{
	mlv_buf_puts(b, "      <system-out>[[ATTACHMENT|");
	mlv_xml_str(b, mlv_str_of(prefix), false);
	mlv_xml_str(b, mlv_str_of(picture), false);
	mlv_buf_puts(b, ".png]]</system-out>\n");
}

static void end_test(struct suite *s, struct test *t, const char *prefix)
{
	bool pictured = prefix && t->picture;
	s->tests++;
	s->failures += t->failed != NULL;
	s->skipped += !t->failed && t->skipped;
	mlv_buf_puts(&s->cases, "    <testcase");
	mlv_xml_attribute(&s->cases, "classname", mlv_str_of(t->class));
	attribute(&s->cases, "name", t->name, LONGEST_NAME);
	mlv_buf_puts(&s->cases, " time=\"0\"");
	if (!t->failed && !t->skipped && !pictured) {
		mlv_buf_puts(&s->cases, "/>\n");
	} else {
		mlv_buf_puts(&s->cases, ">\n");
		if (t->failed || t->skipped)
			element(&s->cases, t);
		if (pictured)
			attachment(&s->cases, prefix, t->picture);
		mlv_buf_puts(&s->cases, "    </testcase>\n");
	}
	s->cases.failed |= t->lines.failed;
	mlv_buf_fini(&t->lines);
}

/* ---- budgets ---- */

/* How much a reader wants to see the row: what failed, what was not judged, what is kept. */
static unsigned urgency(const struct mlv_budget_result *r)
{
	return r->fails ? 2 : r->state != MLV_BUDGET_KEPT;
}

/* The rows of one budget: one case, which fails where one of them does. */
static void budget(struct suite *s, const struct mlv_budget_result *rows, size_t n,
		   const char *prefix)
{
	struct test t = { .class = "mlviz.budgets", .name = rows[0].name };
	const struct mlv_budget_result *first = &rows[0];
	for (size_t i = 1; i < n; i++)
		if (urgency(&rows[i]) > urgency(first))
			first = &rows[i];
	/* Some rows unjudged do not make a budget unjudged. */
	bool judged = false;
	for (size_t i = 0; i < n; i++)
		judged = judged || rows[i].state == MLV_BUDGET_KEPT;
	if (first->fails) {
		t.failed = first->message;
		t.type = first->state == MLV_BUDGET_PASSED ? "passed" : "not-judged";
	} else if (urgency(first) && !judged) {
		t.skipped = first->message;
	}
	for (size_t i = 0; i < n; i++)
		if (urgency(&rows[i]) == urgency(first))
			say(&t, rows[i].message);
	for (size_t i = 0; i < n && !t.picture; i++)
		if (urgency(&rows[i]) == urgency(first))
			t.picture = rows[i].picture;
	end_test(s, &t, prefix);
}

static void budgets(struct suite *s, const struct mlv_budget_results *r, const char *prefix)
{
	for (size_t i = 0, n; r && i < r->list.len; i += n) {
		const struct mlv_budget_result *rows = &r->list.data[i];
		for (n = 1; i + n < r->list.len && rows[n].budget == rows[0].budget;)
			n++;
		budget(s, rows, n, prefix);
	}
}

/* ---- findings ---- */

static void message_of(struct test *t, const struct mlv_ci_finding *f)
{
	char line[LONGEST_LINE];
	struct mlv_buf text = { 0 };
	mlv_utf8_fit(line, sizeof(line), f->message, strlen(f->message));
	mlv_buf_puts(&text, line);
	if (f->place.file) {
		mlv_buf_printf(&text, " (%s", f->place.file);
		if (f->place.line)
			mlv_buf_printf(&text, ":%" PRIu32, f->place.line);
		mlv_buf_putc(&text, ')');
	}
	t->lines.failed |= text.failed;
	say(t, text.data ? text.data : "");
	mlv_buf_fini(&text);
}

/* A class is there where it is severe by itself, or one of its findings is. */
static void class_of_findings(struct suite *s, const struct mlv_ci_findings *f,
			      const struct mlv_rule *rule, const char *prefix)
{
	struct test t = { .class = "mlviz.findings", .name = rule->id, .type = rule->id };
	for (size_t i = 0; i < f->list.len; i++) {
		const struct mlv_ci_finding *one = &f->list.data[i];
		if (one->rule != rule || one->severity != MLV_FINDING_ERROR)
			continue;
		if (!t.failed)
			t.failed = one->message;
		if (!t.picture)
			t.picture = one->picture;
		message_of(&t, one);
	}
	if (t.failed || rule->severity == MLV_FINDING_ERROR)
		end_test(s, &t, prefix);
}

static void suite(struct mlv_buf *out, struct suite *s)
{
	if (!s->tests)
		return;
	mlv_buf_printf(out,
		       "  <testsuite name=\"%s\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" "
		       "skipped=\"%zu\">\n",
		       s->name, s->tests, s->failures, s->skipped);
	mlv_buf_add(out, s->cases.data, s->cases.len);
	mlv_buf_puts(out, "  </testsuite>\n");
	out->failed |= s->cases.failed;
	mlv_buf_fini(&s->cases);
}

void mlv_ci_junit(const struct mlv_ci_findings *f, const struct mlv_budget_results *results,
		  const char *prefix, struct mlv_buf *out)
{
	struct suite first = { .name = "budgets" }, second = { .name = "findings" };
	budgets(&first, results, prefix);
	for (size_t i = 0; i < mlv_rule_count; i++)
		/* Each budget that was passed has a case of its own. */
		if (strcmp(mlv_rules[i].id, "budget") != 0)
			class_of_findings(&second, f, &mlv_rules[i], prefix);
	mlv_buf_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	mlv_buf_printf(out,
		       "<testsuites name=\"mlviz report\" tests=\"%zu\" failures=\"%zu\" "
		       "errors=\"0\">\n",
		       first.tests + second.tests, first.failures + second.failures);
	suite(out, &first);
	suite(out, &second);
	mlv_buf_puts(out, "</testsuites>\n");
}
