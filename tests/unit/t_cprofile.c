/* SPDX-License-Identifier: MIT */
/* Profiles of Python: what pstats prints of them, and the files that cProfile writes. */
#include "metric_reader.h"

static const char stats_text[] =
	"Sun Nov 29 18:27:36 2026    app.prof\n"
	"\n"
	"         23849 function calls (23258 primitive calls) in 0.009 seconds\n"
	"\n"
	"   Ordered by: internal time\n"
	"   List reduced from 195 to 6 due to restriction <6>\n"
	"\n"
	"   ncalls  tottime  percall  cumtime  percall filename:lineno(function)\n"
	"        1    0.005    0.005    0.007    0.007 app.py:3(work)\n"
	"20355/20321    0.001    0.000    0.002    0.000 {built-in method builtins.len}\n"
	"        4 12345.678 3086.419 12345.679 3086.420 C:\\x y\\a.py:12(f)\n"
	"        0    0.003             0.004          <string>:1(<module>)\n"
	"        2    0.006    0.003    0.008          b.py:9(g)\n"
	"        1 0.000894 0.000006 0.620426 0.004400 :0(len)\n"
	"\n\n";

START_TEST(stats)
{
	const char *len = "{built-in method builtins.len}", *path = "C:\\x y\\a.py:12(f)";
	ck_assert_int_eq(read_text(stats_text), MLV_OK);
	ck_assert_str_eq(run.format, "cprofile");
	ck_assert_uint_eq(run.sections.len, 1);
	ck_assert_uint_eq(run.sections.data[0].rows, 6);
	ck_assert_uint_eq(run.sections.data[0].line, 3);
	ck_assert_uint_eq(run.sections.data[0].last_line, 14);
	ck_assert_str_eq(str(run.sections.data[0].title).p,
			 "Ordered by: internal time; List reduced from 195 to 6 due to restriction "
			 "<6>");
	ck_assert_str_eq(metric("(total)", "function calls"), "23849");
	ck_assert_str_eq(metric("(total)", "primitive calls"), "23258");
	ck_assert_str_eq(metric("(total)", "seconds"), "0.009 s");
	ck_assert_str_eq(metric("app.py:3(work)", "ncalls"), "1");
	ck_assert_str_eq(metric("app.py:3(work)", "primitive calls"), "1");
	ck_assert_str_eq(metric("app.py:3(work)", "tottime"), "0.005 s");
	ck_assert_str_eq(metric("app.py:3(work)", "cumtime percall"), "0.007 s");
	ck_assert_str_eq(metric(len, "ncalls"), "20355");
	ck_assert_str_eq(metric(len, "primitive calls"), "20321");
	ck_assert_str_eq(metric(len, "cumtime"), "0.002 s");
	ck_assert_str_eq(metric(path, "tottime"), "12345.678 s");
	ck_assert_str_eq(metric(path, "tottime percall"), "3086.419 s");
	ck_assert_str_eq(metric("<string>:1(<module>)", "tottime"), "0.003 s");
	ck_assert_str_eq(metric("<string>:1(<module>)", "tottime percall"), "none");
	ck_assert_str_eq(metric("<string>:1(<module>)", "cumtime"), "0.004 s");
	ck_assert_str_eq(metric("<string>:1(<module>)", "cumtime percall"), "none");
	ck_assert_str_eq(metric("b.py:9(g)", "tottime percall"), "0.003 s");
	ck_assert_str_eq(metric("b.py:9(g)", "cumtime"), "0.008 s");
	ck_assert_str_eq(metric("b.py:9(g)", "cumtime percall"), "none");
	ck_assert_str_eq(metric(":0(len)", "cumtime"), "0.620426 s");
	ck_assert_uint_eq(run.metrics.len, 3 + 6 * 6 - 3);
	ck_assert_uint_eq(run.diags.list.len, 0);
	mlv_run_fini(&run);
}
END_TEST

START_TEST(stats_spoiled)
{
	spoil(stats_text);
}
END_TEST

static const char calls_text[] =
	"   Ordered by: internal time\n"
	"   List reduced from 195 to 3 due to restriction <3>\n"
	"\n"
	"Function                         was called by...\n"
	"                                     ncalls  tottime  cumtime\n"
	"app.py:3(work)                   <-       1    0.005    0.006  app.py:9(main)\n"
	"{built-in method builtins.len}   <-      12    0.000    0.001  <frozen x>:84(_u)\n"
	"                                       18/7    0.002    0.003  re.py:642(_c)\n"
	"app.py:1(<module>)               <- \n"
	"\n\n"
	"   Ordered by: internal time\n"
	"\n"
	"Function                         called...\n"
	"                                     ncalls  tottime  cumtime\n"
	"app.py:3(work)                   ->   20000    0.001    0.004  {built-in method "
	"builtins.len}\n"
	"\n\n";

START_TEST(callers_and_callees)
{
	ck_assert_int_eq(read_text(calls_text), MLV_OK);
	ck_assert_uint_eq(run.sections.len, 2);
	ck_assert_uint_eq(run.sections.data[0].line, 1);
	ck_assert_uint_eq(run.sections.data[0].last_line, 9);
	ck_assert_str_eq(str(run.sections.data[0].title).p,
			 "callers; Ordered by: internal time; List reduced from 195 to 3 due to "
			 "restriction <3>");
	ck_assert_str_eq(str(run.sections.data[1].title).p, "callees; Ordered by: internal time");
	ck_assert_str_eq(metric("app.py:9(main) -> app.py:3(work)", "ncalls"), "1");
	ck_assert_str_eq(metric("app.py:9(main) -> app.py:3(work)", "cumtime"), "0.006 s");
	ck_assert_str_eq(metric("re.py:642(_c) -> {built-in method builtins.len}", "ncalls"), "18");
	ck_assert_str_eq(
		metric("re.py:642(_c) -> {built-in method builtins.len}", "primitive calls"), "7");
	ck_assert_str_eq(metric("re.py:642(_c) -> {built-in method builtins.len}", "tottime"),
			 "0.002 s");
	ck_assert_str_eq(metric("app.py:3(work) -> {built-in method builtins.len}", "ncalls"),
			 "20000");
	ck_assert_uint_eq(run.metrics.len, 16);
	mlv_run_fini(&run);
}
END_TEST

/* The profile module counts calls, and prints the callee's own time beside them. */
START_TEST(callers_of_profile)
{
	ck_assert_int_eq(read_text("Function                was called by...\n"
				   "a.py:3(work)            <- a.py:9(main)(20)    0.005\n"
				   "                           a.py:12(f g)(3)    0.001\n"
				   "\n"),
			 MLV_OK);
	ck_assert_str_eq(metric("a.py:9(main) -> a.py:3(work)", "ncalls"), "20");
	ck_assert_str_eq(metric("a.py:12(f g) -> a.py:3(work)", "ncalls"), "3");
	ck_assert_uint_eq(run.metrics.len, 2);
	mlv_run_fini(&run);
}
END_TEST

START_TEST(several_in_a_log)
{
	char text[4 * sizeof(stats_text)];
	snprintf(text, sizeof(text),
		 "epoch 1 done in 3.5 seconds\n%s[rank1]: other\nloss 1.5 2.5\n%s"
		 "   3529 function calls in 0.021 CPU seconds\n"
		 "   3529 function calls in 0.021 CPU seconds\n",
		 stats_text, stats_text);
	ck_assert_int_eq(read_text(text), MLV_OK);
	ck_assert_uint_eq(run.sections.len, 3);
	ck_assert_uint_eq(run.sections.data[0].rows, 6);
	ck_assert_uint_eq(run.sections.data[1].rows, 6);
	ck_assert_uint_eq(run.sections.data[2].rows, 0);
	ck_assert_uint_eq(run.metrics.len, 36 * 2 + 3);
	mlv_run_fini(&run);
}
END_TEST

START_TEST(no_profiles)
{
	static const char *const texts[] = {
		"12 function calls\n",
		"x function calls in 3.5 seconds\n",
		"Ordered by: name\n        1    0.005    0.005    0.007    0.007 app.py:3(work)\n",
		"ncalls  tottime\n        1    0.005    0.005    0.007    0.007 app.py:3(work)\n",
		"Function f called...\n",
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		ck_assert_int_eq(read_bytes(texts[i], strlen(texts[i]), "cprofile", 0),
				 MLV_E_FORMAT);
		mlv_run_fini(&run);
	}
}
END_TEST

/* ------------------------------------------------------------------ .prof */

/*
 * {("a.py", 3, "f"): (2, 5, 0.25, 1.5, {("~", 0, "<built-in method b>"): (4, 3, 0.5, 0.75)}),
 *  ("~", 0, "<built-in method b>"): (1, 1, 0.0, 0.125, {})}
 * as version 4 writes it, where the second key refers to the first one.
 */
static const unsigned char small_prof[] =
	"\xfb\xa9\x03\xda\x04"
	"a.py\xe9\x03\0\0\0\xda\x01"
	"f)\x05i\x02\0\0\0i\x05\0\0\0g\0\0\0\0\0\0\xd0?g\0\0\0\0\0\0\xf8?{"
	"\xa9\x03\xda\x01~\xe9\0\0\0\0\xfa\x13<built-in method b>)\x04"
	"i\x04\0\0\0i\x03\0\0\0g\0\0\0\0\0\0\xe0?g\0\0\0\0\0\0\xe8?0"
	"r\x05\0\0\0)\x05i\x01\0\0\0i\x01\0\0\0g\0\0\0\0\0\0\0\0g\0\0\0\0\0\0\xc0?{0"
	"0";

START_TEST(prof)
{
	const char *edge = "{built-in method b} -> a.py:3(f)";
	for (size_t chunk = 0; chunk < 5; chunk += 3) {
		ck_assert_int_eq(read_bytes(small_prof, sizeof(small_prof) - 1, NULL, chunk),
				 MLV_OK);
		ck_assert_str_eq(run.format, "cprofile-binary");
		ck_assert_uint_eq(run.sections.len, 2);
		ck_assert_uint_eq(run.sections.data[0].rows, 2);
		ck_assert_uint_eq(run.sections.data[1].rows, 1);
		ck_assert_str_eq(metric("a.py:3(f)", "ncalls"), "5");
		ck_assert_str_eq(metric("a.py:3(f)", "primitive calls"), "2");
		ck_assert_str_eq(metric("a.py:3(f)", "tottime"), "0.25 s");
		ck_assert_str_eq(metric("a.py:3(f)", "cumtime"), "1.5 s");
		ck_assert_str_eq(metric("{built-in method b}", "cumtime"), "0.125 s");
		/* Calls come first here. */
		ck_assert_str_eq(metric(edge, "ncalls"), "4");
		ck_assert_str_eq(metric(edge, "primitive calls"), "3");
		ck_assert_str_eq(metric(edge, "tottime"), "0.5 s");
		ck_assert_str_eq(metric(edge, "cumtime"), "0.75 s");
		ck_assert_uint_eq(run.metrics.len, 12);
		ck_assert_uint_eq(run.diags.list.len, 0);
		mlv_run_fini(&run);
	}
}
END_TEST

START_TEST(prof_cut)
{
	size_t n;
	ck_assert_int_eq(read_bytes(small_prof, sizeof(small_prof) - 1, NULL, 0), MLV_OK);
	char **whole = all_figures(&n);
	mlv_run_fini(&run);
	for (size_t cut = 0; cut < sizeof(small_prof) - 1; cut++) {
		enum mlv_rc rc = read_bytes(small_prof, cut, "cprofile-binary", 0);
		unit_check(rc == MLV_OK || rc == MLV_E_FORMAT);
		unit_check(no_new_figures(whole, n));
		unit_check(rc || has_diag("cprofile-truncated"));
		unit_check((rc == MLV_OK) == (run.metrics.len > 0));
		mlv_run_fini(&run);
	}
	free_figures(whole, n);
}
END_TEST

/* Any byte may be another one: nothing crashes, and what is left is read. */
START_TEST(prof_flipped)
{
	unsigned char copy[sizeof(small_prof)];
	for (size_t at = 0; at < sizeof(small_prof) - 1; at++) {
		for (unsigned bit = 0; bit < 8; bit++) {
			memcpy(copy, small_prof, sizeof(copy));
			copy[at] = (unsigned char)(copy[at] ^ 1U << bit);
			(void)read_bytes(copy, sizeof(copy) - 1, "cprofile-binary", 0);
			mlv_run_fini(&run);
		}
	}
}
END_TEST

struct marshalled {
	const char *bytes;
	size_t n;
	const char *subject, *metric, *value;
};
#define M(bytes, subject, metric, value)                                                           \
	{                                                                                          \
		bytes, sizeof(bytes) - 1, subject, metric, value                                   \
	}

/* Other ways to write the same types; each was made with Python's own marshal, or by its source. */
START_TEST(types)
{
	static const struct marshalled m[] = {
		/* the profile module: callers are counts */
		M("{)\3z\1ai\1\0\0\0z\1f)\5i\1\0\0\0i\1\0\0\0g\0\0\0\0\0\0\0\0i\0\0\0\0{"
		  ")\3z\1bi\2\0\0\0z\1gi\7\0\0\0"
		  "00",
		  "b:2(g) -> a:1(f)", "ncalls", "7"),
		/* long tuple and strings, long integers, a float in text */
		M("{(\3\0\0\0u\2\0\0\0\xc3\xa9l\3\0\0\0\0\0\0\0\0\4a\1\0\0\0g"
		  ")\5l\2\0\0\0\0\0\1\0l\1\0\0\0\5\0f\4"
		  "0.25f\4"
		  "1e-9{00",
		  "\xc3\xa9:1099511627776(g)", "ncalls", "5"),
		M("{(\3\0\0\0u\2\0\0\0\xc3\xa9i\1\0\0\0A\1\0\0\0g"
		  ")\5l\2\0\0\0\0\0\1\0i\1\0\0\0f\4"
		  "0.25f\4"
		  "1e-9{00",
		  "\xc3\xa9:1(g)", "primitive calls", "32768"),
		M("{)\3z\1ai\1\0\0\0z\1f)\5i\1\0\0\0i\1\0\0\0f\4"
		  "0.25f\4"
		  "1e-9{00",
		  "a:1(f)", "cumtime", "0.000000001 s"),
		/* Python 2: byte strings, interned ones and references to those */
		M("{(\3\0\0\0t\4\0\0\0a.pyi\1\0\0\0t\1\0\0\0f"
		  "(\5\0\0\0i\1\0\0\0I\2\0\0\0\0\0\0\0f\3"
		  "0.5f\3"
		  "0.5{"
		  "(\3\0\0\0R\0\0\0\0i\2\0\0\0s\1\0\0\0g(\4\0\0\0i\1\0\0\0i\1\0\0\0f\3"
		  "0.5f\3"
		  "0.5"
		  "00",
		  "a.py:2(g) -> a.py:1(f)", "tottime", "0.5 s"),
		/* a negative time: somebody set the clock back */
		M("{)\3z\1ai\1\0\0\0z\1f)"
		  "\5i\1\0\0\0i\1\0\0\0g\0\0\0\0\0\0\xd0\xbfi\xff\xff\xff\xff{"
		  "00",
		  "a:1(f)", "tottime", "-0.25 s"),
	};
	for (size_t i = 0; i < sizeof(m) / sizeof(m[0]); i++) {
		ck_assert_int_eq(read_bytes(m[i].bytes, m[i].n, NULL, 0), MLV_OK);
		ck_assert_str_eq(run.format, "cprofile-binary");
		ck_assert_str_eq(metric(m[i].subject, m[i].metric), m[i].value);
		ck_assert_uint_eq(run.diags.list.len, 0);
		mlv_run_fini(&run);
	}
}
END_TEST

/* Refused, with nothing taken: what a profile has no use for, and sizes that cannot be. */
START_TEST(hostile)
{
	static const struct marshalled m[] = {
		M("{)\3z\1ai\1\0\0\0z\1fc\0\0\0\0", NULL, NULL, NULL),       /* code */
		M("{)\3z\1ai\1\0\0\0u\xff\xff\xff\x7fxx", NULL, NULL, NULL), /* string */
		M("{)\3z\1ai\1\0\0\0u\xff\xff\xff\xffxx", NULL, NULL, NULL), /* negative */
		M("{)\3z\1ai\1\0\0\0z\1f(\xff\xff\xff\x7f(\xff\xff\xff\x7f", NULL, NULL, NULL),
		M("{)\3z\1al\xff\xff\xff\x7f\0\0", NULL, NULL, NULL),       /* integer */
		M("{)\3z\1ai\1\0\0\0r\xff\xff\xff\xff", NULL, NULL, NULL),  /* reference */
		M("\xfb\xa9\3\xda\1ar\1\0\0\0r\0\0\0\0", NULL, NULL, NULL), /* to itself */
		M("{", NULL, NULL, NULL),
	};
	for (size_t i = 0; i < sizeof(m) / sizeof(m[0]); i++) {
		ck_assert_int_eq(read_bytes(m[i].bytes, m[i].n, "cprofile-binary", 0),
				 MLV_E_FORMAT);
		ck_assert_uint_eq(run.metrics.len, 0);
		mlv_run_fini(&run);
	}
	/* Ten thousand tuples in each other. */
	static char deep[2 * 10000 + 1];
	deep[0] = '{';
	for (size_t i = 1; i + 1 < sizeof(deep); i += 2)
		memcpy(deep + i, ")\1", 2);
	ck_assert_int_eq(read_bytes(deep, sizeof(deep), "cprofile-binary", 0), MLV_E_LIMIT);
	mlv_run_fini(&run);
}
END_TEST

/* Long names that all calls share would need far more memory than the file has. */
START_TEST(shared_names)
{
	enum { NAME = 60000, FUNCTIONS = 3000 };
	char *text = malloc(NAME + 100 + FUNCTIONS * 64), *p = text;
	ck_assert_ptr_nonnull(text);
	*p++ = '{';
	for (int i = 0; i < FUNCTIONS; i++) {
		memcpy(p, ")\3", 2);
		p += 2;
		if (i == 0) {
			memcpy(p, "\xf5\x60\xea\0\0", 5);
			memset(p + 5, 'n', NAME);
			p += 5 + NAME;
		} else {
			memcpy(p, "r\0\0\0\0", 5);
			p += 5;
		}
		memcpy(p, "i", 1);
		memcpy(p + 1, &i, 4);
		memcpy(p + 5, "z\1f)\5i\1\0\0\0i\1\0\0\0i\0\0\0\0i\0\0\0\0{0", 27);
		p += 32;
	}
	*p++ = '0';
	ck_assert_int_eq(read_bytes(text, (size_t)(p - text), NULL, 0), MLV_OK);
	ck_assert_uint_eq(run.sections.data[0].rows, FUNCTIONS);
	ck_assert_uint_eq(str(run.metrics.data[0].subject).n, 3 + 300 + 5);
	mlv_run_fini(&run);
	free(text);
}
END_TEST

START_TEST(odd_entries)
{
	static const char text[] = "{)\3z\1ai\1\0\0\0z\1f)\2i\1\0\0\0i\1\0\0\0"
				   "z\1ai\1\0\0\0"
				   ")\3z\1ai\1\0\0\0z\1g)\5i\1\0\0\0z\1xi\0\0\0\0i\0\0\0\0N0zz";
	ck_assert_int_eq(read_bytes(text, sizeof(text) - 1, NULL, 0), MLV_OK);
	ck_assert_uint_eq(run.sections.data[0].rows, 1);
	ck_assert_uint_eq(run.metrics.len, 3);
	ck_assert(has_diag("cprofile-entry"));
	ck_assert(has_diag("cprofile-figure"));
	ck_assert(has_diag("cprofile-trailing"));
	mlv_run_fini(&run);
	ck_assert_int_eq(read_bytes("{0", 2, NULL, 0), MLV_OK);
	ck_assert_str_eq(run.format, "cprofile-binary");
	ck_assert_uint_eq(run.metrics.len, 0);
	mlv_run_fini(&run);
}
END_TEST

/* ------------------------------------------------------------------ recordings */

/* The text tables of a profile and its .prof say the same, up to the rounding of the text. */
START_TEST(one_profile_twice)
{
	static const char *const texts[] = { "cprofile-6digits.txt", "cprofile-tottime.txt",
					     "cprofile-cumulative.txt", "cprofile-calls.txt" };
	size_t n, compared = 0;
	char *data = unit_file("CORPUS", "profiler/cprofile.prof", &n);
	if (!data)
		return;
	ck_assert_int_eq(read_bytes(data, n, NULL, 0), MLV_OK);
	ck_assert_str_eq(run.format, "cprofile-binary");
	ck_assert_uint_eq(run.sections.data[0].rows, 173);
	struct mlv_run binary = run;
	int64_t calls = 0;
	for (size_t i = 0; i < binary.metrics.len && !binary.metrics.data[i].section; i++)
		calls += is(binary.metrics.data[i].metric, "ncalls")
				 ? binary.metrics.data[i].value.mantissa
				 : 0;
	ck_assert_int_eq(calls, 3529); /* as the text says */
	for (size_t k = 0; k < sizeof(texts) / sizeof(texts[0]); k++) {
		char name[64];
		free(data);
		snprintf(name, sizeof(name), "profiler/%s", texts[k]);
		data = unit_file("CORPUS", name, &n);
		ck_assert_ptr_nonnull(data);
		ck_assert_int_eq(read_bytes(data, n, NULL, 0), MLV_OK);
		for (size_t i = 0; i < run.metrics.len; i++) {
			const struct mlv_metric *m = &run.metrics.data[i];
			for (size_t b = 0; b < binary.metrics.len; b++) {
				const struct mlv_metric *x = &binary.metrics.data[b];
				if (!mlv_str_eq(str(m->subject),
						mlv_run_str(&binary, x->subject)) ||
				    !mlv_str_eq(str(m->metric), mlv_run_str(&binary, x->metric)))
					continue;
				double step = m->value.exponent == -6   ? 1e-6
					      : m->value.exponent == -3 ? 1e-3
									: 0;
				double d =
					mlv_decimal_value(m->value) - mlv_decimal_value(x->value);
				unit_check((d < 0 ? -d : d) <= step * 0.50001);
				compared++;
				break;
			}
		}
		mlv_run_fini(&run);
	}
	ck_assert_uint_eq(compared, (20 + 3 * 30) * 4);
	mlv_run_fini(&binary);
	free(data);
}
END_TEST

UNIT_MAIN("cprofile", stats, stats_spoiled, callers_and_callees, callers_of_profile,
	  several_in_a_log, no_profiles, prof, prof_cut, prof_flipped, types, hostile, shared_names,
	  odd_entries, one_profile_twice)
