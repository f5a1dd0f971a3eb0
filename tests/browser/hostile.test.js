// SPDX-License-Identifier: MIT
// Names of a recording are text, whatever they look like: nothing of them becomes an element, runs,
// asks for something or turns the writing around it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { artefact, launch, withPage } from "./lib/harness.js";
import { hostileSnapshot, HOSTILE_NAMES } from "./lib/hostile.js";
import { memoryBlocks, timelinePage } from "./lib/page_data.js";
import { drawn, noSidewaysScroll, settled } from "./lib/timeline_page.js";

let browser;
let file;
before(async () => {
  browser = await launch();
  file = timelinePage(hostileSnapshot(), "hostile");
});
after(() => browser.close());

// What a page may be made of.
const ELEMENTS = /^(a|article|aside|bdi|button|canvas|caption|code|dd|details|div|dl|dt|h[1-6]|header|input|label|li|main|nav|ol|option|output|p|path|pre|section|select|span|strong|summary|svg|table|tbody|td|th|thead|time|tr|ul)$/;

async function checkElements(page) {
  const found = await page.evaluate(() => {
    const elements = [...document.querySelectorAll("#app *")];
    return {
      names: [...new Set(elements.map((element) => element.localName))],
      handlers: elements.flatMap((element) => [...element.attributes].filter((a) => /^on/i.test(a.name) || /javascript:/i.test(a.value)).map((a) => `${element.localName} ${a.name}`)).filter((text) => !/title|aria-label|value/.test(text)),
      text: document.querySelector("#app").textContent,
      // A child or a value that was not there, written out.
      missing: elements.flatMap((element) => [...element.childNodes].filter((node) => node.nodeType === 3 && /^(null|undefined|NaN|\[object)/.test(node.data)).map((node) => `${element.className}: ${node.data}`)),
    };
  });
  for (const name of found.names) assert.match(name, ELEMENTS);
  assert.deepEqual(found.handlers, []);
  assert.deepEqual(found.missing, []);
  // Control characters and those that turn the writing are shown as what they are.
  // eslint-disable-next-line no-control-regex
  assert.doesNotMatch(found.text, /[\u0000-\u0008\u000b-\u001f\u007f\u0085\u200f\u2028\u2029\u202e\u2066\u2069]/);
}

test("the file holds its scripts and data, and nothing of the names' making", () => {
  const text = readFileSync(file, "utf8");
  const opened = text.match(/^<script(?: id="[a-z]+(?:-\d+)?" data-kind="[a-z]+" data-title="[^"<>]*" type="[a-z./]+")?>/gm);
  assert.equal(opened.length, memoryBlocks(file).length + 2); // the index, and the page's own
  assert.equal(text.match(/<script/gi).length, opened.length);
  assert.equal(text.match(/<\/script/gi).length, opened.length);
  assert.doesNotMatch(text, /<(img|svg|iframe|object|embed|link|base)\b/i);
});

test("every panel shows them as text", () =>
  withPage(browser, file, { height: 1400 }, async (page) => {
    await drawn(page);
    await checkElements(page);
    const count = await page.evaluate(() => globalThis.mlviz.timelines[0].data.n);
    assert.equal(count, HOSTILE_NAMES.length);
    assert.match(await page.textContent(".legend"), /nul.*esc.*bell.*del.*c1/, "a name goes on behind a NUL");
    for (let i = 0; i < count; i++) {
      await page.evaluate((alloc) => globalThis.mlviz.timelines[0].view.set({ alloc, moment: alloc * 2 + 1 }), i);
      await settled(page);
      await checkElements(page);
    }
    await page.evaluate(() => globalThis.mlviz.timelines[0].view.set({ alloc: 0 }));
    await settled(page);
    assert.match(await page.textContent(".panel-details"), /<img src=x onerror=alert\(1\)>/);
    await page.screenshot({ path: artefact("hostile-details.png"), fullPage: true });
    for (const name of ["Search", "Range", "Segments"]) {
      await page.getByRole("tab", { name }).click();
      if (name === "Range") await page.getByRole("button", { name: "Take what is shown" }).click();
      if (name === "Search") await page.getByRole("searchbox").fill("<img");
      await page.waitForTimeout(300);
      await checkElements(page);
      if (name === "Search") assert.match((await page.textContent(".search-count")).replace(/\s/g, ""), new RegExp(`^1of${count}$`));
      await page.screenshot({ path: artefact(`hostile-${name.toLowerCase()}.png`), fullPage: true });
    }
    await noSidewaysScroll(page);
  }));

test("the pointer may rest on any of them", () =>
  withPage(browser, file, { width: 900 }, async (page) => {
    await drawn(page);
    const box = await page.locator(".plot-frame").boundingBox();
    for (let k = 0; k < 24; k++) {
      await page.mouse.move(box.x + box.width * (0.2 + 0.03 * k), box.y + box.height * (0.9 - 0.03 * k));
      await settled(page);
      await checkElements(page);
    }
    await noSidewaysScroll(page);
  }));
