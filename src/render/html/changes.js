// SPDX-License-Identifier: MIT
// What changed since the baseline: in sentences, and as pairs of bars, which have one scale within
// a figure so that ranks can be compared.
import { bdi, el } from "./dom.js";
import { formatChange, formatFigure, formatShare } from "./numbers.js";

const FEW_ROWS = 8;
const FEW_STATEMENTS = 12;

// [{name, unit, most, rows}] in the order of the report, the largest change of each first.
export function groupFigures(figures) {
  const groups = new Map();
  for (const figure of figures) {
    const key = `${figure.name}\n${figure.unit}`;
    if (!groups.has(key)) groups.set(key, { name: figure.name, unit: figure.unit, most: 0, rows: [] });
    const group = groups.get(key);
    group.rows.push(figure);
    group.most = Math.max(group.most, figure.a ?? 0, figure.b ?? 0);
  }
  for (const group of groups.values()) group.rows.sort((x, y) => Math.abs((y.b ?? 0) - (y.a ?? 0)) - Math.abs((x.b ?? 0) - (x.a ?? 0)) || (x.rank > y.rank ? 1 : x.rank < y.rank ? -1 : 0));
  return [...groups.values()];
}

function bar(letter, value, most, unit) {
  const width = most > 0 && value > 0 ? Math.max(0.5, (value / most) * 100) : 0;
  return el("div", { class: `pair-bar pair-${letter}` }, el("span", { class: "pair-letter", "aria-hidden": "true" }, letter.toUpperCase()), el("span", { class: "pair-track", "aria-hidden": "true" }, el("span", { class: "pair-fill", style: { width: `${width}%` } })), el("span", { class: "pair-value" }, formatFigure(value, unit)));
}

function pairRow(figure, group) {
  const change = figure.a === null || figure.b === null ? null : figure.b - figure.a;
  const share = formatShare(figure.a, figure.b);
  return el(
    "div",
    { class: "pair", role: "listitem" },
    el("div", { class: "pair-rank" }, bdi(figure.rank, {}, 40)),
    el("div", { class: "pair-bars" }, bar("a", figure.a, group.most, group.unit), bar("b", figure.b, group.most, group.unit)),
    el("div", { class: "pair-change" }, change === null ? "\u2013" : change === 0 ? "no change" : formatChange(change, group.unit), share && change !== 0 ? el("span", { class: "dim" }, share) : null),
  );
}

function figureGroup(group) {
  const rows = group.rows.map((figure) => pairRow(figure, group));
  const rest = rows.slice(FEW_ROWS);
  return el(
    "div",
    { class: "figure-group" },
    el("h3", {}, bdi(group.name.replaceAll("_", " "), {}, 120)),
    el("div", { role: "list" }, rows.slice(0, FEW_ROWS)),
    rest.length ? el("details", { class: "more" }, el("summary", {}, `${rest.length} more`), el("div", { role: "list" }, rest)) : null,
  );
}

function statementList(statements) {
  const items = statements.map((text) => el("li", {}, bdi(text, {}, 600)));
  const list = el("ol", { class: "statements" }, items.slice(0, FEW_STATEMENTS));
  const rest = items.slice(FEW_STATEMENTS);
  const more = rest.length ? el("button", { type: "button", class: "button show-more", onclick: () => (list.append(...rest), more.remove()) }, `Show ${rest.length} more`) : null;
  return el("div", { class: "card" }, list, more);
}

export function changesPart(report) {
  const statements = report.changes?.statements ?? [];
  const figures = groupFigures(report.changes?.figures ?? []);
  if (!statements.length && !figures.length) return el("p", { class: "card empty" }, "Nothing that mlviz compares differs from the baseline.");
  return el(
    "div",
    { class: "changes" },
    statements.length ? statementList(statements) : null,
    figures.length ? el("div", { class: "card figures" }, figures.map(figureGroup)) : null,
  );
}
