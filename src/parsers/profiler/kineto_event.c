/* SPDX-License-Identifier: MIT */
/*
 * One event of a trace, key by key, into a struct; no key is asked for in an
 * order. Writers spell a few numbers as strings ("stream": "0x0" on ROCm).
 */
#include "parsers/profiler/kineto.h"

#include <string.h>

enum field { NAME, CAT, PH, PID, TID, TS, DUR, ARGUMENTS, OTHER };

static bool is(struct mlv_str s, const char *text)
{
	return memcmp(s.p, text, s.n) == 0;
}

static enum field field_of(struct mlv_str key)
{
	switch (key.n) {
	case 2:
		return is(key, "ph") ? PH : is(key, "ts") ? TS : OTHER;
	case 3:
		return is(key, "pid")   ? PID
		       : is(key, "tid") ? TID
		       : is(key, "cat") ? CAT
		       : is(key, "dur") ? DUR
					: OTHER;
	case 4:
		return is(key, "name") ? NAME : is(key, "args") ? ARGUMENTS : OTHER;
	default:
		return OTHER;
	}
}

static enum kineto_arg arg_of(struct mlv_str key)
{
	switch (key.n) {
	case 3:
		return is(key, "Seq") ? ARG_SEQ : ARG_OTHER;
	case 4:
		return is(key, "Addr")   ? ARG_ADDRESS
		       : is(key, "name") ? ARG_NAME
		       : is(key, "size") ? ARG_SIZE
					 : ARG_OTHER;
	case 5:
		return is(key, "bytes") || is(key, "Bytes") ? ARG_BYTES
		       : is(key, "dtype")                   ? ARG_DTYPE
							    : ARG_OTHER;
	case 6:
		return is(key, "stream") ? ARG_STREAM : is(key, "device") ? ARG_DEVICE : ARG_OTHER;
	case 9:
		return is(key, "Device Id") ? ARG_DEVICE_ID : ARG_OTHER;
	case 11:
		return is(key, "External id") || is(key, "external id") ? ARG_EXTERNAL_ID
		       : is(key, "correlation")                         ? ARG_CORRELATION
		       : is(key, "Device Type")                         ? ARG_DEVICE_TYPE
									: ARG_OTHER;
	case 13:
		return is(key, "In msg nelems") ? ARG_IN_ELEMS : ARG_OTHER;
	case 14:
		return is(key, "Out msg nelems")   ? ARG_OUT_ELEMS
		       : is(key, "Total Reserved") ? ARG_RESERVED
						   : ARG_OTHER;
	case 15:
		return is(key, "Collective name")   ? ARG_COLLECTIVE
		       : is(key, "Total Allocated") ? ARG_ALLOCATED
						    : ARG_OTHER;
	case 18:
		return is(key, "Process Group Name") ? ARG_GROUP : ARG_OTHER;
	default:
		return ARG_OTHER;
	}
}

/* value = value * 10 + digit, of a number with that sign. */
static bool add_digit(int64_t *value, char c, bool negative)
{
	return !__builtin_mul_overflow(*value, 10, value) &&
	       !__builtin_add_overflow(*value, negative ? '0' - c : c - '0', value);
}

static bool time_with_exponent(struct mlv_str s, int64_t *ns)
{
	struct mlv_decimal d;
	return mlv_decimal_whole(s, MLV_UNIT_US, &d) && mlv_decimal_ns(d, ns);
}

bool mlv_kineto_time(struct mlv_str s, int64_t *ns)
{
	bool negative = s.n && s.p[0] == '-';
	size_t i = negative;
	int64_t value = 0;
	int behind = 0; /* digits behind the point that were taken */
	if (i == s.n || (!mlv_is_digit(s.p[i]) && s.p[i] != '.'))
		return false;
	for (; i < s.n && mlv_is_digit(s.p[i]); i++) {
		if (!add_digit(&value, s.p[i], negative))
			return false;
	}
	if (i < s.n && s.p[i] == '.') {
		for (i++; i < s.n && mlv_is_digit(s.p[i]) && behind < 3; i++, behind++) {
			if (!add_digit(&value, s.p[i], negative))
				return false;
		}
	}
	bool up = i < s.n && s.p[i] >= '5' && s.p[i] <= '9';
	while (i < s.n && mlv_is_digit(s.p[i]))
		i++;
	if (i < s.n)
		return time_with_exponent(s, ns);
	for (; behind < 3; behind++) {
		if (__builtin_mul_overflow(value, 10, &value))
			return false;
	}
	if (up && __builtin_add_overflow(value, negative ? -1 : 1, &value))
		return false;
	*ns = value;
	return true;
}

enum mlv_rc mlv_kineto_skip(struct kineto *k, struct mlv_err *err)
{
	if (k->token.kind == MLV_JSON_OBJECT_BEGIN || k->token.kind == MLV_JSON_ARRAY_BEGIN)
		return mlv_json_skip(k->json, err);
	return MLV_OK;
}

/* "2560", "0x0": an integer and nothing else. */
static bool integer_text(struct mlv_str s, int64_t *n)
{
	bool negative = s.n && s.p[0] == '-';
	size_t i = negative;
	uint64_t v = 0, base = 10;
	if (s.n - i > 2 && s.p[i] == '0' && (s.p[i + 1] | 0x20) == 'x') {
		base = 16;
		i += 2;
	}
	if (i >= s.n || s.n - i > 18)
		return false;
	for (; i < s.n; i++) {
		char c = s.p[i], letter = (char)(c | 0x20);
		if (mlv_is_digit(c))
			v = v * base + (uint64_t)(c - '0');
		else if (base == 16 && letter >= 'a' && letter <= 'f')
			v = v * base + (uint64_t)(letter - 'a' + 10);
		else
			return false;
	}
	*n = negative ? -(int64_t)v : (int64_t)v;
	return true;
}

static bool number_of(const struct mlv_json_token *t, int64_t *n)
{
	if (t->kind == MLV_JSON_STRING)
		return integer_text(t->text, n);
	*n = t->integer;
	return t->kind == MLV_JSON_INTEGER;
}

static bool id_of(struct kineto *k, struct kineto_id *id)
{
	*id = (struct kineto_id){ 0 };
	if (number_of(&k->token, &id->number) || k->token.kind != MLV_JSON_STRING)
		return true;
	/* What belongs to no process at all has an empty one. */
	id->number = -1;
	if (!k->token.text.n)
		return true;
	if (!mlv_run_intern(k->run, k->token.text, &id->name))
		return false;
	id->is_name = true;
	id->number = INT64_MIN + (int64_t)id->name.i;
	return true;
}

/* A time of the current token. */
static bool time_of(const struct mlv_json_token *t, int64_t *ns)
{
	if (t->kind == MLV_JSON_INTEGER)
		return !t->is_unsigned && !__builtin_mul_overflow(t->integer, 1000, ns);
	return (t->kind == MLV_JSON_NUMBER || t->kind == MLV_JSON_STRING) &&
	       mlv_kineto_time(t->text, ns);
}

/* Any number among the args of a counter is a value of it. */
static bool counter_value(struct kineto *k, mlv_strid series)
{
	struct kineto_value v = { .series = series };
	const struct mlv_json_token *t = &k->token;
	if (t->kind == MLV_JSON_INTEGER && !t->is_unsigned)
		v.value = mlv_decimal_int(t->integer, MLV_UNIT_NONE);
	else if ((t->kind != MLV_JSON_INTEGER && t->kind != MLV_JSON_NUMBER) ||
		 !mlv_decimal_whole(t->text, MLV_UNIT_NONE, &v.value))
		return true;
	return mlv_vec_push(&k->values, v);
}

static bool take_arg(struct kineto *k, struct kineto_event *e, enum kineto_arg arg)
{
	if (arg < ARG_NUMBERS) {
		if (number_of(&k->token, &e->numbers[arg]))
			e->has |= 1U << arg;
		return true;
	}
	if (arg < ARGS && k->token.kind == MLV_JSON_STRING) {
		e->has |= 1U << arg;
		return mlv_run_intern(k->run, k->token.text, &e->texts[arg - ARG_NUMBERS]);
	}
	return true;
}

/* Behind the '{' of "args". */
static enum mlv_rc arguments(struct kineto *k, struct kineto_event *e, struct mlv_err *err)
{
	enum mlv_rc rc;
	while ((rc = mlv_kineto_next(k, err)) == MLV_OK && k->token.kind == MLV_JSON_KEY) {
		enum kineto_arg arg = arg_of(k->token.text);
		mlv_strid series = MLV_STR_NONE;
		bool counter = e->phase == 'C' || !e->phase;
		if (counter && !mlv_run_intern(k->run, k->token.text, &series))
			return mlv_err_nomem(err);
		rc = mlv_kineto_next(k, err);
		if (rc)
			return rc;
		if ((counter && !counter_value(k, series)) || !take_arg(k, e, arg))
			return mlv_err_nomem(err);
		rc = mlv_kineto_skip(k, err);
		if (rc)
			return rc;
	}
	return rc;
}

/* The value of a key of the event. False when memory runs out. */
static bool take_field(struct kineto *k, struct kineto_event *e, enum field field)
{
	const struct mlv_json_token *t = &k->token;
	bool text = t->kind == MLV_JSON_STRING;
	switch (field) {
	case NAME:
		return !text || mlv_run_intern(k->run, t->text, &e->name);
	case CAT:
		return !text || mlv_run_intern(k->run, t->text, &e->category);
	case PH:
		e->phase = '\0';
		if (text && t->text.n == 1)
			e->phase = t->text.p[0];
		return true;
	case PID:
		return id_of(k, &e->pid);
	case TID:
		e->has |= HAS_TID;
		return id_of(k, &e->tid);
	case TS:
		if (time_of(t, &e->ts))
			e->has |= HAS_TIME;
		return true;
	case DUR:
		if (time_of(t, &e->duration))
			e->has |= HAS_DURATION;
		return true;
	default:
		return true;
	}
}

enum mlv_rc mlv_kineto_event(struct kineto *k, struct kineto_event *e, struct mlv_err *err)
{
	enum mlv_rc rc;
	e->has = 0;
	e->phase = '\0';
	e->name = e->category = MLV_STR_NONE;
	e->pid = e->tid = (struct kineto_id){ 0 };
	k->values.len = 0;
	while ((rc = mlv_kineto_next(k, err)) == MLV_OK && k->token.kind == MLV_JSON_KEY) {
		enum field field = field_of(k->token.text);
		rc = mlv_kineto_next(k, err);
		if (rc)
			return rc;
		if (field == ARGUMENTS && k->token.kind == MLV_JSON_OBJECT_BEGIN)
			rc = arguments(k, e, err);
		else if (!take_field(k, e, field))
			rc = mlv_err_nomem(err);
		else
			rc = mlv_kineto_skip(k, err);
		if (rc)
			return rc;
	}
	return rc;
}
