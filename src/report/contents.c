/* SPDX-License-Identifier: MIT */
#include "report/contents.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/num.h"
#include "report/findings.h"
#include "report/samples_text.h"
#include "report/sections_text.h"

enum { SHOWN = 12 };

/* Spans of one category. */
struct kind {
	mlv_strid category;
	uint64_t count, open, failed;
	int64_t ns;
};

static int by_count(const void *pa, const void *pb)
{
	const struct kind *a = pa, *b = pb;
	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return (a->category.i > b->category.i) - (a->category.i < b->category.i);
}

/* Held within int64: recorded times may be any number. */
static int64_t added(int64_t a, int64_t b)
{
	int64_t sum;
	return __builtin_add_overflow(a, b, &sum) ? (b > 0 ? INT64_MAX : INT64_MIN) : sum;
}

/* One row a category, the most frequent first; free() it. NULL: none, or no memory. */
static struct kind *span_kinds(const struct mlv_run *run, size_t *count)
{
	MLV_VEC(struct kind) v = { 0 };
	struct mlv_map ids = { 0 };
	*count = 0;
	for (size_t i = 0; i < run->spans.len; i++) {
		const struct mlv_span *s = &run->spans.data[i];
		struct mlv_map_slot *slot = mlv_map_find(&ids, s->category.i);
		if (!slot) {
			struct kind fresh = { .category = s->category };
			if (!mlv_vec_push(&v, fresh) ||
			    !mlv_map_set(&ids, s->category.i, (uint32_t)v.len - 1))
				break;
			slot = mlv_map_find(&ids, s->category.i);
		}
		struct kind *k = &v.data[slot->value];
		struct mlv_str status = mlv_run_str(run, s->status);
		k->count++;
		k->open += mlv_run_span_open(run, s);
		k->failed += status.n > 1 && status.p[0] == 'E' && status.p[1] >= 'A' &&
			     status.p[1] <= 'Z';
		int64_t ns;
		if (mlv_run_span_took(s, &ns))
			k->ns = added(k->ns, ns);
	}
	mlv_map_fini(&ids);
	if (v.len)
		qsort(v.data, v.len, sizeof(*v.data), by_count);
	*count = v.len;
	return v.data;
}

static void spans_text(const struct mlv_run *run, struct mlv_buf *out)
{
	size_t n;
	char a[MLV_NUM_SIZE], t[MLV_NUM_SIZE];
	struct kind *k = span_kinds(run, &n);
	for (size_t i = 0; i < n && i < SHOWN; i++) {
		struct mlv_str name = mlv_run_str(run, k[i].category);
		mlv_buf_printf(out, "  %s ", mlv_fmt_count(a, sizeof(a), k[i].count));
		mlv_buf_safe(out, name.n ? name : MLV_STR("spans"));
		if (name.n)
			mlv_buf_puts(out, k[i].count == 1 ? " span" : " spans");
		if (k[i].ns)
			mlv_buf_printf(out, ", %s in all", mlv_fmt_duration(t, sizeof(t), k[i].ns));
		if (k[i].failed)
			mlv_buf_printf(out, ", %s failed",
				       mlv_fmt_count(a, sizeof(a), k[i].failed));
		if (k[i].open)
			mlv_buf_printf(out, ", %s never ended",
				       mlv_fmt_count(a, sizeof(a), k[i].open));
		mlv_buf_putc(out, '\n');
	}
	if (n > SHOWN)
		mlv_buf_printf(out, "  and spans of %zu other categories\n", n - SHOWN);
	free(k);
}

/* -1 is how the recorder says none; it counts the starts only where they are enabled. */
static void status_text(const struct mlv_group *g, struct mlv_buf *out)
{
	const struct {
		const char *what;
		int64_t number;
	} last[] = { { "enqueued", g->last_enqueued },
		     { "started", g->last_started },
		     { "completed", g->last_completed } };
	mlv_buf_puts(out, "; last collective");
	for (size_t i = 0; i < 3; i++) {
		mlv_buf_printf(out, "%s %s ", i ? "," : "", last[i].what);
		if (last[i].number < 0)
			mlv_buf_puts(out, "none");
		else
			mlv_buf_printf(out, "%" PRId64, last[i].number);
	}
}

static void groups_text(const struct mlv_run *run, struct mlv_buf *out)
{
	for (size_t i = 0; i < run->groups.len && i < SHOWN; i++) {
		const struct mlv_group *g = &run->groups.data[i];
		mlv_buf_puts(out, "  process group ");
		mlv_buf_safe(out, mlv_run_str(run, g->name));
		if (g->description.i) {
			mlv_buf_puts(out, " (");
			mlv_buf_safe(out, mlv_run_str(run, g->description));
			mlv_buf_puts(out, ")");
		}
		if (g->members.i) {
			mlv_buf_puts(out, g->member_count == 1 ? ": rank " : ": ranks ");
			mlv_ranks_text(mlv_run_str(run, g->members), out);
		}
		if (g->has_status)
			status_text(g, out);
		mlv_buf_putc(out, '\n');
	}
	if (run->groups.len > SHOWN)
		mlv_buf_printf(out, "  and %zu more process groups\n", run->groups.len - SHOWN);
}

static void property_text(const struct mlv_run *run, const struct mlv_property *p,
			  struct mlv_buf *out)
{
	mlv_buf_safe(out, mlv_run_str(run, p->key));
	mlv_buf_putc(out, ' ');
	if (p->kind == MLV_PROP_INT)
		mlv_buf_int(out, p->number);
	else if (p->kind == MLV_PROP_BOOL)
		mlv_buf_puts(out, p->number ? "true" : "false");
	else
		mlv_buf_safe(out, mlv_run_str(run, p->text));
}

/* What a device can do fills a page, and its name says it all. */
static bool is_detail(struct mlv_str key)
{
	return mlv_str_has_prefix(key, MLV_STR("device ")) && mlv_str_contains(key, MLV_STR("/")) &&
	       !mlv_str_has_suffix(key, MLV_STR("/name"));
}

static void properties_text(const struct mlv_run *run, struct mlv_buf *out)
{
	size_t shown = 0, all = 0;
	for (size_t i = 0; i < run->properties.len; i++) {
		const struct mlv_property *p = &run->properties.data[i];
		/* The allocator's settings have a line of their own. */
		if (mlv_str_eq(mlv_run_str(run, p->group), MLV_STR("settings")))
			continue;
		all++;
		if (shown >= SHOWN || is_detail(mlv_run_str(run, p->key)))
			continue;
		mlv_buf_puts(out, shown++ ? ", " : "  ");
		property_text(run, p, out);
	}
	if (all > shown)
		mlv_buf_printf(out, "%s%zu more fact%s in --json", shown ? " and " : "  ",
			       all - shown, all - shown == 1 ? "" : "s");
	if (all)
		mlv_buf_putc(out, '\n');
}

void mlv_contents_text(const struct mlv_run *run, struct mlv_buf *out)
{
	mlv_sections_text(run, out);
	if (run->recorder != MLV_RECORDER_ALLOCATOR)
		spans_text(run, out);
	groups_text(run, out);
	mlv_samples_text(run, out);
	mlv_findings_text(run, SHOWN * 2, NULL, out);
	properties_text(run, out);
}

static void sections_json(const struct mlv_run *run, struct mlv_json *j)
{
	mlv_json_key_array(j, "sections");
	for (size_t i = 0; i < run->sections.len; i++) {
		const struct mlv_section *s = &run->sections.data[i];
		mlv_json_object(j);
		mlv_json_key_text(j, "format", s->format);
		mlv_json_key(j, "title");
		mlv_json_str(j, mlv_run_str(run, s->title));
		if (s->line) {
			mlv_json_key_uint(j, "line", s->line);
			mlv_json_key_uint(j, "last_line", s->last_line);
		}
		if (s->rank >= 0)
			mlv_json_key_int(j, "rank", s->rank);
		mlv_json_key_uint(j, "rows", s->rows);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}

static void spans_json(const struct mlv_run *run, struct mlv_json *j)
{
	size_t n;
	struct kind *k = span_kinds(run, &n);
	mlv_json_key_array(j, "spans");
	for (size_t i = 0; i < n; i++) {
		mlv_json_object(j);
		mlv_json_key(j, "category");
		mlv_json_str(j, mlv_run_str(run, k[i].category));
		mlv_json_key_uint(j, "count", k[i].count);
		mlv_json_key_int(j, "total_ns", k[i].ns);
		mlv_json_key_uint(j, "failed", k[i].failed);
		mlv_json_key_uint(j, "open", k[i].open);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
	free(k);
}

static void groups_json(const struct mlv_run *run, struct mlv_json *j)
{
	mlv_json_key_array(j, "groups");
	for (size_t i = 0; i < run->groups.len; i++) {
		const struct mlv_group *g = &run->groups.data[i];
		mlv_json_object(j);
		mlv_json_key(j, "name");
		mlv_json_str(j, mlv_run_str(run, g->name));
		mlv_json_key(j, "description");
		mlv_json_str(j, mlv_run_str(run, g->description));
		mlv_json_key(j, "ranks");
		mlv_json_str(j, mlv_run_str(run, g->members));
		if (g->has_status) {
			mlv_json_key_int(j, "last_enqueued", g->last_enqueued);
			mlv_json_key_int(j, "last_started", g->last_started);
			mlv_json_key_int(j, "last_completed", g->last_completed);
		}
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}

static void properties_json(const struct mlv_run *run, struct mlv_json *j)
{
	mlv_json_key_object(j, "properties");
	for (size_t i = 0; i < run->properties.len; i++) {
		const struct mlv_property *p = &run->properties.data[i];
		if (mlv_str_eq(mlv_run_str(run, p->group), MLV_STR("settings")))
			continue;
		mlv_json_key_str(j, mlv_run_str(run, p->key));
		if (p->kind == MLV_PROP_INT)
			mlv_json_int(j, p->number);
		else if (p->kind == MLV_PROP_BOOL)
			mlv_json_bool(j, p->number != 0);
		else
			mlv_json_str(j, mlv_run_str(run, p->text));
	}
	mlv_json_object_end(j);
}

void mlv_contents_json(const struct mlv_run *run, struct mlv_json *j)
{
	sections_json(run, j);
	spans_json(run, j);
	groups_json(run, j);
	mlv_json_key_uint(j, "samples", run->samples.len);
	mlv_json_key_uint(j, "metrics", run->metrics.len);
	mlv_findings_json(run, NULL, j);
	properties_json(run, j);
}
