/* SPDX-License-Identifier: MIT */
/*
 * What a snapshot holds besides memory: the allocator's settings become
 * properties of the run, external annotations (record_function, optimizer
 * steps) become spans on their device.
 */
#include "parsers/snapshot/snapshot_build.h"

#include <stdio.h>
#include <string.h>

/* A property from a value; values of other kinds (lists, None) are passed over. */
static bool add_property(struct mlv_snapshot *s, mlv_strid key, mlv_word value)
{
	struct mlv_property p = { .group = { W_SETTINGS }, .key = key };
	char digits[40];
	switch (mlv_word_tag(value)) {
	case MLV_W_INT:
		p.kind = MLV_PROP_INT;
		(void)mlv_word_int(value, &p.number);
		break;
	case MLV_W_BIG:
		/* SIZE_MAX stands for "unlimited", which signed versions write as -1. */
		p.kind = MLV_PROP_INT;
		p.number = (int64_t)s->values.bigs.data[mlv_word_payload(value)];
		break;
	case MLV_W_BOOL:
		p.kind = MLV_PROP_BOOL;
		(void)mlv_word_int(value, &p.number);
		break;
	case MLV_W_STR:
		p.kind = MLV_PROP_TEXT;
		(void)mlv_word_str(value, &p.text);
		break;
	case MLV_W_FLOAT:
		p.kind = MLV_PROP_DECIMAL;
		snprintf(digits, sizeof(digits), "%.12g",
			 s->values.floats.data[mlv_word_payload(value)]);
		/* Keep it readable as a decimal: 0.0 is not the integer 0. */
		if (!strpbrk(digits, ".en"))
			strcat(digits, ".0");
		if (!mlv_intern(&s->run->strings, digits, strlen(digits), &p.text))
			return false;
		break;
	default:
		return true;
	}
	return mlv_vec_push(&s->run->properties, p);
}

/* "group/member" for the members of a nested dict. */
static bool member_key(struct mlv_snapshot *s, mlv_strid group, mlv_strid member, mlv_strid *key)
{
	char name[256];
	int n = snprintf(name, sizeof(name), "%.120s/%.120s", mlv_run_str(s->run, group).p,
			 mlv_run_str(s->run, member).p);
	return mlv_intern(&s->run->strings, name, (size_t)n, key);
}

/* PyTorch has a few dozen settings. */
static bool has_room(struct mlv_snapshot *s)
{
	enum { MOST = 4096 };
	if (s->run->properties.len < MOST)
		return true;
	mlv_diag_add(&s->run->diags, MLV_DAMAGE, "settings", MLV_NO_OFFSET,
		     "the allocator settings beyond the first %d are left out", MOST);
	return false;
}

enum mlv_rc mlv_snapshot_read_settings(struct mlv_snapshot *s, mlv_word settings,
				       struct mlv_err *err)
{
	struct mlv_value_iter it = mlv_values_iter(&s->values, settings);
	mlv_word k, value, k2, value2;
	mlv_strid key, member;
	while (has_room(s) && mlv_value_next(&it, &k) && mlv_value_next(&it, &value)) {
		if (!mlv_word_str(k, &key))
			continue;
		if (!mlv_word_is_obj(&s->values, value, MLV_OBJ_DICT)) {
			if (!add_property(s, key, value))
				return mlv_err_nomem(err);
			continue;
		}
		struct mlv_value_iter inner = mlv_values_iter(&s->values, value);
		while (has_room(s) && mlv_value_next(&inner, &k2) &&
		       mlv_value_next(&inner, &value2)) {
			if (mlv_word_str(k2, &member) && (!member_key(s, key, member, &member) ||
							  !add_property(s, member, value2)))
				return mlv_err_nomem(err);
		}
		mlv_snapshot_spend(s, value);
	}
	return MLV_OK;
}

/* Annotations that have begun and not ended, by device and name, the innermost last. */
struct open_spans {
	struct mlv_map last;    /* device and name -> span */
	MLV_VEC(uint32_t) prev; /* for each span, the one that it hides */
};

static bool begin_span(struct mlv_run *run, struct open_spans *open, uint64_t key,
		       struct mlv_span span)
{
	struct mlv_map_slot *slot = mlv_map_find(&open->last, key);
	uint32_t hidden = slot ? slot->value : UINT32_MAX;
	return mlv_vec_push(&open->prev, hidden) && mlv_vec_push(&run->spans, span) &&
	       mlv_map_set(&open->last, key, (uint32_t)run->spans.len - 1);
}

static bool end_span(struct mlv_run *run, struct open_spans *open, uint64_t key,
		     struct mlv_span span)
{
	struct mlv_map_slot *slot = mlv_map_find(&open->last, key);
	if (!slot || slot->value == UINT32_MAX) {
		/* Its beginning was overwritten in the ring buffer. */
		span.end_ns = span.start_ns;
		span.start_ns = MLV_NO_TIME;
		return mlv_vec_push(&open->prev, UINT32_MAX) && mlv_vec_push(&run->spans, span);
	}
	run->spans.data[slot->value].end_ns = span.start_ns;
	slot->value = open->prev.data[slot->value];
	return true;
}

static bool read_annotation(struct mlv_snapshot *s, struct open_spans *open, mlv_word w)
{
	mlv_strid stage, name;
	int64_t device = 0, time_us;
	if (!mlv_word_str(mlv_snapshot_get(s, w, W_STAGE), &stage) ||
	    !mlv_word_str(mlv_snapshot_get(s, w, W_NAME), &name) ||
	    !mlv_word_int(mlv_snapshot_get(s, w, W_TIME_US), &time_us) ||
	    (stage.i != W_START && stage.i != W_END) || time_us >= INT64_MAX / 1000 ||
	    time_us <= INT64_MIN / 1000) {
		mlv_diag_add(&s->run->diags, MLV_WARNING, "annotation", MLV_NO_OFFSET,
			     "an external annotation lacks its stage, name or time and is left "
			     "out");
		return true;
	}
	(void)mlv_word_int(mlv_snapshot_get(s, w, W_DEVICE), &device);
	struct mlv_span span = {
		.start_ns = time_us * 1000, .end_ns = MLV_NO_TIME, .name = name, .bytes = -1
	};
	if (!mlv_run_track(s->run, MLV_TRACK_DEVICE, MLV_TRACK_NONE, device, &span.track))
		return false;
	uint64_t key = (uint64_t)span.track.i << 32 | name.i;
	return stage.i == W_END ? end_span(s->run, open, key, span)
				: begin_span(s->run, open, key, span);
}

enum mlv_rc mlv_snapshot_read_annotations(struct mlv_snapshot *s, mlv_word annotations,
					  struct mlv_err *err)
{
	struct open_spans open;
	memset(&open, 0, sizeof(open));
	bool ok = true;
	enum mlv_rc rc = MLV_OK;
	struct mlv_value_iter it = mlv_values_iter(&s->values, annotations);
	for (mlv_word w; ok && mlv_value_next(&it, &w);) {
		rc = mlv_limits_room(s->limits, s->run->spans.len, "annotations", err);
		if (rc)
			break;
		ok = read_annotation(s, &open, w);
		mlv_snapshot_spend(s, w);
	}
	mlv_map_fini(&open.last);
	mlv_vec_free(&open.prev);
	return ok ? rc : mlv_err_nomem(err);
}
