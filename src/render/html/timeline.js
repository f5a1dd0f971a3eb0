// SPDX-License-Identifier: MIT
// The timeline of one device: plot, minimap, tools and legend, and what follows the pointer. Other
// parts of the page learn what is picked, and change what is shown, through the view alone.
import { describeAllocation, describeHit, describeRecording } from "./describe.js";
import { bdi, el } from "./dom.js";
import { expose } from "./expose.js";
import { drawLegend } from "./legend.js";
import { Minimap } from "./minimap.js";
import { TimelineOverlay } from "./overlay.js";
import { TimelinePlot } from "./plot.js";
import { onTheme } from "./theme.js";
import { timelineInput } from "./timeline_input.js";
import { timelineTools } from "./timeline_tools.js";
import { placeOfEvent } from "./window.js";

const COMPACT_ENTRIES = 4;
const LEGEND_DELAY = 120; // ms after the last change: a moving window needs no legend
const PICTURE_KEYS = ["from", "to", "low", "high", "axis", "colour", "search"];
const OVERLAY_KEYS = ["selection", "moment", "alloc", "hover"];
const KEYS_HELP =
  "Keys: plus and minus zoom, arrow left and right move, page up and down change the height, arrow up and down go from allocation to allocation, comma and full stop from event to event, Enter zooms to the picked one, Home and End go to the ends, 0 shows all.";

class TimelineTip {
  constructor(frame) {
    this.frame = frame;
    this.element = el("div", { class: "timeline-tip popover", hidden: true });
    frame.append(this.element);
  }

  show(lines, x, y) {
    this.element.replaceChildren(...lines.map((line, k) => el("div", { class: k ? "" : "first", dir: "auto" }, line)));
    this.element.hidden = false;
    const { offsetWidth: w, offsetHeight: h } = this.element;
    const { clientWidth, clientHeight } = this.frame;
    const left = x + 16 + w <= clientWidth ? x + 16 : Math.max(0, x - 16 - w);
    const top = y + 16 + h <= clientHeight ? y + 16 : Math.max(0, y - 12 - h);
    this.element.style.transform = `translate(${Math.round(Math.min(left, Math.max(0, clientWidth - w)))}px, ${Math.round(top)}px)`;
  }

  hide() {
    this.element.hidden = true;
  }
}

function timelineHead(data) {
  const { facts, notice } = describeRecording(data);
  return el("div", { class: "timeline-head" }, el("h2", {}, bdi(data.title)), el("span", { class: "note" }, facts), notice ? el("span", { class: "warning" }, notice) : null);
}

// Returns the column of the plot, for what stands below it.
// Options: `compact` is low and names a few in its legend, `tools` are above it. Returns where panels
// may be added.
export function memoryTimeline(element, data, view, { compact = false, tools = true } = {}) {
  const base = el("canvas", { class: "plot-base" });
  const above = el("canvas", { class: "plot-above", "aria-hidden": "true" });
  const help = el("p", { class: "visually-hidden", id: `${data.id}-keys` }, KEYS_HELP);
  const live = el("div", { class: "visually-hidden", "aria-live": "polite" });
  const frame = el("div", { class: "plot-frame", tabindex: "0", role: "application", "aria-label": `Memory over time, ${data.title}`, "aria-describedby": help.id }, base, above);
  const strip = el("canvas", { class: "minimap", "aria-hidden": "true" });
  const legend = el("div", { class: "legend" });
  const plot = new TimelinePlot(base, data, view);
  const overlay = new TimelineOverlay(above, plot);
  const minimap = new Minimap(strip, plot);
  const tip = new TimelineTip(frame);
  const state = { selecting: false, point, pick, step, stepMoment, focusShare };
  let pointer = null; // where it rests, and the hit there
  let waiting = 0;
  let dirty = { picture: true, overlay: true };
  let legendTimer = 0;

  function render() {
    waiting = 0;
    if (!frame.clientWidth) return; // not in sight: drawn when it is
    if (dirty.picture) {
      plot.draw();
      if (plot.draws === 1) performance.mark("mlviz-drawn");
      if (strip.clientWidth) minimap.draw();
      if (pointer) point(pointer.x, pointer.y, pointer.kind); // what is under it is another now
      clearTimeout(legendTimer);
      legendTimer = setTimeout(() => drawLegend(legend, plot, compact ? COMPACT_ENTRIES : undefined), plot.draws > 1 ? LEGEND_DELAY : 0);
    }
    overlay.draw();
    dirty = { picture: false, overlay: false };
  }

  function ask(what) {
    dirty[what] = true;
    waiting ||= requestAnimationFrame(render);
  }

  // ---- what the pointer does ----

  function point(x, y, kind) {
    const hit = x === null ? null : plot.hit(x, y);
    pointer = hit ? { x, y, kind } : null;
    frame.dataset.over = hit && hit.count ? "allocation" : "";
    if (hit && kind !== "touch") tip.show(describeHit(data, hit, plot.classesOf.kind), x, y);
    else tip.hide();
    view.hover = hit ? { event: hit.event, alloc: hit.alloc, count: hit.count, bytes: hit.bytes } : null;
  }

  function pick(x, y) {
    const hit = plot.hit(x, y);
    if (!hit) return;
    view.set({ alloc: hit.alloc, moment: hit.event });
    tip.show(describeHit(data, hit, plot.classesOf.kind), x, y);
  }

  // ---- what the keys do ----

  function focusShare() {
    if (pointer) return (pointer.x - plot.place.x) / plot.place.w;
    const at = view.moment === null ? NaN : (placeOfEvent(data, view.axis, view.moment) - view.from) / (view.to - view.from);
    return at >= 0 && at <= 1 ? at : 0.5;
  }

  function momentOfKeys() {
    if (view.moment !== null) return view.moment;
    return plot.shown.event[Math.floor(plot.columns * focusShare())];
  }

  // To the allocation above or below the picked one, as it lies at the moment.
  function step(direction) {
    const moment = momentOfKeys();
    const alive = data.aliveAt(moment);
    if (!alive.length) return { moment };
    const at = view.alloc === null ? -1 : alive.indexOf(view.alloc);
    const next = at < 0 ? (direction > 0 ? 0 : alive.length - 1) : Math.min(alive.length - 1, Math.max(0, at + direction));
    live.textContent = describeAllocation(data, alive[next], moment).join(", ");
    return { moment, alloc: alive[next] };
  }

  function stepMoment(direction) {
    const moment = Math.min(data.events - 1, Math.max(-1, momentOfKeys() + direction));
    live.textContent = describeHit(data, { event: moment, alloc: null, count: 0 }, "site").join(", ");
    return { moment };
  }

  const column = el("div", { class: "timeline-main" }, strip, frame, help, live);
  element.append(el("div", { class: `timeline${compact ? " compact" : ""}${tools ? "" : " bare"}` }, timelineHead(data), tools ? timelineTools(plot, state) : null, column, legend));
  timelineInput(frame, plot, state);
  view.listen((keys) => {
    if (PICTURE_KEYS.some((key) => keys.has(key))) ask("picture");
    if (OVERLAY_KEYS.some((key) => keys.has(key))) ask("overlay");
  });
  onTheme(() => ask("picture"));
  new ResizeObserver(() => ask("picture")).observe(frame);
  addEventListener("resize", () => ask("picture"));
  expose("timelines", {
    id: data.id,
    data,
    view,
    plot,
    // The same as under the pointer, in pixels of the window.
    hit(clientX, clientY) {
      const box = frame.getBoundingClientRect();
      return plot.hit(clientX - box.left, clientY - box.top);
    },
  });
  return column;
}
