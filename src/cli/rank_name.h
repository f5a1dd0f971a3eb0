/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_RANK_NAME_H
#define MLV_CLI_RANK_NAME_H
/*
 * The rank that a file's name tells: "mem-rank3.pickle", "rank_12.log". A
 * name is used for nothing else, and only where the content is silent.
 */
#include <stdbool.h>
#include <stdint.h>

/*
 * -1 if there is none. With `bare`, digits at the end of the name count too,
 * as in fr_3 and nccl_trace_rank_container-node02_5: flight-recorder dumps
 * have no other place for it.
 */
int64_t mlv_rank_of_name(const char *path, bool bare);

#endif
