/* SPDX-License-Identifier: MIT */
#include "cli/flame_picture.h"

#include "base/num.h"
#include "render/flame_chart.h"
#include "report/flame.h"

void mlv_flame_picture_what(const struct mlv_flame_source *source, struct mlv_buf *out)
{
	char total[MLV_NUM_SIZE];
	mlv_buf_str(out, (struct mlv_str){ source->what.data, source->what.len });
	mlv_buf_printf(out, ": %s",
		       mlv_flame_value_text(source->value,
					    source->flame.nodes.data[MLV_FLAME_ROOT].total, total,
					    sizeof(total)));
}

static enum mlv_rc draw_chart(const void *context, struct mlv_canvas *c, struct mlv_err *err)
{
	return mlv_flame_chart_draw(c, context, err);
}

enum mlv_rc mlv_flame_picture_draw(const struct mlv_flame_source *source,
				   const struct mlv_flame_picture *p, struct mlv_buf *out,
				   struct mlv_err *err)
{
	struct mlv_buf what = { 0 }, notice = { 0 };
	struct mlv_picture picture = p->picture;
	mlv_flame_picture_what(source, &what);
	mlv_flame_notice(&source->flame, &notice);
	if (!picture.height)
		picture.height = mlv_flame_chart_height(&source->flame, notice.len > 0);
	enum mlv_rc rc = what.failed || notice.failed ? mlv_err_nomem(err) : MLV_OK;
	struct mlv_flame_chart chart = {
		.page = mlv_picture_page(&picture, what.data, notice.len ? notice.data : NULL),
		.flame = &source->flame,
		.value = source->value,
		.least = p->least,
		.inverted = p->inverted,
		.interactive = picture.svg,
	};
	if (!rc)
		rc = mlv_picture_draw(&picture, draw_chart, &chart, out, err);
	mlv_buf_fini(&what);
	mlv_buf_fini(&notice);
	return rc;
}
