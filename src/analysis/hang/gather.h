/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_HANG_GATHER_H
#define MLV_ANALYSIS_HANG_GATHER_H
/*
 * What the files of the gathering share: the copy of a run's strings and
 * stacks into the store, and what the files say before it is known which
 * ranks and groups there are.
 */
#include "analysis/hang/evidence.h"

/* A group as one file names it. */
struct mlv_raw_group {
	mlv_strid name, description, members;
	bool status;
	int64_t last_enqueued, last_started, last_completed;
	uint32_t group; /* its row, once it is known */
};

/* One dump. The rank of a call and of a group is that of its dump. */
struct mlv_raw_dump {
	int64_t rank;
	mlv_strid file, version;
	uint32_t first_group, groups, first_call, calls;
	uint64_t stacks;    /* calls that have one */
	int64_t last_entry; /* the greatest record id; -1 none */
	bool whole;
	int64_t last_ns;
};

/* A rank whose lines a log holds. */
struct mlv_raw_speaker {
	int64_t rank;
	mlv_strid file;
};

/* That a rank is a member of a group, by whoever says so. */
struct mlv_raw_member {
	uint32_t group, place, rank; /* rows; place UINT32_MAX: not known */
};

/* What a log says of one rank in one group. */
struct mlv_raw_word {
	uint32_t group, rank;
	int64_t enqueued, started, completed; /* -1: it does not say */
	bool call;                            /* it is about this call */
	struct mlv_call work;
};

struct mlv_raw {
	MLV_VEC(struct mlv_raw_member) members;
	MLV_VEC(struct mlv_raw_word) words;
	MLV_VEC(struct mlv_raw_group) groups;
	MLV_VEC(struct mlv_raw_dump) dumps;
	MLV_VEC(struct mlv_raw_speaker) speakers;
};

/* Copies of one run's strings and stacks, each made when it is first asked for. */
struct mlv_copy {
	struct mlv_evidence *e;
	const struct mlv_run *run;
	uint32_t *strings, *stacks; /* owned; id + 1 in the store, 0: not yet */
	MLV_VEC(mlv_frameid) frames;
	bool failed;
};

bool mlv_copy_init(struct mlv_copy *c, struct mlv_evidence *e, const struct mlv_run *run);
void mlv_copy_fini(struct mlv_copy *c);
mlv_strid mlv_copy_str(struct mlv_copy *c, mlv_strid id);
mlv_stackid mlv_copy_stack(struct mlv_copy *c, mlv_stackid id);
/* A text that is not of the run. */
mlv_strid mlv_copy_text(struct mlv_copy *c, const char *text);

/* gather_calls.c: the entries of a flight-recorder dump. */
enum mlv_rc mlv_gather_dump(struct mlv_copy *c, struct mlv_err *err);
/* gather_facts.c: what a run found, and whose lines it holds. */
enum mlv_rc mlv_gather_facts(struct mlv_copy *c, struct mlv_err *err);
/* gather_kernels.c: collectives of a trace. */
enum mlv_rc mlv_gather_kernels(struct mlv_copy *c, struct mlv_err *err);

/* settle_*.c, in the order in which they are called. */
enum mlv_rc mlv_settle_ranks(struct mlv_evidence *e, struct mlv_err *err);
enum mlv_rc mlv_settle_groups(struct mlv_evidence *e, struct mlv_err *err);
enum mlv_rc mlv_settle_logs(struct mlv_evidence *e, struct mlv_err *err);
enum mlv_rc mlv_settle_lanes(struct mlv_evidence *e, struct mlv_err *err);

/* Numbers of "0,1,2", one at a time: false at the end. */
static inline bool mlv_next_number(struct mlv_str *s, int64_t *n)
{
	size_t i = 0;
	int64_t value = 0;
	while (i < s->n && !mlv_is_digit(s->p[i]))
		i++;
	if (i == s->n)
		return false;
	for (; i < s->n && mlv_is_digit(s->p[i]); i++)
		value = value < INT64_MAX / 16 ? value * 10 + (s->p[i] - '0') : value;
	s->p += i;
	s->n -= i;
	*n = value;
	return true;
}

/* The integer attribute, or `otherwise`. */
static inline int64_t mlv_attr_int(const struct mlv_run *run, struct mlv_attrs attrs,
				   const char *key, int64_t otherwise)
{
	const struct mlv_attr *a = mlv_run_attr(run, attrs, key);
	return a && !a->is_text ? a->number : otherwise;
}

/* The text attribute; the empty text if there is none. */
static inline mlv_strid mlv_attr_text(const struct mlv_run *run, struct mlv_attrs attrs,
				      const char *key)
{
	const struct mlv_attr *a = mlv_run_attr(run, attrs, key);
	return a && a->is_text ? a->text : MLV_STR_NONE;
}

#endif
