/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_SNAPSHOT_SNAPSHOT_BUILD_H
#define MLV_PARSERS_SNAPSHOT_SNAPSHOT_BUILD_H
/*
 * What the files of the snapshot parser share: the vocabulary of a PyTorch
 * memory snapshot and the state while one is read. Sources: PyTorch's
 * torch/csrc/cuda/memory_snapshot.cpp, torch/csrc/cuda/Module.cpp and
 * torch/cuda/_memory_viz.py; docs/formats.md lists the variants by version.
 */
#include "model/run.h"
#include "parsers/parser.h"
#include "parsers/document/values.h"

/*
 * The known words are interned first, in this order, so that a key's string id
 * is its number here and a dict is decoded by a switch. The actions stand in
 * the order of enum mlv_mem_action.
 */
#define MLV_SNAPSHOT_WORDS(X)                                                                      \
	X(ALLOC, "alloc")                                                                          \
	X(FREE_REQUESTED, "free_requested")                                                        \
	X(FREE_COMPLETED, "free_completed")                                                        \
	X(SEGMENT_ALLOC, "segment_alloc")                                                          \
	X(SEGMENT_FREE, "segment_free")                                                            \
	X(SEGMENT_MAP, "segment_map")                                                              \
	X(SEGMENT_UNMAP, "segment_unmap")                                                          \
	X(OOM, "oom")                                                                              \
	X(SNAPSHOT, "snapshot")                                                                    \
	X(FREE, "free")                                                                            \
	X(ACTION, "action")                                                                        \
	X(ADDR, "addr")                                                                            \
	X(SIZE, "size")                                                                            \
	X(STREAM, "stream")                                                                        \
	X(TIME_US, "time_us")                                                                      \
	X(COMPILE_CONTEXT, "compile_context")                                                      \
	X(USER_METADATA, "user_metadata")                                                          \
	X(POOL_ID, "pool_id")                                                                      \
	X(DEVICE_FREE, "device_free")                                                              \
	X(FRAMES, "frames")                                                                        \
	X(NAME, "name")                                                                            \
	X(FILENAME, "filename")                                                                    \
	X(LINE, "line")                                                                            \
	X(SEGMENTS, "segments")                                                                    \
	X(DEVICE_TRACES, "device_traces")                                                          \
	X(ALLOCATOR_SETTINGS, "allocator_settings")                                                \
	X(EXTERNAL_ANNOTATIONS, "external_annotations")                                            \
	X(DEVICE, "device")                                                                        \
	X(ADDRESS, "address")                                                                      \
	X(TOTAL_SIZE, "total_size")                                                                \
	X(ALLOCATED_SIZE, "allocated_size")                                                        \
	X(ACTIVE_SIZE, "active_size")                                                              \
	X(REQUESTED_SIZE, "requested_size")                                                        \
	X(SEGMENT_TYPE, "segment_type")                                                            \
	X(SEGMENT_POOL_ID, "segment_pool_id")                                                      \
	X(IS_EXPANDABLE, "is_expandable")                                                          \
	X(BLOCKS, "blocks")                                                                        \
	X(STATE, "state")                                                                          \
	X(HISTORY, "history")                                                                      \
	X(REAL_SIZE, "real_size")                                                                  \
	X(SMALL, "small")                                                                          \
	X(INACTIVE, "inactive")                                                                    \
	X(ACTIVE_ALLOCATED, "active_allocated")                                                    \
	X(ACTIVE_PENDING_FREE, "active_pending_free")                                              \
	X(ACTIVE_AWAITING_FREE, "active_awaiting_free")                                            \
	X(STAGE, "stage")                                                                          \
	X(START, "START")                                                                          \
	X(END, "END")                                                                              \
	X(SETTINGS, "settings")                                                                    \
	X(NOT_APPLICABLE, "N/A")

enum mlv_snapshot_word {
	W_EMPTY, /* the interner's id 0 */
#define X(id, text) W_##id,
	MLV_SNAPSHOT_WORDS(X)
#undef X
		W_COUNT,
};

/* Objects that the hooks take (even: dicts, odd: lists). */
enum {
	OBJ_EVENT = MLV_OBJ_HOOK,          /* ref: row of mem_events */
	OBJ_STACK = MLV_OBJ_HOOK + 1,      /* ref: mlv_stackid */
	OBJ_FRAME = MLV_OBJ_HOOK + 2,      /* ref: mlv_frameid */
	OBJ_TRACE = MLV_OBJ_HOOK + 3,      /* ref: row of traces */
	OBJ_USED_STACK = MLV_OBJ_HOOK + 5, /* a stack that some row refers to: it grows no more */
};

/* Rows first .. first + count, and the range that follows in the same trace. */
struct mlv_row_range {
	uint32_t first, count;
	uint32_t next; /* UINT32_MAX = last */
};

struct mlv_trace {
	uint32_t first_range, last_range;
	mlv_trackid device; /* of its rows' tracks; MLV_TRACK_NONE: of several devices */
	bool placed;        /* it is some device's trace */
	bool cut;           /* the input ended within it */
};

struct mlv_snapshot {
	struct mlv_run *run;
	const struct mlv_limits *limits; /* those of `values`, which keep references in range */
	struct mlv_values values;
	MLV_VEC(struct mlv_trace) traces;
	MLV_VEC(struct mlv_row_range) ranges;
	size_t unfinished; /* rows of events in which the input ended */
	/* The track of the last event, which is that of the next one as a rule. */
	struct {
		uint32_t device;
		int64_t stream;
		mlv_trackid track;
	} recent;
	MLV_VEC(mlv_frameid) frames; /* scratch: one stack */
	MLV_VEC(mlv_word) words;     /* scratch: a dict that came in parts */
};

/* snapshot_rows.c: hooks of the value machine, which turn dicts into rows. */
enum mlv_rc mlv_snapshot_take_dict(void *ctx, struct mlv_values *v, uint32_t obj,
				   const mlv_word *pairs, size_t words, bool *taken,
				   struct mlv_err *err);
enum mlv_rc mlv_snapshot_take_list(void *ctx, struct mlv_values *v, uint32_t obj,
				   const mlv_word *items, size_t words, bool *taken,
				   struct mlv_err *err);
/* snapshot_event.c: the pairs of an event's dict, all of them or one part. */
enum mlv_rc mlv_snapshot_take_event(struct mlv_snapshot *s, uint32_t obj, const mlv_word *pairs,
				    size_t words, struct mlv_err *err);

/* snapshot_stack.c: a frame's dict; a list of frames; and such a list that goes on. */
enum mlv_rc mlv_snapshot_take_frame(struct mlv_snapshot *s, uint32_t obj, const mlv_word *pairs,
				    size_t words, struct mlv_err *err);
enum mlv_rc mlv_snapshot_take_stack(struct mlv_snapshot *s, uint32_t obj, const mlv_word *items,
				    size_t words, struct mlv_err *err);
enum mlv_rc mlv_snapshot_unpack_stack(struct mlv_snapshot *s, uint32_t obj, struct mlv_err *err);

/* snapshot_place.c: give every event its device; `traces` is the value of "device_traces". */
enum mlv_rc mlv_snapshot_place_events(struct mlv_snapshot *s, mlv_word traces, struct mlv_err *err);

/* snapshot_heap.c: "segments" into segments and blocks, and the list of devices. */
enum mlv_rc mlv_snapshot_read_segments(struct mlv_snapshot *s, mlv_word segments,
				       struct mlv_err *err);
enum mlv_rc mlv_snapshot_list_devices(struct mlv_snapshot *s, struct mlv_err *err);

/* snapshot_extra.c: "allocator_settings" and "external_annotations". */
enum mlv_rc mlv_snapshot_read_settings(struct mlv_snapshot *s, mlv_word settings,
				       struct mlv_err *err);
enum mlv_rc mlv_snapshot_read_annotations(struct mlv_snapshot *s, mlv_word annotations,
					  struct mlv_err *err);

/* The stack of a "frames" value. False when memory runs out. */
bool mlv_snapshot_stack(struct mlv_snapshot *s, mlv_word frames, mlv_stackid *stack);

/* The two numbers of a pool id, given as tuple or list. */
bool mlv_snapshot_pool(struct mlv_snapshot *s, mlv_word id, uint16_t *pool, bool *known);

/*
 * A stored dict or list that was read is emptied: a file that refers to one
 * thing from a thousand places would otherwise have it read a thousand times.
 */
static inline void mlv_snapshot_spend(struct mlv_snapshot *s, mlv_word w)
{
	if (mlv_word_tag(w) == MLV_W_OBJ) {
		struct mlv_obj *o = &s->values.objs.data[mlv_word_payload(w)];
		if (o->kind < MLV_OBJ_HOOK)
			*o = (struct mlv_obj){ MLV_OBJ_TUPLE, 0 };
	}
}

/* The value of one known word in a stored dict. */
static inline mlv_word mlv_snapshot_get(const struct mlv_snapshot *s, mlv_word dict,
					enum mlv_snapshot_word word)
{
	return mlv_values_get(&s->values, dict, (mlv_strid){ word });
}

/* Ordinals of devices lie below. PyTorch counts them in 8 bits. */
enum { MLV_MAX_DEVICES = 1024 };

#endif
