/* SPDX-License-Identifier: MIT */
#include "analysis/hang/match.h"

#include <string.h>

/* Which parts of a call must be equal on all ranks. */
struct rule {
	struct mlv_str name;
	bool in, out; /* sizes */
	bool in_dtypes, out_dtypes;
};

/* All others: everything. */
static const struct rule rules[] = {
	{ MLV_STR_INIT("scatter"), false, true, false, false },
	{ MLV_STR_INIT("gather"), true, false, true, false },
	{ MLV_STR_INIT("broadcast"), true, true, false, false },
	{ MLV_STR_INIT("_broadcast_oop"), true, true, false, false },
	/* Each rank has its own share. */
	{ MLV_STR_INIT("all_gather_v"), false, true, true, true },
	{ MLV_STR_INIT("reduce_scatter_v"), true, false, true, true },
	/* Their sums must agree, which two ranks alone cannot tell. */
	{ MLV_STR_INIT("all_to_all"), false, false, true, true },
	{ MLV_STR_INIT("all_to_all_single"), false, false, true, true },
	{ MLV_STR_INIT("all_to_all_v_single"), false, false, true, true },
};

static struct rule rule_of(struct mlv_str name)
{
	struct rule all = { { "", 0 }, true, true, true, true };
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (mlv_str_eq(rules[i].name, name))
			return rules[i];
	}
	return all;
}

bool mlv_is_all_to_all(struct mlv_str name)
{
	return mlv_str_has_prefix(name, MLV_STR("all_to_all"));
}

int64_t mlv_numel(struct mlv_str s)
{
	int64_t total = 0, product = 1, n;
	unsigned depth = 0;
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];
		if (c == '?' || c == '-')
			return -1;
		if (c == '[') {
			depth++;
			product = 1;
		} else if (c == ']') {
			if (depth == 2 && __builtin_add_overflow(total, product, &total))
				return -1;
			depth -= depth > 0;
		} else if (mlv_is_digit(c)) {
			for (n = 0; i < s.n && mlv_is_digit(s.p[i]); i++) {
				if (__builtin_mul_overflow(n, 10, &n) ||
				    __builtin_add_overflow(n, s.p[i] - '0', &n))
					return -1;
			}
			i--;
			if (__builtin_mul_overflow(product, n, &product))
				return -1;
		}
	}
	return total;
}

/* The watchdog names types of work, of which a barrier's is the one that it is made of. */
static void plain(struct mlv_str name, char out[64])
{
	size_t n = 0;
	if (mlv_str_eq(name, MLV_STR("all_reduce_barrier")) || mlv_str_eq(name, MLV_STR("barrier")))
		name = MLV_STR("allreduce");
	if (mlv_is_all_to_all(name))
		name = MLV_STR("alltoall");
	for (size_t i = 0; i < name.n && name.p[i] != ' ' && n < 63; i++) {
		char c = name.p[i];
		if (c != '_')
			out[n++] = c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
	}
	out[n] = '\0';
}

static bool same_name(const struct mlv_evidence *e, const struct mlv_call *a,
		      const struct mlv_call *b)
{
	char x[64], y[64];
	if (a->name.i == b->name.i)
		return true;
	if (!a->from_log && !b->from_log)
		return false;
	plain(mlv_evidence_str(e, a->name), x);
	plain(mlv_evidence_str(e, b->name), y);
	return strcmp(x, y) == 0;
}

static bool same_sizes(const struct mlv_evidence *e, mlv_strid a, mlv_strid b, bool counts)
{
	if (a.i == b.i)
		return true;
	if (!counts)
		return false;
	/* A log tells the number of elements alone. */
	int64_t x = mlv_numel(mlv_evidence_str(e, a)), y = mlv_numel(mlv_evidence_str(e, b));
	return x < 0 || y < 0 || x == y;
}

/* The types in a list "Float,Float,Long", each once: order and number are a matter of sizes. */
static bool within(struct mlv_str list, struct mlv_str all)
{
	while (list.n) {
		const char *comma = memchr(list.p, ',', list.n);
		struct mlv_str one = { list.p, comma ? (size_t)(comma - list.p) : list.n };
		bool found = false;
		for (struct mlv_str rest = all; rest.n && !found;) {
			const char *end = memchr(rest.p, ',', rest.n);
			struct mlv_str other = { rest.p, end ? (size_t)(end - rest.p) : rest.n };
			found = mlv_str_eq(one, other);
			rest.p += other.n + (end != NULL);
			rest.n -= other.n + (end != NULL);
		}
		if (!found)
			return false;
		list.p += one.n + (comma != NULL);
		list.n -= one.n + (comma != NULL);
	}
	return true;
}

static bool same_dtypes(const struct mlv_evidence *e, mlv_strid a, mlv_strid b)
{
	struct mlv_str x = mlv_evidence_str(e, a), y = mlv_evidence_str(e, b);
	return a.i == b.i || !x.n || !y.n || (within(x, y) && within(y, x));
}

enum mlv_match mlv_match_calls(const struct mlv_evidence *e, const struct mlv_call *a,
			       const struct mlv_call *b)
{
	if (!same_name(e, a, b))
		return MLV_TYPE_DIFFERS;
	const struct rule rule = rule_of(mlv_evidence_str(e, a->name));
	bool counts = a->from_log || b->from_log;
	if (a->sized && b->sized &&
	    ((rule.in && !same_sizes(e, a->in_sizes, b->in_sizes, counts)) ||
	     (rule.out && !same_sizes(e, a->out_sizes, b->out_sizes, counts))))
		return MLV_SIZE_DIFFERS;
	if ((rule.in_dtypes && !same_dtypes(e, a->in_dtypes, b->in_dtypes)) ||
	    (rule.out_dtypes && !same_dtypes(e, a->out_dtypes, b->out_dtypes)))
		return MLV_DTYPE_DIFFERS;
	return MLV_MATCHES;
}

enum mlv_match mlv_match_slots(const struct mlv_evidence *e, const struct mlv_job_lane *la,
			       const struct mlv_slot *a, const struct mlv_job_lane *lb,
			       const struct mlv_slot *b)
{
	uint32_t n = a->calls < b->calls ? a->calls : b->calls;
	for (uint32_t i = 0; i < n; i++) {
		enum mlv_match m = mlv_match_calls(e, mlv_lane_call(e, la, a->first + i),
						   mlv_lane_call(e, lb, b->first + i));
		if (m != MLV_MATCHES)
			return m;
	}
	/* Before version 2.7 the members of some coalesced groups have no entries. */
	return MLV_MATCHES;
}

enum mlv_match mlv_match_p2p(const struct mlv_evidence *e, const struct mlv_call *send,
			     const struct mlv_call *recv)
{
	if (send->sized && recv->sized &&
	    mlv_numel(mlv_evidence_str(e, send->in_sizes)) !=
		    mlv_numel(mlv_evidence_str(e, recv->out_sizes)))
		return MLV_SIZE_DIFFERS;
	return same_dtypes(e, send->in_dtypes, recv->out_dtypes) ? MLV_MATCHES : MLV_DTYPE_DIFFERS;
}
