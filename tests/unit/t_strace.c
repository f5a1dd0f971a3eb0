/* SPDX-License-Identifier: MIT */
/* Logs of strace, line by line: what each shape of a line becomes. */
#include "text_reading.h"

static const struct mlv_span *span(const struct reading *r, size_t i)
{
	unit_check(i < r->run.spans.len);
	return &r->run.spans.data[i];
}

static const struct mlv_attr *attr(const struct reading *r, size_t i, const char *key)
{
	return mlv_run_attr(&r->run, span(r, i)->attrs, key);
}

static const char *text(const struct reading *r, size_t i, const char *key)
{
	const struct mlv_attr *a = attr(r, i, key);
	return a && a->is_text ? reading_str(r, a->text) : "";
}

static int64_t number(const struct reading *r, size_t i, const char *key)
{
	const struct mlv_attr *a = attr(r, i, key);
	return a && !a->is_text ? a->number : -99;
}

static int64_t tid(const struct reading *r, size_t i)
{
	return r->run.tracks.data[span(r, i)->track.i].number;
}

static int64_t pid(const struct reading *r, size_t i)
{
	const struct mlv_track *thread = &r->run.tracks.data[span(r, i)->track.i];
	ck_assert_int_eq(thread->kind, MLV_TRACK_THREAD);
	ck_assert_int_eq(r->run.tracks.data[thread->parent.i].kind, MLV_TRACK_PROCESS);
	return r->run.tracks.data[thread->parent.i].number;
}

static const char *status(const struct reading *r, size_t i)
{
	return reading_str(r, span(r, i)->status);
}

static const char *property(const struct reading *r, const char *key)
{
	const struct mlv_property *p = mlv_run_property(&r->run, "strace", key);
	return p ? reading_str(r, p->text) : "";
}

/* Read, and check how many calls there are. */
static void read_log(struct reading *r, const char *log, size_t calls)
{
	reading_of(r, log, strlen(log), NULL);
	if (r->rc)
		ck_abort_msg("%s", r->err.msg);
	ck_assert_str_eq(r->run.format, "strace");
	ck_assert_uint_eq(r->run.spans.len, calls);
}

#define EXEC "execve(\"./a\", [\"./a\"], 0x7ffd /* 60 vars */) = 0\n"

START_TEST(test_leaders)
{
	static const struct {
		const char *leader;
		int64_t pid, start;
		const char *clock;
	} cases[] = {
		{ "", -1, MLV_NO_TIME, "none" },
		{ "12274 ", 12274, MLV_NO_TIME, "none" },
		{ "7     ", 7, MLV_NO_TIME, "none" },
		{ "[pid    77] ", 77, MLV_NO_TIME, "none" },
		{ "[pid 13413<python3>] ", 13413, MLV_NO_TIME, "none" },
		{ "13413<my prog> ", 13413, MLV_NO_TIME, "none" },
		{ "12274 18:26:52 ", 12274, 0, "time of day" },
		{ "[pid  9] 18:26:52.482796 ", 9, 0, "time of day" },
		{ "12274 1795976812.922139 ", 12274, 1795976812922139000, "unix" },
		{ "1795976812.922139 ", -1, 1795976812922139000, "unix" },
		{ "1795976812.922139123 ", -1, 1795976812922139123, "unix" },
		{ "1795976812 ", -1, 1795976812000000000, "unix" },
		{ "     0.000335 ", -1, 335000, "relative" },
		{ "12274      0.000335 ", 12274, 335000, "relative" },
		{ "12274      0 ", 12274, 0, "relative" },
		{ "5 18:26:53.482796 (+     0.000273) ", 5, 0, "time of day" },
		{ "13375 [  59] [00007f81ad5e2ad7] ", 13375, MLV_NO_TIME, "none" },
		{ "13375 [????????????????] ", 13375, MLV_NO_TIME, "none" },
		{ "[f7f0a549] ", -1, MLV_NO_TIME, "none" },
		{ "3 [unconfined_u:unconfined_r:unconfined_t:s0] 18:26:52.482 (+     0.000) "
		  "[  59] [00007f81ad5e2ad7] ",
		  3, 0, "time of day" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct reading r;
		char log[512];
		snprintf(log, sizeof(log),
			 "%sexecve(\"./a\", [\"./a\"], 0x7f /* 2 vars */) = 0\n"
			 "%sread(3, \"\", 5) = 0\n",
			 cases[i].leader, cases[i].leader);
		read_log(&r, log, 2);
		ck_assert_int_eq(tid(&r, 0), cases[i].pid);
		if (span(&r, 0)->start_ns != cases[i].start)
			ck_abort_msg("'%s': %lld", cases[i].leader,
				     (long long)span(&r, 0)->start_ns);
		ck_assert_str_eq(property(&r, "clock"), cases[i].clock);
		ck_assert_str_eq(reading_str(&r, span(&r, 0)->category), "syscall");
		reading_fini(&r);
	}
}
END_TEST

START_TEST(test_times)
{
	struct reading r;
	/* Midnight, and lines of two tasks that cross there. */
	read_log(&r,
		 "1 23:59:59.900000 close(1) = 0 <0.000012>\n"
		 "1 00:00:00.100000 close(2) = 0 <0.250000>\n"
		 "2 23:59:59.999999 close(3) = 0\n"
		 "2 00:00:01.000000 close(4) = 0\n",
		 4);
	ck_assert_int_eq(span(&r, 0)->start_ns, 0);
	ck_assert_int_eq(span(&r, 0)->end_ns, 12000);
	ck_assert_int_eq(span(&r, 1)->start_ns, 200000000);
	ck_assert_int_eq(span(&r, 1)->end_ns, 450000000);
	ck_assert_int_eq(span(&r, 2)->start_ns, 99999000);
	ck_assert_int_eq(span(&r, 2)->end_ns, 99999000);
	ck_assert_int_eq(span(&r, 3)->start_ns, 1100000000);
	ck_assert_int_eq(number(&r, 1, "duration_ns"), 250000000);
	ck_assert_ptr_null(attr(&r, 2, "duration_ns"));
	ck_assert_str_eq(property(&r, "first time"), "23:59:59.900000000");
	ck_assert_str_eq(property(&r, "durations"), "measured");
	reading_fini(&r);
	/* Times since the line before add up, over lines of all kinds. */
	read_log(&r,
		 "     0.000000 close(1) = 0\n"
		 "     0.000100 --- SIGUSR1 {si_signo=SIGUSR1, si_code=SI_USER} ---\n"
		 "     1.500000 close(2) = 0\n",
		 2);
	ck_assert_int_eq(span(&r, 1)->start_ns, 1500100000);
	ck_assert_str_eq(property(&r, "durations"), "not measured");
	reading_fini(&r);
	/* -T without times: durations only. */
	read_log(&r, "close(1) = 0 <0.000007>\nclose(2) = 0 <1>\nclose(3) = 0 <0.000000123>\n", 3);
	ck_assert_int_eq(number(&r, 0, "duration_ns"), 7000);
	ck_assert_int_eq(number(&r, 1, "duration_ns"), 1000000000);
	ck_assert_int_eq(number(&r, 2, "duration_ns"), 123);
	unit_check(span(&r, 0)->start_ns == MLV_NO_TIME && span(&r, 0)->end_ns == MLV_NO_TIME);
	reading_fini(&r);
}
END_TEST

/* A time of day is no rank, also when its hour changes. */
START_TEST(test_hours)
{
	struct reading r;
	read_log(&r,
		 "17:59:59 " EXEC "17:59:59 brk(NULL) = 0x1000\n"
		 "17:59:59 mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, 3, 0) = 0x20000\n"
		 "17:59:59 exit_group(0) = ?\n17:59:59 +++ exited with 0 +++\n",
		 4);
	ck_assert_int_eq(r.run.sections.data[0].rank, -1);
	ck_assert_int_eq(r.run.findings.data[0].rank, -1);
	ck_assert_uint_eq(r.run.devices.len, 1);
	reading_fini(&r);
}
END_TEST

START_TEST(test_results)
{
	struct reading r;
	read_log(&r,
		 "openat(AT_FDCWD, \"/etc/x\", O_RDONLY) = -1 ENOENT (No such file or directory)\n"
		 "mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, 3, 0) = 0x7f0512345000\n"
		 "umask(022)                              = 002\n"
		 "poll([{fd=3, events=POLLIN}], 1, 30) = 0 (Timeout)\n"
		 "fcntl(3, F_GETFL) = 0x8002 (flags O_RDWR|O_LARGEFILE)\n"
		 "poll([{fd=3, events=POLLIN}], 1, -1) = 1 ([{fd=3, revents=POLLIN}]) <0.1>\n"
		 "read(0, 0x7ffd, 10) = ? ERESTARTSYS (To be restarted if SA_RESTART is set)\n"
		 "ioctl(3, 0x1) = -1 (errno 524)\n"
		 "read(3, \"x\", 1) = -1 EIO (Input/output error) (INJECTED)\n"
		 "read(3, \"xy\", 2) = 2 (DELAYED) <0.000100>\n"
		 "read(3, \"abc\", 3) = 3 (INJECTED: args, retval)\n"
		 "restart_syscall(<... resuming interrupted poll ...>) = 1\n"
		 "wait4(-1, NULL, 0, NULL) = ? <unavailable>\n"
		 "pause( <unfinished ...>) = ?\n"
		 "exit_group(0) = ?\n",
		 15);
	ck_assert_str_eq(status(&r, 0), "ENOENT");
	ck_assert_str_eq(text(&r, 0, "errno_text"), "No such file or directory");
	ck_assert_int_eq(number(&r, 0, "result"), -1);
	ck_assert_int_eq(number(&r, 1, "result"), 0x7f0512345000);
	ck_assert_int_eq(number(&r, 2, "result"), 2);
	ck_assert_str_eq(text(&r, 3, "detail"), "Timeout");
	ck_assert_str_eq(text(&r, 4, "detail"), "flags O_RDWR|O_LARGEFILE");
	ck_assert_str_eq(text(&r, 5, "detail"), "[{fd=3, revents=POLLIN}]");
	ck_assert_int_eq(number(&r, 5, "duration_ns"), 100000000);
	ck_assert_str_eq(status(&r, 6), "ERESTARTSYS");
	ck_assert_str_eq(text(&r, 6, "result"), "?");
	ck_assert_str_eq(status(&r, 7), "errno 524");
	ck_assert_str_eq(status(&r, 8), "EIO");
	ck_assert_str_eq(text(&r, 8, "tampering"), "(INJECTED)");
	ck_assert_int_eq(span(&r, 8)->bytes, -1);
	ck_assert_str_eq(text(&r, 9, "tampering"), "(DELAYED)");
	ck_assert_int_eq(span(&r, 9)->bytes, 2);
	ck_assert_str_eq(text(&r, 10, "tampering"), "(INJECTED: args, retval)");
	ck_assert_str_eq(status(&r, 11), "");
	ck_assert_str_eq(status(&r, 12), "unfinished");
	ck_assert_str_eq(status(&r, 13), "unfinished");
	ck_assert_str_eq(text(&r, 13, "args"), "");
	ck_assert_str_eq(status(&r, 14), "");
	ck_assert_uint_eq(r.run.diags.list.len, 0);
	reading_fini(&r);
}
END_TEST

/* What a program writes is not what a call returns. */
START_TEST(test_strings)
{
	struct reading r;
	read_log(&r,
		 "write(1, \") = 5\", 6)                    = 6\n"
		 "write(1, \"a\\\") = 7\\\\\", 7) = 8\n"
		 "open(\"/tmp/a(b, \\303\\251\\x41\", O_RDONLY) = -1 EACCES (Permission denied)\n"
		 "write(3</tmp/x) = 1>, \"<unfinished ...>\", 16) = 16\n"
		 "getcwd(\"/a\"..., 4096) = 3\n"
		 "readlink(\"/proc/self/exe\", \"/bin/a /* \"..., 99) = 12\n"
		 "ioctl(1, TCGETS, {c_iflags=0x6d02, c_cc[VMIN]=1, ...}) = 0\n",
		 7);
	ck_assert_int_eq(span(&r, 0)->bytes, 6);
	ck_assert_str_eq(text(&r, 0, "args"), "1, \") = 5\", 6");
	ck_assert_int_eq(span(&r, 1)->bytes, 8);
	ck_assert_str_eq(text(&r, 2, "path"), "/tmp/a(b, \303\251A");
	ck_assert_int_eq(span(&r, 3)->bytes, 16);
	ck_assert_str_eq(text(&r, 3, "path"), "/tmp/x) = 1");
	ck_assert_int_eq(number(&r, 5, "result"), 12);
	reading_fini(&r);
	char log[8192] = EXEC "write(1, \"";
	memset(log + strlen(log), 'y', 1000);
	strcat(log, "\", 1000) = 1000\n");
	read_log(&r, log, 2);
	ck_assert_uint_eq(strlen(text(&r, 1, "args")), 200);
	ck_assert_str_eq(text(&r, 1, "args") + 197, "...");
	reading_fini(&r);
}
END_TEST

START_TEST(test_pairing)
{
	struct reading r;
	read_log(&r,
		 "1 10:00:00.000001 read(3,  <unfinished ...>\n"
		 "2 10:00:00.000002 select(4, [3], NULL, NULL, NULL <unfinished ...>\n"
		 "1 10:00:00.000003 <... read resumed>\"abc\", 100) = 3 <0.000009>\n"
		 "1 10:00:00.000004 read(3,  <unfinished ...>\n"
		 "2 10:00:00.000005 <... select resumed> )      = 1 (in [3])\n"
		 "3 10:00:00.000006 <... futex resumed>) = 0 <0.000002>\n"
		 "1 10:00:00.000007 <... read resumed> <unfinished ...>) = ?\n"
		 "1 10:00:00.000008 +++ killed by SIGKILL +++\n"
		 "2 10:00:00.000009 pause( <unfinished ...>\n"
		 "4 10:00:00.000010 nanosleep({tv_sec=1}, NULL <detached ...>\n",
		 6);
	ck_assert_int_eq(span(&r, 0)->bytes, 3);
	ck_assert_int_eq(span(&r, 0)->end_ns, 9000);
	ck_assert_str_eq(text(&r, 0, "args"), "3, \"abc\", 100");
	ck_assert_int_eq(tid(&r, 1), 2);
	ck_assert_int_eq(span(&r, 1)->end_ns, 4000);
	ck_assert_str_eq(text(&r, 1, "detail"), "in [3]");
	/* Killed while it waited. */
	ck_assert_str_eq(status(&r, 2), "unfinished");
	unit_check(span(&r, 2)->end_ns == MLV_NO_TIME);
	/* Only its end is there: begun before the log. */
	ck_assert_str_eq(reading_str(&r, span(&r, 3)->name), "futex");
	ck_assert_int_eq(span(&r, 3)->start_ns, 3000);
	ck_assert_int_eq(span(&r, 3)->end_ns, 5000);
	unit_check(unit_told(&r.run, "strace-began-before"));
	ck_assert_str_eq(status(&r, 4), "unfinished");
	ck_assert_str_eq(status(&r, 5), "unfinished");
	ck_assert_str_eq(text(&r, 5, "args"), "{tv_sec=1}, NULL");
	reading_fini(&r);
}
END_TEST

START_TEST(test_events)
{
	struct reading r;
	read_log(&r,
		 "5 close(3) = 0\n"
		 "5 --- SIGSEGV {si_signo=SIGSEGV, si_code=SEGV_MAPERR, si_addr=NULL} ---\n"
		 " > /lib/libc.so.6(raise+0x12) [0x34]\n"
		 "5 --- stopped by SIGSTOP ---\n"
		 "5 +++ killed by SIGSEGV (core dumped) +++\n"
		 "6 close(3) = 0\n"
		 "6 +++ exited with 3 +++\n",
		 2);
	ck_assert_uint_eq(reading_count(&r, "signal"), 2);
	const struct mlv_finding *f = reading_finding(&r, "signal", 0);
	ck_assert_str_eq(reading_attr(&r, f, "signal"), "SIGSEGV");
	ck_assert_str_eq(reading_attr(&r, f, "pid"), "5");
	ck_assert_int_eq(f->severity, MLV_FINDING_WARNING);
	ck_assert_str_eq(reading_stack(&r, f->stack), "raise /lib/libc.so.6:0");
	ck_assert_str_eq(reading_str(&r, f->text),
			 "SIGSEGV {si_signo=SIGSEGV, si_code=SEGV_MAPERR, si_addr=NULL}");
	f = reading_finding(&r, "killed", 0);
	ck_assert_str_eq(reading_str(&r, f->text), "killed by SIGSEGV (core dumped)");
	ck_assert_int_eq(f->severity, MLV_FINDING_ERROR);
	f = reading_finding(&r, "exit", 0);
	ck_assert_str_eq(reading_attr(&r, f, "status"), "3");
	ck_assert_uint_eq(f->line, 7);
	reading_fini(&r);
}
END_TEST

/* Output of programs, and of strace itself, within lines. */
START_TEST(test_glued)
{
	struct reading r;
	read_log(&r,
		 EXEC "close(3) = 0\nclose(4) = 0\n"
		      "write(1, \"hi\\n\", 3hi\n"
		      ")                     = 3\n"
		      "write(1, \"a\\nb\\nc\", 5a\n"
		      "b\n"
		      "c)                     = 5\n"
		      "progress 50%read(3, \"x\", 1)                     = 1\n"
		      "write(2, \"\\\"\", 1\")                     = 1\n"
		      "clone(child_stack=NULL, flags=SIGCHLDstrace: Process 8 attached\n"
		      ", child_tidptr=0x1) = 8\n"
		      "[pid     7] wait4(8,  <unfinished ...>\n"
		      "[pid     8] vfork(strace: Process 9 attached\n"
		      " <unfinished ...>\n"
		      "[pid     9] close(5) = 0\n"
		      "[pid     8] <... vfork resumed>) = 9\n"
		      "text without meaning[pid     9] close(6) = 0\n",
		 12);
	ck_assert_int_eq(span(&r, 3)->bytes, 3);
	ck_assert_uint_eq(span(&r, 3)->line, 4);
	ck_assert_int_eq(span(&r, 4)->bytes, 5);
	ck_assert_int_eq(span(&r, 5)->bytes, 1);
	ck_assert_str_eq(reading_str(&r, span(&r, 5)->name), "read");
	ck_assert_int_eq(span(&r, 6)->bytes, 1);
	ck_assert_int_eq(number(&r, 7, "result"), 8);
	/* The first process has its number although its first lines had none. */
	for (size_t i = 0; i < 9; i++)
		ck_assert_int_eq(tid(&r, i), 7);
	ck_assert_int_eq(tid(&r, 9), 8);
	ck_assert_int_eq(tid(&r, 11), 9);
	ck_assert_int_eq(number(&r, 11, "fd"), 6);
	unit_check(unit_told(&r.run, "strace-other-lines"));
	reading_fini(&r);
}
END_TEST

START_TEST(test_cut)
{
	struct reading r;
	read_log(&r, EXEC "close(3) = 0\nclose(4) = 0\npoll([{fd=6, events=POLLIN}], 1, 3600", 4);
	ck_assert_str_eq(status(&r, 3), "unfinished");
	ck_assert_str_eq(text(&r, 3, "args"), "[{fd=6, events=POLLIN}], 1, 3600");
	unit_check(unit_told(&r.run, "strace-line-cut"));
	reading_fini(&r);
	/* Within a string that looks like an end. */
	read_log(&r, EXEC "close(3) = 0\nclose(4) = 0\nwrite(1, \") = ", 4);
	ck_assert_str_eq(status(&r, 3), "unfinished");
	reading_fini(&r);
	read_log(&r, "execve(\"./a\", [\"./a\"], 0x7ffd) = 0\r\nread(3, \"\", 1) = 0\r\n", 2);
	ck_assert_int_eq(span(&r, 1)->bytes, 0);
	reading_fini(&r);
	read_log(&r, "\033[1mexecve\033[0m(\"./a\", [\"./a\"], 0x7ffd) = 0\nclose(3) = 0\n", 2);
	reading_fini(&r);
}
END_TEST

/* Threads are known by the flags of the call that made them. */
START_TEST(test_threads)
{
	struct reading r;
	read_log(&r,
		 "10<a> clone3({flags=CLONE_VM|CLONE_FILES|CLONE_THREAD, stack=0x1} <unfinished "
		 "...>\n"
		 "11<worker> openat(AT_FDCWD, \"/data\", O_RDONLY) = 5\n"
		 "10<a> <... clone3 resumed> => {parent_tid=[11]}, 88) = 11\n"
		 "10<a> read(5, \"x\", 1) = 1\n"
		 "10<a> clone(child_stack=NULL, flags=CLONE_CHILD_CLEARTID|SIGCHLD) = 12\n"
		 "12<a> read(5, \"xy\", 2) = 2\n"
		 "12<a> close(5) = 0\n"
		 "10<a> read(5, \"\", 2) = 0\n"
		 "11<worker> execve(\"/bin/b\", [\"b\"], 0x1 <unfinished ...>\n"
		 "10<a> pause( <unfinished ...>\n"
		 "10<a> <... pause resumed>) = ?\n"
		 "10<a> +++ superseded by execve in pid 11 +++\n"
		 "10<b> <... execve resumed>) = 0\n"
		 "10<b> read(0, \"\", 9) = 0\n",
		 10);
	ck_assert_int_eq(pid(&r, 1), 10);
	ck_assert_int_eq(tid(&r, 1), 11);
	ck_assert_str_eq(reading_str(&r, r.run.tracks.data[span(&r, 1)->track.i].name),
			 "worker (11)");
	ck_assert_str_eq(text(&r, 2, "path"), "/data");
	ck_assert_int_eq(pid(&r, 4), 12);
	ck_assert_str_eq(text(&r, 4, "path"), "/data");
	/* The child's close is its own. */
	ck_assert_str_eq(text(&r, 6, "path"), "/data");
	ck_assert_str_eq(reading_str(&r, span(&r, 7)->name), "execve");
	ck_assert_str_eq(status(&r, 7), "");
	ck_assert_int_eq(number(&r, 7, "result"), 0);
	reading_fini(&r);
}
END_TEST

START_TEST(test_paths)
{
	struct reading r;
	read_log(&r,
		 "openat(AT_FDCWD, \"/a\", O_RDONLY|O_CLOEXEC) = 3\n"    /* 0 */
		 "openat(3, \"b\", O_RDONLY) = 4\n"                      /* 1 */
		 "read(4, \"x\", 1) = 1\n"                               /* 2 */
		 "fcntl(4, F_DUPFD, 10) = 10\n"                          /* 3 */
		 "close(4) = 0\n"                                        /* 4 */
		 "write(10, \"x\", 1) = 1\n"                             /* 5 */
		 "write(4, \"x\", 1) = -1 EBADF (Bad file descriptor)\n" /* 6 */
		 "pipe2([4, 5], O_CLOEXEC) = 0\n"                        /* 7 */
		 "read(4, \"x\", 1) = 1\n"                               /* 8 */
		 "socket(AF_INET6, SOCK_STREAM, IPPROTO_IP) = 6\n"       /* 9 */
		 "connect(6, {sa_family=AF_INET6, sin6_port=htons(80), sin6_flowinfo=htonl(0), "
		 "inet_pton(AF_INET6, \"::1\", &sin6_addr)}, 28) = -1 EINPROGRESS (x)\n" /* 10 */
		 "sendto(6, \"x\", 1, 0, NULL, 0) = 1\n"                                 /* 11 */
		 "newfstatat(3, \"\", {st_mode=S_IFDIR|0755}, AT_EMPTY_PATH) = 0\n"      /* 12 */
		 "execve(\"/bin/c\", [\"c\"], 0x1) = 0\n"                                /* 13 */
		 "read(3, \"\", 1) = 0\n"                                                /* 14 */
		 "read(10, \"\", 1) = 0\n"                                               /* 15 */
		 "close_range(3, 4294967295, 0) = 0\n"                                   /* 16 */
		 "read(10, \"\", 1) = 0\n"                                               /* 17 */
		 "read(7<TCP:[127.0.0.1:1->127.0.0.1:2]>, \"\", 1) = 0\n"                /* 18 */
		 "read(8</x\\76y>(deleted), \"\", 1) = 0\n"                              /* 19 */
		 "connect(9, {sa_family=AF_UNIX, sun_path=@\"bus\"}, 9) = 0\n",          /* 20 */
		 21);
	ck_assert_str_eq(text(&r, 1, "path"), "/a/b");
	ck_assert_str_eq(text(&r, 2, "path"), "/a/b");
	ck_assert_str_eq(text(&r, 5, "path"), "/a/b");
	ck_assert_ptr_null(attr(&r, 6, "path"));
	ck_assert_int_eq(number(&r, 6, "fd"), 4);
	ck_assert_str_eq(text(&r, 8, "path"), "pipe");
	ck_assert_str_eq(text(&r, 11, "path"), "socket to [::1]:80");
	ck_assert_str_eq(text(&r, 12, "path"), "/a");
	ck_assert_ptr_null(attr(&r, 14, "path"));
	ck_assert_str_eq(text(&r, 15, "path"), "/a/b");
	ck_assert_ptr_null(attr(&r, 17, "path"));
	ck_assert_str_eq(text(&r, 18, "path"), "TCP:[127.0.0.1:1->127.0.0.1:2]");
	ck_assert_str_eq(text(&r, 19, "path"), "/x>y");
	ck_assert_str_eq(text(&r, 20, "path"), "socket to @bus");
	reading_fini(&r);
}
END_TEST

START_TEST(test_stacks)
{
	struct reading r;
	read_log(&r,
		 "mmap(NULL, 8192, PROT_READ, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x10000\n"
		 " > /lib/libc.so.6(mmap64+0x5d) [0x10f53d]\n"
		 " > /bin/a(main+0x1) [0x2] a.c:12\n"
		 " > /bin/a() [0x2901]\n"
		 " > unexpected_backtracing_error [0x7f]\n"
		 "write(1, \"x\", 1) = 1\n"
		 " | 00000  78                                                x        |\n",
		 2);
	ck_assert_str_eq(reading_stack(&r, span(&r, 0)->stack),
			 "mmap64 /lib/libc.so.6:0; main a.c:12; 0x2901 /bin/a:0; "
			 "unexpected_backtracing_error :0");
	ck_assert_uint_eq(span(&r, 1)->stack.i, MLV_STACK_NONE.i);
	ck_assert_uint_eq(r.run.mem_events.data[0].stack.i, span(&r, 0)->stack.i);
	ck_assert_uint_eq(r.run.diags.list.len, 0);
	reading_fini(&r);
}
END_TEST

/* A time is told once for each line: how long a call took only where its result came later. */
START_TEST(test_moments)
{
	struct reading r;
	int64_t ns;
	read_log(&r,
		 "7 18:26:52 read(3, \"\", 5) = 0\n"
		 "7 18:26:52 poll([], 0, 9 <unfinished ...>\n"
		 "8 18:26:53 read(3, \"\", 5) = 0 <0.000000>\n"
		 "7 18:26:53 <... poll resumed>) = 0 (Timeout)\n"
		 "7 18:26:53 exit_group(0) = ?\n",
		 4);
	unit_check(span(&r, 0)->instant && !mlv_run_span_took(span(&r, 0), &ns));
	unit_check(mlv_run_span_took(span(&r, 1), &ns) && ns == 1000000000);
	unit_check(mlv_run_span_took(span(&r, 2), &ns) && ns == 0);
	unit_check(span(&r, 3)->instant && !mlv_run_span_open(&r.run, span(&r, 3)));
	reading_fini(&r);
}
END_TEST

/* No number is made up for a process that the log does not name. */
START_TEST(test_nameless)
{
	struct reading r;
	char name[64];
	read_log(&r,
		 "mmap(NULL, 4096, PROT_READ, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7f0000000000\n"
		 "--- SIGCHLD {si_signo=SIGCHLD} ---\n"
		 "exit_group(3) = ?\n"
		 "+++ exited with 3 +++\n",
		 2);
	ck_assert_int_eq(pid(&r, 0), -1);
	ck_assert_str_eq(mlv_device_name(&r.run, &r.run.devices.data[0], name, sizeof(name)),
			 "host memory");
	ck_attr(&r, reading_finding(&r, "signal", 0), "pid", "");
	ck_attr(&r, reading_finding(&r, "exit", 0), "pid", "");
	ck_attr(&r, reading_finding(&r, "exit", 0), "status", "3");
	reading_fini(&r);
	/* It may tell later. */
	read_log(&r,
		 "--- SIGCHLD {si_signo=SIGCHLD} ---\n"
		 "getpid() = 4711\n"
		 "mmap(NULL, 4096, PROT_READ, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7f0000000000\n"
		 "+++ exited with 0 +++\n",
		 2);
	ck_assert_int_eq(pid(&r, 0), 4711);
	ck_assert_str_eq(mlv_device_name(&r.run, &r.run.devices.data[0], name, sizeof(name)),
			 "host memory of process 4711");
	ck_attr(&r, reading_finding(&r, "signal", 0), "pid", "4711");
	reading_fini(&r);
}
END_TEST

UNIT_MAIN("strace", test_moments, test_nameless, test_leaders, test_times, test_hours, test_results,
	  test_strings, test_pairing, test_events, test_glued, test_cut, test_threads, test_paths,
	  test_stacks)
