/* SPDX-License-Identifier: MIT */
#include "report/run_counters.h"

#include "analysis/memory_metrics.h"
#include "replay/counters.h"

static void set(struct mlv_run_counters *c, enum mlv_run_counter which, uint64_t bytes)
{
	c->known[which] = bytes <= INT64_MAX;
	c->value[which] = c->known[which] ? (int64_t)bytes : 0;
}

/* Of the only device that there is; several are not added up. */
static enum mlv_rc from_device(struct mlv_run_counters *c, const struct mlv_run *run, size_t device,
			       struct mlv_err *err)
{
	struct mlv_history h;
	struct mlv_counters counted;
	enum mlv_rc rc = mlv_history_init(&h, run, device, err);
	if (rc)
		return rc;
	rc = mlv_counters_of(&counted, &h, err);
	c->incomplete = !h.complete && h.device->bytes_are == MLV_BYTES_REQUESTED;
	if (!rc && h.device->bytes_are == MLV_BYTES_REQUESTED && h.count) {
		set(c, MLV_REQUESTED_PEAK, h.requested.peak);
		set(c, MLV_REQUESTED_END, h.requested.end);
		set(c, MLV_RESERVED_PEAK, h.reserved.peak);
		set(c, MLV_RESERVED_END, h.reserved.end);
	} else if (!rc && h.device->bytes_are == MLV_BYTES_ALLOCATED && h.count) {
		set(c, MLV_ALLOCATED_PEAK, h.requested.peak);
		set(c, MLV_ALLOCATED_END, h.requested.end);
	}
	if (!rc && counted.known) {
		set(c, MLV_ALLOCATED_PEAK, counted.stats.allocated_bytes.peak);
		set(c, MLV_ALLOCATED_END, counted.stats.allocated_bytes.now);
	}
	mlv_history_fini(&h);
	return rc;
}

/* memory_stats(): "allocated_bytes.all", "peak". */
static void from_metrics(struct mlv_run_counters *c, const struct mlv_run *run)
{
	static const struct {
		struct mlv_str subject;
		enum mlv_run_counter peak, end;
	} names[] = {
		{ MLV_STR_INIT("requested_bytes.all"), MLV_REQUESTED_PEAK, MLV_REQUESTED_END },
		{ MLV_STR_INIT("allocated_bytes.all"), MLV_ALLOCATED_PEAK, MLV_ALLOCATED_END },
		{ MLV_STR_INIT("reserved_bytes.all"), MLV_RESERVED_PEAK, MLV_RESERVED_END },
	};
	for (size_t i = 0; i < run->metrics.len; i++) {
		const struct mlv_metric *m = &run->metrics.data[i];
		struct mlv_str subject = mlv_run_str(run, m->subject);
		struct mlv_str metric = mlv_run_str(run, m->metric);
		bool peak = mlv_str_eq(metric, MLV_STR("peak"));
		int64_t bytes;
		if (!(peak || mlv_str_eq(metric, MLV_STR("current"))) ||
		    !mlv_decimal_bytes(m->value, &bytes) || bytes < 0)
			continue;
		for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
			if (mlv_str_eq(subject, names[k].subject))
				set(c, peak ? names[k].peak : names[k].end, (uint64_t)bytes);
		}
	}
}

/* Reports and logs: the most of all samples is what can be known of a peak. */
static void from_samples(struct mlv_run_counters *c, const struct mlv_run *run)
{
	for (size_t i = 0; i < run->samples.len; i++) {
		const struct mlv_sample *s = &run->samples.data[i];
		enum mlv_run_counter peak;
		int64_t bytes;
		switch (mlv_memory_metric_of(mlv_run_str(run, s->metric))) {
		case MLV_METRIC_PEAK_ALLOCATED:
			peak = MLV_ALLOCATED_PEAK;
			break;
		case MLV_METRIC_RESERVED:
		case MLV_METRIC_PEAK_RESERVED:
			peak = MLV_RESERVED_PEAK;
			break;
		default:
			continue;
		}
		if (mlv_decimal_bytes(s->value, &bytes) && bytes >= 0 &&
		    (!c->known[peak] || bytes > c->value[peak]))
			set(c, peak, (uint64_t)bytes);
	}
}

enum mlv_rc mlv_run_counters_of(struct mlv_run_counters *c, const struct mlv_run *run,
				struct mlv_err *err)
{
	enum mlv_rc rc = MLV_OK;
	*c = (struct mlv_run_counters){ .known = { false } };
	from_metrics(c, run);
	from_samples(c, run);
	if (run->devices.len == 1)
		rc = from_device(c, run, 0, err);
	return rc;
}
