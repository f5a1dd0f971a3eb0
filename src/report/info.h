/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_INFO_H
#define MLV_REPORT_INFO_H
/*
 * What `mlviz info` says of an input: what it is, what is in it, what is
 * missing and what that means. The facts are gathered once; text and JSON
 * print the same ones.
 */
#include "analysis/memory_facts.h"
#include "base/buf.h"
#include "base/json_write.h"
#include "replay/counters.h"
#include "report/annotations.h"

struct mlv_info {
	const struct mlv_run *run; /* borrowed */
	const char *stored;        /* "zstd", "gzip" or "" */
	uint64_t stored_bytes;
	struct mlv_memory_facts *devices;
	struct mlv_counters *counters; /* of each device: what a replay adds */
	size_t device_count;
	struct mlv_annotations annotations;
	struct mlv_diags checks; /* contradictions inside the file */
};

/* `device` selects one ordinal, -1 all. MLV_E_USAGE if there is no such device. */
enum mlv_rc mlv_info_init(struct mlv_info *info, const struct mlv_run *run, int64_t device,
			  struct mlv_err *err);
void mlv_info_fini(struct mlv_info *info);

void mlv_info_text(const struct mlv_info *info, struct mlv_buf *out);
/* One element of "files". */
void mlv_info_json(const struct mlv_info *info, struct mlv_json *j);

/* The error for a device that an input does not hold, naming those that it does. */
enum mlv_rc mlv_no_device(const struct mlv_run *run, int64_t device, struct mlv_err *err);

/*
 * Why a history does not begin with an empty allocator, in words, or what its
 * completeness means. Used wherever a figure depends on it.
 */
void mlv_history_in_words(const struct mlv_history *h, char *buf, size_t size);

#endif
