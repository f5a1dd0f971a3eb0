/* SPDX-License-Identifier: MIT */
#include "parsers/timing/gnu_time_ending.h"

#include "parsers/text/scan.h"

/* "/usr/bin/time: cannot run x: No such file or directory" */
static bool is_not_run(struct mlv_str s)
{
	struct mlv_str rest = s;
	while (rest.n && rest.p[0] != ':' && rest.p[0] != ' ')
		mlv_scan_skip(&rest, 1);
	struct mlv_str program = { s.p, (size_t)(rest.p - s.p) };
	return mlv_str_has_suffix(program, MLV_STR("time")) && mlv_scan(&rest, ": cannot run ");
}

enum mlv_rc mlv_time_ending_read(struct mlv_text *t, struct mlv_str text, uint32_t line,
				 struct mlv_time_ending *e, struct mlv_err *err)
{
	struct mlv_str rest = text;
	struct mlv_time_ending found = { .line = line };
	e->how = MLV_ENDING_NOT_SAID;
	if (mlv_scan(&rest, "Command exited with non-zero status "))
		found.how = MLV_ENDING_EXITED;
	else if (mlv_scan(&rest, "Command terminated by signal "))
		found.how = MLV_ENDING_TERMINATED;
	else if (mlv_scan(&rest, "Command stopped by signal "))
		found.how = MLV_ENDING_STOPPED;
	else if (is_not_run(text))
		found.how = MLV_ENDING_NOT_RUN;
	if (!found.how ||
	    (found.how != MLV_ENDING_NOT_RUN && (!mlv_scan_int(&rest, &found.number) || rest.n)))
		return MLV_OK;
	if (!mlv_run_intern(t->run, text, &found.text))
		return mlv_err_nomem(err);
	*e = found;
	return MLV_OK;
}

enum mlv_rc mlv_time_ending_say(struct mlv_time_ending *e, struct mlv_text *t,
				struct mlv_str command, struct mlv_err *err)
{
	static const struct {
		const char *code, *key;
	} names[] = { [MLV_ENDING_EXITED] = { "exit-status", "status" },
		      [MLV_ENDING_TERMINATED] = { "signal", "signal" },
		      [MLV_ENDING_STOPPED] = { "stopped", "signal" },
		      [MLV_ENDING_NOT_RUN] = { "not-run", NULL } };
	if (!e->how)
		return MLV_OK;
	struct mlv_found f = { .severity = MLV_FINDING_ERROR,
			       .code = names[e->how].code,
			       .text = mlv_run_str(t->run, e->text),
			       .command = command,
			       .key = names[e->how].key,
			       .number = e->number,
			       .line = e->line,
			       .rank = t->rank };
	e->how = MLV_ENDING_NOT_SAID;
	return mlv_add_found(mlv_text_add(t), &f, err);
}

enum mlv_rc mlv_time_status_say(struct mlv_text *t, int64_t status, struct mlv_str command,
				uint32_t line, struct mlv_err *err)
{
	struct mlv_found f = { .severity = MLV_FINDING_ERROR,
			       .code = "exit-status",
			       .text = MLV_STR_INIT("Command exited with non-zero status"),
			       .command = command,
			       .key = "status",
			       .number = status,
			       .line = line,
			       .rank = t->rank };
	return mlv_add_found(mlv_text_add(t), &f, err);
}
