/* SPDX-License-Identifier: MIT */
#include "analysis/alike.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/map.h"
#define XXH_INLINE_ALL
#include <xxhash.h>

/* ------------------------------------------------------------------ texts */

static bool ends_with_one_of(struct mlv_str s, const struct mlv_str *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (mlv_str_has_suffix(s, words[i]))
			return true;
	}
	return false;
}

/* Whether the number text[from, to) tells the findings of two ranks apart for no reason. */
static bool is_incidental(struct mlv_str text, size_t from, size_t to, int64_t rank)
{
	static const struct mlv_str ids[] = { MLV_STR_INIT("PID "), MLV_STR_INIT("pid: "),
					      MLV_STR_INIT("pid "), MLV_STR_INIT("pid="),
					      MLV_STR_INIT("Process ") };
	static const struct mlv_str whose[] = { MLV_STR_INIT("Rank "), MLV_STR_INIT("rank "),
						MLV_STR_INIT("local_rank: "),
						MLV_STR_INIT("GPU ") };
	struct mlv_str before = { text.p, from }, after = { text.p + to, text.n - to };
	char own[24];
	int n = snprintf(own, sizeof(own), "%lld", (long long)rank);
	if (ends_with_one_of(before, ids, 5) || mlv_str_has_prefix(after, MLV_STR(" milliseconds")))
		return true;
	return (size_t)n == to - from && memcmp(own, text.p + from, to - from) == 0 &&
	       ends_with_one_of(before, whose, 4);
}

static uint64_t text_hash(struct mlv_str text, int64_t rank, XXH3_state_t *state)
{
	size_t from = 0;
	XXH3_64bits_reset(state);
	for (size_t i = 0; i < text.n;) {
		bool address = i + 2 < text.n && text.p[i] == '0' && text.p[i + 1] == 'x';
		size_t end = address ? i + 2 : i;
		while (end < text.n && (address ? isxdigit((unsigned char)text.p[end])
						: isdigit((unsigned char)text.p[end])))
			end++;
		if (end == i) {
			i++;
			continue;
		}
		if (address || is_incidental(text, i, end, rank)) {
			XXH3_64bits_update(state, text.p + from, i - from);
			XXH3_64bits_update(state, "#", 1);
			from = end;
		}
		i = end;
	}
	XXH3_64bits_update(state, text.p + from, text.n - from);
	return XXH3_64bits_digest(state);
}

/* ------------------------------------------------------------------ groups */

uint64_t mlv_finding_key(const struct mlv_run *run, const struct mlv_finding *f)
{
	struct mlv_str code = mlv_run_str(run, f->code);
	XXH3_state_t *state = XXH3_createState();
	uint64_t key = XXH3_64bits(code.p, code.n);
	if (state)
		key ^= text_hash(mlv_run_str(run, f->text), f->rank, state);
	XXH3_freeState(state);
	return key;
}

struct member {
	uint32_t finding, line;
	uint32_t group;
	int severity;
};

static uint64_t key_of(const struct mlv_run *run, const struct mlv_finding *f, XXH3_state_t *state)
{
	const struct mlv_attr *log = mlv_run_attr(run, f->attrs, "log");
	uint64_t parts[7] = { f->code.i,
			      f->file.i,
			      f->file_line,
			      f->stack.i,
			      f->rank >= 0,
			      log && log->is_text ? log->text.i : 0,
			      text_hash(mlv_run_str(run, f->text), f->rank, state) };
	return XXH3_64bits(parts, sizeof(parts));
}

static int by_place(const void *pa, const void *pb)
{
	const struct member *a = pa, *b = pb;
	if (a->severity != b->severity)
		return a->severity > b->severity ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return (a->finding > b->finding) - (a->finding < b->finding);
}

static int by_group(const void *pa, const void *pb)
{
	const struct member *a = pa, *b = pb;
	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	return by_place(pa, pb);
}

/* Number the groups in the order of their first members, which are sorted by place. */
static bool number_groups(const struct mlv_run *run, struct member *m, size_t n, size_t *count)
{
	struct mlv_map ids = { 0 };
	XXH3_state_t *state = XXH3_createState();
	bool ok = state != NULL;
	*count = 0;
	for (size_t i = 0; ok && i < n; i++) {
		const struct mlv_finding *f = &run->findings.data[m[i].finding];
		uint64_t key = key_of(run, f, state) + (uint64_t)f->severity;
		struct mlv_map_slot *slot = mlv_map_find(&ids, key);
		m[i].group = slot ? slot->value : (uint32_t)*count;
		ok = slot || mlv_map_set(&ids, key, (uint32_t)(*count)++);
	}
	XXH3_freeState(state);
	mlv_map_fini(&ids);
	return ok;
}

enum mlv_rc mlv_alike_init(struct mlv_alike *a, const struct mlv_run *run, struct mlv_err *err)
{
	size_t n = run->findings.len;
	struct member *m = malloc((n + 1) * sizeof(*m));
	*a = (struct mlv_alike){ 0 };
	a->order = malloc((n + 1) * sizeof(*a->order));
	a->start = malloc((n + 2) * sizeof(*a->start));
	bool ok = m && a->order && a->start;
	for (uint32_t i = 0; ok && i < n; i++) {
		const struct mlv_finding *f = &run->findings.data[i];
		m[i] = (struct member){ i, f->line, 0, (int)f->severity };
	}
	if (ok && n)
		qsort(m, n, sizeof(*m), by_place);
	ok = ok && number_groups(run, m, n, &a->count);
	if (ok && n)
		qsort(m, n, sizeof(*m), by_group);
	for (size_t i = 0, group = 0; ok && i < n; i++) {
		a->order[i] = m[i].finding;
		if (!i || m[i].group != m[i - 1].group)
			a->start[group++] = i;
	}
	if (ok)
		a->start[a->count] = n;
	else
		mlv_alike_fini(a);
	free(m);
	return ok ? MLV_OK : mlv_err_nomem(err);
}

void mlv_alike_fini(struct mlv_alike *a)
{
	free(a->order);
	free(a->start);
	*a = (struct mlv_alike){ 0 };
}
