// SPDX-License-Identifier: MIT
// Numbers as mlviz writes them everywhere: the same figure looks the same in a picture, in the
// output of a command and here. The other side is base/num.h.

const BINARY = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

// "512 B", "24.0 MiB", "3.11 GiB"
export function formatBytes(bytes) {
  const sign = bytes < 0 ? "-" : "";
  let value = Math.abs(bytes);
  if (value < 1024) return `${sign}${Math.round(value)} B`;
  for (let i = 0; ; i++) {
    value /= 1024;
    const text = value.toFixed(i < 2 ? 1 : 2);
    if (Number(text) < 1024 || i === BINARY.length - 1) return `${sign}${text} ${BINARY[i]}`;
  }
}

// "1 083 150", with spaces that do not break
export function formatCount(n) {
  return String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

// "1 allocation", "12 allocations"
export function formatCountOf(n, one, many = `${one}s`) {
  return `${formatCount(n)} ${n === 1 ? one : many}`;
}

// "45 us", "812 ms", "6.10 s", "3 min 20 s", "2 h 05 min", "4 d 03 h"
export function formatDuration(ns) {
  const sign = ns < 0 ? "-" : "";
  const n = Math.abs(ns);
  const two = (v) => String(v).padStart(2, "0");
  if (n < 1000) return `${sign}${Math.round(n)} ns`;
  for (const [unit, size] of [["us", 1e3], ["ms", 1e6]]) {
    if (Math.round(n / size) >= 1000) continue;
    const tenths = Math.round((n / size) * 10);
    return `${sign}${tenths < 100 ? (tenths / 10).toFixed(1) : Math.round(n / size)} ${unit}`;
  }
  if (Math.round(n / 1e7) < 6000) return `${sign}${(n / 1e9).toFixed(2)} s`;
  const seconds = Math.round(n / 1e9);
  if (seconds < 3600) return `${sign}${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
  const minutes = Math.round(n / 6e10);
  if (minutes < 1440) return `${sign}${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`;
  const hours = Math.round(n / 3.6e12);
  return `${sign}${Math.floor(hours / 24)} d ${two(hours % 24)} h`;
}

// A figure in its unit: "B", "ns", "%" or "" for a number.
export function formatFigure(value, unit) {
  if (value === null || value === undefined) return "\u2013";
  if (unit === "B") return formatBytes(value);
  if (unit === "ns") return formatDuration(value);
  if (unit === "%") return `${value.toFixed(1)} %`;
  const text = Number.isInteger(value) ? formatCount(value) : String(Number(value.toPrecision(4)));
  return unit ? `${text} ${unit}` : text;
}

// A difference in the same unit, with its sign.
export function formatChange(value, unit) {
  return (value > 0 ? "+" : "") + formatFigure(value, unit);
}

// "+76.8 %"; "" where there is nothing to compare with.
export function formatShare(a, b) {
  if (!a || b === null) return "";
  const percent = ((b - a) / a) * 100;
  return `${percent > 0 ? "+" : ""}${percent.toFixed(1)} %`;
}

// Round values for an axis from 0: {step, values}. Bytes are divided by powers of two.
export function roundTicks(most, unit, wanted = 4) {
  if (!(most > 0)) return { step: 1, values: [0] };
  let step;
  if (unit === "B") step = 2 ** Math.ceil(Math.log2(most / wanted));
  else {
    const power = 10 ** Math.floor(Math.log10(most / wanted));
    step = power * [1, 2, 5, 10].find((m) => m * power >= most / wanted);
  }
  const values = [];
  for (let v = 0; v <= most * 1.0001; v += step) values.push(v);
  return { step, values };
}
