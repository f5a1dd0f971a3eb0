// SPDX-License-Identifier: MIT
// The language of the search: words divided by blanks, all of which must hold.
//
//   conv2d             a frame's function or file has this in it, whatever the case
//   train.py:63        a frame of this file (or the end of its path) and line
//   0x7f24a0000000     the allocation holds this address
//   1048576 64MiB      of exactly this size; with decimals (63.9MiB), of a size that is written so
//   >64MiB <=1GiB      larger, smaller; also between two of them
//   "a b"              blanks within a word
//   stack:12 site:7    of this very stack or call site, by its number in the page
//
// Frames are looked at once each, then stacks, then allocations: a search of a recording with
// hundreds of thousands of allocations takes milliseconds.

const SIZE_UNITS = { "": 1, b: 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 };
const SIZE_TERM = /^(>=|<=|>|<|=)?(\d+)(\.\d+)?(b|(k|m|g|t)(?:i?b)?)?$/i;

function sizeTerm(word) {
  const m = SIZE_TERM.exec(word);
  if (!m) return null;
  const unit = SIZE_UNITS[(m[5] ?? "").toLowerCase()];
  const value = Number(m[2] + (m[3] ?? "")) * unit;
  // What is written as 63.9 MiB is anything that rounds to it.
  const slack = m[3] && !m[1] ? unit / 10 ** (m[3].length - 1) / 2 : 0;
  switch (m[1]) {
    case ">":
      return { kind: "size", above: value, below: Infinity };
    case ">=":
      return { kind: "size", least: value, below: Infinity };
    case "<":
      return { kind: "size", least: 0, below: value };
    case "<=":
      return { kind: "size", least: 0, most: value };
    default:
      return slack ? { kind: "size", least: value - slack, below: value + slack } : { kind: "size", least: value, most: value };
  }
}

function queryTerm(word, quoted) {
  if (!quoted) {
    if (/^0x[0-9a-f]{1,16}$/i.test(word)) return { kind: "address", address: BigInt(word) };
    const number = /^(stack|site):(\d{1,9})$/.exec(word);
    if (number) return { kind: number[1], id: Number(number[2]) };
    const size = sizeTerm(word);
    if (size) return size;
    const place = /^(.+):(\d{1,9})$/.exec(word);
    if (place) return { kind: "place", file: place[1].toLowerCase(), line: Number(place[2]) };
  }
  return { kind: "text", text: word.toLowerCase() };
}

// The terms of a query; none: nothing is asked for.
export function parseQuery(text) {
  const terms = [];
  for (const m of text.matchAll(/"([^"]*)"?|[^\s"]+/g)) {
    const word = m[1] ?? m[0];
    if (word) terms.push(queryTerm(word, m[1] !== undefined));
  }
  return terms;
}

function sizeHolds(term, bytes) {
  return (
    (term.least === undefined || bytes >= term.least) &&
    (term.above === undefined || bytes > term.above) &&
    (term.most === undefined || bytes <= term.most) &&
    (term.below === undefined || bytes < term.below)
  );
}

// Whether each frame fits a term.
function framesThatFit(data, term) {
  const { fn, file, line } = data.frames;
  const { texts } = data.meta;
  const fits = new Uint8Array(fn.length);
  const known = new Map();
  const test = term.kind === "place" ? (t) => t.endsWith(term.file) : (t) => t.includes(term.text);
  const textFits = (id) => {
    if (!known.has(id)) known.set(id, test(texts[id].toLowerCase()));
    return known.get(id);
  };
  for (let f = 0; f < fits.length; f++) {
    if (term.kind === "place") fits[f] = line[f] === term.line && textFits(file[f]) ? 1 : 0;
    else fits[f] = textFits(fn[f]) || textFits(file[f]) ? 1 : 0;
  }
  return fits;
}

// Whether a frame of each stack fits. A stack may come before or after its caller.
function stacksThatFit(data, term) {
  const frames = framesThatFit(data, term);
  const { frame, caller } = data.nodes;
  const UNKNOWN = 2;
  const fits = new Uint8Array(frame.length + 2).fill(UNKNOWN);
  fits[0] = fits[1] = 0;
  const chain = [];
  for (let s = 2; s < fits.length; s++) {
    let at = s;
    while (fits[at] === UNKNOWN && !frames[frame[at - 2]]) {
      chain.push(at);
      at = caller[at - 2];
    }
    if (fits[at] === UNKNOWN) fits[at] = 1;
    for (const one of chain) fits[one] = fits[at];
    chain.length = 0;
  }
  return fits;
}

function addressHolds(data, i, address) {
  const start = BigInt(data.address(i));
  return address >= start && address - start < BigInt(data.bytes[i] || 1);
}

// A Uint8Array with a 1 for each allocation that fits all terms.
export function matchQuery(data, terms) {
  const stackTerms = terms.filter((t) => t.kind === "text" || t.kind === "place").map((t) => stacksThatFit(data, t));
  const sizes = terms.filter((t) => t.kind === "size");
  const numbers = terms.filter((t) => t.kind === "stack" || t.kind === "site").map((t) => ({ of: data[t.kind], id: t.id }));
  const addresses = terms.filter((t) => t.kind === "address").map((t) => ({ near: Number(t.address), exact: t.address }));
  const addr = addresses.length ? data.addr : null;
  const { n, stack, bytes: sizeOf } = data;
  const out = new Uint8Array(n);
  for (let i = 0; i < n; i++) {
    const bytes = sizeOf[i];
    let holds = 1;
    for (const fits of stackTerms) holds &= fits[stack[i]];
    for (const { of, id } of numbers) holds &= of[i] === id ? 1 : 0;
    for (const term of sizes) if (holds) holds &= sizeHolds(term, bytes) ? 1 : 0;
    // Doubles say which come into question, exact numbers whether they fit.
    for (const { near, exact } of addresses)
      if (holds) holds &= Math.abs(addr[i] + bytes / 2 - near) <= bytes / 2 + 4096 && addressHolds(data, i, exact) ? 1 : 0;
    out[i] = holds;
  }
  return out;
}
