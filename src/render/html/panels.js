// SPDX-License-Identifier: MIT
// The panels below a timeline, as tabs, with the search field beside them. A tab comes forward when
// the reader picks an allocation, selects a range or searches, unless the segments are looked at.
import { detailsPanel } from "./details.js";
import { el } from "./dom.js";
import { rangePanel } from "./range.js";
import { followQuery, searchField, searchPanel } from "./search.js";
import { segmentsPanel } from "./segments.js";

const PANELS = [
  ["details", "Details", detailsPanel],
  ["search", "Search", searchPanel],
  ["range", "Range", rangePanel],
  ["segments", "Segments", segmentsPanel],
];

export function memoryPanels(element, data, view) {
  const tabs = new Map();
  const list = el("div", { class: "segmented", role: "tablist", "aria-label": "About this timeline" });
  const field = searchField(data, view);
  const body = el("div", { class: "panel-body" });
  const root = el("section", { class: "panels card", "aria-label": "Panels" }, el("div", { class: "panel-head" }, list, field.element), body);
  let open = "details";

  for (const [name, title, make] of PANELS) {
    const id = `${data.id}-${name}`;
    const panel = el("div", { id, class: `panel panel-${name}`, role: "tabpanel", "aria-labelledby": `${id}-tab`, tabindex: "-1", hidden: true });
    const tab = el("button", { type: "button", id: `${id}-tab`, class: "segment", role: "tab", "aria-controls": id, onclick: () => show(name), onkeydown: moveTab }, title);
    list.append(tab);
    body.append(panel);
    tabs.set(name, { tab, panel, draw: make(panel, data, view) });
  }

  function show(name) {
    open = name;
    for (const [other, { tab, panel }] of tabs) {
      tab.setAttribute("aria-selected", String(other === name));
      tab.setAttribute("tabindex", other === name ? "0" : "-1");
      panel.hidden = other !== name;
    }
    tabs.get(name).draw();
  }

  function moveTab(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const names = [...tabs.keys()];
    const next = names[(names.indexOf(open) + step + names.length) % names.length];
    show(next);
    tabs.get(next).tab.focus();
  }

  // "/" goes to the search wherever a timeline is in sight, but in fields.
  function onSlash(event) {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || !root.offsetParent) return;
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
    event.preventDefault();
    field.input.focus();
  }

  followQuery(data, view);
  show(open);
  view.addEventListener("change", ({ detail: keys }) => {
    if (open === "segments") return;
    if (keys.has("alloc") && view.alloc !== null && open !== "search") show("details");
    else if (keys.has("selection") && view.selection) show("range");
    else if (keys.has("query") && view.query && open !== "details" && open !== "range") show("search");
  });
  field.input.addEventListener("input", () => open === "search" || open === "segments" || show("search"));
  document.addEventListener("keydown", onSlash);
  element.append(root);
}
