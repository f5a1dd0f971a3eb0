/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPLAY_GPU_GPU_PROBE_H
#define MLV_REPLAY_GPU_GPU_PROBE_H
/*
 * Ask a driver where it puts memory: a short, fixed sequence of allocations and
 * frees of the sizes that PyTorch asks for, by which profiles can be told apart.
 */
#include <signal.h>

#include "replay/address_record.h"
#include "replay/gpu/gpu.h"

/*
 * MLV_E_DEVICE: there is no device, it failed, or has too little memory free (the probe holds 4 GiB
 * at the most); MLV_E_INTERRUPTED when *stop became other than 0; MLV_E_NOMEM. Everything is given
 * back in any case.
 */
enum mlv_rc mlv_gpu_probe(struct mlv_address_record *r, int ordinal,
			  const volatile sig_atomic_t *stop, struct mlv_err *err);

#endif
