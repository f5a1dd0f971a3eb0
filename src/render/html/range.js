// SPDX-License-Identifier: MIT
// A selected range: what was there all along, what came, what went, and what it left behind.
import { el } from "./dom.js";
import { sumBySite } from "./groups.js";
import { GroupTable } from "./group_table.js";
import { formatBytes, formatChange, formatCount, formatCountOf, formatDuration } from "./numbers.js";
import { inRange, RANGE_SETS, rangeState } from "./range_sums.js";

const RANGE_WORDS = {
  through: ["Alive all along", "there before the range and behind it"],
  allocated: ["Allocated", "within the range"],
  freed: ["Freed", "within the range, whenever they were allocated"],
  kept: ["Left behind", "allocated within the range and alive at its end"],
};

function stateInWords(data, range) {
  const { before, after, peak } = rangeState(data, range);
  const time = data.times ? `, ${formatDuration(data.timeOf(range.to - 1) - data.timeOf(range.from))}` : "";
  const events = range.to - range.from;
  return [
    `Events ${formatCount(range.from)} to ${formatCount(range.to - 1)}: ${formatCountOf(events, "event")}${time}.`,
    `${formatBytes(before)} before, ${formatBytes(after)} behind (${formatChange(after - before, "B")}), at most ${formatBytes(peak.bytes)} ${peak.event < range.from ? "before it" : `after event ${formatCount(peak.event)}`}.`,
  ].join(" ");
}

function numberField(label, onchange) {
  const input = el("input", { type: "text", inputmode: "numeric", class: "event-field", onchange });
  return { input, element: el("label", { class: "field" }, label, input) };
}

export function rangePanel(element, data, view) {
  let set = "kept";
  let sums = null; // of each set, for the range that is shown
  const status = el("p", { role: "status" });
  const from = numberField("From event", () => setRange());
  const to = numberField("to event", () => setRange());
  const clear = el("button", { type: "button", class: "button bare", onclick: () => view.set({ selection: null }) }, "Clear");
  const light = el("button", { type: "button", class: "button", onclick: () => lightSet() }, "Light these in the timeline");
  const sets = el("div", { class: "range-sets", role: "radiogroup", "aria-label": "What happened within the range" });
  const table = new GroupTable(data, "Allocations by call site", (group) => view.set({ query: `site:${group.site}` }));
  const results = el("div", {}, sets, el("div", { class: "toolbar" }, light), table.element);
  element.append(
    el("div", { class: "toolbar" }, from.element, to.element, el("button", { type: "button", class: "button", onclick: () => selectWindow() }, "Take what is shown"), clear),
    status,
    results,
  );

  function setRange() {
    const read = (text) => (/^[\d\s]+$/.test(text) ? Number(text.replace(/\s/g, "")) : NaN);
    const a = read(from.input.value);
    const b = read(to.input.value);
    if (Number.isNaN(a) || Number.isNaN(b)) return;
    const last = Math.max(0, data.events - 1);
    const range = { from: Math.min(a, b, last), to: Math.min(Math.max(a, b), last) + 1 };
    view.set({ selection: range });
  }

  function selectWindow() {
    const time = view.axis === "time" && data.times;
    const first = time ? data.eventAt(view.from) : Math.floor(view.from);
    const last = time ? data.eventAt(view.to) : Math.ceil(view.to) - 1;
    const a = Math.min(Math.max(0, first), data.events - 1);
    view.set({ selection: { from: a, to: Math.min(Math.max(a, last), data.events - 1) + 1 } });
  }

  function lightSet() {
    const mask = new Uint8Array(data.n);
    const has = inRange(data, view.selection, set);
    for (let i = 0; i < data.n; i++) mask[i] = has(i) ? 1 : 0;
    view.set({ query: "", search: mask });
  }

  function choose(name) {
    set = name;
    show();
    sets.querySelector('[aria-checked="true"]').focus();
  }

  function moveChoice(event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    choose(RANGE_SETS[(RANGE_SETS.indexOf(set) + step + RANGE_SETS.length) % RANGE_SETS.length]);
  }

  function setButton(name) {
    const { count, bytes } = sums[name].total;
    const [title, meaning] = RANGE_WORDS[name];
    const chosen = name === set;
    return el(
      "button",
      { type: "button", class: "range-set", role: "radio", "aria-checked": String(chosen), tabindex: chosen ? "0" : "-1", title: meaning, "data-set": name, onclick: () => choose(name), onkeydown: moveChoice },
      el("span", { class: "dim" }, title),
      el("strong", {}, formatBytes(bytes)),
      el("span", { class: "note" }, formatCountOf(count, "allocation")),
    );
  }

  function show() {
    sets.replaceChildren(...RANGE_SETS.map(setButton));
    table.show(sums[set].groups);
    light.disabled = sums[set].total.count === 0;
  }

  function draw() {
    if (element.hidden) return;
    const { selection } = view;
    const range = selection && selection.from < data.events ? { from: selection.from, to: Math.min(selection.to, data.events) } : null;
    results.hidden = clear.hidden = range === null;
    if (document.activeElement !== from.input) from.input.value = range ? String(range.from) : "";
    if (document.activeElement !== to.input) to.input.value = range ? String(range.to - 1) : "";
    if (!range) {
      status.textContent = "Select a range in the timeline (Select above, or drag with Shift), or name its events here.";
      sums = null;
      return;
    }
    status.textContent = stateInWords(data, range);
    sums = Object.fromEntries(RANGE_SETS.map((name) => [name, sumBySite(data, inRange(data, range, name))]));
    show();
  }
  // While a range is drawn out it changes more often than there are frames.
  let waiting = 0;
  view.listen((keys) => {
    if (!keys.has("selection") || element.hidden) return;
    waiting ||= requestAnimationFrame(() => {
      waiting = 0;
      draw();
    });
  });
  return draw;
}
