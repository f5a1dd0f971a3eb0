/* SPDX-License-Identifier: MIT */
/*
 * Most bytes of a snapshot are memo references, marks, integers and small
 * containers, so those run in one tight loop over the bytes at hand (`hot`);
 * all other opcodes go through mlv_pickle_rare.
 */
#include "parsers/document/pickle.h"

#include "parsers/document/pickle_machine.h"

/* Bytes behind an opcode that `hot` may read whatever it is. */
enum { MARGIN = 16, PIECE = 256 * 1024 /* between two looks at the memory */ };

/* The length of an opcode that `hot` always takes, with its argument; 0 = another one. */
static size_t hot_length(const uint8_t *p)
{
	switch (*p) {
	case MARK:
	case MEMOIZE:
	case EMPTY_DICT:
	case EMPTY_LIST:
	case SETITEMS:
	case APPENDS:
		return 1;
	case BINGET:
	case BININT1:
		return 2;
	case BININT2:
		return 3;
	case LONG_BINGET:
	case BININT:
		return 5;
	case LONG1:
		return p[1] <= 8 ? 2 + (size_t)p[1] : 0;
	default:
		return 0;
	}
}

/* LONG1 of up to 8 bytes: shift the number to the top, and back with its sign. */
static enum mlv_rc hot_long(struct machine *m, const uint8_t *p, size_t n)
{
	mlv_word w = mlv_word_make(MLV_W_INT, 0);
	enum mlv_rc rc = MLV_OK;
	if (n) {
		unsigned spare = 64 - 8 * (unsigned)n;
		int64_t v = (int64_t)(load64(p) << spare) >> spare;
		rc = mlv_values_int(m->v, v, &w, m->err);
	}
	return rc ? rc : mlv_values_push(m->v, w, m->err);
}

/*
 * The opcodes that make up a snapshot, as long as MARGIN bytes are at hand.
 * Stops before any other opcode and after an error; returns where it stands.
 */
static const uint8_t *hot(struct machine *m, const uint8_t *p, const uint8_t *end, enum mlv_rc *rc)
{
	struct mlv_values *v = m->v;
	while (end - p >= MARGIN) {
		size_t length = 1;
		switch (*p) {
		case LONG_BINGET:
			length = 5;
			*rc = memo_get(m, load32(p + 1));
			break;
		case BINGET:
			length = 2;
			*rc = memo_get(m, p[1]);
			break;
		case MEMOIZE:
			*rc = memo_next(m);
			break;
		case LONG1:
			length = 2 + (size_t)p[1];
			if (p[1] > 8)
				return p;
			*rc = hot_long(m, p + 2, p[1]);
			break;
		case MARK:
			*rc = mlv_values_mark(v, m->err);
			break;
		case BININT1:
			length = 2;
			*rc = mlv_values_push(v, mlv_word_make(MLV_W_INT, p[1]), m->err);
			break;
		case BININT2:
			length = 3;
			*rc = mlv_values_push(
				v, mlv_word_make(MLV_W_INT, (uint64_t)(p[1] | p[2] << 8)), m->err);
			break;
		case BININT:
			length = 5;
			*rc = mlv_values_push(
				v,
				mlv_word_make(MLV_W_INT, (uint64_t)(int64_t)(int32_t)load32(p + 1)),
				m->err);
			break;
		case EMPTY_DICT:
			*rc = push_object(m, MLV_OBJ_DICT);
			break;
		case EMPTY_LIST:
			*rc = push_object(m, MLV_OBJ_LIST);
			break;
		case SETITEMS:
			*rc = mlv_pickle_items(m, true);
			break;
		case APPENDS:
			*rc = mlv_pickle_items(m, false);
			break;
		case BINPUT:
			length = 2;
			if (p[1] != m->memo.len)
				return p;
			*rc = memo_next(m);
			break;
		case LONG_BINPUT:
			length = 5;
			if (load32(p + 1) != m->memo.len)
				return p;
			*rc = memo_next(m);
			break;
		case SHORT_BINUNICODE:
			length = 2 + (size_t)p[1];
			if ((size_t)(end - p) < length)
				return p;
			*rc = push_bytes(m, MLV_W_STR, p + 2, p[1]);
			break;
		default:
			return p;
		}
		if (*rc)
			return p;
		p += length;
	}
	return p;
}

/* The last few bytes: one opcode from a copy that is long enough. */
static enum mlv_rc hot_at_end(struct machine *m, bool *known)
{
	uint8_t copy[2 * MARGIN] = { 0 };
	size_t left = (size_t)(m->r->end - m->r->p);
	memcpy(copy, m->r->p, left);
	size_t length = hot_length(copy);
	*known = length > 0;
	if (!length)
		return MLV_OK;
	if (length > left)
		return mlv_pickle_ends_early(m);
	enum mlv_rc rc = MLV_OK;
	(void)hot(m, copy, copy + MARGIN, &rc);
	m->r->p += length;
	return rc;
}

static enum mlv_rc look(struct machine *m)
{
	uint64_t memo = m->memo.len * sizeof(*m->memo.data) + m->wide.len * sizeof(*m->wide.data);
	return mlv_budget_look(&m->v->budget, m->at, memo + mlv_values_bytes(m->v), m->err);
}

static enum mlv_rc run(struct machine *m)
{
	struct mlv_reader *r = m->r;
	enum mlv_rc rc = MLV_OK;
	while (!m->stopped) {
		bool known = false;
		size_t n = (size_t)(r->end - r->p);
		const uint8_t *end = n > PIECE ? r->p + PIECE : r->end;
		r->p = hot(m, r->p, end, &rc);
		m->at = mlv_reader_offset(r);
		if (rc) {
			m->err->offset = m->at; /* `hot` does not keep count */
			return rc;
		}
		if (mlv_budget_due(&m->v->budget, m->at) && (rc = look(m)))
			return rc;
		if (r->end - r->p < MARGIN && !mlv_reader_fill(r, MARGIN)) {
			if (r->p == r->end)
				return mlv_pickle_ends_early(m);
			rc = hot_at_end(m, &known);
		} else if (hot_length(r->p)) {
			continue; /* there was too little at hand, and now there is enough */
		}
		if (!rc && !known) {
			r->p++;
			rc = mlv_pickle_rare(m, r->p[-1]);
		}
		if (rc)
			return rc;
	}
	return MLV_OK;
}

/* What stands behind STOP: nothing, in a file that one process wrote once. */
static void check_rest(struct machine *m)
{
	uint64_t rest = 0, at = mlv_reader_offset(m->r);
	while (mlv_reader_need(m->r, 1)) {
		rest += (uint64_t)(m->r->end - m->r->p);
		m->r->p = m->r->end;
	}
	if (m->r->err.rc)
		mlv_diag_from_err(m->diags, "input-truncated", &m->r->err);
	if (rest)
		mlv_diag_add(m->diags, MLV_DAMAGE, "pickle-trailing-bytes", at,
			     "%llu bytes follow the end of the pickle: two processes wrote this "
			     "file, or a shorter dump was written over a longer one",
			     (unsigned long long)rest);
}

enum mlv_rc mlv_pickle_read(struct mlv_values *v, struct mlv_reader *r, mlv_word *result,
			    struct mlv_diags *diags, struct mlv_err *err)
{
	struct mlv_err stop = MLV_ERR_INIT;
	struct machine m = { .v = v, .r = r, .diags = diags, .err = &stop };
	enum mlv_rc rc = run(&m);
	if (rc == MLV_E_FORMAT) {
		if (stop.offset == MLV_NO_OFFSET)
			stop.offset = m.at;
		mlv_diag_from_err(diags, m.ended ? "input-truncated" : "pickle-damaged", &stop);
		stop = MLV_ERR_INIT;
		rc = MLV_OK;
		v->ended = true;
	}
	if (rc == MLV_OK)
		rc = mlv_values_unwind(v, &stop);
	if (rc == MLV_OK && m.stopped)
		check_rest(&m);
	mlv_vec_free(&m.memo);
	mlv_vec_free(&m.wide);
	if (rc) {
		if (stop.offset == MLV_NO_OFFSET)
			stop.offset = m.at;
		if (err && !err->rc)
			*err = stop;
		return rc;
	}
	*result = v->stack.len ? v->stack.data[0] : mlv_word_make(MLV_W_UNSET, 0);
	return MLV_OK;
}
