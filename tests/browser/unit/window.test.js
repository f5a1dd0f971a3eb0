// SPDX-License-Identifier: MIT
// Windows of views: zooming, moving, the other axis, axes that several recordings share, and links.
import assert from "node:assert/strict";
import { test } from "node:test";
import { instants, PeakIndex } from "../../../src/render/html/instants.js";
import { StackLayout } from "../../../src/render/html/layout.js";
import { MemoryData } from "../../../src/render/html/memory_data.js";
import { linkViews, sharedLimits } from "../../../src/render/html/together.js";
import { View } from "../../../src/render/html/view.js";
import { clampWindow, heightOf, homeView, panWindow, settleView, switchAxis, wholeHeight, zoomHeight, zoomWindow } from "../../../src/render/html/window.js";
import { block, NEVER, randomLives, randomNumbers } from "./recording.js";

function recording(events, timed = true) {
  const times = timed ? Array.from({ length: events }, (_, e) => e * e * 10) : undefined;
  return new MemoryData("memory-0", block(randomLives(events, { events }), { events, times }));
}

const close = (a, b) => assert.ok(Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a)), `${a} is not ${b}`);

test("a zoom keeps the place under the pointer, and stays within the recording", () => {
  const data = recording(1000);
  const random = randomNumbers(2);
  let view = { axis: "event", from: 200, to: 600 };
  for (let k = 0; k < 200; k++) {
    const share = random(1000) / 1000;
    const factor = Math.exp((random(200) - 100) / 100);
    const before = view.from + share * (view.to - view.from);
    const next = { ...view, ...zoomWindow(data, view, factor, share) };
    assert.ok(next.from >= 0 && next.to <= 1000 && next.to - next.from >= 2 - 1e-9);
    if (next.from > 0 && next.to < 1000) close(next.from + share * (next.to - next.from), before);
    view = next;
    view = { ...view, ...panWindow(data, view, random(300) - 150) };
    assert.ok(view.from >= 0 && view.to <= 1000 + 1e-9);
  }
});

test("heights zoom around a byte and end at the whole", () => {
  const data = recording(300);
  const whole = wholeHeight(data);
  const view = { low: 0, high: null, ...zoomHeight(data, { low: 0, high: null }, 4, 0.5) };
  close(view.high - view.low, whole / 4);
  close(view.low + (view.high - view.low) / 2, whole / 2);
  assert.deepEqual(zoomHeight(data, view, 0.1, 0.5), { low: 0, high: null });
  assert.deepEqual(heightOf(data, { low: 0, high: null }), { low: 0, high: whole });
});

test("the other axis shows the same events", () => {
  const data = recording(1000);
  const view = { axis: "event", from: 300, to: 400 };
  const time = { ...view, ...switchAxis(data, view, "time") };
  assert.equal(time.axis, "time");
  close(time.from, 300 * 300 * 10);
  const back = { ...time, ...switchAxis(data, time, "event") };
  assert.ok(Math.abs(back.from - 300) <= 1 && Math.abs(back.to - 400) <= 2);
  assert.deepEqual(switchAxis(data, { axis: "event", from: 0, to: 1000 }, "time"), { axis: "time", from: 0, to: 999 * 999 * 10 + 1 });
});

test("recordings on one axis end where they end", () => {
  const [long, short] = [recording(1000), recording(100)];
  short.shared = long.shared = sharedLimits([long, short]);
  assert.equal(short.shared.event, 1000);
  assert.deepEqual(clampWindow(short, "event", 0, 5000), { from: 0, to: 1000 });
  assert.equal(wholeHeight(short), wholeHeight(long));
  const shown = instants(short, new PeakIndex(short.requestedAfter), { axis: "event", from: 0, to: 1000 }, 50);
  assert.equal(shown.within, 5);
  const layout = new StackLayout(short);
  layout.setClasses(short.site, short.kinds.site.names.length, null);
  layout.compute(shown, 40, 0, short.meta.requested.peak);
  for (let x = 5; x < 50; x++) assert.equal(layout.hit(x, 0).item, null, `column ${x}`);
  assert.notEqual(layout.hit(4, 0).item, null);
  assert.deepEqual([...shown.reserved.slice(5)], Array(45).fill(0));
});

test("linked views move together until they are let go", () => {
  const views = [new View({ to: 100 }), new View({ to: 50 }), new View()];
  const state = { shared: true };
  linkViews(views, state);
  views[1].set({ from: 5, to: 20, colour: "size", alloc: 3 });
  for (const view of views) assert.deepEqual([view.from, view.to, view.colour], [5, 20, "size"]);
  assert.deepEqual(views.map((v) => v.alloc), [null, 3, null]);
  state.shared = false;
  views[0].set({ from: 0, to: 9 });
  assert.deepEqual([views[0].to, views[1].to], [9, 20]);
});

test("a view comes back from its link, and odd links change nothing", () => {
  const home = { from: 0, to: 1000 };
  const view = new View(home);
  assert.equal(view.toFragment(), "");
  view.set({ from: 12.5, to: 80, low: 4096, high: 8192, colour: "pool", query: "a&b=c #\u202e", selection: { from: 3, to: 9 }, moment: -1, alloc: 7, hover: { event: 1 } });
  const other = new View(home);
  other.fromFragment(view.toFragment());
  for (const key of ["from", "to", "low", "high", "colour", "query", "selection", "moment", "alloc"]) assert.deepEqual(other[key], view[key], key);
  assert.equal(other.hover, null);
  other.fromFragment("from=9&to=3&axis=x&colour=%3Cb%3E&selection=9-2&alloc=-4&moment=1e9&low=NaN&query=");
  assert.equal(other.toFragment(), "");
  assert.throws(() => view.set({ nothing: 1 }));
});

test("a view of a foreign link is brought within the recording", () => {
  const data = recording(100, false);
  const view = new View(homeView(data));
  for (const link of [
    "from=-1e300&to=1e308&low=5&high=6&axis=time&colour=nothing&alloc=4000000000&moment=2000000000&selection=200-300",
    "colour=constructor&from=99.99&to=1e9&low=-5&high=1e300&moment=-9",
    "from=1e307&to=1.7e308&low=1e300&high=1.1e300",
  ]) {
    view.fromFragment(link);
    settleView(data, view);
    assert.ok(view.from >= 0 && view.to <= 100 && view.to - view.from >= 2 - 1e-9, link);
    assert.equal(view.axis, "event");
    assert.equal(view.colour, "site");
    assert.ok(view.low >= 0 && (view.high === null || view.high <= wholeHeight(data)), link);
    assert.deepEqual([view.alloc, view.moment, view.selection], [null, null, null]);
  }
  view.fromFragment("from=10&to=20&alloc=0&moment=-1&selection=5-400");
  settleView(data, view);
  assert.deepEqual([view.from, view.to, view.alloc, view.moment, view.selection], [10, 20, 0, -1, { from: 5, to: 100 }]);
});

test("what a block says is where a view begins", () => {
  const data = recording(1000);
  data.meta.view = { axis: "time", colour: "size", from: 100, to: 200 };
  assert.deepEqual(homeView(data), { axis: "time", colour: "size", from: 100 * 100 * 10, to: 200 * 200 * 10 });
  data.meta.view = undefined;
  assert.deepEqual(homeView(data), { axis: "event", colour: "site", from: 0, to: 1000 });
  const still = new MemoryData("m", block([{ born: NEVER, died: NEVER, bytes: 5 }], { events: 0 }));
  assert.deepEqual(homeView(still), { axis: "event", colour: "site", from: 0, to: 1 });
});
