// SPDX-License-Identifier: MIT
// What tests do with a timeline in a page: wait until it is drawn, ask where things lie on the
// screen, and read its view. The page offers its timelines as `mlviz.timelines`.
import assert from "node:assert/strict";

export async function drawn(page) {
  await page.waitForFunction(() => globalThis.mlviz?.timelines[0]?.plot.draws > 0);
}

// The state of the first timeline's view, as plain data.
export function viewState(page) {
  return page.evaluate(() => {
    const { from, to, low, high, axis, colour, query, selection, moment, alloc, hover } = globalThis.mlviz.timelines[0].view.state;
    return { from, to, low, high, axis, colour, query, selection, moment, alloc, hover };
  });
}

// Two frames later: what was asked for is on the screen.
export function settled(page) {
  return page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

// Where the plot lies on the screen, and what it shows: {x, y, w, h, from, to, low, high}.
export function plotPlace(page) {
  return page.evaluate(() => {
    const { plot, view } = globalThis.mlviz.timelines[0];
    const box = plot.canvas.getBoundingClientRect();
    const { x, y, w, h } = plot.place;
    return { x: box.left + x, y: box.top + y, w, h, from: view.from, to: view.to, low: plot.layout.low, high: plot.layout.high };
  });
}

// The middle of what is drawn of an allocation after an event, on the screen.
export async function placeOf(page, event, bytes) {
  const p = await plotPlace(page);
  return { x: p.x + ((event + 0.5 - p.from) / (p.to - p.from)) * p.w, y: p.y + p.h - ((bytes - p.low) / (p.high - p.low)) * p.h };
}

export async function noSidewaysScroll(page) {
  const { wide, window } = await page.evaluate(() => ({ wide: document.scrollingElement.scrollWidth, window: innerWidth }));
  assert.ok(wide <= window, `the page is ${wide} pixels wide in a window of ${window}`);
}
