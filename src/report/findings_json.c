/* SPDX-License-Identifier: MIT */
#include "report/findings.h"

bool mlv_finding_wanted(const struct mlv_run *run, const struct mlv_finding *f, const char *grep)
{
	struct mlv_str g = mlv_str_of(grep ? grep : "");
	return !g.n || mlv_str_contains(mlv_run_str(run, f->text), g) ||
	       mlv_str_contains(mlv_run_str(run, f->code), g);
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
	mlv_json_key_text(j, "severity", mlv_finding_severity_name(f->severity));
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

void mlv_findings_json(const struct mlv_run *run, const char *grep, struct mlv_json *j)
{
	mlv_json_key_array(j, "findings");
	for (size_t i = 0; i < run->findings.len; i++) {
		if (!mlv_finding_wanted(run, &run->findings.data[i], grep))
			continue;
		mlv_json_object(j);
		mlv_finding_json(run, &run->findings.data[i], j);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}
