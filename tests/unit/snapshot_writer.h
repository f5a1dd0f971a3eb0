/* SPDX-License-Identifier: MIT */
#ifndef MLV_UNIT_SNAPSHOT_WRITER_H
#define MLV_UNIT_SNAPSHOT_WRITER_H
/*
 * Snapshots made for tests: described by tables, or recorded from a small
 * caching allocator that runs a random program, and written as any writer
 * would: pickle protocols 0, 1, 2 (as PyTorch's C++ writer), 4 and 5 (as
 * Python), or JSON. Everything that is not there is left out of the file.
 */
#include "base/buf.h"
#include "base/limits.h"
#include "base/vec.h"
#include "model/run.h"

#define SNAP_NONE INT64_MIN /* no such key */

struct snap_stack {
	int frames[8]; /* function f<n> in line 10 + n of one of a few files */
	int count;
};

struct snap_event {
	const char *action;
	uint64_t addr, size;
	int64_t stream;       /* SNAP_NONE */
	int64_t time_us;      /* SNAP_NONE */
	int stack;            /* row of stacks; -1 none */
	const char *context;  /* NULL none */
	const char *metadata; /* NULL none */
	int pool;             /* (pool, 2 * pool); -1 none */
	bool odd;             /* has keys that nobody knows */
};

struct snap_block {
	uint64_t addr, size, requested;
	const char *state;
	int stack;
};

struct snap_segment {
	int device;
	uint64_t addr, size, allocated, active, requested;
	int64_t stream;
	int pool;
	bool small, expandable;
	int stack;
	size_t first_block, blocks;
};

struct snap_annotation {
	const char *stage, *name;
	int64_t device, time_us;
};

typedef MLV_VEC(struct snap_event) snap_events;

enum { SNAP_DEVICES = 4 };

struct snap {
	MLV_VEC(struct snap_stack) stacks;
	snap_events traces[SNAP_DEVICES];
	int devices; /* traces in the file */
	MLV_VEC(struct snap_segment) segments;
	MLV_VEC(struct snap_block) blocks;
	MLV_VEC(struct snap_annotation) annotations;
	bool settings, only_segments, history; /* history: blocks as PyTorch 2.0 wrote them */
};

void snap_fini(struct snap *s);
void snap_event(struct snap *s, int device, struct snap_event e);
/* An event of stream 0 without time, stack and other keys. */
struct snap_event snap_plain(const char *action, uint64_t addr, uint64_t size);

/* What a random program may do. */
struct snap_program {
	uint64_t seed;
	unsigned steps;
	int devices, streams, pools;
	bool times, stacks, contexts, pending, empty_cache, expandable, oom, odd, annotations;
};

void snap_record(struct snap *s, const struct snap_program *program);
/* As a ring buffer that held the last `keep` events of each device. */
void snap_keep_last(struct snap *s, size_t keep);

enum snap_form { SNAP_P0, SNAP_P1, SNAP_CPP, SNAP_P4, SNAP_P5, SNAP_JSON, SNAP_FORMS };

struct snap_style {
	enum snap_form form;
	unsigned batch;   /* items of one APPENDS or SETITEMS of Python's pickler; 0 = 1000 */
	uint64_t shuffle; /* seed for another order of keys; 0 = as PyTorch */
	bool unshared;    /* each reference is written out again */
};

void snap_write(const struct snap *s, struct snap_style style, struct mlv_buf *out);
void snap_gzip(const struct mlv_buf *in, struct mlv_buf *out);
void snap_zstd(const struct mlv_buf *in, struct mlv_buf *out);

/* Parse; the run is the caller's when it returns MLV_OK. `err` may be NULL. */
enum mlv_rc snap_read(struct mlv_run *run, const struct mlv_buf *bytes, size_t chunk,
		      const struct mlv_limits *limits, struct mlv_err *err);

/* What differs between two models, by content; NULL if nothing does. */
const char *snap_differs(const struct mlv_run *a, const struct mlv_run *b);

/* The diagnostic with this code, or NULL. */
const struct mlv_diag *snap_diag(const struct mlv_diags *diags, const char *code);

#endif
