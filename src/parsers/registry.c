/* SPDX-License-Identifier: MIT */
/* The list of formats, and the choice among them by content. */
#include <string.h>

#include "parsers/parser.h"
#include "parsers/text/text.h"

extern const struct mlv_parser mlv_parser_py_spy_json;
extern const struct mlv_parser mlv_parser_memory_stats;
extern const struct mlv_parser mlv_parser_cprofile_binary;
extern const struct mlv_parser mlv_parser_fr_dump;
extern const struct mlv_parser mlv_parser_kineto;
extern const struct mlv_parser mlv_parser_hyperfine;
extern const struct mlv_parser mlv_parser_memory_report;
extern const struct mlv_parser mlv_parser_memory_timeline;
extern const struct mlv_parser mlv_parser_snapshot;
extern const struct mlv_parser mlv_parser_strace_parts;
extern const struct mlv_parser mlv_parser_text;

const struct mlv_parser *const mlv_parsers[] = {
	&mlv_parser_py_spy_json,
	&mlv_parser_memory_stats,
	&mlv_parser_cprofile_binary,
	&mlv_parser_fr_dump,
	&mlv_parser_kineto,
	&mlv_parser_hyperfine,
	&mlv_parser_memory_report,
	&mlv_parser_memory_timeline,
	&mlv_parser_snapshot,
	&mlv_parser_text,
	NULL,
};

static const struct mlv_parser *by_name(const char *name)
{
	for (size_t i = 0; mlv_parsers[i]; i++) {
		if (strcmp(mlv_parsers[i]->name, name) == 0)
			return mlv_parsers[i];
	}
	for (size_t i = 0; mlv_text_formats[i]; i++) {
		if (strcmp(mlv_text_formats[i]->name, name) == 0)
			return &mlv_parser_text;
	}
	return NULL;
}

bool mlv_format_at(size_t i, const char **name, const char **summary)
{
	size_t parsers = sizeof(mlv_parsers) / sizeof(mlv_parsers[0]) - 1;
	if (i < parsers) {
		*name = mlv_parsers[i]->name;
		*summary = mlv_parsers[i]->summary;
		return true;
	}
	for (size_t k = 0; mlv_text_formats[k]; k++) {
		if (parsers + k == i) {
			*name = mlv_text_formats[k]->name;
			*summary = mlv_text_formats[k]->summary;
			return true;
		}
	}
	return false;
}

const struct mlv_parser *mlv_parser_of_part(struct mlv_bytes head, int64_t number, const char *name)
{
	const struct mlv_parser *p = &mlv_parser_strace_parts;
	bool wanted = !name || strcmp(name, p->name) == 0;
	return wanted && p->part(head, number) ? p : NULL;
}

enum mlv_rc mlv_parser_find(struct mlv_bytes head, const char *name,
			    const struct mlv_parser **parser, struct mlv_err *err)
{
	if (name) {
		*parser = by_name(name);
		if (*parser)
			return MLV_OK;
		return mlv_err_set(err, MLV_E_USAGE,
				   "no format is called '%s'; `mlviz formats` lists them", name);
	}
	const struct mlv_parser *best = NULL, *rival = NULL;
	int best_score = 0;
	for (size_t i = 0; mlv_parsers[i]; i++) {
		int score = mlv_parsers[i]->probe(head);
		if (score > best_score) {
			best = mlv_parsers[i];
			best_score = score;
			rival = NULL;
		} else if (score && score == best_score) {
			rival = mlv_parsers[i];
		}
	}
	if (rival)
		return mlv_err_set(err, MLV_E_FORMAT,
				   "could be %s or %s; say which with --format NAME", best->name,
				   rival->name);
	if (!best)
		return mlv_err_set(err, MLV_E_FORMAT,
				   head.n ? "looks like %s, and no format that mlviz reads; "
					    "`mlviz formats` lists those"
					  : "the file is %s: whatever should have written it did "
					    "not get to it",
				   mlv_looks_like(head));
	*parser = best;
	return MLV_OK;
}
