/* SPDX-License-Identifier: MIT */
/* Reports of compute-sanitizer and cuda-memcheck, old and new, whole and cut. */
#include "text_reading.h"

static struct reading r;

#define READ(text) reading_of(&r, text, sizeof(text) - 1, NULL)

START_TEST(memcheck_new)
{
	READ("========= COMPUTE-SANITIZER\n"
	     "step 1 done\n"
	     "========= Invalid __global__ write of size 4 bytes\n"
	     "=========     at void add<(int)1, float>(float *, int)+0x60 in my dir/add.cu:12\n"
	     "=========     by thread (4,0,0) in block (1,2,3)\n"
	     "=========     Access to 0x7efbe6800010 is out of bounds\n"
	     "=========     and is 1 bytes after the nearest allocation at 0x7efbe6800000 of size "
	     "16 bytes\n"
	     "=========     Saved host backtrace up to driver entry point at kernel launch time\n"
	     "=========         Host Frame:  [0x2dfbef] in libcuda.so.1\n"
	     "=========         Host Frame: launch(int) in main.cpp:77 [0x8d37]\n"
	     "=========         Host Frame: main [0x8d38] in app\n"
	     "========= \n"
	     "========= Invalid __global__ write of size 4 bytes\n"
	     "=========     at void add<(int)1, float>(float *, int)+0x60 in my dir/add.cu:12\n"
	     "=========     by thread (5,0,0) in block (1,2,3)\n"
	     "=========     Access to 0x7efbe6800014 is out of bounds\n"
	     "=========     Saved host backtrace up to driver entry point at kernel launch time\n"
	     "=========         Host Frame:  [0x2dfbef] in libcuda.so.1\n"
	     "=========         Host Frame: launch(int) in main.cpp:77 [0x8d37]\n"
	     "=========         Host Frame: main [0x8d38] in app\n"
	     "========= \n"
	     "========= Invalid __global__ write of size 4 bytes\n"
	     "=========     at other(float *)+0x60\n"
	     "=========     by thread (5,0,0) in block (1,2,3)\n"
	     "=========     Address 0x7efbe6800014 is misaligned\n"
	     "========= \n"
	     "========= Program hit cudaErrorLaunchFailure (error 719) due to \"unspecified launch "
	     "failure\" on CUDA API call to cudaFree.\n"
	     "=========     Saved host backtrace up to driver entry point at error\n"
	     "=========         Host Frame: main [0x8e7b] in app\n"
	     "========= \n"
	     "========= ERROR SUMMARY: 1028 errors\n"
	     "========= ERROR SUMMARY: 928 errors were not printed. Use --print-limit option to "
	     "adjust the number of printed errors\n");
	ck_assert_str_eq(r.run.format, "compute-sanitizer");
	ck_assert_uint_eq(r.run.findings.len, 3);
	const struct mlv_finding *f = reading_finding(&r, "memcheck", 0);
	ck_assert_str_eq(reading_str(&r, f->text),
			 "Invalid __global__ write of size 4 bytes at void add<(int)1, "
			 "float>(float *, int)+0x60");
	ck_attr(&r, f, "kernel", "void add<(int)1, float>(float *, int)");
	ck_attr(&r, f, "offset", "0x60");
	ck_attr(&r, f, "address", "0x7efbe6800010");
	ck_attr(&r, f, "size", "4");
	ck_attr(&r, f, "thread", "(4,0,0)");
	ck_attr(&r, f, "block", "(1,2,3)");
	ck_attr(&r, f, "nearest",
		"1 bytes after the nearest allocation at 0x7efbe6800000 of size 16 bytes");
	ck_attr(&r, f, "count", "2");
	ck_assert_str_eq(reading_str(&r, f->file), "my dir/add.cu");
	ck_assert_uint_eq(f->file_line, 12);
	ck_assert_uint_eq(f->line, 3);
	ck_assert_uint_eq(f->last_line, 11);
	ck_assert_str_eq(reading_stack(&r, f->stack),
			 " libcuda.so.1+0x2dfbef:0; launch(int) main.cpp:77; main app+0x8d38:0");
	f = reading_finding(&r, "memcheck", 1);
	ck_attr(&r, f, "kernel", "other(float *)");
	ck_attr(&r, f, "count", "");
	f = reading_finding(&r, "memcheck", 2);
	ck_attr(&r, f, "cuda_error", "cudaErrorLaunchFailure");
	ck_attr(&r, f, "error_number", "719");
	ck_attr(&r, f, "api", "cudaFree");
	ck_assert_str_eq(reading_metric(&r, "summary", "errors"), "1028");
	ck_assert_str_eq(reading_metric(&r, "summary", "errors not printed"), "928");
	ck_assert_uint_eq(r.run.sections.len, 1);
	ck_assert_uint_eq(r.run.sections.data[0].last_line, 32);
	reading_fini(&r);
}
END_TEST

START_TEST(places_of_all_years)
{
	READ("========= CUDA-MEMCHECK\n"
	     "========= Invalid __global__ read of size 8\n"
	     "=========     at 0x00000020 in test(int*, int*)\n"
	     "=========     by thread (0,0,0) in block (0,0,0)\n"
	     "=========     Device Frame:inner(int*) (inner(int*) : 0x60)\n"
	     "=========     Host Frame:/lib64/libcuda.so.1 (cuLaunchKernel + 0x346) [0x297db6]\n"
	     "=========     Host Frame:./app [0x101d9]\n"
	     "=========\n"
	     "========= Invalid __shared__ read of size 2 bytes\n"
	     "=========     at 0x100 in /w/f.cu:30:ns::kern<4>(T1 *, ns::X)\n"
	     "=========     by thread (0,0,0) in block (0,0,0)\n"
	     "=========         Device Frame: sync(float *)+0xb0 in /w/k.cu:12\n"
	     "=========\n"
	     "========= Fatal UVM GPU fault of type invalid pde due to invalid address\n"
	     "=========     during atomic access to address 0x20be00000\n"
	     "=========\n"
	     "========= LEAK SUMMARY: 0 bytes leaked in 0 allocations\n"
	     "========= ERROR SUMMARY: 1 error\n");
	const struct mlv_finding *f = reading_finding(&r, "memcheck", 0);
	ck_attr(&r, f, "kernel", "test(int*, int*)");
	ck_attr(&r, f, "offset", "0x00000020");
	ck_attr(&r, f, "size", "8");
	ck_assert_str_eq(
		reading_stack(&r, f->stack),
		"inner(int*) :0; cuLaunchKernel /lib64/libcuda.so.1+0x297db6:0;  ./app+0x101d9:0");
	f = reading_finding(&r, "memcheck", 1);
	ck_attr(&r, f, "kernel", "ns::kern<4>(T1 *, ns::X)");
	ck_assert_str_eq(reading_str(&r, f->file), "/w/f.cu");
	ck_assert_uint_eq(f->file_line, 30);
	ck_assert_str_eq(reading_stack(&r, f->stack), "sync(float *)+0xb0 /w/k.cu:12");
	ck_attr(&r, reading_finding(&r, "memcheck", 2), "address", "0x20be00000");
	ck_assert_str_eq(reading_metric(&r, "summary", "leaked"), "0 B");
	ck_assert_str_eq(reading_metric(&r, "summary", "leaks"), "0");
	ck_assert_str_eq(reading_metric(&r, "summary", "errors"), "1");
	reading_fini(&r);
}
END_TEST

START_TEST(racecheck)
{
	READ("========= COMPUTE-SANITIZER\n"
	     "========= Error: Race reported between Write access at race(int *)+0xa0 in oob.cu:3\n"
	     "=========     and Read access at race(int *)+0xb0 in oob.cu:4 [1,024 hazards]\n"
	     "=========     and Write access at race(int *)+0xa0 in oob.cu:3 [6 hazards]\n"
	     "=========\n"
	     "========= WARN: Race reported between Read access at 0x00000170 in "
	     "./race.cu:4:test(int*, int*)\n"
	     "=========     and Write access at 0x00000148 in ./race.cu:3:test(int*, int*) [4 "
	     "hazards]\n"
	     "=========\n"
	     "========= WARN:(Warp Level Programming) Potential WAR hazard detected at __shared__ "
	     "0x3 in block (0, 0, 0) :\n"
	     "=========     Read Thread (31, 0, 0) at 0x00000170 in ./race.cu:4:test(int*, int*)\n"
	     "=========     Write Thread (0, 0, 0) at 0x000001a8 in ./race.cu:5:test(int*, int*)\n"
	     "=========     Current Value : 0, Incoming Value : 1\n"
	     "=========\n"
	     "========= WARN:(Warp Level Programming) Potential WAR hazard detected at __shared__ "
	     "0x2 in block (0, 0, 0) :\n"
	     "=========     Read Thread (31, 0, 0) at 0x00000170 in ./race.cu:4:test(int*, int*)\n"
	     "=========     Write Thread (1, 0, 0) at 0x000001a8 in ./race.cu:5:test(int*, int*)\n"
	     "=========     Current Value : 0, Incoming Value : 1\n"
	     "=========\n"
	     "========= RACECHECK SUMMARY: 12 hazards displayed (1 error, 11 warnings)\n");
	ck_assert_uint_eq(r.run.findings.len, 3);
	const struct mlv_finding *f = reading_finding(&r, "racecheck", 0);
	ck_assert_int_eq(f->severity, MLV_FINDING_ERROR);
	ck_attr(&r, f, "kernel", "race(int *)");
	ck_attr(&r, f, "hazards", "1030");
	ck_assert_uint_eq(f->file_line, 3);
	ck_assert_str_eq(
		reading_str(&r, f->text),
		"Error: Race reported between Write access at race(int *)+0xa0 in oob.cu:3 "
		"and Read access at race(int *)+0xb0 in oob.cu:4");
	f = reading_finding(&r, "racecheck", 1);
	ck_assert_int_eq(f->severity, MLV_FINDING_WARNING);
	ck_attr(&r, f, "kernel", "test(int*, int*)");
	ck_attr(&r, f, "hazards", "4");
	f = reading_finding(&r, "racecheck", 2);
	ck_attr(&r, f, "count", "2");
	ck_attr(&r, f, "address", "0x3");
	ck_attr(&r, f, "block", "(0, 0, 0)");
	ck_attr(&r, f, "thread", "(31, 0, 0)");
	ck_assert_uint_eq(f->file_line, 4);
	ck_assert_str_eq(reading_metric(&r, "summary", "hazards"), "12");
	ck_assert_str_eq(reading_metric(&r, "summary", "hazard errors"), "1");
	ck_assert_str_eq(reading_metric(&r, "summary", "hazard warnings"), "11");
	reading_fini(&r);
}
END_TEST

START_TEST(initcheck_synccheck_leaks)
{
	READ("========= COMPUTE-SANITIZER\n"
	     "========= Uninitialized __global__ memory read of size 4 bytes\n"
	     "=========     at uninit(int *)+0x60 in oob.cu:4\n"
	     "=========     by thread (0,0,0) in block (0,0,0)\n"
	     "=========     Address 0x7f44d6800600\n"
	     "=========\n"
	     "========= Unused memory in allocation 0x1303d80000 of size 16 bytes\n"
	     "=========     Not written any memory.\n"
	     "=========\n"
	     "========= Host API memory access error at host access to 0x1303fd1400 of size 25600 "
	     "bytes\n"
	     "=========     Uninitialized access at 0x1303fd4600 on access by cudaMemcopy source.\n"
	     "=========\n"
	     "========= Barrier error detected. Divergent thread(s) in warp\n"
	     "=========     at kern(int *)+0xa0 in s.cu:61\n"
	     "=========     by thread (19,0,0) in block (0,0,0)\n"
	     "=========\n"
	     "========= Leaked 1,024 bytes at 0x7fce32800200\n"
	     "=========     Saved host backtrace up to driver entry point at allocation time\n"
	     "=========         Host Frame: main [0x8cb7] in app\n"
	     "=========\n"
	     "========= LEAK SUMMARY: 1024 bytes leaked in 1 allocations\n"
	     "========= ERROR SUMMARY: 5 errors\n");
	ck_assert_uint_eq(reading_count(&r, "initcheck"), 3);
	ck_attr(&r, reading_finding(&r, "initcheck", 0), "address", "0x7f44d6800600");
	ck_attr(&r, reading_finding(&r, "initcheck", 1), "address", "0x1303d80000");
	ck_attr(&r, reading_finding(&r, "initcheck", 1), "size", "16");
	ck_attr(&r, reading_finding(&r, "initcheck", 2), "size", "25600");
	ck_attr(&r, reading_finding(&r, "initcheck", 2), "address", "0x1303fd4600");
	ck_attr(&r, reading_finding(&r, "synccheck", 0), "thread", "(19,0,0)");
	ck_attr(&r, reading_finding(&r, "leak", 0), "size", "1024");
	ck_attr(&r, reading_finding(&r, "leak", 0), "address", "0x7fce32800200");
	ck_assert_str_eq(reading_metric(&r, "summary", "leaked"), "1024 B");
	reading_fini(&r);
}
END_TEST

START_TEST(own_prefix_and_failures)
{
	READ("CS> COMPUTE-SANITIZER\n"
	     "CS> Error: Target application terminated before first instrumented API call\n"
	     "CS> Barrier error detected. Invalid arguments.\n"
	     "CS>     at kern(int *)+0xa0 in s.cu:61\n"
	     "CS> ERROR SUMMARY: 1 error\n");
	ck_assert_uint_eq(reading_count(&r, "synccheck"), 1);
	ck_assert_str_eq(reading_metric(&r, "summary", "errors"), "1");
	reading_fini(&r);
	READ("========= COMPUTE-SANITIZER\n"
	     "========= Error: No attachable process found. compute-sanitizer timed-out.\n"
	     "========= Default timeout can be adjusted with --launch-timeout.\n");
	ck_assert_uint_eq(reading_count(&r, "sanitizer-failed"), 1);
	ck_assert_uint_eq(reading_count(&r, "sanitizer-incomplete"), 1);
	reading_fini(&r);
}
END_TEST

START_TEST(cut_reports)
{
	READ("========= Invalid __global__ read of size 4 bytes\n"
	     "=========     at kern+0xa00\n");
	ck_assert_uint_eq(reading_count(&r, "memcheck"), 1);
	ck_assert_uint_eq(reading_count(&r, "sanitizer-incomplete"), 1);
	ck_assert(mlv_diags_have(&r.run.diags, MLV_WARNING));
	reading_fini(&r);
}
END_TEST

START_TEST(rules_of_other_texts)
{
	READ("Heading\n=========\n\ntext\n"
	     "========== Invalid __global__ write of size 4 bytes\n"
	     "=========\n"
	     "======================\n"
	     "========= tests in block =========\n"
	     "we ran the COMPUTE-SANITIZER\n"
	     "# COMPUTE-SANITIZER\n"
	     "# by thread 3\n"
	     "========= Error: not of the sanitizer\n");
	ck_assert_int_eq(r.rc, MLV_E_FORMAT);
	ck_assert_uint_eq(r.run.findings.len, 0);
	reading_fini(&r);
}
END_TEST

/* Every record is told or counted, as the tool's own summary says. */
START_TEST(recordings)
{
	static const struct {
		const char *file, *code;
		int64_t records;
		const char *errors;
	} want[] = { { "memcheck", "memcheck", 5, "5" },
		     { "initcheck", "initcheck", 64, "64" },
		     { "leakcheck", "leak", 3, "3" },
		     { "racecheck", "racecheck", 1, "" },
		     { "clean", "", 0, "0" } };
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		char path[100];
		size_t n;
		snprintf(path, sizeof(path), "text/compute-sanitizer/%s.txt", want[i].file);
		char *data = unit_file("CORPUS", path, &n);
		if (!data)
			return;
		reading_of(&r, data, n, NULL);
		ck_assert_str_eq(r.run.format, "compute-sanitizer");
		int64_t records = 0;
		for (size_t k = 0; k < r.run.findings.len; k++) {
			const struct mlv_finding *f = &r.run.findings.data[k];
			const struct mlv_attr *count = mlv_run_attr(&r.run, f->attrs, "count");
			ck_assert_str_eq(reading_str(&r, f->code), want[i].code);
			records += count ? count->number : 1;
		}
		ck_assert_int_eq(records, want[i].records);
		ck_assert_str_eq(reading_metric(&r, "summary", "errors"), want[i].errors);
		reading_fini(&r);
		if (n < 3000)
			reading_spoiled(data, n, "compute-sanitizer");
		free(data);
	}
}
END_TEST

UNIT_MAIN("sanitizer", memcheck_new, places_of_all_years, racecheck, initcheck_synccheck_leaks,
	  own_prefix_and_failures, cut_reports, rules_of_other_texts, recordings)
