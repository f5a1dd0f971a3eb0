/* SPDX-License-Identifier: MIT */
#include "hang_program.h"

#include <stdio.h>
#include <string.h>

unsigned hang_random(struct hang_program *p, unsigned below)
{
	p->state ^= p->state << 13;
	p->state ^= p->state >> 7;
	p->state ^= p->state << 17;
	return below ? (unsigned)((p->state >> 11) % below) : 0;
}

const char *hang_fault_name(enum hang_fault fault)
{
	static const char *const names[] = { "none", "host",  "device", "extra", "skip",    "type",
					     "size", "dtype", "order",  "p2p",   "p2p-size" };
	return names[fault];
}

/* ---- the program ---- */

static void make_groups(struct hang_program *p)
{
	p->groups = 1 + (int)hang_random(p, HANG_GROUPS - 1);
	for (int g = 0; g < p->groups; g++) {
		p->members[g] = 0;
		for (int r = 0; r < p->ranks; r++) {
			unsigned odds = g % 2 ? 2 : 4;
			p->member[g][r] = g == 0 || hang_random(p, odds) == 0;
			p->members[g] += p->member[g][r];
		}
		/* A group has two members at least. */
		for (int r = 0; r < p->ranks && p->members[g] < 2; r++) {
			p->members[g] += !p->member[g][r];
			p->member[g][r] = true;
		}
	}
}

static void add(struct hang_program *p, int rank, struct hang_call c)
{
	if (p->count[rank] < HANG_CALLS - 2)
		p->calls[rank][p->count[rank]++] = c;
}

static int some_member(struct hang_program *p, int group)
{
	int n = (int)hang_random(p, (unsigned)p->members[group]), r = 0;
	for (; !p->member[group][r] || n-- > 0; r++)
		;
	return r;
}

static struct hang_call some_collective(struct hang_program *p, int group, int line)
{
	return (struct hang_call){ .kind = CALL_COLLECTIVE,
				   .group = group,
				   .peer = -1,
				   .type = (int)hang_random(p, 6),
				   .size = 1 + (int)hang_random(p, 5),
				   .dtype = (int)hang_random(p, 3),
				   .line = line,
				   .issued = -1 };
}

/* What all ranks do, in one order, so that without a fault nobody waits for ever. */
static void make_calls(struct hang_program *p)
{
	int length = 8 + (int)hang_random(p, 40);
	for (int line = 10; line < 10 + length; line++) {
		int g = (int)hang_random(p, (unsigned)p->groups);
		struct hang_call c = some_collective(p, g, line);
		if (hang_random(p, 5) == 0) {
			int a = some_member(p, g), b = some_member(p, g);
			struct hang_call d = c;
			if (a == b)
				continue;
			c.kind = hang_random(p, 3) ? CALL_SEND : CALL_SWAP;
			d.kind = c.kind == CALL_SEND ? CALL_RECV : CALL_SWAP;
			c.peer = b;
			d.peer = a;
			add(p, a, c);
			add(p, b, d);
			continue;
		}
		for (int r = 0; r < p->ranks; r++) {
			if (p->member[g][r])
				add(p, r, c);
		}
	}
	/* A barrier of all at the end. */
	for (int r = 0; r < p->ranks; r++)
		add(p, r,
		    (struct hang_call){
			    .group = 0, .peer = -1, .size = 1, .line = 99, .issued = -1 });
}

/* ---- the fault ---- */

static int pick(struct hang_program *p, int rank, enum hang_kind kind)
{
	int found[HANG_CALLS], n = 0;
	for (int i = 0; i < p->count[rank]; i++) {
		if (p->calls[rank][i].kind == kind)
			found[n++] = i;
	}
	return n ? found[hang_random(p, (unsigned)n)] : -1;
}

static void insert(struct hang_program *p, int rank, int at, struct hang_call c)
{
	memmove(&p->calls[rank][at + 1], &p->calls[rank][at],
		(size_t)(p->count[rank] - at) * sizeof(c));
	p->calls[rank][at] = c;
	p->count[rank]++;
}

static void leave_out(struct hang_program *p, int rank, int at)
{
	p->count[rank]--;
	memmove(&p->calls[rank][at], &p->calls[rank][at + 1],
		(size_t)(p->count[rank] - at) * sizeof(p->calls[0][0]));
}

/* Whether two calls could be one collective. */
static bool same(const struct hang_call *a, const struct hang_call *b)
{
	return a->kind == b->kind && a->group == b->group && a->type == b->type &&
	       a->size == b->size && (a->dtype == b->dtype || a->type == 1);
}

static bool spoil(struct hang_program *p)
{
	int r = p->culprit = (int)hang_random(p, (unsigned)p->ranks);
	int at = pick(p, r, CALL_COLLECTIVE);
	struct hang_call *c = at < 0 ? NULL : &p->calls[r][at];
	p->partner = -1;
	if (p->fault == FAULT_P2P || p->fault == FAULT_P2P_SIZE) {
		at = pick(p, r, hang_random(p, 2) ? CALL_SEND : CALL_RECV);
		if (at < 0)
			return false;
		p->partner = p->calls[r][at].peer;
		p->fault_group = p->calls[r][at].group;
		if (p->fault == FAULT_P2P_SIZE)
			p->calls[r][at].size += 1;
		else if (hang_random(p, 2))
			leave_out(p, r, at);
		else
			insert(p, r, at, p->calls[r][at]);
		return true;
	}
	if (!c)
		return false;
	p->fault_group = c->group;
	p->stop_at = at;
	switch (p->fault) {
	case FAULT_EXTRA: {
		struct hang_call x = some_collective(p, c->group, 500);
		if (same(&x, c))
			return false;
		insert(p, r, at, x);
		break;
	}
	case FAULT_SKIP:
		leave_out(p, r, at);
		break;
	case FAULT_TYPE:
		c->type = (c->type + 1) % 6;
		break;
	case FAULT_SIZE:
		c->size += 5;
		break;
	case FAULT_DTYPE:
		/* Of a broadcast, types are not compared. */
		if (c->type == 1)
			return false;
		c->dtype = (c->dtype + 1) % 3;
		break;
	case FAULT_ORDER: {
		struct hang_call *d = c + 1, swap = *c;
		if (at + 1 >= p->count[r] || d->kind != CALL_COLLECTIVE || same(c, d))
			return false;
		*c = *d;
		*d = swap;
		break;
	}
	default:
		break;
	}
	return true;
}

/* ---- running it ---- */

static void number(struct hang_program *p)
{
	for (int r = 0; r < p->ranks; r++) {
		int seq[HANG_GROUPS] = { 0 }, p2p[HANG_GROUPS] = { 0 };
		for (int i = 0; i < p->count[r]; i++) {
			struct hang_call *c = &p->calls[r][i];
			if (c->kind == CALL_COLLECTIVE)
				seq[c->group]++;
			else
				p2p[c->group]++;
			c->seq = seq[c->group];
			c->p2p_seq = p2p[c->group];
		}
	}
}

/* The call that a device works on: the first that has not ended, of one group or of all. */
static struct hang_call *head(struct hang_program *p, int rank, int group)
{
	for (int i = 0; i < p->issued[rank]; i++) {
		struct hang_call *c = &p->calls[rank][i];
		if (c->ended || (p->streams && c->group != group))
			continue;
		return c->group == group ? c : NULL;
	}
	return NULL;
}

static bool meets(const struct hang_call *a, const struct hang_call *b, int rank_of_a)
{
	if (!b || b->peer != rank_of_a || a->size != b->size || a->dtype != b->dtype)
		return false;
	return (a->kind == CALL_SEND && b->kind == CALL_RECV) ||
	       (a->kind == CALL_RECV && b->kind == CALL_SEND) ||
	       (a->kind == CALL_SWAP && b->kind == CALL_SWAP);
}

/* The device of the culprit is dead behind this call, and does not even tell that this one ended.
 */
static bool dies(const struct hang_program *p, int rank, const struct hang_call *c)
{
	return p->fault == FAULT_DEVICE && rank == p->culprit && c >= &p->calls[rank][p->stop_at];
}

static bool run_collective(struct hang_program *p, int group)
{
	struct hang_call *heads[HANG_RANKS], *first = NULL;
	for (int r = 0; r < p->ranks; r++) {
		if (!p->member[group][r])
			continue;
		heads[r] = head(p, r, group);
		if (!heads[r] || heads[r]->kind != CALL_COLLECTIVE)
			return false;
		if (!first)
			first = heads[r];
		if (heads[r]->seq != first->seq || !same(heads[r], first) ||
		    (dies(p, r, heads[r]) && heads[r] != &p->calls[r][p->stop_at]))
			return false;
	}
	bool moved = false;
	for (int r = 0; r < p->ranks; r++) {
		if (p->member[group][r] && !dies(p, r, heads[r]))
			moved = heads[r]->ended = true;
	}
	return moved;
}

static bool run_p2p(struct hang_program *p, int group, int rank)
{
	struct hang_call *c = head(p, rank, group);
	if (!c || c->kind == CALL_COLLECTIVE || dies(p, rank, c))
		return false;
	struct hang_call *d = head(p, c->peer, group);
	if (!d || d->kind == CALL_COLLECTIVE || !meets(c, d, rank) || dies(p, c->peer, d))
		return false;
	c->ended = d->ended = true;
	return true;
}

static bool run_host(struct hang_program *p, int rank)
{
	int open = 0;
	if (p->issued[rank] == p->count[rank] ||
	    (p->fault == FAULT_HOST && rank == p->culprit && p->issued[rank] >= p->stop_at))
		return false;
	for (int i = 0; i < p->issued[rank]; i++)
		open += !p->calls[rank][i].ended;
	if (open > p->ahead)
		return false;
	p->calls[rank][p->issued[rank]].issued = p->issued[rank];
	p->issued[rank]++;
	return true;
}

static void run(struct hang_program *p)
{
	for (bool moved = true; moved;) {
		moved = false;
		for (int r = 0; r < p->ranks; r++)
			moved |= run_host(p, r);
		for (int g = 0; g < p->groups; g++) {
			moved |= run_collective(p, g);
			for (int r = 0; r < p->ranks; r++)
				moved |= run_p2p(p, g, r);
		}
	}
	p->stuck = false;
	for (int r = 0; r < p->ranks; r++) {
		for (int i = 0; i < p->issued[r]; i++)
			p->stuck |= !p->calls[r][i].ended;
	}
}

/* How much of what follows the fault in its group the culprit issued, and the others. */
static void look_behind(struct hang_program *p)
{
	int seq = 1; /* of the fault */
	p->after = p->others_after = 0;
	for (int i = 0; i < p->stop_at && i < p->count[p->culprit]; i++) {
		const struct hang_call *c = &p->calls[p->culprit][i];
		seq += c->kind == CALL_COLLECTIVE && c->group == p->fault_group;
	}
	for (int r = 0; r < p->ranks; r++) {
		int n = 0;
		for (int i = 0; i < p->issued[r]; i++) {
			const struct hang_call *c = &p->calls[r][i];
			n += c->kind == CALL_COLLECTIVE && c->group == p->fault_group &&
			     c->seq > seq;
		}
		if (r == p->culprit)
			p->after = n;
		else if (!p->missing[r] && n > p->others_after)
			p->others_after = n;
	}
}

void hang_program_make(struct hang_program *p, uint64_t seed, enum hang_fault fault)
{
	for (int again = 0;; again++) {
		memset(p, 0, sizeof(*p));
		p->state = (seed + 1 + (uint64_t)again * 1000003) * UINT64_C(0x9e3779b97f4a7c15);
		p->fault = fault;
		p->partner = p->culprit = -1;
		p->ranks = 2 + (int)hang_random(p, hang_random(p, 3) ? 7 : HANG_RANKS - 1);
		make_groups(p);
		make_calls(p);
		p->streams = hang_random(p, 3) == 0;
		p->ahead = hang_random(p, 3) ? 4 + (int)hang_random(p, 30) : (int)hang_random(p, 4);
		/* No ring is so small that what has not ended falls out of it. */
		p->ring = hang_random(p, 3) ? 1000 : 3 * p->ahead + 6 + (int)hang_random(p, 30);
		p->only_active = hang_random(p, 8) == 0;
		if (hang_random(p, 4) == 0) {
			for (int n = 1 + (int)hang_random(p, (unsigned)p->ranks) / 3; n-- > 0;)
				p->missing[hang_random(p, (unsigned)p->ranks)] = true;
		}
		if (fault != FAULT_NONE && !spoil(p))
			continue;
		number(p);
		run(p);
		if (p->stuck == (fault == FAULT_NONE))
			continue;
		if (fault != FAULT_NONE)
			look_behind(p);
		return;
	}
}

/* ---- its dumps ---- */

static void members(const struct hang_program *p, int group, struct mlv_buf *out)
{
	bool any = false;
	for (int r = 0; r < p->ranks; r++) {
		if (p->member[group][r])
			mlv_buf_printf(out, "%s%d", any ? ", " : "", r);
		any |= p->member[group][r];
	}
}

static int place(const struct hang_program *p, int group, int rank)
{
	int n = 0;
	for (int r = 0; r < rank; r++)
		n += p->member[group][r];
	return n;
}

static void entry(const struct hang_program *p, int rank, const struct hang_call *c,
		  const char *name, bool p2p, int record, bool ended, struct mlv_buf *out)
{
	static const char *const dtypes[] = { "Float", "BFloat16", "Long" };
	const char *coalesced = strstr(name, "coalesced");
	mlv_buf_printf(out,
		       "%s{\"frames\":[{\"name\":\"step\",\"filename\":\"train.py\",\"line\":%d}],"
		       "\"record_id\":%d,\"pg_id\":%d,\"process_group\":[\"%d\",\"\"],"
		       "\"collective_seq_id\":%d,\"p2p_seq_id\":%d,\"op_id\":%d,"
		       "\"profiling_name\":\"nccl:%s\",\"time_created_ns\":%d,",
		       out->data[out->len - 1] == '[' ? "" : ",", c->line, record, c->group + 3,
		       c->group, c->seq, c->p2p_seq, c->seq + c->p2p_seq, name,
		       1000000 + record * 1000);
	if (coalesced)
		mlv_buf_puts(out, "\"input_sizes\":[],\"output_sizes\":[],\"input_dtypes\":[],"
				  "\"output_dtypes\":[],");
	else
		mlv_buf_printf(out,
			       "\"input_sizes\":[[%d]],\"output_sizes\":[[%d]],"
			       "\"input_dtypes\":[\"%s\"],\"output_dtypes\":[\"%s\"],",
			       c->size, c->size, dtypes[c->dtype], dtypes[c->dtype]);
	mlv_buf_printf(out,
		       "\"state\":\"%s\",\"time_discovered_started_ns\":0,"
		       "\"time_discovered_completed_ns\":0,\"retired\":%s,\"timeout_ms\":600000,"
		       "\"is_p2p\":%s}",
		       ended ? "completed" : "scheduled", ended ? "true" : "false",
		       p2p ? "true" : "false");
	(void)p;
	(void)rank;
}

static void entries(struct hang_program *p, int rank, struct mlv_buf *out)
{
	static const char *const types[] = { "all_reduce", "broadcast", "reduce",
					     "_my_new_op", "barrier",   "_reduce_oop" };
	int record = 0, total = 0;
	for (int i = 0; i < p->issued[rank]; i++)
		total += p->calls[rank][i].kind == CALL_SWAP ? 3 : 1;
	for (int i = 0; i < p->issued[rank]; i++) {
		const struct hang_call *c = &p->calls[rank][i];
		int n = c->kind == CALL_SWAP ? 3 : 1;
		int me = place(p, c->group, rank), you = place(p, c->group, c->peer);
		char send[40], recv[40];
		bool held = record >= total - p->ring && !(p->only_active && c->ended);
		snprintf(send, sizeof(send), "send %d->%d", me, you);
		snprintf(recv, sizeof(recv), "recv %d<-%d", me, you);
		if (held && c->kind == CALL_COLLECTIVE)
			entry(p, rank, c, types[c->type], false, record, c->ended, out);
		else if (held && c->kind != CALL_SWAP)
			entry(p, rank, c, c->kind == CALL_SEND ? send : recv, true, record,
			      c->ended, out);
		else if (held) {
			entry(p, rank, c, send, true, record, false, out);
			entry(p, rank, c, recv, true, record + 1, false, out);
			entry(p, rank, c, "coalesced", false, record + 2, c->ended, out);
		}
		record += n;
	}
}

static void status(struct hang_program *p, int rank, bool unknown, struct mlv_buf *out)
{
	bool any = false;
	for (int g = 0; g < p->groups; g++) {
		int enqueued = -1, completed = -1;
		if (!p->member[g][rank])
			continue;
		for (int i = 0; i < p->issued[rank]; i++) {
			const struct hang_call *c = &p->calls[rank][i];
			if (c->group != g)
				continue;
			enqueued = c->kind == CALL_COLLECTIVE ? c->seq : c->p2p_seq;
			if (c->ended)
				completed = enqueued;
		}
		mlv_buf_printf(out,
			       "%s\"%d\":{\"last_enqueued_collective\":\"%d\","
			       "\"last_started_collective\":\"-1\","
			       "\"last_completed_collective\":\"%d\"}",
			       any ? "," : "", g + 3, enqueued, unknown ? -1 : completed);
		any = true;
	}
}

void hang_program_dump(struct hang_program *p, int rank, struct mlv_buf *out)
{
	static const char *const versions[] = { "2.3", "2.4", "2.5", "2.7", "2.9", "2.10" };
	bool any = false;
	mlv_buf_printf(out, "{\"version\":\"%s\",\"pg_config\":{", versions[hang_random(p, 6)]);
	for (int g = 0; g < p->groups; g++) {
		if (!p->member[g][rank])
			continue;
		mlv_buf_printf(out, "%s\"%d\":{\"name\":\"%d\",\"desc\":\"\",\"ranks\":\"[",
			       any ? "," : "", g, g);
		members(p, g, out);
		mlv_buf_puts(out, "]\"}");
		any = true;
	}
	mlv_buf_puts(out, "},\"pg_status\":{");
	/* What has ended is then told by the entries alone, which must be all there. */
	status(p, rank, !p->only_active && hang_random(p, 4) == 0, out);
	mlv_buf_puts(out, "},\"entries\":[");
	entries(p, rank, out);
	mlv_buf_puts(out, "]}");
}
