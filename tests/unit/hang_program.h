/* SPDX-License-Identifier: MIT */
#ifndef MLV_UNIT_HANG_PROGRAM_H
#define MLV_UNIT_HANG_PROGRAM_H
/*
 * Jobs made up at random: a program of collectives, sends and receives over
 * random groups, with one fault of a known kind, run on made-up devices until
 * nothing moves, and what flight recorders would have dumped of it. All of it
 * follows from a seed.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

enum hang_fault {
	FAULT_NONE,
	FAULT_HOST,   /* a rank stops issuing calls */
	FAULT_DEVICE, /* the device of a rank stops; the others end that collective */
	FAULT_EXTRA,  /* a rank issues a collective that nobody joins */
	FAULT_SKIP,   /* a rank leaves one out */
	FAULT_TYPE,
	FAULT_SIZE,
	FAULT_DTYPE,
	FAULT_ORDER, /* a rank issues two neighbours the other way round */
	FAULT_P2P,   /* a rank sends what nobody receives, or receives what nobody sends */
	FAULT_P2P_SIZE,
	FAULTS,
};

enum { HANG_RANKS = 64, HANG_GROUPS = 8, HANG_CALLS = 96 };

enum hang_kind { CALL_COLLECTIVE, CALL_SEND, CALL_RECV, CALL_SWAP };

struct hang_call {
	enum hang_kind kind;
	int group, peer; /* peer: a rank */
	int type, size, dtype;
	int line; /* of the made-up source */
	int seq, p2p_seq;
	int issued; /* its place in the order in which the rank issued; -1 not */
	bool ended;
};

struct hang_program {
	uint64_t state; /* of the random numbers */
	int ranks, groups;
	bool member[HANG_GROUPS][HANG_RANKS];
	int members[HANG_GROUPS];
	struct hang_call calls[HANG_RANKS][HANG_CALLS];
	int count[HANG_RANKS];
	int issued[HANG_RANKS]; /* how many of them */
	bool streams;           /* each group has one of its own on the device */
	int ahead;              /* how far hosts run ahead of their devices */
	bool missing[HANG_RANKS];
	int ring; /* entries that a dump holds at most */
	bool only_active;
	enum hang_fault fault;
	int culprit, partner; /* ranks; partner: of sends and receives, else -1 */
	int fault_group;
	int stop_at; /* FAULT_HOST: calls that the culprit issues; FAULT_DEVICE: the call */
	bool stuck;  /* something has not ended */
	/* Collectives behind the fault in its group: of the culprit, of the others with a dump. */
	int after, others_after;
};

void hang_program_make(struct hang_program *p, uint64_t seed, enum hang_fault fault);

/* The dump of a rank as JSON. */
void hang_program_dump(struct hang_program *p, int rank, struct mlv_buf *out);

unsigned hang_random(struct hang_program *p, unsigned below);
const char *hang_fault_name(enum hang_fault fault);

#endif
