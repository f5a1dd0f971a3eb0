/* SPDX-License-Identifier: MIT */
/* How runs die: launcher, NCCL, CUDA, kernel, Slurm, shells, fatal errors, gdb. */
#include "text_reading.h"

static struct reading r;

#define READ(text) reading_of(&r, text, sizeof(text) - 1, "failures")

static const char TABLE[] = "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: \n"
			    "======================================================\n"
			    "/home/user/train.py FAILED\n"
			    "------------------------------------------------------\n"
			    "Failures:\n"
			    "[1]:\n"
			    "  time      : 2026-11-29_18:30:02\n"
			    "  host      : node7\n"
			    "  rank      : 10 (local_rank: 2)\n"
			    "  exitcode  : -15 (pid: 1618)\n"
			    "  error_file: <N/A>\n"
			    "  traceback : Signal 15 (SIGTERM) received by PID 1618\n"
			    "------------------------------------------------------\n"
			    "Root Cause (first observed failure):\n"
			    "[0]:\n"
			    "  time      : 2026-11-29_18:30:01\n"
			    "  host      : node7\n"
			    "  rank      : 9 (local_rank: 1)\n"
			    "  exitcode  : 1 (pid: 1619)\n"
			    "  error_file: /tmp/e/error.json\n"
			    "  traceback : Traceback (most recent call last):\n"
			    "    File \"/home/user/train.py\", line 3, in main\n"
			    "  RuntimeError: x\n"
			    "  \n"
			    "======================================================\n"
			    "[0]:\n"
			    "  rank      : 77\n";

START_TEST(children)
{
	READ(TABLE);
	ck_assert_uint_eq(r.run.findings.len, 2);
	const struct mlv_finding *f = reading_finding(&r, "child-failed", 0);
	ck_assert_str_eq(reading_str(&r, f->text),
			 "rank 10 failed: exit code -15: Signal 15 (SIGTERM) received by PID 1618");
	ck_assert_int_eq(f->rank, 10);
	ck_attr(&r, f, "local_rank", "2");
	ck_attr(&r, f, "exitcode", "-15");
	ck_attr(&r, f, "signal", "15");
	ck_attr(&r, f, "pid", "1618");
	ck_attr(&r, f, "host", "node7");
	ck_attr(&r, f, "time", "2026-11-29_18:30:02");
	ck_attr(&r, f, "root_cause", "0");
	ck_attr(&r, f, "error_file", "");
	ck_assert_uint_eq(f->line, 6);
	ck_assert_uint_eq(f->last_line, 12);
	f = reading_finding(&r, "child-failed", 1);
	ck_assert_int_eq(f->rank, 9);
	ck_attr(&r, f, "root_cause", "1");
	ck_attr(&r, f, "signal", "");
	ck_attr(&r, f, "error_file", "/tmp/e/error.json");
	reading_fini(&r);
	reading_spoiled(TABLE, sizeof(TABLE) - 1, "failures");
	READ("E1129 18:30:02.71 1472 torch/distributed/elastic/multiprocessing/api.py:986] failed "
	     "(exitcode: -6) local_rank: 1 (pid: 1619) of binary: /usr/bin/python\n");
	f = reading_finding(&r, "process-failed", 0);
	ck_attr(&r, f, "signal", "6");
	ck_attr(&r, f, "local_rank", "1");
	ck_attr(&r, f, "pid", "1619");
	reading_fini(&r);
}
END_TEST

START_TEST(nccl)
{
	READ("node1:3468:3905 [4] ib_plugin.c:1615 NCCL WARN NET/IB : Got completion from peer "
	     "10.216.210.236<54862> with status=12 opcode=0 len=0 vendor err 129 (Recv)\n"
	     "node1:3468:3905 [4] NCCL INFO transport/net.cc:1302 -> 6\n"
	     "gpu5:35917:35918 [1] init.cu:194 NCCL WARN NVML not found\n"
	     "[2026-01-01 10:00:00] gpu5:1:2 [1] misc/ibvwrap.cc:160 (wrap) NCCL WARN Call to "
	     "ibv_modify_qp failed with error Connection timed out errno 110\n"
	     "torch.distributed.DistBackendError: NCCL error in: ../c10d/NCCLUtils.hpp:219, "
	     "unhandled system error (run with NCCL_DEBUG=INFO for details), NCCL version 2.18.3\n"
	     "ncclSystemError: System call (e.g. socket, malloc) or external library call failed "
	     "or device error. \n"
	     "Last error:\n"
	     "socketStartConnect: Connect to 10.0.0.1<4000> failed\n"
	     "ncclInternalError: Internal check failed.\n");
	ck_assert_uint_eq(r.run.findings.len, 5);
	const struct mlv_finding *f = reading_finding(&r, "nccl-net", 0);
	ck_attr(&r, f, "host", "node1");
	ck_attr(&r, f, "pid", "3468");
	ck_attr(&r, f, "device", "4");
	ck_attr(&r, f, "peer", "10.216.210.236<54862>");
	ck_attr(&r, f, "status", "12");
	ck_attr(&r, f, "vendor_err", "129");
	ck_assert_str_eq(reading_str(&r, f->file), "ib_plugin.c");
	ck_assert_uint_eq(f->file_line, 1615);
	f = reading_finding(&r, "nccl-warn", 0);
	ck_assert_int_eq(f->severity, MLV_FINDING_WARNING);
	ck_assert_str_eq(reading_str(&r, f->text), "NVML not found");
	f = reading_finding(&r, "nccl-net", 1);
	ck_assert_str_eq(reading_str(&r, f->file), "misc/ibvwrap.cc");
	ck_attr(&r, f, "host", "gpu5");
	f = reading_finding(&r, "nccl-error", 0);
	ck_attr(&r, f, "nccl_version", "2.18.3");
	ck_attr(&r, f, "last_error", "socketStartConnect: Connect to 10.0.0.1<4000> failed");
	ck_assert_str_eq(reading_attr(&r, f, "result"),
			 "ncclSystemError: System call (e.g. socket, malloc) or external library "
			 "call failed or device error.");
	ck_assert_uint_eq(f->file_line, 219);
	ck_assert_uint_eq(f->last_line, 8);
	f = reading_finding(&r, "nccl-error", 1);
	ck_assert_uint_eq(f->line, 9);
	reading_fini(&r);
}
END_TEST

START_TEST(devices)
{
	READ("RuntimeError: CUDA error: an illegal memory access was encountered\n"
	     "RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling "
	     "`cublasCreate(handle)`\n"
	     "{\"e\": \"CUDA error: out of memory\", \"x\": 1}\n"
	     "RuntimeError: cuDNN error: CUDNN_STATUS_EXECUTION_FAILED\n"
	     "torch.AcceleratorError: HIP error: invalid argument\n"
	     "/pytorch/Indexing.cu:1289: indexSelect: block: [0,1,0], thread: [32,0,0] Assertion "
	     "`i < n` failed.\n"
	     "../Indexing.cu:1289: indexSelect: block: [0,1,0], thread: [33,0,0] Assertion `i < n` "
	     "failed.\n"
	     "../Indexing.cu:1289: indexSelect: block: [0,1,0], thread: [34,0,0] Assertion `i < n` "
	     "failed.\n"
	     "[  123.4] NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, name=python, GPU has fallen off "
	     "the bus.\n");
	ck_attr(&r, reading_finding(&r, "cuda-error", 0), "error",
		"an illegal memory access was encountered");
	ck_attr(&r, reading_finding(&r, "cuda-error", 1), "error", "CUBLAS_STATUS_ALLOC_FAILED");
	ck_attr(&r, reading_finding(&r, "cuda-error", 1), "call", "cublasCreate(handle)");
	ck_attr(&r, reading_finding(&r, "cuda-error", 2), "error", "out of memory");
	ck_attr(&r, reading_finding(&r, "cudnn-error", 0), "error",
		"CUDNN_STATUS_EXECUTION_FAILED");
	ck_attr(&r, reading_finding(&r, "hip-error", 0), "error", "invalid argument");
	ck_assert_uint_eq(reading_count(&r, "device-assert"), 2);
	const struct mlv_finding *f = reading_finding(&r, "device-assert", 1);
	ck_assert_str_eq(reading_str(&r, f->text), "indexSelect: Assertion `i < n` failed");
	ck_attr(&r, f, "count", "2");
	ck_attr(&r, f, "thread", "33,0,0");
	ck_assert_str_eq(reading_str(&r, f->file), "../Indexing.cu");
	f = reading_finding(&r, "xid", 0);
	ck_attr(&r, f, "xid", "79");
	ck_attr(&r, f, "bus", "0000:3b:00");
	reading_fini(&r);
}
END_TEST

START_TEST(memory_of_the_host)
{
	READ("[337533.1] python3 invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0\n"
	     "[337533.3] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,"
	     "oom_memcg=/job,task_memcg=/job/step0,task=python3,pid=23793,uid=0\n"
	     "[337533.4] Memory cgroup out of memory: Killed process 23793 (python3) "
	     "total-vm:2623712kB, anon-rss:506500kB, file-rss:1268kB, shmem-rss:0kB\n"
	     "Jan  1 host kernel: Out of memory: Kill process 1234 (python3.8) score 900 or "
	     "sacrifice child\n"
	     "Jan  1 host kernel: Killed process 1234 (python3.8) total-vm:100kB, anon-rss:50kB, "
	     "file-rss:0kB\n"
	     "slurmstepd: error: Detected 1 oom_kill event in StepId=254.batch. Some of the step "
	     "tasks have been OOM Killed.\n"
	     "slurmstepd: error: Detected 2 oom-kill event(s) in step 1007.batch cgroup.\n"
	     "slurmstepd: error: *** JOB 68 ON gra812 CANCELLED AT 2023-05-26T02:17:00 DUE TO TIME "
	     "LIMIT ***\n"
	     "srun: error: node3: task 7: Out Of Memory\n"
	     "      Reason:       OOMKilled\n"
	     "      Exit Code:    137\n"
	     "trainer-0   0/1   OOMKilled   3 (20s ago)   5m\n");
	ck_assert_uint_eq(reading_count(&r, "host-oom-kill"), 2);
	const struct mlv_finding *f = reading_finding(&r, "host-oom-kill", 0);
	ck_attr(&r, f, "pid", "23793");
	ck_attr(&r, f, "process", "python3");
	ck_attr(&r, f, "anon_rss", "506500 KiB");
	ck_attr(&r, f, "total_vm", "2623712 KiB");
	ck_attr(&r, f, "constraint", "CONSTRAINT_MEMCG");
	ck_attr(&r, f, "cgroup", "/job/step0");
	ck_assert_uint_eq(f->line, 2);
	f = reading_finding(&r, "host-oom-kill", 1);
	ck_assert_uint_eq(f->line, 4);
	ck_assert_uint_eq(f->last_line, 5);
	ck_attr(&r, f, "anon_rss", "50 KiB");
	f = reading_finding(&r, "slurm-oom-kill", 0);
	ck_attr(&r, f, "events", "1");
	ck_attr(&r, f, "step", "254.batch");
	ck_attr(&r, reading_finding(&r, "slurm-oom-kill", 1), "step", "1007.batch");
	ck_attr(&r, reading_finding(&r, "slurm-cancelled", 0), "reason", "TIME LIMIT");
	f = reading_finding(&r, "task-exit", 0);
	ck_attr(&r, f, "task", "7");
	ck_attr(&r, f, "how", "Out Of Memory");
	ck_assert_uint_eq(reading_count(&r, "oom-killed"), 2);
	ck_assert_uint_eq(reading_count(&r, "exit-137"), 1);
	ck_attr(&r, reading_finding(&r, "oom-killer-invoked", 0), "process", "python3");
	reading_fini(&r);
}
END_TEST

START_TEST(cgroup_files)
{
	READ("low 0\nhigh 12\nmax 345\noom 2\noom_kill 1\noom_group_kill 0\n"
	     "$ cat /sys/fs/cgroup/memory.peak\n"
	     "17179869184\n"
	     "/sys/fs/cgroup/job/memory.max: 12345\n"
	     "low 3\nhigh 4\nand so on\n");
	ck_assert_str_eq(reading_metric(&r, "memory.events", "max"), "345");
	ck_assert_str_eq(reading_metric(&r, "memory.events", "oom_group_kill"), "0");
	ck_assert_str_eq(reading_metric(&r, "memory.peak", "value"), "17179869184 B");
	ck_assert_str_eq(reading_metric(&r, "memory.max", "value"), "12345 B");
	ck_assert_uint_eq(r.run.metrics.len, 8);
	ck_attr(&r, reading_finding(&r, "cgroup-oom-kill", 0), "events", "1");
	reading_fini(&r);
	READ("low 0\nhigh 0\nmax 0\noom 0\noom_kill 0\n");
	ck_assert_uint_eq(r.run.findings.len, 0);
	ck_assert_uint_eq(r.run.metrics.len, 5);
	reading_fini(&r);
}
END_TEST

START_TEST(shells)
{
	READ("./run.sh: line 3:  4711 Killed                  python train.py --x\n"
	     "Killed\n"
	     "[1]+  Killed                  python train.py\n"
	     "[1]    4242 killed     python t.py\n"
	     "bash: line 1: 12152 Segmentation fault      (core dumped) python3 x\n"
	     "Segmentation fault (core dumped)\n"
	     "Bus error (core dumped)\n"
	     "Aborted (core dumped)\n"
	     "[12.3] python[123]: segfault at 0 ip 00007f02 sp 00007ffd error 4 in "
	     "libtorch.so[7f02+100]\n"
	     "[node:123] Signal: Segmentation fault (11)\n");
	ck_assert_uint_eq(reading_count(&r, "killed"), 4);
	ck_assert_uint_eq(reading_count(&r, "segfault"), 4);
	const struct mlv_finding *f = reading_finding(&r, "killed", 0);
	ck_attr(&r, f, "pid", "4711");
	ck_attr(&r, f, "command", "python train.py --x");
	ck_attr(&r, reading_finding(&r, "killed", 3), "pid", "4242");
	ck_attr(&r, reading_finding(&r, "segfault", 0), "command", "python3 x");
	ck_attr(&r, reading_finding(&r, "segfault", 2), "module", "libtorch.so");
	ck_attr(&r, reading_finding(&r, "segfault", 3), "signal", "11");
	ck_assert_uint_eq(reading_count(&r, "bus-error"), 1);
	ck_assert_uint_eq(reading_count(&r, "aborted"), 1);
	reading_fini(&r);
}
END_TEST

START_TEST(fatal_python_errors)
{
	READ("Fatal Python error: Segmentation fault\n"
	     "\n"
	     "Thread 0x00007f02a03256c0 [loader] (most recent call first):\n"
	     "  File \"<string>\", line 2 in <lambda>\n"
	     "  File \"/usr/lib/python3.11/threading.py\", line 982 in run\n"
	     "\n"
	     "Current thread 0x00007f02a10b5b80 (most recent call first):\n"
	     "  File \"/usr/lib/ctypes/__init__.py\", line 519 in string_at\n"
	     "  <no Python frame>\n"
	     "  File \"<string>\", line 3 in <module>\n"
	     "\n"
	     "Extension modules: numpy (total: 1)\n"
	     "Timeout (0:00:10)!\n"
	     "Thread 0x00007f02a03256c1 (most recent call first):\n"
	     "  File \"a.py\", line 2 in f\n"
	     "Fatal Python error: init_fs_encoding: failed to get the Python codec\n");
	const struct mlv_finding *f = reading_finding(&r, "fatal-python-error", 0);
	ck_assert_str_eq(reading_str(&r, f->text), "Fatal Python error: Segmentation fault");
	ck_assert_str_eq(reading_stack(&r, f->stack),
			 "string_at /usr/lib/ctypes/__init__.py:519; <module> <string>:3");
	ck_assert_uint_eq(f->line, 1);
	ck_assert_uint_eq(f->last_line, 10);
	f = reading_finding(&r, "thread-stack", 0);
	ck_assert_str_eq(reading_str(&r, f->text), "loader");
	ck_attr(&r, f, "thread", "0x00007f02a03256c0");
	ck_assert_int_eq(f->severity, MLV_FINDING_NOTE);
	ck_assert_uint_eq(reading_count(&r, "faulthandler-timeout"), 1);
	ck_assert_str_eq(reading_stack(&r, reading_finding(&r, "thread-stack", 1)->stack),
			 "f a.py:2");
	ck_assert_uint_eq(reading_count(&r, "fatal-python-error"), 2);
	reading_fini(&r);
}
END_TEST

START_TEST(gdb)
{
	READ("Program received signal SIGSEGV, Segmentation fault.\n"
	     "[Switching to Thread 0x7ffd4affd700 (LWP 1587920)]\n"
	     "__memmove () at ../sysdeps/memmove.S:440\n"
	     "(gdb) bt\n"
	     "#0  __memmove () at ../sysdeps/memmove.S:440\n"
	     "#1  0x00007fffb189573d in ?? () from /opt/rocm/lib/libamdhip64.so.5\n"
	     "#2  0x400e39 in std::vector<int (*)(int)>::push (this=0x1, s=\"a) b\")\n"
	     "    at bad.cpp:36\n"
	     "#3  0x00007fac in H5VL (obj=<optimized out>, loc=0x7ffec77f8330, \n"
	     "    attr_name=0x400b60 \"Xcrash\") at ./src/x.c:251\n"
	     "251	        *poc_null      = 42;\n"
	     "#4  <signal handler called>\n"
	     "#5  Frame 0x7f12, for file /p/t.py, line 33, in main (x=1)\n"
	     "(gdb) quit\n"
	     "Thread 2 (Thread 0x7f11 (LWP 77) \"worker\"):\n"
	     "#0  0x00007f11 in futex_wait (x=<optimized out>) at futex.c:1\n"
	     "#1  0x00007f12 in clone ()\n"
	     "\n"
	     "Program terminated with signal SIGABRT, Aborted.\n");
	ck_assert_uint_eq(r.run.findings.len, 3);
	const struct mlv_finding *f = reading_finding(&r, "gdb-backtrace", 0);
	ck_assert_int_eq(f->severity, MLV_FINDING_ERROR);
	ck_assert_str_eq(reading_str(&r, f->text),
			 "Program received signal SIGSEGV, Segmentation fault.");
	ck_assert_str_eq(reading_stack(&r, f->stack),
			 "__memmove ../sysdeps/memmove.S:440; ?? /opt/rocm/lib/libamdhip64.so.5:0; "
			 "std::vector<int (*)(int)>::push bad.cpp:36; H5VL ./src/x.c:251; "
			 "<signal handler called> :0; main /p/t.py:33");
	f = reading_finding(&r, "gdb-backtrace", 1);
	ck_assert_int_eq(f->severity, MLV_FINDING_NOTE);
	ck_assert_str_eq(reading_stack(&r, f->stack), "futex_wait futex.c:1; clone :0");
	ck_assert_uint_eq(reading_count(&r, "signal"), 1);
	reading_fini(&r);
}
END_TEST

START_TEST(uncaught_in_cpp)
{
	READ("terminate called after throwing an instance of 'c10::Error'\n"
	     "  what():  Expected x\n"
	     "Exception raised from checkTimeout at /pytorch/x/ProcessGroupNCCL.cpp:692 (most "
	     "recent "
	     "call first):\n"
	     "frame #0: c10::Error::Error(c10::SourceLocation) + 0x9d (0x7f12 in /v/libc10.so)\n"
	     "frame #1: <unknown function> + 0xecdb4 (0x7f12 in /lib/libstdc++.so.6)\n"
	     "\n"
	     "frame #2: not + 0x1 (0x1 in x)\n");
	ck_assert_uint_eq(r.run.findings.len, 1);
	const struct mlv_finding *f = reading_finding(&r, "terminate", 0);
	ck_assert_str_eq(reading_str(&r, f->text),
			 "terminate called after throwing an instance of 'c10::Error': Expected x");
	ck_attr(&r, f, "exception", "c10::Error");
	ck_assert_str_eq(reading_str(&r, f->file), "/pytorch/x/ProcessGroupNCCL.cpp");
	ck_assert_str_eq(reading_stack(&r, f->stack),
			 "c10::Error::Error(c10::SourceLocation) /v/libc10.so:0; "
			 "<unknown function> /lib/libstdc++.so.6:0");
	reading_fini(&r);
}
END_TEST

START_TEST(ordinary_lines)
{
	READ("Failures:\n[0]: nothing of the kind\n"
	     "if (err != cudaSuccess) fprintf(stderr, \"CUDA error: %s\\n\", s);\n"
	     "print(f\"CUDA error: {e}\")\n"
	     "All jobs were Killed by the admin, Segmentation fault or not\n"
	     "segmentation of the fault\n"
	     "assert that OOMKilled is handled, exit code 137 too\n"
	     "#0 all_reduce from /p/distributed_c10d.py:2696\n"
	     "#0 of 3 (all)\n"
	     "#0  a heading (with parentheses)\n"
	     "low 5\nmax 3\nthe memory.peak file\n"
	     "Timeout (ms)=600000\nTimeout (see below)!\n"
	     "Thread pool of 8\nThread 3 is idle\n"
	     "NCCL WARN \n"
	     "Fault ranks: [9, 14]\nRank 9, fault_type: LOCK_GIL\n"
	     "Aborted by the user\nKilled: 3 of 4\n"
	     "Signal: strong\n"
	     "failed (exitcode: unknown)\n"
	     "Killed process was restarted\n"
	     "Assertion `x` failed.\n");
	for (size_t i = 0; i < r.run.findings.len; i++)
		ck_abort_msg("found %s", reading_str(&r, r.run.findings.data[i].text));
	ck_assert_int_eq(r.rc, MLV_E_FORMAT);
	reading_fini(&r);
}
END_TEST

START_TEST(long_lines)
{
	static const char *const parts[] = { "Killed ",        "CUDA error: a ", "NCCL WARN NET/ ",
					     "#0 0x1 in f ( ", "Assertion `",    "OOMKilled ",
					     "memory.peak: ",  "low 1 ",         "Signal: x (" };
	for (size_t k = 0; k < sizeof(parts) / sizeof(parts[0]); k++) {
		size_t n = strlen(parts[k]), count = (1 << 20) / n;
		char *text = malloc(n * count + 1);
		for (size_t i = 0; i < count; i++)
			memcpy(text + i * n, parts[k], n);
		reading_of(&r, text, n * count, "failures");
		unit_check(r.run.findings.len <= 1);
		reading_fini(&r);
		free(text);
	}
}
END_TEST

START_TEST(recordings)
{
	size_t n;
	char *data = unit_file("CORPUS", "flight-recorder/op-type-2/watchdog.log", &n);
	if (!data)
		return;
	reading_of(&r, data, n, "failures");
	ck_assert_uint_eq(reading_count(&r, "child-failed"), 2);
	const struct mlv_finding *f = reading_finding(&r, "child-failed", 1);
	ck_attr(&r, f, "root_cause", "1");
	ck_attr(&r, f, "exitcode", "-6");
	ck_assert_int_eq(f->rank, 1);
	ck_attr(&r, reading_finding(&r, "process-failed", 0), "pid", "1619");
	f = reading_finding(&r, "terminate", 0);
	ck_assert_int_eq(f->rank, 1);
	ck_attr(&r, f, "exception", "c10::DistBackendError");
	reading_fini(&r);
	reading_spoiled(data, n, "failures");
	free(data);
}
END_TEST

UNIT_MAIN("failures", children, nccl, devices, memory_of_the_host, cgroup_files, shells,
	  fatal_python_errors, gdb, uncaught_in_cpp, ordinary_lines, long_lines, recordings)
