/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_PICTURE_NAME_H
#define MLV_CLI_PICTURE_NAME_H
/* The name of a picture that nobody named. */
#include "cli/load.h"

/* "runs/mem.pickle.gz" becomes "mem.KIND.svg" in the current directory. */
void mlv_picture_name(const struct mlv_input *input, const char *kind, char *buf, size_t size);

#endif
