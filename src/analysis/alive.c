/* SPDX-License-Identifier: MIT */
#include "analysis/alive.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/table_build.h"
#include "base/utf8.h"

void mlv_stack_brief(struct mlv_sites *sites, mlv_stackid stack, unsigned most, char *buf,
		     size_t size)
{
	const struct mlv_run *run = sites->run;
	unsigned shown = 0;
	uint32_t site;
	buf[0] = '\0';
	for (mlv_stackid id = stack; mlv_stack_has_frame(id) && shown < most;
	     id = mlv_stack_caller(&run->stacks, id)) {
		const struct mlv_frame *f = mlv_stack_frame(&run->stacks, id);
		size_t n = strlen(buf);
		char place[256];
		if (!mlv_file_is_callers(mlv_run_str(run, f->file)) || n + 16 > size)
			continue;
		mlv_frame_place(run, run->stacks.nodes.data[id.i].frame, place, sizeof(place));
		snprintf(buf + n, size - n, "%s%.100s %s", shown ? " < " : "",
			 mlv_run_str(run, f->function).p, place);
		shown++;
	}
	if (!shown && mlv_site_of(sites, stack, &site))
		mlv_site_function(sites, site, buf, size);
}

static void module_of(struct mlv_sites *sites, uint32_t site, char *buf, size_t size)
{
	const struct mlv_site *s = &sites->list.data[site];
	if (s->kind != MLV_SITE_PYTHON && s->kind != MLV_SITE_CPP) {
		mlv_site_function(sites, site, buf, size);
		return;
	}
	const struct mlv_run *run = sites->run;
	struct mlv_str file = mlv_run_str(run, run->stacks.frames.data[s->label.i].file);
	if (!file.n)
		file = MLV_STR("C++");
	mlv_utf8_fit(buf, size, file.p, file.n);
}

/* The group of an allocation: a class, a stack, or a file. */
static uint64_t group_of(const struct mlv_sites *sites, const struct mlv_classes *classes,
			 enum mlv_alive_by by, const struct mlv_history *h, size_t i)
{
	const struct mlv_site *site;
	switch (by) {
	case MLV_ALIVE_BY_STACK:
		return h->allocs[i].stack.i;
	case MLV_ALIVE_BY_MODULE:
		site = &sites->list.data[classes->of_alloc[i]];
		return site->kind <= MLV_SITE_CPP ? h->run->stacks.frames.data[site->label.i].file.i
						  : UINT64_MAX - (uint64_t)site->kind;
	default:
		return classes->of_alloc[i];
	}
}

static void name_of(struct mlv_sites *sites, const struct mlv_classes *classes,
		    enum mlv_alive_by by, const struct mlv_history *h, size_t i, char *buf,
		    size_t size)
{
	char name[MLV_NAME_SIZE], place[MLV_NAME_SIZE];
	switch (by) {
	case MLV_ALIVE_BY_STACK:
		mlv_stack_brief(sites, h->allocs[i].stack, 4, buf, size);
		break;
	case MLV_ALIVE_BY_MODULE:
		module_of(sites, classes->of_alloc[i], buf, size);
		break;
	default:
		mlv_class_name(classes, classes->of_alloc[i], name, sizeof(name), place,
			       sizeof(place));
		snprintf(buf, size, "%s%s%s", name, *place ? "  " : "", place);
		break;
	}
}

static enum mlv_class_kind class_kind(enum mlv_alive_by by)
{
	switch (by) {
	case MLV_ALIVE_BY_SIZE:
		return MLV_BY_SIZE;
	case MLV_ALIVE_BY_STREAM:
		return MLV_BY_STREAM;
	case MLV_ALIVE_BY_POOL:
		return MLV_BY_POOL;
	default:
		return MLV_BY_SITE;
	}
}

enum mlv_rc mlv_table_alive(struct mlv_table *t, const struct mlv_history *h,
			    struct mlv_sites *sites, enum mlv_alive_by by, int64_t e,
			    const struct mlv_table_options *o, struct mlv_err *err)
{
	static const char *const columns[] = { "bytes", "allocations", "largest", "share" };
	struct mlv_table_builder b;
	struct mlv_classes classes;
	char title[120], text[2 * MLV_NAME_SIZE + 8];
	enum mlv_rc rc = mlv_classes_init(&classes, class_kind(by), h, sites, err);
	if (rc)
		return rc;
	if (e < 0)
		snprintf(title, sizeof(title), "alive at the beginning");
	else
		snprintf(title, sizeof(title), "alive after event %" PRId64, e);
	rc = mlv_table_begin(&b, t, title, columns, 4, o, err);
	uint64_t total = 0;
	bool ok = !rc;
	for (size_t i = 0; ok && i < h->alloc_count; i++) {
		const struct mlv_alloc *a = &h->allocs[i];
		if (a->born != MLV_NEVER && (int64_t)a->born > e)
			break; /* allocations stand in the order of birth */
		if (a->died != MLV_NEVER && (int64_t)a->died <= e)
			continue;
		uint64_t key = group_of(sites, &classes, by, h, i);
		if (!mlv_table_has(&b, key))
			name_of(sites, &classes, by, h, i, text, sizeof(text));
		struct mlv_cell *c = mlv_table_row(&b, key, text, 0);
		ok = c != NULL;
		if (!ok)
			break;
		int64_t bytes = a->bytes > INT64_MAX ? INT64_MAX : (int64_t)a->bytes;
		mlv_cell_add(&c[0], bytes, MLV_UNIT_BYTES);
		mlv_cell_add(&c[1], 1, MLV_UNIT_NONE);
		mlv_cell_raise(&c[2], bytes, MLV_UNIT_BYTES);
		total += a->bytes;
	}
	for (size_t i = 0; ok && i < t->rows.len && total; i++) {
		struct mlv_cell *c = &t->cells.data[t->rows.data[i].first_cell];
		c[3].value = mlv_decimal_int(
			(int64_t)((double)c[0].value.mantissa * 1000 / (double)total + 0.5),
			MLV_UNIT_PERCENT);
		c[3].value.exponent = -1;
		c[3].present = true;
	}
	mlv_classes_fini(&classes);
	return rc ? rc : mlv_table_end(&b, ok, 0, err);
}
