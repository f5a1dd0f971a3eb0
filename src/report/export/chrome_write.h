/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_EXPORT_CHROME_WRITE_H
#define MLV_REPORT_EXPORT_CHROME_WRITE_H
/* What the files of the Chrome exporter share: the output, and one run's place in it. */
#include "base/json_write.h"
#include "report/export/export.h"

struct mlv_chrome {
	const struct mlv_sink *sink;
	struct mlv_buf out; /* drained as it fills */
	bool any;           /* an event stands before the next one */
	uint32_t pids;      /* given so far */
	uint64_t events;
};

/* A run while it is written. */
struct mlv_chrome_run {
	struct mlv_chrome *c;
	const struct mlv_run *run;
	char label[300];  /* before the names of its processes; empty where there is one run */
	int64_t zero;     /* what time 0 is; MLV_NO_TIME: it has none */
	uint32_t *pid;    /* of each track: that of its process or device; 0: none yet */
	uint32_t whole;   /* of what belongs to no track; 0: none yet */
	uint64_t untimed; /* spans that could not be placed */
};

/* Begin an event: `j` is an open object with ph, pid, tid and ts. tid < 0: none. */
void mlv_chrome_begin(struct mlv_chrome *c, struct mlv_json *j, const char *ph, uint32_t pid,
		      int64_t tid, int64_t ns);
/* Close it, and let go what has gathered. */
enum mlv_rc mlv_chrome_end(struct mlv_chrome *c, struct mlv_json *j, struct mlv_err *err);

/* Nanoseconds as microseconds with their fraction. */
void mlv_chrome_ts(struct mlv_buf *b, int64_t ns);
/* A recorded time as one of the file. */
int64_t mlv_chrome_time(const struct mlv_chrome_run *r, int64_t time_ns);

/* The process that a track belongs to; its name is written the first time. MLV_TRACK_NONE: the run.
 */
enum mlv_rc mlv_chrome_pid(struct mlv_chrome_run *r, mlv_trackid track, uint32_t *pid,
			   struct mlv_err *err);

enum mlv_rc mlv_chrome_memory(struct mlv_chrome_run *r, struct mlv_err *err);
enum mlv_rc mlv_chrome_spans(struct mlv_chrome_run *r, struct mlv_err *err);
enum mlv_rc mlv_chrome_samples(struct mlv_chrome_run *r, struct mlv_err *err);

#endif
