// SPDX-License-Identifier: MIT
// Annotations (optimizer steps, record_function) as bars above a plot. What runs inside another
// lies in the lane below it; what is nested deeper than there are lanes is one thin band. Bars that
// would be thinner than a pixel are drawn together.
import { visibleText } from "./dom.js";
import { themeColor } from "./theme.js";
import { eventOfPlace } from "./window.js";

const MOST_LANES = 3;

// The lane of each: one below those that have not ended yet. {count, lanes, draw(plot, y, height)}.
export function annotationBars(data) {
  const { spans } = data;
  if (!spans.count || !data.times) return { count: 0, lanes: 0, draw() {} };
  const order = Array.from({ length: spans.count }, (_, k) => k).sort((a, b) => spans.from[a] - spans.from[b] || spans.to[b] - spans.to[a]);
  const lane = new Uint8Array(spans.count);
  const ends = [];
  let lanes = 0;
  for (const k of order) {
    while (ends.length && ends[ends.length - 1] <= spans.from[k]) ends.pop();
    lane[k] = Math.min(ends.length, MOST_LANES);
    if (ends.length < MOST_LANES) ends.push(spans.to[k]);
    lanes = Math.max(lanes, Math.min(ends.length, MOST_LANES));
  }
  const at = (axis, ns) => (axis === "time" ? ns : eventOfPlace(data, "time", ns));
  return { count: spans.count, lanes, draw: (plot, y, height) => drawBars(plot, order, lane, at, y, height) };
}

// The longest form of a name that fits: "Optimizer.step#AdamW.step", "AdamW.step", "step".
function fittingName(c, name, width) {
  const forms = [name, name.slice(name.lastIndexOf("#") + 1)];
  forms.push(forms[1].slice(forms[1].lastIndexOf(".") + 1));
  return forms.find((form) => form && c.measureText(form).width <= width) ?? "";
}

function drawBars(plot, order, lane, at, y, height) {
  const { context: c, place, view } = plot;
  const { spans } = plot.data;
  const right = place.x + place.w;
  const open = Array(MOST_LANES + 1).fill(null); // of each lane, what is not drawn yet
  c.save();
  c.beginPath();
  c.rect(place.x, y, place.w, place.y - y);
  c.clip();
  c.textAlign = "left";
  c.textBaseline = "alphabetic";
  const flush = (l) => {
    const bar = open[l];
    if (!bar) return;
    const width = Math.max(1, bar.x1 - bar.x0);
    c.fillStyle = themeColor(l === MOST_LANES ? "--accent-text" : "--accent-soft");
    c.fillRect(bar.x0, y + l * height, width > 3 ? width - 1 : width, l === MOST_LANES ? 3 : height - 2);
    if (bar.count > 1 || l === MOST_LANES) return;
    const x0 = Math.max(bar.x0, place.x);
    const name = fittingName(c, visibleText(spans.name(bar.k).slice(0, 200)), Math.min(bar.x1, right) - x0 - 7);
    c.fillStyle = themeColor("--accent-text");
    if (name) c.fillText(name, x0 + 4, y + l * height + 10.5);
  };
  for (const k of order) {
    const x0 = plot.xOfPlace(at(view.axis, spans.from[k]));
    const x1 = plot.xOfPlace(at(view.axis, spans.to[k]));
    if (x1 < place.x || x0 > right) continue;
    const bar = open[lane[k]];
    if (bar && x1 - bar.x0 < 1.5) {
      bar.x1 = Math.max(bar.x1, x1);
      bar.count++;
      continue;
    }
    flush(lane[k]);
    open[lane[k]] = { k, x0, x1, count: 1 };
  }
  for (let l = 0; l <= MOST_LANES; l++) flush(l);
  c.restore();
}
