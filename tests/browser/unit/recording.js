// SPDX-License-Identifier: MIT
// Recordings for tests of the page's modules, as unpackBlock() gives them, from a list of lives.

export const NEVER = 0xffffffff;

// A sequence that is the same in every run.
export function randomNumbers(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * below);
  };
}

// Lives {born, asked, died, bytes, site}: born NEVER = older than the recording; in the order of
// stacking. Events are 0 … events - 1; times (ns) are optional.
export function block(lives, { events, times, reserved = [], oom = [] }) {
  const u32 = (fn, list = lives) => Uint32Array.from(list, fn);
  const traced = lives.filter((a) => a.born !== NEVER);
  const initial = lives.length - traced.length;
  const from = (a) => (a.born === NEVER ? 0 : a.born);
  const sites = Math.max(1, ...lives.map((a) => (a.site ?? 0) + 1));
  const names = (count, word) => ({ names: Array.from({ length: count }, (_, k) => `${word} ${k}`), places: Array.from({ length: count }, () => "") });
  const others = [...reserved.map((r) => ({ ...r, action: r.bytes < 0 ? 1 : 0 })), ...oom.map((event) => ({ event, bytes: 512, action: 2 }))].sort((a, b) => a.event - b.event);
  const colours = {};
  for (const [kind, count] of [["site", sites], ["lifetime", 5], ["stream", 1], ["pool", 1], ["size", 9]])
    for (const theme of ["light", "dark"]) colours[`${kind}_${theme}`] = new Uint32Array(count).fill(0x336699);
  let sum = lives.slice(0, initial).reduce((total, a) => total + a.bytes, 0);
  const requested = { start: sum, peak: sum, peak_event: -1, end: 0 };
  for (let e = 0; e < events; e++) {
    for (const a of lives) if (a.died === e) sum -= a.bytes;
    for (const a of lives) if (a.born === e) sum += a.bytes;
    if (sum > requested.peak) Object.assign(requested, { peak: sum, peak_event: e });
  }
  requested.end = sum;
  const most = reserved.reduce(({ now, peak }, r) => ({ now: now + r.bytes, peak: Math.max(peak, now + r.bytes) }), { now: 0, peak: 0 });
  return {
    meta: {
      title: "test", events, allocations: traced.length, bytes_are: "requested", time_unit: 1, capacity: 0, pending_peak: 0,
      requested, reserved: { start: 0, peak: most.peak, peak_event: -1, end: most.now }, texts: ["f", "a.py", ""],
      actions: ["segment_alloc", "segment_free", "oom"],
      site: names(sites, "site"), lifetime: names(5, "life"), stream: names(1, "stream"), pool: names(1, "pool"), size: names(9, "size"),
    },
    columns: {
      born: u32((a) => a.born, traced),
      asked: u32((a) => (a.asked === undefined || a.asked === NEVER ? 0 : a.asked - from(a) + 1)),
      ended: u32((a) => (a.died === NEVER ? 0 : a.died - (a.asked === undefined || a.asked === NEVER ? from(a) : a.asked) + 1)),
      size: Float64Array.from(lives, (a) => a.bytes),
      addr_high: u32(() => 0x7f), addr_low: u32((_, k) => k * 512), stack: u32((a) => 2 + (a.site ?? 0)),
      origin: new Uint32Array(initial), first_site: u32((a) => a.site ?? 0, lives.slice(0, initial)),
      stack_site: Uint32Array.from({ length: sites + 2 }, (_, k) => (k < 2 ? NEVER : k - 2)),
      of_lifetime: u32(() => 1), of_stream: u32(() => 0), of_pool: u32(() => 0), of_size: u32((a) => Math.min(8, Math.floor(Math.log2(a.bytes + 1) / 3))),
      ...colours,
      ...(times ? { time: Float64Array.from(times), span_from: new Float64Array(), span_to: new Float64Array(), span_name: new Uint32Array(), span_open: new Uint32Array() } : {}),
      other_event: u32((o) => o.event, others), other_action: u32((o) => o.action, others), other_bytes: Float64Array.from(others, (o) => Math.abs(o.bytes)),
      other_addr_high: u32(() => 0, others), other_addr_low: u32(() => 0, others), other_stack: u32(() => 0, others), other_note: u32(() => 2, others), other_stream: Float64Array.from(others, () => 0),
      segment_addr_high: new Uint32Array(), segment_addr_low: new Uint32Array(), segment_kind: new Uint32Array(), segment_stack: new Uint32Array(), segment_bytes: new Float64Array(), segment_stream: new Float64Array(), segment_pool_owner: new Float64Array(), segment_pool_id: new Float64Array(),
      frame_function: new Uint32Array(sites), frame_file: new Uint32Array(sites).fill(1), frame_line: Uint32Array.from({ length: sites }, (_, k) => k + 1),
      node_frame: Uint32Array.from({ length: sites }, (_, k) => k), node_caller: new Uint32Array(sites).fill(1),
    },
  };
}

// Random lives in the order of stacking: an event each for birth, request and end, as PyTorch
// records them; some never end, some were there before, some wait for a stream.
export function randomLives(seed, { events, initial = 0, sites = 5, sizes = (random) => 1 + random(1 << random(24)) }) {
  const random = randomNumbers(seed);
  const lives = [];
  const free = []; // alive, by index
  for (let k = 0; k < initial; k++) {
    lives.push({ born: NEVER, died: NEVER, bytes: sizes(random), site: random(sites) });
    free.push(k);
  }
  for (let e = 0; e < events; e++) {
    if (free.length && random(100) < 45) {
      const [i] = free.splice(random(free.length), 1);
      lives[i].died = e;
      if (random(3)) lives[i].asked = Math.max(lives[i].born === NEVER ? 0 : lives[i].born, e - random(4));
      continue;
    }
    if (random(10) === 0) continue; // something else happens
    free.push(lives.length);
    lives.push({ born: e, died: NEVER, bytes: sizes(random), site: random(sites) });
  }
  return lives;
}
