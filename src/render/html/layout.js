// SPDX-License-Identifier: MIT
// The stacked layout of what a window shows, as pixels: for each column the allocations alive at
// its instant (instants.js), in the order of their birth from the bottom, so that a free lets
// everything above slide down and nothing else moves. The picture of `mlviz timeline` is laid out
// by the same rules (analysis/stacking.h).
//
// An allocation of a pixel or more is a span of its own. What is smaller shares pixels: each row
// goes to the class that holds most of it, and neighbouring rows of one class are one span, a band.
// Nothing is left out: a zoom makes it larger.
//
// Cost: the events of the window, and columns times what is alive, where 64 neighbours that are
// together less than half a pixel count as one. Typed arrays throughout, kept from frame to frame.
import { NEVER } from "./memory_data.js";

// A span is an allocation, or BAND | class; LIT if it matches what is searched for.
export const BAND = 0x80000000;
export const LIT = 0x40000000;
export const ITEM_MASK = 0x3fffffff;

const CHUNK_BITS = 6;

export class StackLayout {
  constructor(data) {
    const chunks = (data.n >> CHUNK_BITS) + 1;
    this.data = data;
    this.low32 = new Uint32Array(chunks); // which of 64 allocations are alive
    this.high32 = new Uint32Array(chunks);
    this.chunkBytes = new Float64Array(chunks);
    this.chunkClass = new Int32Array(chunks); // the class of its largest; -1: not known
    this.chunkLit = new Uint8Array(chunks); // whether it holds a match of the search
    this.living = new Uint32Array((chunks >> 5) + 1); // a bit for each chunk in which anything lives
    this.spanRow = new Uint16Array(1 << 16); // row behind each span; it begins where the one before ends
    this.spanItem = new Uint32Array(1 << 16);
    this.marks = []; // group, row: matches too thin for a row of their own
    this.checks = 0; // places of the last column at which the next may go on
    this.checkChunk = new Uint32Array(chunks + 1);
    this.checkSpans = new Uint32Array(chunks + 1);
    this.checkBottom = new Uint16Array(chunks + 1);
    this.checkY = new Float64Array(chunks + 1);
  }

  // What colours stand for, and which allocations match (null: nothing is searched for).
  setClasses(classOf, classCount, matches) {
    this.classOf = classOf;
    this.matches = matches;
    this.chunkClass.fill(-1);
    this.chunkLit.fill(0);
    if (matches) for (let i = 0; i < matches.length; i++) if (matches[i]) this.chunkLit[i >> CHUNK_BITS] = 1;
    this.rowBytes = new Float64Array(classCount * 2);
    this.rowKeys = new Uint32Array(classCount * 2);
  }

  // Columns x0[g] … x0[g + 1] - 1 are one group: they show the state after event[g], spans
  // first[g] … first[g + 1] - 1 from the bottom. The first shared[g] of them are as in the group
  // before: nothing changed so far down.
  compute(shown, rows, low, high) {
    const columns = shown.event.length;
    this.columns = columns;
    this.rows = rows;
    this.low = low;
    this.high = high;
    this.rowsPerByte = rows / (high - low);
    if (!this.x0 || this.x0.length !== columns + 1) {
      this.x0 = new Int32Array(columns + 1);
      this.first = new Uint32Array(columns + 1);
      this.event = new Int32Array(columns + 1);
      this.groupOf = new Int32Array(columns);
      this.shared = new Uint32Array(columns + 1);
    }
    this.groups = 0;
    this.spans = 0;
    this.marks.length = 0;
    this.reset();
    for (let x = 0; x < shown.within; ) {
      const e = shown.event[x];
      this.advance(e);
      const g = this.groups++;
      this.x0[g] = x;
      this.first[g] = this.spans;
      this.event[g] = e;
      this.column(g ? this.first[g - 1] : 0);
      for (; x < shown.within && shown.event[x] === e; x++) this.groupOf[x] = g;
    }
    if (shown.within < columns) this.emptyGroup(shown.within);
    this.x0[this.groups] = columns;
    this.first[this.groups] = this.spans;
  }

  // Behind the end of the recording.
  emptyGroup(x) {
    const g = this.groups++;
    this.x0[g] = x;
    this.first[g] = this.spans;
    this.event[g] = this.data.events - 1;
    this.shared[g] = 0;
    this.groupOf.fill(g, x);
  }

  reset() {
    this.low32.fill(0);
    this.high32.fill(0);
    this.chunkBytes.fill(0);
    this.living.fill(0);
    this.at = null; // the event whose state is held
    this.nextBirth = 0;
    this.nextDeath = 0;
    this.nextPending = 0;
    this.checks = 0;
    this.lowest = 0; // chunk in which anything changed since the last column
  }

  // From the state held to that after event e, which is not earlier. What is born and dies in
  // between is never touched.
  advance(e) {
    const { data } = this;
    const { born, died, deaths } = data;
    if (this.at === null) this.nextDeath = data.diedUpTo(e);
    else {
      const known = this.nextBirth;
      for (; this.nextDeath < deaths.length && died[deaths[this.nextDeath]] <= e; this.nextDeath++)
        if (deaths[this.nextDeath] < known) this.remove(deaths[this.nextDeath]);
    }
    let i = this.nextBirth;
    for (; i < data.n && (i < data.initial || born[i] <= e); i++)
      if (died[i] === NEVER || died[i] > e) this.add(i);
    this.nextBirth = i;
    this.at = e;
    // What begins to wait for a stream looks different from there on.
    const { pendings, freeRequested } = data;
    for (; this.nextPending < pendings.length && freeRequested[pendings[this.nextPending]] <= e; this.nextPending++)
      this.lowest = Math.min(this.lowest, pendings[this.nextPending] >> CHUNK_BITS);
  }

  add(i) {
    const c = i >> CHUNK_BITS;
    if (i & 32) this.high32[c] |= 1 << (i & 31);
    else this.low32[c] |= 1 << (i & 31);
    this.chunkBytes[c] += this.data.bytes[i];
    this.chunkClass[c] = -1;
    if (c < this.lowest) this.lowest = c;
    this.living[c >> 5] |= 1 << (c & 31);
  }

  remove(i) {
    const c = i >> CHUNK_BITS;
    if (i & 32) this.high32[c] &= ~(1 << (i & 31));
    else this.low32[c] &= ~(1 << (i & 31));
    this.chunkBytes[c] -= this.data.bytes[i];
    this.chunkClass[c] = -1;
    if (c < this.lowest) this.lowest = c;
    if (!this.low32[c] && !this.high32[c]) {
      this.chunkBytes[c] = 0;
      this.living[c >> 5] &= ~(1 << (c & 31));
    }
  }

  // The class of the largest in a chunk, as that of them all.
  classOfChunk(c) {
    if (this.chunkClass[c] >= 0) return this.chunkClass[c];
    const { bytes } = this.data;
    let most = -1;
    for (let half = 0; half < 2; half++) {
      let bits = half ? this.high32[c] : this.low32[c];
      for (; bits; bits &= bits - 1) {
        const i = (c << CHUNK_BITS) + half * 32 + (31 - Math.clz32(bits & -bits));
        if (bytes[i] < most) continue;
        most = bytes[i];
        this.chunkClass[c] = this.classOf[i];
      }
    }
    return this.chunkClass[c];
  }

  // All that is alive, from the bottom up. `before` is the first span of the column before.
  column(before) {
    const { living, chunkBytes, low, high } = this;
    const words = (this.nextBirth >> (CHUNK_BITS + 5)) + 1;
    const start = this.resume(before);
    const first = this.first[this.groups - 1];
    let y = this.y;
    for (let word = start >> 5; word < words && y < high; word++) {
      let bits = living[word];
      if (word === start >> 5) bits &= -1 << (start & 31);
      for (; bits && y < high; bits &= bits - 1) {
        const c = word * 32 + (31 - Math.clz32(bits & -bits));
        const size = chunkBytes[c];
        if (this.keys === 0 && this.lastBand === -1) this.check(c, y, this.spans - first);
        if (size > 0 && y + size > low) {
          if (size * this.rowsPerByte < 0.5 && !(this.matches && this.chunkLit[c])) this.small(y, size, this.classOfChunk(c) * 2);
          else this.chunk(c, y);
        }
        y += size;
      }
    }
    this.endBands(this.rowAt(y));
    this.lowest = this.chunkBytes.length;
  }

  // Nothing of what lies below is unfinished: a later column may go on from here.
  check(c, y, spans) {
    const k = this.checks;
    if (k && this.checkChunk[k - 1] >= c) return;
    this.checkChunk[k] = c;
    this.checkY[k] = y;
    this.checkSpans[k] = spans;
    this.checkBottom[k] = this.bottom;
    this.checks = k + 1;
  }

  // Takes over what has not changed since the column before. The chunk from which to go on.
  resume(before) {
    this.row = -1; // that bands fill
    this.keys = 0; // kinds of bytes in it
    this.bottom = 0; // row above the last span
    this.lastBand = -1; // its item if it is a band
    this.y = 0;
    const g = this.groups - 1;
    this.shared[g] = 0;
    // Marks are not copied: a search is laid out in full.
    while (this.checks && (this.matches || this.checkChunk[this.checks - 1] > this.lowest)) this.checks--;
    if (!this.checks) return 0;
    const k = this.checks - 1;
    const spans = this.checkSpans[k];
    while (this.spans + spans > this.spanRow.length) this.grow();
    this.spanRow.copyWithin(this.spans, before, before + spans);
    this.spanItem.copyWithin(this.spans, before, before + spans);
    this.spans += spans;
    this.shared[g] = spans;
    this.bottom = this.checkBottom[k];
    this.y = this.checkY[k];
    return this.checkChunk[k];
  }

  chunk(c, bottom) {
    const { data, classOf, matches, rowsPerByte, low } = this;
    let y = bottom;
    for (let half = 0; half < 2; half++) {
      let bits = half ? this.high32[c] : this.low32[c];
      for (; bits; bits &= bits - 1) {
        const i = (c << CHUNK_BITS) + half * 32 + (31 - Math.clz32(bits & -bits));
        const size = data.bytes[i];
        const lit = matches !== null && matches[i] === 1;
        if (size > 0 && y + size > low && y < this.high) {
          if (size * rowsPerByte < 1) this.small(y, size, classOf[i] * 2 + (lit ? 1 : 0));
          else this.large(i, y, y + size, lit);
        }
        y += size;
      }
    }
  }

  rowAt(bytes) {
    const row = Math.floor((bytes - this.low) * this.rowsPerByte + 0.5);
    return row < 0 ? 0 : row > this.rows ? this.rows : row;
  }

  large(i, y0, y1, lit) {
    const r0 = this.rowAt(y0);
    const r1 = this.rowAt(y1);
    this.endBands(r0);
    this.push(r1, lit ? i | LIT : i);
    this.bottom = r1;
  }

  // Bytes of a class (key: class * 2, + 1 if they match) in the row that has their middle.
  small(y, size, key) {
    let row = Math.floor((y + size / 2 - this.low) * this.rowsPerByte);
    if (row < this.bottom) row = this.bottom;
    if (row !== this.row) {
      this.endRow();
      this.row = row;
    }
    if (this.rowBytes[key] === 0) this.rowKeys[this.keys++] = key;
    this.rowBytes[key] += size;
  }

  // Whoever holds most of the row; a match goes first, so that none is hidden.
  takeRow() {
    let best = this.rowKeys[0];
    for (let k = 0; k < this.keys; k++) {
      const key = this.rowKeys[k];
      const lit = (key & 1) - (best & 1);
      if (lit > 0 || (lit === 0 && this.rowBytes[key] > this.rowBytes[best])) best = key;
    }
    for (let k = 0; k < this.keys; k++) this.rowBytes[this.rowKeys[k]] = 0;
    this.keys = 0;
    return (BAND | (best & 1 ? LIT : 0) | (best >> 1)) >>> 0;
  }

  // Rows that nothing has its middle in belong to what lies above.
  endRow() {
    if (this.keys) this.band(this.row + 1, this.takeRow());
  }

  band(end, item) {
    if (this.lastBand === item) this.spanRow[this.spans - 1] = end;
    else this.push(end, item);
    this.bottom = end;
    this.lastBand = item;
  }

  // Nothing small follows below row `top`.
  endBands(top) {
    if (this.keys) {
      const item = this.takeRow();
      if (this.bottom < top) this.band(Math.min(this.row + 1, top), item);
      else if (item & LIT) this.marks.push(this.groups - 1, Math.min(top, this.rows - 1));
    }
    if (this.bottom < top) {
      this.spanRow[this.spans - 1] = top;
      this.bottom = top;
    }
    this.row = -1;
    this.lastBand = -1;
  }

  push(end, item) {
    if (this.spans === this.spanRow.length) this.grow();
    this.spanRow[this.spans] = end;
    this.spanItem[this.spans++] = item;
  }

  grow() {
    const row = new Uint16Array(this.spanRow.length * 2);
    const items = new Uint32Array(this.spanRow.length * 2);
    row.set(this.spanRow);
    items.set(this.spanItem);
    this.spanRow = row;
    this.spanItem = items;
  }

  // What is drawn at a pixel, rows from the bottom: {event, item, r0, r1}; item null above it all.
  hit(x, row) {
    const g = this.groupOf[x];
    let lo = this.first[g];
    let hi = this.first[g + 1];
    const end = hi;
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      if (this.spanRow[mid] > row) hi = mid;
      else lo = mid + 1;
    }
    if (lo === end) return { event: this.event[g], item: null, r0: 0, r1: 0 };
    const r0 = lo === this.first[g] ? 0 : this.spanRow[lo - 1];
    return { event: this.event[g], item: this.spanItem[lo], r0, r1: this.spanRow[lo] };
  }
}
