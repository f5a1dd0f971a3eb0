// SPDX-License-Identifier: MIT
// The memory of one device as the page holds it: every allocation with its life, in columns, and
// the sums over time that follow from them. memory_blocks.h describes the block it is made of.
//
// Allocations are numbers 0 … n - 1 in the order of stacking: those older than the recording first,
// then by birth. "After event e" is the state once e has happened; e = -1 is the initial state.

export const NEVER = 0xffffffff;

// What is known of an allocation (enum mlv_alloc_origin).
export const ORIGIN = { traced: 0, orphanFree: 1, finalBlock: 2, counted: 3 };

// Whose code a frame is (enum mlv_frame_owner).
export const OWNERS = ["user", "library", "torch", "cpp"];

// What colours can stand for; the classes of each are data.kinds[NAME].
export const KINDS = ["site", "lifetime", "stream", "pool", "size"];

function buildLives(data, c) {
  const { n, initial } = data;
  data.born = new Uint32Array(n).fill(NEVER, 0, initial);
  data.born.set(c.born, initial);
  data.freeRequested = new Uint32Array(n);
  data.died = new Uint32Array(n);
  const { born, freeRequested, died } = data;
  const { asked: request, ended } = c;
  for (let i = 0; i < n; i++) {
    const birth = born[i] === NEVER ? 0 : born[i];
    const asked = request[i] ? birth + request[i] - 1 : NEVER;
    freeRequested[i] = asked;
    died[i] = ended[i] ? (asked === NEVER ? birth : asked) + ended[i] - 1 : NEVER;
  }
}

// The allocations that died, in the order of their deaths: one event ends one at most. `room` holds
// a number for each event.
function deathsInOrder(died, events, room) {
  const at = room.subarray(0, events).fill(0);
  let count = 0;
  for (let i = 0; i < died.length; i++) {
    if (died[i] === NEVER) continue;
    at[died[i]] = i + 1;
    count++;
  }
  const deaths = new Uint32Array(count);
  let k = 0;
  for (let e = 0; e < events; e++) if (at[e]) deaths[k++] = at[e] - 1;
  return deaths;
}

// The requested bytes after each event, into `after`.
function sumsAfter({ born, died, bytes, initial, n, events }, start, after) {
  after.fill(0); // first the change that each event makes
  for (let i = 0; i < n; i++) if (died[i] !== NEVER) after[died[i]] -= bytes[i];
  for (let i = initial; i < n; i++) after[born[i]] += bytes[i];
  let sum = start;
  for (let e = 0; e < events; e++) {
    sum += after[e];
    after[e] = sum;
  }
}

// Those freed by the program that waited for a stream, longer than the instant of their free, in the
// order in which they were freed.
function pendingsOf({ n, freeRequested, died }) {
  const out = [];
  for (let i = 0; i < n; i++) if (freeRequested[i] !== NEVER && (died[i] === NEVER || died[i] - freeRequested[i] > 1)) out.push(i);
  return Uint32Array.from(out.sort((a, b) => freeRequested[a] - freeRequested[b]));
}

// A clock that went back stands still here, so that an axis can be drawn. Beyond 2^53 ns (104 days)
// numbers of the page are not exact: then there is no time axis. In place: memory that is new costs
// more than the arithmetic.
function forwardTimes(time, unit) {
  if (!time || !time.length) return null;
  let last = 0;
  for (let i = 0; i < time.length; i++) {
    const ns = time[i] * unit;
    if (ns > last) last = ns;
    time[i] = last;
  }
  return last <= Number.MAX_SAFE_INTEGER ? time : null;
}

function siteOfEach(data, c) {
  const of = new Uint32Array(data.n);
  const { stack_site: sites, stack } = c;
  of.set(c.first_site);
  for (let i = data.initial; i < data.n; i++) of[i] = sites[stack[i]];
  return of;
}

function classesOf(data, meta, c) {
  const kinds = {};
  for (const kind of KINDS) {
    kinds[kind] = {
      names: meta[kind].names,
      places: meta[kind].places,
      light: c[`${kind}_light`],
      dark: c[`${kind}_dark`],
      get of() {
        return kind === "site" ? data.site : c[`of_${kind}`];
      },
    };
  }
  return kinds;
}

function wideColumn(high, low) {
  const out = new Float64Array(high.length);
  for (let i = 0; i < out.length; i++) out[i] = high[i] * 4294967296 + low[i];
  return out;
}

// Events that neither allocate nor free; action is a name ("oom", "segment_alloc", …).
function othersOf(meta, c) {
  return {
    count: c.other_event.length,
    event: c.other_event,
    action: (k) => meta.actions[c.other_action[k]],
    bytes: c.other_bytes,
    addr: wideColumn(c.other_addr_high, c.other_addr_low),
    stack: c.other_stack,
    stream: c.other_stream, // its handle
    poolOwner: c.other_pool_owner, // of events that take memory; undefined where nothing is known
    poolId: c.other_pool_id,
    note: (k) => meta.texts[c.other_note[k]], // the name of an action mlviz does not know
  };
}

// Reserved bytes as steps: value[k] holds from event[k] on; the first is the initial state, -1.
function reservedSteps(data) {
  const { others } = data;
  const event = [-1];
  const value = [data.meta.reserved.start];
  let sum = value[0];
  for (let k = 0; k < others.count; k++) {
    const action = others.action(k);
    if (action === "segment_alloc" || action === "segment_map") sum += others.bytes[k];
    else if (action === "segment_free" || action === "segment_unmap") sum -= others.bytes[k];
    else continue;
    event.push(others.event[k]);
    value.push(sum);
  }
  return { event: Float64Array.from(event), value: Float64Array.from(value) };
}

// Before the first event; null where the recording tells of no segments.
function segmentsOf(c) {
  if (!c.segment_bytes) return null;
  return {
    count: c.segment_bytes.length,
    addr: wideColumn(c.segment_addr_high, c.segment_addr_low),
    bytes: c.segment_bytes,
    small: (k) => (c.segment_kind[k] & 1) !== 0,
    expandable: (k) => (c.segment_kind[k] & 2) !== 0,
    stream: c.segment_stream, // its handle
    poolOwner: c.segment_pool_owner,
    poolId: c.segment_pool_id,
  };
}

// Annotations; times in ns from the first event.
function spansOf(meta, c) {
  if (!c.span_from) return { count: 0 };
  return {
    count: c.span_from.length,
    from: c.span_from,
    to: c.span_to,
    name: (k) => meta.texts[c.span_name[k]],
    beganBefore: (k) => (c.span_open[k] & 1) !== 0,
    neverEnded: (k) => (c.span_open[k] & 2) !== 0,
  };
}

export class MemoryData {
  // `block` is what unpackBlock() gives.
  constructor(id, { meta, columns: c }) {
    this.id = id;
    this.meta = meta;
    this.title = meta.title;
    this.events = meta.events;
    this.shared = null; // limits of axes that several recordings have together (window.js)
    this.n = c.size.length;
    this.initial = this.n - c.born.length;
    this.bytes = c.size;
    this.stack = c.stack;
    this.packed = c;
    this.addresses = null;
    this.firstOrigin = c.origin;
    buildLives(this, c);
    this.requestedAfter = new Float64Array(this.events);
    this.deaths = deathsInOrder(this.died, this.events, new Uint32Array(this.requestedAfter.buffer));
    this.site = siteOfEach(this, c);
    this.kinds = classesOf(this, meta, c);
    this.pendings = pendingsOf(this);
    this.requestedStart = 0;
    for (let i = 0; i < this.initial; i++) this.requestedStart += this.bytes[i];
    sumsAfter(this, this.requestedStart, this.requestedAfter);
    this.times = forwardTimes(c.time, meta.time_unit); // ns from the first event, or null
    this.others = othersOf(meta, c);
    this.reserved = reservedSteps(this);
    this.segments = segmentsOf(c);
    this.spans = spansOf(meta, c);
    this.frames = { fn: c.frame_function, file: c.frame_file, line: c.frame_line, owner: c.frame_owner };
    this.nodes = { frame: c.node_frame, caller: c.node_caller };
  }

  // Columns that the first picture does not need are read when they are asked for.

  get life() {
    return this.packed.of_lifetime;
  }

  get stream() {
    return this.packed.of_stream;
  }

  get pool() {
    return this.packed.of_pool;
  }

  // memory_blocks.h; undefined where the recording tells of no segments.
  get extra() {
    return this.packed.extra;
  }

  // Exact below 2^53; address(i) always is.
  get addr() {
    this.addresses ??= wideColumn(this.packed.addr_high, this.packed.addr_low);
    return this.addresses;
  }

  origin(i) {
    return i < this.initial ? this.firstOrigin[i] : ORIGIN.traced;
  }

  // "0x7f2400000000", exact.
  address(i) {
    return `0x${((BigInt(this.packed.addr_high[i]) << 32n) | BigInt(this.packed.addr_low[i])).toString(16)}`;
  }

  // Innermost first: [{function, file, line, owner}]; owner is one of OWNERS.
  stackFrames(stack) {
    const out = [];
    for (let s = stack; s > 1; s = this.nodes.caller[s - 2]) {
      const f = this.nodes.frame[s - 2];
      out.push({
        function: this.meta.texts[this.frames.fn[f]],
        file: this.meta.texts[this.frames.file[f]],
        line: this.frames.line[f],
        owner: OWNERS[this.frames.owner[f]],
      });
    }
    return out;
  }

  // Why there are no frames; "" if there are some.
  stackAbsence(stack) {
    return stack === 0 ? "no stack was recorded" : stack === 1 ? "no Python frame was on the stack" : "";
  }

  siteName(site) {
    const { names, places } = this.kinds.site;
    return places[site] ? `${names[site]} ${places[site]}` : names[site];
  }

  allocName(i) {
    return this.siteName(this.site[i]);
  }

  // Requested bytes after event e.
  sumAt(e) {
    return e < 0 ? this.requestedStart : this.requestedAfter[Math.min(e, this.events - 1)];
  }

  reservedAt(e) {
    const { event, value } = this.reserved;
    let lo = 0;
    let hi = event.length - 1;
    while (lo < hi) {
      const mid = (lo + hi + 1) >> 1;
      if (event[mid] <= e) lo = mid;
      else hi = mid - 1;
    }
    return value[lo];
  }

  // How many allocations were born up to event e, the older ones included: 0 … that are candidates.
  bornUpTo(e) {
    let lo = this.initial;
    let hi = this.n;
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      if (this.born[mid] <= e) lo = mid + 1;
      else hi = mid;
    }
    return lo;
  }

  // How many of `deaths` happened up to event e.
  diedUpTo(e) {
    let lo = 0;
    let hi = this.deaths.length;
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      if (this.died[this.deaths[mid]] <= e) lo = mid + 1;
      else hi = mid;
    }
    return lo;
  }

  isAlive(i, e) {
    return (i < this.initial || this.born[i] <= e) && (this.died[i] === NEVER || this.died[i] > e);
  }

  // Freed by the program and awaiting a stream, for longer than the instant of its free.
  isPending(i, e) {
    const asked = this.freeRequested[i];
    return asked !== NEVER && asked <= e && this.died[i] > e && (this.died[i] === NEVER || this.died[i] - asked > 1);
  }

  // Those alive after event e, ascending.
  aliveAt(e) {
    const out = [];
    const end = this.bornUpTo(e);
    for (let i = 0; i < end; i++) if (this.died[i] > e) out.push(i);
    return Uint32Array.from(out);
  }

  // The allocation that holds the byte at height y after event e; -1 if none does.
  allocationAt(e, y) {
    if (y < 0 || y >= this.sumAt(e)) return -1;
    const end = this.bornUpTo(e);
    let top = 0;
    for (let i = 0; i < end; i++) {
      if (this.died[i] <= e) continue;
      top += this.bytes[i];
      if (y < top) return i;
    }
    return -1;
  }

  // Bytes below allocation i after event e (it is alive then).
  offsetOf(i, e) {
    let sum = 0;
    const end = Math.min(i, this.bornUpTo(e));
    for (let k = 0; k < end; k++) if (this.died[k] > e) sum += this.bytes[k];
    return sum;
  }

  // Nanoseconds from the first event; only where data.times is not null.
  timeOf(e) {
    return this.times[Math.max(0, Math.min(e, this.events - 1))];
  }

  // The last event at or before a time; -1: none.
  eventAt(ns) {
    let lo = 0;
    let hi = this.events;
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      if (this.times[mid] <= ns) lo = mid + 1;
      else hi = mid;
    }
    return lo - 1;
  }
}
