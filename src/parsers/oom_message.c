/* SPDX-License-Identifier: MIT */
#include "parsers/oom_message.h"

#include <string.h>

#include "parsers/lines.h"
#include "parsers/scan.h"

/* No message is longer, so that a line full of beginnings costs no more than its length. */
enum { MESSAGE_BYTES = 8192, HOST_BYTES = 512 };

struct cursor {
	struct mlv_str s;
	struct mlv_oom *o;
	const char *begin;
};

static bool glue(struct cursor *c)
{
	struct mlv_oom *o = c->o;
	if (o->glue_count == MLV_OOM_GLUE)
		return false;
	o->glue[o->glue_count++] = (uint16_t)(c->s.p - c->begin);
	c->s = mlv_str_from(c->s, 1);
	return true;
}

static char next(const struct cursor *c)
{
	return c->s.n ? c->s.p[0] : '\0';
}

/*
 * This text. A line feed is where a message was broken: it stands for the
 * blank that it replaced, or for nothing when it is within a word, which is
 * then noted.
 */
static bool lit(struct cursor *c, const char *text)
{
	struct cursor saved = *c;
	unsigned glued = c->o->glue_count;
	for (const char *p = text; *p; p++) {
		bool within = p > text || strchr(".,;)", *p);
		bool ok = next(c) != '\n' || *p == ' ' || (within && glue(c));
		if (!ok || (next(c) != *p && !(*p == ' ' && next(c) == '\n'))) {
			*c = saved;
			c->o->glue_count = glued;
			return false;
		}
		c->s = mlv_str_from(c->s, 1);
	}
	return true;
}

static void blanks(struct cursor *c)
{
	while (next(c) == ' ' || next(c) == '\t' || next(c) == '\n')
		c->s = mlv_str_from(c->s, 1);
}

/* Everything up to this text, and the text. */
static bool lit_ahead(struct cursor *c, const char *text, size_t within)
{
	struct cursor at = *c;
	for (size_t i = 0; i < within && at.s.n; i++) {
		if (lit(&at, text)) {
			*c = at;
			return true;
		}
		at.s = mlv_str_from(at.s, 1);
	}
	return false;
}

static bool digits(struct cursor *c, bool fraction)
{
	size_t n = 0;
	for (;; n++) {
		char d = next(c);
		if (d == '\n' && n && c->s.n > 1 && (mlv_is_digit(c->s.p[1]) || c->s.p[1] == '.')) {
			if (!glue(c))
				return false;
			d = next(c);
		}
		if (!mlv_is_digit(d) && !(fraction && d == '.' && n))
			break;
		c->s = mlv_str_from(c->s, 1);
	}
	return n > 0;
}

static bool number(struct cursor *c, int64_t *n)
{
	struct cursor from = *c;
	int64_t value = 0;
	if (!digits(c, false))
		return false;
	for (const char *p = from.s.p; p < c->s.p; p++) {
		if (*p == '\n')
			continue;
		if (value > INT64_MAX / 10 - 10)
			return false;
		value = value * 10 + (*p - '0');
	}
	*n = value;
	return true;
}

static bool is_letter(char c)
{
	return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

/* "14.04 GiB", "0 bytes"; kept as printed. */
static bool size(struct cursor *c, struct mlv_str *out)
{
	static const char *const units[] = { "bytes", "KiB", "MiB", "GiB", "TiB", "PiB",
					     "KB",    "MB",  "GB",  "TB",  "B" };
	const char *begin = c->s.p;
	if (!digits(c, true))
		return false;
	blanks(c);
	for (size_t k = 0; k < sizeof(units) / sizeof(units[0]); k++) {
		struct cursor after = *c;
		if (lit(&after, units[k]) && !is_letter(next(&after))) {
			*out = (struct mlv_str){ begin, (size_t)(after.s.p - begin) };
			*c = after;
			return true;
		}
	}
	return false;
}

/* A text, a size and a text behind it. All or nothing, as everything below. */
static bool phrase(struct cursor *c, const char *before, struct mlv_str *value, const char *after)
{
	struct cursor at = *c;
	struct mlv_str said;
	unsigned glued = c->o->glue_count;
	if (lit(&at, before)) {
		blanks(&at);
		if (size(&at, &said)) {
			if (*after && *after != '.' && *after != ',' && *after != ')')
				blanks(&at);
			if (lit(&at, after)) {
				*value = said;
				*c = at;
				return true;
			}
		}
	}
	c->o->glue_count = glued;
	return false;
}

static bool device(struct cursor *c, const char *before)
{
	int64_t n;
	if (!lit(c, before))
		return false;
	blanks(c);
	if (!number(c, &n))
		return false;
	c->o->device = n;
	return true;
}

/* "GPU 0; 11.17 GiB total capacity; 10.90 GiB already allocated; …)" */
static void in_parentheses(struct cursor *c)
{
	struct mlv_oom *o = c->o;
	struct cursor at = *c;
	if (!device(&at, " (GPU"))
		return;
	for (bool more = true; more;) {
		*c = at;
		if (!lit(&at, ";"))
			break;
		blanks(&at);
		/* "cached" (to 1.3) is what is cached and not allocated. */
		more = phrase(&at, "", &o->total, "total capacity") ||
		       phrase(&at, "", &o->allocated, "already allocated") ||
		       phrase(&at, "", &o->free, "free") ||
		       phrase(&at, "", &o->allowed, "allowed") ||
		       phrase(&at, "", &o->reserved_unallocated, "cached") ||
		       phrase(&at, "", &o->reserved, "reserved in total by PyTorch");
	}
	(void)lit(c, ")");
}

static bool tried(struct cursor *c)
{
	struct mlv_oom *o = c->o;
	if (!lit(c, "Tried to allocate"))
		return false;
	blanks(c);
	struct mlv_str said = c->s;
	if (lit(c, "more than 1EB")) {
		said.n = (size_t)(c->s.p - said.p);
		(void)lit(c, " memory");
	} else if (!size(c, &said)) {
		return false;
	}
	o->requested = said;
	if (lit(c, " on private pool"))
		o->pool = MLV_STR("private");
	else if (lit(c, " on shared pool"))
		o->pool = MLV_STR("shared");
	in_parentheses(c);
	(void)lit(c, ".");
	return true;
}

/* "GPU 0 has a total capacity of 79.10 GiB of which 15.40 GiB is free." */
static bool capacity(struct cursor *c)
{
	struct mlv_oom *o = c->o;
	struct mlv_str total, unused;
	int64_t before = o->device;
	bool ok = device(c, "GPU");
	if (ok) {
		blanks(c);
		/* 2.1 printed "capacty". */
		ok = phrase(c, "has a total capacity of", &total, "of which") ||
		     phrase(c, "has a total capacty of", &total, "of which");
	}
	if (ok) {
		blanks(c);
		ok = phrase(c, "", &unused, "is free");
	}
	if (!ok) {
		o->device = before;
		return false;
	}
	(void)lit(c, ".");
	o->total = total;
	o->free = unused;
	return true;
}

static bool this_process(struct cursor *c)
{
	if (lit(c, "Including non-PyTorch memory,"))
		blanks(c);
	if (!phrase(c, "this process has", &c->o->process, "memory in use"))
		return false;
	(void)lit(c, ".");
	return true;
}

static bool other_process(struct cursor *c)
{
	struct mlv_oom *o = c->o;
	struct mlv_str said;
	int64_t pid;
	if (!lit(c, "Process"))
		return false;
	blanks(c);
	if (!number(c, &pid))
		return false;
	blanks(c);
	if (!phrase(c, "has", &said, "memory in use"))
		return false;
	(void)lit(c, ".");
	if (o->other_count < MLV_OOM_OTHERS) {
		o->others[o->other_count].pid = pid;
		o->others[o->other_count++].size = said;
	}
	return true;
}

static bool of_the_allocated(struct cursor *c)
{
	struct mlv_oom *o = c->o;
	if (!phrase(c, "Of the allocated memory", &o->allocated, "is allocated by PyTorch"))
		return false;
	struct cursor at = *c;
	(void)lit(&at, ",");
	blanks(&at);
	if (phrase(&at, "with", &o->private_pools, "allocated in private pools")) {
		if (lit(&at, " (e.g.,"))
			(void)lit_ahead(&at, ")", 40);
		*c = at;
		(void)lit(&at, ",");
		blanks(&at);
	}
	if (phrase(&at, "and", &o->reserved_unallocated,
		   "is reserved by PyTorch but unallocated")) {
		(void)lit(&at, ".");
		*c = at;
	}
	return true;
}

static bool metal(struct cursor *c)
{
	struct mlv_oom *o = c->o;
	if (!phrase(c, "(MPS allocated:", &o->allocated, ","))
		return false;
	blanks(c);
	if (phrase(c, "other allocations:", &o->other_allocations, ","))
		blanks(c);
	if (phrase(c, "max allowed:", &o->allowed, ")"))
		(void)lit(c, ".");
	return true;
}

static bool allowed(struct cursor *c)
{
	return phrase(c, "", &c->o->allowed, "allowed;");
}

/* A setting that is advised; its name may be broken too. */
static bool setting(struct cursor *c)
{
	static const char *const known[] = {
		"PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True",
		"PYTORCH_HIP_ALLOC_CONF=expandable_segments:True",
		"PYTORCH_ALLOC_CONF=expandable_segments:True",
		"PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0",
		"max_split_size_mb",
	};
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (lit(c, known[i])) {
			c->o->conf_hint = (struct mlv_str){ known[i], strlen(known[i]) };
			return true;
		}
	}
	return mlv_scan_word(&c->s, &c->o->conf_hint);
}

static bool advice(struct cursor *c)
{
	struct cursor at = *c;
	if (lit(&at, "If reserved ")) {
		if (!lit_ahead(&at, "try setting", 80))
			return false;
		blanks(&at);
		if (!setting(&at) || !lit_ahead(&at, "to avoid fragmentation", 8))
			return false;
	} else if (lit(&at, "Use ")) {
		if (!setting(&at))
			return false;
		(void)lit_ahead(&at, ")", 120);
	} else if (lit(&at, "Please use `empty_cache` to release all unoccupied cached memory")) {
		c->o->conf_hint = MLV_STR("empty_cache");
	} else if (lit(&at, "See documentation for Memory Management")) {
		if (!lit(&at, " and PYTORCH_CUDA_ALLOC_CONF"))
			(void)lit_ahead(&at, ")", 200);
	} else {
		return false;
	}
	(void)lit(&at, ".");
	*c = at;
	return true;
}

static bool attempt(bool (*rule)(struct cursor *c), struct cursor *c)
{
	struct cursor saved = *c;
	unsigned glued = c->o->glue_count;
	if (rule(c))
		return true;
	*c = saved;
	c->o->glue_count = glued;
	return false;
}

static bool sentence(struct cursor *c)
{
	return attempt(capacity, c) || attempt(this_process, c) || attempt(other_process, c) ||
	       attempt(of_the_allocated, c) || attempt(tried, c) || attempt(metal, c) ||
	       attempt(allowed, c);
}

/* What people leave out when they quote a message. */
static void skip_ellipsis(struct cursor *c)
{
	do
		blanks(c);
	while (lit(c, "[...]") || lit(c, "...") || lit(c, "…"));
}

static bool host(struct cursor *c)
{
	struct mlv_oom *o = c->o;
	struct mlv_str place;
	if (mlv_scan(&c->s, "[enforce fail at ")) {
		if (!mlv_scan_to(&c->s, "]", &place))
			return false;
		(void)mlv_scan_place(place, &o->file, &o->file_line);
		(void)mlv_scan_to(&c->s, "DefaultCPUAllocator: ", NULL);
	} else if (phrase(c, "Unable to allocate", &o->requested, "for an array with shape")) {
		(void)mlv_scan_to(&c->s, ")", NULL);
		if (mlv_scan(&c->s, " and data type "))
			(void)mlv_scan_word(&c->s, &place);
		return true;
	} else if (!mlv_scan(&c->s, "DefaultCPUAllocator: ")) {
		return false;
	}
	if (!mlv_scan_to(&c->s, "you tried to allocate ", NULL) || !size(c, &o->requested))
		return false;
	(void)mlv_scan(&c->s, ".");
	if (mlv_scan(&c->s, " Error code "))
		(void)mlv_scan_to(&c->s, ")", NULL);
	return true;
}

bool mlv_oom_read(struct mlv_str text, enum mlv_oom_kind kind, struct mlv_oom *o)
{
	*o = (struct mlv_oom){ .kind = kind, .device = -1 };
	text = mlv_str_head(text, kind == MLV_OOM_CPU ? HOST_BYTES : MESSAGE_BYTES);
	struct cursor c = { text, o, text.p };
	if (kind == MLV_OOM_CPU) {
		if (!host(&c))
			return false;
		o->used = o->statement = (size_t)(c.s.p - text.p);
		return true;
	}
	if (mlv_scan(&c.s, "Current platform can NOT allocate"))
		(void)mlv_scan_to(&c.s, "!", NULL);
	if (lit_ahead(&c, " out of memory", 32))
		(void)lit(&c, ".");
	o->used = (size_t)(c.s.p - text.p);
	for (;;) {
		skip_ellipsis(&c);
		if (sentence(&c))
			o->statement = (size_t)(c.s.p - text.p);
		else if (!attempt(advice, &c))
			break;
		o->used = (size_t)(c.s.p - text.p);
	}
	return o->requested.n > 0;
}

size_t mlv_oom_plain(const struct mlv_oom *o, const char *begin, struct mlv_str part, char *buf,
		     size_t room)
{
	size_t n = 0;
	for (size_t i = 0; i < part.n && n < room; i++) {
		size_t at = (size_t)(part.p + i - begin);
		bool within = false;
		for (unsigned k = 0; k < o->glue_count && part.p[i] == '\n'; k++)
			within = within || o->glue[k] == at;
		if (!within)
			buf[n++] = part.p[i] == '\n' ? ' ' : part.p[i];
	}
	return n;
}

static bool begins(struct mlv_str s, const char *text)
{
	return mlv_scan(&s, text);
}

/* The device named before " out of memory" at `at`; its name's place. */
static ptrdiff_t named_device(struct mlv_str line, size_t at, enum mlv_oom_kind *kind)
{
	static const struct {
		const char *name;
		enum mlv_oom_kind kind;
	} devices[] = { { "CUDA", MLV_OOM_CUDA },
			{ "HIP", MLV_OOM_HIP },
			{ "XPU", MLV_OOM_XPU },
			{ "MPS backend", MLV_OOM_MPS } };
	for (size_t k = 0; k < sizeof(devices) / sizeof(devices[0]); k++) {
		size_t n = strlen(devices[k].name);
		if (at >= n && memcmp(line.p + at - n, devices[k].name, n) == 0) {
			*kind = devices[k].kind;
			return (ptrdiff_t)(at - n);
		}
	}
	return MLV_NOT_FOUND;
}

/* Whether a message begins just here; those that name a device begin before "out of memory". */
static bool begins_here(struct mlv_str s, enum mlv_oom_kind *kind)
{
	switch (s.p[0]) {
	case 'T':
		*kind = MLV_OOM_CUDA;
		return begins(s, "Tried to allocate ") &&
		       mlv_str_find(mlv_str_head(s, 64), " (GPU") >= 0;
	case 'C':
		*kind = MLV_OOM_XPU;
		return begins(s, "Current platform can NOT allocate");
	case '[':
		*kind = MLV_OOM_CPU;
		return begins(s, "[enforce fail at ") &&
		       mlv_str_find(mlv_str_head(s, HOST_BYTES / 2), "DefaultCPUAllocator: ") >= 0;
	case 'D':
		*kind = MLV_OOM_CPU;
		return begins(s, "DefaultCPUAllocator: ");
	case 'U':
		*kind = MLV_OOM_CPU;
		return begins(s, "Unable to allocate ");
	default:
		return false;
	}
}

ptrdiff_t mlv_oom_begin(struct mlv_str line, enum mlv_oom_kind *kind)
{
	for (size_t i = 0; i < line.n; i++) {
		char c = line.p[i];
		if (!(c == ' ' || c == 'T' || c == 'C' || c == '[' || c == 'D' || c == 'U') ||
		    (c == ' ' && i + 1 < line.n && line.p[i + 1] != 'o'))
			continue;
		struct mlv_str s = mlv_str_from(line, i);
		ptrdiff_t at = MLV_NOT_FOUND;
		if (c == ' ' && begins(s, " out of memory"))
			at = named_device(line, i, kind);
		else if (begins_here(s, kind))
			at = (ptrdiff_t)i;
		if (at >= 0)
			return at;
	}
	return MLV_NOT_FOUND;
}
