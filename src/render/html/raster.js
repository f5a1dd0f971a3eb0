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

// `shown` are the instants of the columns, `colours` of timelineColours(). Rows of the pixels go
// from the top. `drawn` gets a 1 for each allocation that has a span of its own.
export function paintLayout(layout, shown, colours, pixels, drawn, ratio) {
  const { data, columns, rows, spanRow, spanItem, classOf, low, rowsPerByte } = layout;
  const searching = layout.matches !== null;
  pixels.fill(colours.ground);
  for (let g = 0; g < layout.groups; g++) {
    const x0 = layout.x0[g];
    const x1 = layout.x0[g + 1];
    const event = layout.event[g];
    let from = 0;
    for (let s = layout.first[g]; s < layout.first[g + 1]; s++) {
      const to = spanRow[s];
      const item = spanItem[s];
      const dim = searching && !(item & LIT);
      const id = item & ITEM_MASK;
      const top = rows - to;
      if (item & BAND) {
        fillRect(pixels, columns, x0, x1, top, rows - from, (dim ? colours.dim : colours.plain)[id]);
      } else {
        const cls = classOf[id];
        drawn[id] = 1;
        fillRect(pixels, columns, x0, x1, top, rows - from, (dim ? colours.dim : colours.plain)[cls]);
        const seam = (dim ? colours.dimSeam : colours.seam)[cls];
        if (data.freeRequested[id] <= event && data.isPending(id, event)) hatch(pixels, columns, x0, x1, top, rows - from, seam, Math.round(6 * ratio));
        if (to - from >= SEAM_ROWS * ratio) {
          fillRect(pixels, columns, x0, x1, top, top + 1, seam);
          if (x1 - x0 >= SEAM_COLUMNS && data.born[id] === event) fillRect(pixels, columns, x0, x0 + 1, top, rows - from, seam);
        }
      }
      from = to;
    }
    for (let x = x0; x < x1; x++) {
      const row = Math.min(rows, Math.max(0, Math.round((shown.reserved[x] - low) * rowsPerByte)));
      if (row > from) fillRect(pixels, columns, x, x + 1, rows - row, rows - from, colours.reserved);
    }
  }
  const { marks } = layout;
  for (let k = 0; k < marks.length; k += 2) {
    const y = rows - 1 - marks[k + 1];
    fillRect(pixels, columns, layout.x0[marks[k]], layout.x0[marks[k] + 1], y, y + 1, colours.mark);
  }
}
