/* SPDX-License-Identifier: MIT */
/*
 * PyTorch memory snapshots (torch.cuda.memory._dump_snapshot, _snapshot and
 * memory_snapshot), as pickle or JSON, of all versions since 2.0.
 */
#define _GNU_SOURCE /* memmem */
#include "parsers/snapshot_build.h"

#include <stdio.h>
#include <string.h>

#include "parsers/json_values.h"
#include "parsers/pickle.h"

static bool within(struct mlv_bytes head, const char *text)
{
	return memmem(head.p, head.n, text, strlen(text)) != NULL;
}

/* A pickle of protocol 0 that begins by importing something: two names, each on a line. */
static bool is_import(struct mlv_bytes head)
{
	size_t i = 1;
	unsigned lines = 0;
	if (head.n < 6 || head.p[0] != 'c')
		return false;
	for (; i < head.n && i < 200 && lines < 2; i++) {
		uint8_t c = head.p[i];
		if (c == '\n')
			lines++;
		else if (!(c == '.' || c == '_' || (c >= '0' && c <= '9') ||
			   ((c | 0x20) >= 'a' && (c | 0x20) <= 'z')))
			return false;
	}
	return lines == 2 && i < head.n && strchr("(p)NtRq", head.p[i]) && head.p[i];
}

static bool is_pickle(struct mlv_bytes head)
{
	/* PROTO of protocols 2 and up; 0 and 1 begin with a container. */
	if (head.n >= 2 && head.p[0] == 0x80 && head.p[1] >= 2 && head.p[1] <= 8)
		return true;
	return (head.n >= 3 && ((head.p[0] == '(' && (head.p[1] == 'd' || head.p[1] == 'l')) ||
				((head.p[0] == '}' || head.p[0] == ']') && head.p[1] == 'q'))) ||
	       is_import(head);
}

static bool is_json(struct mlv_bytes head)
{
	size_t i = 0;
	if (head.n >= 3 && memcmp(head.p, "\xef\xbb\xbf", 3) == 0)
		i = 3;
	while (i < head.n && strchr(" \t\r\n", head.p[i]) && head.p[i])
		i++;
	return i < head.n && (head.p[i] == '{' || head.p[i] == '[');
}

static int probe(struct mlv_bytes head)
{
	bool pickle = is_pickle(head);
	if (!pickle && !is_json(head))
		return 0;
	if (within(head, "device_traces") ||
	    (within(head, "segments") && (within(head, "total_size") || head.n < 1024)) ||
	    (within(head, "total_size") && within(head, "blocks")))
		return 90;
	/* Some pickle: worth a look, and a better message than "unknown". */
	return pickle ? 20 : 0;
}

static bool is_segments(const struct mlv_snapshot *s, mlv_word list)
{
	struct mlv_value_iter it = mlv_values_iter(&s->values, list);
	mlv_word first;
	return mlv_word_is_obj(&s->values, list, MLV_OBJ_LIST) && mlv_value_next(&it, &first) &&
	       mlv_word_tag(mlv_snapshot_get(s, first, W_BLOCKS)) != MLV_W_UNSET;
}

/* What to say of a document that is no snapshot: the keys it has instead. */
static enum mlv_rc not_a_snapshot(const struct mlv_snapshot *s, mlv_word top, struct mlv_err *err)
{
	if (mlv_word_tag(top) == MLV_W_UNSET)
		return mlv_err_set(err, MLV_E_FORMAT, "nothing could be read from it");
	if (!mlv_word_is_obj(&s->values, top, MLV_OBJ_DICT))
		return mlv_err_set(err, MLV_E_FORMAT,
				   "not a memory snapshot: the document is not a dict with "
				   "\"segments\" and \"device_traces\"");
	if (s->values.ended)
		return mlv_err_set(err, MLV_E_FORMAT,
				   "the file ends before anything of a memory snapshot; whatever "
				   "wrote it was stopped");
	char keys[120] = "";
	size_t used = 0, shown = 0;
	struct mlv_value_iter it = mlv_values_iter(&s->values, top);
	mlv_word k, value;
	mlv_strid key;
	while (shown < 3 && mlv_value_next(&it, &k) && mlv_value_next(&it, &value)) {
		if (!mlv_word_str(k, &key))
			continue;
		int n = snprintf(keys + used, sizeof(keys) - used, "%s\"%.24s\"", shown ? ", " : "",
				 mlv_run_str(s->run, key).p);
		used += (size_t)n;
		shown++;
	}
	return mlv_err_set(err, MLV_E_FORMAT,
			   "not a memory snapshot: a dict %s%s instead of \"segments\" and "
			   "\"device_traces\"",
			   shown ? "with keys such as " : "without text keys", keys);
}

/* Whether the input ended within the traces, as far as the order of the keys tells. */
static bool ended_in_traces(const struct mlv_snapshot *s, mlv_word top)
{
	struct mlv_value_iter it = mlv_values_iter(&s->values, top);
	mlv_word key = mlv_word_make(MLV_W_UNSET, 0), k, value;
	while (mlv_value_next(&it, &k) && mlv_value_next(&it, &value))
		key = k;
	return s->values.ended && key == mlv_word_make(MLV_W_STR, W_DEVICE_TRACES);
}

static enum mlv_rc build(struct mlv_snapshot *s, mlv_word top, struct mlv_err *err)
{
	mlv_word segments, traces;
	/* memory_snapshot() alone: a list of segments without history. */
	if (is_segments(s, top)) {
		segments = top;
		traces = mlv_word_make(MLV_W_UNSET, 0);
	} else {
		segments = mlv_snapshot_get(s, top, W_SEGMENTS);
		traces = mlv_snapshot_get(s, top, W_DEVICE_TRACES);
		if (mlv_word_tag(segments) != MLV_W_OBJ && mlv_word_tag(traces) != MLV_W_OBJ)
			return not_a_snapshot(s, top, err);
	}
	if (s->traces.len && ended_in_traces(s, top))
		s->traces.data[s->traces.len - 1].cut = true;
	enum mlv_rc rc = mlv_snapshot_place_events(s, traces, err);
	if (!rc)
		rc = mlv_snapshot_read_segments(s, segments, err);
	if (!rc)
		rc = mlv_snapshot_list_devices(s, err);
	if (!rc)
		rc = mlv_snapshot_read_settings(s, mlv_snapshot_get(s, top, W_ALLOCATOR_SETTINGS),
						err);
	if (!rc)
		rc = mlv_snapshot_read_annotations(
			s, mlv_snapshot_get(s, top, W_EXTERNAL_ANNOTATIONS), err);
	return rc;
}

static bool init(struct mlv_snapshot *s, struct mlv_parse *p)
{
	static const struct mlv_str words[] = {
#define X(id, text) MLV_STR_INIT(text),
		MLV_SNAPSHOT_WORDS(X)
#undef X
	};
	memset(s, 0, sizeof(*s));
	s->run = p->run;
	s->limits = &s->values.limits;
	for (uint32_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		mlv_strid id;
		if (!mlv_intern(&p->run->strings, words[i].p, words[i].n, &id) || id.i != i + 1)
			return false;
	}
	struct mlv_value_hooks hooks = { s, mlv_snapshot_take_dict, mlv_snapshot_take_list };
	s->recent.track = MLV_TRACK_NONE;
	return mlv_values_init(&s->values, &p->run->strings, p->limits, hooks);
}

static enum mlv_rc parse(struct mlv_parse *p, struct mlv_err *err)
{
	struct mlv_snapshot s;
	enum mlv_rc rc = MLV_OK;
	mlv_word top;
	if (!init(&s, p))
		rc = mlv_err_nomem(err);
	if (!rc) {
		(void)mlv_reader_need(p->reader, MLV_PROBE_BYTES);
		struct mlv_bytes head = { p->reader->p, (size_t)(p->reader->end - p->reader->p) };
		if (is_json(head) && !is_pickle(head))
			rc = mlv_json_read_values(&s.values, p->reader, &top, &p->run->diags, err);
		else
			rc = mlv_pickle_read(&s.values, p->reader, &top, &p->run->diags, err);
	}
	if (!rc)
		rc = build(&s, top, err);
	mlv_values_fini(&s.values);
	mlv_vec_free(&s.traces);
	mlv_vec_free(&s.ranges);
	mlv_vec_free(&s.frames);
	mlv_vec_free(&s.words);
	return rc;
}

const struct mlv_parser mlv_parser_snapshot = {
	.name = "torch-snapshot",
	.summary = "PyTorch CUDA memory snapshot (_dump_snapshot, memory_snapshot), pickle or JSON",
	.probe = probe,
	.parse = parse,
};
