/* SPDX-License-Identifier: MIT */
#include "parsers/failure/sanitizer_line.h"

#include <string.h>

#include "parsers/text/lines.h"
#include "parsers/text/scan.h"

bool mlv_sanitizer_int(struct mlv_str *s, int64_t *n)
{
	int64_t value = 0;
	size_t i = 0, digits = 0;
	for (; i < s->n; i++) {
		char c = s->p[i];
		if (c == ',' && digits && i + 1 < s->n && mlv_is_digit(s->p[i + 1]))
			continue;
		if (c < '0' || c > '9' || ++digits > 18)
			break;
		value = value * 10 + (c - '0');
	}
	if (!digits || digits > 18)
		return false;
	*n = value;
	*s = mlv_str_from(*s, i);
	return true;
}

static bool begins(struct mlv_str s, const char *text)
{
	return mlv_scan(&s, text);
}

/* " of size 4 bytes" anywhere. */
static void size_in(struct mlv_str s, int64_t *size)
{
	int64_t n;
	if (mlv_scan_to(&s, " of size ", NULL) && mlv_sanitizer_int(&s, &n))
		*size = n;
}

static void address_in(struct mlv_str s, const char *before, struct mlv_str *address)
{
	struct mlv_str hex;
	if (mlv_scan_to(&s, before, NULL) && mlv_scan_hex(&s, &hex))
		*address = hex;
}

/* "Program hit cudaErrorLaunchFailure (error 719) due to "…" on CUDA API call to cudaFree." */
static void cuda_error(struct mlv_str s, struct mlv_sanitizer_head *h)
{
	if (!mlv_scan(&s, "Program hit ") || !mlv_scan_word(&s, &h->error))
		return;
	if (mlv_scan(&s, " (error "))
		(void)mlv_scan_int(&s, &h->number);
	if (mlv_scan_to(&s, "API call to ", NULL))
		(void)mlv_scan_word(&s, &h->api);
	h->api.n -= h->api.n && h->api.p[h->api.n - 1] == '.';
}

static bool race(struct mlv_str line, struct mlv_str s, struct mlv_sanitizer_head *h)
{
	h->code = MLV_SANITIZER_RACECHECK;
	if (begins(s, "Race reported between ")) {
		ptrdiff_t at = mlv_str_find(line, " access at ");
		if (at >= 0)
			h->where = mlv_str_from(line, (size_t)at + strlen(" access at "));
		return true;
	}
	ptrdiff_t hazard = mlv_str_find(s, " hazard detected at ");
	if (hazard < 0 || hazard > 60)
		return false;
	/* One for each byte: the byte is an attribute, the statement is the same. */
	struct mlv_str rest = s, space;
	(void)mlv_scan_to(&rest, " hazard detected at ", NULL);
	if (mlv_scan_word(&rest, &space))
		h->text = mlv_str_head(line, (size_t)(space.p + space.n - line.p));
	mlv_scan_blanks(&rest);
	(void)mlv_scan_hex(&rest, &h->address);
	if (mlv_scan(&rest, " in block ") && mlv_scan_to(&rest, ")", &h->block))
		h->block.n++;
	return true;
}

static bool memory(struct mlv_str s, struct mlv_sanitizer_head *h)
{
	static const char *const memcheck[] = { "Invalid __",       "Program hit ",
						"Fatal UVM ",       "Malloc/Free error",
						"Out-of-range ",    "Misaligned ",
						"Invalid bulk ",    "Hardware stack overflow",
						"Illegal ",         "Device-side assert",
						"Unspecified ",     "Stack overflow",
						"Invalid pipeline", "Invalid warp",
						"Lane User Stack",  "Cluster " };
	static const char *const initcheck[] = { "Uninitialized ", "Unused memory ", "Host API ",
						 "Host API uninitialized" };
	h->code = MLV_SANITIZER_MEMCHECK;
	for (size_t i = 0; i < sizeof(memcheck) / sizeof(memcheck[0]); i++) {
		if (begins(s, memcheck[i]))
			return true;
	}
	h->code = MLV_SANITIZER_INITCHECK;
	for (size_t i = 0; i < sizeof(initcheck) / sizeof(initcheck[0]); i++) {
		if (begins(s, initcheck[i]))
			return true;
	}
	h->code = MLV_SANITIZER_SYNCCHECK;
	if (begins(s, "Barrier error detected"))
		return true;
	h->code = MLV_SANITIZER_LEAK;
	return begins(s, "Leaked ");
}

bool mlv_sanitizer_head(struct mlv_str line, struct mlv_sanitizer_head *h)
{
	struct mlv_str s = line;
	bool severity = true;
	*h = (struct mlv_sanitizer_head){ .text = line, .size = -1, .number = -1 };
	if (mlv_scan(&s, "Warning: ") || mlv_scan(&s, "WARN:"))
		h->warning = true;
	else if (!mlv_scan(&s, "Error: ") && !mlv_scan(&s, "ERROR: ") && !mlv_scan(&s, "Info: "))
		severity = false;
	mlv_scan_blanks(&s);
	if (mlv_scan(&s, "(Warp Level Programming)"))
		mlv_scan_blanks(&s);
	if (race(line, s, h))
		return true;
	if (!memory(s, h)) {
		h->code = MLV_SANITIZER_FAILED;
		return severity && !h->warning;
	}
	size_in(s, &h->size);
	cuda_error(s, h);
	if (h->code == MLV_SANITIZER_LEAK) {
		struct mlv_str rest = mlv_str_from(s, strlen("Leaked "));
		(void)mlv_sanitizer_int(&rest, &h->size);
		address_in(s, " at ", &h->address);
	} else if (h->code == MLV_SANITIZER_INITCHECK) {
		address_in(s, " allocation ", &h->address);
		address_in(s, " access to ", &h->address);
	}
	return true;
}

static void cut_offset(struct mlv_sanitizer_place *p)
{
	ptrdiff_t at = mlv_str_find_last(p->kernel, "+0x");
	if (at < 0)
		return;
	p->offset = mlv_str_from(p->kernel, (size_t)at + 1);
	p->kernel = mlv_str_head(p->kernel, (size_t)at);
}

/* The last "x.cu:30" before a ':'. The parameters of a kernel may hold "::", never ":1". */
static bool file_line_kernel(struct mlv_str s, struct mlv_sanitizer_place *p)
{
	for (size_t i = 0; i + 2 < s.n; i++) {
		struct mlv_str number = mlv_str_from(s, i + 1);
		int64_t line;
		if (s.p[i] != ':' || !mlv_scan_int(&number, &line) || line > INT32_MAX ||
		    !mlv_scan(&number, ":"))
			continue;
		p->file = mlv_str_head(s, i);
		p->line = (uint32_t)line;
		p->kernel = number;
		return true;
	}
	return false;
}

void mlv_sanitizer_place(struct mlv_str where, struct mlv_sanitizer_place *p)
{
	struct mlv_str s = mlv_str_trim(where), hex;
	*p = (struct mlv_sanitizer_place){ 0 };
	/* "[4 hazards]" is not part of it. */
	ptrdiff_t hazards = mlv_str_find_last(s, " [");
	if (hazards >= 0 && mlv_str_has_suffix(s, MLV_STR("]")))
		s = mlv_str_head(s, (size_t)hazards);
	struct mlv_str rest = s;
	if (mlv_scan_hex(&rest, &hex) && mlv_scan(&rest, " in ")) {
		p->offset = hex;
		if (!file_line_kernel(rest, p))
			p->kernel = rest;
		return;
	}
	p->kernel = s;
	ptrdiff_t in = mlv_str_find_last(s, " in ");
	if (in >= 0 && mlv_scan_place(mlv_str_from(s, (size_t)in + 4), &p->file, &p->line))
		p->kernel = mlv_str_head(s, (size_t)in);
	cut_offset(p);
}

/* "[0x8d37]" behind `at`, which is taken off the end of it. */
static void address_of(struct mlv_str *s, struct mlv_str *address)
{
	ptrdiff_t at = mlv_str_find_last(*s, "[0x");
	if (at < 0)
		return;
	struct mlv_str hex = mlv_str_from(*s, (size_t)at + 1);
	if (!mlv_scan_hex(&hex, address))
		return;
	*s = mlv_str_trim(mlv_str_head(*s, (size_t)at));
}

/* "/lib64/libcuda.so.1 (cuLaunchKernel + 0x346) [0x297db6]" */
static bool old_frame(struct mlv_str s, struct mlv_sanitizer_frame *f)
{
	address_of(&s, &f->address);
	ptrdiff_t at = mlv_str_find_last(s, " (");
	f->file = s;
	if (at >= 0 && mlv_str_has_suffix(s, MLV_STR(")"))) {
		struct mlv_str inside = mlv_str_from(s, (size_t)at + 2);
		inside.n--;
		ptrdiff_t plus = mlv_str_find_last(inside, " + 0x");
		ptrdiff_t colon = mlv_str_find_last(inside, " : 0x");
		f->file = mlv_str_head(s, (size_t)at);
		f->function = mlv_str_head(inside, (size_t)(plus >= 0    ? plus
							    : colon >= 0 ? colon
									 : (ptrdiff_t)inside.n));
		if (colon >= 0) { /* of a device: no file is named */
			f->file = MLV_STR("");
			f->address = MLV_STR("");
		}
	}
	return s.n > 0;
}

bool mlv_sanitizer_frame(struct mlv_str s, struct mlv_sanitizer_frame *f)
{
	*f = (struct mlv_sanitizer_frame){ 0 };
	if (s.n && s.p[0] != ' ')
		return old_frame(mlv_str_trim(s), f);
	s = mlv_str_trim(s);
	ptrdiff_t in = mlv_str_find_last(s, " in ");
	if (in < 0 && begins(s, "["))
		return false;
	if (in < 0) {
		f->function = s;
		return s.n > 0;
	}
	struct mlv_str file = mlv_str_trim(mlv_str_from(s, (size_t)in + 4));
	struct mlv_str function = mlv_str_trim(mlv_str_head(s, (size_t)in));
	/* The address stands behind the function, or behind the line. */
	address_of(&file, &f->address);
	address_of(&function, &f->address);
	f->function = function;
	f->file = file;
	if (mlv_scan_place(file, &f->file, &f->line))
		f->address = MLV_STR("");
	return true;
}
