/* SPDX-License-Identifier: MIT */
/* What py-spy dump prints, whole and in pieces, as text and JSON; after dump.rs of py-spy 0.4. */
#include "text_reading.h"

#define CODE "py-spy-thread"

static void read_log(struct reading *r, const char *text)
{
	reading_of(r, text, strlen(text), NULL);
	if (r->rc)
		ck_abort_msg("%s", r->err.msg);
}

static const char dump[] = "Process 123: python train.py --lr 0.1\n"
			   "Python v3.11.7 (/usr/bin/python3.11)\n"
			   "Parent Process 9: torchrun\n"
			   "\n"
			   "Thread 835995 (active+gil): \"MainThread\"\n"
			   "    broadcast (torch/distributed/c10d.py:1191)\n"
			   "    c10::foo(int, float) (libc10.so)\n"
			   "    pthread_cond_wait\n"
			   "    <module> (train (copy).py:7)\n"
			   "Thread 0x7F3A (idle): \"Thread-3 (serve)\"\n"
			   "    select (selectors.py:415)\n"
			   "Thread 35871 (active)\n"
			   "Thread 35872: \"odd \"quoted\" name\"\n"
			   "    run (threading.py:1010)\n";

START_TEST(a_dump)
{
	struct reading r;
	read_log(&r, dump);
	ck_assert_str_eq(r.run.format, "py-spy");
	ck_assert_uint_eq(r.run.findings.len, 4);
	const struct mlv_finding *f = reading_finding(&r, CODE, 0);
	unit_check(f->severity == MLV_FINDING_NOTE && f->line == 5 && f->last_line == 9);
	ck_assert_str_eq(reading_str(&r, f->text), "MainThread (active+gil)");
	ck_assert_str_eq(
		reading_stack(&r, f->stack),
		"broadcast torch/distributed/c10d.py:1191; c10::foo(int, float) libc10.so:0; "
		"pthread_cond_wait :0; <module> train (copy).py:7");
	ck_attr(&r, f, "pid", "123");
	ck_attr(&r, f, "parent_pid", "9");
	ck_attr(&r, f, "thread_id", "835995");
	ck_attr(&r, f, "status", "active+gil");
	ck_attr(&r, f, "thread_name", "MainThread");
	ck_attr(&r, f, "command", "python train.py --lr 0.1");
	ck_attr(&r, f, "python", "3.11.7 (/usr/bin/python3.11)");
	f = reading_finding(&r, CODE, 1);
	ck_assert_str_eq(reading_str(&r, f->text), "Thread-3 (serve) (idle)");
	ck_attr(&r, f, "thread_id", "0x7F3A");
	f = reading_finding(&r, CODE, 2);
	ck_assert_str_eq(reading_str(&r, f->text), "Thread 35871 (active)");
	unit_check(f->stack.i == MLV_STACK_EMPTY.i);
	f = reading_finding(&r, CODE, 3);
	ck_assert_str_eq(reading_str(&r, f->text), "odd \"quoted\" name");
	ck_attr(&r, f, "status", "");
	ck_assert_uint_eq(r.run.sections.len, 1);
	const struct mlv_section *s = &r.run.sections.data[0];
	unit_check(s->line == 1 && s->last_line == 14 && s->rows == 4);
	reading_fini(&r);
	reading_spoiled(dump, strlen(dump), NULL);
}
END_TEST

START_TEST(a_pasted_thread)
{
	struct reading r;
	read_log(&r, "it hangs here:\n"
		     "Thread 62509 (active): \"MainThread\"\n"
		     "    wait (libc.so.6)\n"
		     "    ...\n"
		     "Thread 7 (idle): \"w\"\n"
		     "\n"
		     "what can I do?\n");
	ck_assert_uint_eq(r.run.findings.len, 2);
	const struct mlv_finding *f = reading_finding(&r, CODE, 0);
	ck_attr(&r, f, "elided", "1");
	ck_attr(&r, f, "pid", "");
	ck_assert_str_eq(reading_stack(&r, f->stack), "wait libc.so.6:0");
	reading_fini(&r);
}
END_TEST

START_TEST(locals_are_counted_and_not_kept)
{
	struct reading r;
	read_log(&r, "Process 5: p\nPython v3.12.1 (/p)\n\n"
		     "Thread 5 (active): \"MainThread\"\n"
		     "    f (a.py:1)\n"
		     "        Arguments:\n"
		     "            x: 1\n"
		     "            y: \"two\n"
		     "lines\"\n"
		     "        Locals:\n"
		     "            z: {\"a\": (1, 2)}\n"
		     "    g (a.py:2)\n"
		     "Thread 6 (idle): \"other\"\n"
		     "    h (a.py:3)\n");
	ck_assert_uint_eq(r.run.findings.len, 2);
	const struct mlv_finding *f = reading_finding(&r, CODE, 0);
	ck_attr(&r, f, "locals", "3");
	ck_assert_str_eq(reading_stack(&r, f->stack), "f a.py:1; g a.py:2");
	ck_assert_str_eq(reading_stack(&r, reading_finding(&r, CODE, 1)->stack), "h a.py:3");
	reading_fini(&r);
}
END_TEST

START_TEST(several_processes)
{
	struct reading r;
	read_log(&r, "Process 1: a\nPython v3.8.1 (/p)\n\nThread 1 (idle): \"MainThread\"\n"
		     "    f (a.py:1)\n"
		     "-----------------------------------\n"
		     "Process 2: b\nPython v3.9.1 (/p)\n\nThread 2 (idle): \"MainThread\"\n"
		     "    f (a.py:1)\n");
	ck_assert_uint_eq(r.run.findings.len, 2);
	ck_attr(&r, reading_finding(&r, CODE, 0), "pid", "1");
	ck_attr(&r, reading_finding(&r, CODE, 1), "pid", "2");
	ck_attr(&r, reading_finding(&r, CODE, 1), "python", "3.9.1 (/p)");
	ck_assert_uint_eq(r.run.sections.len, 2);
	unit_check(reading_finding(&r, CODE, 0)->stack.i == reading_finding(&r, CODE, 1)->stack.i);
	reading_fini(&r);
	/* Of two ranks, mixed by the launcher. */
	read_log(&r, "[rank0]: Thread 1 (idle): \"M\"\n[rank1]: Thread 2 (active): \"M\"\n"
		     "[rank0]:     f (a.py:1)\n[rank1]:     g (a.py:2)\n");
	ck_assert_uint_eq(r.run.findings.len, 2);
	ck_assert_str_eq(reading_stack(&r, reading_finding(&r, CODE, 0)->stack), "f a.py:1");
	unit_check(reading_finding(&r, CODE, 1)->rank == 1);
	reading_fini(&r);
}
END_TEST

START_TEST(others_are_not_claimed)
{
	static const char text[] = "Thread 12 (active): \"worker\"\n"
				   "is up\n"
				   "Thread 0x00007f12 (most recent call first):\n"
				   "  File \"a.py\", line 3 in f\n"
				   "Thread 1 (Thread 0x7f (LWP 123)):\n"
				   "#0  f () at x.c:1\n"
				   "Process 12: started\n"
				   "Thread 3 done\n"
				   "    indented (text:4)\n"
				   "Thread 5: \"x\"\n"
				   "    f (a.py:1)\n";
	struct reading r;
	reading_of(&r, text, strlen(text), "py-spy");
	unit_check(r.rc == MLV_E_FORMAT && !r.run.findings.len);
	reading_fini(&r);
}
END_TEST

static const char json[] =
	"[{\"pid\":123,\"thread_id\":139878673797440,\"thread_name\":\"MainThread\","
	"\"os_thread_id\":835995,\"active\":true,\"owns_gil\":true,\"frames\":["
	"{\"name\":\"broadcast\",\"filename\":\"/lib/torch/c10d.py\",\"module\":null,"
	"\"short_filename\":\"torch/c10d.py\",\"line\":1191,\"locals\":[{\"name\":\"x\"}],"
	"\"is_entry\":true},{\"name\":\"main\",\"filename\":\"/a.py\",\"short_filename\":null,"
	"\"line\":0,\"locals\":null}],\"process_info\":{\"pid\":123,\"command_line\":\"python "
	"a.py\","
	"\"parent\":{\"pid\":9,\"command_line\":\"sh\",\"parent\":null}}},"
	"{\"pid\":123,\"thread_id\":255,\"thread_name\":null,\"os_thread_id\":null,"
	"\"active\":false,\"owns_gil\":false,\"frames\":[],\"process_info\":null}]";

START_TEST(json_form)
{
	struct reading r;
	read_log(&r, json);
	ck_assert_str_eq(r.run.sections.data[0].format, "py-spy-json");
	ck_assert_uint_eq(r.run.findings.len, 2);
	const struct mlv_finding *f = reading_finding(&r, CODE, 0);
	ck_assert_str_eq(reading_str(&r, f->text), "MainThread (active+gil)");
	ck_assert_str_eq(reading_stack(&r, f->stack), "broadcast torch/c10d.py:1191; main /a.py:0");
	ck_attr(&r, f, "thread_id", "835995");
	ck_attr(&r, f, "pid", "123");
	ck_attr(&r, f, "parent_pid", "9");
	ck_attr(&r, f, "command", "python a.py");
	ck_attr(&r, f, "locals", "1");
	f = reading_finding(&r, CODE, 1);
	ck_assert_str_eq(reading_str(&r, f->text), "Thread 0xFF (idle)");
	unit_check(f->stack.i == MLV_STACK_EMPTY.i);
	reading_fini(&r);
	for (size_t n = 0; n < sizeof(json) - 1; n++) {
		reading_of(&r, json, n, "py-spy-json");
		unit_check(r.rc == MLV_OK || r.rc == MLV_E_FORMAT);
		reading_fini(&r);
	}
}
END_TEST

/* --subprocesses writes one array after another, and so does who appends dumps to a file. */
START_TEST(json_several)
{
#define DUMP(pid) "[{\"pid\":" pid ",\"thread_id\":1,\"owns_gil\":false,\"frames\":[]}]"
	struct reading r;
	read_log(&r, DUMP("7") "\n[]\n" DUMP("8"));
	ck_assert_uint_eq(r.run.findings.len, 2);
	ck_assert_uint_eq(r.run.sections.len, 3);
	ck_assert_uint_eq(r.run.diags.list.len, 0);
	ck_assert_str_eq(reading_str(&r, r.run.sections.data[2].title), "dump 3");
	unit_check(r.run.sections.data[1].rows == 0 && r.run.sections.data[2].rows == 1);
	ck_attr(&r, reading_finding(&r, CODE, 0), "dump", "1");
	ck_attr(&r, reading_finding(&r, CODE, 1), "pid", "8");
	ck_attr(&r, reading_finding(&r, CODE, 1), "dump", "3");
	reading_fini(&r);
	/* What is no dump ends it, and is told of; one that is cut gives what it has. */
	read_log(&r, DUMP("7") "\nDone.\n");
	unit_check(r.run.findings.len == 1 && unit_told(&r.run, "json-trailing-data"));
	ck_attr(&r, reading_finding(&r, CODE, 0), "dump", "");
	reading_fini(&r);
	read_log(&r, DUMP("7") DUMP("8") "[{\"pid\":9,\"thread_id\":2,\"owns_gil\":false,");
	ck_attr(&r, reading_finding(&r, CODE, 1), "pid", "8");
	unit_check(unit_told(&r.run, "json-truncated"));
	reading_fini(&r);
}
END_TEST

START_TEST(recordings)
{
	/* grep -c '^Thread', and lines of frames. */
	static const struct {
		const char *path;
		size_t threads, frames;
	} files[] = {
		{ "text/py-spy/handbook-0.txt", 1, 7 },
		{ "text/py-spy/native-kitty.txt", 1, 9 },
		{ "text/py-spy/noframes-thread.txt", 3, 5 },
		{ "text/py-spy/service.txt", 5, 39 },
	};
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		size_t n = 0, frames = 0;
		struct reading r;
		char *text = unit_file("PUBLIC", files[i].path, &n);
		if (!text)
			continue;
		reading_of(&r, text, n, NULL);
		ck_assert_uint_eq(reading_count(&r, CODE), files[i].threads);
		for (size_t k = 0; k < files[i].threads; k++) {
			mlv_stackid s = r.run.findings.data[k].stack;
			for (; mlv_stack_has_frame(s); s = mlv_stack_caller(&r.run.stacks, s))
				frames++;
		}
		ck_assert_uint_eq(frames, files[i].frames);
		reading_fini(&r);
		reading_spoiled(text, n, NULL);
		free(text);
	}
}
END_TEST

UNIT_MAIN("py_spy", a_dump, a_pasted_thread, locals_are_counted_and_not_kept, several_processes,
	  others_are_not_claimed, json_form, json_several, recordings)
