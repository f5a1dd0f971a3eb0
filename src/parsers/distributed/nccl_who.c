/* SPDX-License-Identifier: MIT */
/*
 * Whose statement it is. Before it stand, as far as the version and the
 * launcher wrote them: "[default3]:" (the rank on its host), "[rank3]:" (the
 * global rank), "[E1218 20:27:21.426415540 ProcessGroupNCCL.cpp:629]", and
 * "[Rank 1]", "[PG 0 (default_pg) Rank 1]" or "[PG ID 0 PG GUID 0(default_pg)
 * Rank 1]", whose rank is that within the process group.
 */
#include "parsers/distributed/nccl_watchdog.h"

#include <string.h>

/* "[E1218 20:27:21.426415540 " up to the second blank; nothing where only the severity stands. */
static struct mlv_str time_of(struct mlv_str before)
{
	for (size_t i = 0; i + 8 < before.n; i++) {
		if (before.p[i] != '[' || !memchr("IWEF", before.p[i + 1], 4))
			continue;
		struct mlv_str rest = mlv_str_from(before, i + 2), day, clock;
		int64_t n;
		struct mlv_str digits = rest;
		if (!mlv_scan_int(&digits, &n) || !mlv_scan_word(&rest, &day) ||
		    !mlv_scan(&rest, " ") || !mlv_scan_word(&rest, &clock) || clock.n < 8 ||
		    clock.p[2] != ':' || digits.p != day.p + day.n)
			continue;
		return (struct mlv_str){ day.p, (size_t)(clock.p + clock.n - day.p) };
	}
	return MLV_STR("");
}

/* "0 (default_pg) ", "0(default_pg) ", "0 ": the name, and the description in parentheses. */
static void group_of(struct mlv_str s, struct mlv_nccl_who *who)
{
	ptrdiff_t open = mlv_str_find(s, "(");
	s = mlv_str_trim(s);
	who->group = mlv_str_trim(open < 0 ? s : mlv_str_head(s, (size_t)open));
	if (open >= 0 && s.n && s.p[s.n - 1] == ')')
		who->description = (struct mlv_str){ s.p + open + 1, s.n - (size_t)open - 2 };
}

/* The bracket that ends right before the statement. */
static void bracket(struct mlv_str before, struct mlv_nccl_who *who)
{
	struct mlv_str s = mlv_str_trim(before), number;
	ptrdiff_t at;
	int64_t n;
	if (!s.n || s.p[s.n - 1] != ']')
		return;
	s.n--;
	at = mlv_str_find_last(s, "Rank ");
	if (at < 0)
		return;
	number = mlv_str_from(s, (size_t)at + 5);
	if (!mlv_scan_int(&number, &n) || number.n)
		return;
	who->group_rank = n;
	s = mlv_str_head(s, (size_t)at);
	at = mlv_str_find_last(s, "[PG ");
	/* "[PG 3 Rank 5] … exception: [Rank 5] " has that of another statement further ahead. */
	if (at < 0 || mlv_str_find_last(s, "] ") > at)
		return;
	s = mlv_str_from(s, (size_t)at + 4);
	if (mlv_scan(&s, "ID ") && mlv_scan_int(&s, &n)) {
		who->pg_id = n;
		if (!mlv_scan(&s, " PG GUID "))
			return;
	}
	group_of(s, who);
}

static bool named_rank(struct mlv_str before, int64_t *rank)
{
	while (mlv_scan_to(&before, "[rank", NULL)) {
		struct mlv_str rest = before;
		if (mlv_scan_int(&rest, rank) && mlv_scan(&rest, "]"))
			return true;
	}
	return false;
}

struct mlv_nccl_who mlv_nccl_who(struct mlv_nccl *n, const struct mlv_text *t,
				 const struct mlv_line *line, struct mlv_str before)
{
	struct mlv_nccl_who who = { .rank = -1, .group_rank = -1, .pg_id = -1 };
	/* `before` lies within the line, whose prefix it may lack. */
	struct mlv_str whole = { line->raw.p, (size_t)(before.p + before.n - line->raw.p) };
	who.group = who.description = who.logged_at = MLV_STR("");
	bool local = mlv_str_has_prefix(line->raw, MLV_STR("[default"));
	bracket(before, &who);
	who.logged_at = time_of(whole);
	if (named_rank(whole, &who.rank)) {
		n->rank = who.rank;
		n->has_rank = true;
	} else if (local && n->has_rank) {
		/* "[default0]:" is of this host; the line before said which rank that is. */
		who.rank = n->rank;
	} else if (t->rank >= 0 && !(local && who.group_rank >= 0)) {
		who.rank = t->rank;
	} else {
		who.rank = who.group_rank;
	}
	return who;
}
