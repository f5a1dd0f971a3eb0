/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_TIMELINE_PANELS_H
#define MLV_CLI_TIMELINE_PANELS_H
/* What `mlviz timeline` draws: a panel for each device of each input, with its analysis. */
#include "cli/load.h"
#include "render/memory_chart.h"
#include "replay/counters.h"

struct mlv_panels_options {
	enum mlv_class_kind color;
	int64_t device;        /* -1 = all */
	const char *from, *to; /* event number or time from the start; NULL = all */
	const char *user_path; /* NULL = the standard rule */
	bool spans_elsewhere;  /* inputs that hold spans alone are no errors */
};

/* Owns what a panel borrows. */
struct mlv_panel_data {
	const struct mlv_input *input;
	uint32_t ordinal;
	struct mlv_history history;
	struct mlv_classes classes;
	struct mlv_diags checks;
	struct mlv_counting counting; /* runs beside the drawing */
	char title[320];
};

struct mlv_panels {
	struct mlv_panel_data *data;
	struct mlv_memory_panel *list;
	size_t count, cap;
	bool by_time;            /* drawn over time instead of events */
	struct mlv_sites *sites; /* one for each input */
	size_t sites_count;
	const char *prefixes[1];
};

/*
 * Analyse all devices of all inputs. Inputs without any are reported as
 * errors (their exit code goes to in->exit_code) and the others go on.
 */
enum mlv_rc mlv_panels_init(struct mlv_panels *p, struct mlv_inputs *in,
			    const struct mlv_panels_options *options, struct mlv_err *err);
/* Put what was counted meanwhile into the panels: to be called before their words are written. */
enum mlv_rc mlv_panels_counted(struct mlv_panels *p, struct mlv_err *err);
void mlv_panels_fini(struct mlv_panels *p);

#endif
