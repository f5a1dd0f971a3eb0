/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_MEMORY_MEMORY_STATS_KEYS_H
#define MLV_PARSERS_MEMORY_MEMORY_STATS_KEYS_H
/* What the keys of torch.cuda.memory_stats() say by themselves. */
#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* "allocated_bytes.all.peak", "oversize_segments.freed" */
bool mlv_memory_is_counter(struct mlv_str key);
/* Counters without parts, and a setting that stands among them: -1 where there is none. */
bool mlv_memory_is_plain_counter(struct mlv_str key);
/* "allocated_bytes…": bytes, and no number of things */
bool mlv_memory_counts_bytes(struct mlv_str key);

/*
 * Takes the part off: "allocated_bytes.all" stays and "peak" is returned. A
 * counter without parts is a "count", or a "size".
 */
struct mlv_str mlv_memory_counter_part(struct mlv_str *key);

/* "0", "cuda:1", "device 2": the number of a device; -1 if the key names none. */
int64_t mlv_memory_device_number(struct mlv_str key);

#endif
