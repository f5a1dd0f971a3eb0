/* SPDX-License-Identifier: MIT */
/* Tracebacks as Python 3.8 to 3.13 print them, alone, chained, grouped, mixed and cut. */
#include "text_reading.h"

static struct reading r;

#define READ(text) reading_of(&r, text, sizeof(text) - 1, "traceback")

static const char TWO_FRAMES[] = "Traceback (most recent call last):\n"
				 "  File \"/p/train.py\", line 9, in <module>\n"
				 "    main(x)\n"
				 "    ~~~~^^^\n"
				 "  File \"/p/my dir/step.py\", line 120, in main.<locals>.step\n"
				 "    return f(\n"
				 "        ...<2 lines>...\n"
				 "    )\n"
				 "RuntimeError: shape mismatch: 3 vs 4\n";

START_TEST(frames_and_places)
{
	reading_of(&r, TWO_FRAMES, sizeof(TWO_FRAMES) - 1, NULL);
	ck_assert_str_eq(r.run.format, "traceback");
	ck_assert_uint_eq(r.run.findings.len, 1);
	const struct mlv_finding *f = reading_finding(&r, "traceback", 0);
	ck_assert_str_eq(reading_str(&r, f->text), "RuntimeError: shape mismatch: 3 vs 4");
	ck_assert_str_eq(reading_stack(&r, f->stack),
			 "main.<locals>.step /p/my dir/step.py:120; <module> /p/train.py:9");
	ck_assert_str_eq(reading_str(&r, f->file), "/p/my dir/step.py");
	ck_assert_uint_eq(f->file_line, 120);
	ck_assert_uint_eq(f->line, 1);
	ck_assert_uint_eq(f->last_line, 9);
	ck_assert_int_eq(f->severity, MLV_FINDING_ERROR);
	ck_attr(&r, f, "exception", "RuntimeError");
	ck_attr(&r, f, "chained", "");
	reading_fini(&r);
}
END_TEST

START_TEST(exceptions_of_all_kinds)
{
	static const char *const names[] = {
		"KeyError: 'x y'",
		"SystemError",
		"torch.OutOfMemoryError: CUDA out of me",
		"subprocess.TimeoutExpired: Command",
		"__main__.Odd: 1",
		"A",
		"KeyboardInterrupt",
		"AssertionError: ",
		"socket.timeout: timed out",
		"m.<locals>.E: x",
		"torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ",
		"Epoch: 3"
	};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char text[400];
		snprintf(text, sizeof(text),
			 "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n    "
			 "g()\n"
			 "%s\n",
			 names[i]);
		reading_of(&r, text, strlen(text), "traceback");
		const struct mlv_finding *f = reading_finding(&r, "traceback", 0);
		struct mlv_str want = mlv_run_str(&r.run, f->text);
		unit_check(strncmp(names[i], want.p, want.n) == 0 &&
			   want.n + 1 >= strlen(names[i]));
		ck_attr(&r, f, "incomplete", "");
		reading_fini(&r);
	}
}
END_TEST

START_TEST(chains)
{
	READ("Traceback (most recent call last):\n"
	     "  File \"a.py\", line 1, in f\n"
	     "ZeroDivisionError: division by zero\n"
	     "second line of the message\n"
	     "\n"
	     "During handling of the above exception, another exception occurred:\n"
	     "\n"
	     "Traceback (most recent call last):\n"
	     "  File \"a.py\", line 3, in g\n"
	     "KeyError: 'x'\n"
	     "\n"
	     "The above exception was the direct cause of the following exception:\n"
	     "\n"
	     "Traceback (most recent call last):\n"
	     "  File \"a.py\", line 5, in h\n"
	     "ValueError: y\n");
	ck_assert_uint_eq(r.run.findings.len, 3);
	ck_attr(&r, reading_finding(&r, "traceback", 0), "chained", "");
	ck_attr(&r, reading_finding(&r, "traceback", 1), "chained", "context");
	ck_attr(&r, reading_finding(&r, "traceback", 1), "chain_line", "1");
	ck_attr(&r, reading_finding(&r, "traceback", 2), "chained", "cause");
	ck_attr(&r, reading_finding(&r, "traceback", 2), "chain_line", "8");
	reading_fini(&r);
}
END_TEST

START_TEST(groups)
{
	READ("  + Exception Group Traceback (most recent call last):\n"
	     "  |   File \"/t/eg.py\", line 9, in <module>\n"
	     "  |     b()\n"
	     "  | ExceptionGroup: many (2 sub-exceptions)\n"
	     "  +-+---------------- 1 ----------------\n"
	     "    | Traceback (most recent call last):\n"
	     "    |   File \"/t/eg.py\", line 5, in b\n"
	     "    |     try: a()\n"
	     "    |          ^^^\n"
	     "    | ValueError: x\n"
	     "    +---------------- 2 ----------------\n"
	     "    | Exception Group Traceback (most recent call last):\n"
	     "    |   File \"/t/eg.py\", line 7, in c\n"
	     "    | ExceptionGroup: inner (1 sub-exception)\n"
	     "    +-+---------------- 1 ----------------\n"
	     "      | Traceback (most recent call last):\n"
	     "      |   File \"/t/eg.py\", line 8, in d\n"
	     "      | KeyError: 'k'\n"
	     "      +------------------------------------\n"
	     "\n"
	     "The above exception was the direct cause of the following exception:\n"
	     "\n"
	     "Traceback (most recent call last):\n"
	     "  File \"/t/eg.py\", line 11, in <module>\n"
	     "RuntimeError: outer\n");
	ck_assert_uint_eq(r.run.findings.len, 5);
	const struct mlv_finding *f = reading_finding(&r, "traceback", 0);
	ck_assert_str_eq(reading_str(&r, f->text), "ExceptionGroup: many (2 sub-exceptions)");
	ck_attr(&r, f, "sub_exceptions", "2");
	ck_attr(&r, f, "group_line", "");
	f = reading_finding(&r, "traceback", 1);
	ck_assert_str_eq(reading_str(&r, f->text), "ValueError: x");
	ck_attr(&r, f, "group_line", "1");
	ck_assert_str_eq(reading_stack(&r, f->stack), "b /t/eg.py:5");
	f = reading_finding(&r, "traceback", 3);
	ck_assert_str_eq(reading_str(&r, f->text), "KeyError: 'k'");
	ck_attr(&r, f, "group_line", "12");
	f = reading_finding(&r, "traceback", 4);
	ck_attr(&r, f, "group_line", "");
	ck_attr(&r, f, "chained", "cause");
	reading_fini(&r);
}
END_TEST

START_TEST(syntax_errors)
{
	READ("Traceback (most recent call last):\n"
	     "  File \"run.py\", line 1, in <module>\n"
	     "    import bad\n"
	     "  File \"bad.py\", line 7\n"
	     "    def f(:\n"
	     "          ^\n"
	     "SyntaxError: invalid syntax\n"
	     "noise\n"
	     "  File \"script.py\", line 3\n"
	     "    x = = 1\n"
	     "        ^\n"
	     "IndentationError: unexpected indent\n"
	     "  File \"prose.py\", line 3\n"
	     "and nothing of the kind\n");
	ck_assert_uint_eq(r.run.findings.len, 2);
	const struct mlv_finding *f = reading_finding(&r, "traceback", 0);
	ck_assert_str_eq(reading_str(&r, f->file), "bad.py");
	ck_assert_uint_eq(f->file_line, 7);
	ck_assert_str_eq(reading_stack(&r, f->stack), "<module> run.py:1");
	f = reading_finding(&r, "traceback", 1);
	ck_assert_str_eq(reading_str(&r, f->file), "script.py");
	ck_assert_uint_eq(f->line, 9);
	reading_fini(&r);
}
END_TEST

START_TEST(anomaly_mode)
{
	READ("/v/torch/autograd/graph.py:841: UserWarning: Error detected in MulBackward0. "
	     "Traceback of forward call that caused the error:\n"
	     "  File \"/b/net.py\", line 13, in <module>\n"
	     "    loss = net(x)\n"
	     "  File \"/b/net.py\", line 6, in forward\n"
	     "    l = z.mul(2.0)\n"
	     " (Triggered internally at "
	     "/pytorch/torch/csrc/autograd/python_anomaly_mode.cpp:122.)\n"
	     "  return Variable._execution_engine.run_backward(\n"
	     "Traceback (most recent call last):\n"
	     "  File \"/b/net.py\", line 14, in <module>\n"
	     "    loss.backward()\n"
	     "RuntimeError: Function 'MulBackward0' returned nan values in its 0th output.\n");
	ck_assert_uint_eq(r.run.findings.len, 2);
	const struct mlv_finding *error = reading_finding(&r, "traceback", 0);
	const struct mlv_finding *forward = reading_finding(&r, "anomaly-forward", 0);
	char stack[24];
	snprintf(stack, sizeof(stack), "%u", forward->stack.i);
	ck_attr(&r, error, "forward_stack", stack);
	ck_assert_uint_eq(error->text.i, forward->text.i);
	ck_assert_str_eq(reading_stack(&r, forward->stack),
			 "forward /b/net.py:6; <module> /b/net.py:13");
	ck_attr(&r, forward, "operation", "MulBackward0");
	ck_assert_uint_eq(forward->line, 1);
	ck_assert_uint_eq(forward->last_line, 5);
	reading_fini(&r);
}
END_TEST

/* Workers that write line by line into one stream, each with its name; 0, 2, 3 fail alike. */
START_TEST(mixed_workers)
{
	static const char *const lines[][2] = {
		{ "Traceback (most recent call last):", "Traceback (most recent call last):" },
		{ "  File \"/v/w.py\", line 56, in init", "  File \"/v/w.py\", line 56, in init" },
		{ "    return f()", "    return f()" },
		{ "           ^^^", "           ^^^" },
		{ "  File \"/v/g.py\", line 50, in run", "  File \"/v/g.py\", line 51, in run" },
		{ "    raise", "    raise" },
		{ "ValueError: no 0", "ValueError: no 1" }
	};
	char text[8000];
	size_t n = 0;
	for (size_t i = 0; i < 7; i++) {
		for (int rank = 0; rank < 4; rank++)
			n += (size_t)snprintf(text + n, sizeof(text) - n,
					      "(Worker_TP%d pid=54%d) ERROR 07-29 21:48:5%zu "
					      "[exec.py:96%zu] %s\n",
					      rank, rank, i, i, lines[i][rank == 1]);
		n += (size_t)snprintf(text + n, sizeof(text) - n,
				      "  5%%|## | 1/20 [00:01<00:09]\n");
	}
	reading_of(&r, text, n, NULL);
	ck_assert_uint_eq(r.run.findings.len, 2);
	const struct mlv_finding *f = reading_finding(&r, "traceback", 0);
	ck_assert_str_eq(reading_str(&r, f->text), "ValueError: no 0");
	ck_assert_str_eq(reading_stack(&r, f->stack), "run /v/g.py:50; init /v/w.py:56");
	ck_attr(&r, f, "count", "3");
	ck_attr(&r, f, "workers", "540,542,543");
	ck_assert_uint_eq(f->line, 1);
	ck_assert_uint_eq(f->last_line, 31);
	f = reading_finding(&r, "traceback", 1);
	ck_assert_str_eq(reading_str(&r, f->text), "ValueError: no 1");
	ck_assert_str_eq(reading_stack(&r, f->stack), "run /v/g.py:51; init /v/w.py:56");
	ck_attr(&r, f, "worker", "541");
	ck_attr(&r, f, "workers", "");
	reading_fini(&r);
}
END_TEST

START_TEST(ranks_that_fail_alike)
{
	char text[4000];
	size_t n = 0;
	static const int ranks[] = { 3, 0, 2, 1, 10 };
	for (size_t i = 0; i < 5; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n,
				      "[rank%d]: Traceback (most recent call last):\n"
				      "[rank%d]:   File \"/p/t.py\", line %d, in f\n"
				      "[rank%d]:     g()\n"
				      "[rank%d]: ValueError: x\n",
				      ranks[i], ranks[i], ranks[i] == 1 ? 8 : 7, ranks[i],
				      ranks[i]);
	reading_of(&r, text, n, NULL);
	ck_assert_uint_eq(r.run.findings.len, 2);
	const struct mlv_finding *f = reading_finding(&r, "traceback", 0);
	ck_attr(&r, f, "ranks", "0,2,3,10");
	ck_attr(&r, f, "count", "4");
	ck_assert_int_eq(f->rank, 3);
	f = reading_finding(&r, "traceback", 1);
	ck_attr(&r, f, "ranks", "");
	ck_assert_int_eq(f->rank, 1);
	ck_assert_uint_eq(f->file_line, 8);
	reading_fini(&r);
}
END_TEST

/* Ranks without prefix, in step: every line twice. */
START_TEST(twins)
{
	READ("Traceback (most recent call last):\n"
	     "Traceback (most recent call last):\n"
	     "  File \"/p/t.py\", line 7, in f\n"
	     "  File \"/p/t.py\", line 7, in f\n"
	     "    g()\n"
	     "    g()\n"
	     "  File \"/p/t.py\", line 2, in g\n"
	     "  File \"/p/t.py\", line 2, in g\n"
	     "ValueError: x\n"
	     "ValueError: x\n");
	ck_assert_uint_eq(r.run.findings.len, 1);
	const struct mlv_finding *f = reading_finding(&r, "traceback", 0);
	ck_attr(&r, f, "count", "2");
	ck_assert_str_eq(reading_stack(&r, f->stack), "g /p/t.py:2; f /p/t.py:7");
	reading_fini(&r);
}
END_TEST

START_TEST(behind_a_logger_and_indented)
{
	READ("2025-11-12T11:25:13.49Z ERROR Traceback (most recent call last):\n"
	     "  File \"/p/t.py\", line 7, in f\n"
	     "    g()\n"
	     "ValueError: bare lines\n"
	     "2025-11-12T11:25:13.49Z Traceback (most recent call last):\n"
	     "2025-11-12T11:25:14.02Z   File \"/p/t.py\", line 8, in f\n"
	     "2025-11-12T11:25:14.02Z ValueError: stamped lines\n"
	     "  traceback : Traceback (most recent call last):\n"
	     "    File \"/p/t.py\", line 9, in f\n"
	     "      g()\n"
	     "  ValueError: indented lines\n");
	ck_assert_uint_eq(r.run.findings.len, 3);
	static const char *const texts[] = { "ValueError: bare lines", "ValueError: stamped lines",
					     "ValueError: indented lines" };
	for (size_t i = 0; i < 3; i++) {
		const struct mlv_finding *f = reading_finding(&r, "traceback", i);
		ck_assert_str_eq(reading_str(&r, f->text), texts[i]);
		ck_assert_uint_eq(f->file_line, 7 + i);
	}
	reading_fini(&r);
}
END_TEST

START_TEST(cut_ones)
{
	READ("Traceback (most recent call last):\n"
	     "  File \"/p/t.py\", line 7, in f\n"
	     "    g()\n");
	const struct mlv_finding *f = reading_finding(&r, "traceback", 0);
	ck_attr(&r, f, "incomplete", "1");
	ck_assert_str_eq(reading_stack(&r, f->stack), "f /p/t.py:7");
	reading_fini(&r);
	READ("Traceback (most recent call last):\n");
	ck_assert_uint_eq(r.run.findings.len, 0);
	reading_fini(&r);
	reading_spoiled(TWO_FRAMES, sizeof(TWO_FRAMES) - 1, "traceback");
}
END_TEST

START_TEST(deep_and_many)
{
	size_t frames = 20000, n = 0, room = frames * 50 + 200;
	char *text = malloc(room);
	n += (size_t)snprintf(text, room, "Traceback (most recent call last):\n");
	for (size_t i = 0; i < frames; i++)
		n += (size_t)snprintf(text + n, room - n, "  File \"a.py\", line %zu, in f\n",
				      i + 1);
	n += (size_t)snprintf(text + n, room - n, "RecursionError: too deep\n");
	reading_of(&r, text, n, NULL);
	const struct mlv_finding *f = reading_finding(&r, "traceback", 0);
	ck_assert_uint_eq(f->file_line, frames);
	reading_fini(&r);
	/* Starts that never end. */
	for (n = 0; n + 60 < room;)
		n += (size_t)snprintf(text + n, room - n,
				      "p%zu Traceback (most recent call last):\n", n);
	reading_of(&r, text, n, NULL);
	ck_assert_uint_eq(r.run.findings.len, 0);
	reading_fini(&r);
	free(text);
}
END_TEST

START_TEST(recordings)
{
	size_t n;
	char *data = unit_file("CORPUS", "text/underflow-overflow.txt", &n);
	if (data) {
		reading_of(&r, data, n, "traceback");
		ck_assert_uint_eq(r.run.findings.len, 1);
		const struct mlv_finding *f = reading_finding(&r, "traceback", 0);
		ck_assert_uint_eq(f->line, 33);
		ck_assert_uint_eq(f->last_line, 72);
		ck_assert_str_eq(reading_str(&r, f->file),
				 "/home/user/projects/trainer/underflow_overflow.py");
		ck_assert_uint_eq(f->file_line, 283);
		reading_spoiled(data, n, "traceback");
		reading_fini(&r);
		free(data);
	}
	data = unit_file("CORPUS", "flight-recorder/op-type-2/watchdog.log", &n);
	if (data) {
		reading_of(&r, data, n, "traceback");
		ck_assert_uint_eq(r.run.findings.len, 1);
		const struct mlv_finding *f = reading_finding(&r, "traceback", 0);
		ck_assert_str_eq(
			reading_str(&r, f->text),
			"torch.distributed.elastic.multiprocessing.errors.ChildFailedError:");
		ck_assert_uint_eq(f->file_line, 317);
		reading_fini(&r);
		free(data);
	}
}
END_TEST

UNIT_MAIN("traceback", frames_and_places, exceptions_of_all_kinds, chains, groups, syntax_errors,
	  anomaly_mode, mixed_workers, ranks_that_fail_alike, twins, behind_a_logger_and_indented,
	  cut_ones, deep_and_many, recordings)
