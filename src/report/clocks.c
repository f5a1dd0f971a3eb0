/* SPDX-License-Identifier: MIT */
#include "report/clocks.h"

#include <stdio.h>

#include "base/num.h"

void mlv_clocks_in_words(const struct mlv_clocks *c, char *buf, size_t size)
{
	char near[MLV_NUM_SIZE], all[MLV_NUM_SIZE], median[MLV_NUM_SIZE], within[MLV_NUM_SIZE];
	mlv_fmt_count(near, sizeof(near), c->near);
	mlv_fmt_count_of(all, sizeof(all), c->compared, "allocation", "allocations");
	mlv_fmt_duration(median, sizeof(median), c->median_ns);
	mlv_fmt_duration(within, sizeof(within), MLV_CLOCKS_NEAR);
	switch (c->state) {
	case MLV_CLOCKS_AGREE:
		snprintf(buf, size,
			 "the clocks agree: %s of %s that both recorded lie within %s, the median "
			 "is %s apart",
			 near, all, within, median);
		return;
	case MLV_CLOCKS_STATED:
		snprintf(buf, size,
			 "both state the time of day; nothing that both recorded shows that their "
			 "clocks agree");
		return;
	case MLV_CLOCKS_APART:
		snprintf(buf, size, "they were recorded at different times");
		return;
	case MLV_CLOCKS_DIFFER:
		snprintf(buf, size,
			 "the clocks differ: %s of %s that both recorded lie within %s, the median "
			 "is %s apart",
			 near, all, within, median);
		return;
	case MLV_CLOCKS_UNKNOWN:
		break;
	}
	snprintf(buf, size,
		 "at least one of them counts time from a moment that only its recorder knew");
}
