/* SPDX-License-Identifier: MIT */
#include "cli/option.h"

#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "base/suggest.h"

enum { SIZE_MAX_SIDE = 32767 }; /* what cairo can draw */

void mlv_common_init(struct mlv_common *c)
{
	memset(c, 0, sizeof(*c));
	c->rank = -1;
	c->limits = mlv_limits_default;
}

/* ---- values ---------------------------------------------------------- */

static bool parse_digits(const char **s, uint64_t max, uint64_t *out)
{
	const char *p = *s;
	uint64_t v = 0;
	for (; mlv_is_digit(*p); p++) {
		unsigned digit = (unsigned)(*p - '0');
		if (v > (max - digit) / 10)
			return false;
		v = v * 10 + digit;
	}
	if (p == *s)
		return false;
	*s = p;
	*out = v;
	return true;
}

static bool parse_whole(const char *s, uint64_t max, uint64_t *out)
{
	return parse_digits(&s, max, out) && !*s;
}

static bool parse_size(const char *s, struct mlv_opt_size *out)
{
	uint64_t w, h;
	if (!parse_digits(&s, SIZE_MAX_SIDE, &w) || *s++ != 'x' ||
	    !parse_whole(s, SIZE_MAX_SIDE, &h) || !w || !h)
		return false;
	*out = (struct mlv_opt_size){ (int)w, (int)h };
	return true;
}

static bool parse_choice(const char *s, const char *const *choices, int *out)
{
	for (int i = 0; choices[i]; i++) {
		if (strcmp(s, choices[i]) == 0) {
			*out = i;
			return true;
		}
	}
	return false;
}

static bool store(const struct mlv_option *o, void *state, const char *value)
{
	void *at = (char *)state + o->offset;
	uint64_t v;
	switch (o->kind) {
	case MLV_OPT_FLAG:
		*(bool *)at = true;
		return true;
	case MLV_OPT_COUNT:
		++*(int *)at;
		return true;
	case MLV_OPT_STRING:
		*(const char **)at = value;
		return true;
	case MLV_OPT_INT:
		if (!parse_whole(value, INT64_MAX, &v))
			return false;
		*(int64_t *)at = (int64_t)v;
		return true;
	case MLV_OPT_UINT:
		return parse_whole(value, UINT64_MAX, at);
	case MLV_OPT_BYTES:
		return mlv_parse_bytes(value, at);
	case MLV_OPT_CHOICE:
		return parse_choice(value, o->choices, at);
	case MLV_OPT_SIZE:
		return parse_size(value, at);
	case MLV_OPT_LIMIT:
		return mlv_limits_set(at, value);
	}
	return false;
}

static bool takes_value(const struct mlv_option *o)
{
	return o->kind != MLV_OPT_FLAG && o->kind != MLV_OPT_COUNT;
}

/* ---- messages -------------------------------------------------------- */

static const char *example_of(const struct mlv_option *o)
{
	switch (o->kind) {
	case MLV_OPT_INT:
		return "0";
	case MLV_OPT_UINT:
		return "10";
	case MLV_OPT_BYTES:
		return "80GiB";
	case MLV_OPT_CHOICE:
		return o->choices[0];
	case MLV_OPT_SIZE:
		return "1600x900";
	case MLV_OPT_LIMIT:
		return "rows=10M";
	default:
		return NULL;
	}
}

static void what_of(const struct mlv_option *o, char *buf, size_t size)
{
	switch (o->kind) {
	case MLV_OPT_BYTES:
		snprintf(buf, size, "a number of bytes");
		return;
	case MLV_OPT_SIZE:
		snprintf(buf, size, "a size in pixels (up to %dx%d)", SIZE_MAX_SIDE, SIZE_MAX_SIDE);
		return;
	case MLV_OPT_CHOICE: {
		int n = snprintf(buf, size, "one of");
		for (int i = 0; o->choices[i] && n > 0 && (size_t)n < size; i++)
			n += snprintf(buf + n, size - (size_t)n, "%s %s", i ? "," : "",
				      o->choices[i]);
		return;
	}
	case MLV_OPT_LIMIT: {
		int n = snprintf(buf, size, "NAME=N with a NAME out of");
		for (int i = 0; mlv_limit_names[i].name && n > 0 && (size_t)n < size; i++)
			n += snprintf(buf + n, size - (size_t)n, "%s %s", i ? "," : "",
				      mlv_limit_names[i].name);
		return;
	}
	default:
		snprintf(buf, size, "a whole number from 0 on");
	}
}

static enum mlv_rc bad_value(const struct mlv_option *o, const char *value, struct mlv_err *err)
{
	char what[128];
	what_of(o, what, sizeof(what));
	return mlv_err_set(err, MLV_E_USAGE, "--%s: '%.40s' is not %s; for example --%s %s",
			   o->name, value, what, o->name, example_of(o));
}

static enum mlv_rc missing_value(const struct mlv_option *o, const char *next, struct mlv_err *err)
{
	const char *example = example_of(o) ? example_of(o) : o->arg;
	if (!next)
		return mlv_err_set(err, MLV_E_USAGE, "--%s needs a value%s --%s %s", o->name,
				   example_of(o) ? ", for example" : ":", o->name, example);
	return mlv_err_set(err, MLV_E_USAGE,
			   "--%s needs a value, not the option '%.40s': --%s %s "
			   "(or --%s=%.40s if that is the value)",
			   o->name, next, o->name, example, o->name, next);
}

static enum mlv_rc unknown(const struct mlv_option *table, const char *arg, size_t n,
			   struct mlv_err *err)
{
	char word[64];
	snprintf(word, sizeof(word), "%.*s", (int)(n < sizeof(word) ? n : sizeof(word) - 1), arg);
	struct mlv_suggestion s = mlv_suggest_for(word);
	for (const struct mlv_option *o = table; o->name; o++)
		mlv_suggest_try(&s, o->name);
	if (s.best)
		return mlv_err_set(err, MLV_E_USAGE, "unknown option '--%s'; did you mean '--%s'?",
				   word, s.best);
	return mlv_err_set(err, MLV_E_USAGE, "unknown option '--%s'", word);
}

/* ---- the command line ------------------------------------------------ */

struct cursor {
	const struct mlv_option *table;
	void *state;
	int argc, at; /* argv[at] is the next argument */
	char **argv;
};

static const struct mlv_option *by_name(const struct mlv_option *table, const char *name, size_t n)
{
	for (; table->name; table++) {
		if (strlen(table->name) == n && memcmp(table->name, name, n) == 0)
			return table;
	}
	return NULL;
}

static const struct mlv_option *by_letter(const struct mlv_option *table, char letter)
{
	for (; table->name; table++) {
		if (table->letter == letter)
			return table;
	}
	return NULL;
}

/* A forgotten value must not swallow the option behind it. */
static bool is_option(const struct mlv_option *table, const char *arg)
{
	if (arg[0] != '-' || !arg[1])
		return false;
	if (arg[1] == '-')
		return !arg[2] || by_name(table, arg + 2, strcspn(arg + 2, "="));
	return !arg[2] && by_letter(table, arg[1]);
}

/* The first row of that name that can hold the value. */
static bool store_any(const struct mlv_option *o, void *state, const char *value)
{
	const char *name = o->name;
	for (; o->name; o++) {
		if (strcmp(o->name, name) == 0 && store(o, state, value))
			return true;
	}
	return false;
}

/* `value` is what was attached to the option, or NULL. */
static enum mlv_rc apply(struct cursor *c, const struct mlv_option *o, const char *value,
			 struct mlv_err *err)
{
	if (takes_value(o) && !value) {
		const char *next = c->at < c->argc ? c->argv[c->at] : NULL;
		if (!next || is_option(c->table, next))
			return missing_value(o, next, err);
		value = next;
		c->at++;
	}
	return store_any(o, c->state, value) ? MLV_OK : bad_value(o, value, err);
}

static enum mlv_rc parse_long(struct cursor *c, const char *arg, struct mlv_err *err)
{
	size_t n = strcspn(arg, "=");
	const struct mlv_option *o = by_name(c->table, arg, n);
	if (!o)
		return unknown(c->table, arg, n, err);
	if (arg[n] && !takes_value(o))
		return mlv_err_set(err, MLV_E_USAGE, "--%s takes no value", o->name);
	return apply(c, o, arg[n] ? arg + n + 1 : NULL, err);
}

static enum mlv_rc parse_short(struct cursor *c, const char *letters, struct mlv_err *err)
{
	/* -output must not become -o with the value "utput". */
	if (letters[1] && by_name(c->table, letters, strcspn(letters, "=")))
		return mlv_err_set(err, MLV_E_USAGE,
				   "unknown option '-%.40s'; did you mean '--%.40s'?", letters,
				   letters);
	for (; *letters; letters++) {
		const struct mlv_option *o = by_letter(c->table, *letters);
		if (!o)
			return mlv_err_set(err, MLV_E_USAGE, "unknown option '-%c'", *letters);
		if (takes_value(o))
			return apply(c, o, letters[1] ? letters + 1 : NULL, err);
		enum mlv_rc rc = apply(c, o, NULL, err);
		if (rc)
			return rc;
	}
	return MLV_OK;
}

enum mlv_rc mlv_options_parse(const struct mlv_option *table, void *state, int *argc, char **argv,
			      struct mlv_err *err)
{
	struct cursor c = { table, state, *argc, 0, argv };
	int operands = 0;
	bool ended = false;
	while (c.at < c.argc) {
		char *arg = argv[c.at++];
		enum mlv_rc rc = MLV_OK;
		if (ended || arg[0] != '-' || !arg[1])
			argv[operands++] = arg;
		else if (strcmp(arg, "--") == 0)
			ended = true;
		else if (arg[1] == '-')
			rc = parse_long(&c, arg + 2, err);
		else
			rc = parse_short(&c, arg + 1, err);
		if (rc)
			return rc;
	}
	*argc = operands;
	return MLV_OK;
}
