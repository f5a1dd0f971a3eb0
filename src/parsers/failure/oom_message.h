/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_FAILURE_OOM_MESSAGE_H
#define MLV_PARSERS_FAILURE_OOM_MESSAGE_H
/*
 * The sentences of an out-of-memory message, in every wording that PyTorch
 * has had: by the device in parentheses (to 2.0), in sentences (2.1 and
 * later, "capacty" and all), of Metal and of the host.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

enum {
	MLV_OOM_OTHERS = 64,
	MLV_OOM_GLUE = 24,
	MLV_OOM_HOST_BYTES = 512, /* no message of the host is longer */
};

enum mlv_oom_kind { MLV_OOM_CUDA, MLV_OOM_HIP, MLV_OOM_XPU, MLV_OOM_MPS, MLV_OOM_CPU };

/* Sizes as printed ("14.04 GiB"), empty where the message does not say; slices of its text. */
struct mlv_oom {
	enum mlv_oom_kind kind;
	struct mlv_str requested, total, free, process, allocated, reserved, reserved_unallocated,
		private_pools, allowed, other_allocations, pool, conf_hint;
	int64_t device; /* -1: not said */
	struct {
		int64_t pid;
		struct mlv_str size;
	} others[MLV_OOM_OTHERS]; /* other processes */
	uint32_t other_count;
	struct mlv_str file; /* "[enforce fail at alloc_cpu.cpp:75]" */
	uint32_t file_line;
	uint16_t glue[MLV_OOM_GLUE]; /* line feeds of the text that broke a word */
	unsigned glue_count;
	size_t statement; /* bytes up to the advice about settings */
	size_t used;      /* bytes that belong to the message */
};

/* oom_begin.c: where a message begins in a line; MLV_NOT_FOUND. *kind is what ran out. */
ptrdiff_t mlv_oom_begin(struct mlv_str line, enum mlv_oom_kind *kind);

/*
 * Read the message from its begin on, as far as it goes: `text` may be cut
 * anywhere or be followed by anything, and a line feed in it is where it was
 * broken, between words or within one. False if it says no size, so that it
 * is no message but talk of one.
 */
bool mlv_oom_read(struct mlv_str text, enum mlv_oom_kind kind, struct mlv_oom *oom);

/* A part of the text that began at `begin`, without the line feeds; its length. */
size_t mlv_oom_plain(const struct mlv_oom *o, const char *begin, struct mlv_str part, char *buf,
		     size_t room);

#endif
