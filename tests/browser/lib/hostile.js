// SPDX-License-Identifier: MIT
// A small snapshot all of whose names try to be something else: markup, quotes, control characters,
// turns of the direction of writing, links, 10 kB of text.
import { writeFileSync } from "node:fs";
import { artefact } from "./harness.js";

export const HOSTILE_NAMES = [
  "<img src=x onerror=alert(1)>",
  "</script><script>alert(2)</script>",
  "<!--<script>",
  "\"'><svg onload=alert(3)>",
  ["javascript", "alert(4)"].join(":"),
  "&lt;b&gt;&amp;&#60;i&#62;",
  "nul\u0000esc\u001b[31m bell\u0007 del\u007f c1\u0085",
  "line\nfeed\rand\ttab\u2028and\u2029more",
  "\u202egpj.exe\u2066\u2069\u200f",
  "${alert(5)} `{{7*7}}` %s %n",
  "x".repeat(10000),
  "\ud800 half a pair",
  "e\u0301\u0302\u0303\u0304".repeat(400),
  "",
  "__proto__",
  "constructor",
];

const MIB = 1024 ** 2;
const BASE = 0x7f0000000000;

// Path of the file. Each name stands as function, as file, as annotation and as an unknown action.
export function hostileSnapshot() {
  const trace = [];
  let time = 1_700_000_000_000_000;
  const event = (action, addr, size, name) =>
    trace.push({ action, addr, size, stream: 0, time_us: time++, frames: name === undefined ? [] : [{ name, filename: `/work/${name}`, line: 7 }, { name: "main", filename: name, line: 1 }] });
  event("segment_alloc", BASE, 64 * MIB);
  HOSTILE_NAMES.forEach((name, k) => {
    event("alloc", BASE + k * 2 * MIB, 2 * MIB - 512 * k, name);
    event(`odd ${name}`, 0, 0, name);
  });
  HOSTILE_NAMES.forEach((name, k) => {
    if (k % 3 !== 0) return;
    event("free_requested", BASE + k * 2 * MIB, 2 * MIB - 512 * k);
    event("free_completed", BASE + k * 2 * MIB, 2 * MIB - 512 * k);
  });
  const blocks = HOSTILE_NAMES.map((name, k) => ({ address: BASE + k * 2 * MIB, size: 2 * MIB, requested_size: 2 * MIB - 512 * k, state: k % 3 ? "active_allocated" : "inactive", frames: [] }));
  blocks.push({ address: BASE + blocks.length * 2 * MIB, size: 64 * MIB - blocks.length * 2 * MIB, requested_size: 0, state: "inactive", frames: [] });
  const segments = [{ device: 0, address: BASE, total_size: 64 * MIB, stream: 0, segment_type: "large", allocated_size: 0, active_size: 0, blocks }];
  const external_annotations = HOSTILE_NAMES.flatMap((name, k) => [
    { stage: "START", name, device: 0, time_us: 1_700_000_000_000_000 + k * 2 },
    { stage: "END", name, device: 0, time_us: 1_700_000_000_000_001 + k * 2 },
  ]);
  const file = artefact("hostile <b>&\"'.json");
  writeFileSync(file, JSON.stringify({ segments, device_traces: [trace], external_annotations }));
  return file;
}
