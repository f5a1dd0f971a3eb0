// SPDX-License-Identifier: MIT
// Labels inside large bars: the name of the call site and the size, where they fit. A label stands
// in the widest run of columns in which its allocation keeps a height for it.
import { shortText } from "./dom.js";
import { BAND, ITEM_MASK, LIT } from "./layout.js";
import { formatBytes } from "./numbers.js";
import { textOn } from "./colours.js";

const LABEL_HEIGHT = 15;
const LABEL_WIDTH = 54;
const MOST_LABELS = 90;

// Runs of columns in which an allocation is high enough: {alloc, x0, x1, r0, r1}, the largest first.
function labelRuns(plot) {
  const { layout, ratio } = plot;
  const { spanRow, spanItem } = layout;
  const least = LABEL_HEIGHT * ratio;
  const wide = LABEL_WIDTH * ratio;
  const open = new Map();
  const runs = [];
  const end = (run) => {
    if (run.x1 - run.x0 >= wide) runs.push(run);
  };
  for (let g = 0; g < layout.groups; g++) {
    let from = 0;
    for (let s = layout.first[g]; s < layout.first[g + 1]; s++) {
      const to = spanRow[s];
      if (to - from >= least && !(spanItem[s] & BAND) && !(layout.matches && !(spanItem[s] & LIT))) {
        const alloc = spanItem[s] & ITEM_MASK;
        const run = open.get(alloc);
        const r0 = run ? Math.max(run.r0, from) : from;
        const r1 = run ? Math.min(run.r1, to) : to;
        if (run && run.x1 === layout.x0[g] && r1 - r0 >= least) {
          run.r0 = r0;
          run.r1 = r1;
          run.x1 = layout.x0[g + 1];
        } else {
          if (run) end(run);
          open.set(alloc, { alloc, x0: layout.x0[g], x1: layout.x0[g + 1], r0: from, r1: to });
        }
      }
      from = to;
    }
  }
  open.forEach(end);
  return runs.sort((a, b) => (b.x1 - b.x0) * (b.r1 - b.r0) - (a.x1 - a.x0) * (a.r1 - a.r0));
}

export function drawLabels(plot) {
  const { context: c, place, data, layout, colours, rows, ratio } = plot;
  const { names, places } = data.kinds.site;
  const placed = new Set();
  const font = c.font;
  c.font = font.replace(/\d+(\.\d+)?px/, "11px");
  c.textAlign = "left";
  c.textBaseline = "middle";
  plot.labels = 0;
  for (const run of labelRuns(plot)) {
    if (placed.has(run.alloc) || placed.size >= MOST_LABELS) continue;
    const site = data.site[run.alloc];
    const width = (run.x1 - run.x0) / ratio - 10;
    const size = formatBytes(data.bytes[run.alloc]);
    const name = shortText(names[site], 60);
    const forms = [`${name}  ${shortText(places[site], 60)}  ${size}`, `${name}  ${size}`, name, size];
    const text = forms.find((form) => c.measureText(form).width <= width);
    if (!text) continue;
    placed.add(run.alloc);
    c.fillStyle = textOn(colours.rgb[layout.classOf[run.alloc]]);
    c.fillText(text, place.x + run.x0 / ratio + 5, place.y + (rows - (run.r0 + run.r1) / 2) / ratio + 0.5);
  }
  plot.labels = placed.size;
  c.font = font;
}
