/* SPDX-License-Identifier: MIT */
#ifndef MLV_UNIT_FAKE_GPU_H
#define MLV_UNIT_FAKE_GPU_H
/*
 * A GPU of the fake driver (tests/fakecuda) for a test: chosen by its options,
 * opened as any GPU, and asked afterwards what was not given back.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "fakecuda.h"
#include "replay/conf.h"
#include "replay/gpu/gpu.h"
#include "unit.h"

/* FAKECUDA_LIB and FAKECUDA_PLAIN_LIB are set by meson. */
static inline void fake_gpu_choose(const char *options)
{
	unit_check(getenv("FAKECUDA_LIB"));
	unit_check(!setenv("MLVIZ_LIBCUDA", getenv("FAKECUDA_LIB"), 1));
	unit_check(!setenv("FAKECUDA", options, 1));
}

/* What the driver knows of its own. Its state lasts as long as the test holds the library. */
struct fake_gpu {
	void *library;
	void (*tell)(struct fakecuda_figures *);
};

static inline struct fake_gpu fake_gpu_hold(const char *options)
{
	fake_gpu_choose(options);
	struct fake_gpu f = { .library = dlopen(getenv("FAKECUDA_LIB"), RTLD_NOW | RTLD_LOCAL) };
	unit_check(f.library);
	void *symbol = dlsym(f.library, "fakecuda_tell");
	unit_check(symbol);
	memcpy(&f.tell, &symbol, sizeof(symbol));
	return f;
}

static inline struct fakecuda_figures fake_gpu_figures(const struct fake_gpu *f)
{
	struct fakecuda_figures figures;
	f->tell(&figures);
	return figures;
}

/* Nothing is left, no call was a mistake. */
static inline void fake_gpu_let_go(struct fake_gpu *f)
{
	struct fakecuda_figures n = fake_gpu_figures(f);
	unit_check(!n.contexts);
	unit_check(!n.left);
	unit_check(!n.misuse);
	dlclose(f->library);
}

#endif
