/* SPDX-License-Identifier: MIT */
/*
 * What the page is told of the memory of devices, read back from its bytes and
 * held against the model: every allocation, its stack and its classes. Random
 * programs; the reader here is another than the page's.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "render/html/memory_blocks.h"
#include "snapshot_writer.h"
#include "unit.h"

struct pack {
	uint8_t *bytes;
	size_t size, head;
};

static int digit(char c)
{
	const char *digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	return (int)(strchr(digits, c) - digits);
}

/* The block of that id, out of the page. */
static void open_pack(struct pack *p, const char *page, const char *id)
{
	char mark[64];
	snprintf(mark, sizeof(mark), "<script id=\"%s\" data-kind=\"memory\"", id);
	const char *at = strstr(page, mark);
	ck_assert_ptr_nonnull(at);
	at = strstr(at, "vnd.mlviz.pack\">") + strlen("vnd.mlviz.pack\">");
	size_t n = strcspn(at, "<"), len = 0;
	uint8_t *packed = malloc(n);
	for (size_t i = 0; i + 3 < n; i += 4) {
		uint32_t v = 0;
		int pad = (at[i + 2] == '=') + (at[i + 3] == '=');
		for (int k = 0; k < 4; k++)
			v = v << 6 | (at[i + k] == '=' ? 0 : (uint32_t)digit(at[i + k]));
		for (int k = 0; k < 3 - pad; k++)
			packed[len++] = (uint8_t)(v >> (16 - 8 * k));
	}
	enum { MOST = 4 << 20 };
	p->bytes = malloc(MOST);
	z_stream z = { .next_in = packed,
		       .avail_in = (uInt)len,
		       .next_out = p->bytes,
		       .avail_out = MOST - 1 };
	ck_assert_int_eq(inflateInit2(&z, -MAX_WBITS), Z_OK);
	ck_assert_int_eq(inflate(&z, Z_FINISH), Z_STREAM_END);
	p->size = z.total_out;
	inflateEnd(&z);
	free(packed);
	p->head = p->bytes[0] | (size_t)p->bytes[1] << 8 | (size_t)p->bytes[2] << 16;
}

/* The number behind a key of a column's entry. */
static size_t entry_number(const char *entry, const char *key)
{
	const char *at = strstr(entry, key);
	ck_assert_ptr_nonnull(at);
	return strtoul(at + strlen(key), NULL, 10);
}

/* A column as 64-bit integers; free() it. */
static int64_t *column(const struct pack *p, const char *name, size_t *rows)
{
	char *text = malloc(p->head + 1), mark[64];
	memcpy(text, p->bytes + 4, p->head);
	text[p->head] = '\0';
	snprintf(mark, sizeof(mark), "{\"name\":\"%s\"", name);
	const char *entry = strstr(text, mark);
	ck_assert_msg(entry != NULL, "no column %s", name);
	bool narrow = strncmp(strstr(entry, "\"kind\":\"") + 8, "u32", 3) == 0;
	*rows = entry_number(entry, "\"rows\":");
	const uint8_t *at = p->bytes + 4 + p->head + entry_number(entry, "\"at\":");
	free(text);
	int64_t *values = calloc(*rows + 1, sizeof(*values));
	uint64_t value = 0;
	for (size_t i = 0; i < *rows; i++) {
		uint64_t code = 0;
		for (unsigned shift = 0;; shift += 7) {
			code |= (uint64_t)(*at & 0x7f) << shift;
			if (!(*at++ & 0x80))
				break;
		}
		value += code & 1 ? ~(code >> 1) : code >> 1;
		values[i] = narrow ? (int64_t)(uint32_t)value : (int64_t)value;
	}
	return values;
}

#define COLUMN(name)                                                                               \
	size_t name##_rows;                                                                        \
	int64_t *name = column(p, #name, &name##_rows)

static void check_lives(const struct pack *p, const struct mlv_history *h)
{
	COLUMN(born);
	COLUMN(asked);
	COLUMN(ended);
	COLUMN(size);
	COLUMN(addr_high);
	COLUMN(addr_low);
	COLUMN(origin);
	ck_assert_uint_eq(size_rows, h->alloc_count);
	ck_assert_uint_eq(born_rows, h->alloc_count - h->initial);
	ck_assert_uint_eq(origin_rows, h->initial);
	for (size_t i = 0; i < h->alloc_count; i++) {
		const struct mlv_alloc *a = &h->allocs[i];
		bool older = i < h->initial;
		int64_t birth = older ? 0 : born[i - h->initial];
		int64_t request = asked[i] ? birth + asked[i] - 1 : -1;
		int64_t death = ended[i] ? (request < 0 ? birth : request) + ended[i] - 1 : -1;
		ck_assert_int_eq(birth, older ? 0 : (int64_t)a->born);
		ck_assert_int_eq(request,
				 a->free_requested == MLV_NEVER ? -1 : (int64_t)a->free_requested);
		ck_assert_int_eq(death, a->died == MLV_NEVER ? -1 : (int64_t)a->died);
		ck_assert_int_eq(size[i], (int64_t)a->bytes);
		ck_assert_uint_eq((uint64_t)addr_high[i] << 32 | (uint64_t)addr_low[i], a->addr);
		ck_assert(!older || origin[i] == a->origin);
	}
	free(born);
	free(asked);
	free(ended);
	free(size);
	free(addr_high);
	free(addr_low);
	free(origin);
}

/* Every stack has the lines of its frames, from the innermost outwards. */
static void check_stacks(const struct pack *p, const struct mlv_history *h)
{
	COLUMN(stack);
	COLUMN(node_frame);
	COLUMN(node_caller);
	COLUMN(frame_line);
	const struct mlv_stacks *s = &h->run->stacks;
	for (size_t i = 0; i < h->alloc_count; i++) {
		int64_t at = stack[i];
		mlv_stackid id = h->allocs[i].stack;
		for (; mlv_stack_has_frame(id); id = mlv_stack_caller(s, id)) {
			ck_assert_int_gt(at, 1);
			ck_assert_uint_lt((size_t)at - 2, node_frame_rows);
			ck_assert_int_eq(frame_line[node_frame[at - 2]],
					 mlv_stack_frame(s, id)->line);
			at = node_caller[at - 2];
		}
		ck_assert_int_eq(at, id.i);
	}
	ck_assert_uint_eq(node_frame_rows, node_caller_rows);
	free(stack);
	free(node_frame);
	free(node_caller);
	free(frame_line);
}

static void check_kind(const struct pack *p, const struct mlv_history *h, struct mlv_sites *sites,
		       enum mlv_class_kind kind, const char *name)
{
	struct mlv_classes c;
	size_t rows;
	char text[32];
	ck_assert_int_eq(mlv_classes_init(&c, kind, h, sites, NULL), MLV_OK);
	snprintf(text, sizeof(text), "of_%s", name);
	int64_t *of = column(p, text, &rows);
	for (size_t i = 0; i < h->alloc_count; i++)
		ck_assert_uint_eq((uint64_t)of[i], c.of_alloc[i]);
	free(of);
	snprintf(text, sizeof(text), "%s_dark", name);
	free(column(p, text, &rows));
	ck_assert_uint_eq(rows, c.count);
	mlv_classes_fini(&c);
}

static void check_sites(const struct pack *p, const struct mlv_history *h, struct mlv_sites *sites)
{
	struct mlv_classes c;
	ck_assert_int_eq(mlv_classes_init(&c, MLV_BY_SITE, h, sites, NULL), MLV_OK);
	COLUMN(stack);
	COLUMN(stack_site);
	COLUMN(first_site);
	for (size_t i = 0; i < h->alloc_count; i++) {
		int64_t site = i < h->initial ? first_site[i] : stack_site[stack[i]];
		ck_assert_int_eq(site, c.of_alloc[i]);
	}
	free(stack);
	free(stack_site);
	free(first_site);
	mlv_classes_fini(&c);
}

static void check_moments(const struct pack *p, const struct mlv_history *h)
{
	COLUMN(other_event);
	COLUMN(other_bytes);
	ck_assert_uint_eq(other_event_rows, h->other_count);
	for (size_t i = 0; i < h->other_count; i++) {
		ck_assert_int_eq(other_event[i], h->others[i]);
		ck_assert_int_eq(other_bytes[i], (int64_t)h->events[h->others[i]].bytes);
	}
	if (h->has_times && h->count) {
		COLUMN(time);
		char head[64];
		const char *unit = NULL;
		for (size_t i = 4; !unit && i + 16 < 4 + p->head; i++) {
			if (memcmp(p->bytes + i, "\"time_unit\": ", 13) == 0)
				unit = (const char *)p->bytes + i + 13;
		}
		ck_assert_ptr_nonnull(unit);
		memcpy(head, unit, 20);
		int64_t ns = strtoll(head, NULL, 10);
		ck_assert_uint_eq(time_rows, h->count);
		for (size_t i = 0; i < h->count; i++)
			ck_assert_int_eq(time[i] * ns, h->events[i].time_ns - h->events[0].time_ns);
		free(time);
	}
	free(other_event);
	free(other_bytes);
}

static void check_run(const struct mlv_run *run)
{
	enum { MOST = SNAP_DEVICES };
	struct mlv_sites sites;
	struct mlv_history h[MOST];
	struct mlv_classes c[MOST];
	struct mlv_memory_panel panels[MOST];
	struct mlv_memory_block_words words[MOST];
	size_t n = run->devices.len;
	ck_assert_uint_le(n, MOST);
	ck_assert_int_eq(mlv_sites_init(&sites, run, NULL, 0, NULL), MLV_OK);
	for (size_t i = 0; i < n; i++) {
		ck_assert_int_eq(mlv_history_init(&h[i], run, i, NULL), MLV_OK);
		ck_assert_int_eq(mlv_classes_init(&c[i], MLV_BY_SITE, &h[i], &sites, NULL), MLV_OK);
		panels[i] = (struct mlv_memory_panel){ .title = "t",
						       .history = &h[i],
						       .classes = &c[i],
						       .device = run->devices.data[i].track };
		words[i] = (struct mlv_memory_block_words){ "t", "" };
	}
	struct mlv_html html = { 0 };
	struct mlv_memory_blocks blocks = {
		.panels = panels, .words = words, .count = n, .top = 5
	};
	ck_assert_int_eq(mlv_memory_blocks_add(&html, &blocks, NULL), MLV_OK);
	for (size_t i = 0; i < n; i++) {
		struct pack p;
		char id[32];
		snprintf(id, sizeof(id), "memory-%zu", i);
		open_pack(&p, html.blocks.data, id);
		check_lives(&p, &h[i]);
		check_stacks(&p, &h[i]);
		check_sites(&p, &h[i], &sites);
		check_kind(&p, &h[i], &sites, MLV_BY_LIFETIME, "lifetime");
		check_kind(&p, &h[i], &sites, MLV_BY_STREAM, "stream");
		check_kind(&p, &h[i], &sites, MLV_BY_POOL, "pool");
		check_kind(&p, &h[i], &sites, MLV_BY_SIZE, "size");
		check_moments(&p, &h[i]);
		free(p.bytes);
	}
	for (size_t i = 0; i < n; i++) {
		mlv_classes_fini(&c[i]);
		mlv_history_fini(&h[i]);
	}
	mlv_sites_fini(&sites);
	mlv_html_fini(&html);
}

static void check_program(unsigned i)
{
	struct snap_program program = { .seed = i + 1,
					.steps = 400,
					.devices = 1 + (int)(i % 3),
					.streams = 1 + (int)(i % 2),
					.pools = 1 + (int)(i % 3),
					.times = i % 4 != 3,
					.stacks = i % 5 != 4,
					.contexts = true,
					.pending = true,
					.empty_cache = true,
					.expandable = i % 2,
					.oom = true,
					.odd = true,
					.annotations = true };
	struct snap s = { 0 };
	struct mlv_buf out = { 0 };
	struct mlv_run run;
	snap_record(&s, &program);
	if (i % 3 == 1)
		snap_keep_last(&s, 150);
	snap_write(&s, (struct snap_style){ .form = SNAP_P5 }, &out);
	ck_assert_int_eq(snap_read(&run, &out, 4096, NULL, NULL), MLV_OK);
	check_run(&run);
	mlv_run_fini(&run);
	mlv_buf_fini(&out);
	snap_fini(&s);
}

START_TEST(test_random_programs)
{
	for (unsigned i = 0; i < 12; i++)
		check_program(i);
}
END_TEST

/* Sizes that no machine has are cut, and that is told. */
START_TEST(test_huge)
{
	struct snap s = { .devices = 1 };
	struct mlv_buf out = { 0 };
	struct mlv_run run;
	snap_event(&s, 0, snap_plain("alloc", UINT64_C(0xfffffffffffff000), UINT64_C(1) << 60));
	snap_write(&s, (struct snap_style){ .form = SNAP_P5 }, &out);
	ck_assert_int_eq(snap_read(&run, &out, 4096, NULL, NULL), MLV_OK);
	ck_assert_uint_eq(run.devices.len, 1);
	struct mlv_history h;
	struct mlv_sites sites;
	struct mlv_classes c;
	ck_assert_int_eq(mlv_history_init(&h, &run, 0, NULL), MLV_OK);
	ck_assert_int_eq(mlv_sites_init(&sites, &run, NULL, 0, NULL), MLV_OK);
	ck_assert_int_eq(mlv_classes_init(&c, MLV_BY_SITE, &h, &sites, NULL), MLV_OK);
	struct mlv_memory_panel panel = { .title = "t", .history = &h, .classes = &c };
	struct mlv_memory_block_words words = { "t", "" };
	struct mlv_memory_blocks blocks = { .panels = &panel, .words = &words, .count = 1 };
	struct mlv_html html = { 0 };
	ck_assert_int_eq(mlv_memory_blocks_add(&html, &blocks, NULL), MLV_OK);
	struct pack opened;
	const struct pack *p = &opened;
	open_pack(&opened, html.blocks.data, "memory-0");
	COLUMN(size);
	COLUMN(addr_high);
	COLUMN(addr_low);
	ck_assert_int_eq(size[0], INT64_C(1) << 52);
	ck_assert_uint_eq((uint64_t)addr_high[0] << 32 | (uint64_t)addr_low[0],
			  UINT64_C(0xfffffffffffff000));
	opened.bytes[4 + opened.head] = '\0';
	ck_assert_ptr_nonnull(strstr((char *)opened.bytes + 4, "\"cut\": 1"));
	free(size);
	free(addr_high);
	free(addr_low);
	free(opened.bytes);
	mlv_html_fini(&html);
	mlv_classes_fini(&c);
	mlv_sites_fini(&sites);
	mlv_history_fini(&h);
	mlv_run_fini(&run);
	mlv_buf_fini(&out);
	snap_fini(&s);
}
END_TEST

UNIT_MAIN("memory_blocks", test_random_programs, test_huge)
