/* SPDX-License-Identifier: MIT */
/* Statements of failure in logs: which words begin one, and who reads it then. */
#include "parsers/failure/failures.h"

#include <stdlib.h>
#include <string.h>

#include "parsers/text/scan.h"

struct mlv_statement mlv_failure_begin(const struct mlv_text *t, const char *code,
				       enum mlv_finding_severity severity, struct mlv_str text,
				       uint32_t line)
{
	return (struct mlv_statement){ .format = "failures",
				       .code = code,
				       .severity = severity,
				       .text = text,
				       .line = line,
				       .last_line = line,
				       .rank = -1,
				       .attrs = mlv_run_attrs_begin(t->run) };
}

enum mlv_rc mlv_failure_tell(struct mlv_failures *f, struct mlv_text *t,
			     const struct mlv_statement *s, struct mlv_err *err)
{
	return mlv_statement_add(t, s, &f->section, NULL, err);
}

enum mlv_rc mlv_failure_intern(struct mlv_text *t, struct mlv_str s, mlv_strid *id,
			       struct mlv_err *err)
{
	s = mlv_str_trim(s);
	s.n = s.n < 4000 ? s.n : 4000;
	return mlv_run_intern(t->run, mlv_str_some(s), id) ? MLV_OK : mlv_err_nomem(err);
}

enum { BEFORE = 1024, BEHIND = 4096 };

struct words {
	const char *text;
	bool first; /* only at the beginning of a line */
	mlv_failure_rule *rule;
};

/* The rule may still find that it is something else. */
static const struct words all_words[] = {
	{ "Failures:", true, mlv_failure_table },
	{ "Root Cause (first observed failure):", true, mlv_failure_table },
	{ "failed (exitcode: ", false, mlv_failure_process },
	{ "NCCL WARN ", false, mlv_failure_nccl_warn },
	{ "NCCL error in: ", false, mlv_failure_nccl_error },
	{ "ncclSystemError: ", false, mlv_failure_nccl_result },
	{ "ncclUnhandledCudaError: ", false, mlv_failure_nccl_result },
	{ "ncclInternalError: ", false, mlv_failure_nccl_result },
	{ "ncclInvalidUsage: ", false, mlv_failure_nccl_result },
	{ "ncclInvalidArgument: ", false, mlv_failure_nccl_result },
	{ "ncclRemoteError: ", false, mlv_failure_nccl_result },
	{ "CUDA error: ", false, mlv_failure_cuda },
	{ "CUDA driver error: ", false, mlv_failure_cuda },
	{ "HIP error: ", false, mlv_failure_cuda },
	{ "cuDNN error: ", false, mlv_failure_cuda },
	{ "Assertion `", false, mlv_failure_assert },
	{ "NVRM: Xid ", false, mlv_failure_xid },
	{ "Out of memory: Kill", false, mlv_failure_killed },
	{ "Memory cgroup out of memory: Kill", false, mlv_failure_killed },
	{ "Killed process ", false, mlv_failure_killed },
	{ "oom-kill:constraint=", false, mlv_failure_oom_kill },
	{ "invoked oom-killer: ", false, mlv_failure_invoked },
	{ "slurmstepd: error: ", false, mlv_failure_slurm },
	{ "srun: error: ", false, mlv_failure_slurm },
	{ "OOMKilled", false, mlv_failure_container },
	{ "Exit Code:", true, mlv_failure_container },
	{ "exited with code 137", false, mlv_failure_container },
	{ "exited with exit code 137", false, mlv_failure_container },
	{ "terminated with exit code 137", false, mlv_failure_container },
	{ "failed with exit code 137", false, mlv_failure_container },
	{ "low ", true, mlv_failure_cgroup },
	{ "memory.events", false, mlv_failure_cgroup },
	{ "memory.peak", false, mlv_failure_cgroup },
	{ "memory.max", false, mlv_failure_cgroup },
	{ "memory.current", false, mlv_failure_cgroup },
	{ "memory.swap.peak", false, mlv_failure_cgroup },
	{ "Killed", false, mlv_failure_shell },
	{ "killed", false, mlv_failure_shell },
	{ "Segmentation fault", false, mlv_failure_shell },
	{ "segmentation fault", false, mlv_failure_shell },
	{ "Bus error", false, mlv_failure_shell },
	{ "bus error", false, mlv_failure_shell },
	{ "Aborted", false, mlv_failure_shell },
	{ "segfault at ", false, mlv_failure_segfault },
	{ "Signal: ", false, mlv_failure_segfault },
	{ "Fatal Python error: ", false, mlv_failure_fatal },
	{ "Timeout (", true, mlv_failure_fatal },
	{ "Current thread 0x", true, mlv_failure_thread },
	{ "Thread ", true, mlv_failure_thread },
	{ "Program received signal SIG", true, mlv_failure_signal },
	{ "Program terminated with signal ", true, mlv_failure_signal },
	{ "terminate called after throwing an instance of '", false, mlv_failure_terminate },
	{ "#0 ", true, mlv_failure_frame },
};

enum { WORDS = sizeof(all_words) / sizeof(all_words[0]) };
_Static_assert((int)WORDS < (int)MLV_FAILURE_WORDS, "rows are numbered in bytes");

/* Rows that begin with the same letter hang together, in the order of the table. */
static void index_words(struct mlv_failures *f)
{
	for (uint8_t k = WORDS; k-- > 0;) {
		uint8_t *head = &f->words_of[(uint8_t)all_words[k].text[0]];
		f->next_word[k] = *head;
		*head = (uint8_t)(k + 1);
	}
	f->indexed = true;
}

static bool in_word(char c)
{
	return mlv_is_digit(c) || c == '_' || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* JSON, whose values may be statements: it begins with a key. */
static bool is_json(struct mlv_str text)
{
	struct mlv_str s = mlv_str_trim(text);
	(void)mlv_scan(&s, "[");
	(void)mlv_scan(&s, "{");
	mlv_scan_blanks(&s);
	if (!mlv_scan(&s, "\"") || !mlv_scan_to(&s, "\"", NULL))
		return false;
	mlv_scan_blanks(&s);
	return mlv_scan(&s, ":");
}

/* The rule sees what is near: a line full of such words costs no more than its length. */
static enum mlv_rc apply(mlv_failure_rule *rule, struct mlv_failures *f, struct mlv_text *t,
			 const struct mlv_line *line, size_t at, bool *mine, struct mlv_err *err)
{
	struct mlv_line near = *line;
	size_t from = at > BEFORE ? at - BEFORE : 0;
	near.text = mlv_str_head(mlv_str_from(line->text, from), at - from + BEHIND);
	return rule(f, t, &near, at - from, mine, err);
}

/* Words in quotes are talk of a failure: source text, its comments, a command line. */
static enum mlv_rc search(struct mlv_failures *f, struct mlv_text *t, const struct mlv_line *line,
			  bool *mine, struct mlv_err *err)
{
	struct mlv_str text = line->text;
	size_t indent = mlv_str_indent(text);
	bool quoted = false, json = is_json(text);
	for (size_t i = indent; i < text.n; i++) {
		uint8_t c = (uint8_t)text.p[i];
		if (c == '"' && !json && !(i && text.p[i - 1] == '\\'))
			quoted = !quoted;
		if (!f->words_of[c] || quoted || (i && in_word(text.p[i - 1])))
			continue;
		for (uint8_t k = f->words_of[c]; k; k = f->next_word[k - 1]) {
			const struct words *w = &all_words[k - 1];
			struct mlv_str s = mlv_str_from(text, i);
			if ((w->first && i != indent) || !mlv_scan(&s, w->text))
				continue;
			enum mlv_rc rc = apply(w->rule, f, t, line, i, mine, err);
			if (rc || *mine)
				return rc;
		}
	}
	return MLV_OK;
}

static enum mlv_rc line_of(void *state, struct mlv_text *t, const struct mlv_line *line,
			   enum mlv_take *take, struct mlv_err *err)
{
	struct mlv_failures *f = state;
	bool mine = false;
	if (!f->indexed)
		index_words(f);
	enum mlv_rc rc = mlv_failure_child_line(f, t, line, &mine, err);
	if (!rc && !mine)
		rc = mlv_failure_nccl_line(f, t, line, &mine, err);
	if (!rc && !mine)
		rc = mlv_failure_stack_line(f, t, line, &mine, err);
	if (!rc && !mine)
		rc = mlv_failure_cgroup_line(f, t, line, &mine, err);
	if (!rc && !mine)
		rc = search(f, t, line, &mine, err);
	*take = mine ? MLV_TAKE : MLV_PASS;
	return rc;
}

static enum mlv_rc finish(void *state, struct mlv_text *t, struct mlv_err *err)
{
	struct mlv_failures *f = state;
	enum mlv_rc rc = mlv_failure_child_end(f, t, err);
	if (!rc)
		rc = mlv_failure_nccl_end(f, t, err);
	if (!rc)
		rc = mlv_failure_stack_end(f, t, err);
	if (!rc)
		rc = mlv_failure_cgroup_end(f, t, err);
	return rc ? rc : mlv_failure_kernel_end(f, t, err);
}

static void fini(void *state)
{
	struct mlv_failures *f = state;
	free(f->stack.frames);
	free(f->stack.pending);
}

const struct mlv_text_format mlv_text_failures = {
	.name = "failures",
	.summary = "launcher, NCCL, CUDA, kernel, Slurm, gdb and fatal errors, in any log",
	.state_size = sizeof(struct mlv_failures),
	.line = line_of,
	.finish = finish,
	.fini = fini,
};
