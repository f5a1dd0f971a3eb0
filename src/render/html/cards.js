// SPDX-License-Identifier: MIT
// Verdict cards: one question each, with its answer and the evidence. The worst stand first; where
// all is good, a line says so.
import { bdi, el, evenColumns } from "./dom.js";
import { stateBadge, stateIcon } from "./shell.js";

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

function goodCard(card) {
  return el(
    "li",
    { class: "good-card state-good" },
    stateIcon("good"),
    el("span", { class: "visually-hidden" }, "Good: "),
    el("span", {}, el("span", { class: "dim" }, bdi(card.title, {}, 80)), " ", bdi(card.headline, {}, 300), card.details?.length ? el("details", { class: "more" }, el("summary", {}, `${card.details.length} more`), el("ul", { class: "card-details" }, card.details.map((text) => el("li", {}, bdi(text))))) : null),
  );
}

export function verdictCards(report) {
  const cards = [...(report.cards ?? [])].sort((a, b) => ORDER_OF_STATES.indexOf(a.state) - ORDER_OF_STATES.indexOf(b.state));
  const open = cards.filter((card) => card.state !== "good");
  const good = cards.filter((card) => card.state === "good");
  return el(
    "div",
    { class: "verdicts", role: "group", "aria-label": "Verdicts" },
    open.length ? el("div", { class: "cards", style: { "--columns": evenColumns(open.length) } }, open.map(verdictCard)) : null,
    good.length ? el("ul", { class: "card good-cards", style: { "--columns": evenColumns(good.length) } }, good.map(goodCard)) : null,
  );
}
