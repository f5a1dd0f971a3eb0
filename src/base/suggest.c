/* SPDX-License-Identifier: MIT */
#include "base/suggest.h"

#include <limits.h>
#include <string.h>

enum { WORD_MAX = 63 };

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static unsigned min(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Optimal string alignment; three rows suffice since a swap looks two rows back. */
unsigned mlv_edit_distance(const char *a, const char *b)
{
	unsigned rows[3][WORD_MAX + 1];
	size_t na = strlen(a), nb = strlen(b);
	if (na > WORD_MAX || nb > WORD_MAX)
		return UINT_MAX;
	for (size_t j = 0; j <= nb; j++)
		rows[0][j] = (unsigned)j;
	for (size_t i = 1; i <= na; i++) {
		unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3], *two = rows[(i + 1) % 3];
		row[0] = (unsigned)i;
		for (size_t j = 1; j <= nb; j++) {
			unsigned differs = lower(a[i - 1]) != lower(b[j - 1]);
			row[j] = min(above[j - 1] + differs, min(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
			    lower(a[i - 2]) == lower(b[j - 1]))
				row[j] = min(row[j], two[j - 2] + 1);
		}
	}
	return rows[na % 3][nb];
}

struct mlv_suggestion mlv_suggest_for(const char *word)
{
	return (struct mlv_suggestion){ word, NULL, UINT_MAX };
}

void mlv_suggest_try(struct mlv_suggestion *s, const char *candidate)
{
	size_t n = strlen(s->word);
	unsigned distance = mlv_edit_distance(s->word, candidate);
	unsigned near = n <= 3 ? 1 : n <= 6 ? 2 : 3;
	if (n >= 2 && strncmp(s->word, candidate, n) == 0)
		distance = 1;
	/* At least one letter must have been right. */
	if (distance <= near && distance < n && distance < s->distance) {
		s->best = candidate;
		s->distance = distance;
	}
}
