/* SPDX-License-Identifier: MIT */
#include "analysis/run_diff.h"

#include <stdio.h>
#include <string.h>

#include "analysis/alike.h"
#include "analysis/metric_tables.h"
#include "analysis/table_build.h"

/* ------------------------------------------------------------------ tables of one run */

struct named {
	struct mlv_table table;
	const char *format; /* of its section: tables of one format are compared first */
	bool taken;
};

struct tables {
	MLV_VEC(struct named) list;
};

static void tables_fini(struct tables *t)
{
	for (size_t i = 0; i < t->list.len; i++)
		mlv_table_fini(&t->list.data[i].table);
	mlv_vec_free(&t->list);
}

static enum mlv_rc keep(struct tables *t, struct mlv_table *table, const char *format,
			enum mlv_rc rc, struct mlv_err *err)
{
	struct named n = { .format = format };
	if (rc)
		return rc;
	n.table = *table;
	if (mlv_vec_push(&t->list, n))
		return MLV_OK;
	mlv_table_fini(table);
	return mlv_err_nomem(err);
}

/* How far each process group came. */
static enum mlv_rc group_table(struct mlv_table *t, const struct mlv_run *run, struct mlv_err *err)
{
	static const char *const columns[] = { "last completed", "last started", "last enqueued" };
	struct mlv_table_options o = { .by = NULL };
	struct mlv_table_builder b;
	enum mlv_rc rc = mlv_table_begin(&b, t, "process groups", columns, 3, &o, err);
	bool ok = !rc;
	for (size_t i = 0; ok && i < run->groups.len; i++) {
		const struct mlv_group *g = &run->groups.data[i];
		const int64_t last[] = { g->last_completed, g->last_started, g->last_enqueued };
		char name[300];
		snprintf(name, sizeof(name), "%.140s%s%.140s", mlv_run_str(run, g->name).p,
			 g->description.i ? " " : "", mlv_run_str(run, g->description).p);
		struct mlv_cell *c = mlv_table_row(&b, i, name, 0);
		ok = c != NULL;
		for (size_t k = 0; ok && g->has_status && k < 3; k++)
			c[k] = (struct mlv_cell){ last[k] >= 0,
						  mlv_decimal_int(last[k], MLV_UNIT_NONE) };
	}
	return rc ? rc : mlv_table_end(&b, ok, 0, err);
}

static enum mlv_rc metric_tables(struct tables *t, const struct mlv_run *run, struct mlv_err *err)
{
	struct mlv_table_options o = { .by = NULL };
	struct mlv_metric_tables m;
	struct mlv_table table;
	enum mlv_rc rc = mlv_metric_tables_init(&m, run, err);
	for (size_t i = 0; !rc && i < m.count; i++)
		rc = keep(t, &table, run->sections.data[m.section[i]].format,
			  mlv_table_metrics(&table, &m, i, &o, err), err);
	mlv_metric_tables_fini(&m);
	return rc;
}

static enum mlv_rc tables_of(struct tables *t, const struct mlv_run *run, struct mlv_err *err)
{
	struct mlv_table_options o = { .by = NULL };
	struct mlv_table table;
	enum mlv_rc rc = MLV_OK;
	/* Annotations beside memory events are no ranking of their own. */
	if (run->spans.len && !run->segments.len)
		rc = keep(t, &table, "spans", mlv_table_spans(&table, run, &o, err), err);
	if (!rc && run->groups.len)
		rc = keep(t, &table, "groups", group_table(&table, run, err), err);
	if (!rc)
		rc = metric_tables(t, run, err);
	/* How high a phase came says more of two runs than how it grew. */
	o.by = "most";
	if (!rc && run->samples.len)
		rc = keep(t, &table, "samples", mlv_table_samples(&table, run, &o, err), err);
	return rc;
}

/* ------------------------------------------------------------------ which with which */

/* The next table of B for this one of A: of its format first, else one with columns in common. */
static struct named *partner(struct tables *b, const struct named *a, bool same_format)
{
	for (size_t i = 0; i < b->list.len; i++) {
		struct named *n = &b->list.data[i];
		bool same = strcmp(n->format, a->format) == 0;
		if (!n->taken && same == same_format && mlv_tables_share(&a->table, &n->table))
			return n;
	}
	return NULL;
}

static enum mlv_rc pair(struct mlv_run_diff *d, struct tables *a, struct tables *b,
			bool same_format, const char *ignore, struct mlv_err *err)
{
	for (size_t i = 0; i < a->list.len; i++) {
		struct named *n = &a->list.data[i];
		struct named *m = n->taken ? NULL : partner(b, n, same_format);
		struct mlv_table_diff diff;
		if (!m)
			continue;
		n->taken = m->taken = true;
		d->shared++;
		enum mlv_rc rc = mlv_table_diff_init(&diff, &n->table, &m->table, ignore, err);
		if (rc)
			return rc;
		if (!mlv_vec_push(&d->tables, diff)) {
			mlv_table_diff_fini(&diff);
			return mlv_err_nomem(err);
		}
	}
	return MLV_OK;
}

static size_t left(const struct tables *t)
{
	size_t n = 0;
	for (size_t i = 0; i < t->list.len; i++)
		n += !t->list.data[i].taken;
	return n;
}

static enum mlv_rc diff_tables(struct mlv_run_diff *d, const char *ignore, struct mlv_err *err)
{
	struct tables a = { 0 }, b = { 0 };
	enum mlv_rc rc = tables_of(&a, d->run[0], err);
	if (!rc)
		rc = tables_of(&b, d->run[1], err);
	if (!rc)
		rc = pair(d, &a, &b, true, ignore, err);
	if (!rc)
		rc = pair(d, &a, &b, false, ignore, err);
	d->tables_only[0] = left(&a);
	d->tables_only[1] = left(&b);
	tables_fini(&a);
	tables_fini(&b);
	return rc;
}

/* ------------------------------------------------------------------ properties */

/* The second of one key belongs to the second. */
static const struct mlv_property *same_key(const struct mlv_run *from, size_t at,
					   const struct mlv_run *in)
{
	const struct mlv_property *p = &from->properties.data[at];
	struct mlv_str group = mlv_run_str(from, p->group), key = mlv_run_str(from, p->key);
	size_t number = 0;
	for (size_t i = 0; i < at; i++) {
		const struct mlv_property *q = &from->properties.data[i];
		number += q->key.i == p->key.i && q->group.i == p->group.i;
	}
	for (size_t i = 0; i < in->properties.len; i++) {
		const struct mlv_property *q = &in->properties.data[i];
		if (mlv_str_eq(mlv_run_str(in, q->key), key) &&
		    mlv_str_eq(mlv_run_str(in, q->group), group) && number-- == 0)
			return q;
	}
	return NULL;
}

static bool same_text(const struct mlv_run_diff *d, const struct mlv_property *p,
		      const struct mlv_property *q)
{
	bool texts = p->kind == MLV_PROP_TEXT || p->kind == MLV_PROP_DECIMAL;
	if (p->kind != q->kind)
		return false;
	return texts ? mlv_str_eq(mlv_run_str(d->run[0], p->text), mlv_run_str(d->run[1], q->text))
		     : p->number == q->number;
}

enum { MOST_PROPERTIES = 4096 }; /* each is looked up among all of the other run */

static enum mlv_rc diff_properties(struct mlv_run_diff *d, const char *ignore, struct mlv_err *err)
{
	/* Another kind of input states other facts: that it lacks these says nothing. */
	bool alike = strcmp(d->run[0]->format, d->run[1]->format) == 0;
	for (unsigned side = 0; side < 2; side++) {
		const struct mlv_run *run = d->run[side];
		for (size_t i = 0; i < run->properties.len && i < MOST_PROPERTIES; i++) {
			const struct mlv_property *p = &run->properties.data[i];
			const struct mlv_property *q = same_key(run, i, d->run[!side]);
			struct mlv_property_diff diff = { { p, q } };
			if ((side && q) || (!q && !alike)) /* came with those of A */
				continue;
			d->shared += q != NULL;
			if (mlv_ignores(ignore, mlv_run_str(run, p->key)) ||
			    (q && same_text(d, p, q)))
				continue;
			if (side)
				diff = (struct mlv_property_diff){ { NULL, p } };
			if (!mlv_vec_push(&d->properties, diff))
				return mlv_err_nomem(err);
		}
	}
	return MLV_OK;
}

/* ------------------------------------------------------------------ findings */

static bool count_findings(struct mlv_run_diff *d, struct mlv_map *ids, unsigned side,
			   const char *ignore)
{
	const struct mlv_run *run = d->run[side];
	for (size_t i = 0; i < run->findings.len; i++) {
		const struct mlv_finding *f = &run->findings.data[i];
		uint64_t key = mlv_finding_key(run, f);
		struct mlv_map_slot *slot = mlv_map_find(ids, key);
		if (mlv_ignores(ignore, mlv_run_str(run, f->code)))
			continue;
		if (!slot) {
			struct mlv_finding_diff fresh = { .finding = f, .run = run };
			if (!mlv_vec_push(&d->findings, fresh) ||
			    !mlv_map_set(ids, key, (uint32_t)d->findings.len - 1))
				return false;
			slot = mlv_map_find(ids, key);
		}
		d->findings.data[slot->value].count[side]++;
	}
	return true;
}

static enum mlv_rc diff_findings(struct mlv_run_diff *d, const char *ignore, struct mlv_err *err)
{
	struct mlv_map ids = { 0 };
	bool ok = count_findings(d, &ids, 0, ignore) && count_findings(d, &ids, 1, ignore);
	size_t kept = 0;
	mlv_map_fini(&ids);
	/* That one says something else than the other is a difference, too. */
	d->shared += d->run[0]->findings.len && d->run[1]->findings.len;
	for (size_t i = 0; i < d->findings.len; i++) {
		struct mlv_finding_diff f = d->findings.data[i];
		if (f.count[0] != f.count[1])
			d->findings.data[kept++] = f;
	}
	d->findings.len = kept;
	return ok ? MLV_OK : mlv_err_nomem(err);
}

/* ------------------------------------------------------------------ the whole */

enum mlv_rc mlv_run_diff_init(struct mlv_run_diff *d, const struct mlv_run *a,
			      const struct mlv_run *b, const char *ignore, struct mlv_err *err)
{
	*d = (struct mlv_run_diff){ .run = { a, b } };
	enum mlv_rc rc = diff_tables(d, ignore, err);
	if (!rc)
		rc = diff_properties(d, ignore, err);
	if (!rc)
		rc = diff_findings(d, ignore, err);
	if (rc)
		mlv_run_diff_fini(d);
	return rc;
}

void mlv_run_diff_fini(struct mlv_run_diff *d)
{
	for (size_t i = 0; i < d->tables.len; i++)
		mlv_table_diff_fini(&d->tables.data[i]);
	mlv_vec_free(&d->tables);
	mlv_vec_free(&d->properties);
	mlv_vec_free(&d->findings);
}

bool mlv_run_diff_any(const struct mlv_run_diff *d)
{
	bool any = d->properties.len || d->findings.len || d->tables_only[0] || d->tables_only[1];
	for (size_t i = 0; !any && i < d->tables.len; i++)
		any = d->tables.data[i].rows.len || d->tables.data[i].totals.len;
	return any;
}

void mlv_run_holds(const struct mlv_run *run, char *buf, size_t size)
{
	const struct {
		const char *name;
		size_t rows;
	} tables[] = {
		{ "memory of devices", run->devices.len }, { "spans", run->spans.len },
		{ "samples", run->samples.len },           { "tables of values", run->metrics.len },
		{ "process groups", run->groups.len },     { "findings", run->findings.len },
		{ "properties", run->properties.len },
	};
	size_t n = 0;
	snprintf(buf, size, "nothing");
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		if (tables[i].rows && n < size)
			n += (size_t)snprintf(buf + n, size - n, "%s%s", n ? ", " : "",
					      tables[i].name);
	}
}
