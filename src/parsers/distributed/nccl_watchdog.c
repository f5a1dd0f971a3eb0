/* SPDX-License-Identifier: MIT */
/*
 * What the watchdog of a process group wrote into a log: each statement is a
 * finding, told once for each rank however often it was repeated (the
 * watchdog, the exception and the traceback say the same).
 */
#include "parsers/distributed/nccl_watchdog.h"

#include <string.h>

#include "parsers/text/statement.h"

/* Lines of others that may stand between those of one report in a mixed stream. */
enum { GAP = 8 };

enum mlv_rc mlv_nccl_section(struct mlv_nccl *n, struct mlv_text *t, uint32_t line, uint64_t rows,
			     struct mlv_err *err)
{
	enum mlv_rc rc = mlv_statement_section(t, "nccl-watchdog", MLV_STR(""), line, line,
					       &n->section, err);
	if (!rc)
		t->run->sections.data[n->section - 1].rows += rows;
	return rc;
}

static bool same(const struct mlv_run *run, const struct mlv_finding *a,
		 const struct mlv_finding *b)
{
	const struct mlv_attr *x = mlv_run_attr(run, a->attrs, "pg_id");
	const struct mlv_attr *y = mlv_run_attr(run, b->attrs, "pg_id");
	return a->code.i == b->code.i && a->text.i == b->text.i && a->rank == b->rank &&
	       (x ? x->number : -1) == (y ? y->number : -1);
}

enum mlv_rc mlv_nccl_tell(struct mlv_nccl *n, struct mlv_text *t, struct mlv_finding f,
			  const char *code, struct mlv_str text, uint32_t begin, uint32_t *row,
			  struct mlv_err *err)
{
	struct mlv_run *run = t->run;
	struct mlv_map_slot *slot;
	if (!mlv_run_intern(run, mlv_str_of(code), &f.code) || !mlv_run_intern(run, text, &f.text))
		return mlv_err_nomem(err);
	f.attrs = mlv_run_attrs_end(run, begin);
	uint64_t key = ((uint64_t)f.text.i << 32 | f.code.i) ^
		       (uint64_t)f.rank * UINT64_C(0x9e3779b97f4a7c15);
	for (; (slot = mlv_map_find(&n->told, key)); key++) {
		struct mlv_finding *first = &run->findings.data[slot->value];
		if (!same(run, first, &f))
			continue;
		run->attrs.data[first->attrs.first].number++;
		if (row)
			*row = slot->value;
		run->attrs.len = begin;
		return mlv_nccl_section(n, t, f.last_line, 0, err);
	}
	enum mlv_rc full = mlv_limits_room(t->limits, run->findings.len, "findings", err);
	if (full)
		return full;
	uint32_t index = (uint32_t)run->findings.len;
	if (!mlv_vec_push(&run->findings, f) || !mlv_map_set(&n->told, key, index))
		return mlv_err_nomem(err);
	if (row)
		*row = index;
	enum mlv_rc rc = mlv_nccl_section(n, t, f.line, 1, err);
	return rc ? rc : mlv_nccl_section(n, t, f.last_line, 0, err);
}

/* Words of which every statement has one: most lines of a log have none of them. */
static bool may_be_one(struct mlv_str s)
{
	static const char *const words[] = {
		"ollective", "atchdog",      "ProcessGroup",      " work: ",     "ebug info",
		"rank",      "eat monitor ", "data inconsistenc", "tions have ", "light recorder ",
	};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (mlv_str_find(s, words[i]) >= 0)
			return true;
	}
	return false;
}

static enum mlv_rc line(void *state, struct mlv_text *t, const struct mlv_line *line,
			enum mlv_take *take, struct mlv_err *err)
{
	struct mlv_nccl *n = state;
	bool taken = false;
	enum mlv_rc rc = mlv_nccl_frames_line(n, t, line, &taken, err);
	if (!rc && !taken)
		rc = mlv_nccl_desync_line(n, t, line, &taken, err);
	if (taken)
		*take = MLV_OWN;
	if (!rc && !taken && may_be_one(line->text)) {
		rc = mlv_nccl_statements(n, t, line, &taken, err);
		if (taken)
			*take = MLV_TAKE;
	}
	if (!rc && n->desync.open && line->number > n->desync.last + GAP)
		rc = mlv_nccl_desync_close(n, t, err);
	if (!rc && n->frames.open && line->number > n->frames.last + GAP)
		rc = mlv_nccl_frames_close(n, t, err);
	return rc;
}

static enum mlv_rc finish(void *state, struct mlv_text *t, struct mlv_err *err)
{
	struct mlv_nccl *n = state;
	enum mlv_rc rc = mlv_nccl_desync_close(n, t, err);
	return rc ? rc : mlv_nccl_frames_close(n, t, err);
}

static void fini(void *state)
{
	struct mlv_nccl *n = state;
	mlv_map_fini(&n->told);
	mlv_nccl_desync_fini(&n->desync);
}

const struct mlv_text_format mlv_text_nccl_watchdog = {
	.name = "nccl-watchdog",
	.summary = "NCCL watchdog timeouts, process group status and desync reports in a log",
	.state_size = sizeof(struct mlv_nccl),
	.line = line,
	.finish = finish,
	.fini = fini,
};
