/* SPDX-License-Identifier: MIT */
/* What Slurm, Kubernetes and Docker say of a process that was killed, mostly for its memory. */
#include "parsers/failure/failures.h"
#include "parsers/text/scan.h"

/* "slurmstepd: error: Detected 1 oom_kill event in StepId=12.0.", "srun: error: n1: task 3: Killed"
 */
enum mlv_rc mlv_failure_slurm(struct mlv_failures *f, struct mlv_text *t,
			      const struct mlv_line *line, size_t at, bool *mine,
			      struct mlv_err *err)
{
	struct mlv_str text = mlv_str_trim(mlv_str_from(line->text, at)), s = text, word, node;
	int64_t n = -1;
	const char *code = NULL;
	enum mlv_rc rc = MLV_OK;
	struct mlv_statement st = mlv_failure_begin(t, "", MLV_FINDING_ERROR, text, line->number);
	if (mlv_scan(&s, "slurmstepd: error: Detected ") && mlv_scan_int(&s, &n) &&
	    (mlv_str_find(s, "oom-kill event") >= 0 || mlv_str_find(s, "oom_kill event") >= 0)) {
		code = "slurm-oom-kill";
		rc = mlv_statement_int(t, "events", n, err);
		if (!rc && (mlv_scan_to(&s, "StepId=", NULL) || mlv_scan_to(&s, "step ", NULL)) &&
		    mlv_scan_word(&s, &word)) {
			word.n -= word.p[word.n - 1] == '.';
			rc = mlv_statement_text(t, "step", word, err);
		}
	} else if (mlv_str_find(text, "slurmstepd: error: ***") == 0 &&
		   mlv_str_find(text, "CANCELLED AT") > 0) {
		code = "slurm-cancelled";
		s = text;
		if (mlv_scan_to(&s, "DUE TO ", NULL) && mlv_scan_to(&s, " ***", &word))
			rc = mlv_statement_text(t, "reason", word, err);
	} else if ((s = text, mlv_scan(&s, "srun: error: ")) && mlv_scan_to(&s, ": task", &node) &&
		   mlv_scan_to(&s, ": ", &word)) {
		(void)mlv_scan(&word, "s");
		mlv_scan_blanks(&word);
		code = "task-exit";
		rc = mlv_statement_text(t, "node", node, err);
		if (!rc)
			rc = mlv_statement_text(t, "task", word, err);
		if (!rc)
			rc = mlv_statement_text(t, "how", s, err);
	}
	st.code = code;
	*mine = code != NULL;
	return rc || !code ? rc : mlv_failure_tell(f, t, &st, err);
}

/* How Kubernetes and Docker tell it: "Reason: OOMKilled", "Exit Code: 137". */
enum mlv_rc mlv_failure_container(struct mlv_failures *f, struct mlv_text *t,
				  const struct mlv_line *line, size_t at, bool *mine,
				  struct mlv_err *err)
{
	struct mlv_str s = mlv_str_from(line->text, at), before = mlv_str_head(line->text, at);
	struct mlv_str rest = s;
	int64_t n = 0;
	const char *code = "exit-137";
	if (line->text.n > 300)
		return MLV_OK;
	if (mlv_scan(&rest, "OOMKilled")) {
		/* A field of a description, or the column of a list ("0/1  OOMKilled  3  5m"). */
		struct mlv_str left = mlv_str_trim(before);
		bool field = mlv_str_has_suffix(left, MLV_STR("Reason:")) ||
			     mlv_str_has_suffix(left, MLV_STR("reason:")) ||
			     mlv_str_has_suffix(left, MLV_STR("\"reason\":\"")) ||
			     mlv_str_has_suffix(left, MLV_STR("\"reason\": \""));
		bool column =
			left.n > 2 && left.p[left.n - 2] == '/' && mlv_is_digit(left.p[left.n - 1]);
		if (!field && !column)
			return MLV_OK;
		code = "oom-killed";
	} else if (mlv_scan(&rest, "Exit Code:")) {
		mlv_scan_blanks(&rest);
		if (!mlv_scan_int(&rest, &n) || n != 137 || rest.n)
			return MLV_OK;
	}
	struct mlv_statement st = mlv_failure_begin(t, code, MLV_FINDING_ERROR,
						    mlv_str_trim(line->text), line->number);
	*mine = true;
	return mlv_failure_tell(f, t, &st, err);
}
