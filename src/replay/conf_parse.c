/* SPDX-License-Identifier: MIT */
/*
 * PYTORCH_CUDA_ALLOC_CONF, read as PyTorch reads it: "key:value" joined by
 * commas, blanks nowhere of importance, lists in brackets. Where PyTorch
 * would throw, this is an error that names the part.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "replay/conf.h"

struct cursor {
	const char *p, *end;
};

static void blanks(struct cursor *c)
{
	while (c->p < c->end && (*c->p == ' ' || *c->p == '\t' || *c->p == '\n'))
		c->p++;
}

static bool mark(struct cursor *c, char wanted)
{
	blanks(c);
	if (c->p == c->end || *c->p != wanted)
		return false;
	c->p++;
	return true;
}

/* Up to the next mark of the syntax. */
static struct mlv_str word(struct cursor *c)
{
	blanks(c);
	const char *start = c->p;
	while (c->p < c->end && !strchr(",:[]", *c->p))
		c->p++;
	const char *end = c->p;
	while (end > start && strchr(" \t\n", end[-1]))
		end--;
	return (struct mlv_str){ start, (size_t)(end - start) };
}

static bool is(struct mlv_str s, const char *text)
{
	return s.n == strlen(text) && memcmp(s.p, text, s.n) == 0;
}

static bool number(struct mlv_str s, uint64_t most, uint64_t *n)
{
	uint64_t v = 0;
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] < '0' || s.p[i] > '9' || v > (UINT64_MAX - 9) / 10)
			return false;
		v = v * 10 + (uint64_t)(s.p[i] - '0');
	}
	*n = v;
	return s.n > 0 && v <= most;
}

static bool share(struct mlv_str s, double *value)
{
	char digits[32], *end;
	if (!s.n || s.n >= sizeof(digits))
		return false;
	memcpy(digits, s.p, s.n);
	digits[s.n] = '\0';
	*value = strtod(digits, &end);
	return !*end && *value >= 0 && *value <= 1;
}

static bool is_power(uint64_t n)
{
	return (n & (n - 1)) == 0;
}

static enum mlv_rc bad(struct mlv_err *err, struct mlv_str key, struct mlv_str value,
		       const char *wanted)
{
	return mlv_err_set(err, MLV_E_USAGE, "%.*s: \"%.*s\" is not %s", (int)key.n, key.p,
			   (int)(value.n > 60 ? 60 : value.n), value.p, wanted);
}

static const char power_wanted[] = "a power of two, or 0";

/* "[256:1,512:2,>:8]": the first value also goes for smaller sizes. */
static enum mlv_rc division_list(struct mlv_alloc_conf *conf, struct cursor *c, struct mlv_str key,
				 struct mlv_err *err)
{
	bool first = true;
	size_t last = 0;
	memset(conf->divisions, 0, sizeof(conf->divisions));
	do {
		struct mlv_str size = word(c), value;
		uint64_t mib, n;
		bool colon = mark(c, ':');
		value = word(c);
		if (!colon || !number(value, 1 << 20, &n) || !is_power(n))
			return bad(err, key, colon ? value : size,
				   "a list such as [256:1,512:2,>:8]");
		if (is(size, ">")) {
			for (size_t i = first ? 0 : last + 1; i < MLV_ALLOC_DIVISIONS; i++)
				conf->divisions[i] = n;
			continue;
		}
		if (!number(size, UINT32_MAX, &mib) || !mib || !is_power(mib))
			return bad(err, key, size, "a size in MB that is a power of two");
		size_t i = 63 - (size_t)__builtin_clzll(mib);
		i = i < MLV_ALLOC_DIVISIONS ? i : MLV_ALLOC_DIVISIONS - 1;
		for (size_t k = first ? 0 : i; k <= i; k++)
			conf->divisions[k] = n;
		last = i;
		first = false;
	} while (mark(c, ','));
	return mark(c, ']') ? MLV_OK : bad(err, key, word(c), "the end of a list: ] is missing");
}

static enum mlv_rc divisions(struct mlv_alloc_conf *conf, struct cursor *c, struct mlv_str key,
			     struct mlv_err *err)
{
	uint64_t n;
	if (mark(c, '['))
		return division_list(conf, c, key, err);
	struct mlv_str value = word(c);
	if (!number(value, 1 << 20, &n) || !is_power(n))
		return bad(err, key, value, power_wanted);
	for (size_t i = 0; i < MLV_ALLOC_DIVISIONS; i++)
		conf->divisions[i] = n;
	return MLV_OK;
}

static enum mlv_rc megabytes(struct cursor *c, struct mlv_str key, uint64_t least, uint64_t *bytes,
			     struct mlv_err *err)
{
	struct mlv_str value = word(c);
	uint64_t mib;
	if (!number(value, UINT64_MAX / MLV_MIB, &mib))
		return bad(err, key, value, "a number of MB");
	if (mib < least)
		return mlv_err_set(err, MLV_E_USAGE,
				   "%.*s: %" PRIu64
				   " is too small, PyTorch wants at least %" PRIu64,
				   (int)key.n, key.p, mib, least);
	*bytes = mib * MLV_MIB;
	return MLV_OK;
}

static enum mlv_rc truth(struct cursor *c, struct mlv_str key, bool *value, struct mlv_err *err)
{
	struct mlv_str text = word(c);
	if (!is(text, "True") && !is(text, "False"))
		return bad(err, key, text, "True or False");
	*value = is(text, "True");
	return MLV_OK;
}

static enum mlv_rc ratio(struct cursor *c, struct mlv_str key, double *value, struct mlv_err *err)
{
	struct mlv_str text = word(c);
	return share(text, value) ? MLV_OK : bad(err, key, text, "a number from 0 to 1");
}

/* Keys that do not change what is taken from the device, or when. */
static bool indifferent(struct mlv_str key)
{
	static const char *const keys[] = {
		"release_lock_on_cudamalloc",        "release_lock_on_hipmalloc",
		"pinned_use_cuda_host_register",     "pinned_use_hip_host_register",
		"pinned_num_register_threads",       "pinned_reserve_segment_size_mb",
		"pinned_use_background_threads",     "pinned_max_power2_size_mb",
		"pinned_max_round_threshold_mb",     "pinned_max_cached_size_mb",
		"graph_capture_record_stream_reuse", "throw_on_cudamalloc_oom",
	};
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (is(key, keys[i]))
			return true;
	}
	return false;
}

/* Over a value that is not looked at. */
static void pass(struct cursor *c)
{
	int depth = 0;
	for (; c->p < c->end && (depth || *c->p != ','); c->p++)
		depth += *c->p == '[' ? 1 : *c->p == ']' && depth ? -1 : 0;
}

static void backend(struct cursor *c, struct mlv_diags *notes)
{
	struct mlv_str value = word(c);
	if (!is(value, "native"))
		mlv_diag_add(notes, MLV_WARNING, "conf-backend", MLV_NO_OFFSET,
			     "backend:%.*s is not modelled; the native allocator is",
			     (int)(value.n > 60 ? 60 : value.n), value.p);
}

static enum mlv_rc setting(struct mlv_alloc_conf *conf, struct cursor *c, struct mlv_str key,
			   bool *rounding_set, struct mlv_diags *notes, struct mlv_err *err)
{
	if (is(key, "max_split_size_mb"))
		return megabytes(c, key, conf->large_segment / MLV_MIB, &conf->max_split, err);
	if (is(key, "max_non_split_rounding_mb")) {
		*rounding_set = true;
		return megabytes(c, key, 1, &conf->max_non_split_rounding, err);
	}
	if (is(key, "large_segment_size_mb"))
		return megabytes(c, key, MLV_ALLOC_LARGE / MLV_MIB + 1, &conf->large_segment, err);
	if (is(key, "garbage_collection_threshold"))
		return ratio(c, key, &conf->gc_threshold, err);
	if (is(key, "per_process_memory_fraction"))
		return ratio(c, key, &conf->fraction, err);
	if (is(key, "expandable_segments"))
		return truth(c, key, &conf->expandable, err);
	if (is(key, "roundup_power2_divisions"))
		return divisions(conf, c, key, err);
	if (is(key, "backend")) {
		backend(c, notes);
		return MLV_OK;
	}
	if (!indifferent(key))
		mlv_diag_add(notes, MLV_WARNING, "conf-unknown", MLV_NO_OFFSET,
			     "the setting %.*s is not known and has no effect here",
			     (int)(key.n > 60 ? 60 : key.n), key.p);
	pass(c);
	return MLV_OK;
}

enum mlv_rc mlv_alloc_conf_parse(struct mlv_alloc_conf *conf, struct mlv_str text,
				 struct mlv_diags *notes, struct mlv_err *err)
{
	struct mlv_alloc_conf parsed = *conf;
	struct cursor c = { text.p, text.p + text.n };
	bool rounding_set = conf->max_non_split_rounding != conf->large_segment;
	blanks(&c);
	while (c.p < c.end) {
		struct mlv_str key = word(&c);
		if (!key.n && mark(&c, ','))
			continue;
		if (!key.n || !mark(&c, ':'))
			return mlv_err_set(err, MLV_E_USAGE,
					   "\"%.*s\" is not a setting: key:value is wanted",
					   (int)(key.n > 60 ? 60 : key.n), key.p);
		enum mlv_rc rc = setting(&parsed, &c, key, &rounding_set, notes, err);
		if (rc)
			return rc;
		blanks(&c);
		if (c.p < c.end && !mark(&c, ','))
			return mlv_err_set(err, MLV_E_USAGE,
					   "%.*s: a comma is wanted before \"%.*s\"", (int)key.n,
					   key.p, (int)(c.end - c.p > 60 ? 60 : c.end - c.p), c.p);
	}
	if (!rounding_set)
		parsed.max_non_split_rounding = parsed.large_segment;
	*conf = parsed;
	return MLV_OK;
}
