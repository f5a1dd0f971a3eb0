// SPDX-License-Identifier: MIT
// Who holds the peak of a rank: its largest call sites, as bars of what is requested there.
import { bdi, el } from "./dom.js";
import { formatBytes, formatCount } from "./numbers.js";
import { writeRoute } from "./router.js";

// The rank with the highest peak is what a reader asks about first.
export function highestFirst(tops, ranks) {
  const peak = (top) => ranks.find((r) => r.label === top.label)?.peak_requested ?? 0;
  return [...tops].filter((t) => t.sites?.length).sort((a, b) => peak(b) - peak(a));
}

function siteRow(site, most, whole) {
  return el(
    "li",
    { class: "holder" },
    el("div", { class: "holder-name" }, bdi(site.function, { class: "mono" }, 120), site.place ? bdi(site.place, { class: "note mono" }, 160) : null),
    el("div", { class: "pair-track", "aria-hidden": "true" }, el("span", { class: "pair-fill", style: { width: `${most ? (site.bytes / most) * 100 : 0}%` } })),
    el("div", { class: "holder-value" }, formatBytes(site.bytes)),
    el("div", { class: "holder-share dim" }, whole ? `${((site.bytes / whole) * 100).toFixed(1)} %` : "", el("span", {}, ` \u00b7 ${formatCount(site.count)}\u00d7`)),
  );
}

export function holdersPart(report, timelineOf) {
  const tops = highestFirst(report.top ?? [], report.ranks ?? []);
  if (!tops.length) return null;
  const list = el("ol", { class: "holders" });
  const more = el("p", { class: "note holders-note" });
  function show(label) {
    const top = tops.find((t) => t.label === label);
    const whole = report.ranks.find((r) => r.label === label)?.peak_requested ?? 0;
    const most = Math.max(...top.sites.map((s) => s.bytes));
    const named = top.sites.reduce((sum, s) => sum + s.bytes, 0);
    const place = timelineOf(top.rank, top.device);
    list.replaceChildren(...top.sites.map((s) => siteRow(s, most, whole)));
    more.replaceChildren(whole > named ? `${formatBytes(whole - named)} of the ${formatBytes(whole)} at the peak are held elsewhere. ` : "", place ? el("a", { href: writeRoute(place) }, "See all of it in the timeline") : "");
  }
  show(tops[0].label);
  const choose = tops.length > 1 ? el("select", { "aria-label": "Rank", onchange: (event) => show(event.target.value) }, tops.map((t) => el("option", { value: t.label }, t.label))) : null;
  return el("div", { class: "card holders-card" }, choose ? el("div", { class: "toolbar finding-tools" }, choose) : null, list, more);
}
