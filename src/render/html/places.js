// SPDX-License-Identifier: MIT
// The timelines of the page: which blocks belong together, and what shows them. A report says it in
// its block "index"; without one, every block of data stands alone.
import { bdi, el } from "./dom.js";
import { eventAxis, spanAxis, spanLanes } from "./lanes.js";
import { MemoryData } from "./memory_data.js";
import { replaceState } from "./router.js";
import { memoryPanels } from "./panels.js";
import { SpanData } from "./span_data.js";
import { memoryTimeline } from "./timeline.js";
import { togetherPlace } from "./together.js";
import { blocks, unpackBlock } from "./unpack.js";
import { View } from "./view.js";
import { domainOf, homeView, settleView } from "./window.js";

const LINK_DELAY = 250; // ms after the last change: browsers refuse addresses that change all the time

// [{place, title, rank, device, memory, spans: [{id, offset_ns, clocks}], notes}]: a block of memory
// each, with the spans on its axis; spans without memory stand alone. `index` is the document of
// that block, or null.
export function groupTimelines(all, index) {
  const titles = new Map(all.map((b) => [b.id, b.title]));
  const timelines = [];
  const used = new Set();
  for (const entry of index?.timelines ?? []) {
    const spans = entry.spans.filter((s) => titles.has(s.id));
    const ids = [entry.memory, ...spans.map((s) => s.id)].filter((id) => titles.has(id));
    if (!ids.length) continue;
    ids.forEach((id) => used.add(id));
    timelines.push({ ...entry, spans, place: ids[0], title: entry.title ?? titles.get(ids[0]) });
  }
  for (const { id, kind, title } of all) {
    if (used.has(id) || (kind !== "memory" && kind !== "spans")) continue;
    timelines.push({ place: id, title, rank: -1, device: -1, memory: kind === "memory" ? id : null, spans: kind === "spans" ? [{ id, offset_ns: 0, clocks: "" }] : [], notes: [] });
  }
  const memories = timelines.filter((t) => t.memory);
  if (memories.length > 1) timelines.push({ place: "together", title: "All devices", rank: null, device: null, memory: null, spans: [], notes: [], together: memories });
  return timelines;
}

// The spans of a timeline, with what ranks waited in them where that is known.
async function loadSpans(timeline, waits) {
  const sources = [];
  for (const { id, offset_ns, clocks } of timeline.spans) {
    const block = await unpackBlock(id);
    const waited = waits.has(id) ? (await unpackBlock(waits.get(id))).columns : null;
    sources.push({ data: new SpanData(id, block, offset_ns, waited), clocks });
  }
  return sources;
}

// Blocks of waits by the id of their spans: "waits-3" is of "spans-3".
function waitsBySpans() {
  return new Map(blocks().filter((b) => b.kind === "waits").map((b) => [b.id.replace(/^waits/, "spans"), b.id]));
}

// Shows a timeline within `element`. Returns open(state): go to a state of its view, from a link.
export function timelinePlace(element, timeline) {
  let timer = 0;
  const changed = (state) => {
    clearTimeout(timer);
    timer = setTimeout(() => element.hidden || replaceState(timeline.place, state), LINK_DELAY);
  };
  if (timeline.together) return togetherPlace(element, timeline.together, changed);
  const section = el("section", { class: "timeline-place column" }, el("h2", { class: "visually-hidden" }, timeline.title));
  element.append(section);
  let view = null;
  let wanted = "";

  function follow(home) {
    view = new View(home);
    view.fromFragment(wanted);
    view.addEventListener("change", () => changed(view.toFragment()));
  }

  let settle = () => {}; // keeps a view of a link within the data

  async function makeMemory() {
    const data = new MemoryData(timeline.memory, await unpackBlock(timeline.memory));
    follow(homeView(data));
    settle = () => settleView(data, view);
    settle();
    const column = memoryTimeline(section, data, view);
    const lanes = el("div", { class: "lanes-holder" });
    if (timeline.notes?.length) lanes.append(el("ul", { class: "note place-notes" }, timeline.notes.map((text) => el("li", {}, bdi(text)))));
    column.append(lanes);
    memoryPanels(column, data, view);
    if (timeline.spans.length && data.times) spanLanes(lanes, await loadSpans(timeline, waitsBySpans()), eventAxis(data), view);
  }

  async function makeSpans() {
    const sources = await loadSpans(timeline, waitsBySpans());
    const axis = spanAxis(sources.map((s) => s.data));
    follow({ axis: "time", from: 0, to: domainOf(axis, "time").max });
    section.append(el("div", { class: "timeline-head" }, el("h2", {}, bdi(timeline.title)), el("span", { class: "note" }, "time since the first span")));
    spanLanes(section, sources, axis, view);
  }

  if (timeline.memory) makeMemory();
  else makeSpans();
  return (state) => {
    wanted = state;
    view?.fromFragment(state);
    settle();
  };
}
