/* SPDX-License-Identifier: MIT */
/*
 * Collectives that a trace of the profiler saw on the device: kernels of NCCL
 * (ncclKernel_ before 2.19, ncclDevKernel_ since), each with its group. Sends
 * and receives are left out, for they do not wait for all.
 */
#include <stdlib.h>

#include "analysis/hang/gather.h"

static bool is_collective(struct mlv_str name)
{
	return (mlv_str_has_prefix(name, MLV_STR("ncclKernel_")) ||
		mlv_str_has_prefix(name, MLV_STR("ncclDevKernel_"))) &&
	       !mlv_str_contains(name, MLV_STR("SendRecv"));
}

static int by_start(const void *pa, const void *pb)
{
	const struct mlv_kernel *a = pa, *b = pb;
	return (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
}

enum mlv_rc mlv_gather_kernels(struct mlv_copy *c, struct mlv_err *err)
{
	const struct mlv_run *run = c->run;
	size_t first = c->e->kernels.len;
	for (size_t i = 0; i < run->spans.len && !c->failed; i++) {
		const struct mlv_span *s = &run->spans.data[i];
		if (s->start_ns == MLV_NO_TIME || s->end_ns == MLV_NO_TIME ||
		    !is_collective(mlv_run_str(run, s->name)) ||
		    !mlv_str_eq(mlv_run_str(run, s->category), MLV_STR("kernel")))
			continue;
		struct mlv_kernel k = {
			.start_ns = s->start_ns,
			.duration_ns = mlv_time_between(s->start_ns, s->end_ns),
			.seq = mlv_attr_int(run, s->attrs, "seq", -1),
			.rank = run->rank,
			.group = mlv_copy_str(c, mlv_attr_text(run, s->attrs, "group")),
			.name = mlv_copy_str(c, mlv_attr_text(run, s->attrs, "collective")),
		};
		if (!mlv_vec_push(&c->e->kernels, k))
			c->failed = true;
	}
	size_t n = c->e->kernels.len - first;
	if (n)
		qsort(c->e->kernels.data + first, n, sizeof(*c->e->kernels.data), by_start);
	c->e->traces += n > 0;
	return c->failed ? mlv_err_nomem(err) : MLV_OK;
}
