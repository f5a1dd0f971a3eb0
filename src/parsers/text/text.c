/* SPDX-License-Identifier: MIT */
/*
 * Text files: every line goes to every text format, unless one of them claims
 * the whole file. The formats are listed here, the more particular ones first.
 */
#include "parsers/text/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "parsers/budget.h"

extern const struct mlv_text_format mlv_text_py_spy;
extern const struct mlv_text_format mlv_text_memory_summary;
extern const struct mlv_text_format mlv_text_cprofile;
extern const struct mlv_text_format mlv_text_nccl_watchdog;
extern const struct mlv_text_format mlv_text_profiler_table;
extern const struct mlv_text_format mlv_text_oom;
extern const struct mlv_text_format mlv_text_traceback;
extern const struct mlv_text_format mlv_text_gnu_time;
extern const struct mlv_text_format mlv_text_gnu_time_format;
extern const struct mlv_text_format mlv_text_shell_time;
extern const struct mlv_text_format mlv_text_bsd_time;
extern const struct mlv_text_format mlv_text_cgmemtime;
extern const struct mlv_text_format mlv_text_hyperfine_csv;
extern const struct mlv_text_format mlv_text_hyperfine_text;
extern const struct mlv_text_format mlv_text_mprof;
extern const struct mlv_text_format mlv_text_memory_profiler;
extern const struct mlv_text_format mlv_text_memory_log;
extern const struct mlv_text_format mlv_text_strace;
extern const struct mlv_text_format mlv_text_strace_summary;
extern const struct mlv_text_format mlv_text_sanitizer;
extern const struct mlv_text_format mlv_text_underflow;
extern const struct mlv_text_format mlv_text_python_trace;
extern const struct mlv_text_format mlv_text_failures;

/* clang-format off */
const struct mlv_text_format *const mlv_text_formats[] = {
	&mlv_text_py_spy,
	&mlv_text_memory_summary,
	&mlv_text_cprofile,
	&mlv_text_nccl_watchdog,
	&mlv_text_profiler_table,
	&mlv_text_sanitizer,
	&mlv_text_python_trace,
	&mlv_text_oom,
	&mlv_text_traceback,
	&mlv_text_gnu_time,
	&mlv_text_gnu_time_format,
	&mlv_text_shell_time,
	&mlv_text_bsd_time,
	&mlv_text_cgmemtime,
	&mlv_text_hyperfine_csv,
	&mlv_text_hyperfine_text,
	&mlv_text_mprof,
	&mlv_text_memory_profiler,
	&mlv_text_memory_log,
	&mlv_text_strace,
	&mlv_text_strace_summary,
	&mlv_text_underflow,
	&mlv_text_failures,
	NULL,
};
/* clang-format on */

/* All states of a rank take about 14 kB, and a line of a dozen bytes can name a rank. */
enum { MAX_FORMATS = 64, MAX_RANKS = 16384, ALONE = 80, ALIGNMENT = 16 };

/* The states of all formats for the lines of one rank or process, in one piece of memory. */
struct stream {
	int64_t rank, worker; /* -1: none */
	char *states;         /* owned */
};

struct reading {
	struct mlv_parse *p;
	const struct mlv_text_format *formats[MAX_FORMATS];
	size_t offsets[MAX_FORMATS]; /* of a format's state among those of a rank */
	size_t count, state_size;
	MLV_VEC(struct stream) streams;
	struct mlv_map stream_ids;
	struct mlv_budget budget;
};

static const struct mlv_text_format *by_name(const char *name)
{
	for (size_t i = 0; mlv_text_formats[i]; i++) {
		if (strcmp(mlv_text_formats[i]->name, name) == 0)
			return mlv_text_formats[i];
	}
	return NULL;
}

/* One format if the user or the content says so, else all. */
static void choose_formats(struct reading *r, struct mlv_bytes head)
{
	const struct mlv_text_format *alone = NULL;
	int best = ALONE - 1;
	if (r->p->forced)
		alone = by_name(r->p->forced);
	for (size_t i = 0; !r->p->forced && mlv_text_formats[i]; i++) {
		const struct mlv_text_format *f = mlv_text_formats[i];
		int score = f->probe ? f->probe(head) : 0;
		if (score > best) {
			best = score;
			alone = f;
		}
	}
	for (size_t i = 0; mlv_text_formats[i] && r->count < MAX_FORMATS; i++) {
		if (alone && mlv_text_formats[i] != alone)
			continue;
		size_t size = mlv_text_formats[i]->state_size + ALIGNMENT - 1;
		r->offsets[r->count] = r->state_size;
		r->formats[r->count++] = mlv_text_formats[i];
		r->state_size += size - size % ALIGNMENT;
	}
}

/* The stream of a rank, which is begun when its first line comes; NULL if there are too many of
 * them. */
static enum mlv_rc stream_of(struct reading *r, const struct mlv_line *line, struct stream **stream,
			     struct mlv_err *err)
{
	uint64_t key = (uint64_t)line->rank;
	if (line->rank < 0 && line->process >= 0)
		key = (uint64_t)line->process | UINT64_C(1) << 48;
	struct mlv_map_slot *slot = mlv_map_find(&r->stream_ids, key);
	*stream = slot ? &r->streams.data[slot->value] : NULL;
	if (slot || r->streams.len >= MAX_RANKS)
		return MLV_OK;
	struct stream s = { line->rank, line->process, calloc(1, r->state_size) };
	mlv_trackid track;
	/* That it has lines here is worth knowing, whatever they say. */
	if (!s.states ||
	    (line->rank >= 0 &&
	     !mlv_run_track(r->p->run, MLV_TRACK_RANK, MLV_TRACK_NONE, line->rank, &track)) ||
	    !mlv_vec_push(&r->streams, s)) {
		free(s.states);
		return mlv_err_nomem(err);
	}
	*stream = &r->streams.data[r->streams.len - 1];
	return mlv_map_set(&r->stream_ids, key, (uint32_t)r->streams.len - 1) ? MLV_OK
									      : mlv_err_nomem(err);
}

static struct mlv_text context(const struct reading *r, const struct stream *s)
{
	return (struct mlv_text){ .run = r->p->run,
				  .limits = r->p->limits,
				  .options = r->p->options,
				  .rank = s->rank >= 0 ? s->rank : r->p->run->rank,
				  .worker = s->worker };
}

static enum mlv_rc offer(struct reading *r, const struct mlv_line *line, struct mlv_err *err)
{
	struct stream *s;
	enum mlv_rc rc = stream_of(r, line, &s, err);
	if (rc)
		return rc;
	if (!s) {
		mlv_diag_add(&r->p->run->diags, MLV_WARNING, "ranks-many", MLV_NO_OFFSET,
			     "lines of more than %d ranks: those of rank %" PRId64 " are left out",
			     MAX_RANKS, line->rank);
		return MLV_OK;
	}
	struct mlv_text t = context(r, s);
	bool taken = false;
	for (size_t i = 0; i < r->count; i++) {
		enum mlv_take take = MLV_PASS;
		size_t metrics = t.run->metrics.len;
		rc = r->formats[i]->line(s->states + r->offsets[i], &t, line, &take, err);
		/* What was added for this line stands on it, unless its format knows better. */
		for (; metrics < t.run->metrics.len; metrics++) {
			struct mlv_metric *m = &t.run->metrics.data[metrics];
			m->line = m->line ? m->line : line->number;
		}
		if (rc)
			return rc;
		taken = taken || take != MLV_PASS;
		if (take == MLV_OWN)
			break;
	}
	return MLV_OK;
}

static enum mlv_rc finish(struct reading *r, struct mlv_err *err)
{
	for (size_t k = 0; k < r->streams.len; k++) {
		struct mlv_text t = context(r, &r->streams.data[k]);
		for (size_t i = 0; i < r->count; i++) {
			enum mlv_rc rc = MLV_OK;
			if (r->formats[i]->finish)
				rc = r->formats[i]->finish(
					r->streams.data[k].states + r->offsets[i], &t, err);
			if (rc)
				return rc;
		}
	}
	return MLV_OK;
}

static void release(struct reading *r)
{
	for (size_t k = 0; k < r->streams.len; k++) {
		for (size_t i = 0; i < r->count; i++) {
			if (r->formats[i]->fini)
				r->formats[i]->fini(r->streams.data[k].states + r->offsets[i]);
		}
		free(r->streams.data[k].states);
	}
	mlv_vec_free(&r->streams);
	mlv_map_fini(&r->stream_ids);
}

/* The name of the only kind that was found; "log" if there are several. */
static const char *kind_found(const struct mlv_run *run)
{
	const char *name = NULL;
	for (size_t i = 0; i < run->sections.len; i++) {
		const char *format = run->sections.data[i].format;
		if (name && strcmp(name, format) != 0)
			return "log";
		name = format;
	}
	return name;
}

/* For the message, should nothing be found: the first bytes are gone by then. */
struct seems {
	const char *what;
	char near[80]; /* empty: nothing is */
	bool digits;
};

static void look_at(struct seems *s, struct mlv_bytes head)
{
	*s = (struct seems){ .what = mlv_looks_like(head) };
	(void)mlv_nearest_formats(head, s->near, sizeof(s->near));
	for (size_t i = 0; i < head.n && i < 400 && !s->digits; i++)
		s->digits = head.p[i] >= '0' && head.p[i] <= '9';
}

static enum mlv_rc nothing_found(const struct seems *s, uint32_t lines, struct mlv_err *err)
{
	/* What GNU time -f writes may look like anything, and is short. */
	bool time = lines <= 2 && s->digits && !*s->near && strcmp(s->what, "text") == 0;
	return mlv_err_set(err, MLV_E_FORMAT,
			   "looks like %s, and nothing in its %u line%s is a report that "
			   "mlviz reads; %s%s",
			   s->what, lines, lines == 1 ? "" : "s",
			   *s->near ? "it comes nearest to "
			   : time   ? "if GNU time -f wrote it, give --time-format"
				    : "`mlviz formats` lists those",
			   s->near);
}

/* Whether ranks wrote into it, which the command takes as it is. */
static bool is_quiet_log(const struct mlv_parse *p)
{
	bool ranks = false;
	for (size_t i = 0; i < p->run->tracks.len; i++)
		ranks |= p->run->tracks.data[i].kind == MLV_TRACK_RANK;
	return ranks && p->options && p->options->quiet_logs && !p->forced;
}

static enum mlv_rc parse(struct mlv_parse *p, struct mlv_err *err)
{
	struct reading r = { .p = p, .budget = { .parse = p } };
	struct mlv_lines lines;
	struct mlv_line line;
	enum mlv_rc rc = MLV_OK;
	(void)mlv_reader_need(p->reader, MLV_PROBE_BYTES);
	struct mlv_bytes head = { p->reader->p, (size_t)(p->reader->end - p->reader->p) };
	struct seems seems;
	look_at(&seems, head);
	choose_formats(&r, head);
	mlv_lines_init(&lines, p->reader, p->limits, &p->run->diags);
	while (!rc && mlv_lines_next(&lines, &line)) {
		rc = offer(&r, &line, err);
		uint64_t at = mlv_reader_offset(p->reader);
		if (!rc && mlv_budget_due(&r.budget, at))
			rc = mlv_budget_look(&r.budget, at, r.streams.len * r.state_size, err);
	}
	if (!rc)
		rc = finish(&r, err);
	uint32_t count = lines.number;
	mlv_lines_fini(&lines);
	release(&r);
	if (rc)
		return rc;
	const char *kind = kind_found(p->run);
	/* What could not be read is why nothing was found. */
	if (!kind && p->reader->err.rc)
		return mlv_err_at(err, p->reader->err.rc, p->reader->err.offset, "%s",
				  p->reader->err.msg);
	if (!kind && is_quiet_log(p))
		return MLV_OK;
	if (!kind)
		return nothing_found(&seems, count, err);
	p->run->format = kind;
	if (p->reader->err.rc)
		mlv_diag_add_line(&p->run->diags, MLV_DAMAGE, "input-truncated", count, "%s",
				  p->reader->err.msg);
	return MLV_OK;
}

/* Text has no control characters but a few; what is not ASCII is left to its reader. */
static int probe(struct mlv_bytes head)
{
	size_t odd = 0, n = head.n < 8192 ? head.n : 8192;
	for (size_t i = 0; i < n; i++) {
		uint8_t c = head.p[i];
		if (c == 0)
			return 0;
		odd += c < 0x20 && c != '\n' && c != '\t' && c != '\r' && c != 0x1b && c != '\b' &&
		       c != '\f';
	}
	return n && odd * 50 <= n ? 5 : 0;
}

const struct mlv_parser mlv_parser_text = {
	.name = "text",
	.summary = "any log or report that is text: what is known in it is found line by line",
	.probe = probe,
	.parse = parse,
};
