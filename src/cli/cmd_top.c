/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/alive.h"
#include "analysis/metric_tables.h"
#include "cli/command.h"
#include "cli/each.h"
#include "cli/moment.h"
#include "cli/term.h"
#include "report/findings.h"
#include "report/table_text.h"

struct state {
	const char *by, *grep, *at;
	uint64_t top;
	int64_t device;
	bool errors;
	struct mlv_common common;
};

static const struct mlv_option options[] = {
	MLV_OPT(0, "by", STRING, struct state, by, "WHAT",
		"rank by this column; for a snapshot, group by site, stack, module, size, stream "
		"or "
		"pool"),
	MLV_OPT(0, "grep", STRING, struct state, grep, "TEXT", "only names that contain TEXT"),
	MLV_OPT(0, "top", UINT, struct state, top, "N", "print N rows"),
	MLV_OPT(0, "at", STRING, struct state, at, "WHEN",
		"of a snapshot: peak, oom, end, start or an event number"),
	MLV_OPT(0, "errors", FLAG, struct state, errors, NULL,
		"of spans: those that failed, by error, call and file"),
	MLV_OPT(0, "device", INT, struct state, device, "N", "only this device"),
	MLV_COMMON_OPTIONS(struct state, common),
	MLV_OPT_END,
};

static void defaults(void *opaque)
{
	struct state *st = opaque;
	st->top = 20;
	st->device = -1;
}

/* Where a table goes: text or JSON. */
struct sink {
	const struct state *st;
	struct mlv_buf *out;
	struct mlv_json *json;
	int width;
	size_t tables;
	struct mlv_buf columns; /* of the tables that lack the one of --by */
};

static void emit(struct sink *s, struct mlv_table *t)
{
	if (s->json)
		mlv_table_json(t, (size_t)s->st->top, s->json);
	else
		mlv_table_text(t, (size_t)s->st->top, s->width, s->out);
	s->tables++;
	mlv_table_fini(t);
}

/*
 * A table goes out. One that lacks the column of --by is passed over: another
 * of the same file may have it.
 */
static enum mlv_rc take(struct sink *s, struct mlv_table *t, enum mlv_rc rc, struct mlv_err *err)
{
	if (!rc)
		emit(s, t);
	if (rc != MLV_E_USAGE)
		return rc;
	*err = MLV_ERR_INIT;
	return MLV_OK;
}

static bool alive_by(const char *by, enum mlv_alive_by *kind)
{
	static const char *const names[] = { "site", "stack", "module", "size", "stream", "pool" };
	*kind = MLV_ALIVE_BY_SITE;
	if (!by)
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(by, names[i]) == 0) {
			*kind = (enum mlv_alive_by)i;
			return true;
		}
	}
	return false;
}

static enum mlv_rc top_memory(struct sink *s, const struct mlv_run *run, struct mlv_err *err)
{
	const struct state *st = s->st;
	struct mlv_sites sites;
	enum mlv_alive_by by;
	bool grouped = alive_by(st->by, &by);
	struct mlv_table_options o = { grouped ? NULL : st->by, st->grep, &s->columns };
	enum mlv_rc rc = mlv_sites_init(&sites, run, NULL, 0, err);
	for (size_t i = 0; !rc && i < run->devices.len; i++) {
		struct mlv_history h;
		struct mlv_table t;
		int64_t event;
		/* A trace tells neither who allocated nor for how long: its spans say more. */
		if (run->devices.data[i].bytes_are != MLV_BYTES_REQUESTED)
			continue;
		if (st->device >= 0 && run->devices.data[i].ordinal != st->device)
			continue;
		rc = mlv_history_init(&h, run, i, err);
		if (rc)
			break;
		rc = mlv_moment_of(&h, st->at ? st->at : "peak", &event, err);
		if (!rc && !s->json && run->devices.len > 1)
			mlv_buf_printf(s->out, "  device %" PRIu32 "\n",
				       run->devices.data[i].ordinal);
		if (!rc)
			rc = take(s, &t, mlv_table_alive(&t, &h, &sites, by, event, &o, err), err);
		mlv_history_fini(&h);
	}
	mlv_sites_fini(&sites);
	return rc;
}

/* Annotations beside memory events are no ranking of their own. */
static bool spans_matter(const struct mlv_run *run)
{
	return run->spans.len && !run->segments.len;
}

/* No table has the column: name those that there are, as many as a message holds. */
static enum mlv_rc no_column(const struct sink *s, struct mlv_err *err)
{
	enum { ROOM = 150 };
	struct mlv_str names = { s->columns.data, s->columns.len };
	if (names.n <= ROOM)
		return mlv_err_set(err, MLV_E_USAGE, "--by %.40s: the columns are %s", s->st->by,
				   names.p);
	ptrdiff_t comma = mlv_str_find_last(mlv_str_head(names, ROOM), ", ");
	return mlv_err_set(err, MLV_E_USAGE, "--by %.40s: the columns are %.*s, and others",
			   s->st->by, comma < 0 ? ROOM : (int)comma, names.p);
}

static enum mlv_rc top_metrics(struct sink *s, const struct mlv_run *run,
			       const struct mlv_table_options *o, struct mlv_err *err)
{
	struct mlv_metric_tables m;
	enum mlv_rc rc = mlv_metric_tables_init(&m, run, err);
	for (size_t i = 0; !rc && i < m.count; i++) {
		struct mlv_table t;
		rc = take(s, &t, mlv_table_metrics(&t, &m, i, o, err), err);
	}
	mlv_metric_tables_fini(&m);
	return rc;
}

static enum mlv_rc top_tables(struct sink *s, const struct mlv_run *run, struct mlv_err *err)
{
	struct mlv_table_options o = { s->st->by, s->st->grep, &s->columns };
	struct mlv_table t;
	enum mlv_rc rc = MLV_OK;
	if (s->st->errors)
		return take(s, &t, mlv_table_errors(&t, run, &o, err), err);
	if (spans_matter(run))
		rc = take(s, &t, mlv_table_spans(&t, run, &o, err), err);
	if (!rc)
		rc = top_metrics(s, run, &o, err);
	if (!rc && run->samples.len)
		rc = take(s, &t, mlv_table_samples(&t, run, &o, err), err);
	return rc;
}

static enum mlv_rc top_run(struct sink *s, const struct mlv_run *run, struct mlv_err *err)
{
	enum mlv_rc rc = MLV_OK;
	if (!s->st->errors)
		rc = top_memory(s, run, err);
	if (!rc)
		rc = top_tables(s, run, err);
	if (!rc && !s->tables && s->columns.len)
		return no_column(s, err);
	if (!rc && run->findings.len) {
		if (!s->json)
			mlv_findings_text(run, (size_t)s->st->top, s->st->grep, s->out);
		s->tables++;
	}
	if (!rc && !s->tables)
		rc = mlv_err_set(err, MLV_E_FORMAT, "there is nothing in it to rank");
	return rc;
}

static enum mlv_rc rank(void *opaque, const struct mlv_each *one, struct mlv_err *err)
{
	const struct mlv_run *run = &one->input->run;
	struct sink s = { .st = opaque,
			  .out = one->text,
			  .json = one->json,
			  .width = mlv_term_width(STDOUT_FILENO) };
	mlv_each_begin(one);
	if (s.json)
		mlv_json_key_array(s.json, "tables");
	enum mlv_rc rc = top_run(&s, run, err);
	if (s.json) {
		mlv_json_array_end(s.json);
		mlv_findings_json(run, s.st->grep, s.json);
	}
	mlv_each_end(one);
	mlv_buf_fini(&s.columns);
	return rc;
}

static int run(void *opaque, int argc, char **argv)
{
	const struct state *st = opaque;
	return mlv_each_input(&st->common, argc, argv, "mlviz.top/1", rank, opaque);
}

const struct mlv_command mlv_cmd_top = {
	.name = "top",
	.summary = "rank what matters in a file",
	.usage = "mlviz top [options] FILE...",
	.details = "Ranks what a file holds, whatever its format: of a memory snapshot, what is "
		   "alive at the peak; of a trace or a system-call log, names by the time they "
		   "took; of tables, their rows by their most telling column; of samples, what "
		   "grew; and lists findings.\n\n"
		   "--by names another column, or the beginning of its name; for a snapshot it "
		   "says by what allocations are grouped.",
	.examples = "mlviz top mem.pickle\n"
		    "mlviz top --by stack --at end mem.pickle\n"
		    "mlviz top --by \"Self CPU\" profile.txt\n"
		    "mlviz top --errors strace.log",
	.options = options,
	.state_size = sizeof(struct state),
	.defaults = defaults,
	.common_offset = offsetof(struct state, common),
	.min_args = 1,
	.max_args = -1,
	.run = run,
};
