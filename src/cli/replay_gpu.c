/* SPDX-License-Identifier: MIT */
#include "cli/replay_gpu.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/num.h"
#include "cli/exit.h"
#include "cli/output.h"
#include "cli/stop.h"
#include "replay/gpu/gpu_probe.h"

/* ---- options ---- */

enum mlv_rc mlv_replay_profile(const char *name, const struct mlv_limits *limits, int *profile,
			       struct mlv_err *err)
{
	struct mlv_address_record r;
	struct mlv_driver_share share;
	enum mlv_driver_profile learnt;
	*profile = MLV_PROFILE_LEARN;
	if (!name || strcmp(name, "learn") == 0)
		return MLV_OK;
	for (int p = 0; p < MLV_DRIVER_PROFILES; p++) {
		if (strcmp(name, mlv_driver_profile_name((enum mlv_driver_profile)p)) == 0) {
			*profile = p;
			return MLV_OK;
		}
	}
	if (access(name, F_OK) != 0)
		return mlv_err_set(err, MLV_E_USAGE,
				   "--profile: '%.80s' is not learn, chunks-32MiB, ascending or "
				   "descending, and no file of that name is there",
				   name);
	enum mlv_rc rc = mlv_address_record_read(&r, name, limits, err);
	if (rc)
		return rc;
	if (!mlv_address_record_learn(&r, &learnt, &share))
		rc = mlv_err_nomem(err);
	*profile = (int)learnt;
	mlv_address_record_fini(&r);
	return rc;
}

/* The whole of `text` as a number up to `most`. */
static bool read_number(const char *text, unsigned long most, unsigned long *n)
{
	char *end;
	if (*text < '0' || *text > '9')
		return false;
	*n = strtoul(text, &end, 10);
	return !*end && *n <= most;
}

bool mlv_gpu_device(struct mlv_gpu_options *g, const char *device, enum mlv_rc *rc,
		    struct mlv_err *err)
{
	unsigned long n = 0;
	*rc = MLV_OK;
	if (strncmp(device, "cuda", 4) != 0)
		return false;
	if (device[4] && (device[4] != ':' || !read_number(device + 5, 1000, &n)))
		*rc = mlv_err_set(err, MLV_E_USAGE,
				  "--device: '%.40s' is no GPU; it is cuda or cuda:N", device);
	g->asked = true;
	g->ordinal = (int)n;
	return true;
}

static enum mlv_rc read_scale(struct mlv_gpu_options *g, struct mlv_err *err)
{
	enum { MOST = 64 }; /* blocks of 512 bytes keep some */
	unsigned long n = 1;
	if (g->scale &&
	    (strncmp(g->scale, "1/", 2) != 0 || !read_number(g->scale + 2, MOST, &n) || !n))
		return mlv_err_set(err, MLV_E_USAGE, "--scale: '%.40s' is not 1/N with N up to %d",
				   g->scale, MOST);
	g->divisor = (uint32_t)n;
	return MLV_OK;
}

static const char *without_gpu(const struct mlv_gpu_options *g)
{
	return g->raw       ? "--raw"
	       : g->verify  ? "--verify"
	       : g->ballast ? "--ballast"
	       : g->scale   ? "--scale"
			    : NULL;
}

enum mlv_rc mlv_gpu_check(struct mlv_gpu_options *g, struct mlv_study_options *o,
			  struct mlv_err *err)
{
	enum mlv_rc rc = read_scale(g, err);
	if (rc)
		return rc;
	if (!g->asked && !g->probe)
		return without_gpu(g) ? mlv_err_set(err, MLV_E_USAGE, "%s needs --device cuda",
						    without_gpu(g))
				      : MLV_OK;
	if (o->sweep || o->fit || o->lead == MLV_REPLAY_PREDICT)
		return mlv_err_set(err, MLV_E_USAGE,
				   "--sweep, --fit and --predict are for the model; leave out "
				   "--device cuda");
	if (g->raw && o->conf)
		return mlv_err_set(err, MLV_E_USAGE,
				   "--raw does without an allocator, so there is none for --conf");
	if (g->ballast && !o->capacity)
		return mlv_err_set(err, MLV_E_USAGE,
				   "--ballast needs --capacity: how much is to remain");
	if (o->capacity && !g->ballast)
		return mlv_err_set(err, MLV_E_USAGE,
				   "--capacity of a GPU needs --ballast, which makes it so small; "
				   "--limit only says how much may be taken");
	/* The model is asked for the same what-if, on a device of as much. */
	if (!o->capacity)
		o->capacity = o->limit;
	o->limit = 0;
	o->whatif = o->conf != NULL;
	return MLV_OK;
}

/* ---- a replay ---- */

enum mlv_rc mlv_gpu_replay(struct mlv_gpu_run *run, const struct mlv_study *s,
			   const struct mlv_gpu_options *g, uint64_t limit, uint64_t capacity,
			   struct mlv_err *err)
{
	struct mlv_gpu_run_setup setup = {
		.mode = g->raw              ? MLV_GPU_RAW
			: s->options.whatif ? MLV_GPU_WHATIF
					    : MLV_GPU_RECORDED,
		.gpu = { .ordinal = g->ordinal, .most = limit },
		.remaining = g->ballast ? capacity : 0,
		.scale = g->divisor,
		.verify = g->verify,
		.conf = s->whatif_conf,
		.profile = s->profile,
		.stop = mlv_stop_begin(),
	};
	enum mlv_rc rc = mlv_gpu_run_init(run, &s->recorded, &setup, err);
	mlv_stop_end();
	return rc;
}

enum mlv_rc mlv_gpu_replay_failure(const struct mlv_gpu_run *run, struct mlv_err *err)
{
	char a[MLV_NUM_SIZE];
	if (run->failure.rc)
		return mlv_err_set(err, run->failure.rc, "%s", run->failure.msg);
	if (run->stopped)
		return mlv_err_set(err, MLV_E_INTERRUPTED,
				   "interrupted; the device has its memory back");
	if (run->verify.errors)
		return mlv_err_set(
			err, MLV_E_DEVICE, "%s on the device held something else than was written",
			mlv_fmt_count_of(a, sizeof(a), run->verify.errors, "block", "blocks"));
	return MLV_OK;
}

/* ---- a probe ---- */

static void probe_text(const struct mlv_address_record *r, struct mlv_buf *out)
{
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE];
	mlv_buf_safe(out, (struct mlv_str){ r->device, strlen(r->device) });
	mlv_buf_printf(out, ", driver %d.%d: %s operations\n", r->driver_version / 1000,
		       r->driver_version % 1000 / 10, mlv_fmt_count(a, sizeof(a), r->ops.len));
	for (int p = 0; p < MLV_DRIVER_PROFILES; p++) {
		struct mlv_driver_share share;
		if (!mlv_address_record_explain(r, (enum mlv_driver_profile)p, &share)) {
			out->failed = true;
			return;
		}
		mlv_buf_printf(out, "  %-16s expected %s of %s addresses\n",
			       mlv_driver_profile_name((enum mlv_driver_profile)p),
			       mlv_fmt_count(a, sizeof(a), share.explained),
			       mlv_fmt_count(b, sizeof(b), share.allocs));
	}
}

/* -o keeps the record, which is JSON; without it that, or words, go to standard output. */
static int probe_write(const struct mlv_address_record *r, const struct mlv_common *common)
{
	struct mlv_buf record = { 0 }, words = { 0 };
	struct mlv_err err = MLV_ERR_INIT;
	mlv_address_record_write(r, &record);
	probe_text(r, &words);
	enum mlv_rc rc = MLV_OK;
	if (common->output || common->json)
		rc = mlv_output_buf(common->output, &record, &err);
	if (rc)
		mlv_report_error(&err);
	mlv_buf_fini(&record);
	if (common->json || (common->output && strcmp(common->output, "-") == 0)) {
		mlv_buf_fini(&words);
		return mlv_exit_of(rc);
	}
	return mlv_command_end(NULL, &words, mlv_exit_of(rc));
}

int mlv_gpu_probe_command(const struct mlv_gpu_options *g, const struct mlv_common *common)
{
	struct mlv_address_record r;
	struct mlv_err err = MLV_ERR_INIT;
	enum mlv_rc rc = mlv_gpu_probe(&r, g->ordinal, mlv_stop_begin(), &err);
	mlv_stop_end();
	if (rc) {
		mlv_report_error(&err);
		return mlv_exit_of(rc);
	}
	int code = probe_write(&r, common);
	mlv_address_record_fini(&r);
	return code;
}
