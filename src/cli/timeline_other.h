/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_TIMELINE_OTHER_H
#define MLV_CLI_TIMELINE_OTHER_H
/*
 * The pictures of `mlviz timeline` for inputs without device memory: spans as
 * lanes, samples as lines, metrics as bars. Which it is depends on the tables
 * that are filled and on nothing else.
 */
#include "base/json_write.h"
#include "cli/load.h"
#include "cli/picture.h"

enum mlv_picture_kind {
	MLV_PICTURE_NONE,
	MLV_PICTURE_MEMORY,
	MLV_PICTURE_SPANS,
	MLV_PICTURE_SAMPLES,
	MLV_PICTURE_METRICS,
};

enum mlv_picture_kind mlv_picture_kind(const struct mlv_run *run);

struct mlv_other_options {
	struct mlv_picture picture; /* its title may be NULL: the file's name */
	const char *from, *to;
	uint64_t capacity;
	size_t top;
};

/* Draw the inputs of that kind; `inputs` that are of another are left out with a word on stderr. */
enum mlv_rc mlv_other_draw(const struct mlv_inputs *in, enum mlv_picture_kind kind,
			   const struct mlv_other_options *o, struct mlv_buf *picture,
			   struct mlv_err *err);
/* The largest rows of each, for the terminal. */
enum mlv_rc mlv_other_text(const struct mlv_inputs *in, enum mlv_picture_kind kind, int width,
			   struct mlv_buf *out, struct mlv_err *err);
/* Elements of "plots". */
enum mlv_rc mlv_other_json(const struct mlv_inputs *in, enum mlv_picture_kind kind,
			   const struct mlv_other_options *o, struct mlv_json *j,
			   struct mlv_err *err);

#endif
