/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_DISTRIBUTED_NCCL_WATCHDOG_H
#define MLV_PARSERS_DISTRIBUTED_NCCL_WATCHDOG_H
/*
 * What the files of the watchdog reader share: the texts by which the
 * watchdog of PyTorch's process groups says that a collective hung, on which
 * rank, and what it thinks of it. Sources: ProcessGroupNCCL.cpp, TraceUtils.h
 * and DebugInfoWriter of PyTorch 1.11 to 2.13, and the forks for other
 * libraries, which keep the wording.
 */
#include "base/buf.h"
#include "base/map.h"
#include "parsers/text/scan.h"
#include "parsers/text/text.h"

enum { MLV_NCCL_FRAMES = 256, MLV_NCCL_TEXT = 64 * 1024 };

/* Whose statement it is, by what stands before it. */
struct mlv_nccl_who {
	int64_t rank;       /* global; -1 unknown */
	int64_t group_rank; /* within the process group; -1 */
	int64_t pg_id;      /* the process's own number of the group; -1 */
	struct mlv_str group, description, logged_at;
};

/* A desync report, which goes over several lines. */
struct mlv_nccl_desync {
	bool open;
	uint32_t first, last; /* lines */
	int64_t rank, seq, lag_seq;
	mlv_strid op;
	struct mlv_buf text, lagging, unfinished, unjoined, never, snapshot;
	bool started; /* the snapshot tells who has started #state_seq, else who has finished it */
	int64_t state_seq;
};

/* The frames below "Stack trace of the failed collective". */
struct mlv_nccl_frames {
	bool open;
	uint32_t finding, last; /* row, line */
	int64_t number;         /* of the last frame */
	size_t count;
	mlv_frameid ids[MLV_NCCL_FRAMES];
};

/* The state for the lines of one rank. */
struct mlv_nccl {
	int64_t rank; /* that the last line named; meaningful if has_rank */
	bool has_rank;
	uint32_t section;    /* + 1; 0 none yet */
	struct mlv_map told; /* hash of a statement -> its row of findings */
	struct mlv_nccl_desync desync;
	struct mlv_nccl_frames frames;
};

/* nccl_watchdog.c: help for the others. */

/*
 * Add a finding, whose attributes were added since `begin` (the first one is
 * "count"), or count it at the one that says the same of the same rank.
 * *row: of findings; may be NULL.
 */
enum mlv_rc mlv_nccl_tell(struct mlv_nccl *n, struct mlv_text *t, struct mlv_finding f,
			  const char *code, struct mlv_str text, uint32_t begin, uint32_t *row,
			  struct mlv_err *err);
/* The section of this state, grown to this line. */
enum mlv_rc mlv_nccl_section(struct mlv_nccl *n, struct mlv_text *t, uint32_t line, uint64_t rows,
			     struct mlv_err *err);

/* nccl_statement.c: statements that stand on one line. */
enum mlv_rc mlv_nccl_statements(struct mlv_nccl *n, struct mlv_text *t, const struct mlv_line *line,
				bool *taken, struct mlv_err *err);

/* nccl_who.c: what stands before a statement at `at` of the whole line. */
struct mlv_nccl_who mlv_nccl_who(struct mlv_nccl *n, const struct mlv_text *t,
				 const struct mlv_line *line, struct mlv_str before);

/* nccl_desync.c */
enum mlv_rc mlv_nccl_desync_line(struct mlv_nccl *n, struct mlv_text *t,
				 const struct mlv_line *line, bool *taken, struct mlv_err *err);
enum mlv_rc mlv_nccl_desync_close(struct mlv_nccl *n, struct mlv_text *t, struct mlv_err *err);
void mlv_nccl_desync_fini(struct mlv_nccl_desync *d);

/* nccl_frames.c */
enum mlv_rc mlv_nccl_frames_begin(struct mlv_nccl *n, struct mlv_text *t,
				  const struct mlv_line *line, const struct mlv_nccl_who *who,
				  struct mlv_err *err);
enum mlv_rc mlv_nccl_frames_line(struct mlv_nccl *n, struct mlv_text *t,
				 const struct mlv_line *line, bool *taken, struct mlv_err *err);
enum mlv_rc mlv_nccl_frames_close(struct mlv_nccl *n, struct mlv_text *t, struct mlv_err *err);

#endif
