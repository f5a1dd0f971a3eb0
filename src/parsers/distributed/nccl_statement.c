/* SPDX-License-Identifier: MIT */
/* The watchdog's statements that stand on one line, and the numbers in them. */
#include "parsers/distributed/nccl_watchdog.h"

#include <string.h>

/* A number behind `key`, for the attribute `name`. */
struct number {
	const char *key, *name;
};

struct statement {
	const char *anchor; /* where it is recognised; a sentence begins before a small letter */
	const char *also; /* must follow, and then the first number must be there; NULL: nothing */
	const char *end;  /* where its text ends, inclusive; NULL or not there: the line's end */
	const char *code;
	enum mlv_finding_severity severity;
	struct number numbers[5];
};

#define WORK                                                                                       \
	{ "last enqueued ", "last_enqueued" }, { "last started ", "last_started" },                \
	{                                                                                          \
		"last completed ", "last_completed"                                                \
	}

/* clang-format off */
static const struct statement statements[] = {
	{ "Watchdog caught collective operation timeout: Work", "OpType=", "before timing out.",
	  "nccl-watchdog-timeout", MLV_FINDING_ERROR,
	  { { "Timeout(ms)=", "timeout_ms" }, { " ran for ", "ran_ms" }, { "SeqNum=", "seq" },
	    { "NumelIn=", "numel_in" }, { "NumelOut=", "numel_out" } } },
	{ "Exception (either an error or timeout) detected by watchdog at work: ",
	  "last enqueued ", NULL, "nccl-watchdog-exception", MLV_FINDING_ERROR,
	  { { " at work: ", "seq" }, WORK } },
	{ "failure detected by watchdog at work sequence id: ", "last enqueued ", NULL,
	  "nccl-watchdog-exception", MLV_FINDING_ERROR, { { "sequence id: ", "seq" }, WORK } },
	{ "Timeout at ", " work: ", NULL, "nccl-watchdog-exception", MLV_FINDING_ERROR,
	  { { "Timeout at ", "seq" }, WORK } },
	{ "Received a dump signal ", NULL, "dump the debug info.", "nccl-dump-signal",
	  MLV_FINDING_NOTE,
	  { { "from  rank ", "source_rank" }, { "from rank ", "source_rank" },
	    { "Last enqueued ", "last_enqueued" }, { "last started ", "last_started" },
	    { "last completed ", "last_completed" } } },
	{ "Observed flight recorder dump signal from another rank", NULL, "TCPStore.",
	  "nccl-dump-signal", MLV_FINDING_NOTE, { { 0 } } },
	{ "First PG on this rank to signal dumping", NULL, ".", "nccl-first-to-dump",
	  MLV_FINDING_NOTE, { { 0 } } },
	{ " remote error detected from rank: ", ": ", NULL, "nccl-remote-error",
	  MLV_FINDING_ERROR, { { "from rank: ", "remote_rank" } } },
	{ "Finished writing ", " debug info to ", NULL, "nccl-flight-recorder-written",
	  MLV_FINDING_NOTE, { { 0 } } },
	{ "Error opening file for writing ", " debug info: ", NULL, "nccl-flight-recorder-failed",
	  MLV_FINDING_WARNING, { { 0 } } },
	{ "Future for Flight recorder dump in ", " timed out after ", NULL,
	  "nccl-flight-recorder-failed", MLV_FINDING_WARNING,
	  { { " timed out after ", "timeout_ms" } } },
	{ "preparing to dump debug info.", NULL, NULL, "nccl-dumping", MLV_FINDING_NOTE,
	  { { "Include stack trace: ", "stack_trace" },
	    { "only active collectives: ", "only_active" } } },
	{ "Heartbeat monitor timed out!", NULL, NULL, "nccl-heartbeat-timeout", MLV_FINDING_ERROR,
	  { { "workMetaList_.size()=", "work_list" } } },
	{ "'s watchdog got stuck for ", " seconds without making progress", "collectives.",
	  "nccl-watchdog-stuck", MLV_FINDING_ERROR,
	  { { "got stuck for ", "stuck_s" }, { "workMetaList_.size() = ", "work_list" } } },
	{ "operations have failed or timed out. Due to the asynchronous nature of ", NULL,
	  "timed out.", "nccl-operations-failed", MLV_FINDING_ERROR, { { 0 } } },
	{ "To avoid data inconsistency, we are taking the entire process down", NULL, ".",
	  "nccl-process-down", MLV_FINDING_ERROR, { { 0 } } },
	{ " communicator was aborted on rank ", " on rank ", ".", "nccl-communicator-aborted",
	  MLV_FINDING_ERROR, { { "aborted on rank ", "aborted_rank" } } },
	{ " thread terminated with exception: ", NULL, NULL, "nccl-watchdog-terminated",
	  MLV_FINDING_ERROR, { { 0 } } },
	{ "Detected mismatch between collectives on ranks.", "is running ", NULL,
	  "nccl-collective-mismatch", MLV_FINDING_ERROR, { { 0 } } },
	{ "Stack trace of the failed collective not found", NULL, ".", "nccl-no-stack",
	  MLV_FINDING_NOTE, { { 0 } } },
};
/* clang-format on */

static const char timeout[] = "Watchdog caught collective operation timeout: ";

/* A number right behind `key`, or behind the "work: " that follows it ("last enqueued NCCL work:
 * 58"). */
static bool number_behind(struct mlv_str s, const char *key, int64_t *n)
{
	if (!mlv_scan_to(&s, key, NULL))
		return false;
	if (mlv_scan_signed(&s, n))
		return true;
	struct mlv_str near = mlv_str_head(s, 24);
	return mlv_scan_to(&near, "work: ", NULL) && mlv_scan_signed(&near, n);
}

/* What stands behind `key`, up to a comma or a closing parenthesis; a list with its brackets. */
static struct mlv_str value_behind(struct mlv_str s, const char *key)
{
	size_t i = 0;
	if (!mlv_scan_to(&s, key, NULL))
		return MLV_STR("");
	bool list = s.n && s.p[0] == '[';
	while (i < s.n && (list ? s.p[i] != ']' : s.p[i] != ',' && s.p[i] != ')'))
		i++;
	return mlv_str_head(s, i + (list && i < s.n));
}

static bool text_attr(struct mlv_text *t, const char *key, struct mlv_str value)
{
	return !value.n || mlv_run_attr_text(t->run, key, mlv_str_head(value, 4096));
}

static bool number_attr(struct mlv_text *t, struct mlv_str s, const char *key, const char *name)
{
	int64_t n;
	return !number_behind(s, key, &n) || mlv_run_attr_int(t->run, name, n);
}

/* "Rank 1 is running collective: CollectiveFingerPrint(…), but Rank 0 is running …" */
static bool mismatch_attrs(struct mlv_text *t, struct mlv_str s)
{
	struct mlv_str mine, other = s;
	if (!mlv_scan_to(&other, ", but ", &mine))
		mine = s;
	return number_attr(t, mine, "Rank ", "this_rank") &&
	       number_attr(t, mine, "SequenceNumber=", "seq") &&
	       text_attr(t, "op", value_behind(mine, "OpType=")) &&
	       text_attr(t, "shape", value_behind(mine, "TensorShape=")) &&
	       text_attr(t, "dtypes", value_behind(mine, "TensorDtypes=")) &&
	       number_attr(t, other, "Rank ", "other_rank") &&
	       number_attr(t, other, "SequenceNumber=", "other_seq") &&
	       text_attr(t, "other_op", value_behind(other, "OpType=")) &&
	       text_attr(t, "other_shape", value_behind(other, "TensorShape=")) &&
	       text_attr(t, "other_dtypes", value_behind(other, "TensorDtypes="));
}

static bool attrs(struct mlv_text *t, const struct statement *st, struct mlv_str s,
		  const struct mlv_nccl_who *who)
{
	struct mlv_str path = s;
	int64_t n;
	if (!mlv_run_attr_int(t->run, "count", 1))
		return false;
	for (size_t i = 0; i < 5 && st->numbers[i].key; i++) {
		if (number_behind(s, st->numbers[i].key, &n) &&
		    !mlv_run_attr_int(t->run, st->numbers[i].name, n))
			return false;
	}
	if (!strcmp(st->code, "nccl-watchdog-timeout") &&
	    (!text_attr(t, "op", value_behind(s, "OpType=")) ||
	     !text_attr(t, "tensor_shape", value_behind(s, "TensorShape="))))
		return false;
	if (!strcmp(st->code, "nccl-collective-mismatch") && !mismatch_attrs(t, s))
		return false;
	if (!strcmp(st->code, "nccl-flight-recorder-written") &&
	    mlv_scan_to(&path, " debug info to ", NULL) &&
	    !text_attr(t, "path", mlv_str_trim(path)))
		return false;
	return (who->group_rank < 0 || mlv_run_attr_int(t->run, "group_rank", who->group_rank)) &&
	       (who->pg_id < 0 || mlv_run_attr_int(t->run, "pg_id", who->pg_id)) &&
	       text_attr(t, "process_group", who->group) &&
	       text_attr(t, "group_description", who->description) &&
	       text_attr(t, "logged_at", who->logged_at);
}

/* The beginning of the sentence in which something was found. */
static size_t sentence(struct mlv_str s, size_t at)
{
	while (at && s.p[at - 1] != ']' && s.p[at - 1] != ':' && s.p[at - 1] != '.')
		at--;
	while (at < s.n && (s.p[at] == ' ' || s.p[at] == '\t'))
		at++;
	return at;
}

/* Cut behind `end` and at what still is one line of text; without blanks at the end. */
static struct mlv_str statement_text(struct mlv_str s, const char *end)
{
	ptrdiff_t at = end ? mlv_str_find(s, end) : MLV_NOT_FOUND;
	if (at >= 0)
		s = mlv_str_head(s, (size_t)at + strlen(end));
	return mlv_str_trim(mlv_str_head(s, 400));
}

static enum mlv_rc tell(struct mlv_nccl *n, struct mlv_text *t, const struct mlv_line *line,
			const struct statement *st, size_t at, struct mlv_err *err)
{
	char first = st->anchor[0];
	if (!(first >= 'A' && first <= 'Z'))
		at = sentence(line->text, at);
	struct mlv_str s = mlv_str_from(line->text, at);
	struct mlv_nccl_who who = mlv_nccl_who(n, t, line, mlv_str_head(line->text, at));
	int64_t number;
	if (who.rank < 0 && number_behind(s, "aborted on rank ", &number))
		who.rank = number;
	if (who.rank < 0 && !strcmp(st->code, "nccl-collective-mismatch") &&
	    number_behind(s, "Rank ", &number))
		who.rank = number;
	struct mlv_finding f = { .severity = st->severity,
				 .line = line->number,
				 .last_line = line->number,
				 .rank = who.rank };
	uint32_t begin = mlv_run_attrs_begin(t->run);
	if (!attrs(t, st, s, &who))
		return mlv_err_nomem(err);
	return mlv_nccl_tell(n, t, f, st->code, statement_text(s, st->end), begin, NULL, err);
}

/* Whether what the statement needs beside its anchor is there. */
static bool is_whole(const struct statement *st, struct mlv_str s)
{
	int64_t n;
	if (!strcmp(st->code, "nccl-watchdog-terminated"))
		return mlv_str_find(s, timeout) < 0; /* that is told below */
	if (!st->also)
		return true;
	return mlv_str_find(s, st->also) >= 0 &&
	       (!st->numbers[0].key || number_behind(s, st->numbers[0].key, &n));
}

enum mlv_rc mlv_nccl_statements(struct mlv_nccl *n, struct mlv_text *t, const struct mlv_line *line,
				bool *taken, struct mlv_err *err)
{
	static const char stack[] = "Stack trace of the failed collective:";
	enum mlv_rc rc = MLV_OK;
	for (size_t i = 0; !rc && i < sizeof(statements) / sizeof(statements[0]); i++) {
		const struct statement *st = &statements[i];
		ptrdiff_t at = mlv_str_find(line->text, st->anchor);
		if (at < 0 || !is_whole(st, mlv_str_from(line->text, (size_t)at)))
			continue;
		*taken = true;
		rc = tell(n, t, line, st, (size_t)at, err);
	}
	ptrdiff_t at = mlv_str_find(line->text, stack);
	if (rc || at < 0 || mlv_str_trim(mlv_str_from(line->text, (size_t)at + strlen(stack))).n)
		return rc;
	*taken = true;
	struct mlv_nccl_who who = mlv_nccl_who(n, t, line, mlv_str_head(line->text, (size_t)at));
	return mlv_nccl_frames_begin(n, t, line, &who, err);
}
