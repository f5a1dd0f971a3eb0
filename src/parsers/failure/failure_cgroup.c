/* SPDX-License-Identifier: MIT */
/* The memory counters of a cgroup, as files of the kernel hold them and shells print them. */
#include <string.h>

#include "parsers/add.h"
#include "parsers/failure/failures.h"
#include "parsers/text/scan.h"

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
enum mlv_rc mlv_failure_cgroup_end(struct mlv_failures *f, struct mlv_text *t, struct mlv_err *err)
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
			return mlv_failure_cgroup_end(f, t, err);
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
