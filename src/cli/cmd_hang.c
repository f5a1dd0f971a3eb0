/* SPDX-License-Identifier: MIT */
#include "cli/command.h"
#include "cli/exit.h"
#include "cli/hang_picture.h"
#include "cli/load.h"
#include "cli/output.h"
#include "report/hang.h"

struct state {
	uint64_t top;
	bool stacks;
	int fail_on;
	const char *user_path;
	struct mlv_picture_options picture;
	struct mlv_common common;
};

enum { FAIL_NEVER, FAIL_ON_HANG, FAIL_ON_UNKNOWN };
static const char *const failures[] = { "never", "hang", "unknown", NULL };

static const struct mlv_option options[] = {
	MLV_OPT_ONE_OF(
		0, "fail-on", struct state, fail_on, "WHAT",
		"exit with 1 on: hang (any verdict but healthy and undecided), unknown (also "
		"when it is undecided), or never",
		failures),
	MLV_OPT(0, "stacks", FLAG, struct state, stacks, NULL, "print whole stacks"),
	MLV_OPT(0, "top", UINT, struct state, top, "N", "print N rows of each table"),
	MLV_OPT(0, "user-path", STRING, struct state, user_path, "PREFIX",
		"files below PREFIX are the user's own, and no others"),
	MLV_PICTURE_OPTIONS(struct state, picture),
	MLV_COMMON_OPTIONS(struct state, common),
	MLV_OPT_END,
};

static void defaults(void *opaque)
{
	struct state *st = opaque;
	st->top = 20;
	st->common.parse.quiet_logs = true;
	mlv_picture_options_init(&st->picture);
}

struct gathering {
	struct mlv_evidence evidence;
	struct mlv_inputs in;
	struct mlv_err err;
};

static void gather(void *opaque, const struct mlv_input *input)
{
	struct gathering *g = opaque;
	if (!g->err.rc)
		(void)mlv_evidence_add(&g->evidence, &input->run, &g->err);
}

static bool fails(int fail_on, enum mlv_hang_verdict_kind kind)
{
	if (fail_on == FAIL_NEVER || kind == MLV_HANG_HEALTHY)
		return false;
	return kind != MLV_HANG_UNDECIDED || fail_on == FAIL_ON_UNKNOWN;
}

static enum mlv_rc draw(const struct state *st, struct mlv_hang *h, const char *title,
			struct mlv_err *err)
{
	struct mlv_buf picture = { 0 };
	struct mlv_picture p = mlv_picture_of(&st->picture, mlv_form_of(st->common.output), title);
	enum mlv_rc rc = mlv_hang_picture_draw(h, &p, &picture, err);
	if (!rc)
		rc = mlv_output_buf(st->common.output, &picture, err);
	mlv_buf_fini(&picture);
	return rc;
}

static enum mlv_rc report(const struct state *st, struct gathering *g, const char *title,
			  struct mlv_buf *out)
{
	struct mlv_hang h;
	struct mlv_json json;
	struct mlv_hang_text o = { (size_t)st->top, st->stacks };
	enum mlv_rc rc = mlv_evidence_finish(&g->evidence, &g->err);
	if (!rc)
		rc = mlv_hang_init(&h, &g->evidence, &st->user_path, st->user_path != NULL,
				   &g->err);
	if (rc)
		return rc;
	mlv_inputs_diags(&g->in, "hang", &g->evidence.notes, &st->common);
	if (st->common.json) {
		mlv_json_document(&json, out, "mlviz.hang/1");
		mlv_hang_json(&h, &json);
		mlv_json_document_end(&json);
	} else {
		mlv_hang_text(&h, &o, out);
	}
	if (fails(st->fail_on, h.verdict.kind))
		g->in.exit_code = mlv_exit_worst(g->in.exit_code, MLV_EXIT_THRESHOLD);
	if (mlv_form_of(st->common.output))
		rc = draw(st, &h, title, &g->err);
	mlv_hang_fini(&h);
	return rc;
}

static int run(void *opaque, int argc, char **argv)
{
	const struct state *st = opaque;
	struct gathering g = { .err = MLV_ERR_INIT };
	struct mlv_visitor visitor = { .input = gather, .opaque = &g };
	struct mlv_buf out = { 0 };
	if (mlv_evidence_init(&g.evidence, &g.err) == MLV_OK)
		mlv_inputs_each(&g.in, argc, argv, &st->common, &visitor);
	if (!g.err.rc && g.in.read)
		(void)report(st, &g, mlv_str_basename(mlv_str_of(argv[0])).p, &out);
	if (g.err.rc)
		mlv_inputs_fail(&g.in, &g.err);
	mlv_evidence_fini(&g.evidence);
	/* The picture is written; the words go to standard output. */
	struct mlv_common common = st->common;
	if (mlv_form_of(common.output))
		common.output = NULL;
	return mlv_inputs_end(&g.in, &common, &out);
}

const struct mlv_command mlv_cmd_hang = {
	.name = "hang",
	.summary = "which rank, which call, which line made a job hang",
	.usage = "mlviz hang [options] FILE...",
	.details =
		"Reads flight-recorder dumps of any number of ranks, some of which may be missing "
		"or damaged, and the logs of the job, all together: give a directory. Matches the "
		"collectives of each process group across ranks, finds where each rank stands and "
		"for whom it waits, and says what is wrong, which rank is the culprit, at which "
		"call and source line, and by which evidence; or that the evidence does not tell, "
		"and what is missing.\n\n"
		"-o NAME.svg or NAME.png draws the last calls of each rank, and where they "
		"diverge; the words are printed as well.",
	.examples = "mlviz hang run/\n"
		    "mlviz hang nccl_trace_rank_* train.log\n"
		    "mlviz hang -o hang.svg run/\n"
		    "mlviz hang --json --fail-on hang run/",
	.options = options,
	.state_size = sizeof(struct state),
	.defaults = defaults,
	.common_offset = offsetof(struct state, common),
	.min_args = 1,
	.max_args = -1,
	.run = run,
};
