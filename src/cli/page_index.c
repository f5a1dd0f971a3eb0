/* SPDX-License-Identifier: MIT */
#include "cli/page_index.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/num.h"
#include "report/clocks.h"

enum { WORDS = 300 };

struct index {
	const struct mlv_page_timelines *p;
	struct mlv_json json;
	bool *used; /* of parts: spans that stand somewhere already */
	struct mlv_err *err;
};

static const struct mlv_page_chunk *chunk_of(const struct index *x,
					     const struct mlv_page_part *part)
{
	return &x->p->chunks.data[part->chunk];
}

/* Of two blocks of one rank: whether they share an axis, and why. */
static enum mlv_rc compare(const struct index *x, const struct mlv_page_part *a,
			   const struct mlv_page_part *b, bool *ret, char *words)
{
	struct mlv_clocks clocks;
	enum mlv_rc rc = mlv_clocks_compare(&chunk_of(x, a)->witness, &chunk_of(x, b)->witness,
					    &clocks, x->err);
	*ret = !rc && mlv_clocks_comparable(&clocks);
	if (!rc)
		mlv_clocks_in_words(&clocks, words, WORDS);
	return rc;
}

static void put_id(struct mlv_json *j, const char *kind, size_t number)
{
	char id[40];
	snprintf(id, sizeof(id), "%s-%zu", kind, number);
	mlv_json_text(j, id);
}

static void put_spans(struct index *x, const struct mlv_page_part *part, int64_t zero,
		      const char *words)
{
	struct mlv_json *j = &x->json;
	mlv_json_object(j);
	mlv_json_key(j, "id");
	put_id(j, "spans", part->number);
	mlv_json_key_int(j, "offset_ns", mlv_time_between(zero, part->zero));
	mlv_json_key_text(j, "clocks", words);
	mlv_json_object_end(j);
}

static bool is_candidate(const struct index *x, size_t i, int64_t rank)
{
	const struct mlv_page_chunk *c = chunk_of(x, &x->p->parts.data[i]);
	return !c->memory && !c->out && rank >= 0 && c->rank == rank;
}

/* With the open array "spans": those that go with `part`. With "notes": why others do not. */
static enum mlv_rc join_spans(struct index *x, const struct mlv_page_part *part, size_t from,
			      bool notes)
{
	const struct mlv_page_chunk *own = chunk_of(x, part);
	for (size_t i = from; i < x->p->parts.len; i++) {
		const struct mlv_page_part *other = &x->p->parts.data[i];
		char words[WORDS], text[WORDS + 300];
		bool joins = false;
		if (!is_candidate(x, i, own->rank) || (!own->memory && x->used[i]))
			continue;
		enum mlv_rc rc = compare(x, part, other, &joins, words);
		if (rc)
			return rc;
		joins = joins && part->zero != MLV_NO_TIME;
		if (joins && !notes) {
			x->used[i] = true;
			put_spans(x, other, part->zero, words);
		} else if (!joins && notes) {
			snprintf(text, sizeof(text), "%s is shown by itself: %s",
				 chunk_of(x, other)->file, words);
			mlv_json_text(&x->json, text);
		}
	}
	return MLV_OK;
}

/* "rank 0", "rank 0 · device 1", or the name of the file, with the device where it has several. */
static void put_title(struct index *x, const struct mlv_page_part *part)
{
	const struct mlv_page_chunk *c = chunk_of(x, part);
	size_t same = 0, devices = 0, first = SIZE_MAX;
	char title[400];
	for (size_t i = 0; i < x->p->parts.len; i++) {
		const struct mlv_page_chunk *other = chunk_of(x, &x->p->parts.data[i]);
		bool alike = !other->out && other->memory == c->memory && other->rank == c->rank;
		same += alike;
		devices += c->memory && x->p->parts.data[i].chunk == part->chunk;
		first = alike && first == SIZE_MAX ? x->p->parts.data[i].chunk : first;
	}
	if ((c->rank < 0 || first != part->chunk) && devices > 1)
		snprintf(title, sizeof(title), "%.300s \u00b7 device %" PRIu32, c->file,
			 part->device);
	else if (c->rank < 0 || first != part->chunk)
		snprintf(title, sizeof(title), "%s", c->file);
	else if (c->memory && same > 1)
		snprintf(title, sizeof(title), "rank %" PRId64 " \u00b7 device %" PRIu32, c->rank,
			 part->device);
	else
		snprintf(title, sizeof(title), "rank %" PRId64, c->rank);
	mlv_json_key_text(&x->json, "title", title);
}

static enum mlv_rc put_timeline(struct index *x, size_t number)
{
	const struct mlv_page_part *part = &x->p->parts.data[number];
	const struct mlv_page_chunk *c = chunk_of(x, part);
	struct mlv_json *j = &x->json;
	size_t from = c->memory ? 0 : number + 1;
	mlv_json_object(j);
	mlv_json_key(j, "memory");
	if (c->memory)
		put_id(j, "memory", part->number);
	else
		mlv_json_null(j);
	mlv_json_key_array(j, "spans");
	if (!c->memory) {
		x->used[number] = true;
		put_spans(x, part, part->zero, "");
	}
	enum mlv_rc rc = join_spans(x, part, from, false);
	mlv_json_array_end(j);
	mlv_json_key_int(j, "rank", c->rank);
	mlv_json_key_int(j, "device", c->memory ? (int64_t)part->device : -1);
	put_title(x, part);
	mlv_json_key_array(j, "notes");
	if (!rc && c->memory)
		rc = join_spans(x, part, from, true);
	mlv_json_array_end(j);
	mlv_json_object_end(j);
	return rc;
}

static void put_left_out(struct index *x, uint64_t most_bytes)
{
	char text[WORDS], spans[MLV_NUM_SIZE], memory[MLV_NUM_SIZE], bytes[MLV_NUM_SIZE],
		most[MLV_NUM_SIZE];
	mlv_json_key_array(&x->json, "left_out");
	if (x->p->left.memory + x->p->left.spans) {
		mlv_fmt_count_of(spans, sizeof(spans), x->p->left.spans, "input", "inputs");
		mlv_fmt_count_of(memory, sizeof(memory), x->p->left.memory, "input", "inputs");
		snprintf(text, sizeof(text),
			 "the spans of %s and the memory of %s are not in this page: with them it "
			 "would be %s larger than the %s that it may have; mlviz timeline -o "
			 "NAME.html shows one input alone",
			 spans, memory, mlv_fmt_bytes(bytes, sizeof(bytes), x->p->left.bytes),
			 mlv_fmt_bytes(most, sizeof(most), most_bytes));
		mlv_json_text(&x->json, text);
	}
	mlv_json_array_end(&x->json);
}

enum mlv_rc mlv_page_index(const struct mlv_page_timelines *p, uint64_t most_bytes,
			   struct mlv_buf *out, struct mlv_err *err)
{
	struct index x = { .p = p, .used = calloc(p->parts.len + 1, sizeof(*x.used)), .err = err };
	enum mlv_rc rc = x.used ? MLV_OK : mlv_err_nomem(err);
	mlv_json_init(&x.json, out);
	mlv_json_object(&x.json);
	mlv_json_key_array(&x.json, "timelines");
	/* Memory first: spans join it. */
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; !rc && i < p->parts.len; i++) {
			const struct mlv_page_chunk *c = chunk_of(&x, &p->parts.data[i]);
			if (!c->out && c->memory == (pass == 0) && !x.used[i])
				rc = put_timeline(&x, i);
		}
	}
	mlv_json_array_end(&x.json);
	put_left_out(&x, most_bytes);
	mlv_json_object_end(&x.json);
	free(x.used);
	return rc;
}
