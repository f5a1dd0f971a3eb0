/* SPDX-License-Identifier: MIT */
/* What every call has in common: it is counted, it may be made to fail, it may be a mistake. */
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "fake.h"

struct fake fake;

enum { LOST = 719 }; /* LAUNCH_FAILED: what every call on a lost device says */

_Noreturn void fake_fatal(const char *format, ...)
{
	va_list list;
	va_start(list, format);
	fputs("fakecuda: ", stderr);
	vfprintf(stderr, format, list);
	fputc('\n', stderr);
	va_end(list);
	abort();
}

void *fake_grow(void *rows, size_t *cap, size_t size, size_t len)
{
	if (len < *cap)
		return rows;
	*cap = *cap ? 2 * *cap : 64;
	rows = realloc(rows, *cap * size);
	if (!rows)
		fake_fatal("no memory");
	return rows;
}

mlv_cu_result fake_misuse(const char *format, ...)
{
	va_list list;
	/* What a lost device took back, its owner may want to give back again. */
	if (fake.lost)
		return LOST;
	va_start(list, format);
	fputs("fakecuda: misuse: ", stderr);
	vfprintf(stderr, format, list);
	fputc('\n', stderr);
	va_end(list);
	fake.figures.misuse++;
	return MLV_CU_INVALID_VALUE;
}

mlv_cu_result fake_enter(enum mlv_cu_call call)
{
	const struct fake_options *o = &fake.options;
	uint64_t n = ++fake.figures.calls[call];
	if (o->interrupt.at == n && o->interrupt.call == call)
		(void)raise(SIGINT);
	if (!fake.started && call != MLV_CU_cuInit)
		return 3; /* NOT_INITIALIZED */
	if (o->lost && ++fake.all_calls > o->lost)
		fake.lost = true;
	if (fake.lost)
		return LOST;
	for (size_t i = 0; i < FAKE_INJECTIONS; i++) {
		if (o->fail[i].at == n && o->fail[i].call == call)
			return o->fail[i].error;
	}
	return MLV_CU_SUCCESS;
}

mlv_cu_result fake_enter_context(enum mlv_cu_call call)
{
	mlv_cu_result r = fake_enter(call);
	return r || fake.current ? r : 201; /* INVALID_CONTEXT */
}

bool fake_refuses(mlv_cu_result entered)
{
	return (entered && !fake.lost) || !fake.current;
}

static size_t live(const struct fake_areas *a)
{
	size_t n = 0;
	for (size_t i = 0; i < a->len; i++)
		n += !a->rows[i].released;
	return n;
}

__attribute__((visibility("default"))) void fakecuda_tell(struct fakecuda_figures *figures)
{
	struct fakecuda_figures *f = &fake.figures;
	f->taken = f->pieces = f->handles = f->maps = f->ranges = f->modules = f->contexts = 0;
	for (size_t i = 0; i < FAKE_DEVICES; i++) {
		const struct fake_device *d = &fake.devices[i];
		f->taken += d->taken;
		f->pieces += d->pieces.len;
		f->handles += live(&d->handles);
		f->maps += d->maps.len;
		f->ranges += d->ranges.len;
		f->modules += d->modules;
		f->contexts += d->retained;
	}
	*figures = *f;
}
