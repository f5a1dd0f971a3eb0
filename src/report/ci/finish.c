/* SPDX-License-Identifier: MIT */
/* From what was gathered to a report: what belongs together, what outranks what, what it means. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "report/ci/cards.h"
#include "report/ci/gate.h"
#include "report/ci/rows.h"

/* ------------------------------------------------------------------ what ranks share */

/* Ranks differ by more than this share of the largest, and by more than so many bytes. */
static const double IMBALANCE_SHARE = 0.10;
static const int64_t IMBALANCE_BYTES = INT64_C(64) << 20;

static void observe_imbalance(struct mlv_report *r)
{
	const struct mlv_report_rank *most = NULL, *least = NULL;
	size_t n = 0;
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE];
	for (size_t i = 0; i < r->ranks.len; i++) {
		const struct mlv_report_rank *k = &r->ranks.data[i];
		if (k->rank < 0 || k->alone || k->requested_peak < 0)
			continue;
		n++;
		most = !most || k->requested_peak > most->requested_peak ? k : most;
		least = !least || k->requested_peak < least->requested_peak ? k : least;
	}
	if (n < 2 || most->rank == least->rank)
		return;
	int64_t more = most->requested_peak - least->requested_peak;
	if (more < IMBALANCE_BYTES || (double)more < IMBALANCE_SHARE * (double)most->requested_peak)
		return;
	struct mlv_observation *o = mlv_observe(r, "imbalance", "peak of requested memory");
	if (!o)
		return;
	o->rank = most->rank;
	o->head = "ranks hold unlike amounts of memory";
	o->value = mlv_report_say(r, "%s at the peak of what is requested, where %s holds %s",
				  mlv_fmt_bytes(a, sizeof(a), (uint64_t)most->requested_peak),
				  least->label,
				  mlv_fmt_bytes(b, sizeof(b), (uint64_t)least->requested_peak));
	o->metric = "requested_peak";
	o->unit = "B";
	o->has_actual = true;
	o->actual = o->weight = (double)most->requested_peak;
	mlv_observation_detail(r, o,
			       "what fits on the rank that needs most fits on all: a batch, "
			       "sequence or layer that is larger there sets the limit of the job");
}

/* Of what is reserved at most, this share and so many bytes are more than is allocated at most. */
static const double IDLE_SHARE = 0.20;
static const int64_t IDLE_BYTES = INT64_C(256) << 20;
/* So much, or where memory is scarce, it is a warning. */
static const double IDLE_SEVERE = 0.40;
static const double SCARCE_SHARE = 0.90;

bool mlv_report_rank_idles(const struct mlv_report_rank *k)
{
	return k->idle_bytes >= IDLE_BYTES && k->reserved_peak > 0 &&
	       (double)k->idle_bytes >= IDLE_SHARE * (double)k->reserved_peak;
}

static bool is_scarce(const struct mlv_report_rank *k)
{
	return k->oom || k->retries > 0 ||
	       (k->capacity > 0 && (double)k->reserved_peak >= SCARCE_SHARE * (double)k->capacity);
}

static void observe_fragmentation(struct mlv_report *r)
{
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE];
	for (size_t i = 0; i < r->ranks.len; i++) {
		const struct mlv_report_rank *k = &r->ranks.data[i];
		if (!mlv_report_rank_idles(k))
			continue;
		double share = (double)k->idle_bytes / (double)k->reserved_peak;
		struct mlv_observation *o =
			mlv_observe(r, "fragmentation", "reserved beyond what is allocated");
		if (!o)
			return;
		o->severity = share >= IDLE_SEVERE || is_scarce(k) ? MLV_FINDING_WARNING
								   : MLV_FINDING_NOTE;
		o->rank = k->alone ? -1 : k->rank;
		o->input = k->file;
		o->group = o->subject;
		o->head = "more is reserved than is ever allocated";
		mlv_fmt_bytes(a, sizeof(a), (uint64_t)k->idle_bytes);
		mlv_fmt_bytes(b, sizeof(b), (uint64_t)k->reserved_peak);
		o->value = mlv_report_say(r, "%.0f %% of %s", 100 * share, b);
		mlv_observation_detail(
			r, o,
			mlv_report_say(r,
				       "%s are reserved at most, and %s less are allocated at most",
				       b, a));
		o->metric = "fragmentation";
		o->unit = "%";
		o->has_actual = true;
		o->actual = 100 * share;
		o->weight = (double)k->idle_bytes;
		mlv_observation_detail(
			r, o,
			"the difference of the two peaks is what blocks of unlike sizes cost, and "
			"what the allocator keeps for later");
		mlv_observation_detail(
			r, o,
			mlv_report_say(r,
				       "what to do, where memory is short: mlviz replay --sweep %s "
				       "ranks other settings; expandable_segments:True helps most "
				       "often",
				       k->file));
	}
}

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
		for (size_t k = 0; k < r->observations.list.len; k++) {
			if (strcmp(list[i].rule, "memory-growth") != 0 || list[i].place.file ||
			    strcmp(list[k].rule, "memory-growth") != 0 || !list[k].place.file ||
			    list[i].rank < 0 || list[i].rank != list[k].rank)
				continue;
			list[i].dropped = true;
		}
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

/* ------------------------------------------------------------------ pictures */

static const char *picture_of(const struct mlv_report *r, const char *input,
			      enum mlv_report_picture_kind kind)
{
	for (size_t i = 0; i < r->pictures.len; i++) {
		const struct mlv_report_picture *p = &r->pictures.data[i];
		if (p->kind == kind &&
		    (p->input == MLV_NO_INPUT ||
		     (input && strcmp(r->inputs.data[p->input].file, input) == 0)))
			return p->stem;
	}
	return NULL;
}

static void show_observations(struct mlv_report *r)
{
	static const struct {
		const char *rule;
		enum mlv_report_picture_kind kinds[2];
	} shown[] = {
		{ "out-of-memory", { MLV_REPORT_REPLAY, MLV_REPORT_TIMELINE } },
		{ "memory-growth", { MLV_REPORT_TIMELINE, MLV_REPORT_CLASSIFY } },
		{ "fragmentation", { MLV_REPORT_REPLAY, MLV_REPORT_TIMELINE } },
		{ "imbalance", { MLV_REPORT_CLASSIFY, MLV_REPORT_CLASSIFY } },
		{ "hang", { MLV_REPORT_HANG, MLV_REPORT_HANG } },
		{ "straggler", { MLV_REPORT_HANG, MLV_REPORT_HANG } },
		{ "change", { MLV_REPORT_DIFF, MLV_REPORT_DIFF } },
	};
	for (size_t i = 0; i < r->observations.list.len; i++) {
		struct mlv_observation *o = &r->observations.list.data[i];
		for (size_t k = 0; k < sizeof(shown) / sizeof(shown[0]); k++) {
			if (strcmp(shown[k].rule, o->rule) != 0)
				continue;
			o->picture = picture_of(r, o->input, shown[k].kinds[0]);
			if (!o->picture)
				o->picture = picture_of(r, o->input, shown[k].kinds[1]);
		}
	}
}

static void show_rows(struct mlv_report *r)
{
	for (size_t i = 0; i < r->ranks.len; i++) {
		struct mlv_report_rank *k = &r->ranks.data[i];
		for (size_t p = 0; p < r->pictures.len; p++) {
			for (size_t j = 0; j < k->inputs.len; j++) {
				if (r->pictures.data[p].input == k->inputs.data[j])
					r->failed |= !mlv_vec_push(&k->pictures,
								   r->pictures.data[p].stem);
			}
		}
	}
}

/* ------------------------------------------------------------------ changes */

static void figure(struct mlv_report *r, const char *rank, const char *name, const char *unit,
		   int64_t a, int64_t b)
{
	struct mlv_report_figure f = { rank, name, unit, a, b };
	if (a != MLV_UNTOLD && b != MLV_UNTOLD)
		r->failed |= !mlv_vec_push(&r->figures, f);
}

static const struct mlv_report_rank *twin(const struct mlv_report *baseline,
					  const struct mlv_report_rank *k)
{
	bool only = baseline->ranks.len == 1 && k->rank < 0;
	for (size_t i = 0; i < baseline->ranks.len; i++) {
		const struct mlv_report_rank *b = &baseline->ranks.data[i];
		if (only || (b->rank == k->rank && b->device == k->device &&
			     ((k->rank >= 0 && !k->alone) || strcmp(b->label, k->label) == 0)))
			return b;
	}
	return NULL;
}

static void add_figures(struct mlv_report *r, const struct mlv_report *baseline)
{
	for (size_t i = 0; i < r->ranks.len; i++) {
		const struct mlv_report_rank *k = &r->ranks.data[i], *b = twin(baseline, k);
		if (!b)
			continue;
		figure(r, k->label, "requested_peak", "B", b->requested_peak, k->requested_peak);
		figure(r, k->label, "allocated_peak", "B", b->allocated_peak, k->allocated_peak);
		figure(r, k->label, "reserved_peak", "B", b->reserved_peak, k->reserved_peak);
		figure(r, k->label, "reserved_beyond_allocated", "B", b->idle_bytes, k->idle_bytes);
		if (b->judged && k->judged)
			figure(r, k->label, "growth", "B", b->growth_bytes, k->growth_bytes);
		figure(r, k->label, "collective_wait", "ns", b->wait_ns, k->wait_ns);
	}
}

/* More by so much is a warning; less, and what no figure tells, a note. */
static const double WORSE_SHARE = 0.05;
static const double WORSE_BYTES = 16 << 20;

static enum mlv_finding_severity severity_of(const struct mlv_statement *s)
{
	bool worse = s->to - s->from > WORSE_BYTES && s->to - s->from > WORSE_SHARE * s->from;
	switch (s->kind) {
	case MLV_STATE_OOM:
		return s->to > s->from ? MLV_FINDING_WARNING : MLV_FINDING_NOTE;
	case MLV_STATE_GROWTH:
	case MLV_STATE_WRAPPER:
		return MLV_FINDING_WARNING;
	case MLV_STATE_RESERVED:
	case MLV_STATE_PEAK:
		return worse ? MLV_FINDING_WARNING : MLV_FINDING_NOTE;
	default:
		return MLV_FINDING_NOTE;
	}
}

/* The severest of what several ranks say is that of the finding. */
/* Who reads a report has no A and B before him. */
static const char *plain(struct mlv_report *r, const char *subject)
{
	static const struct {
		const char *letter, *words;
	} sides[] = { { " in A only", " in the baseline only" },
		      { " in B only", " in this run only" } };
	for (size_t i = 0; i < 2; i++) {
		const char *at = strstr(subject, sides[i].letter);
		if (at)
			return mlv_report_say(r, "%.*s%s%s", (int)(at - subject), subject,
					      sides[i].words, at + strlen(sides[i].letter));
	}
	return mlv_report_copy(r, mlv_str_of(subject));
}

static void observe_changes(struct mlv_report *r, struct mlv_statements *s)
{
	mlv_statements_sort(s);
	for (size_t i = 0; i < s->list.len; i++) {
		const struct mlv_statement *x = &s->list.data[i];
		const char *subject = plain(r, x->subject);
		struct mlv_observation *o = mlv_observe(
			r, "change", mlv_stated_subject(r, MLV_STR("change"), mlv_str_of(subject)));
		if (!o)
			return;
		o->severity = severity_of(x);
		o->rank = x->rank;
		o->head = subject;
		o->value = mlv_report_copy(r, mlv_str_of(x->value));
		/* Their order is that of importance. */
		o->weight = (double)(s->list.len - i);
		o->actual = o->weight;
	}
}

static void add_statements(struct mlv_report *r)
{
	for (size_t i = 0; i < r->findings.list.len; i++) {
		const struct mlv_ci_finding *f = &r->findings.list.data[i];
		struct mlv_report_statement s = { f->message, f->ranks };
		if (strcmp(f->rule->id, "change") == 0)
			r->failed |= !mlv_vec_push(&r->statements, s);
	}
}

/* ------------------------------------------------------------------ the whole */

static int by_stem(const void *pa, const void *pb)
{
	return strcmp(((const struct mlv_report_picture *)pa)->stem,
		      ((const struct mlv_report_picture *)pb)->stem);
}

void mlv_report_finish(struct mlv_report *r, struct mlv_report *baseline,
		       struct mlv_statements *statements, struct mlv_ci_gate *gate)
{
	mlv_report_rows_settle(r);
	if (baseline) {
		mlv_report_rows_settle(baseline);
		add_figures(r, baseline);
		r->baseline_inputs = baseline->inputs.len;
	}
	set_ranks(r);
	join_failures(r);
	join_hang(r);
	join_growth(r);
	drop_undecided(r);
	observe_imbalance(r);
	observe_fragmentation(r);
	if (statements)
		observe_changes(r, statements);
	if (r->pictures.len)
		qsort(r->pictures.data, r->pictures.len, sizeof(*r->pictures.data), by_stem);
	show_observations(r);
	show_rows(r);
	mlv_observations_settle(r);
	if (gate)
		mlv_ci_gate_judge(gate, r);
	add_statements(r);
	mlv_report_conclude(r);
}
