// SPDX-License-Identifier: MIT
// The timelines of the page: which blocks belong together, and what shows them. A report says it in
// its block "index"; without one, every block of data stands alone.
import { el } from "./dom.js";
import { MemoryData } from "./memory_data.js";
import { replaceState } from "./router.js";
import { memoryPanels } from "./panels.js";
import { memoryTimeline } from "./timeline.js";
import { unpackBlock } from "./unpack.js";
import { View } from "./view.js";
import { homeView } from "./window.js";

const LINK_DELAY = 250; // ms after the last change: browsers refuse addresses that change all the time

// [{place, title, rank, device, memory, spans: [{id, offset_ns, clocks}], notes}]: a block of memory
// each, with the spans on its axis; spans without memory stand alone. `index` is the document of
// that block, or null.
export function groupTimelines(blocks, index) {
  const titles = new Map(blocks.map((b) => [b.id, b.title]));
  const timelines = [];
  const used = new Set();
  for (const entry of index?.timelines ?? []) {
    const spans = entry.spans.filter((s) => titles.has(s.id));
    const ids = [entry.memory, ...spans.map((s) => s.id)].filter((id) => titles.has(id));
    if (!ids.length) continue;
    ids.forEach((id) => used.add(id));
    timelines.push({ ...entry, spans, place: ids[0], title: entry.title ?? titles.get(ids[0]) });
  }
  for (const { id, kind, title } of blocks) {
    if (used.has(id) || (kind !== "memory" && kind !== "spans")) continue;
    timelines.push({ place: id, title, rank: -1, device: -1, memory: kind === "memory" ? id : null, spans: kind === "spans" ? [{ id, offset_ns: 0, clocks: "" }] : [], notes: [] });
  }
  return timelines;
}

// Shows a timeline within `element`. Returns open(state): go to a state of its view, from a link.
export function timelinePlace(element, timeline) {
  const section = el("section", { class: "timeline-place column" }, el("h2", { class: "visually-hidden" }, timeline.title));
  element.append(section);
  let view = null;
  let wanted = "";
  async function make() {
    if (!timeline.memory) return;
    const data = new MemoryData(timeline.memory, await unpackBlock(timeline.memory));
    view = new View(homeView(data));
    view.fromFragment(wanted);
    let timer = 0;
    view.addEventListener("change", () => {
      clearTimeout(timer);
      timer = setTimeout(() => element.hidden || replaceState(timeline.place, view.toFragment()), LINK_DELAY);
    });
    memoryPanels(memoryTimeline(section, data, view), data, view);
  }
  make();
  return (state) => {
    wanted = state;
    view?.fromFragment(state);
  };
}
