// SPDX-License-Identifier: MIT
// The whole recording in a strip above a plot, with the window of the plot in it: drag it to move,
// its edges to zoom, and press beside it to go there. Everything it does can be done with the keys
// of the plot.
import { instants } from "./instants.js";
import { themeColor } from "./theme.js";
import { clampWindow, domainOf, placeOfEvent, wholeHeight } from "./window.js";

const EDGE = 9;

export class Minimap {
  constructor(canvas, plot) {
    this.canvas = canvas;
    this.plot = plot;
    this.context = canvas.getContext("2d");
    this.picture = document.createElement("canvas"); // all but the window
    this.key = "";
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => (this.drag = null));
    canvas.addEventListener("wheel", (event) => plot.canvas.parentElement.dispatchEvent(new WheelEvent("wheel", event)) || event.preventDefault(), { passive: false });
  }

  drawPicture() {
    const { plot, picture, width, height } = this;
    const { data, view, ratio } = plot;
    const c = picture.getContext("2d");
    const columns = Math.round(width * ratio);
    picture.width = columns;
    picture.height = Math.round(height * ratio);
    const { min, max } = domainOf(data, view.axis);
    const shown = instants(data, plot.index, { from: min, to: max, axis: view.axis }, columns);
    const top = wholeHeight(data);
    const y = (bytes) => Math.round((bytes / top) * (picture.height - 2));
    for (const [values, colour] of [[shown.reserved, "--reserved-line"], [shown.requested, "--accent-fill"]]) {
      c.fillStyle = themeColor(colour);
      c.globalAlpha = colour === "--accent-fill" ? 0.75 : 0.3;
      for (let x = 0; x < columns; x++) c.fillRect(x, picture.height - y(values[x]), 1, y(values[x]));
    }
    c.globalAlpha = 1;
    c.fillStyle = themeColor("--error");
    for (const k of plot.failures ?? []) c.fillRect(this.columnOf(data.others.event[k], columns) - 1, 0, 2 * ratio, picture.height);
    if (view.search) this.drawMatches(c, columns);
  }

  columnOf(event, columns) {
    const { data, view } = this.plot;
    const { min, max } = domainOf(data, view.axis);
    return Math.min(columns - 1, Math.floor(((placeOfEvent(data, view.axis, event) - min) / (max - min)) * columns));
  }

  // A line where any match of the search is alive.
  drawMatches(c, columns) {
    const { data, view, ratio } = this.plot;
    const change = new Int32Array(columns + 1);
    for (let i = 0; i < data.n; i++) {
      if (!view.search[i]) continue;
      change[i < data.initial ? 0 : this.columnOf(data.born[i], columns)]++;
      change[data.died[i] >= data.events ? columns : this.columnOf(data.died[i], columns) + 1]--;
    }
    c.fillStyle = themeColor("--text");
    for (let x = 0, alive = 0; x < columns; x++) {
      alive += change[x];
      if (alive > 0) c.fillRect(x, 0, 1, 3 * ratio);
    }
  }

  draw() {
    const { plot, canvas, context: c } = this;
    const { view, data, ratio } = plot;
    this.width = canvas.clientWidth;
    this.height = canvas.clientHeight;
    const key = [this.width, this.height, ratio, view.axis, document.documentElement.dataset.theme].join();
    if (key !== this.key || view.search !== this.search) {
      this.key = key;
      this.search = view.search;
      this.drawPicture();
      canvas.width = this.picture.width;
      canvas.height = this.picture.height;
    }
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.clearRect(0, 0, canvas.width, canvas.height);
    c.drawImage(this.picture, 0, 0);
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    const { min, max } = domainOf(data, view.axis);
    const x0 = ((view.from - min) / (max - min)) * this.width;
    const x1 = Math.max(x0 + 2, ((view.to - min) / (max - min)) * this.width);
    this.window = { x0, x1 };
    c.fillStyle = themeColor("--surface");
    c.globalAlpha = 0.68;
    c.fillRect(0, 0, x0, this.height);
    c.fillRect(x1, 0, this.width - x1, this.height);
    c.globalAlpha = 1;
    c.strokeStyle = themeColor("--axis");
    c.lineWidth = 1.5;
    c.strokeRect(Math.max(0.75, x0), 0.75, Math.min(x1, this.width - 0.75) - Math.max(0.75, x0), this.height - 1.5);
    c.fillStyle = themeColor("--axis");
    for (const x of [x0, x1]) c.fillRect(Math.min(Math.max(0, x - 2), this.width - 4), this.height / 2 - 8, 4, 16);
  }

  // What a press at x takes hold of.
  grip(x) {
    const { x0, x1 } = this.window;
    if (Math.abs(x - x0) < EDGE && x1 - x0 > EDGE) return "from";
    if (Math.abs(x - x1) < EDGE) return "to";
    return x > x0 && x < x1 ? "window" : "beside";
  }

  placeOf(x) {
    const { min, max } = domainOf(this.plot.data, this.plot.view.axis);
    return min + (x / this.width) * (max - min);
  }

  down(event) {
    const x = event.clientX - this.canvas.getBoundingClientRect().left;
    const { view, data } = this.plot;
    this.canvas.setPointerCapture(event.pointerId);
    let grip = this.grip(x);
    if (grip === "beside") {
      const half = (view.to - view.from) / 2;
      view.set(clampWindow(data, view.axis, this.placeOf(x) - half, this.placeOf(x) + half));
      grip = "window";
    }
    this.drag = { grip, at: this.placeOf(x), from: view.from, to: view.to };
  }

  move(event) {
    const x = event.clientX - this.canvas.getBoundingClientRect().left;
    const { view, data } = this.plot;
    if (!this.window) return;
    if (!this.drag) {
      const grip = this.grip(x);
      this.canvas.style.cursor = grip === "window" ? "grab" : grip === "beside" ? "pointer" : "ew-resize";
      return;
    }
    const { grip, at, from, to } = this.drag;
    const by = this.placeOf(x) - at;
    const width = to - from;
    const { min, max } = domainOf(data, view.axis);
    if (grip === "from") view.set(clampWindow(data, view.axis, Math.min(Math.max(min, from + by), to), to));
    else if (grip === "to") view.set(clampWindow(data, view.axis, from, Math.max(Math.min(max, to + by), from)));
    else {
      const start = Math.min(Math.max(min, from + by), max - width);
      view.set({ from: start, to: start + width });
    }
  }
}
