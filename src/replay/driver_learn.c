/* SPDX-License-Identifier: MIT */
/* Which profile explains addresses that were seen. */
#include "replay/driver_follow.h"

static bool follow(struct mlv_driver_follow *f, const struct mlv_history *h)
{
	for (size_t i = 0; i < h->other_count; i++) {
		const struct mlv_mem_event *e = &h->events[h->others[i]];
		bool ok = true;
		if (e->action == MLV_MEM_SEGMENT_ALLOC && e->bytes && e->bytes < UINT64_C(1) << 45)
			ok = mlv_driver_follow_alloc(f, e->addr, e->bytes);
		else if (e->action == MLV_MEM_SEGMENT_FREE)
			ok = mlv_driver_follow_free(f, e->addr, e->bytes);
		if (!ok)
			return false;
	}
	return true;
}

bool mlv_driver_explain(enum mlv_driver_profile profile, const struct mlv_history *h,
			struct mlv_driver_share *share)
{
	struct mlv_driver_follow f;
	bool ok = mlv_driver_follow_init(&f, profile) && follow(&f, h);
	*share = f.share;
	mlv_driver_follow_fini(&f);
	return ok;
}

static bool explain(const void *state, enum mlv_driver_profile profile,
		    struct mlv_driver_share *share)
{
	return mlv_driver_explain(profile, state, share);
}

bool mlv_driver_learn(const struct mlv_history *h, enum mlv_driver_profile *profile,
		      struct mlv_driver_share *share)
{
	return mlv_driver_choose(explain, h, profile, share);
}

bool mlv_driver_choose(mlv_driver_explains *explains, const void *state,
		       enum mlv_driver_profile *profile, struct mlv_driver_share *share)
{
	/* Of fewer addresses, or of a smaller part of them, chance may explain as many. */
	enum { ENOUGH = 8, ENOUGH_PERCENT = 80, CLEARLY_PERCENT = 10 };
	*profile = MLV_DRIVER_CHUNKS;
	if (!explains(state, *profile, share))
		return false;
	uint64_t usual = share->explained;
	for (int p = 0; p < MLV_DRIVER_PROFILES; p++) {
		struct mlv_driver_share s;
		if (!explains(state, (enum mlv_driver_profile)p, &s))
			return false;
		if (s.allocs >= ENOUGH && s.explained > share->explained &&
		    s.explained * 100 >= s.allocs * ENOUGH_PERCENT &&
		    (s.explained - usual) * 100 >= s.allocs * CLEARLY_PERCENT) {
			*share = s;
			*profile = (enum mlv_driver_profile)p;
		}
	}
	return true;
}
