/* SPDX-License-Identifier: MIT */
#include "analysis/growth/verdict.h"

#include <inttypes.h>
#include <string.h>

#include "base/num.h"

/* What matters must be so much, and this share of the peak; docs/verdicts.md. */
enum { MATTERS_BYTES = 1 << 20, MATTERS_PERCENT = 1, SCATTERS = 3 };

void mlv_verdict_init(struct mlv_verdict *v, const struct mlv_run *run, int64_t rank,
		      int64_t device, const char *source)
{
	*v = (struct mlv_verdict){ .run = run,
				   .rank = rank,
				   .device = device,
				   .source = source,
				   .peak_bytes = -1,
				   .reserved_bytes = -1,
				   .first_bytes = -1,
				   .after = { -1, -1, -1, -1, -1 },
				   .outside_bytes = -1,
				   .steps_until_full = -1 };
}

void mlv_verdict_fini(struct mlv_verdict *v)
{
	mlv_vec_free(&v->fixed);
	mlv_vec_free(&v->evidence);
	mlv_vec_free(&v->points);
	mlv_vec_free(&v->leaks);
	mlv_vec_free(&v->categories);
	mlv_vec_free(&v->modules);
	mlv_vec_free(&v->advice);
	mlv_vec_free(&v->against);
	mlv_diags_fini(&v->notes);
	mlv_arena_fini(&v->texts);
}

void mlv_verdict_say(struct mlv_verdict *v, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	const char *text = mlv_arena_vprintf(&v->texts, fmt, ap);
	va_end(ap);
	if (!text || !mlv_vec_push(&v->evidence, text))
		v->failed = true;
}

void mlv_verdict_part(struct mlv_verdict *v, const char *name, int64_t bytes)
{
	struct mlv_fixed_part p = { mlv_arena_strndup(&v->texts, name, strlen(name)), bytes };
	if (!p.name || !mlv_vec_push(&v->fixed, p))
		v->failed = true;
}

void mlv_verdict_point(struct mlv_verdict *v, int64_t step, enum mlv_moment_of when, int64_t bytes)
{
	static const double within[MLV_MOMENTS] = { 0.3, 0.55, 0.75, 1, 0.5 };
	struct mlv_evidence_point p = { (double)step + within[when], bytes,
					when == MLV_AFTER_STEP };
	if (!mlv_vec_push(&v->points, p))
		v->failed = true;
}

const char *mlv_moment_name(enum mlv_moment_of m)
{
	static const char *const names[MLV_MOMENTS] = { "forward", "backward", "optimizer step",
							"end of step", "peak" };
	return names[m];
}

const char *mlv_growth_name(enum mlv_growth g)
{
	static const char *const names[MLV_GROWTHS] = { "unknown", "stable", "activation",
							"persistent", "cumulative" };
	return names[g];
}

const char *mlv_confidence_name(enum mlv_confidence c)
{
	static const char *const names[] = { "low", "medium", "high" };
	return names[c];
}

bool mlv_verdict_matters(const struct mlv_verdict *v, int64_t bytes)
{
	return bytes >= MATTERS_BYTES &&
	       (v->peak_bytes < 0 || bytes >= v->peak_bytes / 100 * MATTERS_PERCENT);
}

void mlv_verdict_until_full(struct mlv_verdict *v)
{
	char a[MLV_NUM_SIZE];
	/* Growth of less than half a byte a step fills nothing. */
	if (v->device_bytes <= 0 || v->peak_bytes < 0 || v->cumulative_bytes <= 0)
		return;
	int64_t outside = v->outside_bytes > 0 ? v->outside_bytes : 0;
	int64_t room = v->device_bytes - v->peak_bytes - outside;
	v->steps_until_full = room > 0 ? room / v->cumulative_bytes : 0;
	mlv_verdict_say(v, "at this rate the device (%s) is full after %" PRId64 " more steps",
			mlv_bytes(a, (uint64_t)v->device_bytes), v->steps_until_full);
}

enum mlv_growth mlv_verdict_dominant(const struct mlv_verdict *v, double activation_spread,
				     double persistent_spread)
{
	int64_t a = v->activation_bytes, p = v->persistent_bytes;
	double apart = (double)(a > p ? a - p : p - a);
	/* What grows without end outweighs whatever does not. */
	if (v->cumulative_bytes > 0)
		return MLV_GROWTH_CUMULATIVE;
	double scatter = SCATTERS * (activation_spread + persistent_spread);
	if (!mlv_verdict_matters(v, a) && !mlv_verdict_matters(v, p))
		return mlv_verdict_matters(v, (int64_t)scatter) ? MLV_GROWTH_UNKNOWN
								: MLV_GROWTH_STABLE;
	if (apart < scatter)
		return MLV_GROWTH_UNKNOWN;
	return a > p ? MLV_GROWTH_ACTIVATION : MLV_GROWTH_PERSISTENT;
}

/* Rows of a table end with MLV_ADVICES. */
enum { MOST_ADVICE = 3 };

static const enum mlv_advice acts[MLV_GROWTHS][MOST_ADVICE] = {
	[MLV_GROWTH_UNKNOWN] = { MLV_ADVICE_MORE_STEPS, MLV_ADVICES },
	[MLV_GROWTH_STABLE] = { MLV_ADVICES },
	[MLV_GROWTH_ACTIVATION] = { MLV_ADVICE_MICRO_BATCH, MLV_ADVICE_CHECKPOINTING,
				    MLV_ADVICE_SEQUENCE },
	[MLV_GROWTH_PERSISTENT] = { MLV_ADVICE_SHARD_STATE, MLV_ADVICE_OPTIMIZER_PRECISION,
				    MLV_ADVICE_FEWER_STATES },
	[MLV_GROWTH_CUMULATIVE] = { MLV_ADVICE_NO_RETAINED_GRAPH, MLV_ADVICE_HOST_SCALAR,
				    MLV_ADVICE_BOUND_CACHE },
};

static const enum mlv_advice fails[MLV_GROWTHS][MOST_ADVICE] = {
	[MLV_GROWTH_UNKNOWN] = { MLV_ADVICES },
	[MLV_GROWTH_STABLE] = { MLV_ADVICES },
	[MLV_GROWTH_ACTIVATION] = { MLV_ADVICE_OPTIMIZER_PRECISION, MLV_ADVICE_ALLOCATOR,
				    MLV_ADVICES },
	[MLV_GROWTH_PERSISTENT] = { MLV_ADVICE_MICRO_BATCH, MLV_ADVICE_CHECKPOINTING,
				    MLV_ADVICE_ALLOCATOR },
	[MLV_GROWTH_CUMULATIVE] = { MLV_ADVICE_MICRO_BATCH, MLV_ADVICE_CHECKPOINTING,
				    MLV_ADVICE_ALLOCATOR },
};

void mlv_verdict_conclude(struct mlv_verdict *v)
{
	if (v->growth == MLV_GROWTH_UNKNOWN)
		v->confidence = MLV_CONFIDENCE_LOW;
	for (size_t i = 0; i < MOST_ADVICE && acts[v->growth][i] != MLV_ADVICES; i++)
		v->failed = !mlv_vec_push(&v->advice, acts[v->growth][i]) || v->failed;
	for (size_t i = 0; i < MOST_ADVICE && fails[v->growth][i] != MLV_ADVICES; i++)
		v->failed = !mlv_vec_push(&v->against, fails[v->growth][i]) || v->failed;
}
