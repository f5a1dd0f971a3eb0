/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_EACH_H
#define MLV_CLI_EACH_H
/*
 * The frame of a command that says something of each of its inputs by itself:
 * read them, let the command add what it has to say of one after the other,
 * write it all. With --json that is one object with "files", a list. A command
 * that sees all inputs at once and writes by itself has a frame, too. Others use
 * load.h and output.h.
 */
#include "base/json_write.h"
#include "cli/load.h"

/* One input, and where what is said of it goes. Everything is borrowed. */
struct mlv_each {
	struct mlv_inputs *in;
	const struct mlv_input *input;
	const struct mlv_common *common;
	struct mlv_buf *text;  /* without --json */
	struct mlv_json *json; /* an element of "files" is due; NULL: text */
};

/*
 * Say what there is to say of `one`. An error is told with the name of the
 * input and decides the exit code; its text is taken back, the other inputs go
 * on. JSON that was begun must be ended all the same.
 */
typedef enum mlv_rc (*mlv_each_fn)(void *context, const struct mlv_each *one, struct mlv_err *err);

/* Does so for all operands; returns the exit code. `schema` is the one of --json. */
int mlv_each_input(const struct mlv_common *common, int argc, char **argv, const char *schema,
		   mlv_each_fn say, void *context);

/*
 * Read all operands and, if any could be read, hand them over together. An error is told. Returns
 * the exit code.
 */
typedef enum mlv_rc (*mlv_all_fn)(const void *context, struct mlv_inputs *in, struct mlv_err *err);
int mlv_all_inputs(const struct mlv_common *common, int argc, char **argv, mlv_all_fn use,
		   const void *context);

/*
 * How most elements begin: "FILE: FORMAT" as text, as JSON an object with both,
 * which mlv_each_end closes.
 */
void mlv_each_begin(const struct mlv_each *one);
void mlv_each_end(const struct mlv_each *one);

#endif
