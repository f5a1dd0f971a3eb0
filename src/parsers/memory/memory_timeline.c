/* SPDX-License-Identifier: MIT */
/*
 * What export_memory_timeline() of the PyTorch profiler writes: memory by
 * category over time. "raw" rows are [time, action, bytes, category], where
 * bytes is signed and what existed before has the time -1; the other form is
 * [times, sizes], a row of sizes holding a zero and then a sum for each
 * category. Both become samples of the categories, at the times at which
 * they change. The file does not say of which device.
 */
#include <inttypes.h>
#include <string.h>

#include "base/json_read.h"
#include "parsers/memory/memory_timeline.h"

enum { CATEGORIES = MLV_TIMELINE_CATEGORIES, RAW_FIELDS = 4, SIZES = CATEGORIES + 1 };

/* PyTorch's names, in the order of its numbers; the last is that of memory without a category. */
static const char *const category_names[CATEGORIES] = {
	"parameter",  "optimizer_state", "input",           "temporary",
	"activation", "gradient",        "autograd_detail", "unknown",
};

/* Later times than that are nanoseconds, which PyTorch wrote up to 2.1; others microseconds. */
static const int64_t IS_NANOSECONDS = INT64_C(100000000000000000);

struct timeline {
	struct mlv_run *run;
	const struct mlv_limits *limits;
	struct mlv_json_reader *json;
	struct mlv_json_token token;
	mlv_strid metrics[CATEGORIES];
	struct mlv_decimal now[CATEGORIES], last[CATEGORIES];
	bool said[CATEGORIES]; /* a sample was made: `last` is its value */
	int64_t time;
	bool timed;
	uint64_t rows, odd;
	bool raw;
	MLV_VEC(int64_t) times; /* of the other form */
};

static enum mlv_rc next(struct timeline *t, struct mlv_err *err)
{
	return mlv_json_next(t->json, &t->token, err);
}

static bool is_end(const struct timeline *t)
{
	return t->token.kind == MLV_JSON_ARRAY_END || t->token.kind == MLV_JSON_OBJECT_END ||
	       t->token.kind == MLV_JSON_END;
}

static enum mlv_rc skip(struct timeline *t, struct mlv_err *err)
{
	bool begin =
		t->token.kind == MLV_JSON_ARRAY_BEGIN || t->token.kind == MLV_JSON_OBJECT_BEGIN;
	return begin ? mlv_json_skip(t->json, err) : MLV_OK;
}

static bool same(const struct mlv_decimal *a, const struct mlv_decimal *b)
{
	return a->mantissa == b->mantissa && a->exponent == b->exponent && a->special == b->special;
}

/* The sums as they are now, at t->time: a sample for each category that changed. */
static enum mlv_rc emit(struct timeline *t, struct mlv_err *err)
{
	for (unsigned i = 0; i < CATEGORIES; i++) {
		const struct mlv_decimal *d = &t->now[i];
		if (t->said[i] ? same(d, &t->last[i]) : !d->mantissa && !d->special)
			continue;
		struct mlv_sample s = { .time_ns = t->time,
					.track = MLV_TRACK_NONE,
					.metric = t->metrics[i],
					.step = MLV_NO_STEP,
					.value = *d };
		enum mlv_rc rc = mlv_limits_room(t->limits, t->run->samples.len, "samples", err);
		if (rc)
			return rc;
		if (!mlv_vec_push(&t->run->samples, s))
			return mlv_err_nomem(err);
		t->last[i] = *d;
		t->said[i] = true;
	}
	return MLV_OK;
}

/* A row of raw: the sums so far belong to the time before it, if that is another. */
static enum mlv_rc take_raw(struct timeline *t, const int64_t *row, struct mlv_err *err)
{
	enum mlv_rc rc = MLV_OK;
	if (row[3] < 0 || row[3] >= CATEGORIES) {
		t->odd++;
		return MLV_OK;
	}
	/* What existed before stands at the first time, as PyTorch draws it. */
	if (row[0] != MLV_TIMELINE_PREEXISTING && (!t->timed || row[0] != t->time)) {
		if (t->timed)
			rc = emit(t, err);
		bool first = !t->timed;
		t->time = row[0];
		t->timed = true;
		if (!rc && first)
			rc = emit(t, err);
	}
	int64_t *sum = &t->now[row[3]].mantissa;
	if (__builtin_add_overflow(*sum, row[2], sum))
		t->odd++;
	t->rows++;
	return rc;
}

/* Behind the '[' of a row of `want` integers; *ok if it is one. */
static enum mlv_rc integers(struct timeline *t, int64_t *row, unsigned want, bool *ok,
			    struct mlv_err *err)
{
	unsigned n = 0;
	enum mlv_rc rc;
	*ok = true;
	while ((rc = next(t, err)) == MLV_OK && !is_end(t)) {
		bool good = t->token.kind == MLV_JSON_INTEGER && !t->token.is_unsigned;
		if (good && n < want)
			row[n] = t->token.integer;
		*ok = *ok && good;
		n++;
		rc = skip(t, err);
		if (rc)
			return rc;
	}
	*ok = *ok && n == want;
	return rc;
}

/* Rows of raw, of which the '[' of the first was taken. */
static enum mlv_rc read_raw(struct timeline *t, struct mlv_err *err)
{
	int64_t row[RAW_FIELDS];
	enum mlv_rc rc = MLV_OK;
	while (!rc && !is_end(t)) {
		bool ok = false;
		if (t->token.kind == MLV_JSON_ARRAY_BEGIN)
			rc = integers(t, row, RAW_FIELDS, &ok, err);
		else
			rc = skip(t, err);
		if (!rc && ok)
			rc = take_raw(t, row, err);
		t->odd += !ok;
		if (!rc)
			rc = next(t, err);
	}
	return rc ? rc : emit(t, err);
}

/* A sum: an integer, or a float that is one, as PyTorch wrote up to 2.1. */
static bool size_of(const struct mlv_json_token *token, struct mlv_decimal *d)
{
	if ((token->kind != MLV_JSON_INTEGER && token->kind != MLV_JSON_NUMBER) ||
	    !mlv_decimal_whole(token->text, MLV_UNIT_BYTES, d))
		return false;
	for (; d->exponent < 0 && d->mantissa % 10 == 0; d->exponent++)
		d->mantissa /= 10;
	return true;
}

/* Behind the '[' of the sizes at one time. */
static enum mlv_rc read_sizes(struct timeline *t, struct mlv_err *err)
{
	struct mlv_decimal d[SIZES];
	unsigned n = 0;
	bool ok = true;
	enum mlv_rc rc;
	while ((rc = next(t, err)) == MLV_OK && !is_end(t)) {
		ok = n < SIZES && size_of(&t->token, &d[n]) && ok;
		n++;
		rc = skip(t, err);
		if (rc)
			return rc;
	}
	if (rc || !ok || n != SIZES || t->rows >= t->times.len) {
		t->odd++;
		t->rows += !rc;
		return rc;
	}
	t->time = t->times.data[t->rows++];
	for (unsigned i = 0; i < CATEGORIES; i++)
		t->now[i] = d[i + 1];
	/* What was there before is a row of the first time too: the last one of a time counts. */
	if (t->rows < t->times.len && t->times.data[t->rows] == t->time && t->rows > 1)
		return MLV_OK;
	return emit(t, err);
}

/* Times, of which the first was taken, then rows of sizes. */
static enum mlv_rc read_sums(struct timeline *t, struct mlv_err *err)
{
	enum mlv_rc rc = MLV_OK;
	while (!rc && !is_end(t)) {
		int64_t time = t->token.integer;
		bool good = t->token.kind == MLV_JSON_INTEGER && !t->token.is_unsigned;
		if (good && time < IS_NANOSECONDS && time > -IS_NANOSECONDS / 1000)
			good = !__builtin_mul_overflow(time, 1000, &time);
		t->odd += !good;
		if ((rc = mlv_limits_room(t->limits, t->times.len, "times", err)) ||
		    (rc = skip(t, err)))
			return rc;
		if (!mlv_vec_push(&t->times, good ? time : MLV_NO_TIME))
			return mlv_err_nomem(err);
		rc = next(t, err);
	}
	if (!rc)
		rc = next(t, err); /* the '[' of the list of rows */
	if (rc || t->token.kind != MLV_JSON_ARRAY_BEGIN)
		return rc;
	while ((rc = next(t, err)) == MLV_OK && !is_end(t)) {
		if (t->token.kind == MLV_JSON_ARRAY_BEGIN)
			rc = read_sizes(t, err);
		else
			rc = skip(t, err);
		if (rc)
			return rc;
	}
	t->odd += t->times.len > t->rows ? t->times.len - t->rows : 0;
	return rc;
}

static enum mlv_rc read_document(struct timeline *t, struct mlv_err *err)
{
	enum mlv_rc rc = next(t, err);
	if (!rc)
		rc = next(t, err);
	if (rc || t->raw)
		return rc ? rc : read_raw(t, err);
	rc = next(t, err);
	return rc ? rc : read_sums(t, err);
}

static enum mlv_rc finish(struct timeline *t, struct mlv_err *err)
{
	struct mlv_section s = {
		.format = "memory-timeline", .rank = t->run->rank, .rows = t->rows, .noun = "row"
	};
	if (!t->rows)
		return mlv_err_set(err, MLV_E_FORMAT,
				   "no row of a memory timeline could be read in it");
	if (t->odd)
		mlv_diag_add(&t->run->diags, MLV_DAMAGE, "memory-timeline-rows", MLV_NO_OFFSET,
			     "%" PRIu64 " times or rows are not what they should be, and are left "
			     "out",
			     t->odd);
	if (!mlv_run_property_text(t->run, "trace", "form",
				   t->raw ? MLV_STR("events") : MLV_STR("sums")) ||
	    !mlv_vec_push(&t->run->sections, s))
		return mlv_err_nomem(err);
	return MLV_OK;
}

static enum mlv_rc parse(struct mlv_parse *p, struct mlv_err *err)
{
	struct timeline t = { .run = p->run, .limits = p->limits };
	enum mlv_rc rc = MLV_OK;
	(void)mlv_reader_need(p->reader, MLV_PROBE_BYTES);
	struct mlv_bytes head = { p->reader->p, (size_t)(p->reader->end - p->reader->p) };
	enum mlv_timeline_form form = mlv_timeline_form(head);
	t.raw = form == MLV_TIMELINE_EVENTS;
	p->run->title = "PyTorch memory timeline";
	if (form == MLV_TIMELINE_NONE)
		return mlv_err_set(err, MLV_E_FORMAT,
				   "is neither rows [time, action, bytes, category] nor "
				   "[times, sizes]");
	t.json = mlv_json_reader_create(p->reader, p->limits, &p->run->diags);
	if (!t.json)
		rc = mlv_err_nomem(err);
	for (unsigned i = 0; i < CATEGORIES && !rc; i++) {
		t.now[i] = mlv_decimal_int(0, MLV_UNIT_BYTES);
		struct mlv_str name = mlv_str_of(category_names[i]);
		if (!mlv_run_intern(p->run, name, &t.metrics[i]))
			rc = mlv_err_nomem(err);
	}
	if (!rc)
		rc = read_document(&t, err);
	if (!rc)
		rc = finish(&t, err);
	mlv_json_reader_destroy(t.json);
	mlv_vec_free(&t.times);
	return rc;
}

static int probe(struct mlv_bytes head)
{
	return mlv_timeline_form(head) == MLV_TIMELINE_NONE ? 0 : 90;
}

const struct mlv_parser mlv_parser_memory_timeline = {
	.name = "memory-timeline",
	.summary = "memory by category, from export_memory_timeline() of the PyTorch profiler",
	.probe = probe,
	.parse = parse,
};
