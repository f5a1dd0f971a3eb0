/* SPDX-License-Identifier: MIT */
/*
 * One format (FUZZ_FORMAT, as for --format) on any bytes. The first byte
 * chooses how the rest is cut into spans, and what is read must not depend on
 * it: the file is read a second time, whole, and must give the same tables.
 * Of gnu-time-format, which needs one, the first line is the --time-format.
 */
#include "fuzz.h"

#include <string.h>

#include "fuzz_tables.h"
#include "parsers/parser.h"

static enum mlv_rc load(struct mlv_run *run, struct mlv_bytes data, size_t chunk,
			const struct mlv_parse_options *options)
{
	struct mlv_limits limits = fuzz_limits();
	struct mlv_source *src;
	struct mlv_reader r;
	const struct mlv_parser *parser;
	struct mlv_err err = MLV_ERR_INIT;
	FUZZ_CHECK(mlv_run_init(run, "input"));
	FUZZ_CHECK(!mlv_source_memory(&src, "input", data, chunk, &limits, NULL));
	mlv_reader_init(&r, src);
	(void)mlv_reader_need(&r, MLV_PROBE_BYTES);
	struct mlv_bytes head = { r.p, (size_t)(r.end - r.p) };
	if (head.n > MLV_PROBE_BYTES)
		head.n = MLV_PROBE_BYTES;
	FUZZ_CHECK(!mlv_parser_find(head, FUZZ_FORMAT, &parser, &err));
	FUZZ_CHECK(parser->probe(head) >= 0 && parser->probe(head) <= 100);
	run->format = parser->name;
	struct mlv_parse p = { .reader = &r,
			       .run = run,
			       .limits = &limits,
			       .options = options,
			       .forced = FUZZ_FORMAT };
	enum mlv_rc rc = parser->parse(&p, &err);
	FUZZ_CHECK(rc == err.rc && rc != MLV_E_NOMEM);
	mlv_reader_fini(&r);
	mlv_source_close(src);
	return rc;
}

static void check(struct mlv_bytes data, size_t chunk, const struct mlv_parse_options *options)
{
	struct mlv_run cut, whole;
	enum mlv_rc rc = load(&cut, data, chunk, options);
	enum mlv_rc same = load(&whole, data, 0, options);
	fuzz_check_tables(&cut);
	FUZZ_CHECK(rc == same);
	FUZZ_CHECK(rc || fuzz_tables_hash(&cut) == fuzz_tables_hash(&whole));
	if (!rc)
		fuzz_report(&whole);
	mlv_run_fini(&cut);
	mlv_run_fini(&whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const size_t chunks[] = { 1, 2, 3, 7, 16, 64, 1000, 0 };
	struct mlv_parse_options options = { 0 };
	char time_format[256];
	if (!size)
		return 0;
	size_t chunk = chunks[data[0] % (sizeof(chunks) / sizeof(chunks[0]))];
	struct mlv_bytes rest = { data + 1, size - 1 };
	if (strcmp(FUZZ_FORMAT, "gnu-time-format") == 0) {
		const uint8_t *end = rest.n ? memchr(rest.p, '\n', rest.n) : NULL;
		size_t n = end ? (size_t)(end - rest.p) : rest.n;
		if (n >= sizeof(time_format))
			return 0;
		memcpy(time_format, rest.p, n);
		time_format[n] = '\0';
		options.time_format = time_format;
		rest.p += end ? n + 1 : n;
		rest.n -= end ? n + 1 : n;
	}
	if (!fuzz_compressed(rest))
		check(rest, chunk, &options);
	return 0;
}
