/* SPDX-License-Identifier: MIT */
/* Reports of DebugUnderflowOverflow: detections, batch traces, indented, cut. */
#include "text_reading.h"

static struct reading r;

#define READ(text) reading_of(&r, text, sizeof(text) - 1, NULL)

static const char DETECTED[] = "step 12 loss 2.31\n"
			       "input[0] has infs\n"
			       "\n"
			       "Detected inf/nan during batch_number=7\n"
			       "Last 4 forward frames:\n"
			       "abs min  abs max  metadata\n"
			       "                  enc.wi Linear\n"
			       "2.17e-07 4.50e+00 weight\n"
			       "1.79e-06 4.00e+00 input[0]\n"
			       "2.68e-06 1.00e+04 output\n"
			       "[...]\n"
			       "                  enc.attn Attention\n"
			       "6.78e-04 3.15e+03 input[0]\n"
			       "             None output[1]\n"
			       "2.25e-01 6.30e+03 output[2]\n"
			       "                  enc.drop Dropout\n"
			       "3.18e-04 6.27e+04 input[0]\n"
			       "0.00e+00      inf output\n"
			       "                   T5ForConditionalGeneration\n"
			       "     not a tensor output\n"
			       "     nan      nan input[0]\n"
			       "\n"
			       "Traceback follows\n";

START_TEST(what_led_to_it)
{
	READ(DETECTED);
	ck_assert_str_eq(r.run.format, "underflow-overflow");
	ck_assert_uint_eq(r.run.findings.len, 1);
	const struct mlv_finding *f = reading_finding(&r, "inf-nan", 0);
	ck_assert_str_eq(reading_str(&r, f->text),
			 "inf in output of enc.drop (Dropout) in batch 7");
	ck_attr(&r, f, "module", "enc.drop");
	ck_attr(&r, f, "class", "Dropout");
	ck_attr(&r, f, "context", "output");
	ck_attr(&r, f, "value", "inf");
	ck_attr(&r, f, "batch", "7");
	ck_attr(&r, f, "growth", "2");
	ck_attr(&r, f, "growth_module", "enc.attn");
	ck_attr(&r, f, "abs_max", "6.27e+04");
	ck_assert_uint_eq(f->line, 4);
	ck_assert_uint_eq(f->last_line, 18);
	ck_assert_str_eq(reading_metric(&r, "enc.wi weight", "abs min"), "0.000000217");
	ck_assert_str_eq(reading_metric(&r, "enc.wi output", "abs max"), "1.00e4");
	ck_assert_str_eq(reading_metric(&r, "enc.wi", "growth"), "2.5e3");
	ck_assert_str_eq(reading_metric(&r, "enc.drop output", "abs max"), "inf");
	ck_assert_str_eq(reading_metric(&r, "input[0]", "abs min"), "nan");
	/* Eight lines with two values, two modules whose growth is known. */
	ck_assert_uint_eq(r.run.metrics.len, 8 * 2 + 2);
	ck_assert_uint_eq(r.run.sections.len, 1);
	ck_assert_str_eq(reading_str(&r, r.run.sections.data[0].title), "batch 7");
	/* Eight lines of values and one finding. */
	ck_assert_uint_eq(r.run.sections.data[0].rows, 9);
	reading_fini(&r);
	reading_spoiled(DETECTED, sizeof(DETECTED) - 1, "underflow-overflow");
}
END_TEST

START_TEST(batches)
{
	READ("    \n"
	     "                      *** Starting batch number=1 ***\n"
	     "    abs min  abs max  metadata\n"
	     "                      shared Embedding\n"
	     "    1.01e-06 7.92e+02 weight\n"
	     "    [...]\n"
	     "                      *** Finished batch number=1 ***\n"
	     "\n"
	     "                  *** Starting batch number=3 ***\n"
	     "abs min  abs max  metadata\n"
	     "                  shared Embedding\n"
	     "1.01e-06 7.94e+02 weight\n");
	ck_assert_uint_eq(r.run.findings.len, 0);
	ck_assert_uint_eq(r.run.sections.len, 2);
	ck_assert_str_eq(reading_str(&r, r.run.sections.data[0].title), "batch 1");
	ck_assert_str_eq(reading_str(&r, r.run.sections.data[1].title), "batch 3");
	ck_assert_uint_eq(r.run.metrics.len, 4);
	ck_assert_uint_eq(r.run.metrics.data[3].section, 1);
	reading_fini(&r);
}
END_TEST

START_TEST(nothing_but_the_detection)
{
	READ("Detected inf/nan during batch_number=0\nLast 21 forward frames:\n");
	const struct mlv_finding *f = reading_finding(&r, "inf-nan", 0);
	ck_assert_str_eq(reading_str(&r, f->text), "inf/nan detected in batch 0");
	ck_attr(&r, f, "module", "");
	reading_fini(&r);
}
END_TEST

START_TEST(other_texts)
{
	READ("abs min abs max metadata\n"
	     "2.17e-07 4.50e+00 weight\n"
	     "Detected inf/nan during batch_number=x\n"
	     "we Detected inf/nan during batch_number=1\n"
	     "*** Starting batch number=1 of 3 ***\n"
	     "Last 21 forward frames:\n"
	     "input[0] has infs\n");
	ck_assert_int_eq(r.rc, MLV_E_FORMAT);
	reading_fini(&r);
}
END_TEST

START_TEST(recordings)
{
	size_t n;
	char *data = unit_file("CORPUS", "text/underflow-overflow.txt", &n);
	if (!data)
		return;
	reading_of(&r, data, n, "underflow-overflow");
	ck_assert_uint_eq(r.run.findings.len, 1);
	const struct mlv_finding *f = reading_finding(&r, "inf-nan", 0);
	ck_attr(&r, f, "module", "0.d");
	ck_attr(&r, f, "context", "input[0]");
	ck_attr(&r, f, "growth", "5.29e+03");
	ck_attr(&r, f, "growth_module", "0.b");
	ck_attr(&r, f, "abs_max", "2.03e+04");
	ck_assert_uint_eq(r.run.metrics.len, 14 * 2 + 3);
	reading_fini(&r);
	reading_spoiled(data, n, "underflow-overflow");
	free(data);
}
END_TEST

UNIT_MAIN("underflow", what_led_to_it, batches, nothing_but_the_detection, other_texts, recordings)
