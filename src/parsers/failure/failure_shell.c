/* SPDX-License-Identifier: MIT */
/* Signals as a shell, MPI or the kernel tell them: killed, segmentation fault, bus error, aborted.
 */
#include <string.h>

#include "parsers/failure/failures.h"
#include "parsers/text/scan.h"

static const struct {
	const char *words, *code;
} kinds[] = {
	{ "Segmentation fault", "segfault" },
	{ "segmentation fault", "segfault" },
	{ "Bus error", "bus-error" },
	{ "bus error", "bus-error" },
	{ "Aborted", "aborted" },
	{ "Killed", "killed" },
	{ "killed", "killed" },
};

/* What a shell may write behind it: nothing, or that there is a core. */
static bool is_end(struct mlv_str s)
{
	(void)(mlv_scan(&s, ": 9") || mlv_scan(&s, ": 11") || mlv_scan(&s, ": 10"));
	(void)mlv_scan(&s, " (core dumped)");
	return !mlv_str_trim(s).n;
}

/*
 * "job.sh: line 3: 4711 Killed   python train.py", "bash: line 1: 12 Segmentation fault (core
 * dumped) x", "[1]  + 4711 killed     python", "[1]+  Killed   python"
 */
static bool is_job(struct mlv_str before, struct mlv_str behind, int64_t *pid,
		   struct mlv_str *command)
{
	struct mlv_str s = mlv_str_trim(before);
	int64_t n;
	*pid = -1;
	if (memchr(before.p, '"', before.n))
		return false;
	if (mlv_scan(&s, "[") && mlv_scan_int(&s, &n) && mlv_scan(&s, "]")) {
		mlv_scan_blanks(&s);
		(void)(mlv_scan(&s, "+") || mlv_scan(&s, "-"));
		mlv_scan_blanks(&s);
		if (s.n && (!mlv_scan_int(&s, pid) || s.n))
			return false;
	} else {
		s = mlv_str_trim(before);
		if (mlv_scan_to(&s, ": line ", NULL) && mlv_scan_int(&s, &n) && mlv_scan(&s, ":"))
			mlv_scan_blanks(&s);
		else if (s = mlv_str_trim(before), !mlv_scan_to(&s, ": ", NULL))
			return false;
		if (!mlv_scan_int(&s, pid) || s.n)
			return false;
	}
	s = mlv_str_trim(behind);
	if (behind.n && s.n == behind.n)
		return false; /* "killedness" */
	(void)mlv_scan(&s, "(core dumped)");
	*command = mlv_str_trim(s);
	return true;
}

enum mlv_rc mlv_failure_shell(struct mlv_failures *f, struct mlv_text *t,
			      const struct mlv_line *line, size_t at, bool *mine,
			      struct mlv_err *err)
{
	struct mlv_str before = mlv_str_head(line->text, at);
	struct mlv_str s = mlv_str_from(line->text, at), command = MLV_STR("");
	int64_t pid = -1;
	size_t k = 0;
	while (k < sizeof(kinds) / sizeof(kinds[0]) && !mlv_scan(&s, kinds[k].words))
		k++;
	bool alone = !mlv_str_trim(before).n && is_end(s) && kinds[k].words[0] < 'a';
	if (k == sizeof(kinds) / sizeof(kinds[0]) || (!alone && !is_job(before, s, &pid, &command)))
		return MLV_OK;
	struct mlv_statement st = mlv_failure_begin(t, kinds[k].code, MLV_FINDING_ERROR,
						    mlv_str_trim(line->text), line->number);
	*mine = true;
	enum mlv_rc rc = MLV_OK;
	if (pid >= 0)
		rc = mlv_statement_int(t, "pid", pid, err);
	if (!rc)
		rc = mlv_statement_text(t, "command", command, err);
	return rc ? rc : mlv_failure_tell(f, t, &st, err);
}

/*
 * "python[123]: segfault at 0 ip 00007f… sp … error 4 in libx.so[7f…]" of the
 * kernel, "[host:123] Signal: Segmentation fault (11)" of Open MPI.
 */
enum mlv_rc mlv_failure_segfault(struct mlv_failures *f, struct mlv_text *t,
				 const struct mlv_line *line, size_t at, bool *mine,
				 struct mlv_err *err)
{
	struct mlv_str s = mlv_str_from(line->text, at), where;
	int64_t n;
	enum mlv_rc rc = MLV_OK;
	struct mlv_statement st = mlv_failure_begin(t, "segfault", MLV_FINDING_ERROR,
						    mlv_str_trim(line->text), line->number);
	if (mlv_scan(&s, "Signal: ")) {
		struct mlv_str name;
		if (!mlv_scan_to(&s, " (", &name) || !mlv_scan_int(&s, &n) || !mlv_scan(&s, ")") ||
		    mlv_str_trim(s).n || !line->raw.n || line->raw.p[0] != '[')
			return MLV_OK;
		st.code = n == 11 ? "segfault" : "signal";
		*mine = true;
		rc = mlv_statement_int(t, "signal", n, err);
	} else {
		if (!mlv_scan_to(&s, " ip ", NULL) || !mlv_scan_to(&s, " sp ", NULL) ||
		    !mlv_scan_to(&s, " error ", NULL))
			return MLV_OK;
		*mine = true;
		if (mlv_scan_to(&s, " in ", NULL) && mlv_scan_to(&s, "[", &where))
			rc = mlv_statement_text(t, "module", where, err);
	}
	return rc ? rc : mlv_failure_tell(f, t, &st, err);
}
