/* SPDX-License-Identifier: MIT */
#include "render/flame_data.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/flame/flame_layout.h"
#include "base/json_write.h"
#include "base/utf8.h"
#include "render/flame_colors.h"
#include "render/palette.h"
#include "render/svg_write.h"

/*
 * Zooming shows these nodes, and what is left of their children as a rest.
 * Names are whole where there are few, and never so long that a file built for
 * it makes a picture of gigabytes.
 */
enum { MOST_NODES = 20000, FEW_NAMES = 2000, LONG = 8192, SHORT = 400 };

struct writing {
	const struct mlv_flame *f;
	const struct mlv_theme *theme;
	bool *kept;
	uint32_t *row;      /* of each node that is kept, in the file */
	uint32_t *name_row; /* of each label, in the file; UINT32_MAX: not asked for */
	uint32_t *first;    /* of each name in the file: a node that has it */
	size_t nodes, names;
	struct mlv_buf json;
	struct mlv_json j;
};

static void put_color(struct mlv_json *j, const char *key, struct mlv_color c)
{
	char text[8];
	snprintf(text, sizeof(text), "#%02x%02x%02x", c.r, c.g, c.b);
	if (key)
		mlv_json_key_text(j, key, text);
	else
		mlv_json_text(j, text);
}

static void put_place(struct mlv_json *j, const struct mlv_flame_place *p)
{
	mlv_json_key_int(j, "x", (int64_t)p->x);
	mlv_json_key_int(j, "y", (int64_t)p->y);
	mlv_json_key_int(j, "width", (int64_t)p->width);
	mlv_json_key_int(j, "row", (int64_t)p->row);
	mlv_json_key_int(j, "rows", p->rows);
	mlv_json_key_int(j, "right", (int64_t)p->right);
	mlv_json_key_int(j, "foot", (int64_t)p->foot);
	mlv_json_key_int(j, "least", p->least);
	mlv_json_key_bool(j, "inverted", p->inverted);
}

static void put_theme(struct mlv_json *j, const struct mlv_theme *t)
{
	mlv_json_key_object(j, "theme");
	put_color(j, "ground", t->ground);
	put_color(j, "text", t->text);
	put_color(j, "dim", t->text_dim);
	put_color(j, "line", t->axis);
	put_color(j, "rest", t->band);
	put_color(j, "mark", t->oom);
	mlv_json_object_end(j);
}

/* Names and their colours, each once, in the order of the nodes that use them. */
static void put_names(struct writing *w)
{
	struct mlv_buf whole = { 0 }, safe = { 0 };
	char text[LONG];
	mlv_json_key_array(&w->j, "names");
	for (size_t i = 0; i < w->names; i++) {
		struct mlv_color c = mlv_flame_color(w->f, w->first[i], w->theme);
		whole.len = safe.len = 0;
		if (w->first[i] == MLV_FLAME_ROOT)
			mlv_buf_puts(&whole, "all");
		else
			mlv_flame_name(w->f, w->first[i], &whole);
		mlv_buf_safe(&safe, (struct mlv_str){ whole.data, whole.len });
		mlv_utf8_fit(text, w->names <= FEW_NAMES ? LONG : SHORT, safe.data ? safe.data : "",
			     safe.len);
		mlv_json_text(&w->j, text);
		put_color(&w->j, NULL, c);
		put_color(&w->j, NULL, mlv_color_text_on(c));
	}
	mlv_json_array_end(&w->j);
	w->json.failed = w->json.failed || whole.failed || safe.failed;
	mlv_buf_fini(&whole);
	mlv_buf_fini(&safe);
}

/* How many children of a node are not kept. */
static uint32_t hidden(const struct writing *w, uint32_t node)
{
	uint32_t n = 0;
	for (uint32_t c = w->f->nodes.data[node].first; c; c = w->f->nodes.data[c].next)
		n += !w->kept[c];
	return n;
}

/* Five numbers a node: parent, name, total, self, children that are not kept. */
static void put_nodes(struct writing *w)
{
	struct mlv_buf numbers = { 0 };
	for (uint32_t i = 0; i < w->f->nodes.len; i++) {
		const struct mlv_flame_node *n = &w->f->nodes.data[i];
		if (!w->kept[i])
			continue;
		mlv_buf_printf(&numbers,
			       "%s%" PRIu32 " %" PRIu32 " %" PRIu64 " %" PRIu64 " %" PRIu32,
			       numbers.len ? " " : "", w->row[n->parent], w->name_row[n->label],
			       n->total, n->self, hidden(w, i));
	}
	mlv_json_key(&w->j, "nodes");
	mlv_json_str(&w->j, (struct mlv_str){ numbers.data, numbers.len });
	w->json.failed = w->json.failed || numbers.failed;
	mlv_buf_fini(&numbers);
}

static bool choose(struct writing *w)
{
	const struct mlv_flame *f = w->f;
	w->kept = calloc(f->nodes.len, sizeof(*w->kept));
	w->row = malloc(f->nodes.len * sizeof(*w->row));
	w->name_row = malloc(f->labels.len * sizeof(*w->name_row));
	w->first = malloc(f->labels.len * sizeof(*w->first));
	if (!w->kept || !w->row || !w->name_row || !w->first ||
	    !mlv_flame_heaviest(f, MOST_NODES, w->kept))
		return false;
	memset(w->name_row, 0xff, f->labels.len * sizeof(*w->name_row));
	for (uint32_t i = 0; i < f->nodes.len; i++) {
		uint32_t *name = &w->name_row[f->nodes.data[i].label];
		if (!w->kept[i])
			continue;
		w->row[i] = (uint32_t)w->nodes++;
		if (*name == UINT32_MAX) {
			*name = (uint32_t)w->names;
			w->first[w->names++] = i;
		}
	}
	return true;
}

static void put_graph(struct writing *w, enum mlv_flame_value value,
		      const struct mlv_flame_place *place)
{
	static const char *const units[MLV_FLAME_VALUES] = { [MLV_FLAME_PEAK] = "bytes",
							     [MLV_FLAME_END] = "bytes",
							     [MLV_FLAME_ALLOCATED] = "bytes",
							     [MLV_FLAME_TIME] = "ns",
							     [MLV_FLAME_COUNT] = "count" };
	mlv_json_init_compact(&w->j, &w->json);
	mlv_json_object(&w->j);
	mlv_json_key_text(&w->j, "unit", units[value]);
	put_place(&w->j, place);
	put_theme(&w->j, w->theme);
	put_names(w);
	put_nodes(w);
	mlv_json_object_end(&w->j);
}

enum mlv_rc mlv_flame_data(struct mlv_canvas *c, const struct mlv_flame *f,
			   enum mlv_flame_value value, const struct mlv_theme *theme,
			   const struct mlv_flame_place *place, struct mlv_err *err)
{
	struct writing w = { .f = f, .theme = theme };
	struct mlv_buf markup = { 0 };
	bool ok = choose(&w);
	if (ok) {
		put_graph(&w, value, place);
		mlv_buf_puts(&markup, "<metadata id=\"flame-data\">");
		mlv_svg_escape(&markup, w.json.failed ? "" : w.json.data, true);
		mlv_buf_puts(&markup, "</metadata>\n<script><![CDATA[\n");
		mlv_buf_puts(&markup, mlv_flame_script);
		mlv_buf_puts(&markup, "]]></script>\n");
		mlv_canvas_elements(c, (struct mlv_str){ markup.data, markup.len });
	}
	ok = ok && !w.json.failed && !markup.failed;
	mlv_buf_fini(&markup);
	mlv_buf_fini(&w.json);
	free(w.kept);
	free(w.row);
	free(w.name_row);
	free(w.first);
	return ok ? MLV_OK : mlv_err_nomem(err);
}
