/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_TIMELINE_MEMORY_H
#define MLV_CLI_TIMELINE_MEMORY_H
/* The picture of `mlviz timeline` for recorded device memory, and what is said beside it. */
#include "base/json_write.h"
#include "cli/picture.h"
#include "cli/timeline_panels.h"

struct mlv_memory_options {
	struct mlv_picture picture; /* its title may be NULL: the file's name */
	uint64_t capacity;          /* bytes, a line; 0: none */
	size_t top;
	bool by_time; /* along x, instead of by event */
};

enum mlv_rc mlv_memory_draw(const struct mlv_panels *panels, const struct mlv_memory_options *o,
			    struct mlv_buf *picture, struct mlv_err *err);
/* A summary and a small chart of each panel, for the terminal. */
enum mlv_rc mlv_memory_text(struct mlv_panels *panels, const struct mlv_memory_options *o,
			    struct mlv_buf *out, struct mlv_err *err);
/* Elements of "plots". */
enum mlv_rc mlv_memory_json(struct mlv_panels *panels, const struct mlv_memory_options *o,
			    struct mlv_json *j, struct mlv_err *err);

#endif
