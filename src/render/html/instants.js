// SPDX-License-Identifier: MIT
// What each column of pixels shows: the state at one instant, that of the largest requested sum
// among the events in it, so that no peak is lost at any zoom (the rule of analysis/view.h). A
// column without events shows the state before it.
import { extentOf } from "./window.js";

const BLOCK = 64;

// Where the largest value of a range of events lies, from the largest of each block of 64.
export class PeakIndex {
  constructor(values) {
    this.values = values;
    this.best = new Uint32Array(Math.ceil(values.length / BLOCK));
    for (let b = 0; b < this.best.length; b++)
      this.best[b] = this.scan(b * BLOCK, Math.min(values.length, (b + 1) * BLOCK));
  }

  scan(from, to) {
    const { values } = this;
    let best = from;
    for (let e = from + 1; e < to; e++) if (values[e] > values[best]) best = e;
    return best;
  }

  // The first of the largest in from … to - 1, which is not empty.
  find(from, to) {
    const { values, best } = this;
    const b0 = Math.ceil(from / BLOCK);
    const b1 = Math.floor(to / BLOCK);
    if (b0 >= b1) return this.scan(from, to);
    let found = from < b0 * BLOCK ? this.scan(from, b0 * BLOCK) : best[b0];
    for (let b = b0; b < b1; b++) if (values[best[b]] > values[found]) found = best[b];
    if (b1 * BLOCK < to) {
      const last = this.scan(b1 * BLOCK, to);
      if (values[last] > values[found]) found = last;
    }
    return found;
  }
}

// The first event in or behind each column; one more for the right edge. Events lie at their number
// or at their time.
export function columnBounds(data, window, columns) {
  const { from, to, axis } = window;
  const bounds = new Uint32Array(columns + 1);
  const unit = (to - from) / columns;
  let e = 0;
  for (let x = 0; x <= columns; x++) {
    const edge = from + x * unit;
    if (axis === "time") {
      if (x === 0) e = data.eventAt(edge - 1e-6) + 1;
      // Most columns hold few events; where they hold many, bisection is shorter.
      let steps = 0;
      while (e < data.events && data.times[e] < edge && steps++ < 16) e++;
      if (steps > 16) e = Math.max(e, data.eventAt(edge - 1e-6) + 1);
    } else {
      e = Math.ceil(edge - 1e-9);
    }
    bounds[x] = Math.max(0, Math.min(e, data.events));
  }
  return bounds;
}

// The most that was reserved in each column.
function reservedTops(data, bounds, columns) {
  const { event, value } = data.reserved;
  const tops = new Float64Array(columns);
  let k = 0;
  for (let x = 0; x < columns; x++) {
    while (k + 1 < event.length && event[k + 1] < bounds[x]) k++;
    let most = value[k];
    for (let i = k + 1; i < event.length && event[i] < bounds[x + 1]; i++) most = Math.max(most, value[i]);
    tops[x] = most;
  }
  return tops;
}

// How many columns lie within the recording; the axis may go on behind it.
function columnsWithin(data, window, columns) {
  const unit = (window.to - window.from) / columns;
  return Math.max(0, Math.min(columns, Math.ceil((extentOf(data, window.axis) - window.from) / unit - 1e-9)));
}

// {event: Int32Array, requested, reserved: Float64Array, bounds}, one for each column; `within` of
// them lie within the recording, the others show nothing.
export function instants(data, index, window, columns) {
  const bounds = columnBounds(data, window, columns);
  const event = new Int32Array(columns);
  const requested = new Float64Array(columns);
  const within = columnsWithin(data, window, columns);
  for (let x = 0; x < within; x++) {
    const before = bounds[x] - 1;
    let shown = before;
    if (bounds[x + 1] > bounds[x]) {
      shown = index.find(bounds[x], bounds[x + 1]);
      // The first column shows the state before its events too: the peak may lie there.
      if (x === 0 && data.sumAt(before) > data.sumAt(shown)) shown = before;
    }
    event[x] = shown;
    requested[x] = data.sumAt(shown);
  }
  const reserved = reservedTops(data, bounds, columns);
  event.fill(data.events - 1, within);
  reserved.fill(0, within);
  return { event, requested, reserved, bounds, within };
}
