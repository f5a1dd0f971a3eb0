// SPDX-License-Identifier: MIT
// eslint.config.js refuses what would let a name of a recording become markup or code, or let the
// page ask someone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { ESLint } from "eslint";

const root = fileURLToPath(new URL("../../", import.meta.url));
const eslint = new ESLint({
  cwd: root,
  overrideConfigFile: fileURLToPath(new URL("eslint.config.js", import.meta.url)),
});

async function rulesBroken(text) {
  const [result] = await eslint.lintText(`${text}\n`, { filePath: "src/render/html/sample.js" });
  return result.messages.map((message) => message.ruleId);
}

const refused = {
  "document.body.innerHTML = document.title;": "no-restricted-properties",
  "document.body.outerHTML = document.title;": "no-restricted-properties",
  'document.body.insertAdjacentHTML("beforeend", document.title);': "no-restricted-properties",
  "document.write(document.title);": "no-restricted-properties",
  "document.createRange().createContextualFragment(document.title);": "no-restricted-properties",
  "eval(document.title);": "no-eval",
  "setTimeout(`f(${document.title})`);": "no-implied-eval",
  "new Function(document.title);": "no-new-func",
  'location.href = "javascript:f()";': "no-script-url",
  'fetch("x");': "no-restricted-globals",
  "new WebSocket(document.title);": "no-restricted-globals",
  "navigator.sendBeacon(document.title);": "no-restricted-properties",
  "export default 1;": "no-restricted-syntax",
  'import * as all from "./other.js"; export const x = all;': "no-restricted-syntax",
  "document.body.append(document.title ? document.body : null);": "no-restricted-syntax",
  "console.log(1);": "no-console",
  "let never = 1; document.title = never;": "prefer-const",
  "const unused = 1;": "no-unused-vars",
  "undeclared();": "no-undef",
};
for (const [text, rule] of Object.entries(refused))
  test(`${rule}: ${text}`, async () => assert.deepEqual(await rulesBroken(text), [rule]));

test("text is not refused", async () =>
  assert.deepEqual(await rulesBroken("document.body.textContent = document.title;"), []));
