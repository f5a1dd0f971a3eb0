/* SPDX-License-Identifier: MIT */
/*
 * Dumps of PyTorch's flight recorder (the NCCL trace buffer), as pickle or
 * JSON, of all versions, and of the forks for other communication libraries.
 * The rank is not in them: the caller knows it from the user or the name.
 */
#include "parsers/distributed/fr_build.h"

#include <string.h>

#include "parsers/document/document.h"

/* Kineto traces and memory snapshots of distributed runs hold some of the same words. */
static bool is_other(struct mlv_bytes head)
{
	return mlv_head_has(head, "traceEvents") || mlv_head_has(head, "distributedInfo") ||
	       mlv_head_has(head, "schemaVersion") || mlv_head_has(head, "device_traces");
}

static int probe(struct mlv_bytes head)
{
	if (!mlv_document_kind(head))
		return 0;
	bool groups = mlv_head_has(head, "pg_config") || mlv_head_has(head, "pg_status");
	bool entries = mlv_head_has(head, "profiling_name") &&
		       (mlv_head_has(head, "seq_id") || mlv_head_has(head, "record_id"));
	bool version = mlv_head_has(head, "version");
	if (!(entries || (groups && version)) || is_other(head))
		return 0;
	return 95;
}

void mlv_fr_fields(struct mlv_fr *f, mlv_word dict, mlv_word fields[W_COUNT])
{
	struct mlv_value_iter it = mlv_values_iter(&f->values, dict);
	mlv_word key, value;
	mlv_strid id;
	memset(fields, 0, W_COUNT * sizeof(*fields));
	if (!mlv_word_is_obj(&f->values, dict, MLV_OBJ_DICT))
		return;
	while (mlv_value_next(&it, &key) && mlv_value_next(&it, &value) && mlv_fr_work(f, 1)) {
		if (mlv_word_str(key, &id) && id.i < W_COUNT)
			fields[id.i] = value;
	}
}

static bool digits(struct mlv_str s, int64_t *n)
{
	size_t i = s.n && s.p[0] == '-';
	int64_t value = 0;
	if (i == s.n)
		return false;
	for (; i < s.n; i++) {
		if (s.p[i] < '0' || s.p[i] > '9' || __builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, s.p[i] - '0', &value))
			return false;
	}
	*n = s.p[0] == '-' ? -value : value;
	return true;
}

bool mlv_fr_int(const struct mlv_fr *f, mlv_word w, int64_t *n)
{
	mlv_strid text;
	uint64_t big;
	if (mlv_word_int(w, n))
		return true;
	/* Nanoseconds since 1970 do not fit a word's own 60 bits. */
	if (mlv_word_tag(w) == MLV_W_BIG && mlv_word_uint(&f->values, w, &big) &&
	    big <= INT64_MAX) {
		*n = (int64_t)big;
		return true;
	}
	if (mlv_word_tag(w) == MLV_W_FLOAT) {
		double d = f->values.floats.data[mlv_word_payload(w)];
		if (!(d >= -9e18 && d <= 9e18) || d != (double)(int64_t)d)
			return false;
		*n = (int64_t)d;
		return true;
	}
	return mlv_word_str(w, &text) && digits(mlv_run_str(f->run, text), n);
}

/* "nccl_comm_state", "hccl_comm_state": {communicator: {…}}, of which the number is kept. */
static bool comm_state(struct mlv_fr *f, mlv_strid key, mlv_word value)
{
	struct mlv_property p = { .kind = MLV_PROP_INT, .key = key };
	struct mlv_value_iter it = mlv_values_iter(&f->values, value);
	mlv_word k;
	if (!mlv_str_has_suffix(mlv_run_str(f->run, key), MLV_STR("_comm_state")) ||
	    !mlv_word_is_obj(&f->values, value, MLV_OBJ_DICT))
		return true;
	for (; mlv_value_next(&it, &k) && mlv_value_next(&it, &k) && mlv_fr_work(f, 2);)
		p.number++;
	return !p.number || (mlv_run_intern(f->run, MLV_STR("flight-recorder"), &p.group) &&
			     mlv_vec_push(&f->run->properties, p));
}

static bool versions(struct mlv_fr *f, const mlv_word *top)
{
	static const enum mlv_fr_word keys[] = { W_VERSION, W_NCCL_VERSION, W_COMM_LIB_VERSION };
	struct mlv_property p = { .kind = MLV_PROP_TEXT };
	if (!mlv_run_intern(f->run, MLV_STR("flight-recorder"), &p.group))
		return false;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		p.key.i = keys[i];
		if (mlv_word_str(top[keys[i]], &p.text) && !mlv_vec_push(&f->run->properties, p))
			return false;
	}
	mlv_strid version;
	if (mlv_word_str(top[W_VERSION], &version)) {
		struct mlv_str s = mlv_run_str(f->run, version);
		/* The major number changes when the meaning of a field does. */
		if (!mlv_str_has_prefix(s, MLV_STR("1.")) && !mlv_str_has_prefix(s, MLV_STR("2.")))
			mlv_diag_add(&f->run->diags, MLV_WARNING, "fr-version", MLV_NO_OFFSET,
				     "a dump of version '%.20s': fields may mean something else "
				     "than in the versions 2.0 to 2.10",
				     s.p);
	}
	return true;
}

static enum mlv_rc not_a_dump(struct mlv_fr *f, mlv_word top, struct mlv_err *err)
{
	char keys[120] = "";
	if (mlv_word_tag(top) == MLV_W_UNSET)
		return mlv_err_set(err, MLV_E_FORMAT, "nothing could be read from it");
	mlv_document_keys(&f->values, top, keys, sizeof(keys));
	return mlv_err_set(err, MLV_E_FORMAT,
			   "not a flight-recorder dump: %s%s instead of \"entries\" and "
			   "\"pg_config\"",
			   *keys ? "a dict with keys such as " : "a document without text keys",
			   keys);
}

/* PyTorch 2.2 wrote the list of entries alone. */
static bool is_bare(struct mlv_fr *f, mlv_word top)
{
	mlv_word fields[W_COUNT], first;
	struct mlv_value_iter it = mlv_values_iter(&f->values, top);
	if (!mlv_word_is_obj(&f->values, top, MLV_OBJ_LIST) || !mlv_value_next(&it, &first))
		return false;
	mlv_fr_fields(f, first, fields);
	return mlv_word_tag(fields[W_PROFILING_NAME]) == MLV_W_STR;
}

static enum mlv_rc build(struct mlv_fr *f, mlv_word document, struct mlv_err *err)
{
	mlv_word top[W_COUNT];
	f->work = 4 * (uint64_t)f->values.cells.len + 65536;
	mlv_fr_fields(f, document, top);
	if (is_bare(f, document))
		top[W_ENTRIES] = document;
	if (mlv_word_tag(top[W_ENTRIES]) != MLV_W_OBJ &&
	    mlv_word_tag(top[W_PG_CONFIG]) != MLV_W_OBJ &&
	    mlv_word_tag(top[W_PG_STATUS]) != MLV_W_OBJ)
		return not_a_dump(f, document, err);
	if (!versions(f, top))
		return mlv_err_nomem(err);
	struct mlv_value_iter it = mlv_values_iter(&f->values, document);
	mlv_word key, value;
	mlv_strid id;
	bool dict = mlv_word_is_obj(&f->values, document, MLV_OBJ_DICT);
	f->cut = f->values.ended;
	while (dict && mlv_value_next(&it, &key) && mlv_value_next(&it, &value)) {
		/* What stands before the key at which the input ended is whole. */
		f->cut = f->values.ended && key == mlv_word_make(MLV_W_STR, W_ENTRIES);
		if (mlv_word_str(key, &id) && !comm_state(f, id, value))
			return mlv_err_nomem(err);
	}
	enum mlv_rc rc = mlv_fr_read_config(f, top[W_PG_CONFIG], err);
	if (!rc)
		rc = mlv_fr_read_entries(f, top[W_ENTRIES], err);
	/* The entries say which group a process-local number stands for. */
	if (!rc)
		rc = mlv_fr_read_status(f, top[W_PG_STATUS], err);
	if (!rc && !f->work)
		mlv_diag_add(&f->run->diags, MLV_DAMAGE, "fr-shared", MLV_NO_OFFSET,
			     "the same lists are referred to again and again; what would be read "
			     "more than a few times is left out");
	return rc;
}

static bool init(struct mlv_fr *f, struct mlv_parse *p)
{
	static const struct mlv_str words[] = {
#define X(id, text) MLV_STR_INIT(text),
		MLV_FR_WORDS(X)
#undef X
	};
	struct mlv_value_hooks none = { 0 };
	memset(f, 0, sizeof(*f));
	p->run->recorder = MLV_RECORDER_COLLECTIVES;
	f->run = p->run;
	f->limits = &f->values.limits;
	for (uint32_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		mlv_strid id;
		if (!mlv_intern(&p->run->strings, words[i].p, words[i].n, &id) || id.i != i + 1)
			return false;
	}
	if (!mlv_values_init(&f->values, &p->run->strings, p->limits, none))
		return false;
	f->values.budget.parse = p;
	return mlv_run_track(p->run, MLV_TRACK_RANK, MLV_TRACK_NONE, p->run->rank, &f->rank);
}

static enum mlv_rc parse(struct mlv_parse *p, struct mlv_err *err)
{
	struct mlv_fr f;
	enum mlv_rc rc = MLV_OK;
	mlv_word top;
	if (!init(&f, p))
		rc = mlv_err_nomem(err);
	if (!rc)
		rc = mlv_document_read(&f.values, p->reader, &top, &p->run->diags, err);
	if (!rc)
		rc = build(&f, top, err);
	if (!rc) {
		struct mlv_section s = { .format = "fr-dump",
					 .rank = p->run->rank,
					 .rows = p->run->spans.len,
					 .noun = "collective" };
		if (!mlv_vec_push(&p->run->sections, s))
			rc = mlv_err_nomem(err);
	}
	mlv_values_fini(&f.values);
	mlv_map_fini(&f.group_rows);
	mlv_map_fini(&f.pg_rows);
	mlv_vec_free(&f.frames);
	mlv_vec_free(&f.input_numels);
	mlv_buf_fini(&f.text);
	return rc;
}

const struct mlv_parser mlv_parser_fr_dump = {
	.name = "fr-dump",
	.summary = "PyTorch flight-recorder dump (NCCL and other back ends), pickle or JSON",
	.named_by_rank = true,
	.probe = probe,
	.parse = parse,
};
