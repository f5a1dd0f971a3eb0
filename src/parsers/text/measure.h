/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_TEXT_MEASURE_H
#define MLV_PARSERS_TEXT_MEASURE_H
/*
 * What a tool says after it has measured one command, in a text: a section
 * whose metrics have the command as their subject, or "command" where the
 * report does not name it.
 */
#include "parsers/text/text.h"

struct mlv_measure {
	bool open;
	uint32_t section;
	mlv_strid subject;
	uint32_t last_line; /* on which something of it stood */
};

/* Begin the report of `command` (empty: unknown), and end the one before. */
enum mlv_rc mlv_measure_begin(struct mlv_measure *m, struct mlv_text *t, const char *format,
			      struct mlv_str command, uint32_t line, struct mlv_err *err);

enum mlv_rc mlv_measure_add(struct mlv_measure *m, struct mlv_text *t, const char *name,
			    struct mlv_decimal value, uint32_t line, struct mlv_err *err);

#endif
