/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/each.h"
#include "cli/exit.h"
#include "cli/output.h"
#include "cli/replay_gpu.h"
#include "cli/replay_moment.h"
#include "cli/replay_picture.h"
#include "report/info.h"
#include "report/replay.h"

struct state {
	const char *conf;
	uint64_t limit, capacity, resolution, top;
	const char *fraction, *device, *at;
	int64_t gpu;         /* of the recording; -1: all */
	const char *profile; /* a name, or a file of --probe */
	struct mlv_gpu_options on_gpu;
	bool predict, sweep, fit;
	int color; /* index into colors */
	struct mlv_picture_options picture;
	struct mlv_common common;
};

static const char *const colors[] = { "site", "state", NULL };

static const struct mlv_option options[] = {
	MLV_OPT(0, "conf", STRING, struct state, conf, "SETTINGS",
		"what if: these settings, as in PYTORCH_CUDA_ALLOC_CONF"),
	MLV_OPT(0, "limit", BYTES, struct state, limit, "BYTES",
		"the process's limit, as set_per_process_memory_fraction sets it"),
	MLV_OPT(0, "fraction", STRING, struct state, fraction, "F",
		"the same as a fraction of --capacity"),
	MLV_OPT(0, "capacity", BYTES, struct state, capacity, "BYTES",
		"what if: a device with so much memory for PyTorch"),
	MLV_OPT(0, "predict", FLAG, struct state, predict, NULL,
		"let the model decide when memory is taken and released, by --limit alone"),
	MLV_OPT(0, "sweep", FLAG, struct state, sweep, NULL,
		"try a grid of settings and rank them by the device they fit on"),
	MLV_OPT(0, "fit", FLAG, struct state, fit, NULL,
		"find the smallest device on which the program fits"),
	MLV_OPT(0, "resolution", BYTES, struct state, resolution, "BYTES", "of --fit and --sweep"),
	MLV_OPT(0, "profile", STRING, struct state, profile, "NAME",
		"where the driver puts segments: learn (from the recording), chunks-32MiB, "
		"ascending, descending, or a file that --probe wrote"),
	MLV_OPT(0, "device", STRING, struct state, device, "WHERE",
		"replay on: model, or cuda or cuda:N; or a number, as --gpu"),
	MLV_GPU_OPTIONS(struct state, on_gpu),
	MLV_OPT(0, "gpu", INT, struct state, gpu, "N", "only this device of the recording"),
	MLV_OPT(0, "top", UINT, struct state, top, "N", "print N rows of each ranking"),
	MLV_OPT(0, "at", STRING, struct state, at, "WHEN",
		"the segments at this moment, too: peak, scattered (most), oom, end, start or "
		"an event number"),
	MLV_OPT_ONE_OF(0, "color", struct state, color, "WHAT",
		       "what the colours of their blocks tell", colors),
	MLV_PICTURE_OPTIONS(struct state, picture),
	MLV_COMMON_OPTIONS(struct state, common),
	MLV_OPT_END,
};

static void defaults(void *opaque)
{
	struct state *st = opaque;
	st->gpu = -1;
	st->top = 10;
	mlv_picture_options_init(&st->picture);
	st->resolution = 32 * MLV_MIB;
}

/* "model", "cuda:1", "2": the last is a device of the recording. */
static enum mlv_rc read_device(struct state *st, struct mlv_err *err)
{
	uint64_t n = 0;
	if (!st->device || strcmp(st->device, "model") == 0)
		return MLV_OK;
	enum mlv_rc rc;
	if (mlv_gpu_device(&st->on_gpu, st->device, &rc, err))
		return rc;
	for (const char *c = st->device; *c; c++) {
		if (*c < '0' || *c > '9' || n > 1000000)
			return mlv_err_set(err, MLV_E_USAGE,
					   "--device: '%.40s' is neither model nor cuda nor the "
					   "number of a device",
					   st->device);
		n = n * 10 + (uint64_t)(*c - '0');
	}
	st->gpu = (int64_t)n;
	return MLV_OK;
}

static enum mlv_rc read_fraction(struct state *st, struct mlv_err *err)
{
	char *end;
	if (!st->fraction)
		return MLV_OK;
	double f = strtod(st->fraction, &end);
	if (*end || end == st->fraction || !(f > 0 && f <= 1))
		return mlv_err_set(err, MLV_E_USAGE,
				   "--fraction: '%.40s' is not a number from 0 to 1", st->fraction);
	if (!st->capacity)
		return mlv_err_set(err, MLV_E_USAGE,
				   "--fraction needs --capacity: a recording does not tell how "
				   "much memory its device has");
	st->limit = (uint64_t)(f * (double)st->capacity);
	return MLV_OK;
}

/* Before any input is read: settings that make no sense are not the input's fault. */
static enum mlv_rc check_conf(const struct state *st, struct mlv_err *err)
{
	struct mlv_alloc_conf conf = mlv_alloc_conf_default;
	struct mlv_diags notes = { 0 };
	struct mlv_err why = MLV_ERR_INIT;
	if (!st->conf)
		return MLV_OK;
	enum mlv_rc rc = mlv_alloc_conf_parse(&conf, mlv_str_of(st->conf), &notes, &why);
	mlv_diags_fini(&notes);
	return rc ? mlv_err_set(err, rc, "--conf: %s", why.msg) : MLV_OK;
}

static enum mlv_rc read_options(struct state *st, struct mlv_study_options *o, struct mlv_err *err)
{
	int profile;
	enum mlv_rc rc = read_device(st, err);
	if (!rc)
		rc = mlv_replay_profile(st->profile, &st->common.limits, &profile, err);
	if (!rc)
		rc = read_fraction(st, err);
	if (!rc)
		rc = check_conf(st, err);
	if (rc)
		return rc;
	if (st->resolution < MLV_MIB)
		return mlv_err_set(err, MLV_E_USAGE, "--resolution must be at least 1MiB");
	if (st->at && !st->common.json && mlv_form_of(st->common.output) == MLV_FORM_NONE)
		return mlv_err_set(err, MLV_E_USAGE,
				   "--at %s needs a picture, -o NAME.svg or NAME.png, or --json",
				   st->at);
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	*o = (struct mlv_study_options){
		.lead = st->predict ? MLV_REPLAY_PREDICT : MLV_REPLAY_RECORDED,
		.limit = st->limit,
		.capacity = st->capacity,
		.whatif = st->conf || st->capacity || (st->limit && !st->predict),
		.conf = st->conf,
		.profile = profile,
		.sweep = st->sweep,
		.fit = st->fit,
		.resolution = st->resolution,
		.threads = cores > 0 ? (unsigned)cores : 1,
	};
	return mlv_gpu_check(&st->on_gpu, o, err);
}

struct replaying {
	const struct state *st;
	struct mlv_study_options options;
	enum mlv_form form; /* of the picture to st->common.output, beside which the words go */
	bool drawn;         /* it shows one device: the first that was replayed */
};

static enum mlv_rc draw(struct replaying *k, const struct mlv_study *s,
			const struct mlv_gpu_run *gpu, struct mlv_sites *sites, struct mlv_err *err)
{
	const char *path = k->st->common.output, *file = s->history.run->file;
	struct mlv_buf picture = { 0 };
	struct mlv_picture o =
		mlv_picture_of(&k->st->picture, k->form, mlv_str_basename(mlv_str_of(file)).p);
	struct mlv_replay_drawing r = { .study = s,
					.gpu = gpu,
					.at = k->st->at,
					.sites = sites,
					.by_state = k->st->color == 1 };
	enum mlv_rc rc = mlv_replay_picture_draw(&r, &o, &picture, err);
	if (!rc)
		rc = mlv_output_write(path, picture.data, picture.len, err);
	mlv_buf_fini(&picture);
	k->drawn = !rc;
	return rc;
}

static enum mlv_rc emit_json(const struct replaying *k, const struct mlv_each *one,
			     const struct mlv_study *s, const struct mlv_gpu_run *gpu,
			     struct mlv_sites *sites, struct mlv_err *err)
{
	size_t top = (size_t)k->st->top;
	if (!k->st->at || s->not_replayable) {
		mlv_replay_json(s, gpu, NULL, sites, top, one->json);
		return MLV_OK;
	}
	struct mlv_replay_moment at;
	enum mlv_rc rc = mlv_replay_moment_find(&at, s, k->st->at, err);
	if (rc)
		return rc;
	struct mlv_map_moment moment = { .map = &at.map,
					 .event = at.event,
					 .request = at.request,
					 .whatif = s->has_whatif,
					 .ended = at.ended };
	mlv_replay_json(s, gpu, &moment, sites, top, one->json);
	mlv_replay_moment_fini(&at);
	return MLV_OK;
}

/* `gpu`: the same on a GPU, or NULL. */
static enum mlv_rc emit(struct replaying *k, const struct mlv_each *one, const struct mlv_study *s,
			const struct mlv_gpu_run *gpu, struct mlv_sites *sites, struct mlv_err *err)
{
	enum mlv_rc rc = MLV_OK;
	if (one->json)
		rc = emit_json(k, one, s, gpu, sites, err);
	else
		mlv_replay_text(s, sites, (size_t)k->st->top, one->text);
	if (rc)
		return rc;
	if (gpu && !one->json)
		mlv_gpu_text(gpu, one->text);
	if (k->form && !k->drawn && !s->not_replayable)
		return draw(k, s, gpu, sites, err);
	return MLV_OK;
}

/* What a GPU did until it failed is worth telling: that it failed is told beside it. */
static enum mlv_rc study_on_gpu(struct replaying *k, const struct mlv_each *one,
				const struct mlv_study *s, struct mlv_sites *sites,
				struct mlv_err *err)
{
	struct mlv_gpu_run gpu;
	struct mlv_err failure = MLV_ERR_INIT;
	enum mlv_rc rc =
		mlv_gpu_replay(&gpu, s, &k->st->on_gpu, k->st->limit, k->st->capacity, err);
	if (rc)
		return rc;
	rc = emit(k, one, s, &gpu, sites, err);
	if (mlv_gpu_replay_failure(&gpu, &failure)) {
		mlv_err_file(&failure, one->input->run.file);
		mlv_inputs_fail(one->in, &failure);
	}
	mlv_gpu_run_fini(&gpu);
	return rc;
}

static enum mlv_rc study_device(struct replaying *k, const struct mlv_each *one, size_t device,
				struct mlv_sites *sites, struct mlv_err *err)
{
	const struct mlv_run *run = &one->input->run;
	struct mlv_study s;
	enum mlv_rc rc = mlv_study_init(&s, run, device, &k->options, err);
	if (rc)
		return rc;
	mlv_inputs_diags(one->in, run->file, &s.notes, &k->st->common);
	if (k->st->on_gpu.asked && !s.not_replayable)
		rc = study_on_gpu(k, one, &s, sites, err);
	else
		rc = emit(k, one, &s, NULL, sites, err);
	mlv_study_fini(&s);
	return rc;
}

static enum mlv_rc replay_devices(struct replaying *k, const struct mlv_each *one,
				  struct mlv_err *err)
{
	const struct mlv_run *run = &one->input->run;
	struct mlv_sites sites;
	bool any = false;
	enum mlv_rc rc = mlv_sites_init(&sites, run, NULL, 0, err);
	if (rc)
		return rc;
	for (size_t i = 0; !rc && i < run->devices.len; i++) {
		if (k->st->gpu >= 0 && run->devices.data[i].ordinal != k->st->gpu)
			continue;
		any = true;
		rc = study_device(k, one, i, &sites, err);
	}
	mlv_sites_fini(&sites);
	if (rc || any)
		return rc;
	if (run->devices.len)
		return mlv_no_device(run, k->st->gpu, err);
	return mlv_err_set(err, MLV_E_FORMAT,
			   "there are no allocations in it: replay takes a memory snapshot "
			   "(torch.cuda.memory._dump_snapshot) that was recorded");
}

static enum mlv_rc replay_input(void *context, const struct mlv_each *one, struct mlv_err *err)
{
	mlv_each_begin(one);
	if (one->json)
		mlv_json_key_array(one->json, "devices");
	enum mlv_rc rc = replay_devices(context, one, err);
	if (one->json)
		mlv_json_array_end(one->json);
	mlv_each_end(one);
	return rc;
}

static int run(void *opaque, int argc, char **argv)
{
	struct state *st = opaque;
	struct mlv_common common;
	struct mlv_err err = MLV_ERR_INIT;
	struct replaying k = { .st = st, .form = mlv_form_of(st->common.output) };
	if (read_options(st, &k.options, &err)) {
		mlv_report_error(&err);
		return mlv_exit_of(err.rc);
	}
	if (st->on_gpu.probe)
		return mlv_gpu_probe_command(&st->on_gpu, &st->common);
	if (!argc) {
		mlv_err_set(&err, MLV_E_USAGE, "an operand is missing: %s", mlv_cmd_replay.usage);
		mlv_report_error(&err);
		return mlv_exit_of(err.rc);
	}
	common = st->common;
	if (k.form)
		common.output = NULL; /* the words go to standard output */
	int code = mlv_each_input(&common, argc, argv, "mlviz.replay/1", replay_input, &k);
	if (k.form && !k.drawn && code == MLV_EXIT_OK) {
		mlv_err_set(&err, MLV_E_FORMAT, "there was no replay to draw");
		mlv_report_error(&err);
		code = mlv_exit_of(MLV_E_FORMAT);
	}
	return code;
}

const struct mlv_command mlv_cmd_replay = {
	.name = "replay",
	.summary = "run a recording through a model of the caching allocator",
	.usage = "mlviz replay [options] SNAPSHOT...",
	.details =
		"Feeds the allocations and frees of a memory snapshot to an exact model of "
		"PyTorch's "
		"CUDA caching allocator and compares what it does with what was recorded: every "
		"placement, every segment that is taken and given back. Prints allocated (rounded "
		"to blocks), active, reserved and split memory as PyTorch counts them, and for a "
		"request that failed a post-mortem: why, what was free, who keeps it, and which "
		"settings would have met it.\n\n"
		"With --conf, --limit or --capacity it also tells what would have happened under "
		"other settings, another limit or on another device; --fit finds the smallest "
		"device, --sweep tries a grid of settings and ranks them. Under native settings "
		"this depends on where the driver puts segments: --profile says how, by default "
		"as the recording shows.\n\n"
		"--device cuda drives a GPU with the recording: its segments at their moments, or "
		"those of a what-if as the model decides, or every allocation (--raw). Free memory "
		"is measured around each operation, --verify checks that no blocks overlap, "
		"--ballast makes the GPU as small as --capacity, --limit caps what may be taken. "
		"--probe finds out where the driver puts memory.\n\n"
		"-o NAME.svg or NAME.png draws fragmentation over the replay, and a what-if over "
		"it; with --at also the segments and their blocks at that moment, to scale. The "
		"words are printed as well; with --json, so are these segments.",
	.examples = "mlviz replay mem.pickle\n"
		    "mlviz replay --conf expandable_segments:True --limit 20GiB mem.pickle\n"
		    "mlviz replay --conf expandable_segments:True -o frag.svg mem.pickle\n"
		    "mlviz replay --at oom -o segments.svg mem.pickle\n"
		    "mlviz replay --sweep mem.pickle\n"
		    "mlviz replay --device cuda --verify mem.pickle\n"
		    "mlviz replay --fit --conf max_split_size_mb:128 mem.pickle",
	.options = options,
	.state_size = sizeof(struct state),
	.defaults = defaults,
	.common_offset = offsetof(struct state, common),
	.min_args = 0, /* --probe needs none */
	.max_args = -1,
	.run = run,
};
