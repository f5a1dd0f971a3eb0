// SPDX-License-Identifier: MIT
// Ticks of axes: round numbers of events, of bytes (powers of two) and of time, and how they are
// written. The rules are those of the pictures (axis.c).
import { formatCount } from "./numbers.js";

const SECOND = 1e9;
const CLOCK_STEPS = [15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400].map((s) => s * SECOND);
const BYTE_UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

export function countStep(span, most) {
  for (let power = 1; ; power *= 10) for (const factor of [1, 2, 5]) if (span / (power * factor) <= most) return power * factor;
}

export function byteStep(span, most) {
  let step = 1;
  while (span / step > most) step *= 2;
  return step;
}

export function timeStep(span, most) {
  const decimal = countStep(span, most);
  if (decimal <= 10 * SECOND) return decimal;
  for (const step of CLOCK_STEPS) if (span / step <= most) return step;
  const day = 86400 * SECOND;
  return countStep(span / day, most) * day;
}

const trimmed = (value, digits) => String(Number(value.toFixed(digits)));

// "1.5 GiB" of a multiple of a power of two; finer steps get as many digits as tell them apart.
export function byteLabel(bytes, step) {
  if (bytes === 0) return "0";
  let unit = 0;
  while (unit < 6 && bytes >= 1024 ** (unit + 1)) unit++;
  const digits = Math.min(9, Math.max(0, Math.ceil(-Math.log10(step / 1024 ** unit) + 0.7)));
  return `${trimmed(bytes / 1024 ** unit, Math.max(step ? digits : 3, 0))} ${BYTE_UNITS[unit]}`;
}

export function timeLabel(ns, step) {
  if (ns === 0) return "0";
  const two = (v) => String(v).padStart(2, "0");
  if (step >= 15 * SECOND) {
    const t = Math.round(ns / SECOND);
    if (step >= 3600 * SECOND) return `${t / 3600} h`;
    if (step >= 60 * SECOND && t < 3600) return `${t / 60} min`;
    return t < 3600 ? `${Math.floor(t / 60)}:${two(t % 60)} min` : `${Math.floor(t / 3600)}:${two(Math.floor(t / 60) % 60)} h`;
  }
  if (step >= SECOND / 100) return `${trimmed(ns / SECOND, 3)} s`;
  if (step >= 10000) return `${trimmed(ns / 1e6, 3)} ms`;
  return `${trimmed(ns / 1000, 3)} us`;
}

// [{at, label}] within from … to, about one for every `room` of the pixels.
export function axisTicks(kind, from, to, pixels, room) {
  const most = Math.max(2, Math.floor(pixels / room));
  const span = to - from;
  const step = kind === "bytes" ? byteStep(span, most) : kind === "time" ? timeStep(span, most) : countStep(span, most);
  const label = kind === "bytes" ? (v) => byteLabel(v, step) : kind === "time" ? (v) => timeLabel(v, step) : formatCount;
  const ticks = [];
  for (let at = Math.ceil(from / step) * step; at <= to && ticks.length <= most + 1; at += step) ticks.push({ at, label: label(at) });
  return ticks;
}
