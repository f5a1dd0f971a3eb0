/* SPDX-License-Identifier: MIT */
/* What a run found, copied with its rank, and the ranks whose lines a log holds. */
#include "analysis/hang/gather.h"

static bool copy_attrs(struct mlv_copy *c, const struct mlv_finding *from, struct mlv_finding *to)
{
	struct mlv_run *store = &c->e->store;
	uint32_t begin = mlv_run_attrs_begin(store);
	for (uint32_t i = 0; i < from->attrs.count; i++) {
		struct mlv_attr a = c->run->attrs.data[from->attrs.first + i];
		a.key = mlv_copy_str(c, a.key);
		if (a.is_text)
			a.text = mlv_copy_str(c, a.text);
		if (!mlv_vec_push(&store->attrs, a))
			return false;
	}
	to->attrs = mlv_run_attrs_end(store, begin);
	return true;
}

/* The line that a program executed last, as a stack of that one frame: a trace tells no callers. */
static bool last_line(struct mlv_copy *c, struct mlv_finding *f)
{
	struct mlv_stacks *stacks = &c->e->store.stacks;
	struct mlv_frame frame = { .file = f->file, .line = f->file_line };
	mlv_frameid id;
	if (mlv_stack_has_frame(f->stack) || !f->file.i ||
	    !mlv_str_eq(mlv_run_str(&c->e->store, f->code), MLV_STR("last-line")))
		return true;
	return mlv_frame_intern(stacks, frame, &id) && mlv_stack_intern(stacks, &id, 1, &f->stack);
}

enum mlv_rc mlv_gather_facts(struct mlv_copy *c, struct mlv_err *err)
{
	const struct mlv_run *run = c->run;
	struct mlv_evidence *e = c->e;
	mlv_strid file = mlv_copy_text(c, run->file);
	bool ok = !c->failed;
	for (size_t i = 0; ok && i < run->findings.len; i++) {
		struct mlv_finding f = run->findings.data[i];
		ok = copy_attrs(c, &run->findings.data[i], &f);
		f.code = mlv_copy_str(c, f.code);
		f.text = mlv_copy_str(c, f.text);
		f.file = mlv_copy_str(c, f.file);
		f.stack = mlv_copy_stack(c, f.stack);
		if (f.rank < 0)
			f.rank = run->rank;
		struct mlv_fact fact = { (uint32_t)e->store.findings.len, file, f.rank };
		ok = ok && last_line(c, &f) && mlv_vec_push(&e->store.findings, f) &&
		     mlv_vec_push(&e->facts, fact);
	}
	bool log = run->recorder != MLV_RECORDER_COLLECTIVES, ranks = false;
	for (size_t i = 0; ok && log && i < run->tracks.len; i++) {
		struct mlv_raw_speaker s = { run->tracks.data[i].number, file };
		if (run->tracks.data[i].kind != MLV_TRACK_RANK)
			continue;
		ranks = true;
		if (s.rank >= 0)
			ok = mlv_vec_push(&e->raw->speakers, s);
	}
	e->logs += run->findings.len > 0;
	e->quiet_logs += ranks && !run->sections.len;
	return ok && !c->failed ? MLV_OK : mlv_err_nomem(err);
}
