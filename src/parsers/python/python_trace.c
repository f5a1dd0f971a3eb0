/* SPDX-License-Identifier: MIT */
/*
 * `python -m trace --trace`, with or without --timing, and NicerTrace: every
 * line that a program executed. The last one of each process is where it
 * hangs; the ones that ran most often, or longest, are a bounded table.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parsers/add.h"
#include "parsers/python/python_trace_line.h"
#include "parsers/text/scan.h"
#include "parsers/text/statement.h"

static const char NAME[] = "python-trace";

enum {
	LINES = 1 << 16, /* distinct ones that are counted */
	TOP = 50,        /* that are told */
	PROCESSES = 256,
	SURE = 8, /* lines in a row that make it a trace; those with a time count fourfold */
	CODE_BYTES = 200,
};

struct executed {
	mlv_strid file;
	uint32_t line, number;      /* of the program; of this text, the first time */
	uint64_t count, hundredths; /* times; of a second, until the next line */
};

/* What a process did last. */
struct process {
	int64_t pid; /* -1: not told */
	mlv_strid file, code;
	mlv_strid function;    /* entered last: returns are not told */
	uint32_t line, number; /* of the program, of this text */
	uint64_t lines;
	int64_t time;      /* hundredths; -1: none */
	uint32_t executed; /* row of the table + 1 */
};

struct state {
	struct mlv_map ids; /* file and line -> row */
	MLV_VEC(struct executed) table;
	MLV_VEC(struct process) processes;
	mlv_strid function;
	uint32_t section, first_line, last_line;
	unsigned likely; /* lines in a row, while it is not sure */
	bool sure, timed, full;
};

static enum mlv_rc process_of(struct state *st, int64_t pid, struct process **p,
			      struct mlv_err *err)
{
	size_t n = st->processes.len;
	for (size_t i = n; i--;) {
		if (st->processes.data[i].pid == pid) {
			*p = &st->processes.data[i];
			return MLV_OK;
		}
	}
	if (n < PROCESSES) {
		struct process fresh = { .pid = pid, .time = -1 };
		if (!mlv_vec_push(&st->processes, fresh))
			return mlv_err_nomem(err);
		n++;
	}
	*p = &st->processes.data[n - 1];
	return MLV_OK;
}

/* The row of a line; 0 in *row when the table is full. */
static enum mlv_rc count(struct state *st, mlv_strid file, uint32_t line, uint32_t number,
			 uint32_t *row, struct mlv_err *err)
{
	uint64_t key = (uint64_t)file.i << 32 | line;
	struct mlv_map_slot *slot = mlv_map_find(&st->ids, key);
	*row = 0;
	if (!slot && st->table.len >= LINES) {
		st->full = true;
		return MLV_OK;
	}
	if (!slot) {
		struct executed fresh = { .file = file, .line = line, .number = number };
		if (!mlv_vec_push(&st->table, fresh) ||
		    !mlv_map_set(&st->ids, key, (uint32_t)st->table.len - 1))
			return mlv_err_nomem(err);
		*row = (uint32_t)st->table.len;
	} else {
		*row = slot->value + 1;
	}
	st->table.data[*row - 1].count++;
	return MLV_OK;
}

static enum mlv_rc execute(struct state *st, struct mlv_text *t,
			   const struct mlv_python_trace_line *l, uint32_t number,
			   struct mlv_err *err)
{
	struct process *p = NULL;
	struct mlv_str code = mlv_str_head(l->code, CODE_BYTES);
	mlv_strid file;
	uint32_t row;
	enum mlv_rc rc = process_of(st, l->pid, &p, err);
	if (rc)
		return rc;
	if (!mlv_run_intern(t->run, l->file, &file) || !mlv_run_intern(t->run, code, &p->code))
		return mlv_err_nomem(err);
	rc = count(st, file, l->line, number, &row, err);
	if (l->time >= 0) {
		st->timed = true;
		if (p->executed && p->time >= 0 && l->time > p->time)
			st->table.data[p->executed - 1].hundredths += (uint64_t)(l->time - p->time);
	}
	p->file = file;
	p->line = l->line;
	p->number = number;
	p->time = l->time;
	p->function = st->function;
	p->executed = row;
	p->lines++;
	return rc;
}

static enum mlv_rc line_of(void *state, struct mlv_text *t, const struct mlv_line *line,
			   enum mlv_take *take, struct mlv_err *err)
{
	struct state *st = state;
	struct mlv_python_trace_line l;
	if (!mlv_python_trace_line(line->text, &l)) {
		st->likely = 0;
		return MLV_OK;
	}
	if (!st->first_line || !st->likely)
		st->first_line = st->sure ? st->first_line : line->number;
	st->likely += st->likely < SURE ? (l.time >= 0 ? 4 : 1) : 0;
	/* "--- modulename" is said by nobody else. */
	st->sure = st->sure || st->likely >= SURE ||
		   (l.heading && line->text.n && line->text.p[0] == ' ' && line->text.n > 4 &&
		    line->text.p[1] == '-');
	st->last_line = line->number;
	if (st->sure)
		*take = MLV_OWN;
	if (l.heading)
		return mlv_run_intern(t->run, l.function, &st->function) ? MLV_OK
									 : mlv_err_nomem(err);
	return execute(st, t, &l, line->number, err);
}

static enum mlv_rc tell_last(struct state *st, struct mlv_text *t, const struct process *p,
			     struct mlv_err *err)
{
	char text[700], time[40];
	int n = 0;
	struct mlv_str file = mlv_run_str(t->run, p->file), code = mlv_run_str(t->run, p->code);
	/* Processes are told apart even where they wait for each other in one line. */
	if (p->pid >= 0)
		n = snprintf(text, sizeof(text), "pid %" PRId64 ": ", p->pid);
	snprintf(text + n, sizeof(text) - (size_t)n, "%.*s:%u: %.*s",
		 file.n < 300 ? (int)file.n : 300, file.p, p->line, (int)code.n, code.p);
	struct mlv_statement s = { .format = NAME,
				   .code = "last-line",
				   .severity = MLV_FINDING_NOTE,
				   .text = mlv_str_of(text),
				   .file = file,
				   .file_line = p->line,
				   .line = p->number,
				   .last_line = p->number,
				   .rank = -1,
				   .attrs = mlv_run_attrs_begin(t->run) };
	enum mlv_rc rc = mlv_statement_text(t, "last_call", mlv_run_str(t->run, p->function), err);
	if (!rc && p->pid >= 0)
		rc = mlv_statement_int(t, "pid", p->pid, err);
	if (!rc)
		rc = mlv_statement_int(t, "lines", (int64_t)p->lines, err);
	if (!rc && p->time >= 0) {
		snprintf(time, sizeof(time), "%" PRId64 ".%02d s", p->time / 100,
			 (int)(p->time % 100));
		rc = mlv_statement_text(t, "time", mlv_str_of(time), err);
	}
	return rc ? rc : mlv_statement_add(t, &s, &st->section, NULL, err);
}

/* By time if there is one, then by count, then in the order of the text. */
static int hotter(const void *a, const void *b)
{
	const struct executed *x = a, *y = b;
	if (x->hundredths != y->hundredths)
		return x->hundredths < y->hundredths ? 1 : -1;
	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	if (x->file.i != y->file.i)
		return x->file.i < y->file.i ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

static enum mlv_rc tell_hot(const struct state *st, struct mlv_text *t, uint32_t row,
			    struct mlv_err *err)
{
	const struct executed *e = &st->table.data[row];
	char subject[400];
	struct mlv_str file = mlv_run_str(t->run, e->file);
	struct mlv_metric_row at = { t->run, t->limits, st->section - 1, row, MLV_STR_NONE };
	int n = snprintf(subject, sizeof(subject), "%.*s:%u", file.n < 300 ? (int)file.n : 300,
			 file.p, e->line);
	if (!mlv_run_intern(t->run, (struct mlv_str){ subject, (size_t)n }, &at.subject))
		return mlv_err_nomem(err);
	size_t first = t->run->metrics.len;
	enum mlv_rc rc = mlv_add_metric_named(
		&at, "executions", mlv_decimal_int((int64_t)e->count, MLV_UNIT_NONE), err);
	struct mlv_decimal time = mlv_decimal_int((int64_t)e->hundredths, MLV_UNIT_S);
	time.exponent = -2;
	if (!rc && st->timed)
		rc = mlv_add_metric_named(&at, "time until the next line", time, err);
	while (!rc && first < t->run->metrics.len)
		t->run->metrics.data[first++].line = e->number;
	return rc;
}

static enum mlv_rc finish(void *state, struct mlv_text *t, struct mlv_err *err)
{
	struct state *st = state;
	enum mlv_rc rc = MLV_OK;
	if (!st->sure || !st->processes.len)
		return MLV_OK;
	rc = mlv_statement_section(t, NAME, MLV_STR(""), st->first_line, st->last_line,
				   &st->section, err);
	for (size_t i = 0; i < st->processes.len && !rc; i++)
		rc = tell_last(st, t, &st->processes.data[i], err);
	if (rc)
		return rc;
	qsort(st->table.data, st->table.len, sizeof(st->table.data[0]), hotter);
	uint64_t rows = 0;
	for (size_t i = 0; i < st->processes.len; i++)
		rows += st->processes.data[i].lines;
	t->run->sections.data[st->section - 1].rows = rows;
	for (uint32_t i = 0; i < st->table.len && i < TOP && !rc; i++)
		rc = tell_hot(st, t, i, err);
	if (st->full)
		mlv_diag_add(&t->run->diags, MLV_WARNING, "trace-lines", MLV_NO_OFFSET,
			     "more than %d different lines were executed; those that came later "
			     "are not counted",
			     LINES);
	return rc;
}

static void fini(void *state)
{
	struct state *st = state;
	mlv_map_fini(&st->ids);
	mlv_vec_free(&st->table);
	mlv_vec_free(&st->processes);
}

const struct mlv_text_format mlv_text_python_trace = {
	.name = NAME,
	.summary = "lines that Python executed: python -m trace --trace, NicerTrace",
	.state_size = sizeof(struct state),
	.line = line_of,
	.finish = finish,
	.fini = fini,
};
