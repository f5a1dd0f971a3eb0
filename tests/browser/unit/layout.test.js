// SPDX-License-Identifier: MIT
// The layout of a timeline against a count that goes through every allocation at every column.
import assert from "node:assert/strict";
import { test } from "node:test";
import { instants, PeakIndex } from "../../../src/render/html/instants.js";
import { BAND, ITEM_MASK, LIT, StackLayout } from "../../../src/render/html/layout.js";
import { MemoryData } from "../../../src/render/html/memory_data.js";
import { block, NEVER, randomLives, randomNumbers } from "./recording.js";

function made(lives, options) {
  return new MemoryData("memory-0", block(lives, options));
}

const alive = (a, e) => (a.born === NEVER || a.born <= e) && (a.died === NEVER || a.died > e);

function aliveSum(lives, e) {
  let sum = 0;
  for (const a of lives) if (alive(a, e)) sum += a.bytes;
  return sum;
}

function laidOut(data, { columns = 64, rows = 100, window, low = 0, high, matches = null, kind = "site" }) {
  const layout = new StackLayout(data);
  layout.setClasses(data.kinds[kind].of, data.kinds[kind].names.length, matches);
  const shown = instants(data, new PeakIndex(data.requestedAfter), window, columns);
  layout.compute(shown, rows, low, high ?? Math.max(1, data.meta.requested.peak));
  return { layout, shown };
}

const spansOf = (layout, g) => {
  const out = [];
  let from = 0;
  for (let s = layout.first[g]; s < layout.first[g + 1]; s++) {
    out.push({ from, to: layout.spanRow[s], item: layout.spanItem[s] });
    from = layout.spanRow[s];
  }
  return out;
};

test("sums, deaths and lives are those of the recording", () => {
  const events = 700;
  const lives = randomLives(3, { events, initial: 20 });
  const data = made(lives, { events });
  for (let e = -1; e < events; e++) assert.equal(data.sumAt(e), aliveSum(lives, e), `after event ${e}`);
  assert.equal(data.deaths.length, lives.filter((a) => a.died !== NEVER).length);
  lives.forEach((a, i) => {
    assert.equal(data.born[i], a.born);
    assert.equal(data.died[i], a.died);
    assert.equal(data.freeRequested[i], a.asked ?? NEVER);
  });
});

test("each column shows the largest sum among its events", () => {
  const events = 5000;
  const lives = randomLives(5, { events, initial: 3 });
  const times = Array.from({ length: events }, (_, e) => Math.floor(e / 7) * 1000 + (e > 2500 ? 9e6 : 0));
  const data = made(lives, { events, times });
  for (const [window, columns] of [
    [{ from: 0, to: events, axis: "event" }, 37],
    [{ from: 100.5, to: 163.25, axis: "event" }, 200],
    [{ from: 4990, to: 5000, axis: "event" }, 31],
    [{ from: 0, to: times[events - 1] + 1, axis: "time" }, 90],
    [{ from: 50000, to: 80500, axis: "time" }, 400],
  ]) {
    const { shown } = laidOut(data, { columns, window });
    const unit = (window.to - window.from) / columns;
    for (let x = 0; x < columns; x++) {
      const place = (e) => (window.axis === "time" ? times[e] : e);
      const inside = [];
      let before = -1;
      for (let e = 0; e < events; e++) {
        if (place(e) < window.from + x * unit) before = e;
        else if (place(e) < window.from + (x + 1) * unit) inside.push(e);
      }
      let best = inside.length ? inside[0] : before;
      if (x === 0 && aliveSum(lives, before) > aliveSum(lives, best)) best = before;
      for (const e of inside) if (aliveSum(lives, e) > aliveSum(lives, best)) best = e;
      assert.equal(shown.requested[x], aliveSum(lives, best), `column ${x} of ${columns}, ${window.axis}`);
    }
  }
});

test("spans lie where the sums below them say, without gap or overlap", () => {
  const events = 900;
  for (const [seed, rows, sizes] of [
    [1, 400, undefined],
    [2, 97, (random) => 1 << random(18)],
    [7, 50, () => 1000],
    [9, 300, (random) => (random(20) ? random(30) : 1 << 22)],
  ]) {
    const lives = randomLives(seed, { events, initial: 40, sizes });
    const data = made(lives, { events });
    const { layout } = laidOut(data, { rows, window: { from: 0, to: events, axis: "event" } });
    const unit = rows / Math.max(1, data.meta.requested.peak);
    assert.ok(layout.groups > 10);
    for (let g = 0; g < layout.groups; g++) {
      const e = layout.event[g];
      const spans = spansOf(layout, g);
      const top = Math.round(aliveSum(lives, e) * unit);
      assert.equal(spans.length ? spans[spans.length - 1].to : 0, top, "the top is the sum");
      let last = 0;
      for (const span of spans) {
        assert.ok(span.from === last && span.to > span.from, "spans follow each other");
        last = span.to;
      }
      let y = 0;
      const own = new Map(spans.filter((s) => !(s.item & BAND)).map((s) => [s.item & ITEM_MASK, s]));
      lives.forEach((a, i) => {
        if (!alive(a, e)) return;
        if (a.bytes * unit >= 1) {
          const span = own.get(i);
          assert.ok(span, `allocation ${i} is a pixel high and has a span`);
          assert.equal(span.from, Math.round(y * unit));
          assert.equal(span.to, Math.round((y + a.bytes) * unit));
          own.delete(i);
        }
        y += a.bytes;
      });
      assert.equal(own.size, 0, "nothing else has a span of its own");
    }
  }
});

test("a hit finds the allocation that holds the byte", () => {
  const events = 2000;
  const lives = randomLives(11, { events, initial: 10, sizes: (random) => 4096 + random(1 << 20) });
  const data = made(lives, { events });
  const window = { from: 300, to: 1500, axis: "event" };
  const peak = data.meta.requested.peak;
  const { layout } = laidOut(data, { columns: 300, rows: 600, window, low: peak * 0.2, high: peak * 0.6 });
  const random = randomNumbers(4);
  for (let k = 0; k < 500; k++) {
    const x = random(300);
    const row = random(600);
    const hit = layout.hit(x, row);
    const middle = peak * 0.2 + ((row + 0.5) / 600) * peak * 0.4;
    let y = 0;
    let found = null;
    lives.forEach((a, i) => {
      if (!alive(a, hit.event)) return;
      if (middle >= y && middle < y + a.bytes) found = i;
      y += a.bytes;
    });
    assert.equal(data.allocationAt(hit.event, middle), found ?? -1);
    if (hit.item === null) assert.ok(found === null || middle > y - peak / 1500);
    else if (!(hit.item & BAND)) assert.equal(hit.item & ITEM_MASK, found ?? hit.item & ITEM_MASK);
    if (found !== null) assert.equal(data.offsetOf(found, hit.event) <= middle, true);
  }
});

test("every match of a search is lit, also where it is thinner than a pixel", () => {
  const events = 1200;
  const lives = randomLives(21, { events, initial: 5, sizes: (random) => (random(6) ? 8 + random(64) : 1 << 20) });
  const data = made(lives, { events });
  const matches = Uint8Array.from(lives, (_, i) => (i % 37 === 0 ? 1 : 0));
  const { layout } = laidOut(data, { rows: 200, window: { from: 0, to: events, axis: "event" }, matches });
  for (let g = 0; g < layout.groups; g++) {
    const expected = lives.some((a, i) => matches[i] && alive(a, layout.event[g]));
    const lit = spansOf(layout, g).some((s) => s.item & LIT) || layout.marks.some((m, k) => k % 2 === 0 && m === g);
    assert.equal(lit, expected, `group ${g}`);
    for (const s of spansOf(layout, g)) if (!(s.item & BAND)) assert.equal(Boolean(s.item & LIT), matches[s.item & ITEM_MASK] === 1);
  }
});

test("a recording of nothing, of one event, and of a final state alone", () => {
  for (const [lives, events] of [[[], 0], [[{ born: 0, died: NEVER, bytes: 512 }], 1], [[{ born: NEVER, died: NEVER, bytes: 512 }], 0], [[{ born: 0, died: NEVER, bytes: 0 }], 2]]) {
    const data = made(lives, { events });
    const { layout } = laidOut(data, { columns: 5, rows: 10, window: { from: 0, to: Math.max(1, events), axis: "event" } });
    const bytes = lives.reduce((sum, a) => sum + a.bytes, 0);
    assert.equal(layout.spans > 0, bytes > 0);
    assert.equal(data.sumAt(events - 1), bytes);
  }
});
