// SPDX-License-Identifier: MIT
// The drawn plot of a timeline: allocations as pixels, and around them axes, the line of what was
// reserved, marks, annotations and labels. It knows what lies under a point; what is picked or
// pointed at is drawn above it (overlay.js).
import { timelineColours } from "./colours.js";
import { instants, PeakIndex } from "./instants.js";
import { BAND, ITEM_MASK, StackLayout } from "./layout.js";
import { drawFrame } from "./plot_frame.js";
import { drawLabels } from "./plot_labels.js";
import { annotationBars } from "./annotations.js";
import { drawMarks, MARK_ROWS } from "./plot_marks.js";
import { paintLayout } from "./raster.js";
import { eventOfPlace, heightOf, placeOfEvent } from "./window.js";

const BELOW = 40;
const LANE_HEIGHT = 15;

export class TimelinePlot {
  constructor(canvas, data, view) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.data = data;
    this.view = view;
    this.index = new PeakIndex(data.requestedAfter);
    this.layout = new StackLayout(data);
    this.drawn = new Uint8Array(data.n);
    this.annotations = annotationBars(data);
    this.draws = 0;
    this.lastDrawMs = 0;
    this.classesOf = null; // kind and search that the layout was told
  }

  // The place of the data within the canvas, in CSS pixels, from the size of the element.
  measure() {
    const ratio = globalThis.devicePixelRatio || 1;
    const width = this.canvas.clientWidth;
    const height = this.canvas.clientHeight;
    const narrow = width < 600;
    const snap = (v) => Math.round(v * ratio) / ratio;
    const top = snap(MARK_ROWS + this.annotations.lanes * LANE_HEIGHT + 4);
    const left = snap(narrow ? 62 : 78);
    const place = { x: left, y: top, w: snap(width - left - (narrow ? 8 : 12)), h: snap(height - top - BELOW) };
    place.w = Math.max(40, place.w);
    place.h = Math.max(40, place.h);
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.canvas.width !== w || this.canvas.height !== h) {
      this.canvas.width = w;
      this.canvas.height = h;
    }
    this.place = place;
    this.ratio = ratio;
    this.width = width;
    this.height = height;
    this.narrow = narrow;
    this.columns = Math.round(place.w * ratio);
    this.rows = Math.round(place.h * ratio);
    if (!this.image || this.image.width !== this.columns || this.image.height !== this.rows) {
      this.image = new ImageData(this.columns, this.rows);
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
  }

  // Colours and matches, if they are others than before.
  prepare() {
    const { data, view } = this;
    const kind = Object.hasOwn(data.kinds, view.colour) ? view.colour : "site";
    const theme = document.documentElement.dataset.theme;
    if (this.classesOf && this.classesOf.kind === kind && this.classesOf.search === view.search && this.classesOf.theme === theme) return;
    this.classesOf = { kind, search: view.search, theme };
    this.colours = timelineColours(data, kind);
    this.layout.setClasses(data.kinds[kind].of, data.kinds[kind].names.length, view.search);
  }

  draw() {
    const begun = performance.now();
    const { data, view, context: c } = this;
    this.measure();
    this.prepare();
    this.shown = instants(data, this.index, view, this.columns);
    const { low, high } = heightOf(data, view);
    this.layout.compute(this.shown, this.rows, low, high);
    this.drawn.fill(0);
    paintLayout(this.layout, this.shown, this.colours, this.pixels, this.drawn, this.ratio);
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.clearRect(0, 0, this.canvas.width, this.canvas.height);
    c.putImageData(this.image, Math.round(this.place.x * this.ratio), Math.round(this.place.y * this.ratio));
    c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    c.font = `12px ${getComputedStyle(this.canvas).fontFamily}`;
    drawFrame(this);
    drawLabels(this);
    this.annotations.draw(this, MARK_ROWS, LANE_HEIGHT);
    drawMarks(this);
    this.lastDrawMs = performance.now() - begun;
    this.draws++;
  }

  // ---- places, in CSS pixels of the canvas ----

  xOfPlace(at) {
    const { from, to } = this.view;
    return this.place.x + ((at - from) / (to - from)) * this.place.w;
  }

  // Where the state after an event begins to be shown.
  xOfEvent(event) {
    return this.xOfPlace(placeOfEvent(this.data, this.view.axis, event));
  }

  placeOfX(x) {
    const { from, to } = this.view;
    return from + ((x - this.place.x) / this.place.w) * (to - from);
  }

  eventOfX(x) {
    return eventOfPlace(this.data, this.view.axis, this.placeOfX(x));
  }

  yOfBytes(bytes) {
    const { low, high } = this.layout;
    return this.place.y + this.place.h - ((bytes - low) / (high - low)) * this.place.h;
  }

  bytesOfY(y) {
    const { low, high } = this.layout;
    return low + ((this.place.y + this.place.h - y) / this.place.h) * (high - low);
  }

  contains(x, y) {
    const { place } = this;
    return x >= place.x && x < place.x + place.w && y >= place.y && y < place.y + place.h;
  }

  // What is drawn at a point: {event, alloc, count, bytes, cls, column}; null above all allocations.
  // Of a band, alloc is null and count and bytes are of all that share the pixel.
  hit(x, y) {
    if (!this.contains(x, y)) return null;
    const column = Math.min(this.columns - 1, Math.floor((x - this.place.x) * this.ratio));
    if (column >= this.shown.within) return null;
    const row = this.rows - 1 - Math.min(this.rows - 1, Math.floor((y - this.place.y) * this.ratio));
    const { event, item } = this.layout.hit(column, row);
    if (item === null) return { event, alloc: null, count: 0, bytes: 0, cls: null, column };
    if (!(item & BAND)) return { event, alloc: item & ITEM_MASK, count: 1, bytes: this.data.bytes[item & ITEM_MASK], cls: this.layout.classOf[item & ITEM_MASK], column };
    return { event, alloc: null, cls: item & ITEM_MASK, column, ...this.sharing(event, row) };
  }

  // The small ones whose bytes lie at a row: how many, and what they hold together.
  sharing(event, row) {
    const { data, layout } = this;
    const unit = (layout.high - layout.low) / this.rows;
    const from = layout.low + row * unit;
    const to = from + unit;
    const end = data.bornUpTo(event);
    let y = 0;
    let count = 0;
    let bytes = 0;
    for (let i = 0; i < end && y < to; i++) {
      if (data.died[i] <= event) continue;
      const next = y + data.bytes[i];
      if (next > from && data.bytes[i] * layout.rowsPerByte < 1) {
        count++;
        bytes += data.bytes[i];
      }
      y = next;
    }
    return { count, bytes };
  }

  // How many allocations live within the window and are too small for a span of their own.
  banded() {
    const { data, shown } = this;
    const first = shown.event[0];
    const last = shown.bounds[this.columns] - 1;
    let count = 0;
    const end = Math.max(data.bornUpTo(last), data.bornUpTo(first));
    for (let i = 0; i < end; i++) if (data.died[i] > first && !this.drawn[i]) count++;
    return count;
  }
}
