/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memmem */
#include "parsers/document/document.h"

#include <stdio.h>
#include <string.h>

#include "parsers/document/json_values.h"
#include "parsers/document/pickle.h"

bool mlv_head_has(struct mlv_bytes head, const char *text)
{
	return memmem(head.p, head.n, text, strlen(text)) != NULL;
}

/* A pickle of protocol 0 that begins by importing something: two names, each on a line. */
static bool is_import(struct mlv_bytes head)
{
	size_t i = 1;
	unsigned lines = 0;
	if (head.n < 6 || head.p[0] != 'c')
		return false;
	for (; i < head.n && i < 200 && lines < 2; i++) {
		uint8_t c = head.p[i];
		if (c == '\n')
			lines++;
		else if (!(c == '.' || c == '_' || mlv_is_digit(c) ||
			   ((c | 0x20) >= 'a' && (c | 0x20) <= 'z')))
			return false;
	}
	return lines == 2 && i < head.n && strchr("(p)NtRq", head.p[i]) && head.p[i];
}

static bool is_pickle(struct mlv_bytes head)
{
	/* PROTO of protocols 2 and up; 0 and 1 begin with a container. */
	if (head.n >= 2 && head.p[0] == 0x80 && head.p[1] >= 2 && head.p[1] <= 8)
		return true;
	return (head.n >= 3 && ((head.p[0] == '(' && (head.p[1] == 'd' || head.p[1] == 'l')) ||
				((head.p[0] == '}' || head.p[0] == ']') && head.p[1] == 'q'))) ||
	       is_import(head);
}

static bool is_json(struct mlv_bytes head)
{
	size_t i = 0;
	if (head.n >= 3 && memcmp(head.p, "\xef\xbb\xbf", 3) == 0)
		i = 3;
	while (i < head.n && strchr(" \t\r\n", head.p[i]) && head.p[i])
		i++;
	return i < head.n && (head.p[i] == '{' || head.p[i] == '[');
}

enum mlv_document_kind mlv_document_kind(struct mlv_bytes head)
{
	if (is_pickle(head))
		return MLV_DOC_PICKLE;
	return is_json(head) ? MLV_DOC_JSON : MLV_DOC_NONE;
}

enum mlv_rc mlv_document_read(struct mlv_values *v, struct mlv_reader *r, mlv_word *result,
			      struct mlv_diags *diags, struct mlv_err *err)
{
	(void)mlv_reader_need(r, 4096);
	struct mlv_bytes head = { r->p, (size_t)(r->end - r->p) };
	return mlv_document_kind(head) == MLV_DOC_JSON
		       ? mlv_json_read_values(v, r, result, diags, err)
		       : mlv_pickle_read(v, r, result, diags, err);
}

void mlv_document_keys(const struct mlv_values *v, mlv_word top, char *buf, size_t size)
{
	size_t used = 0, shown = 0;
	struct mlv_value_iter it = mlv_values_iter(v, top);
	mlv_word k, value;
	mlv_strid key;
	buf[0] = '\0';
	while (shown < 3 && used + 32 < size && mlv_value_next(&it, &k) &&
	       mlv_value_next(&it, &value)) {
		if (!mlv_word_str(k, &key))
			continue;
		int n = snprintf(buf + used, size - used, "%s\"%.24s\"", shown ? ", " : "",
				 mlv_str_get(v->strings, key).p);
		used += (size_t)n;
		shown++;
	}
}

mlv_word mlv_document_get(const struct mlv_values *v, mlv_word dict, const char *key)
{
	struct mlv_str wanted = mlv_str_of(key);
	mlv_word found = mlv_word_make(MLV_W_UNSET, 0), k, value;
	struct mlv_value_iter it = mlv_values_iter(v, dict);
	mlv_strid id;
	if (!mlv_word_is_obj(v, dict, MLV_OBJ_DICT))
		return found;
	while (mlv_value_next(&it, &k) && mlv_value_next(&it, &value)) {
		if (mlv_word_str(k, &id) && mlv_str_eq(mlv_str_get(v->strings, id), wanted))
			found = value;
	}
	return found;
}
