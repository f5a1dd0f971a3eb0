// SPDX-License-Identifier: MIT
// What is drawn above a plot and changes with the pointer: the outline of the allocation that is
// pointed at or picked, the range that is selected, the moment. A canvas of its own, so that none of
// it makes the plot be drawn again.
import { themeColor } from "./theme.js";

// The columns in which an allocation lives, with its height in bytes at each step of it:
// [{x0, x1, y}], columns in device pixels. Everything above a free slides down, nothing else moves,
// so that the frees below it are all that is to be counted.
export function outlineOf(layout, alloc) {
  const { data, x0, event } = layout;
  const groups = layout.first[layout.groups] > layout.first[layout.groups - 1] ? layout.groups : layout.groups - 1;
  const { deaths, died } = data;
  const out = [];
  let y = null;
  let death = 0;
  for (let g = 0; g < groups; g++) {
    if (!data.isAlive(alloc, event[g])) {
      if (y !== null) break;
      continue;
    }
    if (y === null) {
      y = data.offsetOf(alloc, event[g]);
      death = data.diedUpTo(event[g]);
    } else {
      // Those born after the window began and below it were there before it: order of birth.
      for (; death < deaths.length && died[deaths[death]] <= event[g]; death++) if (deaths[death] < alloc) y -= data.bytes[deaths[death]];
    }
    const last = out[out.length - 1];
    if (last && last.y === y) last.x1 = x0[g + 1];
    else out.push({ x0: x0[g], x1: x0[g + 1], y });
  }
  return out;
}

function tracePath(c, plot, steps, bytes) {
  const x = (column) => plot.place.x + column / plot.ratio;
  c.beginPath();
  for (const s of steps) {
    c.lineTo(x(s.x0), plot.yOfBytes(s.y + bytes));
    c.lineTo(x(s.x1), plot.yOfBytes(s.y + bytes));
  }
  for (let k = steps.length - 1; k >= 0; k--) {
    c.lineTo(x(steps[k].x1), plot.yOfBytes(steps[k].y));
    c.lineTo(x(steps[k].x0), plot.yOfBytes(steps[k].y));
  }
  c.closePath();
}

export class TimelineOverlay {
  constructor(canvas, plot) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.plot = plot;
  }

  draw() {
    const { plot, canvas, context: c } = this;
    const { view, place, ratio } = plot;
    if (canvas.width !== plot.canvas.width || canvas.height !== plot.canvas.height) {
      canvas.width = plot.canvas.width;
      canvas.height = plot.canvas.height;
    }
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.clearRect(0, 0, canvas.width, canvas.height);
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.save();
    c.beginPath();
    c.rect(place.x - 1, place.y - 6, place.w + 2, place.h + 7);
    c.clip();
    if (view.selection) this.drawSelection(view.selection);
    if (view.moment !== null) this.drawMoment(view.moment);
    if (view.hover && view.hover.alloc !== null && view.hover.alloc !== view.alloc) this.drawOutline(view.hover.alloc, 1.2, false);
    if (view.alloc !== null && view.alloc < plot.data.n) this.drawOutline(view.alloc, 2.2, true);
    c.restore();
  }

  drawSelection({ from, to }) {
    const { plot, context: c } = this;
    const { place } = plot;
    const x0 = Math.max(place.x - 2, plot.xOfEvent(from));
    const x1 = Math.min(place.x + place.w + 2, plot.xOfEvent(to));
    c.fillStyle = themeColor("--accent-fill");
    c.globalAlpha = 0.16;
    c.fillRect(x0, place.y, Math.max(1, x1 - x0), place.h);
    c.globalAlpha = 1;
    c.fillRect(x0, place.y - 6, Math.max(2, x1 - x0), 4);
    c.fillRect(x0 - 0.5, place.y, 1, place.h);
    c.fillRect(x1 - 0.5, place.y, 1, place.h);
  }

  drawMoment(event) {
    const { plot, context: c } = this;
    const { place } = plot;
    const a = event < 0 ? plot.xOfPlace(0) : plot.xOfEvent(event);
    const b = plot.xOfEvent(event + 1);
    const x = Math.round(a + Math.min((b - a) / 2, place.w)) + 0.5;
    c.beginPath();
    c.moveTo(x, place.y - 5);
    c.lineTo(x, place.y + place.h);
    c.strokeStyle = themeColor("--surface");
    c.lineWidth = 3.5;
    c.stroke();
    c.strokeStyle = themeColor("--text");
    c.lineWidth = 1.5;
    c.stroke();
    c.beginPath();
    c.moveTo(x - 5, place.y - 6);
    c.lineTo(x + 5, place.y - 6);
    c.lineTo(x, place.y + 1);
    c.closePath();
    c.fillStyle = themeColor("--text");
    c.fill();
  }

  // Dark within light, so that it is seen on every colour.
  drawOutline(alloc, width, picked) {
    const { plot, context: c } = this;
    const steps = outlineOf(plot.layout, alloc);
    if (!steps.length) return;
    tracePath(c, plot, steps, plot.data.bytes[alloc]);
    c.lineJoin = "round";
    c.strokeStyle = themeColor("--surface");
    c.lineWidth = width + 2.4;
    c.stroke();
    c.strokeStyle = themeColor("--text");
    c.lineWidth = width;
    c.stroke();
    if (picked) {
      c.globalAlpha = 0.14;
      c.fillStyle = themeColor("--text");
      c.fill();
      c.globalAlpha = 1;
    }
  }
}
