/* SPDX-License-Identifier: MIT */
#include "parsers/text/lines.h"

#include <stdlib.h>
#include <string.h>

/* Digits at `i`; -1 if there are none or too many. */
static int64_t digits(struct mlv_str s, size_t *i)
{
	int64_t n = 0;
	size_t start = *i;
	for (; *i < s.n && s.p[*i] >= '0' && s.p[*i] <= '9'; (*i)++) {
		if (*i - start > 8)
			return -1;
		n = n * 10 + (s.p[*i] - '0');
	}
	return *i > start ? n : -1;
}

/* What follows a prefix and its colon. The launcher's own blank goes too, where it writes one. */
static struct mlv_str behind(struct mlv_str s, size_t i, bool tight)
{
	if (i < s.n && s.p[i] == ':')
		i++;
	if (i < s.n && s.p[i] == ' ' && !tight)
		i++;
	return (struct mlv_str){ s.p + i, s.n - i };
}

/* Open MPI writes "[host:PID]" before its own messages, and no colon after it. */
enum { MOST_HOST_RANK = 1023 };

/* "[rank3]", "[default3]", "[host:3]" and mpirun's "[1,3]<stdout>", up to the bracket. */
static int64_t bracketed(struct mlv_str raw, size_t *end)
{
	static const struct mlv_str names[] = { MLV_STR_INIT("[rank"), MLV_STR_INIT("[default"),
						MLV_STR_INIT("[Rank ") };
	size_t i = 0;
	bool host = true;
	for (size_t k = 0; k < 3 && !i; k++) {
		if (mlv_str_has_prefix(raw, names[k]))
			i = names[k].n;
	}
	if (i) {
		host = false;
	} else {
		/* A host's name, or the number of mpirun's job. */
		for (i = 1; i < raw.n && i < 64; i++) {
			char c = raw.p[i];
			if (c == ':' || c == ',')
				break;
			if (!(c == '-' || c == '.' || c == '_' || (c >= '0' && c <= '9') ||
			      ((c | 0x20) >= 'a' && (c | 0x20) <= 'z')))
				return -1;
		}
		if (i >= raw.n || i == 1 || i >= 64)
			return -1;
		host = raw.p[i] == ':';
		i++;
	}
	int64_t rank = digits(raw, &i);
	if (rank < 0 || i >= raw.n || raw.p[i] != ']')
		return -1;
	i++;
	if (i < raw.n && raw.p[i] == '<') {
		while (i < raw.n && raw.p[i] != '>')
			i++;
		i += i < raw.n;
	} else if (i < raw.n && raw.p[i] != ':' && raw.p[i] != ' ') {
		return -1;
	}
	if (host && rank > MOST_HOST_RANK && !(i < raw.n && raw.p[i] == ':'))
		return -1;
	*end = i;
	return rank;
}

/*
 * "[default3]:" counts within a host, and "[rank11]:" behind it says which rank
 * of the job that is. Later lines have the first alone; where hosts share the
 * log and it came to mean several ranks, it means none.
 */
#define SEVERAL UINT32_MAX

static int64_t launched(struct mlv_lines *l, int64_t local, int64_t rank)
{
	struct mlv_map_slot *known = mlv_map_find(&l->global, (uint64_t)local);
	if (rank < 0)
		return !known ? local : known->value == SEVERAL ? -1 : (int64_t)known->value;
	if (!known)
		(void)mlv_map_set(&l->global, (uint64_t)local, (uint32_t)rank);
	else if (known->value != rank)
		known->value = SEVERAL;
	return rank;
}

/*
 * Python's tracebacks are told by their indentation, so a blank too many or too
 * few matters. torchrun's "[default3]:" and mpirun's "[1,3]<stdout>:" have none
 * of their own. "[rank3]: " of PyTorch has one; but the role of torchrun may be
 * called "rank" as well. A line that begins right behind the colon tells, unless
 * it is one of PyTorch's C++ log, "[rank3]:[E…", which has no blank anyway.
 */
static bool has_no_blank(struct mlv_lines *l, struct mlv_str raw, size_t end)
{
	char c = end + 1 < raw.n && raw.p[end] == ':' ? raw.p[end + 1] : ' ';
	if (raw.p[end - 1] == '>' || mlv_str_has_prefix(raw, MLV_STR("[default")))
		return true;
	if (c != ' ' && c != '[')
		l->tight = true;
	return l->tight;
}

/* The rank that the prefix of `raw` names, and what stands behind it. */
static int64_t rank_of(struct mlv_lines *l, struct mlv_str raw, struct mlv_str *text)
{
	size_t end = 0;
	int64_t rank = -1, inner = -1;
	*text = raw;
	if (raw.n > 3 && raw.p[0] == '[')
		rank = bracketed(raw, &end);
	if (rank < 0)
		return -1;
	*text = behind(raw, end, has_no_blank(l, raw, end));
	/* That of PyTorch behind that of the launcher. */
	if (mlv_str_has_prefix(*text, MLV_STR("[rank")))
		inner = bracketed(*text, &end);
	if (inner >= 0)
		*text = behind(*text, end, false);
	if (mlv_str_has_prefix(raw, MLV_STR("[default")))
		return launched(l, rank, inner);
	return inner >= 0 ? inner : rank;
}

/* "12: text", where most lines have it. */
static int64_t label(struct mlv_str raw, struct mlv_str *text)
{
	size_t i = 0;
	while (i < raw.n && raw.p[i] == ' ')
		i++;
	int64_t n = digits(raw, &i);
	if (n < 0 || i >= raw.n || raw.p[i] != ':')
		return -1;
	/* "18:26:52" is a time of day. */
	if (i + 1 < raw.n && raw.p[i + 1] != ' ')
		return -1;
	*text = behind(raw, i, false);
	return n;
}

/* Look ahead for what the form of the prefixes is. */
static void look_ahead(struct mlv_lines *l, struct mlv_reader *r)
{
	(void)mlv_reader_need(r, 16384);
	const uint8_t *p = r->p, *end = r->end - r->p > 16384 ? r->p + 16384 : r->end;
	unsigned lines = 0, labelled = 0;
	while (p < end) {
		const uint8_t *lf = memchr(p, '\n', (size_t)(end - p));
		struct mlv_str line = { (const char *)p, (size_t)((lf ? lf : end) - p) }, text;
		size_t bracket = 0;
		lines++;
		labelled += label(line, &text) >= 0;
		if (line.n > 3 && line.p[0] == '[' && bracketed(line, &bracket) >= 0)
			(void)has_no_blank(l, line, bracket);
		p = lf ? lf + 1 : end;
	}
	l->labelled = lines >= 4 && labelled * 10 >= lines * 9;
}

void mlv_lines_init(struct mlv_lines *l, struct mlv_reader *r, const struct mlv_limits *limits,
		    struct mlv_diags *diags)
{
	*l = (struct mlv_lines){ .reader = r, .diags = diags, .limit = limits->string };
	look_ahead(l, r);
}

void mlv_lines_fini(struct mlv_lines *l)
{
	mlv_map_fini(&l->global);
	free(l->clean);
	l->clean = NULL;
}

/* The bytes up to a line feed, which is consumed. */
static bool raw_line(struct mlv_lines *l, struct mlv_str *line)
{
	struct mlv_reader *r = l->reader;
	size_t seen = 0;
	for (;;) {
		size_t have = (size_t)(r->end - r->p);
		const uint8_t *lf = memchr(r->p + seen, '\n', have - seen);
		if (lf || have >= l->limit || !mlv_reader_need(r, have + 1)) {
			/* mlv_reader_need may have moved what is at hand. */
			have = (size_t)(r->end - r->p);
			size_t n = lf ? (size_t)(lf - r->p) : have;
			if (!lf && n > l->limit)
				n = (size_t)l->limit;
			if (!lf && !n)
				return false;
			if (!lf && have >= l->limit)
				mlv_diag_add_line(
					l->diags, MLV_WARNING, "line-long", l->number + 1,
					"a line is longer than the limit on strings and is "
					"read in pieces");
			*line = (struct mlv_str){ (const char *)r->p, n };
			r->p += n + (lf != NULL);
			return true;
		}
		seen = have;
	}
}

/* Length of a terminal's control sequence at `i`; 0 if there is none. */
static size_t escape(struct mlv_str s, size_t i)
{
	if (s.p[i] != 0x1b)
		return 0;
	size_t k = i + 1;
	if (k < s.n && s.p[k] == '[') {
		for (k++; k < s.n && !(s.p[k] >= 0x40 && s.p[k] <= 0x7e); k++)
			;
		return k < s.n ? k + 1 - i : s.n - i;
	}
	return 1;
}

/* Length of the launcher's prefix, which it writes once a line: nothing overwrites it. */
static size_t prefix_length(const struct mlv_lines *l, struct mlv_str s)
{
	struct mlv_str text = s;
	size_t end = 0;
	if (s.n > 3 && s.p[0] == '[' && bracketed(s, &end) >= 0)
		return end + (end < s.n && s.p[end] == ':');
	return l->labelled && label(s, &text) >= 0 ? s.n - text.n : 0;
}

/* Remove colours, and what a carriage return let a later text overwrite. */
static bool clean(struct mlv_lines *l, struct mlv_str *line)
{
	while (line->n && line->p[line->n - 1] == '\r')
		line->n--;
	if (!memchr(line->p, 0x1b, line->n) && !memchr(line->p, '\r', line->n))
		return true;
	if (l->clean_cap < line->n) {
		char *more = realloc(l->clean, line->n);
		if (!more)
			return false;
		l->clean = more;
		l->clean_cap = line->n;
	}
	size_t n = 0;
	for (size_t i = 0; i < line->n;) {
		size_t skip = escape(*line, i);
		if (skip) {
			i += skip;
			continue;
		}
		if (line->p[i] == '\r')
			n = prefix_length(l, (struct mlv_str){ l->clean, n });
		else
			l->clean[n++] = line->p[i];
		i++;
	}
	*line = (struct mlv_str){ l->clean, n };
	return true;
}

/* The number behind `key`, within parentheses; -1: none. */
static int64_t number_in(struct mlv_str s, struct mlv_str key)
{
	for (size_t i = 1; i + key.n < s.n; i++) {
		size_t at = i + key.n;
		if ((s.p[i - 1] == ' ' || s.p[i - 1] == '(') && memcmp(s.p + i, key.p, key.n) == 0)
			return digits(s, &at);
	}
	return -1;
}

/*
 * "(RayWorkerWrapper pid=12, ip=10.0.0.1) ", "(VllmWorker rank=1 pid=7) ": whose
 * lines these are, and the rank where it is told. *text is what stands behind.
 */
static int64_t worker(struct mlv_str raw, struct mlv_str *text, int64_t *rank)
{
	enum { MOST = 120 };
	const char *end = raw.n > 8 && raw.p[0] == '('
				  ? memchr(raw.p, ')', raw.n < MOST ? raw.n : MOST)
				  : NULL;
	if (!end)
		return -1;
	struct mlv_str inside = { raw.p, (size_t)(end - raw.p) + 1 };
	int64_t pid = number_in(inside, MLV_STR("pid="));
	if (pid < 0)
		return -1;
	*rank = number_in(inside, MLV_STR("rank="));
	*text = behind(raw, inside.n, false);
	return pid;
}

bool mlv_lines_next(struct mlv_lines *l, struct mlv_line *line)
{
	if (!raw_line(l, &line->raw) || !clean(l, &line->raw))
		return false;
	line->number = ++l->number;
	struct mlv_str rest = line->raw;
	int64_t told = -1;
	line->process = worker(line->raw, &rest, &told);
	line->rank = rank_of(l, rest, &line->text);
	if (line->rank < 0)
		line->rank = told;
	if (line->rank < 0 && l->labelled)
		line->rank = label(line->raw, &line->text);
	return true;
}
