// SPDX-License-Identifier: MIT
// The page's own account of the allocator, block by block, against the model of the allocator that
// `mlviz replay` runs.
import assert from "node:assert/strict";
import { basename } from "node:path";
import { test } from "node:test";
import { SegmentHistory } from "../../src/render/html/segment_state.js";
import { corpus, memoryBlocks, mlvizJson, randomNumbers, sample, timelinePage } from "./lib/page_data.js";

const MOMENTS = 4;
const SAMPLES = ["train-adamw", "oom-3.6-native", "multi-gpu", "annotations", "ring-2000"];
// Settings, pools, streams and beginnings that the samples do not have.
const RECORDINGS = /\/(churn-(cap-expandable|cap-gc05|expandable|split64)|graphs|graphs-expandable|late-start|mempool|streams|varlen-expandable|varlen-roundup4)\.pickle/;
const inputs = [
  ...SAMPLES.map((name) => sample(`${name}.pickle.zst`)),
  ...corpus("snapshots", ".pickle.zst").filter((path) => RECORDINGS.test(path)),
];

// [address, bytes, state, birth] of all blocks that have memory. Neighbours that are free are one.
function blocksOfModel(moment) {
  const out = [];
  for (const segment of moment.segments)
    for (const b of segment.blocks) if (b.state !== "unmapped") out.push([Number(b.address), b.bytes, b.state, b.event ?? null]);
  return out.sort((a, b) => a[0] - b[0]);
}

function blocksOfPage(data, state) {
  const birth = (i) => (i < 0 || i < data.initial ? null : data.born[i]);
  return state.segments.flatMap((s) => s.blocks.map((b) => [b.addr, b.bytes, b.state, birth(b.alloc)])).sort((a, b) => a[0] - b[0]);
}

// The model acts on segment events and late frees with the request that follows them, so states
// compare after allocations; and after the last event.
function moments(data) {
  const random = randomNumbers(7);
  const out = new Set([data.events - 1]);
  const traced = data.n - data.initial;
  for (let k = 0; k < MOMENTS && traced > 0; k++) out.add(data.born[data.initial + random(traced)]);
  return [...out];
}

for (const input of inputs) {
  const name = basename(input, ".pickle.zst");
  test(name, () => {
    let compared = 0;
    for (const { data } of memoryBlocks(timelinePage(input, `segments-${name}`))) {
      const history = new SegmentHistory(data);
      assert.equal(data.meta.replay.exact, true);
      for (const event of moments(data)) {
        const device = /(\d+)$/.exec(data.meta.device)[1];
        const { devices } = mlvizJson("replay", "-q", "--json", "--gpu", device, "--at", String(event), input).files[0];
        const { moment } = devices[0];
        const state = history.stateAt(event);
        const where = `${data.meta.device}, after event ${event}`;
        assert.deepEqual(blocksOfPage(data, state), blocksOfModel(moment), where);
        assert.equal(state.sums.reserved, moment.reserved_bytes, where);
        assert.equal(state.sums.allocated, moment.allocated_bytes, where);
        assert.equal(state.sums.requested, moment.requested_bytes, where);
        assert.equal(state.sums.pending, moment.pending_bytes, where);
        assert.equal(state.sums.free, moment.free_bytes, where);
        assert.equal(state.sums.largest, moment.largest_free_bytes, where);
        assert.equal(state.sums.reserved, data.reservedAt(event), where);
        compared++;
      }
    }
    assert.ok(compared >= 2, `${compared} moments were compared`);
  });
}
