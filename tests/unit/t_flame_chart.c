/* SPDX-License-Identifier: MIT */
/* Flame graphs as pictures: widths are exact, nothing is lost, and names are text. */
#include "unit.h"

#include <cJSON.h>
#include <stdio.h>
#include <string.h>

#include "analysis/flame/flame_layout.h"
#include "render/flame_chart.h"

static struct mlv_flame flame;

static uint32_t add(uint32_t parent, const char *name, uint64_t self)
{
	uint32_t node;
	unit_check(mlv_flame_child(&flame, parent, MLV_FLAME_FRAME, mlv_str_of(name),
				   MLV_STR("train.py"), 3, &node));
	mlv_flame_weigh(&flame, node, self);
	return node;
}

static void settle(void)
{
	unit_check(mlv_flame_settle(&flame, NULL) == MLV_OK);
}

/* ---- layout ---- */

/* Every bar lies within the one below it, beside its neighbours, and values add up. */
static void check_layout(const struct mlv_flame_space *space)
{
	struct mlv_flame_layout l;
	unit_check(mlv_flame_layout_init(&l, &flame, space, NULL) == MLV_OK);
	for (size_t i = 0; i < l.bars.len; i++) {
		const struct mlv_flame_bar *b = &l.bars.data[i];
		uint64_t above = 0;
		int32_t at = b->x0;
		unit_check(b->x0 >= 0 && b->x0 < b->x1 && b->x1 <= space->columns);
		unit_check(b->row < space->rows);
		double exact = (double)b->value * space->columns /
			       (double)flame.nodes.data[MLV_FLAME_ROOT].total;
		unit_check(b->x1 - b->x0 >= exact - 1 && b->x1 - b->x0 <= exact + 1);
		for (size_t k = i + 1; k < l.bars.len && l.bars.data[k].row > b->row; k++) {
			const struct mlv_flame_bar *c = &l.bars.data[k];
			unit_check(c->x0 >= b->x0 && c->x1 <= b->x1 && !b->hidden);
			if (c->row != b->row + 1)
				continue;
			unit_check(c->x0 == at);
			at = c->x1;
			above += c->value;
		}
		unit_check(above <= b->value);
		/* What is drawn upon it and what it accounts for itself is all of it, but for a
		 * rest of less than a column. */
		uint64_t lost = b->value - above - flame.nodes.data[b->node].self;
		unit_check(b->hidden || b->row + 1 == space->rows ||
			   (double)lost * space->columns <
				   (double)flame.nodes.data[MLV_FLAME_ROOT].total);
	}
	mlv_flame_layout_fini(&l);
}

START_TEST(layouts)
{
	for (uint64_t seed = 1; seed <= 100; seed++) {
		uint64_t state = seed;
		unit_check(mlv_flame_init(&flame, NULL) == MLV_OK);
		uint32_t nodes = 2 + (uint32_t)(unit_random(&state) % 400);
		for (uint32_t i = 1; i < nodes; i++) {
			char name[20];
			snprintf(name, sizeof(name), "f%u", i);
			uint64_t self = unit_random(&state) % (seed % 3 ? 1000 : 100000000);
			/* Deep and thin, or flat and wide */
			uint32_t back = seed % 2 ? 4 : (uint32_t)flame.nodes.len;
			uint32_t parent = (uint32_t)(flame.nodes.len - 1 -
						     unit_random(&state) % (back < i ? back : i));
			add(parent, name, i % 3 ? self : 0);
		}
		settle();
		for (uint32_t rows = 1; rows < 40; rows += 13)
			check_layout(&(struct mlv_flame_space){ 60 + (int32_t)seed * 17, rows,
								(double)(seed % 4) });
		mlv_flame_fini(&flame);
	}
}
END_TEST

START_TEST(rest_of_what_is_narrow)
{
	struct mlv_flame_layout l;
	unit_check(mlv_flame_init(&flame, NULL) == MLV_OK);
	uint32_t main = add(MLV_FLAME_ROOT, "main", 0);
	add(main, "wide", 900);
	for (char name[] = "a"; *name < 'k'; (*name)++)
		add(main, name, 10);
	settle();
	struct mlv_flame_space space = { 200, 10, 4 };
	unit_check(mlv_flame_layout_init(&l, &flame, &space, NULL) == MLV_OK);
	ck_assert_uint_eq(l.bars.len, 4);
	const struct mlv_flame_bar *rest = &l.bars.data[3];
	unit_check(rest->hidden == 10 && rest->value == 100 && rest->x0 == 180 && rest->x1 == 200);
	mlv_flame_layout_fini(&l);
	mlv_flame_fini(&flame);
}
END_TEST

START_TEST(heaviest_are_whole_stacks)
{
	bool kept[64];
	unit_check(mlv_flame_init(&flame, NULL) == MLV_OK);
	uint32_t a = add(MLV_FLAME_ROOT, "a", 0), b = add(a, "b", 0), c = add(b, "c", 5);
	uint32_t d = add(MLV_FLAME_ROOT, "d", 3), e = add(MLV_FLAME_ROOT, "e", 0);
	settle();
	unit_check(mlv_flame_heaviest(&flame, 4, kept));
	unit_check(kept[MLV_FLAME_ROOT] && kept[a] && kept[b] && kept[c] && !kept[d] && !kept[e]);
	unit_check(mlv_flame_heaviest(&flame, 64, kept));
	unit_check(kept[d] && !kept[e]); /* nothing is in it */
	mlv_flame_fini(&flame);
}
END_TEST

/* ---- the picture ---- */

static char *draw(bool svg, int width, int height)
{
	struct mlv_flame_chart chart = { .page = { .title = "<title> & \"x\"",
						   .subtitle = "what",
						   .theme = mlv_theme_find("light"),
						   .width = width,
						   .height = height },
					 .flame = &flame,
					 .value = MLV_FLAME_PEAK,
					 .least = 2,
					 .interactive = svg };
	struct mlv_err err = MLV_ERR_INIT;
	struct mlv_color ground = chart.page.theme->ground;
	struct mlv_canvas *c = svg ? mlv_canvas_create_svg(width, height, ground, "t", NULL)
				   : mlv_canvas_create_png(width, height, ground, NULL);
	struct mlv_buf out = { 0 };
	unit_check(c);
	unit_check(mlv_flame_chart_draw(c, &chart, &err) == MLV_OK);
	unit_check(mlv_canvas_finish(c, &out, &err) == MLV_OK && out.len);
	mlv_canvas_destroy(c);
	return out.data;
}

static size_t count(const char *text, const char *what)
{
	size_t n = 0;
	for (const char *p = text; (p = strstr(p, what)); p++)
		n++;
	return n;
}

/* The JSON in <metadata>, with the entities of XML undone. */
static cJSON *data_of(char *svg)
{
	static const char *const entities[] = { "&lt;", "<", "&gt;", ">", "&amp;", "&" };
	char *from = strstr(svg, "<metadata id=\"flame-data\">");
	unit_check(from);
	from = strchr(from, '>') + 1;
	char *end = strstr(from, "</metadata>"), *to = from;
	unit_check(end && !memchr(from, '<', (size_t)(end - from)));
	for (char *p = from; p < end; to++) {
		size_t skip = 1;
		*to = *p;
		for (int i = 0; *p == '&' && i < 6; i += 2) {
			if (strncmp(p, entities[i], strlen(entities[i])) == 0) {
				*to = *entities[i + 1];
				skip = strlen(entities[i]);
				break;
			}
		}
		p += skip;
	}
	cJSON *json = cJSON_ParseWithLength(from, (size_t)(to - from));
	unit_check(json);
	return json;
}

/* The graph that the script reads is the graph: totals, and what is left of each node. */
START_TEST(data_of_the_script)
{
	unit_check(mlv_flame_init(&flame, NULL) == MLV_OK);
	uint32_t main = add(MLV_FLAME_ROOT, "main", 7);
	add(main, "big", 900);
	add(main, "small", 93);
	settle();
	char *svg = draw(true, 800, 300);
	cJSON *json = data_of(svg), *names = cJSON_GetObjectItem(json, "names");
	ck_assert_str_eq(cJSON_GetObjectItem(json, "nodes")->valuestring,
			 "0 0 1000 0 0 0 1 1000 7 0 1 2 900 900 0 1 3 93 93 0");
	ck_assert_int_eq(cJSON_GetArraySize(names), 12);
	ck_assert_str_eq(cJSON_GetArrayItem(names, 0)->valuestring, "all");
	ck_assert_str_eq(cJSON_GetArrayItem(names, 6)->valuestring, "big train.py:3");
	cJSON_Delete(json);
	free(svg);
	mlv_flame_fini(&flame);
}
END_TEST

START_TEST(hostile_names)
{
	static const char *const names[] = {
		"</script><script>alert(1)</script>",
		"]]><script>alert(2)</script>",
		"</metadata><image href=\"x\" onerror=\"alert(3)\"/>",
		"\"><rect onload='alert(4)'/>",
		"a\\u0022,\"b\\\\",
		"\x01\x02\x7f\xff\xfe",
		"\xe2\x80\xae\xe2\x81\xa6gnp.exe",
		"line\nbreak\ttab",
		"&lt;&amp;&#60;",
	};
	static char lengthy[10001];
	memset(lengthy, 'x', sizeof(lengthy) - 1);
	unit_check(mlv_flame_init(&flame, NULL) == MLV_OK);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		add(MLV_FLAME_ROOT, names[i], 100);
	add(MLV_FLAME_ROOT, lengthy, 100);
	settle();
	char *svg = draw(true, 1600, 400);
	/* One script, which is ours, and no element that a name could have made. */
	ck_assert_uint_eq(count(svg, "<script"), 1);
	ck_assert_uint_eq(count(svg, "</script"), 1);
	ck_assert_uint_eq(count(svg, "]]>"), 1);
	ck_assert_uint_eq(count(svg, "<metadata"), 1);
	ck_assert_uint_eq(count(svg, "<image"), 0);
	ck_assert_uint_eq(count(svg, "</svg>"), 1);
	ck_assert_uint_eq(count(svg, "\xe2\x80\xae"), 0);
	ck_assert_uint_eq(count(svg, "\x01"), 0);
	cJSON *json = data_of(svg), *list = cJSON_GetObjectItem(json, "names");
	bool seen = false;
	for (int i = 0; i < cJSON_GetArraySize(list); i++)
		seen = seen || strncmp(cJSON_GetArrayItem(list, i)->valuestring,
				       "</script><script>alert(1)</script> train.py:3", 60) == 0;
	unit_check(seen);
	cJSON_Delete(json);
	free(svg);
	free(draw(false, 1600, 400));
	mlv_flame_fini(&flame);
}
END_TEST

/* A stack of ten thousand is as high as a page may be, and what is left out is said. */
START_TEST(deep)
{
	uint32_t node = MLV_FLAME_ROOT;
	unit_check(mlv_flame_init(&flame, NULL) == MLV_OK);
	for (int i = 0; i < 10000; i++)
		node = add(node, "recurse", 1);
	settle();
	unit_check(mlv_flame_chart_height(&flame, false) <= 3000);
	char *svg = draw(true, 800, mlv_flame_chart_height(&flame, false));
	ck_assert_uint_eq(count(svg, "lies deeper than this"), 1);
	ck_assert_uint_eq(count(svg, ">all</text>"), 1);
	free(svg);
	mlv_flame_fini(&flame);
}
END_TEST

UNIT_MAIN("flame_chart", layouts, rest_of_what_is_narrow, heaviest_are_whole_stacks,
	  data_of_the_script, hostile_names, deep)
