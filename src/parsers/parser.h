/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_PARSER_H
#define MLV_PARSERS_PARSER_H
/*
 * A format is one const struct in the registry. To add one: write
 * src/parsers/FAMILY/NAME.c with its struct, list it in registry.c and
 * meson.build, and give it a folder in tests/data. A parser fills the run
 * through model/run.h, and knows no analysis and no other family of formats.
 */
#include "base/err.h"
#include "base/limits.h"
#include "base/reader.h"
#include "model/run.h"

enum { MLV_PROBE_BYTES = 64 * 1024 };

/* What only the user can know of an input. */
struct mlv_parse_options {
	const char *time_format; /* --time-format: the -f string that GNU time was given; NULL */
	/* A log of ranks in which nothing is found is an answer, and no error. */
	bool quiet_logs;
};

/* One of several files that are one recording: strace -ff writes one for each process. */
struct mlv_part {
	struct mlv_reader *reader; /* at the first byte */
	const char *file;
	int64_t number; /* at the end of its name */
};

struct mlv_parse {
	struct mlv_reader *reader; /* at the first byte; NULL where there are parts */
	struct mlv_run *run;       /* fresh: nothing was interned or added before */
	const struct mlv_limits *limits;
	const struct mlv_parse_options *options; /* NULL: nothing is known */
	const char *forced;                      /* the name that --format gave; NULL */
	const struct mlv_part *parts;            /* of a parser with `part` */
	size_t part_count;
};

struct mlv_parser {
	const char *name;    /* --format NAME, and "format" in JSON */
	const char *summary; /* one line for `mlviz formats` */
	/* Its files do not tell their rank, but writers end their names with it: "fr_3". */
	bool named_by_rank;
	/*
	 * How sure the format is of these first bytes (up to MLV_PROBE_BYTES, after
	 * decompression): 0 no, 100 certain. Content only, never the name.
	 */
	int (*probe)(struct mlv_bytes head);
	/*
	 * Of a format whose recordings are several files, NAME.NUMBER: whether one
	 * that begins so may be one of them. Such a parser is given all of them, and
	 * stands apart from the list. NULL: a file is a recording.
	 */
	bool (*part)(struct mlv_bytes head, int64_t number);
	/*
	 * Fill the run. Damage that leaves something readable is a diagnostic of
	 * the run and MLV_OK; an error means that nothing usable was found.
	 */
	enum mlv_rc (*parse)(struct mlv_parse *p, struct mlv_err *err);
};

/* All parsers, NULL at the end. The one for text stands for the formats of text/text.h. */
extern const struct mlv_parser *const mlv_parsers[];

/* Name and summary of the i-th format that can be read, parsers and text formats; false behind the
 * last. */
bool mlv_format_at(size_t i, const char **name, const char **summary);

/* The parser of which this file is a part, with the name that --format gave or NULL; NULL: none. */
const struct mlv_parser *mlv_parser_of_part(struct mlv_bytes head, int64_t number,
					    const char *name);

/* What a file that no format claims seems to be, for a message: "text", "JSON", "a PNG picture". */
const char *mlv_looks_like(struct mlv_bytes head);

/*
 * The text formats whose words stand in it, the nearest first, each with one of
 * them: "cprofile ('cumtime')". False: it holds none.
 */
bool mlv_nearest_formats(struct mlv_bytes head, char *buf, size_t size);

/*
 * The format of these bytes: `name` if it is given, else the best probe. Two
 * equal best scores or none are an error that says what to do, or what the
 * file seems to be.
 */
enum mlv_rc mlv_parser_find(struct mlv_bytes head, const char *name,
			    const struct mlv_parser **parser, struct mlv_err *err);

#endif
