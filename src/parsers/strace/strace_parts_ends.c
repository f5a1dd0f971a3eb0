/* SPDX-License-Identifier: MIT */
/*
 * The files of strace -ff before the first line and behind the last: in which
 * order they stand, and what is said of each.
 */
#include <stdlib.h>
#include <string.h>

#include "parsers/strace/strace_parts.h"

/*
 * Times of day have no date: the recording began behind the longest gap
 * between the first lines of its files, and what is earlier is of the next day.
 */
static int by_value(const void *pa, const void *pb)
{
	const int64_t *a = pa, *b = pb;
	return (*a > *b) - (*a < *b);
}

static bool find_first_of_day(struct mlv_strace_parts *m)
{
	int64_t *times = malloc((m->count + 1) * sizeof(*times)), longest = -1;
	size_t n = 0;
	if (!times)
		return false;
	for (size_t i = 0; i < m->count; i++) {
		if (m->list[i].more && m->list[i].l.leader.clock == MLV_STRACE_DAY)
			times[n++] = m->list[i].l.leader.stamp_ns;
	}
	if (n)
		qsort(times, n, sizeof(*times), by_value);
	for (size_t i = 0; i < n; i++) {
		int64_t gap =
			i ? times[i] - times[i - 1] : times[0] + MLV_NS_PER_DAY - times[n - 1];
		if (gap > longest) {
			longest = gap;
			m->first_of_day = times[i];
		}
	}
	free(times);
	return true;
}

/* Where nothing else tells: what begins with execve began the recording. */
static int by_start(const void *pa, const void *pb)
{
	const struct mlv_strace_part *a = pa, *b = pb;
	bool x = a->more && mlv_str_eq(a->l.name, MLV_STR("execve"));
	bool y = b->more && mlv_str_eq(b->l.name, MLV_STR("execve"));
	if (x != y)
		return x ? -1 : 1;
	return (a->is->number > b->is->number) - (a->is->number < b->is->number);
}

static int by_number(const void *pa, const void *pb)
{
	const struct mlv_strace_part *const *a = pa, *const *b = pb;
	return ((*a)->is->number > (*b)->is->number) - ((*a)->is->number < (*b)->is->number);
}

enum mlv_rc mlv_strace_parts_start(struct mlv_strace_parts *m, struct mlv_err *err)
{
	for (size_t i = 0; i < m->count; i++) {
		struct mlv_strace_part *p = &m->list[i];
		p->is = &m->parse->parts[i];
		p->turn = MLV_STRACE_NOT_YET;
		p->task = MLV_STRACE_NO_TASK;
		p->due = INT64_MIN;
		mlv_lines_init(&p->lines, p->is->reader, m->parse->limits, &m->text.run->diags);
		mlv_strace_parts_advance(m, p);
	}
	/* The line at hand lies in the file or in memory of its own: the rows may move. */
	qsort(m->list, m->count, sizeof(*m->list), by_start);
	if (!find_first_of_day(m))
		return mlv_err_nomem(err);
	for (size_t i = 0; i < m->count; i++) {
		struct mlv_strace_part *p = &m->list[i];
		m->numbers[i] = p;
		if (!p->more)
			continue;
		mlv_strace_parts_tell_due(m, p);
		mlv_strace_parts_add(m, p);
	}
	qsort(m->numbers, m->count, sizeof(*m->numbers), by_number);
	return MLV_OK;
}

/* "many.4711: process python3, child of 4700", "many.4712: thread of 4711" */
static bool title_of(struct mlv_strace_parts *m, const struct mlv_strace_part *p,
		     struct mlv_buf *title)
{
	struct mlv_str file = mlv_str_of(p->is->file);
	title->len = 0;
	mlv_buf_str(title, mlv_str_basename(file));
	if (p->task != MLV_STRACE_NO_TASK) {
		const struct mlv_strace_task *t = &m->st.tasks.data[p->task];
		struct mlv_str name = mlv_run_str(m->st.run, t->name);
		bool thread = t->leader != p->task;
		uint32_t of = thread ? t->leader : t->parent;
		mlv_buf_puts(title, thread ? ": thread" : ": process");
		mlv_buf_puts(title, name.n && !thread ? " " : "");
		mlv_buf_str(title, thread ? MLV_STR("") : name);
		if (of != MLV_STRACE_NO_TASK)
			mlv_buf_printf(title, "%s of %lld", thread ? "" : ", child",
				       (long long)mlv_strace_pid(&m->st, of));
	}
	return !title->failed;
}

static int by_turn(const void *pa, const void *pb)
{
	const struct mlv_strace_part *a = pa, *b = pb;
	if (a->turn != b->turn)
		return a->turn < b->turn ? -1 : 1;
	return (a->is->number > b->is->number) - (a->is->number < b->is->number);
}

/* A section for each file, in the order in which they began. */
static enum mlv_rc add_sections(struct mlv_strace_parts *m, struct mlv_err *err)
{
	struct mlv_buf title = { 0 };
	enum mlv_rc rc = MLV_OK;
	m->text.run->sections.len = 0;
	qsort(m->list, m->count, sizeof(*m->list), by_turn);
	for (size_t i = 0; !rc && i < m->count; i++) {
		const struct mlv_strace_part *p = &m->list[i];
		uint32_t section;
		if (!title_of(m, p, &title))
			rc = mlv_err_nomem(err);
		else
			rc = mlv_text_section(&m->text, "strace",
					      (struct mlv_str){ title.data, title.len }, 0,
					      &section, err);
		if (rc)
			continue;
		m->text.run->sections.data[section].rows = p->rows;
		mlv_section_noun(m->text.run, section, "call");
	}
	mlv_buf_fini(&title);
	return rc;
}

static void say(const struct mlv_strace_parts *m)
{
	struct mlv_diags *d = &m->text.run->diags;
	for (size_t i = 0; i < m->count; i++) {
		const struct mlv_part *is = m->list[i].is;
		if (is->reader->err.rc)
			mlv_diag_add_line(d, MLV_DAMAGE, "input-truncated", m->list[i].lines.number,
					  "%s: %s", is->file, is->reader->err.msg);
	}
	if (m->relative)
		mlv_diag_add(
			d, MLV_WARNING, "strace-relative-apart", MLV_NO_OFFSET,
			"the times of -r count from the last line of any process, so in files "
			"of their own they do not tell when a call was made; record with -ttt");
}

enum mlv_rc mlv_strace_parts_finish(struct mlv_strace_parts *m, struct mlv_err *err)
{
	if (!m->st.begun)
		return mlv_err_set(err, MLV_E_FORMAT, "there is no line of strace in it");
	enum mlv_rc rc = mlv_strace_finish(&m->st, &m->text, err);
	if (rc)
		return rc;
	say(m);
	return add_sections(m, err);
}
