/* SPDX-License-Identifier: MIT */
#include "cli/report_page.h"

#include <stdlib.h>

#include "cli/timeline_other.h"
#include "report/ci/report_json.h"

/* Of the blocks together. Browsers open more, but not at once and not on every machine. */
#define MOST_BYTES (UINT64_C(64) << 20)

enum {
	MOST_SPANS = 250000, /* of an input: some two MiB of the page */
	TOP = 12,            /* classes with colours of their own */
};

void mlv_report_page_fini(struct mlv_report_page *p)
{
	mlv_page_timelines_fini(&p->timelines);
}

static enum mlv_rc add_memory(struct mlv_report_page *p, const struct mlv_input *input,
			      struct mlv_err *err)
{
	struct mlv_input one = *input;
	struct mlv_inputs in = { .list = &one, .count = 1 };
	struct mlv_panels_options o = { .device = -1, .user_path = p->user_path };
	struct mlv_panels panels;
	enum mlv_rc rc = mlv_panels_init(&panels, &in, &o, err);
	if (rc)
		return rc;
	rc = mlv_page_add_memory(&p->timelines, &panels, p->capacity, TOP, err);
	mlv_panels_fini(&panels);
	return rc;
}

enum mlv_rc mlv_report_page_input(struct mlv_report_page *p, const struct mlv_input *input,
				  struct mlv_err *err)
{
	enum mlv_rc rc = MLV_OK;
	if (input->run.devices.len)
		rc = add_memory(p, input, err);
	if (!rc && mlv_picture_kind(&input->run) == MLV_PICTURE_SPANS)
		rc = mlv_page_add_spans(&p->timelines, &input->run, MOST_SPANS, err);
	/* Not to hold much more than the page can have. */
	mlv_page_make_room(&p->timelines,
			   &(struct mlv_page_limits){ .most_bytes = 4 * MOST_BYTES });
	return rc;
}

/* Ranks of which the report says that something is wrong. */
static int64_t *ranks_of_interest(const struct mlv_report *r, size_t *count)
{
	int64_t *ranks = malloc((r->ranks.len + 1) * sizeof(*ranks));
	*count = 0;
	for (size_t i = 0; ranks && i < r->ranks.len; i++) {
		const struct mlv_report_rank *k = &r->ranks.data[i];
		if (k->oom || k->growth_bytes > 0 || mlv_report_rank_idles(k))
			ranks[(*count)++] = k->rank;
	}
	return ranks;
}

enum mlv_rc mlv_report_page_make(struct mlv_report_page *p, const struct mlv_report *report,
				 struct mlv_buf *out, struct mlv_err *err)
{
	struct mlv_html html = { 0 };
	struct mlv_buf json = { 0 };
	struct mlv_page_limits limits = { .most_bytes = MOST_BYTES, .one_memory = true };
	int64_t *ranks = ranks_of_interest(report, &limits.rank_count);
	limits.ranks = ranks;
	mlv_report_json(report, &json);
	enum mlv_rc rc = json.failed || !ranks ? mlv_err_nomem(err) : MLV_OK;
	if (!rc) {
		mlv_html_json(&html, "report", "report", (struct mlv_str){ json.data, json.len });
		rc = mlv_page_timelines_end(&p->timelines, &limits, &html, err);
	}
	if (!rc)
		rc = mlv_html_end(&html, report->title, out, err);
	mlv_html_fini(&html);
	mlv_buf_fini(&json);
	free(ranks);
	return rc;
}
