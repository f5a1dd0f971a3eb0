/* SPDX-License-Identifier: MIT */
#include "cli/term.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { WIDTH_DEFAULT = 80, WIDTH_MIN = 20, WIDTH_MAX = 1000 };

static int clamp_width(long w)
{
	return (int)(w < WIDTH_MIN ? WIDTH_MIN : w > WIDTH_MAX ? WIDTH_MAX : w);
}

int mlv_term_width(int fd)
{
	const char *columns = getenv("COLUMNS");
	if (columns && *columns >= '1' && *columns <= '9') {
		char *end;
		long w = strtol(columns, &end, 10);
		if (!*end)
			return clamp_width(w);
	}
	struct winsize size;
	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col)
		return clamp_width(size.ws_col);
	return WIDTH_DEFAULT;
}

bool mlv_term_color(int fd)
{
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");
	if (no_color && *no_color)
		return false;
	return term && *term && strcmp(term, "dumb") != 0 && isatty(fd);
}

bool mlv_term_utf8(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *value = getenv(names[i]);
		if (!value || !*value)
			continue;
		const char *encoding = strrchr(value, '.');
		return encoding && (strncasecmp(encoding, ".UTF-8", 6) == 0 ||
				    strncasecmp(encoding, ".UTF8", 5) == 0);
	}
	return false;
}
