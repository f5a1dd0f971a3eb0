/* SPDX-License-Identifier: MIT */
#include "cli/timeline_panels.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/consistency.h"
#include "base/num.h"
#include "base/utf8.h"
#include "report/info.h"
#include "report/settings.h"
#include "report/timeline.h"

/* "1200" is an event, "1.5s" a time since the first event. */
static enum mlv_rc find_event(const struct mlv_history *h, const char *text, const char *option,
			      uint32_t *event, struct mlv_err *err)
{
	char *end;
	unsigned long long n = strtoull(text, &end, 10);
	if (mlv_is_digit(*text) && !*end) {
		*event = n < h->count ? (uint32_t)n : (uint32_t)h->count - 1;
		return MLV_OK;
	}
	int64_t ns;
	if (!mlv_parse_duration(text, &ns))
		return mlv_err_set(err, MLV_E_USAGE,
				   "%s takes an event number or a time such as 1.5s, not '%s'",
				   option, text);
	if (!h->has_times)
		return mlv_err_set(err, MLV_E_USAGE,
				   "%s %s: the events have no times; give an event number", option,
				   text);
	uint32_t e = 0;
	while (e + 1 < h->count &&
	       mlv_time_between(h->events[0].time_ns, h->events[e].time_ns) < ns)
		e++;
	*event = e;
	return MLV_OK;
}

static enum mlv_rc set_range(struct mlv_memory_panel *panel, const struct mlv_panels_options *o,
			     struct mlv_err *err)
{
	const struct mlv_history *h = panel->history;
	enum mlv_rc rc = MLV_OK;
	panel->first = 0;
	panel->last = h->count ? (uint32_t)h->count - 1 : 0;
	if (!h->count)
		return MLV_OK;
	if (o->from)
		rc = find_event(h, o->from, "--from", &panel->first, err);
	if (!rc && o->to)
		rc = find_event(h, o->to, "--to", &panel->last, err);
	if (!rc && panel->last < panel->first)
		rc = mlv_err_set(err, MLV_E_USAGE, "--to %s lies before --from %s", o->to,
				 o->from ? o->from : "0");
	return rc;
}

static void set_title(struct mlv_panel_data *d, size_t inputs)
{
	struct mlv_str path = mlv_str_of(d->input->run.file);
	char name[64];
	mlv_device_name(&d->input->run, d->history.device, name, sizeof(name));
	if (inputs > 1)
		snprintf(d->title, sizeof(d->title), "%.180s \u00b7 %s", mlv_str_basename(path).p,
			 name);
	else
		snprintf(d->title, sizeof(d->title), "%s", name);
}

enum { MOST_COUNTED = 16 };

static enum mlv_rc add_panel(struct mlv_panels *p, struct mlv_inputs *in,
			     const struct mlv_input *input, size_t device, struct mlv_sites *sites,
			     const struct mlv_panels_options *o, struct mlv_err *err)
{
	struct mlv_panel_data *d = &p->data[p->count];
	const struct mlv_run *run = &input->run;
	memset(d, 0, sizeof(*d));
	d->input = input;
	d->ordinal = run->devices.data[device].ordinal;
	enum mlv_rc rc = mlv_history_init(&d->history, run, device, err);
	if (rc)
		return rc;
	p->count++;
	/* A few threads are of use; of many devices, most are small. */
	if (p->count <= MOST_COUNTED && d->history.count)
		mlv_counting_begin(&d->counting, &d->history);
	rc = mlv_classes_init(&d->classes, o->color, &d->history, sites, err);
	if (!rc)
		rc = mlv_check_device(&d->history, device, &d->checks, err);
	if (rc)
		return rc;
	set_title(d, in->count);
	struct mlv_memory_panel *panel = &p->list[p->count - 1];
	*panel = (struct mlv_memory_panel){ .title = d->title,
					    .history = &d->history,
					    .classes = &d->classes,
					    .device = run->devices.data[device].track };
	return set_range(panel, o, err);
}

static enum mlv_rc add_input(struct mlv_panels *p, struct mlv_inputs *in, size_t index,
			     const struct mlv_panels_options *o, struct mlv_err *err)
{
	const struct mlv_input *input = &in->list[index];
	const struct mlv_run *run = &input->run;
	size_t before = p->count;
	enum mlv_rc rc =
		mlv_sites_init(&p->sites[index], run, p->prefixes, o->user_path ? 1 : 0, err);
	if (rc)
		return rc;
	p->sites_count++;
	for (size_t i = 0; !rc && i < run->devices.len; i++) {
		if (o->device < 0 || run->devices.data[i].ordinal == o->device)
			rc = add_panel(p, in, input, i, &p->sites[index], o, err);
	}
	if (rc || p->count > before || (o->spans_elsewhere && !run->devices.len && run->spans.len))
		return rc;
	struct mlv_err none = MLV_ERR_INIT;
	if (run->devices.len)
		mlv_no_device(run, o->device, &none);
	else
		mlv_err_set(&none, MLV_E_FORMAT, "nothing to draw: %s",
			    run->sections.len
				    ? "it holds no memory events, samples or figures, and no "
				      "spans with times; `mlviz info` and `mlviz top` tell "
				      "what it holds"
				    : "no device had allocated anything when it was taken");
	mlv_err_file(&none, run->file);
	mlv_inputs_fail(in, &none);
	return MLV_OK;
}

/* Where the heading cannot say the settings of all, each title says its own. */
static enum mlv_rc add_settings(struct mlv_panels *p, struct mlv_err *err)
{
	struct mlv_buf text = { 0 };
	bool differ = mlv_timeline_settings_differ(p->list, p->count);
	for (size_t i = 0; differ && i < p->count && !text.failed; i++) {
		struct mlv_panel_data *d = &p->data[i];
		text.len = 0;
		mlv_buf_printf(&text, "%s \u00b7 ", d->title);
		mlv_settings_brief(&d->input->run, &text);
		if (!text.failed)
			mlv_utf8_fit(d->title, sizeof(d->title), text.data, text.len);
	}
	bool failed = text.failed;
	mlv_buf_fini(&text);
	return failed ? mlv_err_nomem(err) : MLV_OK;
}

enum mlv_rc mlv_panels_init(struct mlv_panels *p, struct mlv_inputs *in,
			    const struct mlv_panels_options *options, struct mlv_err *err)
{
	memset(p, 0, sizeof(*p));
	p->prefixes[0] = options->user_path;
	for (size_t i = 0; i < in->count; i++)
		p->cap += in->list[i].run.devices.len;
	p->data = calloc(p->cap + 1, sizeof(*p->data));
	p->list = calloc(p->cap + 1, sizeof(*p->list));
	p->sites = calloc(in->count + 1, sizeof(*p->sites));
	enum mlv_rc rc = p->data && p->list && p->sites ? MLV_OK : mlv_err_nomem(err);
	for (size_t i = 0; !rc && i < in->count; i++)
		rc = add_input(p, in, i, options, err);
	/* Classes of an input's first devices were counted before the later ones met new sites. */
	for (size_t i = 0; i < p->count; i++) {
		if (p->data[i].classes.kind == MLV_BY_SITE && p->data[i].classes.sites)
			p->data[i].classes.count = p->data[i].classes.sites->list.len;
	}
	if (!rc)
		rc = add_settings(p, err);
	if (rc)
		mlv_panels_fini(p);
	return rc;
}

enum mlv_rc mlv_panels_counted(struct mlv_panels *p, struct mlv_err *err)
{
	for (size_t i = 0; i < p->count; i++) {
		const struct mlv_counters *c = &p->data[i].counting.counters;
		enum mlv_rc rc = mlv_counting_end(&p->data[i].counting, err);
		if (rc)
			return rc;
		if (!c->known)
			continue;
		p->list[i].allocated_peak = c->stats.allocated_bytes.peak;
		p->list[i].allocated_end = c->stats.allocated_bytes.now;
	}
	return MLV_OK;
}

void mlv_panels_fini(struct mlv_panels *p)
{
	for (size_t i = 0; i < p->count; i++) {
		(void)mlv_counting_end(&p->data[i].counting, NULL);
		mlv_classes_fini(&p->data[i].classes);
		mlv_history_fini(&p->data[i].history);
		mlv_diags_fini(&p->data[i].checks);
	}
	for (size_t i = 0; i < p->sites_count; i++)
		mlv_sites_fini(&p->sites[i]);
	free(p->data);
	free(p->list);
	free(p->sites);
	memset(p, 0, sizeof(*p));
}
