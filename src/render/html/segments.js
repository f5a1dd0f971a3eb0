// SPDX-License-Identifier: MIT
// The allocator at a moment: its sums, and its segments with their blocks. The moment is moved with
// the slider and the arrow keys, or follows the pointer in the timeline.
import { bdi, el } from "./dom.js";
import { formatBytes, formatCount, formatCountOf, formatDuration } from "./numbers.js";
import { blockAt, drawSegments, layOutSegments, segmentGroups } from "./segment_map.js";
import { SegmentHistory } from "./segment_state.js";
import { onTheme } from "./theme.js";

const SCALES = [1, 2, 4, 8, 16];

function signedHandle(handle) {
  return `stream 0x${BigInt.asUintN(64, BigInt(handle)).toString(16)}`;
}

// Names of streams by their handles, learnt from the allocations that lie in segments.
class StreamNames {
  constructor(data) {
    this.data = data;
    this.names = new Map([[0, "default stream"]]);
  }

  learn(state) {
    const { names } = this.data.kinds.stream;
    for (const segment of state.segments) {
      if (this.names.has(segment.stream)) continue;
      const block = segment.blocks.find((b) => b.alloc >= 0);
      if (block) this.names.set(segment.stream, names[this.data.stream[block.alloc]]);
    }
  }

  of(group) {
    const pool = group.poolOwner === 0 && group.poolId === 0 ? "default pool" : group.poolOwner < 0 ? "pool unknown" : `private pool (${group.poolOwner}, ${group.poolId})`;
    return `${pool}, ${this.names.get(group.stream) ?? signedHandle(group.stream)}`;
  }
}

// What the map cannot know.
function doubtsInWords(data, history) {
  const { replay, complete } = data.meta;
  const out = [];
  if (!complete && data.initial) {
    const n = history.marks[0].length;
    out.push(`The recording begins late: ${n ? formatCountOf(n, "range of memory", "ranges of memory") : "no segment"} and ${formatCountOf(data.initial, "allocation")} were there before it.`);
  }
  if (replay.inferred) out.push(`The block sizes of ${formatCount(replay.inferred)} of these are inferred and may be up to 1 MiB larger.`);
  if (replay.homeless) out.push(`${formatCount(replay.homeless)} older allocations lie in no known segment.`);
  if (!replay.exact) out.push("The model does not place every request as recorded, so some block sizes may differ.");
  return out.join(" ");
}

function sumsList(data, { sums }, failed) {
  const share = sums.reserved ? ` (${((sums.free / sums.reserved) * 100).toFixed(1)} % of reserved)` : "";
  const entries = [
    ["Reserved", formatBytes(sums.reserved), sums.reserved],
    ["Allocated", `${formatBytes(sums.allocated)} in ${formatCountOf(sums.liveBlocks, "block")}`, sums.allocated],
    ["of it requested", formatBytes(sums.requested), sums.requested],
    ...(sums.pending ? [["Awaiting a stream", formatBytes(sums.pending), sums.pending]] : []),
    ["Free in segments", `${formatBytes(sums.free)}${share}`, sums.free],
    ["Largest free block", sums.freeBlocks ? `${formatBytes(sums.largest)}, of ${formatCount(sums.freeBlocks)}` : "nothing is free", sums.largest],
    ...(failed ? [["Failed here", `a request of ${formatBytes(failed)}`, failed]] : []),
    ...(sums.outside ? [["Outside of all segments", `${formatCountOf(sums.outside, "allocation")}, ${formatBytes(sums.outsideBytes)}`, sums.outsideBytes]] : []),
    ...(sums.overlapping ? [["At a place twice", formatCount(sums.overlapping), sums.overlapping]] : []),
  ];
  return entries.map(([name, value, exact]) => el("div", { class: "sum" }, el("dt", {}, name), el("dd", { title: `${formatCount(exact)} bytes`, "data-sum": exact }, value)));
}

export function blockInWords(data, { segment, block }) {
  const place = `0x${block.addr.toString(16)}, ${formatBytes(block.addr - segment.addr)} into ${segment.expandable ? "a mapped range" : "a segment"} of ${formatBytes(segment.bytes)}`;
  if (block.alloc < 0) return `${formatBytes(block.bytes)} free at ${place}`;
  const i = block.alloc;
  const waits = block.state === "pending" ? ", freed and awaiting a stream" : "";
  return `${formatBytes(block.bytes)} block for ${formatBytes(data.bytes[i])}${waits}: ${data.allocName(i)}, at ${place}`;
}

export function segmentsPanel(element, data, view) {
  const history = new SegmentHistory(data);
  if (!history.known) {
    element.append(el("p", { class: "note" }, "This recording tells of no segments: only memory snapshots do."));
    return () => {};
  }
  const names = new StreamNames(data);
  const oomEvents = [];
  for (let k = 0; k < data.others.count; k++) if (data.others.action(k) === "oom") oomEvents.push({ event: data.others.event[k], bytes: data.others.bytes[k] });
  let scale = 0;
  let state = null;
  let layout = null;
  let cursor = -1; // the block that keys are on, in the order of the map
  let waiting = 0;

  const slider = el("input", { type: "range", min: "-1", max: String(Math.max(-1, data.events - 1)), step: "1", class: "grow", "aria-label": "Moment: the state after event", oninput: () => setMoment(Number(slider.value)) });
  const moment = el("output", { class: "moment" });
  const follow = el("input", { type: "checkbox", onchange: () => ask() });
  const smaller = el("button", { type: "button", class: "button", "aria-label": "Smaller segments", title: "Smaller", onclick: () => setScale(scale - 1) }, "\u2212");
  const larger = el("button", { type: "button", class: "button", "aria-label": "Larger segments", title: "Larger", onclick: () => setScale(scale + 1) }, "+");
  const sums = el("dl", { class: "sums" });
  const canvas = el("canvas", {
    class: "segment-map",
    tabindex: "0",
    role: "application",
    "aria-label": "Segments and their blocks. Arrow keys go from block to block, Enter picks one.",
    onpointermove: (event) => point(event),
    onpointerleave: () => say(null),
    onclick: (event) => {
      const hit = point(event);
      if (hit?.block.alloc >= 0) view.set({ alloc: hit.block.alloc });
    },
    onkeydown: (event) => moveCursor(event),
  });
  const words = el("p", { class: "segment-words", role: "status" });
  const frame = el("div", { class: "segment-frame" }, canvas);
  const doubts = doubtsInWords(data, history);
  const button = (text, event) => el("button", { type: "button", class: "button", onclick: () => setMoment(event) }, text);

  element.append(
    el(
      "div",
      { class: "toolbar" },
      button("Peak", data.meta.requested.peak_event),
      oomEvents.length ? button("Out of memory", oomEvents[0].event) : null,
      el("button", { type: "button", class: "button", "aria-label": "One event back", onclick: () => setMoment(eventShown() - 1) }, "\u2039"),
      slider,
      el("button", { type: "button", class: "button", "aria-label": "One event on", onclick: () => setMoment(eventShown() + 1) }, "\u203a"),
      moment,
      el("label", { class: "check" }, follow, "Follow the pointer"),
      smaller,
      larger,
    ),
    el("p", { class: "note", hidden: !doubts }, doubts),
    sums,
    frame,
    words,
    el("ul", { class: "map-key note" }, el("li", {}, el("span", { class: "key-live" }), "allocated, coloured as in the timeline"), data.meta.pending_peak ? el("li", {}, el("span", { class: "key-pending" }), "freed, awaiting a stream") : null, el("li", {}, el("span", { class: "key-free" }), "free")),
  );

  function eventShown() {
    if (follow.checked && view.hover) return view.hover.event;
    return view.moment ?? data.meta.requested.peak_event;
  }

  function setMoment(event) {
    view.set({ moment: Math.max(-1, Math.min(event, data.events - 1)) });
  }

  function setScale(next) {
    scale = Math.max(0, Math.min(next, SCALES.length - 1));
    ask();
  }

  function say(hit) {
    words.replaceChildren(hit ? bdi(blockInWords(data, hit), {}, 600) : "Point at a block, or go through them with the arrow keys.");
  }

  function point(event) {
    const box = canvas.getBoundingClientRect();
    const hit = layout && blockAt(layout, event.clientX - box.left, event.clientY - box.top);
    canvas.classList.toggle("over-block", Boolean(hit && hit.block.alloc >= 0));
    say(hit);
    return hit;
  }

  function moveCursor(event) {
    const blocks = state.segments.flatMap((segment) => segment.blocks.map((block) => ({ segment, block })));
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step) {
      if (cursor < 0 && view.alloc !== null) cursor = blocks.findIndex((b) => b.block.alloc === view.alloc);
      cursor = Math.max(0, Math.min(blocks.length - 1, cursor + step));
      if (blocks[cursor]) say(blocks[cursor]);
    } else if (event.key === "Enter" && blocks[cursor]?.block.alloc >= 0) view.set({ alloc: blocks[cursor].block.alloc });
    else return;
    event.preventDefault();
  }

  function writeMoment(event) {
    slider.value = String(event);
    const time = data.times && event >= 0 ? `, ${formatDuration(data.timeOf(event))}` : "";
    const text = event < 0 ? "before the first event" : `after event ${formatCount(event)}${time}`;
    moment.value = text;
    slider.setAttribute("aria-valuetext", text);
    smaller.disabled = scale === 0;
    larger.disabled = scale === SCALES.length - 1;
  }

  function render() {
    waiting = 0;
    const width = frame.clientWidth;
    if (element.hidden || !width) return;
    const event = eventShown();
    if (!state || state.event !== event) {
      state = history.stateAt(event);
      names.learn(state);
      cursor = -1;
      element.dataset.event = String(event);
    }
    layout = layOutSegments(segmentGroups(state, (group) => names.of(group)), width, SCALES[scale]);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${layout.height}px`;
    drawSegments(canvas, layout, width, { data, colour: view.colour, search: view.search, alloc: view.alloc, ratio: devicePixelRatio || 1 });
    writeMoment(event);
    sums.replaceChildren(...sumsList(data, state, oomEvents.find((oom) => oom.event === event)?.bytes));
  }

  function ask() {
    if (!element.hidden) waiting ||= requestAnimationFrame(render);
  }

  say(null);
  view.listen((keys) => {
    if (["moment", "alloc", "search", "colour"].some((key) => keys.has(key)) || (follow.checked && keys.has("hover"))) ask();
  });
  onTheme(ask);
  new ResizeObserver(ask).observe(frame);
  return ask;
}
