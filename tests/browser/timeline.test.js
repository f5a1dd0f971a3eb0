// SPDX-License-Identifier: MIT
// The timeline and its panels in a browser, against the model of the allocator and against counts
// made here.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { artefact, launch, openPage, withPage } from "./lib/harness.js";
import { aliveByModel, atHeight, sumOf } from "./lib/model.js";
import { memoryBlocks, mlvizJson, randomNumbers, sample, timelinePage } from "./lib/page_data.js";
import { drawn, placeOf, plotPlace, settled, viewState } from "./lib/timeline_page.js";

const input = sample("train-adamw.pickle.zst");
let browser;
let file;
let data;
before(async () => {
  browser = await launch();
  file = timelinePage(input, "train-adamw");
  data = memoryBlocks(file)[0].data;
});
after(() => browser.close());

// Open the page, wait for the timeline, and fail on complaints.
const withTimeline = (options, body) =>
  withPage(browser, file, options, async (page) => {
    await drawn(page);
    await body(page);
  });

const frame = (page) => page.locator(".plot-frame");
const tab = (page, name) => page.getByRole("tab", { name }).click();

test("it shows the whole recording and its peak", () =>
  withTimeline({}, async (page) => {
    const { from, to } = await viewState(page);
    assert.deepEqual([from, to], [0, data.events]);
    assert.match(await page.textContent(".timeline-head"), /peak 735\.7 MiB requested/);
  }));

test("the pointer finds what the model has there, at random points", () =>
  withTimeline({ height: 1400 }, async (page) => {
    const random = randomNumbers(11);
    const place = await plotPlace(page);
    let found = 0;
    for (let tries = 0; found < 14 && tries < 80; tries++) {
      const x = place.x + random(Math.floor(place.w));
      const y = place.y + random(Math.floor(place.h));
      await page.mouse.move(x, y);
      const { hover } = await viewState(page);
      if (!hover) continue;
      // The middle of the row of pixels.
      const bytes = place.low + ((place.y + place.h - y - 0.5) / place.h) * (place.high - place.low);
      const alive = aliveByModel(input, hover.event);
      const expected = atHeight(alive, bytes);
      const pixel = (place.high - place.low) / place.h;
      const where = `after event ${hover.event}, at ${bytes} bytes`;
      if (hover.count === 0) {
        assert.ok(bytes > sumOf(alive) - pixel, `nothing was found ${where}`);
        continue;
      }
      if (hover.alloc === null || expected === null || expected.margin < pixel) continue; // an edge, or too thin
      assert.equal(data.born[hover.alloc], expected.born, where);
      assert.equal(data.bytes[hover.alloc], expected.bytes, where);
      assert.equal(data.address(hover.alloc), expected.address, where);
      const shown = mlvizJson("show", "-q", "--json", "--event", String(expected.born), input).files[0].items[0];
      const tip = await page.textContent(".timeline-tip");
      assert.ok(tip.includes(shown.address), `${tip} tells ${shown.address}`);
      assert.equal(shown.requested_bytes, data.bytes[hover.alloc]);
      found++;
    }
    assert.ok(found >= 12, `${found} allocations were found`);
  }));

test("a click picks an allocation and tells all of it", () =>
  withTimeline({}, async (page) => {
    const event = data.meta.requested.peak_event;
    const alive = aliveByModel(input, event);
    const known = new Set(Array.from(data.born.keys()).filter((i) => data.stack[i] > 1).map((i) => data.born[i]));
    const largest = alive.filter((one) => known.has(one.born)).reduce((a, b) => (b.bytes > a.bytes ? b : a));
    const bottom = sumOf(alive.filter((one) => one.born < largest.born));
    await page.getByRole("button", { name: "Peak" }).first().click();
    await settled(page);
    const { x, y } = await placeOf(page, event, bottom + largest.bytes / 2);
    await page.mouse.click(x, y);
    await settled(page);
    const { alloc, moment } = await viewState(page);
    assert.equal(data.born[alloc], largest.born);
    assert.ok(Math.abs(moment - event) < 20);
    const text = await page.textContent(".panel-details");
    const shown = mlvizJson("show", "-q", "--json", "--event", String(largest.born), input).files[0].items[0];
    assert.ok(text.includes(shown.address));
    assert.equal(shown.stack.length > 0, true);
    const frames = await page.locator(".panel-details .frame").allTextContents();
    assert.equal(frames.length, shown.stack.length);
    shown.stack.forEach((one, k) => assert.ok(frames[k].startsWith(one.function), `${frames[k]} is ${one.function}`));
    assert.equal(await page.locator(".frame-first").count(), shown.stack.some((one) => !/site-packages/.test(one.file)) ? 1 : 0);
  }));

test("the wheel zooms where the pointer is", () =>
  withTimeline({}, async (page) => {
    const place = await plotPlace(page);
    const share = 0.3;
    await page.mouse.move(place.x + share * place.w, place.y + place.h * 0.8);
    const start = await viewState(page);
    const under = start.from + share * (start.to - start.from);
    for (let k = 0; k < 5; k++) await page.mouse.wheel(0, -200);
    await settled(page);
    const next = await viewState(page);
    assert.ok(next.to - next.from < (start.to - start.from) / 4, "closer");
    assert.ok(Math.abs(next.from + share * (next.to - next.from) - under) < (start.to - start.from) / place.w * 2, "the place under the pointer stays");
    for (let k = 0; k < 30; k++) await page.mouse.wheel(0, 400);
    await settled(page);
    const back = await viewState(page);
    assert.deepEqual([back.from, back.to], [start.from, start.to]);
  }));

test("a drag moves the window, one with shift selects", () =>
  withTimeline({}, async (page) => {
    const place = await plotPlace(page);
    await page.mouse.move(place.x + place.w / 2, place.y + place.h / 2);
    for (let k = 0; k < 4; k++) await page.mouse.wheel(0, -300);
    await settled(page);
    const start = await viewState(page);
    await page.mouse.down();
    await page.mouse.move(place.x + place.w / 2 + 100, place.y + place.h / 2, { steps: 5 });
    await page.mouse.up();
    await settled(page);
    const moved = await viewState(page);
    const per = (start.to - start.from) / place.w;
    assert.ok(Math.abs(moved.from - (start.from - 100 * per)) < 2 * per);
    assert.equal(Math.round(moved.to - moved.from), Math.round(start.to - start.from));
    await page.keyboard.down("Shift");
    await page.mouse.move(place.x + place.w * 0.25, place.y + place.h / 2);
    await page.mouse.down();
    await page.mouse.move(place.x + place.w * 0.75, place.y + place.h / 2, { steps: 5 });
    await page.mouse.up();
    await page.keyboard.up("Shift");
    await settled(page);
    const { selection } = await viewState(page);
    assert.ok(Math.abs(selection.from - (moved.from + 0.25 * (moved.to - moved.from))) < 2 * per + 1);
    assert.ok(Math.abs(selection.to - (moved.from + 0.75 * (moved.to - moved.from))) < 2 * per + 2);
    assert.equal(await page.getAttribute('[role="tab"][aria-selected="true"]', "id"), `${data.id}-range-tab`);
  }));

test("sums of a range equal those of the model", () =>
  withTimeline({}, async (page) => {
    await tab(page, "Range");
    const random = randomNumbers(5);
    const panel = page.locator(".panel-range");
    for (let k = 0; k < 4; k++) {
      // Bounded by allocations: the model is then as far as the recording (segments.test.js).
      const births = [random(data.n), random(data.n)].map((i) => data.born[i]).sort((a, b) => a - b);
      const [from, to] = [births[0] + 1, births[1] + 1];
      if (to <= from) continue;
      await panel.getByLabel("From event").fill(String(from));
      await panel.getByLabel("to event").fill(String(to - 1));
      await panel.getByLabel("to event").press("Tab");
      await settled(page);
      const one = (block) => `${block.born} ${block.address}`;
      const ahead = aliveByModel(input, from - 1);
      const behind = aliveByModel(input, to - 1);
      const there = new Set(ahead.map(one));
      const through = behind.filter((block) => there.has(one(block)));
      const kept = behind.filter((block) => !there.has(one(block)));
      // What came, event by event.
      const allocated = [];
      for (let i = 0; i < data.n; i++) if (data.born[i] >= from && data.born[i] < to) allocated.push({ bytes: data.bytes[i] });
      const freedBytes = sumOf(ahead) + sumOf(allocated) - sumOf(behind);
      const expected = { through: sumOf(through), kept: sumOf(kept), allocated: sumOf(allocated), freed: freedBytes };
      for (const [set, bytes] of Object.entries(expected)) {
        await panel.locator(`[data-set="${set}"]`).click();
        const rows = await panel.locator("tbody tr").evaluateAll((all) => all.map((row) => Number(row.querySelectorAll("td")[2].title.replace(/\D/g, ""))));
        assert.equal(rows.reduce((a, b) => a + b, 0), bytes, `${set} in ${from} … ${to - 1}`);
      }
    }
  }));

test("a search lights what has the words in its stack", () =>
  withTimeline({}, async (page) => {
    const counts = {};
    for (let i = 0; i < data.n; i++) {
      const frames = data.stackFrames(data.stack[i]);
      const is = {
        attention: frames.some((f) => /attention/i.test(f.function) || /attention/i.test(f.file)),
        "gen_mem.py:63": frames.some((f) => f.file.endsWith("gen_mem.py") && f.line === 63),
        ">=16MiB train": data.bytes[i] >= 16 * 1024 ** 2 && frames.some((f) => /train/i.test(f.function) || /train/i.test(f.file)),
      };
      for (const [query, holds] of Object.entries(is)) counts[query] = (counts[query] ?? 0) + (holds ? 1 : 0);
    }
    for (const [query, count] of Object.entries(counts)) {
      await page.getByRole("searchbox").fill(query);
      await page.getByRole("searchbox").press("Enter");
      await settled(page);
      const text = (await page.textContent(".search-count")).replace(/\s/g, "");
      assert.equal(text, `${count}of${data.n}`, query);
      const lit = await page.evaluate(() => globalThis.mlviz.timelines[0].view.search.reduce((a, b) => a + b, 0));
      assert.equal(lit, count, query);
      const { alloc } = await viewState(page);
      assert.equal(await page.evaluate((i) => globalThis.mlviz.timelines[0].view.search[i], alloc), 1, "Enter goes to a match");
    }
    await page.getByRole("searchbox").press("Escape");
    await settled(page);
    assert.equal(await page.evaluate(() => globalThis.mlviz.timelines[0].view.search), null);
  }));

test("an address finds the allocations that held it", () =>
  withTimeline({}, async (page) => {
    const i = data.n >> 1;
    await page.getByRole("searchbox").fill(`0x${(BigInt(data.address(i)) + BigInt(Math.floor(data.bytes[i] / 2))).toString(16)}`);
    await page.getByRole("searchbox").press("Enter");
    await settled(page);
    const lit = await page.evaluate(() => Array.from(globalThis.mlviz.timelines[0].view.search).flatMap((hit, k) => (hit ? [k] : [])));
    const address = data.addr[i] + Math.floor(data.bytes[i] / 2);
    const holding = Array.from(data.born.keys()).filter((k) => data.addr[k] <= address && address < data.addr[k] + data.bytes[k]);
    assert.ok(holding.includes(i));
    assert.deepEqual(lit, holding);
  }));

test("a link restores the view", async () => {
  const first = await openPage(browser, file);
  await drawn(first.page);
  const place = await plotPlace(first.page);
  await first.page.mouse.move(place.x + place.w * 0.6, place.y + place.h * 0.9);
  for (let k = 0; k < 3; k++) await first.page.mouse.wheel(0, -300);
  await first.page.mouse.click(place.x + place.w * 0.6, place.y + place.h * 0.9);
  await first.page.getByRole("searchbox").fill("train_step >1MiB");
  await first.page.getByRole("searchbox").press("Tab");
  await tab(first.page, "Range");
  await first.page.getByRole("button", { name: "Take what is shown" }).click();
  await first.page.waitForFunction(() => /selection=/.test(location.hash) && /query=/.test(location.hash));
  await first.page.waitForTimeout(400);
  const url = first.page.url();
  const expected = { ...(await viewState(first.page)), hover: null };
  assert.deepEqual(first.complaints, []);
  await first.page.context().close();
  assert.ok(expected.alloc !== null && expected.selection && expected.query);
  await withPage(browser, file, { fragment: url.split("#")[1] }, async (page) => {
    await drawn(page);
    assert.deepEqual({ ...(await viewState(page)), hover: null }, expected);
    assert.equal(await page.getByRole("searchbox").inputValue(), expected.query);
  });
});

test("links that make no sense are left out", () =>
  withTimeline({ fragment: `${data.id}?from=9&to=2&alloc=999999999&selection=5-&moment=x&colour=%3Cb%3E&query=%22` }, async (page) => {
    const { from, to, selection } = await viewState(page);
    assert.deepEqual([from, to, selection], [0, data.events, null]);
    for (const name of ["Search", "Range", "Segments", "Details"]) await tab(page, name);
    await settled(page);
  }));

test("everything can be done with the keyboard", () =>
  withTimeline({}, async (page) => {
    for (let k = 0; k < 60; k++) {
      await page.keyboard.press("Tab");
      if (await frame(page).evaluate((element) => element === document.activeElement)) break;
    }
    assert.ok(await frame(page).evaluate((element) => element === document.activeElement), "Tab comes to the plot");
    const outline = await frame(page).evaluate((element) => getComputedStyle(element).outlineStyle);
    assert.notEqual(outline, "none", "focus is seen");
    await page.keyboard.press("+");
    await page.keyboard.press("+");
    await page.keyboard.press("ArrowRight");
    await settled(page);
    const zoomed = await viewState(page);
    assert.ok(zoomed.to - zoomed.from < data.events * 0.6 && zoomed.from > 0);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await settled(page);
    const picked = await viewState(page);
    assert.notEqual(picked.alloc, null);
    const alive = aliveByModel(input, picked.moment);
    assert.equal(data.born[picked.alloc], alive[1].born, "the second from below");
    assert.match(await page.textContent(".panel-details"), new RegExp(data.address(picked.alloc)));
    await page.keyboard.press("/");
    await page.keyboard.type("attention");
    await page.keyboard.press("Enter");
    await settled(page);
    assert.equal((await viewState(page)).query, "attention");
    await page.locator('[role="tab"][aria-selected="true"]').focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.getAttribute('[role="tab"][aria-selected="true"]', "id"), `${data.id}-segments-tab`);
    await page.getByLabel("Moment: the state after event").focus();
    const moment = (await viewState(page)).moment;
    await page.keyboard.press("ArrowRight");
    await settled(page);
    assert.equal((await viewState(page)).moment, moment + 1);
    await page.locator(".segment-map").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    assert.match(await page.textContent(".segment-words"), /(block|free)/);
    await page.keyboard.press("Escape");
  }));

test("segments follow the slider and say what the model says", () =>
  withTimeline({ height: 1600 }, async (page) => {
    await tab(page, "Segments");
    const random = randomNumbers(3);
    for (let k = 0; k < 4; k++) {
      const event = data.born[random(data.n)];
      await page.getByLabel("Moment: the state after event").fill(String(event));
      await page.waitForFunction((e) => document.querySelector(".panel-segments").dataset.event === String(e), event);
      const { moment } = mlvizJson("replay", "-q", "--json", "--at", String(event), input).files[0].devices[0];
      const sums = await page.locator(".panel-segments dd[data-sum]").evaluateAll((all) => Object.fromEntries(all.map((dd) => [dd.previousSibling.textContent, Number(dd.dataset.sum)])));
      assert.deepEqual(
        [sums.Reserved, sums.Allocated, sums["of it requested"], sums["Free in segments"], sums["Largest free block"]],
        [moment.reserved_bytes, moment.allocated_bytes, moment.requested_bytes, moment.free_bytes, moment.largest_free_bytes],
        `after event ${event}`,
      );
    }
    await page.locator(".segment-map").screenshot({ path: artefact("segment-map.png") });
  }));

test("segments follow the pointer where they are asked to", () =>
  withTimeline({ height: 1600 }, async (page) => {
    await tab(page, "Segments");
    await page.getByLabel("Follow the pointer").check();
    const place = await plotPlace(page);
    for (const share of [0.2, 0.7]) {
      await page.mouse.move(place.x + share * place.w, place.y + place.h * 0.5);
      await settled(page);
      const { hover } = await viewState(page);
      assert.equal(await page.getAttribute(".panel-segments", "data-event"), String(hover.event));
    }
  }));

test("allocations of one stack can be lit", () =>
  withTimeline({}, async (page) => {
    await frame(page).focus();
    await page.keyboard.press("ArrowUp");
    await settled(page);
    const { alloc } = await viewState(page);
    let same = 0;
    for (let i = 0; i < data.n; i++) same += data.stack[i] === data.stack[alloc] ? 1 : 0;
    const button = page.getByRole("button", { name: /^Same stack/ });
    assert.match((await button.textContent()).replace(/\u202f/g, ""), new RegExp(`^Same stack: ${same} allocations?,`));
    await button.click();
    await settled(page);
    assert.equal(await page.evaluate(() => globalThis.mlviz.timelines[0].view.search.reduce((a, b) => a + b, 0)), same);
    await page.getByRole("button", { name: /^Same stack/ }).click();
    await settled(page);
    assert.equal((await viewState(page)).query, "");
  }));

test("an allocation can be copied as text", () =>
  withTimeline({}, async (page) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await frame(page).focus();
    await page.keyboard.press("ArrowUp");
    await page.getByRole("button", { name: "Copy as text" }).click();
    await page.waitForFunction(() => document.querySelector('.panel-details [role="status"]').textContent !== "");
    const text = await page.evaluate(() => document.querySelector(".copy-holder").textContent || navigator.clipboard.readText());
    assert.match(text, /Address: 0x/);
    assert.match(text, /Stack, innermost first:/);
  }));
