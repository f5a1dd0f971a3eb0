/* SPDX-License-Identifier: MIT */
/* What several observations say of one thing is one: the rest is folded into it, or dropped. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "report/ci/finish.h"

static struct mlv_report_rank *row_of(struct mlv_report *r, const struct mlv_observation *o)
{
	for (size_t i = 0; i < r->ranks.len; i++) {
		struct mlv_report_rank *k = &r->ranks.data[i];
		if (o->rank >= 0 ? k->rank == o->rank && !k->alone
				 : o->input && k->file && !strcmp(k->file, o->input))
			return k;
	}
	return NULL;
}

/* A message states two decimals, of the segment that was asked from the device or of the request.
 */
static bool is_same_request(const struct mlv_observation *a, const struct mlv_observation *b)
{
	const double sizes[] = { a->bytes, a->from_device };
	for (unsigned i = 0; i < 2; i++) {
		for (unsigned k = 0; k < 2; k++) {
			double other = k ? b->from_device : b->bytes;
			if (sizes[i] > 0 && fabs(sizes[i] - other) <= 0.01 * sizes[i])
				return a->rank == b->rank || a->rank < 0 || b->rank < 0;
		}
	}
	return false;
}

/* What a message in a log adds to the post-mortem of the same failure. */
static void fold(struct mlv_report *r, struct mlv_observation *into, struct mlv_observation *o)
{
	if (o->place.file)
		into->place = o->place;
	mlv_observation_detail(
		r, into,
		o->input_line ? mlv_report_say(r, "the program says so in %s, line %" PRIu32,
					       o->input, o->input_line)
			      : mlv_report_say(r, "%s says so as well", o->input));
	o->dropped = true;
}

/* Of two post-mortems the one of the longer recording stays. */
static bool tells_more(struct mlv_report *r, const struct mlv_observation *a,
		       const struct mlv_observation *b)
{
	const struct mlv_report_rank *ka = row_of(r, a), *kb = row_of(r, b);
	uint64_t ea = ka ? ka->events : 0, eb = kb ? kb->events : 0;
	return ea != eb ? ea > eb : a < b;
}

/* Fold into each post-mortem the others of the same failure: of recordings, or of texts. */
static void fold_failures(struct mlv_report *r, bool stated)
{
	struct mlv_observation *list = r->observations.list.data;
	for (size_t i = 0; i < r->observations.list.len; i++) {
		struct mlv_observation *o = &list[i];
		if (strcmp(o->rule, "out-of-memory") != 0 || o->dropped || o->stated)
			continue;
		for (size_t j = 0; j < r->observations.list.len; j++) {
			if (j != i && strcmp(list[j].rule, "out-of-memory") == 0 &&
			    !list[j].dropped && list[j].stated == stated &&
			    is_same_request(o, &list[j]) && (stated || tells_more(r, o, &list[j])))
				fold(r, o, &list[j]);
		}
	}
}

/* One failure leaves a recording, a message, a traceback, and snapshots that were taken in it. */
static void join_failures(struct mlv_report *r)
{
	for (size_t i = 0; i < r->observations.list.len; i++) {
		struct mlv_observation *o = &r->observations.list.data[i];
		struct mlv_report_rank *k = row_of(r, o);
		if (k && strcmp(o->rule, "out-of-memory") == 0)
			k->oom = true;
	}
	fold_failures(r, false);
	fold_failures(r, true);
}

static struct mlv_observation *find(struct mlv_report *r, const char *rule, const char *subject)
{
	for (size_t i = 0; i < r->observations.list.len; i++) {
		struct mlv_observation *o = &r->observations.list.data[i];
		if (strcmp(o->rule, rule) == 0 && (!subject || strcmp(o->subject, subject) == 0))
			return o;
	}
	return NULL;
}

/* Where collectives hang, what ranks and launchers say of it are consequences. */
static void join_hang(struct mlv_report *r)
{
	struct mlv_observation *hang = find(r, "hang", NULL);
	size_t n = 0;
	if (!hang)
		hang = find(r, "undecided", "undecided");
	for (size_t i = 0; hang && i < r->observations.list.len; i++) {
		struct mlv_observation *o = &r->observations.list.data[i];
		o->dropped |= o->of_hang;
		n += o->of_hang && o->severity == MLV_FINDING_ERROR;
	}
	if (!n)
		return;
	/* Somebody gave up waiting: that it hangs is sure, why is not. */
	hang->rule = "hang";
	hang->severity = MLV_FINDING_ERROR;
	mlv_observation_detail(
		r, hang,
		mlv_report_say(r, "%zu statements of watchdogs and launchers follow from it", n));
}

/* What a recording says of a rank's growth, with its lines, outranks what a log says of it. */
static void join_growth(struct mlv_report *r)
{
	struct mlv_observation *list = r->observations.list.data;
	for (size_t i = 0; i < r->observations.list.len; i++) {
		if (strcmp(list[i].rule, "memory-growth") != 0 || list[i].place.file ||
		    list[i].rank < 0)
			continue;
		for (size_t k = 0; k < r->observations.list.len; k++)
			list[i].dropped |= strcmp(list[k].rule, "memory-growth") == 0 &&
					   list[k].place.file && list[i].rank == list[k].rank;
	}
}

/* What was seen in one of several files of a rank is of that file. */
static void set_ranks(struct mlv_report *r)
{
	for (size_t i = 0; i < r->observations.list.len; i++) {
		struct mlv_observation *o = &r->observations.list.data[i];
		for (size_t k = 0; o->rank >= 0 && o->input && k < r->ranks.len; k++) {
			const struct mlv_report_rank *row = &r->ranks.data[k];
			if (row->alone && row->rank == o->rank &&
			    strcmp(r->inputs.data[row->inputs.data[0]].file, o->input) == 0)
				o->rank = -1;
		}
	}
}

/* That growth could not be told is worth a word only of what has no other verdict. */
static void drop_undecided(struct mlv_report *r)
{
	for (size_t i = 0; i < r->observations.list.len; i++) {
		struct mlv_observation *o = &r->observations.list.data[i];
		const struct mlv_report_rank *k = row_of(r, o);
		if (strcmp(o->rule, "undecided") == 0 && strcmp(o->subject, "growth") == 0 &&
		    (!k || k->growth != MLV_GROWTH_UNKNOWN || k->oom))
			o->dropped = true;
	}
}

void mlv_report_join(struct mlv_report *r)
{
	set_ranks(r);
	join_failures(r);
	join_hang(r);
	join_growth(r);
	drop_undecided(r);
}
