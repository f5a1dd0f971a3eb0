/* SPDX-License-Identifier: MIT */
/* Rankings of what is in a report: which metrics make a table, in which order, with which digits.
 */
#include "metric_reader.h"

#include "analysis/metric_tables.h"
#include "report/table_text.h"

static struct mlv_metric_tables tables;
static struct mlv_table table;

static void read_tables(const char *text, size_t count)
{
	struct mlv_err err = MLV_ERR_INIT;
	ck_assert_int_eq(read_text(text), MLV_OK);
	ck_assert_int_eq(mlv_metric_tables_init(&tables, &run, &err), MLV_OK);
	ck_assert_uint_eq(tables.count, count);
}

static void end_tables(void)
{
	mlv_metric_tables_fini(&tables);
	mlv_run_fini(&run);
}

static enum mlv_rc make(size_t i, const char *by)
{
	struct mlv_table_options o = { .by = by };
	struct mlv_err err = MLV_ERR_INIT;
	return mlv_table_metrics(&table, &tables, i, &o, &err);
}

/* "SUBJECT: VALUE of the ranking" */
static const char *ranked(size_t row)
{
	static char text[300];
	char value[80];
	const struct mlv_table_row *r = &table.rows.data[row];
	mlv_cell_text(table.cells.data[r->first_cell + table.by],
		      table.columns.data[table.by].change, value, sizeof(value));
	snprintf(text, sizeof(text), "%.200s: %s", r->subject.p, value);
	return text;
}

#define GNU_TIME(command, user, elapsed)                                                           \
	"\tCommand being timed: \"" command "\"\n\tUser time (seconds): " user                     \
	"\n\tElapsed (wall clock) time (h:mm:ss or m:ss): " elapsed "\n\tExit status: 0\n"

/* Reports of one row each are rows of one table, whose names are told apart by their lines. */
START_TEST(one_row_each)
{
	read_tables("starting\n" GNU_TIME("a", "3.00", "0:02.00") "between\n" GNU_TIME("a", "1.00",
										       "1:02.50"),
		    1);
	ck_assert_int_eq(make(0, NULL), MLV_OK);
	ck_assert_str_eq(table.title, "gnu-time: 2 reports");
	ck_assert_str_eq(ranked(0), "a (line 7): 62.50 s");
	ck_assert_str_eq(ranked(1), "a (line 2): 2.00 s");
	mlv_table_fini(&table);
	ck_assert_int_eq(make(0, "User"), MLV_OK);
	ck_assert_str_eq(ranked(0), "a (line 2): 3.00 s");
	mlv_table_fini(&table);
	ck_assert_int_eq(make(0, "nothing"), MLV_E_USAGE);
	end_tables();
}
END_TEST

#define RULE "--------  ------------  ------------  ------------  \n"

static const char profile[] = RULE "    Name      Self CPU     Self CUDA    # of Calls  \n" RULE
				   "aten::mm       1.500ms     900.000us            12  \n"
				   "aten::add      2.500ms     100.000us             7  \n" RULE
				   "Self CPU time total: 4.000ms\nSelf CUDA time total: 1.000ms\n";

/* The totals stand beside the rows, and are no row. */
START_TEST(totals)
{
	read_tables(profile, 1);
	ck_assert_int_eq(make(0, NULL), MLV_OK);
	ck_assert_uint_eq(table.total_rows, 2);
	ck_assert_uint_eq(table.columns.len, 3);
	ck_assert_str_eq(ranked(0), "aten::mm: 900.000 us");
	ck_assert_uint_eq(table.rows.data[0].first_line, 4);
	ck_assert_uint_eq(table.rows.data[1].first_line, 5);
	ck_assert_uint_eq(table.totals.len, 2);
	struct mlv_buf text = { 0 };
	mlv_totals_text(&table, &text);
	ck_assert_str_eq(text.data, "Self CPU time total 4.000 ms, Self CUDA time total 1.000 ms");
	mlv_buf_fini(&text);
	mlv_table_fini(&table);
	end_tables();
}
END_TEST

/* Two ranks print at once: each has its table, however the lines are mixed. */
START_TEST(interleaved)
{
	static char text[4 * sizeof(profile)];
	size_t n = 0;
	for (const char *p = profile; *p;) {
		size_t line = strcspn(p, "\n") + 1;
		for (int rank = 0; rank < 2; rank++)
			n += (size_t)snprintf(text + n, sizeof(text) - n, "[rank%d]: %.*s", rank,
					      (int)line, p);
		p += line;
	}
	read_tables(text, 2);
	for (size_t i = 0; i < 2; i++) {
		ck_assert_int_eq(make(i, NULL), MLV_OK);
		ck_assert_uint_eq(table.total_rows, 2);
		ck_assert_str_eq(table.title, i ? "profiler-table, rank 1 (line 2)"
						: "profiler-table, rank 0 (line 1)");
		mlv_table_fini(&table);
	}
	end_tables();
}
END_TEST

/* Sizes are not compared with counts, and a device without times is no ranking. */
START_TEST(unlike_quantities)
{
	read_tables("{\"active.all.peak\": 4000000000, \"active_bytes.all.peak\": 2048, "
		    "\"reserved_bytes.all.peak\": 4096, \"num_ooms\": 9}",
		    1);
	ck_assert_int_eq(make(0, NULL), MLV_OK);
	ck_assert_str_eq(ranked(0), "reserved_bytes.all: 4.0 KiB");
	ck_assert_str_eq(ranked(1), "active_bytes.all: 2.0 KiB");
	ck_assert_str_eq(ranked(2), "active.all: 4 000 000 000");
	ck_assert_str_eq(ranked(3), "num_ooms: -");
	mlv_table_fini(&table);
	end_tables();
	read_tables(RULE "    Name      Self CPU     Self CUDA    # of Calls  \n" RULE
			 "aten::mm       1.500ms       0.000us            12  \n" RULE,
		    1);
	ck_assert_int_eq(make(0, NULL), MLV_OK);
	ck_assert_str_eq(ranked(0), "aten::mm: 1.500 ms");
	mlv_table_fini(&table);
	end_tables();
}
END_TEST

static void sample(int64_t mantissa, int16_t exponent, enum mlv_unit unit)
{
	struct mlv_sample s = { .time_ns = MLV_NO_TIME,
				.track = MLV_TRACK_NONE,
				.step = MLV_NO_STEP,
				.value = { mantissa, exponent, (uint8_t)unit, 0 } };
	ck_assert(mlv_run_intern(&run, MLV_STR("m"), &s.metric));
	ck_assert(mlv_vec_push(&run.samples, s));
}

static const char *growth(void)
{
	static char text[80];
	struct mlv_table_options o = { .by = "growth" };
	struct mlv_err err = MLV_ERR_INIT;
	ck_assert_int_eq(mlv_table_samples(&table, &run, &o, &err), MLV_OK);
	const struct mlv_cell *c = &table.cells.data[table.rows.data[0].first_cell];
	mlv_cell_text(*c, true, text, sizeof(text));
	mlv_table_fini(&table);
	run.samples.len = 0;
	return text;
}

/* Growth keeps its unit and claims no digits that the samples did not have. */
START_TEST(growths)
{
	ck_assert(mlv_run_init(&run, "file"));
	sample(94, -2, MLV_UNIT_GIB);
	sample(347, -2, MLV_UNIT_GIB);
	ck_assert_str_eq(growth(), "+2.53 GiB");
	sample(12, -3, MLV_UNIT_S); /* 0.012 and 0.0105, as a double is printed */
	sample(105, -4, MLV_UNIT_S);
	ck_assert_str_eq(growth(), "-0.0015 s");
	sample(51200, -2, MLV_UNIT_MIB);
	sample(120, -2, MLV_UNIT_GIB);
	ck_assert_str_eq(growth(), "+0.70 GiB");
	sample(1, 0, MLV_UNIT_GIB);
	sample(1, 0, MLV_UNIT_NONE);
	ck_assert_str_eq(growth(), "-");
	sample(INT64_MAX, 0, MLV_UNIT_BYTES);
	sample(INT64_MIN, 0, MLV_UNIT_BYTES);
	ck_assert_str_eq(growth(), "-8.00 EiB");
	mlv_run_fini(&run);
}
END_TEST

/* Digits of a double are cut to those that a reader wants; printed ones are kept. */
START_TEST(digits)
{
	static const struct {
		struct mlv_decimal value;
		const char *text;
	} cells[] = {
		{ { 11324918666666668, -18, MLV_UNIT_S, 0 }, "0.0113249187 s" },
		{ { 19295990000000002, -19, MLV_UNIT_S, 0 }, "0.001929599 s" },
		{ { 12345678901, -6, MLV_UNIT_S, 0 }, "12345.678901 s" },
		{ { -99999999999999999, -17, MLV_UNIT_NONE, 0 }, "-1" },
		{ { 4000000000000, 0, MLV_UNIT_NONE, 0 }, "4 000 000 000 000" },
	};
	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++) {
		char text[80];
		struct mlv_cell c = { true, cells[i].value };
		mlv_cell_text(c, false, text, sizeof(text));
		ck_assert_str_eq(text, cells[i].text);
	}
}
END_TEST

UNIT_MAIN("tables", one_row_each, totals, interleaved, unlike_quantities, growths, digits)
