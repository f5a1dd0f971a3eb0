// SPDX-License-Identifier: MIT
// Searches over four stacks: main > train > (conv2d | linear), and none.
import assert from "node:assert/strict";
import { test } from "node:test";
import { matchQuery, parseQuery } from "../../../src/render/html/query.js";

const MIB = 1024 ** 2;
const texts = ["main", "/work/train.py", "train_step", "Conv2d.forward", "/torch/nn/conv.py", "linear", "<b>\u202e \"q\""];
const data = {
  n: 5,
  meta: { texts },
  frames: { fn: [0, 2, 3, 5], file: [1, 1, 4, 6], line: [10, 63, 541, 7] },
  // Stacks 2: train_step < main, 3: conv < 2, 4: linear < 2, 5: main. A caller may come later.
  nodes: { frame: [1, 2, 3, 0], caller: [5, 2, 2, 1] },
  stack: [3, 4, 2, 0, 5],
  site: [3, 3, 1, 0, 0],
  bytes: [64 * MIB, 1048576, 67004006, 512, 0],
  high: [0x7f24, 0x7f24, 0, 0xffffffff, 0],
  low: [0, 0x4000000, 0x1000, 0xfffff000, 0],
};
data.addr = data.high.map((high, i) => high * 2 ** 32 + data.low[i]);
data.address = (i) => `0x${((BigInt(data.high[i]) << 32n) | BigInt(data.low[i])).toString(16)}`;

const found = (text) => [...matchQuery(data, parseQuery(text))].flatMap((hit, i) => (hit ? [i] : []));
const cases = {
  "": [0, 1, 2, 3, 4],
  conv2d: [0],
  TRAIN_STEP: [0, 1, 2],
  "train.py": [0, 1, 2, 4],
  "train.py:63": [0, 1, 2],
  "train.py:10": [0, 1, 2, 4],
  "/work/train.py:63": [0, 1, 2],
  "rain.py:64": [],
  "main linear": [1],
  '"<b>\u202e "': [1],
  nowhere: [],
  1048576: [1],
  "1MiB": [1],
  "64MiB": [0],
  "64m": [0],
  "63.9MiB": [2],
  "63.8MiB": [],
  ">=64MiB": [0],
  ">64MiB": [],
  ">63MiB <64MiB": [2],
  "<=512": [3, 4],
  "<512": [4],
  "=512": [3],
  "train >1MiB": [0, 2],
  "0x7f2400000000": [0],
  "0x7f2403ffffff": [0],
  "0x7f2404000000": [1],
  "0x7f24040fffff": [1],
  "0x7f2404100000": [],
  "0xfffffffffffff1ff": [3],
  "0xfffffffffffff200": [],
  "0xffffffffffffffff": [],
  "0x0": [4],
  '"64MiB"': [],
  "stack:2": [2],
  "site:3 >1MiB": [0],
  "stack:9": [],
};
for (const [text, rows] of Object.entries(cases)) test(`search: ${text}`, () => assert.deepEqual(found(text), rows));

test("a quote that is not closed is a word", () => assert.deepEqual(found('"conv2d'), [0]));
test("an empty quote asks for nothing", () => assert.deepEqual(parseQuery('""'), []));
