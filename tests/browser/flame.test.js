// SPDX-License-Identifier: MIT
// The SVG of `mlviz flame` in a browser: hover, zoom and search, against the stacks that
// `mlviz export --to folded` writes; and hostile names.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";
import { artefact, launch, withPage } from "./lib/harness.js";
import { hostileSnapshot, HOSTILE_NAMES } from "./lib/hostile.js";

const sample = fileURLToPath(new URL("../../samples/train-adamw.pickle.zst", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "mlviz-flame-"));
const mlviz = (...args) => execFileSync(process.env.MLVIZ, args, { encoding: "utf8", maxBuffer: 1 << 28 });

function flame(input, name, ...options) {
  const file = join(folder, name);
  mlviz("flame", "-o", file, ...options, input);
  return file;
}

let browser;
before(async () => {
  browser = await launch();
});
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

// Stacks as lists of names, with their bytes.
const stacks = mlviz("export", "--to", "folded", sample)
  .trimEnd()
  .split("\n")
  .map((line) => ({
    names: line.slice(0, line.lastIndexOf(" ")).split(";"),
    bytes: Number(line.slice(line.lastIndexOf(" ") + 1)),
  }));
const sumOf = (keep) => stacks.filter(keep).reduce((sum, stack) => sum + stack.bytes, 0);
const MiB = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

// The middle of the first bar with this name, from the root on.
function bar(page, name) {
  return page.evaluate((wanted) => {
    const groups = [...document.querySelectorAll("#flame-live g.node")];
    const found = groups.filter((g) => g.node.name === wanted).sort((a, b) => a.node.depth - b.node.depth)[0];
    if (!found) return null;
    const box = found.querySelector("rect").getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2, width: box.width };
  }, name);
}

test("hover tells the exact value", () =>
  withPage(browser, flame(sample, "hover.svg"), {}, async (page) => {
    const wanted = stacks[0].names[1];
    const at = await bar(page, wanted);
    await page.mouse.move(at.x, at.y);
    const line = await page.textContent("#flame-line");
    const bytes = sumOf((stack) => stack.names[0] === stacks[0].names[0] && stack.names[1] === wanted);
    assert.ok(line.startsWith(`${wanted}  \u2014  ${MiB(bytes)}, `), line);
    await page.screenshot({ path: artefact("flame-hover.png") });
  }));

test("a click zooms, and Escape begins anew", () =>
  withPage(browser, flame(sample, "zoom.svg", "--theme", "dark"), {}, async (page) => {
    const name = stacks[0].names[2];
    const was = await bar(page, name);
    await page.mouse.click(was.x, was.y);
    const zoomed = await bar(page, name);
    assert.ok(zoomed.width > was.width * 1.1 && zoomed.width > 1480, `${was.width} to ${zoomed.width}`);
    await page.screenshot({ path: artefact("flame-zoom-dark.png") });
    await page.keyboard.press("Escape");
    assert.equal((await bar(page, name)).width, was.width);
  }));

test("search lights what it finds, and sums it up once", () =>
  withPage(browser, flame(sample, "search.svg"), {}, async (page) => {
    for (const text of ["forward", "ADAM.PY", "gen_mem.py:2", "no such name"]) {
      await page.keyboard.press("/");
      await page.fill("#flame-search", text);
      const found = (name) => name.toLowerCase().includes(text.toLowerCase());
      const sum = sumOf((stack) => stack.names.some(found));
      const said = await page.textContent("#flame-sum");
      assert.ok(sum ? said.includes(`: ${MiB(sum)}, `) : said === "no match", `${text}: ${said}, not ${MiB(sum)}`);
    }
    await page.fill("#flame-search", "forward");
    await page.screenshot({ path: artefact("flame-search.png") });
  }));

test("bars stand where they stood without the script", async () => {
  const file = flame(sample, "same.svg");
  const boxes = (selector) => `[...document.querySelectorAll(${JSON.stringify(selector)})].map((r) => ["x", "y", "width"].map((a) => r.getAttribute(a)).join(" ")).sort()`;
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`file://${file}`);
  const still = await page.locator("#flame rect").evaluateAll((list) => list.map((r) => ["x", "y", "width"].map((a) => r.getAttribute(a)).join(" ")).sort());
  await context.close();
  await withPage(browser, file, {}, async (live) => {
    assert.deepEqual(await live.evaluate(boxes("#flame-live rect")), still);
  });
});

test("hostile names are text", () =>
  withPage(browser, flame(hostileSnapshot(), "hostile.svg", "--value", "allocated"), {}, async (page) => {
    const seen = await page.evaluate(() => ({
      scripts: document.querySelectorAll("script").length,
      handlers: [...document.querySelectorAll("*")].filter((e) => [...e.attributes].some((a) => /^on/i.test(a.name))).length,
      names: [...document.querySelectorAll("#flame-live g.node")].length,
      odd: [...document.querySelectorAll("*")].filter((e) => !/^(svg|g|rect|text|title|metadata|script|foreignObject|input)$/.test(e.localName)).map((e) => e.localName),
    }));
    assert.equal(seen.scripts, 1);
    assert.equal(seen.handlers, 0);
    assert.deepEqual(seen.odd, []);
    assert.ok(seen.names >= HOSTILE_NAMES.length / 2, `${seen.names} bars`);
    await page.screenshot({ path: artefact("flame-hostile.png") });
  }));
