// SPDX-License-Identifier: MIT
// The tools above a plot: ways to the peak and to the failures, zoom, what a drag does, which axis,
// what colours stand for.
import { el, icon } from "./dom.js";
import { KINDS } from "./memory_data.js";
import { formatCount } from "./numbers.js";
import { failuresOf } from "./plot_marks.js";
import { domainOf, heightOf, switchAxis, windowAround, zoomHeight, zoomWindow } from "./window.js";

const KIND_WORDS = { site: "call site", lifetime: "lifetime", stream: "stream", pool: "pool", size: "size" };
const SIGNS = {
  minus: "M3 7h10v2H3z",
  plus: "M7 3h2v4h4v2H9v4H7V9H3V7h4z",
  taller: "M8 1l4 4H9v6h3l-4 4-4-4h3V5H4z",
  shorter: "M8 7 4.5 3.5H7V0h2v3.5h2.5zM8 9l3.5 3.5H9V16H7v-3.5H4.5z",
  back: "M10 3 5 8l5 5z",
  on: "M6 3l5 5-5 5z",
};

function toolButton(words, act, sign, title) {
  return el("button", { type: "button", class: "button", title: title ?? words, "aria-label": title ?? words, onclick: act }, sign ? icon(SIGNS[sign]) : words);
}

// One of several, each a button that tells whether it is pressed.
function toolChoice(label, entries, current, choose) {
  const buttons = entries.map(([value, words, title]) =>
    el("button", { type: "button", class: "segment", title: title ?? words, "data-value": value, "aria-pressed": String(value === current), onclick: () => choose(value) }, words),
  );
  const element = el("div", { class: "segmented", role: "group", "aria-label": label }, buttons);
  return {
    element,
    show(value) {
      for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.value === value));
    },
  };
}

// About 400 events around one, or as much of the time around it as they would take.
function around(data, view, event) {
  const near = Math.max(8, Math.min(200, Math.round(data.events * 0.02)));
  return { ...windowAround(data, view.axis, Math.max(0, event - near), Math.min(data.events, event + near)), low: 0, high: null, moment: Math.max(-1, event) };
}

function failureTools(data, view) {
  const failures = failuresOf(data);
  if (!failures.length) return [];
  const events = failures.map((k) => data.others.event[k]);
  const go = (direction) => () => {
    const at = view.moment ?? -2;
    const next = direction > 0 ? events.find((e) => e > at) ?? events[0] : events.findLast((e) => e < at) ?? events[events.length - 1];
    view.set(around(data, view, next));
  };
  const many = events.length > 1;
  return [
    el("div", { class: "button-group" },
      toolButton(many ? `Out of memory (${formatCount(events.length)})` : "Out of memory", go(1), null, many ? "Go to the next time memory ran out" : "Go to where memory ran out"),
      many ? toolButton("", go(-1), "back", "Go to the time before at which memory ran out") : null),
  ];
}

// `state.selecting` is what a drag does.
export function timelineTools(plot, state) {
  const { data, view } = plot;
  const whole = () => ({ from: domainOf(data, view.axis).min, to: domainOf(data, view.axis).max, low: 0, high: null });
  const fit = () => {
    const most = plot.shown.requested.reduce((a, b) => Math.max(a, b), 0);
    view.set({ low: 0, high: most ? most * 1.06 : null });
  };
  const drags = toolChoice("A drag", [["move", "Move", "A drag moves the window; with shift it selects"], ["select", "Select", "A drag selects a range of events; with shift it moves"]], "move", (value) => {
    state.selecting = value === "select";
    plot.canvas.parentElement.dataset.drag = value;
    drags.show(value);
  });
  const axes = toolChoice("Axis", [["event", "Events"], ["time", "Time"]], view.axis, (axis) => view.set(switchAxis(data, view, axis)));
  const kinds = KINDS.filter((kind) => data.kinds[kind].names.length > 1 || kind === "site");
  const colour = el("select", { "aria-label": "Colours stand for", onchange: () => (view.colour = colour.value) }, kinds.map((kind) => el("option", { value: kind }, KIND_WORDS[kind])));
  view.listen((keys) => {
    if (keys.has("axis")) axes.show(view.axis);
    if (keys.has("colour")) colour.value = view.colour;
  });
  const middle = () => state.focusShare();
  return el(
    "div",
    { class: "toolbar timeline-tools no-print", role: "toolbar", "aria-label": "Timeline" },
    el("button", { type: "button", class: "button", title: "Show the whole recording (0)", onclick: () => view.set(whole()) }, "All"),
    data.events ? toolButton("Peak", () => view.set(around(data, view, data.meta.requested.peak_event)), null, "Go to the peak") : null,
    failureTools(data, view),
    el("div", { class: "button-group" }, toolButton("", () => view.set(zoomWindow(data, view, 1 / 1.6, middle())), "minus", "Zoom out (-)"), toolButton("", () => view.set(zoomWindow(data, view, 1.6, middle())), "plus", "Zoom in (+)")),
    el("div", { class: "button-group" },
      toolButton("", () => view.set(zoomHeight(data, view, 1 / 1.6, heightOf(data, view).low ? 0.5 : 0)), "shorter", "Show more bytes (page down, or the wheel with alt)"),
      toolButton("", () => view.set(zoomHeight(data, view, 1.6, heightOf(data, view).low ? 0.5 : 0)), "taller", "Show fewer bytes, higher (page up, or the wheel with alt)"),
      toolButton("Fit", fit, null, "Fit the height to what is shown")),
    drags.element,
    data.times ? axes.element : null,
    el("label", { class: "tool-label" }, el("span", {}, "Colour"), colour),
  );
}
