/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPLAY_CONF_H
#define MLV_REPLAY_CONF_H
/*
 * The settings of PyTorch's CUDA caching allocator that decide what it takes
 * from the device, in the syntax of PYTORCH_CUDA_ALLOC_CONF (also called
 * PYTORCH_ALLOC_CONF), and the sizes that follow from them. Source:
 * c10/cuda/CUDAAllocatorConfig.cpp and CUDACachingAllocator.cpp.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/err.h"
#include "base/str.h"
#include "model/run.h"

#define MLV_MIB UINT64_C(1048576)
/* No device has so much: a request beyond it fails, and sums of what is below do not overflow. */
#define MLV_ALLOC_MOST (UINT64_C(1) << 50)
#define MLV_DEVICE_MOST (UINT64_C(1) << 55)

enum {
	MLV_ALLOC_DIVISIONS = 16,   /* by powers of two from 1 MiB on */
	MLV_ALLOC_MIN_BLOCK = 512,  /* kMinBlockSize */
	MLV_ALLOC_SMALL = 1048576,  /* kSmallSize: the largest request of a small pool */
	MLV_ALLOC_BUFFER = 2097152, /* kSmallBuffer: a segment of a small pool; also kRoundLarge */
	MLV_ALLOC_LARGE = 10485760, /* kMinLargeAlloc: from here on a segment fits its request */
};

struct mlv_alloc_conf {
	uint64_t max_split;              /* max_split_size_mb in bytes; UINT64_MAX: no limit */
	uint64_t max_non_split_rounding; /* bytes */
	uint64_t large_segment;          /* bytes; kLargeBuffer */
	uint64_t divisions[MLV_ALLOC_DIVISIONS]; /* roundup_power2_divisions; 0, 1: none */
	double gc_threshold;                     /* garbage_collection_threshold; 0: off */
	double fraction;                         /* per_process_memory_fraction; 0: not set */
	bool expandable;                         /* expandable_segments */
};

extern const struct mlv_alloc_conf mlv_alloc_conf_default;

/*
 * Change `conf` by what `text` sets ("key:value,key:[256:1,>:8]", blanks ignored); what it does not
 * name stays. Keys that the allocator's use of the device does not depend on are accepted, unknown
 * ones and backends that no snapshot can come from are told in `notes`. MLV_E_USAGE names the part
 * that makes no sense.
 */
enum mlv_rc mlv_alloc_conf_parse(struct mlv_alloc_conf *conf, struct mlv_str text,
				 struct mlv_diags *notes, struct mlv_err *err);

/* The settings that a snapshot states, else the defaults. Problems are told in `notes`. */
struct mlv_alloc_conf mlv_alloc_conf_of(const struct mlv_run *run, struct mlv_diags *notes);

/* The settings as the line to export; "" for the defaults. `buf` holds the result. */
const char *mlv_alloc_conf_text(const struct mlv_alloc_conf *conf, char *buf, size_t size);

/* Bytes of the block for a request (round_size). */
uint64_t mlv_alloc_round(const struct mlv_alloc_conf *conf, uint64_t bytes);

/* Bytes of the segment for a block that no segment has room for (get_allocation_size). */
uint64_t mlv_alloc_segment_bytes(const struct mlv_alloc_conf *conf, uint64_t rounded);

#endif
