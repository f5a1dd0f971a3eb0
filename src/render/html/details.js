// SPDX-License-Identifier: MIT
// One allocation in full: the one that was picked, or else the one under the pointer. What is said
// can be copied as text.
import { bdi, el, visibleText } from "./dom.js";
import { NEVER, ORIGIN } from "./memory_data.js";
import { formatBytes, formatCount, formatCountOf, formatDuration } from "./numbers.js";
import { blockBytes } from "./segment_state.js";

const ORIGIN_WORDS = {
  [ORIGIN.orphanFree]: "only its free was recorded: the stack is that of the free",
  [ORIGIN.finalBlock]: "known from its block in the final state: it is older than the recording",
  [ORIGIN.counted]: "all that only the recorder's counter knows of: no single allocation",
};

function bytesInWords(bytes) {
  return bytes < 1024 ? `${formatCount(bytes)} bytes` : `${formatBytes(bytes)} (${formatCount(bytes)} bytes)`;
}

function momentInWords(data, event) {
  return `event ${formatCount(event)}${data.times ? `, ${formatDuration(data.timeOf(event))} from the start` : ""}`;
}

function lifetimeInWords(data, i) {
  if (data.died[i] === NEVER) return "alive at the end";
  if (i < data.initial) return "until its end, from before the recording";
  const events = data.died[i] - data.born[i];
  return `${formatCountOf(events, "event")}${data.times ? `, ${formatDuration(data.timeOf(data.died[i]) - data.timeOf(data.born[i]))}` : ""}`;
}

// [name, value] of an allocation.
export function allocationFacts(data, i) {
  const { died, freeRequested, kinds } = data;
  const facts = [[data.meta.bytes_are === "requested" ? "Requested" : "Size", bytesInWords(data.bytes[i])]];
  if (data.extra?.[i]) facts.push(["Block", `${bytesInWords(blockBytes(data, i))}${data.meta.replay.exact ? "" : ", as the model places it"}`]);
  if (data.origin(i) !== ORIGIN.counted) facts.push(["Address", data.address(i)]);
  facts.push(["Allocated", i < data.initial ? "before the recording" : momentInWords(data, data.born[i])]);
  if (died[i] === NEVER && freeRequested[i] === NEVER) facts.push(["Freed", "not in this recording"]);
  else if (freeRequested[i] !== NEVER && (died[i] === NEVER || died[i] - freeRequested[i] > 1)) {
    facts.push(["Freed by the program", momentInWords(data, freeRequested[i])]);
    facts.push(["Free for others", died[i] === NEVER ? "not yet: a stream still uses it" : momentInWords(data, died[i])]);
  } else facts.push(["Freed", momentInWords(data, died[i])]);
  facts.push(["Lifetime", `${lifetimeInWords(data, i)}; ${kinds.lifetime.names[data.life[i]]}`]);
  facts.push(["Stream", kinds.stream.names[data.stream[i]]], ["Pool", kinds.pool.names[data.pool[i]]]);
  if (ORIGIN_WORDS[data.origin(i)]) facts.push(["Origin", ORIGIN_WORDS[data.origin(i)]]);
  return facts;
}

// The frame that speaks for a stack: the user's innermost one; -1: none.
export function userFrame(frames) {
  return frames.findIndex((frame) => frame.owner === "user");
}

function frameText(frame) {
  return `${frame.function}  ${frame.file}${frame.line ? `:${frame.line}` : ""}`;
}

// All of it as lines of text.
export function allocationText(data, i) {
  const frames = data.stackFrames(data.stack[i]);
  const user = userFrame(frames);
  return visibleLines([
    data.allocName(i),
    ...allocationFacts(data, i).map(([name, value]) => `${name}: ${value}`),
    "Stack, innermost first:",
    ...(frames.length ? frames.map((frame, k) => `${k === user ? "> " : "  "}${frameText(frame)}`) : [`  ${data.stackAbsence(data.stack[i])}`]),
  ]);
}

function visibleLines(lines) {
  return `${lines.map(visibleText).join("\n")}\n`;
}

function frameItem(frame, k, user) {
  const slash = frame.file.lastIndexOf("/") + 1;
  return el(
    "li",
    { class: `frame frame-${frame.owner}${k === user ? " frame-first" : ""}`, title: k === user ? "the user's frame" : null },
    bdi(frame.function || "(no name)", { class: "frame-function" }, 2000),
    el("span", { class: "frame-place" }, bdi(frame.file.slice(0, slash), { class: "dim" }, 2000), bdi(`${frame.file.slice(slash)}${frame.line ? `:${frame.line}` : ""}`, {}, 2000)),
    k === user ? el("span", { class: "visually-hidden" }, " the user's frame") : null,
  );
}

function stackList(data, i) {
  const frames = data.stackFrames(data.stack[i]);
  if (!frames.length) return el("p", { class: "note" }, data.stackAbsence(data.stack[i]));
  const user = userFrame(frames);
  return el("ol", { class: "frames" }, frames.map((frame, k) => frameItem(frame, k, user)));
}

// Those that share an allocation's stack: {count, bytes}.
function sameStack(data, i) {
  const out = { count: 0, bytes: 0 };
  for (let k = 0; k < data.n; k++) {
    if (data.stack[k] !== data.stack[i]) continue;
    out.count++;
    out.bytes += data.bytes[k];
  }
  return out;
}

// The browser may keep pages from the clipboard: then the text is selected, for the reader to copy.
async function copyText(text, status, holder) {
  try {
    await navigator.clipboard.writeText(text);
    status.textContent = "Copied.";
  } catch {
    holder.textContent = text;
    holder.hidden = false;
    getSelection().selectAllChildren(holder);
    status.textContent = "Selected: copy it with the keyboard.";
  }
}

function actionButtons(data, view, i) {
  const status = el("span", { class: "note", role: "status" });
  const holder = el("pre", { class: "copy-holder", hidden: true, tabindex: "0", "aria-label": "Text to copy" });
  const lit = view.query === `stack:${data.stack[i]}`;
  const same = data.stack[i] > 1 ? sameStack(data, i) : null;
  const copy = (text) => copyText(text, status, holder);
  return el(
    "div",
    {},
    el(
      "div",
      { class: "toolbar" },
      same ? el("button", { type: "button", class: "button", "aria-pressed": String(lit), onclick: () => view.set({ query: lit ? "" : `stack:${data.stack[i]}` }) }, `Same stack: ${formatCountOf(same.count, "allocation")}, ${formatBytes(same.bytes)}`) : null,
      el("button", { type: "button", class: "button", onclick: () => copy(allocationText(data, i)) }, "Copy as text"),
      el("button", { type: "button", class: "button", onclick: () => copy(location.href) }, "Copy link"),
      view.alloc === i ? el("button", { type: "button", class: "button bare", onclick: () => view.set({ alloc: null }) }, "Close") : null,
      status,
    ),
    holder,
  );
}

export function detailsPanel(element, data, view) {
  let shown; // the allocation and all else that is written of it
  function draw() {
    if (element.hidden) return;
    const picked = view.alloc !== null && view.alloc < data.n ? view.alloc : null;
    const i = picked ?? view.hover?.alloc ?? null;
    const key = `${i} ${picked} ${view.query}`;
    if (key === shown) return;
    shown = key;
    if (i === null) {
      element.replaceChildren(el("p", { class: "note" }, "Point at an allocation in the timeline to see what it is; click it, or press Enter, to keep it here."));
      return;
    }
    element.replaceChildren(
      el("h3", { class: "details-title" }, formatBytes(data.bytes[i]), " ", bdi(data.kinds.site.names[data.site[i]], {}, 200), " ", bdi(data.kinds.site.places[data.site[i]], { class: "dim" }, 200)),
      el("div", { class: "details" }, el("dl", { class: "facts" }, allocationFacts(data, i).flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, bdi(value))])), stackList(data, i)),
      actionButtons(data, view, i),
    );
  }
  view.listen((keys) => {
    if (keys.has("alloc") || keys.has("hover") || keys.has("query")) draw();
  });
  return draw;
}
