/* SPDX-License-Identifier: MIT */
#include "cli/picture.h"

#include <string.h>

const char *const mlv_picture_themes[] = { "light", "dark", NULL };

void mlv_picture_options_init(struct mlv_picture_options *p)
{
	*p = (struct mlv_picture_options){ .size = { 1600, 900 } };
}

enum mlv_form mlv_form_of(const char *path)
{
	struct mlv_str name = mlv_str_of(path ? path : "");
	if (mlv_str_has_suffix(name, MLV_STR(".svg")))
		return MLV_FORM_SVG;
	return mlv_str_has_suffix(name, MLV_STR(".png")) ? MLV_FORM_PNG : MLV_FORM_NONE;
}

bool mlv_form_is_page(const char *path)
{
	return mlv_str_has_suffix(mlv_str_of(path ? path : ""), MLV_STR(".html"));
}

enum mlv_rc mlv_form_always(const char *path, const char *what, bool page, enum mlv_form *form,
			    struct mlv_err *err)
{
	*form = mlv_form_of(path);
	if (*form)
		return MLV_OK;
	*form = MLV_FORM_SVG;
	if (!path || strcmp(path, "-") == 0 || strncmp(path, "/dev/", 5) == 0 ||
	    (page && mlv_form_is_page(path)))
		return MLV_OK;
	return mlv_err_set(err, MLV_E_USAGE,
			   "-o %s: the name must end in %s, which is what %s can be", path,
			   page ? ".svg, .png or .html" : ".svg or .png", what);
}

struct mlv_picture mlv_picture_of(const struct mlv_picture_options *o, enum mlv_form form,
				  const char *title)
{
	return (struct mlv_picture){ .title = title,
				     .theme = mlv_theme_find(mlv_picture_themes[o->theme]),
				     .width = o->size.w,
				     .height = o->size.h,
				     .svg = form == MLV_FORM_SVG };
}

void mlv_picture_title(const char *file, size_t files, struct mlv_buf *out)
{
	mlv_buf_str(out, mlv_str_basename(mlv_str_of(file)));
	if (files > 1)
		mlv_buf_printf(out, " and %zu more", files - 1);
}

struct mlv_page mlv_picture_page(const struct mlv_picture *p, const char *subtitle,
				 const char *notice)
{
	return (struct mlv_page){ .title = p->title,
				  .subtitle = subtitle,
				  .notice = notice,
				  .theme = p->theme,
				  .width = p->width,
				  .height = p->height };
}

enum mlv_rc mlv_picture_draw(const struct mlv_picture *p, mlv_draw_fn draw, const void *context,
			     struct mlv_buf *out, struct mlv_err *err)
{
	struct mlv_canvas *c =
		p->svg ? mlv_canvas_create_svg(p->width, p->height, p->theme->ground, p->title, err)
		       : mlv_canvas_create_png(p->width, p->height, p->theme->ground, err);
	enum mlv_rc rc = c ? draw(context, c, err) : err->rc;
	if (!rc)
		rc = mlv_canvas_finish(c, out, err);
	mlv_canvas_destroy(c);
	return rc;
}
