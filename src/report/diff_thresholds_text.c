/* SPDX-License-Identifier: MIT */
/* Which thresholds were kept, passed, or could not be judged: in words and as JSON. */
#include <inttypes.h>
#include <string.h>

#include "report/diff_thresholds.h"

static const char *state_name(enum mlv_threshold_state s)
{
	static const char *const names[] = { "kept", "passed", "unknown", "within the spread" };
	return names[s];
}

/* All that are not kept, and how many are. */
void mlv_thresholds_text(const struct mlv_thresholds *t, struct mlv_buf *out)
{
	for (size_t i = 0; i < t->list.len; i++) {
		size_t kept = 0, all = 0;
		for (size_t k = 0; k < t->results.len; k++) {
			const struct mlv_threshold_result *r = &t->results.data[k];
			all += r->threshold == i;
			kept += r->threshold == i && r->state == MLV_THRESHOLD_KEPT;
		}
		mlv_buf_puts(out, "  threshold ");
		mlv_buf_safe(out, (struct mlv_str){ t->list.data[i].text,
						    strlen(t->list.data[i].text) });
		mlv_buf_printf(out, ": kept by %zu of %zu\n", kept, all);
		for (size_t k = 0; k < t->results.len; k++) {
			const struct mlv_threshold_result *r = &t->results.data[k];
			if (r->threshold != i || (r->state == MLV_THRESHOLD_KEPT && all > 1))
				continue;
			mlv_buf_printf(out, "    %s: ", state_name(r->state));
			mlv_buf_safe(out, (struct mlv_str){ r->subject, strlen(r->subject) });
			if (r->rank >= 0)
				mlv_buf_printf(out, ", rank %" PRId64, r->rank);
			mlv_buf_printf(out, ": %s%s%s\n", r->change,
				       r->change[0] && r->why[0] ? "; " : "", r->why);
		}
	}
}

void mlv_thresholds_json(const struct mlv_thresholds *t, struct mlv_json *j)
{
	mlv_json_key_array(j, "thresholds");
	for (size_t k = 0; k < t->results.len; k++) {
		const struct mlv_threshold_result *r = &t->results.data[k];
		mlv_json_object(j);
		mlv_json_key_text(j, "threshold", t->list.data[r->threshold].text);
		mlv_json_key_text(j, "state", state_name(r->state));
		mlv_json_key_text(j, "subject", r->subject);
		if (r->rank >= 0)
			mlv_json_key_int(j, "rank", r->rank);
		mlv_json_key_text(j, "change", r->change[0] ? r->change : NULL);
		if (r->why[0])
			mlv_json_key_text(j, "why", r->why);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}
