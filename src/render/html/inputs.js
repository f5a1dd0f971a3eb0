// SPDX-License-Identifier: MIT
// What the report was made from, and what of it could not be read: those inputs stand first.
import { bdi, cell, el } from "./dom.js";

const FEW_INPUTS = 40;

function inputRow(input) {
  const diagnostics = input.diagnostics ?? [];
  return el(
    "tr",
    {},
    cell("File", { class: "mono" }, bdi(input.file, {}, 160)),
    cell("What", {}, bdi(input.title || input.format, {}, 120)),
    cell("Rank", { class: "nowrap" }, input.rank === null || input.rank === undefined || input.rank < 0 ? "\u2013" : String(input.rank)),
    cell("Not read", {}, diagnostics.length ? el("ul", { class: "diagnostics" }, diagnostics.map((d) => el("li", {}, bdi(d.text, {}, 500)))) : el("span", { class: "dim" }, "read in full")),
  );
}

export function inputsPart(report) {
  const inputs = [...(report.inputs ?? [])].sort((a, b) => (b.diagnostics?.length ? 1 : 0) - (a.diagnostics?.length ? 1 : 0));
  if (!inputs.length) return null;
  const body = el("tbody", {}, inputs.slice(0, FEW_INPUTS).map(inputRow));
  const rest = inputs.length - FEW_INPUTS;
  const more = rest > 0 ? el("button", { type: "button", class: "button show-more", onclick: () => (body.append(...inputs.slice(FEW_INPUTS).map(inputRow)), more.remove()) }, `Show ${rest} more`) : null;
  return el(
    "div",
    { class: "card scroll-x", tabindex: "0", role: "group", "aria-label": "Table of inputs" },
    el("table", { class: "inputs stacked" }, el("thead", {}, el("tr", {}, ["File", "What it is", "Rank", "What could not be read"].map((text) => el("th", { scope: "col" }, text)))), body),
    more,
  );
}
