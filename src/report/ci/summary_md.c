/* SPDX-License-Identifier: MIT */
#include "report/ci/summary_md.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "base/utf8.h"
#include "report/ci/markdown.h"

struct writing {
	const struct mlv_report *r;
	const struct mlv_budget_results *budgets;
	struct mlv_buf *out;
	size_t most;
};

static const char *const marks[] = {
	[MLV_REPORT_UNKNOWN] = "❔",
	[MLV_REPORT_GOOD] = "✅",
	[MLV_REPORT_WARNING] = "⚠️",
	[MLV_REPORT_ERROR] = "❌",
};

/* Names may be of any length; what is longer than people read is in report.json. */
enum { TEXT_MOST = 1200, CELL_MOST = 240 };

static void text_of(struct writing *w, const char *s, size_t most)
{
	char buf[TEXT_MOST + 1];
	mlv_utf8_fit(buf, most + 1, s, strlen(s));
	mlv_md_text(w->out, buf);
}

static void text(struct writing *w, const char *s)
{
	text_of(w, s, TEXT_MOST);
}

static void code(struct writing *w, const char *s)
{
	char buf[CELL_MOST + 1];
	mlv_utf8_fit(buf, sizeof(buf), s, strlen(s));
	mlv_md_code(w->out, buf);
}

/* Whether so many more bytes fit, with room for saying what does not. */
static bool fits(const struct writing *w, size_t n)
{
	enum { TAIL = 2048 };
	return w->out->len + n + TAIL < w->most;
}

/* ------------------------------------------------------------------ the verdict */

static void heading(struct writing *w)
{
	const struct mlv_report *r = w->r;
	mlv_buf_printf(w->out, "# %s ", marks[r->state]);
	text(w, r->title);
	mlv_buf_printf(w->out, "\n\n**%s**: ", mlv_report_state_name(r->state));
	text(w, r->headline);
	mlv_buf_puts(w->out, "\n");
}

/* ------------------------------------------------------------------ ranks */

static void cell_text(struct writing *w, const char *s)
{
	mlv_buf_puts(w->out, " ");
	text_of(w, s, CELL_MOST);
	mlv_buf_puts(w->out, " |");
}

static void cell_bytes(struct mlv_buf *out, int64_t n)
{
	char b[MLV_NUM_SIZE];
	mlv_buf_puts(out, " ");
	mlv_buf_puts(out, n < 0 ? "–" : mlv_fmt_bytes(b, sizeof(b), (uint64_t)n));
	mlv_buf_puts(out, " |");
}

static void cell_growth(struct mlv_buf *out, const struct mlv_report_rank *k)
{
	char b[MLV_NUM_SIZE];
	if (!k->judged)
		mlv_buf_puts(out, " – |");
	else if (k->growth_bytes > 0)
		mlv_buf_printf(out, " **%s**, %s a step |", mlv_growth_name(k->growth),
			       mlv_fmt_bytes(b, sizeof(b), (uint64_t)k->growth_bytes));
	else
		mlv_buf_printf(out, " %s |", mlv_growth_name(k->growth));
}

static void rank_row(struct writing *w, const struct mlv_report_rank *k, bool waits)
{
	char b[MLV_NUM_SIZE];
	mlv_buf_puts(w->out, "|");
	cell_text(w, k->label);
	cell_bytes(w->out, k->requested_peak);
	cell_bytes(w->out, k->allocated_peak);
	cell_bytes(w->out, k->reserved_peak);
	cell_growth(w->out, k);
	mlv_buf_puts(w->out, k->oom ? " **yes** |" : " no |");
	if (waits)
		mlv_buf_printf(w->out, " %s |",
			       k->wait_ns < 0 ? "–" : mlv_fmt_duration(b, sizeof(b), k->wait_ns));
	mlv_buf_putc(w->out, '\n');
}

enum { RANKS_MOST = 256 };

static void ranks(struct writing *w)
{
	const struct mlv_report *r = w->r;
	size_t i = 0;
	if (!r->ranks.len)
		return;
	mlv_buf_puts(w->out, "\n## Ranks\n\n| | peak requested | peak allocated | peak reserved | "
			     "growth | out of memory |");
	mlv_buf_puts(w->out, r->has_waits ? " waited |\n" : "\n");
	mlv_buf_puts(w->out, "|---|--:|--:|--:|---|---|");
	mlv_buf_puts(w->out, r->has_waits ? "--:|\n" : "\n");
	for (; i < r->ranks.len && i < RANKS_MOST && fits(w, 4096); i++)
		rank_row(w, &r->ranks.data[i], r->has_waits);
	if (i < r->ranks.len)
		mlv_buf_printf(w->out, "\n%zu more rows are cut; report.json has them.\n",
			       r->ranks.len - i);
}

/* ------------------------------------------------------------------ findings */

static void place(struct writing *w, const struct mlv_ci_place *p)
{
	struct mlv_buf line = { 0 };
	if (!p->file)
		return;
	mlv_buf_puts(&line, p->file);
	if (p->line)
		mlv_buf_printf(&line, ":%" PRIu32, p->line);
	mlv_buf_puts(w->out, "   - at ");
	code(w, line.data ? line.data : "");
	if (*p->function) {
		mlv_buf_puts(w->out, " in ");
		code(w, p->function);
	}
	mlv_buf_putc(w->out, '\n');
	w->out->failed |= line.failed;
	mlv_buf_fini(&line);
}

static void finding(struct writing *w, const struct mlv_ci_finding *f, size_t number)
{
	static const char *const severities[] = { "ℹ️ note", "⚠️ warning", "❌ error" };
	mlv_buf_printf(w->out, "%zu. %s **%s**: ", number, severities[f->severity], f->rule->id);
	text(w, f->message);
	mlv_buf_putc(w->out, '\n');
	place(w, &f->place);
	for (size_t i = 0; i < f->details.len; i++) {
		mlv_buf_puts(w->out, "   - ");
		text(w, f->details.data[i]);
		mlv_buf_putc(w->out, '\n');
	}
	if (f->input) {
		mlv_buf_puts(w->out, "   - from ");
		code(w, f->input);
		if (f->input_line)
			mlv_buf_printf(w->out, ", line %" PRIu32, f->input_line);
		mlv_buf_putc(w->out, '\n');
	}
}

/* What a reader has to know; changes have a part of their own. */
static bool is_listed(const struct mlv_ci_finding *f)
{
	return strcmp(f->rule->id, "change") != 0;
}

static size_t findings(struct writing *w)
{
	const struct mlv_report *r = w->r;
	size_t said = 0, cut = 0;
	for (size_t i = 0; i < r->findings.list.len; i++) {
		const struct mlv_ci_finding *f = &r->findings.list.data[i];
		size_t before = w->out->len;
		if (!is_listed(f))
			continue;
		if (!said)
			mlv_buf_puts(w->out, "\n## Findings\n\n");
		if (!cut)
			finding(w, f, said + 1);
		said++;
		if (cut || !fits(w, 0)) {
			w->out->len = cut ? w->out->len : before;
			cut++;
		}
	}
	if (cut)
		mlv_buf_printf(w->out,
			       "\n%zu findings that are less important are cut to keep within the "
			       "size of a summary; report.json has them.\n",
			       cut);
	if (said)
		mlv_buf_puts(w->out, "\n`mlviz explain RULE` says what a rule means, how it is "
				     "reached and what to do.\n");
	return cut;
}

/* ------------------------------------------------------------------ budgets */

static void budgets(struct writing *w)
{
	const struct mlv_budget_results *b = w->budgets;
	size_t i = 0;
	if (!b || !b->list.len)
		return;
	mlv_buf_puts(w->out, "\n## Budgets\n\n| | budget | what was found |\n|---|---|---|\n");
	for (; i < b->list.len && fits(w, 4096); i++) {
		const struct mlv_budget_result *x = &b->list.data[i];
		mlv_buf_printf(w->out, "| %s%s |", x->fails ? "❌ " : "",
			       mlv_budget_state_name(x->state));
		cell_text(w, x->name);
		cell_text(w, x->message);
		mlv_buf_putc(w->out, '\n');
	}
	if (i < b->list.len)
		mlv_buf_printf(w->out, "\n%zu more rows are cut; junit.xml has them.\n",
			       b->list.len - i);
}

/* ------------------------------------------------------------------ changes */

static void figure_value(struct mlv_buf *out, const char *unit, int64_t v, bool is_change)
{
	char b[MLV_NUM_SIZE];
	if (strcmp(unit, "ns") == 0)
		mlv_buf_puts(out, mlv_fmt_duration(b, sizeof(b), v));
	else if (is_change)
		mlv_buf_puts(out, mlv_fmt_bytes_signed(b, sizeof(b), v));
	else
		mlv_buf_puts(out, mlv_fmt_bytes(b, sizeof(b), (uint64_t)(v < 0 ? 0 : v)));
}

static void figures(struct writing *w)
{
	const struct mlv_report *r = w->r;
	bool any = false;
	for (size_t i = 0; i < r->figures.len && fits(w, 4096); i++) {
		const struct mlv_report_figure *f = &r->figures.data[i];
		if (f->a == f->b)
			continue;
		if (!any)
			mlv_buf_puts(w->out, "\n| | figure | baseline | this run | change |\n"
					     "|---|---|--:|--:|--:|\n");
		any = true;
		mlv_buf_puts(w->out, "|");
		cell_text(w, f->rank);
		cell_text(w, f->name);
		mlv_buf_puts(w->out, " ");
		figure_value(w->out, f->unit, f->a, false);
		mlv_buf_puts(w->out, " | ");
		figure_value(w->out, f->unit, f->b, false);
		mlv_buf_puts(w->out, " | ");
		figure_value(w->out, f->unit, f->b - f->a, true);
		mlv_buf_puts(w->out, " |\n");
	}
}

enum { STATEMENTS_MOST = 10 };

static void changes(struct writing *w)
{
	const struct mlv_report *r = w->r;
	size_t i = 0;
	if (!r->baseline)
		return;
	mlv_buf_puts(w->out, "\n## Changes since ");
	text(w, r->baseline);
	mlv_buf_puts(w->out, "\n\n");
	if (!r->statements.len)
		mlv_buf_puts(w->out, "Nothing differs.\n");
	for (; i < r->statements.len && i < STATEMENTS_MOST && fits(w, 4096); i++) {
		mlv_buf_printf(w->out, "%zu. ", i + 1);
		text(w, r->statements.data[i].text);
		mlv_buf_putc(w->out, '\n');
	}
	if (i < r->statements.len)
		mlv_buf_printf(w->out, "\n%zu more of less weight are in report.json.\n",
			       r->statements.len - i);
	figures(w);
}

/* ------------------------------------------------------------------ who holds it */

enum { SITES_MOST = 5, TOPS_MOST = 8 };

static bool holds_alike(const struct mlv_report_rank *a, const struct mlv_report_rank *b)
{
	if (a->top.len != b->top.len)
		return false;
	for (size_t i = 0; i < a->top.len && i < SITES_MOST; i++) {
		const struct mlv_report_site *x = &a->top.data[i], *y = &b->top.data[i];
		if (x->bytes != y->bytes || strcmp(x->function, y->function) != 0 ||
		    strcmp(x->place, y->place) != 0)
			return false;
	}
	return true;
}

/* "rank 0", "rank 0 and 2 alike"; NULL: an earlier row stands for it. */
static const char *holder(const struct mlv_report *r, size_t i, char *buf, size_t size)
{
	size_t alike = 0;
	for (size_t k = 0; k < r->ranks.len; k++) {
		if (k == i || !holds_alike(&r->ranks.data[i], &r->ranks.data[k]))
			continue;
		if (k < i)
			return NULL;
		alike++;
	}
	snprintf(buf, size, "%.120s", r->ranks.data[i].label);
	if (alike)
		snprintf(buf + strlen(buf), size - strlen(buf), " and %zu alike", alike);
	return buf;
}

static void sites(struct writing *w, const struct mlv_report_rank *k, const char *label)
{
	char n[MLV_NUM_SIZE];
	for (size_t i = 0; i < k->top.len && i < SITES_MOST; i++) {
		const struct mlv_report_site *x = &k->top.data[i];
		mlv_buf_puts(w->out, "|");
		cell_text(w, i ? "" : label);
		cell_bytes(w->out, (int64_t)x->bytes);
		mlv_buf_printf(w->out, " %s | ", mlv_fmt_count(n, sizeof(n), x->count));
		text_of(w, x->function, CELL_MOST);
		mlv_buf_puts(w->out, *x->place ? " " : "");
		text_of(w, x->place, CELL_MOST);
		mlv_buf_puts(w->out, " |\n");
	}
}

static void top(struct writing *w)
{
	const struct mlv_report *r = w->r;
	char buf[160];
	size_t said = 0;
	for (size_t i = 0; i < r->ranks.len && said < TOPS_MOST && fits(w, 16384); i++) {
		const char *label =
			r->ranks.data[i].top.len ? holder(r, i, buf, sizeof(buf)) : NULL;
		if (!label)
			continue;
		if (!said++)
			mlv_buf_puts(w->out, "\n## Who holds memory at the peak\n\n| | bytes | "
					     "blocks | call site |\n|---|--:|--:|---|\n");
		sites(w, &r->ranks.data[i], label);
	}
}

/* ------------------------------------------------------------------ inputs */

static void inputs(struct writing *w)
{
	const struct mlv_report *r = w->r;
	size_t i = 0;
	char n[2 * MLV_NUM_SIZE];
	mlv_buf_printf(
		w->out, "\n## Inputs\n\n%s",
		mlv_fmt_count_of(n, sizeof(n), r->inputs.len, "file was read", "files were read"));
	if (r->ignored)
		mlv_buf_printf(w->out, ", %s",
			       mlv_fmt_count_of(n, sizeof(n), r->ignored, "other is no report",
						"others are no reports"));
	mlv_buf_puts(w->out, ".\n\n| file | what | rank |\n|---|---|--:|\n");
	for (; i < r->inputs.len && fits(w, 12288); i++) {
		const struct mlv_report_input *in = &r->inputs.data[i];
		mlv_buf_puts(w->out, "| ");
		code(w, in->file);
		mlv_buf_puts(w->out, " |");
		cell_text(w, in->title);
		if (in->rank >= 0)
			mlv_buf_printf(w->out, " %" PRId64 " |\n", in->rank);
		else
			mlv_buf_puts(w->out, " |\n");
	}
	if (i < r->inputs.len)
		mlv_buf_printf(w->out, "\n%zu more rows are cut; report.json has them.\n",
			       r->inputs.len - i);
	mlv_buf_printf(w->out, "\nMade by mlviz %s.\n", MLV_VERSION);
}

size_t mlv_summary_md(const struct mlv_report *r, const struct mlv_budget_results *b, size_t most,
		      struct mlv_buf *out)
{
	struct writing w = { r, b, out, most ? most : MLV_SUMMARY_MOST };
	heading(&w);
	ranks(&w);
	size_t cut = findings(&w);
	budgets(&w);
	changes(&w);
	top(&w);
	inputs(&w);
	return cut;
}
