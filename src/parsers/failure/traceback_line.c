/* SPDX-License-Identifier: MIT */
#include "parsers/failure/traceback_line.h"

#include <string.h>

#include "parsers/text/lines.h"
#include "parsers/text/scan.h"

static const char START[] = "Traceback (most recent call last):";
static const char FORWARD[] = "Traceback of forward call that ";

enum mlv_tb_start mlv_tb_start(struct mlv_str text, struct mlv_str *before,
			       struct mlv_str *operation)
{
	struct mlv_str s = text, head;
	*operation = (struct mlv_str){ "", 0 };
	if (!mlv_scan_to(&s, "Traceback ", before))
		return MLV_TB_NO_START;
	s = mlv_str_from(text, before->n);
	if (mlv_scan(&s, FORWARD)) {
		s = head = *before;
		if (mlv_scan_to(&s, "Error detected in ", NULL) ||
		    mlv_scan_to(&s, "was induced by ", NULL)) {
			(void)mlv_scan_word(&s, operation);
			operation->n -= operation->n && operation->p[operation->n - 1] == '.';
		}
		return MLV_TB_START_FORWARD;
	}
	if (!mlv_scan(&s, START) || mlv_str_trim(s).n)
		return MLV_TB_NO_START;
	struct mlv_str group = MLV_STR("Exception Group ");
	if (!mlv_str_has_suffix(*before, group))
		return MLV_TB_START;
	before->n -= group.n;
	return MLV_TB_START_GROUP;
}

bool mlv_tb_frame(struct mlv_str text, struct mlv_tb_frame *f)
{
	struct mlv_str s = text;
	int64_t line;
	if (!mlv_scan(&s, "  File \""))
		return false;
	/* A path may hold a quote, "line" comes once. */
	if (!mlv_scan_to(&s, "\", line ", &f->file) || !mlv_scan_int(&s, &line) || line > INT32_MAX)
		return false;
	f->line = (uint32_t)line;
	f->function = (struct mlv_str){ "", 0 };
	if (mlv_scan(&s, ", in "))
		f->function = mlv_str_trim(s);
	else if (mlv_str_trim(s).n)
		return false;
	return true;
}

bool mlv_tb_detail(struct mlv_str text)
{
	struct mlv_str s = text;
	return mlv_scan(&s, "    ") || mlv_scan(&s, "  [Previous line repeated ");
}

const char *mlv_tb_chain(struct mlv_str text)
{
	struct mlv_str s = text;
	if (mlv_scan(&s, "During handling of the above exception, another exception occurred:"))
		return "context";
	if (mlv_scan(&s, "The above exception was the direct cause of the following exception:"))
		return "cause";
	return NULL;
}

static bool name_char(char c)
{
	return mlv_is_digit(c) || c == '_' || c == '<' || c == '>' ||
	       ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || (c & 0x80);
}

/* Words with which a logger begins a line. */
static bool is_level(struct mlv_str s)
{
	static const struct mlv_str levels[] = { MLV_STR_INIT("INFO"),     MLV_STR_INIT("WARNING"),
						 MLV_STR_INIT("WARN"),     MLV_STR_INIT("ERROR"),
						 MLV_STR_INIT("DEBUG"),    MLV_STR_INIT("CRITICAL"),
						 MLV_STR_INIT("FATAL"),    MLV_STR_INIT("NOTE"),
						 MLV_STR_INIT("TRACE"),    MLV_STR_INIT("Warning"),
						 MLV_STR_INIT("Error"),    MLV_STR_INIT("Note"),
						 MLV_STR_INIT("Exception") };
	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		if (mlv_str_eq(s, levels[i]))
			return true;
	}
	return false;
}

static bool usual_end(struct mlv_str s)
{
	static const struct mlv_str ends[] = {
		MLV_STR_INIT("Error"),     MLV_STR_INIT("Exception"), MLV_STR_INIT("Warning"),
		MLV_STR_INIT("Interrupt"), MLV_STR_INIT("Exit"),      MLV_STR_INIT("Group"),
		MLV_STR_INIT("Iteration"), MLV_STR_INIT("Timeout"),   MLV_STR_INIT("Expired"),
		MLV_STR_INIT("Failure"),   MLV_STR_INIT("Fault"),     MLV_STR_INIT("Cancelled")
	};
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		if (s.n > ends[i].n && mlv_str_has_suffix(s, ends[i]))
			return true;
	}
	return false;
}

bool mlv_tb_exception(struct mlv_str text, struct mlv_str *name, bool *sure)
{
	size_t i = 0, last = 0;
	while (i < text.n && (name_char(text.p[i]) || text.p[i] == '.')) {
		if (text.p[i] == '.')
			last = i + 1;
		i++;
	}
	if (!i || last == i || mlv_is_digit(text.p[0]) || text.p[0] == '.')
		return false;
	struct mlv_str rest = mlv_str_from(text, i);
	if (mlv_str_trim(rest).n && !(rest.p[0] == ':' && (rest.n == 1 || rest.p[1] == ' ')))
		return false;
	*name = mlv_str_head(text, i);
	*sure = usual_end(*name) || (last && rest.n && rest.p[0] == ':');
	bool upper = text.p[0] >= 'A' && text.p[0] <= 'Z';
	return !is_level(*name) && (last || upper);
}
