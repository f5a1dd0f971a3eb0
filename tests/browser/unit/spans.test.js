// SPDX-License-Identifier: MIT
// Spans into lanes, and lanes into bars, against a reckoning that looks at every span.
import assert from "node:assert/strict";
import { test } from "node:test";
import { barAt, columnOfTime, edgeTimes, laneBars } from "../../../src/render/html/lane_bars.js";
import { fillLanes, Lane, SpanData } from "../../../src/render/html/span_data.js";

function random(seed) {
  let state = seed >>> 0;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * n);
  };
}

// Spans that nest and overlap, by start, the longer first.
function someSpans(seed, n, span, longest) {
  const next = random(seed);
  const list = Array.from({ length: n }, () => {
    const start = next(span);
    return [start, start + next(next(8) ? 20 : longest)];
  }).sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  return { start: Float64Array.from(list, (s) => s[0]), end: Float64Array.from(list, (s) => s[1]) };
}

test("a lane holds no two spans at once, and every span has one", () => {
  const data = someSpans(5, 4000, 20000, 3000);
  const { lanes, deeper } = fillLanes(data, 0, 4000);
  const rows = lanes.flatMap((lane) => [...lane.rows]);
  assert.equal(new Set(rows).size + deeper, 4000);
  for (const lane of lanes) for (let k = 1; k < lane.rows.length; k++) assert.ok(data.end[lane.rows[k - 1]] <= data.start[lane.rows[k]]);
});

test("what is called lies below its caller", () => {
  const data = { start: [0, 10, 12, 40, 100], end: [90, 30, 20, 50, 110] };
  const { lanes } = fillLanes(data, 0, 5);
  assert.deepEqual(lanes.map((lane) => [...lane.rows]), [[0, 4], [1, 3], [2]]);
});

test("what is too deep is counted", () => {
  const data = { start: [0, 1, 2, 3], end: [9, 9, 9, 9] };
  const { lanes, deeper } = fillLanes(data, 0, 4, 2);
  assert.equal(lanes.length, 2);
  assert.equal(deeper, 2);
});

test("the longest of a range", () => {
  const data = someSpans(9, 3000, 1e6, 500);
  const lane = new Lane(data, Uint32Array.from({ length: 3000 }, (_, k) => k));
  const next = random(3);
  for (let t = 0; t < 300; t++) {
    const from = next(2999);
    const to = from + 1 + next(3000 - from);
    let best = from;
    for (let k = from; k < to; k++) if (data.end[k] - data.start[k] > data.end[best] - data.start[best]) best = k;
    const got = lane.longest(from, to);
    assert.ok(got >= from && got < to);
    assert.equal(data.end[got] - data.start[got], data.end[best] - data.start[best]);
  }
});

test("bars cover what the spans cover, and count all of them", () => {
  const next = random(11);
  for (let t = 0; t < 40; t++) {
    const data = someSpans(t + 1, 2000, 50000, 4000);
    const [lane] = fillLanes(data, 0, 2000).lanes;
    const from = next(40000);
    const edges = edgeTimes(from, from + 10 + next(12000), 200, null);
    const bars = laneBars(lane, edges);
    const covered = new Set();
    let count = 0;
    bars.forEach((bar, k) => {
      assert.ok(bar.x0 < bar.x1 && bar.x0 >= 0 && bar.x1 <= 200);
      if (k) assert.ok(bars[k - 1].x1 <= bar.x0, "bars do not overlap");
      for (let x = bar.x0; x < bar.x1; x++) covered.add(x);
      count += bar.count;
    });
    let inside = 0;
    for (const row of lane.rows) {
      if (data.end[row] <= edges[0] || data.start[row] >= edges[200]) continue;
      inside++;
      const x0 = Math.max(0, columnOfTime(edges, data.start[row]));
      for (let x = x0; x < 200 && (x === x0 || edges[x] < data.end[row]); x++) assert.ok(covered.has(x), `column ${x} of ${data.start[row]}…${data.end[row]}`);
    }
    assert.equal(count, inside);
  }
});

test("the bar under a column", () => {
  const bars = [{ x0: 2, x1: 5 }, { x0: 7, x1: 8 }];
  assert.deepEqual([0, 2, 4, 5, 7, 8].map((x) => barAt(bars, x)?.x0 ?? null), [null, 2, 2, null, 7, null]);
});

test("edges along events lie between the times of the events", () => {
  const times = Float64Array.of(0, 100, 100, 400);
  assert.deepEqual([...edgeTimes(0, 4, 8, times)], [0, 50, 100, 100, 100, 250, 400, 400, 400]);
  assert.deepEqual([...edgeTimes(10, 20, 2, null)], [10, 15, 20]);
});

test("a block becomes tracks with attributes, stacks, waits and what was left out", () => {
  const meta = {
    length: 1000,
    parts: 11,
    keys: ["", "stream", "shape"],
    texts: ["", "ncclDevKernel_AllGather", "kernel", "[2, 3]", "f  a.py:3", "aten::add", "cpu_op"],
    tracks: [
      { label: "cpu", kind: "thread", file: "t.json", rows: 1 },
      { label: "gpu", kind: "stream", file: "t.json", rows: 2 },
    ],
  };
  const columns = {
    start: Float64Array.of(5, 10, 500),
    length: Float64Array.of(-2, 100, -1),
    name: Uint32Array.of(5, 1, 1),
    category: Uint32Array.of(6, 2, 2),
    status: new Uint32Array(3),
    bytes: Float64Array.of(-1, 4096, -1),
    attributes: Uint32Array.of(0, 2, 0),
    stack: Uint32Array.of(1, 0, 0),
    attribute_key: Uint32Array.of(1, 2),
    attribute_text: Uint32Array.of(0, 3),
    attribute_number: Float64Array.of(7, 0),
    stack_frames: Uint32Array.of(1),
    frame: Uint32Array.of(4),
    name_text: Uint32Array.of(1),
    name_colour: Uint32Array.of(0x123456),
    rest_track: Uint32Array.of(1),
    rest_part: Uint32Array.of(3),
    rest_count: Uint32Array.of(12),
    rest_ns: Float64Array.of(40),
  };
  const data = new SpanData("spans-0", { meta, columns }, 1000, { start: Float64Array.of(5, 10), wait: Float64Array.of(1, 60) });
  assert.deepEqual(data.tracks.map((t) => [t.label, t.first, t.lanes.length]), [["cpu", 0, 1], ["gpu", 1, 1]]);
  assert.equal(data.start[1], 1010);
  assert.equal(data.end[1], 1110);
  assert.ok(data.isInstant(0) && data.isOpen(2) && data.end[2] === Infinity);
  assert.deepEqual(data.attributes(1), [["stream", 7], ["shape", "[2, 3]"]]);
  assert.deepEqual(data.attributes(2), []);
  assert.deepEqual(data.frames(0), ["f  a.py:3"]);
  assert.deepEqual([...data.waitOf], [[1, 60]]);
  assert.equal(data.colour(1), 0x123456);
  assert.ok(data.isCollective(1) && !data.isCollective(0));
  assert.deepEqual(data.tracks[1].rest, [{ from: 1300, to: 1400, count: 12, ns: 40 }]);
  assert.deepEqual([...data.matchingNames("NCCL")], [1]);
});
