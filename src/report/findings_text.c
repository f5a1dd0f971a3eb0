/* SPDX-License-Identifier: MIT */
#include "report/findings_text.h"

#include <inttypes.h>
#include <string.h>

#include "base/num.h"

static const char *const severities[] = { "note", "warning", "error" };

void mlv_stack_text(const struct mlv_run *run, mlv_stackid stack, const char *indent,
		    struct mlv_buf *out)
{
	for (; mlv_stack_has_frame(stack); stack = mlv_stack_caller(&run->stacks, stack)) {
		const struct mlv_frame *f = mlv_stack_frame(&run->stacks, stack);
		mlv_buf_puts(out, indent);
		mlv_buf_safe(out, mlv_run_str(run, f->function));
		mlv_buf_puts(out, "  ");
		mlv_buf_safe(out, mlv_run_str(run, f->file));
		if (f->line)
			mlv_buf_printf(out, ":%" PRIu32, f->line);
		mlv_buf_putc(out, '\n');
	}
}

void mlv_attrs_text(const struct mlv_run *run, struct mlv_attrs attrs, const char *indent,
		    struct mlv_buf *out)
{
	for (uint32_t i = 0; i < attrs.count; i++) {
		const struct mlv_attr *a = &run->attrs.data[attrs.first + i];
		mlv_buf_puts(out, indent);
		mlv_buf_safe(out, mlv_run_str(run, a->key));
		mlv_buf_puts(out, ": ");
		if (a->is_text)
			mlv_buf_safe(out, mlv_run_str(run, a->text));
		else
			mlv_buf_int(out, a->number);
		mlv_buf_putc(out, '\n');
	}
}

void mlv_attrs_json(const struct mlv_run *run, struct mlv_attrs attrs, struct mlv_json *j)
{
	mlv_json_key_object(j, "attrs");
	for (uint32_t i = 0; i < attrs.count; i++) {
		const struct mlv_attr *a = &run->attrs.data[attrs.first + i];
		mlv_json_key_str(j, mlv_run_str(run, a->key));
		if (a->is_text)
			mlv_json_str(j, mlv_run_str(run, a->text));
		else
			mlv_json_int(j, a->number);
	}
	mlv_json_object_end(j);
}

static void heading(const struct mlv_run *run, const struct mlv_finding *f, struct mlv_buf *out)
{
	const struct mlv_attr *log = mlv_run_attr(run, f->attrs, "log");
	mlv_buf_puts(out, "  ");
	/* One of several files that are one recording. */
	if (log && log->is_text) {
		mlv_buf_safe(out, mlv_run_str(run, log->text));
		mlv_buf_putc(out, ' ');
	}
	if (f->line)
		mlv_buf_printf(out, "line %" PRIu32 ": ", f->line);
	mlv_buf_printf(out, "%s ", severities[f->severity]);
	mlv_buf_safe(out, mlv_run_str(run, f->code));
	if (f->rank >= 0)
		mlv_buf_printf(out, ", rank %" PRId64, f->rank);
	mlv_buf_puts(out, ": ");
	mlv_buf_safe(out, mlv_run_str(run, f->text));
	if (f->file.i) {
		mlv_buf_puts(out, " (");
		mlv_buf_safe(out, mlv_run_str(run, f->file));
		if (f->file_line)
			mlv_buf_printf(out, ":%" PRIu32, f->file_line);
		mlv_buf_putc(out, ')');
	}
	mlv_buf_putc(out, '\n');
}

static bool wanted(const struct mlv_run *run, const struct mlv_finding *f, const char *grep)
{
	struct mlv_str g = { grep, grep ? strlen(grep) : 0 };
	return !g.n || mlv_str_contains(mlv_run_str(run, f->text), g) ||
	       mlv_str_contains(mlv_run_str(run, f->code), g);
}

void mlv_findings_text(const struct mlv_run *run, size_t top, const char *grep, struct mlv_buf *out)
{
	size_t shown = 0, matching = 0;
	char n[MLV_NUM_SIZE];
	/* The worst first; within one severity as they stand in the file. */
	for (int severity = MLV_FINDING_ERROR; severity >= MLV_FINDING_NOTE; severity--) {
		for (size_t i = 0; i < run->findings.len; i++) {
			const struct mlv_finding *f = &run->findings.data[i];
			if ((int)f->severity != severity || !wanted(run, f, grep))
				continue;
			matching++;
			if (shown < top) {
				heading(run, f, out);
				shown++;
			}
		}
	}
	if (matching > shown)
		mlv_buf_printf(out, "  and %s more findings\n",
			       mlv_fmt_count(n, sizeof(n), matching - shown));
}

void mlv_finding_full(const struct mlv_run *run, const struct mlv_finding *f, struct mlv_buf *out)
{
	heading(run, f, out);
	mlv_attrs_text(run, f->attrs, "    ", out);
	mlv_stack_text(run, f->stack, "      ", out);
}

void mlv_stack_json(const struct mlv_run *run, mlv_stackid stack, struct mlv_json *j)
{
	mlv_json_key_array(j, "stack");
	for (; mlv_stack_has_frame(stack); stack = mlv_stack_caller(&run->stacks, stack)) {
		const struct mlv_frame *frame = mlv_stack_frame(&run->stacks, stack);
		mlv_json_object(j);
		mlv_json_key(j, "function");
		mlv_json_str(j, mlv_run_str(run, frame->function));
		mlv_json_key(j, "file");
		mlv_json_str(j, mlv_run_str(run, frame->file));
		mlv_json_key_uint(j, "line", frame->line);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}

void mlv_finding_json(const struct mlv_run *run, const struct mlv_finding *f, struct mlv_json *j)
{
	mlv_json_key_text(j, "severity", severities[f->severity]);
	mlv_json_key(j, "code");
	mlv_json_str(j, mlv_run_str(run, f->code));
	mlv_json_key(j, "text");
	mlv_json_str(j, mlv_run_str(run, f->text));
	if (f->rank >= 0)
		mlv_json_key_int(j, "rank", f->rank);
	if (f->line) {
		mlv_json_key_uint(j, "line", f->line);
		mlv_json_key_uint(j, "last_line", f->last_line);
	}
	if (f->file.i) {
		mlv_json_key(j, "file");
		mlv_json_str(j, mlv_run_str(run, f->file));
		mlv_json_key_uint(j, "file_line", f->file_line);
	}
	mlv_attrs_json(run, f->attrs, j);
	mlv_stack_json(run, f->stack, j);
}

void mlv_findings_json(const struct mlv_run *run, struct mlv_json *j)
{
	mlv_json_key_array(j, "findings");
	for (size_t i = 0; i < run->findings.len; i++) {
		mlv_json_object(j);
		mlv_finding_json(run, &run->findings.data[i], j);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}
