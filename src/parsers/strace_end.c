/* SPDX-License-Identifier: MIT */
/* What is said about a log as a whole: its clock, and what is missing from it. */
#include <stdio.h>
#include <string.h>

#include "parsers/strace_state.h"

bool mlv_strace_properties(struct mlv_strace *st)
{
	static const char *const clocks[] = { "none", "time of day", "unix", "relative" };
	const char *clock = clocks[st->clock];
	char stamp[32];
	bool ok = mlv_run_property_text(st->run, "strace", "clock",
					(struct mlv_str){ clock, strlen(clock) });
	if (ok && st->clock == MLV_STRACE_DAY) {
		int64_t s = st->first_ns / 1000000000;
		int n = snprintf(stamp, sizeof(stamp), "%02d:%02d:%02d.%09d", (int)(s / 3600),
				 (int)(s / 60 % 60), (int)(s % 60),
				 (int)(st->first_ns % 1000000000));
		ok = mlv_run_property_text(st->run, "strace", "first time",
					   (struct mlv_str){ stamp, (size_t)n });
	}
	const char *durations = st->durations ? "measured" : "not measured";
	return ok && mlv_run_property_text(st->run, "strace", "durations",
					   (struct mlv_str){ durations, strlen(durations) });
}

void mlv_strace_say(struct mlv_strace *st)
{
	struct mlv_diags *d = &st->run->diags;
	if (st->cut)
		mlv_diag_add(d, MLV_DAMAGE, "strace-line-cut", MLV_NO_OFFSET,
			     "%llu call%s whose line ends early, the first at line %u",
			     (unsigned long long)st->cut, st->cut == 1 ? "" : "s", st->cut_line);
	if (st->foreign && st->foreign < st->lines)
		mlv_diag_add(d, MLV_NOTE, "strace-other-lines", MLV_NO_OFFSET,
			     "%llu line%s between those of strace, the first at line %u, %s not "
			     "its own",
			     (unsigned long long)st->foreign, st->foreign == 1 ? "" : "s",
			     st->foreign_line, st->foreign == 1 ? "is" : "are");
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
