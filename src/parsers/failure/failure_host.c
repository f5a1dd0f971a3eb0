/* SPDX-License-Identifier: MIT */
/*
 * Memory of the host: what the kernel's OOM killer, the cgroup's counters,
 * Slurm and containers say about a process that was killed for it.
 */
#include <string.h>

#include "parsers/failure/failures.h"
#include "parsers/add.h"
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

static enum mlv_rc tell_pending(struct mlv_failures *f, struct mlv_text *t, struct mlv_err *err)
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
	enum mlv_rc rc = tell_pending(f, t, err);
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
		enum mlv_rc rc = tell_pending(f, t, err);
		*k = (struct mlv_failure_kill){ .open = true, .pid = pid, .line = line->number };
		if (!rc)
			rc = mlv_failure_intern(t, text, &k->text, err);
		return rc ? rc : mlv_failure_intern(t, process, &k->task, err);
	}
	bool joined = k->open && k->pid == pid && line->number - k->line < 20;
	enum mlv_rc rc = joined ? MLV_OK : tell_pending(f, t, err);
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

static enum mlv_rc counter(struct mlv_failures *f, struct mlv_text *t, struct mlv_str subject,
			   struct mlv_str name, int64_t n, enum mlv_unit unit, uint32_t first,
			   uint32_t last, struct mlv_err *err)
{
	char key[64];
	struct mlv_metric_row row = { t->run, t->limits, 0, f->row, MLV_STR_NONE };
	enum mlv_rc rc =
		mlv_statement_section(t, "failures", MLV_STR(""), first, last, &f->section, err);
	if (rc)
		return rc;
	row.section = f->section - 1;
	name.n = name.n < sizeof(key) - 1 ? name.n : sizeof(key) - 1;
	memcpy(key, name.p, name.n);
	key[name.n] = '\0';
	rc = mlv_failure_intern(t, subject, &row.subject, err);
	return rc ? rc : mlv_add_metric_named(&row, key, mlv_decimal_int(n, unit), err);
}

static const char *const event_names[] = {
	"low", "high", "max", "oom", "oom_kill", "oom_group_kill"
};
enum { EVENTS = sizeof(event_names) / sizeof(event_names[0]), EVENTS_NEEDED = 5 };

/* Nothing is claimed until the five counters that every kernel has stood in their order. */
static enum mlv_rc tell_events(struct mlv_failures *f, struct mlv_text *t, struct mlv_err *err)
{
	unsigned count = f->event;
	enum mlv_rc rc = MLV_OK;
	uint32_t last = f->event_line + count - 1;
	f->event = 0;
	if (count < EVENTS_NEEDED)
		return MLV_OK;
	for (unsigned i = 0; i < count && !rc; i++)
		rc = counter(f, t, MLV_STR("memory.events"), mlv_str_of(event_names[i]),
			     f->events[i], MLV_UNIT_NONE, f->event_line, last, err);
	f->row++;
	if (rc || f->events[4] <= 0)
		return rc;
	struct mlv_statement s = mlv_failure_begin(t, "cgroup-oom-kill", MLV_FINDING_ERROR,
						   MLV_STR("memory.events counts processes that "
							   "were killed"),
						   f->event_line);
	s.last_line = last;
	rc = mlv_statement_int(t, "events", f->events[4], err);
	return rc ? rc : mlv_failure_tell(f, t, &s, err);
}

/* "memory.peak:1234", and the line that names a file whose content comes next. */
enum mlv_rc mlv_failure_cgroup(struct mlv_failures *f, struct mlv_text *t,
			       const struct mlv_line *line, size_t at, bool *mine,
			       struct mlv_err *err)
{
	struct mlv_str s = mlv_str_trim(mlv_str_from(line->text, at)), name, rest;
	int64_t n;
	if (mlv_scan(&s, "low ")) {
		if (mlv_scan_int(&s, &n) && !s.n) {
			f->event = 1;
			f->events[0] = n;
			f->event_line = line->number;
		}
		return MLV_OK;
	}
	size_t len = 0;
	while (len < s.n && ((s.p[len] >= 'a' && s.p[len] <= 'z') || s.p[len] == '.'))
		len++;
	name = mlv_str_head(s, len);
	rest = mlv_str_from(s, len);
	bool events = mlv_str_eq(name, MLV_STR("memory.events"));
	bool value = mlv_str_eq(name, MLV_STR("memory.peak")) ||
		     mlv_str_eq(name, MLV_STR("memory.max")) ||
		     mlv_str_eq(name, MLV_STR("memory.current")) ||
		     mlv_str_eq(name, MLV_STR("memory.swap.peak"));
	if (events && mlv_scan(&rest, ":oom_kill ") && mlv_scan_int(&rest, &n) && !rest.n) {
		*mine = true;
		enum mlv_rc rc = counter(f, t, name, MLV_STR("oom_kill"), n, MLV_UNIT_NONE,
					 line->number, line->number, err);
		f->row++;
		return rc;
	}
	if (!value)
		return MLV_OK;
	if (mlv_scan(&rest, ":")) {
		mlv_scan_blanks(&rest);
		if (!mlv_scan_int(&rest, &n) || rest.n)
			return MLV_OK;
		*mine = true;
		enum mlv_rc rc = counter(f, t, name, MLV_STR("value"), n, MLV_UNIT_BYTES,
					 line->number, line->number, err);
		f->row++;
		return rc;
	}
	/* "cat …/memory.peak", "==> memory.peak <==" */
	if (rest.n && !mlv_scan(&rest, " <=="))
		return MLV_OK;
	f->cgroup_line = line->number;
	return mlv_failure_intern(t, name, &f->cgroup_file, err);
}

enum mlv_rc mlv_failure_cgroup_line(struct mlv_failures *f, struct mlv_text *t,
				    const struct mlv_line *line, bool *mine, struct mlv_err *err)
{
	struct mlv_str s = mlv_str_trim(line->text);
	int64_t n;
	if (f->event) {
		struct mlv_str rest = s;
		bool next = f->event < EVENTS && line->number == f->event_line + f->event &&
			    mlv_scan(&rest, event_names[f->event]) && mlv_scan(&rest, " ") &&
			    mlv_scan_int(&rest, &n) && !rest.n;
		if (!next)
			return tell_events(f, t, err);
		f->events[f->event++] = n;
		*mine = true;
		return MLV_OK;
	}
	if (f->cgroup_file.i && line->number == f->cgroup_line + 1 && mlv_scan_int(&s, &n) &&
	    !s.n) {
		*mine = true;
		enum mlv_rc rc =
			counter(f, t, mlv_run_str(t->run, f->cgroup_file), MLV_STR("value"), n,
				MLV_UNIT_BYTES, f->cgroup_line, line->number, err);
		f->row++;
		return rc;
	}
	return MLV_OK;
}

enum mlv_rc mlv_failure_host_end(struct mlv_failures *f, struct mlv_text *t, struct mlv_err *err)
{
	enum mlv_rc rc = tell_events(f, t, err);
	return rc ? rc : tell_pending(f, t, err);
}
