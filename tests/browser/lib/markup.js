// SPDX-License-Identifier: MIT
// What an HTML validator finds wrong in a page, as it is written or as it stands in the browser.
import { HtmlValidate } from "html-validate";

const validator = new HtmlValidate({
  extends: ["html-validate:recommended"],
  rules: {
    "long-title": "off", // the name of a file may be long
    "no-inline-style": "off", // set by the page's script, property by property
    "require-sri": "off", // nothing is loaded
    "no-trailing-whitespace": "off",
    "attribute-boolean-style": "off", // a document that is written out from its tree has hidden=""
    "prefer-native-element": ["error", { exclude: ["region", "radiogroup", "radio", "listbox", "progressbar", "application"] }],
  },
});

// Data is none of the validator's business, and the page's script is eslint's.
export function withoutScripts(html) {
  return html.replace(/(<script[^>]*>).*?(<\/script>)/gs, "$1$2");
}

export async function faultsOf(html) {
  const report = await validator.validateString(html);
  return report.results.flatMap((result) => result.messages.map((m) => `${m.line}: ${m.ruleId}: ${m.message}: ${html.split("\n")[m.line - 1].slice(Math.max(0, m.column - 60), m.column + 100)}`));
}

// Of a page that has drawn itself.
export async function faultsInBrowser(page) {
  return faultsOf(withoutScripts(await page.content()).replace(/></g, ">\n<"));
}
