// SPDX-License-Identifier: MIT
// package-lock.json holds names, versions and checksums, and no address of anything: packages come
// from the registry that npm is set up for, and whom to fund is not a fact of ours. Run by
// `npm run lock`, after a change of versions in package.json.
import { readFileSync, writeFileSync } from "node:fs";

const path = new URL("../package-lock.json", import.meta.url);
const lock = JSON.parse(readFileSync(path, "utf8"));
for (const entry of Object.values(lock.packages)) {
  delete entry.funding;
  delete entry.resolved;
}
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
