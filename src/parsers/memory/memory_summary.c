/* SPDX-License-Identifier: MIT */
/*
 * torch.cuda.memory_summary(): a box of bars with a row for each counter of
 * the allocator, and below it those of the large and of the small pool. PyTorch
 * rounds values down, and gives all of a column below a counter the unit of its
 * first one, so they are kept as printed.
 *
 * Subjects are "Allocated memory" and "Allocated memory, from large pool",
 * metrics the columns; the title of the section names the device.
 */
#include <string.h>

#include "base/buf.h"
#include "parsers/memory/memory_summary_line.h"
#include "parsers/text/text.h"

static const char format_name[] = "memory-summary";

enum { FOREIGN_MAX = 8 };

struct state {
	bool open;
	bool rule_before; /* the last line was "|=====|", which may begin a box */
	uint32_t rule_line;
	uint32_t section, row;
	unsigned foreign;  /* lines of somebody else since the last of the box */
	mlv_strid counter; /* that pools stand below; empty: it was not seen */
	bool any_counter;  /* in this box */
	bool pool_seen[2]; /* each comes once below a counter */
	mlv_strid columns[MLV_SUMMARY_COLUMNS];
};

static const struct mlv_str pools[2] = { MLV_STR_INIT("from large pool"),
					 MLV_STR_INIT("from small pool") };

static void close_box(struct state *s, struct mlv_text *t, bool cut)
{
	if (s->open && cut)
		mlv_diag_add_line(&t->run->diags, MLV_WARNING, "memory-summary-cut",
				  t->run->sections.data[s->section].line,
				  "the memory summary has no end; rows may be missing");
	s->open = false;
}

static enum mlv_rc open_box(struct state *s, struct mlv_text *t, struct mlv_str title,
			    uint32_t line, struct mlv_err *err)
{
	/* As they are in all versions, should the header be lost. */
	static const struct mlv_str columns[MLV_SUMMARY_COLUMNS] = { MLV_STR_INIT("Cur Usage"),
								     MLV_STR_INIT("Peak Usage"),
								     MLV_STR_INIT("Tot Alloc"),
								     MLV_STR_INIT("Tot Freed") };
	close_box(s, t, true);
	enum mlv_rc rc = mlv_text_section(t, format_name, title,
					  s->rule_before ? s->rule_line : line, &s->section, err);
	if (rc)
		return rc;
	t->run->sections.data[s->section].last_line = line;
	for (int i = 0; i < MLV_SUMMARY_COLUMNS; i++) {
		if (!mlv_run_intern(t->run, columns[i], &s->columns[i]))
			return mlv_err_nomem(err);
	}
	s->open = true;
	s->row = 0;
	s->foreign = 0;
	s->counter = MLV_STR_NONE;
	s->any_counter = false;
	return MLV_OK;
}

/* "Allocated memory, from large pool" */
static bool joined(struct mlv_run *run, mlv_strid a, struct mlv_str b, mlv_strid *id)
{
	struct mlv_buf text = { 0 };
	mlv_buf_str(&text, mlv_run_str(run, a));
	mlv_buf_puts(&text, ", ");
	mlv_buf_str(&text, b);
	bool good =
		!text.failed && mlv_run_intern(run, (struct mlv_str){ text.data, text.len }, id);
	mlv_buf_fini(&text);
	return good;
}

static void damaged(struct mlv_text *t, const char *code, uint32_t line, const char *what)
{
	mlv_diag_add_line(&t->run->diags, MLV_DAMAGE, code, line, "%s", what);
}

/* Whose figures the row holds. False: it cannot be told. */
static bool place_row(struct state *s, struct mlv_text *t, struct mlv_str name, mlv_strid *subject,
		      bool *no_memory)
{
	*no_memory = false;
	for (int i = 0; i < 2; i++) {
		if (!mlv_str_eq(name, pools[i]))
			continue;
		if (!s->counter.i || s->pool_seen[i])
			return false;
		s->pool_seen[i] = true;
		*no_memory = !joined(t->run, s->counter, pools[i], subject);
		return true;
	}
	s->pool_seen[0] = s->pool_seen[1] = false;
	*no_memory = !mlv_run_intern(t->run, name, &s->counter);
	*subject = s->counter;
	s->any_counter = true;
	return true;
}

static enum mlv_rc add_row(struct state *s, struct mlv_text *t,
			   const struct mlv_summary_cells *cells, uint32_t line,
			   struct mlv_err *err)
{
	struct mlv_metric_row at = { t->run, t->limits, s->section, s->row, { 0 } };
	bool no_memory, whole = true;
	if (!place_row(s, t, cells->c[0].text, &at.subject, &no_memory)) {
		damaged(t, "memory-summary-pool", line,
			"a pool whose counter is missing above it, and which is left out");
		return MLV_OK;
	}
	if (no_memory)
		return mlv_err_nomem(err);
	bool memory = mlv_str_has_suffix(mlv_run_str(t->run, s->counter), MLV_STR(" memory"));
	enum mlv_rc rc = MLV_OK;
	for (uint32_t i = 0; i < MLV_SUMMARY_COLUMNS && !rc; i++) {
		struct mlv_decimal d;
		if (i + 1 >= cells->count ||
		    !mlv_summary_value(cells->c[i + 1].text, memory, cells->c[i + 1].closed, &d)) {
			whole = false;
			continue;
		}
		rc = mlv_add_metric(&at, s->columns[i], d, err);
	}
	if (!whole)
		damaged(t, "memory-summary-cell", line,
			"a row of a memory summary has cells that are missing or no figures");
	s->row++;
	mlv_section_grow(t->run, s->section, 0);
	return rc;
}

/* "CUDA OOMs: 0" and "cudaMalloc retries: 0", side by side */
static enum mlv_rc add_events(struct state *s, struct mlv_text *t,
			      const struct mlv_summary_cells *cells, struct mlv_err *err)
{
	struct mlv_metric_row at = { t->run, t->limits, s->section, s->row, { 0 } };
	enum mlv_rc rc = MLV_OK;
	for (uint32_t i = 0; i < cells->count && !rc; i++) {
		struct mlv_str text = cells->c[i].text;
		const char *colon = memchr(text.p, ':', text.n);
		size_t n = colon ? (size_t)(colon - text.p) : text.n;
		struct mlv_decimal d;
		if (!colon || !cells->c[i].closed ||
		    !mlv_decimal_whole(mlv_str_trim((struct mlv_str){ colon + 1, text.n - n - 1 }),
				       MLV_UNIT_NONE, &d))
			continue;
		if (!mlv_run_intern(t->run, (struct mlv_str){ text.p, n }, &at.subject))
			return mlv_err_nomem(err);
		rc = mlv_add_metric_named(&at, "count", d, err);
		at.row = ++s->row;
		mlv_section_grow(t->run, s->section, 0);
	}
	return rc;
}

static enum mlv_rc take_header(struct state *s, struct mlv_text *t,
			       const struct mlv_summary_cells *cells, uint32_t line,
			       struct mlv_err *err)
{
	enum mlv_rc rc = MLV_OK;
	if (!s->open) {
		damaged(t, "memory-summary-device", line,
			"a memory summary whose title is missing; its device is unknown");
		rc = open_box(s, t, MLV_STR("PyTorch memory summary, unknown device"), line, err);
	}
	for (uint32_t i = 0; i < MLV_SUMMARY_COLUMNS && i + 1 < cells->count && !rc; i++) {
		if (!mlv_run_intern(t->run, cells->c[i + 1].text, &s->columns[i]))
			rc = mlv_err_nomem(err);
	}
	return rc;
}

/* A line of an open box. False: it is not one. */
static bool box_line(struct state *s, struct mlv_text *t, const struct mlv_summary_cells *cells,
		     uint32_t line, enum mlv_rc *rc, struct mlv_err *err)
{
	if (mlv_summary_is_rule(cells, '=')) {
		/* There is one above the rows, and one below them. */
		if (s->any_counter) {
			t->run->sections.data[s->section].last_line = line;
			close_box(s, t, false);
		}
		return true;
	}
	if (mlv_summary_is_rule(cells, '-')) {
		s->counter = s->counter.i ? MLV_STR_NONE : s->counter;
		s->pool_seen[0] = s->pool_seen[1] = false;
		return true;
	}
	if (cells->count >= 2 && mlv_str_contains(cells->c[0].text, MLV_STR(" OOMs:")))
		*rc = add_events(s, t, cells, err);
	else if (cells->count >= 2 && mlv_summary_is_name(cells->c[0].text))
		*rc = add_row(s, t, cells, line, err);
	else
		return false;
	return true;
}

static enum mlv_rc take_line(void *state, struct mlv_text *t, const struct mlv_line *line,
			     enum mlv_take *take, struct mlv_err *err)
{
	struct state *s = state;
	struct mlv_str title;
	struct mlv_summary_cells cells = { 0 };
	enum mlv_rc rc = MLV_OK;
	bool bars = memchr(line->text.p, '|', line->text.n) != NULL, mine = false,
	     was_open = s->open;
	if (bars)
		mlv_summary_split(line->text, &cells);
	if (bars && mlv_summary_is_title(line->text, &title)) {
		rc = open_box(s, t, title, line->number, err);
		mine = true;
	} else if (bars && mlv_summary_is_header(&cells)) {
		rc = take_header(s, t, &cells, line->number, err);
		mine = true;
	} else if (bars && s->open) {
		mine = box_line(s, t, &cells, line->number, &rc, err);
	}
	s->rule_before = bars && mlv_summary_is_rule(&cells, '=');
	if (s->rule_before)
		s->rule_line = line->number;
	if (mine) {
		*take = MLV_OWN;
		s->foreign = 0;
		if (was_open || s->open)
			t->run->sections.data[s->section].last_line = line->number;
	} else if (s->open && ++s->foreign > FOREIGN_MAX) {
		close_box(s, t, true);
	}
	return rc;
}

static enum mlv_rc finish(void *state, struct mlv_text *t, struct mlv_err *err)
{
	(void)err;
	close_box(state, t, true);
	return MLV_OK;
}

const struct mlv_text_format mlv_text_memory_summary = {
	.name = "memory-summary",
	.summary = "torch.cuda.memory_summary() boxes, in a file or a log",
	.state_size = sizeof(struct state),
	.line = take_line,
	.finish = finish,
};
