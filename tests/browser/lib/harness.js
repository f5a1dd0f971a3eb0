// SPDX-License-Identifier: MIT
// A page in headless Chromium, watched: it is opened from disk, and whatever it says on the console
// as a warning or an error, throws, or asks for beyond its own file is a complaint. `withPage` fails
// on complaints, so that no test can forget to look.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

// As root in a container there is no sandbox; /dev/shm is often small there.
const flags = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"];

export function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM, args: flags });
}

function watch(page, url) {
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning", "assert"].includes(message.type()))
      complaints.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`thrown: ${error.stack ?? error}`));
  page.on("crash", () => complaints.push("the page crashed"));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("request", (request) => {
    const asked = request.url();
    if (asked.split("#")[0] !== url && !/^(data|blob):/.test(asked))
      complaints.push(`request: ${asked}`);
  });
  return complaints;
}

// Options: width, height, dark, touch, fragment (of the address). Returns the page of playwright
// and its complaints so far; the caller closes page.context().
export async function openPage(browser, file, options = {}) {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1600, height: options.height ?? 1000 },
    colorScheme: options.dark ? "dark" : "light",
    hasTouch: Boolean(options.touch),
    isMobile: Boolean(options.touch),
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  const url = pathToFileURL(file).href;
  const complaints = watch(page, url);
  await page.goto(options.fragment ? `${url}#${options.fragment}` : url);
  return { page, complaints };
}

// Open a page, do what `body(page)` does, and fail on complaints.
export async function withPage(browser, file, options, body) {
  const { page, complaints } = await openPage(browser, file, options);
  try {
    await body(page);
    assert.deepEqual(complaints, []);
  } finally {
    await page.context().close();
  }
}

// Where things for people to look at are kept.
export function artefact(name) {
  const folder = process.env.ARTEFACTS ?? fileURLToPath(new URL("../../../build/browser", import.meta.url));
  mkdirSync(folder, { recursive: true });
  return join(folder, name);
}
