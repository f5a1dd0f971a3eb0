/* SPDX-License-Identifier: MIT */
#include "replay/sweep.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static enum mlv_rc fits(const struct mlv_recorded *r, struct mlv_whatif_setup setup,
			uint64_t capacity, struct mlv_fit *f, bool *yes, struct mlv_err *err)
{
	struct mlv_whatif w;
	setup.capacity = capacity;
	/* Garbage collection runs under a limit only: there the device's size is the limit. */
	if (setup.conf.gc_threshold > 0)
		setup.limit = capacity;
	enum mlv_rc rc = mlv_whatif_init(&w, r, &setup, err);
	if (rc)
		return rc;
	*yes = w.oom_at_alloc < 0;
	f->tried++;
	mlv_whatif_fini(&w);
	return MLV_OK;
}

/* Sizes near the one that was found: the answer is only as good as its neighbours. */
static enum mlv_rc verify(struct mlv_fit *f, const struct mlv_recorded *r,
			  const struct mlv_whatif_setup *setup, struct mlv_err *err)
{
	enum { NEIGHBOURS = 3 };
	enum mlv_rc rc = MLV_OK;
	for (uint64_t k = 1; !rc && k <= NEIGHBOURS; k++) {
		uint64_t step = k * f->resolution;
		bool yes = false;
		if (step < f->capacity)
			rc = fits(r, *setup, f->capacity - step, f, &yes, err);
		if (!rc && yes)
			f->smaller_fits = f->capacity - step;
		yes = true;
		if (!rc)
			rc = fits(r, *setup, f->capacity + step, f, &yes, err);
		if (!rc && !yes && !f->larger_fails)
			f->larger_fails = f->capacity + step;
	}
	return rc;
}

static uint64_t round_up(uint64_t bytes, uint64_t step)
{
	return (bytes + step - 1) / step * step;
}

enum mlv_rc mlv_fit(struct mlv_fit *f, const struct mlv_recorded *r,
		    const struct mlv_whatif_setup *setup, uint64_t resolution, struct mlv_err *err)
{
	struct mlv_whatif all;
	struct mlv_whatif_setup endless = *setup;
	endless.limit = endless.capacity = 0;
	*f = (struct mlv_fit){ .resolution = resolution };
	enum mlv_rc rc = mlv_whatif_init(&all, r, &endless, err);
	if (rc)
		return rc;
	uint64_t least = all.allocator.stats.active_bytes.peak;
	uint64_t most = round_up(all.allocator.stats.reserved_bytes.peak, resolution);
	mlv_whatif_fini(&all);
	/* Below what is alive nothing can fit. */
	uint64_t low = least ? (least - 1) / resolution * resolution : 0;
	while (!rc && most - low > resolution) {
		uint64_t middle = low + (most - low) / resolution / 2 * resolution;
		bool yes = false;
		rc = fits(r, *setup, middle, f, &yes, err);
		*(yes ? &most : &low) = middle;
	}
	f->capacity = most;
	return rc ? rc : verify(f, r, setup, err);
}

const char *const *mlv_sweep_grid(size_t *n)
{
	static const char *const grid[] = {
		"",
		"expandable_segments:True",
		"max_split_size_mb:20",
		"max_split_size_mb:32",
		"max_split_size_mb:64",
		"max_split_size_mb:128",
		"max_split_size_mb:256",
		"max_split_size_mb:512",
		"roundup_power2_divisions:1",
		"roundup_power2_divisions:2",
		"roundup_power2_divisions:4",
		"roundup_power2_divisions:8",
		"roundup_power2_divisions:16",
		"garbage_collection_threshold:0.6",
		"garbage_collection_threshold:0.8",
		"garbage_collection_threshold:0.9",
		"max_split_size_mb:64,garbage_collection_threshold:0.8",
		"max_split_size_mb:128,garbage_collection_threshold:0.8",
		"max_split_size_mb:256,garbage_collection_threshold:0.8",
		"roundup_power2_divisions:4,garbage_collection_threshold:0.8",
		"roundup_power2_divisions:8,garbage_collection_threshold:0.8",
		"roundup_power2_divisions:4,max_split_size_mb:128",
		"expandable_segments:True,roundup_power2_divisions:4",
		"expandable_segments:True,roundup_power2_divisions:8",
	};
	*n = sizeof(grid) / sizeof(grid[0]);
	return grid;
}

struct sweep {
	const struct mlv_recorded *r;
	struct mlv_sweep_row *rows;
	size_t count;
	uint64_t resolution;
	atomic_size_t next;
};

static void try_row(const struct sweep *s, struct mlv_sweep_row *row)
{
	struct mlv_whatif w;
	struct mlv_err err = MLV_ERR_INIT;
	struct mlv_whatif_setup setup = row->setup;
	if (setup.conf.gc_threshold > 0 && !setup.limit)
		setup.limit = setup.capacity;
	row->rc = mlv_whatif_init(&w, s->r, &setup, &err);
	if (row->rc)
		return;
	const struct mlv_alloc_stats *t = &w.allocator.stats;
	row->reserved_peak = t->reserved_bytes.peak;
	row->reserved_end = t->reserved_bytes.now;
	row->device_calls = t->num_device_alloc + t->num_device_free;
	row->retries = t->num_alloc_retries;
	row->oom_at_alloc = w.oom_at_alloc;
	mlv_whatif_fini(&w);
	row->rc = mlv_fit(&row->fit, s->r, &row->setup, s->resolution, &err);
}

static void *work(void *state)
{
	struct sweep *s = state;
	size_t i;
	while ((i = atomic_fetch_add(&s->next, 1)) < s->count)
		try_row(s, &s->rows[i]);
	return NULL;
}

static int by_rank(const void *a, const void *b)
{
	const struct mlv_sweep_row *x = a, *y = b;
	if (x->fit.capacity != y->fit.capacity)
		return x->fit.capacity < y->fit.capacity ? -1 : 1;
	if (x->reserved_peak != y->reserved_peak)
		return x->reserved_peak < y->reserved_peak ? -1 : 1;
	if (x->device_calls != y->device_calls)
		return x->device_calls < y->device_calls ? -1 : 1;
	return 0;
}

/* qsort is not stable: rows of one rank keep the order of the grid. */
static void sort(struct mlv_sweep_row *rows, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct mlv_sweep_row row = rows[i];
		size_t k = i;
		for (; k && by_rank(&rows[k - 1], &row) > 0; k--)
			rows[k] = rows[k - 1];
		rows[k] = row;
	}
}

static void run_threads(struct sweep *s, unsigned threads)
{
	enum { MOST = 16 };
	pthread_t others[MOST];
	unsigned started = 0;
	while (started < MOST && started + 1 < threads &&
	       !pthread_create(&others[started], NULL, work, s))
		started++;
	work(s);
	while (started--)
		pthread_join(others[started], NULL);
}

static bool alike(const struct mlv_alloc_conf *a, const struct mlv_alloc_conf *b)
{
	char x[400], y[400];
	return !strcmp(mlv_alloc_conf_text(a, x, sizeof(x)), mlv_alloc_conf_text(b, y, sizeof(y)));
}

enum mlv_rc mlv_sweep(struct mlv_sweep_row **rows, size_t *count, const struct mlv_recorded *r,
		      const struct mlv_whatif_setup *setup, uint64_t resolution, unsigned threads,
		      struct mlv_err *err)
{
	size_t n;
	const char *const *grid = mlv_sweep_grid(&n);
	struct sweep s = { .r = r, .resolution = resolution };
	struct mlv_diags notes = { 0 };
	s.rows = calloc(n + 1, sizeof(*s.rows));
	if (!s.rows)
		return mlv_err_nomem(err);
	s.rows[s.count].conf = r->conf;
	s.count++;
	for (size_t i = 0; i < n; i++) {
		struct mlv_alloc_conf conf = mlv_alloc_conf_default;
		struct mlv_str line = { grid[i], strlen(grid[i]) };
		if (mlv_alloc_conf_parse(&conf, line, &notes, err) || alike(&conf, &r->conf))
			continue;
		s.rows[s.count++].conf = conf;
	}
	mlv_diags_fini(&notes);
	for (size_t i = 0; i < s.count; i++) {
		s.rows[i].setup = *setup;
		s.rows[i].setup.conf = s.rows[i].conf;
	}
	run_threads(&s, threads);
	for (size_t i = 0; i < s.count; i++) {
		if (s.rows[i].rc) {
			free(s.rows);
			return mlv_err_nomem(err);
		}
	}
	sort(s.rows, s.count);
	*rows = s.rows;
	*count = s.count;
	return MLV_OK;
}
