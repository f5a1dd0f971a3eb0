// SPDX-License-Identifier: MIT
// The script of a flame graph's SVG: hover tells, a click zooms, a field searches. It reads the
// graph from the metadata element, draws it anew in place of the bars that are there for those who run no
// script, and puts whatever came from a file into text nodes and nowhere else.
(() => {
"use strict";

const SVG = "http://www.w3.org/2000/svg", HTML = "http://www.w3.org/1999/xhtml";
const svg = document.documentElement;
const d = JSON.parse(document.getElementById("flame-data").textContent);
const names = d.names, raw = d.nodes.split(" ").map(Number);

// ---- the graph ------------------------------------------------------------

const nodes = [];
for (let i = 0; i < raw.length; i += 5) {
  const name = raw[i + 1] * 3;
  const node = {
    parent: nodes[raw[i]] || null, name: names[name], color: names[name + 1], ink: names[name + 2],
    total: raw[i + 2], self: raw[i + 3], hidden: raw[i + 4], children: [], depth: 0, found: false,
  };
  if (node.parent) {
    node.depth = node.parent.depth + 1;
    node.parent.children.push(node);
  }
  nodes.push(node);
}
const root = nodes[0];
for (const n of nodes) n.children.sort((a, b) => b.total - a.total);

// ---- words, as mlviz itself writes them -------------------------------------

function bytes(v) {
  const units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
  if (v < 1024) return v + " B";
  for (let i = 0; ; i++) {
    v /= 1024;
    const text = v.toFixed(i < 2 ? 1 : 2);
    if (Number(text) < 1024 || i === 5) return text + " " + units[i];
  }
}

function duration(ns) {
  if (ns < 1000) return ns + " ns";
  for (const [unit, one] of [["us", 1e3], ["ms", 1e6]]) {
    if (Math.round(ns / one) >= 1000) continue;
    return (ns / one).toFixed(Math.round(ns / one * 10) < 100 ? 1 : 0) + " " + unit;
  }
  if (ns < 59995e6) return (ns / 1e9).toFixed(2) + " s";
  const two = (v, big, small, each) =>
    Math.floor(v / each) + " " + big + " " + String(v % each).padStart(2, "0") + " " + small;
  const s = Math.round(ns / 1e9), min = Math.round(ns / 60e9), h = Math.round(ns / 3600e9);
  return s < 3600 ? two(s, "min", "s", 60) : min < 1440 ? two(min, "h", "min", 60)
                                                        : two(h, "d", "h", 24);
}

function count(v) {
  return String(v).replace(/\B(?=(\d{3})+$)/g, " ");
}

const words = { bytes, ns: duration, count }[d.unit];
const share = (v, of) => (of ? v * 100 / of : 0).toFixed(1) + " %";

// ---- drawing --------------------------------------------------------------

function make(ns, name, attributes, parent, text) {
  const e = document.createElementNS(ns, name);
  for (const key in attributes) e.setAttribute(key, attributes[key]);
  if (text !== undefined) e.textContent = text;
  if (parent) parent.appendChild(e);
  return e;
}

const pen = document.createElementNS(HTML, "canvas").getContext("2d");
pen.font = "11px 'DejaVu Sans', Verdana, Arial, sans-serif";
const width = text => pen.measureText(text).width;

// The beginning of a text that fits. A long one is cut first: measuring costs.
function fit(text, room) {
  if (text.length < room && width(text) <= room) return text;
  let lo = 0, hi = Math.min(text.length, Math.ceil(room / 2));
  while (lo < hi) {
    const mid = (lo + hi + 1) >> 1;
    if (width(text.slice(0, mid) + "\u2026") <= room) lo = mid; else hi = mid - 1;
  }
  return lo > 1 ? text.slice(0, lo).trimEnd() + "\u2026" : "";
}

const still = document.getElementById("flame");
const bars = make(SVG, "g", { id: "flame-live" });
still.parentNode.replaceChild(bars, still);
const foot = make(SVG, "g", {}, svg);
make(SVG, "rect", { x: d.x, y: d.foot - 14, width: d.right - d.x, height: 20, fill: d.theme.ground }, foot);
const line = make(SVG, "text", { x: d.x, y: d.foot, "font-size": 12, fill: d.theme.text, id: "flame-line" }, foot);

let zoomed = root, first = 0; // the row that is drawn at the root's place

function y(row) {
  return d.y + (d.inverted ? row : d.rows - 1 - row) * d.row;
}

function bar(row, x0, x1, node, text, rest) {
  const x = Math.round(x0), w = Math.max(Math.round(x1) - x, 0);
  if (w <= 0 || row < 0 || row >= d.rows) return;
  const found = node.found && !rest;
  const g = make(SVG, "g", { class: rest ? "rest" : "node", style: "cursor:pointer" }, bars);
  g.node = node;
  g.rest = rest;
  const r = make(SVG, "rect", {
    x: d.x + x, y: y(row), width: w > 3 ? w - 1 : w, height: d.row - 1,
    fill: found ? d.theme.mark : rest ? d.theme.rest : node.color,
  }, g);
  if (!rest && node.depth < zoomed.depth) r.setAttribute("fill-opacity", 0.55);
  if (w < 26) return;
  const shown = fit(text, w - 8);
  if (shown) make(SVG, "text", {
    x: d.x + x + 4, y: y(row) + 12.5, "font-size": 11, "pointer-events": "none",
    fill: found ? d.theme.ground : rest ? d.theme.dim
                : node.depth < zoomed.depth ? d.theme.text : node.ink,
  }, g, shown);
}

// The children of a node from x0 on; what is too narrow, or is not in the file, is one rest.
function draw_children(node, x0, scale, todo) {
  let x = x0, narrow = node.hidden, rest = node.total - node.self;
  const row = node.depth + 1 - first;
  for (const c of node.children) {
    const w = c.total * scale;
    if (w < d.least) {
      narrow++;
      continue;
    }
    rest -= c.total;
    bar(row, x, x + w, c, c.name, null);
    todo.push([c, x]);
    x += w;
  }
  if (narrow) bar(row, x, x + rest * scale, node, narrow + " narrower", { narrow, value: rest });
}

function draw() {
  bars.textContent = "";
  // Where stacks are deeper than the picture, the outermost callers make room.
  first = Math.max(0, zoomed.depth - (d.rows >> 1));
  for (let n = zoomed.parent; n && n.depth >= first + (first > 0); n = n.parent)
    bar(n.depth - first, 0, d.width, n, n.name, null);
  if (first) bar(0, 0, d.width, root, first + 1 + " callers are not shown: click for all", { narrow: first + 1, value: root.total });
  bar(zoomed.depth - first, 0, d.width, zoomed, zoomed.name, null);
  const scale = d.width / (zoomed.total || 1), todo = [[zoomed, 0]];
  while (todo.length) {
    const [node, x] = todo.pop();
    if (node.depth + 1 - first < d.rows) draw_children(node, x, scale, todo);
  }
  button.style.display = zoomed === root ? "none" : "";
}

// ---- what the pointer rests on ----------------------------------------------

function tell(g) {
  const node = g.node, rest = g.rest;
  if (rest) return (rest.narrow + " in " + node.name) + ": " + words(rest.value) + ", " + share(rest.value, root.total);
  let text = words(node.total) + ", " + share(node.total, root.total) + " of all";
  if (node.parent && node.parent !== root) text += ", " + share(node.total, node.parent.total) + " of its caller";
  if (node.self && node.children.length) text += ", " + words(node.self) + " by itself";
  return text;
}

function rest_on(g) {
  if (!g) {
    line.textContent = hint;
    return;
  }
  const text = tell(g);
  line.textContent = g.rest ? text : fit(g.node.name, (d.right - d.x) * 0.85 - width(text)) + "  \u2014  " + text;
  // The whole name, as the browser shows it.
  if (!g.querySelector("title")) make(SVG, "title", {}, g, g.rest ? text : g.node.name + "\n" + text);
}

const owner = e => e.target.closest ? e.target.closest("g.node, g.rest") : null;
bars.addEventListener("mouseover", e => rest_on(owner(e)));
bars.addEventListener("mouseout", () => rest_on(null));
bars.addEventListener("click", e => {
  const g = owner(e);
  if (g) zoom(g.node);
});

function zoom(node) {
  zoomed = node;
  draw();
}

// ---- search -----------------------------------------------------------------

const tools = make(SVG, "g", { id: "flame-tools" }, svg);
make(SVG, "rect", { x: d.right - 346, y: 12, width: 346, height: 40, fill: d.theme.ground }, tools); // over a long title
const box = make(SVG, "foreignObject", { x: d.right - 250, y: 18, width: 250, height: 30 }, tools);
const field = make(HTML, "input", {
  type: "search", placeholder: "search functions and files", "aria-label": "search", id: "flame-search",
  style: "box-sizing:border-box;width:100%;height:26px;padding:0 8px;font:12px DejaVu Sans,sans-serif;" +
    "border:1px solid " + d.theme.dim + ";border-radius:4px;background:" + d.theme.ground + ";color:" + d.theme.text,
}, box);
const sum = make(SVG, "text", {
  x: d.right, y: 64, "text-anchor": "end", "font-size": 12, fill: d.theme.mark, id: "flame-sum",
}, tools);
const button = make(SVG, "g", { id: "flame-reset", style: "cursor:pointer;display:none" }, tools);
make(SVG, "rect", { x: d.right - 340, y: 19, width: 78, height: 24, rx: 4, fill: d.theme.rest }, button);
make(SVG, "text", { x: d.right - 301, y: 35, "text-anchor": "middle", "font-size": 12, fill: d.theme.text }, button, "zoom out");
button.addEventListener("click", () => zoom(root));

// What is below a match is part of it, and counts once.
function search(text) {
  const wanted = text.toLowerCase();
  let total = 0, n = 0;
  const within = new Set();
  for (const node of nodes) {
    node.found = wanted !== "" && node !== root && node.name.toLowerCase().includes(wanted);
    n += node.found;
    if (node.found && !within.has(node.parent)) total += node.total;
    if (node.found || within.has(node.parent)) within.add(node);
  }
  sum.textContent = wanted === "" ? "" : n ? n + (n === 1 ? " match: " : " matches: ") + words(total) + ", " + share(total, root.total) : "no match";
  draw();
}

field.addEventListener("input", () => search(field.value));
window.addEventListener("keydown", e => {
  if (e.key === "Escape") {
    field.value = "";
    search("");
    zoom(root);
  } else if (e.key === "/" && document.activeElement !== field) {
    field.focus();
    e.preventDefault();
  }
});

const hint = "Rest on a bar to see what it is, click to zoom into it, press / to search and Escape to begin anew.";
rest_on(null);
draw();
})();
