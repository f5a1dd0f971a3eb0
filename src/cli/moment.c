/* SPDX-License-Identifier: MIT */
#include "cli/moment.h"

#include <stdlib.h>
#include <string.h>

#include "replay/postmortem.h"

enum mlv_rc mlv_moment_of(const struct mlv_history *h, const char *at, int64_t *event,
			  struct mlv_err *err)
{
	int64_t last = (int64_t)h->count - 1;
	if (strcmp(at, "start") == 0) {
		*event = -1;
	} else if (strcmp(at, "end") == 0) {
		*event = last;
	} else if (strcmp(at, "peak") == 0) {
		*event = h->requested.peak_event;
	} else if (strcmp(at, "oom") == 0) {
		*event = mlv_oom_event(h, 0);
		if (*event < 0)
			return mlv_err_set(err, MLV_E_USAGE,
					   "--at oom: no request failed in this recording");
	} else {
		char *end;
		unsigned long long n = strtoull(at, &end, 10);
		if (*end || !mlv_is_digit(*at))
			return mlv_err_set(err, MLV_E_USAGE,
					   "--at takes peak, oom, end, start or an event number, "
					   "not '%.40s'",
					   at);
		*event = n < h->count ? (int64_t)n : last;
	}
	return MLV_OK;
}
