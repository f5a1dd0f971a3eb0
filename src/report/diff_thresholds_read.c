/* SPDX-License-Identifier: MIT */
/* What --fail-on of diff says: names, directions and limits. */
#include <stdio.h>
#include <string.h>

#include "report/diff_thresholds.h"
#include "report/quantity.h"

/* Without a sign. */
static bool read_limit(struct mlv_threshold *t, const char *text)
{
	struct mlv_quantity_text q;
	if (!mlv_quantity_read(&q, text))
		return false;
	t->relative = q.quantity == MLV_SHARE;
	t->quantity = t->relative ? MLV_NUMBER : q.quantity;
	t->limit = q.value;
	return true;
}

/* "peak>+5%": a name, what fails, and by how much. */
static bool read_one(struct mlv_threshold *t, const char *text)
{
	size_t name = strcspn(text, "<>");
	const char *limit = text + name + 1;
	if (!name || !text[name] || name >= sizeof(t->name))
		return false;
	while (name && text[name - 1] == ' ')
		name--;
	memcpy(t->name, text, name);
	t->above = limit[-1] == '>';
	limit += strspn(limit, " ");
	bool minus = *limit == '-';
	limit += *limit == '-' || *limit == '+';
	if (!read_limit(t, limit))
		return false;
	if (minus)
		t->limit = -t->limit;
	return true;
}

enum mlv_rc mlv_thresholds_parse(struct mlv_thresholds *t, const char *text, struct mlv_err *err)
{
	*t = (struct mlv_thresholds){ .fail_unknown = false };
	for (const char *p = text; *p;) {
		struct mlv_threshold one = { .judged = 0 };
		size_t n = strcspn(p, ",");
		snprintf(one.text, sizeof(one.text), "%.*s", n < 99 ? (int)n : 99,
			 p + strspn(p, " "));
		p += n + (p[n] == ',');
		if (strcmp(one.text, "unknown") == 0) {
			t->fail_unknown = true;
			continue;
		}
		if (n >= sizeof(one.text) || !read_one(&one, one.text)) {
			mlv_thresholds_fini(t);
			return mlv_err_set(err, MLV_E_USAGE,
					   "--fail-on: '%.60s' is no threshold; write NAME>+5%%, "
					   "NAME>+256MiB or NAME<-10%%",
					   one.text);
		}
		if (!mlv_vec_push(&t->list, one)) {
			mlv_thresholds_fini(t);
			return mlv_err_nomem(err);
		}
	}
	/* A gate that judges nothing, such as an unset variable, would always be open. */
	if (!t->list.len)
		return mlv_err_set(err, MLV_E_USAGE,
				   "--fail-on: '%.60s' names no threshold; write NAME>+5%%, "
				   "NAME>+256MiB or NAME<-10%%",
				   text);
	return MLV_OK;
}

void mlv_thresholds_fini(struct mlv_thresholds *t)
{
	mlv_vec_free(&t->list);
	mlv_vec_free(&t->results);
}
