/* SPDX-License-Identifier: MIT */
#ifndef MLV_FAKECUDA_FAKE_H
#define MLV_FAKECUDA_FAKE_H
/*
 * The state of the fake driver and what its files share. It is the one global
 * of the library: the interface that it stands in for has no other place.
 */
#include <stdbool.h>
#include <stddef.h>

#include "fakecuda.h"

enum { FAKE_DEVICES = 8, FAKE_INJECTIONS = 8 };
enum fake_policy { FAKE_CHUNKS, FAKE_ASCENDING, FAKE_DESCENDING };

/* `at` counts from 1; 0: never. */
struct fake_failure {
	enum mlv_cu_call call;
	uint64_t at;
	mlv_cu_result error;
};

struct fake_foreign {
	uint64_t at;
	int64_t bytes;
};

struct fake_options {
	uint64_t devices, capacity, context, granularity, step, overhead, lazy;
	enum fake_policy policy;
	bool mapping, modules;
	uint64_t lost, damage, alias;
	struct fake_failure fail[FAKE_INJECTIONS], interrupt;
	struct fake_foreign foreign[FAKE_INJECTIONS];
	char report[4096]; /* "" : none */
};

/* Bytes somewhere; in a table, by `at`. */
struct fake_area {
	uint64_t at, bytes;
	uint64_t memory; /* offset in the file that stands for the devices' memory */
	uint64_t cost;   /* bytes of the device */
	uint64_t handle; /* of a map */
	uint64_t maps;   /* of a handle: how often it is mapped */
	bool accessible, released;
};

struct fake_areas {
	struct fake_area *rows;
	size_t len, cap;
};

/* Free space: the rest of a chunk (its number, from 1), or between chunks (0). */
struct fake_gap {
	uint64_t at, bytes, chunk;
};

struct fake_places {
	struct fake_areas chunks; /* `handle` is the number, `maps` how many pieces there are */
	struct fake_gap *gaps;
	size_t len, cap;
	uint64_t last_chunk, low; /* below `low` all is free */
};

struct fake_device {
	unsigned retained;
	char *window; /* addresses of cuMemAlloc */
	struct fake_places places;
	struct fake_areas pieces, ranges, maps, handles;
	uint64_t modules;
	uint64_t taken, context;
	int64_t foreign;
	bool launched;
};

struct fake {
	struct fake_options options;
	bool started, lost;
	struct fake_device devices[FAKE_DEVICES];
	struct fake_device *current; /* whose context it is */
	int memory;                  /* file descriptor */
	uint64_t memory_end, memory_last;
	uint64_t takes, all_calls, last_handle;
	struct fakecuda_figures figures;
};

extern struct fake fake __attribute__((visibility("hidden")));

/* The entries: signatures and exported names as mlviz declares them. */
#define FAKE_DECLARE(name, symbol, need, parameters)                                               \
	mlv_cu_result fake_##name parameters __asm__(symbol) __attribute__((visibility("defaul"    \
										       "t")));
MLV_CU_CALLS(FAKE_DECLARE)
#undef FAKE_DECLARE

/* ---- options.c ---- */
void fake_read_options(struct fake_options *o);
/* NULL: no such error. */
const char *fake_error_name(mlv_cu_result error);

/* ---- calls.c ---- */
/* At the begin of every call: count it, and fail if this one is to. */
mlv_cu_result fake_enter(enum mlv_cu_call call);
/* The same for what needs a context. */
mlv_cu_result fake_enter_context(enum mlv_cu_call call);
/* Give something back: a lost device takes it, so that a test sees who tried, and says the error.
 */
bool fake_refuses(mlv_cu_result entered);
mlv_cu_result fake_misuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Unlike malloc these end the program. */
void *fake_grow(void *rows, size_t *cap, size_t size, size_t len);
_Noreturn void fake_fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- areas.c ---- */
struct fake_area *fake_areas_at(struct fake_areas *a, uint64_t at);      /* begins there; NULL */
struct fake_area *fake_areas_holding(struct fake_areas *a, uint64_t at); /* NULL: none */
/* Whether any has a byte of [at, at + bytes). */
bool fake_areas_touch(struct fake_areas *a, uint64_t at, uint64_t bytes);
void fake_areas_add(struct fake_areas *a, struct fake_area area);
void fake_areas_remove(struct fake_areas *a, struct fake_area *area);
void fake_areas_clear(struct fake_areas *a);

/* ---- places.c ---- */
void fake_places_init(struct fake_places *p, uint64_t window, uint64_t bytes);
uint64_t fake_place(struct fake_places *p, uint64_t bytes);
void fake_place_back(struct fake_places *p, uint64_t at, uint64_t bytes);
void fake_places_clear(struct fake_places *p);

/* ---- memory.c ---- */
uint64_t fake_up(uint64_t n, uint64_t step);
/* Of the device, if it has so many bytes left. */
bool fake_take(struct fake_device *d, uint64_t cost);
/* Bytes of the file that stands for memory. */
uint64_t fake_memory_new(uint64_t bytes);
void fake_memory_drop(uint64_t memory, uint64_t bytes);
void fake_memory_show(uint64_t at, uint64_t bytes, uint64_t memory, bool accessible);
void fake_memory_hide(uint64_t at, uint64_t bytes);

#endif
