// SPDX-License-Identifier: MIT
// A table of call sites with sums, sorted by the column whose heading was pressed. A row lights all
// allocations of its site in the timeline.
import { bdi, cell, el } from "./dom.js";
import { sortGroups } from "./groups.js";
import { formatBytes, formatCount, formatCountOf } from "./numbers.js";

const MOST_ROWS = 100; // more are told, not shown

const GROUP_COLUMNS = [
  { by: "name", title: "Call site" },
  { by: "count", title: "Allocations" },
  { by: "bytes", title: "Bytes" },
];

export class GroupTable {
  // onPick(group) is called for a row that was chosen.
  constructor(data, caption, onPick) {
    this.data = data;
    this.onPick = onPick;
    this.by = "bytes";
    this.groups = [];
    this.head = el("tr", {});
    this.body = el("tbody", {});
    this.rest = el("p", { class: "note" });
    this.element = el(
      "div",
      {},
      el("div", { class: "scroll-x" }, el("table", { class: "groups stacks-narrow" }, el("caption", { class: "visually-hidden" }, caption), el("thead", {}, this.head), this.body)),
      this.rest,
    );
  }

  show(groups) {
    this.groups = groups;
    this.draw();
  }

  draw() {
    sortGroups(this.groups, this.by, (site) => this.data.siteName(site));
    this.head.replaceChildren(...GROUP_COLUMNS.map((column) => this.heading(column)));
    this.body.replaceChildren(...this.groups.slice(0, MOST_ROWS).map((group) => this.row(group)));
    const hidden = this.groups.slice(MOST_ROWS);
    const bytes = hidden.reduce((sum, group) => sum + group.bytes, 0);
    this.rest.textContent = hidden.length ? `${formatCountOf(hidden.length, "more call site")}, ${formatBytes(bytes)}` : "";
  }

  heading({ by, title }) {
    const sorted = this.by === by;
    return el(
      "th",
      { scope: "col", class: by === "name" ? null : "number", "aria-sort": sorted ? (by === "name" ? "ascending" : "descending") : null },
      el("button", { type: "button", class: "sort", onclick: () => this.sort(by) }, title, sorted ? el("span", { "aria-hidden": "true" }, by === "name" ? " \u25b2" : " \u25bc") : null),
    );
  }

  sort(by) {
    this.by = by;
    this.draw();
    this.head.querySelectorAll("button")[GROUP_COLUMNS.findIndex((column) => column.by === by)].focus();
  }

  row(group) {
    const { names, places } = this.data.kinds.site;
    const place = places[group.site];
    return el(
      "tr",
      {},
      cell(
        "Call site",
        {},
        el("button", { type: "button", class: "row-link", title: "Light these in the timeline", onclick: () => this.onPick(group) }, bdi(names[group.site], {}, 90), place ? bdi(place, { class: "dim" }, 120) : null),
      ),
      cell("Allocations", { class: "number" }, formatCount(group.count)),
      cell("Bytes", { class: "number", title: `${formatCount(group.bytes)} bytes` }, formatBytes(group.bytes)),
    );
  }
}
