/* SPDX-License-Identifier: MIT */
/*
 * mprof .dat files (memory_profiler): the resident memory of a process and its
 * children over time, and what functions had when they began and ended. Memory
 * is in MiB (the profiler divides by 2^20), time in seconds since 1970.
 */
#include <string.h>

#include "parsers/text/measure.h"
#include "parsers/text/scan.h"

#define FORMAT "mprof"
#define GROUP "mprof"

enum { PROBED_LINES = 20, MAIN = 0 };

struct state {
	bool open;
	uint32_t section;
	mlv_trackid main;
	mlv_strid command; /* of the line before the first record */
	uint32_t command_line;
};

/* A number behind one blank or several; the profiler writes all of them with a fraction. */
static bool number(struct mlv_str *s, enum mlv_unit unit, struct mlv_decimal *value)
{
	mlv_scan_blanks(s);
	if (!mlv_scan_decimal(s, value) || value->exponent >= 0)
		return false;
	value->unit = (uint8_t)unit;
	return true;
}

static bool moment(struct mlv_str *s, int64_t *time_ns)
{
	struct mlv_decimal d;
	return number(s, MLV_UNIT_S, &d) && mlv_decimal_ns(d, time_ns);
}

/* "MEM 12.343750 1700000000.1234": what is between is left out by the caller. */
static bool memory_and_time(struct mlv_str s, struct mlv_decimal *memory, int64_t *time_ns)
{
	return number(&s, MLV_UNIT_MIB, memory) && moment(&s, time_ns) && !mlv_str_trim(s).n;
}

struct function {
	struct mlv_str name;
	struct mlv_decimal memory[2];
	int64_t time_ns[2];
	int64_t level; /* -1: not said */
};

/* "module.name mem0 t0 mem1 t1 [level]" */
static bool function_line(struct mlv_str s, struct function *f)
{
	size_t n = 0;
	while (n < s.n && s.p[n] != ' ')
		n++;
	f->name = (struct mlv_str){ s.p, n };
	f->level = -1;
	mlv_scan_skip(&s, n);
	for (int i = 0; i < 2; i++) {
		if (!number(&s, MLV_UNIT_MIB, &f->memory[i]) || !moment(&s, &f->time_ns[i]))
			return false;
	}
	mlv_scan_blanks(&s);
	if (s.n && !mlv_scan_int(&s, &f->level))
		return false;
	return n && !mlv_str_trim(s).n;
}

static bool child_line(struct mlv_str s, int64_t *index, struct mlv_decimal *memory,
		       int64_t *time_ns)
{
	return mlv_scan_int(&s, index) && memory_and_time(s, memory, time_ns);
}

/* How sure a line is: 2 a record, 1 the command, 0 anything else. */
static int record(struct mlv_str s)
{
	struct mlv_decimal memory;
	struct function f;
	int64_t n, time_ns;
	if (mlv_scan(&s, "MEM "))
		return memory_and_time(s, &memory, &time_ns) ? 2 : 0;
	if (mlv_scan(&s, "CHLD "))
		return child_line(s, &n, &memory, &time_ns) ? 2 : 0;
	if (mlv_scan(&s, "FUNC "))
		return function_line(s, &f) ? 2 : 0;
	return mlv_scan(&s, "CMDLINE ");
}

static int probe(struct mlv_bytes head)
{
	const uint8_t *p = head.p, *end = head.p + head.n;
	int records = 0, lines = 0;
	while (p < end && lines < PROBED_LINES) {
		const uint8_t *lf = memchr(p, '\n', (size_t)(end - p));
		struct mlv_str line = { (const char *)p, (size_t)((lf ? lf : end) - p) };
		if (line.n && line.p[line.n - 1] == '\r')
			line.n--;
		int kind = record(line);
		if (kind == 0 && lf && mlv_str_trim(line).n)
			return 0;
		records += kind == 2;
		lines += line.n > 0;
		p = lf ? lf + 1 : end;
	}
	return records ? 95 : 0;
}

static enum mlv_rc add_sample(struct state *s, struct mlv_text *t, mlv_trackid track,
			      struct mlv_decimal memory, int64_t time_ns, uint32_t line,
			      struct mlv_err *err)
{
	struct mlv_sample sample = { .time_ns = time_ns,
				     .track = track,
				     .step = MLV_NO_STEP,
				     .line = line,
				     .value = memory };
	return mlv_add_sample(mlv_text_add(t), s->section, sample, MLV_STR("rss"), err);
}

/* Memory at both ends, in bytes, and the depth of the call. */
static bool function_attrs(struct mlv_run *run, const struct function *f)
{
	static const char *const keys[] = { "memory_start", "memory_end" };
	for (int i = 0; i < 2; i++) {
		int64_t bytes;
		if (mlv_decimal_bytes(f->memory[i], &bytes) &&
		    !mlv_run_attr_int(run, keys[i], bytes))
			return false;
	}
	return f->level < 0 || mlv_run_attr_int(run, "level", f->level);
}

static enum mlv_rc add_function(struct state *s, struct mlv_text *t, const struct function *f,
				uint32_t line, struct mlv_err *err)
{
	struct mlv_span span = { .start_ns = f->time_ns[0],
				 .end_ns = f->time_ns[1],
				 .track = s->main,
				 .stack = MLV_STACK_NONE,
				 .line = line,
				 .bytes = -1 };
	enum mlv_rc full = mlv_limits_room(t->limits, t->run->spans.len, "spans", err);
	if (full)
		return full;
	uint32_t begin = mlv_run_attrs_begin(t->run);
	if (!function_attrs(t->run, f))
		return mlv_err_nomem(err);
	span.attrs = mlv_run_attrs_end(t->run, begin);
	if (!mlv_run_intern(t->run, f->name, &span.name) ||
	    !mlv_run_intern(t->run, MLV_STR("function"), &span.category) ||
	    !mlv_vec_push(&t->run->spans, span))
		return mlv_err_nomem(err);
	struct mlv_section *section = &t->run->sections.data[s->section];
	section->rows++;
	section->last_line = line;
	return MLV_OK;
}

static enum mlv_rc open_file(struct state *s, struct mlv_text *t, uint32_t line,
			     struct mlv_err *err)
{
	struct mlv_str command = mlv_run_str(t->run, s->command);
	s->open = true;
	if (!mlv_run_named_track(t->run, MLV_TRACK_PROCESS, MLV_TRACK_NONE, MAIN,
				 MLV_STR("main process"), &s->main) ||
	    (command.n && !mlv_run_property_text(t->run, GROUP, "command", command)))
		return mlv_err_nomem(err);
	enum mlv_rc rc = mlv_text_section(t, FORMAT, command, s->command.i ? s->command_line : line,
					  &s->section, err);
	if (!rc)
		mlv_section_noun(t->run, s->section, "sample");
	return rc;
}

static enum mlv_rc take_record(struct state *s, struct mlv_text *t, struct mlv_str text,
			       uint32_t line, struct mlv_err *err)
{
	struct mlv_decimal memory;
	struct function f;
	mlv_trackid child;
	int64_t index, time_ns;
	if (mlv_scan(&text, "MEM ") && memory_and_time(text, &memory, &time_ns))
		return add_sample(s, t, s->main, memory, time_ns, line, err);
	if (mlv_scan(&text, "FUNC ") && function_line(text, &f))
		return add_function(s, t, &f, line, err);
	if (!mlv_scan(&text, "CHLD ") || !child_line(text, &index, &memory, &time_ns))
		return MLV_OK;
	if (!mlv_run_track(t->run, MLV_TRACK_PROCESS, s->main, index, &child))
		return mlv_err_nomem(err);
	return add_sample(s, t, child, memory, time_ns, line, err);
}

/* The command stands before the records, or behind a few that its process wrote by itself. */
static enum mlv_rc take_command(struct state *s, struct mlv_text *t, struct mlv_str text,
				uint32_t line, struct mlv_err *err)
{
	(void)mlv_scan(&text, "CMDLINE ");
	text = mlv_str_trim(text);
	if (!mlv_run_intern(t->run, text, &s->command))
		return mlv_err_nomem(err);
	s->command_line = line;
	if (!s->open || t->run->sections.data[s->section].title.i)
		return MLV_OK;
	t->run->sections.data[s->section].title = s->command;
	return mlv_run_property_text(t->run, GROUP, "command", text) ? MLV_OK : mlv_err_nomem(err);
}

static enum mlv_rc read_line(void *state, struct mlv_text *t, const struct mlv_line *line,
			     enum mlv_take *take, struct mlv_err *err)
{
	struct state *s = state;
	int kind = record(line->text);
	if (!kind) {
		struct mlv_str text = mlv_str_trim(line->text);
		if (s->open && text.n)
			mlv_diag_add_line(&t->run->diags, MLV_DAMAGE, "mprof-line", line->number,
					  "no record of mprof, or not a whole one");
		return MLV_OK;
	}
	if (kind == 1)
		return take_command(s, t, line->text, line->number, err);
	*take = MLV_OWN;
	enum mlv_rc rc = s->open ? MLV_OK : open_file(s, t, line->number, err);
	return rc ? rc : take_record(s, t, line->text, line->number, err);
}

const struct mlv_text_format mlv_text_mprof = {
	.name = FORMAT,
	.summary = "memory of a process and its children over time (mprof .dat)",
	.probe = probe,
	.state_size = sizeof(struct state),
	.line = read_line,
};
