// SPDX-License-Identifier: MIT
// The drawn lanes of spans: a line for each track, below it a lane for each level of calls. It
// knows which span lies under a point. Hatched: what has not ended, and what only waits for others.
import { axisTicks } from "./axis.js";
import { cssColour, mixColours, parseColour, pixelOf, textOn } from "./colours.js";
import { visibleText } from "./dom.js";
import { barAt, columnOfTime, edgeTimes, laneBars } from "./lane_bars.js";
import { formatCount } from "./numbers.js";
import { themeColor } from "./theme.js";

const AXIS = 24;
const LABEL = 20;
const LANE = 16;
const GAP = 8;
export const FEW_LEVELS = 6; // of a track, until the reader asks for all
const FEW_TRACKS = 14;
const DIM = 0.84; // how far a span that is not searched for steps back
const KIND_ORDER = ["group", "rank", "stream", "thread", "process", "host", "device"];

// Collectives first, then what devices did, then what hosts did; the busy before the idle.
export function orderTracks(sources) {
  const rank = (track) => (KIND_ORDER.indexOf(track.kind) + 1 || KIND_ORDER.length + 1) * 1e9;
  return sources.flatMap(({ data }) => data.tracks.filter((t) => t.rows || t.rest.length)).sort((a, b) => rank(a) - a.rows - (rank(b) - b.rows));
}

// The text, cut so that it takes no more than `room` pixels.
function fitText(c, text, room) {
  if (c.measureText(text).width <= room) return text;
  let lo = 0;
  let hi = Math.min(text.length, 400);
  while (lo < hi) {
    const mid = (lo + hi + 1) >> 1;
    if (c.measureText(`${text.slice(0, mid)}\u2026`).width <= room) lo = mid;
    else hi = mid - 1;
  }
  return lo ? `${text.slice(0, lo)}\u2026` : "";
}

export class LanesPlot {
  constructor(canvas, sources, axisData, view) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.data = axisData; // what window.js asks about the axis
    this.view = view;
    this.tracks = orderTracks(sources);
    this.shown = Math.min(FEW_TRACKS, this.tracks.length);
    this.allLevels = new Set(); // tracks of which all are shown
    this.matches = null; // of each source the names that are searched for
    this.lines = []; // drawn lanes: {y, track, lane, bars}
    this.labels = []; // drawn lines of tracks: {y, track}
    this.lastDrawMs = 0;
  }

  levels(track) {
    return this.allLevels.has(track) ? track.lanes.length : Math.min(FEW_LEVELS, track.lanes.length);
  }

  height() {
    let sum = AXIS;
    for (const track of this.tracks.slice(0, this.shown)) sum += LABEL + this.levels(track) * LANE + GAP;
    return sum;
  }

  // The same place as that of a memory timeline of this width (plot.js), so that both agree.
  measure() {
    const ratio = globalThis.devicePixelRatio || 1;
    const width = this.canvas.clientWidth;
    const snap = (v) => Math.round(v * ratio) / ratio;
    this.narrow = width < 600;
    const left = snap(this.narrow ? 62 : 78);
    this.height_ = this.height();
    this.place = { x: left, y: AXIS, w: Math.max(40, snap(width - left - (this.narrow ? 8 : 12))), h: this.height_ - AXIS };
    this.ratio = ratio;
    this.width = width;
    this.columns = Math.round(this.place.w * ratio);
    const [w, h] = [Math.round(width * ratio), Math.round(this.height_ * ratio)];
    if (this.canvas.width !== w || this.canvas.height !== h) {
      this.canvas.width = w;
      this.canvas.height = h;
    }
  }

  byTime() {
    return this.view.axis === "time" || !this.data.byEvent;
  }

  draw() {
    const begun = performance.now();
    this.measure();
    const { context: c, view, ratio } = this;
    this.edges = edgeTimes(view.from, view.to, this.columns, this.byTime() ? null : this.data.times);
    this.font = getComputedStyle(this.canvas).fontFamily;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, this.width, this.height_);
    this.lines.length = 0;
    this.labels.length = 0;
    this.hatch = this.makeHatch();
    this.drawAxis();
    let y = AXIS;
    for (const track of this.tracks.slice(0, this.shown)) {
      this.labels.push({ y, track });
      this.drawLabel(track, y);
      y += LABEL;
      this.drawRest(track, y);
      for (const lane of track.lanes.slice(0, this.levels(track))) {
        this.lines.push({ y, track, lane, bars: laneBars(lane, this.edges) });
        y += LANE;
      }
      y += GAP;
    }
    this.paintBars();
    for (const line of this.lines) this.drawNames(line);
    this.lastDrawMs = performance.now() - begun;
  }

  makeHatch() {
    const size = 6 * this.ratio;
    const tile = document.createElement("canvas");
    tile.width = tile.height = size;
    const c = tile.getContext("2d");
    c.strokeStyle = themeColor("--surface");
    c.lineWidth = 1.6 * this.ratio;
    for (const by of [-size, 0, size]) {
      c.beginPath();
      c.moveTo(by - 1, size + 1);
      c.lineTo(by + size + 1, -1);
      c.stroke();
    }
    const pattern = this.context.createPattern(tile, "repeat");
    pattern.setTransform(new DOMMatrix().scale(1 / this.ratio));
    return pattern;
  }

  drawAxis() {
    const { context: c, view, place } = this;
    c.font = `11px ${this.font}`;
    c.textBaseline = "middle";
    c.textAlign = "center";
    for (const { at, label } of axisTicks(this.byTime() ? "time" : "count", view.from, view.to, place.w, this.narrow ? 84 : 104)) {
      const x = place.x + ((at - view.from) / (view.to - view.from)) * place.w;
      const half = c.measureText(label).width / 2;
      c.fillStyle = themeColor("--grid");
      c.fillRect(Math.round(x), AXIS - 6, 1, this.height_);
      c.fillStyle = themeColor("--text-dim");
      c.fillText(label, Math.min(Math.max(x, half + 2), this.width - half - 2), 9);
    }
  }

  drawLabel(track, y) {
    const { context: c } = this;
    const rest = track.rest.reduce((sum, r) => sum + r.count, 0);
    const hidden = track.lanes.length - this.levels(track);
    const more = [`${formatCount(track.rows)} span${track.rows === 1 ? "" : "s"}`];
    if (rest) more.push(`${formatCount(rest)} shorter ones are counted only`);
    if (track.deeper) more.push(`${formatCount(track.deeper)} too deep to draw`);
    if (hidden) more.push(`${hidden} more level${hidden === 1 ? "" : "s"}`);
    c.textAlign = "left";
    c.textBaseline = "middle";
    c.font = `600 12px ${this.font}`;
    c.fillStyle = themeColor("--text");
    const toggles = track.lanes.length > FEW_LEVELS;
    const name = `${toggles ? (hidden ? "\u25b8 " : "\u25be ") : ""}${visibleText(track.label)}`;
    const whole = fitText(c, name, this.width * (this.narrow ? 0.62 : 0.7));
    c.fillText(whole, 10, y + LABEL / 2);
    const used = c.measureText(whole).width;
    c.font = `11px ${this.font}`;
    c.fillStyle = themeColor("--text-dim");
    c.fillText(fitText(c, more.join(" \u00b7 "), this.width - used - 28), 20 + used, y + LABEL / 2);
  }

  // Where spans were left out, as a band that is the darker the more there are.
  drawRest(track, y) {
    if (!track.rest.length) return;
    const { context: c } = this;
    const most = Math.max(...track.rest.map((r) => r.count));
    c.fillStyle = themeColor("--reserved-line");
    for (const r of track.rest) {
      const x0 = Math.max(0, columnOfTime(this.edges, r.from));
      const x1 = columnOfTime(this.edges, r.to);
      if (x1 < 0 || r.from > this.edges[this.columns]) continue;
      c.globalAlpha = 0.25 + (0.75 * r.count) / most;
      c.fillRect(this.place.x + x0 / this.ratio, y - 3, Math.max(1, x1 - x0) / this.ratio, 2);
    }
    c.globalAlpha = 1;
  }

  // All bars of all lanes as one image, a row of pixels for each lane, which is then made as high as
  // the lane: a million spans leave tens of thousands of bars, too many to draw one by one.
  paintBars() {
    const { context: c, columns, lines, place, ratio } = this;
    if (!lines.length) return;
    const image = new ImageData(columns, lines.length);
    const pixels = new Uint32Array(image.data.buffer);
    const surface = parseColour(themeColor("--surface"));
    lines.forEach(({ track: { data }, bars }, k) => {
      const lit = this.matches?.get(data);
      const name = data.columns.name;
      for (const bar of bars) {
        const colour = data.colours[name[bar.row]];
        const shown = !lit || lit.has(name[bar.row]) ? colour : mixColours(colour, surface, DIM);
        const seam = bar.x1 - bar.x0 > 3 * ratio ? 1 : 0; // neighbours stay apart
        const pixel = pixelOf(shown);
        for (let at = k * columns + bar.x0, end = k * columns + bar.x1 - seam; at < end; at++) pixels[at] = pixel;
      }
    });
    const strip = document.createElement("canvas");
    strip.width = columns;
    strip.height = lines.length;
    strip.getContext("2d").putImageData(image, 0, 0);
    c.imageSmoothingEnabled = false;
    lines.forEach(({ y }, k) => c.drawImage(strip, 0, k, columns, 1, place.x, y, place.w, LANE - 2));
  }

  // What cannot be a pixel: hatches and names.
  drawNames({ track: { data }, bars, y }) {
    const { context: c, ratio, place } = this;
    const lit = this.matches?.get(data);
    for (const bar of bars) {
      const w = (bar.x1 - bar.x0 - 1) / ratio;
      const x = place.x + bar.x0 / ratio;
      if (bar.x1 - bar.x0 < 2) continue;
      if (data.isOpen(bar.row)) this.hatchFrom(x, w, y);
      else if (data.waitOf.has(bar.row) && bar.count === 1) {
        const until = columnOfTime(this.edges, data.start[bar.row] + data.waitOf.get(bar.row));
        if (until > bar.x0) this.hatchFrom(x, Math.min(w, (until - bar.x0) / ratio), y);
      }
      if (w <= 26) continue;
      c.globalAlpha = !lit || lit.has(data.columns.name[bar.row]) ? 1 : 0.3;
      this.drawName(data, bar, x, w, y, data.colour(bar.row));
      c.globalAlpha = 1;
    }
  }

  hatchFrom(x, w, y) {
    this.context.fillStyle = this.hatch;
    this.context.fillRect(x, y, w, LANE - 2);
  }

  drawName(data, bar, x, w, y, colour) {
    const { context: c } = this;
    const name = visibleText(data.name(bar.row).slice(0, 200));
    const room = Math.floor((w - 8) / 5.6); // of this size a character takes about as much
    if (name.length > room && room < 4) return;
    c.font = `10.5px ${this.font}`;
    c.textAlign = "left";
    c.textBaseline = "middle";
    const hatched = data.isOpen(bar.row) || data.waitOf.has(bar.row);
    const text = name.length > room ? `${name.slice(0, room - 1)}\u2026` : name;
    if (hatched) {
      c.fillStyle = cssColour(colour);
      c.fillRect(x + 2, y + 1, Math.min(w - 4, c.measureText(text).width + 4), LANE - 4);
    }
    c.fillStyle = textOn(colour);
    c.fillText(text, x + 4, y + LANE / 2 - 0.5, w - 6);
  }

  // {track} of a line of a track, {track, lane, bar, x, y} of a span; null of neither.
  hit(x, y) {
    const label = this.labels.find((l) => y >= l.y && y < l.y + LABEL);
    if (label) return { track: label.track, bar: null };
    const line = this.lines.find((l) => y >= l.y && y < l.y + LANE);
    const bar = line && barAt(line.bars, Math.floor((x - this.place.x) * this.ratio));
    return bar ? { ...line, bar } : null;
  }

  timeOfX(x) {
    return this.edges[Math.min(this.columns, Math.max(0, Math.round((x - this.place.x) * this.ratio)))];
  }

  xOfTime(time) {
    const column = columnOfTime(this.edges, time);
    return column < 0 || column >= this.columns ? null : this.place.x + column / this.ratio;
  }

  // Where a span is drawn: {x, y, w, h}; null where it is not.
  boxOf(data, row) {
    for (const line of this.lines) {
      if (line.track.data !== data || row < line.track.first || row >= line.track.first + line.track.rows) continue;
      const bar = line.bars.find((b) => b.row === row);
      if (bar) return { x: this.place.x + bar.x0 / this.ratio, y: line.y, w: (bar.x1 - bar.x0) / this.ratio, h: LANE - 2 };
    }
    return null;
  }

  // Collectives that have begun and not ended at a time, as [data, row].
  inFlight(time) {
    const found = [];
    for (const track of this.tracks) {
      for (const lane of track.lanes) {
        const k = lane.firstEndingAfter(time);
        const row = lane.rows[k];
        if (k < lane.rows.length && track.data.start[row] <= time && track.data.isCollective(row)) found.push([track.data, row]);
      }
    }
    return found;
  }
}
