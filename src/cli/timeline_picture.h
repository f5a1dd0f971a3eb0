/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_TIMELINE_PICTURE_H
#define MLV_CLI_TIMELINE_PICTURE_H
/*
 * The picture of `mlviz timeline`, whatever its inputs are, and what is said beside it: of the
 * first input that has anything to draw, the others of its kind join it (timeline_memory.h,
 * timeline_other.h).
 */
#include "cli/timeline_memory.h"
#include "cli/timeline_other.h"

struct mlv_timeline_options {
	struct mlv_picture picture; /* its title may be NULL: the file's name */
	struct mlv_panels_options panels;
	uint64_t capacity; /* bytes, a line; 0: none */
	size_t top;
	bool by_time;
	bool page; /* HTML, which is about memory, instead of a picture */
};

struct mlv_timeline_picture {
	enum mlv_picture_kind kind;
	bool page;
	const struct mlv_inputs *in;
	struct mlv_panels panels; /* of MLV_PICTURE_MEMORY; none: it is not to be drawn */
	struct mlv_memory_options memory;
	struct mlv_other_options other;
};

/*
 * Decide what is drawn and analyse it. Of memory, inputs without any are errors, whose exit code
 * goes to in->exit_code. `in` outlives it; it stays where it is.
 */
enum mlv_rc mlv_timeline_picture_init(struct mlv_timeline_picture *t, struct mlv_inputs *in,
				      const struct mlv_timeline_options *o, struct mlv_err *err);
void mlv_timeline_picture_fini(struct mlv_timeline_picture *t);

/* The first input drawn; NULL: there is nothing to draw, and the following are not to be asked. */
const struct mlv_input *mlv_timeline_picture_first(const struct mlv_timeline_picture *t);

enum mlv_rc mlv_timeline_picture_draw(const struct mlv_timeline_picture *t, struct mlv_buf *picture,
				      struct mlv_err *err);
/* A summary for the terminal. */
enum mlv_rc mlv_timeline_picture_text(struct mlv_timeline_picture *t, struct mlv_buf *out,
				      struct mlv_err *err);
/* Elements of "plots". */
enum mlv_rc mlv_timeline_picture_json(struct mlv_timeline_picture *t, struct mlv_json *j,
				      struct mlv_err *err);

#endif
