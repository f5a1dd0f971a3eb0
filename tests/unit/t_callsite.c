/* SPDX-License-Identifier: MIT */
/* Which line of a stack speaks for an allocation: the rules of docs/callsites.md, case by case. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "analysis/callsite.h"

struct frame {
	const char *function, *file;
	uint32_t line;
};

static struct mlv_run run;
static struct mlv_sites sites;

/* A stack of "function|file|line" words, innermost first. */
static mlv_stackid stack_of(const struct frame *frames)
{
	mlv_frameid ids[16];
	mlv_stackid stack;
	size_t n = 0;
	for (; frames[n].function; n++) {
		struct mlv_frame f = { .line = frames[n].line };
		unit_check(mlv_intern(&run.strings, frames[n].function, strlen(frames[n].function),
				      &f.function));
		unit_check(
			mlv_intern(&run.strings, frames[n].file, strlen(frames[n].file), &f.file));
		unit_check(mlv_frame_intern(&run.stacks, f, &ids[n]));
	}
	unit_check(mlv_stack_intern(&run.stacks, ids, n, &stack));
	return stack;
}

#define TORCH "/usr/lib/python3.12/site-packages/torch/nn/modules/linear.py"
#define LIBRARY "/venv/lib/python3.12/site-packages/transformers/activations.py"
#define STDLIB "/usr/lib/python3.12/contextlib.py"
#define MINE "/home/me/train.py"
#define CPP "/src/pytorch/aten/src/ATen/native/Linear.cpp"

static const struct {
	struct frame frames[8];
	enum mlv_site_kind kind;
	const char *function, *place;
} cases[] = {
	{ { { "f", MINE, 3 } }, MLV_SITE_PYTHON, "f", "train.py:3" },
	{ { { "forward", TORCH, 125 }, { "_call", TORCH, 9 }, { "f", MINE, 3 } },
	  MLV_SITE_PYTHON,
	  "f",
	  "train.py:3" },
	{ { { "forward", TORCH, 125 },
	    { "gelu", LIBRARY, 66 },
	    { "f", MINE, 3 },
	    { "g", MINE, 4 } },
	  MLV_SITE_PYTHON,
	  "gelu",
	  "activations.py:66 < train.py:3" },
	/* The standard library is no label's, but no user's either. */
	{ { { "forward", TORCH, 1 }, { "inner", STDLIB, 81 }, { "f", MINE, 3 } },
	  MLV_SITE_PYTHON,
	  "inner",
	  "contextlib.py:81 < train.py:3" },
	/* Nothing but PyTorch: its innermost. */
	{ { { "forward", TORCH, 125 }, { "_call", TORCH, 9 } },
	  MLV_SITE_PYTHON,
	  "forward",
	  "linear.py:125" },
	{ { { "gelu", LIBRARY, 66 } }, MLV_SITE_PYTHON, "gelu", "activations.py:66" },
	/* C++ above Python says nothing. */
	{ { { "at::empty", CPP, 5 }, { "malloc", "??", 0 }, { "x", "", 0 }, { "f", MINE, 3 } },
	  MLV_SITE_PYTHON,
	  "f",
	  "train.py:3" },
	{ { { "torch::unwind::unwind()", "??", 0 },
	    { "torch::autograd::generated::MmBackward0::apply(std::vector<x>&&)", "??", 0 },
	    { "torch::autograd::Engine::thread_main", "??", 0 } },
	  MLV_SITE_CPP,
	  "MmBackward0",
	  "??" },
	{ { { "c10::cuda::CUDACachingAllocator::Native::alloc", "a.cpp", 1 },
	    { "at::native::add(at::Tensor const&)", "Add.cu", 77 },
	    { "torch::autograd::generated::AddBackward0::apply", "b.cpp", 2 } },
	  MLV_SITE_CPP,
	  "AddBackward0",
	  "b.cpp:2" },
	{ { { "gather_with_cpp", "a.cpp", 1 }, { "at::native::add(int)", "Add.cu", 77 } },
	  MLV_SITE_CPP,
	  "at::native::add",
	  "Add.cu:77" },
	{ { { "at::(anonymous namespace)::f(int)", "libtorch.so", 0 } },
	  MLV_SITE_CPP,
	  "at::(anonymous namespace)::f(int)",
	  "libtorch.so" },
	{ { { "f", "/usr/lib/libcuda.so.1", 0 } }, MLV_SITE_CPP, "f", "libcuda.so.1" },
	/* Noise alone is as good as nothing. */
	{ { { "unwind::unwind", "??", 0 } },
	  MLV_SITE_NO_PYTHON,
	  "no Python frame",
	  "C++ thread, most often autograd" },
	{ { { NULL, NULL, 0 } },
	  MLV_SITE_NO_PYTHON,
	  "no Python frame",
	  "C++ thread, most often autograd" },
	/* Code that PyTorch generates. */
	{ { { "call", "/tmp/torchinductor_me/ab/cab.py", 9 },
	    { "forward", "<eval_with_key>.3", 5 },
	    { "f", MINE, 3 } },
	  MLV_SITE_PYTHON,
	  "f",
	  "train.py:3" },
	{ { { "f", "/home/me/pytorch/torch/nn/functional.py", 1 }, { "g", MINE, 3 } },
	  MLV_SITE_PYTHON,
	  "g",
	  "train.py:3" },
	/* Names that only look like something else. */
	{ { { "f", "/home/me/my.source/train.py", 3 } }, MLV_SITE_PYTHON, "f", "train.py:3" },
	{ { { "f", "/data/.so/run", 3 } }, MLV_SITE_PYTHON, "f", "run:3" },
	{ { { "f", "model.so.py", 3 } }, MLV_SITE_PYTHON, "f", "model.so.py:3" },
	{ { { "f", "/home/me/torch/model.py", 3 } }, MLV_SITE_PYTHON, "f", "model.py:3" },
	{ { { "f", "/home/me/torchvision.py", 3 } }, MLV_SITE_PYTHON, "f", "torchvision.py:3" },
	{ { { "<module>", "<stdin>", 1 } }, MLV_SITE_PYTHON, "<module>", "<stdin>:1" },
	{ { { "<module>", "<ipython-input-3-abc>", 1 } },
	  MLV_SITE_PYTHON,
	  "<module>",
	  "<ipython-input-3-abc>:1" },
	{ { { "_call", "<frozen importlib._bootstrap>", 1 }, { "f", MINE, 3 } },
	  MLV_SITE_PYTHON,
	  "_call",
	  "<frozen importlib._bootstrap>:1 < train.py:3" },
	{ { { "f", "C:\\code\\train.py", 3 } }, MLV_SITE_PYTHON, "f", "train.py:3" },
};
enum { CASES = sizeof(cases) / sizeof(cases[0]) };

START_TEST(rules)
{
	mlv_stackid stacks[CASES];
	char name[256], place[512];
	ck_assert(mlv_run_init(&run, "test"));
	for (size_t i = 0; i < CASES; i++)
		stacks[i] = stack_of(cases[i].frames);
	ck_assert(!mlv_sites_init(&sites, &run, NULL, 0, NULL));
	/* Twice: the second time from what is remembered. */
	for (size_t i = 0; i < 2 * CASES; i++) {
		uint32_t site;
		ck_assert(mlv_site_of(&sites, stacks[i % CASES], &site));
		mlv_site_function(&sites, site, name, sizeof(name));
		mlv_site_place(&sites, site, place, sizeof(place));
		ck_assert_int_eq(sites.list.data[site].kind, cases[i % CASES].kind);
		ck_assert_str_eq(name, cases[i % CASES].function);
		ck_assert_str_eq(place, cases[i % CASES].place);
	}
	uint32_t none, before;
	ck_assert(mlv_site_of(&sites, MLV_STACK_NONE, &none));
	ck_assert_int_eq(sites.list.data[none].kind, MLV_SITE_NOT_RECORDED);
	ck_assert(mlv_site_before(&sites, &before) && before != none);
	mlv_sites_fini(&sites);
	mlv_run_fini(&run);
}
END_TEST

START_TEST(prefixes_of_the_user)
{
	static const char *const prefixes[] = { "/venv/lib/python3.12/site-packages/transformers",
						"/nowhere" };
	const struct frame frames[] = { { "forward", TORCH, 125 },
					{ "gelu", LIBRARY, 66 },
					{ "f", MINE, 3 },
					{ NULL, NULL, 0 } };
	const struct frame other[] = { { "forward", TORCH, 125 },
				       { "f", MINE, 3 },
				       { NULL, NULL, 0 } };
	char place[512];
	uint32_t site;
	ck_assert(mlv_run_init(&run, "test"));
	mlv_stackid a = stack_of(frames), b = stack_of(other);
	ck_assert(!mlv_sites_init(&sites, &run, prefixes, 2, NULL));
	ck_assert(mlv_site_of(&sites, a, &site));
	mlv_site_place(&sites, site, place, sizeof(place));
	ck_assert_str_eq(place, "activations.py:66");
	ck_assert(mlv_site_of(&sites, b, &site));
	mlv_site_place(&sites, site, place, sizeof(place));
	ck_assert_str_eq(place, "train.py:3");
	const struct mlv_frame *mine = mlv_stack_frame(&run.stacks, b);
	ck_assert_uint_eq(mine->line, 125);
	static const enum mlv_frame_owner owners[] = { MLV_FRAME_TORCH, MLV_FRAME_USER,
						       MLV_FRAME_LIBRARY };
	for (uint32_t i = 0; i < 3; i++)
		ck_assert_int_eq(mlv_frame_owner(&sites, (mlv_frameid){ i }), owners[i]);
	mlv_sites_fini(&sites);
	mlv_run_fini(&run);
}
END_TEST

START_TEST(one_site_for_one_pair)
{
	const struct frame a[] = {
		{ "x", TORCH, 1 }, { "f", MINE, 3 }, { "main", MINE, 9 }, { 0 }
	};
	const struct frame b[] = {
		{ "y", TORCH, 2 }, { "f", MINE, 3 }, { "main", MINE, 10 }, { 0 }
	};
	const struct frame c[] = { { "f", MINE, 4 }, { 0 } };
	const struct frame d[] = { { "g", MINE, 3 }, { 0 } };
	/* The same code, installed elsewhere: another site, the same colour. */
	const struct frame e[] = { { "f", "/other/place/train.py", 3 }, { 0 } };
	uint32_t s[5];
	ck_assert(mlv_run_init(&run, "test"));
	mlv_stackid stacks[] = { stack_of(a), stack_of(b), stack_of(c), stack_of(d), stack_of(e) };
	ck_assert(!mlv_sites_init(&sites, &run, NULL, 0, NULL));
	for (size_t i = 0; i < 5; i++)
		ck_assert(mlv_site_of(&sites, stacks[i], &s[i]));
	ck_assert_uint_eq(s[0], s[1]);
	ck_assert(s[2] != s[0] && s[3] != s[0] && s[4] != s[0] && s[2] != s[3]);
	ck_assert_uint_eq(sites.list.data[s[0]].hash, sites.list.data[s[4]].hash);
	ck_assert_uint_ne(sites.list.data[s[0]].hash, sites.list.data[s[2]].hash);
	ck_assert_uint_ne(sites.list.data[s[0]].hash, sites.list.data[s[3]].hash);
	mlv_sites_fini(&sites);
	mlv_run_fini(&run);
}
END_TEST

START_TEST(names_without_end)
{
	/* Whatever the lengths, what is written fits, and long names cost once. */
	static char name[300000], file[300000];
	memset(name, 'n', sizeof(name) - 1);
	memset(file, '/', sizeof(file) - 1);
	memcpy(name, "torch::autograd::generated::", 28);
	struct frame frames[] = {
		{ name, file, 7 }, { name, "??", 0 }, { "f", name, UINT32_MAX }, { 0 }
	};
	char buf[64];
	uint32_t site;
	ck_assert(mlv_run_init(&run, "test"));
	mlv_stackid stacks[3000];
	for (uint32_t i = 0; i < 3000; i++) {
		struct frame one[] = { { name, file, 7 }, { "f", MINE, i + 1 }, { 0 } };
		stacks[i] = stack_of(i ? one : frames);
	}
	ck_assert(!mlv_sites_init(&sites, &run, NULL, 0, NULL));
	for (size_t i = 0; i < 3000; i++) {
		ck_assert(mlv_site_of(&sites, stacks[i], &site));
		for (size_t size = 1; size <= sizeof(buf) && i < 3; size++) {
			mlv_site_function(&sites, site, buf, size);
			unit_check(strlen(buf) < size);
			mlv_site_place(&sites, site, buf, size);
			unit_check(strlen(buf) < size);
		}
	}
	mlv_sites_fini(&sites);
	mlv_run_fini(&run);
}
END_TEST

UNIT_MAIN("callsite", rules, prefixes_of_the_user, one_site_for_one_pair, names_without_end)
