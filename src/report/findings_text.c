/* SPDX-License-Identifier: MIT */
#include "report/findings.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/alike.h"
#include "analysis/callsite.h"
#include "base/num.h"
#include "report/sections_text.h"

enum { MOST_RANKS = 256, MOST_LINES = 12 };

void mlv_stack_text(const struct mlv_run *run, mlv_stackid stack, const char *indent,
		    struct mlv_buf *out)
{
	for (; mlv_stack_has_frame(stack); stack = mlv_stack_caller(&run->stacks, stack)) {
		const struct mlv_frame *f = mlv_stack_frame(&run->stacks, stack);
		mlv_buf_puts(out, indent);
		mlv_buf_safe(out, mlv_run_str(run, f->function));
		mlv_buf_puts(out, "  ");
		mlv_buf_safe(out, mlv_run_str(run, f->file));
		if (f->line)
			mlv_buf_printf(out, ":%" PRIu32, f->line);
		mlv_buf_putc(out, '\n');
	}
}

void mlv_attrs_text(const struct mlv_run *run, struct mlv_attrs attrs, const char *indent,
		    struct mlv_buf *out)
{
	for (uint32_t i = 0; i < attrs.count; i++) {
		const struct mlv_attr *a = &run->attrs.data[attrs.first + i];
		mlv_buf_puts(out, indent);
		mlv_buf_safe(out, mlv_run_str(run, a->key));
		mlv_buf_puts(out, ": ");
		if (a->is_text)
			mlv_buf_safe(out, mlv_run_str(run, a->text));
		else
			mlv_buf_int(out, a->number);
		mlv_buf_putc(out, '\n');
	}
}

/* "(train_step gen_mem.py:63)": the line of the program, where the report names no other. */
static void call_site(const struct mlv_run *run, mlv_stackid stack, struct mlv_buf *out)
{
	char function[160], place[160];
	struct mlv_sites sites;
	uint32_t site;
	if (mlv_sites_init(&sites, run, NULL, 0, NULL))
		out->failed = true;
	if (out->failed)
		return;
	if (!mlv_site_of(&sites, stack, &site)) {
		out->failed = true;
		mlv_sites_fini(&sites);
		return;
	}
	/* The innermost frames of C++ stacks are those of libraries, and have no line. */
	const struct mlv_site *s = &sites.list.data[site];
	if (s->kind == MLV_SITE_PYTHON && run->stacks.frames.data[s->label.i].line) {
		mlv_site_function(&sites, site, function, sizeof(function));
		mlv_site_place(&sites, site, place, sizeof(place));
		mlv_buf_puts(out, " (");
		mlv_buf_safe(out, mlv_str_of(function));
		mlv_buf_putc(out, ' ');
		mlv_buf_safe(out, mlv_str_of(place));
		mlv_buf_putc(out, ')');
	}
	mlv_sites_fini(&sites);
}

/* Processes that the prefix of the lines names, where no rank is known. */
static void workers(const struct mlv_run *run, const struct mlv_finding *f, struct mlv_buf *out)
{
	const struct mlv_attr *all = mlv_run_attr(run, f->attrs, "workers");
	const struct mlv_attr *one = mlv_run_attr(run, f->attrs, "worker");
	if (all && all->is_text && mlv_str_find(mlv_run_str(run, all->text), ",") > 0) {
		mlv_buf_puts(out, ", workers ");
		mlv_buf_safe(out, mlv_run_str(run, all->text));
	} else if (one && !one->is_text) {
		mlv_buf_printf(out, ", worker %" PRId64, one->number);
	}
}

static void heading(const struct mlv_run *run, const struct mlv_finding *f, const char *ranks,
		    struct mlv_buf *out)
{
	const struct mlv_attr *log = mlv_run_attr(run, f->attrs, "log");
	mlv_buf_puts(out, "  ");
	/* One of several files that are one recording. */
	if (log && log->is_text) {
		mlv_buf_safe(out, mlv_run_str(run, log->text));
		mlv_buf_putc(out, ' ');
	}
	if (f->line)
		mlv_buf_printf(out, "line %" PRIu32 ": ", f->line);
	mlv_buf_printf(out, "%s ", mlv_finding_severity_name(f->severity));
	mlv_buf_safe(out, mlv_run_str(run, f->code));
	if (ranks)
		mlv_buf_printf(out, ", ranks %s", ranks);
	else if (f->rank >= 0)
		mlv_buf_printf(out, ", rank %" PRId64, f->rank);
	else
		workers(run, f, out);
	mlv_buf_puts(out, ": ");
	mlv_buf_safe(out, mlv_run_str(run, f->text));
	if (f->file.i) {
		mlv_buf_puts(out, " (");
		mlv_buf_safe(out, mlv_run_str(run, f->file));
		if (f->file_line)
			mlv_buf_printf(out, ":%" PRIu32, f->file_line);
		mlv_buf_putc(out, ')');
	} else if (mlv_stack_has_frame(f->stack)) {
		call_site(run, f->stack, out);
	}
	mlv_buf_putc(out, '\n');
}

/* The ranks of a group as "0-2,7"; empty when it is of one rank, or of none that is known. */
static void ranks_of(const struct mlv_run *run, const uint32_t *group, size_t n,
		     struct mlv_buf *ranks)
{
	struct mlv_buf list = { 0 };
	int64_t last = -1;
	size_t different = 0;
	/* Ascending; a group is small, and as long as its ranks are many it is rare. */
	for (;;) {
		int64_t next = INT64_MAX;
		for (size_t i = 0; i < n; i++) {
			int64_t rank = run->findings.data[group[i]].rank;
			next = rank > last && rank < next ? rank : next;
		}
		if (next == INT64_MAX || ++different > MOST_RANKS)
			break;
		mlv_buf_printf(&list, "%s%" PRId64, last >= 0 ? "," : "", next);
		last = next;
	}
	if (different > 1)
		mlv_ranks_text((struct mlv_str){ list.data, list.len }, ranks);
	if (different > MOST_RANKS)
		mlv_buf_puts(ranks, " and more");
	mlv_buf_fini(&list);
}

/* One of them in words, and where the others stand. */
static void group_text(const struct mlv_run *run, const uint32_t *group, size_t n,
		       struct mlv_buf *out)
{
	struct mlv_buf ranks = { 0 };
	ranks_of(run, group, n, &ranks);
	heading(run, &run->findings.data[group[0]], ranks.len ? ranks.data : NULL, out);
	mlv_buf_fini(&ranks);
	if (n == 1)
		return;
	mlv_buf_printf(out, "    %zu alike, the other%s", n, n == 2 ? " at line" : "s at lines");
	for (size_t i = 1; i < n && i <= MOST_LINES; i++)
		mlv_buf_printf(out, "%s %" PRIu32, i > 1 ? "," : "",
			       run->findings.data[group[i]].line);
	mlv_buf_puts(out, n - 1 > MOST_LINES ? " and more\n" : "\n");
}

void mlv_findings_text(const struct mlv_run *run, size_t top, const char *grep, struct mlv_buf *out)
{
	struct mlv_alike a;
	size_t shown = 0, hidden = 0;
	char n[MLV_NUM_SIZE];
	if (mlv_alike_init(&a, run, NULL)) {
		out->failed = true;
		return;
	}
	for (size_t i = 0; i < a.count; i++) {
		const uint32_t *group = &a.order[a.start[i]];
		size_t members = a.start[i + 1] - a.start[i];
		if (!mlv_finding_wanted(run, &run->findings.data[group[0]], grep))
			continue;
		if (shown < top)
			group_text(run, group, members, out);
		else
			hidden += members;
		shown += shown < top;
	}
	if (hidden)
		mlv_buf_printf(
			out, "  and %s; mlviz top --top N lists them\n",
			mlv_fmt_count_of(n, sizeof(n), hidden, "more finding", "more findings"));
	mlv_alike_fini(&a);
}

void mlv_finding_full(const struct mlv_run *run, const struct mlv_finding *f, struct mlv_buf *out)
{
	heading(run, f, NULL, out);
	mlv_attrs_text(run, f->attrs, "    ", out);
	mlv_stack_text(run, f->stack, "      ", out);
}
