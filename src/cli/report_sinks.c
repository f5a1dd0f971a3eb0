/* SPDX-License-Identifier: MIT */
#include "cli/report_sinks.h"

#include "report/ci/junit.h"
#include "report/ci/report_json.h"
#include "report/ci/sarif.h"
#include "report/ci/summary_md.h"

static enum mlv_rc make_json(const struct mlv_report_sources *s, struct mlv_buf *out,
			     struct mlv_err *err)
{
	(void)err;
	mlv_report_json(s->report, out);
	return MLV_OK;
}

static enum mlv_rc make_page(const struct mlv_report_sources *s, struct mlv_buf *out,
			     struct mlv_err *err)
{
	return mlv_report_page_make(s->page, s->report, out, err);
}

static enum mlv_rc make_summary(const struct mlv_report_sources *s, struct mlv_buf *out,
				struct mlv_err *err)
{
	size_t cut = mlv_summary_md(s->report, s->report->budgets, 0, out);
	const char *words = cut ? mlv_report_say(s->report, "summary.md: %zu findings", cut) : NULL;
	if (out->failed || (words && !mlv_vec_push(&s->report->cut, words)))
		return mlv_err_nomem(err);
	return MLV_OK;
}

static enum mlv_rc make_junit(const struct mlv_report_sources *s, struct mlv_buf *out,
			      struct mlv_err *err)
{
	const char *prefix = s->attachments ? s->attachments : "";
	mlv_ci_junit(&s->report->findings, s->report->budgets, prefix, out);
	return out->failed ? mlv_err_nomem(err) : MLV_OK;
}

static enum mlv_rc make_sarif(const struct mlv_report_sources *s, struct mlv_buf *out,
			      struct mlv_err *err)
{
	struct mlv_sarif_options o = { .source_root = s->source_root };
	mlv_ci_sarif(&s->report->findings, &o, out);
	return out->failed ? mlv_err_nomem(err) : MLV_OK;
}

/* What says in the report what it left out comes first; report.json, which lists the others, last.
 */
/* clang-format off */
const struct mlv_report_sink mlv_report_sinks[] = {
	{ "summary.md", make_summary },
	{ "index.html", make_page },
	{ "junit.xml", make_junit },
	{ "findings.sarif", make_sarif },
	{ "report.json", make_json },
	{ NULL, NULL },
};
/* clang-format on */

enum mlv_rc mlv_report_sinks_write(const struct mlv_report_sources *s, struct mlv_report_out *out,
				   struct mlv_err *err)
{
	enum mlv_rc rc = MLV_OK;
	for (const struct mlv_report_sink *k = mlv_report_sinks; !rc && k->file; k++)
		rc = mlv_report_out_list(out, k->file, err);
	for (const struct mlv_report_sink *k = mlv_report_sinks; !rc && k->file; k++) {
		struct mlv_buf document = { 0 };
		rc = k->make(s, &document, err);
		if (!rc)
			rc = mlv_report_out_file(out, k->file, &document, err);
		mlv_buf_fini(&document);
	}
	return rc;
}
