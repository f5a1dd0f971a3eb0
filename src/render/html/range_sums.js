// SPDX-License-Identifier: MIT
// What happened to allocations between two events. A range {from, to} holds the events from … to - 1;
// it begins with the state after event from - 1 and ends with that after event to - 1.
//
//   through     alive before it and behind it: all along
//   allocated   born within
//   freed       ended within, whenever they were born
//   kept        born within and still alive at its end: what the range leaked, if it is a whole step

import { NEVER } from "./memory_data.js";

export const RANGE_SETS = ["through", "allocated", "freed", "kept"];

// Whether allocation i belongs to a set.
export function inRange(data, range, set) {
  const { born, died } = data;
  const { from, to } = range;
  const bornWithin = (i) => born[i] !== NEVER && born[i] >= from && born[i] < to;
  const diedWithin = (i) => died[i] !== NEVER && died[i] >= from && died[i] < to;
  const aliveBehind = (i) => died[i] === NEVER || died[i] >= to;
  switch (set) {
    case "through":
      return (i) => (born[i] === NEVER || born[i] < from) && aliveBehind(i);
    case "allocated":
      return bornWithin;
    case "freed":
      return diedWithin;
    default:
      return (i) => bornWithin(i) && aliveBehind(i);
  }
}

// {before, after, peak: {event, bytes}}: the sum of what is allocated around a range.
export function rangeState(data, range) {
  const before = data.sumAt(range.from - 1);
  let peak = { event: range.from - 1, bytes: before };
  for (let e = range.from; e < range.to; e++) if (data.requestedAfter[e] > peak.bytes) peak = { event: e, bytes: data.requestedAfter[e] };
  return { before, after: data.sumAt(range.to - 1), peak };
}
