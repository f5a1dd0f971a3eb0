/* SPDX-License-Identifier: MIT */
#include "cli/report_pictures.h"

#include <stdio.h>
#include <string.h>

#include "analysis/growth/classify.h"
#include "cli/classify_picture.h"
#include "cli/diff_picture.h"
#include "cli/hang_picture.h"
#include "cli/replay_picture.h"
#include "cli/timeline_picture.h"

static const struct mlv_picture_options look = { .size = { 1600, 900 } };
static const char *const endings[] = { ".svg", ".png" };
static const enum mlv_form forms[] = { MLV_FORM_SVG, MLV_FORM_PNG };

void mlv_report_pictures_fini(struct mlv_report_pictures *p)
{
	mlv_buf_fini(&p->diff[0]);
	mlv_buf_fini(&p->diff[1]);
}

/* The last input of the report, of which pictures are drawn now. */
static uint32_t last_input(const struct mlv_report_pictures *p)
{
	return (uint32_t)p->report->inputs.len - 1;
}

static enum mlv_rc write_both(struct mlv_report_pictures *p, const char *stem,
			      const struct mlv_buf *pictures, struct mlv_err *err)
{
	enum mlv_rc rc = MLV_OK;
	for (unsigned i = 0; !rc && i < 2; i++) {
		char name[160];
		snprintf(name, sizeof(name), "%s%s", stem, endings[i]);
		rc = mlv_report_out_file(p->out, name, &pictures[i], err);
	}
	return rc;
}

/* Draws one of the forms. */
typedef enum mlv_rc (*draw_fn)(void *context, enum mlv_form form, struct mlv_buf *out,
			       struct mlv_err *err);

/* What cannot be drawn is left out: the words say all of it. */
static enum mlv_rc add(struct mlv_report_pictures *p, enum mlv_report_picture_kind kind,
		       uint32_t input, const char *title, draw_fn draw, void *context,
		       struct mlv_err *err)
{
	struct mlv_buf pictures[2] = { { 0 } };
	struct mlv_err why = MLV_ERR_INIT;
	enum mlv_rc rc = MLV_OK;
	for (unsigned i = 0; !rc && i < 2; i++)
		rc = draw(context, forms[i], &pictures[i], &why);
	if (!rc)
		rc = write_both(p, mlv_report_picture_add(p->report, kind, input, title), pictures,
				&why);
	mlv_buf_fini(&pictures[0]);
	mlv_buf_fini(&pictures[1]);
	if (rc != MLV_E_OUTPUT && rc != MLV_E_NOMEM)
		return MLV_OK;
	*err = why;
	return rc;
}

/* ------------------------------------------------------------------ of one input */

struct drawing {
	const struct mlv_report_pictures *p;
	const struct mlv_input *input;
	const struct mlv_verdicts *verdicts;
	const struct mlv_study *study;
	struct mlv_sites *sites;
	struct mlv_hang *hang;
};

static enum mlv_rc draw_timeline(void *context, enum mlv_form form, struct mlv_buf *out,
				 struct mlv_err *err)
{
	struct drawing *d = context;
	struct mlv_input one = *d->input;
	struct mlv_inputs in = { .list = &one, .count = 1 };
	struct mlv_timeline_options o = { .picture = mlv_picture_of(&look, form, NULL),
					  .panels = { .device = -1, .user_path = d->p->user_path },
					  .capacity = d->p->capacity,
					  .top = 12 };
	struct mlv_timeline_picture t;
	enum mlv_rc rc = mlv_timeline_picture_init(&t, &in, &o, err);
	if (!rc && mlv_timeline_picture_first(&t))
		rc = mlv_timeline_picture_draw(&t, out, err);
	else if (!rc)
		rc = mlv_err_set(err, MLV_E_FORMAT, "there is nothing to draw");
	mlv_timeline_picture_fini(&t);
	return rc;
}

static enum mlv_rc timeline(struct mlv_report_pictures *p, const struct mlv_input *input,
			    struct mlv_err *err)
{
	static const enum mlv_report_picture_kind kinds[] = {
		[MLV_PICTURE_MEMORY] = MLV_REPORT_TIMELINE,
		[MLV_PICTURE_SPANS] = MLV_REPORT_TRACE,
		[MLV_PICTURE_SAMPLES] = MLV_REPORT_SAMPLES,
	};
	static const char *const titles[] = {
		[MLV_PICTURE_MEMORY] = "memory over time",
		[MLV_PICTURE_SPANS] = "calls over time",
		[MLV_PICTURE_SAMPLES] = "what was written down over time",
	};
	enum mlv_picture_kind kind = mlv_picture_kind(&input->run);
	struct drawing d = { .p = p, .input = input };
	/* Calls of a flight recorder are in the picture of all ranks; tables are read as such. */
	if (kind == MLV_PICTURE_NONE || kind == MLV_PICTURE_METRICS ||
	    input->run.recorder == MLV_RECORDER_COLLECTIVES)
		return MLV_OK;
	return add(p, kinds[kind], last_input(p), titles[kind], draw_timeline, &d, err);
}

static enum mlv_rc draw_classify(void *context, enum mlv_form form, struct mlv_buf *out,
				 struct mlv_err *err)
{
	const struct drawing *d = context;
	return mlv_classify_picture_draw(d->verdicts, &look, form, out, err);
}

static enum mlv_rc classify(struct mlv_report_pictures *p, const struct mlv_input *input,
			    bool *drawn, struct mlv_err *err)
{
	struct mlv_verdicts verdicts = { 0 };
	struct mlv_classify_options o = { .capacity = p->capacity };
	struct drawing d = { .p = p, .input = input, .verdicts = &verdicts };
	enum mlv_rc rc = mlv_classify_run(&verdicts, &input->run, &o, err);
	*drawn = false;
	for (size_t i = 0; i < verdicts.list.len; i++)
		*drawn |= verdicts.list.data[i].points.len > 1;
	if (!rc && *drawn)
		rc = add(p, MLV_REPORT_CLASSIFY, last_input(p), "why memory grows", draw_classify,
			 &d, err);
	mlv_verdicts_fini(&verdicts);
	return rc;
}

static enum mlv_rc draw_replay(void *context, enum mlv_form form, struct mlv_buf *out,
			       struct mlv_err *err)
{
	const struct drawing *d = context;
	const char *file = d->input->run.file;
	struct mlv_picture o = mlv_picture_of(&look, form, mlv_str_basename(mlv_str_of(file)).p);
	struct mlv_replay_drawing r = { .study = d->study, .sites = d->sites };
	return mlv_replay_picture_draw(&r, &o, out, err);
}

/* The first device that failed, or that holds much which it does not use; -1: none does. */
static int64_t device_of_interest(const struct mlv_report_pictures *p)
{
	for (size_t i = 0; i < p->report->ranks.len; i++) {
		const struct mlv_report_rank *k = &p->report->ranks.data[i];
		if (k->inputs.data[0] == last_input(p) && (k->oom || mlv_report_rank_idles(k)))
			return k->device;
	}
	return -1;
}

static enum mlv_rc replay(struct mlv_report_pictures *p, const struct mlv_input *input,
			  struct mlv_err *err)
{
	const struct mlv_run *run = &input->run;
	struct mlv_study_options o = { .lead = MLV_REPLAY_RECORDED,
				       .capacity = p->capacity,
				       .profile = MLV_PROFILE_LEARN,
				       .threads = 1 };
	struct mlv_study study;
	struct mlv_sites sites;
	struct drawing d = { .p = p, .input = input, .study = &study, .sites = &sites };
	int64_t device = device_of_interest(p);
	size_t row = 0;
	while (row < run->devices.len && run->devices.data[row].ordinal != device)
		row++;
	if (device < 0 || row == run->devices.len)
		return MLV_OK;
	enum mlv_rc rc = mlv_sites_init(&sites, run, NULL, 0, err);
	if (rc)
		return rc;
	rc = mlv_study_init(&study, run, row, &o, err);
	if (!rc) {
		if (!study.not_replayable)
			rc = add(p, MLV_REPORT_REPLAY, last_input(p), "fragmentation over time",
				 draw_replay, &d, err);
		mlv_study_fini(&study);
	}
	mlv_sites_fini(&sites);
	return rc;
}

enum mlv_rc mlv_report_pictures_input(struct mlv_report_pictures *p, const struct mlv_input *input,
				      struct mlv_err *err)
{
	bool drawn = false;
	enum mlv_rc rc = MLV_OK;
	/* What was written down phase by phase is told best by what follows from it. */
	if (mlv_picture_kind(&input->run) == MLV_PICTURE_SAMPLES)
		rc = classify(p, input, &drawn, err);
	if (!rc && !drawn)
		rc = timeline(p, input, err);
	return rc ? rc : replay(p, input, err);
}

/* ------------------------------------------------------------------ of all */

static enum mlv_rc draw_hang(void *context, enum mlv_form form, struct mlv_buf *out,
			     struct mlv_err *err)
{
	const struct drawing *d = context;
	struct mlv_picture o = mlv_picture_of(&look, form, d->p->report->title);
	return mlv_hang_picture_draw(d->hang, &o, out, err);
}

enum mlv_rc mlv_report_pictures_hang(struct mlv_report_pictures *p, struct mlv_hang *h,
				     struct mlv_err *err)
{
	struct drawing d = { .p = p, .hang = h };
	return add(p, MLV_REPORT_HANG, MLV_NO_INPUT, "the last collectives of each rank", draw_hang,
		   &d, err);
}

static enum mlv_rc draw_diff(struct mlv_report_pictures *p, const struct mlv_diff *d, unsigned form,
			     enum mlv_align align, struct mlv_err *err)
{
	struct mlv_diff_picture o = { .picture = mlv_picture_of(&look, forms[form], NULL),
				      .align = align };
	p->diff[form].len = 0;
	return mlv_diff_draw(d, &o, &p->diff[form], err);
}

enum mlv_rc mlv_report_pictures_diff(struct mlv_report_pictures *p, const struct mlv_diff *d,
				     struct mlv_err *err)
{
	struct mlv_diff_worth worth = mlv_diff_worth_of(d);
	struct mlv_err why = MLV_ERR_INIT;
	enum mlv_rc rc = MLV_OK;
	if (worth.kind < p->diff_kind || (worth.kind == p->diff_kind && worth.size <= p->diff_size))
		return MLV_OK;
	/* Step above step where there are steps. */
	for (unsigned i = 0; !rc && i < 2; i++) {
		rc = draw_diff(p, d, i, MLV_ALIGN_STEP, &why);
		if (rc == MLV_E_USAGE) {
			why = MLV_ERR_INIT;
			rc = draw_diff(p, d, i, MLV_ALIGN_START, &why);
		}
	}
	if (rc == MLV_E_NOMEM) {
		*err = why;
		return rc;
	}
	p->diff_kind = rc ? 0 : worth.kind;
	p->diff_size = worth.size;
	return MLV_OK;
}

enum mlv_rc mlv_report_pictures_end(struct mlv_report_pictures *p, struct mlv_err *err)
{
	if (!p->diff_kind)
		return MLV_OK;
	return write_both(p,
			  mlv_report_picture_add(p->report, MLV_REPORT_DIFF, MLV_NO_INPUT,
						 "what changed since the baseline"),
			  p->diff, err);
}
