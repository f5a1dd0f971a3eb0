/* SPDX-License-Identifier: MIT */
/* Tables of what reports hold: spans with their attributes, groups, samples, metrics, findings. */
#include <math.h>

#include "report/export/relation_row.h"

static size_t spans(const struct mlv_relation_source *s)
{
	return s->run->spans.len;
}

static bool span_row(struct mlv_relation_source *s, size_t i, struct mlv_relation_row *r)
{
	const struct mlv_span *p = &s->run->spans.data[i];
	int64_t took;
	mlv_row_uint(r, i);
	mlv_row_track(r, p->track);
	mlv_row_str(r, mlv_run_str(s->run, p->name));
	mlv_row_name(r, s->run, p->category);
	mlv_row_name(r, s->run, p->status);
	mlv_row_int_unless(r, p->start_ns, MLV_NO_TIME);
	mlv_row_int_unless(r, p->end_ns, MLV_NO_TIME);
	if (mlv_run_span_took(p, &took))
		mlv_row_int(r, took);
	else
		mlv_row_none(r);
	mlv_row_int(r, mlv_run_span_open(s->run, p));
	mlv_row_int_unless(r, p->bytes, -1);
	mlv_row_int_unless(r, p->line, 0);
	mlv_row_stack(r, p->stack);
	return true;
}

const struct mlv_relation mlv_relation_spans = {
	"spans",
	MLV_RELATION_COLUMNS({ "span", "INTEGER" }, { "track", "INTEGER" }, { "name", "TEXT" },
			     { "category", "TEXT" }, { "status", "TEXT" },
			     { "start_ns", "INTEGER" }, { "end_ns", "INTEGER" },
			     { "duration_ns", "INTEGER" }, { "open", "INTEGER" },
			     { "bytes", "INTEGER" }, { "line", "INTEGER" }, { "stack", "INTEGER" }),
	spans, span_row
};

static size_t attributes(const struct mlv_relation_source *s)
{
	return s->run->attrs.len;
}

static bool attribute_row(struct mlv_relation_source *s, size_t i, struct mlv_relation_row *r)
{
	const struct mlv_attr *a = &s->run->attrs.data[i];
	bool finding = s->owner_is_finding[i];
	mlv_row_int_unless(r, finding ? UINT32_MAX : s->owner[i], UINT32_MAX);
	mlv_row_int_unless(r, finding ? s->owner[i] : UINT32_MAX, UINT32_MAX);
	mlv_row_str(r, mlv_run_str(s->run, a->key));
	if (a->is_text) {
		mlv_row_none(r);
		mlv_row_str(r, mlv_run_str(s->run, a->text));
	} else {
		mlv_row_int(r, a->number);
		mlv_row_none(r);
	}
	return true;
}

const struct mlv_relation mlv_relation_attributes = {
	"attributes",
	MLV_RELATION_COLUMNS({ "span", "INTEGER" }, { "finding", "INTEGER" }, { "key", "TEXT" },
			     { "number", "INTEGER" }, { "text", "TEXT" }),
	attributes, attribute_row
};

static size_t groups(const struct mlv_relation_source *s)
{
	return s->run->groups.len;
}

static bool group_row(struct mlv_relation_source *s, size_t i, struct mlv_relation_row *r)
{
	const struct mlv_group *g = &s->run->groups.data[i];
	mlv_row_str(r, mlv_run_str(s->run, g->name));
	mlv_row_name(r, s->run, g->description);
	mlv_row_name(r, s->run, g->members);
	mlv_row_int(r, g->member_count);
	mlv_row_int_unless(r, g->last_enqueued, -1);
	mlv_row_int_unless(r, g->last_started, -1);
	mlv_row_int_unless(r, g->last_completed, -1);
	return true;
}

const struct mlv_relation mlv_relation_groups = {
	"process_groups",
	MLV_RELATION_COLUMNS({ "name", "TEXT" }, { "description", "TEXT" }, { "members", "TEXT" },
			     { "member_count", "INTEGER" }, { "last_enqueued", "INTEGER" },
			     { "last_started", "INTEGER" }, { "last_completed", "INTEGER" }),
	groups, group_row
};

void mlv_row_decimal(struct mlv_relation_row *r, struct mlv_decimal d)
{
	char text[64];
	double v = mlv_decimal_value(d);
	if (isnan(v))
		mlv_row_none(r);
	else
		mlv_row_real(r, v);
	mlv_decimal_text(d, text, sizeof(text));
	mlv_buf_puts(mlv_row_make(r, 0), text);
	mlv_row_made(r, 0);
}

static size_t samples(const struct mlv_relation_source *s)
{
	return s->run->samples.len;
}

static bool sample_row(struct mlv_relation_source *s, size_t i, struct mlv_relation_row *r)
{
	const struct mlv_sample *x = &s->run->samples.data[i];
	mlv_row_uint(r, i);
	mlv_row_int_unless(r, x->time_ns, MLV_NO_TIME);
	mlv_row_track(r, x->track);
	mlv_row_str(r, mlv_run_str(s->run, x->metric));
	mlv_row_name(r, s->run, x->phase);
	mlv_row_int_unless(r, x->step, MLV_NO_STEP);
	mlv_row_int_unless(r, x->line, 0);
	mlv_row_decimal(r, x->value);
	return true;
}

const struct mlv_relation mlv_relation_samples = {
	"samples",
	MLV_RELATION_COLUMNS({ "sample", "INTEGER" }, { "time_ns", "INTEGER" },
			     { "track", "INTEGER" }, { "metric", "TEXT" }, { "phase", "TEXT" },
			     { "step", "INTEGER" }, { "line", "INTEGER" }, { "value", "REAL" },
			     { "printed", "TEXT" }),
	samples, sample_row
};

static size_t metrics(const struct mlv_relation_source *s)
{
	return s->run->metrics.len;
}

static bool metric_row(struct mlv_relation_source *s, size_t i, struct mlv_relation_row *r)
{
	const struct mlv_metric *m = &s->run->metrics.data[i];
	mlv_row_int(r, m->section);
	mlv_row_int(r, m->row);
	mlv_row_str(r, mlv_run_str(s->run, m->subject));
	mlv_row_str(r, mlv_run_str(s->run, m->metric));
	mlv_row_int_unless(r, m->line, 0);
	mlv_row_decimal(r, m->value);
	return true;
}

const struct mlv_relation mlv_relation_metrics = {
	"metrics",
	MLV_RELATION_COLUMNS({ "section", "INTEGER" }, { "table_row", "INTEGER" },
			     { "subject", "TEXT" }, { "metric", "TEXT" }, { "line", "INTEGER" },
			     { "value", "REAL" }, { "printed", "TEXT" }),
	metrics, metric_row
};

static size_t findings(const struct mlv_relation_source *s)
{
	return s->run->findings.len;
}

static bool finding_row(struct mlv_relation_source *s, size_t i, struct mlv_relation_row *r)
{
	const struct mlv_finding *f = &s->run->findings.data[i];
	mlv_row_uint(r, i);
	mlv_row_text(r, mlv_finding_severity_name(f->severity));
	mlv_row_str(r, mlv_run_str(s->run, f->code));
	mlv_row_str(r, mlv_run_str(s->run, f->text));
	mlv_row_name(r, s->run, f->file);
	mlv_row_int_unless(r, f->file_line, 0);
	mlv_row_int_unless(r, f->line, 0);
	mlv_row_int_unless(r, f->last_line, 0);
	mlv_row_int_unless(r, f->rank, -1);
	mlv_row_stack(r, f->stack);
	return true;
}

const struct mlv_relation mlv_relation_findings = {
	"findings",
	MLV_RELATION_COLUMNS({ "finding", "INTEGER" }, { "severity", "TEXT" }, { "code", "TEXT" },
			     { "text", "TEXT" }, { "file", "TEXT" }, { "file_line", "INTEGER" },
			     { "line", "INTEGER" }, { "last_line", "INTEGER" },
			     { "rank", "INTEGER" }, { "stack", "INTEGER" }),
	findings, finding_row
};

static size_t sections(const struct mlv_relation_source *s)
{
	return s->run->sections.len;
}

static bool section_row(struct mlv_relation_source *s, size_t i, struct mlv_relation_row *r)
{
	const struct mlv_section *x = &s->run->sections.data[i];
	mlv_row_uint(r, i);
	mlv_row_text(r, x->format);
	mlv_row_name(r, s->run, x->title);
	mlv_row_int_unless(r, x->line, 0);
	mlv_row_int_unless(r, x->last_line, 0);
	mlv_row_int_unless(r, x->rank, -1);
	mlv_row_uint(r, x->rows);
	return true;
}

const struct mlv_relation mlv_relation_sections = {
	"sections",
	MLV_RELATION_COLUMNS({ "section", "INTEGER" }, { "format", "TEXT" }, { "title", "TEXT" },
			     { "line", "INTEGER" }, { "last_line", "INTEGER" },
			     { "rank", "INTEGER" }, { "rows", "INTEGER" }),
	sections, section_row
};
