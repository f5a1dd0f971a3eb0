/* SPDX-License-Identifier: MIT */
/*
 * Jobs made up at random must be judged right: the kind of the fault and its
 * culprit, or that the evidence does not tell. HANG_PROGRAMS=5000 runs more of
 * them, HANG_SEED=N begins with another one, HANG_VERBOSE=1 prints what was
 * judged wrong.
 */
#include <stdlib.h>

#include "analysis/hang/hang.h"
#include "hang_program.h"
#include "text_reading.h"

static bool blames(const struct mlv_hang *h, int rank)
{
	const struct mlv_hang_verdict *v = &h->verdict;
	for (size_t i = 0; i < v->culprits.len; i++) {
		if (h->evidence->ranks.data[v->culprits.data[i]].rank == rank)
			return true;
	}
	return false;
}

/* Kinds that the evidence of a fault supports. */
static bool kind_fits(const struct hang_program *p, const struct mlv_hang_verdict *v)
{
	enum mlv_hang_verdict_kind k = v->kind;
	bool differs = k == MLV_HANG_TYPE || k == MLV_HANG_SIZE || k == MLV_HANG_DTYPE;
	bool two = p->members[p->fault_group] == 2 || v->ambiguous;
	switch (p->fault) {
	case FAULT_HOST:
		/* If only a send or receive waits for it, either side may be wrong. */
		return k == MLV_HANG_LAG || k == MLV_HANG_MISSING_RANK ||
		       (k == MLV_HANG_P2P && v->ambiguous);
	case FAULT_DEVICE:
		return k == MLV_HANG_LAG;
	case FAULT_EXTRA:
		/* Without calls behind it, one too many is one in another's place; where others
		 * wait elsewhere, it is a circle. */
		return k == MLV_HANG_EXTRA_CALL || k == MLV_HANG_ORDER ||
		       (differs && p->after == 0) || (two && k == MLV_HANG_LAG);
	case FAULT_SKIP:
		return k == MLV_HANG_MISSING_RANK || k == MLV_HANG_ORDER ||
		       (differs && p->others_after == 0) || (two && k == MLV_HANG_EXTRA_CALL) ||
		       k == MLV_HANG_LAG ||
		       (k == MLV_HANG_P2P && v->ambiguous && p->others_after == 0);
	case FAULT_TYPE:
		return k == MLV_HANG_TYPE;
	case FAULT_SIZE:
		return k == MLV_HANG_SIZE;
	case FAULT_DTYPE:
		return k == MLV_HANG_DTYPE;
	case FAULT_ORDER:
		return k == MLV_HANG_ORDER ||
		       ((differs || k == MLV_HANG_EXTRA_CALL || k == MLV_HANG_MISSING_RANK) &&
			(p->after == 0 || p->others_after == 0));
	case FAULT_P2P:
		return k == MLV_HANG_P2P;
	case FAULT_P2P_SIZE:
		return k == MLV_HANG_SIZE;
	default:
		return k == MLV_HANG_HEALTHY;
	}
}

/* Of its group, too few dumps are left to tell who is right. */
static bool few_are_left(const struct hang_program *p)
{
	int others = 0, gone = 0;
	for (int r = 0; r < p->ranks; r++) {
		if (!p->member[p->fault_group][r] || r == p->culprit)
			continue;
		others += !p->missing[r];
		gone += p->missing[r];
	}
	return others <= gone;
}

static bool is_right(const struct hang_program *p, const struct mlv_hang *h)
{
	const struct mlv_hang_verdict *v = &h->verdict;
	if (p->fault == FAULT_NONE)
		return !v->culprits.len && v->kind == (h->evidence->dumps == h->evidence->ranks.len
							       ? MLV_HANG_HEALTHY
							       : MLV_HANG_UNDECIDED);
	bool gone = p->missing[p->culprit] || (p->partner >= 0 && p->missing[p->partner]);
	/* Of a rank without a dump nobody can tell what it did. */
	if (gone)
		return (v->kind == MLV_HANG_UNDECIDED && !v->culprits.len) ||
		       blames(h, p->culprit) || (p->partner >= 0 && blames(h, p->partner));
	if (v->kind == MLV_HANG_UNDECIDED && few_are_left(p))
		return !v->culprits.len;
	if (!kind_fits(p, v))
		return false;
	return blames(h, p->culprit) || (p->partner >= 0 && blames(h, p->partner));
}

static void gather(struct hang_program *p, struct mlv_evidence *e)
{
	struct mlv_err err = MLV_ERR_INIT;
	int order[HANG_RANKS];
	for (int i = 0; i < p->ranks; i++) {
		int k = (int)hang_random(p, (unsigned)i + 1);
		order[i] = order[k];
		order[k] = i;
	}
	ck_assert_int_eq(mlv_evidence_init(e, &err), MLV_OK);
	for (int i = 0; i < p->ranks; i++) {
		struct mlv_buf text = { 0 };
		struct reading r;
		if (p->missing[order[i]])
			continue;
		hang_program_dump(p, order[i], &text);
		reading_of(&r, text.data, text.len, NULL);
		ck_assert_msg(r.rc == MLV_OK, "%s", r.err.msg);
		r.run.rank = order[i];
		ck_assert_int_eq(mlv_evidence_add(e, &r.run, &err), MLV_OK);
		reading_fini(&r);
		mlv_buf_fini(&text);
	}
	ck_assert_int_eq(mlv_evidence_finish(e, &err), MLV_OK);
}

static void describe(const struct hang_program *p, uint64_t seed, const struct mlv_hang *h)
{
	const struct mlv_hang_verdict *v = &h->verdict;
	fprintf(stderr,
		"# seed %llu: %d ranks, fault %s of rank %d (partner %d, group %d of %d, "
		"after %d, ahead %d%s%s%s): %s%s",
		(unsigned long long)seed, p->ranks, hang_fault_name(p->fault), p->culprit,
		p->partner, p->fault_group, p->members[p->fault_group], p->after, p->ahead,
		p->streams ? ", streams" : "", p->only_active ? ", active" : "",
		p->missing[p->culprit < 0 ? 0 : p->culprit] ? ", gone" : "",
		mlv_hang_verdict_name(v->kind), v->ambiguous ? " ambiguous" : "");
	for (size_t i = 0; i < v->culprits.len; i++)
		fprintf(stderr, " %lld",
			(long long)h->evidence->ranks.data[v->culprits.data[i]].rank);
	fprintf(stderr, "\n");
	for (size_t i = 0; i < v->reasons.len; i++)
		fprintf(stderr, "#     %s\n", v->reasons.data[i]);
}

static bool judge(uint64_t seed, enum hang_fault fault, bool verbose)
{
	static struct hang_program p;
	struct mlv_evidence e;
	struct mlv_hang h;
	struct mlv_err err = MLV_ERR_INIT;
	hang_program_make(&p, seed, fault);
	gather(&p, &e);
	ck_assert_int_eq(mlv_hang_init(&h, &e, NULL, 0, &err), MLV_OK);
	bool right = is_right(&p, &h);
	if (!right && verbose)
		describe(&p, seed, &h);
	mlv_hang_fini(&h);
	mlv_evidence_fini(&e);
	return right;
}

static uint64_t setting(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);
	return text ? strtoull(text, NULL, 10) : otherwise;
}

START_TEST(faults_are_found)
{
	uint64_t programs = setting("HANG_PROGRAMS", 440), first = setting("HANG_SEED", 1);
	bool verbose = setting("HANG_VERBOSE", 0) != 0;
	uint64_t wrong[FAULTS] = { 0 }, of[FAULTS] = { 0 }, all = 0;
	uint64_t last = 0;
	for (uint64_t i = 0; i < programs; i++) {
		enum hang_fault fault = (enum hang_fault)((first + i) % FAULTS);
		of[fault]++;
		if (judge(first + i, fault, verbose))
			continue;
		wrong[fault]++;
		all++;
		last = first + i;
	}
	for (int f = 0; verbose && f < FAULTS; f++)
		fprintf(stderr, "# %-9s %llu of %llu wrong\n", hang_fault_name((enum hang_fault)f),
			(unsigned long long)wrong[f], (unsigned long long)of[f]);
	ck_assert_msg(wrong[FAULT_NONE] == 0, "a healthy job was blamed; HANG_SEED=%llu",
		      (unsigned long long)last);
	ck_assert_msg(all * 100 <= programs,
		      "%llu of %llu jobs were judged wrong; the last is "
		      "HANG_SEED=%llu HANG_PROGRAMS=1 HANG_VERBOSE=1",
		      (unsigned long long)all, (unsigned long long)programs,
		      (unsigned long long)last);
}
END_TEST

UNIT_MAIN("hang_random", faults_are_found)
