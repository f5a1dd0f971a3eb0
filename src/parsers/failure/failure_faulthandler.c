/* SPDX-License-Identifier: MIT */
/* Python's faulthandler: fatal errors, time-outs, and the stacks of threads below them. */
#include <string.h>

#include "parsers/failure/failure_stack.h"
#include "parsers/text/scan.h"

/* "Fatal Python error: Segmentation fault", "Timeout (0:00:10)!" */
enum mlv_rc mlv_failure_fatal(struct mlv_failures *f, struct mlv_text *t,
			      const struct mlv_line *line, size_t at, bool *mine,
			      struct mlv_err *err)
{
	struct mlv_str text = mlv_str_trim(mlv_str_from(line->text, at)), s = text;
	struct mlv_str when = MLV_STR("");
	if (mlv_scan(&s, "Timeout (") &&
	    (!mlv_scan_to(&s, ")!", &when) || s.n || !when.n || mlv_str_find(when, ":") < 0))
		return MLV_OK;
	enum mlv_rc rc = mlv_failure_stack_end(f, t, err);
	*mine = true;
	f->cause = (struct mlv_failure_cause){ .line = line->number };
	if (when.n) {
		struct mlv_statement st = mlv_failure_begin(t, "faulthandler-timeout",
							    MLV_FINDING_ERROR, text, line->number);
		return rc ? rc : mlv_failure_tell(f, t, &st, err);
	}
	return rc ? rc : mlv_failure_intern(t, text, &f->cause.text, err);
}

/* "Current thread 0x00007f… (most recent call first):" */
enum mlv_rc mlv_failure_thread(struct mlv_failures *f, struct mlv_text *t,
			       const struct mlv_line *line, size_t at, bool *mine,
			       struct mlv_err *err)
{
	struct mlv_str text = mlv_str_trim(mlv_str_from(line->text, at)), s = text, id, name;
	int64_t n;
	bool current = mlv_scan(&s, "Current thread ");
	if (!current && !mlv_scan(&s, "Thread "))
		return MLV_OK;
	if (mlv_scan_int(&s, &n) && mlv_scan(&s, " (Thread 0x"))
		return mlv_failure_gdb_thread(f, t, text, line->number, err);
	s = mlv_str_from(text, current ? strlen("Current thread ") : strlen("Thread "));
	if (!mlv_scan_hex(&s, &id) || !mlv_scan_to(&s, "(most recent call first):", &name) || s.n)
		return MLV_OK;
	enum mlv_rc rc = mlv_failure_stack_close(f, t, err);
	if (!rc)
		rc = mlv_failure_stack_open(f, MLV_STACK_PYTHON, line->number, err);
	if (rc)
		return rc;
	*mine = true;
	f->stack.current = current;
	f->stack.fatal = f->cause.text.i && !f->cause.told;
	/* Which thread it is differs from rank to rank; what it does need not. */
	name = mlv_str_trim(name);
	if (name.n > 2 && name.p[0] == '[')
		name = mlv_str_head(mlv_str_from(name, 1), name.n - 2);
	rc = mlv_failure_intern(t, name.n ? name : MLV_STR("stack of a thread"), &f->stack.title,
				err);
	return rc ? rc : mlv_failure_intern(t, id, &f->stack.thread, err);
}

/* `  File "x.py", line 12 in f`, without the comma of a traceback */
enum mlv_rc mlv_failure_faulthandler_line(struct mlv_failures *f, struct mlv_text *t,
					  struct mlv_str text, bool *mine, struct mlv_err *err)
{
	struct mlv_failure_stack *s = &f->stack;
	struct mlv_str rest = text, file;
	int64_t line;
	*mine = true;
	if (mlv_scan(&rest, "  File \"") && mlv_scan_to(&rest, "\", line ", &file) &&
	    mlv_scan_int(&rest, &line) && line <= INT32_MAX && mlv_scan(&rest, " in "))
		return mlv_failure_stack_push(s, t, mlv_str_trim(rest), file, (uint32_t)line, err);
	rest = text;
	if (mlv_scan(&rest, "  <no Python frame>") || mlv_scan(&rest, "  ..."))
		return MLV_OK;
	*mine = false;
	return mlv_failure_stack_close(f, t, err);
}
