/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_ANNOTATIONS_H
#define MLV_REPORT_ANNOTATIONS_H
/* Annotations (record_function, optimizer steps), counted by name. */
#include "base/buf.h"
#include "base/json_write.h"
#include "model/run.h"

struct mlv_annotation {
	struct mlv_str name; /* of the run */
	uint64_t count, open, begun_before;
};

struct mlv_annotations {
	struct mlv_annotation *list; /* one a name, the most frequent first */
	size_t count;
	uint64_t total;
};

/* Of one device's track, or with MLV_TRACK_NONE of the whole run. MLV_E_NOMEM only. */
enum mlv_rc mlv_annotations_init(struct mlv_annotations *a, const struct mlv_run *run,
				 mlv_trackid device, struct mlv_err *err);
void mlv_annotations_fini(struct mlv_annotations *a);

void mlv_annotations_text(const struct mlv_annotations *a, struct mlv_buf *out);
/* The key "annotations" with an array of {name, count, open, begun_before}. */
void mlv_annotations_json(const struct mlv_annotations *a, struct mlv_json *j);

#endif
