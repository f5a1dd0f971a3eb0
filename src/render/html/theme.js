// SPDX-License-Identifier: MIT
// Light and dark: as the system prefers, or as the reader chose. The root element always names the
// theme in force, so that styles and canvases ask one place. On paper it is light.
import { el, icon } from "./dom.js";

const THEME_KEY = "mlviz-theme";
const THEME_CHOICES = [
  ["auto", "As the system", "M8 2a6 6 0 1 0 0 12V2zm0-1a7 7 0 1 1 0 14A7 7 0 0 1 8 1z"],
  ["light", "Light", "M8 4.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM7.5 0h1v2.5h-1zm0 13.5h1V16h-1zM0 7.5h2.5v1H0zm13.5 0H16v1h-2.5zM2.3 3l.7-.7 1.8 1.8-.7.7zm8.9 8.9.7-.7 1.8 1.8-.7.7zM3 13.7l-.7-.7 1.8-1.8.7.7zm8.9-8.9-.7-.7L13 2.3l.7.7z"],
  ["dark", "Dark", "M6 1.2A7 7 0 1 0 14.8 10 6 6 0 0 1 6 1.2z"],
];

const themeChanges = new EventTarget();
let themeChoice = "auto";

// Stored choices need a place to store them, which a page from a disk may not have.
function storedTheme() {
  try {
    return localStorage.getItem(THEME_KEY);
  } catch {
    return null;
  }
}

function storeTheme(choice) {
  try {
    localStorage.setItem(THEME_KEY, choice);
  } catch {
    /* the choice holds as long as the page is open */
  }
}

function applyTheme(paper = false) {
  const dark = themeChoice === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : themeChoice === "dark";
  const name = dark && !paper ? "dark" : "light";
  if (document.documentElement.dataset.theme === name) return;
  document.documentElement.dataset.theme = name;
  themeChanges.dispatchEvent(new Event("change"));
}

// Call `listener` when colours change: canvases draw again.
export function onTheme(listener) {
  themeChanges.addEventListener("change", listener);
}

// The value of a colour of the page, such as "--text".
export function themeColor(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export function startTheme() {
  const choice = storedTheme();
  if (THEME_CHOICES.some(([name]) => name === choice)) themeChoice = choice;
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => applyTheme());
  addEventListener("beforeprint", () => applyTheme(true));
  addEventListener("afterprint", () => applyTheme());
  applyTheme();
}

// Three buttons of which one is pressed.
export function themeSwitch() {
  const buttons = THEME_CHOICES.map(([name, label, path]) =>
    el("button", { type: "button", class: "segment", "aria-pressed": String(name === themeChoice), title: `Colours: ${label.toLowerCase()}`, "aria-label": `Colours: ${label.toLowerCase()}`, onclick: () => choose(name) }, icon(path)),
  );
  function choose(name) {
    themeChoice = name;
    storeTheme(name);
    THEME_CHOICES.forEach(([other], i) => buttons[i].setAttribute("aria-pressed", String(other === name)));
    applyTheme();
  }
  return el("div", { class: "segmented theme-switch", role: "group", "aria-label": "Colours" }, buttons);
}
