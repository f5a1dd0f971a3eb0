/* SPDX-License-Identifier: MIT */
/* The pickle machine on its own: every opcode, what it refuses, damage, limits. */
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "parsers/document/pickle.h"

/* What came of one pickle. */
static struct {
	struct mlv_interner strings;
	struct mlv_values v;
	struct mlv_diags diags;
	struct mlv_err err;
	enum mlv_rc rc;
	mlv_word top;
} got;

static void forget(void)
{
	mlv_values_fini(&got.v);
	mlv_interner_fini(&got.strings);
	mlv_diags_fini(&got.diags);
	memset(&got, 0, sizeof(got));
}

static enum mlv_rc read_limited(const void *p, size_t n, size_t chunk,
				const struct mlv_limits *limits)
{
	struct mlv_source *src;
	struct mlv_reader r;
	struct mlv_value_hooks hooks = { 0 };
	if (got.v.strings)
		forget();
	got.err = MLV_ERR_INIT;
	unit_check(mlv_interner_init(&got.strings));
	unit_check(mlv_values_init(&got.v, &got.strings, limits, hooks));
	unit_check(
		!mlv_source_memory(&src, "test", (struct mlv_bytes){ p, n }, chunk, limits, NULL));
	mlv_reader_init(&r, src);
	got.rc = mlv_pickle_read(&got.v, &r, &got.top, &got.diags, &got.err);
	unit_check(got.rc == got.err.rc);
	mlv_reader_fini(&r);
	mlv_source_close(src);
	return got.rc;
}

static void print(struct mlv_buf *out, mlv_word w, int depth)
{
	struct mlv_value_iter it;
	mlv_strid id = MLV_STR_NONE;
	mlv_word item;
	int64_t n;
	bool first = true;
	static const char *const brackets[] = { "{}", "[]", "", "()" };
	switch (mlv_word_tag(w)) {
	case MLV_W_UNSET:
		mlv_buf_puts(out, "nothing");
		break;
	case MLV_W_INT:
		(void)mlv_word_int(w, &n);
		mlv_buf_int(out, n);
		break;
	case MLV_W_BIG:
		mlv_buf_printf(out, "%llu",
			       (unsigned long long)got.v.bigs.data[mlv_word_payload(w)]);
		break;
	case MLV_W_FLOAT:
		mlv_buf_printf(out, "%.17gf", got.v.floats.data[mlv_word_payload(w)]);
		break;
	case MLV_W_STR:
	case MLV_W_BYTES:
		(void)mlv_word_str(mlv_word_make(MLV_W_STR, mlv_word_payload(w)), &id);
		mlv_buf_puts(out, mlv_word_tag(w) == MLV_W_STR ? "'" : "b'");
		mlv_buf_str(out, mlv_str_get(&got.strings, id));
		mlv_buf_putc(out, '\'');
		break;
	case MLV_W_NONE:
		mlv_buf_puts(out, "None");
		break;
	case MLV_W_BOOL:
		(void)mlv_word_int(w, &n);
		mlv_buf_puts(out, n ? "True" : "False");
		break;
	case MLV_W_MARK:
		mlv_buf_puts(out, "MARK");
		break;
	case MLV_W_OBJ:
		mlv_buf_putc(out, brackets[got.v.objs.data[mlv_word_payload(w)].kind][0]);
		it = mlv_values_iter(&got.v, w);
		while (depth < 20 && mlv_value_next(&it, &item)) {
			mlv_buf_puts(out, first ? "" : " ");
			first = false;
			print(out, item, depth + 1);
		}
		mlv_buf_putc(out, brackets[got.v.objs.data[mlv_word_payload(w)].kind][1]);
		break;
	}
}

static const size_t chunks[] = { 0, 1, 2, 3, 16, 17 };
enum { CHUNKS = sizeof(chunks) / sizeof(chunks[0]) };

/* The same in every cut, without a word of complaint. */
static void is(const char *bytes, size_t n, const char *value)
{
	for (size_t i = 0; i < CHUNKS; i++) {
		struct mlv_buf out = { 0 };
		if (read_limited(bytes, n, chunks[i], &mlv_limits_default))
			ck_abort_msg("%s: %s", value, got.err.msg);
		if (got.diags.list.len)
			ck_abort_msg("%s: %s", value, got.diags.list.data[0].text);
		print(&out, got.top, 0);
		ck_assert_str_eq(out.data, value);
		mlv_buf_fini(&out);
	}
}

/* Damaged at this offset, which leaves `value`. */
static void is_damaged(const char *bytes, size_t n, uint64_t offset, const char *code,
		       const char *value)
{
	for (size_t i = 0; i < CHUNKS; i++) {
		struct mlv_buf out = { 0 };
		if (read_limited(bytes, n, chunks[i], &mlv_limits_default))
			ck_abort_msg("%s: %s", value, got.err.msg);
		ck_assert_uint_eq(got.diags.list.len, 1);
		ck_assert_str_eq(got.diags.list.data[0].code, code);
		ck_assert_uint_eq(got.diags.list.data[0].offset, offset);
		ck_assert_int_eq(got.diags.list.data[0].severity, MLV_DAMAGE);
		print(&out, got.top, 0);
		ck_assert_str_eq(out.data, value);
		mlv_buf_fini(&out);
	}
}

static void is_refused(const char *bytes, size_t n, uint64_t offset, const char *name)
{
	for (size_t i = 0; i < CHUNKS; i++) {
		ck_assert_int_eq(read_limited(bytes, n, chunks[i], &mlv_limits_default),
				 MLV_E_UNSUPPORTED);
		ck_assert_uint_eq(got.err.offset, offset);
		if (name && !strstr(got.err.msg, name))
			ck_abort_msg("'%s' is not in '%s'", name, got.err.msg);
		ck_assert_ptr_nonnull(strstr(got.err.msg, "nothing was executed"));
		ck_assert(!name == !strstr(got.err.msg, "names"));
	}
}

#define IS(bytes, value) is(bytes, sizeof(bytes) - 1, value)
#define DAMAGED(bytes, at, value) is_damaged(bytes, sizeof(bytes) - 1, at, "pickle-damaged", value)
#define CUT(bytes, value)                                                                          \
	is_damaged(bytes, sizeof(bytes) - 1, sizeof(bytes) - 1, "input-truncated", value)
#define REFUSED(bytes, at, name) is_refused(bytes, sizeof(bytes) - 1, at, name)

START_TEST(scalars)
{
	IS("N.", "None");
	IS("\x80\x02\x88.", "True");
	IS("\x80\x02\x89.", "False");
	IS("K\x00.", "0");
	IS("K\xff.", "255");
	IS("M\x00\x01.", "256");
	IS("M\xff\xff.", "65535");
	IS("J\x00\x00\x00\x80.", "-2147483648");
	IS("J\xff\xff\xff\x7f.", "2147483647");
	IS("J\xff\xff\xff\xff.", "-1");
	IS("G?\xf8\x00\x00\x00\x00\x00\x00.", "1.5f");
	IS("G\x80\x00\x00\x00\x00\x00\x00\x00.", "-0f");
	IS("\x80\x04\x95\x02\x00\x00\x00\x00\x00\x00\x00N.", "None");
}
END_TEST

START_TEST(long_integers)
{
	IS("\x8a\x00.", "0");
	IS("\x8a\x01\x7f.", "127");
	IS("\x8a\x01\x80.", "-128");
	IS("\x8a\x02\xff\x00.", "255");
	IS("\x8a\x02\x00\x80.", "-32768");
	IS("\x8a\x03\xff\xff\x7f.", "8388607");
	IS("\x8a\x04\x00\x00\x00\x80.", "-2147483648");
	IS("\x8a\x05\x00\x00\x00\x00\x01.", "4294967296");
	IS("\x8a\x06\x00\x00\x00\x00\xf0\x7f.", "140668768878592");
	IS("\x8a\x07\x00\x40\x1e\x18\x24\x0a\x06.", "1700000000000000");
	IS("\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x07.", "576460752303423487");
	IS("\x8a\x08\x00\x00\x00\x00\x00\x00\x00\x08.", "576460752303423488");
	IS("\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f.", "9223372036854775807");
	IS("\x8a\x08\xfe\xff\xff\xff\xff\xff\xff\xff.", "-2");
	IS("\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x80\x00.", "9223372036854775808");
	IS("\x8a\x09\xff\xff\xff\xff\xff\xff\xff\xff\x00.", "18446744073709551615");
	IS("\x8a\x09\xfe\xff\xff\xff\xff\xff\xff\xff\xff.", "-2");
	/* Beyond 64 bits: about the same number. */
	IS("\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x00\x01.", "1.8446744073709552e+19f");
	IS("\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x00\xff.", "-1.8446744073709552e+19f");
	IS("\x8a\x0a\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01.", "4.7223664828696452e+21f");
	IS("\x8b\x00\x00\x00\x00.", "0");
	IS("\x8b\x03\x00\x00\x00\xff\xff\xff.", "-1");
	IS("\x8b\x09\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\x00.", "18446744073709551615");
	DAMAGED("\x8b\x00\x00\x00\x7f.", 0, "nothing");
}
END_TEST

START_TEST(text_numbers)
{
	IS("I0\n.", "0");
	IS("I00\n.", "False");
	IS("I01\n.", "True");
	IS("I-5\n.", "-5");
	IS("I123456789012\n.", "123456789012");
	IS("L140737488355328L\n.", "140737488355328");
	IS("L-1L\n.", "-1");
	IS("L18446744073709551615L\n.", "18446744073709551615");
	IS("L18446744073709551616L\n.", "1.8446744073709552e+19f");
	IS("F1.5\n.", "1.5f");
	IS("F-1e3\n.", "-1000f");
	IS("Finf\n.", "inff");
	DAMAGED("Nq\x00Ix\n.", 3, "None");
	DAMAGED("I\n.", 0, "nothing");
	DAMAGED("I \n.", 0, "nothing");
	DAMAGED("L1.5x\n.", 0, "nothing");
	DAMAGED("F1.5x\n.", 0, "nothing");
	DAMAGED("F\n1.5\n.", 0, "nothing");
}
END_TEST

START_TEST(strings)
{
	IS("\x8c\x00.", "''");
	IS("\x8c\x02hi.", "'hi'");
	IS("X\x02\x00\x00\x00hi.", "'hi'");
	IS("\x8d\x02\x00\x00\x00\x00\x00\x00\x00hi.", "'hi'");
	IS("U\x02hi.", "'hi'");
	IS("T\x02\x00\x00\x00hi.", "'hi'");
	IS("C\x02hi.", "b'hi'");
	IS("B\x02\x00\x00\x00hi.", "b'hi'");
	IS("\x8e\x02\x00\x00\x00\x00\x00\x00\x00hi.", "b'hi'");
	IS("\x96\x02\x00\x00\x00\x00\x00\x00\x00hi.", "b'hi'");
	IS("S'hi'\n.", "'hi'");
	IS("S\"hi\"\n.", "'hi'");
	IS("Vhi\n.", "'hi'");
	IS("V\n.", "''");
	IS("Vd\xe9j\xe0\n.", "'d\xc3\xa9j\xc3\xa0'");
	IS("V\\u00e9\\U0001f600\\u4e2d\n.", "'\xc3\xa9\xf0\x9f\x98\x80\xe4\xb8\xad'");
	IS("V\\u00g9\\x41\\u12\n.", "'\\u00g9\\x41\\u12'");
	IS("V\\u-001\\\n.", "'\\u-001\\'");
	IS("V\\Uffffffff\n.", "'\xef\xbf\xbd'");
	CUT("\x8d\x02\x00\x00\x00\x00\x00\x00\x00h", "nothing");
}
END_TEST

START_TEST(containers)
{
	IS("].", "[]");
	IS("}.", "{}");
	IS(").", "()");
	IS("(.", "nothing");
	IS("(l.", "[]");
	IS("(d.", "{}");
	IS("(t.", "()");
	IS("(K\x01K\x02l.", "[1 2]");
	IS("(K\x01K\x02"
	   "d.",
	   "{1 2}");
	IS("(K\x01K\x02t.", "(1 2)");
	IS("K\x01\x85.", "(1)");
	IS("K\x01K\x02\x86.", "(1 2)");
	IS("K\x01K\x02K\x03\x87.", "(1 2 3)");
	IS("]K\x01"
	   "aK\x02"
	   "a.",
	   "[1 2]");
	IS("](K\x01K\x02"
	   "e(K\x03"
	   "e(e.",
	   "[1 2 3]");
	IS("}K\x01K\x02s.", "{1 2}");
	IS("}(K\x01K\x02K\x03K\x04u(u.", "{1 2 3 4}");
	IS("\x8f(K\x01K\x02\x90.", "[1 2]");
	IS("(K\x01K\x02\x91.", "[1 2]");
	IS("]]]]aaa.", "[[[[]]]]");
	IS("](](K\x01"
	   "e}(K\x02](K\x03"
	   "eue.",
	   "[[1] {2 [3]}]");
	DAMAGED("]K\x01"
		"e.",
		3, "[1]");
	DAMAGED("}(K\x01u.", 4, "{}");
	DAMAGED("(K\x01t(K\x02"
		"e.",
		7, "(1)");
	DAMAGED("a.", 0, "nothing");
	DAMAGED("K\x01"
		"a.",
		2, "1");
	DAMAGED("s.", 0, "nothing");
	DAMAGED("K\x01\x86.", 2, "1");
	DAMAGED("}K\x01"
		"a.",
		3, "{}");
	DAMAGED("]K\x01K\x02s.", 5, "[1]");
}
END_TEST

START_TEST(stack_opcodes)
{
	IS("K\x01K\x02"
	   "0.",
	   "1");
	IS("K\x01(0.", "1");
	IS("K\x01(K\x02K\x03"
	   "1.",
	   "1");
	IS("K\x01"
	   "2\x86.",
	   "(1 1)");
	IS("](K\x01"
	   "2e.",
	   "[1 1]");
	IS("0K\x01.", "1");
	DAMAGED("2.", 0, "nothing");
	DAMAGED("K\x01"
		"1.",
		2, "1");
	DAMAGED("](K\x01"
		"00e.",
		6, "[]");
}
END_TEST

START_TEST(memo)
{
	IS("](K\x07q\x00h\x00h\x00"
	   "e.",
	   "[7 7 7]");
	IS("](\x8c\x01"
	   "a\x94\x8c\x01"
	   "b\x94h\x00h\x01"
	   "e.",
	   "['a' 'b' 'a' 'b']");
	IS("](Np0\ng0\ne.", "[None None]");
	IS("](NNK\x07r\x05\x00\x00\x00j\x05\x00\x00\x00"
	   "e.",
	   "[None None 7 7]");
	/* Slots may be numbered in any order and set again. */
	IS("](NNK\x01q\x05K\x02q\x03K\x03q\x05h\x03h\x05"
	   "e.",
	   "[None None 1 2 3 2 3]");
	/* MEMOIZE goes on behind the highest one. */
	IS("](NNK\x01q\x03K\x02\x94h\x04"
	   "e.",
	   "[None None 1 2 2]");
	/* A value above 28 bits, and one above 60. */
	IS("](\x8a\x06\x00\x00\x00\x00\xf0\x7f\x94h\x00\x8a\x09\xff\xff\xff\xff\xff\xff\xff\xff\x00"
	   "q\x00h\x00"
	   "e.",
	   "[140668768878592 140668768878592 18446744073709551615 18446744073709551615]");
	/* What is remembered grows with its container. */
	IS("](]\x94h\x00(K\x01"
	   "eh\x00"
	   "e.",
	   "[[1] [1] [1]]");
	DAMAGED("](K\x01h\x00"
		"e.",
		4, "[1]");
	DAMAGED("](K\x01q\x00h\x01"
		"e.",
		6, "[1]");
	DAMAGED("](NK\x01q\x03h\x01"
		"e.",
		7, "[None 1]");
	DAMAGED("q\x00.", 0, "nothing");
	DAMAGED("p0\n.", 0, "nothing");
	DAMAGED("\x94.", 0, "nothing");
	DAMAGED("Np\n0\n.", 1, "None");
	DAMAGED("Np \n.", 1, "None");
	DAMAGED("Np-1\n.", 1, "None");
	DAMAGED("Np99999999999999999999\n.", 1, "None");
	DAMAGED("Ng0x\n.", 1, "None");
	DAMAGED("](Nr\xff\xff\xff\xffj\xff\xff\xff\xff"
		"e.",
		3, "[None]");
	DAMAGED("](Nr\x04\x00\x00\x00"
		"e.",
		3, "[None]");
}
END_TEST

START_TEST(what_would_run_code)
{
	REFUSED("\x80\x02"
		"cos\nsystem\nq\x00.",
		2, "os.system");
	REFUSED("(S'ls'\nios\nsystem\n.", 7, "os.system");
	REFUSED("\x80\x04\x8c\x05posix\x94\x8c\x06system\x94\x93\x94.", 19, "posix.system");
	REFUSED("\x80\x04NN\x93.", 4, NULL);
	REFUSED("\x93.", 0, NULL);
	REFUSED("N)R.", 2, NULL);
	REFUSED("N}b.", 2, NULL);
	REFUSED("N)\x81.", 2, NULL);
	REFUSED("N)}\x92.", 3, NULL);
	REFUSED("(No.", 2, NULL);
	REFUSED("P1\n.", 0, NULL);
	REFUSED("NQ.", 1, NULL);
	REFUSED("\x82\x01.", 0, NULL);
	REFUSED("\x83\x01\x02.", 0, NULL);
	REFUSED("\x84\x01\x02\x03\x04.", 0, NULL);
	/* However long the name, and however soon the file ends. */
	REFUSED("cos\n", 0, "os");
	REFUSED("c", 0, NULL);
	REFUSED("]N]NcAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\nB\n.",
		4, "AAAAAAAA.B");
}
END_TEST

START_TEST(no_pickle)
{
	DAMAGED("\xff.", 0, "nothing");
	DAMAGED("N\x97.", 1, "None");
	CUT("", "nothing");
	CUT("\x80", "nothing");
	CUT("\x80\x04", "nothing");
	CUT("](K\x01K", "[1]");
	CUT("](K\x01M\x01", "[1]");
	CUT("](K\x01J\x01\x00\x00", "[1]");
	CUT("](K\x01\x8a", "[1]");
	CUT("](K\x01\x8a\x04\x01\x01", "[1]");
	CUT("](K\x01\x8b\x04\x00\x00\x00\x01", "[1]");
	CUT("](K\x01G\x01", "[1]");
	CUT("](K\x01X\x05\x00\x00\x00hell", "[1]");
	CUT("](K\x01j\x00", "[1]");
	CUT("](K\x01I12", "[1]");
	CUT("](K\x01p", "[1]");
	CUT("](K\x01\x95\x00\x00", "[1]");
	CUT("}(K\x01](K\x02}(K\x03K\x04K\x05", "{1 [2 {3 4}]}");
	CUT("}K\x01]]]K\x02", "{1 [[[2]]]}");
	CUT("](](K\x01"
	    "e](K\x02"
	    "e]",
	    "[[1] [2] []]");
	CUT("}(K\x01]K\x02"
	    "a",
	    "{1 [2]}");
	CUT("}(K\x01]}K\x02K\x03", "{1 [{2 3}]}");
	CUT("}(K\x01]}K\x02", "{1 [{}]}");
}
END_TEST

START_TEST(trailing_bytes)
{
	static const char bytes[] = "](K\x01"
				    "e.hello";
	for (size_t i = 0; i < CHUNKS; i++) {
		ck_assert_int_eq(
			read_limited(bytes, sizeof(bytes) - 1, chunks[i], &mlv_limits_default),
			MLV_OK);
		ck_assert_uint_eq(got.diags.list.len, 1);
		ck_assert_str_eq(got.diags.list.data[0].code, "pickle-trailing-bytes");
		ck_assert_uint_eq(got.diags.list.data[0].offset, 6);
		ck_assert_ptr_nonnull(strstr(got.diags.list.data[0].text, "5 bytes"));
	}
}
END_TEST

START_TEST(protocols_of_tomorrow)
{
	ck_assert_int_eq(read_limited("\x80\x07N.", 4, 0, &mlv_limits_default), MLV_OK);
	ck_assert_uint_eq(got.diags.list.len, 1);
	ck_assert_int_eq(got.diags.list.data[0].severity, MLV_NOTE);
}
END_TEST

/* A pickle with every kind of container and string, from protocol 0 and from later ones. */
static const char mixed[] = "\x80\x04\x95\x10\x00\x00\x00\x00\x00\x00\x00}\x94(\x8c\x01"
			    "a\x94](K\x01M\x02\x03J\x04\x05"
			    "\x06\x07\x8a\x03\x01\x02\x03\x8b\x02\x00\x00\x00\x01\x01"
			    "e\x8c\x01"
			    "b}(Vx\np9\nI5\nG@\x00"
			    "\x00\x00\x00\x00\x00\x00h\x01u\x8c\x01"
			    "c](](K\x01"
			    "e]}K\x02Nsa\x88\x89g9\neu.";

START_TEST(truncation_at_every_offset)
{
	struct mlv_buf whole = { 0 };
	size_t n = sizeof(mixed) - 1;
	ck_assert_int_eq(read_limited(mixed, n, 0, &mlv_limits_default), MLV_OK);
	ck_assert_uint_eq(got.diags.list.len, 0);
	print(&whole, got.top, 0);
	ck_assert_str_eq(whole.data, "{'a' [1 770 117835012 197121 257] 'b' {'x' 5 2f 'a'} "
				     "'c' [[1] [{2 None}] True False 'x']}");
	for (size_t cut = 0; cut < n; cut++) {
		for (size_t i = 0; i < CHUNKS; i++) {
			struct mlv_buf part = { 0 };
			ck_assert_int_eq(read_limited(mixed, cut, chunks[i], &mlv_limits_default),
					 MLV_OK);
			ck_assert_uint_eq(got.diags.list.len, 1);
			ck_assert_str_eq(got.diags.list.data[0].code, "input-truncated");
			ck_assert_uint_eq(got.diags.list.data[0].offset, cut);
			print(&part, got.top, 0);
			/* A prefix, but for the brackets at its end. */
			size_t k = part.len;
			while (k && strchr("]})", part.data[k - 1]))
				k--;
			if (cut > 12 && memcmp(part.data, whole.data, k))
				ck_abort_msg("cut at %zu: %s", cut, part.data);
			mlv_buf_fini(&part);
		}
	}
	mlv_buf_fini(&whole);
}
END_TEST

START_TEST(damage_anywhere)
{
	/* Every byte replaced by every other: whatever it is, it ends well, and in one way. */
	size_t n = sizeof(mixed) - 1;
	char bytes[sizeof(mixed)];
	for (size_t at = 0; at < n; at++) {
		for (int c = 0; c < 256; c += 3) {
			memcpy(bytes, mixed, n);
			bytes[at] = (char)c;
			enum mlv_rc rc = read_limited(bytes, n, 0, &mlv_limits_default);
			unit_check(rc == MLV_OK || rc == MLV_E_UNSUPPORTED || rc == MLV_E_LIMIT);
			struct mlv_buf a = { 0 }, b = { 0 };
			uint64_t offset = got.err.offset;
			if (!rc)
				print(&a, got.top, 0);
			size_t diags = got.diags.list.len;
			uint64_t where = diags ? got.diags.list.data[0].offset : 0;
			unit_check(read_limited(bytes, n, 1 + at % 20, &mlv_limits_default) == rc);
			if (!rc)
				print(&b, got.top, 0);
			unit_check(a.len == b.len && (rc || !memcmp(a.data, b.data, a.len)));
			unit_check(got.err.offset == offset && got.diags.list.len == diags);
			unit_check(!diags || got.diags.list.data[0].offset == where);
			mlv_buf_fini(&a);
			mlv_buf_fini(&b);
		}
	}
}
END_TEST

static void hits_limit(const struct mlv_buf *b, struct mlv_limits limits, const char *name)
{
	ck_assert_int_eq(read_limited(b->data, b->len, 0, &limits), MLV_E_LIMIT);
	ck_assert_ptr_nonnull(strstr(got.err.msg, name));
	ck_assert_int_eq(read_limited(b->data, b->len, 100, &limits), MLV_E_LIMIT);
}

static void repeat(struct mlv_buf *b, const char *bytes, size_t n, size_t times)
{
	while (times--)
		mlv_buf_add(b, bytes, n);
}

START_TEST(limits)
{
	struct mlv_limits l = mlv_limits_default;
	struct mlv_buf b = { 0 };
	l.depth = 50;
	repeat(&b, "](", 2, 50);
	ck_assert_int_eq(read_limited(b.data, b.len, 0, &l), MLV_OK);
	repeat(&b, "](", 2, 1);
	hits_limit(&b, l, "depth=");

	l = mlv_limits_default;
	l.memo = 5000;
	b.len = 0;
	mlv_buf_putc(&b, 'N');
	repeat(&b, "\x94", 1, 5000);
	mlv_buf_putc(&b, '.');
	ck_assert_int_eq(read_limited(b.data, b.len, 0, &l), MLV_OK);
	b.len--;
	repeat(&b, "\x94.", 2, 1);
	hits_limit(&b, l, "memo=");
	b.len = 0;
	repeat(&b, "N", 1, 20000);
	mlv_buf_puts(&b, "p9999\n.");
	hits_limit(&b, l, "memo=");

	l = mlv_limits_default;
	l.string = 300;
	b.len = 0;
	mlv_buf_add(&b, "X\x2d\x01\x00\x00", 5);
	repeat(&b, "x", 1, 301);
	mlv_buf_putc(&b, '.');
	hits_limit(&b, l, "string=");
	b.len = 0;
	mlv_buf_putc(&b, 'V');
	repeat(&b, "x", 1, 301);
	mlv_buf_puts(&b, "\n.");
	hits_limit(&b, l, "string=");
	b.len--;
	b.len--;
	hits_limit(&b, l, "string=");
	/* A length from nowhere is not allocated. */
	b.len = 0;
	mlv_buf_add(&b, "\x8d\xff\xff\xff\xff\xff\xff\xff\xff.", 10);
	hits_limit(&b, mlv_limits_default, "string=");

	l = mlv_limits_default;
	l.rows = 3000;
	static const char *const many[] = { "]", "N", "\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f",
					    "G\x01\x01\x01\x01\x01\x01\x01\x01" };
	static const size_t sizes[] = { 1, 1, 10, 9 };
	for (size_t i = 0; i < 4; i++) {
		b.len = 0;
		repeat(&b, many[i], sizes[i], 20000);
		mlv_buf_putc(&b, '.');
		hits_limit(&b, l, "rows=");
	}
	b.len = 0;
	mlv_buf_putc(&b, ']');
	repeat(&b, "Na", 2, 20000);
	mlv_buf_putc(&b, '.');
	hits_limit(&b, l, "rows=");
	b.len = 0;
	for (int i = 0; i < 5000; i++)
		mlv_buf_printf(&b, "V%d\n0", i);
	mlv_buf_putc(&b, '.');
	hits_limit(&b, l, "rows=");
	mlv_buf_fini(&b);
}
END_TEST

START_TEST(a_large_list)
{
	enum { N = 200000 };
	struct mlv_buf b = { 0 };
	mlv_buf_puts(&b, "](");
	for (int i = 0; i < N; i++) {
		mlv_buf_putc(&b, 'M');
		mlv_buf_putc(&b, (char)i);
		mlv_buf_putc(&b, (char)(i >> 8));
	}
	mlv_buf_puts(&b, "e.");
	ck_assert_int_eq(read_limited(b.data, b.len, 4096, &mlv_limits_default), MLV_OK);
	struct mlv_value_iter it = mlv_values_iter(&got.v, got.top);
	int64_t n = 0, value;
	for (mlv_word w; mlv_value_next(&it, &w); n++)
		unit_check(mlv_word_int(w, &value) && value == (n & 0xffff));
	ck_assert_int_eq(n, N);
	mlv_buf_fini(&b);
}
END_TEST

START_TEST(deep_nesting_without_marks)
{
	/* 100 000 lists in one another need no recursion. */
	struct mlv_buf b = { 0 };
	repeat(&b, "]", 1, 100000);
	repeat(&b, "a", 1, 99999);
	mlv_buf_putc(&b, '.');
	ck_assert_int_eq(read_limited(b.data, b.len, 0, &mlv_limits_default), MLV_OK);
	ck_assert_uint_eq(got.diags.list.len, 0);
	b.len = 100000;
	ck_assert_int_eq(read_limited(b.data, b.len, 0, &mlv_limits_default), MLV_OK);
	mlv_buf_fini(&b);
	forget();
}
END_TEST

UNIT_MAIN("pickle", scalars, long_integers, text_numbers, strings, containers, stack_opcodes, memo,
	  what_would_run_code, no_pickle, trailing_bytes, protocols_of_tomorrow,
	  truncation_at_every_offset, damage_anywhere, limits, a_large_list,
	  deep_nesting_without_marks)
