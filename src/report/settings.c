/* SPDX-License-Identifier: MIT */
#include "report/settings.h"

#include <inttypes.h>
#include <string.h>

static bool is_setting(const struct mlv_run *run, const struct mlv_property *p)
{
	return mlv_str_eq(mlv_run_str(run, p->group), MLV_STR("settings"));
}

/*
 * Defaults of c10/core/AllocatorConfig.h. A size of -1 (or, read as unsigned,
 * the greatest) means unlimited.
 */
static bool is_default(const struct mlv_run *run, const struct mlv_property *p)
{
	static const struct {
		struct mlv_str key;
		int64_t value;
	} others[] = {
		{ MLV_STR_INIT("max_split_size"), -1 },
		{ MLV_STR_INIT("pinned_num_register_threads"), 1 },
	};
	struct mlv_str key = mlv_run_str(run, p->key);
	if (p->kind == MLV_PROP_TEXT)
		return mlv_run_str(run, p->text).n == 0;
	if (p->kind == MLV_PROP_DECIMAL)
		return mlv_str_eq(mlv_run_str(run, p->text), MLV_STR("0.0"));
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (mlv_str_eq(key, others[i].key))
			return p->number == others[i].value;
	}
	/* How much the ring buffer holds says nothing of how memory is managed. */
	if (mlv_str_has_prefix(key, MLV_STR("trace_alloc_")) ||
	    mlv_str_eq(key, MLV_STR("pinned_max_power2_size_mb")))
		return true;
	return p->number == 0;
}

static void value_text(const struct mlv_run *run, const struct mlv_property *p, struct mlv_buf *out)
{
	switch (p->kind) {
	case MLV_PROP_INT:
		mlv_buf_int(out, p->number);
		break;
	case MLV_PROP_BOOL:
		mlv_buf_puts(out, p->number ? "True" : "False");
		break;
	case MLV_PROP_TEXT:
	case MLV_PROP_DECIMAL:
		mlv_buf_safe(out, mlv_run_str(run, p->text));
		break;
	}
}

/* The settings string says it all when there is one; else the values that are not default. */
static size_t changed(const struct mlv_run *run, struct mlv_buf *out)
{
	static const char *const strings[] = { "PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF" };
	for (size_t i = 0; i < 2; i++) {
		const struct mlv_property *p = mlv_run_property(run, "settings", strings[i]);
		if (p && p->kind == MLV_PROP_TEXT && mlv_run_str(run, p->text).n) {
			value_text(run, p, out);
			return 1;
		}
	}
	size_t n = 0;
	for (size_t i = 0; i < run->properties.len; i++) {
		const struct mlv_property *p = &run->properties.data[i];
		if (!is_setting(run, p) || is_default(run, p))
			continue;
		mlv_buf_puts(out, n++ ? ", " : "");
		mlv_buf_safe(out, mlv_run_str(run, p->key));
		mlv_buf_putc(out, '=');
		value_text(run, p, out);
	}
	return n;
}

static bool has_settings(const struct mlv_run *run)
{
	for (size_t i = 0; i < run->properties.len; i++) {
		if (is_setting(run, &run->properties.data[i]))
			return true;
	}
	return false;
}

void mlv_settings_brief(const struct mlv_run *run, struct mlv_buf *out)
{
	struct mlv_buf text = { 0 };
	if (!has_settings(run))
		mlv_buf_puts(out, "allocator settings unknown");
	else if (!changed(run, &text))
		mlv_buf_puts(out, "default allocator settings");
	else
		mlv_buf_printf(out, "settings %s", text.failed ? "" : text.data);
	out->failed = out->failed || text.failed;
	mlv_buf_fini(&text);
}

bool mlv_settings_alike(const struct mlv_run *a, const struct mlv_run *b)
{
	struct mlv_buf x = { 0 }, y = { 0 };
	if (a == b)
		return true;
	mlv_settings_brief(a, &x);
	mlv_settings_brief(b, &y);
	bool alike = !x.failed && !y.failed && strcmp(x.data, y.data) == 0;
	mlv_buf_fini(&x);
	mlv_buf_fini(&y);
	return alike;
}

void mlv_settings_text(const struct mlv_run *run, struct mlv_buf *out)
{
	mlv_buf_puts(out, "  allocator settings: ");
	if (!has_settings(run))
		mlv_buf_puts(out, "not in the file (PyTorch before 2.2, or a list of segments)");
	else if (!changed(run, out))
		mlv_buf_puts(out, "the defaults");
	mlv_buf_putc(out, '\n');
}

static void value_json(const struct mlv_run *run, const struct mlv_property *p, struct mlv_json *j)
{
	switch (p->kind) {
	case MLV_PROP_INT:
		mlv_json_int(j, p->number);
		break;
	case MLV_PROP_BOOL:
		mlv_json_bool(j, p->number != 0);
		break;
	case MLV_PROP_TEXT:
		mlv_json_str(j, mlv_run_str(run, p->text));
		break;
	case MLV_PROP_DECIMAL:
		if (strpbrk(mlv_run_str(run, p->text).p, "n")) /* nan, inf */
			mlv_json_null(j);
		else
			mlv_json_raw(j, mlv_run_str(run, p->text).p);
		break;
	}
}

/* Members of one group ("roundup_power2_divisions/1") stand together and become one object. */
void mlv_settings_json(const struct mlv_run *run, struct mlv_json *j)
{
	struct mlv_str open = { "", 0 };
	mlv_json_key(j, "settings");
	if (!has_settings(run)) {
		mlv_json_null(j);
		return;
	}
	mlv_json_object(j);
	for (size_t i = 0; i < run->properties.len; i++) {
		const struct mlv_property *p = &run->properties.data[i];
		if (!is_setting(run, p))
			continue;
		struct mlv_str key = mlv_run_str(run, p->key), group = { key.p, 0 };
		const char *slash = memchr(key.p, '/', key.n);
		if (slash)
			group.n = (size_t)(slash - key.p);
		if (open.n && !mlv_str_eq(open, group)) {
			mlv_json_object_end(j);
			open.n = 0;
		}
		if (group.n && !open.n) {
			mlv_json_key_str(j, group);
			mlv_json_object(j);
			open = group;
		}
		if (group.n) {
			key.p += group.n + 1;
			key.n -= group.n + 1;
		}
		mlv_json_key_str(j, key);
		value_json(run, p, j);
	}
	if (open.n)
		mlv_json_object_end(j);
	mlv_json_object_end(j);
}
