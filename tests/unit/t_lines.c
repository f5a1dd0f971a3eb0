/* SPDX-License-Identifier: MIT */
/* Lines as people see them, and whose they are. */
#include <stdio.h>
#include <string.h>

#include "base/source.h"
#include "parsers/text/lines.h"
#include "unit.h"

/* "RANK text|" of each line. */
static const char *lines_of(const char *input)
{
	static char out[4096];
	struct mlv_source *src;
	struct mlv_reader reader;
	struct mlv_diags diags = { 0 };
	struct mlv_lines lines;
	struct mlv_line line;
	size_t n = 0;
	unit_check(!mlv_source_memory(&src, "input",
				      (struct mlv_bytes){ (const uint8_t *)input, strlen(input) },
				      0, &mlv_limits_default, NULL));
	mlv_reader_init(&reader, src);
	mlv_lines_init(&lines, &reader, &mlv_limits_default, &diags);
	out[0] = '\0';
	while (mlv_lines_next(&lines, &line))
		n += (size_t)snprintf(out + n, sizeof(out) - n, "%lld %.*s|", (long long)line.rank,
				      (int)line.text.n, line.text.p);
	mlv_lines_fini(&lines);
	mlv_diags_fini(&diags);
	mlv_reader_fini(&reader);
	mlv_source_close(src);
	return out;
}

#define ck_lines(input, want) ck_assert_str_eq(lines_of(input), want)

START_TEST(prefixes_of_launchers)
{
	ck_lines("[rank3]: a", "3 a|");
	ck_lines("[rank3]:[E1 x] a", "3 [E1 x] a|");
	ck_lines("[default3]:a", "3 a|");
	ck_lines("[Rank 3] a", "3 a|");
	ck_lines("[gpu-node07:3]: a", "3 a|");
	ck_lines("[localhost:0] a", "0 a|");
	ck_lines("[1,3]<stdout>:a", "3 a|");
	ck_lines("[1,3]<stderr>:  a", "3   a|");
	ck_lines("(Worker pid=7) a", "-1 a|");
	ck_lines("(W pid=12, ip=10.0.0.1) [rank3]: a", "3 a|");
	ck_lines("\033[36m(VllmWorker rank=1 pid=7)\033[0m   a", "1   a|");
	ck_lines("(pid tells nothing) a", "-1 (pid tells nothing) a|");
	ck_lines("[3] a", "-1 [3] a|");
	ck_lines("[rank3]a", "-1 [rank3]a|");
	ck_lines("[2026-01-01 18:26] a", "-1 [2026-01-01 18:26] a|");
}
END_TEST

/* Whether the blank behind a prefix is the launcher's or the text's own. */
START_TEST(blanks_behind_prefixes)
{
	ck_lines("[default3]:  File\n[default3]:    a", "3   File|3     a|");
	ck_lines("[rank3]: Traceback\n[rank3]:   File\n[rank3]:[E1 x] a",
		 "3 Traceback|3   File|3 [E1 x] a|");
	ck_lines("[rank3]:   File\n[rank3]:Traceback\n", "3    File|3 Traceback|");
	ck_lines("[rank3]:[rank3]:   File\n[rank3]:  File\n[rank3]:a", "3   File|3   File|3 a|");
	ck_lines("[rank3]: [rank3]:   File", "3   File|");
	ck_lines("[default1]:[rank9]:   File", "9   File|");
}
END_TEST

START_TEST(a_pid_is_no_rank)
{
	/* Open MPI: "[HOST:PID] message", and "[HOST:RANK]:" of other launchers. */
	ck_lines("[node7:48211] *** Process received signal ***",
		 "-1 [node7:48211] *** Process received signal ***|");
	ck_lines("[node7:2048]: a", "2048 a|");
}
END_TEST

START_TEST(the_rank_of_the_job_counts)
{
	ck_lines("[default1]:before\n[default1]:[rank9]: a\n[default1]:b\n[default0]:c",
		 "1 before|9 a|9 b|0 c|");
	/* Two hosts in one log: "[default1]:" alone says nothing. */
	ck_lines("[default1]:[rank9]: a\n[default1]:[rank1]: b\n[default1]:c\n[default1]:[rank9]: "
		 "d",
		 "9 a|1 b|-1 c|9 d|");
}
END_TEST

START_TEST(labels_of_srun)
{
	ck_lines("0: a\n1: b\n 2: c\n10:\n", "0 a|1 b|2 c|10 |");
	/* One number with a colon is none, nor is a time of day. */
	ck_lines("0: a\nb\nc\nd\n", "-1 0: a|-1 b|-1 c|-1 d|");
	ck_lines("18:26:52 a\n18:26:53 b\n18:26:54 c\n18:26:55 d\n",
		 "-1 18:26:52 a|-1 18:26:53 b|-1 18:26:54 c|-1 18:26:55 d|");
}
END_TEST

START_TEST(as_a_terminal_shows_them)
{
	ck_lines("\033[31mred\033[0m\r\n", "-1 red|");
	ck_lines(" 10%\r 50%\r100%\n", "-1 100%|");
	ck_lines("[default3]:  1%\r 50%Traceback\n[default3]:  File", "3  50%Traceback|3   File|");
	ck_lines("0: 1%\r2%\n1: a\n1: b\n1: 3%\r4%\r\n", "0 2%|1 a|1 b|1 4%|");
	ck_lines("\033[36m[rank3]:\033[0m a\n\n", "3 a|-1 |");
}
END_TEST

UNIT_MAIN("lines", prefixes_of_launchers, blanks_behind_prefixes, a_pid_is_no_rank,
	  the_rank_of_the_job_counts, labels_of_srun, as_a_terminal_shows_them)
