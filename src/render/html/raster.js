// SPDX-License-Identifier: MIT
// A layout as pixels: one pass over its spans, column by column, into the words of an ImageData.
// This is many times faster than as many rectangles asked of a canvas, and the same everywhere.
import { BAND, ITEM_MASK, LIT } from "./layout.js";

const SEAM_ROWS = 3; // spans of at least so many rows show where they end
const SEAM_COLUMNS = 4; // and, in columns as wide as this, where they begin

function fillRect(pixels, width, x0, x1, y0, y1, colour) {
  if (x1 - x0 === 1) {
    for (let at = y0 * width + x0, end = y1 * width + x0; at < end; at += width) pixels[at] = colour;
    return;
  }
  for (let y = y0; y < y1; y++) pixels.fill(colour, y * width + x0, y * width + x1);
}

// Diagonal lines over what was freed and waits for a stream.
function hatch(pixels, width, x0, x1, y0, y1, colour, period) {
  for (let y = y0; y < y1; y++) {
    const row = y * width;
    for (let x = x0; x < x1; x++) if ((x + y) % period < 2) pixels[row + x] = colour;
  }
}

// One span from column x0 to x1, in all of which it is the same.
function paintSpan(p, s, x0, x1, event) {
  const { layout, colours, pixels, drawn, ratio, searching } = p;
  const { data, columns, rows, spanRow, spanItem, classOf } = layout;
  const item = spanItem[s];
  const from = s === p.first ? 0 : spanRow[s - 1];
  const to = spanRow[s];
  const top = rows - to;
  const dim = searching && !(item & LIT);
  const id = item & ITEM_MASK;
  if (item & BAND) {
    fillRect(pixels, columns, x0, x1, top, rows - from, (dim ? colours.dim : colours.plain)[id]);
    return;
  }
  const cls = classOf[id];
  const seam = (dim ? colours.dimSeam : colours.seam)[cls];
  drawn[id] = 1;
  fillRect(pixels, columns, x0, x1, top, rows - from, (dim ? colours.dim : colours.plain)[cls]);
  if (data.freeRequested[id] <= event && data.isPending(id, event)) hatch(pixels, columns, x0, x1, top, rows - from, seam, Math.round(6 * ratio));
  if (to - from < SEAM_ROWS * ratio) return;
  fillRect(pixels, columns, x0, x1, top, top + 1, seam);
  if (p.wide >= SEAM_COLUMNS && data.born[id] === event) fillRect(pixels, columns, x0, x0 + 1, top, rows - from, seam);
}

// The ground of what is reserved, from the top of the stack.
function paintReserved(layout, shown, colours, pixels) {
  const { columns, rows, low, rowsPerByte } = layout;
  for (let g = 0; g < layout.groups; g++) {
    const from = layout.first[g + 1] > layout.first[g] ? layout.spanRow[layout.first[g + 1] - 1] : 0;
    for (let x = layout.x0[g]; x < layout.x0[g + 1]; ) {
      const x0 = x;
      while (x < layout.x0[g + 1] && shown.reserved[x] === shown.reserved[x0]) x++;
      const row = Math.min(rows, Math.max(0, Math.round((shown.reserved[x0] - low) * rowsPerByte)));
      if (row > from) fillRect(pixels, columns, x0, x, rows - row, rows - from, colours.reserved);
    }
  }
}

// `shown` are the instants of the columns, `colours` of timelineColours(). Rows of the pixels go
// from the top. `drawn` gets a 1 for each allocation that has a span of its own. A span that is the
// same in many columns is one rectangle.
export function paintLayout(layout, shown, colours, pixels, drawn, ratio) {
  const { columns, rows, first, shared, x0, event } = layout;
  const p = { layout, colours, pixels, drawn, ratio, searching: layout.matches !== null, first: 0, wide: 0 };
  const began = new Int32Array(rows + 1); // group in which the span of a place in the column began
  pixels.fill(colours.ground);
  for (let g = 0; g < layout.groups; g++) {
    const count = first[g + 1] - first[g];
    const stays = g + 1 < layout.groups ? shared[g + 1] : 0;
    for (let k = shared[g]; k < count; k++) began[k] = g;
    p.first = first[g];
    for (let k = stays; k < count; k++) {
      const from = began[k];
      p.wide = x0[from + 1] - x0[from];
      paintSpan(p, first[g] + k, x0[from], x0[g + 1], event[from]);
    }
  }
  paintReserved(layout, shown, colours, pixels);
  const { marks } = layout;
  for (let k = 0; k < marks.length; k += 2) {
    const y = rows - 1 - marks[k + 1];
    fillRect(pixels, columns, x0[marks[k]], x0[marks[k] + 1], y, y + 1, colours.mark);
  }
}
