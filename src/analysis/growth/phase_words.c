/* SPDX-License-Identifier: MIT */
/* What programs call the phases of a training step. */
#include <string.h>

#include "analysis/growth/phases.h"

enum { WORD_BYTES = 64 };

/* Small letters, and one blank for whatever stands between words. */
static void simple(struct mlv_str label, char *out)
{
	size_t n = 0;
	for (size_t i = 0; i < label.n && n + 1 < WORD_BYTES; i++) {
		char c = label.p[i];
		if (c >= 'A' && c <= 'Z')
			c = (char)(c | 0x20);
		if (!(c >= 'a' && c <= 'z') && !mlv_is_digit(c))
			c = ' ';
		if (c == ' ' && (!n || out[n - 1] == ' '))
			continue;
		out[n++] = c;
	}
	while (n && out[n - 1] == ' ')
		n--;
	out[n] = '\0';
}

/* Each is matched as whole words, anywhere in a label; the first row that fits speaks. */
static const struct {
	const char *words;
	enum mlv_phase phase; /* that has ended, where the label does not say "before" */
} rows[] = {
	{ "optimizer creation", MLV_PHASE_OPTIMIZER_CREATION },
	{ "optimizer init", MLV_PHASE_OPTIMIZER_CREATION },
	{ "create optimizer", MLV_PHASE_OPTIMIZER_CREATION },
	{ "clear gradients", MLV_PHASE_CLEAR },
	{ "clear grads", MLV_PHASE_CLEAR },
	{ "zero grad", MLV_PHASE_CLEAR },
	{ "cleanup", MLV_PHASE_CLEAR },
	{ "optimizer step", MLV_PHASE_OPTIMIZER },
	{ "optim step", MLV_PHASE_OPTIMIZER },
	{ "forward", MLV_PHASE_FORWARD },
	{ "fwd", MLV_PHASE_FORWARD },
	{ "backward", MLV_PHASE_BACKWARD },
	{ "bwd", MLV_PHASE_BACKWARD },
	{ "optimizer", MLV_PHASE_OPTIMIZER },
	{ "step", MLV_PHASE_OPTIMIZER },
	{ "model", MLV_PHASE_MODEL },
	{ "input", MLV_PHASE_INPUT },
};

static bool has_words(const char *label, const char *words)
{
	size_t n = strlen(words);
	for (const char *at = strstr(label, words); at; at = strstr(at + 1, words)) {
		if ((at == label || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
			return true;
	}
	return false;
}

/* What has ended before the phase begins. */
static enum mlv_phase before(enum mlv_phase phase)
{
	switch (phase) {
	case MLV_PHASE_FORWARD:
		return MLV_PHASE_START;
	case MLV_PHASE_BACKWARD:
		return MLV_PHASE_FORWARD;
	case MLV_PHASE_OPTIMIZER:
		return MLV_PHASE_BACKWARD;
	case MLV_PHASE_CLEAR:
		return MLV_PHASE_OPTIMIZER;
	default:
		return MLV_PHASE_OTHER;
	}
}

enum mlv_phase mlv_phase_of(struct mlv_str label)
{
	char text[WORD_BYTES];
	simple(label, text);
	bool first = has_words(text, "before");
	/* A line that only says where it is, not that something has ended, is no such moment. */
	if (!first && !has_words(text, "after") && label.n)
		return MLV_PHASE_OTHER;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (has_words(text, rows[i].words))
			return first ? before(rows[i].phase) : rows[i].phase;
	}
	return MLV_PHASE_OTHER;
}

const char *mlv_phase_name(enum mlv_phase phase)
{
	static const char *const names[MLV_PHASES] = {
		"model",    "optimizer creation", "input",           "start", "forward",
		"backward", "optimizer step",     "clear gradients", "other",
	};
	return names[phase];
}
