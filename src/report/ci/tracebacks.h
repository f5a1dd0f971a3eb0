/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_CI_TRACEBACKS_H
#define MLV_REPORT_CI_TRACEBACKS_H
/* In which traceback of a run a statement stands, of logs with any number of both. */
#include "base/vec.h"
#include "model/run.h"

struct mlv_traceback {
	const struct mlv_finding *finding; /* borrowed of the run */
	uint32_t last_line;                /* the greatest of this one and all before it */
};

struct mlv_tracebacks {
	MLV_VEC(struct mlv_traceback) list; /* by their first lines */
};

/* False when memory runs out. */
bool mlv_tracebacks_init(struct mlv_tracebacks *t, const struct mlv_run *run);
void mlv_tracebacks_fini(struct mlv_tracebacks *t);

/* The first, other than itself, from whose first line to the one behind it `f` stands; NULL. */
const struct mlv_finding *mlv_traceback_around(const struct mlv_tracebacks *t,
					       const struct mlv_finding *f);

#endif
