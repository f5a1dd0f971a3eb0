/* SPDX-License-Identifier: MIT */
#include "parsers/failure/sanitizer_record.h"

#include <stdlib.h>
#include <string.h>

#include "parsers/text/scan.h"
#include "parsers/text/statement.h"

static enum mlv_rc intern(struct mlv_text *t, struct mlv_str s, mlv_strid *id, struct mlv_err *err)
{
	return mlv_run_intern(t->run, mlv_str_some(s), id) ? MLV_OK : mlv_err_nomem(err);
}

static enum mlv_rc text_attr(struct mlv_text *t, const char *key, mlv_strid id, struct mlv_err *err)
{
	return mlv_statement_text(t, key, mlv_run_str(t->run, id), err);
}

static enum mlv_rc attributes(const struct mlv_sanitizer_record *r, struct mlv_text *t,
			      struct mlv_err *err)
{
	const struct {
		const char *key;
		mlv_strid id;
	} texts[] = { { "kernel", r->kernel },     { "offset", r->offset },
		      { "address", r->address },   { "thread", r->thread },
		      { "block", r->block },       { "nearest", r->nearest },
		      { "cuda_error", r->error },  { "api", r->api },
		      { "other_access", r->other } };
	enum mlv_rc rc = MLV_OK;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]) && !rc; i++)
		rc = text_attr(t, texts[i].key, texts[i].id, err);
	if (!rc && r->size >= 0)
		rc = mlv_statement_int(t, "size", r->size, err);
	if (!rc && r->number >= 0)
		rc = mlv_statement_int(t, "error_number", r->number, err);
	if (!rc && r->hazards)
		rc = mlv_statement_int(t, "hazards", r->hazards, err);
	return rc;
}

static void append(struct mlv_sanitizer_record *r, const char *before, struct mlv_str s)
{
	size_t n = strlen(before);
	if (!s.n || r->text_n + n + s.n > MLV_SANITIZER_TEXT)
		return;
	memcpy(r->text + r->text_n, before, n);
	memcpy(r->text + r->text_n + n, s.p, s.n);
	r->text_n += n + s.n;
}

/*
 * The statement names the instructions, not the threads, so that one fault of
 * many threads is one finding and two faults are two.
 */
static void name_places(struct mlv_sanitizer_record *r, struct mlv_text *t)
{
	struct mlv_str kernel = mlv_run_str(t->run, r->kernel);
	struct mlv_str other = mlv_run_str(t->run, r->other);
	bool named = mlv_str_find((struct mlv_str){ r->text, r->text_n }, " access at ") >= 0;
	if (!named && kernel.n) {
		append(r, " at ", kernel);
		append(r, "+", mlv_run_str(t->run, r->offset));
	} else if (!named) {
		append(r, " at ", mlv_run_str(t->run, r->offset));
	}
	ptrdiff_t hazards = mlv_str_find_last(other, " [");
	if (hazards >= 0)
		other = mlv_str_head(other, (size_t)hazards);
	ptrdiff_t thread = mlv_str_find(other, " Thread (");
	if (thread >= 0) {
		append(r, " and ", mlv_str_head(other, (size_t)thread));
		(void)mlv_scan_to(&other, ")", NULL);
		append(r, "", other);
	} else {
		append(r, " and ", other);
	}
}

enum mlv_rc mlv_sanitizer_close(struct mlv_sanitizer_record *r, struct mlv_text *t,
				uint32_t *section, struct mlv_err *err)
{
	static const char *const codes[MLV_SANITIZER_CODES] = { "memcheck",  "racecheck",
								"initcheck", "synccheck",
								"leak",      "sanitizer-failed" };
	if (!r || !r->open)
		return MLV_OK;
	r->open = false;
	name_places(r, t);
	struct mlv_statement s = { .format = MLV_SANITIZER,
				   .code = codes[r->code],
				   .severity = r->warning ? MLV_FINDING_WARNING : MLV_FINDING_ERROR,
				   .text = { r->text, r->text_n },
				   .file = mlv_run_str(t->run, r->file),
				   .file_line = r->file_line,
				   .line = r->first_line,
				   .last_line = r->last_line,
				   .rank = -1,
				   .attrs = mlv_run_attrs_begin(t->run) };
	if (r->frame_count &&
	    !mlv_stack_intern(&t->run->stacks, r->frames, r->frame_count, &s.stack))
		return mlv_err_nomem(err);
	enum mlv_rc rc = attributes(r, t, err);
	return rc ? rc : mlv_statement_add(t, &s, section, NULL, err);
}

static enum mlv_rc place(struct mlv_sanitizer_record *r, struct mlv_text *t, struct mlv_str where,
			 struct mlv_err *err)
{
	struct mlv_sanitizer_place p;
	mlv_sanitizer_place(where, &p);
	r->placed = true;
	r->file_line = p.line;
	enum mlv_rc rc = intern(t, p.kernel, &r->kernel, err);
	if (!rc)
		rc = intern(t, p.offset, &r->offset, err);
	return rc ? rc : intern(t, p.file, &r->file, err);
}

enum mlv_rc mlv_sanitizer_open(struct mlv_sanitizer_record **record, struct mlv_text *t,
			       const struct mlv_sanitizer_head *h, uint32_t line,
			       struct mlv_err *err)
{
	if (!*record)
		*record = malloc(sizeof(**record));
	if (!*record)
		return mlv_err_nomem(err);
	struct mlv_sanitizer_record *r = *record;
	struct mlv_str text = mlv_str_head(mlv_str_trim(h->text), MLV_SANITIZER_TEXT);
	memset(r, 0, offsetof(struct mlv_sanitizer_record, frames));
	r->device_frames = r->frame_count = 0;
	r->code = h->code;
	r->warning = h->warning;
	r->size = h->size;
	r->number = h->number;
	r->first_line = r->last_line = line;
	memcpy(r->text, text.p, text.n);
	r->text_n = text.n;
	r->open = true;
	enum mlv_rc rc = intern(t, h->address, &r->address, err);
	if (!rc)
		rc = intern(t, h->block, &r->block, err);
	if (!rc)
		rc = intern(t, h->error, &r->error, err);
	if (!rc)
		rc = intern(t, h->api, &r->api, err);
	return rc || !h->where.n ? rc : place(r, t, h->where, err);
}

static enum mlv_rc frame(struct mlv_sanitizer_record *r, struct mlv_text *t, struct mlv_str s,
			 bool device, struct mlv_err *err)
{
	struct mlv_sanitizer_frame f;
	char file[MLV_SANITIZER_TEXT];
	mlv_frameid id;
	if (r->frame_count == MLV_SANITIZER_FRAMES || !mlv_sanitizer_frame(s, &f))
		return MLV_OK;
	struct mlv_str path = mlv_str_head(f.file, MLV_SANITIZER_TEXT - 64);
	if (f.address.n && f.address.n < 60) {
		memcpy(file, path.p, path.n);
		file[path.n] = '+';
		memcpy(file + path.n + 1, f.address.p, f.address.n);
		path = (struct mlv_str){ file, path.n + 1 + f.address.n };
	}
	enum mlv_rc rc = mlv_statement_frame(t, f.function, path, f.line, &id, err);
	if (rc)
		return rc;
	size_t at = device ? r->device_frames++ : r->frame_count;
	memmove(&r->frames[at + 1], &r->frames[at], (r->frame_count - at) * sizeof(id));
	r->frames[at] = id;
	r->frame_count++;
	return MLV_OK;
}

/* "by thread (4,0,0) in block (0,0,0)" */
static enum mlv_rc thread(struct mlv_sanitizer_record *r, struct mlv_text *t, struct mlv_str s,
			  struct mlv_err *err)
{
	struct mlv_str id = s, block;
	if (!mlv_scan_to(&s, ")", NULL))
		return MLV_OK;
	id.n = (size_t)(s.p - id.p);
	enum mlv_rc rc = intern(t, id, &r->thread, err);
	if (!rc && mlv_scan(&s, " in block ")) {
		block = s;
		if (mlv_scan_to(&s, ")", NULL))
			rc = intern(t, mlv_str_head(block, (size_t)(s.p - block.p)), &r->block,
				    err);
	}
	return rc;
}

/* "and Read access at kern+0xb0 in f.cu:3 [1024 hazards]" */
static enum mlv_rc other_access(struct mlv_sanitizer_record *r, struct mlv_text *t,
				struct mlv_str s, struct mlv_err *err)
{
	int64_t n;
	ptrdiff_t at = mlv_str_find_last(s, " [");
	struct mlv_str hazards = mlv_str_from(s, at < 0 ? s.n : (size_t)at + 2);
	if (mlv_sanitizer_int(&hazards, &n) && n < INT64_MAX - r->hazards)
		r->hazards += n;
	return r->other.i ? MLV_OK : intern(t, s, &r->other, err);
}

static enum mlv_rc access_thread(struct mlv_sanitizer_record *r, struct mlv_text *t,
				 struct mlv_str whole, struct mlv_str s, struct mlv_err *err)
{
	enum mlv_rc rc = MLV_OK;
	if (r->placed)
		return intern(t, whole, &r->other, err);
	rc = thread(r, t, s, err);
	return rc || !mlv_scan_to(&s, " at ", NULL) ? rc : place(r, t, s, err);
}

enum mlv_rc mlv_sanitizer_detail(struct mlv_sanitizer_record *r, struct mlv_text *t,
				 struct mlv_str line, struct mlv_err *err)
{
	struct mlv_str s = line, hex;
	if (mlv_scan(&s, "Host Frame:"))
		return frame(r, t, s, false, err);
	if (mlv_scan(&s, "Device Frame:"))
		return frame(r, t, s, true, err);
	if (mlv_scan(&s, "at "))
		return r->placed ? MLV_OK : place(r, t, s, err);
	if (mlv_scan(&s, "by thread "))
		return thread(r, t, s, err);
	if (mlv_scan(&s, "Address ") || mlv_scan(&s, "Access to ") || mlv_scan(&s, "Access at ")) {
		size_t n = 0;
		while (n < s.n && s.p[n] != ' ' && s.p[n] != ',')
			n++;
		return intern(t, mlv_str_head(s, n), &r->address, err);
	}
	if (mlv_scan(&s, "and is "))
		return intern(t, s, &r->nearest, err);
	if (mlv_scan(&s, "and Read access at ") || mlv_scan(&s, "and Write access at "))
		return other_access(r, t, mlv_str_from(line, 4), err);
	if (mlv_scan(&s, "Read Thread ") || mlv_scan(&s, "Write Thread "))
		return access_thread(r, t, line, s, err);
	if ((mlv_scan_to(&s, " to address ", NULL) || mlv_scan(&s, "Uninitialized access at ")) &&
	    mlv_scan_hex(&s, &hex))
		return intern(t, hex, &r->address, err);
	return MLV_OK;
}
