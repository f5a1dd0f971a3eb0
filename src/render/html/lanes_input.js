// SPDX-License-Identifier: MIT
// Pointer, wheel, touch and keyboard on lanes of spans; the same as on a memory timeline, but for
// heights, of which there are none.
import { clampWindow, domainOf, panWindow, zoomWindow } from "./window.js";

const CLICK = 4;

// `act` has point(x, y, type), leave(), pick(x, y), step(by), focusShare(), escape().
export function lanesInput(target, plot, act) {
  const { data, view } = plot;
  const pointers = new Map();
  let drag = null;
  let pinch = null;
  const local = (event) => {
    const box = target.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const share = (x) => Math.min(1, Math.max(0, (x - plot.place.x) / plot.place.w));
  const unit = () => (view.to - view.from) / plot.place.w;

  function onWheel(event) {
    const scale = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
    const dx = event.deltaX * scale;
    const dy = event.deltaY * scale;
    // Lanes are often taller than the window: a plain wheel scrolls the page, as everywhere.
    if (Math.abs(dx) > Math.abs(dy) || event.shiftKey) view.set(panWindow(data, view, (dx || dy) * unit()));
    else if (event.ctrlKey || event.metaKey || event.altKey) view.set(zoomWindow(data, view, Math.exp(-dy * (event.ctrlKey ? 0.01 : 0.0025)), share(local(event).x)));
    else return;
    event.preventDefault();
  }

  function onDown(event) {
    if (event.button !== 0) return;
    const at = local(event);
    target.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, at);
    if (pointers.size === 2) {
      const [a, b] = [...pointers.values()];
      pinch = { width: view.to - view.from, spread: Math.max(20, Math.abs(a.x - b.x)), from: view.from + share((a.x + b.x) / 2) * (view.to - view.from) };
      drag = null;
    } else if (pointers.size === 1) drag = { ...at, moved: false, unit: unit(), view: { ...view.state } };
  }

  function onPinch() {
    const [a, b] = [...pointers.values()];
    const width = pinch.width / Math.max(0.05, Math.abs(a.x - b.x) / pinch.spread);
    const middle = share((a.x + b.x) / 2);
    view.set(clampWindow(data, view.axis, pinch.from - middle * width, pinch.from + (1 - middle) * width));
  }

  function onMove(event) {
    const at = local(event);
    if (pointers.has(event.pointerId)) pointers.set(event.pointerId, at);
    if (pinch && pointers.size >= 2) onPinch();
    else if (!drag) act.point(at.x, at.y, event.pointerType);
    else if (drag.moved || Math.hypot(at.x - drag.x, at.y - drag.y) >= CLICK) {
      drag.moved = true;
      act.leave();
      view.set(panWindow(data, drag.view, (drag.x - at.x) * drag.unit));
    }
  }

  function onUp(event) {
    pointers.delete(event.pointerId);
    if (pinch && pointers.size < 2) pinch = null;
    else if (drag && !drag.moved && event.type === "pointerup") act.pick(drag.x, drag.y);
    drag = null;
  }

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const width = view.to - view.from;
    const whole = domainOf(data, view.axis);
    const far = event.shiftKey ? 0.5 : 0.1;
    const zoom = (factor) => () => zoomWindow(data, view, factor, act.focusShare());
    const keys = {
      "+": zoom(1.5),
      "=": zoom(1.5),
      "-": zoom(1 / 1.5),
      "_": zoom(1 / 1.5),
      "0": () => ({ from: whole.min, to: whole.max }),
      ArrowLeft: () => panWindow(data, view, -far * width),
      ArrowRight: () => panWindow(data, view, far * width),
      Home: () => ({ from: whole.min, to: whole.min + width }),
      End: () => ({ from: whole.max - width, to: whole.max }),
      ",": () => act.step(-1),
      ".": () => act.step(1),
      Enter: () => act.zoomToPicked(),
      Escape: () => act.escape(),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    view.set(keys[event.key]() ?? {});
  }

  const handlers = { pointerdown: onDown, pointermove: onMove, pointerup: onUp, pointercancel: onUp, pointerleave: () => drag || act.leave(), keydown: onKey };
  for (const [name, handler] of Object.entries(handlers)) target.addEventListener(name, handler);
  target.addEventListener("wheel", onWheel, { passive: false });
  target.addEventListener("dblclick", (event) => view.set(zoomWindow(data, view, 4, share(local(event).x))));
}
