/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_ADD_H
#define MLV_PARSERS_ADD_H
/*
 * Rows of the tables of reports, with the limit on rows kept: what a parser
 * that reads measurements needs, in one call for each row. Texts are interned
 * here.
 */
#include "base/err.h"
#include "base/limits.h"
#include "model/run.h"

struct mlv_add {
	struct mlv_run *run;
	const struct mlv_limits *limits;
};

/* A section that begins at this line; 0: not of a text. `rank` -1: unknown. */
enum mlv_rc mlv_add_section(struct mlv_add a, const char *format, struct mlv_str title,
			    uint32_t line, int64_t rank, uint32_t *section, struct mlv_err *err);

/* What a row of the section is that is no line of a table: "sample". Left out: a finding. */
void mlv_section_noun(struct mlv_run *run, uint32_t section, const char *noun);

/* Whose figures these are: a row of the table of a section. */
struct mlv_metric_row {
	struct mlv_run *run;
	const struct mlv_limits *limits;
	uint32_t section, row;
	mlv_strid subject;
};

/* A figure in that row. */
enum mlv_rc mlv_add_metric(const struct mlv_metric_row *at, mlv_strid metric,
			   struct mlv_decimal value, struct mlv_err *err);
/* The same with the metric's name. */
enum mlv_rc mlv_add_metric_named(const struct mlv_metric_row *at, const char *metric,
				 struct mlv_decimal value, struct mlv_err *err);

/* The section has one more row, at `line`; 0: not of a text. */
void mlv_section_grow(struct mlv_run *run, uint32_t section, uint32_t line);

/* `s` with its metric's name interned; the section grows by it. */
enum mlv_rc mlv_add_sample(struct mlv_add a, uint32_t section, struct mlv_sample s,
			   struct mlv_str metric, struct mlv_err *err);

/* A finding with texts that are not interned yet, and up to one number. */
struct mlv_found {
	enum mlv_finding_severity severity;
	const char *code;
	struct mlv_str text;
	struct mlv_str command; /* attribute "command"; empty: unknown */
	const char *key;        /* name of the number; NULL: none */
	int64_t number;
	uint32_t line;
	int64_t rank;
};

enum mlv_rc mlv_add_found(struct mlv_add a, const struct mlv_found *f, struct mlv_err *err);

#endif
