/* SPDX-License-Identifier: MIT */
/* Errors of the CUDA and HIP runtimes and libraries, device asserts, and the driver's Xid. */
#include <string.h>

#include "parsers/failure/failures.h"
#include "parsers/text/scan.h"

static bool is_letter(char c)
{
	return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

/* "CUDA error: an illegal memory access was encountered", "CUDA error: X when calling `f()`" */
enum mlv_rc mlv_failure_cuda(struct mlv_failures *f, struct mlv_text *t,
			     const struct mlv_line *line, size_t at, bool *mine,
			     struct mlv_err *err)
{
	struct mlv_str text = mlv_str_trim(mlv_str_from(line->text, at)), s = text, call, quoted;
	char before = at ? line->text.p[at - 1] : ' ';
	(void)mlv_scan_to(&s, "error: ", NULL);
	/* A format, or a comparison in a program, is no error. */
	if (!(before == ' ' || before == '"' || before == '\'' || before == '(') || !s.n ||
	    !is_letter(s.p[0]) || mlv_str_find(text, "%s") >= 0)
		return MLV_OK;
	if (before == '"' && mlv_scan_to(&s, "\"", &quoted))
		text.n = (size_t)(quoted.p + quoted.n - text.p);
	s = text;
	(void)mlv_scan_to(&s, "error: ", NULL);
	const char *code = mlv_str_find(text, "CUDA") == 0  ? "cuda-error"
			   : mlv_str_find(text, "HIP") == 0 ? "hip-error"
							    : "cudnn-error";
	struct mlv_statement st = mlv_failure_begin(t, code, MLV_FINDING_ERROR, text, line->number);
	*mine = true;
	enum mlv_rc rc = MLV_OK;
	ptrdiff_t calling = mlv_str_find(s, " when calling `");
	struct mlv_str error = mlv_str_head(s, calling >= 0 ? (size_t)calling : s.n);
	error.n -= error.n && error.p[error.n - 1] == '.';
	rc = mlv_statement_text(t, "error", error, err);
	if (!rc && calling >= 0 && mlv_scan_to(&s, " when calling `", NULL) &&
	    mlv_scan_to(&s, "`", &call))
		rc = mlv_statement_text(t, "call", call, err);
	return rc ? rc : mlv_failure_tell(f, t, &st, err);
}

/*
 * "x.cu:1289: kern: block: [0,0,0], thread: [32,0,0] Assertion `i < n` failed."
 * Thousands of threads say so: the statement is without them.
 */
enum mlv_rc mlv_failure_assert(struct mlv_failures *f, struct mlv_text *t,
			       const struct mlv_line *line, size_t at, bool *mine,
			       struct mlv_err *err)
{
	struct mlv_str s = mlv_str_head(line->text, at), place, function, block, thread;
	struct mlv_str text = mlv_str_from(line->text, at), file;
	uint32_t number;
	char what[1000];
	ptrdiff_t end = mlv_str_find_last(text, "failed");
	if (end < 0 || !mlv_scan_to(&s, ": block: [", &place) ||
	    !mlv_scan_to(&s, "], thread: [", &block) || !mlv_scan_to(&s, "]", &thread))
		return MLV_OK;
	text = mlv_str_head(text, (size_t)end + strlen("failed"));
	ptrdiff_t colon = mlv_str_find_last(place, ": ");
	if (colon < 0 || text.n > 600)
		return MLV_OK;
	function = mlv_str_from(place, (size_t)colon + 2);
	struct mlv_str head = mlv_str_head(place, (size_t)colon);
	if (!mlv_scan_place(head, &file, &number) || memchr(file.p, '"', file.n))
		return MLV_OK;
	function = mlv_str_head(function, 300);
	ptrdiff_t blank = mlv_str_find_last(file, " ");
	file = mlv_str_from(file, blank < 0 ? 0 : (size_t)blank + 1);
	memcpy(what, function.p, function.n);
	memcpy(what + function.n, ": ", 2);
	memcpy(what + function.n + 2, text.p, text.n);
	struct mlv_statement st =
		mlv_failure_begin(t, "device-assert", MLV_FINDING_ERROR,
				  (struct mlv_str){ what, function.n + 2 + text.n }, line->number);
	st.file = file;
	st.file_line = number;
	*mine = true;
	enum mlv_rc rc = mlv_statement_text(t, "kernel", function, err);
	if (!rc)
		rc = mlv_statement_text(t, "block", block, err);
	if (!rc)
		rc = mlv_statement_text(t, "thread", thread, err);
	return rc ? rc : mlv_failure_tell(f, t, &st, err);
}

/* "NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, name=python, GPU has fallen off the bus." */
enum mlv_rc mlv_failure_xid(struct mlv_failures *f, struct mlv_text *t, const struct mlv_line *line,
			    size_t at, bool *mine, struct mlv_err *err)
{
	struct mlv_str text = mlv_str_from(line->text, at), s = text, bus;
	int64_t xid, pid;
	if (!mlv_scan(&s, "NVRM: Xid (PCI:") || !mlv_scan_to(&s, "): ", &bus) ||
	    !mlv_scan_int(&s, &xid))
		return MLV_OK;
	struct mlv_statement st =
		mlv_failure_begin(t, "xid", MLV_FINDING_ERROR, text, line->number);
	*mine = true;
	enum mlv_rc rc = mlv_statement_int(t, "xid", xid, err);
	if (!rc)
		rc = mlv_statement_text(t, "bus", bus, err);
	if (!rc && (mlv_scan(&s, ", pid=") || mlv_scan(&s, ", pid='")) && mlv_scan_int(&s, &pid))
		rc = mlv_statement_int(t, "pid", pid, err);
	return rc ? rc : mlv_failure_tell(f, t, &st, err);
}
