// SPDX-License-Identifier: MIT
// What is alive after an event by the model of the allocator (`mlviz replay`), which shares no code
// with the page.
import { mlvizJson } from "./page_data.js";

// [{born, bytes, address}] in the order of birth, which is the order of stacking. Only for
// recordings that begin with an empty allocator.
export function aliveByModel(input, event) {
  const { moment } = mlvizJson("replay", "-q", "--json", "--at", String(event), input).files[0].devices[0];
  const alive = [];
  for (const segment of moment.segments)
    for (const block of segment.blocks)
      if (block.state === "allocated" || block.state === "pending") alive.push({ born: block.event, bytes: block.requested_bytes, address: block.address });
  return alive.sort((a, b) => a.born - b.born);
}

// Who holds the byte at a height, and how far it is from its edges.
export function atHeight(alive, bytes) {
  let bottom = 0;
  for (const one of alive) {
    if (bytes < bottom + one.bytes) return { ...one, bottom, margin: Math.min(bytes - bottom, bottom + one.bytes - bytes) };
    bottom += one.bytes;
  }
  return null;
}

export function sumOf(list) {
  return list.reduce((sum, one) => sum + one.bytes, 0);
}
