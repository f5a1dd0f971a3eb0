/* SPDX-License-Identifier: MIT */
/* What the kernel logs when its OOM killer ends a process. */
#include <string.h>

#include "parsers/failure/failures.h"
#include "parsers/text/scan.h"

/* "total-vm:2623712kB" as "2623712 kB": the kernel's kB are of 1024 bytes. */
static enum mlv_rc kilobytes(struct mlv_text *t, struct mlv_str s, const char *name,
			     const char *key, struct mlv_err *err)
{
	char text[32];
	int64_t n;
	struct mlv_str digits;
	if (!mlv_scan_to(&s, name, NULL))
		return MLV_OK;
	digits = s;
	if (!mlv_scan_int(&s, &n) || !mlv_scan(&s, "kB"))
		return MLV_OK;
	size_t len = (size_t)(s.p - digits.p) - 2;
	memcpy(text, digits.p, len);
	memcpy(text + len, " KiB", 4);
	return mlv_statement_text(t, key, (struct mlv_str){ text, len + 4 }, err);
}

/* Tells a kill that was announced, and that no line confirmed. */
enum mlv_rc mlv_failure_kernel_end(struct mlv_failures *f, struct mlv_text *t, struct mlv_err *err)
{
	struct mlv_failure_kill *k = &f->kill;
	if (!k->open)
		return MLV_OK;
	k->open = false;
	struct mlv_statement s = mlv_failure_begin(t, "host-oom-kill", MLV_FINDING_ERROR,
						   mlv_run_str(t->run, k->text), k->line);
	enum mlv_rc rc = mlv_statement_int(t, "pid", k->pid, err);
	if (!rc)
		rc = mlv_statement_text(t, "process", mlv_run_str(t->run, k->task), err);
	if (!rc)
		rc = mlv_statement_text(t, "constraint", mlv_run_str(t->run, k->constraint), err);
	if (!rc)
		rc = mlv_statement_text(t, "cgroup", mlv_run_str(t->run, k->cgroup), err);
	return rc ? rc : mlv_failure_tell(f, t, &s, err);
}

/* "oom-kill:constraint=CONSTRAINT_MEMCG,…,oom_memcg=/x,task_memcg=/x,task=python,pid=23,uid=0" */
enum mlv_rc mlv_failure_oom_kill(struct mlv_failures *f, struct mlv_text *t,
				 const struct mlv_line *line, size_t at, bool *mine,
				 struct mlv_err *err)
{
	struct mlv_str text = mlv_str_from(line->text, at), s = text, value;
	struct mlv_failure_kill k = { .open = true, .line = line->number };
	enum mlv_rc rc = mlv_failure_kernel_end(f, t, err);
	*mine = true;
	if (!rc)
		rc = mlv_failure_intern(t, text, &k.text, err);
	(void)mlv_scan_to(&s, "constraint=", NULL);
	if (!rc && mlv_scan_to(&s, ",", &value))
		rc = mlv_failure_intern(t, value, &k.constraint, err);
	if (!rc && mlv_scan_to(&s, "task_memcg=", NULL) && mlv_scan_to(&s, ",", &value))
		rc = mlv_failure_intern(t, value, &k.cgroup, err);
	if (!rc && mlv_scan_to(&s, "task=", NULL) && mlv_scan_to(&s, ",pid=", &value) &&
	    mlv_scan_int(&s, &k.pid))
		rc = mlv_failure_intern(t, value, &k.task, err);
	f->kill = k;
	return rc;
}

/* "Out of memory: Killed process 12 (python3) total-vm:…", "Kill process 12 (python3) score 900" */
enum mlv_rc mlv_failure_killed(struct mlv_failures *f, struct mlv_text *t,
			       const struct mlv_line *line, size_t at, bool *mine,
			       struct mlv_err *err)
{
	struct mlv_str text = mlv_str_from(line->text, at), s = text, process;
	int64_t pid;
	bool cgroup = mlv_scan(&s, "Memory cgroup out of memory: ");
	if (!cgroup)
		(void)mlv_scan(&s, "Out of memory: ");
	bool killed = mlv_scan(&s, "Killed process ");
	if (!killed && !mlv_scan(&s, "Kill process "))
		return MLV_OK;
	if (!mlv_scan_int(&s, &pid))
		return MLV_OK;
	(void)mlv_scan(&s, ",");
	mlv_scan_blanks(&s);
	(void)(mlv_scan(&s, "UID ") && mlv_scan_to(&s, ", ", NULL));
	if (!mlv_scan(&s, "(") || !mlv_scan_to(&s, ")", &process))
		return MLV_OK;
	*mine = true;
	struct mlv_failure_kill *k = &f->kill;
	if (!killed) { /* what it is about to do; older kernels say in the next line that it did */
		enum mlv_rc rc = mlv_failure_kernel_end(f, t, err);
		*k = (struct mlv_failure_kill){ .open = true, .pid = pid, .line = line->number };
		if (!rc)
			rc = mlv_failure_intern(t, text, &k->text, err);
		return rc ? rc : mlv_failure_intern(t, process, &k->task, err);
	}
	bool joined = k->open && k->pid == pid && line->number - k->line < 20;
	enum mlv_rc rc = joined ? MLV_OK : mlv_failure_kernel_end(f, t, err);
	struct mlv_statement st =
		mlv_failure_begin(t, "host-oom-kill", MLV_FINDING_ERROR, text, line->number);
	if (joined)
		st.line = k->line;
	k->open = false;
	if (!rc)
		rc = mlv_statement_int(t, "pid", pid, err);
	if (!rc)
		rc = mlv_statement_text(t, "process", process, err);
	static const char *const names[][2] = { { "total-vm:", "total_vm" },
						{ "anon-rss:", "anon_rss" },
						{ "file-rss:", "file_rss" },
						{ "shmem-rss:", "shmem_rss" } };
	for (size_t i = 0; i < 4 && !rc; i++)
		rc = kilobytes(t, s, names[i][0], names[i][1], err);
	if (!rc && joined)
		rc = mlv_statement_text(t, "constraint", mlv_run_str(t->run, k->constraint), err);
	if (!rc && joined)
		rc = mlv_statement_text(t, "cgroup", mlv_run_str(t->run, k->cgroup), err);
	if (!rc && cgroup)
		rc = mlv_statement_int(t, "cgroup_limit", 1, err);
	return rc ? rc : mlv_failure_tell(f, t, &st, err);
}

/* "python3 invoked oom-killer: gfp_mask=0x…, order=0, oom_score_adj=0" */
enum mlv_rc mlv_failure_invoked(struct mlv_failures *f, struct mlv_text *t,
				const struct mlv_line *line, size_t at, bool *mine,
				struct mlv_err *err)
{
	struct mlv_str before = mlv_str_trim(mlv_str_head(line->text, at));
	struct mlv_str s = mlv_str_from(line->text, at);
	if (mlv_str_find(s, "gfp_mask=") < 0)
		return MLV_OK;
	ptrdiff_t blank = mlv_str_find_last(before, " ");
	struct mlv_str process = mlv_str_from(before, blank < 0 ? 0 : (size_t)blank + 1);
	struct mlv_statement st = mlv_failure_begin(
		t, "oom-killer-invoked", MLV_FINDING_NOTE,
		mlv_str_from(line->text, (size_t)(process.p - line->text.p)), line->number);
	*mine = true;
	enum mlv_rc rc = mlv_statement_text(t, "process", process, err);
	return rc ? rc : mlv_failure_tell(f, t, &st, err);
}
