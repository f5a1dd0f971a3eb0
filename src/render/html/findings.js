// SPDX-License-Identifier: MIT
// All findings, to be narrowed by severity, rule, rank and words; each opens to its evidence.
import { bdi, el, icon, visibleText } from "./dom.js";
import { formatFigure } from "./numbers.js";
import { writeRoute } from "./router.js";
import { stateBadge } from "./shell.js";

const AT_ONCE = 60;
const SEVERITIES = [["error", "Errors"], ["warning", "Warnings"], ["note", "Notes"]];
const CHEVRON = "M6 3.3 10.7 8 6 12.7l-1-1L8.7 8 5 4.3z";

// The ranks that a text such as "0, 2-5" names, at most `most` of them.
export function parseRanks(text, most = 100000) {
  const ranks = new Set();
  for (const [, from, to] of String(text ?? "").matchAll(/(\d+)(?:\s*-\s*(\d+))?/g)) {
    for (let r = Number(from); r <= Number(to ?? from) && ranks.size < most; r++) ranks.add(r);
  }
  return ranks;
}

// Whether a finding passes a filter {severity, rule, rank, words}; what is "" or null does not filter.
export function findingMatches(finding, filter) {
  if (filter.severity && finding.severity !== filter.severity) return false;
  if (filter.rule && finding.rule !== filter.rule) return false;
  if (filter.rank !== "" && filter.rank !== null && !parseRanks(finding.ranks).has(Number(filter.rank))) return false;
  if (!filter.words) return true;
  const place = finding.place ? `${finding.place.function} ${finding.place.file}:${finding.place.line}` : "";
  const text = `${finding.message} ${finding.rule} ${place} ${finding.input ?? ""}`.toLowerCase();
  return filter.words.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

function placeText(place) {
  const file = place.file.split("/").pop();
  return `${place.function ? `${place.function} ` : ""}${file}${place.line ? `:${place.line}` : ""}`;
}

// Its place in the program, else the file that shows it.
function whereText(finding) {
  if (finding.place) return placeText(finding.place);
  return finding.input ? `${finding.input}${finding.input_line ? `:${finding.input_line}` : ""}` : "";
}

function fact(name, ...value) {
  return value.length && value[0] !== null ? el("div", { class: "fact" }, el("dt", {}, name), el("dd", {}, value)) : null;
}

function evidence(finding, timelineOf, files) {
  const links = [...parseRanks(finding.ranks, 64)].map((rank) => [rank, timelineOf(rank)]).filter(([, place]) => place);
  const place = finding.place;
  return el(
    "div",
    { class: "evidence" },
    finding.details?.length ? el("ul", {}, finding.details.map((text) => el("li", {}, bdi(text, {}, 1000)))) : null,
    el(
      "dl",
      { class: "finding-facts" },
      place ? fact("Place", bdi(`${place.file}${place.line ? `:${place.line}` : ""}`, { class: "mono" }, 300), place.function ? [" in ", bdi(place.function, { class: "mono" }, 160)] : null) : null,
      finding.metric ? fact(finding.metric.replaceAll("_", " "), formatFigure(finding.actual, finding.unit), finding.limit !== null && finding.limit !== undefined ? `, limit ${formatFigure(finding.limit, finding.unit)}` : null) : null,
      finding.input ? fact("Seen in", bdi(finding.input, { class: "mono" }, 200), finding.input_line ? `, line ${finding.input_line}` : null) : null,
      links.length ? fact("Timeline", links.map(([rank, to], i) => [i ? ", " : null, el("a", { href: writeRoute(to) }, `rank ${rank}`)]).flat()) : null,
      fact("Rule", el("code", {}, finding.rule), el("span", { class: "dim" }, "  mlviz explain ", finding.rule)),
      finding.picture && files.includes(`${finding.picture}.svg`) ? fact("Picture", el("a", { href: `${encodeURIComponent(finding.picture)}.svg` }, `${finding.picture}.svg`), el("span", { class: "dim" }, " beside this page")) : null,
      finding.fingerprint ? fact("Fingerprint", el("code", {}, String(finding.fingerprint))) : null,
    ),
  );
}

function findingItem(finding, timelineOf, files) {
  const body = el("div", {});
  const item = el(
    "details",
    { class: `finding state-${finding.severity}`, ontoggle: () => item.open && !body.firstChild && body.append(evidence(finding, timelineOf, files)) },
    el(
      "summary",
      {},
      icon(CHEVRON, { class: "icon chevron" }),
      stateBadge(finding.severity),
      el("span", { class: "finding-text" }, bdi(finding.message, { class: "finding-message" }, 500), whereText(finding) ? bdi(whereText(finding), { class: "mono finding-place" }, 90) : null),
      el("span", { class: "finding-ranks" }, finding.ranks ? [/[,-]/.test(finding.ranks) ? "ranks " : "rank ", bdi(finding.ranks, {}, 40)] : null),
      el("span", { class: "finding-rule" }, finding.rule),
    ),
    body,
  );
  return item;
}

function choice(label, options, onchange) {
  return el("select", { "aria-label": label, onchange: (event) => onchange(event.target.value) }, options.map(([value, text]) => el("option", { value }, text)));
}

export function findingsPart(report, timelineOf) {
  const findings = report.findings ?? [];
  if (!findings.length) return el("p", { class: "card empty" }, "Nothing was found.");
  const filter = { severity: "", rule: "", rank: "", words: "" };
  const list = el("div", { class: "finding-list" });
  const status = el("p", { class: "note finding-status", role: "status" });
  let shown = AT_ONCE;

  function show() {
    const matching = findings.filter((f) => findingMatches(f, filter));
    list.replaceChildren(...matching.slice(0, shown).map((f) => findingItem(f, timelineOf, report.files ?? [])));
    if (!matching.length) list.append(el("p", { class: "empty" }, "No finding is left by this filter."));
    if (matching.length > shown) list.append(el("button", { type: "button", class: "button show-more", onclick: () => ((shown += 500), show()) }, `Show ${Math.min(500, matching.length - shown)} more of ${matching.length - shown}`));
    status.textContent = matching.length === findings.length ? "" : `${matching.length} of ${findings.length}`;
  }
  function set(name, value) {
    filter[name] = value;
    shown = AT_ONCE;
    show();
  }

  const count = (severity) => findings.filter((f) => f.severity === severity).length;
  const segments = [["", "All", findings.length], ...SEVERITIES.map(([s, t]) => [s, t, count(s)])].filter(([s, , n]) => !s || n);
  const buttons = segments.map(([severity, text, n]) =>
    el("button", { type: "button", class: "segment", "aria-pressed": String(severity === ""), onclick: () => (buttons.forEach((b, i) => b.setAttribute("aria-pressed", String(segments[i][0] === severity))), set("severity", severity)) }, text, el("span", { class: "dim" }, String(n))),
  );
  const rules = [...new Set(findings.map((f) => f.rule))];
  const ranks = [...new Set(findings.flatMap((f) => [...parseRanks(f.ranks, 4096)]))].sort((a, b) => a - b);
  show();
  return el(
    "div",
    { class: "card findings" },
    el(
      "div",
      { class: "toolbar finding-tools no-print" },
      el("div", { class: "segmented", role: "group", "aria-label": "Severity" }, buttons),
      rules.length > 1 ? choice("Rule", [["", "All rules"], ...rules.map((r) => [r, visibleText(r)])], (v) => set("rule", v)) : null,
      ranks.length > 1 ? choice("Rank", [["", "All ranks"], ...ranks.map((r) => [String(r), `rank ${r}`])], (v) => set("rank", v)) : null,
      el("input", { type: "search", class: "grow", placeholder: "Function, file, words", "aria-label": "Words in a finding", oninput: (event) => set("words", event.target.value.trim()) }),
      status,
    ),
    list,
  );
}
