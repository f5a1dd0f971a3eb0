/* SPDX-License-Identifier: MIT */
/* Out-of-memory messages in all their wordings, and what is none. */
#include "text_reading.h"

static struct reading r;

#define READ(text) reading_of(&r, text, sizeof(text) - 1, NULL)
#define OOM                                                                                        \
	"CUDA out of"                                                                              \
	" memory. Tried to"                                                                        \
	" allocate "

START_TEST(by_device_in_parentheses)
{
	READ("RuntimeError: " OOM "20.00 MiB (GPU 1; 7.93 GiB total capacity; 6.54 GiB already "
	     "allocated; 5.56 MiB free; 8.00 GiB allowed; 6.55 GiB reserved in total by PyTorch) "
	     "If "
	     "reserved memory is >> allocated memory try setting max_split_size_mb to avoid "
	     "fragmentation.  See documentation for Memory Management and "
	     "PYTORCH_CUDA_ALLOC_CONF\n");
	ck_assert_int_eq(r.rc, MLV_OK);
	const struct mlv_finding *f = reading_finding(&r, "cuda-oom", 0);
	ck_attr(&r, f, "requested", "20.00 MiB");
	ck_attr(&r, f, "device", "1");
	ck_attr(&r, f, "total", "7.93 GiB");
	ck_attr(&r, f, "allocated", "6.54 GiB");
	ck_attr(&r, f, "free", "5.56 MiB");
	ck_attr(&r, f, "allowed", "8.00 GiB");
	ck_attr(&r, f, "reserved", "6.55 GiB");
	ck_attr(&r, f, "reserved_unallocated", "");
	ck_attr(&r, f, "conf_hint", "max_split_size_mb");
	ck_attr(&r, f, "impossible", "");
	ck_assert_str_eq(reading_str(&r, f->text),
			 OOM "20.00 MiB (GPU 1; 7.93 GiB total capacity; 6.54 GiB already "
			     "allocated; 5.56 MiB free; 8.00 GiB allowed; 6.55 GiB reserved in "
			     "total by PyTorch)");
	ck_assert_uint_eq(r.run.sections.len, 1);
	ck_assert_str_eq(r.run.format, "oom-text");
	reading_fini(&r);
}
END_TEST

START_TEST(cached_is_what_is_not_allocated)
{
	READ("RuntimeError: " OOM "80.00 KiB (GPU 0; 11.17 GiB total capacity; 10.62 GiB already "
	     "allocated; 14.31 MiB free; 96.00 KiB cached)\n");
	const struct mlv_finding *f = reading_finding(&r, "cuda-oom", 0);
	ck_attr(&r, f, "reserved_unallocated", "96.00 KiB");
	ck_attr(&r, f, "reserved", "");
	reading_fini(&r);
}
END_TEST

START_TEST(in_sentences)
{
	READ("torch.OutOfMemoryError: " OOM
	     "30.00 MiB. GPU 2 has a total capacity of 139.80 GiB of which 129.30 GiB is free. "
	     "Process 935 has 3.49 GiB memory in use. Including non-PyTorch memory, this process "
	     "has 3.48 GiB memory in use. Process 940 has 351.00 MiB memory in use. 3.00 GiB "
	     "allowed; Of the allocated memory 2.74 GiB is allocated by PyTorch, with 17.00 MiB "
	     "allocated in private pools (e.g., CUDA Graphs), and 512 bytes is reserved by PyTorch "
	     "but unallocated. If reserved but unallocated memory is large try setting "
	     "PYTORCH_ALLOC_CONF=expandable_segments:True to avoid fragmentation.\n");
	const struct mlv_finding *f = reading_finding(&r, "cuda-oom", 0);
	ck_attr(&r, f, "requested", "30.00 MiB");
	ck_attr(&r, f, "device", "2");
	ck_attr(&r, f, "total", "139.80 GiB");
	ck_attr(&r, f, "free", "129.30 GiB");
	ck_attr(&r, f, "process", "3.48 GiB");
	ck_attr(&r, f, "other_processes", "935 3.49 GiB, 940 351.00 MiB");
	ck_attr(&r, f, "allowed", "3.00 GiB");
	ck_attr(&r, f, "allocated", "2.74 GiB");
	ck_attr(&r, f, "private_pools", "17.00 MiB");
	ck_attr(&r, f, "reserved_unallocated", "512 bytes");
	ck_attr(&r, f, "conf_hint", "PYTORCH_ALLOC_CONF=expandable_segments:True");
	ck_attr(&r, f, "count", "");
	reading_fini(&r);
}
END_TEST

START_TEST(what_cannot_be)
{
	READ(OOM "2.00 MiB. GPU 0 has a total capacty of 4.00 GiB of which 5.00 GiB is free. "
		 "Including non-PyTorch memory, this process has 17179869184.00 GiB memory in use. "
		 "Process 7 has 17179869183.91 GiB memory in use.\n");
	const struct mlv_finding *f = reading_finding(&r, "cuda-oom", 0);
	ck_attr(&r, f, "process", "17179869184.00 GiB");
	ck_attr(&r, f, "impossible", "free,process,other_processes");
	reading_fini(&r);
	READ(OOM "more than 1EB memory.\n");
	ck_attr(&r, reading_finding(&r, "cuda-oom", 0), "requested", "more than 1EB");
	reading_fini(&r);
}
END_TEST

START_TEST(other_devices)
{
	READ("HIP out of"
	     " memory. Tried to allocate 2.00 MiB. GPU 0 has a total capacity of 255.98 "
	     "GiB of which 244.65 GiB is free.\n"
	     "XPU out of"
	     " memory. Tried to allocate 1.71 GiB (GPU 0; 15.56 GiB total capacity; "
	     "176.00 MiB already allocated; 176.00 MiB reserved in total by PyTorch)\n"
	     "Current platform can NOT allocate memory block with size larger than 4GB! Tried to "
	     "allocate 6.85 GiB (GPU  0; 15.56 GiB total capacity; 0 bytes already allocated; 0 "
	     "bytes reserved in total by PyTorch)\n"
	     "MPS backend out of"
	     " memory (MPS allocated: 6.04 GB, other allocations: 1.04 GB, max "
	     "allowed: 6.77 GB). Tried to allocate 459.07 MB on private pool. Use "
	     "PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0 to disable upper limit\n"
	     "RuntimeError: [enforce fail at alloc_cpu.cpp:75] err == 0. DefaultCPUAllocator: "
	     "can't "
	     "allocate memory: you tried to allocate 132426121216 bytes. Error code 12 (Cannot "
	     "allocate memory)\n"
	     "numpy.core._exceptions._ArrayMemoryError: Unable to allocate 7.45 GiB for an array "
	     "with shape (1000, 1000, 1000) and data type float64\n");
	ck_assert_uint_eq(r.run.findings.len, 6);
	ck_attr(&r, reading_finding(&r, "hip-oom", 0), "free", "244.65 GiB");
	ck_attr(&r, reading_finding(&r, "xpu-oom", 0), "reserved", "176.00 MiB");
	ck_attr(&r, reading_finding(&r, "xpu-oom", 1), "requested", "6.85 GiB");
	const struct mlv_finding *f = reading_finding(&r, "mps-oom", 0);
	ck_attr(&r, f, "requested", "459.07 MB");
	ck_attr(&r, f, "allocated", "6.04 GB");
	ck_attr(&r, f, "other_allocations", "1.04 GB");
	ck_attr(&r, f, "allowed", "6.77 GB");
	ck_attr(&r, f, "pool", "private");
	f = reading_finding(&r, "cpu-oom", 0);
	ck_attr(&r, f, "requested", "132426121216 bytes");
	ck_assert_str_eq(reading_str(&r, f->file), "alloc_cpu.cpp");
	ck_assert_uint_eq(f->file_line, 75);
	ck_attr(&r, reading_finding(&r, "cpu-oom", 1), "requested", "7.45 GiB");
	reading_fini(&r);
}
END_TEST

/* Broken by a terminal between words and within them, and by a logger with its prefix. */
START_TEST(broken_over_lines)
{
	static const char message[] =
		OOM "124.00 MiB. GPU 0 has a total capacity of 23.56 GiB of which 105.19 MiB is "
		    "free. Including non-PyTorch memory, this process has 16.87 GiB memory in use. "
		    "Of the allocated memory 9.08 GiB is allocated by PyTorch, and 9.35 GiB is "
		    "reserved by PyTorch but unallocated. If reserved but unallocated memory is "
		    "large try setting max_split_size_mb to avoid fragmentation.";
	for (size_t width = 30; width < sizeof(message) + 5; width++) {
		for (int prefixed = 0; prefixed < 2; prefixed++) {
			char text[4000];
			size_t n = 0, lines = 0;
			for (size_t i = 0; i < sizeof(message) - 1; i += width, lines++)
				n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%.*s\n",
						      prefixed ? "12:00:03 ERROR " : "", (int)width,
						      message + i);
			snprintf(text + n, sizeof(text) - n, "next line of the log\n");
			if (lines > 16)
				continue;
			reading_of(&r, text, strlen(text), NULL);
			unit_check(r.run.findings.len == 1);
			const struct mlv_finding *f = reading_finding(&r, "cuda-oom", 0);
			ck_attr(&r, f, "requested", "124.00 MiB");
			ck_attr(&r, f, "process", "16.87 GiB");
			ck_attr(&r, f, "reserved_unallocated", "9.35 GiB");
			ck_attr(&r, f, "conf_hint", "max_split_size_mb");
			ck_assert_uint_eq(f->line, 1);
			ck_assert_uint_eq(f->last_line, lines);
			reading_fini(&r);
		}
	}
}
END_TEST

START_TEST(repeats_are_counted)
{
	READ("[rank3]: torch.OutOfMemoryError: " OOM "1.00 GiB.\n"
	     "[rank0]: torch.OutOfMemoryError: " OOM "1.00 GiB.\n"
	     "[rank12]: torch.OutOfMemoryError: " OOM "1.00 GiB.\n"
	     "[rank3]: torch.OutOfMemoryError: " OOM "1.00 GiB.\n"
	     "[rank1]: torch.OutOfMemoryError: " OOM "2.00 GiB.\n"
	     "{\"error\": \"" OOM "1.00 GiB.\", \"again\": \"" OOM "3.00 GiB.\"}\n");
	ck_assert_uint_eq(reading_count(&r, "cuda-oom"), 3);
	const struct mlv_finding *f = reading_finding(&r, "cuda-oom", 0);
	ck_attr(&r, f, "count", "5");
	ck_attr(&r, f, "ranks", "0,3,12");
	ck_attr(&r, f, "requested", "1.00 GiB");
	ck_assert_int_eq(f->rank, 3);
	ck_attr(&r, reading_finding(&r, "cuda-oom", 1), "ranks", "");
	ck_attr(&r, reading_finding(&r, "cuda-oom", 2), "requested", "3.00 GiB");
	reading_fini(&r);
}
END_TEST

START_TEST(talk_of_memory)
{
	READ("if \"CUDA out of"
	     " memory\" in str(e): # Tried to allocate too much\n"
	     "fprintf(stderr, \"" OOM "%s\\n\", size);\n"
	     "The message CUDA out of"
	     " memory. appears when it was tried to allocate 3 GiB\n"
	     "I was Unable to allocate time for an array with shape\n"
	     "Tried to allocate 3 apples (GPU prices are high)\n"
	     "mp: allocated 12.00 MiB, 3.00 GiB allowed; process 12 has 4 GiB memory in use\n");
	ck_assert_int_eq(r.rc, MLV_E_FORMAT);
	ck_assert_uint_eq(r.run.findings.len, 0);
	reading_fini(&r);
}
END_TEST

/* A line made of nothing but beginnings costs no more than its length. */
START_TEST(a_line_full_of_beginnings)
{
	static const char *const parts[] = { OOM,
					     "Tried to allocate 1 ",
					     "DefaultCPUAllocator: ",
					     "Unable to allocate ",
					     "[enforce fail at ",
					     OOM "1.00 GiB." };
	for (size_t k = 0; k < sizeof(parts) / sizeof(parts[0]); k++) {
		size_t n = strlen(parts[k]), count = (2 << 20) / n;
		char *text = malloc(n * count + 7);
		for (size_t i = 0; i < count; i++)
			memcpy(text + i * n, parts[k], n);
		memcpy(text + n * count, " (GPU\n", 7);
		reading_of(&r, text, n * count + 6, NULL);
		unit_check(r.rc == MLV_OK || r.rc == MLV_E_FORMAT);
		unit_check(r.run.findings.len <= 1);
		reading_fini(&r);
		free(text);
	}
}
END_TEST

START_TEST(recordings)
{
	static const struct {
		const char *file, *requested, *free, *allocated, *allowed, *others;
	} want[] = {
		{ "snapshots/churn-cap-expandable.oom-message.txt", "30.00 MiB", "129.30 GiB",
		  "2.74 GiB", "3.00 GiB", "935 3.49 GiB, 940 3.51 GiB" },
		{ "snapshots/churn-cap-gc05.oom-message.txt", "236.00 MiB", "127.86 GiB",
		  "2.25 GiB", "3.00 GiB", "887 4.92 GiB, 935 3.49 GiB" },
		{ "snapshots/churn-cap-native.oom-message.txt", "168.00 MiB", "131.37 GiB",
		  "2.19 GiB", "3.00 GiB", "887 4.92 GiB" },
		{ "snapshots/oom-3.6-native.oom-message.txt", "118.00 MiB", "119.10 GiB",
		  "3.04 GiB", "3.60 GiB",
		  "1847 4.18 GiB, 1843 4.18 GiB, 1850 4.06 GiB, 1841 1.63 GiB, 1846 1.61 GiB, 1849 "
		  "808.00 MiB" },
		{ "text/oom-messages.txt", "200.00 GiB", "139.28 GiB", "0 bytes", "", "" },
	};
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		size_t n;
		char *data = unit_file("CORPUS", want[i].file, &n);
		if (!data)
			return;
		reading_of(&r, data, n, NULL);
		ck_assert_uint_eq(r.run.findings.len, i == 4 ? 3 : 1);
		const struct mlv_finding *f = reading_finding(&r, "cuda-oom", 0);
		ck_attr(&r, f, "requested", want[i].requested);
		ck_attr(&r, f, "free", want[i].free);
		ck_attr(&r, f, "allocated", want[i].allocated);
		ck_attr(&r, f, "allowed", want[i].allowed);
		ck_attr(&r, f, "other_processes", want[i].others);
		ck_attr(&r, f, "impossible", "");
		reading_fini(&r);
		free(data);
	}
}
END_TEST

UNIT_MAIN("oom_text", by_device_in_parentheses, cached_is_what_is_not_allocated, in_sentences,
	  what_cannot_be, other_devices, broken_over_lines, repeats_are_counted, talk_of_memory,
	  a_line_full_of_beginnings, recordings)
