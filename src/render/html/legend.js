// SPDX-License-Identifier: MIT
// Who holds memory at the highest moment of what is on the screen, and in which colour.
import { bdi, el, fill } from "./dom.js";
import { cssColour } from "./colours.js";
import { formatBytes, formatCount } from "./numbers.js";

const MOST_ENTRIES = 12;
const CLASS_WORDS = { site: "call site", lifetime: "lifetime", stream: "stream", pool: "pool", size: "size" };

// {event, rows: [{cls, bytes, count}] largest first} of the column that holds most.
export function legendRows(plot) {
  const { data, shown, layout } = plot;
  let best = 0;
  for (let x = 1; x < shown.event.length; x++) if (shown.requested[x] > shown.requested[best]) best = x;
  const event = shown.event[best];
  const sums = new Map();
  const end = data.bornUpTo(event);
  for (let i = 0; i < end; i++) {
    if (data.died[i] <= event) continue;
    const cls = layout.classOf[i];
    const row = sums.get(cls) ?? { cls, bytes: 0, count: 0 };
    row.bytes += data.bytes[i];
    row.count++;
    sums.set(cls, row);
  }
  return { event, rows: [...sums.values()].sort((a, b) => b.bytes - a.bytes || a.cls - b.cls) };
}

function legendEntry(plot, row, most) {
  const { data, classesOf, colours } = plot;
  const { names, places } = data.kinds[classesOf.kind];
  const colour = cssColour(colours.rgb[row.cls]);
  return el(
    "li",
    { class: "legend-entry", title: `${formatCount(row.count)} allocation${row.count === 1 ? "" : "s"}, ${formatCount(row.bytes)} bytes` },
    el("span", { class: "chip", style: { background: colour } }),
    el("span", { class: "legend-name" }, bdi(names[row.cls], {}, 60)),
    el("span", { class: "number" }, formatBytes(row.bytes)),
    places[row.cls] ? el("span", { class: "legend-place" }, bdi(places[row.cls], {}, 80)) : null,
    el("span", { class: "legend-bar", style: { background: colour, width: `${Math.max(0.5, (row.bytes / most) * 100)}%` } }),
  );
}

function legendLine(name, bytes, kind) {
  return el("li", { class: "legend-entry plain" }, el("span", { class: `chip ${kind}` }), el("span", { class: "legend-name" }, name), el("span", { class: "number" }, bytes ? formatBytes(bytes) : ""));
}

// Writes the legend of what the plot shows now into `element`, with `most` entries.
export function drawLegend(element, plot, most = MOST_ENTRIES) {
  const { data, classesOf } = plot;
  const { event, rows } = legendRows(plot);
  const seen = rows.slice(0, most);
  const rest = rows.slice(most);
  const whole = event === data.meta.requested.peak_event;
  const gap = data.reservedAt(event) - data.sumAt(event);
  const banded = plot.banded();
  const heading = data.events === 0 ? "Alive in the final state" : whole ? "Alive at the peak" : "Alive at the peak of this window";
  fill(
    element,
    el("h3", {}, heading),
    el("p", { class: "note" }, event < 0 ? (data.events ? "before the first event" : "") : `event ${formatCount(event)}, ${formatBytes(data.sumAt(event))} ${data.meta.bytes_are}`),
    el(
      "ul",
      { class: "legend-list" },
      seen.map((row) => legendEntry(plot, row, rows[0].bytes || 1)),
      rest.length ? legendLine(`${formatCount(rest.length)} other ${CLASS_WORDS[classesOf.kind]}${rest.length === 1 ? "" : "s"}`, rest.reduce((sum, row) => sum + row.bytes, 0), "several") : null,
      gap > 0 ? legendLine("reserved, not requested", gap, "reserved") : null,
      data.meta.pending_peak ? legendLine("freed, awaiting a stream: up to", data.meta.pending_peak, "pending") : null,
    ),
    banded && most === MOST_ENTRIES ? el("p", { class: "note" }, `${formatCount(banded)} allocation${banded === 1 ? " of this window is" : "s of this window are"} too small or too short-lived for a pixel of their own. They are in the sums and the colours, and a zoom shows them.`) : null,
  );
}
