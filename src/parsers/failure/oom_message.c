/* SPDX-License-Identifier: MIT */
#include "parsers/failure/oom_message.h"

#include "parsers/text/lines.h"
#include "parsers/failure/oom_cursor.h"
#include "parsers/text/scan.h"

/* No message is longer, so that a line full of beginnings costs no more than its length. */
enum { MESSAGE_BYTES = 8192, HOST_BYTES = MLV_OOM_HOST_BYTES };

static bool device(struct mlv_oom_cursor *c, const char *before)
{
	int64_t n;
	if (!mlv_oom_lit(c, before))
		return false;
	mlv_oom_blanks(c);
	if (!mlv_oom_number(c, &n))
		return false;
	c->o->device = n;
	return true;
}

/* "GPU 0; 11.17 GiB total capacity; 10.90 GiB already allocated; …)" */
static void in_parentheses(struct mlv_oom_cursor *c)
{
	struct mlv_oom *o = c->o;
	struct mlv_oom_cursor at = *c;
	if (!device(&at, " (GPU"))
		return;
	for (bool more = true; more;) {
		*c = at;
		if (!mlv_oom_lit(&at, ";"))
			break;
		mlv_oom_blanks(&at);
		/* "cached" (to 1.3) is what is cached and not allocated. */
		more = mlv_oom_phrase(&at, "", &o->total, "total capacity") ||
		       mlv_oom_phrase(&at, "", &o->allocated, "already allocated") ||
		       mlv_oom_phrase(&at, "", &o->free, "free") ||
		       mlv_oom_phrase(&at, "", &o->allowed, "allowed") ||
		       mlv_oom_phrase(&at, "", &o->reserved_unallocated, "cached") ||
		       mlv_oom_phrase(&at, "", &o->reserved, "reserved in total by PyTorch");
	}
	(void)mlv_oom_lit(c, ")");
}

static bool tried(struct mlv_oom_cursor *c)
{
	struct mlv_oom *o = c->o;
	if (!mlv_oom_lit(c, "Tried to allocate"))
		return false;
	mlv_oom_blanks(c);
	struct mlv_str said = c->s;
	if (mlv_oom_lit(c, "more than 1EB")) {
		said.n = (size_t)(c->s.p - said.p);
		(void)mlv_oom_lit(c, " memory");
	} else if (!mlv_oom_size(c, &said)) {
		return false;
	}
	o->requested = said;
	if (mlv_oom_lit(c, " on private pool"))
		o->pool = MLV_STR("private");
	else if (mlv_oom_lit(c, " on shared pool"))
		o->pool = MLV_STR("shared");
	in_parentheses(c);
	(void)mlv_oom_lit(c, ".");
	return true;
}

/* "GPU 0 has a total capacity of 79.10 GiB of which 15.40 GiB is free." */
static bool capacity(struct mlv_oom_cursor *c)
{
	struct mlv_oom *o = c->o;
	struct mlv_str total, unused;
	int64_t before = o->device;
	bool ok = device(c, "GPU");
	if (ok) {
		mlv_oom_blanks(c);
		/* 2.1 printed "capacty". */
		ok = mlv_oom_phrase(c, "has a total capacity of", &total, "of which") ||
		     mlv_oom_phrase(c, "has a total capacty of", &total, "of which");
	}
	if (ok) {
		mlv_oom_blanks(c);
		ok = mlv_oom_phrase(c, "", &unused, "is free");
	}
	if (!ok) {
		o->device = before;
		return false;
	}
	(void)mlv_oom_lit(c, ".");
	o->total = total;
	o->free = unused;
	return true;
}

static bool this_process(struct mlv_oom_cursor *c)
{
	if (mlv_oom_lit(c, "Including non-PyTorch memory,"))
		mlv_oom_blanks(c);
	if (!mlv_oom_phrase(c, "this process has", &c->o->process, "memory in use"))
		return false;
	(void)mlv_oom_lit(c, ".");
	return true;
}

static bool other_process(struct mlv_oom_cursor *c)
{
	struct mlv_oom *o = c->o;
	struct mlv_str said;
	int64_t pid;
	if (!mlv_oom_lit(c, "Process"))
		return false;
	mlv_oom_blanks(c);
	if (!mlv_oom_number(c, &pid))
		return false;
	mlv_oom_blanks(c);
	if (!mlv_oom_phrase(c, "has", &said, "memory in use"))
		return false;
	(void)mlv_oom_lit(c, ".");
	if (o->other_count < MLV_OOM_OTHERS) {
		o->others[o->other_count].pid = pid;
		o->others[o->other_count++].size = said;
	}
	return true;
}

static bool of_the_allocated(struct mlv_oom_cursor *c)
{
	struct mlv_oom *o = c->o;
	if (!mlv_oom_phrase(c, "Of the allocated memory", &o->allocated, "is allocated by PyTorch"))
		return false;
	struct mlv_oom_cursor at = *c;
	(void)mlv_oom_lit(&at, ",");
	mlv_oom_blanks(&at);
	if (mlv_oom_phrase(&at, "with", &o->private_pools, "allocated in private pools")) {
		if (mlv_oom_lit(&at, " (e.g.,"))
			(void)mlv_oom_lit_ahead(&at, ")", 40);
		*c = at;
		(void)mlv_oom_lit(&at, ",");
		mlv_oom_blanks(&at);
	}
	if (mlv_oom_phrase(&at, "and", &o->reserved_unallocated,
			   "is reserved by PyTorch but unallocated")) {
		(void)mlv_oom_lit(&at, ".");
		*c = at;
	}
	return true;
}

static bool metal(struct mlv_oom_cursor *c)
{
	struct mlv_oom *o = c->o;
	if (!mlv_oom_phrase(c, "(MPS allocated:", &o->allocated, ","))
		return false;
	mlv_oom_blanks(c);
	if (mlv_oom_phrase(c, "other allocations:", &o->other_allocations, ","))
		mlv_oom_blanks(c);
	if (mlv_oom_phrase(c, "max allowed:", &o->allowed, ")"))
		(void)mlv_oom_lit(c, ".");
	return true;
}

static bool allowed(struct mlv_oom_cursor *c)
{
	return mlv_oom_phrase(c, "", &c->o->allowed, "allowed;");
}

/* A setting that is advised; its name may be broken too. */
static bool setting(struct mlv_oom_cursor *c)
{
	static const char *const known[] = {
		"PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True",
		"PYTORCH_HIP_ALLOC_CONF=expandable_segments:True",
		"PYTORCH_ALLOC_CONF=expandable_segments:True",
		"PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0",
		"max_split_size_mb",
	};
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (mlv_oom_lit(c, known[i])) {
			c->o->conf_hint = mlv_str_of(known[i]);
			return true;
		}
	}
	return mlv_scan_word(&c->s, &c->o->conf_hint);
}

static bool advice(struct mlv_oom_cursor *c)
{
	struct mlv_oom_cursor at = *c;
	if (mlv_oom_lit(&at, "If reserved ")) {
		if (!mlv_oom_lit_ahead(&at, "try setting", 80))
			return false;
		mlv_oom_blanks(&at);
		if (!setting(&at) || !mlv_oom_lit_ahead(&at, "to avoid fragmentation", 8))
			return false;
	} else if (mlv_oom_lit(&at, "Use ")) {
		if (!setting(&at))
			return false;
		(void)mlv_oom_lit_ahead(&at, ")", 120);
	} else if (mlv_oom_lit(
			   &at,
			   "Please use `empty_cache` to release all unoccupied cached memory")) {
		c->o->conf_hint = MLV_STR("empty_cache");
	} else if (mlv_oom_lit(&at, "See documentation for Memory Management")) {
		if (!mlv_oom_lit(&at, " and PYTORCH_CUDA_ALLOC_CONF"))
			(void)mlv_oom_lit_ahead(&at, ")", 200);
	} else {
		return false;
	}
	(void)mlv_oom_lit(&at, ".");
	*c = at;
	return true;
}

static bool attempt(bool (*rule)(struct mlv_oom_cursor *c), struct mlv_oom_cursor *c)
{
	struct mlv_oom_cursor saved = *c;
	unsigned glued = c->o->glue_count;
	if (rule(c))
		return true;
	*c = saved;
	c->o->glue_count = glued;
	return false;
}

static bool sentence(struct mlv_oom_cursor *c)
{
	return attempt(capacity, c) || attempt(this_process, c) || attempt(other_process, c) ||
	       attempt(of_the_allocated, c) || attempt(tried, c) || attempt(metal, c) ||
	       attempt(allowed, c);
}

/* What people leave out when they quote a message. */
static void skip_ellipsis(struct mlv_oom_cursor *c)
{
	do
		mlv_oom_blanks(c);
	while (mlv_oom_lit(c, "[...]") || mlv_oom_lit(c, "...") || mlv_oom_lit(c, "…"));
}

static bool host(struct mlv_oom_cursor *c)
{
	struct mlv_oom *o = c->o;
	struct mlv_str place;
	if (mlv_scan(&c->s, "[enforce fail at ")) {
		if (!mlv_scan_to(&c->s, "]", &place))
			return false;
		(void)mlv_scan_place(place, &o->file, &o->file_line);
		(void)mlv_scan_to(&c->s, "DefaultCPUAllocator: ", NULL);
	} else if (mlv_oom_phrase(c, "Unable to allocate", &o->requested,
				  "for an array with shape")) {
		(void)mlv_scan_to(&c->s, ")", NULL);
		if (mlv_scan(&c->s, " and data type "))
			(void)mlv_scan_word(&c->s, &place);
		return true;
	} else if (!mlv_scan(&c->s, "DefaultCPUAllocator: ")) {
		return false;
	}
	if (!mlv_scan_to(&c->s, "you tried to allocate ", NULL) || !mlv_oom_size(c, &o->requested))
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
	struct mlv_oom_cursor c = { text, o, text.p };
	if (kind == MLV_OOM_CPU) {
		if (!host(&c))
			return false;
		o->used = o->statement = (size_t)(c.s.p - text.p);
		return true;
	}
	if (mlv_scan(&c.s, "Current platform can NOT allocate"))
		(void)mlv_scan_to(&c.s, "!", NULL);
	if (mlv_oom_lit_ahead(&c, " out of memory", 32))
		(void)mlv_oom_lit(&c, ".");
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
