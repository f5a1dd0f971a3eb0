/* SPDX-License-Identifier: MIT */
/* What export makes of any run: stacks, a trace and tables, whose sums are those of the graph. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/flame/flame_layout.h"
#include "fuzz_tables.h"
#include "report/export/export.h"
#include "report/flame.h"

static enum mlv_rc append(void *opaque, const void *data, size_t n, struct mlv_err *err)
{
	(void)err;
	mlv_buf_add(opaque, data, n);
	return MLV_OK;
}

/* Children never account for more than their parent, and stay within it. */
static void check_graph(const struct mlv_flame *f)
{
	struct mlv_flame_layout l;
	struct mlv_flame_space space = { .columns = 100, .rows = 20, .least = 2 };
	for (uint32_t i = 1; i < f->nodes.len; i++)
		FUZZ_CHECK(f->nodes.data[i].total <= f->nodes.data[f->nodes.data[i].parent].total);
	FUZZ_CHECK(!mlv_flame_layout_init(&l, f, &space, NULL));
	for (size_t i = 0; i < l.bars.len; i++)
		FUZZ_CHECK(l.bars.data[i].x0 >= 0 && l.bars.data[i].x0 < l.bars.data[i].x1 &&
			   l.bars.data[i].x1 <= 100 && l.bars.data[i].row < 20);
	mlv_flame_layout_fini(&l);
}

static void flame(const struct mlv_run *run, enum mlv_flame_value value)
{
	struct mlv_flame f;
	struct mlv_buf text = { 0 };
	struct mlv_sink sink = { append, &text };
	FUZZ_CHECK(!mlv_flame_init(&f, NULL));
	if (value <= MLV_FLAME_ALLOCATED) {
		for (size_t i = 0; i < run->devices.len && i < 3; i++) {
			struct mlv_history h;
			FUZZ_CHECK(!mlv_history_init(&h, run, i, NULL));
			FUZZ_CHECK(!mlv_flame_alive(&f, MLV_FLAME_ROOT, &h, h.requested.peak_event,
						    NULL));
			mlv_history_fini(&h);
		}
	} else {
		FUZZ_CHECK(!mlv_flame_findings(&f, MLV_FLAME_ROOT, run, NULL));
		FUZZ_CHECK(
			!mlv_flame_spans(&f, MLV_FLAME_ROOT, run, value == MLV_FLAME_COUNT, NULL));
	}
	FUZZ_CHECK(!mlv_flame_settle(&f, NULL));
	check_graph(&f);
	FUZZ_CHECK(!mlv_flame_text(&f, value, 10, 80, &text, NULL));
	text.len = 0;
	FUZZ_CHECK(!mlv_export_folded(&f, &sink, NULL) && !text.failed);
	mlv_buf_fini(&text);
	mlv_flame_fini(&f);
}

void fuzz_export(const struct mlv_run *run)
{
	const struct mlv_run *runs[] = { run };
	struct mlv_relation_sources sources;
	struct mlv_buf text = { 0 };
	struct mlv_sink sink = { append, &text };
	flame(run, MLV_FLAME_PEAK);
	flame(run, MLV_FLAME_TIME);
	flame(run, MLV_FLAME_COUNT);
	FUZZ_CHECK(!mlv_export_chrome(runs, 1, &sink, NULL) && !text.failed);
	fuzz_check_json(&text);
	FUZZ_CHECK(!mlv_relation_sources_init(&sources, runs, 1, NULL));
	for (const struct mlv_relation *const *t = mlv_relations; *t; t++) {
		text.len = 0;
		FUZZ_CHECK(!mlv_export_csv(&sources, *t, false, &sink, NULL) && !text.failed);
	}
	mlv_relation_sources_fini(&sources);
	mlv_buf_fini(&text);
}
