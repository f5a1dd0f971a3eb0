/* SPDX-License-Identifier: MIT */
/* Ranks and sweeps in plain words. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "report/experiment.h"

static void name(const struct mlv_run *run, struct mlv_buf *out)
{
	mlv_buf_safe(out, mlv_str_basename((struct mlv_str){ run->file, strlen(run->file) }));
}

static const struct mlv_subject *member(const struct mlv_experiment *e, const struct mlv_sweep *s,
					size_t i)
{
	return &e->subjects.data[e->members.data[s->first + i]];
}

static void files(const struct mlv_experiment *e, const struct mlv_sweep *s, struct mlv_buf *out)
{
	for (size_t i = 0; i < s->count; i++) {
		mlv_buf_puts(out, i ? ", " : "");
		name(member(e, s, i)->run, out);
		if (s->kind == MLV_SWEEP)
			mlv_buf_printf(out, " (%s)", member(e, s, i)->settings[s->dim].text);
	}
	mlv_buf_putc(out, '\n');
}

/* Per unit and fixed part; what stays the same is said to. */
static void line(const struct mlv_experiment *e, const struct mlv_sweep *s, const char *what,
		 const struct mlv_fit_line *l, struct mlv_buf *out)
{
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE], c[MLV_NUM_SIZE];
	if (!l->known || (l->first == 0 && l->last == 0))
		return;
	mlv_buf_printf(out, "    %-12s", what);
	if (l->scattered)
		mlv_buf_printf(out, "no line fits: runs are up to %s off\n",
			       mlv_bytes_net(c, llround(l->residual)));
	else if (fabs(l->last - l->first) <= 0.001 * fabs(l->last) &&
		 l->residual <= 0.01 * fabs(l->last))
		mlv_buf_printf(out, "stays at %s\n", mlv_bytes_net(a, llround(l->last)));
	else if (fabs(l->slope) < 64)
		mlv_buf_printf(out, "%.2f bytes per %s and %s fixed; within %s of each run\n",
			       l->slope, mlv_dimension_unit(e, s->dim),
			       mlv_bytes_net(b, llround(l->fixed)),
			       mlv_bytes_net(c, llround(l->residual)));
	else
		mlv_buf_printf(out, "%s per %s and %s fixed; within %s of each run\n",
			       mlv_bytes_net(a, llround(l->slope)), mlv_dimension_unit(e, s->dim),
			       mlv_bytes_net(b, llround(l->fixed)),
			       mlv_bytes_net(c, llround(l->residual)));
}

/* The line is that of most runs: one that lies far off it is named, and does not count. */
static void far_off(const struct mlv_experiment *e, const struct mlv_sweep *s, struct mlv_buf *out)
{
	const struct mlv_fit_line *l = &s->activation;
	const struct mlv_subject *farthest = NULL;
	char a[MLV_NUM_SIZE];
	double most = fmax(1 << 20, 0.2 * fmax(fabs(l->first), fabs(l->last)));
	for (size_t i = 0; l->known && !l->scattered && i < s->count; i++) {
		const struct mlv_subject *one = member(e, s, i);
		double off = one->verdict ? fabs((double)one->verdict->activation_bytes - l->fixed -
						 l->slope * one->settings[s->dim].number)
					  : 0;
		if (off > most) {
			most = off;
			farthest = one;
		}
	}
	if (!farthest)
		return;
	mlv_buf_puts(out, "    ");
	name(farthest->run, out);
	mlv_buf_printf(out,
		       " is %s off the line of activations: it differs in something that is not "
		       "recorded as well, so this rests on the others\n",
		       mlv_bytes_net(a, llround(most)));
}

static void sweep(const struct mlv_experiment *e, const struct mlv_sweep *s, struct mlv_buf *out)
{
	char a[MLV_NUM_SIZE];
	mlv_buf_printf(out, "  sweep of %s: ", mlv_dimension_name(e, s->dim));
	files(e, s, out);
	line(e, s, "activations", &s->activation, out);
	line(e, s, "state", &s->state, out);
	line(e, s, "growth", &s->growth, out);
	line(e, s, "peak", &s->peak, out);
	line(e, s, "reserved", &s->reserved, out);
	line(e, s, "host memory", &s->host, out);
	if (s->agreement)
		mlv_buf_printf(out, "    %s the verdict: %s\n",
			       s->agreement == MLV_CONFIRMS ? "confirms" : "contradicts", s->why);
	far_off(e, s, out);
	if (s->has_largest)
		mlv_buf_printf(
			out,
			"    largest     a batch of %" PRId64
			" fits the given capacity and leaves %s, if the last slope of reserved "
			"memory goes on\n",
			s->largest_batch, mlv_bytes_net(a, s->margin_bytes));
	const struct mlv_fit_line *l = s->host.known ? &s->host : &s->peak;
	for (size_t i = 0; s->dim == MLV_DIM_PARAM && l->known && i < e->beyond.len; i++)
		mlv_buf_printf(out, "    at %s = %g it would be %s\n",
			       mlv_dimension_name(e, s->dim), e->beyond.data[i],
			       mlv_bytes_net(a, llround(l->fixed + l->slope * e->beyond.data[i])));
}

/* Runs with the same settings: what differs in them all the same was not recorded. */
static void repeat(const struct mlv_experiment *e, const struct mlv_sweep *s, struct mlv_buf *out)
{
	double least = INFINITY, most = 0;
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE];
	for (size_t i = 0; i < s->count; i++) {
		const struct mlv_verdict *v = member(e, s, i)->verdict;
		double d = v ? (double)v->activation_bytes : member(e, s, i)->host_bytes;
		least = fmin(least, d);
		most = fmax(most, d);
	}
	mlv_buf_puts(out, "  repeats, by all that is recorded: ");
	files(e, s, out);
	if (most - least > 0.05 * most && most - least >= 1 << 20)
		mlv_buf_printf(
			out,
			"    yet activations are between %s and %s: they differ in something "
			"that was not recorded, such as checkpointing\n",
			mlv_bytes_net(a, llround(least)), mlv_bytes_net(b, llround(most)));
}

static void confounded(const struct mlv_experiment *e, const struct mlv_sweep *s,
		       struct mlv_buf *out)
{
	const struct mlv_subject *a = member(e, s, 0), *b = member(e, s, 1);
	bool any = false;
	mlv_buf_puts(out, "  confounded: ");
	name(a->run, out);
	mlv_buf_puts(out, " and ");
	name(b->run, out);
	mlv_buf_puts(out, " differ in ");
	for (int d = 0; d < MLV_DIMENSIONS; d++) {
		if (!(s->differs & (1u << d)))
			continue;
		const char *ta = a->settings[d].text, *tb = b->settings[d].text;
		mlv_buf_printf(out, "%s%s (", any ? ", " : "",
			       mlv_dimension_name(e, (enum mlv_dimension)d));
		mlv_buf_safe(out, (struct mlv_str){ *ta ? ta : "-", *ta ? strlen(ta) : 1 });
		mlv_buf_puts(out, ", ");
		mlv_buf_safe(out, (struct mlv_str){ *tb ? tb : "-", *tb ? strlen(tb) : 1 });
		mlv_buf_putc(out, ')');
		any = true;
	}
	mlv_buf_puts(out, ": what each does cannot be told apart\n");
}

void mlv_experiment_text(const struct mlv_experiment *e, struct mlv_buf *out)
{
	if (e->list.len)
		mlv_buf_puts(out, out->len ? "\nexperiment\n" : "experiment\n");
	for (size_t i = 0; i < e->list.len; i++) {
		const struct mlv_sweep *s = &e->list.data[i];
		if (s->kind == MLV_SWEEP)
			sweep(e, s, out);
		else if (s->kind == MLV_REPEAT)
			repeat(e, s, out);
		else
			confounded(e, s, out);
	}
}

void mlv_rank_sets_text(const struct mlv_rank_sets *r, const struct mlv_verdicts *v,
			struct mlv_buf *out)
{
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE];
	for (size_t i = 0; i < r->list.len; i++) {
		const struct mlv_rank_set *s = &r->list.data[i];
		const struct mlv_verdict *most = &v->list.data[s->most];
		mlv_buf_puts(out, i ? "" : "\n");
		mlv_buf_printf(out, "ranks, %zu by their %s: ", s->count, most->source);
		if (!s->matters) {
			mlv_buf_puts(out, "balanced; what fits on one fits on all\n");
			continue;
		}
		mlv_buf_printf(out,
			       "rank %" PRId64 " is the constraint: %s, %s more than rank %" PRId64
			       " (%s, medians of the steps after the first)\n",
			       most->rank, mlv_bytes_net(a, most->after[s->when]),
			       mlv_bytes_net(b, s->bytes), v->list.data[s->least].rank,
			       mlv_moment_name(s->when));
	}
}
