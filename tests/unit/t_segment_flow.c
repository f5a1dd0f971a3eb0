/* SPDX-License-Identifier: MIT */
/* Where segments lie in a picture: every byte is in one cell, cells tile bars, bars fit rows. */
#include <math.h>

#include "render/segment_flow.h"
#include "unit.h"

static uint64_t state = 44;

static uint64_t rnd(uint64_t n)
{
	return unit_random(&state) % n;
}

/* Blocks of any state, of sizes from 512 bytes to gigabytes. */
static void add_segment(struct mlv_segment_map *m, struct mlv_map_group *g, uint64_t addr,
			unsigned magnitude)
{
	struct mlv_map_segment s = { .addr = addr, .first_block = m->blocks.len };
	size_t n = 1 + rnd(12);
	for (size_t i = 0; i < n; i++) {
		struct mlv_map_block b = { .addr = addr + s.bytes,
					   .bytes = 512 * (1 + rnd(UINT64_C(1) << rnd(magnitude))),
					   .state = (uint8_t)rnd(4) };
		if (b.state == MLV_CACHE_ALLOCATED || b.state == MLV_CACHE_PENDING)
			b.requested = b.bytes - rnd(b.bytes);
		mlv_map_sums_add(&m->sums, &b);
		s.bytes += b.bytes;
		s.blocks++;
		unit_check(mlv_vec_push(&m->blocks, b));
	}
	g->segments++;
	g->bytes += s.bytes;
	unit_check(mlv_vec_push(&m->segments, s));
}

static void make_map(struct mlv_segment_map *m)
{
	uint64_t addr = 4096;
	size_t groups = rnd(3) ? rnd(6) : rnd(60);
	*m = (struct mlv_segment_map){ .largest = SIZE_MAX };
	for (size_t i = 0; i < groups; i++) {
		struct mlv_map_group g = { .stream = i, .first_segment = m->segments.len };
		unsigned magnitude = 1 + (unsigned)rnd(23);
		for (size_t n = 1 + rnd(1 + rnd(200)); n--;) {
			add_segment(m, &g, addr, magnitude);
			addr += m->segments.data[m->segments.len - 1].bytes + 512;
		}
		unit_check(mlv_vec_push(&m->groups, g));
	}
}

/* The cells of a bar follow each other from its left end to its right one. */
static size_t check_bar(const struct mlv_segment_flow *f, const struct mlv_flow_bar *bar, size_t at)
{
	int32_t x = bar->x0;
	uint64_t bytes = 0;
	size_t began = at;
	unit_check(bar->row < f->rows.len && bar->x0 < bar->x1 && bar->x1 <= f->width);
	for (; at < f->cells.len && f->cells.data[at].row == bar->row &&
	       f->cells.data[at].x1 <= bar->x1;
	     at++) {
		const struct mlv_flow_cell *c = &f->cells.data[at];
		const struct mlv_map_sums *s = &c->sums;
		uint64_t sum =
			s->requested + s->rounding + s->pending + s->free_bytes + s->unmapped;
		unit_check(c->x0 == x && c->x1 >= x && c->blocks && sum);
		unit_check(c->x_used >= c->x0 && c->x_used <= c->x1);
		unit_check(!c->single || (c->blocks == 1 && c->x1 > c->x0));
		/* To the scale, but for the rounding of both its edges. */
		unit_check(fabs((double)sum / f->bytes_per_pixel - (c->x1 - c->x0)) <= 1.01);
		x = c->x1;
		bytes += sum;
	}
	unit_check(at > began && x == bar->x1);
	unit_check(fabs((double)bytes / f->bytes_per_pixel - (bar->x1 - bar->x0)) <= 1.01);
	return at;
}

static void check_bars(const struct mlv_segment_flow *f)
{
	size_t cell = 0;
	for (size_t i = 0; i < f->bars.len; i++) {
		const struct mlv_flow_bar *b = &f->bars.data[i];
		if (i && b->row == b[-1].row)
			unit_check(b->x0 > b[-1].x1);
		else
			unit_check(b->row == (i ? b[-1].row + 1 : 0) && b->x0 == 0);
		unit_check(!b->from_left || (b->x0 == 0 && b[-1].to_right));
		cell = check_bar(f, b, cell);
	}
	unit_check(cell == f->cells.len);
}

/* Every block is there, once, from its first byte to its last. */
static void check_bytes(const struct mlv_segment_flow *f, const struct mlv_segment_map *m)
{
	struct mlv_map_sums sum = { 0 };
	uint64_t *seen = calloc(m->blocks.len + 1, sizeof(*seen));
	for (size_t i = 0; i < f->cells.len; i++) {
		const struct mlv_flow_cell *c = &f->cells.data[i];
		sum.requested += c->sums.requested;
		sum.rounding += c->sums.rounding;
		sum.pending += c->sums.pending;
		sum.free_bytes += c->sums.free_bytes;
		sum.unmapped += c->sums.unmapped;
		for (size_t k = 0; k < c->blocks; k++)
			seen[c->first + k]++;
	}
	unit_check(sum.requested == m->sums.requested && sum.rounding == m->sums.rounding);
	unit_check(sum.pending == m->sums.pending && sum.free_bytes == m->sums.free_bytes);
	unit_check(sum.unmapped == m->sums.unmapped);
	for (size_t i = 0; i < m->blocks.len; i++)
		unit_check(seen[i]);
	free(seen);
}

static void check_places(const struct mlv_segment_flow *f, int32_t height, size_t groups)
{
	size_t named = 0;
	for (size_t i = 0; i < f->parts.len; i++) {
		const struct mlv_flow_part *p = &f->parts.data[i];
		unit_check(p->first == named && p->groups);
		unit_check(p->groups == 1 || i + 1 == f->parts.len);
		unit_check(p->y >= 0 && p->y + MLV_FLOW_HEADING < height);
		named += p->groups;
	}
	unit_check(named == groups);
	for (size_t i = 0; i < f->rows.len; i++) {
		unit_check(!i || f->rows.data[i].y > f->rows.data[i - 1].y + f->bar_height + 2);
		unit_check(f->rows.data[i].y + f->bar_height <= height && f->bar_height > 4);
	}
}

START_TEST(random_maps)
{
	unsigned shared = 0, joined = 0, broken = 0;
	for (int round = 0; round < 400; round++) {
		struct mlv_segment_map m;
		struct mlv_segment_flow f;
		int32_t width = 100 + (int32_t)rnd(1500), height = 40 + (int32_t)rnd(900);
		make_map(&m);
		unit_check(!mlv_segment_flow_init(&f, &m, width, height, NULL));
		check_bars(&f);
		check_bytes(&f, &m);
		check_places(&f, height, m.groups.len);
		shared += f.parts.len && f.parts.data[f.parts.len - 1].groups > 1;
		joined += f.joined > 0;
		for (size_t i = 0; i < f.bars.len; i++)
			broken += f.bars.data[i].to_right;
		mlv_segment_flow_fini(&f);
		mlv_segment_map_fini(&m);
	}
	/* All that is special came up. */
	ck_assert_uint_gt(shared, 20);
	ck_assert_uint_gt(joined, 20);
	ck_assert_uint_gt(broken, 100);
}
END_TEST

START_TEST(nothing_to_show_and_no_room)
{
	struct mlv_segment_map m = { .largest = SIZE_MAX };
	struct mlv_segment_flow f;
	struct mlv_err err = MLV_ERR_INIT;
	ck_assert_int_eq(mlv_segment_flow_init(&f, &m, 800, 400, &err), MLV_OK);
	ck_assert_uint_eq(f.cells.len, 0);
	mlv_segment_flow_fini(&f);
	while (!m.groups.len) {
		mlv_segment_map_fini(&m);
		make_map(&m);
	}
	ck_assert_int_eq(mlv_segment_flow_init(&f, &m, 800, 10, &err), MLV_E_USAGE);
	err = MLV_ERR_INIT;
	ck_assert_int_eq(mlv_segment_flow_init(&f, &m, 20, 400, &err), MLV_E_USAGE);
	mlv_segment_map_fini(&m);
}
END_TEST

UNIT_MAIN("segment_flow", random_maps, nothing_to_show_and_no_room)
