// SPDX-License-Identifier: MIT
// Budgets: what was allowed, what was measured, and how far one is from the other.
import { bdi, cell, el } from "./dom.js";
import { formatFigure } from "./numbers.js";
import { writeRoute } from "./router.js";
import { stateBadge } from "./shell.js";

// A budget is a cap, and "passed" is what a report calls one that is exceeded.
const BUDGET_WORDS = { kept: "Kept", passed: "Exceeded", notice: "Notice", unknown: "Unknown" };
const ORDER_OF_BUDGETS = ["passed", "unknown", "notice", "kept"];

// "87 %", "100.2 %" where it is close, "35\u00d7" where it is far.
export function shareOfLimit(share) {
  if (share >= 10) return `${share.toFixed(0)}\u00d7`;
  return `${(share * 100).toFixed(Math.abs(share - 1) < 0.02 ? 1 : 0)} %`;
}

function usedBar(budget) {
  if (budget.actual === null || !(budget.limit > 0)) return null;
  const share = budget.actual / budget.limit;
  const scale = Math.max(1, share);
  return el(
    "div",
    { class: "used", role: "img", "aria-label": `${shareOfLimit(share)} of the limit` },
    el("span", { class: "used-track" }, el("span", { class: "used-fill", style: { width: `${(share / scale) * 100}%` } }), el("span", { class: "used-limit", style: { left: `${100 / scale}%` } })),
    el("span", { class: "used-text" }, shareOfLimit(share)),
  );
}

function budgetRow(budget, timelineOf) {
  const known = Number.isInteger(budget.rank) && budget.rank >= 0;
  const place = known ? timelineOf(budget.rank) : null;
  const rank = known ? `rank ${budget.rank}` : bdi(budget.rank || "all ranks", {}, 60);
  return el(
    "tr",
    { class: `budget state-${budget.state}` },
    cell("State", {}, stateBadge(budget.state, BUDGET_WORDS[budget.state])),
    cell("Budget", {}, bdi(budget.name, {}, 120), budget.subject && !budget.message?.includes(budget.subject) ? el("div", { class: "note" }, bdi(budget.subject, {}, 160)) : null, budget.message ? el("div", { class: "note" }, bdi(budget.message, {}, 300)) : null),
    cell("Rank", { class: "nowrap" }, place ? el("a", { href: writeRoute(place) }, rank) : rank),
    cell("Actual", { class: "number" }, formatFigure(budget.actual, budget.unit)),
    cell("Limit", { class: "number" }, formatFigure(budget.limit, budget.unit)),
    cell("Used", { class: "used-cell" }, usedBar(budget)),
    cell("Baseline", { class: "number dim" }, formatFigure(budget.baseline, budget.unit)),
  );
}

export function budgetsPart(report, timelineOf) {
  if (!report.budgets?.length) return null;
  const rows = [...report.budgets].sort((a, b) => ORDER_OF_BUDGETS.indexOf(a.state) - ORDER_OF_BUDGETS.indexOf(b.state));
  const head = [["", ""], ["Budget", ""], ["Rank", ""], ["Actual", "number"], ["Limit", "number"], ["Used", ""], ["Baseline", "number"]];
  return el(
    "div",
    { class: "card scroll-x", tabindex: "0", role: "group", "aria-label": "Table of budgets" },
    el("table", { class: "budgets stacked" }, el("thead", {}, el("tr", {}, head.map(([text, kind]) => el("th", { class: kind || null, scope: "col" }, text || el("span", { class: "visually-hidden" }, "State"))))), el("tbody", {}, rows.map((b) => budgetRow(b, timelineOf)))),
  );
}
