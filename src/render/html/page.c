/* SPDX-License-Identifier: MIT */
#include "render/html/page.h"

#include <string.h>

#include "render/html/assets.h"

void mlv_html_fini(struct mlv_html *h)
{
	mlv_buf_fini(&h->blocks);
}

/* Text within an element or an attribute. */
static void put_text(struct mlv_buf *b, const char *text)
{
	struct mlv_buf safe = { 0 };
	mlv_buf_safe(&safe, mlv_str_of(text));
	b->failed |= safe.failed;
	for (size_t i = 0; i < safe.len; i++) {
		const char *entity = safe.data[i] == '&'    ? "&amp;"
				     : safe.data[i] == '<'  ? "&lt;"
				     : safe.data[i] == '>'  ? "&gt;"
				     : safe.data[i] == '"'  ? "&quot;"
				     : safe.data[i] == '\'' ? "&#39;"
							    : NULL;
		if (entity)
			mlv_buf_puts(b, entity);
		else
			mlv_buf_putc(b, safe.data[i]);
	}
	mlv_buf_fini(&safe);
}

static void begin_block(struct mlv_buf *b, const char *id, const char *kind, const char *type,
			const char *title)
{
	mlv_buf_printf(b, "<script id=\"%s\" data-kind=\"%s\" data-title=\"", id, kind);
	put_text(b, title);
	mlv_buf_printf(b, "\" type=\"%s\">", type);
}

static void end_block(struct mlv_buf *b)
{
	mlv_buf_puts(b, "</script>\n");
}

/* Within strings, which is where they stand, "<" can be written so that no element ends in it. */
static void put_json(struct mlv_buf *b, struct mlv_str json)
{
	while (json.n) {
		const char *angle = memchr(json.p, '<', json.n);
		size_t n = angle ? (size_t)(angle - json.p) : json.n;
		mlv_buf_add(b, json.p, n);
		if (angle)
			mlv_buf_puts(b, "\\u003c");
		n += angle != NULL;
		json = (struct mlv_str){ json.p + n, json.n - n };
	}
}

void mlv_html_json(struct mlv_html *h, const char *id, const char *kind, struct mlv_str json)
{
	begin_block(&h->blocks, id, kind, "application/json", "");
	put_json(&h->blocks, json);
	end_block(&h->blocks);
}

static void put_base64(struct mlv_buf *b, const struct mlv_buf *bytes)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	for (size_t i = 0; i < bytes->len; i += 3) {
		size_t n = bytes->len - i < 3 ? bytes->len - i : 3;
		uint32_t v = 0;
		for (size_t k = 0; k < 3; k++)
			v = v << 8 | (k < n ? (uint8_t)bytes->data[i + k] : 0);
		char quad[4];
		for (size_t k = 0; k < 4; k++)
			quad[k] = k <= n ? digits[v >> (18 - 6 * k) & 63] : '=';
		mlv_buf_add(b, quad, sizeof(quad));
	}
}

enum mlv_rc mlv_html_pack(struct mlv_html *h, const char *id, const char *kind, const char *title,
			  struct mlv_pack *pack, struct mlv_err *err)
{
	struct mlv_buf bytes = { 0 };
	enum mlv_rc rc = mlv_pack_end(pack, &bytes, err);
	if (!rc) {
		begin_block(&h->blocks, id, kind, "application/vnd.mlviz.pack", title);
		put_base64(&h->blocks, &bytes);
		end_block(&h->blocks);
	}
	mlv_buf_fini(&bytes);
	return rc;
}

enum mlv_rc mlv_html_end(struct mlv_html *h, const char *title, struct mlv_buf *out,
			 struct mlv_err *err)
{
	mlv_buf_puts(out,
		     "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		     "script-src '");
	mlv_buf_puts(out, mlv_html_script_hash);
	mlv_buf_puts(out, "'; style-src '");
	mlv_buf_puts(out, mlv_html_style_hash);
	mlv_buf_puts(out,
		     "'; img-src data: blob:; base-uri 'none'; form-action 'none'\">\n"
		     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		     "<meta name=\"color-scheme\" content=\"light dark\">\n"
		     "<meta name=\"generator\" content=\"mlviz " MLV_VERSION "\">\n<title>");
	put_text(out, title);
	mlv_buf_puts(out, "</title>\n<style>");
	mlv_buf_add(out, mlv_html_style, mlv_html_style_size);
	mlv_buf_puts(out, "</style>\n</head>\n<body>\n<noscript>This page draws itself with a "
			  "script that it holds, and loads nothing. The browser does not run "
			  "it.</noscript>\n<div id=\"app\"></div>\n");
	if (h->blocks.len)
		mlv_buf_add(out, h->blocks.data, h->blocks.len);
	mlv_buf_puts(out, "<script>");
	mlv_buf_add(out, mlv_html_script, mlv_html_script_size);
	mlv_buf_puts(out, "</script>\n</body>\n</html>\n");
	return out->failed || h->blocks.failed ? mlv_err_nomem(err) : MLV_OK;
}
