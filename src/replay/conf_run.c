/* SPDX-License-Identifier: MIT */
/*
 * The settings a recording was made under. A snapshot states most of them one
 * by one; some only stand in the line that the program was started with.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "replay/conf.h"

static const struct mlv_property *stated(const struct mlv_run *run, const char *key)
{
	return mlv_run_property(run, "settings", key);
}

/* Of the line alone: what is not exported by itself. */
static void from_line(const struct mlv_run *run, struct mlv_alloc_conf *conf,
		      struct mlv_diags *notes)
{
	static const char *const keys[] = { "PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF",
					    "PYTORCH_HIP_ALLOC_CONF" };
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const struct mlv_property *p = stated(run, keys[i]);
		struct mlv_err err = MLV_ERR_INIT;
		if (!p || p->kind != MLV_PROP_TEXT)
			continue;
		if (mlv_alloc_conf_parse(conf, mlv_run_str(run, p->text), notes, &err))
			mlv_diag_add(notes, MLV_WARNING, "conf-recorded", MLV_NO_OFFSET,
				     "the recorded %s could not be read: %s", keys[i], err.msg);
		return;
	}
}

static void divisions(const struct mlv_run *run, struct mlv_alloc_conf *conf)
{
	for (unsigned i = 0; i < MLV_ALLOC_DIVISIONS; i++) {
		char key[48];
		snprintf(key, sizeof(key), "roundup_power2_divisions/%u", 1U << i);
		const struct mlv_property *p = stated(run, key);
		if (p && p->kind == MLV_PROP_INT && p->number >= 0 && p->number <= 1 << 20 &&
		    (p->number & (p->number - 1)) == 0)
			conf->divisions[i] = (uint64_t)p->number;
	}
}

struct mlv_alloc_conf mlv_alloc_conf_of(const struct mlv_run *run, struct mlv_diags *notes)
{
	struct mlv_alloc_conf conf = mlv_alloc_conf_default;
	from_line(run, &conf, notes);
	const struct mlv_property *p = stated(run, "max_split_size");
	if (p && p->kind == MLV_PROP_INT)
		conf.max_split = p->number > 0 ? (uint64_t)p->number : UINT64_MAX;
	p = stated(run, "garbage_collection_threshold");
	if (p && p->kind == MLV_PROP_DECIMAL) {
		double share = strtod(mlv_run_str(run, p->text).p, NULL);
		conf.gc_threshold = share > 0 && share <= 1 ? share : 0;
	}
	p = stated(run, "expandable_segments");
	if (p && p->kind == MLV_PROP_BOOL)
		conf.expandable = p->number != 0;
	divisions(run, &conf);
	return conf;
}
