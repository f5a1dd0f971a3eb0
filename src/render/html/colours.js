// SPDX-License-Identifier: MIT
// The colours of a timeline's classes as pixels. They come with the data, so that a call site has
// the colour here that it has in every picture; what is drawn beside them is in page.css.
import { themeColor } from "./theme.js";

export function parseColour(css) {
  const m = /^#([0-9a-f]{6})$/i.exec(css);
  return m ? parseInt(m[1], 16) : 0x808080;
}

export function mixColours(a, b, share) {
  const part = (shift) => Math.round(((a >> shift) & 255) * (1 - share) + ((b >> shift) & 255) * share) << shift;
  return part(16) | part(8) | part(0);
}

// 0xRRGGBB as a word of ImageData (little-endian: A, B, G, R).
export function pixelOf(rgb) {
  return (0xff000000 | ((rgb & 255) << 16) | (rgb & 0xff00) | (rgb >> 16)) >>> 0;
}

export const cssColour = (rgb) => `#${rgb.toString(16).padStart(6, "0")}`;

function luminance(rgb) {
  const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(((rgb >> 16) & 255) / 255) + 0.7152 * linear(((rgb >> 8) & 255) / 255) + 0.0722 * linear((rgb & 255) / 255);
}

// Dark or white, whichever reads better on the colour.
export function textOn(rgb) {
  const ground = luminance(rgb) + 0.05;
  return ground / (luminance(0x14171c) + 0.05) > 1.05 / ground ? "#14171c" : "#ffffff";
}

const SEAM_SHARE = 120 / 255; // a hair line that tells neighbours apart and does not shout
const DIM_SHARE = 0.86; // what does not match a search

// {rgb: classes' colours, and as pixels: plain, seam, dim, reserved, ground}.
export function timelineColours(data, kind) {
  const dark = document.documentElement.dataset.theme === "dark";
  const rgb = data.kinds[kind][dark ? "dark" : "light"];
  const seam = parseColour(themeColor("--seam"));
  const surface = parseColour(themeColor("--surface"));
  const grey = mixColours(parseColour(themeColor("--other")), surface, 0.3);
  const pixels = (fn) => Uint32Array.from(rgb, (c) => pixelOf(fn(c)));
  return {
    rgb,
    plain: pixels((c) => c),
    seam: pixels((c) => mixColours(c, seam, SEAM_SHARE)),
    dim: pixels((c) => mixColours(mixColours(c, grey, 0.75), surface, DIM_SHARE - 0.36)),
    dimSeam: pixels((c) => mixColours(mixColours(c, grey, 0.75), surface, 0.8)),
    reserved: pixelOf(parseColour(themeColor("--reserved-fill"))),
    ground: pixelOf(surface),
    mark: pixelOf(parseColour(themeColor("--text"))),
  };
}
