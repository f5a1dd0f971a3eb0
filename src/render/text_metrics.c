/* SPDX-License-Identifier: MIT */
/*
 * Advances of DejaVu Sans 2.37, regular and bold, in 1/2048 of the font size.
 * Widths are sums of whole units: nothing depends on the order of rounding.
 */
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "render/canvas_impl.h"

enum { UNITS_PER_EM = 2048, ELLIPSIS_UNITS = 2048, ELLIPSIS_BYTES = 3 };
static const char ELLIPSIS[] = "\xe2\x80\xa6";

/* clang-format off */
static const uint16_t ascii[2][95] = {
	{ 651, 821, 942, 1716, 1303, 1946, 1597, 563, 799, 799, 1024, 1716, 651, 739, 651, 690,
	  1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 690, 690, 1716, 1716, 1716, 1087,
	  2048, 1401, 1405, 1430, 1577, 1294, 1178, 1587, 1540, 604, 604, 1343, 1141, 1767, 1532, 1612,
	  1235, 1612, 1423, 1300, 1251, 1499, 1401, 2025, 1403, 1251, 1403, 799, 690, 799, 1716, 1024,
	  1024, 1255, 1300, 1126, 1300, 1260, 721, 1300, 1298, 569, 569, 1186, 569, 1995, 1298, 1253,
	  1300, 1300, 842, 1067, 803, 1298, 1212, 1675, 1212, 1212, 1075, 1303, 690, 1303, 1716 },
	{ 713, 934, 1067, 1716, 1425, 2052, 1786, 627, 936, 936, 1071, 1716, 778, 850, 778, 748,
	  1425, 1425, 1425, 1425, 1425, 1425, 1425, 1425, 1425, 1425, 819, 819, 1716, 1716, 1716, 1188,
	  2048, 1585, 1561, 1503, 1700, 1399, 1399, 1681, 1714, 762, 762, 1587, 1305, 2038, 1714, 1741,
	  1501, 1741, 1577, 1475, 1397, 1663, 1585, 2259, 1579, 1483, 1485, 936, 748, 936, 1716, 1024,
	  1024, 1382, 1466, 1214, 1466, 1389, 891, 1466, 1458, 702, 702, 1362, 702, 2134, 1458, 1407,
	  1466, 1466, 1010, 1219, 979, 1458, 1335, 1892, 1321, 1335, 1192, 1458, 748, 1458, 1716 },
};

/* U+00A0 to U+00FF */
static const uint16_t latin1[2][96] = {
	{ 651, 821, 1303, 1303, 1303, 1303, 690, 1024, 1024, 2048, 965, 1253, 1716, 739, 2048, 1024,
	  1024, 1716, 821, 821, 1024, 1303, 1303, 651, 1024, 821, 965, 1253, 1985, 1985, 1985, 1087,
	  1401, 1401, 1401, 1401, 1401, 1401, 1995, 1430, 1294, 1294, 1294, 1294, 604, 604, 604, 604,
	  1587, 1532, 1612, 1612, 1612, 1612, 1612, 1716, 1612, 1499, 1499, 1499, 1499, 1251, 1239, 1290,
	  1255, 1255, 1255, 1255, 1255, 1255, 2011, 1126, 1260, 1260, 1260, 1260, 569, 569, 569, 569,
	  1253, 1298, 1253, 1253, 1253, 1253, 1253, 1716, 1253, 1298, 1298, 1298, 1298, 1212, 1300, 1212 },
	{ 713, 934, 1425, 1425, 1303, 1425, 748, 1024, 1024, 2048, 1155, 1323, 1716, 850, 2048, 1024,
	  1024, 1716, 897, 897, 1024, 1507, 1303, 778, 1024, 897, 1155, 1323, 2120, 2120, 2120, 1188,
	  1585, 1585, 1585, 1585, 1585, 1585, 2222, 1503, 1399, 1399, 1399, 1399, 762, 762, 762, 762,
	  1716, 1714, 1741, 1741, 1741, 1741, 1741, 1716, 1741, 1663, 1663, 1663, 1663, 1483, 1511, 1473,
	  1382, 1382, 1382, 1382, 1382, 1382, 2146, 1214, 1389, 1389, 1389, 1389, 702, 702, 702, 702,
	  1407, 1458, 1407, 1407, 1407, 1407, 1407, 1716, 1407, 1458, 1458, 1458, 1458, 1335, 1466, 1335 },
};
/* clang-format on */

/* Ascending. The last rows of a script's range are its widest common letters, not averages. */
static const struct advance {
	uint32_t first, last;
	uint16_t units[2];
} others[] = {
	{ 0x0100, 0x02ff, { 1612, 1741 } }, /* Latin with marks, phonetic */
	{ 0x0300, 0x036f, { 0, 0 } },       /* marks over the letter before */
	{ 0x0370, 0x03ff, { 1612, 1741 } }, /* Greek */
	{ 0x0400, 0x052f, { 1767, 2038 } }, /* Cyrillic */
	{ 0x200b, 0x200f, { 0, 0 } },       /* zero width */
	{ 0x2009, 0x2009, { 409, 409 } },   /* thin space */
	{ 0x2013, 0x2013, { 1024, 1024 } }, /* – */
	{ 0x2014, 0x2014, { 2048, 2048 } }, /* — */
	{ 0x2018, 0x2019, { 651, 778 } },   /* ‘ ’ */
	{ 0x201c, 0x201d, { 1061, 1346 } }, /* “ ” */
	{ 0x2022, 0x2022, { 1208, 1309 } }, /* • */
	{ 0x2026, 0x2026, { 2048, 2048 } }, /* … */
	{ 0x202f, 0x202f, { 409, 409 } },   /* narrow no-break space */
	{ 0x2190, 0x21ff, { 1716, 1716 } }, /* arrows */
	{ 0x2206, 0x2206, { 1370, 1427 } }, /* ∆ */
	{ 0x2212, 0x2212, { 1716, 1716 } }, /* − */
	{ 0x2248, 0x2248, { 1716, 1716 } }, /* ≈ */
	{ 0x2260, 0x2265, { 1716, 1716 } }, /* ≠ ≤ ≥ */
	{ 0x2500, 0x259f, { 1233, 1233 } }, /* box drawing, blocks */
	{ 0x25a0, 0x25a0, { 1935, 1935 } }, /* ■ */
	{ 0x25b2, 0x25b7, { 1575, 1575 } }, /* ▲ ▶ */
	{ 0x25bc, 0x25bd, { 1575, 1575 } }, /* ▼ */
	{ 0x25cf, 0x25cf, { 1787, 1787 } }, /* ● */
	{ 0x2713, 0x2717, { 1716, 1716 } }, /* ✓ ✗ */
	{ 0xfe00, 0xfe0f, { 0, 0 } },       /* variation selectors */
	{ 0xfffd, 0xfffd, { 2100, 2280 } }, /* what could not be read */
};

/* Anything else is taken as wide as an ideograph: rather too much room than a collision. */
static unsigned advance_of(uint32_t cp, bool bold)
{
	if (cp >= 0x20 && cp < 0x7f)
		return ascii[bold][cp - 0x20];
	if (cp >= 0xa0 && cp <= 0xff)
		return latin1[bold][cp - 0xa0];
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (cp >= others[i].first && cp <= others[i].last)
			return others[i].units[bold];
	return UNITS_PER_EM;
}

uint32_t mlv_text_next(const char **s)
{
	size_t n = strnlen(*s, MLV_UTF8_MAX);
	if (n == 0)
		return 0;
	uint32_t cp;
	*s += mlv_utf8_step(*s, n, &cp);
	if (cp == '\t' || cp == '\n' || cp == '\r' || cp == 0x2028 || cp == 0x2029)
		return ' ';
	bool control = cp < 0x20 || (cp >= 0x7f && cp < 0xa0);
	bool refused = cp == MLV_UTF8_INVALID || cp == 0xfffe || cp == 0xffff;
	return control || refused || mlv_utf8_reorders(cp) ? MLV_UTF8_REPLACEMENT : cp;
}

void mlv_text_put(struct mlv_buf *b, uint32_t cp)
{
	char bytes[MLV_UTF8_MAX];
	mlv_buf_add(b, bytes, mlv_utf8_encode(cp, bytes));
}

static uint64_t units_of(const char *s, bool bold)
{
	uint64_t units = 0;
	for (uint32_t cp; (cp = mlv_text_next(&s));)
		units += advance_of(cp, bold);
	return units;
}

static double to_pixels(uint64_t units, double size)
{
	return (double)units * size / UNITS_PER_EM;
}

double mlv_text_width(struct mlv_font font, const char *text)
{
	return to_pixels(units_of(text, font.bold), font.size);
}

/* The bytes of the longest beginning within both bounds; its units are added to `*used`. */
static size_t head_bytes(const char *text, bool bold, uint64_t units, size_t bytes, uint64_t *used)
{
	const char *end = text, *next = text;
	uint64_t sum = 0;
	for (uint32_t cp; (cp = mlv_text_next(&next)); end = next) {
		uint64_t more = sum + advance_of(cp, bold);
		if (more > units || (size_t)(next - text) > bytes)
			break;
		sum = more;
	}
	*used += sum;
	return (size_t)(end - text);
}

/* The longest end within both bounds. */
static const char *tail_of(const char *text, bool bold, uint64_t units, size_t bytes)
{
	uint64_t left = units_of(text, bold);
	size_t n = strlen(text);
	while (left > units || n > bytes) {
		const char *next = text;
		left -= advance_of(mlv_text_next(&next), bold);
		n -= (size_t)(next - text);
		text = next;
	}
	return text;
}

double mlv_text_fit(struct mlv_font font, const char *text, double width, bool middle, char *buf,
		    size_t size)
{
	if (size == 0)
		return 0;
	*buf = '\0';
	if (!(font.size > 0) || !(width > 0))
		return 0;
	double room = floor(width * UNITS_PER_EM / font.size);
	uint64_t units = room < 1e15 ? (uint64_t)room : (uint64_t)1e15;
	uint64_t whole = units_of(text, font.bold);
	size_t n = strlen(text);
	if (whole <= units && n < size) {
		memcpy(buf, text, n + 1);
		return to_pixels(whole, font.size);
	}
	if (units < ELLIPSIS_UNITS || size <= ELLIPSIS_BYTES)
		return 0;
	units -= ELLIPSIS_UNITS;
	size -= ELLIPSIS_BYTES + 1;
	uint64_t used = 0;
	size_t head = head_bytes(text, font.bold, middle ? units / 2 : units,
				 middle ? size / 2 : size, &used);
	const char *tail = middle ? tail_of(text + head, font.bold, units - used, size - head) : "";
	while (head && text[head - 1] == ' ')
		head--;
	memcpy(buf, text, head);
	memcpy(buf + head, ELLIPSIS, ELLIPSIS_BYTES);
	memcpy(buf + head + ELLIPSIS_BYTES, tail, strlen(tail) + 1);
	return mlv_text_width(font, buf);
}
