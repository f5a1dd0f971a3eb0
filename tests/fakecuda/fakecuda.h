/* SPDX-License-Identifier: MIT */
#ifndef MLV_FAKECUDA_FAKECUDA_H
#define MLV_FAKECUDA_FAKECUDA_H
/*
 * What the fake driver (README.md) tells of itself: a test finds the function
 * by dlsym in the library that it also gave to mlviz.
 */
#include <stdint.h>

#include "replay/gpu/cuda_abi.h"

struct fakecuda_figures {
	uint64_t taken;      /* bytes of the devices, what the driver adds included */
	uint64_t taken_peak; /* of one device */
	uint64_t pieces;     /* of cuMemAlloc */
	uint64_t handles;    /* of cuMemCreate */
	uint64_t maps, ranges, modules, contexts;
	uint64_t left;   /* of all these, when their context was released */
	uint64_t misuse; /* calls that no correct program makes */
	uint64_t fills;
	uint64_t calls[MLV_CU_CALL_COUNT];
};

/* Since cuInit. */
void fakecuda_tell(struct fakecuda_figures *figures);

#endif
