// SPDX-License-Identifier: MIT
// The memory of every rank as a small picture, all on one scale, so that the odd one out is seen at
// once: what was requested as an area, what was reserved as a line above it. The pointer marks the
// same place in all of them. Each is a link to the timeline of its rank.
import { bdi, el, evenColumns, visibleText } from "./dom.js";
import { formatBytes, formatCount, formatDuration, roundTicks } from "./numbers.js";
import { writeRoute } from "./router.js";
import { onTheme, themeColor } from "./theme.js";

const HEIGHT = 112;
const PAD = { left: 48, right: 8, top: 8, bottom: 6 };

// {most, length}: the largest value of all ranks, and the longest of their axes.
export function commonScale(ranks) {
  let most = 0;
  let length = 0;
  for (const { series } of ranks) {
    if (!series) continue;
    for (const value of series.reserved_most) most = Math.max(most, value);
    for (const value of series.requested_most) most = Math.max(most, value);
    length = Math.max(length, series.x1 - series.x0);
  }
  return { most, length };
}

function prepared(canvas) {
  const ratio = devicePixelRatio || 1;
  const width = canvas.clientWidth;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(HEIGHT * ratio);
  const c = canvas.getContext("2d");
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.font = `10.5px ${getComputedStyle(canvas).fontFamily}`;
  return { c, width };
}

// A path of steps over `values`, each as wide as its share of the series.
function steps(c, values, place) {
  const w = place.seriesWidth / values.length;
  values.forEach((value, i) => {
    c.lineTo(place.x0 + i * w, place.y(value));
    c.lineTo(place.x0 + (i + 1) * w, place.y(value));
  });
}

function drawGrid(c, place, scale, width) {
  c.textAlign = "right";
  c.textBaseline = "middle";
  for (const value of roundTicks(scale.most, "B", 3).values) {
    const y = Math.round(place.y(value)) + 0.5;
    c.fillStyle = themeColor(value ? "--grid" : "--line-strong");
    c.fillRect(PAD.left, y - 0.5, width - PAD.left - PAD.right, 1);
    c.fillStyle = themeColor("--text-dim");
    c.fillText(value ? formatBytes(value).replace(/\.0+ /, " ") : "0", PAD.left - 6, Math.max(y, 8));
  }
}

function drawPeak(c, place, rank) {
  const values = rank.series.requested_most;
  const most = Math.max(...values);
  const at = values.indexOf(most);
  const x = place.x0 + ((at + 0.5) * place.seriesWidth) / values.length;
  c.fillStyle = themeColor("--surface");
  c.strokeStyle = themeColor(rank.oom ? "--error" : "--axis");
  c.lineWidth = 1.75;
  c.beginPath();
  c.arc(x, place.y(most), 3.25, 0, Math.PI * 2);
  c.fill();
  c.stroke();
}

function drawPointer(c, place, share, height) {
  const x = Math.round(place.x0 + share * place.width) + 0.5;
  c.fillStyle = themeColor("--axis");
  c.fillRect(x - 0.5, PAD.top, 1, height);
}

function draw(canvas, rank, scale, share) {
  const { c, width } = prepared(canvas);
  const inner = HEIGHT - PAD.top - PAD.bottom;
  const place = { x0: PAD.left, width: width - PAD.left - PAD.right, y: (v) => PAD.top + inner * (1 - (scale.most ? v / scale.most : 0)) };
  place.seriesWidth = scale.length ? (place.width * (rank.series.x1 - rank.series.x0)) / scale.length : place.width;
  drawGrid(c, place, scale, width);
  c.beginPath();
  c.moveTo(place.x0, place.y(0));
  steps(c, rank.series.requested_most, place);
  c.lineTo(place.x0 + place.seriesWidth, place.y(0));
  c.fillStyle = themeColor("--accent-fill");
  c.globalAlpha = 0.85;
  c.fill();
  c.globalAlpha = 1;
  c.beginPath();
  steps(c, rank.series.reserved_most, place);
  c.strokeStyle = themeColor("--reserved-line");
  c.lineWidth = 1.5;
  c.stroke();
  drawPeak(c, place, rank);
  if (share !== null) drawPointer(c, place, share, inner);
}

// What stands at that share of the common axis: {requested, reserved}, or null beyond its end.
export function valuesAt(series, scale, share) {
  const own = scale.length ? (share * scale.length) / (series.x1 - series.x0 || 1) : share;
  const n = series.requested_most.length;
  const i = Math.min(n - 1, Math.floor(own * n));
  return own < 0 || own > 1 || !n ? null : { requested: series.requested_most[i], reserved: series.reserved_most[i] };
}

function tags(rank) {
  const list = [];
  if (rank.oom) list.push(el("span", { class: "tag state-error" }, "out of memory"));
  if (rank.growth && rank.cumulative_bytes_per_step > 0) list.push(el("span", { class: "tag state-error" }, `grows ${formatBytes(rank.cumulative_bytes_per_step)} a step`));
  if (rank.collective_wait_ns) list.push(el("span", { class: "tag state-note" }, `waits ${formatDuration(rank.collective_wait_ns)}`));
  return list;
}

function atRest(rank) {
  const share = rank.capacity ? ` of ${formatBytes(rank.capacity)}` : "";
  return [el("span", { class: "key-requested" }, `peak ${formatBytes(rank.peak_requested)}`), el("span", { class: "key-reserved" }, `reserved ${formatBytes(rank.peak_reserved)}${share}`)];
}

function atPointer(rank, scale, share) {
  const at = valuesAt(rank.series, scale, share);
  if (!at) return ["beyond its end"];
  return [el("span", { class: "key-requested" }, `here ${formatBytes(at.requested)}`), el("span", { class: "key-reserved" }, `reserved ${formatBytes(at.reserved)}`)];
}

function multiple(rank, place) {
  const name = visibleText(rank.label);
  const canvas = el("canvas", { class: "multiple-canvas", role: "img", "aria-label": `Memory of ${name}: peak ${formatBytes(rank.peak_requested)} requested, ${formatBytes(rank.peak_reserved)} reserved`, style: { height: `${HEIGHT}px` } });
  const figures = el("div", { class: "multiple-figures" }, atRest(rank));
  const body = [el("div", { class: "multiple-head" }, el("h3", {}, bdi(rank.label, {}, 40)), el("div", { class: "tags" }, tags(rank))), canvas, figures];
  const element = place ? el("a", { class: "card multiple", href: writeRoute(place) }, body) : el("div", { class: "card multiple" }, body);
  return { element, canvas, figures, rank };
}

// Draws what is on the screen, and again when its size or the colours change.
function keepDrawn(all, redraw) {
  const visible = new Set();
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      const one = all.find((m) => m.canvas === entry.target);
      if (entry.isIntersecting) visible.add(one), redraw(one);
      else visible.delete(one);
    }
  }, { rootMargin: "200px" });
  const sized = new ResizeObserver((entries) => entries.forEach((e) => redraw(all.find((m) => m.canvas === e.target))));
  for (const one of all) seen.observe(one.canvas), sized.observe(one.canvas);
  onTheme(() => all.forEach(redraw));
  return () => visible.forEach(redraw);
}

export function rankMultiples(report, timelineOf) {
  const ranks = (report.ranks ?? []).filter((r) => r.series?.requested_most?.length);
  if (!ranks.length) return null;
  const scale = commonScale(ranks);
  const all = ranks.map((rank) => multiple(rank, timelineOf(rank.rank, rank.device)));
  let share = null;
  const redrawVisible = keepDrawn(all, (one) => one.canvas.clientWidth && draw(one.canvas, one.rank, scale, share));
  function point(value) {
    share = value;
    for (const one of all) one.figures.replaceChildren(...(share === null ? atRest(one.rank) : atPointer(one.rank, scale, share)));
    redrawVisible();
  }
  const grid = el("div", { class: "multiples", style: { "--columns": evenColumns(all.length) }, onpointerleave: () => point(null) }, all.map((one) => one.element));
  grid.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch" || !(event.target instanceof HTMLCanvasElement)) return share === null ? undefined : point(null);
    const inner = event.target.clientWidth - PAD.left - PAD.right;
    point(Math.min(1, Math.max(0, (event.offsetX - PAD.left) / inner)));
  });
  const events = Math.max(...ranks.map((r) => r.series.x1 - r.series.x0));
  const length = ranks[0].series.by === "event" ? `${formatCount(events)} events` : formatDuration(events);
  return el("div", {}, grid, el("p", { class: "note multiples-key" }, el("span", { class: "key-requested" }, "requested"), el("span", { class: "key-reserved" }, "reserved"), el("span", { class: "key-peak" }, "peak"), el("span", {}, `the full width is ${length}`)));
}
