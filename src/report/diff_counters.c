/* SPDX-License-Identifier: MIT */
/*
 * What two inputs of unlike kinds both say of the memory of a device: a
 * snapshot, a trace, memory_stats() and a memory report know PyTorch's own
 * counters, each some of them. Unlike bytes are never compared: requested
 * with requested, allocated with allocated, reserved with reserved.
 */
#include <string.h>

#include "analysis/memory_metrics.h"
#include "replay/counters.h"
#include "report/diff_parts.h"

enum counter {
	REQUESTED_PEAK,
	REQUESTED_END,
	ALLOCATED_PEAK,
	ALLOCATED_END,
	RESERVED_PEAK,
	RESERVED_END,
	COUNTERS
};

struct counters {
	bool incomplete; /* the recording began in the middle, or was cut */
	bool known[COUNTERS];
	int64_t value[COUNTERS];
};

static void set(struct counters *c, enum counter which, uint64_t bytes)
{
	c->known[which] = bytes <= INT64_MAX;
	c->value[which] = c->known[which] ? (int64_t)bytes : 0;
}

/* Of the only device that there is; several are not added up. */
static enum mlv_rc from_device(struct counters *c, const struct mlv_run *run, size_t device,
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
		set(c, REQUESTED_PEAK, h.requested.peak);
		set(c, REQUESTED_END, h.requested.end);
		set(c, RESERVED_PEAK, h.reserved.peak);
		set(c, RESERVED_END, h.reserved.end);
	} else if (!rc && h.device->bytes_are == MLV_BYTES_ALLOCATED && h.count) {
		set(c, ALLOCATED_PEAK, h.requested.peak);
		set(c, ALLOCATED_END, h.requested.end);
	}
	if (!rc && counted.known) {
		set(c, ALLOCATED_PEAK, counted.stats.allocated_bytes.peak);
		set(c, ALLOCATED_END, counted.stats.allocated_bytes.now);
	}
	mlv_history_fini(&h);
	return rc;
}

/* memory_stats(): "allocated_bytes.all", "peak". */
static void from_metrics(struct counters *c, const struct mlv_run *run)
{
	static const struct {
		struct mlv_str subject;
		enum counter peak, end;
	} names[] = {
		{ MLV_STR_INIT("requested_bytes.all"), REQUESTED_PEAK, REQUESTED_END },
		{ MLV_STR_INIT("allocated_bytes.all"), ALLOCATED_PEAK, ALLOCATED_END },
		{ MLV_STR_INIT("reserved_bytes.all"), RESERVED_PEAK, RESERVED_END },
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
static void from_samples(struct counters *c, const struct mlv_run *run)
{
	for (size_t i = 0; i < run->samples.len; i++) {
		const struct mlv_sample *s = &run->samples.data[i];
		enum counter peak;
		int64_t bytes;
		switch (mlv_memory_metric_of(mlv_run_str(run, s->metric))) {
		case MLV_METRIC_PEAK_ALLOCATED:
			peak = ALLOCATED_PEAK;
			break;
		case MLV_METRIC_RESERVED:
		case MLV_METRIC_PEAK_RESERVED:
			peak = RESERVED_PEAK;
			break;
		default:
			continue;
		}
		if (mlv_decimal_bytes(s->value, &bytes) && bytes >= 0 &&
		    (!c->known[peak] || bytes > c->value[peak]))
			set(c, peak, (uint64_t)bytes);
	}
}

static enum mlv_rc counters_of(struct counters *c, const struct mlv_run *run, struct mlv_err *err)
{
	enum mlv_rc rc = MLV_OK;
	*c = (struct counters){ .known = { false } };
	from_metrics(c, run);
	from_samples(c, run);
	if (run->devices.len == 1)
		rc = from_device(c, run, 0, err);
	return rc;
}

enum mlv_rc mlv_diff_counters(struct mlv_diff *d, struct mlv_err *err)
{
	static const char *const names[COUNTERS][2] = {
		{ "requested_peak", "requested, peak" }, { "requested_end", "requested, end" },
		{ "allocated_peak", "allocated, peak" }, { "allocated_end", "allocated, end" },
		{ "reserved_peak", "reserved, peak" },   { "reserved_end", "reserved, end" },
	};
	struct counters c[2];
	enum mlv_rc rc = MLV_OK;
	for (unsigned s = 0; !rc && s < 2; s++)
		rc = counters_of(&c[s], d->run[s], err);
	d->counters_complete = !rc && !c[0].incomplete && !c[1].incomplete;
	for (unsigned i = 0; !rc && i < COUNTERS; i++) {
		struct mlv_figure f = { .key = names[i][0],
					.label = names[i][1],
					.unit = MLV_UNIT_BYTES,
					.known = { true, true },
					.value = { c[0].value[i], c[1].value[i] } };
		if (c[0].known[i] && c[1].known[i] && !mlv_vec_push(&d->counters, f))
			rc = mlv_err_nomem(err);
	}
	return rc;
}
