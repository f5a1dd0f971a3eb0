/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_CI_OBSERVATION_H
#define MLV_REPORT_CI_OBSERVATION_H
/*
 * What was seen in one input or on one rank. Observations of several ranks
 * that are of one thing become one finding, with the value of each rank: that
 * is what a reader wants, and what keeps a job of a thousand ranks readable.
 */
#include "base/vec.h"
#include "report/ci/finding.h"

struct mlv_observation {
	const char *rule;
	enum mlv_finding_severity severity;
	const char *subject; /* as of a finding */
	const char *group;   /* ranks whose subject and this are equal are one; NULL: the head */
	const char *head;    /* the sentence without what differs between ranks */
	const char *value;   /* that: "31.3 MiB a step"; "": nothing */
	int64_t rank;        /* -1: unknown, or not of one */
	const char *ranks;   /* of an observation that is of several at once; NULL */
	const char *metric, *unit;
	bool has_actual;
	double actual;
	double weight;
	struct mlv_ci_place place;
	const char *input;
	uint32_t input_line;
	const char *picture;
	MLV_VEC(const char *) details;
	/* Of a failed request, to know it again in a text: what was asked for, and from the device
	 * for it; 0: not known. */
	double bytes, from_device;
	bool stated;  /* by the input in words, not found out by an analysis */
	bool of_hang; /* what ranks say when a collective does not end */
	bool dropped; /* another one says it */
};

struct mlv_observations {
	MLV_VEC(struct mlv_observation) list;
};

struct mlv_report;

/* Add one of that rule about `subject`; it stays valid until the next is added. NULL when memory
 * runs out. */
struct mlv_observation *mlv_observe(struct mlv_report *r, const char *rule, const char *subject);
void mlv_observation_detail(struct mlv_report *r, struct mlv_observation *o, const char *text);
void mlv_observations_fini(struct mlv_observations *o);

/* Findings of them: those of one rule, subject and sentence are one. Sorts them. */
void mlv_observations_settle(struct mlv_report *r);

/* "0, 2-3" of ascending ranks, each once, into the report's texts. */
const char *mlv_report_ranks_text(struct mlv_report *r, const int64_t *ranks, size_t n);

#endif
