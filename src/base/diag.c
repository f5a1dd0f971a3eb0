/* SPDX-License-Identifier: MIT */
#include "base/diag.h"

#include <stdarg.h>
#include <string.h>

void mlv_diags_fini(struct mlv_diags *d)
{
	mlv_arena_fini(&d->arena);
	mlv_vec_free(&d->list);
}

/* From the end: what comes again mostly came last. */
static struct mlv_diag *find(struct mlv_diags *d, const char *code, int64_t device)
{
	for (size_t i = d->list.len; i-- > 0;) {
		struct mlv_diag *x = &d->list.data[i];
		if (x->device == device && strcmp(x->code, code) == 0)
			return x;
	}
	return NULL;
}

static void add(struct mlv_diags *d, struct mlv_diag diag, const char *fmt, va_list ap)
	__attribute__((format(printf, 3, 0)));

static void add(struct mlv_diags *d, struct mlv_diag diag, const char *fmt, va_list ap)
{
	struct mlv_diag *known = find(d, diag.code, diag.device);
	if (known) {
		known->count++;
		return;
	}
	diag.count = 1;
	diag.text = mlv_arena_vprintf(&d->arena, fmt, ap);
	if (diag.text)
		(void)mlv_vec_push(&d->list, diag);
}

void mlv_diag_add(struct mlv_diags *d, enum mlv_severity severity, const char *code,
		  uint64_t offset, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	add(d,
	    (struct mlv_diag){ .severity = severity, .code = code, .device = -1, .offset = offset },
	    fmt, ap);
	va_end(ap);
}

void mlv_diag_add_line(struct mlv_diags *d, enum mlv_severity severity, const char *code,
		       uint32_t line, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	add(d,
	    (struct mlv_diag){ .severity = severity,
			       .code = code,
			       .device = -1,
			       .offset = MLV_NO_OFFSET,
			       .line = line },
	    fmt, ap);
	va_end(ap);
}

void mlv_diag_add_device(struct mlv_diags *d, enum mlv_severity severity, const char *code,
			 uint32_t device, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	add(d,
	    (struct mlv_diag){
		    .severity = severity, .code = code, .device = device, .offset = MLV_NO_OFFSET },
	    fmt, ap);
	va_end(ap);
}

static void add_text(struct mlv_diags *d, struct mlv_diag diag, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void add_text(struct mlv_diags *d, struct mlv_diag diag, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	add(d, diag, fmt, ap);
	va_end(ap);
}

void mlv_diag_from_err(struct mlv_diags *d, const char *code, const struct mlv_err *err)
{
	struct mlv_diag diag = { .severity = MLV_DAMAGE,
				 .code = code,
				 .device = -1,
				 .offset = err->offset,
				 .line = err->line };
	add_text(d, diag, "%s", err->msg);
}

const char *mlv_severity_name(enum mlv_severity s)
{
	static const char *const names[] = { "note", "warning", "damage" };
	return names[s];
}

int mlv_diags_have(const struct mlv_diags *d, enum mlv_severity s)
{
	for (size_t i = 0; i < d->list.len; i++) {
		if (d->list.data[i].severity >= s)
			return 1;
	}
	return 0;
}
