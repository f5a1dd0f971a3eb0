/* SPDX-License-Identifier: MIT */
/*
 * What strace -ff writes: a file for each process and thread, NAME.PID, whose
 * lines have no pid. The files are read side by side, always the line that is
 * due next, as if they were one log.
 *
 * A line stands where its call began and tells its result at once. Where
 * another file has a line before the call returned, its two halves are taken
 * apart as strace -f would have written them, so that descriptors and mappings
 * change in the order of time. A call that makes a child is taken whole: the
 * child has to be known before the first line of its file.
 *
 * Without times, a file is read to its end before those of its children.
 */
#include <stdlib.h>
#include <string.h>

#include "parsers/strace/strace_parts.h"

enum { PROBE_LINES = 400 };

/* When a line was written, on a scale that all files share. */
void mlv_strace_parts_tell_due(struct mlv_strace_parts *m, struct mlv_strace_part *p)
{
	const struct mlv_strace_leader *l = &p->l.leader;
	if (l->clock == MLV_STRACE_UNIX) {
		p->due = l->stamp_ns;
	} else if (l->clock == MLV_STRACE_DAY) {
		if (!p->has_time)
			p->midnight = l->stamp_ns < m->first_of_day ? MLV_NS_PER_DAY : 0;
		else if (l->stamp_ns - p->stamp < -MLV_NS_PER_DAY / 2)
			p->midnight += MLV_NS_PER_DAY;
		p->stamp = l->stamp_ns;
		p->due = l->stamp_ns + p->midnight;
	}
	p->has_time = p->has_time || l->clock != MLV_STRACE_NO_CLOCK;
	while (l->clock && l->stamp_ns % m->unit)
		m->unit /= 1000;
}

/* The next line, taken apart. False at the end. */
static bool read_line(struct mlv_strace_parts *m, struct mlv_strace_part *p)
{
	p->more = mlv_lines_next(&p->lines, &p->line);
	if (!p->more)
		return false;
	m->read += p->line.raw.n + 1;
	mlv_strace_parse(p->line.raw, &p->l);
	p->l.leader.pid = p->is->number;
	/* Counted from the last line of any process, not of this one: it cannot be summed. */
	if (p->l.leader.clock == MLV_STRACE_RELATIVE) {
		p->l.leader.clock = MLV_STRACE_NO_CLOCK;
		m->relative = true;
	}
	return true;
}

/* To the next line that is strace's. */
void mlv_strace_parts_advance(struct mlv_strace_parts *m, struct mlv_strace_part *p)
{
	while (read_line(m, p)) {
		if (mlv_strace_certain(&p->l) || mlv_strace_likely(&p->l))
			return;
		if (mlv_str_trim(p->line.raw).n && !m->st.foreign++) {
			m->st.foreign_line = p->line.number;
			m->st.foreign_file = p->is->file;
		}
	}
}

static struct mlv_strace_part *part_of(const struct mlv_strace_parts *m, int64_t pid)
{
	size_t low = 0, high = m->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (m->numbers[middle]->is->number < pid)
			low = middle + 1;
		else
			high = middle;
	}
	return low < m->count && m->numbers[low]->is->number == pid ? m->numbers[low] : NULL;
}

/* A call returned the number of a child, whose file is known now. */
static void made_known(struct mlv_strace_parts *m, int64_t pid)
{
	struct mlv_strace_part *p = part_of(m, pid);
	if (!p || p->turn != MLV_STRACE_NOT_YET)
		return;
	p->turn = m->turns++;
	if (p->more)
		mlv_strace_parts_rise(m, p->at);
}

static enum mlv_rc take(struct mlv_strace_parts *m, struct mlv_strace_part *p,
			const struct mlv_strace_line *l, struct mlv_err *err)
{
	m->st.file = p->is->file;
	enum mlv_rc rc = mlv_strace_take(&m->st, &m->text, l, p->line.number, err);
	/* strace's own messages, and frames, are nobody's. */
	if (m->st.task != MLV_STRACE_NO_TASK)
		p->task = m->st.task;
	return rc;
}

/* What belongs to the call that has just been taken: its stack, and the bytes it moved. */
static enum mlv_rc take_stack(struct mlv_strace_parts *m, struct mlv_strace_part *p,
			      struct mlv_err *err)
{
	enum mlv_rc rc = MLV_OK;
	while (!rc && read_line(m, p) &&
	       (p->l.kind == MLV_STRACE_FRAME || p->l.kind == MLV_STRACE_DUMP))
		rc = take(m, p, &p->l, err);
	if (!rc && !mlv_strace_frames_end(&m->st))
		rc = mlv_err_nomem(err);
	return rc;
}

/* The line after the one that was taken. */
static enum mlv_rc next_line(struct mlv_strace_parts *m, struct mlv_strace_part *p,
			     struct mlv_err *err)
{
	enum mlv_rc rc = take_stack(m, p, err);
	if (p->more && !mlv_strace_certain(&p->l) && !mlv_strace_likely(&p->l))
		mlv_strace_parts_advance(m, p);
	if (p->more)
		mlv_strace_parts_tell_due(m, p);
	mlv_strace_parts_put_back(m);
	return rc;
}

/* The second half of a call. */
static enum mlv_rc take_end(struct mlv_strace_parts *m, struct mlv_strace_part *p,
			    struct mlv_err *err)
{
	struct mlv_strace_line half = p->l;
	half.kind = MLV_STRACE_RESUMED;
	half.args = (struct mlv_str){ "", 0 };
	half.leader.clock = MLV_STRACE_NO_CLOCK;
	p->inside = false;
	m->st.now = m->st.clock == MLV_STRACE_DAY ? p->due - m->st.first_ns : p->due;
	enum mlv_rc rc = take(m, p, &half, err);
	return rc ? rc : next_line(m, p, err);
}

/* The first half, if others have lines before the call returned. */
static enum mlv_rc take_begin(struct mlv_strace_parts *m, struct mlv_strace_part *p, int64_t ends,
			      struct mlv_err *err)
{
	struct mlv_strace_line half = p->l;
	half.kind = MLV_STRACE_UNFINISHED;
	p->inside = true;
	p->due = ends;
	enum mlv_rc rc = take(m, p, &half, err);
	mlv_strace_parts_put_back(m);
	return rc;
}

/* When its call returned, if that can be told: durations are finer than times may be. */
static bool returns(const struct mlv_strace_parts *m, const struct mlv_strace_part *p,
		    int64_t *ends)
{
	if (!p->l.leader.clock || p->l.result.duration_ns <= 0 ||
	    __builtin_add_overflow(p->due, p->l.result.duration_ns, ends))
		return false;
	*ends -= *ends % m->unit;
	return *ends > p->due;
}

static enum mlv_rc step(struct mlv_strace_parts *m, struct mlv_err *err)
{
	struct mlv_strace_part *p = m->heap[0];
	const struct mlv_strace_line *l = &p->l;
	bool call = l->kind == MLV_STRACE_CALL, forks = false;
	int64_t ends;
	if (p->inside)
		return take_end(m, p, err);
	if (p->turn == MLV_STRACE_NOT_YET)
		p->turn = m->turns++;
	p->rows += call || l->kind == MLV_STRACE_UNFINISHED || l->kind == MLV_STRACE_OPEN;
	if (call || l->kind == MLV_STRACE_RESUMED)
		forks = mlv_strace_shape(l->name) == MLV_STRACE_FORK;
	if (call && !forks && returns(m, p, &ends) && mlv_strace_parts_others_before(m, ends))
		return take_begin(m, p, ends, err);
	if (l->kind == MLV_STRACE_OPEN && !m->st.cut++) {
		m->st.cut_line = p->line.number;
		m->st.cut_file = p->is->file;
	}
	int64_t child = forks && l->result.is_number ? l->result.number : 0;
	enum mlv_rc rc = take(m, p, l, err);
	if (!rc && child > 0)
		made_known(m, child);
	return rc ? rc : next_line(m, p, err);
}
static enum mlv_rc parse(struct mlv_parse *parse, struct mlv_err *err)
{
	struct mlv_strace_parts m = { .parse = parse,
				      .budget = { .parse = parse },
				      .count = parse->part_count,
				      .unit = 1000000000 };
	m.text = (struct mlv_text){ .run = parse->run,
				    .worker = -1,
				    .limits = parse->limits,
				    .options = parse->options,
				    .rank = parse->run->rank };
	m.st.run = parse->run;
	m.list = calloc(m.count + 1, sizeof(*m.list));
	m.heap = calloc(m.count + 1, sizeof(*m.heap));
	m.numbers = calloc(m.count + 1, sizeof(*m.numbers));
	enum mlv_rc rc = m.list && m.heap && m.numbers ? mlv_strace_parts_start(&m, err)
						       : mlv_err_nomem(err);
	while (!rc && m.waiting) {
		rc = step(&m, err);
		if (!rc && mlv_budget_due(&m.budget, m.read))
			rc = mlv_budget_look(&m.budget, m.read, 0, err);
	}
	if (!rc)
		rc = mlv_strace_parts_finish(&m, err);
	for (size_t i = 0; m.list && i < m.count; i++)
		mlv_lines_fini(&m.list[i].lines);
	free(m.list);
	free(m.heap);
	free(m.numbers);
	mlv_strace_fini(&m.st);
	parse->run->format = "strace";
	return rc;
}

/* ---- probing ---- */

/* A call that tells the number of its caller tells another one: the name is of something else. */
static bool contradicts(const struct mlv_strace_line *l, int64_t number)
{
	return l->kind == MLV_STRACE_CALL && l->result.is_number &&
	       (mlv_str_eq(l->name, MLV_STR("set_tid_address")) ||
		mlv_str_eq(l->name, MLV_STR("gettid"))) &&
	       l->result.number != number;
}

static bool is_part(struct mlv_bytes head, int64_t number)
{
	unsigned lines = 0, good = 0;
	bool previous = false;
	for (size_t i = 0; i < head.n && lines < PROBE_LINES;) {
		struct mlv_strace_line l;
		struct mlv_str s = { (const char *)head.p + i, head.n - i };
		const char *lf = memchr(s.p, '\n', s.n);
		s.n = lf ? (size_t)(lf - s.p) : s.n;
		i += s.n + (lf != NULL);
		if (!mlv_str_trim(s).n || (!lf && lines))
			continue;
		mlv_strace_parse(s, &l);
		if (l.leader.pid >= 0 || contradicts(&l, number))
			return false;
		previous = mlv_strace_certain(&l) ||
			   (previous && (l.kind == MLV_STRACE_FRAME || l.kind == MLV_STRACE_DUMP));
		good += previous;
		lines++;
	}
	/* With -qq a process without calls that were asked for leaves an empty file. */
	return good * 10 >= lines * 6;
}

const struct mlv_parser mlv_parser_strace_parts = {
	.name = "strace",
	.summary = "system calls by strace -ff, a file for each process",
	.part = is_part,
	.parse = parse,
};
