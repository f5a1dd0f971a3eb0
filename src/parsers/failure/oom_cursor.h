/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_FAILURE_OOM_CURSOR_H
#define MLV_PARSERS_FAILURE_OOM_CURSOR_H
/*
 * Steps through a message that a terminal or a logger may have wrapped
 * anywhere, also within a word or a number: what scan.h is for whole lines.
 * Each is all or nothing, and what it takes for a break goes into the
 * message's list, so that mlv_oom_plain can mend the text.
 */
#include "parsers/failure/oom_message.h"

struct mlv_oom_cursor {
	struct mlv_str s;  /* what is left */
	struct mlv_oom *o; /* the message, which gets what is found */
	const char *begin; /* of its text */
};

/*
 * This text. A line feed is where a message was broken: it stands for the
 * blank that it replaced, or for nothing when it is within a word, which is
 * then noted.
 */
bool mlv_oom_lit(struct mlv_oom_cursor *c, const char *text);
/* Everything up to this text, of at most `within` bytes, and the text. */
bool mlv_oom_lit_ahead(struct mlv_oom_cursor *c, const char *text, size_t within);
void mlv_oom_blanks(struct mlv_oom_cursor *c);
bool mlv_oom_number(struct mlv_oom_cursor *c, int64_t *n);
/* "14.04 GiB", "0 bytes"; kept as printed. */
bool mlv_oom_size(struct mlv_oom_cursor *c, struct mlv_str *out);
/* A text, a size and a text behind it. */
bool mlv_oom_phrase(struct mlv_oom_cursor *c, const char *before, struct mlv_str *value,
		    const char *after);

#endif
