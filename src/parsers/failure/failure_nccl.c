/* SPDX-License-Identifier: MIT */
/* What NCCL itself says: its warnings, the errors of network and system below them, and results. */
#include <string.h>

#include "parsers/failure/failures.h"
#include "parsers/text/scan.h"

/* Whether a warning is about the network: then it is what broke. */
static bool is_network(struct mlv_str s)
{
	return mlv_str_find(s, "NET/") == 0 || mlv_str_find(s, "ibv_") >= 0 ||
	       mlv_str_find(s, "socket") == 0 || mlv_str_find(s, "Connect to ") >= 0 ||
	       mlv_str_find(s, "Net : ") == 0;
}

/* "host:12:34 [0] transport/net_ib.cc:95": what stands before "NCCL WARN". */
static enum mlv_rc origin(struct mlv_text *t, struct mlv_str before, struct mlv_statement *s,
			  struct mlv_err *err)
{
	struct mlv_str word, rest = mlv_str_trim(before), host;
	int64_t device, pid;
	enum mlv_rc rc = MLV_OK;
	while (!rc && mlv_scan_word(&rest, &word)) {
		struct mlv_str w = word;
		mlv_scan_blanks(&rest);
		if (mlv_scan(&w, "[") && mlv_scan_int(&w, &device) && mlv_scan(&w, "]") && !w.n) {
			rc = mlv_statement_int(t, "device", device, err);
			continue;
		}
		w = word;
		if (mlv_scan_to(&w, ":", &host) && host.n && mlv_scan_int(&w, &pid) &&
		    mlv_scan(&w, ":") && mlv_scan_int(&w, &device) && !w.n) {
			rc = mlv_statement_text(t, "host", host, err);
			if (!rc)
				rc = mlv_statement_int(t, "pid", pid, err);
			continue;
		}
		(void)mlv_scan_place(word, &s->file, &s->file_line);
	}
	return rc;
}

static enum mlv_rc number_after(struct mlv_text *t, struct mlv_str s, const char *before,
				const char *key, struct mlv_err *err)
{
	int64_t n;
	if (!mlv_scan_to(&s, before, NULL) || !mlv_scan_int(&s, &n))
		return MLV_OK;
	return mlv_statement_int(t, key, n, err);
}

/* "NET/IB : Got completion from peer 10.0.0.2<54862> with status=12 opcode=0 vendor err 129" */
static enum mlv_rc completion(struct mlv_text *t, struct mlv_str text, struct mlv_err *err)
{
	struct mlv_str s = text, peer;
	enum mlv_rc rc = MLV_OK;
	if (mlv_scan_to(&s, "from peer ", NULL) && mlv_scan_word(&s, &peer))
		rc = mlv_statement_text(t, "peer", peer, err);
	if (!rc)
		rc = number_after(t, text, "status=", "status", err);
	if (!rc)
		rc = number_after(t, text, "completion with error ", "status", err);
	return rc ? rc : number_after(t, text, "vendor err ", "vendor_err", err);
}

enum mlv_rc mlv_failure_nccl_warn(struct mlv_failures *f, struct mlv_text *t,
				  const struct mlv_line *line, size_t at, bool *mine,
				  struct mlv_err *err)
{
	struct mlv_str text = mlv_str_trim(mlv_str_from(line->text, at + strlen("NCCL WARN ")));
	if (!text.n)
		return MLV_OK;
	bool network = is_network(text);
	bool failed = network || mlv_str_find(text, "ailure") >= 0 ||
		      mlv_str_find(text, "ailed") >= 0 || mlv_str_find(text, "rror") >= 0;
	struct mlv_statement s = mlv_failure_begin(t, network ? "nccl-net" : "nccl-warn",
						   failed ? MLV_FINDING_ERROR : MLV_FINDING_WARNING,
						   text, line->number);
	*mine = true;
	enum mlv_rc rc = origin(t, mlv_str_head(line->text, at), &s, err);
	if (!rc)
		rc = completion(t, text, err);
	return rc ? rc : mlv_failure_tell(f, t, &s, err);
}

enum mlv_rc mlv_failure_nccl_end(struct mlv_failures *f, struct mlv_text *t, struct mlv_err *err)
{
	struct mlv_failure_nccl *n = &f->nccl;
	if (!n->open)
		return MLV_OK;
	n->open = false;
	struct mlv_statement s = mlv_failure_begin(t, "nccl-error", MLV_FINDING_ERROR,
						   mlv_run_str(t->run, n->text), n->first_line);
	s.last_line = n->last_line;
	s.file = mlv_run_str(t->run, n->file);
	s.file_line = n->file_line;
	enum mlv_rc rc =
		mlv_statement_text(t, "nccl_version", mlv_run_str(t->run, n->version), err);
	if (!rc)
		rc = mlv_statement_text(t, "result", mlv_run_str(t->run, n->result), err);
	if (!rc)
		rc = mlv_statement_text(t, "last_error", mlv_run_str(t->run, n->detail), err);
	return rc ? rc : mlv_failure_tell(f, t, &s, err);
}

/* "NCCL error in: ../NCCLUtils.cpp:77, unhandled system error (…), NCCL version 2.21.5" */
enum mlv_rc mlv_failure_nccl_error(struct mlv_failures *f, struct mlv_text *t,
				   const struct mlv_line *line, size_t at, bool *mine,
				   struct mlv_err *err)
{
	struct mlv_str text = mlv_str_from(line->text, at), s = text, place, file, version;
	uint32_t file_line;
	if (!mlv_scan(&s, "NCCL error in: ") || !mlv_scan_to(&s, ",", &place) ||
	    !mlv_scan_place(place, &file, &file_line))
		return MLV_OK;
	enum mlv_rc rc = mlv_failure_nccl_end(f, t, err);
	struct mlv_failure_nccl *n = &f->nccl;
	*n = (struct mlv_failure_nccl){ .open = true,
					.lines = 4,
					.file_line = file_line,
					.first_line = line->number,
					.last_line = line->number };
	*mine = true;
	if (!rc)
		rc = mlv_failure_intern(t, text, &n->text, err);
	if (!rc)
		rc = mlv_failure_intern(t, file, &n->file, err);
	if (!rc && mlv_scan_to(&s, "NCCL version ", NULL) && mlv_scan_word(&s, &version))
		rc = mlv_failure_intern(t, version, &n->version, err);
	return rc;
}

/* "ncclSystemError: System call failed", where no error before it takes it. */
enum mlv_rc mlv_failure_nccl_result(struct mlv_failures *f, struct mlv_text *t,
				    const struct mlv_line *line, size_t at, bool *mine,
				    struct mlv_err *err)
{
	struct mlv_str text = mlv_str_from(line->text, at);
	if (at && line->text.p[at - 1] != ' ')
		return MLV_OK;
	struct mlv_failure_nccl *n = &f->nccl;
	*n = (struct mlv_failure_nccl){
		.open = true, .lines = 3, .first_line = line->number, .last_line = line->number
	};
	*mine = true;
	return mlv_failure_intern(t, text, &n->text, err);
}

enum mlv_rc mlv_failure_nccl_line(struct mlv_failures *f, struct mlv_text *t,
				  const struct mlv_line *line, bool *mine, struct mlv_err *err)
{
	struct mlv_failure_nccl *n = &f->nccl;
	struct mlv_str s = mlv_str_trim(line->text);
	enum mlv_rc rc = MLV_OK;
	if (!n->open)
		return MLV_OK;
	if (n->last_error && s.n) {
		*mine = true;
		n->last_line = line->number;
		rc = mlv_failure_intern(t, s, &n->detail, err);
		return rc ? rc : mlv_failure_nccl_end(f, t, err);
	}
	if (mlv_str_find(s, "Last error:") == 0) {
		*mine = n->last_error = true;
	} else if (!n->result.i && mlv_str_find(s, "nccl") == 0 && mlv_str_find(s, ": ") > 0) {
		*mine = true;
		rc = mlv_failure_intern(t, s, &n->result, err);
	}
	if (*mine)
		n->last_line = line->number;
	if (!rc && !--n->lines)
		rc = mlv_failure_nccl_end(f, t, err);
	return rc;
}
