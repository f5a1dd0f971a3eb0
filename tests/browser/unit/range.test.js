// SPDX-License-Identifier: MIT
// Ranges over a small recording whose sums are reckoned by hand.
import assert from "node:assert/strict";
import { test } from "node:test";
import { sortGroups, sumBySite } from "../../../src/render/html/groups.js";
import { NEVER } from "../../../src/render/html/memory_data.js";
import { inRange, RANGE_SETS, rangeState } from "../../../src/render/html/range_sums.js";

// Events 0 … 9. Allocation 0 is older than the recording.
const data = {
  n: 6,
  events: 10,
  born: [NEVER, 0, 1, 3, 4, 5],
  died: [NEVER, 2, 6, NEVER, 7, 8],
  bytes: [1, 2, 4, 8, 16, 32],
  site: [0, 1, 1, 2, 1, 2],
  requestedAfter: [3, 7, 5, 13, 29, 61, 57, 41, 9, 9],
  sumAt: (e) => (e < 0 ? 1 : data.requestedAfter[e]),
};
const bytes = (range) => Object.fromEntries(RANGE_SETS.map((set) => [set, sumBySite(data, inRange(data, range, set)).total.bytes]));

test("within", () => assert.deepEqual(bytes({ from: 2, to: 7 }), { through: 1, allocated: 56, freed: 6, kept: 56 }));
test("later", () => assert.deepEqual(bytes({ from: 4, to: 8 }), { through: 9, allocated: 48, freed: 20, kept: 32 }));
test("all", () => assert.deepEqual(bytes({ from: 0, to: 10 }), { through: 1, allocated: 62, freed: 54, kept: 8 }));
test("one event", () => assert.deepEqual(bytes({ from: 2, to: 3 }), { through: 5, allocated: 0, freed: 2, kept: 0 }));

test("what a range begins and ends with", () => {
  assert.deepEqual(rangeState(data, { from: 2, to: 7 }), { before: 7, after: 57, peak: { event: 5, bytes: 61 } });
  assert.deepEqual(rangeState(data, { from: 0, to: 1 }), { before: 1, after: 3, peak: { event: 0, bytes: 3 } });
});

test("the sum before, what was allocated and what was freed give the sum behind", () => {
  for (let from = 0; from < 10; from++)
    for (let to = from + 1; to <= 10; to++) {
      const sums = bytes({ from, to });
      assert.equal(data.sumAt(from - 1) + sums.allocated - sums.freed, data.sumAt(to - 1));
    }
});

test("sites, sorted", () => {
  const { total, groups } = sumBySite(data, () => true);
  const names = ["b", "c", "a"];
  assert.deepEqual(total, { count: 6, bytes: 63 });
  const order = (by) => sortGroups(groups, by, (site) => names[site]).map((g) => g.site);
  assert.deepEqual(order("bytes"), [2, 1, 0]);
  assert.deepEqual(order("count"), [1, 2, 0]);
  assert.deepEqual(order("name"), [2, 0, 1]);
});
