// SPDX-License-Identifier: MIT
// An allocation in words, for what follows the pointer and for those who hear the page.
import { shortText } from "./dom.js";
import { formatBytes, formatCount, formatDuration } from "./numbers.js";
import { NEVER, ORIGIN } from "./memory_data.js";

export function lifeInWords(data, i) {
  const from = i < data.initial ? "alive before the recording" : `from event ${formatCount(data.born[i])}`;
  const to = data.died[i] === NEVER ? ", alive at the end" : ` to ${formatCount(data.died[i])}`;
  const timed = data.times && i >= data.initial && data.died[i] !== NEVER;
  return `${from}${to}${timed ? `, ${formatDuration(data.timeOf(data.died[i]) - data.timeOf(data.born[i]))}` : ""}`;
}

// Lines, the most telling first.
export function describeAllocation(data, i, event) {
  const { names, places } = data.kinds.site;
  const site = data.site[i];
  const lines = [`${formatBytes(data.bytes[i])}  ${shortText(names[site], 80)}`];
  if (places[site]) lines.push(shortText(places[site], 90));
  lines.push(lifeInWords(data, i));
  if (event !== undefined && data.isPending(i, event)) lines.push("freed by the program, awaiting a stream");
  if (data.origin(i) === ORIGIN.orphanFree) lines.push("its allocation was not recorded");
  if (data.origin(i) === ORIGIN.counted) lines.push("known from the recorder's counter only");
  else lines.push(`${data.address(i)}${data.kinds.stream.names.length > 1 ? ` \u00b7 ${data.kinds.stream.names[data.stream[i]]}` : ""}`);
  return lines;
}

// The same of whatever a hit test found.
export function describeHit(data, hit, kind) {
  if (hit.alloc !== null) return describeAllocation(data, hit.alloc, hit.event);
  const at = hit.event < 0 ? "before the first event" : `after event ${formatCount(hit.event)}`;
  if (hit.count === 0) {
    const sum = data.sumAt(hit.event);
    const reserved = data.reservedAt(hit.event);
    const lines = [`${formatBytes(sum)} ${data.meta.bytes_are}`];
    if (reserved) lines.push(`${formatBytes(reserved)} reserved, ${formatBytes(Math.max(0, reserved - sum))} of it not requested`);
    return [...lines, at];
  }
  const one = hit.count === 1;
  return [
    `${formatBytes(hit.bytes)} in ${formatCount(hit.count)} allocation${one ? "" : "s"}`,
    `${one ? "smaller" : "each smaller"} than a pixel; zoom in to see ${one ? "it" : "them"}`,
    `mostly ${shortText(data.kinds[kind].names[hit.cls], 80)}`,
    at,
  ];
}

// A recording in a line, and what is incomplete about it.
export function describeRecording(data) {
  const { meta } = data;
  const counted = `${formatCount(meta.allocations)} allocation${meta.allocations === 1 ? "" : "s"}`;
  const facts = [meta.events ? counted + (data.times ? ` in ${formatDuration(data.times[data.events - 1])}` : "") : "final state, no events"];
  facts.push(`peak ${formatBytes(meta.requested.peak)} ${meta.bytes_are}${meta.reserved.peak ? `, ${formatBytes(meta.reserved.peak)} reserved` : ""}`);
  if (meta.cut) facts.push(`${formatCount(meta.cut)} allocation${meta.cut === 1 ? "" : "s"} of 4 PiB or more drawn as 4 PiB`);
  return { facts: facts.join(" \u00b7 "), notice: meta.complete || !meta.completeness ? "" : `history ${meta.completeness}` };
}
