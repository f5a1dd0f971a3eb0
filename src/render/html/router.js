// SPDX-License-Identifier: MIT
// Where the reader is, as the fragment of the address: "#findings" is a part of the overview,
// "#memory-0" a timeline, "#memory-0?from=10&to=90" a timeline with the state of its view. Nothing
// else of the page touches location, so that "back", links and views agree.

// {place, state}: the name, and the text behind its "?".
export function readRoute(hash) {
  const text = hash.replace(/^#/, "");
  const mark = text.indexOf("?");
  return mark < 0 ? { place: text, state: "" } : { place: text.slice(0, mark), state: text.slice(mark + 1) };
}

export function writeRoute(place, state = "") {
  return `#${place}${state ? `?${state}` : ""}`;
}

export function currentRoute() {
  return readRoute(location.hash);
}

// Keep the address up to date while a view moves, without a step of history for each.
export function replaceState(place, state) {
  const hash = writeRoute(place, state);
  if (hash !== location.hash) history.replaceState(null, "", hash);
}

// `listener` gets every route that is not of replaceState.
export function onRoute(listener) {
  addEventListener("hashchange", () => listener(currentRoute()));
}
