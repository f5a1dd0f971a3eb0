/* SPDX-License-Identifier: MIT */
#include "report/ci/report_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"

static void safe(struct mlv_buf *out, const char *text)
{
	mlv_buf_safe(out, mlv_str_of(text));
}

static void finding(const struct mlv_ci_finding *f, size_t number, struct mlv_buf *out)
{
	mlv_buf_printf(out, "  %zu. %s: ", number, mlv_finding_severity_name(f->severity));
	safe(out, f->message);
	if (f->place.file) {
		mlv_buf_puts(out, "\n       at ");
		safe(out, f->place.function);
		mlv_buf_puts(out, *f->place.function ? " " : "");
		safe(out, f->place.file);
		if (f->place.line)
			mlv_buf_printf(out, ":%" PRIu32, f->place.line);
	}
	for (size_t i = 0; i < f->details.len && i < 4; i++) {
		mlv_buf_puts(out, "\n       - ");
		safe(out, f->details.data[i]);
	}
	mlv_buf_printf(out, "\n       mlviz explain %s\n", f->rule->id);
}

static const char *bytes(char *buf, int64_t n)
{
	return n < 0 ? "-" : mlv_fmt_bytes(buf, MLV_NUM_SIZE, (uint64_t)n);
}

static void rank(const struct mlv_report_rank *k, struct mlv_buf *out)
{
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE], c[MLV_NUM_SIZE];
	mlv_buf_puts(out, "  ");
	safe(out, k->label);
	mlv_buf_printf(out, ": peak %s requested, %s allocated, %s reserved",
		       bytes(a, k->requested_peak), bytes(b, k->allocated_peak),
		       bytes(c, k->reserved_peak));
	if (k->judged)
		mlv_buf_printf(out, "; %s", mlv_growth_name(k->growth));
	if (k->judged && k->growth_bytes > 0)
		mlv_buf_printf(out, ", %s a step", bytes(a, k->growth_bytes));
	if (k->oom)
		mlv_buf_puts(out, "; out of memory");
	if (k->wait_ns >= 0)
		mlv_buf_printf(out, "; waited %s", mlv_fmt_duration(a, sizeof(a), k->wait_ns));
	mlv_buf_putc(out, '\n');
}

static bool is_picture(const char *file)
{
	size_t n = strlen(file);
	return n > 4 && (!strcmp(file + n - 4, ".png") || !strcmp(file + n - 4, ".svg"));
}

/* The documents by name; pictures, of which a large job has hundreds, by number. */
static void written(const struct mlv_report *r, const char *directory, struct mlv_buf *out)
{
	char n[MLV_NUM_SIZE];
	size_t pictures = 0, documents = 0;
	mlv_buf_puts(out, "wrote ");
	safe(out, directory);
	mlv_buf_puts(out, *directory && directory[strlen(directory) - 1] == '/' ? "" : "/");
	for (size_t i = 0; i < r->files.len; i++) {
		if (is_picture(r->files.data[i])) {
			pictures++;
			continue;
		}
		mlv_buf_puts(out, documents++ ? ", " : ": ");
		safe(out, r->files.data[i]);
	}
	if (pictures)
		mlv_buf_printf(out, "%s%s", documents ? " and " : ": ",
			       mlv_fmt_count_of(n, sizeof(n), pictures, "picture", "pictures"));
	mlv_buf_putc(out, '\n');
}

enum { RANKS_MOST = 16, BUDGETS_MOST = 20 };

void mlv_report_summary(const struct mlv_report *r, size_t top, const char *directory,
			struct mlv_buf *out)
{
	char text[2 * MLV_NUM_SIZE];
	safe(out, r->title);
	mlv_buf_printf(out, ": %s: ", mlv_report_state_name(r->state));
	safe(out, r->headline);
	mlv_buf_putc(out, '\n');
	for (size_t i = 0; i < r->findings.list.len && i < top; i++)
		finding(&r->findings.list.data[i], i + 1, out);
	if (r->findings.list.len > top)
		mlv_buf_printf(out, "  and %s\n",
			       mlv_fmt_count_of(text, sizeof(text), r->findings.list.len - top,
						"more finding", "more findings"));
	for (size_t i = 0; i < r->ranks.len && i < RANKS_MOST; i++)
		rank(&r->ranks.data[i], out);
	if (r->ranks.len > RANKS_MOST)
		mlv_buf_printf(out, "  and %zu more\n", r->ranks.len - RANKS_MOST);
	if (r->budgets && r->budgets->list.len)
		mlv_budget_results_text(r->budgets, BUDGETS_MOST, out);
	if (directory && r->files.len)
		written(r, directory, out);
}
