/* SPDX-License-Identifier: MIT */
/*
 * PyTorch memory snapshots (torch.cuda.memory._dump_snapshot, _snapshot and
 * memory_snapshot), as pickle or JSON, of all versions since 2.0.
 */
#include "parsers/snapshot/snapshot_build.h"

#include <stdio.h>
#include <string.h>

#include "parsers/document/document.h"

static int probe(struct mlv_bytes head)
{
	enum mlv_document_kind kind = mlv_document_kind(head);
	if (!kind)
		return 0;
	if (mlv_head_has(head, "device_traces") ||
	    (mlv_head_has(head, kind == MLV_DOC_JSON ? "\"segments\"" : "segments") &&
	     (mlv_head_has(head, "total_size") || head.n < 1024)) ||
	    (mlv_head_has(head, "total_size") && mlv_head_has(head, "blocks")))
		return 90;
	/* Some pickle: worth a look, and a better message than "unknown". */
	return kind == MLV_DOC_PICKLE ? 20 : 0;
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
	char keys[120];
	mlv_document_keys(&s->values, top, keys, sizeof(keys));
	return mlv_err_set(err, MLV_E_FORMAT,
			   "not a memory snapshot: a dict %s%s instead of \"segments\" and "
			   "\"device_traces\"",
			   *keys ? "with keys such as " : "without text keys", keys);
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
	p->run->title = "PyTorch memory snapshot";
	p->run->recorder = MLV_RECORDER_ALLOCATOR;
	s->run = p->run;
	s->limits = &s->values.limits;
	for (uint32_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		mlv_strid id;
		if (!mlv_intern(&p->run->strings, words[i].p, words[i].n, &id) || id.i != i + 1)
			return false;
	}
	struct mlv_value_hooks hooks = { s, mlv_snapshot_take_dict, mlv_snapshot_take_list };
	s->recent.track = MLV_TRACK_NONE;
	if (!mlv_values_init(&s->values, &p->run->strings, p->limits, hooks))
		return false;
	s->values.budget.parse = p;
	return true;
}

static enum mlv_rc parse(struct mlv_parse *p, struct mlv_err *err)
{
	struct mlv_snapshot s;
	enum mlv_rc rc = MLV_OK;
	mlv_word top;
	if (!init(&s, p))
		rc = mlv_err_nomem(err);
	if (!rc)
		rc = mlv_document_read(&s.values, p->reader, &top, &p->run->diags, err);
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
