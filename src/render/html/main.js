// SPDX-License-Identifier: MIT
// Where the page begins: which blocks it has, and which view shows each.
import { MemoryData } from "./memory_data.js";
import { View } from "./view.js";
import { blocks, unpackBlock } from "./unpack.js";

async function start() {
  const app = document.getElementById("app");
  const heading = document.createElement("h1");
  heading.textContent = document.title;
  app.append(heading);
  for (const block of blocks()) {
    if (block.kind === "report") continue;
    const section = document.createElement("section");
    const name = document.createElement("h2");
    name.textContent = block.title;
    section.append(name);
    app.append(section);
    const unpacked = await unpackBlock(block.id);
    if (block.kind === "memory") {
      const data = new MemoryData(block.id, unpacked);
      const view = new View({ from: 0, to: Math.max(1, data.events) });
      section.dataset.peak = data.sumAt(data.meta.requested.peak_event);
      section.dataset.window = `${view.from} ${view.to}`;
    }
  }
}

start();
