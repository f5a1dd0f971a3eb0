/* SPDX-License-Identifier: MIT */
#include "cli/report_sinks.h"

#include "report/ci/report_json.h"

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

/* report.json lists the others: it comes last. */
const struct mlv_report_sink mlv_report_sinks[] = {
	{ "index.html", make_page },
	{ "report.json", make_json },
	{ NULL, NULL },
};

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
