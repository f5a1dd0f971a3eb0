/* SPDX-License-Identifier: MIT */
/*
 * Events become rows as they are read: intervals and instants become spans,
 * counters samples. Begin and end of one interval may be two events, which
 * nest on their track.
 */
#include "parsers/profiler/kineto.h"

static bool add_attributes(struct kineto *k, const struct kineto_event *e)
{
	for (unsigned i = 0; i < ARG_SHOWN_NUMBERS; i++) {
		if ((e->has & 1U << i) && !mlv_run_attr_int_id(k->run, k->keys[i], e->numbers[i]))
			return false;
	}
	for (unsigned i = ARG_NUMBERS; i < ARG_SHOWN_TEXTS; i++) {
		if ((e->has & 1U << i) &&
		    !mlv_run_attr_text_id(k->run, k->keys[i], e->texts[i - ARG_NUMBERS]))
			return false;
	}
	return true;
}

/* What a copy moved. ROCm says it at the call, under another name. */
static int64_t bytes_of(const struct kineto_event *e)
{
	unsigned arg = e->has & 1U << ARG_BYTES ? ARG_BYTES : ARG_SIZE;
	return (e->has & 1U << arg) && e->numbers[arg] >= 0 ? e->numbers[arg] : -1;
}

/* The oldest exports have no categories, but two processes that say the same. */
static mlv_strid category_of(struct kineto *k, const struct kineto_event *e)
{
	mlv_strid id = e->category;
	if (id.i || !e->pid.is_name)
		return id;
	if (e->pid.name.i == k->cuda_functions.i)
		(void)mlv_run_intern(k->run, MLV_STR("kernel"), &id);
	else if (e->pid.name.i == k->cpu_functions.i)
		(void)mlv_run_intern(k->run, MLV_STR("cpu_op"), &id);
	return id;
}

static enum mlv_rc add_span(struct kineto *k, const struct kineto_event *e, int64_t end,
			    struct mlv_err *err)
{
	const struct kineto_category *c;
	enum mlv_rc rc = mlv_limits_room(k->limits, k->run->spans.len, "events", err);
	if (rc)
		return rc;
	struct mlv_span s = { .start_ns = e->ts,
			      .end_ns = end,
			      .name = e->name,
			      .stack = MLV_STACK_NONE,
			      .bytes = bytes_of(e) };
	uint32_t begin = mlv_run_attrs_begin(k->run);
	if (!mlv_kineto_category(k, category_of(k, e), &c) || !mlv_kineto_lane(k, e, c, &s.track) ||
	    !add_attributes(k, e))
		return mlv_err_nomem(err);
	s.category = c->name;
	s.instant = e->phase == 'i' || e->phase == 'I';
	if (!s.category.i && s.instant)
		s.category = k->instant;
	s.attrs = mlv_run_attrs_end(k->run, begin);
	return mlv_vec_push(&k->run->spans, s) ? MLV_OK : mlv_err_nomem(err);
}

static enum mlv_rc begin_span(struct kineto *k, const struct kineto_event *e, struct mlv_err *err)
{
	enum mlv_rc rc = add_span(k, e, MLV_NO_TIME, err);
	if (rc)
		return rc;
	uint32_t span = (uint32_t)k->run->spans.len - 1;
	uint32_t track = k->run->spans.data[span].track.i;
	const struct mlv_map_slot *top = mlv_map_find(&k->open_tops, track);
	struct kineto_open open = { span, top ? top->value : 0 };
	if (!mlv_vec_push(&k->opens, open) ||
	    !mlv_map_set(&k->open_tops, track, (uint32_t)k->opens.len))
		return mlv_err_nomem(err);
	return MLV_OK;
}

static enum mlv_rc end_span(struct kineto *k, const struct kineto_event *e, struct mlv_err *err)
{
	const struct kineto_category *c;
	mlv_trackid track;
	if (!mlv_kineto_category(k, category_of(k, e), &c) || !mlv_kineto_lane(k, e, c, &track))
		return mlv_err_nomem(err);
	struct mlv_map_slot *top = mlv_map_find(&k->open_tops, track.i);
	if (!top || !top->value) {
		k->unmatched++;
		return MLV_OK;
	}
	const struct kineto_open *open = &k->opens.data[top->value - 1];
	struct mlv_span *s = &k->run->spans.data[open->span];
	s->end_ns = e->ts > s->start_ns ? e->ts : s->start_ns;
	top->value = open->below;
	return MLV_OK;
}

/* "NAME/SERIES"; a counter with one value needs no word for it. */
static bool metric_name(struct kineto *k, const struct kineto_event *e, mlv_strid series,
			mlv_strid *metric)
{
	struct mlv_str name = mlv_run_str(k->run, e->name), part = mlv_run_str(k->run, series);
	*metric = e->name;
	if (k->values.len == 1 &&
	    (!part.n || mlv_str_eq(part, MLV_STR("value")) || mlv_str_eq(part, name)))
		return true;
	*metric = series;
	if (!name.n || !part.n)
		return true;
	char text[512];
	size_t n = name.n < 250 ? name.n : 250, m = part.n < 250 ? part.n : 250;
	for (size_t i = 0; i < n; i++)
		text[i] = name.p[i];
	text[n] = '/';
	for (size_t i = 0; i < m; i++)
		text[n + 1 + i] = part.p[i];
	return mlv_run_intern(k->run, (struct mlv_str){ text, n + 1 + m }, metric);
}

static enum mlv_rc add_counter(struct kineto *k, const struct kineto_event *e, struct mlv_err *err)
{
	const struct kineto_category *c;
	struct mlv_sample s = { .time_ns = e->ts, .step = MLV_NO_STEP };
	if (!mlv_kineto_category(k, e->category, &c) || !mlv_kineto_lane(k, e, c, &s.track))
		return mlv_err_nomem(err);
	/* Counters belong to a process or a device; few writers name a thread. */
	if (!(e->has & HAS_TID))
		s.track = k->run->tracks.data[s.track.i].parent;
	for (size_t i = 0; i < k->values.len; i++) {
		enum mlv_rc rc = mlv_limits_room(k->limits, k->run->samples.len, "events", err);
		if (rc)
			return rc;
		s.value = k->values.data[i].value;
		if (!metric_name(k, e, k->values.data[i].series, &s.metric) ||
		    !mlv_vec_push(&k->run->samples, s))
			return mlv_err_nomem(err);
	}
	return MLV_OK;
}

static enum mlv_rc add_instant(struct kineto *k, const struct kineto_event *e, bool *taken,
			       struct mlv_err *err)
{
	if (e->name.i != k->memory.i && e->name.i != k->out_of_memory.i)
		return add_span(k, e, e->ts, err);
	*taken = e->has & 1U << ARG_BYTES;
	if (!*taken)
		return MLV_OK;
	enum mlv_rc rc = mlv_limits_room(k->limits, k->memories.len, "events", err);
	if (!rc && !mlv_kineto_add_memory(k, e))
		rc = mlv_err_nomem(err);
	return rc;
}

enum mlv_rc mlv_kineto_take(struct kineto *k, const struct kineto_event *e, bool *taken,
			    struct mlv_err *err)
{
	int64_t end;
	bool timed = e->has & HAS_TIME;
	*taken = timed;
	switch (e->phase) {
	case 'X':
		/* A profiler that cannot tell the length says nothing or something negative. */
		end = e->has & HAS_DURATION && e->duration > 0 ? e->duration : 0;
		if (!timed || !(e->has & HAS_DURATION)) {
			*taken = false;
			return MLV_OK;
		}
		if (__builtin_add_overflow(e->ts, end, &end))
			end = INT64_MAX;
		return add_span(k, e, end, err);
	case 'i':
	case 'I':
		return timed ? add_instant(k, e, taken, err) : MLV_OK;
	case 'B':
		return timed ? begin_span(k, e, err) : MLV_OK;
	case 'E':
		return timed ? end_span(k, e, err) : MLV_OK;
	case 'C':
		return timed ? add_counter(k, e, err) : MLV_OK;
	case 'M':
		*taken = true;
		return mlv_kineto_add_name(k, e) ? MLV_OK : mlv_err_nomem(err);
	case 's':
	case 't':
	case 'f':
		*taken = true;
		k->flows++;
		return MLV_OK;
	default:
		*taken = e->phase != '\0';
		k->others += *taken;
		return MLV_OK;
	}
}
