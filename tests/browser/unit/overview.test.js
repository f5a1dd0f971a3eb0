// SPDX-License-Identifier: MIT
// What the overview reckons before it draws: numbers as the commands write them, hidden characters,
// filters, scales and places.
import assert from "node:assert/strict";
import { test } from "node:test";
import { shareOfLimit } from "../../../src/render/html/budgets.js";
import { groupFigures } from "../../../src/render/html/changes.js";
import { evenColumns, shortText, visibleText } from "../../../src/render/html/dom.js";
import { findingMatches, parseRanks } from "../../../src/render/html/findings.js";
import { highestFirst } from "../../../src/render/html/holders.js";
import { commonScale, valuesAt } from "../../../src/render/html/multiples.js";
import { formatBytes, formatChange, formatCount, formatDuration, formatFigure, formatShare, roundTicks } from "../../../src/render/html/numbers.js";
import { groupTimelines } from "../../../src/render/html/places.js";
import { readRoute, writeRoute } from "../../../src/render/html/router.js";

// The same values as in tests/unit/t_base_num.c, so that the page and the commands agree.
test("bytes", () => {
  const cases = [[0, "0 B"], [1023, "1023 B"], [1024, "1.0 KiB"], [1536, "1.5 KiB"], [1048575, "1.0 MiB"], [25165824, "24.0 MiB"], [2 ** 30, "1.00 GiB"], [3339321344, "3.11 GiB"], [2 ** 40, "1.00 TiB"], [-2048, "-2.0 KiB"]];
  for (const [bytes, text] of cases) assert.equal(formatBytes(bytes), text);
});

test("durations", () => {
  const cases = [[0, "0 ns"], [999, "999 ns"], [1500, "1.5 us"], [45000, "45 us"], [812e6, "812 ms"], [999.6e6, "1.00 s"], [6.1e9, "6.10 s"], [59.996e9, "1 min 00 s"], [200e9, "3 min 20 s"], [7500e9, "2 h 05 min"], [356400e9, "4 d 03 h"], [-1500, "-1.5 us"]];
  for (const [ns, text] of cases) assert.equal(formatDuration(ns), text);
});

test("figures, changes and shares", () => {
  assert.equal(formatCount(1083150), "1\u202f083\u202f150");
  assert.equal(formatFigure(null, "B"), "\u2013");
  assert.equal(formatFigure(12.34, "%"), "12.3 %");
  assert.equal(formatChange(1024, "B"), "+1.0 KiB");
  assert.equal(formatChange(-1024, "B"), "-1.0 KiB");
  assert.equal(formatShare(100, 176.8), "+76.8 %");
  assert.equal(formatShare(0, 5), "");
});

test("ticks of bytes are powers of two and reach the top", () => {
  const { step, values } = roundTicks(7.38 * 2 ** 30, "B", 3);
  assert.equal(step, 4 * 2 ** 30);
  assert.deepEqual(values, [0, 4 * 2 ** 30]);
  assert.deepEqual(roundTicks(0, "B").values, [0]);
  assert.equal(roundTicks(95, "", 4).step, 50);
});

test("hidden characters are seen", () => {
  assert.equal(visibleText("a\u202eb\u0007c\u0000"), "a\u2039U+202E\u203ab\u2039U+0007\u203ac\u2039U+0000\u203a");
  assert.equal(visibleText("\u2066x\ufeff\ud800"), "\u2039U+2066\u203ax\u2039U+FEFF\u203a\u2039U+D800\u203a");
  assert.equal(visibleText(null), "");
  assert.equal(visibleText("<b>&\u00e9\ud83d\ude00"), "<b>&\u00e9\ud83d\ude00");
});

test("long names are cut in the middle", () => {
  const text = shortText(`${"a".repeat(9000)}end`, 20);
  assert.equal(Array.from(text).length, 20);
  assert.ok(text.startsWith("aaaaaaaaaaaa\u2026") && text.endsWith("end"));
  assert.equal(shortText("short", 20), "short");
  assert.equal(shortText("\ud83d\ude00".repeat(30), 11), `${"\ud83d\ude00".repeat(6)}\u2026${"\ud83d\ude00".repeat(4)}`);
});

test("ranks", () => {
  assert.deepEqual([...parseRanks("0, 2-4")], [0, 2, 3, 4]);
  assert.deepEqual([...parseRanks("")], []);
  assert.equal(parseRanks("0-99999999999", 10).size, 10);
});

test("a filter of findings", () => {
  const finding = { severity: "error", rule: "memory-growth", ranks: "1-3", message: "step leaves 31.3 MiB", place: { function: "step", file: "/home/gen_run.py", line: 32 } };
  const all = { severity: "", rule: "", rank: "", words: "" };
  assert.ok(findingMatches(finding, all));
  assert.ok(findingMatches(finding, { ...all, rank: "2" }));
  assert.ok(!findingMatches(finding, { ...all, rank: "0" }));
  assert.ok(!findingMatches(finding, { ...all, severity: "note" }));
  assert.ok(!findingMatches(finding, { ...all, rule: "hang" }));
  assert.ok(findingMatches(finding, { ...all, words: "GEN_RUN.py:32 leaves" }));
  assert.ok(!findingMatches(finding, { ...all, words: "leaves nothing" }));
});

test("figures are grouped, the largest change first, on one scale", () => {
  const groups = groupFigures([
    { rank: "rank 0", name: "peak", unit: "B", a: 10, b: 12 },
    { rank: "rank 2", name: "peak", unit: "B", a: 10, b: 30 },
    { rank: "rank 1", name: "peak", unit: "B", a: 10, b: 30 },
    { rank: "rank 0", name: "time", unit: "ns", a: null, b: 5 },
  ]);
  assert.deepEqual(groups.map((g) => [g.name, g.most, g.rows.map((r) => r.rank)]), [["peak", 30, ["rank 1", "rank 2", "rank 0"]], ["time", 5, ["rank 0"]]]);
});

test("the rank with the highest peak stands first among holders", () => {
  const tops = [{ label: "a", sites: [1] }, { label: "b", sites: [1] }, { label: "c", sites: [] }];
  assert.deepEqual(highestFirst(tops, [{ label: "a", peak_requested: 5 }, { label: "b", peak_requested: 9 }]).map((t) => t.label), ["b", "a"]);
});

test("the multiples share one scale", () => {
  const a = { x0: 0, x1: 100, requested_most: [1, 5], reserved_most: [6, 6] };
  const b = { x0: 50, x1: 100, requested_most: [2, 9], reserved_most: [9, 10] };
  const scale = commonScale([{ series: a }, { series: b }, { series: null }]);
  assert.deepEqual(scale, { most: 10, length: 100 });
  assert.deepEqual(valuesAt(a, scale, 0.75), { requested: 5, reserved: 6 });
  assert.deepEqual(valuesAt(b, scale, 0.4), { requested: 9, reserved: 10 });
  assert.equal(valuesAt(b, scale, 0.6), null);
});

test("columns without holes", () => {
  assert.deepEqual([1, 3, 4, 5, 6, 7, 8, 9, 64].map(evenColumns), [1, 3, 4, 3, 3, 4, 4, 4, 4]);
});

test("shares of a limit", () => {
  assert.deepEqual([0.874, 0.9995, 1.002, 1.46, 35.16].map(shareOfLimit), ["87 %", "100.0 %", "100.2 %", "146 %", "35\u00d7"]);
});

test("routes", () => {
  assert.deepEqual(readRoute("#memory-0?from=1&to=2"), { place: "memory-0", state: "from=1&to=2" });
  assert.deepEqual(readRoute(""), { place: "", state: "" });
  assert.equal(writeRoute("findings"), "#findings");
  assert.equal(writeRoute("memory-0", "from=1"), "#memory-0?from=1");
});

test("memory and spans that an index joins are one timeline", () => {
  const block = (id) => ({ id, kind: id.split("-")[0], title: `title of ${id}` });
  const blocks = [{ id: "report", kind: "report", title: "" }, block("memory-0"), block("memory-1"), block("spans-0"), block("spans-1")];
  const spans = (id) => ({ id, offset_ns: 7, clocks: "" });
  const index = {
    timelines: [
      { memory: "memory-0", spans: [spans("spans-0"), spans("gone")], rank: 0, device: 0 },
      { memory: null, spans: [spans("spans-1")], rank: 1, device: -1, title: "rank 1" },
      { memory: "gone", spans: [], rank: 2, device: 2 },
    ],
  };
  assert.deepEqual(groupTimelines(blocks, index).map((t) => [t.place, t.title, t.rank, t.memory, t.spans.map((s) => s.id)]), [
    ["memory-0", "title of memory-0", 0, "memory-0", ["spans-0"]],
    ["spans-1", "rank 1", 1, null, ["spans-1"]],
    ["memory-1", "title of memory-1", -1, "memory-1", []],
    ["together", "All devices", null, null, []],
  ]);
  assert.deepEqual(groupTimelines(blocks, null).map((t) => t.place), ["memory-0", "memory-1", "spans-0", "spans-1", "together"]);
  assert.equal(groupTimelines(blocks.slice(0, 2), null).length, 1, "a device alone needs no place for all");
});
