/* SPDX-License-Identifier: MIT */
#include "replay/gpu/gpu_probe.h"

#include <stdio.h>

#include "replay/conf.h"

enum { STEPS = 400, SLOTS = 96 };

#define HELD_MOST (4096 * MLV_MIB)

struct probing {
	struct mlv_gpu *gpu;
	struct mlv_address_record *r;
	struct mlv_address_op held[SLOTS];
	size_t count;
	uint64_t bytes, most; /* held, and at the most */
	uint64_t random;
};

/* The same sequence every time. */
static uint64_t draw(struct probing *p, uint64_t below)
{
	p->random = p->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (p->random >> 33) % below;
}

/* Segments of small blocks, of large ones, and of single requests from 10 MiB on. */
static uint64_t draw_bytes(struct probing *p)
{
	switch (draw(p, 4)) {
	case 0:
		return 2 * MLV_MIB;
	case 1:
		return 20 * MLV_MIB;
	default:
		return 2 * MLV_MIB * (5 + draw(p, 120));
	}
}

static bool note(struct probing *p, struct mlv_address_op op)
{
	if (mlv_vec_push(&p->r->ops, op))
		return true;
	mlv_err_nomem(&p->gpu->err);
	return false;
}

static bool take(struct probing *p, uint64_t bytes)
{
	struct mlv_address_op op = { .bytes = bytes };
	mlv_cu_ptr ptr;
	enum mlv_gpu_answer answer = mlv_gpu_alloc(p->gpu, bytes, &ptr);
	if (answer == MLV_GPU_NO_MEMORY) {
		p->most = p->bytes; /* others took it: go on with what there is */
		return p->bytes > 0;
	}
	if (answer)
		return false;
	op.addr = ptr;
	p->held[p->count++] = op;
	p->bytes += bytes;
	return note(p, op);
}

static bool give(struct probing *p, size_t i)
{
	struct mlv_address_op op = p->held[i];
	op.free = true;
	p->held[i] = p->held[--p->count];
	p->bytes -= op.bytes;
	return mlv_gpu_free(p->gpu, op.addr) == MLV_GPU_DONE && note(p, op);
}

static bool step(struct probing *p)
{
	uint64_t bytes = draw_bytes(p);
	bool full = p->count == SLOTS || p->bytes + bytes > p->most;
	/* It grows at first, and then stays about as it is. */
	if (p->count && (full || draw(p, 5) < 2))
		return give(p, (size_t)draw(p, p->count));
	return take(p, bytes);
}

enum mlv_rc mlv_gpu_probe(struct mlv_address_record *r, int ordinal,
			  const volatile sig_atomic_t *stop, struct mlv_err *err)
{
	struct mlv_gpu gpu;
	struct mlv_gpu_setup setup = { .ordinal = ordinal };
	*r = (struct mlv_address_record){ 0 };
	enum mlv_rc rc = mlv_gpu_open(&gpu, &setup, err);
	if (rc)
		return rc;
	struct probing p = { .gpu = &gpu, .r = r, .random = 1 };
	p.most = gpu.free_at_start / 4 < HELD_MOST ? gpu.free_at_start / 4 : HELD_MOST;
	snprintf(r->device, sizeof(r->device), "%s", gpu.name);
	r->driver_version = gpu.driver_version;
	if (p.most < 512 * MLV_MIB)
		rc = mlv_err_set(err, MLV_E_DEVICE, "device %d: a probe needs 2 GiB of free memory",
				 ordinal);
	for (int i = 0; !rc && i < STEPS; i++) {
		if (*stop)
			rc = mlv_err_set(err, MLV_E_INTERRUPTED,
					 "interrupted; the device has its memory back");
		else if (!step(&p))
			rc = gpu.err.rc
				     ? mlv_err_set(err, gpu.err.rc, "%s", gpu.err.msg)
				     : mlv_err_set(err, MLV_E_DEVICE,
						   "device %d has no memory for a probe", ordinal);
	}
	mlv_gpu_close(&gpu, NULL);
	if (rc)
		mlv_address_record_fini(r);
	return rc;
}
