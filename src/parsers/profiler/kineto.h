/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_PROFILER_KINETO_H
#define MLV_PARSERS_PROFILER_KINETO_H
/*
 * The parts of the Kineto parser, for each other: kineto.c walks the
 * document, kineto_event.c reads one event into a struct, kineto_spans.c and
 * kineto_memory.c make rows of it, kineto_lanes.c knows where it happened,
 * kineto_about.c reads what stands around the events. Only one event is held
 * at a time; memory follows the rows.
 */
#include "base/json_read.h"
#include "parsers/budget.h"

/* A pid or tid: a number, or a name ("Spans", "CPU functions"). */
struct kineto_id {
	int64_t number; /* of a name: below every number that a system gives */
	mlv_strid name;
	bool is_name;
};

/* What is kept of "args", by the names that Kineto gives. */
enum kineto_arg {
	ARG_CORRELATION,
	ARG_EXTERNAL_ID,
	ARG_STREAM,
	ARG_DEVICE,
	ARG_IN_ELEMS,
	ARG_OUT_ELEMS,
	ARG_SEQ,
	ARG_SHOWN_NUMBERS, /* those before become attributes under their own names */
	ARG_BYTES = ARG_SHOWN_NUMBERS,
	ARG_SIZE,
	ARG_DEVICE_TYPE,
	ARG_DEVICE_ID,
	ARG_ADDRESS,
	ARG_ALLOCATED,
	ARG_RESERVED,
	ARG_NUMBERS,
	ARG_COLLECTIVE = ARG_NUMBERS,
	ARG_GROUP,
	ARG_DTYPE,
	ARG_SHOWN_TEXTS,
	ARG_NAME = ARG_SHOWN_TEXTS,
	ARGS,
	ARG_OTHER = ARGS,
};

enum { HAS_TIME = 1 << ARGS, HAS_DURATION = 1 << (ARGS + 1), HAS_TID = 1 << (ARGS + 2) };

struct kineto_event {
	uint32_t has; /* 1 << enum kineto_arg, and HAS_… */
	char phase;   /* "ph"; 0: none */
	mlv_strid name, category;
	struct kineto_id pid, tid;
	int64_t ts, duration; /* ns */
	int64_t numbers[ARG_NUMBERS];
	mlv_strid texts[ARGS - ARG_NUMBERS];
};

/* A value of a counter. */
struct kineto_value {
	mlv_strid series;
	struct mlv_decimal value;
};

struct kineto_category {
	mlv_strid name; /* lower case, the modern word */
	bool device;    /* its events happen on a device: pid is the device, tid the stream */
	bool host;      /* never */
};

/* One [memory] or [OutOfMemory]. */
struct kineto_memory {
	int64_t ts, bytes, allocated, reserved; /* -1: not stated */
	uint64_t address;
	int64_t device; /* -1: host */
	int64_t pid;
	uint32_t order;
	bool oom;
};

/* "process_name", "thread_name". */
struct kineto_name {
	int64_t pid, tid;
	mlv_strid name;
	uint32_t order;
	bool thread;
};

/* A begun event that waits for its end: they nest on their track. */
struct kineto_open {
	uint32_t span, below; /* index + 1 of the one around it; 0 = none */
};

struct kineto_lane {
	struct kineto_id pid, tid;
	mlv_trackid track;
	bool known;
};

struct kineto {
	struct mlv_run *run;
	const struct mlv_limits *limits;
	struct mlv_json_reader *json;
	struct mlv_json_token token;
	struct mlv_budget budget;
	int64_t base;     /* ns, added to every time at the end */
	bool has_events;  /* a list of events was found */
	bool bare;        /* the document is that list */
	uint64_t events;  /* that were read */
	uint64_t skipped; /* that could not be */
	uint64_t flows, others, unmatched;
	mlv_strid keys[ARGS]; /* of attributes */
	mlv_strid memory, out_of_memory, process_name, thread_name, instant;
	mlv_strid cpu_functions, cuda_functions; /* "pid" of the oldest exports */
	MLV_VEC(struct kineto_category) categories;
	struct mlv_map category_ids; /* name as written -> row */
	mlv_strid last_category;
	uint32_t last_row;
	struct kineto_lane lanes[2]; /* the last ones of hosts and devices */
	MLV_VEC(struct kineto_value) values;
	MLV_VEC(struct kineto_memory) memories;
	MLV_VEC(struct kineto_name) names;
	MLV_VEC(struct kineto_open) opens;
	struct mlv_map open_tops; /* track -> index of its innermost */
};

/* kineto_event.c: behind the '{' of an event, up to its end. */
enum mlv_rc mlv_kineto_event(struct kineto *k, struct kineto_event *e, struct mlv_err *err);
/* The next token; MLV_OK and kind END at the end of the document. */
static inline enum mlv_rc mlv_kineto_next(struct kineto *k, struct mlv_err *err)
{
	return mlv_json_next(k->json, &k->token, err);
}
/* Past the value whose first token is the current one. */
enum mlv_rc mlv_kineto_skip(struct kineto *k, struct mlv_err *err);
/* Microseconds as ns, exactly; further digits are rounded. False if it is no time. */
bool mlv_kineto_time(struct mlv_str s, int64_t *ns);

/* kineto_spans.c: all other events; *taken is false for one that lacks what its phase needs. */
enum mlv_rc mlv_kineto_take(struct kineto *k, const struct kineto_event *e, bool *taken,
			    struct mlv_err *err);

/* kineto_lanes.c */
bool mlv_kineto_category(struct kineto *k, mlv_strid written, const struct kineto_category **c);
bool mlv_kineto_lane(struct kineto *k, const struct kineto_event *e,
		     const struct kineto_category *c, mlv_trackid *track);
bool mlv_kineto_add_name(struct kineto *k, const struct kineto_event *e);
void mlv_kineto_name_tracks(struct kineto *k);

/* kineto_memory.c */
bool mlv_kineto_add_memory(struct kineto *k, const struct kineto_event *e);
enum mlv_rc mlv_kineto_memory_rows(struct kineto *k, struct mlv_err *err);

/* kineto_about.c: the value of a key beside "traceEvents", whose first token is the current one. */
enum mlv_rc mlv_kineto_about(struct kineto *k, const char *key, struct mlv_err *err);

#endif
