/* SPDX-License-Identifier: MIT */
#include "report/ci/cards.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"

enum { DETAILS_MOST = 5 };

static enum mlv_report_state state_of(enum mlv_finding_severity s)
{
	return s == MLV_FINDING_ERROR     ? MLV_REPORT_ERROR
	       : s == MLV_FINDING_WARNING ? MLV_REPORT_WARNING
					  : MLV_REPORT_GOOD;
}

static struct mlv_report_card *add(struct mlv_report *r, const char *id, const char *title)
{
	struct mlv_report_card c = {
		.id = id, .title = title, .headline = "", .state = MLV_REPORT_GOOD
	};
	if (!mlv_vec_push(&r->cards, c)) {
		r->failed = true;
		return NULL;
	}
	return &r->cards.data[r->cards.len - 1];
}

static void detail(struct mlv_report *r, struct mlv_report_card *c, const char *text)
{
	if (*text && c->details.len < DETAILS_MOST)
		r->failed |= !mlv_vec_push(&c->details, text);
}

/* The first finding of a rule; NULL. Counts all of them. */
static const struct mlv_ci_finding *first_of(const struct mlv_report *r, const char *rule,
					     size_t *count)
{
	const struct mlv_ci_finding *first = NULL;
	size_t n = 0;
	for (size_t i = 0; i < r->findings.list.len; i++) {
		const struct mlv_ci_finding *f = &r->findings.list.data[i];
		if (strcmp(f->rule->id, rule) != 0)
			continue;
		first = first ? first : f;
		n++;
	}
	if (count)
		*count = n;
	return first;
}

/* "at gen_run.py:32 in step" */
static const char *place_text(struct mlv_report *r, const struct mlv_ci_place *p)
{
	struct mlv_str file = mlv_str_basename(mlv_str_of(p->file));
	char line[16] = "";
	if (p->line)
		snprintf(line, sizeof(line), ":%" PRIu32, p->line);
	return mlv_report_say(r, "at %.*s%s%s%s", file.n > 200 ? 200 : (int)file.n, file.p, line,
			      *p->function ? " in " : "", p->function);
}

/* The card says what the first finding of the rule says, and how it comes. */
static bool tell(struct mlv_report *r, struct mlv_report_card *c, const char *rule)
{
	size_t n;
	const struct mlv_ci_finding *f = first_of(r, rule, &n);
	if (!f)
		return false;
	enum mlv_report_state s = state_of(f->severity);
	c->state = s > c->state ? s : c->state;
	c->headline = f->message;
	c->picture = f->picture;
	if (f->place.file)
		detail(r, c, place_text(r, &f->place));
	for (size_t i = 0; i < f->details.len; i++)
		detail(r, c, f->details.data[i]);
	if (n > 1)
		detail(r, c, mlv_report_say(r, "and %zu more findings of this kind", n - 1));
	return true;
}

static const char *bytes(char *buf, int64_t n)
{
	return mlv_fmt_bytes(buf, MLV_NUM_SIZE, (uint64_t)n);
}

/* What a rank needs, by the best figure that is known of it. */
static int64_t need(const struct mlv_report_rank *k)
{
	return k->requested_peak >= 0 ? k->requested_peak : k->allocated_peak;
}

static const struct mlv_report_rank *neediest(const struct mlv_report *r)
{
	const struct mlv_report_rank *most = NULL;
	for (size_t i = 0; i < r->ranks.len; i++) {
		const struct mlv_report_rank *k = &r->ranks.data[i];
		if (need(k) >= 0 && (!most || need(k) > need(most)))
			most = k;
	}
	return most;
}

static const char *peak_text(struct mlv_report *r, const struct mlv_report_rank *k)
{
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE];
	const char *what = k->requested_peak >= 0 ? "requested" : "allocated";
	if (k->reserved_peak >= 0)
		return mlv_report_say(r, "peak %s %s, %s reserved, on %s", bytes(a, need(k)), what,
				      bytes(b, k->reserved_peak), k->label);
	return mlv_report_say(r, "peak %s %s, on %s", bytes(a, need(k)), what, k->label);
}

static void card_memory(struct mlv_report *r)
{
	const struct mlv_report_rank *k = neediest(r);
	char text[MLV_NUM_SIZE];
	if (!k)
		return;
	struct mlv_report_card *c = add(r, "memory", "Memory");
	if (!c)
		return;
	const char *peak = peak_text(r, k);
	if (tell(r, c, "memory-growth")) {
		memmove(c->details.data + 1, c->details.data,
			(c->details.len - 1) * sizeof(*c->details.data));
		c->details.data[0] = peak;
	} else {
		c->headline = peak;
		if (k->capacity > 0)
			detail(r, c,
			       mlv_report_say(r, "the device has %s", bytes(text, k->capacity)));
		detail(r, c,
		       !k->judged || k->growth == MLV_GROWTH_UNKNOWN
			       ? "whether it grows from step to step is not known"
			       : mlv_report_say(r,
						"it does not grow from step to step (%s, %s "
						"confidence, %" PRId64 " steps)",
						mlv_growth_name(k->growth),
						mlv_confidence_name(k->confidence), k->steps));
	}
	if (k->top.len)
		detail(r, c,
		       mlv_report_say(r, "the largest part of the peak: %s, %s%s%s",
				      bytes(text, (int64_t)k->top.data[0].bytes),
				      k->top.data[0].function, *k->top.data[0].place ? " " : "",
				      k->top.data[0].place));
	const struct mlv_ci_finding *f = first_of(r, "imbalance", NULL);
	if (f)
		detail(r, c, f->message);
}

static void card_oom(struct mlv_report *r)
{
	struct mlv_report_card *c = r->ranks.len || first_of(r, "out-of-memory", NULL)
					    ? add(r, "oom", "Out of memory")
					    : NULL;
	if (c && !tell(r, c, "out-of-memory"))
		c->headline = "no request for device memory failed";
}

static void card_fragmentation(struct mlv_report *r)
{
	const struct mlv_report_rank *worst = NULL;
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE];
	for (size_t i = 0; i < r->ranks.len; i++) {
		const struct mlv_report_rank *k = &r->ranks.data[i];
		if (k->idle_bytes >= 0 && k->reserved_peak > 0 &&
		    (!worst || k->idle_bytes > worst->idle_bytes))
			worst = k;
	}
	if (!worst)
		return;
	struct mlv_report_card *c = add(r, "fragmentation", "Fragmentation");
	if (!c)
		return;
	if (tell(r, c, "fragmentation"))
		return;
	c->headline = mlv_report_say(r, "%s of the %s reserved at most were never allocated, on %s",
				     bytes(a, worst->idle_bytes), bytes(b, worst->reserved_peak),
				     worst->label);
	if (worst->retries > 0) {
		c->state = MLV_REPORT_WARNING;
		detail(r, c,
		       mlv_report_say(r,
				      "%" PRId64 " times cached memory had to be given back to "
				      "meet a request",
				      worst->retries));
	}
}

static void card_hang(struct mlv_report *r)
{
	struct mlv_report_card *c = r->has_hang ? add(r, "hang", "Collectives") : NULL;
	if (c && !tell(r, c, "hang"))
		c->headline = r->hang_headline;
}

static void card_stragglers(struct mlv_report *r)
{
	struct mlv_report_card *c = r->has_waits ? add(r, "stragglers", "Waiting") : NULL;
	if (!c)
		return;
	if (!tell(r, c, "straggler"))
		c->headline = r->waits_headline;
	for (size_t i = 0; i < r->waits_details.len; i++)
		detail(r, c, r->waits_details.data[i]);
}

static void card_change(struct mlv_report *r)
{
	struct mlv_report_card *c =
		r->baseline ? add(r, "change", "Change since the baseline") : NULL;
	if (!c)
		return;
	const struct mlv_ci_finding *f = first_of(r, "change", NULL);
	c->headline = f ? f->message : "nothing differs from the baseline";
	c->state = f ? state_of(f->severity) : MLV_REPORT_GOOD;
	c->picture = f ? f->picture : NULL;
	for (size_t i = 1; i < r->statements.len; i++)
		detail(r, c, r->statements.data[i].text);
}

static void card_errors(struct mlv_report *r)
{
	struct mlv_report_card *c = add(r, "errors", "Errors in logs");
	if (c && !tell(r, c, "failure") && !tell(r, c, "warning"))
		c->headline = "none is stated";
}

static const char *count_of(struct mlv_report *r, size_t n, const char *one, const char *many)
{
	char text[2 * MLV_NUM_SIZE];
	mlv_fmt_count_of(text, sizeof(text), n, one, many);
	return mlv_report_copy(r, mlv_str_of(text));
}

/* "run-base: nothing is wrong in 24 files of 4 ranks" */
static const char *good_headline(struct mlv_report *r)
{
	size_t ranks = 0;
	for (size_t i = 0; i < r->ranks.len; i++)
		ranks += r->ranks.data[i].rank >= 0 &&
			 (!i || r->ranks.data[i].rank != r->ranks.data[i - 1].rank);
	const char *files = count_of(r, r->inputs.len, "file", "files");
	if (ranks > 1)
		return mlv_report_say(r, "nothing wrong was found in %s of %s", files,
				      count_of(r, ranks, "rank", "ranks"));
	return mlv_report_say(r, "nothing wrong was found in %s", files);
}

/* Of what holds nothing, nothing is good. */
static bool holds_evidence(const struct mlv_report *r)
{
	bool any = r->has_hang || r->ranks.len;
	for (size_t i = 0; i < r->inputs.len; i++)
		any |= r->inputs.data[i].rows || r->inputs.data[i].speaks;
	return any;
}

/* Each budget counts once, on however many ranks it was held. */
static void card_budgets(struct mlv_report *r)
{
	const struct mlv_budget_results *b = r->budgets;
	size_t all = 0, failing = 0, failed_at = SIZE_MAX;
	if (!b || !b->list.len)
		return;
	struct mlv_report_card *c = add(r, "budgets", "Budgets");
	for (size_t i = 0; c && i < b->list.len; i++) {
		const struct mlv_budget_result *one = &b->list.data[i];
		all += !i || one->budget != one[-1].budget;
		/* Of each that fails, its first row; the table of budgets has all. */
		if (!one->fails || one->budget == failed_at)
			continue;
		failing++;
		failed_at = one->budget;
		c->picture = c->picture ? c->picture : one->picture;
		detail(r, c, mlv_report_say(r, "%s: %s", one->name, one->message));
	}
	if (!c)
		return;
	c->state = failing ? MLV_REPORT_ERROR : MLV_REPORT_GOOD;
	c->headline = failing ? mlv_report_say(r, "%zu of %s failed", failing,
					       count_of(r, all, "budget", "budgets"))
			      : mlv_report_say(r, "none of %s was passed",
					       count_of(r, all, "budget", "budgets"));
}

void mlv_report_conclude(struct mlv_report *r)
{
	const struct mlv_ci_finding *first =
		r->findings.list.len ? &r->findings.list.data[0] : NULL;
	r->state = first && state_of(first->severity) > MLV_REPORT_GOOD ? state_of(first->severity)
		   : holds_evidence(r)                                  ? MLV_REPORT_GOOD
									: MLV_REPORT_UNKNOWN;
	r->headline = r->state >= MLV_REPORT_WARNING ? first->message
		      : r->state == MLV_REPORT_GOOD  ? good_headline(r)
		      : r->inputs.len                ? "nothing that could be judged was recorded"
						     : "no report could be read";
	card_oom(r);
	card_hang(r);
	card_budgets(r);
	card_memory(r);
	card_fragmentation(r);
	card_stragglers(r);
	card_change(r);
	card_errors(r);
}
