/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_TEXT_TEXT_H
#define MLV_PARSERS_TEXT_TEXT_H
/*
 * Reports that are text. A log may hold many kinds of them, and lines of many
 * ranks in one stream, so every text format looks at every line and takes
 * what it knows; each rank has a state of its own in each format, so that
 * none of them needs to care for interleaving. A file that is one report from
 * end to end (strace, mprof) is given to its format alone.
 *
 * To add one: write src/parsers/FAMILY/NAME.c with its struct, and list it in
 * text.c and ../meson.build. What it finds goes into the run; a section tells
 * where it stood.
 */
#include "model/run.h"
#include "parsers/add.h"
#include "parsers/text/lines.h"
#include "parsers/parser.h"

struct mlv_text {
	struct mlv_run *run;
	const struct mlv_limits *limits;
	const struct mlv_parse_options *options;
	int64_t rank;   /* of this state: by the lines' prefix, else of the run; -1 unknown */
	int64_t worker; /* process that the prefix of its lines names; -1: none */
};

enum mlv_take {
	MLV_PASS, /* not mine */
	MLV_TAKE, /* mine; other formats may look at it too */
	MLV_OWN,  /* mine alone: within a report that nobody else should misread */
};

struct mlv_text_format {
	const char *name, *summary;
	/*
	 * How sure it is that the whole file is its own: 0 not, 80 and more: the
	 * file is given to this format alone. NULL: it only looks at lines.
	 */
	int (*probe)(struct mlv_bytes head);
	size_t state_size; /* zeroed for each rank */
	/* One line. An error ends the reading (memory, limits). */
	enum mlv_rc (*line)(void *state, struct mlv_text *t, const struct mlv_line *line,
			    enum mlv_take *take, struct mlv_err *err);
	/* No more lines: close what is open. May be NULL. */
	enum mlv_rc (*finish)(void *state, struct mlv_text *t, struct mlv_err *err);
	/* Free what the state owns. May be NULL. */
	void (*fini)(void *state);
};

extern const struct mlv_text_format *const mlv_text_formats[]; /* NULL at the end */

static inline struct mlv_add mlv_text_add(const struct mlv_text *t)
{
	return (struct mlv_add){ t->run, t->limits };
}

/* A section of the rank's lines, which begins at this one. */
static inline enum mlv_rc mlv_text_section(const struct mlv_text *t, const char *format,
					   struct mlv_str title, uint32_t line, uint32_t *section,
					   struct mlv_err *err)
{
	return mlv_add_section(mlv_text_add(t), format, title, line, t->rank, section, err);
}

#endif
