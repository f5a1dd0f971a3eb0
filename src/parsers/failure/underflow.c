/* SPDX-License-Identifier: MIT */
/*
 * Output of DebugUnderflowOverflow: the smallest and largest absolute values
 * of weights, inputs and outputs, module by module, of some batches or of the
 * last calls before an inf or nan was seen. The figures are metrics, the first
 * value that is not finite is a finding that says what led to it.
 */
#include <stdio.h>
#include <string.h>

#include "parsers/add.h"
#include "parsers/text/scan.h"
#include "parsers/text/statement.h"

static const char NAME[] = "underflow-overflow";
static const char COLUMNS[] = "abs min  abs max  metadata";

enum { HEADER_BLANKS = 18, FACT_BYTES = 24 };

struct state {
	bool detected; /* "Detected inf/nan", whose cause was not seen yet */
	bool told;     /* the finding of this detection was made */
	bool frames;   /* below the header of the columns */
	int64_t batch;
	uint32_t detected_line, last_line;
	size_t indent; /* of the whole report */
	uint32_t section, row;
	mlv_strid module, class_name; /* of the frame that is open */
	bool module_known;
	struct mlv_decimal input, output; /* largest ones of the frame; finite */
	bool has_input, has_output;
	/* The last frame whose input and output were finite, and the last finite value. */
	mlv_strid last_module;
	char growth[FACT_BYTES], abs_max[FACT_BYTES];
};

static enum mlv_rc intern(struct mlv_text *t, struct mlv_str s, mlv_strid *id, struct mlv_err *err)
{
	return mlv_run_intern(t->run, mlv_str_some(s), id) ? MLV_OK : mlv_err_nomem(err);
}

static enum mlv_rc metric(struct state *st, struct mlv_text *t, struct mlv_str subject,
			  const char *name, struct mlv_decimal value, struct mlv_err *err)
{
	struct mlv_metric_row row = { t->run, t->limits, st->section - 1, st->row, MLV_STR_NONE };
	enum mlv_rc rc = intern(t, subject, &row.subject, err);
	return rc ? rc : mlv_add_metric_named(&row, name, value, err);
}

/* By what factor the largest value grew from input to output, with three digits. */
static bool growth_of(const struct state *st, char *text, size_t size)
{
	if (!st->has_input || !st->has_output)
		return false;
	double in = mlv_decimal_value(st->input), out = mlv_decimal_value(st->output);
	if (!(in > 0))
		return false;
	snprintf(text, size, "%.3g", out / in);
	return true;
}

/* The frame is complete: how much its module amplified. */
static enum mlv_rc close_frame(struct state *st, struct mlv_text *t, struct mlv_err *err)
{
	char text[FACT_BYTES];
	struct mlv_decimal d;
	enum mlv_rc rc = MLV_OK;
	if (st->module_known && growth_of(st, text, sizeof(text)) &&
	    mlv_decimal_whole(mlv_str_of(text), MLV_UNIT_NONE, &d)) {
		memcpy(st->growth, text, sizeof(text));
		st->last_module = st->module;
		rc = metric(st, t, mlv_run_str(t->run, st->module), "growth", d, err);
		st->row++;
	}
	st->module_known = st->has_input = st->has_output = false;
	return rc;
}

static enum mlv_rc close_frames(struct state *st, struct mlv_text *t, struct mlv_err *err)
{
	enum mlv_rc rc = MLV_OK;
	if (st->frames)
		rc = close_frame(st, t, err);
	st->frames = false;
	return rc;
}

/* The finding; `context` and `value` are empty if the report ends before the culprit. */
static enum mlv_rc tell(struct state *st, struct mlv_text *t, struct mlv_str context,
			struct mlv_str value, uint32_t line, struct mlv_err *err)
{
	char text[600];
	struct mlv_str module = mlv_run_str(t->run, st->module);
	struct mlv_str class_name = mlv_run_str(t->run, st->class_name);
	struct mlv_statement s = { .format = NAME,
				   .code = "inf-nan",
				   .severity = MLV_FINDING_ERROR,
				   .line = st->detected ? st->detected_line : line,
				   .last_line = line,
				   .rank = -1,
				   .attrs = mlv_run_attrs_begin(t->run) };
	if (value.n)
		snprintf(text, sizeof(text), "%.*s in %.*s of %.*s (%.*s)", (int)value.n, value.p,
			 context.n < 100 ? (int)context.n : 100, context.p,
			 module.n < 300 ? (int)module.n : 300, module.p,
			 class_name.n < 100 ? (int)class_name.n : 100, class_name.p);
	else
		snprintf(text, sizeof(text), "inf/nan detected");
	if (st->batch >= 0) {
		size_t n = strlen(text);
		snprintf(text + n, sizeof(text) - n, " in batch %lld", (long long)st->batch);
	}
	s.text = mlv_str_of(text);
	enum mlv_rc rc = MLV_OK;
	if (value.n)
		rc = mlv_statement_text(t, "module", module, err);
	if (!rc && value.n)
		rc = mlv_statement_text(t, "class", class_name, err);
	if (!rc)
		rc = mlv_statement_text(t, "context", context, err);
	if (!rc)
		rc = mlv_statement_text(t, "value", value, err);
	if (!rc && st->batch >= 0)
		rc = mlv_statement_int(t, "batch", st->batch, err);
	if (!rc)
		rc = mlv_statement_text(t, "growth", mlv_str_of(st->growth), err);
	if (!rc && st->growth[0])
		rc = mlv_statement_text(t, "growth_module", mlv_run_str(t->run, st->last_module),
					err);
	if (!rc)
		rc = mlv_statement_text(t, "abs_max", mlv_str_of(st->abs_max), err);
	st->told = true;
	return rc ? rc : mlv_statement_add(t, &s, &st->section, NULL, err);
}

static enum mlv_rc section(struct state *st, struct mlv_text *t, uint32_t line, struct mlv_err *err)
{
	char title[40] = "";
	if (st->batch >= 0)
		snprintf(title, sizeof(title), "batch %lld", (long long)st->batch);
	enum mlv_rc rc =
		mlv_statement_section(t, NAME, mlv_str_of(title), line, line, &st->section, err);
	st->last_line = line;
	return rc;
}

/* What ends with the report before: its culprit may never have been shown. */
static enum mlv_rc close_report(struct state *st, struct mlv_text *t, struct mlv_err *err)
{
	enum mlv_rc rc = close_frames(st, t, err);
	if (!rc && st->detected && !st->told)
		rc = tell(st, t, MLV_STR(""), MLV_STR(""), st->detected_line, err);
	st->detected = st->told = false;
	st->section = st->row = 0;
	st->growth[0] = st->abs_max[0] = '\0';
	st->batch = -1;
	return rc;
}

static enum mlv_rc detected(struct state *st, struct mlv_text *t, int64_t batch, uint32_t line,
			    struct mlv_err *err)
{
	enum mlv_rc rc = close_report(st, t, err);
	st->detected = true;
	st->detected_line = line;
	st->batch = batch;
	return rc ? rc : section(st, t, line, err);
}

/* "*** Starting batch number=1 ***": the frames of a detection may stand below it. */
static enum mlv_rc starting(struct state *st, struct mlv_text *t, int64_t batch, uint32_t line,
			    struct mlv_err *err)
{
	bool keeps = st->detected && !st->told && st->batch == batch;
	enum mlv_rc rc = keeps ? close_frames(st, t, err) : close_report(st, t, err);
	st->batch = batch;
	return rc ? rc : section(st, t, line, err);
}

/* "%17s NAME CLASS": NAME is empty for the whole model. */
static bool header(struct mlv_str s, struct mlv_str *module, struct mlv_str *class_name)
{
	size_t blanks = mlv_str_indent(s);
	struct mlv_str rest = mlv_str_from(s, blanks);
	if (blanks < HEADER_BLANKS || blanks > HEADER_BLANKS + 1 || !rest.n)
		return false;
	*module = MLV_STR("");
	if (blanks == HEADER_BLANKS && !mlv_scan_word(&rest, module))
		return false;
	mlv_scan_blanks(&rest);
	*class_name = mlv_str_trim(rest);
	return class_name->n && !memchr(class_name->p, ' ', class_name->n);
}

/* "6.78e-04 3.15e+03 input[0]"; `none` for "None" and "not a tensor". */
static bool values(struct mlv_str s, struct mlv_str *low, struct mlv_str *high,
		   struct mlv_str *context, bool *none)
{
	struct mlv_str rest = mlv_str_trim(s);
	struct mlv_decimal d;
	*none = mlv_scan(&rest, "None ") || mlv_scan(&rest, "not a tensor ");
	if (!*none) {
		if (!mlv_scan_word(&rest, low) || !mlv_decimal_whole(*low, MLV_UNIT_NONE, &d))
			return false;
		mlv_scan_blanks(&rest);
		if (!mlv_scan_word(&rest, high) || !mlv_decimal_whole(*high, MLV_UNIT_NONE, &d))
			return false;
	}
	mlv_scan_blanks(&rest);
	*context = mlv_str_trim(rest);
	return context->n && context->n < 200 && !memchr(context->p, ' ', context->n);
}

static void largest(struct mlv_decimal d, struct mlv_decimal *of, bool *has)
{
	if (!*has || mlv_decimal_value(d) > mlv_decimal_value(*of))
		*of = d;
	*has = true;
}

static enum mlv_rc value_line(struct state *st, struct mlv_text *t, struct mlv_str low,
			      struct mlv_str high, struct mlv_str context, uint32_t line,
			      struct mlv_err *err)
{
	char subject[600];
	struct mlv_decimal min, max;
	struct mlv_str module = mlv_run_str(t->run, st->module);
	bool in = mlv_scan(&(struct mlv_str){ context.p, context.n }, "input");
	bool out = mlv_scan(&(struct mlv_str){ context.p, context.n }, "output");
	(void)mlv_decimal_whole(low, MLV_UNIT_NONE, &min);
	(void)mlv_decimal_whole(high, MLV_UNIT_NONE, &max);
	int n = snprintf(subject, sizeof(subject), "%.*s%s%.*s",
			 module.n < 380 ? (int)module.n : 380, module.p, module.n ? " " : "",
			 (int)context.n, context.p);
	enum mlv_rc rc = metric(st, t, (struct mlv_str){ subject, (size_t)n }, "abs min", min, err);
	if (!rc)
		rc = metric(st, t, (struct mlv_str){ subject, (size_t)n }, "abs max", max, err);
	st->row++;
	if (rc)
		return rc;
	mlv_section_grow(t->run, st->section - 1, 0);
	if (max.special || min.special) {
		struct mlv_str value = max.special ? high : low;
		return st->told ? MLV_OK : tell(st, t, context, value, line, err);
	}
	if (in)
		largest(max, &st->input, &st->has_input);
	if (out)
		largest(max, &st->output, &st->has_output);
	if (!st->told && high.n < FACT_BYTES) {
		memcpy(st->abs_max, high.p, high.n);
		st->abs_max[high.n] = '\0';
	}
	return MLV_OK;
}

/* A line below the columns. *mine is false if it ends them. */
static enum mlv_rc frame_line(struct state *st, struct mlv_text *t, struct mlv_str s, uint32_t line,
			      bool *mine, struct mlv_err *err)
{
	struct mlv_str module, class_name, low, high, context;
	bool none;
	*mine = true;
	if (header(s, &module, &class_name)) {
		enum mlv_rc rc = close_frame(st, t, err);
		st->module_known = true;
		if (!rc)
			rc = intern(t, module, &st->module, err);
		return rc ? rc : intern(t, class_name, &st->class_name, err);
	}
	if (values(s, &low, &high, &context, &none) && st->module_known)
		return none ? MLV_OK : value_line(st, t, low, high, context, line, err);
	s = mlv_str_trim(s);
	*mine = !s.n || mlv_str_eq(s, MLV_STR("[...]")) || mlv_str_eq(s, MLV_STR("..."));
	return *mine ? MLV_OK : close_frames(st, t, err);
}

static enum mlv_rc marks(struct state *st, struct mlv_text *t, struct mlv_str s, uint32_t line,
			 bool *mine, struct mlv_err *err)
{
	int64_t n;
	struct mlv_str rest = mlv_str_trim(s);
	*mine = true;
	if (mlv_scan(&rest, "Detected inf/nan during batch_number=") && mlv_scan_int(&rest, &n) &&
	    !rest.n)
		return detected(st, t, n, line, err);
	rest = mlv_str_trim(s);
	if (mlv_scan(&rest, "*** Starting batch number=") && mlv_scan_int(&rest, &n) &&
	    mlv_str_eq(rest, MLV_STR(" ***")))
		return starting(st, t, n, line, err);
	rest = mlv_str_trim(s);
	if (mlv_scan(&rest, "*** Finished batch number=") && mlv_scan_int(&rest, &n) &&
	    mlv_str_eq(rest, MLV_STR(" ***")))
		return close_frames(st, t, err);
	rest = mlv_str_trim(s);
	if (mlv_str_eq(rest, mlv_str_of(COLUMNS))) {
		enum mlv_rc rc = close_frames(st, t, err);
		if (!st->section)
			st->batch = -1;
		st->frames = true;
		st->indent = mlv_str_indent(s);
		return rc ? rc : section(st, t, line, err);
	}
	if (st->detected && mlv_scan(&rest, "Last ") && mlv_scan_int(&rest, &n) &&
	    mlv_str_eq(rest, MLV_STR(" forward frames:")))
		return section(st, t, line, err);
	*mine = false;
	return MLV_OK;
}

static enum mlv_rc line_of(void *state, struct mlv_text *t, const struct mlv_line *line,
			   enum mlv_take *take, struct mlv_err *err)
{
	struct state *st = state;
	bool mine;
	enum mlv_rc rc = marks(st, t, line->text, line->number, &mine, err);
	if (!rc && !mine && st->frames) {
		size_t indent = mlv_str_indent(line->text);
		struct mlv_str s =
			mlv_str_from(line->text, indent < st->indent ? indent : st->indent);
		rc = frame_line(st, t, s, line->number, &mine, err);
		if (!rc && mine && mlv_str_trim(s).n)
			rc = section(st, t, line->number, err);
	}
	*take = mine ? MLV_TAKE : MLV_PASS;
	return rc;
}

static enum mlv_rc finish(void *state, struct mlv_text *t, struct mlv_err *err)
{
	return close_report(state, t, err);
}

const struct mlv_text_format mlv_text_underflow = {
	.name = NAME,
	.summary = "inf/nan and batch traces of DebugUnderflowOverflow",
	.state_size = sizeof(struct state),
	.line = line_of,
	.finish = finish,
};
