/* SPDX-License-Identifier: MIT */
/* The snapshot parser: every writer, every cut of the bytes, every version gives the same model. */
#include "unit.h"

#include <string.h>

#include "parsers/parser.h"
#include "snapshot_writer.h"

static struct mlv_buf write_as(const struct snap *s, struct snap_style style)
{
	struct mlv_buf out = { 0 };
	snap_write(s, style, &out);
	return out;
}

static struct mlv_buf write_form(const struct snap *s, enum snap_form form)
{
	return write_as(s, (struct snap_style){ .form = form });
}

static void read_ok(struct mlv_run *run, const struct mlv_buf *bytes, size_t chunk)
{
	struct mlv_err err = MLV_ERR_INIT;
	if (snap_read(run, bytes, chunk, NULL, &err))
		ck_abort_msg("%s", err.msg);
}

/* The model of some bytes equals `expected`, and nothing was said about them. */
static void check_same(const struct mlv_run *expected, const struct mlv_buf *bytes, size_t chunk,
		       const char *what, unsigned which)
{
	struct mlv_run run;
	read_ok(&run, bytes, chunk);
	const char *differs = snap_differs(expected, &run);
	if (differs)
		ck_abort_msg("%s %u: %s differs", what, which, differs);
	if (run.diags.list.len)
		ck_abort_msg("%s %u: %s", what, which, run.diags.list.data[0].text);
	mlv_run_fini(&run);
}

static const struct snap_program everything = { .steps = 400,
						.devices = 3,
						.streams = 3,
						.pools = 3,
						.times = true,
						.stacks = true,
						.contexts = true,
						.pending = true,
						.empty_cache = true,
						.oom = true,
						.odd = true,
						.annotations = true };

static void record(struct snap *s, uint64_t seed, unsigned steps)
{
	struct snap_program p = everything;
	p.seed = seed;
	p.steps = steps;
	p.expandable = seed % 3 == 0;
	p.devices = 1 + (int)(seed % 3);
	snap_record(s, &p);
}

/* ---- the model is what was described ---- */

static void check_event(const struct mlv_run *run, const struct snap *s, int device,
			const struct snap_event *e, const struct mlv_mem_event *m)
{
	bool known = strcmp(e->action, "user_defined") != 0;
	const struct mlv_note *note = &run->notes.data[m->note.i];
	if (known)
		ck_assert_str_eq(mlv_mem_action_name((enum mlv_mem_action)m->action), e->action);
	else
		ck_assert_str_eq(mlv_run_str(run, note->action).p, e->action);
	unit_check(m->addr == e->addr && m->bytes == e->size);
	unit_check(m->time_ns == (e->time_us == SNAP_NONE ? MLV_NO_TIME : e->time_us * 1000));
	unit_check(run->tracks.data[m->track.i].number == e->stream);
	unit_check(mlv_run_device_of(run, m->track)->number == device);
	if (e->pool < 0)
		unit_check(m->pool == MLV_POOL_UNKNOWN);
	else
		unit_check(run->pools.data[m->pool].owner == e->pool &&
			   run->pools.data[m->pool].id == 2 * e->pool);
	const char *context = e->context && strcmp(e->context, "N/A") ? e->context : "";
	ck_assert_str_eq(mlv_run_str(run, note->compile_context).p, context);
	ck_assert_str_eq(mlv_run_str(run, note->user_metadata).p, e->metadata ? e->metadata : "");
	if (e->stack < 0) {
		unit_check(m->stack.i == MLV_STACK_NONE.i);
		return;
	}
	const struct snap_stack *stack = &s->stacks.data[e->stack];
	mlv_stackid id = m->stack;
	for (int i = 0; i < stack->count; i++) {
		unit_check(mlv_stack_has_frame(id));
		const struct mlv_frame *f = mlv_stack_frame(&run->stacks, id);
		unit_check(mlv_run_str(run, f->function).p[1] == '0' + stack->frames[i]);
		unit_check(f->line ==
			   (stack->frames[i] % 3 == 2 ? 0u : 10u + (unsigned)stack->frames[i]));
		id = mlv_stack_caller(&run->stacks, id);
	}
	unit_check(id.i == MLV_STACK_EMPTY.i);
}

START_TEST(model_is_what_was_recorded)
{
	for (uint64_t seed = 1; seed <= 6; seed++) {
		struct snap s;
		struct mlv_run run;
		record(&s, seed, 300);
		struct mlv_buf bytes = write_form(&s, SNAP_P4);
		read_ok(&run, &bytes, 0);
		ck_assert_uint_eq(run.devices.len, (size_t)s.devices);
		for (int i = 0; i < s.devices; i++) {
			const struct mlv_device *d = &run.devices.data[i];
			ck_assert_uint_eq(d->ordinal, (uint32_t)i);
			ck_assert_uint_eq(d->events, s.traces[i].len);
			for (size_t k = 0; k < d->events; k++)
				check_event(&run, &s, i, &s.traces[i].data[k],
					    &run.mem_events.data[d->first_event + k]);
			for (size_t k = 1; k < d->segments; k++)
				unit_check(run.segments.data[d->first_segment + k - 1].addr <
					   run.segments.data[d->first_segment + k].addr);
		}
		ck_assert_uint_eq(run.segments.len, s.segments.len);
		ck_assert_uint_eq(run.blocks.len, s.blocks.len);
		mlv_run_fini(&run);
		mlv_buf_fini(&bytes);
		snap_fini(&s);
	}
}
END_TEST

/* ---- one model, whoever wrote it ---- */

START_TEST(every_form_gives_the_same_model)
{
	for (uint64_t seed = 1; seed <= 8; seed++) {
		struct snap s;
		struct mlv_run expected;
		record(&s, seed, 350);
		struct mlv_buf bytes = write_form(&s, SNAP_P4);
		read_ok(&expected, &bytes, 0);
		mlv_buf_fini(&bytes);
		for (enum snap_form form = 0; form < SNAP_FORMS; form++) {
			bytes = write_form(&s, form);
			check_same(&expected, &bytes, 0, "form", form);
			mlv_buf_fini(&bytes);
			bytes = write_as(&s, (struct snap_style){ .form = form, .unshared = true });
			check_same(&expected, &bytes, 0, "unshared form", form);
			mlv_buf_fini(&bytes);
		}
		mlv_run_fini(&expected);
		snap_fini(&s);
	}
}
END_TEST

START_TEST(batches_and_key_order_do_not_matter)
{
	static const unsigned batches[] = { 1, 2, 3, 7, 999 };
	for (uint64_t seed = 11; seed <= 14; seed++) {
		struct snap s;
		struct mlv_run expected;
		record(&s, seed, 200);
		struct mlv_buf bytes = write_form(&s, SNAP_P4);
		read_ok(&expected, &bytes, 0);
		mlv_buf_fini(&bytes);
		for (unsigned i = 0; i < 5 * SNAP_FORMS; i++) {
			struct snap_style style = { .form = i % SNAP_FORMS,
						    .batch = batches[i / SNAP_FORMS] };
			bytes = write_as(&s, style);
			check_same(&expected, &bytes, 0, "batch", i);
			mlv_buf_fini(&bytes);
			style.shuffle = seed * 100 + i;
			bytes = write_as(&s, style);
			check_same(&expected, &bytes, 0, "shuffle", i);
			mlv_buf_fini(&bytes);
		}
		mlv_run_fini(&expected);
		snap_fini(&s);
	}
}
END_TEST

START_TEST(every_cut_and_compression_gives_the_same_model)
{
	static const size_t chunks[] = { 1, 2, 3, 7, 15, 16, 17, 64, 1009 };
	for (enum snap_form form = 0; form < SNAP_FORMS; form++) {
		struct snap s;
		struct mlv_run expected;
		record(&s, 21 + form, 120);
		struct mlv_buf bytes = write_form(&s, form), gzip = { 0 }, zstd = { 0 };
		snap_gzip(&bytes, &gzip);
		snap_zstd(&bytes, &zstd);
		read_ok(&expected, &bytes, 0);
		for (size_t i = 0; i < sizeof(chunks) / sizeof(chunks[0]); i++) {
			check_same(&expected, &bytes, chunks[i], "chunk", (unsigned)chunks[i]);
			check_same(&expected, &gzip, chunks[i], "gzip", (unsigned)chunks[i]);
			check_same(&expected, &zstd, chunks[i], "zstd", (unsigned)chunks[i]);
		}
		mlv_run_fini(&expected);
		mlv_buf_fini(&bytes);
		mlv_buf_fini(&gzip);
		mlv_buf_fini(&zstd);
		snap_fini(&s);
	}
}
END_TEST

START_TEST(more_than_one_batch)
{
	/* As Python writes 2500 events, and as the C++ writer does. */
	struct snap s;
	struct mlv_run expected;
	record(&s, 3, 2500);
	struct mlv_buf bytes = write_form(&s, SNAP_CPP);
	read_ok(&expected, &bytes, 0);
	unit_check(expected.mem_events.len > 2500);
	mlv_buf_fini(&bytes);
	for (enum snap_form form = 0; form < SNAP_FORMS; form++) {
		bytes = write_form(&s, form);
		check_same(&expected, &bytes, 4096, "form", form);
		mlv_buf_fini(&bytes);
	}
	mlv_run_fini(&expected);
	snap_fini(&s);
}
END_TEST

/* ---- truncation ---- */

/* The events of `part` are the first ones of each device of `whole`, exactly. */
static void check_prefix(const struct mlv_run *part, const struct mlv_run *whole, size_t cut)
{
	for (size_t i = 0; i < part->devices.len; i++) {
		const struct mlv_device *d = &part->devices.data[i], *e = NULL;
		for (size_t k = 0; k < whole->devices.len; k++) {
			if (whole->devices.data[k].ordinal == d->ordinal)
				e = &whole->devices.data[k];
		}
		if (!e || d->events > e->events)
			ck_abort_msg("cut at %zu: more events than there are", cut);
		for (size_t k = 0; k < d->events; k++) {
			const struct mlv_mem_event *x = &part->mem_events.data[d->first_event + k];
			const struct mlv_mem_event *y = &whole->mem_events.data[e->first_event + k];
			const struct mlv_track *t = &part->tracks.data[x->track.i];
			const struct mlv_track *u = &whole->tracks.data[y->track.i];
			if (x->action != y->action || x->addr != y->addr || x->bytes != y->bytes ||
			    x->time_ns != y->time_ns || t->number != u->number ||
			    x->stack.i != y->stack.i)
				ck_abort_msg("cut at %zu: event %zu is another", cut, k);
		}
	}
}

/* Returns how many events are there. */
static size_t check_cut(const struct mlv_buf *bytes, size_t cut, size_t chunk,
			const struct mlv_run *whole)
{
	struct mlv_buf part = { bytes->data, cut, cut, false };
	struct mlv_err err = MLV_ERR_INIT;
	struct mlv_run run;
	enum mlv_rc rc = snap_read(&run, &part, chunk, NULL, &err);
	if (rc) {
		/* So short that it does not say yet what it is. */
		if (rc != MLV_E_FORMAT || cut > 400)
			ck_abort_msg("cut at %zu: %s", cut, err.msg);
		return 0;
	}
	check_prefix(&run, whole, cut);
	if (!snap_diag(&run.diags, "input-truncated") && !snap_diag(&run.diags, "json-truncated"))
		ck_abort_msg("cut at %zu: not said", cut);
	for (size_t i = 0; i < run.diags.list.len; i++) {
		const char *code = run.diags.list.data[i].code;
		/* The last annotation may lack something. */
		if (strcmp(code, "input-truncated") && strcmp(code, "json-truncated") &&
		    strcmp(code, "annotation"))
			ck_abort_msg("cut at %zu: %s", cut, run.diags.list.data[i].text);
	}
	size_t n = run.mem_events.len;
	mlv_run_fini(&run);
	return n;
}

static void cut_everywhere(const struct snap *s, struct snap_style style, size_t step)
{
	struct mlv_run whole;
	struct mlv_buf bytes = write_as(s, style);
	size_t most = 0, steps = 0;
	read_ok(&whole, &bytes, 0);
	for (size_t cut = 1; cut < bytes.len; cut += step) {
		size_t n = check_cut(&bytes, cut, cut % 3 ? 0 : 1 + cut % 50, &whole);
		unit_check(style.shuffle || n + 1 >= most);
		steps += n > most;
		most = n > most ? n : most;
	}
	/* Each event shows up as soon as the next one has begun. */
	unit_check(most + 1 >= whole.mem_events.len);
	unit_check(steps + 4 >= whole.mem_events.len);
	mlv_buf_fini(&bytes);
	mlv_run_fini(&whole);
}

START_TEST(truncation_at_every_offset)
{
	for (enum snap_form form = 0; form < SNAP_FORMS; form++) {
		for (int devices = 1; devices <= 2; devices++) {
			struct snap_program p = everything;
			struct snap s;
			p.seed = 31 + form;
			p.steps = devices == 1 ? 7 : 12;
			p.devices = devices;
			snap_record(&s, &p);
			/* At each byte for the writers that there are. */
			bool usual = form == SNAP_CPP || form == SNAP_P4;
			size_t step = devices == 2 ? 7 : usual ? 1 : 3;
			cut_everywhere(&s, (struct snap_style){ .form = form }, step);
			cut_everywhere(&s, (struct snap_style){ .form = form, .batch = 1 }, step);
			cut_everywhere(&s, (struct snap_style){ .form = form, .batch = 3 },
				       3 * step);
			snap_fini(&s);
		}
	}
}
END_TEST

START_TEST(a_cut_trace_is_known_as_such)
{
	struct snap s;
	struct mlv_run run;
	record(&s, 4, 200);
	struct mlv_buf bytes = write_form(&s, SNAP_P4);
	read_ok(&run, &bytes, 0);
	for (size_t i = 0; i < run.devices.len; i++)
		ck_assert(!run.devices.data[i].cut);
	mlv_run_fini(&run);
	/* Within the traces the last one is cut; behind them none. */
	const char *settings = NULL;
	for (size_t i = 0; i + 20 < bytes.len; i++) {
		if (!memcmp(bytes.data + i, "allocator_settings", 18))
			settings = bytes.data + i;
	}
	ck_assert_ptr_nonnull(settings);
	struct mlv_buf part = { bytes.data, (size_t)(settings - bytes.data) - 500, 0, false };
	read_ok(&run, &part, 0);
	ck_assert(run.devices.data[run.devices.len - 1].cut);
	ck_assert(run.devices.len < 2 || !run.devices.data[0].cut);
	mlv_run_fini(&run);
	part.len = (size_t)(settings - bytes.data) + 60;
	read_ok(&run, &part, 0);
	ck_assert(!run.devices.data[run.devices.len - 1].cut);
	mlv_run_fini(&run);
	mlv_buf_fini(&bytes);
	snap_fini(&s);
}
END_TEST

/* ---- versions and oddities, as JSON, which a reader can read ---- */

static struct mlv_run json_run;

static const struct mlv_run *json(const char *text)
{
	struct mlv_buf bytes = { (char *)(uintptr_t)text, strlen(text), 0, false };
	read_ok(&json_run, &bytes, 0);
	return &json_run;
}

#define EVENT(action, more) "{\"action\": \"" action "\", \"size\": 512, \"addr\": 4096" more "}"
#define TRACES(...) "{\"segments\": [], \"device_traces\": [" __VA_ARGS__ "]}"

START_TEST(blocks_of_pytorch_2_0)
{
	for (enum snap_form form = 0; form < SNAP_FORMS; form++) {
		struct snap s;
		struct mlv_run run;
		record(&s, 5, 100);
		s.history = true;
		struct mlv_buf bytes = write_form(&s, form);
		read_ok(&run, &bytes, 0);
		/* Without addresses: the running sum; requested and frames from the newest entry.
		 */
		ck_assert_uint_eq(run.blocks.len, s.blocks.len);
		for (size_t i = 0; i < run.segments.len; i++) {
			const struct mlv_segment *seg = &run.segments.data[i];
			uint64_t at = seg->addr;
			for (uint32_t k = 0; k < seg->blocks; k++) {
				const struct mlv_block *b = &run.blocks.data[seg->first_block + k];
				unit_check(b->addr == at);
				unit_check(b->requested != 77);
				at += b->bytes;
			}
			unit_check(at == seg->addr + seg->bytes);
		}
		mlv_run_fini(&run);
		mlv_buf_fini(&bytes);
		snap_fini(&s);
	}
}
END_TEST

START_TEST(bare_list_of_segments)
{
	for (enum snap_form form = 0; form < SNAP_FORMS; form++) {
		struct snap s;
		struct mlv_run run;
		record(&s, 6, 100);
		s.only_segments = true;
		struct mlv_buf bytes = write_form(&s, form);
		read_ok(&run, &bytes, 0);
		ck_assert_uint_eq(run.segments.len, s.segments.len);
		ck_assert_uint_eq(run.blocks.len, s.blocks.len);
		ck_assert_uint_eq(run.mem_events.len, 0);
		ck_assert_uint_eq(run.diags.list.len, 0);
		mlv_run_fini(&run);
		mlv_buf_fini(&bytes);
		snap_fini(&s);
	}
}
END_TEST

START_TEST(nothing_in_it)
{
	struct snap s = { .devices = 3 };
	for (enum snap_form form = 0; form < SNAP_FORMS; form++) {
		struct mlv_run run;
		struct mlv_buf bytes = write_form(&s, form);
		read_ok(&run, &bytes, 0);
		ck_assert_uint_eq(run.devices.len, 0);
		ck_assert_uint_eq(run.diags.list.len, 0);
		mlv_run_fini(&run);
		mlv_buf_fini(&bytes);
	}
}
END_TEST

START_TEST(empty_traces_between_full_ones)
{
	const struct mlv_run *run = json(TRACES(
		"[], [" EVENT("alloc", ", \"stream\": 3") "], [], [" EVENT("alloc", "") "]"));
	ck_assert_uint_eq(run->devices.len, 2);
	ck_assert_uint_eq(run->devices.data[0].ordinal, 1);
	ck_assert_uint_eq(run->devices.data[1].ordinal, 3);
	ck_assert_int_eq(mlv_run_device_of(run, run->mem_events.data[1].track)->number, 3);
	ck_assert_int_eq(run->tracks.data[run->mem_events.data[0].track.i].number, 3);
	mlv_run_fini(&json_run);
	/* A device that only marks an earlier snapshot did nothing. */
	run = json(TRACES("[" EVENT("snapshot", "") "], [" EVENT("alloc", "") "]"));
	ck_assert_uint_eq(run->devices.len, 1);
	ck_assert_uint_eq(run->devices.data[0].ordinal, 1);
	ck_assert_int_eq(mlv_run_device_of(run, run->mem_events.data[1].track)->number, 1);
	mlv_run_fini(&json_run);
}
END_TEST

START_TEST(fields_of_events)
{
	const struct mlv_run *run = json(TRACES(
		"[{\"action\": \"oom\", \"device_free\": 77, \"size\": 1024, \"stream\": 0},"
		"{\"action\": \"free\", \"addr\": 4096, \"size\": 8, \"time_us\": 5},"
		"{\"action\": \"workspace_snapshot\", \"addr\": 1},"
		"{\"size\": 3, \"pool_id\": [7, 9], \"action\": \"alloc\", \"frames\": null}]"));
	const struct mlv_mem_event *e = run->mem_events.data;
	ck_assert_uint_eq(run->mem_events.len, 4);
	ck_assert_int_eq(e[0].action, MLV_MEM_OOM);
	ck_assert_uint_eq(e[0].addr, 77);
	ck_assert_uint_eq(e[0].bytes, 1024);
	ck_assert(e[0].time_ns == MLV_NO_TIME);
	ck_assert_int_eq(e[1].action, MLV_MEM_FREE_COMPLETED);
	ck_assert_int_eq(e[1].time_ns, 5000);
	ck_assert_int_eq(e[2].action, MLV_MEM_OTHER);
	ck_assert_str_eq(mlv_run_str(run, run->notes.data[e[2].note.i].action).p,
			 "workspace_snapshot");
	ck_assert_int_eq(run->pools.data[e[3].pool].owner, 7);
	ck_assert_int_eq(run->pools.data[e[3].pool].id, 9);
	ck_assert_uint_eq(e[3].stack.i, MLV_STACK_NONE.i);
	ck_assert_uint_eq(run->diags.list.len, 0);
	mlv_run_fini(&json_run);
}
END_TEST

START_TEST(odd_fields_are_said_and_do_no_harm)
{
	const struct mlv_run *run = json(TRACES(
		"[{\"action\": \"alloc\", \"addr\": -1, \"size\": \"big\", \"stream\": [], "
		"\"time_us\": 9223372036854775807, \"frames\": 3, \"pool_id\": [1]},"
		"{\"action\": 5, \"addr\": 18446744073709551615, \"size\": 18446744073709551615},"
		"null, 7, [], {}]"));
	ck_assert_uint_eq(run->mem_events.len, 2);
	ck_assert_uint_eq(run->mem_events.data[0].bytes, 0);
	ck_assert_uint_eq(run->mem_events.data[0].pool, MLV_POOL_UNKNOWN);
	ck_assert(run->mem_events.data[0].time_ns == MLV_NO_TIME);
	ck_assert_uint_eq(run->mem_events.data[1].addr, UINT64_MAX);
	ck_assert_uint_eq(snap_diag(&run->diags, "event-field")->count, 5);
	ck_assert_uint_eq(snap_diag(&run->diags, "trace-item")->count, 4);
	mlv_run_fini(&json_run);
	/* The first item may be odd too. */
	run = json(TRACES("[null, " EVENT("alloc", "") ", " EVENT("alloc", "") "]"));
	ck_assert_uint_eq(run->mem_events.len, 2);
	ck_assert_uint_eq(snap_diag(&run->diags, "trace-item")->count, 1);
	mlv_run_fini(&json_run);
}
END_TEST

START_TEST(one_trace_without_a_list_of_traces)
{
	const struct mlv_run *run = json(
		"{\"device_traces\": [" EVENT("alloc", "") "," EVENT("free_completed", "") "]}");
	ck_assert_uint_eq(run->devices.len, 1);
	ck_assert_uint_eq(run->devices.data[0].events, 2);
	mlv_run_fini(&json_run);
}
END_TEST

START_TEST(states_and_missing_parts_of_the_heap)
{
	const struct mlv_run *run =
		json("[{\"address\": 4096, \"total_size\": 7, \"blocks\": ["
		     "{\"size\": 512, \"state\": \"active_awaiting_free\"}, "
		     "{\"size\": 100, \"state\": \"active_pending_free\"}, "
		     "{\"size\": 1, \"state\": \"new\"}, {}, {\"state\": \"inactive\"}, "
		     "{\"size\": 18446744073709551615}, 3]}, "
		     "{\"device\": 1023, \"address\": 1, \"total_size\": 2}, {\"address\": 5}, "
		     "{\"device\": 70000, \"total_size\": 2}, {}, "
		     "{\"device\": -2, \"stream\": -5, \"total_size\": -1}, []]");
	ck_assert_uint_eq(run->segments.len, 3);
	ck_assert_uint_eq(run->blocks.len, 4);
	ck_assert_int_eq(run->blocks.data[0].state, MLV_BLOCK_PENDING_FREE);
	ck_assert_int_eq(run->blocks.data[1].state, MLV_BLOCK_PENDING_FREE);
	ck_assert_uint_eq(run->blocks.data[1].addr, 4608);
	ck_assert_uint_eq(snap_diag(&run->diags, "block-state")->count, 2);
	ck_assert_uint_eq(snap_diag(&run->diags, "heap-field")->count, 4);
	ck_assert_ptr_nonnull(snap_diag(&run->diags, "segment-device"));
	ck_assert_uint_eq(run->devices.len, 2);
	mlv_run_fini(&json_run);
}
END_TEST

#define MARK(stage, name, time)                                                                    \
	"{\"stage\": \"" stage "\", \"name\": \"" name "\", \"device\": 0, \"time_us\": " time "}"

START_TEST(annotations)
{
	const struct mlv_run *run = json(
		"{\"segments\": [], \"external_annotations\": [" MARK("END", "old", "5") "," MARK("START", "a", "10") "," MARK(
			"START", "a",
			"20") "," MARK("START", "b",
				       "25") "," MARK("END", "a",
						      "30") "," MARK("END", "a",
								     "40") "," MARK("END", "a",
										    "50") "," MARK("MIDDLE",
												   "a",
												   "60") ", 5, {}]}");
	static const int64_t times[][2] = { { MLV_NO_TIME, 5000 },
					    { 10000, 40000 },
					    { 20000, 30000 },
					    { 25000, MLV_NO_TIME },
					    { MLV_NO_TIME, 50000 } };
	ck_assert_uint_eq(run->spans.len, 5);
	for (size_t i = 0; i < 5; i++) {
		ck_assert(run->spans.data[i].start_ns == times[i][0]);
		ck_assert(run->spans.data[i].end_ns == times[i][1]);
	}
	ck_assert_uint_eq(snap_diag(&run->diags, "annotation")->count, 3);
	mlv_run_fini(&json_run);
}
END_TEST

START_TEST(settings)
{
	const struct mlv_run *run = json(
		"{\"segments\": [], \"allocator_settings\": {\"max_split_size\": -1, "
		"\"gc\": 0.5, \"whole\": 2.0, \"on\": true, \"conf\": \"a:b\", \"none\": null, "
		"\"list\": [1], \"div\": {\"1\": 4, \"x\": {\"y\": 1}}, \"huge\": "
		"18446744073709551615, \"nan\": NaN}}");
	ck_assert_int_eq(mlv_run_property(run, "settings", "max_split_size")->number, -1);
	ck_assert_int_eq(mlv_run_property(run, "settings", "huge")->number, -1);
	ck_assert_int_eq(mlv_run_property(run, "settings", "on")->kind, MLV_PROP_BOOL);
	ck_assert_int_eq(mlv_run_property(run, "settings", "div/1")->number, 4);
	ck_assert_str_eq(mlv_run_str(run, mlv_run_property(run, "settings", "gc")->text).p, "0.5");
	ck_assert_str_eq(mlv_run_str(run, mlv_run_property(run, "settings", "whole")->text).p,
			 "2.0");
	ck_assert_str_eq(mlv_run_str(run, mlv_run_property(run, "settings", "conf")->text).p,
			 "a:b");
	ck_assert_ptr_null(mlv_run_property(run, "settings", "none"));
	ck_assert_uint_eq(run->properties.len, 8);
	mlv_run_fini(&json_run);
}
END_TEST

/* ---- pickles that no PyTorch writes, by hand ---- */

static void put(struct mlv_buf *b, const char *bytes, size_t n)
{
	mlv_buf_add(b, bytes, n);
}

#define PUT(b, literal) put(b, literal, sizeof(literal) - 1)

static void key(struct mlv_buf *b, const char *s)
{
	mlv_buf_putc(b, (char)0x8c);
	mlv_buf_putc(b, (char)strlen(s));
	mlv_buf_puts(b, s);
}

static void open_traces(struct mlv_buf *b)
{
	PUT(b, "\x80\x04}");
	key(b, "device_traces");
}

static void make_frame(struct mlv_buf *b, char name)
{
	char text[] = { name, 0 };
	PUT(b, "}(");
	key(b, "name");
	key(b, text);
	key(b, "filename");
	key(b, "a.py");
	key(b, "line");
	PUT(b, "K\x07u");
}

static void make_event(struct mlv_buf *b, const char *action)
{
	PUT(b, "}(");
	key(b, "action");
	key(b, action);
	key(b, "size");
	PUT(b, "K\x08u");
}

START_TEST(events_in_several_lists)
{
	/* One event in two traces, one trace for two devices, one event in none, traces backwards.
	 */
	struct mlv_buf b = { 0 };
	struct mlv_run run;
	PUT(&b, "\x80\x04}");
	key(&b, "x");
	PUT(&b, "](");
	make_event(&b, "alloc");
	PUT(&b, "q\x01");
	make_event(&b, "oom");
	PUT(&b, "q\x02");
	make_event(&b, "snapshot");
	PUT(&b, "es");
	key(&b, "device_traces");
	PUT(&b, "](](h\x02h\x01h\x02"
		"eq\x05](h\x02"
		"eh\x05"
		"es.");
	read_ok(&run, &b, 0);
	ck_assert_uint_eq(run.mem_events.len, 2);
	ck_assert_int_eq(run.mem_events.data[0].action, MLV_MEM_OOM);
	ck_assert_int_eq(run.mem_events.data[1].action, MLV_MEM_ALLOC);
	ck_assert_uint_eq(run.devices.len, 1);
	ck_assert_uint_eq(snap_diag(&run.diags, "event-twice")->count, 2);
	ck_assert_uint_eq(snap_diag(&run.diags, "trace-twice")->count, 1);
	ck_assert_ptr_nonnull(snap_diag(&run.diags, "event-outside"));
	mlv_run_fini(&run);
	mlv_buf_fini(&b);
}
END_TEST

/* Frames a to f in one list that is filled in parts, used by an event at the end. */
static void frames_in_parts(struct mlv_buf *b, const char *parts, bool grow_after_use)
{
	char next = 'a';
	open_traces(b);
	PUT(b, "]]}(");
	key(b, "action");
	key(b, "alloc");
	key(b, "frames");
	PUT(b, "]q\x01");
	for (; *parts; parts++) {
		int n = *parts - '0';
		if (n != 1)
			PUT(b, "(");
		for (int i = 0; i < n; i++)
			make_frame(b, next++);
		mlv_buf_putc(b, n == 1 ? 'a' : 'e');
	}
	PUT(b, "u");
	if (grow_after_use) {
		PUT(b, "h\x01");
		make_frame(b, 'z');
		PUT(b, "a0");
	}
	PUT(b, "aas.");
}

START_TEST(frame_lists_in_parts)
{
	static const char *const parts[] = { "6", "111111", "33", "15", "51", "0330", "2121" };
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		for (int grow = 0; grow < 2; grow++) {
			struct mlv_buf b = { 0 };
			struct mlv_run run;
			frames_in_parts(&b, parts[i], grow);
			read_ok(&run, &b, 0);
			ck_assert_uint_eq(run.mem_events.len, 1);
			mlv_stackid id = run.mem_events.data[0].stack;
			for (char c = 'a'; c <= 'f'; c++) {
				ck_assert(mlv_stack_has_frame(id));
				const struct mlv_frame *f = mlv_stack_frame(&run.stacks, id);
				ck_assert_int_eq(mlv_run_str(&run, f->function).p[0], c);
				ck_assert_uint_eq(f->line, 7);
				id = mlv_stack_caller(&run.stacks, id);
			}
			ck_assert_uint_eq(id.i, MLV_STACK_EMPTY.i);
			ck_assert(!snap_diag(&run.diags, "stack-grows") == !grow);
			mlv_run_fini(&run);
			mlv_buf_fini(&b);
		}
	}
}
END_TEST

START_TEST(one_list_of_many_items)
{
	/* 200 000 events in one APPENDS. */
	enum { N = 200000 };
	struct mlv_buf b = { 0 };
	struct mlv_run run;
	open_traces(&b);
	PUT(&b, "]](");
	make_event(&b, "alloc");
	for (int i = 1; i < N; i++) {
		PUT(&b, "}(");
		key(&b, "action");
		key(&b, "free_completed");
		PUT(&b, "u");
	}
	PUT(&b, "eas.");
	read_ok(&run, &b, 0);
	ck_assert_uint_eq(run.mem_events.len, N);
	ck_assert_uint_eq(run.devices.data[0].events, N);
	mlv_run_fini(&run);
	mlv_buf_fini(&b);
}
END_TEST

static void many(struct mlv_buf *b, const char *bytes, size_t n)
{
	for (int i = 0; i < 20000; i++)
		put(b, bytes, n);
}

#define MANY(b, literal) many(b, literal, sizeof(literal) - 1)

START_TEST(references_without_end)
{
	/* What stands in many places is read once, however large it is. */
	struct mlv_buf b = { 0 };
	struct mlv_run run;
	PUT(&b, "\x80\x04}(");
	key(&b, "external_annotations");
	PUT(&b, "](}(");
	MANY(&b, "K\x01K\x02");
	PUT(&b, "uq\x01");
	MANY(&b, "h\x01");
	PUT(&b, "e");
	key(&b, "allocator_settings");
	PUT(&b, "}(");
	key(&b, "s");
	PUT(&b, "q\x02}(");
	MANY(&b, "h\x02K\x02");
	PUT(&b, "uq\x03");
	MANY(&b, "h\x02h\x03");
	PUT(&b, "u");
	key(&b, "device_traces");
	PUT(&b, "](](");
	make_event(&b, "alloc");
	PUT(&b, "q\x04");
	MANY(&b, "h\x04");
	PUT(&b, "eq\x05");
	MANY(&b, "h\x05");
	PUT(&b, "e");
	key(&b, "segments");
	PUT(&b, "](}q\x06(");
	key(&b, "total_size");
	PUT(&b, "K\x01");
	key(&b, "blocks");
	PUT(&b, "](}q\x07(");
	key(&b, "size");
	PUT(&b, "q\x08K\x01");
	key(&b, "history");
	PUT(&b, "q\x09](}(");
	MANY(&b, "h\x02K\x02");
	PUT(&b, "ueq\x0au");
	MANY(&b, "}(h\x08K\x01h\x09h\x0au");
	MANY(&b, "h\x07");
	PUT(&b, "eu");
	MANY(&b, "h\x06");
	PUT(&b, "eu.");
	read_ok(&run, &b, 0);
	ck_assert_uint_eq(run.spans.len, 0);
	ck_assert_uint_eq(snap_diag(&run.diags, "annotation")->count, 20001);
	ck_assert_uint_eq(run.properties.len, 4096);
	ck_assert_ptr_nonnull(snap_diag(&run.diags, "settings"));
	ck_assert_uint_eq(run.mem_events.len, 1);
	ck_assert_uint_eq(snap_diag(&run.diags, "event-twice")->count, 20000);
	ck_assert_uint_eq(run.segments.len, 1);
	ck_assert_uint_eq(run.blocks.len, 20001);
	ck_assert_ptr_null(snap_diag(&run.diags, "pickle-damaged"));
	mlv_run_fini(&run);
	mlv_buf_fini(&b);
}
END_TEST

/* ---- limits, and files that are something else ---- */

static enum mlv_rc with_limits(const struct mlv_buf *b, struct mlv_limits limits)
{
	struct mlv_run run;
	struct mlv_err err = MLV_ERR_INIT;
	enum mlv_rc rc = snap_read(&run, b, 0, &limits, &err);
	if (!rc)
		mlv_run_fini(&run);
	else if (rc == MLV_E_LIMIT)
		ck_assert_ptr_nonnull(strstr(err.msg, "--limit"));
	return rc;
}

START_TEST(limits)
{
	struct snap s;
	record(&s, 7, 3000);
	for (enum snap_form form = 0; form < SNAP_FORMS; form++) {
		struct mlv_buf b = write_form(&s, form);
		struct mlv_limits l = mlv_limits_default;
		ck_assert_int_eq(with_limits(&b, l), MLV_OK);
		l.rows = 2000;
		ck_assert_int_eq(with_limits(&b, l), MLV_E_LIMIT);
		l = mlv_limits_default;
		l.depth = 2;
		if (form != SNAP_P0)
			ck_assert_int_eq(with_limits(&b, l), MLV_E_LIMIT);
		l = mlv_limits_default;
		l.string = 10; /* the shortest form of a string is within any limit */
		if (form != SNAP_P4 && form != SNAP_P5)
			ck_assert_int_eq(with_limits(&b, l), MLV_E_LIMIT);
		l = mlv_limits_default;
		l.memo = 20;
		ck_assert_int_eq(with_limits(&b, l), form == SNAP_JSON ? MLV_OK : MLV_E_LIMIT);
		l = mlv_limits_default;
		l.bytes = b.len - 1;
		ck_assert_int_eq(with_limits(&b, l), MLV_E_LIMIT);
		mlv_buf_fini(&b);
	}
	snap_fini(&s);
}
END_TEST

static void refused(const char *bytes, size_t n, const char *words)
{
	struct mlv_buf b = { (char *)(uintptr_t)bytes, n, 0, false };
	struct mlv_run run;
	struct mlv_err err = MLV_ERR_INIT;
	ck_assert_int_eq(snap_read(&run, &b, 0, NULL, &err), MLV_E_FORMAT);
	if (!strstr(err.msg, words))
		ck_abort_msg("%s", err.msg);
}

#define REFUSED(literal, words) refused(literal, sizeof(literal) - 1, words)

START_TEST(other_files)
{
	REFUSED("", "empty");
	REFUSED("\x80\x04}\x8c\x03"
		"cat\x8c\x03"
		"dogs.",
		"\"cat\"");
	REFUSED("\x80\x04]K\x01"
		"a.",
		"not a memory snapshot");
	REFUSED("\x80\x04K\x01.", "not a memory snapshot");
	REFUSED("\x80\x04}K\x01K\x02s.", "without text keys");
	REFUSED("\x80\x04.", "nothing could be read");
	REFUSED("\x80\x04", "nothing could be read");
	REFUSED("\x89PNG\r\n", "PNG");
	REFUSED("hello", "text");
	REFUSED("\x80\x04}\x8c\x08segmentsK\x05s.", "\"segments\"");
}
END_TEST

UNIT_MAIN("snapshot", model_is_what_was_recorded, every_form_gives_the_same_model,
	  batches_and_key_order_do_not_matter, every_cut_and_compression_gives_the_same_model,
	  more_than_one_batch, truncation_at_every_offset, a_cut_trace_is_known_as_such,
	  blocks_of_pytorch_2_0, bare_list_of_segments, nothing_in_it,
	  empty_traces_between_full_ones, fields_of_events, odd_fields_are_said_and_do_no_harm,
	  one_trace_without_a_list_of_traces, states_and_missing_parts_of_the_heap, annotations,
	  settings, events_in_several_lists, frame_lists_in_parts, one_list_of_many_items,
	  references_without_end, limits, other_files)
