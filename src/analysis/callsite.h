/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_CALLSITE_H
#define MLV_ANALYSIS_CALLSITE_H
/*
 * Which line of a stack speaks for an allocation. Two rules, kept here and
 * described in docs/callsites.md:
 *   label  the innermost Python frame outside PyTorch's own package,
 *   user   the innermost one outside site-packages, dist-packages and the
 *          standard library (or below the given prefixes), when it is another.
 * Stacks with the same label and user frame are one call site.
 */
#include <stdbool.h>
#include <stdint.h>

#include "model/run.h"

enum mlv_site_kind {
	MLV_SITE_PYTHON,
	MLV_SITE_CPP,       /* C++ frames only */
	MLV_SITE_NO_PYTHON, /* recorded while no Python frame was on the stack */
	MLV_SITE_NOT_RECORDED,
	MLV_SITE_BEFORE, /* allocated before the recording; where, nobody wrote down */
};

struct mlv_site {
	enum mlv_site_kind kind;
	mlv_frameid label; /* PYTHON, CPP */
	mlv_frameid user;  /* equal to label where there is no other */
	uint64_t hash;     /* of function, file name and line: the same in every run, for colours */
};

struct mlv_sites {
	const struct mlv_run *run; /* borrowed */
	const char *const *prefixes;
	size_t prefix_count;
	MLV_VEC(struct mlv_site) list;
	struct mlv_map ids;
	uint32_t *of_stack; /* site of each stack, UINT32_MAX = not asked yet */
	uint8_t *of_frame;  /* what each frame is, 0 = not asked yet */
};

/* `prefixes` (of --user-path) are borrowed. */
enum mlv_rc mlv_sites_init(struct mlv_sites *s, const struct mlv_run *run,
			   const char *const *prefixes, size_t prefix_count, struct mlv_err *err);
void mlv_sites_fini(struct mlv_sites *s);

/* The call site of a stack: an index into list. False when memory runs out. */
bool mlv_site_of(struct mlv_sites *s, mlv_stackid stack, uint32_t *site);

/* The site of what is older than the recording and has no stack of its allocation. */
bool mlv_site_before(struct mlv_sites *s, uint32_t *site);

/*
 * Names for people, each into a buffer: what does not fit ends with an
 * ellipsis. MLV_NAME_SIZE holds the names that C++ templates get.
 */
enum { MLV_NAME_SIZE = 8192 };
/* "attention", "no Python frame" */
void mlv_site_function(const struct mlv_sites *s, uint32_t site, char *buf, size_t size);
/* "gen_mem.py:23", "activations.py:66 < gen_mem.py:175", "C++, likely autograd" */
void mlv_site_place(const struct mlv_sites *s, uint32_t site, char *buf, size_t size);
/* Whether a frame of this file is Python and not PyTorch's own: worth showing to a reader. */
bool mlv_file_is_callers(struct mlv_str file);
/* Whose code a frame is, by the same rules. */
enum mlv_frame_owner {
	MLV_FRAME_USER,    /* the user's Python */
	MLV_FRAME_LIBRARY, /* a package's or the standard library's */
	MLV_FRAME_TORCH,   /* PyTorch's own */
	MLV_FRAME_CPP,     /* not Python */
};
enum mlv_frame_owner mlv_frame_owner(const struct mlv_sites *s, mlv_frameid frame);
/* "gen_mem.py:23" of one frame */
void mlv_frame_place(const struct mlv_run *run, mlv_frameid frame, char *buf, size_t size);

#endif
