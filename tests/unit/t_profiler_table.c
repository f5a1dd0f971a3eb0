/* SPDX-License-Identifier: MIT */
/* Tables of torch.profiler, as its versions print them and as people paste them. */
#include "metric_reader.h"

/* Three rows of a recorded table, with fewer columns. */
static const char cuda_table[] =
	"-------------------------------------------------------  ------------  ------------  "
	"------------  ------------  ------------  ------------  ------------  \n"
	"                                                   Name    Self CPU %      Self CPU     "
	"Self CUDA   Self CUDA %      CUDA Mem  Self CUDA Mem    # of Calls  \n"
	"-------------------------------------------------------  ------------  ------------  "
	"------------  ------------  ------------  ------------  ------------  \n"
	"    autograd::engine::evaluate_function: AddmmBackward0         0.70%     347.094us       "
	"0.000us         0.00%      -2.98 MB     -16.00 MB            12  \n"
	"                                                forward         0.00%       0.000us       "
	"7.565ms       591.48%           0 B        -512 B             2  \n"
	"sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize32x32x...           NaN        1.250s     "
	"163.457us             0      29.06 Kb       1.00 Gb            16  \n"
	"-------------------------------------------------------  ------------  ------------  "
	"------------  ------------  ------------  ------------  ------------  \n"
	"Self CPU time total: 49.722ms\n"
	"Self CUDA time total: 1.279ms\n\n";

START_TEST(figures)
{
	const char *name = "autograd::engine::evaluate_function: AddmmBackward0";
	const char *cut = "sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize32x32x...";
	ck_assert_int_eq(read_text(cuda_table), MLV_OK);
	ck_assert_str_eq(run.format, "profiler-table");
	ck_assert_uint_eq(run.sections.len, 1);
	ck_assert_uint_eq(run.sections.data[0].rows, 3);
	ck_assert_uint_eq(run.sections.data[0].line, 1);
	ck_assert_uint_eq(run.sections.data[0].last_line, 9);
	ck_assert_str_eq(metric(name, "Self CPU %"), "0.70 %");
	ck_assert_str_eq(metric(name, "Self CPU"), "347.094 us");
	ck_assert_str_eq(metric(name, "CUDA Mem"), "-2.98 MiB");
	ck_assert_str_eq(metric(name, "Self CUDA Mem"), "-16.00 MiB");
	ck_assert_str_eq(metric(name, "# of Calls"), "12");
	ck_assert_str_eq(metric("forward", "Self CUDA %"), "591.48 %");
	ck_assert_str_eq(metric("forward", "Self CUDA Mem"), "-512 B");
	ck_assert_str_eq(metric(cut, "Self CPU %"), "nan %");
	ck_assert_str_eq(metric(cut, "Self CUDA %"), "0 %");
	ck_assert_str_eq(metric(cut, "Self CPU"), "1.250 s");
	ck_assert_str_eq(metric(cut, "CUDA Mem"), "29.06 KiB");
	ck_assert_str_eq(metric(cut, "Self CUDA Mem"), "1.00 GiB");
	ck_assert_str_eq(metric("(total)", "Self CPU time total"), "49.722 ms");
	ck_assert_str_eq(metric("(total)", "Self CUDA time total"), "1.279 ms");
	ck_assert_uint_eq(run.metrics.len, 3 * 7 + 2);
	ck_assert_uint_eq(run.metrics.data[run.metrics.len - 1].row, 3);
	ck_assert_uint_eq(run.diags.list.len, 0);
	mlv_run_fini(&run);
}
END_TEST

START_TEST(spoiled)
{
	spoil(cuda_table);
}
END_TEST

/* Version 1.5: other titles, left-aligned, and the first of them wider than its column. */
static const char old_table[] =
	"--------------------  ---------------  ---------------  ---------------  ---------------  "
	"---------------  \n"
	"Name                  Self CPU total %  Self CPU total   CPU total %      CPU total       "
	" "
	"Number of Calls  \n"
	"--------------------  ---------------  ---------------  ---------------  ---------------  "
	"---------------  \n"
	"aten::matmul          0.17%            890.805us        99.05%           523.401ms        "
	"100              \n"
	"--------------------  ---------------  ---------------  ---------------  ---------------  "
	"---------------  \n"
	"Self CPU time total: 529.382ms\n"
	"CUDA time total: 1.585s\n";

START_TEST(version_1_5)
{
	ck_assert_int_eq(read_text(old_table), MLV_OK);
	ck_assert_str_eq(metric("aten::matmul", "Self CPU %"), "0.17 %");
	ck_assert_str_eq(metric("aten::matmul", "Self CPU"), "890.805 us");
	ck_assert_str_eq(metric("aten::matmul", "CPU total %"), "99.05 %");
	ck_assert_str_eq(metric("aten::matmul", "CPU total"), "523.401 ms");
	ck_assert_str_eq(metric("aten::matmul", "# of Calls"), "100");
	ck_assert_str_eq(metric("(total)", "CUDA time total"), "1.585 s");
	ck_assert_uint_eq(run.metrics.len, 7);
	ck_assert_uint_eq(run.diags.list.len, 0);
	mlv_run_fini(&run);
	/* Blanks at the ends of lines get lost; the last cell is whole all the same. */
	char text[sizeof(old_table)];
	size_t n = 0;
	for (size_t i = 0; old_table[i]; i++) {
		if (old_table[i] == '\n') {
			while (n && text[n - 1] == ' ')
				n--;
		}
		text[n++] = old_table[i];
	}
	ck_assert_int_eq(read_bytes(text, n, NULL, 0), MLV_OK);
	ck_assert_uint_eq(run.metrics.len, 7);
	mlv_run_fini(&run);
}
END_TEST

/* FLOPs and stacks: the cells are in the other order than their titles. */
static const char stack_table[] =
	"-----------  ------------  ------------  ---------------------  ------------  \n"
	"       Name      Self CPU    # of Calls  Source Location        Total MFLOPs  \n"
	"-----------  ------------  ------------  ---------------------  ------------  \n"
	"   aten::mm       1.000us             3  4697.620               a/model.py(157): "
	"forward  \n"
	"                                                                train.py(9): step  \n"
	"                                                                              \n"
	"  aten::add       2.000us             4  --                     b.py(1): g    \n"
	"                                                                              \n"
	" aten::relu       4.000us             5  --                                   \n"
	"-----------  ------------  ------------  ---------------------  ------------  \n"
	"Self CPU time total: 7.000us\n";

START_TEST(stacks_and_flops)
{
	ck_assert_int_eq(read_text(stack_table), MLV_OK);
	ck_assert_uint_eq(run.sections.data[0].rows, 3);
	ck_assert_str_eq(metric("aten::mm at a/model.py(157): forward", "Self CPU"), "1.000 us");
	ck_assert_str_eq(metric("aten::mm at a/model.py(157): forward", "Total FLOPs"),
			 "4.697620e9 FLOP");
	ck_assert_str_eq(metric("aten::add at b.py(1): g", "# of Calls"), "4");
	ck_assert_str_eq(metric("aten::add at b.py(1): g", "Total FLOPs"), "none");
	ck_assert_str_eq(metric("aten::relu", "Self CPU"), "4.000 us");
	ck_assert_uint_eq(run.metrics.len, 8);
	ck_assert_uint_eq(run.diags.list.len, 0);
	mlv_run_fini(&run);
}
END_TEST

/* Should the order be mended one day. */
START_TEST(stacks_in_order)
{
	ck_assert_int_eq(
		read_text(
			"-----------  ------------  ------------  ---------------  ------------  \n"
			"       Name      Self CPU    # of Calls  Source Location  Total KFLOPs  \n"
			"-----------  ------------  ------------  ---------------  ------------  \n"
			"   aten::mm       1.000us             3  a.py(3): f             12.500  \n"
			"-----------  ------------  ------------  ---------------  ------------  "
			"\n"),
		MLV_OK);
	ck_assert_str_eq(metric("aten::mm at a.py(3): f", "Total FLOPs"), "12500 FLOP");
	mlv_run_fini(&run);
}
END_TEST

START_TEST(shapes_and_overloads)
{
	ck_assert_int_eq(read_text("---------  -------------  ------------  ------------  "
				   "--------------------  "
				   "\n"
				   "     Name  Overload Name      Self CPU    # of Calls          "
				   "Input Shapes  "
				   "\n"
				   "---------  -------------  ------------  ------------  "
				   "--------------------  "
				   "\n"
				   " aten::mm            out       1.000us             3      [[2, "
				   "3], [3, 4]]  "
				   "\n"
				   " aten::mm                      2.000us             4           "
				   "         []  "
				   "\n"
				   "---------  -------------  ------------  ------------  "
				   "--------------------  "
				   "\n"),
			 MLV_OK);
	ck_assert_str_eq(metric("aten::mm.out [[2, 3], [3, 4]]", "Self CPU"), "1.000 us");
	ck_assert_str_eq(metric("aten::mm", "Self CPU"), "2.000 us");
	ck_assert_uint_eq(run.metrics.len, 4);
	mlv_run_fini(&run);
}
END_TEST

/* Characters are counted, not bytes, and a value may be wider than its column. */
START_TEST(widths)
{
	ck_assert_int_eq(
		read_text("--------------  ------------  ------------  ------------  \n"
			  "          Name  Self PRIVATEUSE1    Self CPU %    # of Calls  \n"
			  "--------------  ------------  ------------  ------------  \n"
			  "   \xc3\xa9tape  eins  12345678.123us        12.34%            42  \n"
			  "          zwei       1.123us         1.30%             2  \n"
			  "--------------  ------------  ------------  ------------  \n"),
		MLV_OK);
	ck_assert_str_eq(metric("\xc3\xa9tape  eins", "Self PRIVATEUSE1"), "12345678.123 us");
	ck_assert_str_eq(metric("\xc3\xa9tape  eins", "Self CPU %"), "12.34 %");
	ck_assert_str_eq(metric("\xc3\xa9tape  eins", "# of Calls"), "42");
	ck_assert_str_eq(metric("zwei", "# of Calls"), "2");
	mlv_run_fini(&run);
}
END_TEST

START_TEST(edited_by_a_character)
{
	ck_assert_int_eq(read_text("----------  ------------  ------------  ------------  \n"
				   "      Name      Self CPU      Self XPU    # of Calls\n"
				   "----------  ------------  ------------  ------------  \n"
				   "  aten::mm       1.123us        2.000us            42\n"
				   "   a thing      1.125us       4.000us            43\n"
				   "----------  ------------  ------------  ------------  \n"),
			 MLV_OK);
	ck_assert_str_eq(metric("aten::mm", "Self CPU"), "1.123 us");
	ck_assert_str_eq(metric("aten::mm", "Self XPU"), "2.000 us");
	ck_assert_str_eq(metric("aten::mm", "# of Calls"), "42");
	ck_assert_str_eq(metric("a thing", "# of Calls"), "43");
	mlv_run_fini(&run);
}
END_TEST

START_TEST(headers)
{
	char text[3 * sizeof(cuda_table)];
	snprintf(text, sizeof(text),
		 "====================================\nmy header\n"
		 "====================================\n"
		 "This report only display top-level ops statistics\n%s"
		 "some log\n====================================\nnot a table\n\n%s",
		 cuda_table, cuda_table);
	ck_assert_int_eq(read_text(text), MLV_OK);
	ck_assert_uint_eq(run.sections.len, 2);
	ck_assert_str_eq(str(run.sections.data[0].title).p,
			 "my header; This report only display top-level ops statistics");
	ck_assert_uint_eq(run.sections.data[0].line, 1);
	ck_assert_str_eq(str(run.sections.data[1].title).p, "");
	ck_assert_uint_eq(run.metrics.len, 2 * 23);
	mlv_run_fini(&run);
}
END_TEST

/* The lines of two ranks, one of each in turn. */
START_TEST(interleaved)
{
	static char text[8 * sizeof(cuda_table)];
	size_t n = 0;
	const char *end;
	for (const char *p = cuda_table; (end = strchr(p, '\n')); p = end + 1) {
		for (int rank = 0; rank < 2; rank++)
			n += (size_t)snprintf(text + n, sizeof(text) - n, "[rank%d]: %.*s\n", rank,
					      (int)(end - p), p);
	}
	ck_assert_int_eq(read_text(text), MLV_OK);
	ck_assert_uint_eq(run.sections.len, 2);
	for (unsigned i = 0; i < 2; i++) {
		ck_assert_int_eq(run.sections.data[i].rank, i);
		ck_assert_uint_eq(run.sections.data[i].rows, 3);
	}
	ck_assert_uint_eq(run.metrics.len, 2 * 23);
	ck_assert_uint_eq(run.diags.list.len, 0);
	mlv_run_fini(&run);
}
END_TEST

START_TEST(foreign_lines)
{
	char text[2 * sizeof(cuda_table)];
	const char *row =
		strstr(cuda_table, "                                                forwa");
	snprintf(text, sizeof(text), "%.*sW0926 12:00:00 something happened in 3.5ms\n%s",
		 (int)(row - cuda_table), cuda_table, row);
	ck_assert_int_eq(read_text(text), MLV_OK);
	ck_assert_uint_eq(run.metrics.len, 23);
	mlv_run_fini(&run);
}
END_TEST

START_TEST(commented)
{
	ck_assert_int_eq(read_text("# ---------  ------------  ------------  ------------\n"
				   "#      Name      Self CPU     CPU total    # of Calls\n"
				   "# ---------  ------------  ------------  ------------\n"
				   "#  aten::mm       1.123us       2.000us            42\n"
				   "# ---------  ------------  ------------  ------------\n"
				   "# Self CPU time total: 2.000us\n"),
			 MLV_OK);
	ck_assert_str_eq(metric("aten::mm", "CPU total"), "2.000 us");
	ck_assert_str_eq(metric("(total)", "Self CPU time total"), "2.000 us");
	mlv_run_fini(&run);
}
END_TEST

START_TEST(no_tables)
{
	static const char *const texts[] = {
		"----  ----  ----  ----\nName  Self CPU\n",
		"Name  Self CPU  CPU total\nand nothing more\n",
		"Name    Type    Size\n----  ------  ------  -----\nfile  x  12\n",
		"Self CPU time total: 12.5ms\n",
		"% time     seconds  usecs/call     calls    errors syscall\n"
		"------ ----------- ----------- --------- --------- ----------------\n"
		" 50.00    0.000100          10        10           read\n",
		"| Name | Self CPU |\n|------|----------|\n| a    | 1.0us    |\n",
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		ck_assert_int_eq(read_bytes(texts[i], strlen(texts[i]), "profiler-table", 0),
				 MLV_E_FORMAT);
		mlv_run_fini(&run);
	}
}
END_TEST

START_TEST(damage_is_said)
{
	const char *first = strchr(cuda_table, '\n') + 1, *second = strchr(first, '\n') + 1;
	char text[sizeof(cuda_table)];
	/* No closing rule and no totals. */
	snprintf(text, sizeof(text), "%.*s", (int)(strstr(cuda_table, "sm80") - cuda_table),
		 cuda_table);
	ck_assert_int_eq(read_text(text), MLV_OK);
	ck_assert(has_diag("profiler-table-cut"));
	ck_assert_uint_eq(run.metrics.len, 14);
	mlv_run_fini(&run);
	/* A row that ends in the middle of a figure. */
	size_t cut = (size_t)(strstr(cuda_table, "347.094us") - cuda_table) + 4;
	ck_assert_int_eq(read_bytes(cuda_table, cut, NULL, 0), MLV_OK);
	ck_assert(has_diag("profiler-table-cell"));
	ck_assert_uint_eq(run.metrics.len, 1);
	mlv_run_fini(&run);
	/* Titles lost: nobody can tell what the rows say. */
	ck_assert_int_eq(read_text(second), MLV_OK);
	ck_assert(has_diag("profiler-table-headless"));
	ck_assert_uint_eq(run.metrics.len, 2);
	mlv_run_fini(&run);
}
END_TEST

/* Figures in each recorded table, counted by a program of a few lines that splits at blanks. */
START_TEST(recordings)
{
	static const struct {
		const char *name;
		size_t rows, figures;
	} tables[] = {
		{ "profiler/table-cpu-only.txt", 20, 161 },
		{ "profiler/table-cuda-only.txt", 4, 42 },
		{ "profiler/table-default.txt", 100, 1406 },
		{ "profiler/table-header.txt", 20, 284 },
		{ "profiler/table-legacy-events.txt", 30, 302 },
		{ "profiler/table-legacy.txt", 10, 102 },
		{ "profiler/table-mem.txt", 25, 356 },
		{ "profiler/table-scheduled.txt", 12, 122 },
		{ "profiler/table-shapes.txt", 30, 426 },
		{ "profiler/table-stack.txt", 15, 213 },
		{ "profiler/table-top15-cuda.txt", 15, 214 },
		{ "profiler/table-toplevel.txt", 20, 282 },
		{ "profiler/table-wide.txt", 40, 563 },
		{ "run-base/table-rank0.txt", 30, 422 },
		{ "run-regressed/table-rank3.txt", 30, 422 },
	};
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		size_t n;
		char *data = unit_file("CORPUS", tables[i].name, &n);
		if (!data)
			continue;
		for (size_t chunk = 0; chunk < 200; chunk += 97) {
			ck_assert_int_eq(read_bytes(data, n, NULL, chunk), MLV_OK);
			ck_assert_str_eq(run.format, "profiler-table");
			ck_assert_uint_eq(run.sections.data[0].rows, tables[i].rows);
			ck_assert_uint_eq(run.metrics.len, tables[i].figures);
			ck_assert_uint_eq(run.diags.list.len, 0);
			mlv_run_fini(&run);
		}
		free(data);
	}
}
END_TEST

UNIT_MAIN("profiler_table", figures, spoiled, version_1_5, stacks_and_flops, stacks_in_order,
	  shapes_and_overloads, widths, edited_by_a_character, headers, interleaved, foreign_lines,
	  commented, no_tables, damage_is_said, recordings)
