// SPDX-License-Identifier: MIT
// Verdict cards: one question each, with its answer and the evidence. The worst stand first.
import { bdi, el, evenColumns } from "./dom.js";
import { stateBadge } from "./shell.js";

const ORDER_OF_STATES = ["error", "warning", "unknown", "good"];
const FEW_DETAILS = 3;

function detailList(details) {
  const items = details.map((text) => el("li", {}, bdi(text)));
  if (items.length <= FEW_DETAILS) return el("ul", { class: "card-details" }, items);
  return [
    el("ul", { class: "card-details" }, items.slice(0, FEW_DETAILS)),
    el("details", { class: "more" }, el("summary", {}, `${items.length - FEW_DETAILS} more`), el("ul", { class: "card-details" }, items.slice(FEW_DETAILS))),
  ];
}

function verdictCard(card) {
  return el(
    "article",
    { class: `card verdict state-${card.state}` },
    el("div", { class: "verdict-head" }, el("h3", {}, bdi(card.title, {}, 80)), stateBadge(card.state)),
    el("p", { class: "verdict-headline" }, bdi(card.headline, {}, 300)),
    card.details?.length ? detailList(card.details) : null,
  );
}

export function verdictCards(report) {
  const cards = [...(report.cards ?? [])].sort((a, b) => ORDER_OF_STATES.indexOf(a.state) - ORDER_OF_STATES.indexOf(b.state));
  return cards.length ? el("div", { class: "cards", role: "group", "aria-label": "Verdicts", style: { "--columns": evenColumns(cards.length) } }, cards.map(verdictCard)) : null;
}
