/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPLAY_ADDRESS_RECORD_H
#define MLV_REPLAY_ADDRESS_RECORD_H
/*
 * Where a driver put what was taken from it, one operation after the other: the
 * evidence for a profile. `mlviz replay --probe` makes one and writes it as
 * JSON ("mlviz.addresses/1"), so that a what-if, on any machine, can ask which
 * profile describes that driver.
 */
#include "base/buf.h"
#include "base/limits.h"
#include "replay/driver.h"

struct mlv_address_op {
	uint64_t addr, bytes;
	bool free; /* given back; else taken */
};

/* A zeroed one is empty and ready. */
struct mlv_address_record {
	char device[256];   /* its name */
	int driver_version; /* as the driver counts: 13000 is 13.0 */
	MLV_VEC(struct mlv_address_op) ops;
};

void mlv_address_record_fini(struct mlv_address_record *r);

/* How many of its addresses a profile expects. False when memory runs out. */
bool mlv_address_record_explain(const struct mlv_address_record *r, enum mlv_driver_profile profile,
				struct mlv_driver_share *share);
/* The profile that explains most, as mlv_driver_learn chooses. False when memory runs out. */
bool mlv_address_record_learn(const struct mlv_address_record *r, enum mlv_driver_profile *profile,
			      struct mlv_driver_share *share);

void mlv_address_record_write(const struct mlv_address_record *r, struct mlv_buf *out);
/* MLV_E_IO, MLV_E_FORMAT with the place, MLV_E_LIMIT, MLV_E_NOMEM; the record is then empty. */
enum mlv_rc mlv_address_record_read(struct mlv_address_record *r, const char *path,
				    const struct mlv_limits *limits, struct mlv_err *err);

#endif
