// SPDX-License-Identifier: MIT
// The search: a field whose words light what they match (query.js), and the list of the matches.
import { el } from "./dom.js";
import { sumBySite } from "./groups.js";
import { GroupTable } from "./group_table.js";
import { formatBytes, formatCount, formatCountOf } from "./numbers.js";
import { matchQuery, parseQuery } from "./query.js";
import { clampWindow, placeOfEvent } from "./window.js";

const TYPING_PAUSE = 150; // ms after the last key before the search is done

// Keeps view.search what view.query asks for. A mask that somebody set together with an empty query
// stays.
export function followQuery(data, view) {
  view.listen((keys) => {
    if (!keys.has("query")) return;
    const terms = parseQuery(view.query);
    if (terms.length) view.set({ search: matchQuery(data, terms) });
    else if (!keys.has("search")) view.set({ search: null });
  });
}

// How many match, and how much of them is alive at a moment.
export function searchSums(data, mask, event) {
  const out = { count: 0, bytes: 0, alive: 0, aliveBytes: 0 };
  for (let i = 0; i < data.n; i++) {
    if (!mask[i]) continue;
    out.count++;
    out.bytes += data.bytes[i];
    if (!data.isAlive(i, event)) continue;
    out.alive++;
    out.aliveBytes += data.bytes[i];
  }
  return out;
}

// The next match after allocation `from` (null: the first), or the one before it; round the end.
export function nextMatch(data, mask, from, step) {
  const start = from === null ? (step > 0 ? -1 : data.n) : from;
  for (let k = 1; k <= data.n; k++) {
    const i = (((start + step * k) % data.n) + data.n) % data.n;
    if (mask[i]) return i;
  }
  return -1;
}

// The window that shows an allocation: as it is where it is in sight, else moved to its middle.
export function windowFor(data, view, i) {
  const born = placeOfEvent(data, view.axis, i < data.initial ? 0 : data.born[i]);
  const died = placeOfEvent(data, view.axis, Math.min(data.died[i], data.events));
  if (born < view.to && died > view.from) return {};
  const width = Math.max(view.to - view.from, (died - born) * 1.2);
  return clampWindow(data, view.axis, (born + died - width) / 2, (born + died + width) / 2);
}

// The field, with the ways from match to match.
export function searchField(data, view) {
  let pause = 0;
  const apply = () => {
    clearTimeout(pause);
    view.set({ query: input.value });
  };
  const jump = (step) => {
    apply();
    const i = view.search ? nextMatch(data, view.search, view.alloc, step) : -1;
    if (i >= 0) view.set({ alloc: i, ...windowFor(data, view, i) });
  };
  const input = el("input", {
    type: "search",
    class: "grow",
    placeholder: "Search: function, file:line, 0xaddress, >64MiB",
    "aria-label": "Search allocations by function, file, line, address or size",
    "aria-keyshortcuts": "/",
    spellcheck: "false",
    autocomplete: "off",
    oninput: () => {
      clearTimeout(pause);
      pause = setTimeout(apply, TYPING_PAUSE);
    },
    onkeydown: (event) => {
      if (event.key === "Enter") jump(event.shiftKey ? -1 : 1);
      else if (event.key === "Escape" && input.value) {
        input.value = "";
        apply();
      } else return;
      event.preventDefault();
    },
  });
  const count = el("span", { class: "note search-count", role: "status" });
  const buttons = [
    el("button", { type: "button", class: "button", "aria-label": "Previous match", title: "Previous match (Shift+Enter)", onclick: () => jump(-1) }, "\u2039"),
    el("button", { type: "button", class: "button", "aria-label": "Next match", title: "Next match (Enter)", onclick: () => jump(1) }, "\u203a"),
  ];
  view.listen((keys) => {
    if (keys.has("query") && document.activeElement !== input) input.value = view.query;
    if (!keys.has("search") && !keys.has("query")) return;
    let matches = 0;
    if (view.search) for (let i = 0; i < data.n; i++) matches += view.search[i];
    count.textContent = view.search ? `${formatCount(matches)} of ${formatCount(data.n)}` : "";
    for (const button of buttons) button.disabled = matches === 0;
  });
  return { element: el("div", { class: "search-field toolbar", role: "search" }, input, count, buttons), input };
}

export function searchPanel(element, data, view) {
  const sums = el("p", {});
  const hint = el(
    "div",
    { class: "note search-hint" },
    el("p", {}, "Words divided by blanks must all hold:"),
    el(
      "dl",
      { class: "facts" },
      ["attention", "a function or file of its stack has it in its name", "train.py:63", "a frame at this line", "0x7f24a0000000", "holds this address", ">64MiB <=1GiB", "sizes; without a sign, of exactly this size", '"two words"', "blanks within a word"].map((text, k) => el(k % 2 ? "dd" : "dt", {}, k % 2 ? text : el("code", {}, text))),
    ),
  );
  const table = new GroupTable(data, "Matches by call site", (group) => view.set({ alloc: group.largest, ...windowFor(data, view, group.largest) }));
  element.append(hint, sums, table.element);
  let mask; // what the table shows
  function draw() {
    if (element.hidden) return;
    hint.hidden = view.search !== null;
    table.element.hidden = sums.hidden = view.search === null;
    if (!view.search) {
      mask = null;
      return;
    }
    const event = view.moment ?? data.meta.requested.peak_event;
    const s = searchSums(data, view.search, event);
    const when = view.moment === null ? "at the peak" : event < 0 ? "before the first event" : `after event ${formatCount(event)}`;
    sums.textContent = s.count ? `${formatCountOf(s.count, "allocation")}, ${formatBytes(s.bytes)} in total; ${formatCount(s.alive)} of them, ${formatBytes(s.aliveBytes)}, alive ${when}.` : "Nothing matches.";
    if (mask === view.search) return;
    mask = view.search;
    table.show(sumBySite(data, (i) => mask[i] === 1).groups);
  }
  view.listen((keys) => {
    if (keys.has("search") || keys.has("moment")) draw();
  });
  return draw;
}
