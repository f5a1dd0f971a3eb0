/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_DISTRIBUTED_FR_BUILD_H
#define MLV_PARSERS_DISTRIBUTED_FR_BUILD_H
/*
 * What the files of the flight-recorder parser share: the vocabulary of a
 * dump and the state while one is read. Sources: PyTorch's
 * torch/csrc/distributed/c10d/FlightRecorderDetail.hpp (TraceUtils.h before
 * 2.6) and its forks for other communication libraries; docs/formats.md lists
 * the variants by version.
 */
#include "base/buf.h"
#include "model/run.h"
#include "parsers/parser.h"
#include "parsers/document/values.h"

/*
 * The known words are interned first, in this order, so that a key's string id
 * is its number here. Keys of a span's attributes are among them.
 */
#define MLV_FR_WORDS(X)                                                                            \
	X(RECORD_ID, "record_id")                                                                  \
	X(PG_ID, "pg_id")                                                                          \
	X(PROCESS_GROUP, "process_group")                                                          \
	X(THREAD_NAME, "thread_name")                                                              \
	X(COLLECTIVE_SEQ_ID, "collective_seq_id")                                                  \
	X(SEQ_ID, "seq_id")                                                                        \
	X(P2P_SEQ_ID, "p2p_seq_id")                                                                \
	X(OP_ID, "op_id")                                                                          \
	X(PROFILING_NAME, "profiling_name")                                                        \
	X(TIME_CREATED_NS, "time_created_ns")                                                      \
	X(TIME_CREATED_US, "time_created_us")                                                      \
	X(STARTED_NS, "time_discovered_started_ns")                                                \
	X(COMPLETED_NS, "time_discovered_completed_ns")                                            \
	X(DURATION_MS, "duration_ms")                                                              \
	X(INPUT_SIZES, "input_sizes")                                                              \
	X(OUTPUT_SIZES, "output_sizes")                                                            \
	X(INPUT_DTYPES, "input_dtypes")                                                            \
	X(OUTPUT_DTYPES, "output_dtypes")                                                          \
	X(STATE, "state")                                                                          \
	X(RETIRED, "retired")                                                                      \
	X(TIMEOUT_MS, "timeout_ms")                                                                \
	X(IS_P2P, "is_p2p")                                                                        \
	X(FRAMES, "frames")                                                                        \
	X(NAME, "name")                                                                            \
	X(FILENAME, "filename")                                                                    \
	X(LINE, "line")                                                                            \
	X(ENTRIES, "entries")                                                                      \
	X(PG_CONFIG, "pg_config")                                                                  \
	X(PG_STATUS, "pg_status")                                                                  \
	X(VERSION, "version")                                                                      \
	X(NCCL_VERSION, "nccl_version")                                                            \
	X(COMM_LIB_VERSION, "comm_lib_version")                                                    \
	X(DESC, "desc")                                                                            \
	X(RANKS, "ranks")                                                                          \
	X(LAST_ENQUEUED, "last_enqueued_collective")                                               \
	X(LAST_STARTED, "last_started_collective")                                                 \
	X(LAST_COMPLETED, "last_completed_collective")                                             \
	X(BACKEND, "backend")                                                                      \
	X(GROUP_DESCRIPTION, "group_description")                                                  \
	X(COLLECTIVE, "collective")                                                                \
	X(P2P, "p2p")                                                                              \
	X(COALESCED, "coalesced")

enum mlv_fr_word {
	W_EMPTY, /* the interner's id 0 */
#define X(id, text) W_##id,
	MLV_FR_WORDS(X)
#undef X
		W_COUNT,
};

/* Dicts and lists become these once they were read: many entries share them. */
enum {
	OBJ_FRAME = MLV_OBJ_HOOK,     /* ref: mlv_frameid */
	OBJ_STACK = MLV_OBJ_HOOK + 1, /* ref: mlv_stackid */
	OBJ_SPENT = MLV_OBJ_HOOK + 2, /* an entry that has its span */
};

struct mlv_fr {
	struct mlv_run *run;
	const struct mlv_limits *limits;
	struct mlv_values values;
	mlv_trackid rank;
	struct mlv_map group_rows;     /* name -> row of groups */
	struct mlv_map pg_rows;        /* pg_id, the process's own number -> row of groups */
	bool cut;                      /* the input ended within the entries */
	uint64_t work;                 /* how many values may still be looked at */
	MLV_VEC(mlv_frameid) frames;   /* scratch: one stack */
	MLV_VEC(int64_t) input_numels; /* scratch: elements of each input tensor; -1 unknown */
	struct mlv_buf text;           /* scratch */
};

/* fr_entries.c: "entries" into spans. */
enum mlv_rc mlv_fr_read_entries(struct mlv_fr *f, mlv_word entries, struct mlv_err *err);

/* fr_frames.c: the stack of "frames", innermost first as in the file. False when memory runs out.
 */
bool mlv_fr_stack(struct mlv_fr *f, mlv_word frames, mlv_stackid *stack);

/* fr_tensors.c: shapes and dtypes of one entry as attributes, and the bytes that went in; -1
 * unknown. */
enum mlv_rc mlv_fr_tensors(struct mlv_fr *f, const mlv_word *fields, int64_t *bytes,
			   struct mlv_err *err);

/* fr_groups.c: "pg_config" into groups, and "pg_status" into them. */
enum mlv_rc mlv_fr_read_config(struct mlv_fr *f, mlv_word config, struct mlv_err *err);
enum mlv_rc mlv_fr_read_status(struct mlv_fr *f, mlv_word status, struct mlv_err *err);
/* The row of the group of that name, which is added if it is new. */
enum mlv_rc mlv_fr_group(struct mlv_fr *f, mlv_strid name, mlv_strid desc, uint32_t *row,
			 struct mlv_err *err);

/* fr_dump.c: help for the others. */

/* The values of the known keys of a stored dict; MLV_W_UNSET for those it lacks. */
void mlv_fr_fields(struct mlv_fr *f, mlv_word dict, mlv_word fields[W_COUNT]);
/* An integer, however it was written: as a number, a bool, or digits in a text. */
bool mlv_fr_int(const struct mlv_fr *f, mlv_word w, int64_t *n);

/*
 * A file may refer to one list from a million places, so what is read again
 * for each reference is paid from an account that honest files never empty.
 * False when it is empty.
 */
static inline bool mlv_fr_work(struct mlv_fr *f, uint64_t steps)
{
	if (f->work < steps) {
		f->work = 0;
		return false;
	}
	f->work -= steps;
	return true;
}

static inline bool mlv_fr_is_list(const struct mlv_fr *f, mlv_word w)
{
	return mlv_word_is_obj(&f->values, w, MLV_OBJ_LIST) ||
	       mlv_word_is_obj(&f->values, w, MLV_OBJ_TUPLE);
}

/* An attribute whose key is a known word. */
static inline bool mlv_fr_attr_int(struct mlv_fr *f, enum mlv_fr_word key, int64_t number)
{
	return mlv_run_attr_int_id(f->run, (mlv_strid){ key }, number);
}

static inline bool mlv_fr_attr_text(struct mlv_fr *f, enum mlv_fr_word key, mlv_strid text)
{
	return mlv_run_attr_text_id(f->run, (mlv_strid){ key }, text);
}

#endif
