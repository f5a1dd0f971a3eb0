/* SPDX-License-Identifier: MIT */
/*
 * Reports of compute-sanitizer and of its predecessor cuda-memcheck: records
 * of four tools, one finding each, with the host's frames as stack, and the
 * figures of the summary. What the watched program prints stands between
 * their lines and is left to others.
 */
#include <stdlib.h>
#include <string.h>

#include "parsers/add.h"
#include "parsers/sanitizer_line.h"
#include "parsers/scan.h"
#include "parsers/statement.h"

enum { FRAMES = 256, TEXT_BYTES = 2000, PREFIX_BYTES = 64 };

static const char NAME[] = "compute-sanitizer";
static const char RULE[] = "=========";

/* A record while its details arrive. */
struct record {
	enum mlv_sanitizer_code code;
	bool warning, placed;
	char text[TEXT_BYTES];
	size_t text_n;
	mlv_strid kernel, offset, file, address, thread, block, nearest, error, api, other;
	uint32_t file_line, first_line, last_line;
	int64_t size, number, hazards;
	mlv_frameid frames[FRAMES];
	size_t device_frames, frame_count; /* those of the device come first */
};

struct state {
	struct record *record; /* NULL: none yet */
	bool open;             /* the record */
	bool report;           /* a report that has no summary yet */
	char prefix[PREFIX_BYTES];
	size_t prefix_n; /* 0: the usual one */
	uint32_t section, rows;
	uint32_t last_line;
};

static enum mlv_rc intern(struct mlv_text *t, struct mlv_str s, mlv_strid *id, struct mlv_err *err)
{
	return mlv_run_intern(t->run, mlv_str_some(s), id) ? MLV_OK : mlv_err_nomem(err);
}

static enum mlv_rc text_attr(struct mlv_text *t, const char *key, mlv_strid id, struct mlv_err *err)
{
	return mlv_statement_text(t, key, mlv_run_str(t->run, id), err);
}

static enum mlv_rc attributes(const struct record *r, struct mlv_text *t, struct mlv_err *err)
{
	const struct {
		const char *key;
		mlv_strid id;
	} texts[] = { { "kernel", r->kernel },     { "offset", r->offset },
		      { "address", r->address },   { "thread", r->thread },
		      { "block", r->block },       { "nearest", r->nearest },
		      { "cuda_error", r->error },  { "api", r->api },
		      { "other_access", r->other } };
	enum mlv_rc rc = MLV_OK;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]) && !rc; i++)
		rc = text_attr(t, texts[i].key, texts[i].id, err);
	if (!rc && r->size >= 0)
		rc = mlv_statement_int(t, "size", r->size, err);
	if (!rc && r->number >= 0)
		rc = mlv_statement_int(t, "error_number", r->number, err);
	if (!rc && r->hazards)
		rc = mlv_statement_int(t, "hazards", r->hazards, err);
	return rc;
}

static void append(struct record *r, const char *before, struct mlv_str s)
{
	size_t n = strlen(before);
	if (!s.n || r->text_n + n + s.n > TEXT_BYTES)
		return;
	memcpy(r->text + r->text_n, before, n);
	memcpy(r->text + r->text_n + n, s.p, s.n);
	r->text_n += n + s.n;
}

/*
 * The statement names the instructions, not the threads, so that one fault of
 * many threads is one finding and two faults are two.
 */
static void name_places(struct record *r, struct mlv_text *t)
{
	struct mlv_str kernel = mlv_run_str(t->run, r->kernel);
	struct mlv_str other = mlv_run_str(t->run, r->other);
	bool named = mlv_str_find((struct mlv_str){ r->text, r->text_n }, " access at ") >= 0;
	if (!named && kernel.n) {
		append(r, " at ", kernel);
		append(r, "+", mlv_run_str(t->run, r->offset));
	} else if (!named) {
		append(r, " at ", mlv_run_str(t->run, r->offset));
	}
	ptrdiff_t hazards = mlv_str_find_last(other, " [");
	if (hazards >= 0)
		other = mlv_str_head(other, (size_t)hazards);
	ptrdiff_t thread = mlv_str_find(other, " Thread (");
	if (thread >= 0) {
		append(r, " and ", mlv_str_head(other, (size_t)thread));
		(void)mlv_scan_to(&other, ")", NULL);
		append(r, "", other);
	} else {
		append(r, " and ", other);
	}
}

static enum mlv_rc close_record(struct state *st, struct mlv_text *t, struct mlv_err *err)
{
	static const char *const codes[MLV_SANITIZER_CODES] = { "memcheck",  "racecheck",
								"initcheck", "synccheck",
								"leak",      "sanitizer-failed" };
	struct record *r = st->record;
	if (!st->open)
		return MLV_OK;
	st->open = false;
	name_places(r, t);
	struct mlv_statement s = { .format = NAME,
				   .code = codes[r->code],
				   .severity = r->warning ? MLV_FINDING_WARNING : MLV_FINDING_ERROR,
				   .text = { r->text, r->text_n },
				   .file = mlv_run_str(t->run, r->file),
				   .file_line = r->file_line,
				   .line = r->first_line,
				   .last_line = r->last_line,
				   .rank = -1,
				   .attrs = mlv_run_attrs_begin(t->run) };
	if (r->frame_count &&
	    !mlv_stack_intern(&t->run->stacks, r->frames, r->frame_count, &s.stack))
		return mlv_err_nomem(err);
	enum mlv_rc rc = attributes(r, t, err);
	return rc ? rc : mlv_statement_add(t, &s, &st->section, NULL, err);
}

static enum mlv_rc place(struct record *r, struct mlv_text *t, struct mlv_str where,
			 struct mlv_err *err)
{
	struct mlv_sanitizer_place p;
	mlv_sanitizer_place(where, &p);
	r->placed = true;
	r->file_line = p.line;
	enum mlv_rc rc = intern(t, p.kernel, &r->kernel, err);
	if (!rc)
		rc = intern(t, p.offset, &r->offset, err);
	return rc ? rc : intern(t, p.file, &r->file, err);
}

static enum mlv_rc open_record(struct state *st, struct mlv_text *t,
			       const struct mlv_sanitizer_head *h, uint32_t line,
			       struct mlv_err *err)
{
	if (!st->record)
		st->record = malloc(sizeof(*st->record));
	if (!st->record)
		return mlv_err_nomem(err);
	struct record *r = st->record;
	struct mlv_str text = mlv_str_head(mlv_str_trim(h->text), TEXT_BYTES);
	memset(r, 0, offsetof(struct record, frames));
	r->device_frames = r->frame_count = 0;
	r->code = h->code;
	r->warning = h->warning;
	r->size = h->size;
	r->number = h->number;
	r->first_line = r->last_line = line;
	memcpy(r->text, text.p, text.n);
	r->text_n = text.n;
	st->open = st->report = true;
	enum mlv_rc rc = intern(t, h->address, &r->address, err);
	if (!rc)
		rc = intern(t, h->block, &r->block, err);
	if (!rc)
		rc = intern(t, h->error, &r->error, err);
	if (!rc)
		rc = intern(t, h->api, &r->api, err);
	return rc || !h->where.n ? rc : place(r, t, h->where, err);
}

static enum mlv_rc frame(struct record *r, struct mlv_text *t, struct mlv_str s, bool device,
			 struct mlv_err *err)
{
	struct mlv_sanitizer_frame f;
	char file[TEXT_BYTES];
	mlv_frameid id;
	if (r->frame_count == FRAMES || !mlv_sanitizer_frame(s, &f))
		return MLV_OK;
	struct mlv_str path = mlv_str_head(f.file, TEXT_BYTES - 64);
	if (f.address.n && f.address.n < 60) {
		memcpy(file, path.p, path.n);
		file[path.n] = '+';
		memcpy(file + path.n + 1, f.address.p, f.address.n);
		path = (struct mlv_str){ file, path.n + 1 + f.address.n };
	}
	enum mlv_rc rc = mlv_statement_frame(t, f.function, path, f.line, &id, err);
	if (rc)
		return rc;
	size_t at = device ? r->device_frames++ : r->frame_count;
	memmove(&r->frames[at + 1], &r->frames[at], (r->frame_count - at) * sizeof(id));
	r->frames[at] = id;
	r->frame_count++;
	return MLV_OK;
}

/* "by thread (4,0,0) in block (0,0,0)" */
static enum mlv_rc thread(struct record *r, struct mlv_text *t, struct mlv_str s,
			  struct mlv_err *err)
{
	struct mlv_str id = s, block;
	if (!mlv_scan_to(&s, ")", NULL))
		return MLV_OK;
	id.n = (size_t)(s.p - id.p);
	enum mlv_rc rc = intern(t, id, &r->thread, err);
	if (!rc && mlv_scan(&s, " in block ")) {
		block = s;
		if (mlv_scan_to(&s, ")", NULL))
			rc = intern(t, mlv_str_head(block, (size_t)(s.p - block.p)), &r->block,
				    err);
	}
	return rc;
}

/* "and Read access at kern+0xb0 in f.cu:3 [1024 hazards]" */
static enum mlv_rc other_access(struct record *r, struct mlv_text *t, struct mlv_str s,
				struct mlv_err *err)
{
	int64_t n;
	ptrdiff_t at = mlv_str_find_last(s, " [");
	struct mlv_str hazards = mlv_str_from(s, at < 0 ? s.n : (size_t)at + 2);
	if (mlv_sanitizer_int(&hazards, &n) && n < INT64_MAX - r->hazards)
		r->hazards += n;
	return r->other.i ? MLV_OK : intern(t, s, &r->other, err);
}

static enum mlv_rc access_thread(struct record *r, struct mlv_text *t, struct mlv_str whole,
				 struct mlv_str s, struct mlv_err *err)
{
	enum mlv_rc rc = MLV_OK;
	if (r->placed)
		return intern(t, whole, &r->other, err);
	rc = thread(r, t, s, err);
	return rc || !mlv_scan_to(&s, " at ", NULL) ? rc : place(r, t, s, err);
}

/* A line below the first one of a record; unknown ones are passed over. */
static enum mlv_rc detail(struct state *st, struct mlv_text *t, struct mlv_str line,
			  struct mlv_err *err)
{
	struct record *r = st->record;
	struct mlv_str s = line, hex;
	if (mlv_scan(&s, "Host Frame:"))
		return frame(r, t, s, false, err);
	if (mlv_scan(&s, "Device Frame:"))
		return frame(r, t, s, true, err);
	if (mlv_scan(&s, "at "))
		return r->placed ? MLV_OK : place(r, t, s, err);
	if (mlv_scan(&s, "by thread "))
		return thread(r, t, s, err);
	if (mlv_scan(&s, "Address ") || mlv_scan(&s, "Access to ") || mlv_scan(&s, "Access at ")) {
		size_t n = 0;
		while (n < s.n && s.p[n] != ' ' && s.p[n] != ',')
			n++;
		return intern(t, mlv_str_head(s, n), &r->address, err);
	}
	if (mlv_scan(&s, "and is "))
		return intern(t, s, &r->nearest, err);
	if (mlv_scan(&s, "and Read access at ") || mlv_scan(&s, "and Write access at "))
		return other_access(r, t, mlv_str_from(line, 4), err);
	if (mlv_scan(&s, "Read Thread ") || mlv_scan(&s, "Write Thread "))
		return access_thread(r, t, line, s, err);
	if ((mlv_scan_to(&s, " to address ", NULL) || mlv_scan(&s, "Uninitialized access at ")) &&
	    mlv_scan_hex(&s, &hex))
		return intern(t, hex, &r->address, err);
	return MLV_OK;
}

static enum mlv_rc metric(struct state *st, struct mlv_text *t, const char *name, int64_t n,
			  enum mlv_unit unit, struct mlv_err *err)
{
	struct mlv_metric_row row = { t->run, t->limits, st->section - 1, st->rows++,
				      MLV_STR_NONE };
	enum mlv_rc rc = intern(t, MLV_STR("summary"), &row.subject, err);
	return rc ? rc : mlv_add_metric_named(&row, name, mlv_decimal_int(n, unit), err);
}

/* "1 hazard displayed (1 error, 0 warnings)" */
static enum mlv_rc race_summary(struct state *st, struct mlv_text *t, struct mlv_str s,
				struct mlv_err *err)
{
	int64_t hazards, errors, warnings;
	if (!mlv_sanitizer_int(&s, &hazards) || !mlv_scan_to(&s, "(", NULL) ||
	    !mlv_sanitizer_int(&s, &errors) || !mlv_scan_to(&s, ", ", NULL) ||
	    !mlv_sanitizer_int(&s, &warnings))
		return MLV_OK;
	enum mlv_rc rc = metric(st, t, "hazards", hazards, MLV_UNIT_NONE, err);
	if (!rc)
		rc = metric(st, t, "hazard errors", errors, MLV_UNIT_NONE, err);
	return rc ? rc : metric(st, t, "hazard warnings", warnings, MLV_UNIT_NONE, err);
}

/* The lines that end a report. */
static enum mlv_rc summary(struct state *st, struct mlv_text *t, struct mlv_str s, uint32_t line,
			   bool *mine, struct mlv_err *err)
{
	int64_t n, m;
	bool race = false, leak = false, errors = false;
	race = mlv_scan(&s, "RACECHECK SUMMARY: ");
	leak = !race && mlv_scan(&s, "LEAK SUMMARY: ");
	errors = !race && !leak && mlv_scan(&s, "ERROR SUMMARY: ");
	*mine = race || leak || errors;
	if (!*mine)
		return MLV_OK;
	enum mlv_rc rc = close_record(st, t, err);
	if (!rc)
		rc = mlv_statement_section(t, NAME, MLV_STR(""), line, line, &st->section, err);
	if (leak)
		st->report = true; /* the number of errors follows */
	else
		st->report = false;
	if (!rc && race)
		return race_summary(st, t, s, err);
	if (rc || !mlv_sanitizer_int(&s, &n))
		return rc;
	if (errors && mlv_str_find(s, "not printed") >= 0)
		return metric(st, t, "errors not printed", n, MLV_UNIT_NONE, err);
	if (errors)
		return metric(st, t, "errors", n, MLV_UNIT_NONE, err);
	rc = metric(st, t, "leaked", n, MLV_UNIT_BYTES, err);
	if (!rc && mlv_scan_to(&s, " in ", NULL) && mlv_sanitizer_int(&s, &m))
		rc = metric(st, t, "leaks", m, MLV_UNIT_NONE, err);
	return rc;
}

/* A report whose end is missing: the tool was killed, or the text is a part. */
static enum mlv_rc close_report(struct state *st, struct mlv_text *t, struct mlv_err *err)
{
	enum mlv_rc rc = close_record(st, t, err);
	if (rc || !st->report)
		return rc;
	st->report = false;
	struct mlv_statement s = { .format = NAME,
				   .code = "sanitizer-incomplete",
				   .severity = MLV_FINDING_WARNING,
				   .text = MLV_STR("the report ends without its summary"),
				   .line = st->last_line,
				   .last_line = st->last_line,
				   .rank = -1,
				   .attrs = mlv_run_attrs_begin(t->run) };
	mlv_diag_add_line(&t->run->diags, MLV_WARNING, "sanitizer-incomplete", st->last_line,
			  "a report of compute-sanitizer ends without its summary");
	return mlv_statement_add(t, &s, &st->section, NULL, err);
}

/* "========= COMPUTE-SANITIZER", or what --prefix says instead of the rule. */
static bool is_header(struct mlv_str text, struct mlv_str *prefix)
{
	struct mlv_str s = mlv_str_trim(text);
	static const struct mlv_str names[] = { MLV_STR_INIT(" COMPUTE-SANITIZER"),
						MLV_STR_INIT(" CUDA-MEMCHECK") };
	for (size_t i = 0; i < 2; i++) {
		if (!mlv_str_has_suffix(s, names[i]) || s.n - names[i].n > PREFIX_BYTES)
			continue;
		*prefix = mlv_str_head(s, s.n - names[i].n);
		return prefix->n > 0 && !memchr(prefix->p, ' ', prefix->n);
	}
	return false;
}

/* The line without the prefix; false if it has none. */
static bool without_prefix(const struct state *st, struct mlv_str text, struct mlv_str *line)
{
	struct mlv_str s = mlv_str_trim(text);
	if (st->prefix_n && mlv_str_has_prefix(s, (struct mlv_str){ st->prefix, st->prefix_n }))
		s = mlv_str_from(s, st->prefix_n);
	else if (!mlv_scan(&s, RULE))
		return false;
	if (s.n && s.p[0] != ' ' && s.p[0] != '\t')
		return false;
	*line = s;
	return true;
}

static enum mlv_rc header(struct state *st, struct mlv_text *t, struct mlv_str prefix,
			  uint32_t line, enum mlv_take *take, struct mlv_err *err)
{
	bool usual = mlv_str_eq(prefix, (struct mlv_str){ RULE, sizeof(RULE) - 1 });
	enum mlv_rc rc = close_report(st, t, err);
	st->section = 0; /* each report its own */
	st->rows = 0;
	st->last_line = line;
	/* Another prefix is believed when a record comes with it. */
	st->prefix_n = usual ? 0 : prefix.n;
	memcpy(st->prefix, prefix.p, st->prefix_n);
	st->report = usual;
	if (rc || !usual)
		return rc;
	*take = MLV_OWN;
	return mlv_statement_section(t, NAME, MLV_STR(""), line, line, &st->section, err);
}

static enum mlv_rc line_of(void *state, struct mlv_text *t, const struct mlv_line *line,
			   enum mlv_take *take, struct mlv_err *err)
{
	struct state *st = state;
	struct mlv_str prefix, s;
	struct mlv_sanitizer_head h;
	bool mine = false;
	enum mlv_rc rc = MLV_OK;
	if (is_header(line->text, &prefix))
		return header(st, t, prefix, line->number, take, err);
	if (!without_prefix(st, line->text, &s))
		return MLV_OK;
	size_t indent = mlv_str_indent(s);
	s = mlv_str_trim(s);
	if (s.n)
		rc = summary(st, t, s, line->number, &mine, err);
	if (!rc && !mine && indent <= 2 && mlv_sanitizer_head(s, &h) &&
	    (h.code != MLV_SANITIZER_FAILED || st->report)) {
		rc = close_record(st, t, err);
		if (!rc)
			rc = open_record(st, t, &h, line->number, err);
		mine = true;
	} else if (!rc && !mine && st->open) {
		st->record->last_line = s.n ? line->number : st->record->last_line;
		rc = s.n ? detail(st, t, s, err) : close_record(st, t, err);
		mine = true;
	}
	if (mine || st->report) {
		*take = MLV_OWN;
		st->last_line = line->number;
		if (st->section && !rc)
			rc = mlv_statement_section(t, NAME, MLV_STR(""), line->number, line->number,
						   &st->section, err);
	}
	return rc;
}

static enum mlv_rc finish(void *state, struct mlv_text *t, struct mlv_err *err)
{
	return close_report(state, t, err);
}

static void fini(void *state)
{
	free(((struct state *)state)->record);
}

const struct mlv_text_format mlv_text_sanitizer = {
	.name = NAME,
	.summary = "reports of compute-sanitizer and cuda-memcheck, all four tools",
	.state_size = sizeof(struct state),
	.line = line_of,
	.finish = finish,
	.fini = fini,
};
