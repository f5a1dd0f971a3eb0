// SPDX-License-Identifier: MIT
// Lanes of spans in the page: what lies under the pointer, search, keys, and one axis with the
// memory of the same rank, against the page's own data looked through one by one.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { artefact, launch, withPage } from "./lib/harness.js";
import { faultsInBrowser } from "./lib/markup.js";
import { corpus, mlviz, randomNumbers } from "./lib/page_data.js";
import { noSidewaysScroll } from "./lib/timeline_page.js";

const folder = corpus("run-base", "").length ? join(process.env.CORPUS, "run-base") : null;
const skip = folder ? false : "no recordings beside the checkout";

let browser;
let both; // memory, trace and dump of a rank
let alone; // the trace and the dump
before(async () => {
  browser = await launch();
  if (skip) return;
  both = artefact("lanes-memory.html");
  alone = artefact("lanes-alone.html");
  mlviz("timeline", "-q", "-o", both, ...["mem-rank2.pickle.zst", "trace-rank2.json.zst", "fr_2"].map((f) => join(folder, f)));
  mlviz("timeline", "-q", "-o", alone, join(folder, "fr_2"));
});
after(() => browser.close());

async function lanes(page) {
  await page.waitForFunction(() => globalThis.mlviz?.lanes.length && globalThis.mlviz.lanes[0].plot.edges);
  await page.locator(".lanes-frame").first().scrollIntoViewIfNeeded();
  await page.waitForTimeout(150);
}

// What is under points of the lanes: by the page, and by looking at every span of that lane.
function compare(points) {
  const { plot } = globalThis.mlviz.lanes[0];
  return points.map(([sx, sy]) => {
    const x = plot.place.x + Math.floor(sx * (plot.place.w - 1));
    const line = plot.lines[Math.floor(sy * plot.lines.length)];
    const hit = plot.hit(x, line.y + 5);
    const column = Math.floor((x - plot.place.x) * plot.ratio);
    const data = line.track.data;
    const within = Array.from(line.lane.rows).filter((row) => data.start[row] < plot.edges[column + 1] && data.end[row] > plot.edges[column]);
    const longest = Math.max(0, ...within.map((row) => data.end[row] - data.start[row]));
    return { got: hit ? data.end[hit.bar.row] - data.start[hit.bar.row] : 0, longest, any: within.length > 0, name: hit ? data.name(hit.bar.row) : "" };
  });
}

test("the pointer is told the span that lies there, along events and along time", { skip }, () =>
  withPage(browser, both, { height: 2200 }, async (page) => {
    await lanes(page);
    const next = randomNumbers(42);
    for (const axis of ["event", "time"]) {
      const window_ = axis === "event" ? { axis, from: 12000, to: 12400 } : { axis, from: 5.05e9, to: 5.2e9 };
      await page.evaluate((values) => globalThis.mlviz.lanes[0].view.set(values), window_);
      await page.waitForTimeout(200);
      const points = Array.from({ length: 400 }, () => [next(1000) / 1000, next(1000) / 1000]);
      const found = await page.evaluate(compare, points);
      const hits = found.filter((f) => f.any);
      assert.ok(hits.length >= 12, `${hits.length} of the points lie on spans`);
      // Where several share a column the longest of those that end within it is named.
      for (const f of found) assert.ok(f.any ? f.got > 0 || f.longest === 0 : f.got === 0, JSON.stringify(f));
      assert.ok(hits.filter((f) => f.got === f.longest).length >= hits.length * 0.9);
    }
  }));

test("what the tip says is what lies there", { skip }, () =>
  withPage(browser, both, { height: 2200 }, async (page) => {
    await lanes(page);
    await page.evaluate(() => globalThis.mlviz.lanes[0].view.set({ axis: "time", from: 5.0e9, to: 5.3e9 }));
    await page.waitForTimeout(200);
    const at = await page.evaluate(() => {
      const { plot } = globalThis.mlviz.lanes[0];
      const line = plot.lines.find((l) => l.bars.some((b) => b.count === 1 && b.x1 - b.x0 > 40));
      const bar = line.bars.find((b) => b.count === 1 && b.x1 - b.x0 > 40);
      return { x: plot.place.x + (bar.x0 + 20) / plot.ratio, y: line.y + 5, name: line.track.data.name(bar.row) };
    });
    const box = await page.locator(".lanes-frame").boundingBox();
    await page.mouse.move(box.x + at.x, box.y + at.y);
    assert.equal(await page.locator(".lanes-frame .timeline-tip .first").textContent(), at.name);
    await page.mouse.click(box.x + at.x, box.y + at.y);
    assert.equal(await page.locator(".span-details h3").textContent(), at.name);
    assert.deepEqual(await faultsInBrowser(page), []);
    await page.screenshot({ path: artefact("lanes-1600-light.png"), fullPage: true });
  }));

test("steps of the trace lie where the snapshot's own annotations of them lie", { skip }, () =>
  withPage(browser, both, { height: 2200 }, async (page) => {
    await lanes(page);
    const apart = await page.evaluate(() => {
      const { sources } = globalThis.mlviz.lanes[0];
      const { data } = globalThis.mlviz.timelines[0];
      const trace = sources.find((s) => s.data.meta.title.startsWith("trace")).data;
      const list = [];
      for (let k = 0; k < data.spans.count; k++) {
        if (!/^ProfilerStep#/.test(data.spans.name(k))) continue;
        for (let i = 0; i < trace.n; i++) if (trace.name(i) === data.spans.name(k) && trace.category(i) === "user_annotation") list.push(trace.start[i] - data.spans.from[k]);
      }
      return list;
    });
    assert.ok(apart.length >= 2, "steps that both recorded");
    for (const ns of apart) assert.ok(Math.abs(ns) < 1e6, `${ns} ns apart`);
    await page.locator(".lanes-head summary").click();
    assert.match(await page.locator(".lanes-head").textContent(), /the clocks agree: .* allocations that both recorded/);
  }));

test("a search lights names, and Enter goes to the next", { skip }, () =>
  withPage(browser, both, { height: 2200 }, async (page) => {
    await lanes(page);
    const want = await page.evaluate(() => globalThis.mlviz.lanes[0].sources.reduce((sum, { data }) => sum + Array.from({ length: data.n }, (_, i) => data.name(i)).filter((name) => name.toLowerCase().includes("all_gather")).length, 0));
    const field = page.getByRole("searchbox", { name: "Find spans by name" });
    await field.fill("ALL_gather");
    const said = (await page.locator(".lanes-head [role=status]").textContent()).replace(/\u202f/g, "");
    assert.equal(said, `${want} matches`);
    await field.press("Enter");
    assert.match(await page.locator(".span-details h3").textContent(), /all_gather/);
  }));

test("collectives in flight at the pointer are those that had begun and not ended", { skip }, () =>
  withPage(browser, both, { height: 2200 }, async (page) => {
    await lanes(page);
    const result = await page.evaluate(() => {
      const { plot, sources } = globalThis.mlviz.lanes[0];
      const times = sources.flatMap(({ data }) => Array.from({ length: data.n }, (_, i) => i).filter((i) => data.isCollective(i)).filter((_, k) => k % 29 === 0).map((i) => (data.start[i] + data.end[i]) / 2));
      return times.map((time) => {
        const plain = sources.flatMap(({ data }) => Array.from({ length: data.n }, (_, i) => i).filter((i) => data.start[i] <= time && data.end[i] > time && (data.category(i) === "collective" || (data.category(i) === "kernel" && data.name(i).includes("nccl")))));
        return [plot.inFlight(time).length, plain.length];
      });
    });
    assert.ok(result.length >= 6);
    for (const [got, want] of result) assert.ok(got === want && want > 0, `${got}, not ${want}`);
  }));

test("names of spans, tracks and attributes stay text", () => {
  const name = "<img src=x onerror=alert(1)>\"'&\u202egpj.exe\u0007";
  const events = [
    { ph: "M", name: "process_name", pid: 1, args: { name } },
    { ph: "M", name: "thread_name", pid: 1, tid: 2, args: { name: `${name}${"T".repeat(10000)}` } },
    { ph: "X", cat: name, name: `</script><script>alert(2)</script>${"N".repeat(10000)}`, pid: 1, tid: 2, ts: 10, dur: 900, args: { "Input Dims": name, [name]: name } },
    { ph: "X", cat: "cpu_op", name, pid: 1, tid: 2, ts: 20, dur: 100, args: {} },
    { ph: "B", cat: "cpu_op", name: "never ends", pid: 1, tid: 2, ts: 500 },
  ];
  const trace = artefact("hostile-trace.json");
  const file = artefact("hostile-trace.html");
  writeFileSync(trace, JSON.stringify({ schemaVersion: 1, traceEvents: events }));
  mlviz("timeline", "-q", "-o", file, trace);
  return withPage(browser, file, {}, async (page) => {
    await lanes(page);
    await page.locator(".lanes-frame").focus();
    for (let k = 0; k < 3; k++) {
      await page.keyboard.press(".");
      await page.waitForTimeout(50);
      const text = await page.locator("#app").textContent();
      assert.ok(!text.includes("\u202e") && !text.includes("\u0007"));
      assert.equal(await page.locator("#app img, #app script").count(), 0);
    }
    const box = await page.locator(".lanes-frame").boundingBox();
    const y = await page.evaluate(() => globalThis.mlviz.lanes[0].plot.lines[0].y);
    await page.mouse.move(box.x + box.width / 2, box.y + y + 5);
    assert.ok((await page.locator(".lanes-frame .timeline-tip .first").textContent()).startsWith("</script><script>alert(2)</script>"));
    await noSidewaysScroll(page);
  });
});

test("spans alone: keys zoom and move, the link brings the view back, a phone shows them", { skip }, () =>
  withPage(browser, alone, { width: 390, height: 844, touch: true }, async (page) => {
    await lanes(page);
    await noSidewaysScroll(page);
    const state = () => page.evaluate(() => ({ from: globalThis.mlviz.lanes[0].view.from, to: globalThis.mlviz.lanes[0].view.to }));
    const whole = await state();
    await page.locator(".lanes-frame").focus();
    await page.keyboard.press("+");
    await page.keyboard.press("+");
    await page.keyboard.press("ArrowRight");
    const moved = await state();
    assert.ok(moved.to - moved.from < (whole.to - whole.from) / 2);
    await page.waitForTimeout(400);
    await page.reload();
    await lanes(page);
    assert.deepEqual(await state(), moved);
    await page.locator(".lanes-frame").focus();
    await page.keyboard.press("0");
    assert.deepEqual(await state(), whole);
    await page.keyboard.press(".");
    assert.ok(await page.locator(".span-details h3").isVisible());
    await page.screenshot({ path: artefact("lanes-390-light.png"), fullPage: true });
  }));
