/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_CI_MARKDOWN_H
#define MLV_REPORT_CI_MARKDOWN_H
/*
 * Text for GitHub flavoured Markdown. What a report says comes from files that
 * anybody wrote: it is shown as text, whatever it holds. No HTML, no link and
 * no mention comes of it, and no line of it ends a table.
 */
#include "base/buf.h"

/* In a paragraph, a heading, an item or a cell. */
void mlv_md_text(struct mlv_buf *out, const char *text);
/* The same as code, in as many backticks as it needs. */
void mlv_md_code(struct mlv_buf *out, const char *text);

#endif
