/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPLAY_DRIVER_FOLLOW_H
#define MLV_REPLAY_DRIVER_FOLLOW_H
/*
 * A profile beside a real driver: of each address that this gave, recorded or
 * just now, whether the profile expected it. Other libraries of the process
 * take device memory too, unseen: an address that a profile does not explain
 * moves what it expects from there on.
 */
#include "replay/driver.h"

struct mlv_driver_follow {
	struct mlv_driver driver;
	MLV_VEC(int64_t) offsets; /* of each chunk: real minus modelled addresses */
	int64_t last;             /* of the newest chunk */
	struct mlv_map where;     /* real address -> row of pieces */
	MLV_VEC(uint64_t) pieces; /* modelled addresses */
	struct mlv_driver_share share;
};

/* All: false when memory runs out; fini it then, too. */
bool mlv_driver_follow_init(struct mlv_driver_follow *f, enum mlv_driver_profile profile);
bool mlv_driver_follow_alloc(struct mlv_driver_follow *f, uint64_t addr, uint64_t bytes);
bool mlv_driver_follow_free(struct mlv_driver_follow *f, uint64_t addr, uint64_t bytes);
void mlv_driver_follow_fini(struct mlv_driver_follow *f);

#endif
