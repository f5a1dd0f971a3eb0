// SPDX-License-Identifier: MIT
// The first thing a reader sees of a report: what is wrong, where, and what to do; then how the
// ranks compare, what changed, every finding, the budgets, and what all of it was read from.
import { budgetsPart } from "./budgets.js";
import { verdictCards } from "./cards.js";
import { changesPart } from "./changes.js";
import { bdi, el } from "./dom.js";
import { findingsPart } from "./findings.js";
import { holdersPart } from "./holders.js";
import { inputsPart } from "./inputs.js";
import { rankMultiples } from "./multiples.js";
import { formatCount } from "./numbers.js";
import { stateIcon } from "./shell.js";

function plural(n, one, many = `${one}s`) {
  return `${formatCount(n)} ${n === 1 ? one : many}`;
}

function lead(report) {
  const ranks = new Set((report.ranks ?? []).map((r) => r.rank)).size;
  const facts = [
    report.inputs?.length ? `${plural(report.inputs.length, "input")}${report.ignored ? `, ${plural(report.ignored, "other file")} ignored` : ""}` : null,
    ranks ? plural(ranks, "rank") : null,
    report.mlviz ? `mlviz ${report.mlviz}` : null,
  ].filter(Boolean);
  return el(
    "section",
    { class: `lead state-${report.state}`, "aria-labelledby": "lead-text" },
    stateIcon(report.state),
    el("p", { class: "lead-text", id: "lead-text" }, bdi(report.headline, {}, 600)),
    el("p", { class: "note" }, facts.join(" \u00b7 "), report.baseline ? [facts.length ? " \u00b7 " : "", "against the baseline ", bdi(report.baseline.name, {}, 80)] : null),
  );
}

// A part with a heading; null where it has nothing to show.
function part(place, title, note, content) {
  if (!content) return null;
  return el("section", { class: "part", id: place, "aria-labelledby": `${place}-title` }, el("div", { class: "part-head" }, el("h2", { id: `${place}-title` }, title), note ? el("p", { class: "note" }, note) : null), content);
}

function leftOut(texts) {
  if (!texts.length) return null;
  return el("section", { class: "part card left-out", "aria-label": "Left out" }, el("h3", {}, "Left out"), el("ul", {}, texts.map((text) => el("li", {}, bdi(text)))));
}

// The parts that the head of the page links to: {place, title, count}.
export function overviewParts(report) {
  const changed = report.baseline && report.changes ? [{ place: "changes", title: "What changed" }] : [];
  const budgets = report.budgets?.length ? [{ place: "budgets", title: "Budgets", count: report.budgets.length }] : [];
  const findings = report.findings?.length ? [{ place: "findings", title: "Findings", count: report.findings.length }] : [];
  return [{ place: "overview", title: "Overview" }, ...findings, ...changed, ...budgets, { place: "inputs", title: "Inputs", count: report.inputs?.length }];
}

// `timelineOf(rank, device)` is the place of a timeline, or null; `leftOutOfPage` are sentences.
export function overview(report, timelineOf, leftOutOfPage) {
  const by = report.ranks?.find((r) => r.series)?.series.by;
  return el(
    "div",
    { class: "column overview" },
    el("div", { id: "overview" }, lead(report), verdictCards(report, timelineOf)),
    part("ranks", "Memory by rank", by ? `One scale for all; along ${by === "event" ? "the events of each recording" : "time since the beginning of each recording"}` : null, rankMultiples(report, timelineOf)),
    part("findings", "Findings", "The most important first", findingsPart(report, timelineOf)),
    part("changes", "What changed", report.baseline ? ["A is ", bdi(report.baseline.name, {}, 80), ", B is this run"] : null, report.baseline ? changesPart(report) : null),
    part("holders", "Who holds the peak", "By call site, of what is requested", holdersPart(report, timelineOf)),
    part("budgets", "Budgets", null, budgetsPart(report, timelineOf)),
    part("inputs", "Inputs", report.ignored ? `${plural(report.ignored, "other file")} beside them ${report.ignored === 1 ? "is" : "are"} of no kind that mlviz reads` : null, inputsPart(report)),
    leftOut([...(report.cut ?? []), ...leftOutOfPage]),
  );
}
