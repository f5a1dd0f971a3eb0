/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPLAY_FRAG_SERIES_H
#define MLV_REPLAY_FRAG_SERIES_H
/*
 * Fragmentation over a replay, in as many columns as a picture has pixels,
 * however many events there are. A column keeps the least, the most and the
 * last value of its events and what stood before them, so no peak and no
 * valley is lost, and the peaks are the allocator's own counters.
 *
 * Two shares say how fragmented the memory is. `idle` is what is reserved and
 * not active, of what is reserved: memory that PyTorch holds for nothing. Of
 * this free memory, `scattered` is the part outside of the largest free block:
 * 0 when it is one block, near 1 when it is in splinters. All pools and
 * streams are taken together; who may use which part, free_space.h tells.
 */
#include "replay/whatif.h"

struct mlv_frag_bytes {
	uint64_t least, most, last;
};

struct mlv_frag_share {
	float least, most, last; /* 0 to 1 */
};

struct mlv_frag_column {
	/* As torch.cuda.memory_stats() counts them; largest: of the free blocks. */
	struct mlv_frag_bytes reserved, active, allocated, largest;
	struct mlv_frag_share idle, scattered;
	uint32_t retries, ooms;          /* in its events: num_alloc_retries, num_ooms */
	uint32_t first_retry, first_oom; /* events, if there are any */
};

/* What the allocator is after an event. */
struct mlv_frag_moment {
	uint64_t reserved, active, allocated, largest;
	float idle, scattered;
};

struct mlv_frag_peak {
	uint64_t bytes;
	int64_t event; /* the first after which, or in which, it stood; -1: before all events */
};

struct mlv_frag_series {
	uint32_t first, last; /* events shown */
	uint32_t count;       /* of columns: no more than events */
	struct mlv_frag_column *columns;
	uint32_t ended; /* columns from here on come after the end of the replay: not filled */
	/* Of the events shown. */
	struct mlv_frag_peak reserved_peak, active_peak, allocated_peak;
	uint64_t retries, ooms;
	/* When most was free outside of the largest free block, and how much. */
	struct mlv_frag_peak outside_peak;
	struct mlv_frag_moment outside_at, at_end;

	/* ---- its own ---- */
	struct mlv_alloc_stats before; /* counters after the event before */
	struct mlv_frag_moment now;
	uint32_t column, next; /* the present column; the first event of the one behind it */
	bool passed;           /* events behind the last one that is shown were seen */
};

/* Events `first` to `last`, in `columns` columns at the most. MLV_E_NOMEM only. */
enum mlv_rc mlv_frag_series_init(struct mlv_frag_series *s, uint32_t first, uint32_t last,
				 uint32_t columns, struct mlv_err *err);
void mlv_frag_series_fini(struct mlv_frag_series *s);

/* For the options of a replay, or the setup of a what-if. */
struct mlv_replay_watch mlv_frag_series_watch(struct mlv_frag_series *s);

/* The replay is over; `a` is how it left the allocator, behind what it did after its last event. */
void mlv_frag_series_end(struct mlv_frag_series *s, const struct mlv_allocator *a);

/* The column of an event that is shown. */
uint32_t mlv_frag_series_column(const struct mlv_frag_series *s, uint32_t event);

/* The largest free block of all pools and streams; 0: nothing is free. */
uint64_t mlv_frag_largest_free(const struct mlv_allocator *a);

#endif
