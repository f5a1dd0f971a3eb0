// SPDX-License-Identifier: MIT
// What mlviz says of a recording, for tests to compare with: the data of its page, read without a
// browser, and the output of its commands.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import { MemoryData } from "../../../src/render/html/memory_data.js";
import { readPack } from "../../../src/render/html/unpack.js";
import { artefact } from "./harness.js";

const root = new URL("../../../", import.meta.url).pathname;

export function mlviz(...args) {
  return execFileSync(process.env.MLVIZ, args, { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] });
}

export function mlvizJson(...args) {
  return JSON.parse(mlviz(...args));
}

export function sample(name) {
  return join(root, "samples", name);
}

// Recordings of the corpus in a folder of it, or none.
export function corpus(folder, suffix) {
  const path = process.env.CORPUS && join(process.env.CORPUS, folder);
  if (!path || !existsSync(path)) return [];
  return readdirSync(path).filter((name) => name.endsWith(suffix)).sort().map((name) => join(path, name));
}

// The page of `mlviz timeline`, as a file among the artefacts.
export function timelinePage(input, name, ...options) {
  const file = artefact(`${name}.html`);
  mlviz("timeline", "-q", ...options, "-o", file, input);
  return file;
}

// [{id, data}] of the blocks of kind "memory" in a page.
export function memoryBlocks(file) {
  const page = readFileSync(file, "latin1");
  const blocks = [];
  for (const m of page.matchAll(/<script id="([^"]*)" data-kind="memory"[^>]*>([^<]*)<\/script>/g)) {
    const pack = readPack(new Uint8Array(inflateRawSync(Buffer.from(m[2], "base64"))));
    blocks.push({ id: m[1], data: new MemoryData(m[1], pack) });
  }
  return blocks;
}

// Numbers from 0 to n - 1, the same in every run.
export function randomNumbers(seed) {
  let state = seed >>> 0;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * n);
  };
}

// The directory that `mlviz report` writes, among the artefacts; index.html is in it.
export function reportFolder(inputs, name, ...options) {
  const folder = artefact(name);
  mlviz("report", "-q", ...options, "-o", folder, ...inputs);
  return folder;
}
