// SPDX-License-Identifier: MIT
// Pointer, wheel, touch and keyboard on a plot. They change the view and nothing else.
import { clampWindow, domainOf, heightOf, panHeight, panWindow, wholeHeight, windowAround, zoomHeight, zoomWindow } from "./window.js";

const CLICK_DISTANCE = 4;
const WHEEL_LINE = 16;

// `state.selecting`: a drag selects a range instead of moving the window.
export function timelineInput(target, plot, state) {
  const { data, view } = plot;
  const pointers = new Map();
  let drag = null;
  let pinch = null;

  const local = (event) => {
    const box = target.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const shareOfX = (x) => Math.min(1, Math.max(0, (x - plot.place.x) / plot.place.w));
  const shareOfY = (y) => Math.min(1, Math.max(0, (plot.place.y + plot.place.h - y) / plot.place.h));
  const unit = () => (view.to - view.from) / plot.place.w;

  function onWheel(event) {
    event.preventDefault();
    const { x, y } = local(event);
    const scale = event.deltaMode === 1 ? WHEEL_LINE : event.deltaMode === 2 ? plot.place.h : 1;
    const dx = event.deltaX * scale;
    const dy = event.deltaY * scale;
    if (event.altKey || x < plot.place.x) view.set(zoomHeight(data, view, Math.exp(-(dy || dx) * 0.0025), shareOfY(y)));
    else if (event.shiftKey || Math.abs(dx) > Math.abs(dy)) view.set(panWindow(data, view, (dx || dy) * unit()));
    else view.set(zoomWindow(data, view, Math.exp(-dy * (event.ctrlKey ? 0.01 : 0.0025)), shareOfX(x)));
  }

  // In whole device pixels, so that columns hold the same events while they move.
  function moveTo(x, y) {
    const step = 1 / plot.ratio;
    const by = Math.round((drag.x - x) / step) * step;
    const next = panWindow(data, drag.view, by * drag.unit);
    // A finger that moves up or down scrolls the page.
    view.set(view.high === null || drag.touch ? next : { ...next, ...panHeight(data, drag.view, (y - drag.y) * drag.bytes) });
  }

  function selectTo(x) {
    const a = plot.eventOfX(Math.min(x, drag.x));
    const b = plot.eventOfX(Math.max(x, drag.x));
    const from = Math.max(0, a);
    view.selection = { from, to: Math.max(from + 1, b + 1) };
  }

  function begin(event, at) {
    drag = { ...at, touch: event.pointerType === "touch", selecting: state.selecting !== event.shiftKey, moved: false, unit: unit(), bytes: (plot.layout.high - plot.layout.low) / plot.place.h, view: { ...view.state } };
  }

  function beginPinch() {
    const [a, b] = [...pointers.values()];
    pinch = { a, b, view: { ...view.state }, from: plot.placeOfX((a.x + b.x) / 2) };
    drag = null;
  }

  // Fingers that part sideways zoom events, upwards they zoom bytes.
  function onPinch() {
    const [a, b] = [...pointers.values()];
    const spread = (p, q, key) => Math.abs(p[key] - q[key]);
    const sx = spread(pinch.a, pinch.b, "x");
    const sy = spread(pinch.a, pinch.b, "y");
    const middle = shareOfX((a.x + b.x) / 2);
    const factor = sx >= sy ? Math.max(0.05, spread(a, b, "x") / Math.max(20, sx)) : 1;
    const width = (pinch.view.to - pinch.view.from) / factor;
    const next = clampWindow(data, view.axis, pinch.from - middle * width, pinch.from + (1 - middle) * width);
    const tall = sy > sx ? zoomHeight(data, pinch.view, Math.max(0.05, spread(a, b, "y") / Math.max(20, sy)), shareOfY((pinch.a.y + pinch.b.y) / 2)) : {};
    view.set({ ...next, ...tall });
  }

  function onDown(event) {
    if (event.button !== 0) return;
    const at = local(event);
    target.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, at);
    if (pointers.size === 2) beginPinch();
    else if (pointers.size === 1) begin(event, at);
  }

  function onMove(event) {
    const at = local(event);
    if (pointers.has(event.pointerId)) pointers.set(event.pointerId, at);
    if (pinch && pointers.size >= 2) return onPinch();
    if (!drag) {
      state.point(at.x, at.y, event.pointerType);
      return undefined;
    }
    if (!drag.moved && Math.hypot(at.x - drag.x, at.y - drag.y) < CLICK_DISTANCE) return undefined;
    drag.moved = true;
    state.point(null);
    if (drag.selecting) selectTo(at.x);
    else moveTo(at.x, at.y);
    return undefined;
  }

  function onUp(event) {
    pointers.delete(event.pointerId);
    const clicked = drag && !drag.moved && event.type === "pointerup";
    if (pinch && pointers.size < 2) pinch = null;
    else if (clicked) state.pick(drag.x, drag.y);
    if (drag?.moved && !drag.selecting && event.type === "pointercancel") view.set({ from: drag.view.from, to: drag.view.to });
    if (!pointers.size || event.type === "pointercancel") drag = null;
  }

  function onDouble(event) {
    const { x, y } = local(event);
    const hit = plot.hit(x, y);
    if (!hit) return;
    if (hit.alloc !== null) view.set(aroundAllocation(data, view, hit.alloc));
    else view.set({ ...zoomWindow(data, view, 4, shareOfX(x)), ...zoomHeight(data, view, 4, shareOfY(y)) });
  }

  function onKey(event) {
    if (event.ctrlKey || event.metaKey) return;
    const far = event.shiftKey ? 0.5 : 0.1;
    const width = view.to - view.from;
    const whole = domainOf(data, view.axis);
    const { low, high } = heightOf(data, view);
    const middle = state.focusShare();
    const keys = {
      "+": () => zoomWindow(data, view, 1.5, middle),
      "=": () => zoomWindow(data, view, 1.5, middle),
      "-": () => zoomWindow(data, view, 1 / 1.5, middle),
      "_": () => zoomWindow(data, view, 1 / 1.5, middle),
      "0": () => ({ from: whole.min, to: whole.max, low: 0, high: null }),
      ArrowLeft: () => panWindow(data, view, -far * width),
      ArrowRight: () => panWindow(data, view, far * width),
      ArrowUp: () => (event.altKey ? panHeight(data, view, (high - low) * 0.1) : state.step(1)),
      ArrowDown: () => (event.altKey ? panHeight(data, view, (low - high) * 0.1) : state.step(-1)),
      PageUp: () => zoomHeight(data, view, 1.5, low === 0 ? 0 : 0.5),
      PageDown: () => zoomHeight(data, view, 1 / 1.5, low === 0 ? 0 : 0.5),
      Home: () => ({ from: whole.min, to: whole.min + width }),
      End: () => ({ from: whole.max - width, to: whole.max }),
      ",": () => state.stepMoment(-1),
      ".": () => state.stepMoment(1),
      Enter: () => (view.alloc === null ? {} : aroundAllocation(data, view, view.alloc)),
      Escape: () => ({ alloc: null, selection: null, moment: null }),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    view.set(act() ?? {});
  }

  const handlers = { wheel: onWheel, pointerdown: onDown, pointermove: onMove, pointerup: onUp, pointercancel: onUp, pointerleave: () => drag || state.point(null), dblclick: onDouble, keydown: onKey };
  for (const [name, handler] of Object.entries(handlers)) target.addEventListener(name, handler, { passive: name !== "wheel" && name.startsWith("pointer") });
}

// The whole life of an allocation, and its height with what lies around it.
export function aroundAllocation(data, view, i) {
  const born = i < data.initial ? 0 : data.born[i];
  const end = Math.min(data.died[i], data.events);
  const y = data.offsetOf(i, i < data.initial ? -1 : born);
  const height = Math.max(data.bytes[i] * 6, 64);
  const whole = wholeHeight(data);
  const tall = height >= whole ? { low: 0, high: null } : { low: Math.max(0, Math.min(whole - height, y + data.bytes[i] / 2 - height / 2)) };
  if (tall.high === undefined) tall.high = tall.low + height;
  return { ...windowAround(data, view.axis, born, end), ...tall, alloc: i };
}
