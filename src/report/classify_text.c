/* SPDX-License-Identifier: MIT */
/* A verdict in plain words. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/num.h"
#include "report/classify.h"

static void heading(const struct mlv_verdict *v, struct mlv_buf *out)
{
	mlv_buf_puts(out, "  ");
	if (v->rank >= 0)
		mlv_buf_printf(out, "rank %" PRId64 "%s", v->rank, v->device >= 0 ? ", " : "");
	if (v->device >= 0)
		mlv_buf_printf(out, "device %" PRId64, v->device);
	if (v->rank < 0 && v->device < 0)
		mlv_buf_puts(out, "verdict");
	mlv_buf_printf(out, ": %s", mlv_growth_name(v->growth));
	if (v->growth != MLV_GROWTH_UNKNOWN)
		mlv_buf_printf(out, " (%s confidence)", mlv_confidence_name(v->confidence));
	mlv_buf_putc(out, '\n');
}

static void components(const struct mlv_verdict *v, struct mlv_buf *out)
{
	char a[MLV_NUM_SIZE];
	mlv_buf_printf(out, "    %-14s%12s\n", "activations",
		       mlv_bytes_net(a, v->activation_bytes));
	mlv_buf_printf(out, "    %-14s%12s\n", "state", mlv_bytes_net(a, v->persistent_bytes));
	if (mlv_verdict_tells_growth(v))
		mlv_buf_printf(out, "    %-14s%12s a step\n", "growth",
			       mlv_bytes_net(a, v->cumulative_bytes));
	else
		mlv_buf_printf(out, "    %-14s%12s\n", "growth", "not known");
	if (v->peak_bytes >= 0)
		mlv_buf_printf(out, "    %-14s%12s\n", "peak", mlv_bytes_net(a, v->peak_bytes));
}

static void evidence(const struct mlv_verdict *v, struct mlv_buf *out)
{
	if (v->evidence.len)
		mlv_buf_puts(out, "    because\n");
	for (size_t i = 0; i < v->evidence.len; i++) {
		const char *text = v->evidence.data[i];
		mlv_buf_puts(out, "      - ");
		mlv_buf_safe(out, (struct mlv_str){ text, strlen(text) });
		mlv_buf_putc(out, '\n');
	}
}

static void fixed(const struct mlv_verdict *v, struct mlv_buf *out)
{
	char a[MLV_NUM_SIZE];
	if (v->fixed.len)
		mlv_buf_puts(out, "    fixed parts\n");
	for (size_t i = 0; i < v->fixed.len; i++) {
		const char *name = v->fixed.data[i].name;
		mlv_buf_printf(out, "      %12s  ", mlv_bytes_net(a, v->fixed.data[i].bytes));
		mlv_buf_safe(out, (struct mlv_str){ name, strlen(name) });
		mlv_buf_putc(out, '\n');
	}
	if (v->outside_bytes > 0)
		mlv_buf_printf(out,
			       "      %12s  of the device used outside PyTorch's allocator "
			       "(CUDA context, NCCL, other processes)\n",
			       mlv_bytes_net(a, v->outside_bytes));
}

static void advice(const struct mlv_verdict *v, struct mlv_buf *out)
{
	if (v->advice.len)
		mlv_buf_puts(out, "    what to do\n");
	for (size_t i = 0; i < v->advice.len; i++) {
		const struct mlv_advice_text *t = mlv_advice_text(v->advice.data[i]);
		mlv_buf_printf(out, "      - %s: %s\n", t->what, t->acts);
	}
	if (v->against.len)
		mlv_buf_puts(out, "    what would not help\n");
	for (size_t i = 0; i < v->against.len; i++) {
		const struct mlv_advice_text *t = mlv_advice_text(v->against.data[i]);
		mlv_buf_printf(out, "      - %s: %s\n", t->what, t->fails);
	}
}

/* The leaks of one call site. */
struct site_row {
	const struct mlv_leak *first;
	double bytes, count;
};

static int fastest_first(const void *pa, const void *pb)
{
	const struct site_row *a = pa, *b = pb;
	if (a->bytes != b->bytes)
		return a->bytes > b->bytes ? -1 : 1;
	return a->first < b->first ? -1 : a->first > b->first;
}

/* One row for each call site; returns how many. */
static size_t by_site(const struct mlv_verdict *v, struct site_row *rows)
{
	struct mlv_map ids = { 0 };
	size_t n = 0;
	for (size_t i = 0; i < v->leaks.len; i++) {
		const struct mlv_leak *leak = &v->leaks.data[i];
		struct mlv_map_slot *slot = mlv_map_find(&ids, leak->site);
		size_t row = slot ? slot->value : n;
		if (!slot && mlv_map_set(&ids, leak->site, (uint32_t)n))
			rows[n++] = (struct site_row){ leak, 0, 0 };
		rows[row].bytes += leak->bytes_per_step;
		rows[row].count += leak->count_per_step;
	}
	mlv_map_fini(&ids);
	qsort(rows, n, sizeof(*rows), fastest_first);
	return n;
}

static void leaks(const struct mlv_verdict *v, size_t top, struct mlv_buf *out)
{
	char a[MLV_NUM_SIZE];
	struct site_row *rows = calloc(v->leaks.len + 1, sizeof(*rows));
	if (!rows) {
		out->failed = true;
		return;
	}
	size_t n = by_site(v, rows);
	if (n)
		mlv_buf_puts(out, "    what grows, a step, by call site\n");
	for (size_t i = 0; i < n && i < top; i++) {
		const struct mlv_leak *leak = rows[i].first;
		mlv_buf_printf(out, "      %12s  %5.4g x  ",
			       mlv_bytes_net(a, (int64_t)(rows[i].bytes + 0.5)), rows[i].count);
		mlv_buf_safe(out, (struct mlv_str){ leak->function, strlen(leak->function) });
		mlv_buf_puts(out, "  ");
		mlv_buf_safe(out, (struct mlv_str){ leak->place, strlen(leak->place) });
		mlv_buf_putc(out, '\n');
	}
	if (n > top)
		mlv_buf_printf(out, "      and %zu more; --top shows more\n", n - top);
	free(rows);
}

static void categories(const struct mlv_verdict *v, struct mlv_buf *out)
{
	char a[MLV_NUM_SIZE];
	uint64_t all = 0;
	for (size_t i = 0; i < v->categories.len; i++)
		all += v->categories.data[i].bytes;
	if (all)
		mlv_buf_printf(out, "    at the peak, as %s\n",
			       v->waterfall.known || v->modules.len ? "inferred"
								    : "the profiler tells");
	for (size_t i = 0; i < v->categories.len; i++) {
		const struct mlv_category_share *c = &v->categories.data[i];
		mlv_buf_printf(out, "      %12s %5.1f %%  %s\n",
			       mlv_bytes_net(a, (int64_t)(c->bytes & INT64_MAX)),
			       100 * (double)c->bytes / (double)all, c->name);
	}
}

/* From what is requested to what the device holds. */
static void waterfall(const struct mlv_verdict *v, struct mlv_buf *out)
{
	const struct mlv_waterfall *w = &v->waterfall;
	char a[MLV_NUM_SIZE];
	if (!w->known)
		return;
	mlv_buf_printf(out, "      %12s          requested\n",
		       mlv_fmt_bytes(a, sizeof(a), w->requested));
	mlv_buf_printf(out, "      %12s          more by rounding up to %s\n",
		       mlv_fmt_bytes(a, sizeof(a), w->rounding), w->exact ? "blocks" : "512 bytes");
	mlv_buf_printf(out, "      %12s          more reserved and not allocated\n",
		       mlv_fmt_bytes(a, sizeof(a), w->reserved - w->requested - w->rounding));
	mlv_buf_printf(out, "      %12s          reserved\n",
		       mlv_fmt_bytes(a, sizeof(a), w->reserved));
}

static void modules(const struct mlv_verdict *v, size_t top, struct mlv_buf *out)
{
	char a[MLV_NUM_SIZE];
	if (v->modules.len)
		mlv_buf_puts(out, "    at the peak, by module\n");
	for (size_t i = 0; i < v->modules.len && i < top; i++) {
		const struct mlv_category_share *m = &v->modules.data[i];
		mlv_buf_printf(out, "      %12s  ",
			       mlv_bytes_net(a, (int64_t)(m->bytes & INT64_MAX)));
		mlv_buf_safe(out, (struct mlv_str){ m->name, strlen(m->name) });
		mlv_buf_putc(out, '\n');
	}
	if (v->modules.len > top)
		mlv_buf_printf(out, "      and %zu more; --top shows more\n", v->modules.len - top);
}

void mlv_verdict_text(const struct mlv_verdict *v, size_t top, struct mlv_buf *out)
{
	heading(v, out);
	components(v, out);
	evidence(v, out);
	leaks(v, top, out);
	categories(v, out);
	waterfall(v, out);
	modules(v, top, out);
	fixed(v, out);
	advice(v, out);
}
