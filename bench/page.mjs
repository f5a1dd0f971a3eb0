// SPDX-License-Identifier: MIT
// What `bench/page` measures: how large the page of a recording is, how long after opening it is
// drawn and obeys, and what a step of zooming, a search, a range and a move of the segments cost.
// Times are of the page's own clock, in ms; those to the next frame include the wait for it.
import { statSync } from "node:fs";
import { launch, openPage } from "../tests/browser/lib/harness.js";
import { memoryBlocks, randomNumbers, timelinePage } from "../tests/browser/lib/page_data.js";
import { drawn, plotPlace, settled } from "../tests/browser/lib/timeline_page.js";

const STEPS = 40;

function options(args) {
  const out = { runs: 3, file: null };
  for (let k = 0; k < args.length; k++) {
    if (args[k] === "-n") out.runs = Number(args[++k]);
    else out.file = args[k];
  }
  if (out.file && out.runs > 0) return out;
  console.error("bench/page [-n RUNS] FILE");
  process.exit(2);
}

function spread(times) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))].toFixed(1);
  return `median ${at(0.5)} ms, 95 % within ${at(0.95)} ms, at most ${at(1)} ms (${sorted.length})`;
}

// From the start of the navigation: drawn for the first time; the frame after that, when whatever
// was waiting has been done.
async function opening(browser, file) {
  const { page, complaints } = await openPage(browser, file);
  await drawn(page);
  await settled(page);
  const ready = await page.evaluate(() => [performance.getEntriesByName("mlviz-drawn")[0].startTime, performance.now()]);
  if (complaints.length) throw new Error(complaints.join("\n"));
  return { page, ready };
}

// Processor time of the page's thread from a reload to when it is ready, in ms: what a machine that
// does nothing else needs.
async function processorTime(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const spent = async () => (await session.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value * 1000;
  const begun = await spent();
  await page.reload();
  await drawn(page);
  await settled(page);
  const all = (await spent()) - begun;
  await session.detach();
  return all;
}

async function zooming(page) {
  const random = randomNumbers(1);
  const place = await plotPlace(page);
  const times = [];
  for (let k = 0; k < STEPS; k++) {
    await page.mouse.move(place.x + random(Math.floor(place.w)), place.y + place.h * 0.7);
    await page.mouse.wheel(0, k % 16 < 8 ? -180 : 180);
    await settled(page);
    times.push(await page.evaluate(() => globalThis.mlviz.timelines[0].plot.lastDrawMs));
  }
  await page.keyboard.press("0");
  return times;
}

// What setting a value of the view costs, with all that listens to it, to the end of the next frame.
function setting(page, values) {
  return page.evaluate(async (list) => {
    const { view } = globalThis.mlviz.timelines[0];
    const times = [];
    for (const value of list) {
      const begun = performance.now();
      view.set(value);
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      times.push(performance.now() - begun);
    }
    return times;
  }, values);
}

const { runs, file } = options(process.argv.slice(2));
const page = timelinePage(file, "bench");
const { data } = memoryBlocks(page)[0];
const random = randomNumbers(2);
const browser = await launch();
console.log(`${data.title}: ${data.n} allocations, ${data.events} events`);
console.log(`page:      ${(statSync(page).size / 1024 ** 2).toFixed(2)} MiB`);
const opened = [];
let last;
for (let run = 0; run < runs; run++) {
  await last?.context().close();
  const one = await opening(browser, page);
  last = one.page;
  opened.push(one.ready);
}
console.log(`drawn:     ${spread(opened.map(([first]) => first))}`);
console.log(`ready:     ${spread(opened.map(([, next]) => next))}`);
const spent = [];
for (let run = 0; run < runs; run++) spent.push(await processorTime(last));
console.log(`processor: ${spread(spent)}`);
console.log(`zoom step: ${spread(await zooming(last))}`);
const function_ = data.stackFrames(data.stack[data.n >> 1])[0]?.function ?? "a";
console.log(`search:    ${spread(await setting(last, [{ query: function_ }, { query: "" }, { query: ">1MiB" }, { query: "" }, { query: "0x7f0000000000" }, { query: "" }]))}`);
await last.getByRole("tab", { name: "Range" }).click();
console.log(`range:     ${spread(await setting(last, Array.from({ length: 8 }, () => ({ selection: { from: random(data.events >> 1), to: (data.events >> 1) + random(data.events >> 1) } }))))}`);
await last.getByRole("tab", { name: "Segments" }).click();
console.log(`segments:  ${spread(await setting(last, Array.from({ length: STEPS }, () => ({ moment: random(data.events) }))))}`);
await browser.close();
