/* SPDX-License-Identifier: MIT */
/* Builders that parsers of all formats use: names, attributes, properties. */
#include <string.h>

#include "model/run.h"

bool mlv_run_intern(struct mlv_run *run, struct mlv_str s, mlv_strid *id)
{
	return mlv_intern(&run->strings, s.p, s.n, id);
}

static bool intern_text(struct mlv_run *run, const char *text, mlv_strid *id)
{
	return mlv_intern(&run->strings, text, strlen(text), id);
}

bool mlv_run_named_track(struct mlv_run *run, enum mlv_track_kind kind, mlv_trackid parent,
			 int64_t number, struct mlv_str name, mlv_trackid *id)
{
	if (!mlv_run_track(run, kind, parent, number, id))
		return false;
	struct mlv_track *t = &run->tracks.data[id->i];
	return t->name.i || !name.n || mlv_run_intern(run, name, &t->name);
}

uint32_t mlv_run_attrs_begin(const struct mlv_run *run)
{
	return (uint32_t)run->attrs.len;
}

bool mlv_run_attr_text_id(struct mlv_run *run, mlv_strid key, mlv_strid text)
{
	struct mlv_attr a = { .key = key, .text = text, .is_text = true };
	return run->attrs.len < UINT32_MAX && mlv_vec_push(&run->attrs, a);
}

bool mlv_run_attr_int_id(struct mlv_run *run, mlv_strid key, int64_t number)
{
	struct mlv_attr a = { .key = key, .number = number };
	return run->attrs.len < UINT32_MAX && mlv_vec_push(&run->attrs, a);
}

bool mlv_run_attr_text(struct mlv_run *run, const char *key, struct mlv_str text)
{
	mlv_strid k, t;
	return intern_text(run, key, &k) && mlv_run_intern(run, text, &t) &&
	       mlv_run_attr_text_id(run, k, t);
}

bool mlv_run_attr_int(struct mlv_run *run, const char *key, int64_t number)
{
	mlv_strid k;
	return intern_text(run, key, &k) && mlv_run_attr_int_id(run, k, number);
}

struct mlv_attrs mlv_run_attrs_end(const struct mlv_run *run, uint32_t begin)
{
	return (struct mlv_attrs){ begin, (uint32_t)run->attrs.len - begin };
}

const struct mlv_attr *mlv_run_attr(const struct mlv_run *run, struct mlv_attrs attrs,
				    const char *key)
{
	struct mlv_str k = mlv_str_of(key);
	for (uint32_t i = 0; i < attrs.count; i++) {
		const struct mlv_attr *a = &run->attrs.data[attrs.first + i];
		if (mlv_str_eq(mlv_run_str(run, a->key), k))
			return a;
	}
	return NULL;
}

static bool property(struct mlv_run *run, const char *group, const char *key, struct mlv_property p)
{
	return intern_text(run, group, &p.group) && intern_text(run, key, &p.key) &&
	       mlv_vec_push(&run->properties, p);
}

bool mlv_run_property_text(struct mlv_run *run, const char *group, const char *key,
			   struct mlv_str text)
{
	struct mlv_property p = { .kind = MLV_PROP_TEXT };
	return mlv_run_intern(run, text, &p.text) && property(run, group, key, p);
}

bool mlv_run_property_int(struct mlv_run *run, const char *group, const char *key, int64_t number)
{
	struct mlv_property p = { .kind = MLV_PROP_INT, .number = number };
	return property(run, group, key, p);
}
