// SPDX-License-Identifier: MIT
// Marks of a plot: the peak, every time memory ran out, and the device's capacity. The upper row of
// words is the peak's, the lower one that of the failures: they never collide.
import { formatBytes, formatCount } from "./numbers.js";
import { themeColor } from "./theme.js";

export const MARK_ROWS = 38;
const PEAK_ROW = 14;
const FAILURE_ROW = 31;

// The events at which memory ran out: indexes into data.others.
export function failuresOf(data) {
  const out = [];
  for (let k = 0; k < data.others.count; k++) if (data.others.action(k) === "oom") out.push(k);
  return out;
}

// Words beside a line at x, on the side where there is room; cut to what fits.
function drawWords(plot, x, y, colour, forms, weight = 600) {
  const { context: c, place } = plot;
  const right = place.x + place.w;
  c.font = c.font.replace(/^(\d+ )?/, `${weight} `);
  const text = forms.find((form) => c.measureText(form).width <= place.w) ?? forms[forms.length - 1];
  const width = c.measureText(text).width;
  c.fillStyle = colour;
  c.textBaseline = "alphabetic";
  c.textAlign = "left";
  c.fillText(text, Math.max(place.x, Math.min(x - 1, right - width)), y);
  c.font = c.font.replace(/^\d+ /, "");
}

function drawLine(plot, x, from, to, colour, width, dash) {
  const { context: c } = plot;
  c.beginPath();
  c.setLineDash(dash);
  c.moveTo(x, from);
  c.lineTo(x, to);
  c.strokeStyle = colour;
  c.lineWidth = width;
  c.stroke();
  c.setLineDash([]);
}

// The column that shows the event, in its middle.
function middleOf(plot, event) {
  const x = plot.xOfEvent(event);
  const next = plot.xOfEvent(event + 1);
  return x + Math.min(Math.max((next - x) / 2, 0.5 / plot.ratio), plot.place.w);
}

function drawPeakMark(plot, hasFailures) {
  const { context: c, data, place } = plot;
  const { peak, peak_event: event } = data.meta.requested;
  if (!peak || !data.events) return;
  const size = `peak ${formatBytes(peak)}`;
  const where = event < 0 ? "at the beginning" : `event ${formatCount(event)}`;
  const full = `${size} ${data.meta.bytes_are}, ${where}`;
  const row = hasFailures ? PEAK_ROW : FAILURE_ROW;
  const x = event < 0 ? plot.xOfPlace(0) : middleOf(plot, event);
  if (x < place.x - 0.5 || x > place.x + place.w + 0.5) {
    drawWords(plot, x < place.x ? place.x : place.x + place.w, row, themeColor("--text-dim"), [`${full}, lies outside`, `${size}, outside`], 400);
    return;
  }
  const y = plot.yOfBytes(peak);
  drawLine(plot, x, FAILURE_ROW + 5, Math.max(place.y, y - 5), themeColor("--axis"), 1, [3, 3]);
  if (y >= place.y - 4 && y <= place.y + place.h) {
    c.beginPath();
    c.arc(x, y, 4, 0, 7);
    c.fillStyle = themeColor("--surface");
    c.fill();
    c.strokeStyle = themeColor("--text");
    c.lineWidth = 1.6;
    c.stroke();
  }
  drawWords(plot, x, row, themeColor("--text"), [full, `${size}, ${where}`, size]);
}

// Every failure has its line; the first one that is seen has the words.
function drawFailures(plot, failures) {
  const { data, place } = plot;
  const colour = themeColor("--error");
  let first = null;
  let count = 0;
  let last = -10;
  for (const k of failures) {
    const x = middleOf(plot, data.others.event[k]);
    if (x < place.x || x > place.x + place.w) continue;
    if (x - last >= 2) drawLine(plot, x, FAILURE_ROW + 5, place.y + place.h, colour, 1.6, []);
    last = x;
    if (!count++) first = { x, k };
  }
  if (!first) return;
  const of = count > 1 ? ` (first of ${formatCount(count)})` : "";
  const size = formatBytes(data.others.bytes[first.k]);
  const event = formatCount(data.others.event[first.k]);
  drawWords(plot, first.x, FAILURE_ROW, colour, [`out of memory: could not get ${size} (rounded), event ${event}${of}`, `out of memory, event ${event}${of}`, "out of memory"]);
}

function drawCapacity(plot) {
  const { context: c, data, place } = plot;
  const { capacity } = data.meta;
  if (!capacity) return;
  const y = Math.round(plot.yOfBytes(capacity)) + 0.5;
  if (y < place.y || y > place.y + place.h) return;
  c.beginPath();
  c.setLineDash([6, 4]);
  c.moveTo(place.x, y);
  c.lineTo(place.x + place.w, y);
  c.strokeStyle = themeColor("--capacity");
  c.lineWidth = 1.5;
  c.stroke();
  c.setLineDash([]);
  drawWords(plot, place.x + 6, y - 6, themeColor("--capacity"), [`capacity ${formatBytes(capacity)}`]);
}

// Above the longest stretch in which it does not change.
function drawReservedWord(plot) {
  const { context: c, place, shown, data, ratio } = plot;
  const columns = shown.within;
  if (!data.meta.reserved.peak || !columns) return;
  let best = { x0: 0, x1: 0 };
  for (let x0 = 0, x = 1; x <= columns; x++) {
    if (x < columns && shown.reserved[x] === shown.reserved[x0]) continue;
    if (x - x0 > best.x1 - best.x0) best = { x0, x1: x };
    x0 = x;
  }
  const y = plot.yOfBytes(shown.reserved[best.x0]);
  if (y < place.y + 14 || y > place.y + place.h || best.x1 - best.x0 < 70 * ratio) return;
  c.textAlign = "right";
  c.textBaseline = "alphabetic";
  c.fillStyle = themeColor("--text-dim");
  c.fillText("reserved", place.x + best.x1 / ratio - 8, y - 5);
}

export function drawMarks(plot) {
  plot.failures ??= failuresOf(plot.data);
  drawReservedWord(plot);
  drawCapacity(plot);
  drawFailures(plot, plot.failures);
  drawPeakMark(plot, plot.failures.length > 0);
}
