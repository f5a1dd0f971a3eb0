/* SPDX-License-Identifier: MIT */
#include "report/ci/observation.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "report/ci/report.h"

enum { DETAILS_MOST = 12, VALUES_MOST = 4 };

struct mlv_observation *mlv_observe(struct mlv_report *r, const char *rule, const char *subject)
{
	struct mlv_observation o = { .rule = rule,
				     .severity = mlv_rule_find(rule)->severity,
				     .subject = subject,
				     .head = "",
				     .value = "",
				     .rank = -1 };
	if (!mlv_vec_push(&r->observations.list, o)) {
		r->failed = true;
		return NULL;
	}
	return &r->observations.list.data[r->observations.list.len - 1];
}

void mlv_observation_detail(struct mlv_report *r, struct mlv_observation *o, const char *text)
{
	r->failed |= !mlv_vec_push(&o->details, text);
}

void mlv_observations_fini(struct mlv_observations *o)
{
	for (size_t i = 0; i < o->list.len; i++)
		mlv_vec_free(&o->list.data[i].details);
	mlv_vec_free(&o->list);
}

const char *mlv_report_ranks_text(struct mlv_report *r, const int64_t *ranks, size_t n)
{
	struct mlv_buf b = { 0 };
	for (size_t i = 0, end; i < n; i = end) {
		end = i + 1;
		while (end < n && ranks[end] == ranks[end - 1] + 1)
			end++;
		mlv_buf_puts(&b, i ? ", " : "");
		mlv_buf_int(&b, ranks[i]);
		if (end - i > 1) {
			mlv_buf_puts(&b, end - i > 2 ? "-" : ", ");
			mlv_buf_int(&b, ranks[end - 1]);
		}
	}
	const char *text = mlv_report_copy(r, (struct mlv_str){ b.data, b.len });
	r->failed |= b.failed;
	mlv_buf_fini(&b);
	return text;
}

static int text_order(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

/* Those without a rank are of their file alone. */
static int group_order(const struct mlv_observation *a, const struct mlv_observation *b)
{
	int c = strcmp(a->rule, b->rule);
	if (!c)
		c = strcmp(a->subject, b->subject);
	if (!c)
		c = strcmp(a->group ? a->group : a->head, b->group ? b->group : b->head);
	if (!c)
		c = (a->rank < 0) - (b->rank < 0);
	if (!c && a->rank < 0)
		c = text_order(a->input, b->input);
	return c;
}

static int order(const void *pa, const void *pb)
{
	const struct mlv_observation *a = pa, *b = pb;
	int c = group_order(a, b);
	if (!c)
		c = (a->rank > b->rank) - (a->rank < b->rank);
	if (!c)
		c = (a->actual < b->actual) - (a->actual > b->actual);
	if (!c)
		c = text_order(a->input, b->input);
	return c ? c : (a->input_line > b->input_line) - (a->input_line < b->input_line);
}

/* One rank says a thing once: of several files the one with most to say. */
static size_t distinct(struct mlv_observation *list, size_t n)
{
	size_t kept = 0;
	for (size_t i = 0; i < n; i++) {
		if (kept && list[i].rank >= 0 && list[i].rank == list[kept - 1].rank) {
			mlv_vec_free(&list[i].details);
			continue;
		}
		struct mlv_observation o = list[i];
		if (kept != i)
			memset(&list[i], 0, sizeof(list[i]));
		list[kept++] = o;
	}
	return kept;
}

static const struct mlv_observation *largest(const struct mlv_observation *list, size_t n)
{
	const struct mlv_observation *most = list;
	for (size_t i = 1; i < n; i++)
		most = list[i].actual > most->actual ? &list[i] : most;
	return most;
}

/* "rank 3: 46.9 MiB a step; ranks 0-2: 31.3 MiB a step", the largest first. */
static void values(struct mlv_report *r, const struct mlv_observation *list, size_t n,
		   struct mlv_buf *out)
{
	int64_t *ranks = malloc(n * sizeof(*ranks));
	bool *said = calloc(n, sizeof(*said));
	r->failed |= !ranks || !said;
	size_t groups = 0;
	for (size_t left = n; ranks && said && left;) {
		size_t best = n, same = 0;
		if (groups++ == VALUES_MOST) {
			mlv_buf_printf(out, "; and %zu more", left);
			break;
		}
		for (size_t i = 0; i < n; i++) {
			if (!said[i] && (best == n || list[i].actual > list[best].actual))
				best = i;
		}
		for (size_t i = 0; i < n; i++) {
			if (said[i] || strcmp(list[i].value, list[best].value) != 0)
				continue;
			said[i] = true;
			ranks[same++] = list[i].rank;
		}
		mlv_buf_puts(out, left == n ? "" : "; ");
		mlv_buf_puts(out, same > 1 ? "ranks " : "rank ");
		mlv_buf_puts(out, mlv_report_ranks_text(r, ranks, same));
		if (*list[best].value)
			mlv_buf_puts(out, ": ");
		mlv_buf_puts(out, list[best].value);
		left -= same;
	}
	free(ranks);
	free(said);
}

static const char *message(struct mlv_report *r, const struct mlv_observation *list, size_t n)
{
	struct mlv_buf b = { 0 };
	mlv_buf_puts(&b, list[0].head);
	if (list[0].rank >= 0 && !list[0].ranks) {
		mlv_buf_puts(&b, *list[0].value ? ": " : ", ");
		values(r, list, n, &b);
	} else {
		const struct mlv_observation *o = largest(list, n);
		/* Among several, which file it is of. */
		bool named = !o->ranks && !o->stated && o->input && r->ranks.len > 1;
		mlv_buf_puts(&b, named ? ": " : "");
		mlv_buf_puts(&b, named ? o->input : "");
		mlv_buf_puts(&b, *o->value ? ": " : "");
		mlv_buf_puts(&b, o->value);
	}
	const char *text = mlv_ci_text(&r->findings, "%s", b.data ? b.data : "");
	r->failed |= b.failed;
	mlv_buf_fini(&b);
	return text;
}

static const char *ranks_of(struct mlv_report *r, const struct mlv_observation *list, size_t n)
{
	if (list[0].ranks)
		return list[0].ranks;
	if (list[0].rank < 0)
		return "";
	int64_t *ranks = malloc(n * sizeof(*ranks));
	r->failed |= !ranks;
	for (size_t i = 0; ranks && i < n; i++)
		ranks[i] = list[i].rank;
	const char *text = ranks ? mlv_report_ranks_text(r, ranks, n) : "";
	free(ranks);
	return text;
}

static uint32_t first_line(const struct mlv_observation *list, size_t n)
{
	uint32_t line = list[0].input_line;
	for (size_t i = 1; i < n; i++)
		line = list[i].input_line < line ? list[i].input_line : line;
	return line;
}

static void settle(struct mlv_report *r, struct mlv_observation *list, size_t n)
{
	n = distinct(list, n);
	const struct mlv_observation *o = largest(list, n);
	struct mlv_ci_finding *f = mlv_ci_finding_add(&r->findings, o->rule);
	if (!f)
		return;
	f->message = message(r, list, n);
	f->severity = o->severity;
	f->subject = o->subject;
	f->ranks = ranks_of(r, list, n);
	f->metric = o->metric;
	f->unit = o->unit;
	f->has_actual = o->has_actual;
	f->actual = o->actual;
	f->place = o->place;
	f->input = o->input;
	f->input_line = o->input_line;
	f->picture = o->picture;
	for (size_t i = 0; i < n; i++)
		f->weight = list[i].weight > f->weight || !i ? list[i].weight : f->weight;
	if (o->stated && o->rank < 0 && n > 1)
		mlv_ci_detail(&r->findings, f,
			      mlv_report_say(r, "stated %zu times, first in line %" PRIu32, n,
					     first_line(list, n)));
	for (size_t i = 0; i < o->details.len && i < DETAILS_MOST; i++)
		mlv_ci_detail(&r->findings, f, o->details.data[i]);
}

static size_t without_dropped(struct mlv_observation *list, size_t n)
{
	size_t kept = 0;
	for (size_t i = 0; i < n; i++) {
		if (list[i].dropped)
			mlv_vec_free(&list[i].details);
		else
			list[kept++] = list[i];
	}
	return kept;
}

void mlv_observations_settle(struct mlv_report *r)
{
	struct mlv_observation *list = r->observations.list.data;
	size_t n = without_dropped(list, r->observations.list.len);
	r->observations.list.len = n;
	if (n)
		qsort(list, n, sizeof(*list), order);
	for (size_t i = 0, end; i < n; i = end) {
		end = i + 1;
		while (end < n && group_order(&list[i], &list[end]) == 0)
			end++;
		settle(r, &list[i], end - i);
	}
	mlv_ci_findings_sort(&r->findings);
	r->failed |= r->findings.failed;
}
