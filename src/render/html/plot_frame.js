// SPDX-License-Identifier: MIT
// What surrounds the allocations of a plot: grid, axes, and the line of what was reserved.
import { axisTicks } from "./axis.js";
import { themeColor } from "./theme.js";

function drawByteAxis(plot) {
  const { context: c, place, layout } = plot;
  c.textAlign = "right";
  c.textBaseline = "middle";
  for (const { at, label } of axisTicks("bytes", layout.low, layout.high, place.h, 64)) {
    const y = Math.round(plot.yOfBytes(at) * plot.ratio) / plot.ratio;
    c.fillStyle = themeColor("--text-dim");
    c.fillText(label, place.x - 8, y);
    c.fillStyle = themeColor("--axis");
    c.globalAlpha = 0.13; // also above the allocations, where it is barely seen
    c.fillRect(place.x, y, place.w, 1 / plot.ratio);
    c.globalAlpha = 1;
  }
}

function drawEventAxis(plot) {
  const { context: c, place, view, data } = plot;
  const base = place.y + place.h;
  const time = view.axis === "time" && data.times !== null;
  const dim = themeColor("--text-dim");
  const axis = themeColor("--axis");
  c.fillStyle = axis;
  c.fillRect(place.x, base, place.w, 1);
  c.textBaseline = "alphabetic";
  c.textAlign = "center";
  for (const { at, label } of axisTicks(time ? "time" : "count", view.from, view.to, place.w, plot.narrow ? 84 : 104)) {
    const x = plot.xOfPlace(at);
    c.fillStyle = axis;
    c.fillRect(Math.round(x), base, 1, 5);
    c.fillStyle = dim;
    const half = c.measureText(label).width / 2;
    c.fillText(label, Math.min(Math.max(x, half + 2), plot.width - half - 2), base + 18);
  }
  c.fillStyle = dim;
  const words = data.events === 0 ? "final state; no events were recorded" : time ? "time since the first event" : "event";
  c.fillText(words, place.x + place.w / 2, base + 34);
}

// A line of steps at the upper edge of what was reserved.
function drawReservedLine(plot) {
  const { context: c, place, shown, columns } = plot;
  if (plot.data.meta.reserved.peak === 0) return;
  c.save();
  c.beginPath();
  c.rect(place.x, place.y - 2, place.w, place.h + 2);
  c.clip();
  c.beginPath();
  let last = null;
  for (let x = 0; x < columns; x++) {
    const value = shown.reserved[x];
    if (value === last) continue;
    const at = place.x + x / plot.ratio;
    if (last !== null) c.lineTo(at, plot.yOfBytes(last));
    c.lineTo(at, plot.yOfBytes(value));
    last = value;
  }
  c.lineTo(place.x + place.w, plot.yOfBytes(last));
  c.strokeStyle = themeColor("--reserved-line");
  c.lineWidth = 1.5;
  c.stroke();
  c.restore();
}

export function drawFrame(plot) {
  drawByteAxis(plot);
  drawReservedLine(plot);
  drawEventAxis(plot);
}
