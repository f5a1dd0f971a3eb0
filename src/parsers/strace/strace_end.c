/* SPDX-License-Identifier: MIT */
/* The end of a log: what is said about it as a whole, its clock and what is missing from it. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "parsers/strace/strace_state.h"

static bool properties(struct mlv_strace *st)
{
	static const char *const clocks[] = { "none", "time of day", "unix", "relative" };
	const char *clock = clocks[st->clock];
	char stamp[32];
	bool ok = mlv_run_property_text(st->run, "strace", "clock", mlv_str_of(clock));
	if (ok && st->clock == MLV_STRACE_DAY) {
		int64_t s = st->first_ns / 1000000000;
		int n = snprintf(stamp, sizeof(stamp), "%02d:%02d:%02d.%09d", (int)(s / 3600),
				 (int)(s / 60 % 60), (int)(s % 60),
				 (int)(st->first_ns % 1000000000));
		ok = mlv_run_property_text(st->run, "strace", "first time",
					   (struct mlv_str){ stamp, (size_t)n });
	}
	const char *durations = st->durations ? "measured" : "not measured";
	return ok && mlv_run_property_text(st->run, "strace", "durations", mlv_str_of(durations));
}

/* At the first of `n` lines: "FILE: the first of 12 calls whose line ends early". */
static void say_line(struct mlv_strace *st, enum mlv_severity severity, const char *code,
		     uint64_t n, uint32_t line, const char *file, const char *one, const char *many)
{
	const char *gap = file ? ": " : "";
	file = file ? file : "";
	if (n == 1)
		mlv_diag_add_line(&st->run->diags, severity, code, line, "%s%s%s", file, gap, one);
	else if (n)
		mlv_diag_add_line(&st->run->diags, severity, code, line,
				  "%s%sthe first of %" PRIu64 " %s", file, gap, n, many);
}

static void say(struct mlv_strace *st)
{
	struct mlv_diags *d = &st->run->diags;
	say_line(st, MLV_DAMAGE, "strace-line-cut", st->cut, st->cut_line, st->cut_file,
		 "a call whose line ends early", "calls whose line ends early");
	if (st->foreign < st->lines)
		say_line(st, MLV_NOTE, "strace-other-lines", st->foreign, st->foreign_line,
			 st->foreign_file, "a line between those of strace that is not its own",
			 "lines between those of strace that are not its own");
	if (st->overlap)
		mlv_diag_add(d, MLV_NOTE, "strace-began-before", MLV_NO_OFFSET,
			     "%llu call%s began before the log", (unsigned long long)st->overlap,
			     st->overlap == 1 ? "" : "s");
	if (st->heap.unknown)
		mlv_diag_add(d, MLV_NOTE, "strace-unmap-unknown", MLV_NO_OFFSET,
			     "%llu range%s unmapped that the log does not show mapped; left out of "
			     "the memory history",
			     (unsigned long long)st->heap.unknown,
			     st->heap.unknown == 1 ? " was" : "s were");
	if (st->heap.unknown_inherited)
		mlv_diag_add(d, MLV_NOTE, "strace-unmap-inherited", MLV_NO_OFFSET,
			     "%llu range%s unmapped that a child process had from its parent; left "
			     "out of the memory history",
			     (unsigned long long)st->heap.unknown_inherited,
			     st->heap.unknown_inherited == 1 ? " was" : "s were");
	if (st->forked_spaces)
		mlv_diag_add(d, MLV_NOTE, "strace-fork-copy", MLV_NO_OFFSET,
			     "%llu child process%s began with a copy of the parent's memory, which "
			     "the child's memory history leaves out",
			     (unsigned long long)st->forked_spaces,
			     st->forked_spaces == 1 ? "" : "es");
	if (!st->work)
		mlv_diag_add(d, MLV_WARNING, "strace-tables-large", MLV_NO_OFFSET,
			     "too many large tables of descriptors or mappings were copied; later "
			     "copies begin empty");
}

enum mlv_rc mlv_strace_finish(struct mlv_strace *st, struct mlv_text *t, struct mlv_err *err)
{
	mlv_trackid parent = MLV_TRACK_NONE;
	enum mlv_rc rc = mlv_strace_frames_end(st) ? MLV_OK : mlv_err_nomem(err);
	for (uint32_t i = 0; !rc && i < st->tasks.len; i++)
		rc = mlv_strace_abandon(st, i, err);
	if (rc)
		return rc;
	if ((t->rank >= 0 &&
	     !mlv_run_track(t->run, MLV_TRACK_RANK, MLV_TRACK_NONE, t->rank, &parent)) ||
	    !mlv_strace_tracks(st, parent) || !properties(st))
		return mlv_err_nomem(err);
	say(st);
	return mlv_strace_devices(st, parent, err);
}

void mlv_strace_fini(struct mlv_strace *st)
{
	mlv_strace_tasks_fini(st);
	mlv_vec_free(&st->span_ids);
	mlv_vec_free(&st->span_tasks);
	mlv_vec_free(&st->nameless);
	mlv_vec_free(&st->last.frames);
	mlv_buf_fini(&st->text);
	mlv_buf_fini(&st->args);
	mlv_buf_fini(&st->open.text);
}
