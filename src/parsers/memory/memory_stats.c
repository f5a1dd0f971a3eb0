/* SPDX-License-Identifier: MIT */
/*
 * torch.cuda.memory_stats() as JSON: a flat object of counters
 * ("allocated_bytes.all.peak"), the nested form of memory_stats_as_nested_dict,
 * or either of them below a key of an object, for one device or for many. What
 * else that object says of the run becomes properties.
 *
 * A subject is a counter, "allocated_bytes.all"; metrics are its parts:
 * current, peak, allocated, freed. The title of the section names the device.
 */
#include <stdio.h>
#include <string.h>

#include "parsers/add.h"
#include "parsers/document/document.h"
#include "parsers/memory/memory_stats_keys.h"
#include "parsers/parser.h"

static const char format_name[] = "memory-stats";

enum { NAME_MAX_BYTES = 200, DEPTH = 4 };

struct reading {
	struct mlv_run *run;
	struct mlv_values values;
	struct mlv_metric_row at;
	struct mlv_map rows; /* of the section, by the id of the counter's name */
	uint32_t row_count;
	unsigned found; /* objects of counters */
};

static bool key_of(const struct reading *r, mlv_word w, struct mlv_str *key)
{
	mlv_strid id;
	if (!mlv_word_str(w, &id))
		return false;
	*key = mlv_run_str(r->run, id);
	return true;
}

static bool is_dict(const struct reading *r, mlv_word w)
{
	return mlv_word_is_obj(&r->values, w, MLV_OBJ_DICT);
}

/* Whether this object has counters itself: flat, or as "allocated_bytes": {"all": {…}}. */
static bool has_counters(const struct reading *r, mlv_word dict)
{
	struct mlv_value_iter it = mlv_values_iter(&r->values, dict);
	mlv_word k, value;
	struct mlv_str key;
	if (!is_dict(r, dict))
		return false;
	while (mlv_value_next(&it, &k) && mlv_value_next(&it, &value)) {
		if (key_of(r, k, &key) &&
		    (mlv_memory_is_counter(key) ||
		     (is_dict(r, value) && is_dict(r, mlv_document_get(&r->values, value, "all")))))
			return true;
	}
	return false;
}

static bool number(const struct reading *r, mlv_word w, struct mlv_decimal *d)
{
	uint64_t big;
	int64_t n;
	char text[40];
	if (mlv_word_tag(w) == MLV_W_BOOL)
		return false;
	if (mlv_word_uint(&r->values, w, &big) && big <= INT64_MAX) {
		*d = mlv_decimal_int((int64_t)big, MLV_UNIT_NONE);
		return true;
	}
	if (mlv_word_int(w, &n)) {
		*d = mlv_decimal_int(n, MLV_UNIT_NONE);
		return true;
	}
	if (mlv_word_tag(w) != MLV_W_FLOAT)
		return false;
	snprintf(text, sizeof(text), "%.17g", r->values.floats.data[mlv_word_payload(w)]);
	return mlv_decimal_whole(mlv_str_of(text), MLV_UNIT_NONE, d);
}

/* The parts of one counter stand together, wherever the keys do: a row holds them. */
static enum mlv_rc place_counter(struct reading *r, mlv_strid subject, struct mlv_err *err)
{
	struct mlv_map_slot *slot = mlv_map_find(&r->rows, subject.i);
	r->at.subject = subject;
	r->at.row = slot ? slot->value : r->row_count;
	if (slot)
		return MLV_OK;
	mlv_section_grow(r->run, r->at.section, 0);
	return mlv_map_set(&r->rows, subject.i, r->row_count++) ? MLV_OK : mlv_err_nomem(err);
}

static enum mlv_rc add_counter(struct reading *r, struct mlv_str key, mlv_word value,
			       struct mlv_err *err)
{
	struct mlv_decimal d;
	mlv_strid subject, metric;
	if (!number(r, value, &d)) {
		mlv_diag_add(&r->run->diags, MLV_DAMAGE, "memory-stats-value", MLV_NO_OFFSET,
			     "the counter %.*s is no number", (int)(key.n < 80 ? key.n : 80),
			     key.p);
		return MLV_OK;
	}
	if (mlv_memory_counts_bytes(key))
		d.unit = MLV_UNIT_BYTES;
	struct mlv_str part = mlv_memory_counter_part(&key);
	if (!mlv_run_intern(r->run, key, &subject) || !mlv_run_intern(r->run, part, &metric))
		return mlv_err_nomem(err);
	enum mlv_rc rc = place_counter(r, subject, err);
	return rc ? rc : mlv_add_metric(&r->at, metric, d, err);
}

static enum mlv_rc property(struct reading *r, struct mlv_str key, mlv_word value,
			    struct mlv_err *err);

/* The counters of an object; nested ones get the key that they have in the flat form. */
static enum mlv_rc add_counters(struct reading *r, mlv_word dict, struct mlv_str prefix,
				struct mlv_err *err)
{
	struct mlv_value_iter it = mlv_values_iter(&r->values, dict);
	mlv_word k, value;
	struct mlv_str key;
	enum mlv_rc rc = MLV_OK;
	while (!rc && mlv_value_next(&it, &k) && mlv_value_next(&it, &value)) {
		char name[NAME_MAX_BYTES];
		if (!key_of(r, k, &key) || prefix.n + key.n + 1 > sizeof(name))
			continue;
		size_t n = prefix.n;
		memcpy(name, prefix.p, n);
		if (n)
			name[n++] = '.';
		memcpy(name + n, key.p, key.n);
		struct mlv_str full = { name, n + key.n };
		if (is_dict(r, value) && memchr(full.p, '.', prefix.n) == NULL)
			rc = add_counters(r, value, full, err);
		else if (mlv_memory_is_counter(full) ||
			 (!prefix.n && mlv_memory_is_plain_counter(key)))
			rc = add_counter(r, full, value, err);
		else if (!prefix.n)
			rc = property(r, key, value, err);
	}
	return rc;
}

static enum mlv_rc add_object(struct reading *r, mlv_word dict, struct mlv_str name, int64_t device,
			      struct mlv_err *err)
{
	char text[40];
	if (mlv_memory_device_number(name) >= 0)
		device = mlv_memory_device_number(name);
	if (device >= 0)
		name = (struct mlv_str){ text, (size_t)snprintf(text, sizeof(text), "device %lld",
								(long long)device) };
	enum mlv_rc rc = mlv_add_section((struct mlv_add){ r->run, r->at.limits }, format_name,
					 name, 0, r->run->rank, &r->at.section, err);
	mlv_map_fini(&r->rows);
	r->row_count = 0;
	r->found++;
	return rc ? rc : add_counters(r, dict, MLV_STR(""), err);
}

static bool scalar(const struct reading *r, mlv_word w, char *buf, size_t size)
{
	struct mlv_decimal d;
	if (!number(r, w, &d))
		return false;
	mlv_decimal_text(d, buf, size);
	return true;
}

static enum mlv_rc property(struct reading *r, struct mlv_str key, mlv_word value,
			    struct mlv_err *err)
{
	int64_t n;
	struct mlv_str text;
	char list[512];
	bool good = true;
	if (mlv_word_tag(value) == MLV_W_INT && mlv_word_int(value, &n)) {
		good = mlv_run_property_int(r->run, format_name, key.p, n);
	} else if (mlv_word_tag(value) == MLV_W_BOOL) {
		text = mlv_word_payload(value) ? MLV_STR("true") : MLV_STR("false");
		good = mlv_run_property_text(r->run, format_name, key.p, text);
	} else if (key_of(r, value, &text)) {
		good = mlv_run_property_text(r->run, format_name, key.p, text);
	} else if (scalar(r, value, list, sizeof(list))) {
		good = mlv_run_property_text(r->run, format_name, key.p, mlv_str_of(list));
	} else if (mlv_word_is_obj(&r->values, value, MLV_OBJ_LIST)) {
		/* Such as "mem_get_info": [free, total]. */
		struct mlv_value_iter it = mlv_values_iter(&r->values, value);
		mlv_word item;
		size_t used = 0;
		while (used + 48 < sizeof(list) && mlv_value_next(&it, &item)) {
			char one[40];
			if (!scalar(r, item, one, sizeof(one)))
				return MLV_OK;
			used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s",
						 used ? ", " : "", one);
		}
		if (used)
			good = mlv_run_property_text(r->run, format_name, key.p,
						     (struct mlv_str){ list, used });
	}
	return good ? MLV_OK : mlv_err_nomem(err);
}

/* The device that an object names beside its counters; -1 if it names none. */
static int64_t stated_device(const struct reading *r, mlv_word dict)
{
	static const char *const keys[] = { "device", "device_id", "device_index" };
	int64_t n;
	struct mlv_str text;
	for (size_t i = 0; i < 3; i++) {
		mlv_word w = mlv_document_get(&r->values, dict, keys[i]);
		if (mlv_word_tag(w) == MLV_W_INT && mlv_word_int(w, &n) && n >= 0)
			return n;
		if (key_of(r, w, &text) && mlv_memory_device_number(text) >= 0)
			return mlv_memory_device_number(text);
	}
	return -1;
}

/* Find the objects that have counters. */
static enum mlv_rc search(struct reading *r, mlv_word w, struct mlv_str name, int64_t device,
			  unsigned depth, struct mlv_err *err)
{
	struct mlv_value_iter it = mlv_values_iter(&r->values, w);
	mlv_word k, value;
	struct mlv_str key;
	enum mlv_rc rc = MLV_OK;
	if (depth == DEPTH)
		return MLV_OK;
	if (is_dict(r, w) && stated_device(r, w) >= 0)
		device = stated_device(r, w);
	if (has_counters(r, w))
		return add_object(r, w, name, device, err);
	if (is_dict(r, w)) {
		while (!rc && mlv_value_next(&it, &k) && mlv_value_next(&it, &value)) {
			if (!key_of(r, k, &key))
				continue;
			bool below = mlv_word_tag(value) == MLV_W_OBJ;
			unsigned before = r->found;
			if (below)
				rc = search(r, value, key, device, depth + 1, err);
			if (!rc && before == r->found && depth == 0)
				rc = property(r, key, value, err);
		}
	} else if (mlv_word_is_obj(&r->values, w, MLV_OBJ_LIST)) {
		for (unsigned i = 0; !rc && mlv_value_next(&it, &value); i++) {
			char text[NAME_MAX_BYTES];
			int n = snprintf(text, sizeof(text), "%.100s[%u]", name.p, i);
			rc = search(r, value, (struct mlv_str){ text, (size_t)n }, -1, depth + 1,
				    err);
		}
	}
	return rc;
}

static enum mlv_rc parse(struct mlv_parse *p, struct mlv_err *err)
{
	struct reading r = { .run = p->run };
	const struct mlv_value_hooks no_hooks = { 0 };
	mlv_word top;
	enum mlv_rc rc = MLV_OK;
	r.at.run = p->run;
	r.at.limits = p->limits;
	if (!mlv_values_init(&r.values, &p->run->strings, p->limits, no_hooks))
		rc = mlv_err_nomem(err);
	r.values.budget.parse = p;
	/* A pickle may share its parts, and could make the search below endless. */
	(void)mlv_reader_need(p->reader, 4096);
	if (!rc && mlv_document_kind((struct mlv_bytes){
			   p->reader->p, (size_t)(p->reader->end - p->reader->p) }) != MLV_DOC_JSON)
		rc = mlv_err_set(err, MLV_E_FORMAT, "is no JSON");
	if (!rc)
		rc = mlv_document_read(&r.values, p->reader, &top, &p->run->diags, err);
	if (!rc)
		rc = search(&r, top, MLV_STR("memory_stats"), -1, 0, err);
	if (!rc && !r.found)
		rc = mlv_err_set(err, MLV_E_FORMAT,
				 "holds no counters of torch.cuda.memory_stats()");
	p->run->format = format_name;
	mlv_values_fini(&r.values);
	mlv_map_fini(&r.rows);
	return rc;
}

static int probe(struct mlv_bytes head)
{
	if (mlv_document_kind(head) != MLV_DOC_JSON)
		return 0;
	if (mlv_head_has(head, "_bytes.all.") || mlv_head_has(head, "allocation.all.") ||
	    mlv_head_has(head, "\"active.all."))
		return 95;
	return mlv_head_has(head, "\"large_pool\"") && mlv_head_has(head, "\"small_pool\"") &&
			       mlv_head_has(head, "\"freed\"")
		       ? 60
		       : 0;
}

const struct mlv_parser mlv_parser_memory_stats = {
	.name = format_name,
	.summary = "counters of torch.cuda.memory_stats() as JSON",
	.probe = probe,
	.parse = parse,
};
