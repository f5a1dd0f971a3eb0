/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_MEMORY_MEMORY_TIMELINE_H
#define MLV_PARSERS_MEMORY_MEMORY_TIMELINE_H
/* Which of the two forms of export_memory_timeline() a file is: private to memory_timeline.c. */
#include "parsers/parser.h"

enum mlv_timeline_form { MLV_TIMELINE_NONE, MLV_TIMELINE_EVENTS, MLV_TIMELINE_SUMS };

/* Categories of memory, and the time of what existed before the recording. */
enum { MLV_TIMELINE_CATEGORIES = 8, MLV_TIMELINE_PREEXISTING = -1 };

/* By the first bytes. */
enum mlv_timeline_form mlv_timeline_form(struct mlv_bytes head);

#endif
