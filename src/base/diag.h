/* SPDX-License-Identifier: MIT */
#ifndef MLV_BASE_DIAG_H
#define MLV_BASE_DIAG_H
/*
 * Diagnostics: what was wrong with an input that could still be read. Repeats
 * of one code and device are counted, the first keeps its place and text. A diagnostic
 * never stops anything; `--strict` in the CLI turns damage into a failure.
 */
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"

enum mlv_severity {
	MLV_NOTE,    /* worth knowing, nothing is wrong with the file */
	MLV_WARNING, /* something is missing or odd; figures may be incomplete */
	MLV_DAMAGE,  /* bytes that could not be read, or that contradict each other */
};

struct mlv_diag {
	enum mlv_severity severity;
	const char *code; /* a static slug such as "pickle-truncated" */
	int64_t device;   /* -1 = of no one device */
	uint64_t offset;  /* MLV_NO_OFFSET = not at one place */
	uint32_t line;    /* 0 = unknown */
	uint64_t count;   /* how often this code came */
	const char *text; /* of the first one */
};

struct mlv_diags {
	struct mlv_arena arena;
	MLV_VEC(struct mlv_diag) list;
};

void mlv_diags_fini(struct mlv_diags *d);

/* `code` must outlive the list. Silently dropped when memory runs out. */
void mlv_diag_add(struct mlv_diags *d, enum mlv_severity severity, const char *code,
		  uint64_t offset, const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* The same at a line of a text. */
void mlv_diag_add_line(struct mlv_diags *d, enum mlv_severity severity, const char *code,
		       uint32_t line, const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* The same of one device. */
void mlv_diag_add_device(struct mlv_diags *d, enum mlv_severity severity, const char *code,
			 uint32_t device, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

/* The diagnostic for an error after which reading went on: damage, at the error's place. */
void mlv_diag_from_err(struct mlv_diags *d, const char *code, const struct mlv_err *err);

const char *mlv_severity_name(enum mlv_severity s);

/* Whether any diagnostic is at least as severe as `s`. */
int mlv_diags_have(const struct mlv_diags *d, enum mlv_severity s);

#endif
