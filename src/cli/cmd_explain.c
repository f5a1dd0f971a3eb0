/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/json_write.h"
#include "base/suggest.h"
#include "cli/command.h"
#include "cli/exit.h"
#include "cli/output.h"
#include "report/ci/explain.h"

struct state {
	struct mlv_common common;
};

static const struct mlv_option options[] = {
	MLV_OUTPUT_OPTIONS(struct state, common),
	MLV_OPT_END,
};

/* Offers every rule and verdict; the texts of verdicts are within pages, without an end. */
static void unknown(const char *name)
{
	struct mlv_suggestion s = mlv_suggest_for(name);
	struct mlv_err err = MLV_ERR_INIT;
	char words[64][48];
	size_t n = 0;
	for (size_t i = 0; i < mlv_rule_count; i++)
		mlv_suggest_try(&s, mlv_rules[i].id);
	for (size_t i = 0; i < mlv_rule_page_count; i++) {
		struct mlv_str verdict;
		for (size_t at = 0; mlv_explain_next(&mlv_rule_pages[i], &at, &verdict);) {
			if (n == sizeof(words) / sizeof(words[0]) || verdict.n >= sizeof(words[0]))
				continue;
			memcpy(words[n], verdict.p, verdict.n);
			words[n][verdict.n] = '\0';
			mlv_suggest_try(&s, words[n++]);
		}
	}
	if (s.best)
		mlv_err_set(&err, MLV_E_USAGE,
			    "there is no rule or verdict '%.60s'; did you mean %s?", name, s.best);
	else
		mlv_err_set(&err, MLV_E_USAGE,
			    "there is no rule or verdict '%.60s'; `mlviz explain` lists them",
			    name);
	mlv_report_error(&err);
}

static void list_text(struct mlv_buf *out)
{
	for (size_t i = 0; i < mlv_rule_count; i++) {
		const struct mlv_rule_page *page = mlv_rule_page_of(mlv_rules[i].id);
		struct mlv_str verdict;
		bool any = false;
		mlv_buf_printf(out, "%-15s  %-8s %s\n", mlv_rules[i].id,
			       mlv_finding_severity_name(mlv_rules[i].severity),
			       mlv_rules[i].title);
		for (size_t at = 0; page && mlv_explain_next(page, &at, &verdict); any = true) {
			mlv_buf_puts(out, any ? ", " : "                 verdicts: ");
			mlv_buf_str(out, verdict);
		}
		mlv_buf_puts(out, any ? "\n" : "");
	}
}

static void list_json(struct mlv_json *j)
{
	mlv_json_key_array(j, "rules");
	for (size_t i = 0; i < mlv_rule_count; i++) {
		const struct mlv_rule_page *page = mlv_rule_page_of(mlv_rules[i].id);
		struct mlv_str verdict;
		mlv_json_object(j);
		mlv_json_key_text(j, "rule", mlv_rules[i].id);
		mlv_json_key_text(j, "severity", mlv_finding_severity_name(mlv_rules[i].severity));
		mlv_json_key_text(j, "title", mlv_rules[i].title);
		mlv_json_key_array(j, "verdicts");
		for (size_t at = 0; page && mlv_explain_next(page, &at, &verdict);)
			mlv_json_str(j, verdict);
		mlv_json_array_end(j);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}

static void page_text(const char *name, const struct mlv_explanation *e, struct mlv_buf *out)
{
	if (e->part)
		mlv_buf_printf(out, "# %s\n\n", name);
	mlv_buf_str(out, e->text);
	if (e->part)
		mlv_buf_printf(out,
			       "\n\nA verdict of the rule %s: `mlviz explain %s` has its page.\n",
			       e->rule->id, e->rule->id);
}

static void page_json(const char *name, const struct mlv_explanation *e, struct mlv_json *j)
{
	mlv_json_key_text(j, "name", name);
	mlv_json_key_text(j, "rule", e->rule->id);
	mlv_json_key_text(j, "severity", mlv_finding_severity_name(e->rule->severity));
	mlv_json_key_text(j, "title", e->rule->title);
	mlv_json_key(j, "text");
	mlv_json_str(j, e->text);
}

static int run(void *opaque, int argc, char **argv)
{
	const struct state *st = opaque;
	struct mlv_explanation e;
	struct mlv_buf out = { 0 };
	struct mlv_json j;
	if (argc && !mlv_explain(argv[0], &e)) {
		unknown(argv[0]);
		return MLV_EXIT_USAGE;
	}
	if (st->common.json) {
		mlv_json_document(&j, &out, "mlviz.explain/1");
		if (argc)
			page_json(argv[0], &e, &j);
		else
			list_json(&j);
		mlv_json_document_end(&j);
	} else if (argc) {
		page_text(argv[0], &e, &out);
	} else {
		list_text(&out);
	}
	return mlv_command_end(st->common.output, &out, MLV_EXIT_OK);
}

const struct mlv_command mlv_cmd_explain = {
	.name = "explain",
	.summary = "what a finding or a verdict means, and how it is reached",
	.usage = "mlviz explain [options] [RULE|VERDICT]",
	.details =
		"Prints the page of a rule of mlviz report: what it means, by which evidence and "
		"thresholds it is reached, what to do, when it is wrong, and how to silence it or "
		"give it a budget. A verdict of classify, hang or replay is explained as well. "
		"Without a name it lists all of them.",
	.examples = "mlviz explain\n"
		    "mlviz explain memory-growth\n"
		    "mlviz explain missing-rank",
	.options = options,
	.state_size = sizeof(struct state),
	.common_offset = offsetof(struct state, common),
	.min_args = 0,
	.max_args = 1,
	.run = run,
};
