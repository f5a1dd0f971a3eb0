/* SPDX-License-Identifier: MIT */
#include "cli/command.h"
#include "cli/each.h"
#include "report/info.h"

struct state {
	int64_t device;
	struct mlv_common common;
};

static const struct mlv_option options[] = {
	MLV_OPT(0, "device", INT, struct state, device, "N", "only this device"),
	MLV_COMMON_OPTIONS(struct state, common),
	MLV_OPT_END,
};

static void defaults(void *opaque)
{
	struct state *st = opaque;
	st->device = -1;
}

static const char *compression_name(enum mlv_compression c)
{
	return c == MLV_GZIP ? "gzip" : c == MLV_ZSTD ? "zstd" : "";
}

static enum mlv_rc describe(void *opaque, const struct mlv_each *one, struct mlv_err *err)
{
	const struct state *st = opaque;
	const struct mlv_input *input = one->input;
	struct mlv_info info;
	enum mlv_rc rc = mlv_info_init(&info, &input->run, st->device, err);
	if (rc)
		return rc;
	info.stored = compression_name(input->compression);
	info.stored_bytes = input->stored_bytes;
	if (one->json)
		mlv_info_json(&info, one->json);
	else
		mlv_info_text(&info, one->text);
	mlv_inputs_diags(one->in, input->run.file, &info.checks, &st->common);
	mlv_info_fini(&info);
	return MLV_OK;
}

static int run(void *opaque, int argc, char **argv)
{
	const struct state *st = opaque;
	return mlv_each_input(&st->common, argc, argv, "mlviz.info/1", describe, opaque);
}

const struct mlv_command mlv_cmd_info = {
	.name = "info",
	.summary = "say what a file is, what is in it and what is missing",
	.usage = "mlviz info [options] FILE...",
	.details = "Says of each input what it holds, device by device: events, the peaks of "
		   "requested and reserved memory and where they stand, out-of-memory events, "
		   "settings, annotations; whether the history is complete and what it means if it "
		   "is not; and whether the file contradicts itself.\n\n"
		   "Requested bytes are what the program asked for, reserved bytes what the "
		   "allocator took from the device. Event numbers count the events of the device "
		   "from 0.\n\n"
		   "Of logs and other texts it lists each report that is known, with its line and "
		   "rank: what leads a table and its totals, the figures of a command, errors "
		   "with the worst first. What several ranks say alike is told once.",
	.examples = "mlviz info mem.pickle\n"
		    "mlviz info train.log\n"
		    "mlviz info --json rank*.pickle.gz",
	.options = options,
	.state_size = sizeof(struct state),
	.defaults = defaults,
	.common_offset = offsetof(struct state, common),
	.min_args = 1,
	.max_args = -1,
	.run = run,
};
