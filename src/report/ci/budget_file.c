/* SPDX-License-Identifier: MIT */
#include "report/ci/budget_file.h"

#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "report/ci/small_json.h"
#include "report/quantity.h"

static const char *const document_keys[] = { "schema", "comment", "budgets", NULL };
static const char *const budget_keys[] = { "name",         "comment", "metric",   "subject",
					   "column",       "input",   "per",      "max",
					   "max_increase", "floor",   "required", NULL };
static const char *const per_names[] = { "rank", "max", "sum", "mean" };

const char *mlv_budget_per_name(enum mlv_budget_per per)
{
	return per_names[per];
}

/* One '*' is tried again at a time, so that a pattern of many takes no longer than of two. */
bool mlv_ci_matches(const char *pattern, const char *text)
{
	const char *star = NULL, *resume = NULL;
	while (*text) {
		if (*pattern == '*') {
			star = pattern++;
			resume = text;
		} else if (*pattern == '?' || *pattern == *text) {
			pattern++;
			text++;
		} else if (star) {
			pattern = star + 1;
			text = ++resume;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

/* ------------------------------------------------------------------ one budget */

struct reading {
	const struct mlv_small_json *d;
	struct mlv_budgets *b;
	const cJSON *object;
	struct mlv_budget one;
};

static const cJSON *member(const struct reading *r, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(r->object, key);
}

static enum mlv_rc own_text(struct reading *r, const char *key, const char **to,
			    struct mlv_err *err)
{
	const char *text = NULL;
	enum mlv_rc rc = mlv_small_json_text(r->d, r->object, key, &text, err);
	if (rc || !text)
		return rc;
	if (strlen(text) > MLV_BUDGET_NAME_MOST)
		return mlv_small_json_wrong(r->d, member(r, key), false, err,
					    "'%s' is longer than %d bytes", key,
					    MLV_BUDGET_NAME_MOST);
	*to = mlv_arena_strndup(&r->b->texts, text, strlen(text));
	return *to ? MLV_OK : mlv_err_nomem(err);
}

/* "peak_reserved" for "reserved_peak": the words are right, their order is not. */
static bool same_words(const char *a, const char *b)
{
	const char *gap = strchr(a, '_');
	size_t n = gap ? strlen(gap + 1) : 0;
	return gap && strlen(a) == strlen(b) && strncmp(b, gap + 1, n) == 0 && b[n] == '_' &&
	       strncmp(b + n + 1, a, (size_t)(gap - a)) == 0;
}

static enum mlv_rc read_metric(struct reading *r, struct mlv_err *err)
{
	const char *name = NULL;
	enum mlv_rc rc = mlv_small_json_text(r->d, r->object, "metric", &name, err);
	if (rc)
		return rc;
	if (!name)
		return mlv_small_json_wrong(r->d, r->object, false, err,
					    "the budget has no \"metric\"");
	r->one.metric = mlv_ci_metric_find(name);
	if (r->one.metric)
		return MLV_OK;
	struct mlv_suggestion near = mlv_suggest_for(name);
	for (size_t i = 0; i < mlv_ci_metric_count; i++)
		mlv_suggest_try(&near, mlv_ci_metrics[i].name);
	for (size_t i = 0; i < mlv_ci_metric_count; i++)
		if (same_words(name, mlv_ci_metrics[i].name))
			near.best = mlv_ci_metrics[i].name;
	return mlv_small_json_wrong(r->d, member(r, "metric"), false, err,
				    "there is no metric '%.60s'%s%s%s", name,
				    near.best ? "; did you mean '" : "; docs/budgets.md lists them",
				    near.best ? near.best : "", near.best ? "'?" : "");
}

static enum mlv_rc read_per(struct reading *r, struct mlv_err *err)
{
	const char *name = NULL;
	enum mlv_rc rc = mlv_small_json_text(r->d, r->object, "per", &name, err);
	for (unsigned i = 0; name && i < 4; i++) {
		if (strcmp(name, per_names[i]) == 0) {
			r->one.per = (enum mlv_budget_per)i;
			return MLV_OK;
		}
	}
	return rc || !name ? rc
			   : mlv_small_json_wrong(r->d, member(r, "per"), false, err,
						  "'per' must be rank, max, sum or mean");
}

static enum mlv_rc read_required(struct reading *r, struct mlv_err *err)
{
	const cJSON *value = member(r, "required");
	if (value && !cJSON_IsBool(value))
		return mlv_small_json_wrong(r->d, value, false, err,
					    "'required' must be true or false");
	r->one.required = cJSON_IsTrue(value);
	return MLV_OK;
}

static const char *example(enum mlv_quantity q)
{
	return q == MLV_BYTE_COUNT ? "\"64 MiB\""
	       : q == MLV_DURATION ? "\"2 ms\""
	       : q == MLV_SHARE    ? "\"10%\""
				   : "12";
}

/*
 * A limit in the unit of the metric, or in percent where that is allowed.
 * Numbers without a unit are counts only: 70 could be bytes or GiB.
 */
static enum mlv_rc read_limit(struct reading *r, const char *key, bool percent,
			      struct mlv_quantity_text *q, struct mlv_err *err)
{
	const cJSON *value = member(r, key);
	enum mlv_quantity of = r->one.metric->quantity;
	char text[64];
	if (cJSON_IsNumber(value))
		snprintf(text, sizeof(text), "%.17g", value->valuedouble);
	else if (cJSON_IsString(value))
		snprintf(text, sizeof(text), "%s", value->valuestring);
	else
		return mlv_small_json_wrong(r->d, value, false, err,
					    "'%s' must be a text such as %s", key, example(of));
	bool fits = strlen(text) < sizeof(text) - 1;
	if (!fits || !mlv_quantity_read(q, text))
		return mlv_small_json_wrong(r->d, value, false, err,
					    "'%.40s' is no limit; write %s%s", text, example(of),
					    percent ? " or \"5%\"" : "");
	if (q->quantity != of && !(percent && q->quantity == MLV_SHARE))
		return mlv_small_json_wrong(
			r->d, value, false, err, "'%.40s' is no limit for %s; write %s%s", text,
			r->one.metric->name, example(of), percent ? " or \"5%\"" : "");
	if (q->exact == INT64_MAX)
		return mlv_small_json_wrong(r->d, value, false, err, "'%.40s' is %s", text,
					    of == MLV_NUMBER && q->quantity == MLV_NUMBER
						    ? "no whole number"
						    : "too large or too fine");
	return MLV_OK;
}

static void set_share(struct mlv_budget *b, const struct mlv_quantity_text *q)
{
	b->has_share = true;
	b->share = q->exact;
}

static void set_floor(struct mlv_budget *b, const struct mlv_quantity_text *q)
{
	b->has_floor = true;
	b->floor = q->exact;
}

/*
 * "max" alone; or "max_increase" in percent or absolute, with a "floor" that
 * is the other of the two. What is itself a share grows by points: its
 * increase is absolute, and a floor has no sense.
 */
static enum mlv_rc read_limits(struct reading *r, struct mlv_err *err)
{
	struct mlv_quantity_text q;
	const cJSON *max = member(r, "max"), *increase = member(r, "max_increase");
	const cJSON *floor = member(r, "floor");
	bool is_share = r->one.metric->quantity == MLV_SHARE;
	if (!max == !increase)
		return mlv_small_json_wrong(r->d, max ? increase : r->object, max != NULL, err,
					    max ? "a budget has 'max' or 'max_increase', not both"
						: "the budget has neither 'max' nor "
						  "'max_increase'");
	if (floor && (max || is_share))
		return mlv_small_json_wrong(r->d, floor, true, err,
					    max ? "'floor' goes with 'max_increase'"
						: "an increase of a share has no floor");
	r->one.absolute = max != NULL;
	enum mlv_rc rc = read_limit(r, max ? "max" : "max_increase", !max, &q, err);
	if (rc)
		return rc;
	if (max)
		r->one.max = q.exact;
	else if (q.quantity == MLV_SHARE && !is_share)
		set_share(&r->one, &q);
	else
		set_floor(&r->one, &q);
	if (!floor)
		return MLV_OK;
	rc = read_limit(r, "floor", true, &q, err);
	if (rc)
		return rc;
	if ((q.quantity == MLV_SHARE) == r->one.has_share)
		return mlv_small_json_wrong(r->d, floor, false, err,
					    "of 'max_increase' and 'floor' one is in percent and "
					    "one is not");
	if (q.quantity == MLV_SHARE)
		set_share(&r->one, &q);
	else
		set_floor(&r->one, &q);
	return MLV_OK;
}

static enum mlv_rc check_subject(struct reading *r, struct mlv_err *err)
{
	const struct mlv_ci_metric *m = r->one.metric;
	if (!r->one.subject && m->subject == MLV_SUBJECT_NAMED)
		return mlv_small_json_wrong(r->d, r->object, false, err,
					    "a budget on %s needs a \"subject\", such as "
					    "\"aten::mm\" or \"aten::*\"",
					    m->name);
	if (r->one.column && m->subject != MLV_SUBJECT_NAMED)
		return mlv_small_json_wrong(r->d, member(r, "column"), true, err,
					    "only call_time has columns");
	return MLV_OK;
}

static bool is_taken(const struct mlv_budgets *b, const char *name)
{
	for (size_t i = 0; i < b->list.len; i++)
		if (strcmp(b->list.data[i].name, name) == 0)
			return true;
	return false;
}

/* "reserved_peak", "call_time aten::mm", and "growth (2)" where that is taken. */
static enum mlv_rc name_it(struct reading *r, struct mlv_err *err)
{
	char name[MLV_BUDGET_NAME_MOST + 80], again[sizeof(name) + 16];
	if (r->one.name && is_taken(r->b, r->one.name))
		return mlv_small_json_wrong(r->d, member(r, "name"), false, err,
					    "another budget has the name '%.60s'", r->one.name);
	if (r->one.name)
		return MLV_OK;
	snprintf(name, sizeof(name), "%s%s%.*s", r->one.metric->name, r->one.subject ? " " : "",
		 MLV_BUDGET_NAME_MOST - 40, r->one.subject ? r->one.subject : "");
	snprintf(again, sizeof(again), "%s", name);
	for (unsigned n = 2; is_taken(r->b, again); n++)
		snprintf(again, sizeof(again), "%s (%u)", name, n);
	r->one.name = mlv_arena_strndup(&r->b->texts, again, strlen(again));
	return r->one.name ? MLV_OK : mlv_err_nomem(err);
}

static enum mlv_rc read_budget(struct reading *r, struct mlv_err *err)
{
	if (!cJSON_IsObject(r->object))
		return mlv_small_json_wrong(r->d, r->object, false, err,
					    "a budget must be an object, { ... }");
	r->one = (struct mlv_budget){ .per = MLV_PER_RANK };
	const char *comment = NULL;
	enum mlv_rc rc = mlv_small_json_keys(r->d, r->object, budget_keys, err);
	rc = rc ? rc : mlv_small_json_text(r->d, r->object, "comment", &comment, err);
	rc = rc ? rc : read_metric(r, err);
	rc = rc ? rc : own_text(r, "name", &r->one.name, err);
	rc = rc ? rc : own_text(r, "subject", &r->one.subject, err);
	rc = rc ? rc : own_text(r, "column", &r->one.column, err);
	rc = rc ? rc : own_text(r, "input", &r->one.input, err);
	rc = rc ? rc : check_subject(r, err);
	rc = rc ? rc : read_per(r, err);
	rc = rc ? rc : read_required(r, err);
	rc = rc ? rc : read_limits(r, err);
	rc = rc ? rc : name_it(r, err);
	if (!rc && !mlv_vec_push(&r->b->list, r->one))
		rc = mlv_err_nomem(err);
	return rc;
}

/* ------------------------------------------------------------------ the file */

static enum mlv_rc read_document(struct mlv_budgets *b, const struct mlv_small_json *d,
				 struct mlv_err *err)
{
	enum mlv_rc rc = mlv_small_json_schema(d, "mlviz.budgets/1", err);
	rc = rc ? rc : mlv_small_json_keys(d, d->root, document_keys, err);
	if (rc)
		return rc;
	const cJSON *list = cJSON_GetObjectItemCaseSensitive(d->root, "budgets");
	/* A gate that judges nothing would always be open. */
	if (!cJSON_IsArray(list) || !list->child)
		return mlv_small_json_wrong(d, list ? list : d->root, false, err,
					    "\"budgets\" must be a list of at least one budget");
	if (cJSON_GetArraySize(list) > MLV_BUDGETS_MOST)
		return mlv_small_json_wrong(d, list, false, err, "more than %d budgets",
					    MLV_BUDGETS_MOST);
	struct reading r = { .d = d, .b = b };
	for (r.object = list->child; r.object && !rc; r.object = r.object->next)
		rc = read_budget(&r, err);
	return rc;
}

enum mlv_rc mlv_budgets_read(struct mlv_budgets *b, const char *name, struct mlv_str text,
			     struct mlv_err *err)
{
	struct mlv_small_json d;
	*b = (struct mlv_budgets){ 0 };
	if (text.n > MLV_BUDGET_FILE_MOST) {
		mlv_err_file(err, name);
		return mlv_err_set(err, MLV_E_FORMAT, "a file of budgets has %d KiB at most",
				   MLV_BUDGET_FILE_MOST / 1024);
	}
	enum mlv_rc rc = mlv_small_json_init(&d, name, text, err);
	if (rc)
		return rc;
	rc = read_document(b, &d, err);
	mlv_small_json_fini(&d);
	if (rc)
		mlv_budgets_fini(b);
	return rc;
}

void mlv_budgets_fini(struct mlv_budgets *b)
{
	mlv_vec_free(&b->list);
	mlv_arena_fini(&b->texts);
	*b = (struct mlv_budgets){ 0 };
}
