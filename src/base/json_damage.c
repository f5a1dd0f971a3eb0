/* SPDX-License-Identifier: MIT */
/*
 * Where a JSON document leaves the grammar: it ends too soon, with its input or
 * at a syntax error, or only the record is lost in which the error stands. What
 * callers were promised, that every container ends and every key has a value,
 * is made up from the state. Where reading goes on is found in json_salvage.c.
 */
#include <stdio.h>

#include "base/json_state.h"

void mlv_json_end_document(struct mlv_json_reader *j, uint64_t offset)
{
	j->over = true;
	j->over_offset = offset;
}

void mlv_json_input_ended(struct mlv_json_reader *j)
{
	struct mlv_reader *r = j->lex.r;
	uint64_t offset = r->start_offset + (uint64_t)(r->end - r->start);
	if (r->err.rc == MLV_E_NOMEM)
		j->err = r->err;
	else if (r->err.rc)
		mlv_diag_from_err(j->lex.diags, "input-truncated", &r->err);
	else if (j->expect != MLV_EXPECT_NOTHING)
		mlv_diag_add(j->lex.diags, MLV_DAMAGE, "json-truncated", offset,
			     offset ? "the JSON document ends early"
				    : "there is no JSON document, the input is empty");
	j->early = j->expect != MLV_EXPECT_NOTHING;
	mlv_json_end_document(j, offset);
}

/* Behind a syntax error, find where to go on, if the caller told how. */
static bool salvage(struct mlv_json_reader *j)
{
	struct mlv_reader *r = j->lex.r;
	const struct mlv_json_records *records = j->records;
	if (!records || !j->stack.len)
		return false;
	if (j->list_depth) {
		j->lost++;
		if (!mlv_json_find_record(r, records->keys, j->stack.len == j->list_depth))
			return false;
		j->owed = j->list_depth;
		return true;
	}
	if (j->list_seen || !j->stack.data[0] || !mlv_json_find_key(r, records->list))
		return false;
	j->owed = 1;
	return true;
}

void mlv_json_syntax_error(struct mlv_json_reader *j, const char *wanted)
{
	uint64_t offset = mlv_reader_offset(j->lex.r);
	uint8_t c = *j->lex.r->p;
	char found[16];
	snprintf(found, sizeof(found), c > 0x20 && c < 0x7f ? "'%c'" : "byte 0x%02x", c);
	bool on = salvage(j);
	mlv_diag_add(j->lex.diags, MLV_DAMAGE, "json-syntax", offset,
		     "expected %s, found %s; the rest of the %s is not read", wanted, found,
		     on ? "record" : "document");
	if (on)
		j->over_offset = offset;
	else if (j->lex.r->p == j->lex.r->end && j->lex.r->err.rc)
		mlv_json_input_ended(j);
	else
		mlv_json_end_document(j, offset);
	j->early = j->early || !on;
}

void mlv_json_salvage(struct mlv_json_reader *j, const struct mlv_json_records *records)
{
	j->records = records;
}

uint64_t mlv_json_lost(const struct mlv_json_reader *j)
{
	return j->lost;
}

bool mlv_json_ended_early(const struct mlv_json_reader *j)
{
	return j->early;
}

void mlv_json_make_up(struct mlv_json_reader *j, struct mlv_json_token *token)
{
	token->offset = j->over_offset;
	if (!j->stack.len) {
		token->kind = MLV_JSON_END;
	} else if (j->in_object &&
		   (j->expect == MLV_EXPECT_COLON || j->expect == MLV_EXPECT_VALUE)) {
		token->kind = MLV_JSON_NULL;
		mlv_json_value_done(j);
	} else {
		mlv_json_close(j, token);
	}
}

bool mlv_json_owed(struct mlv_json_reader *j, struct mlv_json_token *token)
{
	bool keyed =
		j->in_object && (j->expect == MLV_EXPECT_COLON || j->expect == MLV_EXPECT_VALUE);
	if (j->stack.len > j->owed || keyed) {
		mlv_json_make_up(j, token);
		return true;
	}
	j->owed = 0;
	uint8_t c = *j->lex.r->p;
	j->expect = c == '"'   ? MLV_EXPECT_NEXT_KEY
		    : c == '{' ? MLV_EXPECT_NEXT_VALUE
			       : MLV_EXPECT_COMMA;
	return false;
}
