/* SPDX-License-Identifier: MIT */
#include "cli/flame_source.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "cli/moment.h"

const char *const mlv_flame_value_words[] = { "auto", "peak",  "end", "allocated",
					      "time", "count", NULL };

void mlv_flame_ask_init(struct mlv_flame_ask *ask)
{
	*ask = (struct mlv_flame_ask){ .device = -1 };
}

static bool is_memory(enum mlv_flame_value value)
{
	return value <= MLV_FLAME_ALLOCATED;
}

/* A trace tells neither who allocated nor for how long: its spans say more. */
static bool device_counts(const struct mlv_device *d, const struct mlv_flame_ask *ask)
{
	return d->bytes_are == MLV_BYTES_REQUESTED &&
	       (ask->device < 0 || d->ordinal == ask->device);
}

static bool has_device(const struct mlv_run *run, const struct mlv_flame_ask *ask)
{
	for (size_t i = 0; i < run->devices.len; i++) {
		if (device_counts(&run->devices.data[i], ask))
			return true;
	}
	return false;
}

static bool has_timed(const struct mlv_run *run)
{
	int64_t ns;
	for (size_t i = 0; i < run->spans.len; i++) {
		if (mlv_run_span_took(&run->spans.data[i], &ns))
			return true;
	}
	return false;
}

static bool has_counted(const struct mlv_run *run)
{
	for (size_t i = 0; i < run->findings.len; i++) {
		if (mlv_stack_has_frame(run->findings.data[i].stack))
			return true;
	}
	return run->spans.len > 0;
}

static bool has(const struct mlv_run *run, enum mlv_flame_value value,
		const struct mlv_flame_ask *ask)
{
	if (is_memory(value))
		return has_device(run, ask);
	return value == MLV_FLAME_TIME ? has_timed(run) : has_counted(run);
}

/* The first of these that an input has. */
static bool choose(struct mlv_flame_source *s, const struct mlv_inputs *in,
		   const struct mlv_flame_ask *ask)
{
	static const enum mlv_flame_value order[] = { MLV_FLAME_PEAK, MLV_FLAME_TIME,
						      MLV_FLAME_COUNT };
	for (size_t k = 0; k < sizeof(order) / sizeof(order[0]); k++) {
		s->value = ask->value ? (enum mlv_flame_value)(ask->value - 1) : order[k];
		for (size_t i = 0; i < in->count; i++) {
			if (has(&in->list[i].run, s->value, ask))
				return true;
		}
	}
	return false;
}

static const char *moment_word(const struct mlv_flame_source *s, const struct mlv_flame_ask *ask)
{
	return ask->at ? ask->at : s->value == MLV_FLAME_END ? "end" : "peak";
}

/* The event is told where there is one device, and so one event. */
static void describe_moment(struct mlv_flame_source *s, const char *at, int64_t event, bool several)
{
	static const struct {
		const char *at, *words;
	} known[] = { { "peak", "at the peak" },
		      { "end", "at the end" },
		      { "start", "at the start" },
		      { "oom", "when memory ran out" } };
	char n[MLV_NUM_SIZE];
	s->what.len = 0;
	mlv_buf_puts(&s->what, "requested bytes alive");
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (strcmp(at, known[i].at) == 0)
			mlv_buf_printf(&s->what, " %s", known[i].words);
	}
	if (several && !mlv_is_digit(*at))
		mlv_buf_puts(&s->what, " of each device");
	else if (event >= 0)
		mlv_buf_printf(&s->what, "%s after event %s", mlv_is_digit(*at) ? "" : ",",
			       mlv_fmt_count(n, sizeof(n), (uint64_t)event));
}

static enum mlv_rc add_device(struct mlv_flame_source *s, const struct mlv_run *run, size_t device,
			      uint32_t below, const struct mlv_flame_ask *ask, bool several,
			      struct mlv_err *err)
{
	struct mlv_history h;
	const char *at = moment_word(s, ask);
	int64_t event = -1;
	enum mlv_rc rc = mlv_history_init(&h, run, device, err);
	if (rc)
		return rc;
	if (s->value == MLV_FLAME_ALLOCATED) {
		rc = mlv_flame_allocated(&s->flame, below, &h, err);
	} else {
		rc = mlv_moment_of(&h, at, &event, err);
		if (!rc)
			rc = mlv_flame_alive(&s->flame, below, &h, event, err);
		describe_moment(s, at, event, several);
	}
	mlv_history_fini(&h);
	return rc;
}

static enum mlv_rc add_memory(struct mlv_flame_source *s, const struct mlv_run *run, uint32_t below,
			      const struct mlv_flame_ask *ask, bool several, struct mlv_err *err)
{
	size_t devices = 0;
	enum mlv_rc rc = MLV_OK;
	for (size_t i = 0; i < run->devices.len; i++)
		devices += device_counts(&run->devices.data[i], ask);
	for (size_t i = 0; !rc && i < run->devices.len; i++) {
		const struct mlv_device *d = &run->devices.data[i];
		uint32_t node = below;
		char name[40];
		if (!device_counts(d, ask))
			continue;
		snprintf(name, sizeof(name), "device %" PRIu32, d->ordinal);
		if (devices > 1 && !mlv_flame_child(&s->flame, below, MLV_FLAME_PLACE,
						    mlv_str_of(name), MLV_STR(""), 0, &node))
			return mlv_err_nomem(err);
		rc = add_device(s, run, i, node, ask, several || devices > 1, err);
	}
	return rc;
}

static enum mlv_rc add_counts(struct mlv_flame_source *s, const struct mlv_run *run, uint32_t below,
			      struct mlv_err *err)
{
	enum mlv_rc rc = mlv_flame_findings(&s->flame, below, run, err);
	if (!rc)
		rc = mlv_flame_spans(&s->flame, below, run, true, err);
	return rc;
}

static enum mlv_rc add_run(struct mlv_flame_source *s, const struct mlv_run *run,
			   const struct mlv_flame_ask *ask, bool several, struct mlv_err *err)
{
	uint32_t below = MLV_FLAME_ROOT;
	char name[40];
	struct mlv_str place = mlv_str_basename(mlv_str_of(run->file));
	if (run->rank >= 0) {
		snprintf(name, sizeof(name), "rank %" PRId64, run->rank);
		place = mlv_str_of(name);
	}
	if (several && !mlv_flame_child(&s->flame, MLV_FLAME_ROOT, MLV_FLAME_PLACE, place,
					MLV_STR(""), 0, &below))
		return mlv_err_nomem(err);
	if (is_memory(s->value))
		return add_memory(s, run, below, ask, several, err);
	if (s->value == MLV_FLAME_TIME)
		return mlv_flame_spans(&s->flame, below, run, false, err);
	return add_counts(s, run, below, err);
}

static enum mlv_rc check(const struct mlv_flame_ask *ask, struct mlv_err *err)
{
	enum mlv_flame_value value = (enum mlv_flame_value)(ask->value - 1);
	if (ask->at && ask->value && value != MLV_FLAME_PEAK)
		return mlv_err_set(err, MLV_E_USAGE,
				   "--value %s and --at %.40s contradict each other: --at asks for "
				   "what is alive at a moment",
				   mlv_flame_value_words[ask->value], ask->at);
	if (ask->device >= 0 && ask->value && !is_memory(value))
		return mlv_err_set(err, MLV_E_USAGE,
				   "--value %s and --device %" PRId64
				   " contradict each other: --device asks for its memory",
				   mlv_flame_value_words[ask->value], ask->device);
	return MLV_OK;
}

/* Why there is none of what was asked for. */
static enum mlv_rc nothing(const struct mlv_inputs *in, const struct mlv_flame_ask *ask,
			   struct mlv_err *err)
{
	struct mlv_flame_ask any = *ask;
	any.device = -1;
	for (size_t i = 0; ask->device >= 0 && i < in->count; i++) {
		if (has_device(&in->list[i].run, &any))
			return mlv_err_set(err, MLV_E_USAGE,
					   "there is no device %" PRId64 " in it whose memory "
					   "could be drawn as stacks",
					   ask->device);
	}
	return mlv_err_set(err, MLV_E_FORMAT, "there is nothing in it to draw as stacks%s%s",
			   ask->value ? " with --value " : "",
			   ask->value ? mlv_flame_value_words[ask->value] : "");
}

static enum mlv_rc gather(struct mlv_flame_source *s, const struct mlv_inputs *in,
			  const struct mlv_flame_ask *ask, struct mlv_err *err)
{
	static const char *const words[MLV_FLAME_VALUES] = {
		[MLV_FLAME_ALLOCATED] = "requested bytes, all allocations of the recording",
		[MLV_FLAME_TIME] = "time of spans",
		[MLV_FLAME_COUNT] = "number of spans and stacks",
	};
	struct mlv_flame_ask memory = *ask;
	if ((ask->at || ask->device >= 0) && !ask->value)
		memory.value = 1 + MLV_FLAME_PEAK;
	if (!choose(s, in, &memory))
		return nothing(in, ask, err);
	if (words[s->value])
		mlv_buf_puts(&s->what, words[s->value]);
	for (size_t i = 0; i < in->count; i++) {
		bool used = has(&in->list[i].run, s->value, ask);
		if (used && !s->used++)
			s->first = &in->list[i];
	}
	enum mlv_rc rc = MLV_OK;
	for (size_t i = 0; !rc && i < in->count; i++) {
		const struct mlv_run *run = &in->list[i].run;
		if (has(run, s->value, ask))
			rc = add_run(s, run, ask, s->used > 1, err);
		if (rc)
			mlv_err_file(err, run->file);
	}
	if (!rc && ask->grep)
		rc = mlv_flame_grep(&s->flame, ask->grep, err);
	return rc ? rc : mlv_flame_settle(&s->flame, err);
}

enum mlv_rc mlv_flame_source_init(struct mlv_flame_source *s, const struct mlv_inputs *in,
				  const struct mlv_flame_ask *ask, struct mlv_err *err)
{
	memset(s, 0, sizeof(*s));
	enum mlv_rc rc = check(ask, err);
	if (!rc)
		rc = mlv_flame_init(&s->flame, err);
	if (!rc)
		rc = gather(s, in, ask, err);
	if (!rc && s->what.failed)
		rc = mlv_err_nomem(err);
	if (rc)
		mlv_flame_source_fini(s);
	return rc;
}

void mlv_flame_source_fini(struct mlv_flame_source *s)
{
	mlv_flame_fini(&s->flame);
	mlv_buf_fini(&s->what);
}
