/* SPDX-License-Identifier: MIT */
/*
 * Memory that training frameworks print into their logs, as samples: the
 * message before a report is the phase, its number among those of its rank, or
 * the iteration that it names, the step. How the message's line begins tells
 * that it belongs to the report: with the same characters, but for digits
 * (time, line of source). The tool with "[N] mp: " before its lines writes
 * from all ranks at once, so that there the message is looked for by rank.
 */
#include <string.h>

#include "parsers/text/measure.h"
#include "parsers/memory/memory_log.h"
#include "parsers/text/scan.h"

#define FORMAT "memory-log"

enum {
	RECENT = 8,       /* lines among which a message is looked for */
	LINE_BYTES = 400, /* of each of them */
	MOST_RANKS = 65536,
	MORE_GAP = 6, /* lines between the parts of a report */
};

/* The reports of one rank. */
struct series {
	int64_t rank;
	uint32_t section;
	bool open; /* there was a report */
	mlv_trackid track;
	int32_t next_step, step; /* running number; of the last report */
	mlv_strid phase;         /* of the last report */
	uint32_t line;           /* of the last report */
	mlv_strid message;       /* that waits for its report */
};

struct state {
	MLV_VEC(struct series) series;
	struct mlv_map by_rank;
	struct {
		uint32_t n, number;
		char text[LINE_BYTES];
	} recent[RECENT];
	unsigned newest;
};

static enum mlv_rc series_of(struct state *s, struct mlv_text *t, int64_t rank, size_t *index,
			     struct mlv_err *err)
{
	struct mlv_map_slot *slot = mlv_map_find(&s->by_rank, (uint64_t)rank);
	struct series fresh = { .rank = rank, .track = MLV_TRACK_NONE };
	if (slot) {
		*index = slot->value;
		return MLV_OK;
	}
	if (s->series.len >= MOST_RANKS)
		return mlv_err_set(err, MLV_E_LIMIT, "memory of more than %d ranks in one log",
				   MOST_RANKS);
	*index = s->series.len;
	if ((rank >= 0 &&
	     !mlv_run_track(t->run, MLV_TRACK_RANK, MLV_TRACK_NONE, rank, &fresh.track)) ||
	    !mlv_vec_push(&s->series, fresh) ||
	    !mlv_map_set(&s->by_rank, (uint64_t)rank, (uint32_t)*index))
		return mlv_err_nomem(err);
	return MLV_OK;
}

/* ---- messages ---- */

static void remember(struct state *s, struct mlv_str text, uint32_t number)
{
	s->newest = (s->newest + 1) % RECENT;
	size_t n = text.n < LINE_BYTES ? text.n : LINE_BYTES;
	memcpy(s->recent[s->newest].text, text.p, n);
	s->recent[s->newest].n = (uint32_t)n;
	s->recent[s->newest].number = number;
}

static bool is_report(struct mlv_str line)
{
	struct mlv_memory_values v;
	return mlv_memory_line(line, &v) != MLV_MEMORY_NONE;
}

/* The newest of the recent lines that begins like `prefix`; what follows there is the message. */
static struct mlv_str find_message(const struct state *s, struct mlv_str prefix)
{
	struct mlv_str none = { "", 0 };
	unsigned count = mlv_str_trim(prefix).n ? RECENT : 1;
	for (unsigned i = 0; i < count; i++) {
		unsigned at = (s->newest + RECENT - i) % RECENT;
		struct mlv_str line = { s->recent[at].text, s->recent[at].n };
		struct mlv_str message;
		if (!mlv_scan_prefix(line, prefix, &message) || !message.n)
			continue;
		/* The message of an earlier report: this one has lost its own. */
		if (is_report(line))
			return none;
		return mlv_str_trim(message);
	}
	return none;
}

/* "[3] mp: ": the rank, and what follows. */
static bool numbered(struct mlv_str text, int64_t *rank, struct mlv_str *rest)
{
	int64_t n;
	if (!mlv_scan(&text, "[") || !mlv_scan_int(&text, &n) || n > INT32_MAX ||
	    !mlv_scan(&text, "] mp: "))
		return false;
	*rank = n;
	*rest = text;
	return true;
}

/* ---- reports ---- */

static enum mlv_rc phase_of(struct state *s, struct mlv_text *t, struct series *of,
			    const struct mlv_memory_values *v, bool by_rank, mlv_strid *phase,
			    struct mlv_err *err)
{
	if (by_rank) {
		*phase = of->message;
		of->message = MLV_STR_NONE;
		return MLV_OK;
	}
	struct mlv_str message = v->has_message ? v->message : find_message(s, v->prefix);
	return mlv_run_intern(t->run, message, phase) ? MLV_OK : mlv_err_nomem(err);
}

static enum mlv_rc open_series(struct mlv_text *t, struct series *of, uint32_t line,
			       struct mlv_err *err)
{
	if (of->open)
		return MLV_OK;
	of->open = true;
	enum mlv_rc rc = mlv_add_section(mlv_text_add(t), FORMAT, (struct mlv_str){ "", 0 }, line,
					 of->rank, &of->section, err);
	if (!rc)
		mlv_section_noun(t->run, of->section, "sample");
	return rc;
}

static enum mlv_rc add_values(struct mlv_text *t, struct series *of,
			      const struct mlv_memory_values *v, uint32_t line, struct mlv_err *err)
{
	struct mlv_sample sample = { .time_ns = MLV_NO_TIME,
				     .track = of->track,
				     .phase = of->phase,
				     .step = of->step,
				     .line = line };
	enum mlv_rc rc = MLV_OK;
	for (unsigned i = 0; i < v->count && !rc; i++) {
		struct mlv_str metric = mlv_str_of(v->list[i].metric);
		sample.value = v->list[i].value;
		rc = mlv_add_sample(mlv_text_add(t), of->section, sample, metric, err);
	}
	of->line = line;
	return rc;
}

static enum mlv_rc take(struct state *s, struct mlv_text *t, const struct mlv_line *line,
			enum mlv_memory_line kind, const struct mlv_memory_values *v,
			struct mlv_err *err)
{
	int64_t rank = v->rank >= 0 ? v->rank : t->rank;
	struct mlv_str rest;
	size_t index;
	bool by_rank = !v->has_message && numbered(line->text, &rank, &rest);
	enum mlv_rc rc = series_of(s, t, rank, &index, err);
	if (rc)
		return rc;
	struct series *of = &s->series.data[index];
	/* More of a report that is not there is a report by itself. */
	if (kind == MLV_MEMORY_BEGIN || !of->open || line->number > of->line + MORE_GAP) {
		rc = phase_of(s, t, of, v, by_rank, &of->phase, err);
		of->step = v->step >= 0 && v->step <= INT32_MAX ? (int32_t)v->step : of->next_step;
		of->next_step += of->next_step < INT32_MAX;
		if (!rc)
			rc = open_series(t, of, line->number, err);
	}
	return rc ? rc : add_values(t, of, v, line->number, err);
}

static enum mlv_rc read_line(void *state, struct mlv_text *t, const struct mlv_line *line,
			     enum mlv_take *take_out, struct mlv_err *err)
{
	struct state *s = state;
	struct mlv_memory_values v;
	struct mlv_str rest;
	int64_t rank;
	size_t index;
	enum mlv_rc rc = MLV_OK;
	enum mlv_memory_line kind = mlv_memory_line(line->text, &v);
	if (kind) {
		*take_out = MLV_TAKE;
		rc = take(s, t, line, kind, &v, err);
	} else if (numbered(line->text, &rank, &rest)) {
		rc = series_of(s, t, rank, &index, err);
		if (!rc &&
		    !mlv_run_intern(t->run, mlv_str_trim(rest), &s->series.data[index].message))
			rc = mlv_err_nomem(err);
		return rc;
	}
	if (!rc && mlv_str_trim(line->text).n)
		remember(s, line->text, line->number);
	return rc;
}

static void fini(void *state)
{
	struct state *s = state;
	mlv_vec_free(&s->series);
	mlv_map_fini(&s->by_rank);
}

const struct mlv_text_format mlv_text_memory_log = {
	.name = FORMAT,
	.summary = "memory in training logs: DeepSpeed see_memory_usage and kin, Megatron",
	.state_size = sizeof(struct state),
	.line = read_line,
	.fini = fini,
};
