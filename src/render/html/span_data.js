// SPDX-License-Identifier: MIT
// The spans of one recording as the page holds them: columns by track, then by start, and the
// lanes they fill. spans_block.h describes the block it is made of. Times are ns of the axis: those
// of the block and its offset.

const MOST_LEVELS = 64;
const OPEN = -1;
const INSTANT = -2;
const GROUP_BITS = 6; // as many neighbours have their longest looked up at once

// The first of ascending values at or after `from` that is larger than (or, with `orAt`, at) one.
// Steps grow from `from` on, since what is looked for is most often near.
export function firstBeyond(values, value, from, orAt) {
  const beyond = (k) => values[k] > value || (orAt && values[k] === value);
  let step = 1;
  let lo = from;
  let hi = from;
  while (hi < values.length && !beyond(hi)) {
    lo = hi + 1;
    hi += step;
    step *= 2;
  }
  hi = Math.min(hi, values.length);
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if (beyond(mid)) hi = mid;
    else lo = mid + 1;
  }
  return lo;
}

// The rows of one lane, which do not overlap: ascending, with their times side by side for the many
// searches of a drawing, and the longest of every 64 neighbours.
export class Lane {
  constructor(data, rows) {
    this.data = data;
    this.rows = rows;
    this.start = new Float64Array(rows.length);
    this.end = new Float64Array(rows.length);
    for (let k = 0; k < rows.length; k++) {
      this.start[k] = data.start[rows[k]];
      this.end[k] = data.end[rows[k]];
    }
    this.longestOf = null;
  }

  // The first row at or after `from` that ends later than `time`.
  firstEndingAfter(time, from = 0) {
    return firstBeyond(this.end, time, from, false);
  }

  // The first row at or after `from` that starts at `time` or later.
  firstStartingAt(time, from = 0) {
    return firstBeyond(this.start, time, from, true);
  }

  // The longest of rows from … to - 1.
  longest(from, to) {
    const { start, end } = this;
    let best = from;
    let most = end[from] - start[from];
    for (let k = from + 1; k < to; k++) {
      let candidate = k;
      if ((k & 63) === 0 && k + 64 <= to) {
        candidate = this.groups()[k >> GROUP_BITS];
        k += 63;
      }
      const length = end[candidate] - start[candidate];
      if (length > most) {
        most = length;
        best = candidate;
      }
    }
    return best;
  }

  groups() {
    if (this.longestOf) return this.longestOf;
    const { start, end } = this;
    this.longestOf = new Uint32Array((this.rows.length >> GROUP_BITS) + 1);
    for (let k = 0; k < this.rows.length; k++) {
      const group = k >> GROUP_BITS;
      const best = this.longestOf[group];
      if ((k & 63) === 0 || end[k] - start[k] > end[best] - start[best]) this.longestOf[group] = k;
    }
    return this.longestOf;
  }
}

// Rows first … first + count - 1 into lanes: each goes into the highest one that is free, so that
// what is called lies below its caller and what overlaps lies side by side. {lanes, deeper}
export function fillLanes(data, first, count, most = MOST_LEVELS) {
  const { start, end } = data;
  const free = []; // when each lane is free again
  const levels = new Uint8Array(count);
  const sizes = [];
  let deeper = 0;
  for (let i = 0; i < count; i++) {
    const at = start[first + i];
    let level = 0;
    while (level < free.length && free[level] > at) level++;
    if (level === most) {
      levels[i] = 255;
      deeper++;
      continue;
    }
    // One that takes no time has its place all the same.
    free[level] = Math.max(end[first + i], at);
    levels[i] = level;
    sizes[level] = (sizes[level] ?? 0) + 1;
  }
  const rows = sizes.map((n) => new Uint32Array(n));
  const filled = sizes.map(() => 0);
  for (let i = 0; i < count; i++) if (levels[i] !== 255) rows[levels[i]][filled[levels[i]]++] = first + i;
  return { lanes: rows.map((list) => new Lane(data, list)), deeper };
}

export class SpanData {
  // `offset` is what to add to its times; `waits` are columns {start, wait} or null.
  constructor(id, { meta, columns: c }, offset = 0, waits = null) {
    const n = c.start.length;
    this.id = id;
    this.meta = meta;
    this.n = n;
    this.offset = offset;
    this.length = meta.length;
    this.start = new Float64Array(n);
    this.end = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      this.start[i] = c.start[i] + offset;
      this.end[i] = c.length[i] === OPEN ? Infinity : this.start[i] + Math.max(0, c.length[i]);
    }
    this.lengths = c.length;
    this.columns = c;
    this.colours = new Uint32Array(meta.texts.length).fill(0x808080);
    c.name_text.forEach((text, k) => (this.colours[text] = c.name_colour[k]));
    this.tracks = this.makeTracks();
    this.waitOf = this.findWaits(waits);
    this.attributeFirst = null;
    this.frameFirst = null;
  }

  makeTracks() {
    let first = 0;
    return this.meta.tracks.map((track, index) => {
      const begin = first;
      first += track.rows;
      return { ...track, data: this, index, first: begin, ...fillLanes(this, begin, track.rows), rest: this.restOf(index) };
    });
  }

  // What was left out of a track: [{from, to, count, ns}].
  restOf(track) {
    const { rest_track: of, rest_part: part, rest_count: count, rest_ns: ns } = this.columns;
    const width = this.length / (this.meta.parts - 1);
    const rest = [];
    for (let k = 0; k < of.length; k++) if (of[k] === track) rest.push({ from: this.offset + part[k] * width, to: this.offset + (part[k] + 1) * width, count: count[k], ns: ns[k] });
    return rest;
  }

  // Waits of collectives by row: a kernel of NCCL is known by when it began.
  findWaits(waits) {
    const found = new Map();
    if (!waits) return found;
    const wait = new Map(Array.from(waits.start, (start, k) => [start, waits.wait[k]]));
    const { start, category, name } = this.columns;
    for (let i = 0; i < this.n; i++) if (wait.has(start[i]) && this.meta.texts[category[i]] === "kernel" && this.meta.texts[name[i]].includes("nccl")) found.set(i, wait.get(start[i]));
    return found;
  }

  name(i) {
    return this.meta.texts[this.columns.name[i]];
  }

  category(i) {
    return this.meta.texts[this.columns.category[i]];
  }

  status(i) {
    return this.meta.texts[this.columns.status[i]];
  }

  colour(i) {
    return this.colours[this.columns.name[i]];
  }

  bytes(i) {
    return this.columns.bytes[i];
  }

  isOpen(i) {
    return this.lengths[i] === OPEN;
  }

  isInstant(i) {
    return this.lengths[i] === INSTANT;
  }

  // A call that ranks make together: of a dump, or its kernel.
  isCollective(i) {
    const category = this.category(i);
    return category === "collective" || (category === "kernel" && this.name(i).includes("nccl"));
  }

  // [[key, text or number]]
  attributes(i) {
    const { attributes, attribute_key: key, attribute_text: text, attribute_number: number } = this.columns;
    if (!this.attributeFirst) {
      this.attributeFirst = new Uint32Array(this.n + 1);
      for (let k = 0; k < this.n; k++) this.attributeFirst[k + 1] = this.attributeFirst[k] + attributes[k];
    }
    const list = [];
    for (let k = this.attributeFirst[i]; k < this.attributeFirst[i + 1]; k++) list.push([this.meta.keys[key[k]], text[k] ? this.meta.texts[text[k]] : number[k]]);
    return list;
  }

  // Lines "function  file:line", innermost first.
  frames(i) {
    const { stack, stack_frames: frames, frame } = this.columns;
    if (!stack[i]) return [];
    if (!this.frameFirst) {
      this.frameFirst = new Uint32Array(frames.length + 1);
      for (let k = 0; k < frames.length; k++) this.frameFirst[k + 1] = this.frameFirst[k] + frames[k];
    }
    return Array.from(frame.subarray(this.frameFirst[stack[i] - 1], this.frameFirst[stack[i]]), (text) => this.meta.texts[text]);
  }

  // Ids of the texts that contain the words, as a set of names: spans of these match.
  matchingNames(words) {
    const want = words.toLowerCase();
    return new Set(this.meta.texts.map((text, k) => (text.toLowerCase().includes(want) ? k : -1)).filter((k) => k >= 0));
  }
}
