// SPDX-License-Identifier: MIT
// Packs, written here after the description in pack.h.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readPack } from "../../../src/render/html/unpack.js";

function varints(values) {
  const bytes = [];
  let last = 0n;
  for (const value of values.map(BigInt)) {
    const delta = value - last;
    let code = delta < 0n ? -2n * delta - 1n : 2n * delta;
    for (; code >= 0x80n; code >>= 7n) bytes.push(Number(code & 0x7fn) | 0x80);
    bytes.push(Number(code));
    last = value;
  }
  return bytes;
}

function pack(meta, columns) {
  const data = [];
  const list = [];
  for (const [name, kind, values] of columns) {
    const bytes = varints(values);
    list.push({ name, kind, rows: values.length, at: data.length, bytes: bytes.length });
    data.push(...bytes);
  }
  const header = new TextEncoder().encode(JSON.stringify({ meta, columns: list }));
  const out = new Uint8Array(4 + header.length + data.length);
  new DataView(out.buffer).setUint32(0, header.length, true);
  out.set(header, 4);
  out.set(data, 4 + header.length);
  return out;
}

test("columns come back as they were", () => {
  const small = [0, 1, 127, 128, 0xffffffff, 0, 0x80000000, 0x7fffffff, 5];
  const large = [0, -1, 2 ** 51 - 1, -(2 ** 51) + 1, 0x7f0000000000, 12, -12];
  const meta = { title: "Ünïcode \u202e </script>" };
  const read = readPack(pack(meta, [["small", "u32", small], ["large", "i64", large]]));
  assert.deepEqual(read.meta, meta);
  assert.deepEqual([...read.columns.small], small);
  assert.deepEqual([...read.columns.large], large);
});

test("random columns come back as they were", () => {
  let state = 1;
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0);
  const small = Array.from({ length: 5000 }, () => random() >>> (random() % 32));
  const large = small.map((v) => (v % 2 ? v : 0 - v) * 2 ** (random() % 20));
  const read = readPack(pack({}, [["a", "u32", small], ["b", "i64", large]]));
  assert.deepEqual([...read.columns.a], small);
  assert.deepEqual([...read.columns.b], large);
});

test("an empty column", () => {
  assert.equal(readPack(pack({}, [["a", "u32", []]])).columns.a.length, 0);
});
