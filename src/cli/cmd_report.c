/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cli/command.h"
#include "cli/exit.h"
#include "cli/output.h"
#include "cli/report_load.h"
#include "cli/report_sinks.h"
#include "report/ci/report_json.h"
#include "report/ci/report_text.h"

struct state {
	const char *user_path, *source_root, *attachments;
	struct mlv_report_gate_options gate;
	uint64_t capacity, top;
	int fail_on;
	struct mlv_common common;
};

enum { FAIL_NEVER, FAIL_ON_ERROR, FAIL_ON_WARNING };
static const char *const failures[] = { "never", "error", "warning", NULL };

static const struct mlv_option options[] = {
	MLV_OPT(0, "baseline", STRING, struct state, gate.baseline, "PATH",
		"a run that worked: say what changed since; or a file of its figures, for "
		"--budgets"),
	MLV_OPT(0, "budgets", STRING, struct state, gate.budgets, "FILE",
		"exit with 1 when a budget of this file is passed"),
	MLV_OPT(0, "update-baseline", FLAG, struct state, gate.update, NULL,
		"write the figures of this run to the file that --baseline names"),
	MLV_OPT(0, "capacity", BYTES, struct state, capacity, "BYTES",
		"memory of a device, where the inputs do not say it"),
	MLV_OPT_ONE_OF(0, "fail-on", struct state, fail_on, "WHAT",
		       "exit with 1 on a finding that is as severe", failures),
	MLV_OPT(0, "top", UINT, struct state, top, "N", "print N findings"),
	MLV_OPT(0, "attachments", STRING, struct state, attachments, "PREFIX",
		"what junit.xml puts before the names of pictures: GitLab takes them as below the "
		"project"),
	MLV_OPT(0, "source-root", STRING, struct state, source_root, "PREFIX",
		"where the repository lay when the program ran: findings.sarif names files below "
		"it"),
	MLV_OPT(0, "user-path", STRING, struct state, user_path, "PREFIX",
		"files below PREFIX are the user's own, and no others"),
	MLV_COMMON_OPTIONS(struct state, common),
	MLV_OPT_END,
};

static void defaults(void *opaque)
{
	struct state *st = opaque;
	st->top = 5;
	st->common.parse.quiet_logs = true;
	st->common.deep = true;
}

static bool fails(const struct state *st, const struct mlv_report *r)
{
	return (st->fail_on == FAIL_ON_ERROR && r->state == MLV_REPORT_ERROR) ||
	       (st->fail_on == FAIL_ON_WARNING && r->state >= MLV_REPORT_WARNING);
}

static enum mlv_rc emit(const struct state *st, struct mlv_report_job *j, struct mlv_buf *out,
			struct mlv_err *err)
{
	struct mlv_report_sources sources = { &j->report, &j->page, st->source_root,
					      st->attachments };
	enum mlv_rc rc = MLV_OK;
	if (st->common.output)
		rc = mlv_report_sinks_write(&sources, &j->out, err);
	if (!rc && st->common.output)
		mlv_report_out_tidy(&j->out);
	if (!rc && st->common.json)
		mlv_report_json(&j->report, out);
	else if (!rc)
		mlv_report_summary(&j->report, (size_t)st->top, st->common.output, out);
	return rc ? rc : mlv_report_gate_end(j->gate, err);
}

static int run(void *opaque, int argc, char **argv)
{
	const struct state *st = opaque;
	struct mlv_err err = MLV_ERR_INIT;
	struct mlv_buf out = { 0 };
	struct mlv_report_gate gate;
	struct mlv_report_job j = { .operands = (const char *const *)argv,
				    .count = argc,
				    .common = &st->common,
				    .gate = &gate,
				    .options = { st->capacity, st->user_path } };
	mlv_report_init(&j.report);
	mlv_report_init(&j.baseline);
	enum mlv_rc rc = mlv_report_gate_init(&gate, &st->gate, &st->common, &err);
	j.baseline_path = gate.recordings;
	if (!rc)
		rc = mlv_report_out_init(&j.out, st->common.output, &j.report, &err);
	if (!rc)
		rc = mlv_report_job_run(&j, &err);
	int code = j.in.exit_code;
	if (!rc && j.report.inputs.len)
		rc = emit(st, &j, &out, &err);
	if (rc) {
		mlv_report_error(&err);
		out.len = 0;
	}
	if (!rc && (fails(st, &j.report) || mlv_budget_results_fail(&gate.gate.results)))
		code = mlv_exit_worst(code, MLV_EXIT_THRESHOLD);
	code = mlv_exit_worst(mlv_exit_worst(code, j.base.exit_code), mlv_exit_of(rc));
	code = mlv_command_end(NULL, &out, code);
	mlv_report_job_fini(&j);
	mlv_report_gate_fini(&gate);
	return code;
}

const struct mlv_command mlv_cmd_report = {
	.name = "report",
	.summary = "what is wrong with a run, as pages, documents and pictures",
	.usage = "mlviz report [options] DIR|FILE...",
	.details =
		"Reads all that a run left behind, the files below a directory or those of an "
		"archive (tar, also compressed), groups them by rank and does with each what "
		"applies: memory over time and who holds it, what grows from step to step, why a "
		"request failed, which collective hangs or for which rank the others wait, what "
		"the logs state; and with --baseline what changed since a run that worked. What "
		"is found is ranked: what grows outranks what differs.\n\n"
		"-o DIR writes it there: index.html, summary.md, report.json, junit.xml, "
		"findings.sarif and pictures as SVG and PNG. The summary is printed as well. The "
		"same input gives the same bytes.\n\n"
		"--budgets FILE makes it a gate: the exit code is 1 when a figure is more than the "
		"file allows, absolutely or over the baseline.\n\n"
		"mlviz explain RULE says what a finding means.",
	.examples = "mlviz report run/\n"
		    "mlviz report -o report/ run/\n"
		    "mlviz report -o report/ --baseline last-good/ run.tar.zst\n"
		    "mlviz report --budgets budgets.json --baseline baseline.json run/\n"
		    "mlviz report --fail-on error run/",
	.options = options,
	.state_size = sizeof(struct state),
	.defaults = defaults,
	.common_offset = offsetof(struct state, common),
	.min_args = 1,
	.max_args = -1,
	.run = run,
};
