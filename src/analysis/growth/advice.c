/* SPDX-License-Identifier: MIT */
#include "analysis/growth/advice.h"

/* docs/verdicts.md prints the same table; a test compares the two. */
static const struct mlv_advice_text texts[MLV_ADVICES] = {
	[MLV_ADVICE_MICRO_BATCH] = {
		"reduce-micro-batch",
		"reduce the micro-batch, and accumulate gradients over more of them",
		"activations grow with the samples of a micro-batch",
		"parameters, optimizer state and what is retained from step to step stay the same",
	},
	[MLV_ADVICE_CHECKPOINTING] = {
		"checkpoint-activations",
		"recompute activations in the backward pass (torch.utils.checkpoint)",
		"activations wait from the forward to the backward pass",
		"it frees neither optimizer state nor what is retained from step to step, and costs "
		"about one more forward pass",
	},
	[MLV_ADVICE_SEQUENCE] = {
		"shorten-sequences",
		"shorten or pack sequences, or use attention that keeps no score matrix",
		"activations grow with the length of sequences",
		"state of the optimizer does not",
	},
	[MLV_ADVICE_SHARD_STATE] = {
		"shard-state",
		"shard optimizer state and parameters over ranks (FSDP, ZeRO), or offload them",
		"state is the same on every rank of plain data parallelism",
		"activations are each rank's own; a smaller batch or checkpointing would not shrink "
		"state",
	},
	[MLV_ADVICE_OPTIMIZER_PRECISION] = {
		"optimizer-precision",
		"keep optimizer state in fewer bits (8-bit or bf16 moments)",
		"moments of fp32 take 8 bytes a parameter",
		"it changes neither activations nor gradients",
	},
	[MLV_ADVICE_FEWER_STATES] = {
		"leaner-optimizer",
		"use an optimizer with fewer or factored moments (SGD, Adafactor, Lion)",
		"state is a multiple of the parameters",
		"training may converge differently; activations stay",
	},
	[MLV_ADVICE_NO_RETAINED_GRAPH] = {
		"stop-retaining-graphs",
		"drop references that outlive a step: detach what is kept, avoid retain_graph=True, "
		"clear lists and hooks",
		"what is kept keeps its whole graph of activations alive",
		"a smaller batch, checkpointing or empty_cache() only delay the end: the growth goes on",
	},
	[MLV_ADVICE_HOST_SCALAR] = {
		"detach-to-host",
		"keep loss and metrics as numbers of the host: loss.item(), tensor.detach().cpu()",
		"a tensor that is kept for logging stays on the device, with its graph unless detached",
		"growth that comes from a cache or a buffer which is meant to grow",
	},
	[MLV_ADVICE_BOUND_CACHE] = {
		"bound-the-cache",
		"give the cache or buffer that grows a bound, or allocate it once",
		"the growing stack is a cache's own append or concatenation",
		"growth by a graph that is retained",
	},
	[MLV_ADVICE_ALLOCATOR] = {
		"allocator-settings",
		"try other allocator settings with mlviz replay --sweep",
		"much is reserved that is not allocated, and a request failed",
		"what is allocated does not shrink by any setting",
	},
	[MLV_ADVICE_MORE_STEPS] = {
		"record-more-steps",
		"record at least five steps, with the figures after each phase",
		"a slope needs points, and the first step differs from all others",
		"nothing is wrong that more steps would mend",
	},
};

const struct mlv_advice_text *mlv_advice_text(enum mlv_advice a)
{
	return &texts[a];
}
