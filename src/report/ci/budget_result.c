/* SPDX-License-Identifier: MIT */
#include "report/ci/budget_result.h"

void mlv_budget_results_fini(struct mlv_budget_results *r)
{
	mlv_vec_free(&r->list);
	mlv_arena_fini(&r->texts);
}

const char *mlv_budget_state_name(enum mlv_budget_state state)
{
	static const char *const names[] = { "kept", "passed", "notice", "unknown" };
	return names[state];
}

bool mlv_budget_results_fail(const struct mlv_budget_results *r)
{
	for (size_t i = 0; i < r->list.len; i++)
		if (r->list.data[i].fails)
			return true;
	return false;
}
