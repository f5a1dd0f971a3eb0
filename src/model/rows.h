/* SPDX-License-Identifier: MIT */
#ifndef MLV_MODEL_ROWS_H
#define MLV_MODEL_ROWS_H
/*
 * Rows of the tables that reports other than snapshots fill: spans with their
 * attributes, process groups, samples, metrics, findings, and the sections
 * of a file in which they were found. `line` is 1-based, 0 = not a text.
 */
#include <stdbool.h>
#include <stdint.h>

#include "model/decimal.h"
#include "model/stack.h"

#define MLV_NO_TIME INT64_MIN
#define MLV_NO_STEP INT32_MIN

typedef struct {
	uint32_t i;
} mlv_trackid;

#define MLV_TRACK_NONE ((mlv_trackid){ UINT32_MAX })

/* A typed key and value beside a row: sequence ids, shapes, errno, path, correlation. */
struct mlv_attr {
	mlv_strid key;
	mlv_strid text; /* when is_text */
	int64_t number; /* otherwise */
	bool is_text;
};

/* A range of the run's attributes. */
struct mlv_attrs {
	uint32_t first, count;
};

/* An interval on a track. */
struct mlv_span {
	int64_t start_ns; /* MLV_NO_TIME: began before the recording */
	int64_t end_ns;   /* MLV_NO_TIME: not ended */
	mlv_trackid track;
	mlv_strid name;
	mlv_strid category; /* "cpu_op", "kernel", "syscall", "collective", "annotation" */
	mlv_strid status;   /* "completed", "ENOENT"; empty: nothing to say */
	mlv_stackid stack;
	uint32_t line : 31;
	bool instant : 1; /* only when it happened was recorded: end_ns says no more than start_ns
			   */
	int64_t bytes;    /* moved or asked for; -1: none */
	struct mlv_attrs attrs;
};

/* A process group as one rank sees it. */
struct mlv_group {
	mlv_strid name, description;
	mlv_strid members; /* global ranks as "0,1,2"; empty: unknown */
	uint32_t member_count;
	int64_t last_enqueued, last_started,
		last_completed; /* collective sequence numbers; -1: none or unknown */
	bool has_status;        /* those three were stated */
};

/* The value of a metric at a moment. */
struct mlv_sample {
	int64_t time_ns; /* MLV_NO_TIME: only its order, step or phase is known */
	mlv_trackid track;
	mlv_strid metric;
	mlv_strid phase; /* "forward", "before backward"; empty: none */
	int32_t step;    /* MLV_NO_STEP: none */
	uint32_t line;
	struct mlv_decimal value;
};

/* One value for a subject: a cell of a table. */
struct mlv_metric {
	uint32_t section; /* the table it stands in */
	uint32_t row;     /* of that table; subjects may repeat */
	mlv_strid subject;
	mlv_strid metric;
	uint32_t line;
	struct mlv_decimal value;
};

enum mlv_finding_severity { MLV_FINDING_NOTE, MLV_FINDING_WARNING, MLV_FINDING_ERROR };

/* What a report itself states: an error, a detection, a verdict of another tool. */
struct mlv_finding {
	enum mlv_finding_severity severity;
	mlv_strid code; /* "cuda-oom", "nccl-watchdog-timeout", "traceback" */
	mlv_strid text; /* the statement, one line */
	mlv_strid file; /* of the program's source, where it names one */
	uint32_t file_line;
	uint32_t line, last_line; /* in the report */
	int64_t rank;             /* -1: unknown */
	mlv_stackid stack;        /* innermost first, as everywhere */
	struct mlv_attrs attrs;   /* the numbers in it */
};

/* A part of a file that one recogniser read: a table, a report, a run of log lines of a kind. */
struct mlv_section {
	const char *format; /* static: name of the recogniser or parser */
	mlv_strid title;    /* "10 rows sorted by self CUDA time"; empty: none */
	uint32_t line, last_line;
	int64_t rank;     /* -1: unknown */
	uint64_t rows;    /* lines of a table; figures of a report that states one at a time */
	const char *noun; /* static: what a row is that is no line of a table; NULL: a finding */
};

#endif
