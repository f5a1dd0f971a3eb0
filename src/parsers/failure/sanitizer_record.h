/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_FAILURE_SANITIZER_RECORD_H
#define MLV_PARSERS_FAILURE_SANITIZER_RECORD_H
/*
 * A record of compute-sanitizer while its lines arrive, and the finding that
 * it becomes: the statement, the place, and the host's frames as stack.
 */
#include "parsers/failure/sanitizer_line.h"
#include "parsers/text/text.h"

#define MLV_SANITIZER "compute-sanitizer"

enum { MLV_SANITIZER_FRAMES = 256, MLV_SANITIZER_TEXT = 2000 };

struct mlv_sanitizer_record {
	enum mlv_sanitizer_code code;
	bool open; /* its details may follow */
	bool warning, placed;
	char text[MLV_SANITIZER_TEXT];
	size_t text_n;
	mlv_strid kernel, offset, file, address, thread, block, nearest, error, api, other;
	uint32_t file_line, first_line, last_line;
	int64_t size, number, hazards;
	mlv_frameid frames[MLV_SANITIZER_FRAMES];
	size_t device_frames, frame_count; /* those of the device come first */
};

/* The first line of a record. *record is allocated if it is NULL, for the caller to free. */
enum mlv_rc mlv_sanitizer_open(struct mlv_sanitizer_record **record, struct mlv_text *t,
			       const struct mlv_sanitizer_head *h, uint32_t line,
			       struct mlv_err *err);
/* A line below it; unknown ones are passed over. */
enum mlv_rc mlv_sanitizer_detail(struct mlv_sanitizer_record *r, struct mlv_text *t,
				 struct mlv_str line, struct mlv_err *err);
/* Its end, if it is open; r may be NULL. */
enum mlv_rc mlv_sanitizer_close(struct mlv_sanitizer_record *r, struct mlv_text *t,
				uint32_t *section, struct mlv_err *err);

#endif
