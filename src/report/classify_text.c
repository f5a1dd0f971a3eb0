/* SPDX-License-Identifier: MIT */
/* A verdict in plain words. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "report/classify.h"

static const char *bytes(char *buf, int64_t n)
{
	return n < 0 ? mlv_fmt_bytes_signed(buf, MLV_NUM_SIZE, n)
		     : mlv_fmt_bytes(buf, MLV_NUM_SIZE, (uint64_t)n);
}

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
	mlv_buf_printf(out, "    %-14s%12s\n", "activations", bytes(a, v->activation_bytes));
	mlv_buf_printf(out, "    %-14s%12s\n", "state", bytes(a, v->persistent_bytes));
	mlv_buf_printf(out, "    %-14s%12s a step\n", "growth", bytes(a, v->cumulative_bytes));
	if (v->peak_bytes >= 0)
		mlv_buf_printf(out, "    %-14s%12s\n", "peak", bytes(a, v->peak_bytes));
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
		mlv_buf_printf(out, "      %12s  ", bytes(a, v->fixed.data[i].bytes));
		mlv_buf_safe(out, (struct mlv_str){ name, strlen(name) });
		mlv_buf_putc(out, '\n');
	}
	if (v->outside_bytes > 0)
		mlv_buf_printf(out,
			       "      %12s  of the device used outside PyTorch's allocator "
			       "(CUDA context, NCCL, other processes)\n",
			       bytes(a, v->outside_bytes));
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

void mlv_verdict_text(const struct mlv_verdict *v, size_t top, struct mlv_buf *out)
{
	(void)top;
	heading(v, out);
	components(v, out);
	evidence(v, out);
	fixed(v, out);
	advice(v, out);
}
