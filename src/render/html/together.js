// SPDX-License-Identifier: MIT
// All devices of the page, one below the other, on the same axes if the reader wants: what moves or
// zooms one of them does so to all, and shorter recordings end before the axis does.
import { bdi, el } from "./dom.js";
import { MemoryData } from "./memory_data.js";
import { memoryTimeline } from "./timeline.js";
import { unpackBlock } from "./unpack.js";
import { View } from "./view.js";
import { clampWindow, domainOf, extentOf, homeView, settleView } from "./window.js";

const MOST_TOGETHER = 16; // each holds its recording in full
const SHARED_KEYS = ["from", "to", "low", "high", "axis", "colour"];

// The limits that several recordings have together.
export function sharedLimits(list) {
  const most = (fn) => list.reduce((all, data) => Math.max(all, fn(data)), 0);
  return {
    event: most((data) => extentOf(data, "event")),
    time: list.every((data) => data.times) ? most((data) => extentOf(data, "time")) : 0,
    peak: most(({ meta }) => Math.max(meta.requested.peak, meta.reserved.peak)),
  };
}

// Keeps the shared keys of all views alike as long as `state.shared`.
export function linkViews(views, state) {
  let busy = false;
  for (const view of views) {
    view.addEventListener("change", ({ detail }) => {
      const keys = SHARED_KEYS.filter((key) => detail.has(key));
      if (busy || !state.shared || !keys.length) return;
      busy = true;
      for (const other of views) if (other !== view) other.set(Object.fromEntries(keys.map((key) => [key, view[key]])));
      busy = false;
    });
  }
}

function setShared(items, shared) {
  const limits = shared ? sharedLimits(items.map(({ data }) => data)) : null;
  const axis = limits && !limits.time ? "event" : items[0].view.axis;
  for (const { data, view } of items) {
    data.shared = limits;
    const { min, max } = domainOf(data, axis);
    view.set({ axis, low: 0, high: null, ...clampWindow(data, axis, min, max) });
  }
}

// Shows the timelines of memory within `element`. Returns open(state), which goes to a state of the
// first one's view, and calls `changed` with that when it changes.
export function togetherPlace(element, timelines, changed) {
  const shown = timelines.slice(0, MOST_TOGETHER);
  const list = el("div", { class: "together" });
  const box = el("input", { type: "checkbox", checked: true, onchange: () => items.length && setShared(items, (state.shared = box.checked)) });
  const left = timelines.length - shown.length;
  const head = el("div", { class: "together-head" }, el("h2", {}, "All devices"), el("label", { class: "note" }, box, "Same axes"), left ? el("span", { class: "note" }, `The first ${shown.length} of ${timelines.length}`) : null);
  const state = { shared: true };
  const items = [];
  let wanted = "";
  element.append(el("section", { class: "timeline-place column" }, head, list));
  async function make() {
    for (const { memory } of shown) {
      const data = new MemoryData(memory, await unpackBlock(memory));
      items.push({ data, view: new View(homeView(data)) });
    }
    setShared(items, true);
    const [{ view: first }] = items;
    Object.assign(first.home, { from: first.from, to: first.to });
    linkViews(items.map(({ view }) => view), state);
    items.forEach(({ data, view }, k) => memoryTimeline(list, data, view, { compact: true, tools: k === 0 }));
    first.fromFragment(wanted);
    settleView(items[0].data, first);
    first.addEventListener("change", () => changed(first.toFragment()));
  }
  make().catch((error) => list.append(el("p", { class: "warning" }, bdi(String(error)))));
  return (text) => {
    wanted = text;
    if (items.length < shown.length) return;
    items[0].view.fromFragment(text);
    settleView(items[0].data, items[0].view);
  };
}
