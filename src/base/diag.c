/* SPDX-License-Identifier: MIT */
#include "base/diag.h"

#include <string.h>

void mlv_diags_fini(struct mlv_diags *d)
{
	mlv_arena_fini(&d->arena);
	mlv_vec_free(&d->list);
}

static struct mlv_diag *find(struct mlv_diags *d, const char *code)
{
	for (size_t i = 0; i < d->list.len; i++) {
		if (strcmp(d->list.data[i].code, code) == 0)
			return &d->list.data[i];
	}
	return NULL;
}

void mlv_diag_add(struct mlv_diags *d, enum mlv_severity severity, const char *code,
		  uint64_t offset, const char *fmt, ...)
{
	struct mlv_diag *known = find(d, code);
	if (known) {
		known->count++;
		return;
	}
	va_list ap;
	va_start(ap, fmt);
	const char *text = mlv_arena_vprintf(&d->arena, fmt, ap);
	va_end(ap);
	struct mlv_diag diag = { severity, code, offset, 0, 1, text };
	if (text)
		(void)mlv_vec_push(&d->list, diag);
}

void mlv_diag_from_err(struct mlv_diags *d, const char *code, const struct mlv_err *err)
{
	mlv_diag_add(d, MLV_DAMAGE, code, err->offset, "%s", err->msg);
	struct mlv_diag *added = find(d, code);
	if (added && added->count == 1)
		added->line = err->line;
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
