/* SPDX-License-Identifier: MIT */
#include "report/diff.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/alive.h"
#include "base/utf8.h"
#include "replay/counters.h"
#include "report/diff_parts.h"

/* ------------------------------------------------------------------ which device with which */

static bool holds_anything(const struct mlv_run *run, const struct mlv_device *d)
{
	for (size_t i = 0; i < d->events; i++) {
		if (run->mem_events.data[d->first_event + i].action != MLV_MEM_SNAPSHOT)
			return true;
	}
	return d->segments > 0;
}

/* The devices of a run that hold anything; free() it. */
static size_t *devices_of(const struct mlv_run *run, int64_t only, size_t *count)
{
	size_t *list = calloc(run->devices.len + 1, sizeof(*list));
	*count = 0;
	for (size_t i = 0; list && i < run->devices.len; i++) {
		const struct mlv_device *d = &run->devices.data[i];
		if (holds_anything(run, d) && (only < 0 || d->ordinal == only))
			list[(*count)++] = i;
	}
	return list;
}

/* Where each has one device they are compared whatever their numbers: ranks see theirs as 0. */
static bool are_partners(const struct mlv_diff *d, size_t a, size_t b, bool one_each)
{
	const struct mlv_device *x = &d->run[0]->devices.data[a];
	const struct mlv_device *y = &d->run[1]->devices.data[b];
	return x->bytes_are == y->bytes_are && (one_each || x->ordinal == y->ordinal);
}

/* ------------------------------------------------------------------ one pair of devices */

/* Allocated bytes of both, by replays that run beside each other. */
static enum mlv_rc count(const struct mlv_device_diff *dd, struct mlv_memory_side *sides,
			 struct mlv_err *err)
{
	struct mlv_counting counting[2];
	enum mlv_rc rc = MLV_OK;
	for (unsigned s = 0; s < 2; s++)
		mlv_counting_begin(&counting[s], &dd->history[s]);
	for (unsigned s = 0; s < 2; s++) {
		enum mlv_rc one = mlv_counting_end(&counting[s], err);
		const struct mlv_counters *c = &counting[s].counters;
		rc = rc ? rc : one;
		sides[s].allocated_known = c->known;
		sides[s].allocated_peak = c->stats.allocated_bytes.peak;
		sides[s].allocated_end = c->stats.allocated_bytes.now;
	}
	return rc;
}

static const struct mlv_verdict *verdict_of(const struct mlv_verdicts *v,
					    const struct mlv_device *device)
{
	for (size_t i = 0; i < v->list.len; i++) {
		if (v->list.data[i].device == (int64_t)device->ordinal)
			return &v->list.data[i];
	}
	return NULL;
}

static bool is_paired(const struct mlv_diff *d, const struct mlv_verdict *b)
{
	for (size_t i = 0; i < d->phases.len; i++) {
		if (d->phases.data[i].side[1] == b)
			return true;
	}
	return false;
}

/* Of reports and logs: of the same rank, or of the only one with the only one. */
static enum mlv_rc pair_phases(struct mlv_diff *d, struct mlv_err *err)
{
	size_t n[2] = { 0 };
	for (unsigned s = 0; s < 2; s++) {
		for (size_t i = 0; i < d->verdicts[s].list.len; i++)
			n[s] += d->verdicts[s].list.data[i].device < 0;
	}
	bool one_each = n[0] == 1 && n[1] == 1;
	for (size_t i = 0; i < d->verdicts[0].list.len; i++) {
		const struct mlv_verdict *a = &d->verdicts[0].list.data[i];
		for (size_t k = 0; a->device < 0 && k < d->verdicts[1].list.len; k++) {
			const struct mlv_verdict *b = &d->verdicts[1].list.data[k];
			struct mlv_verdict_pair pair = { { a, b } };
			if (b->device >= 0 || !(one_each || a->rank == b->rank) || is_paired(d, b))
				continue;
			if (!mlv_vec_push(&d->phases, pair))
				return mlv_err_nomem(err);
			break;
		}
	}
	return MLV_OK;
}

static enum mlv_rc judge(struct mlv_diff *d, struct mlv_err *err)
{
	struct mlv_classify_options o = { .capacity = 0 };
	enum mlv_rc rc = MLV_OK;
	for (unsigned s = 0; !rc && s < 2; s++)
		rc = mlv_classify_run(&d->verdicts[s], d->run[s], &o, err);
	return rc ? rc : pair_phases(d, err);
}

static enum mlv_rc add_device(struct mlv_diff *d, size_t a, size_t b, struct mlv_err *err)
{
	struct mlv_device_diff *dd = &d->devices[d->device_count];
	struct mlv_memory_side sides[2] = { 0 };
	size_t device[2] = { a, b };
	unsigned ready = 0;
	enum mlv_rc rc = MLV_OK;
	while (!rc && ready < 2) {
		rc = mlv_history_init(&dd->history[ready], d->run[ready], device[ready], err);
		ready += !rc;
	}
	if (!rc)
		rc = count(dd, sides, err);
	for (unsigned s = 0; !rc && s < 2; s++) {
		sides[s].history = &dd->history[s];
		sides[s].sites = &d->sites[s];
		sides[s].keys = &d->keys[s];
		sides[s].verdict = verdict_of(&d->verdicts[s], dd->history[s].device);
	}
	if (!rc)
		rc = mlv_memory_diff_init(&dd->memory, &sides[0], &sides[1], err);
	if (!rc && d->same_process) {
		rc = mlv_process_diff_init(&dd->process, &dd->memory, err);
		if (rc)
			mlv_memory_diff_fini(&dd->memory);
	}
	if (!rc)
		d->device_count++;
	while (rc && ready > 0)
		mlv_history_fini(&dd->history[--ready]);
	return rc;
}

#define TAKEN SIZE_MAX /* a device that has its partner */

static enum mlv_rc diff_devices(struct mlv_diff *d, int64_t only, struct mlv_err *err)
{
	size_t n[2] = { 0 }, *list[2];
	for (unsigned s = 0; s < 2; s++)
		list[s] = devices_of(d->run[s], only, &n[s]);
	d->devices = calloc(n[0] + 1, sizeof(*d->devices));
	enum mlv_rc rc = list[0] && list[1] && d->devices ? MLV_OK : mlv_err_nomem(err);
	bool one_each = n[0] == 1 && n[1] == 1;
	for (size_t i = 0; !rc && i < n[0]; i++) {
		for (size_t k = 0; k < n[1]; k++) {
			if (list[1][k] == TAKEN ||
			    !are_partners(d, list[0][i], list[1][k], one_each))
				continue;
			rc = add_device(d, list[0][i], list[1][k], err);
			list[1][k] = TAKEN;
			break;
		}
	}
	for (unsigned s = 0; s < 2; s++) {
		d->devices_only[s] = n[s] - d->device_count;
		free(list[s]);
	}
	return rc;
}

/* ------------------------------------------------------------------ the whole */

enum mlv_rc mlv_diff_init(struct mlv_diff *d, const struct mlv_run *a, const struct mlv_run *b,
			  const struct mlv_diff_options *o, struct mlv_err *err)
{
	*d = (struct mlv_diff){ .run = { a, b },
				.ignore = o->ignore,
				.same_process = o->same_process };
	enum mlv_rc rc = MLV_OK;
	for (unsigned s = 0; !rc && s < 2; s++) {
		rc = mlv_sites_init(&d->sites[s], d->run[s], NULL, 0, err);
		if (!rc)
			rc = mlv_stack_keys_init(&d->keys[s], d->run[s], err);
	}
	if (!rc)
		rc = judge(d, err);
	if (!rc)
		rc = diff_devices(d, o->device, err);
	/* One kind has tables that say more. */
	if (!rc && !d->device_count && strcmp(a->format, b->format) != 0)
		rc = mlv_diff_counters(d, err);
	if (!rc)
		rc = mlv_run_diff_init(&d->rest, a, b, o->ignore, err);
	if (rc)
		mlv_diff_fini(d);
	return rc;
}

void mlv_diff_fini(struct mlv_diff *d)
{
	for (size_t i = 0; i < d->device_count; i++) {
		mlv_process_diff_fini(&d->devices[i].process);
		mlv_memory_diff_fini(&d->devices[i].memory);
		mlv_history_fini(&d->devices[i].history[0]);
		mlv_history_fini(&d->devices[i].history[1]);
	}
	free(d->devices);
	mlv_run_diff_fini(&d->rest);
	mlv_vec_free(&d->phases);
	mlv_vec_free(&d->counters);
	for (unsigned s = 0; s < 2; s++) {
		mlv_sites_fini(&d->sites[s]);
		mlv_stack_keys_fini(&d->keys[s]);
		mlv_verdicts_fini(&d->verdicts[s]);
	}
	*d = (struct mlv_diff){ 0 };
}

bool mlv_diff_shares(const struct mlv_diff *d)
{
	return d->device_count || d->counters.len || d->rest.shared;
}

static bool figures_differ(const mlv_figures *list)
{
	bool differs = false;
	for (size_t i = 0; !differs && i < list->len; i++) {
		const struct mlv_figure *f = &list->data[i];
		differs = mlv_figure_comparable(f) && f->value[0] != f->value[1];
	}
	return differs;
}

bool mlv_diff_differs(const struct mlv_diff *d)
{
	bool differs = d->devices_only[0] || d->devices_only[1] || mlv_run_diff_any(&d->rest) ||
		       figures_differ(&d->counters);
	for (size_t i = 0; !differs && i < d->device_count; i++)
		differs = d->devices[i].memory.differing ||
			  figures_differ(&d->devices[i].memory.figures);
	return differs;
}

/* ------------------------------------------------------------------ names and values */

/* The user's own frame, where it is not among those that the name already has. */
static void add_user_frame(struct mlv_sites *sites, mlv_stackid stack, char *buf, size_t size)
{
	char place[MLV_NAME_SIZE];
	uint32_t site;
	size_t n = strlen(buf);
	if (!mlv_site_of(sites, stack, &site))
		return;
	const struct mlv_site *x = &sites->list.data[site];
	if (x->kind != MLV_SITE_PYTHON)
		return;
	mlv_frame_place(sites->run, x->user, place, sizeof(place));
	const struct mlv_frame *f = &sites->run->stacks.frames.data[x->user.i];
	if (!strstr(buf, place) && n + 8 < size)
		snprintf(buf + n, size - n, " < … %.80s %.120s",
			 mlv_run_str(sites->run, f->function).p, place);
}

void mlv_stack_diff_name(const struct mlv_memory_diff *m, const struct mlv_stack_diff *s, char *buf,
			 size_t size)
{
	enum { FRAMES = 2 };
	unsigned side = s->present[1];
	struct mlv_sites *sites = m->side[side].sites;
	if (s->before) {
		snprintf(buf, size, "older than the recording");
		return;
	}
	mlv_stack_brief(sites, s->stack[side], FRAMES, buf, size);
	add_user_frame(sites, s->stack[side], buf, size);
}

void mlv_relative_text(double a, double b, char *buf, size_t size)
{
	buf[0] = '\0';
	if (a > 0 && isfinite(a) && isfinite(b) && fabs(b / a) < 1e6)
		snprintf(buf, size, "%+.1f %%", (b - a) / a * 100);
}

static struct mlv_cell cell(int64_t value, const struct mlv_figure *f, bool known)
{
	struct mlv_cell c = { known, mlv_decimal_int(value, (enum mlv_unit)f->unit) };
	if (f->unit == MLV_UNIT_PERCENT)
		c.value.exponent = -1;
	return c;
}

struct mlv_cell mlv_figure_cell(const struct mlv_figure *f, unsigned side)
{
	return cell(f->value[side], f, f->known[side]);
}

struct mlv_cell mlv_figure_change_cell(const struct mlv_figure *f)
{
	return cell(mlv_figure_change(f), f, mlv_figure_comparable(f));
}

void mlv_property_text(const struct mlv_run *run, const struct mlv_property *p, char *buf,
		       size_t size)
{
	struct mlv_str text;
	if (!p) {
		snprintf(buf, size, "-");
		return;
	}
	switch (p->kind) {
	case MLV_PROP_INT:
		snprintf(buf, size, "%" PRId64, p->number);
		break;
	case MLV_PROP_BOOL:
		snprintf(buf, size, "%s", p->number ? "True" : "False");
		break;
	default:
		text = mlv_run_str(run, p->text);
		mlv_utf8_fit(buf, size, text.p, text.n);
		break;
	}
}

void mlv_property_words(const struct mlv_run *run, const struct mlv_property *p, char *buf,
			size_t size)
{
	mlv_property_text(run, p, buf, size);
	if (!buf[0])
		snprintf(buf, size, "''");
}
