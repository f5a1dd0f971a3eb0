/* SPDX-License-Identifier: MIT */
#include "cli/exit.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/buf.h"

const struct mlv_exit_text mlv_exit_texts[] = {
	{ MLV_EXIT_OK, "done, also when parts of an input were damaged" },
	{ MLV_EXIT_THRESHOLD, "a threshold that was asked for was passed" },
	{ MLV_EXIT_USAGE, "wrong usage" },
	{ MLV_EXIT_INPUT, "nothing usable in an input, or any damage with --strict" },
	{ MLV_EXIT_LIMIT, "a limit was hit (see --limit)" },
	{ MLV_EXIT_OUTPUT, "the output could not be written" },
	{ MLV_EXIT_DEVICE, "the device is unavailable or failed" },
	{ MLV_EXIT_INTERNAL, "out of memory, or a mistake in mlviz" },
	{ MLV_EXIT_INTERRUPTED, "interrupted" },
	{ 0, NULL },
};

int mlv_exit_of(enum mlv_rc rc)
{
	switch (rc) {
	case MLV_OK:
		return MLV_EXIT_OK;
	case MLV_E_USAGE:
		return MLV_EXIT_USAGE;
	case MLV_E_IO:
	case MLV_E_FORMAT:
	case MLV_E_UNSUPPORTED:
		return MLV_EXIT_INPUT;
	case MLV_E_LIMIT:
		return MLV_EXIT_LIMIT;
	case MLV_E_OUTPUT:
		return MLV_EXIT_OUTPUT;
	case MLV_E_DEVICE:
		return MLV_EXIT_DEVICE;
	case MLV_E_INTERRUPTED:
		return MLV_EXIT_INTERRUPTED;
	case MLV_E_NOMEM:
		break;
	}
	return MLV_EXIT_INTERNAL;
}

int mlv_exit_worst(int a, int b)
{
	return a > b ? a : b;
}

/* One line on standard error in one write, so that lines of several processes do not mix. */
static void put_line(const char *prefix, const char *text)
{
	struct mlv_buf line = { 0 };
	mlv_buf_puts(&line, prefix);
	mlv_buf_safe(&line, mlv_str_of(text));
	mlv_buf_putc(&line, '\n');
	if (line.failed)
		fputs("mlviz: error: out of memory\n", stderr);
	else
		fwrite(line.data, 1, line.len, stderr);
	mlv_buf_fini(&line);
}

void mlv_report_error(const struct mlv_err *err)
{
	char text[4096 + 512]; /* a path and a message */
	if (!err->msg[0])
		return;
	mlv_err_format(err, text, sizeof(text));
	put_line("mlviz: error: ", text);
}

static void report_diag(const char *file, const struct mlv_diag *d)
{
	struct mlv_buf text = { 0 };
	mlv_buf_printf(&text, "%s: ", file);
	if (d->line)
		mlv_buf_printf(&text, "line %" PRIu32 ": ", d->line);
	else if (d->offset != MLV_NO_OFFSET)
		mlv_buf_printf(&text, "offset %" PRIu64 ": ", d->offset);
	if (d->device >= 0)
		mlv_buf_printf(&text, "device %" PRId64 ": ", d->device);
	mlv_buf_puts(&text, d->text);
	if (d->count > 1)
		mlv_buf_printf(&text, " (and %" PRIu64 " more of this kind)", d->count - 1);

	char prefix[32];
	snprintf(prefix, sizeof(prefix), "mlviz: %s: ", mlv_severity_name(d->severity));
	put_line(prefix, text.failed ? "out of memory" : text.data);
	mlv_buf_fini(&text);
}

void mlv_report_diags(const char *file, const struct mlv_diags *d, int verbose)
{
	if (verbose < 0)
		return;
	for (int s = verbose > 0 ? MLV_NOTE : MLV_WARNING; s <= MLV_DAMAGE; s++) {
		for (size_t i = 0; i < d->list.len; i++) {
			if ((int)d->list.data[i].severity == s)
				report_diag(file, &d->list.data[i]);
		}
	}
}
