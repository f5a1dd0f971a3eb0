/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_TERM_H
#define MLV_CLI_TERM_H
/* What the terminal behind a stream can show. Asked for each stream on its own. */
#include <stdbool.h>

/* Columns: COLUMNS, else what the terminal says, else 80. At least 20. */
int mlv_term_width(int fd);

/* A terminal that shows colour, and nobody objects (NO_COLOR, TERM=dumb). */
bool mlv_term_color(int fd);

/* Whether the locale's encoding is UTF-8 (LC_ALL, else LC_CTYPE, else LANG). */
bool mlv_term_utf8(void);

#endif
