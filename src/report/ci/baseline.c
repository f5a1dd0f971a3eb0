/* SPDX-License-Identifier: MIT */
#include "report/ci/baseline.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/json_write.h"
#include "report/ci/small_json.h"
#include "report/quantity.h"

/* ------------------------------------------------------------------ writing */

static void quoted(struct mlv_buf *out, const char *key, const char *text)
{
	struct mlv_json j;
	mlv_buf_printf(out, "\"%s\": ", key);
	mlv_json_init(&j, out);
	mlv_json_text(&j, text);
}

static void text_if(struct mlv_buf *out, const char *key, const char *text)
{
	if (!*text)
		return;
	quoted(out, key, text);
	mlv_buf_puts(out, ", ");
}

/* Shares as percent with the six digits that they are counted in. */
static void value(struct mlv_buf *out, const struct mlv_ci_figure *f)
{
	if (f->metric->quantity != MLV_SHARE || f->value % MLV_PERCENT == 0) {
		bool share = f->metric->quantity == MLV_SHARE;
		mlv_buf_int(out, share ? f->value / MLV_PERCENT : f->value);
		return;
	}
	mlv_buf_printf(out, "%" PRId64 ".%06" PRId64, f->value / MLV_PERCENT,
		       f->value % MLV_PERCENT);
}

static void figure(struct mlv_buf *out, const struct mlv_ci_figure *f)
{
	mlv_buf_puts(out, "    { ");
	text_if(out, "metric", f->metric->name);
	text_if(out, "subject", f->subject);
	text_if(out, "column", f->column);
	/* What several inputs tell differently; of the rest, whichever told it. */
	if (f->source == MLV_FROM_ANY)
		text_if(out, "format", f->format);
	if (f->rank >= 0)
		mlv_buf_printf(out, "\"rank\": %" PRId64 ", ", f->rank);
	if (f->number)
		mlv_buf_printf(out, "\"number\": %" PRIu32 ", ", f->number);
	mlv_buf_puts(out, "\"value\": ");
	value(out, f);
	const char *unit = mlv_quantity_unit(f->metric->quantity);
	if (*unit) {
		mlv_buf_puts(out, ", ");
		quoted(out, "unit", unit);
	}
	mlv_buf_puts(out, " }");
}

void mlv_ci_baseline_write(const struct mlv_ci_figures *f, struct mlv_buf *out)
{
	bool any = false;
	mlv_buf_puts(out, "{\n  \"schema\": \"mlviz.baseline/1\",\n  \"figures\": [\n");
	for (size_t i = 0; i < f->list.len; i++) {
		const struct mlv_ci_figure *one = &f->list.data[i];
		/* JSON's readers know whole numbers up to 2^53. */
		if (!one->known || !one->complete || one->value > (INT64_C(1) << 53))
			continue;
		mlv_buf_puts(out, any ? ",\n" : "");
		figure(out, one);
		any = true;
	}
	mlv_buf_puts(out, any ? "\n  ]\n}\n" : "  ]\n}\n");
}

/* ------------------------------------------------------------------ reading */

bool mlv_ci_baseline_is(struct mlv_str head)
{
	return mlv_str_contains(head, MLV_STR("\"mlviz.baseline/"));
}

struct reading {
	struct mlv_ci_figures *f;
	const struct mlv_small_json *d;
	const cJSON *object;
	struct mlv_ci_figure one;
};

/* A whole number that may be missing. */
static enum mlv_rc number(const struct reading *r, const char *key, int64_t *to,
			  struct mlv_err *err)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(r->object, key);
	if (!v)
		return MLV_OK;
	double n = cJSON_IsNumber(v) ? v->valuedouble : -1;
	if (!(n >= 0 && n <= INT32_MAX && n == floor(n)))
		return mlv_small_json_wrong(r->d, v, false, err, "'%s' must be a whole number",
					    key);
	*to = (int64_t)n;
	return MLV_OK;
}

static enum mlv_rc text(const struct reading *r, const char *key, const char **to,
			struct mlv_err *err)
{
	const char *is = NULL;
	enum mlv_rc rc = mlv_small_json_text(r->d, r->object, key, &is, err);
	*to = is ? mlv_ci_figures_text(r->f, mlv_str_of(is)) : "";
	return rc ? rc : r->f->failed ? mlv_err_nomem(err) : MLV_OK;
}

static enum mlv_rc read_value(struct reading *r, struct mlv_err *err)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(r->object, "value");
	const cJSON *unit = cJSON_GetObjectItemCaseSensitive(r->object, "unit");
	const char *is = cJSON_IsString(unit) ? unit->valuestring : "";
	const char *must = mlv_quantity_unit(r->one.metric->quantity);
	if (!cJSON_IsNumber(v))
		return mlv_small_json_wrong(r->d, v ? v : r->object, false, err,
					    "a figure must have a 'value' that is a number");
	if (strcmp(is, must) != 0)
		return mlv_small_json_wrong(r->d, unit ? unit : r->object, false, err,
					    "the unit of %s must be '%s'", r->one.metric->name,
					    must);
	double n = v->valuedouble * (r->one.metric->quantity == MLV_SHARE ? MLV_PERCENT : 1);
	if (!(n >= 0 && n < 9.1e15))
		return mlv_small_json_wrong(r->d, v, false, err, "the value is out of range");
	r->one.value = llround(n);
	return MLV_OK;
}

static enum mlv_rc read_figure(struct reading *r, struct mlv_err *err)
{
	static const char *const keys[] = { "metric", "subject", "column", "format", "rank",
					    "number", "value",   "unit",   NULL };
	if (!cJSON_IsObject(r->object))
		return mlv_small_json_wrong(r->d, r->object, false, err,
					    "a figure must be an object, { ... }");
	r->one = (struct mlv_ci_figure){ .rank = -1,
					 .input = "",
					 .why = "",
					 .ranking = true,
					 .source = MLV_FROM_ANY,
					 .known = true,
					 .complete = true };
	const char *metric = "";
	int64_t nth = 0;
	enum mlv_rc rc = mlv_small_json_keys(r->d, r->object, keys, err);
	rc = rc ? rc : text(r, "metric", &metric, err);
	if (rc)
		return rc;
	r->one.metric = mlv_ci_metric_find(metric);
	if (!r->one.metric)
		return mlv_small_json_wrong(r->d, r->object, false, err,
					    "there is no metric '%.60s'", metric);
	rc = text(r, "subject", &r->one.subject, err);
	rc = rc ? rc : text(r, "column", &r->one.column, err);
	rc = rc ? rc : text(r, "format", &r->one.format, err);
	rc = rc ? rc : number(r, "rank", &r->one.rank, err);
	rc = rc ? rc : number(r, "number", &nth, err);
	rc = rc ? rc : read_value(r, err);
	r->one.number = (uint32_t)nth;
	if (!rc && !mlv_vec_push(&r->f->list, r->one))
		rc = mlv_err_nomem(err);
	return rc;
}

enum mlv_rc mlv_ci_baseline_read(struct mlv_ci_figures *f, const char *name,
				 struct mlv_str document, struct mlv_err *err)
{
	static const char *const keys[] = { "schema", "figures", NULL };
	struct mlv_small_json d;
	if (document.n > MLV_BASELINE_MOST) {
		mlv_err_file(err, name);
		return mlv_err_set(err, MLV_E_FORMAT, "a baseline has %d MiB at most",
				   MLV_BASELINE_MOST / 1024 / 1024);
	}
	enum mlv_rc rc = mlv_small_json_init(&d, name, document, err);
	if (rc)
		return rc;
	rc = mlv_small_json_schema(&d, "mlviz.baseline/1", err);
	rc = rc ? rc : mlv_small_json_keys(&d, d.root, keys, err);
	const cJSON *list = cJSON_GetObjectItemCaseSensitive(d.root, "figures");
	if (!rc && !cJSON_IsArray(list))
		rc = mlv_small_json_wrong(&d, list ? list : d.root, false, err,
					  "\"figures\" must be a list");
	struct reading r = { .f = f, .d = &d };
	for (r.object = list ? list->child : NULL; r.object && !rc; r.object = r.object->next)
		rc = read_figure(&r, err);
	mlv_small_json_fini(&d);
	if (!rc)
		mlv_ci_figures_sort(f);
	return rc;
}
