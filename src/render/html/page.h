/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_HTML_PAGE_H
#define MLV_RENDER_HTML_PAGE_H
/*
 * The page: one file that holds its script, its styles and its data, and that
 * may load nothing (its Content-Security-Policy forbids it). Data stands in
 * blocks, which the browser does not run: <script> elements of other types,
 * each with an id, a kind and a title for people. What the page shows of them
 * is the business of the modules beside this file; main.js is where they begin.
 */
#include "render/html/pack.h"

struct mlv_html {
	struct mlv_buf blocks;
};

/* A zeroed page is ready to use. */
void mlv_html_fini(struct mlv_html *h);

/* A document of JSON as it is. `id` and `kind` are lower case and ASCII. */
void mlv_html_json(struct mlv_html *h, const char *id, const char *kind, struct mlv_str json);

/* A pack, which is ended by that. MLV_E_NOMEM only. */
enum mlv_rc mlv_html_pack(struct mlv_html *h, const char *id, const char *kind, const char *title,
			  struct mlv_pack *pack, struct mlv_err *err);

/* The whole page to `out`. MLV_E_NOMEM only. */
enum mlv_rc mlv_html_end(struct mlv_html *h, const char *title, struct mlv_buf *out,
			 struct mlv_err *err);

#endif
