/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_EXPORT_RELATION_ROW_H
#define MLV_REPORT_EXPORT_RELATION_ROW_H
/* How a row of a relation is made: its values one after another, in the order of the columns. */
#include "report/export/relations.h"

/* The columns of a table; the first of each is the number of the run. */
#define MLV_RELATION_COLUMNS(...)                                                                  \
	(const struct mlv_relation_column[])                                                       \
	{                                                                                          \
		{ "run", "INTEGER" }, __VA_ARGS__,                                                 \
		{                                                                                  \
			NULL, NULL                                                                 \
		}                                                                                  \
	}

static inline struct mlv_value *mlv_row_next(struct mlv_relation_row *r)
{
	return &r->values[r->count++];
}

static inline void mlv_row_none(struct mlv_relation_row *r)
{
	mlv_row_next(r)->kind = MLV_VALUE_NONE;
}

static inline void mlv_row_int(struct mlv_relation_row *r, int64_t v)
{
	*mlv_row_next(r) = (struct mlv_value){ .kind = MLV_VALUE_INT, .i = v };
}

static inline void mlv_row_uint(struct mlv_relation_row *r, uint64_t v)
{
	*mlv_row_next(r) = (struct mlv_value){ .kind = MLV_VALUE_UINT, .u = v };
}

static inline void mlv_row_real(struct mlv_relation_row *r, double v)
{
	*mlv_row_next(r) = (struct mlv_value){ .kind = MLV_VALUE_REAL, .real = v };
}

static inline void mlv_row_str(struct mlv_relation_row *r, struct mlv_str s)
{
	*mlv_row_next(r) = (struct mlv_value){ .kind = MLV_VALUE_TEXT, .text = s };
}

static inline void mlv_row_text(struct mlv_relation_row *r, const char *s)
{
	if (s)
		mlv_row_str(r, mlv_str_of(s));
	else
		mlv_row_none(r);
}

/* Nothing where there is no value. */
static inline void mlv_row_int_unless(struct mlv_relation_row *r, int64_t v, int64_t none)
{
	if (v == none)
		mlv_row_none(r);
	else
		mlv_row_int(r, v);
}

/* The empty string is nothing. */
static inline void mlv_row_name(struct mlv_relation_row *r, const struct mlv_run *run, mlv_strid id)
{
	if (id.i)
		mlv_row_str(r, mlv_run_str(run, id));
	else
		mlv_row_none(r);
}

static inline void mlv_row_stack(struct mlv_relation_row *r, mlv_stackid stack)
{
	if (stack.i == MLV_STACK_NONE.i)
		mlv_row_none(r);
	else
		mlv_row_int(r, stack.i);
}

static inline void mlv_row_track(struct mlv_relation_row *r, mlv_trackid track)
{
	if (track.i == MLV_TRACK_NONE.i)
		mlv_row_none(r);
	else
		mlv_row_int(r, track.i);
}

/* The k-th text that is made for this row, from its beginning. */
static inline struct mlv_buf *mlv_row_make(struct mlv_relation_row *r, int k)
{
	r->made[k].len = 0;
	return &r->made[k];
}

static inline void mlv_row_made(struct mlv_relation_row *r, int k)
{
	mlv_row_str(r, (struct mlv_str){ r->made[k].data ? r->made[k].data : "", r->made[k].len });
}

/* value, unit and the digits as they were printed. */
void mlv_row_decimal(struct mlv_relation_row *r, struct mlv_decimal d);

/* The tables, by what they are of. */
extern const struct mlv_relation mlv_relation_runs, mlv_relation_properties,
	mlv_relation_diagnostics, mlv_relation_tracks, mlv_relation_frames, mlv_relation_stacks;
extern const struct mlv_relation mlv_relation_devices, mlv_relation_events,
	mlv_relation_allocations, mlv_relation_segments, mlv_relation_blocks, mlv_relation_pools;
extern const struct mlv_relation mlv_relation_spans, mlv_relation_attributes, mlv_relation_groups,
	mlv_relation_samples, mlv_relation_metrics, mlv_relation_findings, mlv_relation_sections;

#endif
