/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_FLAME_SOURCE_H
#define MLV_CLI_FLAME_SOURCE_H
/*
 * From what the user asked for to one flame graph of all inputs: which value,
 * at which moment, of which devices. Inputs and devices stand beside each
 * other in it where there are several.
 */
#include "analysis/flame/flame.h"
#include "cli/load.h"

/* Options of a command that takes such a graph: --value, --at, --device, --grep. */
struct mlv_flame_ask {
	int value; /* 0: what the inputs hold; else 1 + enum mlv_flame_value */
	const char *at, *grep;
	int64_t device; /* -1: all */
};

/* `ask` is the struct mlv_flame_ask within `type`. */
/* clang-format off */
#define MLV_FLAME_OPTIONS(type, ask)                                                               \
	MLV_OPT_ONE_OF(0, "value", type, ask.value, "WHAT",                                        \
		       "what is summed up over stacks", mlv_flame_value_words),                    \
	MLV_OPT(0, "at", STRING, type, ask.at, "WHEN",                                             \
		"of memory: what is alive at peak, oom, end, start or an event number"),           \
	MLV_OPT(0, "grep", STRING, type, ask.grep, "TEXT",                                         \
		"only stacks with a function or file that contains TEXT"),                         \
	MLV_OPT(0, "device", INT, type, ask.device, "N", "only the memory of this device")
/* clang-format on */
extern const char *const mlv_flame_value_words[]; /* "auto", "peak", "end", … */

void mlv_flame_ask_init(struct mlv_flame_ask *ask);

struct mlv_flame_source {
	struct mlv_flame flame; /* settled */
	enum mlv_flame_value value;
	struct mlv_buf what;           /* "requested bytes alive at the peak, after event 9 934" */
	size_t used;                   /* inputs that have something in it */
	const struct mlv_input *first; /* the first of them; borrowed */
};

/*
 * MLV_E_USAGE if the options contradict each other, MLV_E_FORMAT if no input
 * has what is asked for.
 */
enum mlv_rc mlv_flame_source_init(struct mlv_flame_source *s, const struct mlv_inputs *in,
				  const struct mlv_flame_ask *ask, struct mlv_err *err);
void mlv_flame_source_fini(struct mlv_flame_source *s);

#endif
