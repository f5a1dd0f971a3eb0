/* SPDX-License-Identifier: MIT */
/*
 * The entries of a flight-recorder dump: each is one call that a process
 * handed to its communication library, and becomes a span on the track of its
 * process group.
 */
#include "parsers/distributed/fr_build.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* "nccl:all_reduce" into back end and operation; a name without back end is the operation. */
static void split_name(struct mlv_str full, struct mlv_str *backend, struct mlv_str *op)
{
	size_t i = 0;
	*backend = MLV_STR("");
	*op = full;
	while (i < full.n && ((full.p[i] >= 'a' && full.p[i] <= 'z') || full.p[i] == '_' ||
			      (i && mlv_is_digit(full.p[i]))))
		i++;
	if (!i || i + 1 >= full.n || full.p[i] != ':' || full.p[i + 1] == ':')
		return;
	*backend = (struct mlv_str){ full.p, i };
	*op = (struct mlv_str){ full.p + i + 1, full.n - i - 1 };
}

/* The end of a coalesced group: "coalesced", or "ALLGATHER_coalesced" since version 2.7.
 * "allreduce_coalesced" is an operation. */
static bool ends_coalesced(struct mlv_str op)
{
	static const struct mlv_str word = MLV_STR_INIT("coalesced");
	if (!mlv_str_has_suffix(op, word))
		return false;
	for (size_t i = 0; i < op.n - word.n; i++) {
		if (!((op.p[i] >= 'A' && op.p[i] <= 'Z') || mlv_is_digit(op.p[i]) ||
		      op.p[i] == '_'))
			return false;
	}
	return op.n == word.n || op.n > word.n + 1;
}

static mlv_strid category_of(struct mlv_str op, bool p2p)
{
	if (ends_coalesced(op))
		return (mlv_strid){ W_COALESCED };
	if (p2p || mlv_str_has_prefix(op, MLV_STR("send ")) ||
	    mlv_str_has_prefix(op, MLV_STR("recv ")))
		return (mlv_strid){ W_P2P };
	return (mlv_strid){ W_COLLECTIVE };
}

/* A time, which is 0 in JSON where the pickle has None. */
static int64_t time_of(const struct mlv_fr *f, mlv_word w)
{
	int64_t n;
	return mlv_fr_int(f, w, &n) && n > 0 ? n : MLV_NO_TIME;
}

static bool duration_of(const struct mlv_fr *f, mlv_word w, double *ms)
{
	int64_t n;
	if (mlv_word_tag(w) == MLV_W_FLOAT)
		*ms = f->values.floats.data[mlv_word_payload(w)];
	else if (mlv_fr_int(f, w, &n))
		*ms = (double)n;
	else
		return false;
	return isfinite(*ms);
}

static void times(const struct mlv_fr *f, const mlv_word *e, struct mlv_span *span)
{
	int64_t n;
	double ms;
	span->start_ns = time_of(f, e[W_TIME_CREATED_NS]);
	if (span->start_ns == MLV_NO_TIME && mlv_fr_int(f, e[W_TIME_CREATED_US], &n) && n > 0 &&
	    n <= INT64_MAX / 1000)
		span->start_ns = n * 1000;
	if (span->start_ns == MLV_NO_TIME)
		span->start_ns = time_of(f, e[W_STARTED_NS]);
	span->end_ns = time_of(f, e[W_COMPLETED_NS]);
	if (span->end_ns == MLV_NO_TIME && span->start_ns != MLV_NO_TIME &&
	    duration_of(f, e[W_DURATION_MS], &ms) && ms >= 0 && ms < 1e12 &&
	    span->start_ns < INT64_MAX / 2)
		span->end_ns = span->start_ns + (int64_t)(ms * 1e6 + 0.5);
}

/* The fewest digits that stand for the number. */
static bool duration_attr(struct mlv_fr *f, mlv_word w)
{
	char digits[32];
	double ms;
	mlv_strid id;
	int n = 0;
	if (!duration_of(f, w, &ms))
		return true;
	for (int precision = 1; precision <= 17; precision++) {
		n = snprintf(digits, sizeof(digits), "%.*g", precision, ms);
		if (strtod(digits, NULL) == ms)
			break;
	}
	return mlv_intern(&f->run->strings, digits, (size_t)n, &id) &&
	       mlv_fr_attr_text(f, W_DURATION_MS, id);
}

static bool number_attrs(struct mlv_fr *f, const mlv_word *e, const struct mlv_span *span)
{
	static const enum mlv_fr_word keys[] = { W_RECORD_ID,  W_PG_ID, W_COLLECTIVE_SEQ_ID,
						 W_P2P_SEQ_ID, W_OP_ID, W_RETIRED,
						 W_TIMEOUT_MS, W_IS_P2P };
	static const enum mlv_fr_word moments[] = { W_STARTED_NS, W_COMPLETED_NS };
	int64_t n;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (mlv_fr_int(f, e[keys[i]], &n) && !mlv_fr_attr_int(f, keys[i], n))
			return false;
	}
	/* The one counter of PyTorch 2.2 counts what collective_seq_id does later. */
	if (mlv_word_tag(e[W_COLLECTIVE_SEQ_ID]) == MLV_W_UNSET && mlv_fr_int(f, e[W_SEQ_ID], &n) &&
	    !mlv_fr_attr_int(f, W_COLLECTIVE_SEQ_ID, n))
		return false;
	if ((mlv_word_tag(e[W_TIME_CREATED_NS]) != MLV_W_UNSET ||
	     mlv_word_tag(e[W_TIME_CREATED_US]) != MLV_W_UNSET) &&
	    span->start_ns != MLV_NO_TIME && !mlv_fr_attr_int(f, W_TIME_CREATED_NS, span->start_ns))
		return false;
	for (size_t i = 0; i < 2; i++) {
		n = time_of(f, e[moments[i]]);
		if (n != MLV_NO_TIME && !mlv_fr_attr_int(f, moments[i], n))
			return false;
	}
	return true;
}

/* ("0", "default_pg"); PyTorch 2.2 knew only the number. */
static enum mlv_rc group_of(struct mlv_fr *f, const mlv_word *e, uint32_t *row, struct mlv_err *err)
{
	struct mlv_value_iter it = mlv_values_iter(&f->values, e[W_PROCESS_GROUP]);
	mlv_strid name = MLV_STR_NONE, desc = MLV_STR_NONE;
	mlv_word w;
	char digits[32];
	int64_t pg;
	bool has_pg = mlv_fr_int(f, e[W_PG_ID], &pg);
	if (mlv_fr_is_list(f, e[W_PROCESS_GROUP])) {
		if (mlv_value_next(&it, &w))
			(void)mlv_word_str(w, &name);
		if (mlv_value_next(&it, &w))
			(void)mlv_word_str(w, &desc);
	} else if (!mlv_word_str(e[W_PROCESS_GROUP], &name) && has_pg) {
		int n = snprintf(digits, sizeof(digits), "%lld", (long long)pg);
		if (!mlv_intern(&f->run->strings, digits, (size_t)n, &name))
			return mlv_err_nomem(err);
	}
	enum mlv_rc rc = mlv_fr_group(f, name, desc, row, err);
	if (!rc && has_pg && !mlv_map_set(&f->pg_rows, (uint64_t)pg, *row))
		return mlv_err_nomem(err);
	if (!rc &&
	    (!mlv_fr_attr_text(f, W_PROCESS_GROUP, name) ||
	     !mlv_fr_attr_text(f, W_GROUP_DESCRIPTION, f->run->groups.data[*row].description)))
		return mlv_err_nomem(err);
	return rc;
}

static enum mlv_rc add(struct mlv_fr *f, const mlv_word *e, struct mlv_err *err)
{
	struct mlv_run *run = f->run;
	struct mlv_span span = { .bytes = -1 };
	struct mlv_str backend, op;
	mlv_strid full = MLV_STR_NONE, thread, id;
	uint32_t row, begin = mlv_run_attrs_begin(run);
	int64_t p2p = 0;
	enum mlv_rc rc = mlv_limits_room(f->limits, run->spans.len, "entries", err);
	if (rc)
		return rc;
	(void)mlv_word_str(e[W_PROFILING_NAME], &full);
	(void)mlv_word_str(e[W_STATE], &span.status);
	(void)mlv_fr_int(f, e[W_IS_P2P], &p2p);
	split_name(mlv_run_str(run, full), &backend, &op);
	span.category = category_of(op, p2p != 0);
	times(f, e, &span);
	if (!mlv_run_intern(run, op, &span.name) || !mlv_fr_stack(f, e[W_FRAMES], &span.stack) ||
	    !number_attrs(f, e, &span) || !duration_attr(f, e[W_DURATION_MS]))
		return mlv_err_nomem(err);
	if (backend.n &&
	    (!mlv_run_intern(run, backend, &id) || !mlv_fr_attr_text(f, W_BACKEND, id)))
		return mlv_err_nomem(err);
	if (mlv_word_str(e[W_THREAD_NAME], &thread) && !mlv_fr_attr_text(f, W_THREAD_NAME, thread))
		return mlv_err_nomem(err);
	rc = group_of(f, e, &row, err);
	if (!rc)
		rc = mlv_fr_tensors(f, e, &span.bytes, err);
	if (rc)
		return rc;
	span.attrs = mlv_run_attrs_end(run, begin);
	if (!mlv_run_named_track(run, MLV_TRACK_GROUP, f->rank, row,
				 mlv_run_str(run, run->groups.data[row].name), &span.track) ||
	    !mlv_vec_push(&run->spans, span))
		return mlv_err_nomem(err);
	return MLV_OK;
}

/* Which keys an entry has; those that are only there at times do not count. */
static uint64_t keys_of(const mlv_word *e)
{
	uint64_t mask = 0;
	for (unsigned i = 0; i < W_COUNT; i++) {
		enum mlv_tag tag = mlv_word_tag(e[i]);
		if (tag == MLV_W_UNSET || i == W_DURATION_MS || i == W_FRAMES ||
		    (tag == MLV_W_NONE && i != W_STARTED_NS && i != W_COMPLETED_NS))
			continue;
		mask |= UINT64_C(1) << i;
	}
	return mask;
}

_Static_assert(W_COUNT <= 64, "the keys of an entry are bits of a mask");

/* Of an input that ended: whether the last entry was still being written, by the keys that the one
 * before it had. */
static bool is_part(const mlv_word *e, uint64_t before)
{
#define BIT(word) (UINT64_C(1) << (W_##word))
	uint64_t wanted = before;
	if (!before) {
		wanted = BIT(PROFILING_NAME) | BIT(STATE) | BIT(RETIRED);
		/* PyTorch 2.2 had no more. */
		if (mlv_word_tag(e[W_SEQ_ID]) == MLV_W_UNSET)
			wanted |= BIT(IS_P2P) | BIT(TIMEOUT_MS) | BIT(STARTED_NS);
	}
#undef BIT
	return (keys_of(e) & wanted) != wanted;
}

enum mlv_rc mlv_fr_read_entries(struct mlv_fr *f, mlv_word entries, struct mlv_err *err)
{
	struct mlv_value_iter it = mlv_values_iter(&f->values, entries), ahead;
	mlv_word w, fields[W_COUNT], next;
	uint64_t keys = 0;
	enum mlv_rc rc = MLV_OK;
	if (mlv_word_tag(entries) > MLV_W_UNSET && mlv_word_tag(entries) != MLV_W_NONE &&
	    !mlv_fr_is_list(f, entries))
		mlv_diag_add(&f->run->diags, MLV_DAMAGE, "fr-entries", MLV_NO_OFFSET,
			     "\"entries\" is not a list");
	if (!mlv_fr_is_list(f, entries))
		return MLV_OK;
	while (!rc && f->work && mlv_value_next(&it, &w)) {
		mlv_fr_fields(f, w, fields);
		ahead = it;
		bool last = !mlv_value_next(&ahead, &next);
		if (f->cut && last && is_part(fields, keys)) {
			mlv_diag_add(&f->run->diags, MLV_WARNING, "fr-entry-cut", MLV_NO_OFFSET,
				     "the file ends within an entry, which is left out");
			break;
		}
		if (!mlv_word_is_obj(&f->values, w, MLV_OBJ_DICT) ||
		    mlv_word_tag(fields[W_PROFILING_NAME]) != MLV_W_STR) {
			mlv_diag_add(&f->run->diags, MLV_DAMAGE, "fr-entry", MLV_NO_OFFSET,
				     "an entry is not a dict with a \"profiling_name\"");
			continue;
		}
		keys = keys_of(fields);
		rc = add(f, fields, err);
		f->values.objs.data[mlv_word_payload(w)] = (struct mlv_obj){ OBJ_SPENT, 0 };
	}
	return rc;
}
