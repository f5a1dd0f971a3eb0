/* SPDX-License-Identifier: MIT */
/*
 * Kineto and other Chrome traces. The document is walked once, token by
 * token: an object with "traceEvents" and keys on both sides of it, or only
 * the list. A damaged event is lost alone.
 */
#include "parsers/profiler/kineto.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "parsers/document/document.h"

static const struct mlv_str event_keys[] = {
	MLV_STR_INIT("ph"),  MLV_STR_INIT("name"), MLV_STR_INIT("cat"),
	MLV_STR_INIT("pid"), MLV_STR_INIT("tid"),  MLV_STR_INIT("ts"),
	MLV_STR_INIT("dur"), MLV_STR_INIT("args"), MLV_STR_INIT("id"),
	{ "", 0 },
};

static const struct mlv_json_records records = { MLV_STR_INIT("traceEvents"), event_keys };

/* No time of a trace that counts from its base is that late: it is one since 1970 itself. */
static const int64_t ABSOLUTE = INT64_C(1000000000000000000);

static bool init(struct kineto *k)
{
	static const char *const names[ARGS] = {
		[ARG_CORRELATION] = "correlation",
		[ARG_EXTERNAL_ID] = "external_id",
		[ARG_STREAM] = "stream",
		[ARG_DEVICE] = "device",
		[ARG_IN_ELEMS] = "in_elems",
		[ARG_OUT_ELEMS] = "out_elems",
		[ARG_SEQ] = "seq",
		[ARG_COLLECTIVE] = "collective",
		[ARG_GROUP] = "group",
		[ARG_DTYPE] = "dtype",
	};
	const struct {
		const char *text;
		mlv_strid *id;
	} words[] = {
		{ "[memory]", &k->memory },
		{ "[OutOfMemory]", &k->out_of_memory },
		{ "process_name", &k->process_name },
		{ "thread_name", &k->thread_name },
		{ "instant", &k->instant },
		{ "CPU functions", &k->cpu_functions },
		{ "CUDA functions", &k->cuda_functions },
	};
	bool ok = true;
	for (size_t i = 0; i < ARGS && ok; i++)
		ok = !names[i] ||
		     mlv_intern(&k->run->strings, names[i], strlen(names[i]), &k->keys[i]);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]) && ok; i++)
		ok = mlv_intern(&k->run->strings, words[i].text, strlen(words[i].text),
				words[i].id);
	return ok;
}

static void fini(struct kineto *k)
{
	mlv_json_reader_destroy(k->json);
	mlv_vec_free(&k->categories);
	mlv_map_fini(&k->category_ids);
	mlv_vec_free(&k->values);
	mlv_vec_free(&k->memories);
	mlv_vec_free(&k->names);
	mlv_vec_free(&k->opens);
	mlv_map_fini(&k->open_tops);
}

static enum mlv_rc look(struct kineto *k, struct mlv_err *err)
{
	return mlv_budget_look(&k->budget, k->token.offset,
			       k->memories.len * sizeof(*k->memories.data) +
				       k->names.len * sizeof(*k->names.data) +
				       k->opens.len * sizeof(*k->opens.data),
			       err);
}

/* Behind the '[' of the list. */
static enum mlv_rc read_events(struct kineto *k, struct mlv_err *err)
{
	struct kineto_event e;
	enum mlv_rc rc;
	k->has_events = true;
	while ((rc = mlv_kineto_next(k, err)) == MLV_OK && k->token.kind != MLV_JSON_ARRAY_END) {
		bool taken = false;
		uint64_t lost = mlv_json_lost(k->json);
		if (k->token.kind == MLV_JSON_OBJECT_BEGIN) {
			rc = mlv_kineto_event(k, &e, err);
			/* The event in which the input ends may lack anything. */
			if (!rc && lost == mlv_json_lost(k->json) && !mlv_json_ended_early(k->json))
				rc = mlv_kineto_take(k, &e, &taken, err);
		} else {
			rc = mlv_kineto_skip(k, err);
		}
		if (!rc && mlv_budget_due(&k->budget, k->token.offset))
			rc = look(k, err);
		if (rc)
			return rc;
		k->events += taken;
		/* What the reader lost it counts itself. */
		k->skipped += !taken && lost == mlv_json_lost(k->json);
	}
	return rc;
}

/* Behind the '{' of the document. */
static enum mlv_rc read_object(struct kineto *k, struct mlv_err *err)
{
	enum mlv_rc rc;
	while ((rc = mlv_kineto_next(k, err)) == MLV_OK && k->token.kind == MLV_JSON_KEY) {
		char key[64];
		struct mlv_str s = k->token.text;
		size_t n = s.n < sizeof(key) - 1 ? s.n : sizeof(key) - 1;
		memcpy(key, s.p, n);
		key[n] = '\0';
		rc = mlv_kineto_next(k, err);
		if (rc)
			return rc;
		if (k->token.kind == MLV_JSON_ARRAY_BEGIN && strcmp(key, "traceEvents") == 0)
			rc = read_events(k, err);
		else
			rc = mlv_kineto_about(k, key, err);
		if (rc)
			return rc;
	}
	return rc;
}

static enum mlv_rc read_document(struct kineto *k, struct mlv_err *err)
{
	enum mlv_rc rc = mlv_kineto_next(k, err);
	if (!rc && k->token.kind == MLV_JSON_OBJECT_BEGIN)
		rc = read_object(k, err);
	else if (!rc && k->token.kind == MLV_JSON_ARRAY_BEGIN) {
		k->bare = true;
		rc = read_events(k, err);
	}
	/* What may stand behind it is reported by the reader. */
	while (!rc && k->token.kind != MLV_JSON_END)
		rc = mlv_kineto_next(k, err);
	return rc;
}

/* Whether the times count from 1970 already; looked at where the most rows are. */
static bool is_absolute(const struct kineto *k)
{
	int64_t first = INT64_MAX;
	for (size_t i = 0; i < k->run->spans.len; i++) {
		int64_t t = k->run->spans.data[i].start_ns;
		first = t < first ? t : first;
	}
	for (size_t i = 0; i < k->memories.len && !k->run->spans.len; i++)
		first = k->memories.data[i].ts < first ? k->memories.data[i].ts : first;
	return first >= ABSOLUTE && first != INT64_MAX;
}

static void shift(const struct kineto *k, int64_t *time)
{
	if (*time != MLV_NO_TIME && __builtin_add_overflow(*time, k->base, time))
		*time = k->base > 0 ? INT64_MAX : INT64_MIN + 1;
}

/* The base may stand behind the events, so it is added at the end. */
static bool add_base(struct kineto *k)
{
	bool absolute = is_absolute(k);
	if (!absolute && k->base > 0) {
		for (size_t i = 0; i < k->run->spans.len; i++) {
			shift(k, &k->run->spans.data[i].start_ns);
			shift(k, &k->run->spans.data[i].end_ns);
		}
		for (size_t i = 0; i < k->run->samples.len; i++)
			shift(k, &k->run->samples.data[i].time_ns);
		for (size_t i = 0; i < k->memories.len; i++)
			shift(k, &k->memories.data[i].ts);
		absolute = true;
	}
	return mlv_run_property_text(k->run, "trace", "clock",
				     absolute ? MLV_STR("unix") : MLV_STR("relative"));
}

static void say_what_is_missing(struct kineto *k)
{
	struct mlv_diags *diags = &k->run->diags;
	uint64_t skipped = k->skipped + mlv_json_lost(k->json);
	if (skipped)
		mlv_diag_add(diags, MLV_DAMAGE, "kineto-events-skipped", MLV_NO_OFFSET,
			     "%" PRIu64 " of %" PRIu64
			     " events are damaged or lack what they need, and are left out",
			     skipped, k->events + skipped);
	if (k->unmatched)
		mlv_diag_add(diags, MLV_WARNING, "kineto-end-without-begin", MLV_NO_OFFSET,
			     "%" PRIu64 " events end an interval that never began", k->unmatched);
	if (k->others)
		mlv_diag_add(diags, MLV_NOTE, "kineto-phases", MLV_NO_OFFSET,
			     "%" PRIu64 " events are of a kind that is not shown (asynchronous, "
			     "objects, samples)",
			     k->others);
}

static enum mlv_rc finish(struct kineto *k, struct mlv_err *err)
{
	struct mlv_section s = {
		.format = "kineto", .rank = k->run->rank, .rows = k->events, .noun = "event"
	};
	if (!add_base(k))
		return mlv_err_nomem(err);
	mlv_kineto_name_tracks(k);
	enum mlv_rc rc = mlv_kineto_memory_rows(k, err);
	if (rc)
		return rc;
	say_what_is_missing(k);
	if (!mlv_run_property_int(k->run, "trace", "events", (int64_t)k->events) ||
	    !mlv_run_property_int(k->run, "trace", "flow_events", (int64_t)k->flows) ||
	    !mlv_vec_push(&k->run->sections, s))
		return mlv_err_nomem(err);
	return MLV_OK;
}

static enum mlv_rc parse(struct mlv_parse *p, struct mlv_err *err)
{
	struct kineto k = { .run = p->run, .limits = p->limits, .budget = { .parse = p } };
	enum mlv_rc rc = MLV_OK;
	p->run->title = "PyTorch profiler trace";
	k.json = mlv_json_reader_create(p->reader, p->limits, &p->run->diags);
	if (!k.json || !init(&k))
		rc = mlv_err_nomem(err);
	if (!rc) {
		mlv_json_salvage(k.json, &records);
		rc = read_document(&k, err);
	}
	if (!rc && !k.has_events)
		rc = mlv_err_set(err, MLV_E_FORMAT,
				 "there is no list \"traceEvents\" in it: the profiler did not get "
				 "to its events, or it is no trace");
	if (!rc)
		rc = finish(&k, err);
	fini(&k);
	return rc;
}

/* `"ph": "X"` with any letter. */
static bool has_phase(struct mlv_bytes head)
{
	for (size_t i = 0; i + 8 < head.n; i++) {
		if (head.p[i] != '"' || memcmp(head.p + i, "\"ph\"", 4) != 0)
			continue;
		size_t at = i + 4;
		while (at < head.n && (head.p[at] == ' ' || head.p[at] == ':'))
			at++;
		if (at + 2 < head.n && head.p[at] == '"' && head.p[at + 2] == '"')
			return true;
	}
	return false;
}

static int probe(struct mlv_bytes head)
{
	if (mlv_document_kind(head) != MLV_DOC_JSON)
		return 0;
	size_t i = 0;
	while (head.p[i] != '{' && head.p[i] != '[')
		i++;
	if (head.p[i] == '{') {
		if (mlv_head_has(head, "\"traceEvents\""))
			return 95;
		/* Long metadata, or a list of devices, can fill the head. */
		return mlv_head_has(head, "\"schemaVersion\"") &&
				       mlv_head_has(head, "\"deviceProperties\"")
			       ? 90
			       : 0;
	}
	bool timed = mlv_head_has(head, "\"ts\"") && mlv_head_has(head, "\"pid\"");
	return timed && has_phase(head) ? 85 : 0;
}

const struct mlv_parser mlv_parser_kineto = {
	.name = "kineto",
	.summary = "trace of the PyTorch profiler (Kineto), or another Chrome trace in JSON",
	.probe = probe,
	.parse = parse,
};
