/* SPDX-License-Identifier: MIT */
#include "cli/report_gate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/source.h"
#include "cli/exit.h"
#include "cli/output.h"

/* A whole small file with a NUL behind it; `most` bytes, and one more where it is larger. */
static enum mlv_rc read_whole(const char *path, size_t most, char **text, size_t *n,
			      struct mlv_err *err)
{
	struct mlv_limits limits = mlv_limits_default;
	struct mlv_source *src;
	struct mlv_buf b = { 0 };
	struct mlv_bytes span = { .n = 1 };
	enum mlv_rc rc = mlv_source_open(&src, path, &limits, err);
	if (rc)
		return rc;
	while (!rc && span.n && b.len <= most) {
		rc = mlv_source_next(src, &span, err);
		size_t room = most + 1 - b.len;
		if (!rc)
			mlv_buf_add(&b, span.p, span.n < room ? span.n : room);
	}
	mlv_source_close(src);
	mlv_buf_puts(&b, "");
	if (!rc && b.failed)
		rc = mlv_err_nomem(err);
	if (rc) {
		mlv_err_file(err, path);
		mlv_buf_fini(&b);
		return rc;
	}
	*text = b.data;
	*n = b.len;
	return MLV_OK;
}

/* ------------------------------------------------------------------ which baseline it is */

enum kind { MISSING, FIGURES, RECORDINGS };

static enum kind kind_of(const char *path)
{
	char head[512];
	struct stat st;
	if (stat(path, &st) != 0)
		return errno == ENOENT ? MISSING : RECORDINGS;
	if (!S_ISREG(st.st_mode))
		return RECORDINGS;
	FILE *file = fopen(path, "rb");
	size_t n = file ? fread(head, 1, sizeof(head), file) : 0;
	if (file)
		fclose(file);
	return mlv_ci_baseline_is((struct mlv_str){ head, n }) ? FIGURES : RECORDINGS;
}

static void tell_missing(const char *path, const struct mlv_common *c)
{
	struct mlv_diags notes = { 0 };
	mlv_diag_add(&notes, MLV_NOTE, "no-baseline", MLV_NO_OFFSET,
		     "there is no such baseline: nothing is compared");
	/* Who waits for a comparison must learn that there is none. */
	mlv_report_diags(path, &notes, c->quiet ? -1 : 1);
	mlv_diags_fini(&notes);
}

static enum mlv_rc read_figures(struct mlv_report_gate *g, const char *path, struct mlv_err *err)
{
	size_t n;
	enum mlv_rc rc = read_whole(path, MLV_BASELINE_MOST, &g->texts[1], &n, err);
	if (!rc)
		rc = mlv_ci_baseline_read(&g->gate.base, path, (struct mlv_str){ g->texts[1], n },
					  err);
	g->gate.has_base = !rc;
	return rc;
}

static enum mlv_rc find_baseline(struct mlv_report_gate *g, const struct mlv_report_gate_options *o,
				 const struct mlv_common *c, struct mlv_err *err)
{
	enum kind kind = o->baseline ? kind_of(o->baseline) : MISSING;
	if (!o->baseline)
		return o->update
			       ? mlv_err_set(err, MLV_E_USAGE,
					     "--update-baseline needs --baseline FILE.json, which "
					     "it writes")
			       : MLV_OK;
	if (o->update && kind == RECORDINGS)
		return mlv_err_set(err, MLV_E_USAGE,
				   "--update-baseline writes a file of figures, and %.150s is none",
				   o->baseline);
	if (o->update) {
		g->gate.no_baseline = "the baseline is written anew";
		g->write = o->baseline;
		return MLV_OK;
	}
	if (kind == RECORDINGS)
		g->recordings = o->baseline;
	else if (kind == MISSING)
		tell_missing(o->baseline, c);
	else if (!g->active)
		return mlv_err_set(err, MLV_E_USAGE,
				   "%.150s holds figures, with which --budgets compares",
				   o->baseline);
	else
		return read_figures(g, o->baseline, err);
	return MLV_OK;
}

/* ------------------------------------------------------------------ all of it */

enum mlv_rc mlv_report_gate_init(struct mlv_report_gate *g, const struct mlv_report_gate_options *o,
				 const struct mlv_common *c, struct mlv_err *err)
{
	*g = (struct mlv_report_gate){ .active = o->budgets || o->update };
	mlv_ci_gate_init(&g->gate);
	enum mlv_rc rc = MLV_OK;
	size_t n;
	if (o->budgets)
		rc = read_whole(o->budgets, MLV_BUDGET_FILE_MOST, &g->texts[0], &n, err);
	if (!rc && o->budgets)
		rc = mlv_budgets_read(&g->gate.budgets, o->budgets,
				      (struct mlv_str){ g->texts[0], n }, err);
	return rc ? rc : find_baseline(g, o, c, err);
}

void mlv_report_gate_fini(struct mlv_report_gate *g)
{
	mlv_ci_gate_fini(&g->gate);
	free(g->texts[0]);
	free(g->texts[1]);
}

enum mlv_rc mlv_report_gate_end(struct mlv_report_gate *g, struct mlv_err *err)
{
	struct mlv_buf out = { 0 };
	if (!g->write)
		return MLV_OK;
	mlv_ci_baseline_write(&g->gate.now, &out);
	enum mlv_rc rc = mlv_output_buf(g->write, &out, err);
	mlv_buf_fini(&out);
	return rc;
}
