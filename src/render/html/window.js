// SPDX-License-Identifier: MIT
// The window of a view as numbers: its limits, zooming at a point, moving, and the way from one
// axis to the other. All functions are pure and return what view.set() takes.

// All that a recording has along an axis: events, or ns since the first one.
export function extentOf(data, axis) {
  return axis === "time" && data.times ? Math.max(1, data.times[data.events - 1] + (data.meta.time_unit || 1)) : Math.max(1, data.events);
}

// The axis, which may be shared with longer recordings: data.shared is {event, time, peak} or null.
export function domainOf(data, axis) {
  return { min: 0, max: Math.max(extentOf(data, axis), data.shared?.[axis] ?? 0) };
}

// What a view shows when nothing was chosen: as the block says, else everything.
export function homeView(data) {
  const { axis = "event", colour = "site", from = 0, to = data.events } = data.meta.view ?? {};
  const along = axis === "time" && data.times ? "time" : "event";
  const all = domainOf(data, along);
  if (from <= 0 && to >= data.events) return { axis: along, colour, from: all.min, to: all.max };
  return { axis: along, colour, ...clampWindow(data, along, placeOfEvent(data, along, from), placeOfEvent(data, along, to)) };
}

// The narrowest window that still says something: two events, or two ticks of the clock.
function narrowest(data, axis) {
  const { max } = domainOf(data, axis);
  return Math.min(max, axis === "time" ? 2 * (data.meta.time_unit || 1) : 2);
}

// A window moved and narrowed until it lies within the axis.
export function clampWindow(data, axis, from, to) {
  const { min, max } = domainOf(data, axis);
  const width = Math.min(max - min, Math.max(narrowest(data, axis), to - from));
  const start = Math.min(Math.max(min, from / 2 + to / 2 - width / 2), max - width);
  return { from: start, to: start + width };
}

// A view of a link brought within the recording: links are written by anybody.
export function settleView(data, view) {
  const axis = view.axis === "time" && data.times ? "time" : "event";
  const within = (value, min, max) => (value !== null && value >= min && value <= max ? value : null);
  const height = view.high === null ? { low: 0, high: null } : clampHeight(wholeHeight(data), Math.max(0, view.low), Math.max(64, view.high - view.low));
  const { selection } = view;
  view.set({
    axis,
    ...clampWindow(data, axis, view.from, view.to),
    ...height,
    colour: Object.hasOwn(data.kinds, view.colour) ? view.colour : "site",
    alloc: within(view.alloc, 0, data.n - 1),
    moment: within(view.moment, -1, data.events - 1),
    selection: selection && selection.from < data.events ? { from: selection.from, to: Math.min(selection.to, data.events) } : null,
  });
}

// Larger by `factor` (> 1: closer), while the place at `share` of the width stays where it is.
export function zoomWindow(data, view, factor, share) {
  const width = view.to - view.from;
  const { min, max } = domainOf(data, view.axis);
  const next = Math.min(max - min, Math.max(narrowest(data, view.axis), width / factor));
  const fixed = view.from + share * width;
  return clampWindow(data, view.axis, fixed - share * next, fixed + (1 - share) * next);
}

export function panWindow(data, view, distance) {
  const width = view.to - view.from;
  const { min, max } = domainOf(data, view.axis);
  const from = Math.min(Math.max(min, view.from + distance), max - width);
  return { from, to: from + width };
}

// The heights that are shown when none were chosen: the most of the recording and a little air.
export function wholeHeight(data) {
  const { requested, reserved, capacity } = data.meta;
  const top = Math.max(requested.peak, reserved.peak, capacity || 0, data.shared?.peak ?? 0);
  return top > 0 ? top + top / 24 : 1 << 20;
}

export function heightOf(data, view) {
  const high = view.high === null ? wholeHeight(data) : view.high;
  return { low: view.low, high: high > view.low ? high : view.low + 1 };
}

// Larger by `factor` while the bytes at `share` of the height (from below) stay where they are.
export function zoomHeight(data, view, factor, share) {
  const whole = wholeHeight(data);
  const { low, high } = heightOf(data, view);
  const height = Math.min(whole, Math.max(64, (high - low) / factor));
  const fixed = low + share * (high - low);
  return clampHeight(whole, fixed - share * height, height);
}

export function panHeight(data, view, distance) {
  const { low, high } = heightOf(data, view);
  return clampHeight(wholeHeight(data), low + distance, high - low);
}

function clampHeight(whole, low, height) {
  if (height >= whole) return { low: 0, high: null };
  const start = Math.min(Math.max(0, low), whole - height);
  return { low: start, high: start + height };
}

// Where an event lies on the axis, and the last event at or before a place on it (-1: none).
export function placeOfEvent(data, axis, event) {
  return axis === "time" && data.times ? (event >= data.events ? domainOf(data, axis).max : event < 0 ? 0 : data.times[event]) : event;
}

export function eventOfPlace(data, axis, place) {
  if (axis === "time" && data.times) return data.eventAt(place);
  return Math.max(-1, Math.min(Math.floor(place), data.events - 1));
}

// The same window along the other axis.
export function switchAxis(data, view, axis) {
  if (axis === view.axis) return {};
  const at = (place) => (view.axis === "time" ? Math.max(0, data.eventAt(place)) : Math.min(Math.max(0, Math.floor(place)), data.events - 1));
  const whole = domainOf(data, view.axis);
  if (view.from <= whole.min && view.to >= whole.max) {
    const next = domainOf(data, axis);
    return { axis, from: next.min, to: next.max };
  }
  return { axis, ...clampWindow(data, axis, placeOfEvent(data, axis, at(view.from)), placeOfEvent(data, axis, at(view.to) + 1)) };
}

// A window around events from … to - 1 with some room beside them.
export function windowAround(data, axis, from, to) {
  const a = placeOfEvent(data, axis, from);
  const b = Math.max(placeOfEvent(data, axis, to), a);
  const room = Math.max((b - a) * 0.15, narrowest(data, axis) / 2);
  return clampWindow(data, axis, a - room, b + room);
}
