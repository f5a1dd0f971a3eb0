/* SPDX-License-Identifier: MIT */
/*
 * While bytes come from one span, p..end points into it. When they straddle
 * two, `hold` gets the tail of the old span and the first part of the new one,
 * as much as is asked for; once p has passed the tail, the reader goes back to
 * the span itself. So a long input is not copied, except around the seams.
 */
#include "base/reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

/* Fewer bytes of a new span are not worth a copy of their own. */
enum { LEAST_COPY = 1024 };

void mlv_reader_init(struct mlv_reader *r, struct mlv_source *src)
{
	memset(r, 0, sizeof(*r));
	r->src = src;
	r->err = MLV_ERR_INIT;
	/* Never NULL, so that pointer arithmetic on an empty reader is defined. */
	r->p = r->end = r->start = (const uint8_t *)"";
}

void mlv_reader_fini(struct mlv_reader *r)
{
	free(r->hold);
	r->hold = NULL;
	r->hold_cap = 0;
	r->p = r->end = r->start = (const uint8_t *)"";
	r->span = (struct mlv_bytes){ NULL, 0 };
	r->holding = false;
	r->ended = true;
}

static size_t at_hand(const struct mlv_reader *r)
{
	return (size_t)(r->end - r->p);
}

/* The same bytes elsewhere; start is at p throughout mlv_reader_fill. */
static void move_to(struct mlv_reader *r, const uint8_t *p, size_t n)
{
	r->start = r->p = p;
	r->end = p + n;
}

static bool out_of_memory(struct mlv_reader *r)
{
	mlv_err_nomem(&r->err);
	mlv_err_file(&r->err, mlv_source_name(r->src));
	r->err.offset = r->start_offset;
	r->ended = true;
	return false;
}

/* Room in hold for `extra` bytes behind p..end, which moves there if it is elsewhere. */
static bool hold_room(struct mlv_reader *r, size_t extra)
{
	size_t have = at_hand(r);
	size_t before = r->holding ? (size_t)(r->p - r->hold) : 0;
	/* Bytes before p are dropped when they are at least as many as those that move. */
	if (r->holding && before >= have) {
		memmove(r->hold, r->p, have);
		move_to(r, r->hold, have);
		before = 0;
	}
	if (extra > SIZE_MAX - before - have)
		return false;
	size_t need = before + have + extra;
	void *hold = r->hold;
	if (need > r->hold_cap && !mlv_vec_grow(&hold, &r->hold_cap, 1, need))
		return false;
	r->hold = hold;
	if (!r->holding && have)
		memcpy(r->hold, r->p, have);
	r->holding = true;
	move_to(r, r->hold + before, have);
	return true;
}

/* Copy more of the span behind what is held: what is asked for, and as much again as is held,
 * so that bytes asked for little by little are copied only a few times. */
static bool extend_hold(struct mlv_reader *r, size_t n)
{
	size_t have = at_hand(r);
	size_t want = n - have;
	if (want < have)
		want = have;
	if (want < LEAST_COPY)
		want = LEAST_COPY;
	if (want > r->span.n - r->copied)
		want = r->span.n - r->copied;
	if (!hold_room(r, want))
		return false;
	memcpy(r->hold + (r->end - r->hold), r->span.p + r->copied, want);
	r->copied += want;
	r->end += want;
	return true;
}

/* Every byte of the span is at hand: get the next one, and keep what is at hand. */
static bool next_span(struct mlv_reader *r)
{
	/* A span that the next call makes void has to be saved first. */
	if (!r->holding && !mlv_source_stable(r->src) && at_hand(r) && !hold_room(r, 0))
		return out_of_memory(r);
	struct mlv_bytes span = { (const uint8_t *)"", 0 };
	r->copied = 0;
	r->span = span;
	if (mlv_source_next(r->src, &span, &r->err) || !span.n) {
		r->ended = true;
		return false;
	}
	if (!r->holding && at_hand(r) && !hold_room(r, 0))
		return out_of_memory(r);
	r->span = span;
	return true;
}

bool mlv_reader_fill(struct mlv_reader *r, size_t n)
{
	r->start_offset = mlv_reader_offset(r);
	r->start = r->p;
	while (at_hand(r) < n) {
		size_t have = at_hand(r);
		if (r->holding && have <= r->copied) {
			r->holding = false;
			move_to(r, r->span.p + r->copied - have, r->span.n - r->copied + have);
		} else if (r->holding && r->copied < r->span.n) {
			if (!extend_hold(r, n))
				return out_of_memory(r);
		} else if (r->ended || !next_span(r)) {
			return false;
		} else if (!r->holding) {
			move_to(r, r->span.p, r->span.n);
		}
	}
	return true;
}
