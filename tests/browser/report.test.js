// SPDX-License-Identifier: MIT
// The page of a report against its report.json: what it says, how it is narrowed and gone through,
// that it reads well, light and dark, on a desk and on a phone, and that names stay text.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { artefact, launch, withPage } from "./lib/harness.js";
import { faultsInBrowser, faultsOf, withoutScripts } from "./lib/markup.js";
import { corpus, reportFolder, sample } from "./lib/page_data.js";
import { noSidewaysScroll } from "./lib/timeline_page.js";

const runs = ["run-base", "run-regressed"].map((name) => (corpus(name, "").length ? join(process.env.CORPUS, name) : null));
const skip = runs[1] ? false : "no recordings beside the checkout";

let browser;
let file; // of a report that can be made anywhere
let run; // of four ranks, against a baseline
let report;
before(async () => {
  browser = await launch();
  file = join(reportFolder([sample("oom-3.6-native.pickle.zst"), sample("leak-graph.pickle.zst")], "report-samples"), "index.html");
  if (skip) return;
  const folder = reportFolder([runs[1]], "report-run", "--baseline", runs[0]);
  run = join(folder, "index.html");
  report = JSON.parse(readFileSync(join(folder, "report.json"), "utf8"));
});
after(() => browser.close());

async function overview(page) {
  await page.waitForSelector(".overview");
  await page.waitForTimeout(200);
}

test("its markup is valid, as written and once it has drawn itself", () =>
  withPage(browser, file, {}, async (page) => {
    await overview(page);
    assert.deepEqual(await faultsOf(withoutScripts(readFileSync(file, "utf8"))), []);
    for (const finding of await page.locator(".finding").all()) await finding.locator("summary").click();
    assert.deepEqual(await faultsInBrowser(page), []);
  }));

test("an out-of-memory error is the first finding, and its page opens", () =>
  withPage(browser, file, {}, async (page) => {
    await overview(page);
    assert.match(await page.locator(".lead-text").textContent(), /./);
    assert.equal(await page.locator(".finding").first().locator(".finding-rule").textContent(), "out-of-memory");
    assert.equal(await page.locator(".head-nav .nav-link").filter({ hasText: /pickle|rank/ }).count(), 2);
  }));

test("it says what report.json says", { skip }, () =>
  withPage(browser, run, {}, async (page) => {
    await overview(page);
    const good = report.cards.filter((c) => c.state === "good").length;
    assert.equal(await page.locator(".verdict").count(), report.cards.length - good);
    assert.equal(await page.locator(".good-card").count(), good);
    assert.deepEqual(await page.locator(".finding-message").allTextContents(), report.findings.map((f) => f.message));
    assert.equal(await page.locator(".multiple").count(), report.ranks.length);
    assert.equal(await page.locator(".pair").count(), report.changes.figures.length);
    await page.locator(".changes .show-more").click();
    assert.equal(await page.locator(".statements > li").count(), report.changes.statements.length);
    assert.equal(await page.locator(".inputs tbody tr").count(), report.inputs.length);
    assert.equal(await page.locator(".finding").first().locator(".finding-rule").textContent(), "memory-growth");
  }));

test("findings are narrowed by severity, rule, rank and words, and open to their evidence", { skip }, () =>
  withPage(browser, run, {}, async (page) => {
    await overview(page);
    const shown = () => page.locator(".finding").count();
    const want = (keep) => report.findings.filter(keep).length;
    await page.getByRole("button", { name: /^Warnings/ }).click();
    assert.equal(await shown(), want((f) => f.severity === "warning"));
    await page.getByRole("button", { name: /^All/ }).click();
    await page.getByRole("combobox", { name: "Rule" }).selectOption("change");
    assert.equal(await shown(), want((f) => f.rule === "change"));
    await page.getByRole("combobox", { name: "Rule" }).selectOption("");
    await page.locator(".finding-tools").getByRole("combobox", { name: "Rank" }).first().selectOption("2");
    assert.equal(await shown(), want((f) => f.ranks.includes("2") || f.ranks === "0-3"));
    await page.locator(".finding-tools").getByRole("combobox", { name: "Rank" }).first().selectOption("");
    await page.getByRole("searchbox", { name: "Words in a finding" }).fill("gen_run.py:32 leaves nowhere");
    assert.equal(await shown(), 0);
    await page.getByRole("searchbox", { name: "Words in a finding" }).fill("memory-growth");
    assert.equal(await shown(), 1);
    await page.locator(".finding summary").click();
    const text = await page.locator(".evidence").textContent();
    for (const detail of report.findings[0].details) assert.ok(text.includes(detail), detail);
    assert.ok(text.includes("gen_run.py:32"));
  }));

test("the ways between overview and timelines, and back", { skip }, () =>
  withPage(browser, run, {}, async (page) => {
    await overview(page);
    await page.locator(".multiple").nth(2).click();
    await page.waitForSelector(".plot-frame");
    assert.equal(await page.locator(".nav-link[aria-current]").textContent(), "rank 2");
    assert.equal(await page.evaluate(() => globalThis.mlviz.timelines[0].data.meta.rank), 2);
    await page.goBack();
    assert.ok(await page.locator(".lead-text").isVisible());
    await page.getByRole("link", { name: /^Findings/ }).click();
    assert.ok(await page.evaluate(() => Math.abs(document.querySelector("#findings").getBoundingClientRect().top) < 120));
    await page.locator(".finding summary").first().click();
    await page.locator(".evidence").getByRole("link", { name: "rank 3" }).click();
    assert.equal(await page.locator(".nav-link[aria-current]").textContent(), "rank 3");
  }));

test("the pointer marks one place in all ranks", { skip }, () =>
  withPage(browser, run, {}, async (page) => {
    await overview(page);
    const before_ = await page.locator(".multiple-figures").allTextContents();
    await page.locator(".multiple-canvas").first().hover({ position: { x: 150, y: 50 } });
    const during = await page.locator(".multiple-figures").allTextContents();
    assert.equal(during.length, report.ranks.length);
    assert.ok(during.every((text) => text.startsWith("here ")), during.join("; "));
    await page.mouse.move(5, 5);
    assert.deepEqual(await page.locator(".multiple-figures").allTextContents(), before_);
  }));

for (const width of [1600, 390])
  for (const dark of [false, true])
    test(`it looks well, ${width} pixels wide, ${dark ? "dark" : "light"}`, { skip }, () =>
      withPage(browser, run, { width, height: width === 390 ? 844 : 1000, dark, touch: width === 390 }, async (page) => {
        await overview(page);
        await noSidewaysScroll(page);
        await page.screenshot({ path: artefact(`report-${width}-${dark ? "dark" : "light"}.png`), fullPage: true });
      }));

test("the switch of colours changes them, and the choice stays", () =>
  withPage(browser, file, {}, async (page) => {
    await overview(page);
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.getByRole("button", { name: "Colours: dark" }).click();
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
    assert.notEqual(await ground(), light);
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    await page.reload();
    await overview(page);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  }));

// Colours of text, and the surfaces that each is meant for.
const SURFACES = ["--ground", "--surface", "--surface-sunken", "--surface-hover", "--surface-raised"];
const TEXT_ON = {
  "--text": [...SURFACES, "--band"],
  "--text-dim": SURFACES,
  "--accent": ["--ground", "--surface"],
  "--accent-text": ["--accent-soft"],
  "--on-accent": ["--accent-fill"],
  "--error": ["--surface", "--error-soft"],
  "--warning": ["--ground", "--surface", "--warning-soft"],
  "--good": ["--surface", "--good-soft"],
  "--capacity": ["--surface"],
};

for (const dark of [false, true])
  test(`text has a contrast of 4.5 or more, ${dark ? "dark" : "light"}`, () =>
    withPage(browser, file, { dark }, async (page) => {
      await overview(page);
      const low = await page.evaluate((pairs) => {
        const style = getComputedStyle(document.documentElement);
        const luminance = (name) => {
          const value = style.getPropertyValue(name).trim();
          const channel = (at) => parseInt(value.slice(at, at + 2), 16) / 255;
          const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
          return 0.2126 * linear(channel(1)) + 0.7152 * linear(channel(3)) + 0.0722 * linear(channel(5)) + 0.05;
        };
        return Object.entries(pairs).flatMap(([text, grounds]) => grounds.map((ground) => ({ text, ground, contrast: Math.max(luminance(text), luminance(ground)) / Math.min(luminance(text), luminance(ground)) })).filter((p) => !(p.contrast >= 4.5)));
      }, TEXT_ON);
      assert.deepEqual(low, []);
    }));

test("names of files, functions and messages stay text", async () => {
  const folder = artefact("hostile-run");
  const name = "<img src=x onerror=alert(1)>\"'&\u202egpj.exe";
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "x\"><script>alert(2)<\u2215script>.log"), `Traceback (most recent call last):\n  File "/home/u/<b>train</b>.py", line 7, in ${name}\n    f()\nRuntimeError: </script><script>alert(3)</script>${name}\u001b[31m ${"A".repeat(10000)}\n`);
  const page_ = join(reportFolder([folder], "report-hostile"), "index.html");
  await withPage(browser, page_, {}, async (page) => {
    await overview(page);
    for (const summary of await page.locator(".finding summary").all()) await summary.click();
    await noSidewaysScroll(page);
    assert.equal(await page.locator("#app img, #app script, #app b").count(), 0);
    const text = await page.locator("#app").textContent();
    assert.ok(text.includes("</script><script>alert(3)</script>"));
    assert.ok(!text.includes("\u202e") && !text.includes("\u001b"));
    assert.ok((await page.locator("bdi").count()) > 5);
  });
});
