/* SPDX-License-Identifier: MIT */
/* Two snapshots of one process side by side, in words and as JSON. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "report/diff_parts.h"
#include "report/findings.h"

static void name_of(const struct mlv_memory_diff *m, const struct mlv_fate_stack *s, char *buf,
		    size_t size)
{
	struct mlv_stack_diff one = { .before = s->before };
	one.present[s->side] = true;
	one.stack[s->side] = s->stack;
	mlv_stack_diff_name(m, &one, buf, size);
}

static void list(const struct mlv_memory_diff *m, const struct mlv_process_diff *p,
		 enum mlv_fate fate, const char *heading, size_t top, struct mlv_buf *out)
{
	char name[MLV_NAME_SIZE], bytes[MLV_NUM_SIZE], n[MLV_NUM_SIZE];
	size_t shown = 0, found = 0;
	for (size_t i = 0; i < p->stacks.len; i++) {
		const struct mlv_fate_stack *s = &p->stacks.data[i];
		if (!s->amount[fate].count)
			continue;
		if (!found++)
			mlv_buf_printf(out, "  %s\n", heading);
		if (shown == top)
			continue;
		shown++;
		name_of(m, s, name, sizeof(name));
		mlv_buf_printf(out, "    %12s %9s x  ",
			       mlv_fmt_bytes(bytes, sizeof(bytes), s->amount[fate].bytes),
			       mlv_fmt_count(n, sizeof(n), s->amount[fate].count));
		mlv_buf_safe(out, mlv_str_of(name));
		mlv_buf_putc(out, '\n');
	}
	if (found > shown)
		mlv_buf_printf(out, "    and %zu more stacks\n", found - shown);
}

void mlv_process_diff_text(const struct mlv_memory_diff *m, const struct mlv_process_diff *p,
			   size_t top, struct mlv_buf *out)
{
	static const char *const words[MLV_FATES] = { "still alive", "new since A",
						      "gone since A" };
	char bytes[MLV_NUM_SIZE], n[2 * MLV_NUM_SIZE];
	mlv_buf_puts(out, "  by address, as snapshots of one process\n");
	for (unsigned f = 0; f < MLV_FATES; f++)
		mlv_buf_printf(out, "    %-14s %12s in %s\n", words[f],
			       mlv_fmt_bytes(bytes, sizeof(bytes), p->total[f].bytes),
			       mlv_fmt_count_of(n, sizeof(n), p->total[f].count, "allocation",
						"allocations"));
	mlv_buf_printf(out, "    %" PRIu64 " of the %zu segments of A are still there\n",
		       p->shared_segments, m->side[0].history->device->segments);
	if (!p->shared_segments && m->side[0].history->device->segments)
		mlv_buf_puts(out, "    so they are not of one process, most likely\n");
	if (p->reused)
		mlv_buf_printf(out, "    at %s something else is alive now\n",
			       mlv_fmt_count_of(n, sizeof(n), p->reused, "address", "addresses"));
	list(m, p, MLV_FATE_NEW, "new since A, by stack", top, out);
	list(m, p, MLV_FATE_GONE, "gone since A, by stack", top, out);
}

static void amount_json(const struct mlv_amount *a, const char *key, struct mlv_json *j)
{
	mlv_json_key_object(j, key);
	mlv_json_key_uint(j, "bytes", a->bytes);
	mlv_json_key_uint(j, "allocations", a->count);
	mlv_json_object_end(j);
}

void mlv_process_diff_json(const struct mlv_memory_diff *m, const struct mlv_process_diff *p,
			   size_t top, struct mlv_json *j)
{
	char name[MLV_NAME_SIZE];
	mlv_json_key_object(j, "same_process");
	for (unsigned f = 0; f < MLV_FATES; f++)
		amount_json(&p->total[f], mlv_fate_name(f), j);
	mlv_json_key_uint(j, "addresses_reused", p->reused);
	mlv_json_key_uint(j, "segments_shared", p->shared_segments);
	mlv_json_key_array(j, "stacks");
	for (size_t i = 0; i < p->stacks.len && i < top; i++) {
		const struct mlv_fate_stack *s = &p->stacks.data[i];
		name_of(m, s, name, sizeof(name));
		mlv_json_object(j);
		mlv_json_key_text(j, "name", name);
		for (unsigned f = 0; f < MLV_FATES; f++)
			amount_json(&s->amount[f], mlv_fate_name(f), j);
		if (!s->before && mlv_stack_has_frame(s->stack))
			mlv_stack_json(m->side[s->side].history->run, s->stack, j);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
	mlv_json_object_end(j);
}
