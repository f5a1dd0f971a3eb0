/* SPDX-License-Identifier: MIT */
#include "report/samples_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/track_label.h"
#include "base/map.h"
#include "base/num.h"
#include "report/table_text.h"

enum { SHOWN = 12 };

struct extent {
	mlv_strid metric;
	uint64_t count;
	size_t first, last, most; /* samples */
	bool one_track;
};

/* Of each metric, in the order of their first sample; false when memory runs out. */
static bool gather(const struct mlv_run *run, struct mlv_map *ids, struct extent **list, size_t *n)
{
	MLV_VEC(struct extent) v = { 0 };
	bool ok = true;
	for (size_t i = 0; ok && i < run->samples.len; i++) {
		const struct mlv_sample *s = &run->samples.data[i];
		struct mlv_map_slot *slot = mlv_map_find(ids, s->metric.i);
		if (!slot) {
			struct extent fresh = { s->metric, 1, i, i, i, true };
			ok = mlv_vec_push(&v, fresh) &&
			     mlv_map_set(ids, s->metric.i, (uint32_t)v.len - 1);
			continue;
		}
		struct extent *x = &v.data[slot->value];
		x->count++;
		x->last = i;
		x->one_track = x->one_track && s->track.i == run->samples.data[x->first].track.i;
		if (mlv_decimal_value(s->value) >
		    mlv_decimal_value(run->samples.data[x->most].value))
			x->most = i;
	}
	*list = v.data;
	*n = v.len;
	return ok;
}

static void value_text(const struct mlv_run *run, size_t sample, struct mlv_buf *out)
{
	char text[64];
	struct mlv_cell cell = { true, run->samples.data[sample].value };
	mlv_cell_text(cell, false, text, sizeof(text));
	mlv_buf_puts(out, text);
}

/*
 * "(step 3, after_backward, rank 0)", "(before bwd, rank 0, line 33)": in a log
 * the step may be no more than a running number, and the line says where.
 */
static void place_text(const struct mlv_run *run, const struct mlv_sample *s, struct mlv_buf *out)
{
	char label[256];
	const char *between = " (";
	if (s->step != MLV_NO_STEP && !s->line) {
		mlv_buf_printf(out, "%sstep %" PRId32, between, s->step);
		between = ", ";
	}
	if (s->phase.i) {
		mlv_buf_puts(out, between);
		mlv_buf_safe(out, mlv_run_str(run, s->phase));
		between = ", ";
	}
	mlv_track_label(run, s->track, label, sizeof(label));
	if (*label) {
		mlv_buf_puts(out, between);
		mlv_buf_safe(out, mlv_str_of(label));
		between = ", ";
	}
	if (s->line) {
		mlv_buf_printf(out, "%sline %" PRIu32, between, s->line);
		between = ", ";
	}
	mlv_buf_puts(out, *between == ',' ? ")" : "");
}

static void extent_text(const struct mlv_run *run, const struct extent *x, struct mlv_buf *out)
{
	mlv_buf_puts(out, "    ");
	mlv_buf_safe(out, mlv_run_str(run, x->metric));
	mlv_buf_puts(out, ": ");
	if (x->count > 1 && x->one_track) {
		value_text(run, x->first, out);
		mlv_buf_puts(out, " first, ");
		value_text(run, x->last, out);
		mlv_buf_puts(out, " last, ");
	}
	if (x->count > 1)
		mlv_buf_puts(out, "most ");
	value_text(run, x->most, out);
	place_text(run, &run->samples.data[x->most], out);
	mlv_buf_putc(out, '\n');
}

void mlv_samples_text(const struct mlv_run *run, struct mlv_buf *out)
{
	struct mlv_map ids = { 0 };
	struct extent *list;
	size_t n;
	char a[MLV_NUM_SIZE];
	if (!run->samples.len)
		return;
	if (!gather(run, &ids, &list, &n))
		out->failed = true;
	mlv_buf_printf(out, "  %s\n",
		       mlv_fmt_count_of(a, sizeof(a), run->samples.len, "sample", "samples"));
	for (size_t i = 0; i < n && i < SHOWN; i++)
		extent_text(run, &list[i], out);
	if (n > SHOWN)
		mlv_buf_printf(out, "    and of %zu more\n", n - SHOWN);
	free(list);
	mlv_map_fini(&ids);
}
