/* SPDX-License-Identifier: MIT */
#ifndef MLV_UNIT_READ_REPORT_H
#define MLV_UNIT_READ_REPORT_H
/*
 * Bytes into a run, as mlviz reads them, and files beside the tests: what the
 * suites of all formats share. text_reading.h, tables_text.h and
 * metric_reader.h ask the run, each in the way that suits its formats.
 */
#include <stdio.h>
#include <string.h>

#include "base/source.h"
#include "parsers/parser.h"
#include "unit.h"

/* What differs from a plain call of mlviz; zeroed: nothing. */
struct unit_reading {
	const char *format;      /* --format */
	const char *time_format; /* --time-format */
	size_t chunk;            /* bytes that arrive at a time; 0: all at once */
	uint64_t rows;           /* --limit rows */
};

/* The run is to be finished in any case. */
static inline enum mlv_rc unit_read(struct mlv_run *run, const void *data, size_t n,
				    struct unit_reading how, struct mlv_err *err)
{
	struct mlv_source *src;
	struct mlv_reader reader;
	const struct mlv_parser *parser;
	struct mlv_limits limits = mlv_limits_default;
	struct mlv_parse_options options = { .time_format = how.time_format };
	struct mlv_bytes bytes = { data, n };
	if (how.rows)
		limits.rows = how.rows;
	*err = MLV_ERR_INIT;
	unit_check(mlv_run_init(run, "input"));
	unit_check(!mlv_source_memory(&src, "input", bytes, how.chunk, &limits, NULL));
	mlv_reader_init(&reader, src);
	(void)mlv_reader_need(&reader, MLV_PROBE_BYTES);
	struct mlv_bytes head = { reader.p, (size_t)(reader.end - reader.p) };
	enum mlv_rc rc = mlv_parser_find(head, how.format, &parser, err);
	if (!rc) {
		struct mlv_parse p = { .reader = &reader,
				       .run = run,
				       .limits = &limits,
				       .options = &options,
				       .forced = how.format };
		run->format = parser->name;
		rc = parser->parse(&p, err);
	}
	mlv_reader_fini(&reader);
	mlv_source_close(src);
	return rc;
}

/* A file below the folder that a variable names, NUL behind it; NULL: it is not there, skip. */
static inline char *unit_file(const char *variable, const char *path, size_t *n)
{
	enum { MOST = 16 << 20 };
	char name[1024];
	const char *folder = getenv(variable);
	if (!folder)
		return NULL;
	snprintf(name, sizeof(name), "%s/%s", folder, path);
	FILE *f = fopen(name, "rb");
	if (!f)
		return NULL;
	char *data = malloc(MOST);
	unit_check(data);
	*n = fread(data, 1, MOST - 1, f);
	unit_check(feof(f));
	data[*n] = '\0';
	fclose(f);
	return data;
}

/* Whether there is a diagnostic of that code. */
static inline bool unit_told(const struct mlv_run *run, const char *code)
{
	for (size_t i = 0; i < run->diags.list.len; i++) {
		if (strcmp(run->diags.list.data[i].code, code) == 0)
			return true;
	}
	return false;
}

#endif
