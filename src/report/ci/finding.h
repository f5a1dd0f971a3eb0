/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_CI_FINDING_H
#define MLV_REPORT_CI_FINDING_H
/*
 * The findings of `mlviz report`: one model that feeds every sink (page,
 * Markdown, JSON, JUnit, SARIF). What a report itself states (struct
 * mlv_finding of the model) becomes one of them; so do verdicts, differences
 * from the baseline, and budgets that were passed. The list owns all texts.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "report/ci/rule.h"

/* A line of the user's program. */
struct mlv_ci_place {
	const char *function; /* "" where it is not known */
	const char *file;     /* as recorded; NULL: the finding has no place */
	uint32_t line;        /* 1-based; 0: not known */
};

struct mlv_ci_finding {
	const struct mlv_rule *rule;
	enum mlv_finding_severity severity;
	const char *message; /* one sentence with its figures, without a full stop, no markup */
	/*
	 * What it is about, without figures, addresses, ranks or paths of a machine: the same in
	 * the next run. With the rule it makes the fingerprint.
	 */
	const char *subject;
	const char *ranks;  /* "0, 2-3"; "": not of some ranks */
	const char *metric; /* "growth", "reserved_peak"; NULL: it measures nothing */
	const char *unit;   /* "B", "ns", "%", "": a number; NULL with metric NULL */
	bool has_actual, has_limit;
	double actual, limit;
	struct mlv_ci_place place;
	const char *input;   /* the file that shows it, as the report names it; NULL: several */
	uint32_t input_line; /* in a text; 0: none */
	const char *picture; /* stem of pictures that show it: "rank0-timeline"; NULL */
	MLV_VEC(const char *) details; /* evidence and response, a sentence each */
	double weight;                 /* among findings of one rule: the largest first */
	uint64_t fingerprint;          /* set by mlv_ci_findings_sort */
};

struct mlv_ci_findings {
	MLV_VEC(struct mlv_ci_finding) list;
	struct mlv_arena texts;
	bool failed; /* memory ran out: the list is not to be used */
};

void mlv_ci_findings_init(struct mlv_ci_findings *f);
void mlv_ci_findings_fini(struct mlv_ci_findings *f);

/*
 * Add one of that rule, with its severity and nothing else; it stays valid
 * until the next is added. NULL when memory runs out, which `failed` keeps.
 */
struct mlv_ci_finding *mlv_ci_finding_add(struct mlv_ci_findings *f, const char *rule);

/* A text that the list owns; "" when memory runs out, which `failed` keeps. */
const char *mlv_ci_text(struct mlv_ci_findings *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Add a sentence to the details of one. */
void mlv_ci_detail(struct mlv_ci_findings *f, struct mlv_ci_finding *one, const char *text);

/*
 * The most important first: by severity, then by the order of the rules (what
 * grows outranks what differs), then by weight. Sets the fingerprints, which
 * differ from each other within a list: equal ones are numbered.
 */
void mlv_ci_findings_sort(struct mlv_ci_findings *f);

#endif
