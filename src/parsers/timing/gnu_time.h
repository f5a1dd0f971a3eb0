/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_TIMING_GNU_TIME_H
#define MLV_PARSERS_TIMING_GNU_TIME_H
/*
 * What GNU time can print: its fields, as -v labels them and as -f names them
 * by a letter, and patterns made of a format string, by which any -f output is
 * read back. The default and the POSIX output are two such formats.
 */
#include "base/str.h"
#include "base/vec.h"
#include "model/decimal.h"

enum mlv_time_kind {
	MLV_TIME_COUNT,
	MLV_TIME_SECONDS, /* 1.23 */
	MLV_TIME_CLOCK,   /* 1:02:03 or 2:03.45 */
	MLV_TIME_SHARE,   /* 98% or ?% */
};

struct mlv_time_field {
	char letter;       /* of -f */
	const char *label; /* of -v, up to the colon; NULL: not in it */
	const char *name;  /* of the metric */
	enum mlv_unit unit;
	enum mlv_time_kind kind;
	bool sure; /* nothing else prints such a label: it may begin a report */
};

/* In the order of -v. */
extern const struct mlv_time_field mlv_time_fields[];
extern const unsigned mlv_time_field_count;

/* The field whose label begins `s`, which is moved behind "label: "; NULL if there is none. */
const struct mlv_time_field *mlv_time_label(struct mlv_str *s);

/* A value off the beginning of `s`. "?%" is not a number. */
bool mlv_time_value(const struct mlv_time_field *f, struct mlv_str *s, struct mlv_decimal *value);

/* ---- patterns ---- */

enum { MLV_TIME_VALUES = 32 };

struct mlv_time_part {
	const struct mlv_time_field *field; /* NULL: `text`, or the command */
	bool command;
	struct mlv_str text;
};

struct mlv_time_pattern {
	char *text; /* owned: of all literal parts */
	MLV_VEC(struct mlv_time_part) parts;
	struct {
		uint32_t first, count;
	} lines[MLV_TIME_VALUES];
	unsigned line_count;
	unsigned directives;
};

/* What a line holds. */
struct mlv_time_values {
	struct {
		const struct mlv_time_field *field;
		struct mlv_decimal value;
	} list[MLV_TIME_VALUES];
	unsigned count;
	struct mlv_str command; /* empty: not in it */
};

/* Of a format as given to -f. False when memory runs out; a pattern without directives matches
 * nothing. */
bool mlv_time_pattern_init(struct mlv_time_pattern *p, const char *format);
void mlv_time_pattern_fini(struct mlv_time_pattern *p);

/* Whether the text is what that line of the format prints. */
bool mlv_time_match(const struct mlv_time_pattern *p, unsigned line, struct mlv_str s,
		    struct mlv_time_values *values);

#endif
