/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/json_write.h"
#include "cli/command.h"
#include "cli/exit.h"
#include "cli/output.h"
#include "parsers/parser.h"

struct state {
	struct mlv_common common;
};

static const struct mlv_option options[] = {
	MLV_OUTPUT_OPTIONS(struct state, common),
	MLV_OPT_END,
};

static void emit_json(struct mlv_buf *b)
{
	struct mlv_json j;
	mlv_json_document(&j, b, "mlviz.formats/1");
	mlv_json_key_array(&j, "formats");
	const char *name, *summary;
	for (size_t i = 0; mlv_format_at(i, &name, &summary); i++) {
		mlv_json_object(&j);
		mlv_json_key_text(&j, "name", name);
		mlv_json_key_text(&j, "summary", summary);
		mlv_json_object_end(&j);
	}
	mlv_json_array_end(&j);
	mlv_json_document_end(&j);
}

static void emit_text(struct mlv_buf *b)
{
	size_t width = 0;
	const char *name, *summary;
	for (size_t i = 0; mlv_format_at(i, &name, &summary); i++) {
		size_t n = strlen(name);
		width = n > width ? n : width;
	}
	for (size_t i = 0; mlv_format_at(i, &name, &summary); i++)
		mlv_buf_printf(b, "%-*s  %s\n", (int)width, name, summary);
}

static int run(void *opaque, int argc, char **argv)
{
	(void)argc;
	(void)argv;
	const struct state *st = opaque;
	struct mlv_buf b = { 0 };
	if (st->common.json)
		emit_json(&b);
	else
		emit_text(&b);
	return mlv_command_end(st->common.output, &b, MLV_EXIT_OK);
}

const struct mlv_command mlv_cmd_formats = {
	.name = "formats",
	.summary = "list the formats that can be read",
	.usage = "mlviz formats [options]",
	.details = "Prints the name and a line about every format. Inputs are recognised by their "
		   "content, never by their name; the names printed here are those that --format "
		   "takes when an input must be read as one of them. Every format may also come "
		   "compressed with gzip or zstd.",
	.examples = "mlviz formats\n"
		    "mlviz formats --json",
	.options = options,
	.state_size = sizeof(struct state),
	.common_offset = offsetof(struct state, common),
	.run = run,
};
