/* SPDX-License-Identifier: MIT */
#include "parsers/budget.h"

#include "base/num.h"

/* No input byte makes more than some dozens of bytes, so this much between two looks is little. */
enum { LOOK_EVERY = 256 * 1024 };

static uint64_t stored(const struct mlv_parse *p)
{
	uint64_t sum = p->reader ? mlv_source_taken(p->reader->src) : 0;
	for (size_t i = 0; i < p->part_count; i++)
		sum += mlv_source_taken(p->parts[i].reader->src);
	return sum;
}

static uint64_t allowed(const struct mlv_parse *p)
{
	uint64_t more = stored(p), sum;
	if (__builtin_mul_overflow(more, MLV_MEMORY_PER_BYTE, &more) ||
	    __builtin_add_overflow(more, p->limits->memory, &sum))
		return UINT64_MAX;
	return sum;
}

enum mlv_rc mlv_budget_look(struct mlv_budget *b, uint64_t offset, uint64_t beside,
			    struct mlv_err *err)
{
	uint64_t kept = mlv_run_bytes(b->parse->run) + beside, most = allowed(b->parse);
	char have[MLV_NUM_SIZE], may[MLV_NUM_SIZE];
	b->next = offset + LOOK_EVERY;
	if (kept <= most)
		return MLV_OK;
	return mlv_err_at(err, MLV_E_LIMIT, offset,
			  "what was read so far takes %s of memory, and an input of this size may "
			  "take %s; raise it with --limit memory=N",
			  mlv_fmt_bytes(have, sizeof(have), kept),
			  mlv_fmt_bytes(may, sizeof(may), most));
}
