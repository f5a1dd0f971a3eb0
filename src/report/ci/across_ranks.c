/* SPDX-License-Identifier: MIT */
/* What only several figures together tell: ranks that are unlike, memory that idles. */
#include "base/num.h"
#include "report/ci/finish.h"

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

void mlv_report_observe_ranks(struct mlv_report *r)
{
	observe_imbalance(r);
	observe_fragmentation(r);
}
