// SPDX-License-Identifier: MIT
// Where the page begins: which blocks it has, and which view shows each.
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
    await unpackBlock(block.id);
  }
}

start();
