/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_DOCUMENT_PICKLE_MACHINE_H
#define MLV_PARSERS_DOCUMENT_PICKLE_MACHINE_H
/*
 * What the files of the pickle machine share: pickle.c runs the opcodes that
 * make up a snapshot, pickle_rare.c all others, pickle_text.c those of
 * protocol 0, whose arguments are text. Opcode names are those of Python's
 * pickletools, where their arguments are documented too.
 */
#include <endian.h>
#include <string.h>

#include "base/diag.h"
#include "base/reader.h"
#include "parsers/document/values.h"

struct machine {
	struct mlv_values *v;
	struct mlv_reader *r;
	/*
	 * A memo slot is a word of 32 bits, which nearly all are; a longer one
	 * stands in `wide`, and its slot has the tag WIDE and the place there.
	 */
	MLV_VEC(uint32_t) memo;
	MLV_VEC(mlv_word) wide;
	struct mlv_err *err;
	struct mlv_diags *diags;
	uint64_t at;  /* offset of the current opcode */
	bool stopped; /* STOP was met */
	bool ended;   /* the bytes ended before */
};

enum { WIDE = 15 };

/* clang-format off */
enum {
	MARK = '(', STOP = '.', POP = '0', POP_MARK = '1', DUP = '2', FLOAT = 'F', INT = 'I',
	BININT = 'J', BININT1 = 'K', LONG = 'L', BININT2 = 'M', NONE = 'N', PERSID = 'P',
	BINPERSID = 'Q', REDUCE = 'R', STRING = 'S', BINSTRING = 'T', SHORT_BINSTRING = 'U',
	UNICODE = 'V', BINUNICODE = 'X', APPEND = 'a', BUILD = 'b', GLOBAL = 'c', DICT = 'd',
	APPENDS = 'e', GET = 'g', BINGET = 'h', INST = 'i', LONG_BINGET = 'j', LIST = 'l',
	OBJ = 'o', PUT = 'p', BINPUT = 'q', LONG_BINPUT = 'r', SETITEM = 's', TUPLE = 't',
	SETITEMS = 'u', BINFLOAT = 'G', EMPTY_LIST = ']', EMPTY_TUPLE = ')', EMPTY_DICT = '}',
	BINBYTES = 'B', SHORT_BINBYTES = 'C', PROTO = 0x80, NEWOBJ = 0x81, EXT1 = 0x82,
	EXT2 = 0x83, EXT4 = 0x84, TUPLE1 = 0x85, TUPLE2 = 0x86, TUPLE3 = 0x87, NEWTRUE = 0x88,
	NEWFALSE = 0x89, LONG1 = 0x8a, LONG4 = 0x8b, SHORT_BINUNICODE = 0x8c,
	BINUNICODE8 = 0x8d, BINBYTES8 = 0x8e, EMPTY_SET = 0x8f, ADDITEMS = 0x90,
	FROZENSET = 0x91, NEWOBJ_EX = 0x92, STACK_GLOBAL = 0x93, MEMOIZE = 0x94, FRAME = 0x95,
	BYTEARRAY8 = 0x96,
};
/* clang-format on */

static inline uint32_t load32(const uint8_t *p)
{
	uint32_t v;
	memcpy(&v, p, sizeof(v));
	return le32toh(v);
}

static inline uint64_t load64(const uint8_t *p)
{
	uint64_t v;
	memcpy(&v, p, sizeof(v));
	return le64toh(v);
}

/* Errors at the current opcode. */
static inline enum mlv_rc damaged(struct machine *m, const char *what)
{
	return mlv_err_at(m->err, MLV_E_FORMAT, m->at, "%s", what);
}
enum mlv_rc mlv_pickle_ends_early(struct machine *m);

/* Remember the top of the stack in the next slot. */
enum mlv_rc mlv_pickle_memo_slow(struct machine *m);
static inline enum mlv_rc memo_next(struct machine *m)
{
	if (m->memo.len == m->memo.cap || m->v->stack.len == 0 ||
	    m->v->stack.data[m->v->stack.len - 1] > UINT32_MAX || m->memo.len >= m->v->limits.memo)
		return mlv_pickle_memo_slow(m);
	m->memo.data[m->memo.len++] = (uint32_t)m->v->stack.data[m->v->stack.len - 1];
	return MLV_OK;
}

/* The same in any slot. Writers number them one after the other; `hot` leaves others to `rare`. */
enum mlv_rc mlv_pickle_memo_put(struct machine *m, uint64_t index);

static inline enum mlv_rc memo_get(struct machine *m, uint64_t index)
{
	if (index >= m->memo.len || !m->memo.data[index])
		return damaged(m, "memo entry that was never set");
	mlv_word w = m->memo.data[index];
	if ((w & 15) == WIDE)
		w = m->wide.data[w >> 4];
	return mlv_values_push(m->v, w, m->err);
}

static inline enum mlv_rc push_object(struct machine *m, uint32_t kind)
{
	mlv_word w;
	enum mlv_rc rc = mlv_values_object(m->v, kind, &w, m->err);
	return rc ? rc : mlv_values_push(m->v, w, m->err);
}

static inline enum mlv_rc push_float(struct machine *m, double d)
{
	mlv_word w;
	enum mlv_rc rc = mlv_values_float(m->v, d, &w, m->err);
	return rc ? rc : mlv_values_push(m->v, w, m->err);
}

static inline enum mlv_rc push_bytes(struct machine *m, enum mlv_tag tag, const uint8_t *p,
				     size_t n)
{
	mlv_word w;
	enum mlv_rc rc = mlv_values_string(m->v, tag, p, n, &w, m->err);
	return rc ? rc : mlv_values_push(m->v, w, m->err);
}

/* pickle_rare.c: any opcode but those that `hot` takes; its argument is at r->p. */
enum mlv_rc mlv_pickle_rare(struct machine *m, uint8_t op);
/* The words since the innermost mark to the container below it. */
enum mlv_rc mlv_pickle_items(struct machine *m, bool dict);

/* pickle_text.c: opcodes with text arguments, and what is no opcode at all. */
enum mlv_rc mlv_pickle_text(struct machine *m, uint8_t op);
/* Up to a line feed, which is consumed. Valid until the reader moves on. */
enum mlv_rc mlv_pickle_line(struct machine *m, struct mlv_str *line);

#endif
