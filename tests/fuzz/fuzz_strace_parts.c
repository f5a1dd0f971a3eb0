/* SPDX-License-Identifier: MIT */
/*
 * A recording by strace -ff: several files that are read side by side. Behind
 * a byte that chooses the spans, each file begins with a form feed and the line
 * of its number.
 */
#include "fuzz.h"

#include <string.h>

#include "fuzz_tables.h"
#include "parsers/parser.h"

enum { MOST = 8 };

struct file {
	struct mlv_bytes data;
	int64_t number;
};

/* The digits at the beginning of `s`, which is left behind the end of their line. */
static int64_t take_number(struct mlv_bytes *s)
{
	int64_t number = 0;
	size_t i = 0;
	for (; i < s->n && s->p[i] != '\n'; i++) {
		if (s->p[i] >= '0' && s->p[i] <= '9' && i < 7)
			number = 10 * number + (s->p[i] - '0');
	}
	i += i < s->n;
	s->p += i;
	s->n -= i;
	return number;
}

/* Two files of one process cannot have one name. */
static bool is_new(const struct file *files, size_t n, int64_t number)
{
	for (size_t i = 0; i < n; i++) {
		if (files[i].number == number)
			return false;
	}
	return true;
}

static size_t split(struct mlv_bytes input, struct file *files)
{
	size_t n = 0;
	while (input.n && n < MOST) {
		const uint8_t *end = memchr(input.p, '\f', input.n);
		struct mlv_bytes one = { input.p, end ? (size_t)(end - input.p) : input.n };
		input.p += one.n + (end != NULL);
		input.n -= one.n + (end != NULL);
		if (!one.n)
			continue;
		int64_t number = take_number(&one);
		if (is_new(files, n, number))
			files[n++] = (struct file){ one, number };
	}
	return n;
}

static enum mlv_rc load(struct mlv_run *run, const struct file *files, size_t n, size_t chunk)
{
	struct mlv_limits limits = fuzz_limits();
	struct mlv_source *sources[MOST];
	struct mlv_reader readers[MOST];
	struct mlv_part parts[MOST];
	struct mlv_err err = MLV_ERR_INIT;
	const struct mlv_bytes empty = { (const uint8_t *)"", 0 };
	FUZZ_CHECK(mlv_run_init(run, "input.*"));
	for (size_t i = 0; i < n; i++) {
		FUZZ_CHECK(!mlv_source_memory(&sources[i], "input", files[i].data, chunk, &limits,
					      NULL));
		mlv_reader_init(&readers[i], sources[i]);
		parts[i] = (struct mlv_part){ &readers[i], "input", files[i].number };
	}
	/* An empty file may be a part of any recording. */
	const struct mlv_parser *parser = mlv_parser_of_part(empty, 1, "strace");
	FUZZ_CHECK(parser);
	struct mlv_parse p = { .run = run, .limits = &limits, .parts = parts, .part_count = n };
	enum mlv_rc rc = parser->parse(&p, &err);
	FUZZ_CHECK(rc == err.rc && rc != MLV_E_NOMEM);
	for (size_t i = 0; i < n; i++) {
		mlv_reader_fini(&readers[i]);
		mlv_source_close(sources[i]);
	}
	return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const size_t chunks[] = { 1, 2, 3, 7, 16, 64, 1000, 0 };
	struct file files[MOST];
	struct mlv_run cut, whole;
	if (!size)
		return 0;
	size_t n = split((struct mlv_bytes){ data + 1, size - 1 }, files);
	for (size_t i = 0; i < n; i++) {
		if (fuzz_compressed(files[i].data))
			return 0;
	}
	if (!n)
		return 0;
	enum mlv_rc rc = load(&cut, files, n, chunks[data[0] % 8]);
	enum mlv_rc same = load(&whole, files, n, 0);
	fuzz_check_tables(&cut);
	FUZZ_CHECK(rc == same);
	FUZZ_CHECK(rc || fuzz_tables_hash(&cut) == fuzz_tables_hash(&whole));
	if (!rc)
		fuzz_report(&whole);
	mlv_run_fini(&cut);
	mlv_run_fini(&whole);
	return 0;
}
