/* SPDX-License-Identifier: MIT */
#include "cli/each.h"

void mlv_each_begin(const struct mlv_each *one)
{
	const struct mlv_run *run = &one->input->run;
	if (one->json) {
		mlv_json_object(one->json);
		mlv_json_key_text(one->json, "file", run->file);
		mlv_json_key_text(one->json, "format", run->format);
	} else {
		mlv_buf_safe(one->text, mlv_str_of(run->file));
		mlv_buf_printf(one->text, ": %s\n", run->format);
	}
}

void mlv_each_end(const struct mlv_each *one)
{
	if (one->json)
		mlv_json_object_end(one->json);
}

static void say_one(const struct mlv_each *one, mlv_each_fn say, void *context)
{
	struct mlv_err err = MLV_ERR_INIT;
	size_t start = one->text->len;
	if (!say(context, one, &err))
		return;
	mlv_err_file(&err, one->input->run.file);
	mlv_inputs_fail(one->in, &err);
	if (!one->json)
		one->text->len = start;
}

int mlv_each_input(const struct mlv_common *common, int argc, char **argv, const char *schema,
		   mlv_each_fn say, void *context)
{
	struct mlv_inputs in;
	struct mlv_buf out = { 0 };
	struct mlv_json json;
	struct mlv_each one = {
		.in = &in, .common = common, .text = &out, .json = common->json ? &json : NULL
	};
	mlv_inputs_load(&in, argc, argv, common);
	if (one.json) {
		mlv_json_document(&json, &out, schema);
		mlv_json_key_array(&json, "files");
	}
	for (size_t i = 0; i < in.count; i++) {
		one.input = &in.list[i];
		say_one(&one, say, context);
	}
	if (one.json) {
		mlv_json_array_end(&json);
		mlv_json_document_end(&json);
	}
	return mlv_inputs_end(&in, common, &out);
}

int mlv_all_inputs(const struct mlv_common *common, int argc, char **argv, mlv_all_fn use,
		   const void *context)
{
	struct mlv_err err = MLV_ERR_INIT;
	struct mlv_inputs in;
	mlv_inputs_load(&in, argc, argv, common);
	if (in.count && use(context, &in, &err))
		mlv_inputs_fail(&in, &err);
	int code = in.exit_code;
	mlv_inputs_fini(&in);
	return code;
}
