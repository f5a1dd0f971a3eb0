// SPDX-License-Identifier: MIT
// The harness itself: it must complain of what no page of ours may do.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { artefact, launch, openPage, withPage } from "./lib/harness.js";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

function pageOf(body) {
  const file = artefact("harness.html");
  writeFileSync(file, `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>t</title>${body}`);
  return file;
}

async function complaintsOf(body) {
  const { page, complaints } = await openPage(browser, pageOf(body));
  await page.waitForTimeout(50);
  await page.context().close();
  return complaints.join("\n");
}

test("a page that only shows text passes", () =>
  withPage(browser, pageOf("<p>text"), {}, async (page) => {
    assert.equal(await page.textContent("p"), "text");
  }));

test("errors and requests are seen", async () => {
  assert.match(await complaintsOf("<script>console.error('said')</script>"), /console error: said/);
  assert.match(await complaintsOf("<script>throw new Error('thrown')</script>"), /thrown: .*thrown/);
  assert.match(await complaintsOf("<script>alert(1)</script>"), /dialog: 1/);
  assert.match(await complaintsOf("<img src='other.png' alt=''>"), /request: file:.*other\.png/);
  assert.match(
    await complaintsOf("<script>fetch('https://example.invalid/x')</script>"),
    /request: https:\/\/example\.invalid\/x/,
  );
});

test("withPage fails where there are complaints", async () => {
  const file = pageOf("<script>console.error('said')</script>");
  await assert.rejects(withPage(browser, file, {}, () => {}), /console error: said/);
});
