/* SPDX-License-Identifier: MIT */
/*
 * How fast a pickle can be walked at all. bench/run builds it and measures it
 * beside mlviz:
 *
 *   opcode_floor read FILE      read the bytes and do nothing with them
 *   opcode_floor opcodes FILE   count the opcodes, skip their arguments, and keep
 *                               a memo, a value stack and its marks
 *
 * The second is what any reader of pickles has to do before it looks at a
 * single value: containers are words without content, strings are not looked
 * at. Opcodes that import or call something end it.
 */
#define _GNU_SOURCE /* madvise, MAP_POPULATE */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static void fail(const char *what)
{
	fprintf(stderr, "opcode_floor: %s\n", what);
	exit(1);
}

struct words {
	uint64_t *data;
	size_t len, cap;
};

/* Large tables lie on huge pages: touching them for the first time is half of the work. */
static void grow(struct words *w, size_t room)
{
	enum { HUGE_PAGE = 2 << 20 };
	size_t cap = w->cap ? w->cap : HUGE_PAGE / sizeof(*w->data);
	while (cap < room)
		cap *= 2;
	uint64_t *data = aligned_alloc(HUGE_PAGE, cap * sizeof(*data));
	if (!data)
		fail("out of memory");
	if (cap > HUGE_PAGE / sizeof(*data))
		(void)madvise(data, cap * sizeof(*data), MADV_HUGEPAGE);
	if (w->len)
		memcpy(data, w->data, w->len * sizeof(*data));
	free(w->data);
	w->data = data;
	w->cap = cap;
}

static inline void push(struct words *w, uint64_t word)
{
	if (w->len == w->cap)
		grow(w, w->len + 1);
	w->data[w->len++] = word;
}

static inline void drop(struct words *w, size_t n)
{
	if (w->len < n)
		fail("too few values");
	w->len -= n;
}

struct machine {
	struct words stack, marks, memo;
	uint64_t opcodes;
	int stopped;
};

static inline uint64_t number(const uint8_t *p, size_t bytes)
{
	uint64_t v = 0;
	memcpy(&v, p, bytes); /* little endian, as all machines here are */
	return v;
}

static inline void get(struct machine *m, uint64_t index)
{
	if (index >= m->memo.len)
		fail("memo entry that was never set");
	push(&m->stack, m->memo.data[index]);
}

static inline void put(struct machine *m, uint64_t index)
{
	if (!m->stack.len || index > UINT32_MAX)
		fail("nothing to remember");
	if (index >= m->memo.cap)
		grow(&m->memo, index + 1);
	if (index > m->memo.len)
		memset(m->memo.data + m->memo.len, 0, (index - m->memo.len) * sizeof(uint64_t));
	m->memo.data[index] = m->stack.data[m->stack.len - 1];
	if (index >= m->memo.len)
		m->memo.len = index + 1;
}

static inline void to_mark(struct machine *m)
{
	drop(&m->marks, 1);
	m->stack.len = m->marks.data[m->marks.len];
}

/* Walk p..end; opcode and argument of fixed size begin before `end`, and 16 bytes lie behind it. */
static const uint8_t *walk(struct machine *m, const uint8_t *p, const uint8_t *end)
{
	while (p < end) {
		uint8_t op = *p++;
		m->opcodes++;
		switch (op) {
		case '(': /* MARK */
			push(&m->marks, m->stack.len);
			break;
		case 'h': /* BINGET */
			get(m, *p);
			p += 1;
			break;
		case 'j': /* LONG_BINGET */
			get(m, number(p, 4));
			p += 4;
			break;
		case 0x94: /* MEMOIZE */
			put(m, m->memo.len);
			break;
		case 'q': /* BINPUT */
			put(m, *p);
			p += 1;
			break;
		case 'r': /* LONG_BINPUT */
			put(m, number(p, 4));
			p += 4;
			break;
		case 'K': /* BININT1 */
			push(&m->stack, *p);
			p += 1;
			break;
		case 'M': /* BININT2 */
			push(&m->stack, number(p, 2));
			p += 2;
			break;
		case 'J': /* BININT */
			push(&m->stack, number(p, 4));
			p += 4;
			break;
		case 0x8a: /* LONG1 */
			push(&m->stack, number(p + 1, 8));
			p += 1 + *p;
			break;
		case 'G': /* BINFLOAT */
			push(&m->stack, number(p, 8));
			p += 8;
			break;
		case 0x8c: /* SHORT_BINUNICODE */
			push(&m->stack, (uintptr_t)p);
			p += 1 + *p;
			break;
		case 'X': /* BINUNICODE */
			push(&m->stack, (uintptr_t)p);
			p += 4 + number(p, 4);
			break;
		case 0x8d: /* BINUNICODE8 */
			push(&m->stack, (uintptr_t)p);
			if (number(p, 8) > (uint64_t)1 << 40)
				fail("a string without end");
			p += 8 + number(p, 8);
			break;
		case ']':  /* EMPTY_LIST */
		case '}':  /* EMPTY_DICT */
		case ')':  /* EMPTY_TUPLE */
		case 'N':  /* NONE */
		case 0x88: /* NEWTRUE */
		case 0x89: /* NEWFALSE */
			push(&m->stack, op);
			break;
		case 'e': /* APPENDS */
		case 'u': /* SETITEMS */
			to_mark(m);
			break;
		case 't': /* TUPLE */
		case 'l': /* LIST */
		case 'd': /* DICT */
			to_mark(m);
			push(&m->stack, op);
			break;
		case 'a': /* APPEND */
			drop(&m->stack, 1);
			break;
		case 's': /* SETITEM */
			drop(&m->stack, 2);
			break;
		case 0x85: /* TUPLE1 */
		case 0x86: /* TUPLE2 */
		case 0x87: /* TUPLE3 */
			drop(&m->stack, op - 0x84u);
			push(&m->stack, op);
			break;
		case 0x80: /* PROTO */
			p += 1;
			break;
		case 0x95: /* FRAME */
			p += 8;
			break;
		case '.': /* STOP */
			m->stopped = 1;
			return p;
		default:
			fprintf(stderr, "opcode_floor: opcode 0x%02x\n", op);
			exit(1);
		}
	}
	return p;
}

enum { MARGIN = 16 };

static void opcodes(int fd)
{
	struct stat st;
	struct machine m = { .stopped = 0 };
	if (fstat(fd, &st) < 0 || st.st_size < MARGIN)
		fail("too small");
	size_t size = (size_t)st.st_size;
	const uint8_t *map = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	if (map == MAP_FAILED)
		fail("cannot map");
	const uint8_t *p = walk(&m, map, map + size - MARGIN);
	if (!m.stopped && p < map + size) {
		/* The last few bytes, from a copy with room behind it. */
		uint8_t tail[4 * MARGIN] = { 0 };
		memcpy(tail, p, (size_t)(map + size - p));
		walk(&m, tail, tail + (map + size - p));
	}
	printf("%llu opcodes, %zu memo entries%s\n", (unsigned long long)m.opcodes, m.memo.len,
	       m.stopped ? "" : ", no STOP");
}

static void read_all(int fd)
{
	static uint8_t buf[256 * 1024];
	unsigned long long total = 0;
	for (ssize_t n; (n = read(fd, buf, sizeof(buf))) > 0;)
		total += (unsigned long long)n;
	printf("%llu bytes\n", total);
}

int main(int argc, char **argv)
{
	if (argc != 3)
		fail("usage: opcode_floor read|opcodes FILE");
	int fd = open(argv[2], O_RDONLY);
	if (fd < 0)
		fail("cannot open");
	if (strcmp(argv[1], "read") == 0)
		read_all(fd);
	else
		opcodes(fd);
	return 0;
}
