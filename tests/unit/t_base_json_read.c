/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/json_read.h"

/*
 * Tokens as text, so that documents and what becomes of them stand in tables:
 * k'key' s'string' i12 u18446744073709551615 n1.5 t f 0 { } [ ], then the
 * codes of the diagnostics behind a bar.
 */
static void put_token(struct mlv_buf *out, const struct mlv_json_token *t)
{
	static const char plain[] = "?{}[]????tf0";
	switch (t->kind) {
	case MLV_JSON_KEY:
	case MLV_JSON_STRING:
		mlv_buf_printf(out, "%c'", t->kind == MLV_JSON_KEY ? 'k' : 's');
		mlv_buf_str(out, t->text);
		mlv_buf_putc(out, '\'');
		break;
	case MLV_JSON_INTEGER:
		if (t->is_unsigned)
			mlv_buf_printf(out, "u%" PRIu64, (uint64_t)t->integer);
		else
			mlv_buf_printf(out, "i%" PRId64, t->integer);
		break;
	case MLV_JSON_NUMBER:
		mlv_buf_putc(out, 'n');
		mlv_buf_str(out, t->text);
		break;
	default:
		mlv_buf_putc(out, plain[t->kind]);
		break;
	}
}

/* A caller's view of the grammar: every END matches, every key has its value. */
struct nesting {
	char stack[2048];
	size_t depth;
	bool keyed, done;
};

static void check_nesting(struct nesting *n, const struct mlv_json_token *t)
{
	bool object = n->depth && n->stack[n->depth - 1] == '{';
	switch (t->kind) {
	case MLV_JSON_END:
		unit_check(n->depth == 0 && !n->keyed);
		return;
	case MLV_JSON_KEY:
		unit_check(object && !n->keyed);
		n->keyed = true;
		return;
	case MLV_JSON_OBJECT_END:
	case MLV_JSON_ARRAY_END:
		unit_check(n->depth && object == (t->kind == MLV_JSON_OBJECT_END) && !n->keyed);
		n->depth--;
		return;
	default:
		break;
	}
	unit_check(n->depth ? object == n->keyed : !n->done);
	n->keyed = false;
	n->done = true;
	if (t->kind == MLV_JSON_OBJECT_BEGIN || t->kind == MLV_JSON_ARRAY_BEGIN) {
		unit_check(n->depth < sizeof(n->stack));
		n->stack[n->depth++] = t->kind == MLV_JSON_OBJECT_BEGIN ? '{' : '[';
	}
}

static const struct mlv_limits *limits = &mlv_limits_default;
static const struct mlv_json_records *records; /* NULL: no salvage */

/* Everything that can be seen of a document: tokens, offsets if asked for, diagnostics, error. */
static void read_document(struct mlv_str doc, size_t chunk, bool offsets, struct mlv_buf *out)
{
	struct mlv_source *s;
	struct mlv_bytes bytes = { (const uint8_t *)doc.p, doc.n };
	unit_check(!mlv_source_memory(&s, "doc", bytes, chunk, limits, NULL));
	struct mlv_reader r;
	mlv_reader_init(&r, s);
	struct mlv_diags diags;
	memset(&diags, 0, sizeof(diags));
	struct mlv_json_reader *j = mlv_json_reader_create(&r, limits, &diags);
	if (records)
		mlv_json_salvage(j, records);
	struct nesting nesting = { .depth = 0 };
	struct mlv_json_token t;
	struct mlv_err err = MLV_ERR_INIT;
	out->len = 0;
	mlv_buf_puts(out, "");
	while (!mlv_json_next(j, &t, &err)) {
		check_nesting(&nesting, &t);
		if (t.kind == MLV_JSON_END)
			break;
		if (out->len)
			mlv_buf_putc(out, ' ');
		put_token(out, &t);
		if (offsets)
			mlv_buf_printf(out, "@%" PRIu64, t.offset);
	}
	if (err.rc) {
		struct mlv_err again = MLV_ERR_INIT;
		unit_check(mlv_json_next(j, &t, &again) == err.rc);
		unit_check(!strcmp(again.msg, err.msg));
		mlv_buf_printf(out, " ! %d %s", (int)err.rc, err.msg);
		if (offsets)
			mlv_buf_printf(out, " @%" PRIu64, err.offset);
	} else {
		/* The end stays. */
		unit_check(!mlv_json_next(j, &t, &err) && t.kind == MLV_JSON_END);
	}
	for (size_t i = 0; i < diags.list.len; i++) {
		mlv_buf_printf(out, "%s%s", i ? " " : " | ", diags.list.data[i].code);
		if (offsets)
			mlv_buf_printf(out, "@%" PRIu64 "x%" PRIu64 " %s",
				       diags.list.data[i].offset, diags.list.data[i].count,
				       diags.list.data[i].text);
	}
	if (records)
		mlv_buf_printf(out, " lost %" PRIu64 "%s", mlv_json_lost(j),
			       mlv_json_ended_early(j) ? " early" : "");
	mlv_json_reader_destroy(j);
	mlv_diags_fini(&diags);
	mlv_reader_fini(&r);
	mlv_source_close(s);
}

static const struct {
	struct mlv_str doc;
	const char *tokens;
} table[] = {
#define DOC(doc, tokens)                                                                           \
	{                                                                                          \
		{ doc, sizeof(doc) - 1 }, tokens                                                   \
	}
	/* what JSON is */
	DOC("{}", "{ }"),
	DOC("[]", "[ ]"),
	DOC(" [ ] \r\n\t", "[ ]"),
	DOC("12", "i12"),
	DOC("-1.5e3 ", "n-1.5e3"),
	DOC("\"x\"", "s'x'"),
	DOC("null", "0"),
	DOC("[true,false,null]", "[ t f 0 ]"),
	DOC("{\"a\":1,\"b\":[{}],\"c\" : \"d\"}", "{ k'a' i1 k'b' [ { } ] k'c' s'd' }"),
	DOC("{\"\":\"\"}", "{ k'' s'' }"),
	DOC("\xef\xbb\xbf[1]", "[ i1 ]"),
	DOC("[[[[1]]],[]]", "[ [ [ [ i1 ] ] ] [ ] ]"),
	/* numbers */
	DOC("[0,-0,7,-7]", "[ i0 i0 i7 i-7 ]"),
	DOC("[9223372036854775807,-9223372036854775808]",
	    "[ i9223372036854775807 i-9223372036854775808 ]"),
	DOC("[9223372036854775808,18446744073709551615]",
	    "[ u9223372036854775808 u18446744073709551615 ]"),
	DOC("[18446744073709551616,-9223372036854775809]",
	    "[ n18446744073709551616 n-9223372036854775809 ]"),
	DOC("[123456789012345678901234567890]", "[ n123456789012345678901234567890 ]"),
	DOC("[1.0,1e5,1E-5,0.25,-0.0]", "[ n1.0 n1e5 n1E-5 n0.25 n-0.0 ]"),
	DOC("[007,+1,.5,1.,1e,-]", "[ i7 n+1 n.5 n1. n1e n- ] | json-odd-number"),
	DOC("[NaN,Infinity,-Infinity,nan,-nan,inf,-inf]",
	    "[ nNaN nInfinity n-Infinity nnan n-nan ninf n-inf ] | json-not-finite"),
	/* strings */
	DOC("[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]", "[ s'\"\\/\b\f\n\r\t' ]"),
	DOC("[\"a\\u00e9\\u20AC\\ud83d\\ude00\\udbff\\udfff\\ud800\\udc00z\"]",
	    "[ s'a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xf4\x8f\xbf\xbf\xf0\x90\x80\x80z' ]"),
	DOC("[\"\\ud83d\",\"\\ude00x\",\"\\ud83d\\u0041\",\"\\ud83d\\n\","
	    "\"\\ud83d\\ud83d\\ude00\"]",
	    "[ s'\xef\xbf\xbd' s'\xef\xbf\xbdx' s'\xef\xbf\xbd"
	    "A' s'\xef\xbf\xbd\n' "
	    "s'\xef\xbf\xbd\xf0\x9f\x98\x80' ] | json-lone-surrogate"),
	DOC("[\"C:\\Users\\x\",\"\\u12\",\"\\u12g4\",\"\\\"]",
	    "[ s'C:\\Users\\x' s'\\u12' s'\\u12g4' ] | json-unknown-escape json-truncated"),
	DOC("[\"a\nb\tc\",\"\\\\\x01\"]", "[ s'a\nb\tc' s'\\\x01' ] | json-control-character"),
	DOC("[\"gr\xc3\xbc\xc3\x9f\"]", "[ s'gr\xc3\xbc\xc3\x9f' ]"),
	DOC("[\"a\xff"
	    "b\",\"\\n\xfe\"]",
	    "[ s'a\xff"
	    "b' s'\n\xfe' ] | json-invalid-utf8"),
	DOC("[\"0123456789abcdef0123456789abcdef\",\"0123456789abcd\\nef\xc3\"]",
	    "[ s'0123456789abcdef0123456789abcdef' s'0123456789abcd\nef\xc3' ] | "
	    "json-invalid-utf8"),
	/* commas */
	DOC("[1,]", "[ i1 ] | json-trailing-comma"),
	DOC("{\"a\":1,}", "{ k'a' i1 } | json-trailing-comma"),
	DOC("[,1,,2]", "[ i1 i2 ] | json-extra-comma"),
	DOC("{,\"a\":1}", "{ k'a' i1 } | json-extra-comma"),
	DOC("[1 2 \"x\"{}[]]", "[ i1 i2 s'x' { } [ ] ] | json-missing-comma"),
	DOC("{\"a\":1 \"b\":2}", "{ k'a' i1 k'b' i2 } | json-missing-comma"),
	DOC("{\"a\":,\"b\":}", "{ k'a' 0 k'b' 0 } | json-missing-value"),
	/* the input stops */
	DOC("", " | json-truncated"),
	DOC(" \n", " | json-truncated"),
	DOC("\xef\xbb\xbf", " | json-truncated"),
	DOC("[", "[ ] | json-truncated"),
	DOC("{\"a\"", "{ k'a' 0 } | json-truncated"),
	DOC("{\"a\":", "{ k'a' 0 } | json-truncated"),
	DOC("{\"a\":\"x", "{ k'a' 0 } | json-truncated"),
	DOC("{\"a\":\"x\\", "{ k'a' 0 } | json-truncated"),
	DOC("{\"a\":{\"b\":[1,2", "{ k'a' { k'b' [ i1 ] } } | json-truncated"),
	DOC("{\"a\":1,\"b", "{ k'a' i1 } | json-truncated"),
	DOC("[1,tru", "[ i1 ] | json-truncated"),
	DOC("[-", "[ ] | json-truncated"),
	DOC("\"abc", " | json-truncated"),
	/* what is no JSON */
	DOC("hello", " | json-syntax"),
	DOC("<html>", " | json-syntax"),
	DOC("\0\0\0\0", " | json-syntax"),
	DOC("{a:1}", "{ } | json-syntax"),
	DOC("{'a':1}", "{ } | json-syntax"),
	DOC("{\"a\" 1}", "{ k'a' 0 } | json-syntax"),
	DOC("{\"a\":x}", "{ k'a' 0 } | json-syntax"),
	DOC("[1}", "[ i1 ] | json-syntax"),
	DOC("{\"a\":[1}}", "{ k'a' [ i1 ] } | json-syntax"),
	DOC("[truex]", "[ ] | json-syntax"),
	DOC("[nulls]", "[ ] | json-syntax"),
	DOC("[TRUE]", "[ ] | json-syntax"),
	DOC("[-Infinite]", "[ ] | json-syntax"),
	DOC("[true1]", "[ t i1 ] | json-missing-comma"),
	DOC("[1:2]", "[ i1 ] | json-syntax"),
	DOC("{\"a\":]", "{ k'a' 0 } | json-syntax"),
	DOC("[\"a\"b\"]", "[ s'a' ] | json-syntax"),
	/* more behind it */
	DOC("{} x", "{ } | json-trailing-data"),
	DOC("{}{}", "{ } | json-trailing-data"),
	DOC("1 2", "i1 | json-trailing-data"),
	DOC("]", " | json-syntax"),
#undef DOC
};

enum { DOCS = sizeof(table) / sizeof(table[0]) };

START_TEST(documents)
{
	struct mlv_buf out = { 0 };
	for (size_t i = 0; i < DOCS; i++) {
		read_document(table[i].doc, 0, false, &out);
		ck_assert_str_eq(out.data, table[i].tokens);
	}
	mlv_buf_fini(&out);
}
END_TEST

START_TEST(splits_change_nothing)
{
	struct mlv_buf whole = { 0 }, split = { 0 };
	for (size_t i = 0; i < DOCS; i++) {
		read_document(table[i].doc, 0, true, &whole);
		for (size_t chunk = 1; chunk <= table[i].doc.n; chunk++) {
			read_document(table[i].doc, chunk, true, &split);
			if (strcmp(whole.data, split.data) != 0)
				ck_assert_str_eq(split.data, whole.data);
		}
	}
	mlv_buf_fini(&whole);
	mlv_buf_fini(&split);
}
END_TEST

static const char sample[] =
	"\xef\xbb\xbf{\"schemaVersion\": 1, \"traceEvents\": [\n"
	"  {\"ph\": \"X\", \"ts\": 1700000000000000.125, \"dur\": -3,\n"
	"   \"name\": \"aten::\\u00e4dd\\n\", \"args\": {\"dims\": [[64, 512], []],\n"
	"   \"big\": 18446744073709551615, \"nan\": NaN, \"ok\": true}},\n"
	"  null, false], \"end\": \"\\ud83d\\ude00\"}\n";

START_TEST(truncated_anywhere)
{
	struct mlv_buf whole = { 0 }, cut = { 0 }, split = { 0 };
	struct mlv_str doc = MLV_STR(sample);
	read_document(doc, 0, false, &whole);
	ck_assert_ptr_null(strstr(whole.data, "truncated"));
	/* Not within the byte order mark. */
	for (size_t n = 3; n < sizeof(sample) - 1; n++) {
		doc.n = n;
		read_document(doc, 0, false, &cut);
		bool complete = n + 2 > sizeof(sample) - 1;
		unit_check(!strstr(cut.data, "json-truncated") == complete);
		unit_check(!strstr(cut.data, "json-syntax"));
		/* What was read is what the whole document says, up to what was made up. */
		size_t same = 0;
		while (cut.data[same] != '|' && cut.data[same] == whole.data[same])
			same++;
		unit_check(complete || cut.data[same] == '|' ||
			   strspn(cut.data + same, " 0]}") == strcspn(cut.data + same, "|"));
		for (size_t chunk = 1; chunk < 9; chunk++) {
			read_document(doc, chunk, false, &split);
			unit_check(!strcmp(cut.data, split.data));
		}
	}
	mlv_buf_fini(&whole);
	mlv_buf_fini(&cut);
	mlv_buf_fini(&split);
}
END_TEST

START_TEST(any_damage_is_survived)
{
	/* read_document checks the nesting; splits must agree to the last offset. */
	static const char bytes[] = "{}[]:,\"\\\\u0e-+.tn \x01\xff\xc3\0";
	struct mlv_buf whole = { 0 }, split = { 0 };
	uint64_t state = 31;
	for (unsigned round = 0; round < 20000; round++) {
		char doc[sizeof(sample)];
		memcpy(doc, sample, sizeof(sample));
		size_t n = sizeof(sample) - 1 - unit_random(&state) % 3 * 20;
		for (uint64_t i = unit_random(&state) % 8; i; i--)
			doc[unit_random(&state) % n] =
				bytes[unit_random(&state) % (sizeof(bytes) - 1)];
		struct mlv_str s = { doc, n };
		read_document(s, 0, true, &whole);
		read_document(s, unit_random(&state) % 40 + 1, true, &split);
		if (whole.len != split.len || memcmp(whole.data, split.data, whole.len) != 0)
			ck_abort_msg("%s\n%s\n%s", doc, whole.data, split.data);
	}
	mlv_buf_fini(&whole);
	mlv_buf_fini(&split);
}
END_TEST

static const struct mlv_str record_keys[] = { MLV_STR_INIT("ph"), MLV_STR_INIT("name"), { "", 0 } };
static const struct mlv_json_records traces = { MLV_STR_INIT("list"), record_keys };

#define GOOD "{\"ph\":1}"
#define GOOD_TOKENS "{ k'ph' i1 }"

static const struct {
	const char *doc, *tokens;
} broken[] = {
	/* nothing broken */
	{ "{\"list\":[" GOOD "]}", "{ k'list' [ " GOOD_TOKENS " ] } lost 0" },
	/* quotes and braces in a name */
	{ "{\"list\":[{\"name\":\"a \"b\" {c}\",\"ph\":2}, " GOOD "],\"x\":3}",
	  "{ k'list' [ { k'name' s'a ' } " GOOD_TOKENS " ] k'x' i3 } | json-syntax lost 1" },
	{ "[{\"name\":\"a\"}, {b\",\"ph\":2},\n {\n \"name\":4}]",
	  "[ { k'name' s'a' } { } { k'name' i4 } ] | json-syntax lost 1" },
	/* within what a record holds, whose own objects look like records */
	{ "[{\"ph\":1,\"args\":{\"name\":[1,x]}},{\"ph\":2,\"args\":{\"name\":3}}]",
	  "[ { k'ph' i1 k'args' { k'name' [ i1 ] } } { k'ph' i2 k'args' { k'name' i3 } } ] | "
	  "json-syntax lost 1" },
	/* the last one */
	{ "{\"list\":[" GOOD ",{\"ph\":x}],\"x\":3}",
	  "{ k'list' [ " GOOD_TOKENS " { k'ph' 0 } ] k'x' i3 } | json-syntax lost 1" },
	{ "[" GOOD ",{\"ph\":x} ]", "[ " GOOD_TOKENS " { k'ph' 0 } ] | json-syntax lost 1" },
	{ "[{\"ph\":x}", "[ { k'ph' 0 } ] | json-syntax lost 1 early" },
	/* between records */
	{ "[" GOOD ", oops " GOOD "," GOOD "]",
	  "[ " GOOD_TOKENS " " GOOD_TOKENS " " GOOD_TOKENS " ] | json-syntax lost 1" },
	{ "[{\"name\":1},\"ph\":2,\"args\":{\"name\":3}}," GOOD "]",
	  "[ { k'name' i1 } s'ph' " GOOD_TOKENS " ] | json-syntax lost 1" },
	/* before the list */
	{ "{\"log\":[\"a \"b\"],\"list\" : [" GOOD "]}",
	  "{ k'log' [ s'a ' ] k'list' [ " GOOD_TOKENS " ] } | json-syntax lost 0" },
	{ "{\"log\":oops,\"list\":1}", "{ k'log' 0 k'list' i1 } | json-syntax lost 0" },
	/* behind it, and without it */
	{ "{\"list\":[],\"x\":oops}", "{ k'list' [ ] k'x' 0 } | json-syntax lost 0 early" },
	{ "{\"x\":oops}", "{ k'x' 0 } | json-syntax lost 0 early" },
	/* a list of that name elsewhere, and other lists */
	{ "{\"x\":{\"list\":[o," GOOD "]}}",
	  "{ k'x' { k'list' [ ] } } | json-syntax lost 0 early" },
	{ "{\"y\":[o," GOOD "]}", "{ k'y' [ ] } | json-syntax lost 0 early" },
};

enum { BROKEN = sizeof(broken) / sizeof(broken[0]) };

START_TEST(one_record_is_lost)
{
	struct mlv_buf out = { 0 }, split = { 0 };
	records = &traces;
	for (size_t i = 0; i < BROKEN; i++) {
		struct mlv_str doc = mlv_str_of(broken[i].doc);
		read_document(doc, 0, false, &out);
		ck_assert_str_eq(out.data, broken[i].tokens);
		read_document(doc, 0, true, &out);
		for (size_t chunk = 1; chunk <= doc.n; chunk++) {
			read_document(doc, chunk, true, &split);
			ck_assert_str_eq(split.data, out.data);
		}
	}
	records = NULL;
	mlv_buf_fini(&out);
	mlv_buf_fini(&split);
}
END_TEST

START_TEST(any_damage_of_records_is_survived)
{
	static const char bytes[] = "{}[]:,\"\\ x";
	static const char list[] = "{\"a\":1,\"list\":[{\"ph\":\"X\",\"args\":{\"name\":\"b\"}},"
				   "{\"name\":[1,{\"c\":2}]},\n{ \"ph\":3},{\"name\":4}],\"d\":5}";
	struct mlv_buf whole = { 0 }, split = { 0 };
	uint64_t state = 32;
	records = &traces;
	for (unsigned round = 0; round < 20000; round++) {
		char doc[sizeof(list)];
		memcpy(doc, list, sizeof(list));
		size_t n = sizeof(list) - 1 - unit_random(&state) % 2 * 20;
		for (uint64_t i = unit_random(&state) % 5; i; i--)
			doc[unit_random(&state) % n] =
				bytes[unit_random(&state) % (sizeof(bytes) - 1)];
		struct mlv_str s = { doc, n };
		read_document(s, 0, true, &whole);
		read_document(s, unit_random(&state) % 40 + 1, true, &split);
		if (whole.len != split.len || memcmp(whole.data, split.data, whole.len) != 0)
			ck_abort_msg("%s\n%s\n%s", doc, whole.data, split.data);
	}
	records = NULL;
	mlv_buf_fini(&whole);
	mlv_buf_fini(&split);
}
END_TEST

START_TEST(offsets)
{
	struct mlv_buf out = { 0 };
	read_document(MLV_STR("\xef\xbb\xbf { \"a\" : [ 1 , \"b\" ] }"), 0, true, &out);
	ck_assert_str_eq(out.data, "{@4 k'a'@6 [@12 i1@14 s'b'@18 ]@22 }@24");
	read_document(MLV_STR("[1, 2, {\"k\": oops}]"), 0, true, &out);
	ck_assert_str_eq(out.data, "[@0 i1@1 i2@4 {@7 k'k'@8 0@13 }@13 ]@13 | json-syntax@13x1 "
				   "expected a value, found 'o'; the rest of the document is not "
				   "read");
	read_document(MLV_STR("[\"\x01\", \"\x02\""), 0, true, &out);
	ck_assert_str_eq(out.data, "[@0 s'\x01'@1 s'\x02'@6 ]@9 | json-control-character@1x2 a "
				   "string holds a control character that is not escaped "
				   "json-truncated@9x1 the JSON document ends early");
	mlv_buf_fini(&out);
}
END_TEST

START_TEST(limits_of_depth_and_string)
{
	static struct mlv_limits few; /* static: a failing check jumps out of here */
	few = mlv_limits_default;
	struct mlv_buf out = { 0 };
	few.depth = 3;
	few.string = 20;
	limits = &few;
	for (size_t chunk = 0; chunk < 30; chunk++) {
		read_document(MLV_STR("[[[1]]]"), chunk, false, &out);
		ck_assert_str_eq(out.data, "[ [ [ i1 ] ] ]");
		read_document(MLV_STR("[[{\"a\":[1]}]]"), chunk, true, &out);
		ck_assert_str_eq(out.data, "[@0 [@1 {@2 k'a'@3 ! 5 nested more than 3 deep; raise "
					   "it with --limit depth=N @7");
		read_document(MLV_STR("[\"01234567890123456789\"]"), chunk, false, &out);
		ck_assert_str_eq(out.data, "[ s'01234567890123456789' ]");
		static const char message[] =
			"[@0 ! 5 a string of more than 20 bytes; raise it with --limit string=N @1";
		read_document(MLV_STR("[\"012345678901234567890\"]"), chunk, true, &out);
		ck_assert_str_eq(out.data, message);
		read_document(MLV_STR("[\"\\n12345678901234567890\"]"), chunk, true, &out);
		ck_assert_str_eq(out.data, message);
		read_document(MLV_STR("[\"012345678901234567890 and no end"), chunk, true, &out);
		ck_assert_str_eq(out.data, message);
		/* Escapes count as what they stand for. */
		read_document(MLV_STR("[\"\\u00410123456789012345678\"]"), chunk, false, &out);
		ck_assert_str_eq(out.data, "[ s'A0123456789012345678' ]");
		read_document(MLV_STR("[111111111122222222223]"), chunk, false, &out);
		ck_assert_str_eq(
			out.data,
			"[ ! 5 a number of more than 20 bytes; raise it with --limit string=N");
	}
	limits = &mlv_limits_default;
	mlv_buf_fini(&out);
}
END_TEST

START_TEST(long_strings)
{
	/* Over many spans, with and without an escape at its end. */
	enum { N = 3000000 };
	struct mlv_buf doc = { 0 }, out = { 0 };
	for (unsigned escape = 0; escape < 2; escape++) {
		doc.len = 0;
		mlv_buf_putc(&doc, '"');
		for (size_t i = 0; i < N; i++)
			mlv_buf_putc(&doc, (char)('a' + i % 26));
		mlv_buf_puts(&doc, escape ? "\\t\"" : "\"");
		read_document((struct mlv_str){ doc.data, doc.len }, 1000, false, &out);
		ck_assert_uint_eq(out.len, N + 3 + escape);
		ck_assert_mem_eq(out.data + 2, doc.data + 1, N);
	}
	mlv_buf_fini(&doc);
	mlv_buf_fini(&out);
}
END_TEST

START_TEST(a_failing_input)
{
	static struct mlv_limits few;
	few = mlv_limits_default;
	few.bytes = 12;
	limits = &few;
	struct mlv_buf out = { 0 };
	read_document(MLV_STR("{\"a\": [1, 234]}"), 0, true, &out);
	ck_assert_str_eq(out.data, "{@0 k'a'@1 [@6 i1@7 ]@12 }@12 | input-truncated@12x1 more than "
				   "12 bytes; raise it with --limit bytes=N");
	/* Also behind the document. */
	read_document(MLV_STR("[1, 2, 3, 4]\n\n\n\n"), 0, false, &out);
	ck_assert_str_eq(out.data, "[ i1 i2 i3 i4 ] | input-truncated");
	limits = &mlv_limits_default;
	mlv_buf_fini(&out);
}
END_TEST

START_TEST(skip_what_is_not_wanted)
{
	static const char doc[] =
		"{\"a\": {\"b\": [1, {\"c\": \"]}\"}], \"d\": 2}, \"e\": [[3], 4]}";
	struct mlv_source *s;
	struct mlv_bytes bytes = { (const uint8_t *)doc, sizeof(doc) - 1 };
	ck_assert(!mlv_source_memory(&s, "doc", bytes, 3, limits, NULL));
	struct mlv_reader r;
	mlv_reader_init(&r, s);
	struct mlv_diags diags;
	memset(&diags, 0, sizeof(diags));
	struct mlv_json_reader *j = mlv_json_reader_create(&r, limits, &diags);
	struct mlv_json_token t;
	static const enum mlv_json_kind head[] = { MLV_JSON_OBJECT_BEGIN, MLV_JSON_KEY,
						   MLV_JSON_OBJECT_BEGIN };
	for (size_t i = 0; i < 3; i++) {
		ck_assert(!mlv_json_next(j, &t, NULL));
		ck_assert_int_eq(t.kind, head[i]);
	}
	ck_assert(!mlv_json_skip(j, NULL));
	ck_assert(!mlv_json_next(j, &t, NULL));
	ck_assert_int_eq(t.kind, MLV_JSON_KEY);
	ck_assert_mem_eq(t.text.p, "e", t.text.n);
	/* From within an array: to its end. */
	for (size_t i = 0; i < 3; i++)
		ck_assert(!mlv_json_next(j, &t, NULL));
	ck_assert_int_eq(t.kind, MLV_JSON_INTEGER);
	ck_assert(!mlv_json_skip(j, NULL));
	ck_assert(!mlv_json_skip(j, NULL));
	ck_assert(!mlv_json_next(j, &t, NULL));
	ck_assert_int_eq(t.kind, MLV_JSON_OBJECT_END);
	ck_assert(!mlv_json_skip(j, NULL));
	ck_assert(!mlv_json_next(j, &t, NULL));
	ck_assert_int_eq(t.kind, MLV_JSON_END);
	ck_assert_uint_eq(diags.list.len, 0);
	mlv_json_reader_destroy(j);
	mlv_json_reader_destroy(NULL);
	mlv_diags_fini(&diags);
	mlv_reader_fini(&r);
	mlv_source_close(s);
}
END_TEST

UNIT_MAIN("base_json_read", documents, splits_change_nothing, truncated_anywhere,
	  any_damage_is_survived, one_record_is_lost, any_damage_of_records_is_survived, offsets,
	  limits_of_depth_and_string, long_strings, a_failing_input, skip_what_is_not_wanted)
