/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_LOAD_H
#define MLV_CLI_LOAD_H
/*
 * Reading what the user named: open, recognise, parse. Several inputs are
 * read one after the other; those that fail are reported and the rest goes on.
 * A tar archive, compressed or not, stands for the files in it as a directory
 * does; each of them is an input called "run.tar:path/in/it".
 */
#include "base/buf.h"
#include "base/source.h"
#include "cli/expand.h"
#include "cli/option.h"
#include "model/run.h"

struct mlv_input {
	struct mlv_run run;
	enum mlv_compression compression;
	uint64_t stored_bytes; /* of the file as stored; 0 = unknown */
	bool is_stdin;
};

/* Who wants each input as it comes, and nothing of it later. What is NULL is not called. */
struct mlv_visitor {
	void (*input)(void *opaque, const struct mlv_input *input);
	/* An archive, or what was found in one or in a directory, could not be read (whole). */
	void (*damage)(void *opaque, const char *file, const char *text);
	void *opaque;
};

struct mlv_inputs {
	struct mlv_input *list; /* those that could be read */
	size_t count;
	size_t cap;
	size_t read; /* the same, those that were visited and let go as well */
	const struct mlv_visitor *visitor; /* NULL: they stay in the list */
	uint64_t passed;                   /* files of directories that are no reports */
	int exit_code;                     /* the worst of all inputs so far */
	struct mlv_paths paths;            /* the names, which the runs borrow */
};

/*
 * Read all operands, and the files of those that are directories; errors and diagnostics go to
 * standard error as they come. With --strict an input with any damage has the exit code of one that
 * could not be read, and stays in the list.
 */
void mlv_inputs_load(struct mlv_inputs *in, int count, char **operands, const struct mlv_common *c);
/*
 * The same, but each run is freed as soon as the visitor has seen it: for commands that take many
 * inputs and need little of each.
 */
void mlv_inputs_each(struct mlv_inputs *in, int count, char **operands, const struct mlv_common *c,
		     const struct mlv_visitor *visitor);
void mlv_inputs_fini(struct mlv_inputs *in);

/* The same for what an analysis found in an input: print, and heed --strict. */
void mlv_inputs_diags(struct mlv_inputs *in, const char *file, const struct mlv_diags *diags,
		      const struct mlv_common *c);

/* An input cannot be used: tell why, and let the exit code say so. */
void mlv_inputs_fail(struct mlv_inputs *in, const struct mlv_err *err);

/*
 * The end of a command that reads inputs: mlv_command_end with the exit code
 * of all of them (nothing is printed if none could be read), and free them.
 */
int mlv_inputs_end(struct mlv_inputs *in, const struct mlv_common *c, struct mlv_buf *out);

#endif
