// SPDX-License-Identifier: MIT
// The frame of the page: its head with title, state and the ways to go. It stays in sight on a
// desk, and is one line that scrolls sideways on a phone.
import { bdi, el, icon, shortText } from "./dom.js";
import { writeRoute } from "./router.js";
import { themeSwitch } from "./theme.js";

const FEW = 9; // timelines that have a link each; more of them are a list to choose from

export const STATE_WORDS = { error: "Error", warning: "Warning", good: "Good", unknown: "Unknown", kept: "Kept", passed: "Passed", notice: "Notice", note: "Note" };

const STATE_SIGNS = {
  error: "M5 1h6l4 4v6l-4 4H5l-4-4V5zm2.2 3v5h1.6V4zm0 6.4V12h1.6v-1.6z",
  warning: "M8 1.2 15.4 14H.6zM7.2 6v4h1.6V6zm0 5.2v1.5h1.6v-1.5z",
  good: "M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1zm3.3 4.2L7 9.6 4.8 7.4l-1 1L7 11.6l5.4-5.4z",
  unknown: "M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1zm-.8 9.4V12h1.6v-1.6zM5.4 6h1.5c0-.7.4-1.2 1.1-1.2s1.1.4 1.1 1c0 .5-.3.8-.9 1.2-.8.5-1.1 1-1 2h1.5c0-.6.2-.8.8-1.2.7-.4 1.2-1.1 1.2-2 0-1.4-1.1-2.3-2.6-2.3S5.4 4.6 5.4 6z",
};
STATE_SIGNS.passed = STATE_SIGNS.error;
STATE_SIGNS.kept = STATE_SIGNS.good;
STATE_SIGNS.notice = STATE_SIGNS.unknown;
STATE_SIGNS.note = "M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1zm-.8 6v5h1.6V7zm0-3v1.6h1.6V4z";

export function stateIcon(state) {
  return icon(STATE_SIGNS[state] ?? STATE_SIGNS.unknown);
}

// A word with its sign: readable without colour.
export function stateBadge(state, word = STATE_WORDS[state] ?? String(state)) {
  return el("span", { class: `badge state-${STATE_SIGNS[state] ? state : "unknown"}` }, stateIcon(state), word);
}

function partLink(part) {
  return el("a", { class: "nav-link", href: writeRoute(part.place), "data-place": part.place }, part.title, part.count ? el("span", { class: "count" }, String(part.count)) : null);
}

function timelineLinks(timelines) {
  if (timelines.length <= FEW) return timelines.map((t) => el("a", { class: "nav-link", href: writeRoute(t.place), "data-place": t.place }, bdi(t.title, {}, 32)));
  const select = el("select", { "aria-label": "Timeline", onchange: () => (location.hash = writeRoute(select.value)) }, el("option", { value: "" }, "Choose\u2026"), timelines.map((t) => el("option", { value: t.place }, shortText(t.title, 60))));
  return [select];
}

// {element, mark(place)}: the head of the page. `parts` are of the overview, {place, title, count};
// `timelines` {place, title}.
export function pageHead({ title, state, parts, timelines }) {
  const nav = el(
    "nav",
    { class: "head-nav", "aria-label": "Page" },
    parts.map(partLink),
    timelines.length && parts.length ? el("span", { class: "nav-group" }, timelines.length > 1 ? "Timelines" : "Timeline") : null,
    timelineLinks(timelines),
  );
  const element = el(
    "header",
    { class: "page-head" },
    el("a", { class: "skip", href: "#main", onclick: skipToMain }, "Skip to the content"),
    el("div", { class: "head-title" }, el("span", { class: "brand" }, "mlviz"), el("h1", { title: shortText(title, 400) }, bdi(title, {}, 90)), state ? stateBadge(state) : null),
    nav,
    el("div", { class: "head-end no-print" }, themeSwitch()),
  );
  function mark(place) {
    for (const link of nav.querySelectorAll("[data-place]")) {
      if (link.dataset.place === place) {
        link.setAttribute("aria-current", "true");
        link.scrollIntoView({ block: "nearest", inline: "nearest" });
      } else link.removeAttribute("aria-current");
    }
    const select = nav.querySelector("select");
    if (select) select.value = timelines.some((t) => t.place === place) ? place : "";
  }
  return { element, mark };
}

// A link would be a place to go back to.
function skipToMain(event) {
  event.preventDefault();
  document.getElementById("main").focus();
}
