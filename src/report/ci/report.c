/* SPDX-License-Identifier: MIT */
#include "report/ci/report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/ci/rows.h"

void mlv_report_init(struct mlv_report *r)
{
	*r = (struct mlv_report){ .title = "" };
	mlv_ci_findings_init(&r->findings);
}

void mlv_report_rank_fini(struct mlv_report_rank *k)
{
	mlv_vec_free(&k->inputs);
	mlv_vec_free(&k->top);
	mlv_vec_free(&k->leaks);
	mlv_vec_free(&k->pictures);
	free(k->series.requested);
	free(k->series.reserved);
}

void mlv_report_fini(struct mlv_report *r)
{
	for (size_t i = 0; i < r->inputs.len; i++)
		mlv_vec_free(&r->inputs.data[i].notes);
	for (size_t i = 0; i < r->ranks.len; i++)
		mlv_report_rank_fini(&r->ranks.data[i]);
	for (size_t i = 0; i < r->cards.len; i++)
		mlv_vec_free(&r->cards.data[i].details);
	mlv_vec_free(&r->inputs);
	mlv_vec_free(&r->ranks);
	mlv_vec_free(&r->cards);
	mlv_vec_free(&r->statements);
	mlv_vec_free(&r->figures);
	mlv_vec_free(&r->pictures);
	mlv_vec_free(&r->files);
	mlv_vec_free(&r->cut);
	mlv_vec_free(&r->waits_details);
	mlv_observations_fini(&r->observations);
	mlv_ci_findings_fini(&r->findings);
	mlv_arena_fini(&r->texts);
}

const char *mlv_report_say(struct mlv_report *r, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	const char *text = mlv_arena_vprintf(&r->texts, fmt, ap);
	va_end(ap);
	r->failed |= !text;
	return text ? text : "";
}

const char *mlv_report_copy(struct mlv_report *r, struct mlv_str s)
{
	const char *text = mlv_arena_strndup(&r->texts, s.n ? s.p : "", s.n);
	r->failed |= !text;
	return text ? text : "";
}

struct mlv_report_rank *mlv_report_rank_add(struct mlv_report *r, int64_t rank, int64_t device,
					    uint32_t input)
{
	struct mlv_report_rank k = { .rank = rank,
				     .device = device,
				     .label = "",
				     .requested_peak = MLV_UNTOLD,
				     .allocated_peak = MLV_UNTOLD,
				     .reserved_peak = MLV_UNTOLD,
				     .requested_end = MLV_UNTOLD,
				     .reserved_end = MLV_UNTOLD,
				     .capacity = MLV_UNTOLD,
				     .idle_bytes = MLV_UNTOLD,
				     .retries = MLV_UNTOLD,
				     .steps_until_full = MLV_UNTOLD,
				     .wait_ns = MLV_UNTOLD };
	if (!mlv_vec_push(&k.inputs, input) || !mlv_vec_push(&r->ranks, k)) {
		mlv_vec_free(&k.inputs);
		r->failed = true;
		return NULL;
	}
	return &r->ranks.data[r->ranks.len - 1];
}

const char *mlv_report_picture_kind_name(enum mlv_report_picture_kind kind)
{
	static const char *const names[MLV_REPORT_PICTURES] = {
		"timeline", "trace", "samples", "replay", "classify", "hang", "diff",
	};
	return names[kind];
}

static bool is_taken(const struct mlv_report *r, const char *stem)
{
	for (size_t i = 0; i < r->pictures.len; i++) {
		if (strcmp(r->pictures.data[i].stem, stem) == 0)
			return true;
	}
	return false;
}

/* What is safe in a name of a file, an address and a table: letters, digits, '.', '-' and '_'. */
static void slug(struct mlv_str name, char *buf, size_t size)
{
	static const struct mlv_str endings[] = {
		MLV_STR_INIT(".gz"),  MLV_STR_INIT(".zst"),  MLV_STR_INIT(".pickle"),
		MLV_STR_INIT(".pkl"), MLV_STR_INIT(".json"), MLV_STR_INIT(".txt"),
		MLV_STR_INIT(".log"),
	};
	size_t n = 0;
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		if (name.n > endings[i].n && mlv_str_has_suffix(name, endings[i]))
			name.n -= endings[i].n;
	}
	for (; n < name.n && n + 1 < size; n++) {
		char c = name.p[n];
		bool plain = mlv_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			     (n && (c == '.' || c == '-')) || c == '_';
		buf[n] = plain ? c : '_';
	}
	buf[n] = '\0';
}

const char *mlv_report_picture_add(struct mlv_report *r, enum mlv_report_picture_kind kind,
				   uint32_t input, const char *title)
{
	const struct mlv_report_input *in = input != MLV_NO_INPUT ? &r->inputs.data[input] : NULL;
	char of[64] = "", stem[128];
	if (in && in->rank >= 0)
		snprintf(of, sizeof(of), "rank%" PRId64, in->rank);
	else if (in)
		slug(mlv_str_basename(mlv_str_of(in->file)), of, sizeof(of));
	snprintf(stem, sizeof(stem), "%s%s%s", of, *of ? "-" : "",
		 mlv_report_picture_kind_name(kind));
	for (unsigned n = 2; is_taken(r, stem); n++)
		snprintf(stem, sizeof(stem), "%s%s%s-%u", of, *of ? "-" : "",
			 mlv_report_picture_kind_name(kind), n);
	struct mlv_report_picture p = { .stem = mlv_report_copy(r, mlv_str_of(stem)),
					.title = mlv_report_copy(r, mlv_str_of(title)),
					.kind = kind,
					.rank = in ? in->rank : -1,
					.input = input };
	r->failed |= !mlv_vec_push(&r->pictures, p);
	return p.stem;
}

const char *mlv_report_state_name(enum mlv_report_state s)
{
	static const char *const names[] = { "unknown", "good", "warning", "error" };
	return names[s];
}
