/* SPDX-License-Identifier: MIT */
/* What stands above the formats of texts: who is offered which line. */
#include "base/buf.h"
#include "text_reading.h"

enum { MOST_RANKS = 16384 };

static const struct mlv_diag *diag(const struct mlv_run *run, const char *code)
{
	for (size_t i = 0; i < run->diags.list.len; i++) {
		if (strcmp(run->diags.list.data[i].code, code) == 0)
			return &run->diags.list.data[i];
	}
	return NULL;
}

/* A line of each of so many ranks. */
static void read_ranks(struct reading *r, int ranks)
{
	struct mlv_buf text = { 0 };
	for (int i = 0; i < ranks; i++)
		mlv_buf_printf(&text, "[rank%d]: MA 0.10 GiB | Max_MA 0.87 GiB\n", i);
	unit_check(!text.failed);
	reading_of(r, text.data, text.len, NULL);
	mlv_buf_fini(&text);
}

START_TEST(test_most_ranks)
{
	struct reading r;
	read_ranks(&r, MOST_RANKS);
	ck_assert_int_eq(r.rc, MLV_OK);
	ck_assert_uint_eq(r.run.samples.len, 2 * MOST_RANKS);
	ck_assert_ptr_null(diag(&r.run, "ranks-many"));
	reading_fini(&r);
}
END_TEST

/* A line of a dozen bytes names a rank, whose states take a thousand times that: there is an end,
 * and it is said. */
START_TEST(test_too_many_ranks)
{
	struct reading r;
	read_ranks(&r, MOST_RANKS + 3);
	ck_assert_int_eq(r.rc, MLV_OK);
	ck_assert_uint_eq(r.run.samples.len, 2 * MOST_RANKS);
	const struct mlv_diag *d = diag(&r.run, "ranks-many");
	ck_assert_ptr_nonnull(d);
	ck_assert_uint_eq(d->count, 3);
	ck_assert_str_eq(d->text, "lines of more than 16384 ranks: those of rank 16384 are left "
				  "out");
	reading_fini(&r);
}
END_TEST

UNIT_MAIN("text", test_most_ranks, test_too_many_ranks)
