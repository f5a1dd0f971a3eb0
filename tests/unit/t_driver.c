/* SPDX-License-Identifier: MIT */
/*
 * The model of the driver's addresses against what a driver did: sequences
 * recorded on a device, where they are beside the checkout (CORPUS).
 */
#include <stdio.h>
#include <string.h>

#include "replay/conf.h"
#include "replay/driver.h"
#include "unit.h"

enum { MOST_PIECES = 1000 };

/* A piece as it was recorded, and where the model put it. */
struct piece {
	double at;
	uint64_t addr, bytes;
};

struct sequence {
	struct mlv_driver driver;
	struct piece pieces[MOST_PIECES];
	size_t live;
	bool begun;
	double offset; /* of the recorded addresses to the model's, in MiB */
	unsigned allocs, explained;
};

static void take(struct sequence *s, double mib, double at)
{
	uint64_t bytes = (uint64_t)(mib * (double)MLV_MIB), addr = 0;
	unit_check(mlv_driver_place(&s->driver, bytes, &addr));
	double placed = (double)(int64_t)(addr - (UINT64_C(1) << 61)) / (double)MLV_MIB;
	/* Recorded addresses count from the first one. */
	if (!s->begun)
		s->offset = placed - at;
	s->begun = true;
	s->allocs++;
	if (placed - s->offset == at)
		s->explained++;
	unit_check(s->live < MOST_PIECES);
	s->pieces[s->live++] = (struct piece){ at, addr, bytes };
}

static void give(struct sequence *s, double at)
{
	for (size_t i = 0; i < s->live; i++) {
		if (s->pieces[i].at != at)
			continue;
		mlv_driver_remove(&s->driver, s->pieces[i].addr, s->pieces[i].bytes);
		s->pieces[i] = s->pieces[--s->live];
		return;
	}
	ck_abort_msg("nothing at %g", at);
}

/* "T1: +64@0 -64@0 1MB@478.00 …" */
static void run_line(char *line, unsigned *allocs, unsigned *explained)
{
	static struct sequence s;
	memset(&s, 0, sizeof(s));
	unit_check(mlv_driver_init(&s.driver, MLV_DRIVER_CHUNKS, 0));
	char *save, *word = strtok_r(line, " \n", &save);
	while ((word = strtok_r(NULL, " \n", &save))) {
		double mib, at;
		if (sscanf(word, "+%lf@%lf", &mib, &at) == 2)
			take(&s, mib, at);
		else if (sscanf(word, "-%lf@%lf", &mib, &at) == 2)
			give(&s, at);
		else if (sscanf(word, "%lfMB@%lf", &mib, &at) == 2)
			take(&s, mib, at);
	}
	*allocs += s.allocs;
	*explained += s.explained;
	mlv_driver_fini(&s.driver);
}

START_TEST(recorded_addresses)
{
	char path[4096];
	static char line[65536];
	unsigned allocs = 0, explained = 0;
	const char *corpus = getenv("CORPUS");
	if (!corpus)
		return;
	snprintf(path, sizeof(path), "%s/driver-addresses/h200-driver580.txt", corpus);
	FILE *f = fopen(path, "r");
	if (!f)
		return;
	while (fgets(line, sizeof(line), f)) {
		if (line[0] == 'T')
			run_line(line, &allocs, &explained);
	}
	fclose(f);
	ck_assert_uint_ge(allocs, 979);
	ck_assert_uint_eq(explained, allocs);
}
END_TEST

/* Each profile: pieces never overlap, and all that was given back can be had again. */
static void run_random(enum mlv_driver_profile profile, uint64_t seed)
{
	static struct piece pieces[MOST_PIECES];
	struct mlv_driver d;
	size_t live = 0;
	unit_check(mlv_driver_init(&d, profile, 0));
	for (int i = 0; i < 3000; i++) {
		if (live < 300 && unit_random(&seed) % 5 < 3) {
			struct piece p = { .bytes = (1 + unit_random(&seed) % 40) * 2 * MLV_MIB };
			unit_check(mlv_driver_place(&d, p.bytes, &p.addr));
			for (size_t k = 0; k < live; k++)
				unit_check(p.addr + p.bytes <= pieces[k].addr ||
					   pieces[k].addr + pieces[k].bytes <= p.addr);
			pieces[live++] = p;
		} else if (live) {
			size_t k = unit_random(&seed) % live;
			mlv_driver_remove(&d, pieces[k].addr, pieces[k].bytes);
			pieces[k] = pieces[--live];
		}
	}
	uint64_t lowest = d.lowest;
	while (live--)
		mlv_driver_remove(&d, pieces[live].addr, pieces[live].bytes);
	if (profile != MLV_DRIVER_ASCENDING)
		unit_check(d.lowest >= lowest && !d.holes.root);
	unit_check(!d.no_memory);
	mlv_driver_fini(&d);
}

START_TEST(random_pieces)
{
	for (int profile = 0; profile < MLV_DRIVER_PROFILES; profile++) {
		for (uint64_t seed = 1; seed <= 20; seed++)
			run_random((enum mlv_driver_profile)profile, seed);
	}
}
END_TEST

START_TEST(a_full_device)
{
	struct mlv_driver d;
	uint64_t addr, first;
	unit_check(mlv_driver_init(&d, MLV_DRIVER_CHUNKS, 64 * MLV_MIB));
	struct mlv_backend b = mlv_driver_backend(&d);
	unit_check(b.alloc(b.state, 40 * MLV_MIB, 0, &first));
	unit_check(!b.alloc(b.state, 26 * MLV_MIB, 0, &addr));
	unit_check(b.alloc(b.state, 24 * MLV_MIB, 0, &addr));
	unit_check(!b.map(b.state, 0, 2 * MLV_MIB));
	b.free(b.state, first, 40 * MLV_MIB);
	unit_check(b.map(b.state, 0, 2 * MLV_MIB));
	mlv_driver_fini(&d);
}
END_TEST

UNIT_MAIN("driver", recorded_addresses, random_pieces, a_full_device)
