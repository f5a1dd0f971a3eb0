/* SPDX-License-Identifier: MIT */
#include "parsers/failure/native_frame.h"

#include "parsers/text/lines.h"
#include "parsers/text/scan.h"

/* The " (" that begins the arguments: not one within <…> or within the name of a lambda. */
static ptrdiff_t arguments(struct mlv_str s)
{
	int depth = 0;
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '<')
			depth++;
		else if (s.p[i] == '>' && depth)
			depth--;
		else if (s.p[i] == ' ' && i + 1 < s.n && s.p[i + 1] == '(' && !depth)
			return (ptrdiff_t)i;
	}
	return MLV_NOT_FOUND;
}

/* Behind the parenthesis that closes the one at the front. */
static bool skip_parentheses(struct mlv_str *s)
{
	int depth = 0;
	bool quoted = false;
	for (size_t i = 0; i < s->n; i++) {
		char c = s->p[i];
		if (c == '"' && (!i || s->p[i - 1] != '\\'))
			quoted = !quoted;
		if (quoted)
			continue;
		depth += (c == '(') - (c == ')');
		if (!depth) {
			*s = mlv_str_from(*s, i + 1);
			return true;
		}
	}
	return false;
}

/* py-bt */
static enum mlv_frame_form python_frame(struct mlv_str s, struct mlv_native_frame *f)
{
	int64_t line;
	struct mlv_str hex;
	if (!mlv_scan_hex(&s, &hex) || !mlv_scan(&s, ", for file ") ||
	    !mlv_scan_to(&s, ", line ", &f->file) || !mlv_scan_int(&s, &line) || line > INT32_MAX ||
	    !mlv_scan(&s, ", in "))
		return MLV_FRAME_NONE;
	f->line = (uint32_t)line;
	ptrdiff_t end = mlv_str_find(s, " (");
	f->function = mlv_str_head(s, end < 0 ? s.n : (size_t)end);
	return MLV_FRAME_WHOLE;
}

enum mlv_frame_form mlv_gdb_frame(struct mlv_str s, size_t number, struct mlv_native_frame *f)
{
	struct mlv_str hex, place;
	int64_t n;
	*f = (struct mlv_native_frame){ 0 };
	if (!mlv_scan(&s, "#") || !mlv_scan_int(&s, &n) || n != (int64_t)number || !s.n ||
	    s.p[0] != ' ')
		return MLV_FRAME_NONE;
	mlv_scan_blanks(&s);
	if (mlv_scan(&s, "Frame "))
		return python_frame(s, f);
	bool addressed = mlv_scan_hex(&s, &hex) && mlv_scan(&s, " in ");
	if (mlv_scan(&s, "<signal handler called>")) {
		f->function = MLV_STR("<signal handler called>");
		return MLV_FRAME_WHOLE;
	}
	ptrdiff_t at = arguments(s);
	if (at <= 0)
		return addressed && s.n ? MLV_FRAME_BROKEN : MLV_FRAME_NONE;
	f->function = mlv_str_head(s, (size_t)at);
	s = mlv_str_from(s, (size_t)at + 1);
	if (!skip_parentheses(&s))
		return addressed || mlv_str_find(s, "=") >= 0 ? MLV_FRAME_BROKEN : MLV_FRAME_NONE;
	(void)mlv_scan(&s, " const");
	s = mlv_str_trim(s);
	if (mlv_scan(&s, "at ") && mlv_scan_place(s, &f->file, &f->line))
		return MLV_FRAME_WHOLE;
	if (mlv_scan(&s, "from ") && mlv_scan_word(&s, &place)) {
		f->file = place;
		return MLV_FRAME_WHOLE;
	}
	if (!addressed || s.n)
		return MLV_FRAME_NONE;
	return MLV_FRAME_WHOLE;
}

bool mlv_c10_frame(struct mlv_str s, size_t number, struct mlv_native_frame *f)
{
	int64_t n;
	*f = (struct mlv_native_frame){ 0 };
	if (!mlv_scan(&s, "frame #") || !mlv_scan_int(&s, &n) || n != (int64_t)number ||
	    !mlv_scan(&s, ": "))
		return false;
	ptrdiff_t in = mlv_str_find_last(s, " in ");
	ptrdiff_t offset = mlv_str_find_last(s, " + 0x");
	if (offset < 0)
		return false;
	f->function = mlv_str_head(s, (size_t)offset);
	if (in > offset) {
		f->file = mlv_str_trim(mlv_str_from(s, (size_t)in + 4));
		f->file.n -= f->file.n && f->file.p[f->file.n - 1] == ')';
	}
	return true;
}
