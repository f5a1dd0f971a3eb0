/* SPDX-License-Identifier: MIT */
/* What mlviz says of a text in which it finds nothing. */
#include "metric_reader.h"

static void refused(const char *text, const char *what)
{
	ck_assert_int_eq(read_text(text), MLV_E_FORMAT);
	ck_assert_msg(strstr(read_err.msg, what) != NULL, "%s", read_err.msg);
	mlv_run_fini(&run);
}

START_TEST(what_it_seems_to_be)
{
	refused("# Title\n\n| a | b |\n", "looks like Markdown, and nothing in its 3 lines");
	refused("<html><title>GPU Memory Timeline HTML</title><img src=''>", "a mere picture");
	refused("Collective sequence number: 1\ninternal record id: 5\ncollective stack trace:\n",
		"flight-recorder analyser");
	refused("TRITON KERNELS BANDWIDTH INFO (x.py)\n0.1ms 0.4 GB 2826.25GB/s 10.80%\n",
		"Inductor's table");
	refused("| NVIDIA-SMI 580  Driver Version: 580 |\n", "nvidia-smi");
	/* A comment in a shell script is no heading. */
	refused("# a\nb\n", "looks like text, ");
}
END_TEST

START_TEST(what_comes_nearest)
{
	refused("   ncalls  cumtime  tottime\nlost\n", "it comes nearest to cprofile ('cumtime')");
	refused("the Max_MA was 3; openat( and execve( were seen\n",
		"strace ('execve(') and memory-log ('Max_MA')");
	refused("nothing of all that\n", "`mlviz formats` lists those");
	refused("1:02.03|59%|1628\n", "if GNU time -f wrote it, give --time-format");
	refused("1\n2\n3\n", "`mlviz formats` lists those");
}
END_TEST

UNIT_MAIN("looks", what_it_seems_to_be, what_comes_nearest)
