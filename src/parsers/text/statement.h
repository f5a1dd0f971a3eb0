/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_TEXT_STATEMENT_H
#define MLV_PARSERS_TEXT_STATEMENT_H
/*
 * What formats that read errors out of logs share: a statement becomes a
 * finding, and one that was made before (by another rank, by a retry, by a
 * logger and then by the traceback) is counted at the first one instead:
 * attribute "count", and "ranks" when they are known. A worker that the prefix
 * of its lines names is the attribute "worker", several are "workers".
 */
#include "parsers/text/text.h"

struct mlv_statement {
	const char *format; /* static */
	const char *code;
	enum mlv_finding_severity severity;
	struct mlv_str text; /* one line */
	struct mlv_str file; /* of the program's source; empty: it names none */
	uint32_t file_line;
	uint32_t line, last_line;
	int64_t rank; /* -1: that of the state */
	mlv_stackid stack;
	uint32_t attrs; /* mlv_run_attrs_begin before the first of them */
};

/*
 * Add it, or count it. *section is the format's section of this state + 1 (0:
 * none yet) and grows with its statements. *index is the row of the finding;
 * it may be NULL.
 */
enum mlv_rc mlv_statement_add(struct mlv_text *t, const struct mlv_statement *s, uint32_t *section,
			      uint32_t *index, struct mlv_err *err);

/* The section of the state, opened at `line` if there is none, grown to `last_line`. */
enum mlv_rc mlv_statement_section(struct mlv_text *t, const char *format, struct mlv_str title,
				  uint32_t line, uint32_t last_line, uint32_t *section,
				  struct mlv_err *err);

/* Attributes for the statement that is being built; empty texts are left out. */
enum mlv_rc mlv_statement_text(struct mlv_text *t, const char *key, struct mlv_str text,
			       struct mlv_err *err);
enum mlv_rc mlv_statement_int(struct mlv_text *t, const char *key, int64_t n, struct mlv_err *err);

/* A frame that a report names. */
enum mlv_rc mlv_statement_frame(struct mlv_text *t, struct mlv_str function, struct mlv_str file,
				uint32_t line, mlv_frameid *id, struct mlv_err *err);

#endif
