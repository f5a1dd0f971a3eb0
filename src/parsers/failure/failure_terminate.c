/* SPDX-License-Identifier: MIT */
/* C++ exceptions that nobody caught: what terminate() and c10 print, with the frames of c10. */
#include <string.h>

#include "parsers/failure/failure_stack.h"
#include "parsers/failure/native_frame.h"
#include "parsers/text/scan.h"

/* "terminate called after throwing an instance of 'c10::DistBackendError'" */
enum mlv_rc mlv_failure_terminate(struct mlv_failures *f, struct mlv_text *t,
				  const struct mlv_line *line, size_t at, bool *mine,
				  struct mlv_err *err)
{
	struct mlv_str text = mlv_str_trim(mlv_str_from(line->text, at)), s = text, name;
	if (!mlv_scan_to(&s, "instance of '", NULL) || !mlv_scan_to(&s, "'", &name))
		return MLV_OK;
	enum mlv_rc rc = mlv_failure_stack_close(f, t, err);
	if (!rc)
		rc = mlv_failure_stack_open(f, MLV_STACK_NATIVE, line->number, err);
	*mine = true;
	if (!rc)
		rc = mlv_failure_intern(t, text, &f->stack.title, err);
	return rc ? rc : mlv_failure_intern(t, name, &f->stack.exception, err);
}

/* "  what():  …", "Exception raised from f at x.cpp:12 (most recent call first):", frames */
enum mlv_rc mlv_failure_terminate_line(struct mlv_failures *f, struct mlv_text *t,
				       struct mlv_str text, bool *mine, struct mlv_err *err)
{
	struct mlv_failure_stack *s = &f->stack;
	struct mlv_str rest = mlv_str_trim(text), place, file;
	struct mlv_native_frame frame;
	uint32_t line;
	*mine = true;
	if (mlv_scan(&rest, "what():")) {
		char whole[2000];
		struct mlv_str title = mlv_str_head(mlv_run_str(t->run, s->title), 400);
		struct mlv_str what = mlv_str_head(mlv_str_trim(rest), 1500);
		memcpy(whole, title.p, title.n);
		memcpy(whole + title.n, ": ", 2);
		memcpy(whole + title.n + 2, what.p, what.n);
		return mlv_failure_intern(t, (struct mlv_str){ whole, title.n + 2 + what.n },
					  &s->title, err);
	}
	if (!s->count && mlv_scan(&rest, "Exception raised from ") &&
	    mlv_scan_to(&rest, " at ", NULL) && mlv_scan_to(&rest, " (most recent", &place)) {
		if (mlv_scan_place(place, &file, &line)) {
			s->file_line = line;
			return mlv_failure_intern(t, file, &s->file, err);
		}
		return MLV_OK;
	}
	rest = mlv_str_trim(text);
	if (mlv_c10_frame(rest, s->count, &frame))
		return mlv_failure_stack_push(s, t, frame.function, frame.file, frame.line, err);
	*mine = false;
	return s->count || !rest.n ? mlv_failure_stack_close(f, t, err) : MLV_OK;
}
