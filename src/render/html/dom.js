// SPDX-License-Identifier: MIT
// Elements of the page, made safely: data reaches the document as text only, and what a text hides
// (control characters, characters that turn the direction of writing) is made visible.

// Control and format characters, the separators of lines and paragraphs, halves of a pair.
const HIDDEN_CHARACTERS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

function seenCharacter(character) {
  return `\u2039U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}\u203a`;
}

// A text of an input as people may see it.
export function visibleText(text) {
  return String(text ?? "").replace(HIDDEN_CHARACTERS, seenCharacter);
}

// The same, cut in the middle to at most `most` characters: names of 10 kB have no place in a line.
export function shortText(text, most = 160) {
  const whole = visibleText(text);
  const characters = whole.length > most ? Array.from(whole) : null;
  if (!characters || characters.length <= most) return whole;
  const head = Math.ceil((most - 1) * 0.6);
  return `${characters.slice(0, head).join("")}\u2026${characters.slice(head + 1 - most).join("")}`;
}

// <tag ...attributes>children</tag>. A child that is a string becomes a text node, null is left out.
// Attributes: "class" and the like are set as such, "on…" takes a function, true stands alone, and
// "style" takes {property: value}, since the page's policy forbids the attribute.
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "style") for (const [property, v] of Object.entries(value)) element.style.setProperty(property, v);
    else if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) if (child !== null && child !== undefined && child !== false) element.append(child);
  return element;
}

// Children in place of what an element holds; as in el(), null is left out.
export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
}

// A cell of a table that becomes lines with names at phone width.
export function cell(label, attributes, ...children) {
  return el("td", { "data-label": label, ...attributes }, el("div", { class: "cell" }, ...children));
}

// A text that came from an input: isolated, so that its direction of writing stays its own.
export function bdi(text, attributes = {}, most = 400) {
  const whole = visibleText(text);
  const short = shortText(text, most);
  return el("bdi", { ...(short === whole ? {} : { title: whole.slice(0, 2000) }), ...attributes }, short);
}

// A name that looks like an address; in parts, so that who searches the page for addresses finds none.
const SVG_NAMESPACE = ["http:", "", "www.w3.org", "2000", "svg"].join("/");

// The number of columns that leaves the fewest holes when `count` boxes stand in rows of at most 4.
export function evenColumns(count) {
  if (count <= 4) return Math.max(1, count);
  return count % 4 === 0 || count > 8 ? 4 : count === 7 ? 4 : 3;
}

// A drawn sign of 16 × 16, in the colour of the text. Paths are ours, never of an input.
export function icon(path, attributes = {}) {
  const svg = document.createElementNS(SVG_NAMESPACE, "svg");
  const shape = document.createElementNS(SVG_NAMESPACE, "path");
  for (const [name, value] of Object.entries({ class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true", ...attributes }))
    svg.setAttribute(name, value);
  shape.setAttribute("d", path);
  svg.append(shape);
  return svg;
}
