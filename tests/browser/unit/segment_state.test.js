// SPDX-License-Identifier: MIT
// States of small recordings; tests/browser/segments.test.js compares real ones with the model.
import assert from "node:assert/strict";
import { test } from "node:test";
import { NEVER } from "../../../src/render/html/memory_data.js";
import { blockBytes, SegmentHistory } from "../../../src/render/html/segment_state.js";

// Allocations as [addr, bytes, born, asked, died], segments as [addr, bytes, expandable], other
// events as [event, action, addr, bytes].
function recording(allocs, segments, others, extra) {
  const column = (rows, k) => rows.map((row) => row[k]);
  const [addr, bytes, born, freeRequested, died] = [0, 1, 2, 3, 4].map((k) => column(allocs, k));
  const zeros = (rows) => rows.map(() => 0);
  return {
    addr, bytes, born, freeRequested, died, extra,
    aliveAt: (e) => allocs.flatMap((_, i) => ((born[i] === NEVER || born[i] <= e) && (died[i] === NEVER || died[i] > e) ? [i] : [])),
    isPending: (i, e) => freeRequested[i] <= e,
    segments: segments && {
      count: segments.length, addr: column(segments, 0), bytes: column(segments, 1), expandable: (k) => segments[k][2],
      stream: zeros(segments), poolOwner: zeros(segments), poolId: zeros(segments),
    },
    others: {
      count: others.length, event: column(others, 0), action: (k) => others[k][1], addr: column(others, 2), bytes: column(others, 3),
      stream: zeros(others), poolOwner: zeros(others), poolId: zeros(others),
    },
  };
}
const tiles = (state) => state.segments.map((s) => [s.addr, s.bytes, s.blocks.map((b) => `${b.state} ${b.bytes}`)]);

test("blocks are as large as the replay says, else as the request rounded up", () => {
  const data = recording([[0, 1, 0, NEVER, NEVER], [0, 512, 0, NEVER, NEVER], [0, 513, 0, NEVER, NEVER], [0, 0, 0, NEVER, NEVER]], null, [], [1, 3, 0, 1]);
  assert.deepEqual([0, 1, 2, 3].map((i) => blockBytes(data, i)), [512, 1536, 1024, 512]);
});

test("a recording without segments has no state", () => {
  assert.equal(new SegmentHistory(recording([], null, [])).known, false);
  assert.equal(new SegmentHistory(recording([], [], [])).known, false);
});

test("mapped ranges join and part; states go back and forth", () => {
  const data = recording(
    [[1024, 1000, 1, 5, 7], [3072, 1024, NEVER, NEVER, NEVER]],
    [[3072, 1024, true]],
    [[0, "segment_map", 1024, 2048], [3, "oom", 0, 99], [8, "segment_unmap", 1024, 1024], [9, "segment_alloc", 8192, 512], [10, "segment_free", 8192, 512]],
  );
  const history = new SegmentHistory(data);
  const expected = {
    "-1": [[3072, 1024, ["allocated 1024"]]],
    0: [[1024, 3072, ["free 2048", "allocated 1024"]]],
    1: [[1024, 3072, ["allocated 1024", "free 1024", "allocated 1024"]]],
    5: [[1024, 3072, ["pending 1024", "free 1024", "allocated 1024"]]],
    7: [[1024, 3072, ["free 2048", "allocated 1024"]]],
    8: [[2048, 2048, ["free 1024", "allocated 1024"]]],
    9: [[2048, 2048, ["free 1024", "allocated 1024"]], [8192, 512, ["free 512"]]],
    10: [[2048, 2048, ["free 1024", "allocated 1024"]]],
  };
  for (const e of [10, -1, 5, 0, 9, 8, 7, 1, 10, 9, -1]) assert.deepEqual(tiles(history.stateAt(e)), expected[e], `after event ${e}`);
  assert.deepEqual(history.stateAt(5).sums, {
    reserved: 3072, allocated: 1024, requested: 1024, pending: 1024, free: 1024, largest: 1024,
    freeBlocks: 1, liveBlocks: 2, outside: 0, outsideBytes: 0, overlapping: 0,
  });
});

test("far jumps agree with going step by step", () => {
  const others = [];
  for (let k = 0; k < 1000; k++) others.push([k, k % 3 === 2 ? "segment_free" : "segment_alloc", (k % 3 === 2 ? k - 1 : k) * 4096, 2048]);
  const data = recording([], [], others);
  const step = new SegmentHistory(data);
  const states = others.map((_, e) => tiles(step.stateAt(e)));
  const jump = new SegmentHistory(data);
  for (const e of [999, 0, 600, 300, 256, 255, 257, 998, 512, 511, 1]) assert.deepEqual(tiles(jump.stateAt(e)), states[e], `after event ${e}`);
});

test("contradictions are counted, and blocks still tile their segment", () => {
  const data = recording([[0, 1024, 0, NEVER, NEVER], [512, 512, 0, NEVER, NEVER], [9000, 512, 0, NEVER, NEVER], [1536, 4096, 0, NEVER, NEVER]], [[0, 2048, false]], []);
  const { segments, sums } = new SegmentHistory(data).stateAt(0);
  assert.deepEqual(tiles({ segments }), [[0, 2048, ["allocated 512", "allocated 512", "free 512", "allocated 512"]]]);
  assert.deepEqual([sums.outside, sums.outsideBytes, sums.overlapping], [1, 512, 1]);
});
