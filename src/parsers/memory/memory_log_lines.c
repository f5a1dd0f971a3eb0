/* SPDX-License-Identifier: MIT */
/*
 * DeepSpeed's see_memory_usage (both the line of today and the four lines of
 * 2020), its variant with NV and CPU columns, memory_status (also that of the
 * pipeline engine), and Megatron's report_memory. Each is recognised by words
 * that nothing else prints, wherever they stand in a line.
 */
#define _GNU_SOURCE /* memmem */
#include <string.h>

#include "parsers/memory/memory_log.h"

#include "parsers/text/scan.h"

static const char *find(struct mlv_str s, const char *text)
{
	return memmem(s.p, s.n, text, strlen(text));
}

/* `s` from the place `at` on */
static struct mlv_str from(struct mlv_str s, const char *at)
{
	return (struct mlv_str){ at, s.n - (size_t)(at - s.p) };
}

static struct mlv_str before(struct mlv_str s, const char *at)
{
	return (struct mlv_str){ s.p, (size_t)(at - s.p) };
}

static void put(struct mlv_memory_values *v, const char *metric, struct mlv_decimal value)
{
	if (v->count == MLV_MEMORY_VALUES)
		return;
	v->list[v->count].metric = metric;
	v->list[v->count++].value = value;
}

/* "1.08 GB", "0.71 GiB", "1.2345GB", "0.12 GigaBytes" */
static bool size(struct mlv_str *s, struct mlv_decimal *value)
{
	static const struct {
		const char *name;
		enum mlv_unit unit;
	} units[] = { { "GigaBytes", MLV_UNIT_GIB },
		      { "GiB", MLV_UNIT_GIB },
		      { "GB", MLV_UNIT_GIB },
		      { "MiB", MLV_UNIT_MIB },
		      { "MB", MLV_UNIT_MIB } };
	mlv_scan_blanks(s);
	if (!mlv_scan_decimal(s, value))
		return false;
	mlv_scan_blanks(s);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (mlv_scan(s, units[i].name)) {
			value->unit = (uint8_t)units[i].unit;
			return true;
		}
	}
	return false;
}

/* `label`, behind blanks and a bar, and a size. */
static bool column(struct mlv_memory_values *v, struct mlv_str *s, const char *label,
		   const char *metric)
{
	struct mlv_str rest = *s;
	struct mlv_decimal value;
	(void)mlv_scan_label(&rest, "|");
	if (!mlv_scan_label(&rest, label) || !size(&rest, &value))
		return false;
	put(v, metric, value);
	*s = rest;
	return true;
}

static bool percentage(struct mlv_memory_values *v, struct mlv_str *s)
{
	struct mlv_str rest = *s;
	struct mlv_decimal value;
	mlv_scan_blanks(&rest);
	if (!mlv_scan_decimal(&rest, &value) || !mlv_scan(&rest, "%"))
		return false;
	value.unit = MLV_UNIT_PERCENT;
	put(v, "host used percent", value);
	*s = rest;
	return true;
}

/* "CPU Virtual Memory:  used = 33.02 GB, percent = 13.1%" */
static bool host(struct mlv_memory_values *v, struct mlv_str *s)
{
	struct mlv_str rest = *s;
	(void)mlv_scan_label(&rest, "|");
	if (!mlv_scan_label(&rest, "CPU Virtual Memory:") ||
	    !column(v, &rest, "used =", "host used"))
		return false;
	if (mlv_scan(&rest, ",") && mlv_scan_label(&rest, "percent ="))
		(void)percentage(v, &rest);
	*s = rest;
	return true;
}

/* "CPU mem: proc 0.51 GiB / node 84.09 GiB (4.2%)" */
static void process_and_node(struct mlv_memory_values *v, struct mlv_str s)
{
	(void)mlv_scan_label(&s, "|");
	if (!mlv_scan_label(&s, "CPU mem:") || !column(v, &s, "proc", "process host") ||
	    !mlv_scan_label(&s, "/") || !column(v, &s, "node", "host used"))
		return;
	if (mlv_scan_label(&s, "("))
		(void)percentage(v, &s);
}

/* The place of "MA " before "Max_MA ", as a word of its own. */
static const char *find_ma(struct mlv_str text)
{
	const char *max = find(text, "Max_MA ");
	if (!max)
		return NULL;
	for (const char *at = max; at-- > text.p;) {
		/* A number and its unit lie between. */
		if (max - at > 40)
			return NULL;
		if (at[0] == 'M' && at[1] == 'A' && at[2] == ' ' &&
		    (at == text.p || (at[-1] != '_' && !mlv_is_digit(at[-1]) &&
				      !((at[-1] | 0x20) >= 'a' && (at[-1] | 0x20) <= 'z'))))
			return at;
	}
	return NULL;
}

static bool ma_line(struct mlv_str text, struct mlv_memory_values *v)
{
	const char *at = find_ma(text);
	if (!at)
		return false;
	struct mlv_str s = from(text, at);
	if (!column(v, &s, "MA", "allocated") || !column(v, &s, "Max_MA", "max allocated"))
		return false;
	if (column(v, &s, "CA", "reserved"))
		(void)column(v, &s, "Max_CA", "max reserved");
	(void)column(v, &s, "NV", "device used");
	if (!host(v, &s))
		process_and_node(v, s);
	v->prefix = before(text, at);
	return true;
}

static bool host_line(struct mlv_str text, struct mlv_memory_values *v)
{
	const char *at = find(text, "CPU Virtual Memory:");
	if (!at)
		return false;
	struct mlv_str s = from(text, at);
	v->prefix = before(text, at);
	return host(v, &s) && !mlv_str_trim(s).n;
}

/* The four lines of 2020: "Memory Allocated 1.5 GigaBytes" and three more. */
static enum mlv_memory_line old_line(struct mlv_str text, struct mlv_memory_values *v)
{
	static const struct {
		const char *label, *metric;
	} lines[] = { { "Max Memory Allocated", "max allocated" },
		      { "Memory Allocated", "allocated" },
		      { "Max cache Allocated", "max reserved" },
		      { "Cache Allocated", "reserved" } };
	if (!mlv_str_has_suffix(mlv_str_trim(text), MLV_STR("GigaBytes")))
		return MLV_MEMORY_NONE;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		const char *at = find(text, lines[i].label);
		if (!at)
			continue;
		struct mlv_str s = from(text, at);
		v->prefix = before(text, at);
		if (!column(v, &s, lines[i].label, lines[i].metric))
			return MLV_MEMORY_NONE;
		return i == 1 ? MLV_MEMORY_BEGIN : MLV_MEMORY_MORE;
	}
	return MLV_MEMORY_NONE;
}

/* "current alloc=1.5GB (delta=0.5GB max=2.0GB)", or cache */
static bool status_group(struct mlv_memory_values *v, struct mlv_str *s, const char *word,
			 const char *const metrics[3])
{
	return mlv_scan_label(s, word) && column(v, s, "", metrics[0]) && mlv_scan_label(s, "(") &&
	       column(v, s, "delta=", metrics[1]) && column(v, s, "max=", metrics[2]) &&
	       mlv_scan_label(s, ")");
}

/* A number behind `label` before the place `end`; -1. */
static int64_t labelled(struct mlv_str text, const char *end, const char *label)
{
	struct mlv_str head = before(text, end);
	const char *at = find(head, label);
	int64_t n;
	if (!at)
		return -1;
	struct mlv_str s = from(head, at);
	mlv_scan_skip(&s, strlen(label));
	return mlv_scan_int(&s, &n) ? n : -1;
}

/*
 * "RANK=0 MEMSTATS message device=cuda:0 current alloc=1.2345GB (delta=… max=…)
 * current cache=…"; the pipeline engine adds STAGE= and STEP= before MEMSTATS.
 */
static bool status_line(struct mlv_str text, struct mlv_memory_values *v)
{
	static const char *const allocated[] = { "allocated", "allocated delta", "max allocated" };
	static const char *const reserved[] = { "reserved", "reserved delta", "max reserved" };
	const char *begin = find(text, "RANK="), *at = find(text, "MEMSTATS ");
	const char *end = at ? find(from(text, at), "current alloc=") : NULL;
	if (!begin || !end || begin > at)
		return false;
	struct mlv_str s = from(text, end), message = from(text, at);
	if (!status_group(v, &s, "current alloc=", allocated))
		return false;
	(void)status_group(v, &s, "current cache=", reserved);
	mlv_scan_skip(&message, strlen("MEMSTATS "));
	message.n = (size_t)(end - message.p);
	const char *device = find(message, "device=");
	if (device)
		message.n = (size_t)(device - message.p);
	v->prefix = before(text, begin);
	v->has_message = true;
	v->message = mlv_str_trim(message);
	v->rank = labelled(text, at, "RANK=");
	v->step = labelled(text, at, "STEP=");
	return true;
}

/* ---- Megatron ---- */

/* One "| label: 123.45" of MiB. A label that is not known keeps its value to itself. */
static bool megatron_column(struct mlv_memory_values *v, struct mlv_str *s)
{
	static const char *const columns[][2] = {
		{ "allocated", "allocated" },
		{ "max allocated", "max allocated" },
		{ "reserved", "reserved" },
		{ "max reserved", "max reserved" },
		{ "cached", "reserved" }, /* as the allocator called it before 2020 */
		{ "max cached", "max reserved" },
		{ "total device memory used", "device used" },
		{ "nccl memory (MB): total", "nccl" },
		{ "outside reserved residual", "outside reserved residual" },
	};
	struct mlv_str label;
	struct mlv_decimal value;
	if (!mlv_scan_label(s, "|"))
		return false;
	mlv_scan_blanks(s);
	const char *bar = memchr(s->p, '|', s->n);
	struct mlv_str cell = bar ? before(*s, bar) : *s;
	size_t n = cell.n;
	while (n && cell.p[n - 1] != ':')
		n--;
	if (!n)
		return false;
	label = (struct mlv_str){ cell.p, n - 1 };
	mlv_scan_skip(&cell, n);
	mlv_scan_blanks(&cell);
	mlv_scan_skip(s, (size_t)(cell.p - s->p));
	if (!mlv_scan_decimal(s, &value))
		return false;
	value.unit = MLV_UNIT_MIB;
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		if (mlv_str_eq(label, mlv_str_of(columns[i][0])))
			put(v, columns[i][1], value);
	}
	return true;
}

/* "(after 10 iterations) memory (MB) | allocated: 1.0 | max allocated: …" */
static bool megatron_line(struct mlv_str text, struct mlv_memory_values *v)
{
	static const char words[] = "memory (MB) | allocated: ";
	const char *at = find(text, words);
	struct mlv_str s = text, rest;
	int64_t n;
	if (!at)
		return false;
	/* A launcher's prefix took "[Rank 3]" already, unless it wrote one of its own. */
	if (mlv_scan(&s, "[Rank ") && mlv_scan_int(&s, &n) && mlv_scan(&s, "] "))
		v->rank = n;
	else
		s = text;
	v->has_message = true;
	v->message = mlv_str_trim(before(s, at));
	rest = v->message;
	if (mlv_scan(&rest, "(after ") && mlv_scan_int(&rest, &n) &&
	    mlv_scan(&rest, " iterations)"))
		v->step = n;
	v->prefix = (struct mlv_str){ text.p, 0 };
	s = from(text, at);
	mlv_scan_skip(&s, strlen("memory (MB)"));
	while (megatron_column(v, &s))
		;
	return v->count > 0;
}

enum mlv_memory_line mlv_memory_line(struct mlv_str text, struct mlv_memory_values *v)
{
	v->count = 0;
	v->has_message = false;
	v->rank = v->step = -1;
	if (ma_line(text, v))
		return MLV_MEMORY_BEGIN;
	v->count = 0;
	if (host_line(text, v))
		return MLV_MEMORY_MORE;
	v->count = 0;
	if (status_line(text, v) || megatron_line(text, v))
		return MLV_MEMORY_BEGIN;
	v->count = 0;
	return old_line(text, v);
}
