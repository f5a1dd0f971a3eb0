/* SPDX-License-Identifier: MIT */
#include "report/ci/report_json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/json_write.h"
#include "report/ci/number.h"

static void texts(struct mlv_json *j, const char *key, const char *const *list, size_t n)
{
	mlv_json_key_array(j, key);
	for (size_t i = 0; i < n; i++)
		mlv_json_text(j, list[i]);
	mlv_json_array_end(j);
}

static void known(struct mlv_json *j, const char *key, int64_t v)
{
	mlv_json_key(j, key);
	if (v == MLV_UNTOLD)
		mlv_json_null(j);
	else
		mlv_json_int(j, v);
}

static void number(struct mlv_json *j, const char *key, double v, bool is_known)
{
	mlv_json_key(j, key);
	if (is_known)
		mlv_ci_number(j, v);
	else
		mlv_json_null(j);
}

static void place(struct mlv_json *j, const struct mlv_ci_place *p)
{
	mlv_json_key(j, "place");
	if (!p->file) {
		mlv_json_null(j);
		return;
	}
	mlv_json_object(j);
	mlv_json_key_text(j, "function", p->function);
	mlv_json_key_text(j, "file", p->file);
	mlv_json_key_int(j, "line", p->line);
	mlv_json_object_end(j);
}

static void inputs(const struct mlv_report *r, struct mlv_json *j)
{
	mlv_json_key_array(j, "inputs");
	for (size_t i = 0; i < r->inputs.len; i++) {
		const struct mlv_report_input *in = &r->inputs.data[i];
		mlv_json_object(j);
		mlv_json_key_text(j, "file", in->file);
		mlv_json_key_text(j, "format", in->format);
		mlv_json_key_text(j, "title", in->title);
		known(j, "rank", in->rank);
		mlv_json_key_uint(j, "events", in->events);
		mlv_json_key_uint(j, "rows", in->rows);
		mlv_json_key_array(j, "diagnostics");
		for (size_t k = 0; k < in->notes.len; k++) {
			mlv_json_object(j);
			mlv_json_key_text(j, "severity",
					  mlv_severity_name(in->notes.data[k].severity));
			mlv_json_key_text(j, "code", in->notes.data[k].code);
			mlv_json_key_text(j, "text", in->notes.data[k].text);
			mlv_json_object_end(j);
		}
		mlv_json_array_end(j);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}

static void numbers(struct mlv_json *j, const char *key, const uint64_t *list, size_t n)
{
	mlv_json_key_array(j, key);
	for (size_t i = 0; i < n; i++)
		mlv_json_uint(j, list[i]);
	mlv_json_array_end(j);
}

static void series(const struct mlv_report_series *s, struct mlv_json *j)
{
	mlv_json_key(j, "series");
	if (!s->count) {
		mlv_json_null(j);
		return;
	}
	mlv_json_object(j);
	number(j, "x0", s->x0, true);
	number(j, "x1", s->x1, true);
	numbers(j, "requested_most", s->requested, s->count);
	numbers(j, "reserved_most", s->reserved, s->count);
	mlv_json_key_text(j, "by", s->by_time ? "time" : "event");
	mlv_json_object_end(j);
}

static void rank(const struct mlv_report_rank *k, struct mlv_json *j)
{
	mlv_json_object(j);
	known(j, "rank", k->rank);
	known(j, "device", k->device);
	mlv_json_key_text(j, "label", k->label);
	mlv_json_key_array(j, "inputs");
	for (size_t i = 0; i < k->inputs.len; i++)
		mlv_json_uint(j, k->inputs.data[i]);
	mlv_json_array_end(j);
	mlv_json_key_text(j, "recording", k->file);
	known(j, "peak_requested", k->requested_peak);
	known(j, "peak_allocated", k->allocated_peak);
	known(j, "peak_reserved", k->reserved_peak);
	known(j, "end_requested", k->requested_end);
	known(j, "end_reserved", k->reserved_end);
	known(j, "reserved_beyond_allocated", k->idle_bytes);
	known(j, "alloc_retries", k->retries);
	known(j, "capacity", k->capacity);
	mlv_json_key_text(j, "growth", k->judged ? mlv_growth_name(k->growth) : NULL);
	mlv_json_key_text(j, "confidence", k->judged ? mlv_confidence_name(k->confidence) : NULL);
	known(j, "cumulative_bytes_per_step", k->judged ? k->growth_bytes : MLV_UNTOLD);
	known(j, "steps", k->judged ? k->steps : MLV_UNTOLD);
	known(j, "steps_until_full", k->steps_until_full);
	mlv_json_key_bool(j, "oom", k->oom);
	mlv_json_key_bool(j, "complete", k->complete);
	known(j, "collective_wait_ns", k->wait_ns);
	series(&k->series, j);
	mlv_json_key_array(j, "leaks");
	for (size_t i = 0; i < k->leaks.len; i++) {
		const struct mlv_report_leak *x = &k->leaks.data[i];
		mlv_json_object(j);
		mlv_json_key_text(j, "function", x->function);
		mlv_json_key_text(j, "place", x->place);
		mlv_json_key_text(j, "frames", x->frames);
		mlv_json_key_int(j, "bytes_per_step", (int64_t)(x->bytes_per_step + 0.5));
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
	texts(j, "pictures", k->pictures.data, k->pictures.len);
	mlv_json_object_end(j);
}

static void cards(const struct mlv_report *r, struct mlv_json *j)
{
	mlv_json_key_array(j, "cards");
	for (size_t i = 0; i < r->cards.len; i++) {
		const struct mlv_report_card *c = &r->cards.data[i];
		mlv_json_object(j);
		mlv_json_key_text(j, "id", c->id);
		mlv_json_key_text(j, "state", mlv_report_state_name(c->state));
		mlv_json_key_text(j, "title", c->title);
		mlv_json_key_text(j, "headline", c->headline);
		texts(j, "details", c->details.data, c->details.len);
		mlv_json_key_text(j, "picture", c->picture);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}

static void finding(const struct mlv_ci_finding *f, struct mlv_json *j)
{
	char fingerprint[20];
	snprintf(fingerprint, sizeof(fingerprint), "%016" PRIx64, f->fingerprint);
	mlv_json_object(j);
	mlv_json_key_text(j, "rule", f->rule->id);
	mlv_json_key_text(j, "severity", mlv_finding_severity_name(f->severity));
	mlv_json_key_text(j, "message", f->message);
	mlv_json_key_text(j, "subject", f->subject);
	mlv_json_key_text(j, "ranks", f->ranks);
	mlv_json_key_text(j, "metric", f->metric);
	mlv_json_key_text(j, "unit", f->unit);
	number(j, "actual", f->actual, f->has_actual);
	number(j, "limit", f->limit, f->has_limit);
	place(j, &f->place);
	mlv_json_key_text(j, "input", f->input);
	known(j, "input_line", f->input_line ? (int64_t)f->input_line : MLV_UNTOLD);
	mlv_json_key_text(j, "picture", f->picture);
	texts(j, "details", f->details.data, f->details.len);
	mlv_json_key_text(j, "fingerprint", fingerprint);
	mlv_json_object_end(j);
}

static void changes(const struct mlv_report *r, struct mlv_json *j)
{
	mlv_json_key(j, "changes");
	if (!r->baseline) {
		mlv_json_null(j);
		return;
	}
	mlv_json_object(j);
	mlv_json_key_array(j, "statements");
	for (size_t i = 0; i < r->statements.len; i++)
		mlv_json_text(j, r->statements.data[i].text);
	mlv_json_array_end(j);
	mlv_json_key_array(j, "figures");
	for (size_t i = 0; i < r->figures.len; i++) {
		const struct mlv_report_figure *f = &r->figures.data[i];
		mlv_json_object(j);
		mlv_json_key_text(j, "rank", f->rank);
		mlv_json_key_text(j, "name", f->name);
		mlv_json_key_int(j, "a", f->a);
		mlv_json_key_int(j, "b", f->b);
		mlv_json_key_text(j, "unit", f->unit);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
	mlv_json_object_end(j);
}

static void top(const struct mlv_report *r, struct mlv_json *j)
{
	mlv_json_key_array(j, "top");
	for (size_t i = 0; i < r->ranks.len; i++) {
		const struct mlv_report_rank *k = &r->ranks.data[i];
		if (!k->top.len)
			continue;
		mlv_json_object(j);
		mlv_json_key_text(j, "label", k->label);
		known(j, "rank", k->rank);
		known(j, "device", k->device);
		mlv_json_key_array(j, "sites");
		for (size_t s = 0; s < k->top.len; s++) {
			mlv_json_object(j);
			mlv_json_key_text(j, "function", k->top.data[s].function);
			mlv_json_key_text(j, "place", k->top.data[s].place);
			mlv_json_key_uint(j, "bytes", k->top.data[s].bytes);
			mlv_json_key_uint(j, "count", k->top.data[s].count);
			mlv_json_object_end(j);
		}
		mlv_json_array_end(j);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}

static void pictures(const struct mlv_report *r, struct mlv_json *j)
{
	mlv_json_key_array(j, "pictures");
	for (size_t i = 0; i < r->pictures.len; i++) {
		const struct mlv_report_picture *p = &r->pictures.data[i];
		mlv_json_object(j);
		mlv_json_key_text(j, "stem", p->stem);
		mlv_json_key_text(j, "title", p->title);
		mlv_json_key_text(j, "kind", mlv_report_picture_kind_name(p->kind));
		known(j, "rank", p->rank);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}

static void heading(const struct mlv_report *r, struct mlv_json *j)
{
	mlv_json_key_text(j, "mlviz", MLV_VERSION);
	mlv_json_key_text(j, "title", r->title);
	mlv_json_key_text(j, "state", mlv_report_state_name(r->state));
	mlv_json_key_text(j, "headline", r->headline);
	mlv_json_key(j, "baseline");
	if (!r->baseline) {
		mlv_json_null(j);
		return;
	}
	mlv_json_object(j);
	mlv_json_key_text(j, "name", r->baseline);
	mlv_json_key_uint(j, "inputs", r->baseline_inputs);
	mlv_json_object_end(j);
}

void mlv_report_json(const struct mlv_report *r, struct mlv_buf *out)
{
	struct mlv_json j;
	mlv_json_document(&j, out, "mlviz.report/1");
	heading(r, &j);
	cards(r, &j);
	mlv_json_key_array(&j, "findings");
	for (size_t i = 0; i < r->findings.list.len; i++)
		finding(&r->findings.list.data[i], &j);
	mlv_json_array_end(&j);
	mlv_budget_results_json(r->budgets, &j);
	changes(r, &j);
	mlv_json_key_array(&j, "ranks");
	for (size_t i = 0; i < r->ranks.len; i++)
		rank(&r->ranks.data[i], &j);
	mlv_json_array_end(&j);
	top(r, &j);
	inputs(r, &j);
	mlv_json_key_uint(&j, "ignored", r->ignored);
	pictures(r, &j);
	texts(&j, "files", r->files.data, r->files.len);
	texts(&j, "cut", r->cut.data, r->cut.len);
	mlv_json_document_end(&j);
}
