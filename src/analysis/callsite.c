/* SPDX-License-Identifier: MIT */
#include "analysis/callsite.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/utf8.h"

static bool any_of(struct mlv_str s, const struct mlv_str *parts, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (mlv_str_contains(s, parts[i]))
			return true;
	}
	return false;
}

#define ANY_OF(s, parts) any_of(s, parts, sizeof(parts) / sizeof((parts)[0]))

/* "libc.so", "libtorch.so.2"; but not "train.so.py", nor a folder whose name has ".so" in it. */
static bool is_shared_library(struct mlv_str file)
{
	struct mlv_str name = mlv_str_basename(file);
	return mlv_str_has_suffix(name, MLV_STR(".so")) || mlv_str_contains(name, MLV_STR(".so."));
}

/* C++ frames come with a source file or library, or with no file at all. */
static bool is_python(struct mlv_str file)
{
	static const struct mlv_str endings[] = {
		MLV_STR_INIT(".cpp"), MLV_STR_INIT(".cc"), MLV_STR_INIT(".cu"),
		MLV_STR_INIT(".c"),   MLV_STR_INIT(".h"),  MLV_STR_INIT(".hpp"),
		MLV_STR_INIT(".cuh"), MLV_STR_INIT(".S"),
	};
	if (mlv_str_has_suffix(file, MLV_STR(".py")))
		return true;
	if (file.n == 0 || mlv_str_eq(file, MLV_STR("??")) || is_shared_library(file))
		return false;
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		if (mlv_str_has_suffix(file, endings[i]))
			return false;
	}
	return true;
}

/* PyTorch's own package, installed or built from source, and the code that it generates. */
static bool is_torch(struct mlv_str file)
{
	static const struct mlv_str parts[] = {
		MLV_STR_INIT("-packages/torch/"),     MLV_STR_INIT("/pytorch/torch/"),
		MLV_STR_INIT("torchinductor_"),       MLV_STR_INIT("<eval_with_key>"),
		MLV_STR_INIT("-packages/functorch/"),
	};
	return mlv_str_has_prefix(file, MLV_STR("torch/")) || ANY_OF(file, parts);
}

/* Packages that somebody installed, and the standard library. */
static bool is_library(struct mlv_str file)
{
	static const struct mlv_str parts[] = {
		MLV_STR_INIT("site-packages/"), MLV_STR_INIT("dist-packages/"),
		MLV_STR_INIT("/lib/python3"),   MLV_STR_INIT("/lib/python2"),
		MLV_STR_INIT("<frozen "),
	};
	return is_torch(file) || ANY_OF(file, parts);
}

bool mlv_file_is_callers(struct mlv_str file)
{
	return is_python(file) && !is_torch(file);
}

static bool is_user(const struct mlv_sites *s, struct mlv_str file)
{
	if (!s->prefix_count)
		return !is_library(file);
	for (size_t i = 0; i < s->prefix_count; i++) {
		struct mlv_str prefix = mlv_str_of(s->prefixes[i]);
		if (mlv_str_has_prefix(file, prefix))
			return true;
	}
	return false;
}

/* The recorder's and the allocator's own frames, and plumbing that says nothing of the call. */
static bool is_cpp_noise(struct mlv_str function)
{
	static const struct mlv_str parts[] = {
		MLV_STR_INIT("unwind::unwind"),
		MLV_STR_INIT("CapturedTraceback::gather"),
		MLV_STR_INIT("gather_with_cpp"),
		MLV_STR_INIT("CachingAllocator"),
		MLV_STR_INIT("at::detail::empty"),
		MLV_STR_INIT("at::detail::_empty"),
		MLV_STR_INIT("wrap_kernel_functor"),
		MLV_STR_INIT("create_out"),
		MLV_STR_INIT("set_output_raw_strided"),
		MLV_STR_INIT("BoxedKernel"),
		MLV_STR_INIT("allocate_or_resize_outputs"),
		MLV_STR_INIT("TensorIteratorBase::"),
	};
	return ANY_OF(function, parts);
}

/* What a frame is, said once: stacks share their frames, and names may be long. */
enum { SEEN = 1, PYTHON = 2, TORCH = 4, USER = 8, NOISE = 16, NODE = 32 };

static uint8_t frame_traits(const struct mlv_sites *s, mlv_frameid frame)
{
	const struct mlv_frame *f = &s->run->stacks.frames.data[frame.i];
	struct mlv_str file = mlv_run_str(s->run, f->file);
	struct mlv_str function = mlv_run_str(s->run, f->function);
	unsigned traits = SEEN;
	if (is_python(file)) {
		traits |= PYTHON;
		traits |= is_torch(file) ? TORCH : 0u;
		traits |= is_user(s, file) ? USER : 0u;
	} else {
		traits |= is_cpp_noise(function) ? NOISE : 0u;
		if (mlv_str_contains(function, MLV_STR("autograd::generated::")) &&
		    mlv_str_contains(function, MLV_STR("::apply")))
			traits |= NODE;
	}
	return (uint8_t)traits;
}

enum mlv_frame_owner mlv_frame_owner(const struct mlv_sites *s, mlv_frameid frame)
{
	uint8_t traits = frame_traits(s, frame);
	return !(traits & PYTHON) ? MLV_FRAME_CPP
	       : traits & USER    ? MLV_FRAME_USER
	       : traits & TORCH   ? MLV_FRAME_TORCH
				  : MLV_FRAME_LIBRARY;
}

struct pick {
	bool label, user, cpp, backward, python;
	mlv_frameid label_frame, user_frame, cpp_frame, python_frame;
};

/* A stack without Python is best named by the autograd node, else by the first telling frame. */
static void look_at_cpp(struct pick *p, mlv_frameid frame, uint8_t traits)
{
	if (p->backward || traits & NOISE)
		return;
	if (traits & NODE || !p->cpp) {
		p->cpp_frame = frame;
		p->cpp = true;
		p->backward = traits & NODE;
	}
}

static void look_at_python(struct pick *p, mlv_frameid frame, uint8_t traits)
{
	if (!p->python) {
		p->python = true;
		p->python_frame = frame;
	}
	if (!p->label && !(traits & TORCH)) {
		p->label = true;
		p->label_frame = frame;
	}
	if (!p->user && traits & USER) {
		p->user = true;
		p->user_frame = frame;
	}
}

static struct mlv_site choose(const struct mlv_sites *s, mlv_stackid stack)
{
	const struct mlv_run *run = s->run;
	struct mlv_site site = { .kind = MLV_SITE_NOT_RECORDED };
	struct pick p;
	memset(&p, 0, sizeof(p));
	for (mlv_stackid id = stack; mlv_stack_has_frame(id) && !(p.label && p.user);
	     id = mlv_stack_caller(&run->stacks, id)) {
		mlv_frameid frame = run->stacks.nodes.data[id.i].frame;
		uint8_t *traits = &s->of_frame[frame.i];
		if (!*traits)
			*traits = frame_traits(s, frame);
		if (*traits & PYTHON)
			look_at_python(&p, frame, *traits);
		else
			look_at_cpp(&p, frame, *traits);
	}
	if (p.python) {
		site.kind = MLV_SITE_PYTHON;
		site.label = p.label ? p.label_frame : p.python_frame;
		site.user = p.user ? p.user_frame : site.label;
	} else if (p.cpp) {
		site.kind = MLV_SITE_CPP;
		site.label = site.user = p.cpp_frame;
	} else if (stack.i != MLV_STACK_NONE.i) {
		site.kind = MLV_SITE_NO_PYTHON;
	}
	return site;
}

/* Independent of ids and of where the code is installed, so that every run agrees. */
static uint64_t stable_hash(const struct mlv_run *run, const struct mlv_site *site)
{
	if (site->kind >= MLV_SITE_NO_PYTHON)
		return (uint64_t)site->kind;
	const struct mlv_frame *f = &run->stacks.frames.data[site->label.i];
	struct mlv_str function = mlv_run_str(run, f->function);
	struct mlv_str file = mlv_str_basename(mlv_run_str(run, f->file));
	uint64_t h = XXH3_64bits_withSeed(function.p, function.n, f->line);
	return XXH3_64bits_withSeed(file.p, file.n, h);
}

enum mlv_rc mlv_sites_init(struct mlv_sites *s, const struct mlv_run *run,
			   const char *const *prefixes, size_t prefix_count, struct mlv_err *err)
{
	memset(s, 0, sizeof(*s));
	s->run = run;
	s->prefixes = prefixes;
	s->prefix_count = prefix_count;
	s->of_stack = malloc(run->stacks.nodes.len * sizeof(*s->of_stack));
	s->of_frame = mlv_zeroed(run->stacks.frames.len, 1);
	if (!s->of_stack || !s->of_frame) {
		mlv_sites_fini(s);
		return mlv_err_nomem(err);
	}
	memset(s->of_stack, 0xff, run->stacks.nodes.len * sizeof(*s->of_stack));
	return MLV_OK;
}

void mlv_sites_fini(struct mlv_sites *s)
{
	mlv_vec_free(&s->list);
	mlv_map_fini(&s->ids);
	free(s->of_stack);
	free(s->of_frame);
	memset(s, 0, sizeof(*s));
}

static bool intern_site(struct mlv_sites *s, struct mlv_site found, uint32_t *site)
{
	uint64_t key = found.kind >= MLV_SITE_NO_PYTHON
			       ? UINT64_MAX - (uint64_t)found.kind
			       : (uint64_t)found.label.i << 32 | found.user.i;
	struct mlv_map_slot *slot = mlv_map_find(&s->ids, key);
	if (slot) {
		*site = slot->value;
		return true;
	}
	found.hash = stable_hash(s->run, &found);
	*site = (uint32_t)s->list.len;
	return mlv_vec_push(&s->list, found) && mlv_map_set(&s->ids, key, *site);
}

bool mlv_site_of(struct mlv_sites *s, mlv_stackid stack, uint32_t *site)
{
	*site = s->of_stack[stack.i];
	if (*site != UINT32_MAX)
		return true;
	if (!intern_site(s, choose(s, stack), site))
		return false;
	s->of_stack[stack.i] = *site;
	return true;
}

bool mlv_site_before(struct mlv_sites *s, uint32_t *site)
{
	return intern_site(s, (struct mlv_site){ .kind = MLV_SITE_BEFORE }, site);
}

void mlv_frame_place(const struct mlv_run *run, mlv_frameid frame, char *buf, size_t size)
{
	const struct mlv_frame *f = &run->stacks.frames.data[frame.i];
	struct mlv_str file = mlv_str_basename(mlv_run_str(run, f->file));
	char line[16] = "";
	if (!file.n)
		file = MLV_STR("C++");
	else if (f->line)
		snprintf(line, sizeof(line), ":%" PRIu32, f->line);
	/* The line is what finds the place: a long name is cut before it. */
	size_t n = strlen(line);
	if (n + 1 >= size)
		n = 0;
	mlv_utf8_fit(buf, size - n, file.p, file.n);
	if (n)
		memcpy(buf + strlen(buf), line, n + 1);
}

/* "torch::autograd::generated::MmBackward0::apply(…)" is read as "MmBackward0". */
static void cpp_name(struct mlv_str function, char *buf, size_t size)
{
	static const struct mlv_str node = MLV_STR_INIT("autograd::generated::");
	size_t end = 0;
	while (end < function.n && function.p[end] != '(')
		end++;
	/* "(anonymous namespace)" is no argument list. */
	if (end == function.n || end == 0 || function.p[end - 1] == ':')
		end = function.n;
	struct mlv_str name = { function.p, end };
	for (size_t i = 0; i + node.n < name.n; i++) {
		if (memcmp(name.p + i, node.p, node.n) == 0) {
			name.p += i + node.n;
			name.n -= i + node.n;
			break;
		}
	}
	if (mlv_str_has_suffix(name, MLV_STR("::apply")))
		name.n -= 7;
	mlv_utf8_fit(buf, size, name.p, name.n);
}

void mlv_site_function(const struct mlv_sites *s, uint32_t site, char *buf, size_t size)
{
	const struct mlv_site *x = &s->list.data[site];
	struct mlv_str function;
	switch (x->kind) {
	case MLV_SITE_PYTHON:
	case MLV_SITE_CPP:
		function = mlv_run_str(s->run, s->run->stacks.frames.data[x->label.i].function);
		if (x->kind == MLV_SITE_CPP)
			cpp_name(function, buf, size);
		else
			mlv_utf8_fit(buf, size, function.p, function.n);
		break;
	case MLV_SITE_NO_PYTHON:
		snprintf(buf, size, "no Python frame");
		break;
	case MLV_SITE_NOT_RECORDED:
		snprintf(buf, size, "stack not recorded");
		break;
	case MLV_SITE_BEFORE:
		snprintf(buf, size, "older than the recording");
		break;
	}
}

void mlv_site_place(const struct mlv_sites *s, uint32_t site, char *buf, size_t size)
{
	const struct mlv_site *x = &s->list.data[site];
	if (x->kind == MLV_SITE_NO_PYTHON) {
		snprintf(buf, size, "C++ thread, most often autograd");
		return;
	}
	if (x->kind == MLV_SITE_BEFORE) {
		snprintf(buf, size, "where it was made is not known");
		return;
	}
	if (x->kind == MLV_SITE_NOT_RECORDED) {
		snprintf(buf, size, "recorded without stacks");
		return;
	}
	mlv_frame_place(s->run, x->label, buf, size);
	if (x->user.i != x->label.i) {
		size_t n = strlen(buf);
		if (n + 4 < size) {
			memcpy(buf + n, " < ", 4);
			mlv_frame_place(s->run, x->user, buf + n + 3, size - n - 3);
		}
	}
}
