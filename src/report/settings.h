/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_SETTINGS_H
#define MLV_REPORT_SETTINGS_H
/*
 * The allocator's settings as a snapshot states them. Text names only what
 * differs from PyTorch's defaults; JSON gives all.
 */
#include "base/buf.h"
#include "base/json_write.h"
#include "model/run.h"

void mlv_settings_text(const struct mlv_run *run, struct mlv_buf *out);
/* The key "settings" with an object, or null when the file has none. */
void mlv_settings_json(const struct mlv_run *run, struct mlv_json *j);
/* "default allocator settings" or the changed ones, for a subtitle. */
void mlv_settings_brief(const struct mlv_run *run, struct mlv_buf *out);

/* Whether their brief forms are the same. */
bool mlv_settings_alike(const struct mlv_run *a, const struct mlv_run *b);

#endif
