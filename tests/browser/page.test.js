// SPDX-License-Identifier: MIT
// The page as a document: its policy, its markup before and after it has drawn itself, its looks on
// a desk and on a phone, light and dark, and touch.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { artefact, launch, withPage } from "./lib/harness.js";
import { faultsInBrowser, faultsOf, withoutScripts } from "./lib/markup.js";
import { sample, timelinePage } from "./lib/page_data.js";
import { drawn, noSidewaysScroll, plotPlace, settled, viewState } from "./lib/timeline_page.js";

let browser;
let file;
before(async () => {
  browser = await launch();
  file = timelinePage(sample("oom-3.6-native.pickle.zst"), "oom-3.6-native");
});
after(() => browser.close());

test("its policy allows its own script and styles by their hashes, and no request", () => {
  const text = readFileSync(file, "utf8");
  const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(text);
  assert.ok(policy.index < text.search(/<(style|script)/), "it comes first");
  const rules = Object.fromEntries(policy[1].split(";").map((rule) => rule.trim().split(/\s+(.*)/s, 2)));
  const hash = (body) => `'sha256-${createHash("sha256").update(body, "utf8").digest("base64")}'`;
  assert.equal(rules["default-src"], "'none'");
  assert.equal(rules["img-src"], "data: blob:");
  assert.equal(rules["script-src"], hash(/<script>(.*?)<\/script>/s.exec(text)[1]));
  assert.equal(rules["style-src"], hash(/<style>(.*?)<\/style>/s.exec(text)[1]));
  assert.deepEqual(Object.keys(rules).sort(), ["base-uri", "default-src", "form-action", "img-src", "script-src", "style-src"]);
});

test("its markup is valid as it is written", async () => {
  assert.deepEqual(await faultsOf(withoutScripts(readFileSync(file, "utf8"))), []);
});

test("its markup is valid once it has drawn itself", () =>
  withPage(browser, file, {}, async (page) => {
    await drawn(page);
    await page.locator(".plot-frame").focus();
    await page.keyboard.press("ArrowUp");
    for (const name of ["Search", "Range", "Segments", "Details"]) {
      await page.getByRole("tab", { name }).click();
      if (name === "Range") await page.getByRole("button", { name: "Take what is shown" }).click();
      await settled(page);
      assert.deepEqual(await faultsInBrowser(page), [], name);
    }
    const unnamed = await page.evaluate(() => [...document.querySelectorAll("button, input, select, a, [role=application]")].filter((e) => e.checkVisibility() && !(e.textContent.trim() || e.getAttribute("aria-label") || e.labels?.length)).map((e) => `${e.localName} ${e.className}`));
    assert.deepEqual(unnamed, [], "everything has a name");
  }));

for (const width of [1600, 390])
  for (const dark of [false, true])
    test(`it looks well, ${width} pixels wide, ${dark ? "dark" : "light"}`, () =>
      withPage(browser, file, { width, height: width === 390 ? 844 : 1000, dark, touch: width === 390 }, async (page) => {
        await drawn(page);
        const name = `timeline-${width}-${dark ? "dark" : "light"}`;
        await page.screenshot({ path: artefact(`${name}.png`), fullPage: true });
        assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), dark ? "dark" : "light");
        for (const panel of ["Search", "Range", "Segments", "Details"]) {
          await page.getByRole("tab", { name: panel }).click();
          if (panel === "Search") await page.getByRole("searchbox").fill("attention");
          if (panel === "Range") await page.getByRole("button", { name: "Take what is shown" }).click();
          if (panel === "Details") await page.evaluate(() => globalThis.mlviz.timelines[0].view.set({ alloc: 2000, query: "", selection: null }));
          await page.waitForTimeout(250);
          await noSidewaysScroll(page);
          await page.locator(".panels").screenshot({ path: artefact(`${name}-${panel.toLowerCase()}.png`) });
        }
      }));

test("two fingers zoom, one moves, a tap picks", () =>
  withPage(browser, file, { width: 390, height: 844, touch: true }, async (page) => {
    await drawn(page);
    const place = await plotPlace(page);
    const start = await viewState(page);
    const session = await page.context().newCDPSession(page);
    const touch = (type, points) => session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
    const y = place.y + place.h * 0.8;
    const middle = place.x + place.w / 2;
    await touch("touchStart", [[middle - 20, y], [middle + 20, y]]);
    for (let d = 20; d <= 100; d += 20) await touch("touchMove", [[middle - d, y], [middle + d, y]]);
    await touch("touchEnd", []);
    await settled(page);
    const zoomed = await viewState(page);
    assert.ok(zoomed.to - zoomed.from < (start.to - start.from) / 3, "closer");
    await touch("touchStart", [[middle, y]]);
    for (let d = 10; d <= 80; d += 10) await touch("touchMove", [[middle + d, y]]);
    await touch("touchEnd", []);
    await settled(page);
    const moved = await viewState(page);
    assert.ok(moved.from < zoomed.from, "moved");
    const found = await page.evaluate(({ x, y0, y1 }) => {
      const { hit } = globalThis.mlviz.timelines[0];
      for (let at = y1 - 2; at > y0; at -= 2) if (hit(x, at)?.alloc >= 0 && hit(x, at).alloc !== null) return { y: at, alloc: hit(x, at).alloc };
      return null;
    }, { x: middle, y0: place.y, y1: place.y + place.h });
    await page.touchscreen.tap(middle, found.y);
    await settled(page);
    assert.equal((await viewState(page)).alloc, found.alloc);
    assert.match(await page.textContent(".panel-details"), /0x[0-9a-f]+/);
  }));

test("the switch of colours is obeyed", () =>
  withPage(browser, file, {}, async (page) => {
    await drawn(page);
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.getByRole("button", { name: "Colours: dark" }).click();
    await settled(page);
    assert.notEqual(await ground(), light);
    await page.getByRole("button", { name: "Colours: light" }).click();
    await settled(page);
    assert.equal(await ground(), light);
  }));
