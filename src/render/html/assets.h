/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_HTML_ASSETS_H
#define MLV_RENDER_HTML_ASSETS_H
/* The script and the styles of the page, as bundle.py joined them at build time. */
#include <stddef.h>

extern const unsigned char mlv_html_script[];
extern const size_t mlv_html_script_size;
extern const unsigned char mlv_html_style[];
extern const size_t mlv_html_style_size;
/* "sha256-…", as a Content-Security-Policy names them. */
extern const char mlv_html_script_hash[], mlv_html_style_hash[];

#endif
