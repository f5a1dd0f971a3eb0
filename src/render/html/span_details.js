// SPDX-License-Identifier: MIT
// What is known of a span, in words: a few lines at the pointer, all of it below the lanes.
import { bdi, el, shortText, visibleText } from "./dom.js";
import { formatBytes, formatDuration } from "./numbers.js";

function tookText(data, row) {
  if (data.isOpen(row)) return "has not ended";
  return data.isInstant(row) ? "a moment" : formatDuration(data.end[row] - data.start[row]);
}

// The lines of a tip; `count` spans share the bar.
export function spanLines(data, row, count, track) {
  const lines = [shortText(data.name(row), 120), tookText(data, row) + (count > 1 ? `, the longest of ${count} here` : "")];
  if (data.waitOf.has(row)) lines.push(`${formatDuration(data.waitOf.get(row))} of it waiting for other ranks`);
  lines.push([shortText(data.category(row), 40), visibleText(data.status(row)), data.bytes(row) > 0 ? formatBytes(data.bytes(row)) : ""].filter(Boolean).join(" \u00b7 "));
  lines.push(shortText(track.label, 80));
  for (const [key, value] of data.attributes(row).slice(0, 5)) lines.push(`${shortText(key, 30)}: ${shortText(value, 90)}`);
  return lines;
}

function spanFact(name, value) {
  return [el("dt", {}, name), el("dd", {}, value)];
}

// Everything, as elements.
export function spanDetails(data, row, track) {
  const frames = data.frames(row);
  const facts = [
    spanFact("Took", tookText(data, row)),
    spanFact("Began", `${formatDuration(data.start[row])} after the start of the axis`),
    data.waitOf.has(row) ? spanFact("Waited", `${formatDuration(data.waitOf.get(row))} for other ranks`) : [],
    spanFact("Kind", bdi(data.category(row))),
    data.status(row) ? spanFact("Status", bdi(data.status(row))) : [],
    data.bytes(row) >= 0 ? spanFact("Bytes", formatBytes(data.bytes(row))) : [],
    spanFact("On", bdi(track.label)),
    spanFact("From", bdi(track.file)),
    ...data.attributes(row).map(([key, value]) => spanFact(bdi(key.replaceAll("_", " ")), bdi(value, { class: "mono" }))),
  ];
  return [
    el("h3", { class: "details-title" }, bdi(data.name(row), { class: "mono" }, 2000)),
    el("div", { class: "details" }, el("dl", { class: "facts" }, facts.flat()), frames.length ? el("ol", { class: "frames" }, frames.map((line) => el("li", { class: "frame" }, bdi(line, {}, 400)))) : el("p", { class: "note" }, "No stack was recorded.")),
  ];
}
