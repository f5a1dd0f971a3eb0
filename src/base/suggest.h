/* SPDX-License-Identifier: MIT */
#ifndef MLV_BASE_SUGGEST_H
#define MLV_BASE_SUGGEST_H
/*
 * "Did you mean …?": offer candidates one by one, the nearest is kept. Near is
 * a small edit distance (insertions, deletions, substitutions, swapped
 * neighbours; ASCII case does not count) or a beginning of the candidate.
 */

struct mlv_suggestion {
	const char *word;
	const char *best; /* NULL while nothing is near */
	unsigned distance;
};

struct mlv_suggestion mlv_suggest_for(const char *word);
void mlv_suggest_try(struct mlv_suggestion *s, const char *candidate);

/* Words longer than 63 bytes are far from everything (UINT_MAX). */
unsigned mlv_edit_distance(const char *a, const char *b);

#endif
