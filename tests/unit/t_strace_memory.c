/* SPDX-License-Identifier: MIT */
/* Memory histories out of logs of strace, against a plain reckoning by pages. */
#include "text_reading.h"

enum { PAGES = 64, PAGE = 4096, BASE = 0x100000 };

static bool has_diag(const struct reading *r, const char *code)
{
	for (size_t i = 0; i < r->run.diags.list.len; i++) {
		if (strcmp(r->run.diags.list.data[i].code, code) == 0)
			return true;
	}
	return false;
}

/* Allocations and frees pair by address and size, and nothing overlaps: the living, at the end. */
struct living {
	uint64_t addr, bytes;
};

static size_t check_history(const struct mlv_run *run, const struct mlv_device *d,
			    struct living *living, size_t room)
{
	size_t n = 0;
	for (size_t i = d->first_event; i < d->first_event + d->events; i++) {
		const struct mlv_mem_event *e = &run->mem_events.data[i];
		size_t k = 0;
		unit_check(e->track.i == d->track.i);
		if (e->action == MLV_MEM_ALLOC) {
			for (k = 0; k < n; k++)
				unit_check(e->addr + e->bytes <= living[k].addr ||
					   living[k].addr + living[k].bytes <= e->addr);
			unit_check(n < room);
			living[n++] = (struct living){ e->addr, e->bytes };
			continue;
		}
		unit_check(e->action == MLV_MEM_FREE_COMPLETED);
		while (k < n && living[k].addr != e->addr)
			k++;
		unit_check(k < n && living[k].bytes == e->bytes);
		living[k] = living[--n];
	}
	return n;
}

static void read_log(struct reading *r, const char *log)
{
	reading_of(r, log, strlen(log), NULL);
	if (r->rc)
		ck_abort_msg("%s", r->err.msg);
	ck_assert_str_eq(r->run.format, "strace");
}

/* As "alloc 1000+2000 'note'" of each event. */
static void check_events(const struct reading *r, size_t device, const char *const *expected,
			 size_t n)
{
	const struct mlv_device *d = &r->run.devices.data[device];
	ck_assert_uint_eq(d->events, n);
	for (size_t i = 0; i < n; i++) {
		const struct mlv_mem_event *e = &r->run.mem_events.data[d->first_event + i];
		char line[128];
		mlv_strid note = r->run.notes.data[e->note.i].user_metadata;
		snprintf(line, sizeof(line), "%s %llx+%llu %s",
			 e->action == MLV_MEM_ALLOC ? "alloc" : "free", (unsigned long long)e->addr,
			 (unsigned long long)e->bytes, reading_str(r, note));
		ck_assert_str_eq(line, expected[i]);
	}
}

#define CHECK_EVENTS(r, device, ...)                                                               \
	do {                                                                                       \
		const char *const expected[] = { __VA_ARGS__ };                                    \
		check_events(r, device, expected, sizeof(expected) / sizeof(expected[0]));         \
	} while (0)

START_TEST(test_pieces)
{
	struct reading r;
	read_log(&r, "openat(AT_FDCWD, \"/lib/x.so\", O_RDONLY) = 3\n"
		     "mmap(NULL, 10000, PROT_READ, MAP_PRIVATE, 3, 0) = 0x10000\n"
		     "munmap(0x11000, 1) = 0\n"
		     "mmap(0x10000, 4096, PROT_NONE, MAP_PRIVATE|MAP_FIXED|MAP_ANONYMOUS, -1, 0) = "
		     "0x10000\n"
		     "mremap(0x12000, 4096, 20000, MREMAP_MAYMOVE) = 0x30000\n"
		     "munmap(0x77000, 4096) = 0\n"
		     "munmap(0x10000, 4096) = -1 EINVAL (Invalid argument)\n"
		     "munmap(0, 0x7ffffffff000) = 0\n");
	CHECK_EVENTS(&r, 0, "alloc 10000+10000 /lib/x.so", "free 10000+10000 /lib/x.so",
		     "alloc 10000+4096 /lib/x.so", "alloc 12000+1808 /lib/x.so",
		     "free 10000+4096 /lib/x.so", "alloc 10000+4096 reserved",
		     "free 12000+1808 /lib/x.so", "alloc 30000+20000 /lib/x.so",
		     "free 10000+4096 reserved", "free 30000+20000 /lib/x.so");
	unit_check(has_diag(&r, "strace-unmap-unknown"));
	reading_fini(&r);
}
END_TEST

START_TEST(test_brk)
{
	struct reading r;
	read_log(&r, "9 brk(NULL) = 0x1000800\n"
		     "9 brk(0x1001000) = 0x1001000\n"
		     "9 brk(0x1003000) = 0x1003000\n"
		     "9 brk(0x1002000) = 0x1002000\n"
		     "9 brk(0x2000000) = 0x1002000\n"
		     "9 execve(\"/bin/b\", [\"b\"], 0x1) = 0\n"
		     "9 brk(NULL) = 0x5000\n");
	CHECK_EVENTS(&r, 0, "alloc 1000800+2048 heap", "alloc 1001000+8192 heap",
		     "free 1001000+8192 heap", "alloc 1001000+4096 heap", "free 1000800+2048 heap",
		     "free 1001000+4096 heap");
	ck_assert_uint_eq(r.run.devices.data[0].ordinal, 9);
	ck_assert_int_eq(r.run.tracks.data[r.run.devices.data[0].track.i].kind, MLV_TRACK_HOST);
	reading_fini(&r);
}
END_TEST

/* A thread shares the memory of its process; a child has its own. */
START_TEST(test_processes)
{
	struct reading r;
	read_log(&r, "5 mmap(NULL, 4096, PROT_READ, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x10000\n"
		     "5 clone(child_stack=0x1, flags=CLONE_VM|CLONE_THREAD) = 6\n"
		     "6 mmap(NULL, 4096, PROT_READ, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x20000\n"
		     "5 fork() = 7\n"
		     "7 munmap(0x10000, 4096) = 0\n"
		     "7 mmap(NULL, 4096, PROT_READ, MAP_PRIVATE|MAP_STACK, -1, 0) = 0x10000\n"
		     "5 vfork( <unfinished ...>\n"
		     "8 mmap(NULL, 4096, PROT_READ, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x30000\n"
		     "8 execve(\"/bin/b\", [\"b\"], 0x1) = 0\n"
		     "5 <... vfork resumed>) = 8\n"
		     "8 mmap(NULL, 4096, PROT_READ, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x40000\n"
		     "6 munmap(0x10000, 4096) = 0\n");
	ck_assert_uint_eq(r.run.devices.len, 3);
	CHECK_EVENTS(&r, 0, "alloc 10000+4096 anonymous", "alloc 20000+4096 anonymous",
		     "alloc 30000+4096 anonymous", "free 10000+4096 anonymous");
	CHECK_EVENTS(&r, 1, "alloc 10000+4096 stack");
	CHECK_EVENTS(&r, 2, "alloc 40000+4096 anonymous");
	unit_check(has_diag(&r, "strace-fork-copy") && has_diag(&r, "strace-unmap-inherited"));
	reading_fini(&r);
}
END_TEST

/* A number that comes again: the memory of the first process is gone by then. */
START_TEST(test_same_number)
{
	struct reading r;
	read_log(&r, "5 mmap(NULL, 4096, PROT_READ, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x10000\n"
		     "5 +++ exited with 0 +++\n"
		     "6 mmap(NULL, 4096, PROT_READ, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x10000\n"
		     "5 mmap(NULL, 8192, PROT_READ, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x10000\n");
	ck_assert_uint_eq(r.run.devices.len, 2);
	CHECK_EVENTS(&r, 0, "alloc 10000+4096 anonymous", "free 10000+4096 anonymous",
		     "alloc 10000+8192 anonymous");
	CHECK_EVENTS(&r, 1, "alloc 10000+4096 anonymous");
	reading_fini(&r);
}
END_TEST

/* Between a munmap and its return another thread may get the same range. */
START_TEST(test_race)
{
	struct reading r;
	read_log(&r, "5 mmap(NULL, 4096, PROT_READ, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x10000\n"
		     "5 clone(child_stack=0x1, flags=CLONE_VM|CLONE_THREAD|CLONE_FILES) = 6\n"
		     "5 munmap(0x10000, 4096 <unfinished ...>\n"
		     "6 mmap(NULL, 8192, PROT_READ, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x10000\n"
		     "5 <... munmap resumed>) = 0\n"
		     "5 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
		     "5 close(3 <unfinished ...>\n"
		     "6 openat(AT_FDCWD, \"/b\", O_RDONLY) = 3\n"
		     "5 <... close resumed>) = 0\n"
		     "6 read(3, \"\", 1) = 0\n");
	CHECK_EVENTS(&r, 0, "alloc 10000+4096 anonymous", "free 10000+4096 anonymous",
		     "alloc 10000+8192 anonymous");
	unit_check(!has_diag(&r, "strace-unmap-unknown"));
	const struct mlv_span *last = &r.run.spans.data[r.run.spans.len - 1];
	ck_assert_str_eq(reading_str(&r, mlv_run_attr(&r.run, last->attrs, "path")->text), "/b");
	reading_fini(&r);
}
END_TEST

/* Random calls, against an array of pages. */
START_TEST(test_random)
{
	for (uint64_t seed = 1; seed <= 60; seed++) {
		static char log[65536];
		bool pages[PAGES] = { false };
		uint64_t state = seed * 77;
		size_t n = (size_t)snprintf(log, sizeof(log), "close(0) = 0\n");
		for (int i = 0; i < 300; i++) {
			unsigned at = (unsigned)(unit_random(&state) % PAGES);
			unsigned count = 1 + (unsigned)(unit_random(&state) % 9);
			bool map = unit_random(&state) % 2;
			if (at + count > PAGES)
				count = PAGES - at;
			for (unsigned k = at; k < at + count; k++)
				pages[k] = map;
			/* Some bytes less than whole pages. */
			unsigned bytes = count * PAGE - (unsigned)(unit_random(&state) % PAGE);
			unsigned addr = BASE + at * PAGE;
			char *to = log + n;
			n += (size_t)(map ? snprintf(to, sizeof(log) - n,
						     "mmap(0x%x, %u, PROT_READ, MAP_FIXED, -1, 0) "
						     "= 0x%x\n",
						     addr, bytes, addr)
					  : snprintf(to, sizeof(log) - n, "munmap(0x%x, %u) = 0\n",
						     addr, bytes));
		}
		struct reading r;
		struct living living[PAGES];
		bool seen[PAGES] = { false };
		read_log(&r, log);
		size_t left = check_history(&r.run, &r.run.devices.data[0], living, PAGES);
		for (size_t i = 0; i < left; i++) {
			size_t first = (living[i].addr - BASE) / PAGE;
			size_t end = (living[i].addr + living[i].bytes - BASE + PAGE - 1) / PAGE;
			for (size_t k = first; k < end; k++)
				seen[k] = true;
		}
		ck_assert_mem_eq(seen, pages, sizeof(pages));
		reading_fini(&r);
	}
}
END_TEST

UNIT_MAIN("strace_memory", test_pieces, test_brk, test_processes, test_same_number, test_race,
	  test_random)
