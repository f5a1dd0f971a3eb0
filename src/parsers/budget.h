/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_BUDGET_H
#define MLV_PARSERS_BUDGET_H
/*
 * The limit on memory. A few bytes can ask for a row of a hundred, and a small
 * archive holds many bytes: so every loop that reads an input asks now and
 * then whether what it keeps is still in proportion to what is stored.
 */
#include "parsers/parser.h"

struct mlv_budget {
	const struct mlv_parse *parse; /* borrowed; NULL: nothing is limited */
	uint64_t next;                 /* offset of the input at which to look again */
};

/*
 * At `offset` of the input, with `beside` bytes held by the reading itself
 * beside the run. MLV_E_LIMIT if that is more than the limit and
 * MLV_MEMORY_PER_BYTE for each stored byte so far.
 */
enum mlv_rc mlv_budget_look(struct mlv_budget *b, uint64_t offset, uint64_t beside,
			    struct mlv_err *err);

/* Whether it is time to look; most often it is not. */
static inline bool mlv_budget_due(const struct mlv_budget *b, uint64_t offset)
{
	return b->parse && offset >= b->next;
}

#endif
