// SPDX-License-Identifier: MIT
// What eslint asks of the scripts of the page, of its tests and of its benchmark. The page shows
// names that come from recordings: they enter it as text (textContent, canvas), so every way from a
// string to markup or code is refused, and so is every way to ask a server for something.
import js from "@eslint/js";
import globals from "globals";

const markup = [
  "innerHTML", "outerHTML", "insertAdjacentHTML", "setHTMLUnsafe", "srcdoc",
  "createContextualFragment", "parseFromString", "writeln", "execCommand",
];
const requests = [
  "fetch", "XMLHttpRequest", "WebSocket", "EventSource", "SharedWorker", "importScripts",
];
const guesses = ["event", "name", "status", "parent", "top", "length", "origin"];

// element.append(condition ? child : null) writes the word "null".
const nullChild = {
  selector: "CallExpression[callee.property.name=/^(append|prepend|before|after|replaceChildren)$/] > ConditionalExpression > Literal[raw='null']",
  message: "Null would become a text: fill() leaves it out.",
};

const common = {
  "prefer-const": "error",
  "no-var": "error",
  "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
  "no-implicit-globals": "error",
  "no-shadow": "error",
  "eqeqeq": "error",
  "no-eval": "error",
  "no-implied-eval": "error",
  "no-new-func": "error",
  "no-script-url": "error",
  "no-restricted-properties": [
    "error",
    ...markup.map((property) => ({ property, message: "Names are text: use textContent." })),
    { object: "document", property: "write", message: "Names are text: use textContent." },
    { object: "navigator", property: "sendBeacon", message: "The page asks nobody." },
  ],
};

export default [
  { ignores: ["**/node_modules/**", "build*/**"] },
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    languageOptions: { ecmaVersion: 2022, sourceType: "module" },
    rules: common,
  },
  {
    files: ["src/render/html/**/*.js", "src/render/flame.js"],
    languageOptions: { globals: globals.browser },
    rules: {
      "no-restricted-globals": ["error", ...requests, ...guesses],
      "no-console": "error",
      // What src/render/html/bundle.py can join.
      "no-restricted-syntax": [
        "error",
        nullChild,
        { selector: "ExportDefaultDeclaration", message: "Export by name." },
        { selector: "ExportAllDeclaration", message: "Export where it is declared." },
        { selector: "ExportSpecifier", message: "Export where it is declared." },
        { selector: "ImportDefaultSpecifier", message: "Import by name." },
        { selector: "ImportNamespaceSpecifier", message: "Import by name." },
        { selector: "ImportExpression", message: "The page is one file." },
      ],
    },
  },
  {
    files: ["tests/browser/**/*.js", "bench/**/*.mjs"],
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
  },
];
