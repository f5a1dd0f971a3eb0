/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_EXPORT_RELATIONS_H
#define MLV_REPORT_EXPORT_RELATIONS_H
/*
 * The model as tables of a database: their columns, and a walk over all rows.
 * Every writer of tables walks them;
 * which tables there are is said in relations.c alone, and in docs/export.md.
 */
#include "analysis/callsite.h"
#include "analysis/history.h"
#include "base/buf.h"
#include "model/run.h"

enum mlv_value_kind {
	MLV_VALUE_NONE,
	MLV_VALUE_INT,
	MLV_VALUE_UINT,
	MLV_VALUE_REAL,
	MLV_VALUE_TEXT
};

struct mlv_value {
	enum mlv_value_kind kind;
	union {
		int64_t i;
		uint64_t u;
		double real;
		struct mlv_str text; /* any bytes */
	};
};

/* A row while it is made; its texts live until the next one. */
enum { MLV_ROW_COLUMNS = 24, MLV_ROW_TEXTS = 2 };
struct mlv_relation_row {
	struct mlv_value values[MLV_ROW_COLUMNS];
	size_t count;
	struct mlv_buf made[MLV_ROW_TEXTS];
};

struct mlv_relation_column {
	const char *name, *type; /* INTEGER, REAL or TEXT */
};

/* One run, and what its tables are made of beside it. */
struct mlv_relation_source {
	const struct mlv_run *run;     /* borrowed */
	int64_t number;                /* of the run, from 0 */
	struct mlv_history *histories; /* of each device */
	struct mlv_sites sites;
	uint32_t *depth;      /* of each stack */
	uint32_t *segment_of; /* of each block */
	size_t device,
		device_base; /* where the last row of a device was, and that device's first */
	uint32_t *owner;     /* of each attribute: the span or finding that has it */
	uint8_t *owner_is_finding;
};

struct mlv_relation {
	const char *name;
	const struct mlv_relation_column *columns; /* ends with a NULL name */
	/* Rows of a run. A row is made in the order of the columns; false when memory runs out. */
	size_t (*rows)(const struct mlv_relation_source *s);
	bool (*row)(struct mlv_relation_source *s, size_t i, struct mlv_relation_row *row);
};

/* All of them; ends with NULL. */
extern const struct mlv_relation *const mlv_relations[];

/* NULL if there is none of that name. */
const struct mlv_relation *mlv_relation_find(const char *name);

struct mlv_relation_sources {
	struct mlv_relation_source *list;
	size_t count;
};

/* The runs must outlive it. MLV_E_NOMEM only. */
enum mlv_rc mlv_relation_sources_init(struct mlv_relation_sources *s,
				      const struct mlv_run *const *runs, size_t count,
				      struct mlv_err *err);
void mlv_relation_sources_fini(struct mlv_relation_sources *s);

/* The table that says most of what the runs are. */
const struct mlv_relation *mlv_relation_main(const struct mlv_relation_sources *s);
size_t mlv_relation_rows(const struct mlv_relation_sources *s, const struct mlv_relation *kind);

/* Each row of a table, run by run. The first result of `take` that is not MLV_OK ends it. */
enum mlv_rc mlv_relation_walk(struct mlv_relation_sources *s, const struct mlv_relation *kind,
			      enum mlv_rc (*take)(void *opaque, const struct mlv_relation_row *row,
						  struct mlv_err *err),
			      void *opaque, struct mlv_err *err);

#endif
