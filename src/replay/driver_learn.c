/* SPDX-License-Identifier: MIT */
/*
 * Which profile explains the addresses of a recording. Other libraries of the
 * process take device memory too, unseen: an address that a profile does not
 * explain moves what it expects from there on.
 */
#include "replay/driver.h"

struct learning {
	struct mlv_driver driver;
	MLV_VEC(int64_t) offsets; /* of each chunk: recorded minus modelled addresses */
	int64_t last;             /* of the newest chunk */
	struct mlv_map where;     /* recorded address -> row of pieces */
	MLV_VEC(uint64_t) pieces; /* modelled addresses */
	struct mlv_driver_share share;
};

static bool on_alloc(struct learning *l, const struct mlv_mem_event *e)
{
	uint64_t addr;
	size_t before = l->driver.chunks.len;
	if (!mlv_driver_place(&l->driver, e->bytes, &addr))
		return false;
	size_t chunk = mlv_map_find(&l->driver.pieces, addr)->value;
	while (l->offsets.len < l->driver.chunks.len) {
		if (!mlv_vec_push(&l->offsets, l->last))
			return false;
	}
	bool is_new = chunk >= before;
	int64_t offset = (int64_t)(e->addr - addr);
	/* The first one only says where the process begins. */
	if (l->pieces.len) {
		l->share.allocs++;
		l->share.explained += l->offsets.data[chunk] == offset;
	}
	l->offsets.data[chunk] = offset;
	if (is_new || !l->pieces.len)
		l->last = offset;
	return mlv_vec_push(&l->pieces, addr) &&
	       mlv_map_set(&l->where, e->addr, (uint32_t)(l->pieces.len - 1));
}

static void on_free(struct learning *l, const struct mlv_mem_event *e)
{
	struct mlv_map_slot *slot = mlv_map_find(&l->where, e->addr);
	if (!slot)
		return;
	mlv_driver_remove(&l->driver, l->pieces.data[slot->value], e->bytes);
	mlv_map_remove(&l->where, slot);
}

static bool try_profile(struct learning *l, const struct mlv_history *h)
{
	for (size_t i = 0; i < h->other_count; i++) {
		const struct mlv_mem_event *e = &h->events[h->others[i]];
		if (e->action == MLV_MEM_SEGMENT_ALLOC && e->bytes &&
		    e->bytes < UINT64_C(1) << 45) {
			if (!on_alloc(l, e))
				return false;
		} else if (e->action == MLV_MEM_SEGMENT_FREE) {
			on_free(l, e);
		}
	}
	return !l->driver.no_memory;
}

bool mlv_driver_explain(enum mlv_driver_profile profile, const struct mlv_history *h,
			struct mlv_driver_share *share)
{
	struct learning l = { 0 };
	bool ok = mlv_driver_init(&l.driver, profile, 0) && try_profile(&l, h);
	*share = l.share;
	mlv_driver_fini(&l.driver);
	mlv_vec_free(&l.offsets);
	mlv_vec_free(&l.pieces);
	mlv_map_fini(&l.where);
	return ok;
}

bool mlv_driver_learn(const struct mlv_history *h, enum mlv_driver_profile *profile,
		      struct mlv_driver_share *share)
{
	/* Of fewer addresses, or of a smaller part of them, chance may explain as many. */
	enum { ENOUGH = 8, ENOUGH_PERCENT = 80 };
	*profile = MLV_DRIVER_CHUNKS;
	if (!mlv_driver_explain(*profile, h, share))
		return false;
	for (int p = 0; p < MLV_DRIVER_PROFILES; p++) {
		struct mlv_driver_share s;
		if (!mlv_driver_explain((enum mlv_driver_profile)p, h, &s))
			return false;
		if (s.allocs >= ENOUGH && s.explained > share->explained &&
		    s.explained * 100 >= s.allocs * ENOUGH_PERCENT) {
			*share = s;
			*profile = (enum mlv_driver_profile)p;
		}
	}
	return true;
}
