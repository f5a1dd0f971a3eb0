/* SPDX-License-Identifier: MIT */
/*
 * One format (FUZZ_FORMAT, as for --format) on any bytes. The first byte
 * chooses how the rest is cut into spans, and what is read must not depend on
 * it: the file is read a second time, whole, and must give the same tables.
 */
#include "fuzz.h"

#include <string.h>

#include "parsers/parser.h"

static void check_text(const struct mlv_run *run, mlv_strid id)
{
	FUZZ_CHECK(id.i < run->strings.strings.len && mlv_run_str(run, id).p);
}

static void check_stack(const struct mlv_run *run, mlv_stackid stack)
{
	size_t depth = 0;
	FUZZ_CHECK(stack.i < run->stacks.nodes.len);
	for (; mlv_stack_has_frame(stack); stack = mlv_stack_caller(&run->stacks, stack)) {
		const struct mlv_frame *f = mlv_stack_frame(&run->stacks, stack);
		check_text(run, f->function);
		check_text(run, f->file);
		FUZZ_CHECK(++depth < 1000000);
	}
}

static void check_attrs(const struct mlv_run *run, struct mlv_attrs attrs)
{
	FUZZ_CHECK((uint64_t)attrs.first + attrs.count <= run->attrs.len);
	for (uint32_t i = 0; i < attrs.count; i++) {
		const struct mlv_attr *a = &run->attrs.data[attrs.first + i];
		check_text(run, a->key);
		if (a->is_text)
			check_text(run, a->text);
	}
}

/* Every id in the tables is one, every range lies within its table. */
static void check_tables(const struct mlv_run *run)
{
	for (size_t i = 0; i < run->findings.len; i++) {
		const struct mlv_finding *f = &run->findings.data[i];
		check_text(run, f->code);
		check_text(run, f->text);
		check_text(run, f->file);
		check_stack(run, f->stack);
		check_attrs(run, f->attrs);
		FUZZ_CHECK(f->line <= f->last_line);
	}
	for (size_t i = 0; i < run->spans.len; i++) {
		const struct mlv_span *s = &run->spans.data[i];
		check_text(run, s->name);
		check_text(run, s->category);
		check_text(run, s->status);
		check_stack(run, s->stack);
		check_attrs(run, s->attrs);
	}
	for (size_t i = 0; i < run->metrics.len; i++) {
		const struct mlv_metric *m = &run->metrics.data[i];
		FUZZ_CHECK(m->section < run->sections.len);
		FUZZ_CHECK(m->value.unit < MLV_UNITS);
		check_text(run, m->subject);
		check_text(run, m->metric);
	}
	for (size_t i = 0; i < run->samples.len; i++) {
		check_text(run, run->samples.data[i].metric);
		check_text(run, run->samples.data[i].phase);
	}
	for (size_t i = 0; i < run->sections.len; i++) {
		const struct mlv_section *s = &run->sections.data[i];
		check_text(run, s->title);
		FUZZ_CHECK(s->format && s->line <= s->last_line);
	}
	for (size_t i = 0; i < run->properties.len; i++)
		check_text(run, run->properties.data[i].key);
}

static enum mlv_rc load(struct mlv_run *run, const uint8_t *data, size_t size, size_t chunk)
{
	struct mlv_limits limits = fuzz_limits();
	struct mlv_source *src;
	struct mlv_reader r;
	const struct mlv_parser *parser;
	struct mlv_err err = MLV_ERR_INIT;
	FUZZ_CHECK(mlv_run_init(run, "input"));
	if (mlv_source_memory(&src, "input", (struct mlv_bytes){ data, size }, chunk, &limits,
			      NULL))
		return MLV_E_IO;
	mlv_reader_init(&r, src);
	(void)mlv_reader_need(&r, MLV_PROBE_BYTES);
	struct mlv_bytes head = { r.p, (size_t)(r.end - r.p) };
	if (head.n > MLV_PROBE_BYTES)
		head.n = MLV_PROBE_BYTES;
	FUZZ_CHECK(!mlv_parser_find(head, FUZZ_FORMAT, &parser, &err));
	struct mlv_parse p = { .reader = &r, .run = run, .limits = &limits, .forced = FUZZ_FORMAT };
	enum mlv_rc rc = parser->parse(&p, &err);
	FUZZ_CHECK(rc == err.rc && rc != MLV_E_NOMEM);
	mlv_reader_fini(&r);
	mlv_source_close(src);
	return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const size_t chunks[] = { 1, 2, 3, 7, 16, 64, 1000, 0 };
	struct mlv_run cut, whole;
	/* Compressed input is for the target of snapshots. */
	if (!size || (size > 4 && (memcmp(data + 1, "\x28\xb5\x2f\xfd", 4) == 0 ||
				   memcmp(data + 1, "\x1f\x8b", 2) == 0)))
		return 0;
	size_t chunk = chunks[data[0] % (sizeof(chunks) / sizeof(chunks[0]))];
	enum mlv_rc rc = load(&cut, data + 1, size - 1, chunk);
	enum mlv_rc same = load(&whole, data + 1, size - 1, 0);
	check_tables(&cut);
	FUZZ_CHECK(rc == same);
	FUZZ_CHECK(cut.findings.len == whole.findings.len);
	FUZZ_CHECK(cut.metrics.len == whole.metrics.len);
	FUZZ_CHECK(cut.spans.len == whole.spans.len);
	FUZZ_CHECK(cut.samples.len == whole.samples.len);
	FUZZ_CHECK(cut.mem_events.len == whole.mem_events.len);
	FUZZ_CHECK(cut.sections.len == whole.sections.len);
	mlv_run_fini(&cut);
	mlv_run_fini(&whole);
	return 0;
}
