/* SPDX-License-Identifier: MIT */
#include "render/html/memory_blocks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "render/html/memory_rows.h"
#include "render/memory_chart.h"

/* What colours can stand for, and their names in the page. */
static const struct {
	enum mlv_class_kind kind;
	const char *name;
} kinds[] = {
	{ MLV_BY_SITE, "site" }, { MLV_BY_LIFETIME, "lifetime" }, { MLV_BY_STREAM, "stream" },
	{ MLV_BY_POOL, "pool" }, { MLV_BY_SIZE, "size" },
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

/* One panel while its columns are written. */
struct block {
	struct mlv_pack pack;
	struct mlv_stack_table stacks;
	struct mlv_classes classes; /* of the kind whose turn it is */
};

struct writer {
	const struct mlv_memory_blocks *in;
	struct block *blocks;
	struct mlv_memory_panel *panels; /* with the classes of the kind whose turn it is */
	size_t begun;                    /* blocks that have a pack and a table */
};

static void extent(struct mlv_json *j, const char *key, const struct mlv_extent *e)
{
	mlv_json_key_object(j, key);
	mlv_json_key_uint(j, "start", e->start);
	mlv_json_key_uint(j, "peak", e->peak);
	mlv_json_key_int(j, "peak_event", e->peak_event);
	mlv_json_key_uint(j, "end", e->end);
	mlv_json_object_end(j);
}

static void facts(struct mlv_json *j, const struct mlv_memory_blocks *in, size_t index)
{
	const struct mlv_history *h = in->panels[index].history;
	const struct mlv_memory_block_words *words = &in->words[index];
	char name[64];
	mlv_json_key_text(j, "title", words->title);
	mlv_json_key_str(j, MLV_STR("file"));
	mlv_json_str(j, mlv_str_basename(mlv_str_of(h->run->file)));
	mlv_json_key_int(j, "rank", h->run->rank);
	mlv_json_key_text(j, "device", mlv_device_name(h->run, h->device, name, sizeof(name)));
	mlv_json_key_text(j, "bytes_are", mlv_bytes_are_name(h->device->bytes_are));
	mlv_json_key_uint(j, "events", h->count);
	mlv_json_key_uint(j, "allocations", h->action_count[MLV_MEM_ALLOC]);
	extent(j, "requested", &h->requested);
	extent(j, "reserved", &h->reserved);
	mlv_json_key_uint(j, "pending_peak", h->pending_peak);
	mlv_json_key_uint(j, "capacity", in->capacity);
	mlv_json_key_bool(j, "complete", h->complete);
	mlv_json_key_text(j, "completeness", words->completeness ? words->completeness : "");
}

static const char *kind_name(enum mlv_class_kind kind)
{
	size_t k = 0;
	while (k + 1 < KINDS && kinds[k].kind != kind)
		k++;
	return kinds[k].name;
}

static void first_view(struct mlv_json *j, const struct mlv_memory_blocks *in, size_t index)
{
	const struct mlv_memory_panel *p = &in->panels[index];
	mlv_json_key_object(j, "view");
	mlv_json_key_text(j, "axis", in->by_time && p->history->has_times ? "time" : "event");
	mlv_json_key_text(j, "colour", kind_name(p->classes->kind));
	mlv_json_key_uint(j, "from", p->first);
	mlv_json_key_uint(j, "to", p->history->count ? (uint64_t)p->last + 1 : 1);
	mlv_json_object_end(j);
}

/* Everything but the classes. */
static enum mlv_rc begin(struct writer *w, size_t index, struct mlv_err *err)
{
	struct block *b = &w->blocks[index];
	const struct mlv_history *h = w->in->panels[index].history;
	mlv_pack_init(&b->pack);
	w->begun++;
	facts(&b->pack.meta, w->in, index);
	first_view(&b->pack.meta, w->in, index);
	enum mlv_rc rc = mlv_stack_table_init(&b->stacks, h->run, err);
	if (rc)
		return rc;
	for (size_t i = 0; i < h->alloc_count; i++)
		mlv_stack_table_use(&b->stacks, h->allocs[i].stack);
	for (size_t i = 0; i < h->other_count; i++)
		mlv_stack_table_use(&b->stacks, h->events[h->others[i]].stack);
	mlv_stack_table_number(&b->stacks);
	rc = mlv_memory_rows_times(&b->pack, h, err);
	if (!rc)
		rc = mlv_memory_rows_others(&b->pack, h, &b->stacks, err);
	if (!rc)
		rc = mlv_memory_rows_segments(&b->pack, h, err);
	if (!rc)
		rc = mlv_memory_rows_spans(&b->pack, h, w->in->panels[index].device, &b->stacks,
					   err);
	return rc ? rc
		  : mlv_stack_table_write(&b->stacks, w->in->panels[index].classes->sites, &b->pack,
					  err);
}

static enum mlv_rc write_names(struct mlv_pack *pack, const struct mlv_classes *c, const char *kind,
			       struct mlv_err *err)
{
	char *name = malloc(MLV_NAME_SIZE), *place = malloc(MLV_NAME_SIZE);
	bool ok = name && place;
	if (ok) {
		mlv_json_key_object(&pack->meta, kind);
		for (int places = 0; places < 2; places++) {
			mlv_json_key_array(&pack->meta, places ? "places" : "names");
			for (uint32_t i = 0; i < c->count; i++) {
				mlv_class_name(c, i, name, MLV_NAME_SIZE, place, MLV_NAME_SIZE);
				mlv_json_text(&pack->meta, places ? place : name);
			}
			mlv_json_array_end(&pack->meta);
		}
		mlv_json_object_end(&pack->meta);
	}
	free(name);
	free(place);
	return ok ? MLV_OK : mlv_err_nomem(err);
}

static enum mlv_rc write_colors(struct mlv_pack *pack, const struct mlv_legend *legend,
				const struct mlv_memory_chart *chart,
				const struct mlv_classes *classes, const char *column,
				struct mlv_err *err)
{
	struct mlv_class_colors colors;
	enum mlv_rc rc = mlv_legend_colors(legend, chart, classes, &colors, err);
	if (rc)
		return rc;
	uint32_t *rgb = malloc((classes->count + 1) * sizeof(*rgb));
	for (size_t i = 0; rgb && i < classes->count; i++) {
		struct mlv_color c = colors.of_class[i];
		rgb[i] = (uint32_t)c.r << 16 | (uint32_t)c.g << 8 | c.b;
	}
	if (rgb)
		mlv_pack_u32(pack, column, rgb, classes->count);
	free(colors.of_class);
	free(rgb);
	return rgb ? MLV_OK : mlv_err_nomem(err);
}

/* As in the pictures: those that a legend names have colours that no other of them has. */
static enum mlv_rc write_theme(struct writer *w, const char *kind, const char *theme,
			       struct mlv_err *err)
{
	enum { LEGEND_HEIGHT = 10000 };
	char column[32];
	struct mlv_memory_chart chart = { .page = { .theme = mlv_theme_find(theme) },
					  .panels = w->panels,
					  .count = w->in->count,
					  .top = w->in->top };
	struct mlv_legend legend;
	enum mlv_rc rc = mlv_legend_init(&legend, &chart, LEGEND_HEIGHT, err);
	if (rc)
		return rc;
	snprintf(column, sizeof(column), "%s_%s", kind, theme);
	for (size_t i = 0; !rc && i < w->in->count; i++)
		rc = write_colors(&w->blocks[i].pack, &legend, &chart, &w->blocks[i].classes,
				  column, err);
	mlv_legend_fini(&legend);
	return rc;
}

static enum mlv_rc write_rows(struct block *b, const struct mlv_history *h,
			      enum mlv_class_kind kind, const char *name, struct mlv_err *err)
{
	char column[32];
	if (kind == MLV_BY_SITE)
		return mlv_memory_rows_allocs(&b->pack, h, &b->classes, &b->stacks, err);
	snprintf(column, sizeof(column), "of_%s", name);
	mlv_pack_u32(&b->pack, column, b->classes.of_alloc, h->alloc_count);
	return MLV_OK;
}

static enum mlv_rc write_kind(struct writer *w, enum mlv_class_kind kind, const char *name,
			      struct mlv_err *err)
{
	enum mlv_rc rc = MLV_OK;
	for (size_t i = 0; !rc && i < w->in->count; i++) {
		const struct mlv_memory_panel *from = &w->in->panels[i];
		w->panels[i] = *from;
		w->panels[i].classes = &w->blocks[i].classes;
		rc = mlv_classes_init(&w->blocks[i].classes, kind, from->history,
				      from->classes->sites, err);
	}
	/* The later devices of a run may have met call sites that the first did not know. */
	for (size_t i = 0; !rc && kind == MLV_BY_SITE && i < w->in->count; i++)
		w->blocks[i].classes.count = w->blocks[i].classes.sites->list.len;
	for (size_t i = 0; !rc && i < w->in->count; i++) {
		rc = write_rows(&w->blocks[i], w->in->panels[i].history, kind, name, err);
		if (!rc)
			rc = write_names(&w->blocks[i].pack, &w->blocks[i].classes, name, err);
	}
	if (!rc)
		rc = write_theme(w, name, "light", err);
	if (!rc)
		rc = write_theme(w, name, "dark", err);
	for (size_t i = 0; i < w->in->count; i++)
		mlv_classes_fini(&w->blocks[i].classes);
	return rc;
}

enum mlv_rc mlv_memory_blocks_add(struct mlv_html *html, const struct mlv_memory_blocks *in,
				  struct mlv_err *err)
{
	struct writer w = { .in = in,
			    .blocks = calloc(in->count + 1, sizeof(*w.blocks)),
			    .panels = calloc(in->count + 1, sizeof(*w.panels)) };
	enum mlv_rc rc = w.blocks && w.panels ? MLV_OK : mlv_err_nomem(err);
	for (size_t i = 0; !rc && i < in->count; i++)
		rc = begin(&w, i, err);
	for (size_t k = 0; !rc && k < KINDS; k++)
		rc = write_kind(&w, kinds[k].kind, kinds[k].name, err);
	for (size_t i = 0; !rc && i < in->count; i++) {
		char id[32];
		snprintf(id, sizeof(id), "memory-%zu", in->first + i);
		rc = mlv_html_pack(html, id, "memory", in->words[i].title, &w.blocks[i].pack, err);
	}
	for (size_t i = 0; i < w.begun; i++) {
		mlv_pack_fini(&w.blocks[i].pack);
		mlv_stack_table_fini(&w.blocks[i].stacks);
	}
	free(w.blocks);
	free(w.panels);
	return rc;
}
