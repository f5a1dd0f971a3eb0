// SPDX-License-Identifier: MIT
// The segments of one moment, to scale, as lines of bars: where each lies and how it is drawn. A
// segment that is wider than the map goes on in the next line. Blocks have the colours of the
// timeline; what is free is hollow, and what waits for a stream is hatched, so that states can be
// told without colour.
import { cssColour, textOn } from "./colours.js";
import { shortText, visibleText } from "./dom.js";
import { formatBytes, formatCountOf } from "./numbers.js";
import { themeColor } from "./theme.js";

const BAR_HEIGHT = 20;
const LINE_HEIGHT = 26;
const HEADING_HEIGHT = 24;
const SEGMENT_GAP = 4;
const LEAST_WIDTH = 3;
const LINES_WANTED = 8; // at scale 1

// Who may use segments: one pool and one stream. [{name, segments, bytes, free}]
export function segmentGroups(state, nameOf) {
  const groups = [];
  let last = null;
  for (const segment of state.segments) {
    const { poolOwner, poolId, stream } = segment;
    if (!last || last.poolOwner !== poolOwner || last.poolId !== poolId || last.stream !== stream) groups.push((last = { poolOwner, poolId, stream, segments: [], bytes: 0, free: 0 }));
    last.segments.push(segment);
    last.bytes += segment.bytes;
    last.free += segment.free;
  }
  for (const group of groups) group.name = nameOf(group);
  return groups;
}

// {headings: [{y, group}], pieces: [{x, y, width, segment, from, to}], height}: from and to are
// bytes within the segment. Larger `scale`: more lines.
export function layOutSegments(groups, width, scale) {
  const total = groups.reduce((sum, group) => sum + group.bytes, 0);
  const perPixel = Math.max(1, total / (width * LINES_WANTED * scale));
  const out = { headings: [], pieces: [], perPixel, height: 0 };
  let y = 0;
  for (const group of groups) {
    out.headings.push({ y, group });
    y += HEADING_HEIGHT;
    let x = 0;
    for (const segment of group.segments) {
      const wide = Math.max(LEAST_WIDTH, segment.bytes / perPixel);
      if (x > 0 && x + Math.min(wide, width) > width) {
        x = 0;
        y += LINE_HEIGHT;
      }
      for (let from = 0; from < segment.bytes; ) {
        const to = Math.min(segment.bytes, from + Math.max(1, (width - x) * perPixel));
        const last = to >= segment.bytes;
        const w = last ? Math.min(width - x, Math.max(LEAST_WIDTH, (to - from) / perPixel)) : width - x;
        out.pieces.push({ x, y, width: w, segment, from, to });
        from = to;
        x = last ? x + w + SEGMENT_GAP : 0;
        if (!last) y += LINE_HEIGHT;
      }
    }
    y += LINE_HEIGHT;
  }
  out.height = y;
  return out;
}

// The block at a place of the map; null: there is none.
export function blockAt(layout, x, y) {
  const piece = layout.pieces.find((p) => y >= p.y && y < p.y + BAR_HEIGHT && x >= p.x && x < p.x + p.width);
  if (!piece) return null;
  const { segment } = piece;
  const addr = segment.addr + piece.from + ((x - piece.x) / piece.width) * (piece.to - piece.from);
  let lo = 0;
  let hi = segment.blocks.length;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if (segment.blocks[mid].addr <= addr) lo = mid + 1;
    else hi = mid;
  }
  return lo ? { segment, block: segment.blocks[lo - 1] } : null;
}

function hatching(context, colour, ratio) {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 6 * ratio;
  const c = tile.getContext("2d");
  c.strokeStyle = colour;
  c.lineWidth = 1.6 * ratio;
  for (const shift of [-1, 0, 1]) {
    c.beginPath();
    c.moveTo((shift * 6 - 1) * ratio, 7 * ratio);
    c.lineTo((shift * 6 + 7) * ratio, -1 * ratio);
    c.stroke();
  }
  return context.createPattern(tile, "repeat");
}

function blockLabel(data, block, width, c) {
  if (width < 60) return "";
  const size = formatBytes(block.bytes);
  const forms = block.state === "free" ? [`${size} free`, size] : [`${shortText(data.siteName(data.site[block.alloc]), 60)}  ${size}`, `${shortText(data.kinds.site.names[data.site[block.alloc]], 40)}  ${size}`, size];
  return forms.find((form) => c.measureText(form).width <= width - 10) ?? "";
}

// `look`: {data, colour, search, alloc, ratio}
export function drawSegments(canvas, layout, width, look) {
  const { data, ratio } = look;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(layout.height * ratio);
  const c = canvas.getContext("2d");
  const dark = document.documentElement.dataset.theme === "dark";
  const paint = {
    c,
    colours: Array.from(data.kinds[look.colour][dark ? "dark" : "light"]),
    classOf: data.kinds[look.colour].of,
    hatch: hatching(c, themeColor("--surface"), ratio),
    surface: themeColor("--surface"),
    text: themeColor("--text"),
    dim: themeColor("--text-dim"),
    edge: themeColor("--reserved-line"),
    free: themeColor("--reserved-fill"),
    font: themeColor("--sans") || "sans-serif",
    ...look,
  };
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.clearRect(0, 0, width, layout.height);
  for (const heading of layout.headings) drawHeading(paint, heading, width);
  for (const piece of layout.pieces) drawPiece(paint, piece);
}

function drawHeading(paint, { y, group }, width) {
  const { c } = paint;
  const n = group.segments.length;
  c.font = `500 12px ${paint.font}`;
  c.textBaseline = "middle";
  c.fillStyle = paint.dim;
  const name = visibleText(group.name);
  const what = `${name}: ${formatCountOf(n, "segment")}, ${formatBytes(group.bytes)}`;
  const forms = [`${what}, ${formatBytes(group.free)} of it free`, what, name];
  c.fillText(forms.find((form) => c.measureText(form).width <= width) ?? name, 0, y + HEADING_HEIGHT / 2, width);
}

function drawPiece(paint, piece) {
  const { c } = paint;
  const { segment } = piece;
  const start = segment.addr + piece.from;
  const end = segment.addr + piece.to;
  const perByte = piece.width / (piece.to - piece.from);
  c.fillStyle = paint.free;
  c.fillRect(piece.x, piece.y, piece.width, BAR_HEIGHT);
  const snap = (x) => Math.round(x * paint.ratio) / paint.ratio;
  // What is narrower than a pixel first, so that it hides nothing larger.
  for (const narrow of [true, false]) {
    for (const block of segment.blocks) {
      if (block.addr >= end) break;
      if (block.addr + block.bytes <= start) continue;
      const from = snap(piece.x + (Math.max(block.addr, start) - start) * perByte);
      const to = snap(piece.x + (Math.min(block.addr + block.bytes, end) - start) * perByte);
      if ((to - from) * paint.ratio < 1 !== narrow) continue;
      drawBlock(paint, block, { x: from, y: piece.y, width: Math.max(to - from, 1 / paint.ratio), begins: block.addr >= start, ends: block.addr + block.bytes <= end });
    }
  }
  drawOutline(paint, piece);
}

// Open at the side at which the segment goes on in another line.
function drawOutline({ c, edge }, { x, y, width, segment, from, to }) {
  const right = x + Math.max(1, width);
  c.fillStyle = edge;
  c.fillRect(x, y, right - x, 1);
  c.fillRect(x, y + BAR_HEIGHT - 1, right - x, 1);
  if (from === 0) c.fillRect(x, y, 1, BAR_HEIGHT);
  if (to >= segment.bytes) c.fillRect(right - 1, y, 1, BAR_HEIGHT);
}

// `part` is what of the block lies in one line: {x, y, width, begins, ends}.
function drawBlock(paint, block, { x, y, width, begins, ends }) {
  const { c, data } = paint;
  const live = block.alloc >= 0;
  c.font = `11px ${paint.font}`;
  if (live) {
    const rgb = paint.colours[paint.classOf[block.alloc]];
    const lit = !paint.search || paint.search[block.alloc] === 1;
    c.globalAlpha = lit ? 1 : 0.18;
    c.fillStyle = cssColour(rgb);
    c.fillRect(x, y, width, BAR_HEIGHT);
    if (block.state === "pending") {
      c.fillStyle = paint.hatch;
      c.fillRect(x, y, width, BAR_HEIGHT);
    }
    c.globalAlpha = 1;
  }
  if (width > 4 && ends) {
    c.fillStyle = paint.surface;
    c.fillRect(x + width - 1, y, 1, BAR_HEIGHT);
  }
  const label = begins ? blockLabel(data, block, width, c) : "";
  if (label) {
    const lit = live && (!paint.search || paint.search[block.alloc] === 1);
    c.fillStyle = lit && block.state !== "pending" ? textOn(paint.colours[paint.classOf[block.alloc]]) : live ? paint.text : paint.dim;
    c.textBaseline = "middle";
    if (block.state !== "pending") c.fillText(label, x + 5, y + BAR_HEIGHT / 2 + 0.5);
  }
  if (live && block.alloc === paint.alloc) {
    c.strokeStyle = paint.text;
    c.lineWidth = 2;
    c.strokeRect(x + 1, y + 1, Math.max(1, width - 2), BAR_HEIGHT - 2);
  }
}

