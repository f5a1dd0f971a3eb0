/* SPDX-License-Identifier: MIT */
#ifndef MLV_MODEL_RUN_H
#define MLV_MODEL_RUN_H
/*
 * The event model. Every format fills these tables and every analysis reads
 * them; nothing else passes between the two. Rows are small structs in
 * growable arrays, texts and stacks are ids. A run owns all it holds and is
 * immutable once its parser has finished it.
 *
 * Times are nanoseconds of the recording's own clock; MLV_NO_TIME where none
 * was recorded. What a byte count means is said at each field: requested is
 * what the program asked for, reserved what the allocator took from the
 * device.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/map.h"
#include "base/intern.h"
#include "model/rows.h"
#include "model/stack.h"

/* Where something happens: a tree of rank > device > stream and process > thread. */
enum mlv_track_kind {
	MLV_TRACK_DEVICE,
	MLV_TRACK_STREAM,
	MLV_TRACK_RANK,
	MLV_TRACK_GROUP, /* process group */
	MLV_TRACK_PROCESS,
	MLV_TRACK_THREAD,
	MLV_TRACK_HOST, /* the memory of a process, as the system sees it */
	MLV_TRACK_KINDS,
};

struct mlv_track {
	enum mlv_track_kind kind;
	mlv_trackid parent;
	int64_t number; /* device ordinal, stream handle, rank, pid, tid; -1: not known */
	mlv_strid name; /* empty: the number says it all */
};

enum mlv_mem_action {
	MLV_MEM_ALLOC,          /* bytes: requested */
	MLV_MEM_FREE_REQUESTED, /* bytes: requested; the program gave it back, a stream may still
				   use it */
	MLV_MEM_FREE_COMPLETED, /* bytes: requested; the allocator may use it again */
	MLV_MEM_SEGMENT_ALLOC,  /* bytes: reserved */
	MLV_MEM_SEGMENT_FREE,
	MLV_MEM_SEGMENT_MAP, /* of an expandable segment */
	MLV_MEM_SEGMENT_UNMAP,
	MLV_MEM_OOM,      /* bytes: rounded to the block; see mlv_oom_device_free */
	MLV_MEM_SNAPSHOT, /* an earlier snapshot was taken here */
	MLV_MEM_OTHER,    /* an action mlviz does not know; its name is in the note */
	MLV_MEM_ACTIONS,
};

/* What an event carries besides numbers: most rows share one of a few notes. */
struct mlv_note {
	mlv_strid action; /* of MLV_MEM_OTHER */
	mlv_strid compile_context;
	mlv_strid user_metadata;
};

typedef struct {
	uint32_t i;
} mlv_noteid;

#define MLV_NOTE_NONE ((mlv_noteid){ 0 })

enum { MLV_POOL_DEFAULT = 0, MLV_POOL_UNKNOWN = UINT16_MAX };

struct mlv_mem_event {
	int64_t time_ns;
	uint64_t addr;
	uint64_t bytes;
	mlv_stackid stack;
	mlv_trackid track; /* a stream of a device */
	mlv_noteid note;
	uint16_t pool;  /* row of pools, MLV_POOL_UNKNOWN where the recorder did not say */
	uint8_t action; /* enum mlv_mem_action */
	uint8_t unused;
};

/* What the device reported free when an MLV_MEM_OOM came. */
static inline uint64_t mlv_oom_device_free(const struct mlv_mem_event *e)
{
	return e->addr;
}

/* A private pool (CUDA graph, MemPool); row 0 is the default pool (0, 0). */
struct mlv_pool {
	int64_t owner, id;
};

struct mlv_segment {
	uint64_t addr;
	uint64_t bytes;           /* reserved */
	uint64_t allocated_bytes; /* as the file states them: rounded blocks */
	uint64_t active_bytes;
	uint64_t requested_bytes;
	mlv_trackid track; /* a stream of a device */
	mlv_stackid stack;
	uint32_t first_block, blocks; /* range in the table of blocks */
	uint16_t pool;
	bool small;
	bool expandable;
};

enum mlv_block_state {
	MLV_BLOCK_INACTIVE,
	MLV_BLOCK_ALLOCATED,
	MLV_BLOCK_PENDING_FREE, /* freed by the program, awaiting a stream */
};

struct mlv_block {
	uint64_t addr;
	uint64_t bytes;     /* rounded */
	uint64_t requested; /* stale in an inactive block */
	mlv_stackid stack;
	uint8_t state; /* enum mlv_block_state */
};

enum mlv_property_kind { MLV_PROP_INT, MLV_PROP_BOOL, MLV_PROP_TEXT, MLV_PROP_DECIMAL };

/* A typed key and value of the run; `key` may hold one '/' to name a member of a group. */
struct mlv_property {
	mlv_strid group; /* such as "settings" */
	mlv_strid key;
	enum mlv_property_kind kind;
	int64_t number; /* INT, BOOL */
	mlv_strid text; /* TEXT, DECIMAL (digits) */
};

/* What a run knows of one device: ranges of rows, which are grouped by device. */
/* What the bytes of a device's allocations are. */
enum mlv_bytes_are {
	MLV_BYTES_REQUESTED, /* what the program asked for */
	MLV_BYTES_ALLOCATED, /* the same, rounded to blocks by the allocator */
	MLV_BYTES_MAPPED,    /* ranges of addresses, as the system gave them */
};

struct mlv_device {
	uint32_t ordinal;
	mlv_trackid track; /* a device, or the memory of a process on the host */
	enum mlv_bytes_are bytes_are;
	/* In use before the first event by the recorder's own counter; 0 where it has none. */
	uint64_t before_bytes;
	size_t first_event, events;     /* in the order of recording */
	size_t first_segment, segments; /* ascending address */
	bool cut; /* the file ends within the trace: the final heap is of a later moment */
};

/*
 * What recorded a run, where that gives its tables a meaning that they have even while they are
 * empty. Analyses ask this, and never for the name of a format.
 */
enum mlv_recorder {
	MLV_RECORDER_OTHER,
	MLV_RECORDER_ALLOCATOR,   /* a caching allocator: spans are its user's annotations */
	MLV_RECORDER_COLLECTIVES, /* one rank's own record of its calls: spans are those */
};

struct mlv_run {
	const char *file;   /* as given; owned by the caller */
	const char *format; /* name of the parser, or of the only kind of report in a text */
	const char *title;  /* what people call it; static; NULL: as the format */
	enum mlv_recorder recorder;
	int64_t rank; /* -1: unknown */

	struct mlv_interner strings;
	struct mlv_stacks stacks;
	MLV_VEC(struct mlv_track) tracks;
	struct mlv_map track_ids;
	MLV_VEC(struct mlv_note) notes;
	struct mlv_map note_ids;
	MLV_VEC(struct mlv_pool) pools;
	struct mlv_map pool_ids;
	uint64_t secret; /* of the keys of these maps */
	MLV_VEC(struct mlv_device) devices;
	MLV_VEC(struct mlv_mem_event) mem_events;
	MLV_VEC(struct mlv_segment) segments;
	MLV_VEC(struct mlv_block) blocks;
	MLV_VEC(struct mlv_span) spans;
	MLV_VEC(struct mlv_attr) attrs;
	MLV_VEC(struct mlv_group) groups;
	MLV_VEC(struct mlv_sample) samples;
	MLV_VEC(struct mlv_metric) metrics;
	MLV_VEC(struct mlv_finding) findings;
	MLV_VEC(struct mlv_section) sections;
	MLV_VEC(struct mlv_property) properties;
	struct mlv_diags diags;
};

/* False when memory runs out. */
bool mlv_run_init(struct mlv_run *run, const char *file);
void mlv_run_fini(struct mlv_run *run);

/* Bytes that its tables take. While one of them grows, the old copy lies beside the new one. */
uint64_t mlv_run_bytes(const struct mlv_run *run);

/* Find or add. False when memory runs out. */
bool mlv_run_track(struct mlv_run *run, enum mlv_track_kind kind, mlv_trackid parent,
		   int64_t number, mlv_trackid *id);
bool mlv_run_pool(struct mlv_run *run, int64_t owner, int64_t id, uint16_t *index);
bool mlv_run_note(struct mlv_run *run, struct mlv_note note, mlv_noteid *id);

/* A track that has a name instead of, or beside, its number. */
bool mlv_run_named_track(struct mlv_run *run, enum mlv_track_kind kind, mlv_trackid parent,
			 int64_t number, struct mlv_str name, mlv_trackid *id);

/* Intern in the run. */
bool mlv_run_intern(struct mlv_run *run, struct mlv_str s, mlv_strid *id);

/*
 * Attributes are added for the row that is being built: begin, add, and keep
 * what mlv_run_attrs_end returns in the row.
 */
uint32_t mlv_run_attrs_begin(const struct mlv_run *run);
bool mlv_run_attr_text(struct mlv_run *run, const char *key, struct mlv_str text);
bool mlv_run_attr_int(struct mlv_run *run, const char *key, int64_t number);
/* The same with a key, and a text, that are interned already: for formats with millions of rows. */
bool mlv_run_attr_text_id(struct mlv_run *run, mlv_strid key, mlv_strid text);
bool mlv_run_attr_int_id(struct mlv_run *run, mlv_strid key, int64_t number);
struct mlv_attrs mlv_run_attrs_end(const struct mlv_run *run, uint32_t begin);
/* The attribute of that name; NULL if the row has none. */
const struct mlv_attr *mlv_run_attr(const struct mlv_run *run, struct mlv_attrs attrs,
				    const char *key);

/* Settings and facts of the run. */
bool mlv_run_property_text(struct mlv_run *run, const char *group, const char *key,
			   struct mlv_str text);
bool mlv_run_property_int(struct mlv_run *run, const char *group, const char *key, int64_t number);

/* Whether it began and did not end; in a recording without times only its status can tell. */
static inline bool mlv_run_span_open(const struct mlv_run *run, const struct mlv_span *s)
{
	return s->end_ns == MLV_NO_TIME &&
	       (s->start_ns != MLV_NO_TIME ||
		mlv_str_eq(mlv_str_get(&run->strings, s->status), MLV_STR("unfinished")));
}

/* to - from, held within int64: recorded times may be any number. */
static inline int64_t mlv_time_between(int64_t from, int64_t to)
{
	int64_t d;
	return __builtin_sub_overflow(to, from, &d) ? (to > from ? INT64_MAX : INT64_MIN) : d;
}

/* Whether it is known how long it took; *ns is that. */
static inline bool mlv_run_span_took(const struct mlv_span *s, int64_t *ns)
{
	if (s->start_ns == MLV_NO_TIME || s->end_ns == MLV_NO_TIME || s->instant)
		return false;
	*ns = mlv_time_between(s->start_ns, s->end_ns);
	return true;
}

/* The device of a track, following its parents; NULL if it has none. */
const struct mlv_track *mlv_run_device_of(const struct mlv_run *run, mlv_trackid track);

/* The property, or NULL. */
const struct mlv_property *mlv_run_property(const struct mlv_run *run, const char *group,
					    const char *key);

static inline struct mlv_str mlv_run_str(const struct mlv_run *run, mlv_strid id)
{
	return mlv_str_get(&run->strings, id);
}

/* The name PyTorch gives an action ("alloc", "segment_map", …). */
const char *mlv_mem_action_name(enum mlv_mem_action action);
const char *mlv_block_state_name(enum mlv_block_state state);
/* "device", "stream", … */
const char *mlv_track_kind_name(enum mlv_track_kind kind);
const char *mlv_bytes_are_name(enum mlv_bytes_are what); /* "requested", … */
const char *mlv_finding_severity_name(enum mlv_finding_severity severity);

/* "device 0", "host memory of process 4711", "host memory"; `name` holds the result. */
const char *mlv_device_name(const struct mlv_run *run, const struct mlv_device *d, char *name,
			    size_t size);

#endif
