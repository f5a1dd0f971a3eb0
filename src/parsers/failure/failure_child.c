/* SPDX-License-Identifier: MIT */
/*
 * What torchelastic says of the processes that it started: the table of
 * ChildFailedError, a finding for each process with its own rank, and the
 * agent's line about the first one that failed.
 */
#include <stdio.h>
#include <string.h>

#include "parsers/failure/failures.h"
#include "parsers/text/scan.h"

static enum mlv_rc tell(struct mlv_failures *f, struct mlv_text *t, struct mlv_err *err)
{
	struct mlv_failure_child *c = &f->child;
	struct mlv_str why = mlv_run_str(t->run, c->traceback);
	char text[1200];
	c->open = false;
	if (c->rank < 0)
		return MLV_OK;
	int n = snprintf(text, sizeof(text), "rank %lld failed: exit code %lld", (long long)c->rank,
			 (long long)c->exitcode);
	if (why.n)
		snprintf(text + n, sizeof(text) - (size_t)n, ": %.*s",
			 why.n < 1000 ? (int)why.n : 1000, why.p);
	struct mlv_statement s = mlv_failure_begin(t, "child-failed", MLV_FINDING_ERROR,
						   mlv_str_of(text), c->first_line);
	s.last_line = c->last_line;
	s.rank = c->rank;
	enum mlv_rc rc = mlv_statement_int(t, "root_cause", c->root, err);
	if (!rc)
		rc = mlv_statement_int(t, "exitcode", c->exitcode, err);
	if (!rc && c->exitcode < 0)
		rc = mlv_statement_int(t, "signal", -c->exitcode, err);
	if (!rc && c->pid >= 0)
		rc = mlv_statement_int(t, "pid", c->pid, err);
	if (!rc && c->local_rank >= 0)
		rc = mlv_statement_int(t, "local_rank", c->local_rank, err);
	if (!rc)
		rc = mlv_statement_text(t, "host", mlv_run_str(t->run, c->host), err);
	if (!rc)
		rc = mlv_statement_text(t, "time", mlv_run_str(t->run, c->time), err);
	if (!rc)
		rc = mlv_statement_text(t, "error_file", mlv_run_str(t->run, c->error_file), err);
	return rc ? rc : mlv_failure_tell(f, t, &s, err);
}

enum mlv_rc mlv_failure_child_end(struct mlv_failures *f, struct mlv_text *t, struct mlv_err *err)
{
	return f->child.open ? tell(f, t, err) : MLV_OK;
}

enum mlv_rc mlv_failure_table(struct mlv_failures *f, struct mlv_text *t,
			      const struct mlv_line *line, size_t at, bool *mine,
			      struct mlv_err *err)
{
	struct mlv_failure_child *c = &f->child;
	struct mlv_str s = mlv_str_trim(mlv_str_from(line->text, at));
	(void)t;
	(void)err;
	bool root = mlv_scan(&s, "Root Cause (first observed failure):");
	if ((!root && !mlv_scan(&s, "Failures:")) || s.n)
		return MLV_OK;
	*c = (struct mlv_failure_child){ .table = true, .root = root };
	/* "Failures:" alone is said by many; "[0]:" and its keys are not. */
	*mine = root;
	return MLV_OK;
}

/* "  rank      : 1 (local_rank: 1)" */
static bool key_value(struct mlv_str text, struct mlv_str *key, struct mlv_str *value)
{
	struct mlv_str s = text;
	mlv_scan_blanks(&s);
	if (!mlv_scan_to(&s, ":", key))
		return false;
	*key = mlv_str_trim(*key);
	*value = mlv_str_trim(s);
	return key->n && key->n < 16 && !memchr(key->p, ' ', key->n);
}

static bool is(struct mlv_str s, const char *text)
{
	return mlv_scan(&s, text) && !s.n;
}

static enum mlv_rc row(struct mlv_failure_child *c, struct mlv_text *t, struct mlv_str key,
		       struct mlv_str value, bool *mine, struct mlv_err *err)
{
	struct mlv_str s = value;
	*mine = true;
	if (is(key, "time"))
		return mlv_failure_intern(t, value, &c->time, err);
	if (is(key, "host"))
		return mlv_failure_intern(t, value, &c->host, err);
	if (is(key, "error_file"))
		return is(value, "<N/A>") ? MLV_OK
					  : mlv_failure_intern(t, value, &c->error_file, err);
	if (is(key, "traceback"))
		return is(value, "To enable traceback see: "
				 "https://pytorch.org/docs/stable/elastic/errors.html")
			       ? MLV_OK
			       : mlv_failure_intern(t, value, &c->traceback, err);
	if (is(key, "rank")) {
		if (mlv_scan_int(&s, &c->rank) && mlv_scan(&s, " (local_rank: "))
			(void)mlv_scan_int(&s, &c->local_rank);
		return MLV_OK;
	}
	if (is(key, "exitcode")) {
		mlv_scan_blanks(&s);
		if (mlv_scan_signed(&s, &c->exitcode) && mlv_scan_to(&s, "(pid: ", NULL))
			(void)mlv_scan_int(&s, &c->pid);
		return MLV_OK;
	}
	*mine = false;
	return MLV_OK;
}

/* "[0]:" */
static bool is_item(struct mlv_str s)
{
	int64_t n;
	return mlv_scan(&s, "[") && mlv_scan_int(&s, &n) && mlv_scan(&s, "]:") && !s.n;
}

static bool is_rule(struct mlv_str s)
{
	size_t i = 0;
	while (i < s.n && (s.p[i] == '-' || s.p[i] == '='))
		i++;
	return i >= 10 && i == s.n;
}

enum mlv_rc mlv_failure_child_line(struct mlv_failures *f, struct mlv_text *t,
				   const struct mlv_line *line, bool *mine, struct mlv_err *err)
{
	struct mlv_failure_child *c = &f->child;
	struct mlv_str s = mlv_str_trim(line->text), key, value;
	enum mlv_rc rc = MLV_OK;
	if (!c->table)
		return MLV_OK;
	if (is_item(s)) {
		rc = mlv_failure_child_end(f, t, err);
		c->open = *mine = true;
		c->rank = c->local_rank = c->pid = -1;
		c->exitcode = 0;
		c->time = c->host = c->error_file = c->traceback = MLV_STR_NONE;
		c->first_line = c->last_line = line->number;
		return rc;
	}
	if (is_rule(s)) {
		rc = mlv_failure_child_end(f, t, err);
		c->table = s.p[0] != '=';
		*mine = true;
		return rc;
	}
	if (c->open && key_value(line->text, &key, &value))
		rc = row(c, t, key, value, mine, err);
	if (*mine)
		c->last_line = line->number;
	return rc;
}

/* "failed (exitcode: -6) local_rank: 1 (pid: 1619) of binary: /usr/bin/python" */
enum mlv_rc mlv_failure_process(struct mlv_failures *f, struct mlv_text *t,
				const struct mlv_line *line, size_t at, bool *mine,
				struct mlv_err *err)
{
	struct mlv_str text = mlv_str_from(line->text, at), s = text;
	int64_t code, local_rank, pid;
	if (!mlv_scan(&s, "failed (exitcode: ") || !mlv_scan_signed(&s, &code) ||
	    !mlv_scan(&s, ") local_rank: ") || !mlv_scan_int(&s, &local_rank) ||
	    !mlv_scan(&s, " (pid: ") || !mlv_scan_int(&s, &pid))
		return MLV_OK;
	*mine = true;
	struct mlv_statement st =
		mlv_failure_begin(t, "process-failed", MLV_FINDING_ERROR, text, line->number);
	enum mlv_rc rc = mlv_statement_int(t, "exitcode", code, err);
	if (!rc && code < 0)
		rc = mlv_statement_int(t, "signal", -code, err);
	if (!rc)
		rc = mlv_statement_int(t, "local_rank", local_rank, err);
	if (!rc)
		rc = mlv_statement_int(t, "pid", pid, err);
	return rc ? rc : mlv_failure_tell(f, t, &st, err);
}
