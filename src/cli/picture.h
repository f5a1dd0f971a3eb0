/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_PICTURE_H
#define MLV_CLI_PICTURE_H
/*
 * The picture that a command writes with -o: its options, its form by the name
 * of the file, and the way from a drawing to bytes. What is drawn on it is the
 * business of charts (render/), and of the command that composes them.
 */
#include "base/buf.h"
#include "cli/option.h"
#include "render/canvas.h"
#include "render/page.h"
#include "render/theme.h"

/* Options of a command that draws: --size and --theme. */
struct mlv_picture_options {
	struct mlv_opt_size size;
	int theme;
};

/* `p` is the struct mlv_picture_options within `type`. */
/* clang-format off */
#define MLV_PICTURE_OPTIONS(type, p)                                                               \
	MLV_OPT(0, "size", SIZE, type, p.size, "WxH", "size of the picture in pixels"),            \
	MLV_OPT_ONE_OF(0, "theme", type, p.theme, "NAME", "colours of the page",                   \
		       mlv_picture_themes)
/* clang-format on */
extern const char *const mlv_picture_themes[];

/* 1600x900, light. */
void mlv_picture_options_init(struct mlv_picture_options *p);

enum mlv_form {
	MLV_FORM_NONE, /* the name is not one of a picture */
	MLV_FORM_SVG,
	MLV_FORM_PNG,
};

/* By ".svg" or ".png" at the end of `path`, which may be NULL. */
enum mlv_form mlv_form_of(const char *path);

bool mlv_form_is_page(const char *path); /* ".html" */

/*
 * The form where there is always a picture: SVG without a name, on a device, and beside a page.
 * MLV_E_USAGE for other names, which tells what `what` ("a timeline") can be; `page`: one, too.
 */
enum mlv_rc mlv_form_always(const char *path, const char *what, bool page, enum mlv_form *form,
			    struct mlv_err *err);

/* What all drawings know of their page. */
struct mlv_picture {
	const char *title; /* borrowed */
	const struct mlv_theme *theme;
	int width, height;
	bool svg; /* hovering tells more */
};

struct mlv_picture mlv_picture_of(const struct mlv_picture_options *o, enum mlv_form form,
				  const char *title);

/* The title of a picture of several files: "mem.pickle and 2 more". */
void mlv_picture_title(const char *file, size_t files, struct mlv_buf *out);

/* Its page. `notice`: what is incomplete; NULL: nothing. */
struct mlv_page mlv_picture_page(const struct mlv_picture *p, const char *subtitle,
				 const char *notice);

/* Draw on a canvas of that form and add the finished picture to `out`. */
typedef enum mlv_rc (*mlv_draw_fn)(const void *context, struct mlv_canvas *c, struct mlv_err *err);
enum mlv_rc mlv_picture_draw(const struct mlv_picture *p, mlv_draw_fn draw, const void *context,
			     struct mlv_buf *out, struct mlv_err *err);

#endif
