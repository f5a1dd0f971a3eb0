/* SPDX-License-Identifier: MIT */
#ifndef MLV_BASE_XML_WRITE_H
#define MLV_BASE_XML_WRITE_H
/*
 * Text as XML 1.0 may hold it, between tags and within quoted attributes
 * alike. What comes from a report may be any bytes: markup is escaped; what
 * XML has no place for (control characters, invalid UTF-8), and marks that
 * reorder text, become U+FFFD, so that a reader sees that something is there.
 */
#include "base/buf.h"

/* `lines`: line feeds stay, which between tags they may; else, like tabs, they become blanks. */
void mlv_xml_str(struct mlv_buf *b, struct mlv_str s, bool lines);

/* ` name="value"` */
void mlv_xml_attribute(struct mlv_buf *b, const char *name, struct mlv_str value);

#endif
