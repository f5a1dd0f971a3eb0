/* SPDX-License-Identifier: MIT */
/*
 * What to do next. A verdict says what is wrong; each kind of it is mended at
 * another place. Rules that know more have said so already.
 */
#include <stdlib.h>

#include "analysis/hang/judge.h"

static void late(struct mlv_hang_verdict *v, const char *ranks)
{
	if (v->stuck == MLV_STUCK_DEVICE)
		mlv_advise(v,
			   "on the hosts of %s look for Xid errors (dmesg), and for NCCL WARN "
			   "lines in the logs; run again without that device or that link",
			   ranks);
	else
		mlv_advise(v,
			   "see what %s did after the last call: the end of the log, and, while "
			   "the job hangs, py-spy dump --native --pid PID; give that to mlviz hang "
			   "too",
			   ranks);
}

static void undecided(struct mlv_hang_verdict *v, const struct mlv_evidence *e)
{
	size_t unheard = 0;
	for (size_t i = 0; i < e->ranks.len; i++)
		unheard += !e->ranks.data[i].dump;
	if (unheard)
		mlv_advise(v, "give the dumps of the other ranks as well, or the log of the "
			      "launcher");
	else
		mlv_advise(v, "take py-spy dump --native --pid PID of each rank while it hangs, "
			      "and give them too");
}

void mlv_hang_advise(struct mlv_hang_verdict *v, const struct mlv_evidence *e)
{
	char ranks[MLV_RANKS_SIZE];
	if (v->advice.len || v->kind == MLV_HANG_HEALTHY)
		return;
	mlv_ranks_named(e, v->culprits.data, v->culprits.len, ranks);
	switch (v->kind) {
	case MLV_HANG_MISSING_RANK:
	case MLV_HANG_LAG:
		late(v, ranks);
		break;
	case MLV_HANG_EXTRA_CALL:
		mlv_advise(v, "look for the condition that leads to this call: all ranks of the "
			      "group have to take it, or none");
		break;
	case MLV_HANG_TYPE:
	case MLV_HANG_ORDER:
		mlv_advise(v, "make all ranks issue their collectives in one order: look for the "
			      "condition, on the rank or on its data, by which the ways part");
		break;
	case MLV_HANG_SIZE:
	case MLV_HANG_DTYPE:
		mlv_advise(v, "print the tensor's shape and type before this call on each rank; "
			      "uneven batches and parameters without gradients are usual causes");
		break;
	case MLV_HANG_P2P:
		mlv_advise(v, "give each send its receive, in one order on both ranks "
			      "(batch_isend_irecv where both send first)");
		break;
	default:
		undecided(v, e);
	}
}
