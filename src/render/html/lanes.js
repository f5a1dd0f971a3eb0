// SPDX-License-Identifier: MIT
// Lanes of spans below a memory timeline, on its axis, or by themselves along time: traces, calls,
// collectives. The window is that of the view; what is picked here is this part's own affair.
import { bdi, el } from "./dom.js";
import { expose } from "./expose.js";
import { lanesInput } from "./lanes_input.js";
import { FEW_LEVELS, LanesPlot } from "./lanes_plot.js";
import { formatCount, formatDuration } from "./numbers.js";
import { spanDetails, spanLines } from "./span_details.js";
import { onTheme, themeColor } from "./theme.js";
import { clampWindow, placeOfEvent } from "./window.js";

const MOST_NAMED = 4; // collectives in flight
const LANES_KEYS = "Keys: plus and minus zoom, arrow left and right move, comma and full stop go from span to span, Enter zooms to the picked one, Home and End go to the ends, 0 shows all.";

// An axis of time for spans that have no memory beside them (what window.js asks for).
export function spanAxis(spans) {
  const ends = spans.map((s) => s.offset + s.length);
  const last = Math.max(1, ...ends);
  return { events: 2, times: Float64Array.of(0, last), meta: { time_unit: 1 }, byEvent: false, eventAt: () => 0 };
}

class LanesPart {
  constructor(element, sources, axisData, view) {
    this.sources = sources;
    this.view = view;
    this.axisData = axisData;
    this.base = el("canvas", { class: "lanes-base" });
    this.above = el("canvas", { class: "lanes-above", "aria-hidden": "true" });
    this.frame = el("div", { class: "lanes-frame", tabindex: "0", role: "application", "aria-label": "Spans over time", "aria-description": LANES_KEYS }, this.base, this.above);
    this.tip = el("div", { class: "timeline-tip popover", hidden: true });
    this.frame.append(this.tip);
    this.plot = new LanesPlot(this.base, sources, axisData, view);
    this.flight = el("p", { class: "note lanes-flight" });
    this.found = el("span", { class: "note", role: "status" });
    this.more = el("button", { type: "button", class: "button show-more", onclick: () => this.showAll() });
    this.details = el("div", { class: "span-details", "aria-live": "polite" });
    this.picked = null; // {data, row, track, lane}
    this.pointer = null; // {x, y}
    this.waiting = 0;
    element.append(el("section", { class: "lanes card", "aria-label": "Spans" }, this.head(), this.frame, this.more, this.flight, this.details));
    lanesInput(this.frame, this.plot, this);
    view.addEventListener("change", () => this.ask());
    onTheme(() => this.ask());
    new ResizeObserver(() => this.ask()).observe(this.frame);
    expose("lanes", { sources, view, plot: this.plot });
    this.ask();
  }

  head() {
    const total = this.sources.reduce((sum, s) => sum + s.data.meta.total, 0);
    const outside = this.sources.reduce((sum, s) => sum + this.outside(s.data), 0);
    const notes = [`${formatCount(total)} spans`];
    if (outside) notes.push(`${formatCount(outside)} lie outside of what the memory recording covers`);
    const field = el("input", { type: "search", class: "lanes-search", placeholder: "Find spans by name", "aria-label": "Find spans by name", oninput: () => this.search(field.value.trim()), onkeydown: (event) => event.key === "Enter" && this.nextMatch(event.shiftKey ? -1 : 1) });
    const clocks = [...new Set(this.sources.map((s) => s.clocks).filter(Boolean))];
    return el(
      "div",
      { class: "lanes-head" },
      el("div", { class: "toolbar" }, el("h3", {}, "Spans"), el("span", { class: "note" }, notes.join(" \u00b7 ")), field, this.found),
      clocks.length ? el("details", { class: "more" }, el("summary", {}, "Why these stand on one axis"), el("ul", { class: "note" }, this.sources.map((s) => el("li", {}, bdi(s.data.meta.title), ": ", s.clocks || "it gives the axis")))) : null,
    );
  }

  outside(data) {
    if (!this.axisData.byEvent) return 0;
    const last = this.axisData.times[this.axisData.events - 1];
    let n = 0;
    for (let i = 0; i < data.n; i++) n += data.end[i] < 0 || data.start[i] > last;
    return n;
  }

  ask() {
    this.waiting ||= requestAnimationFrame(() => this.render());
  }

  render() {
    this.waiting = 0;
    const { plot, frame, base, above } = this;
    if (!frame.clientWidth) return;
    const height = `${plot.height()}px`;
    for (const canvas of [base, above]) canvas.style.height = height;
    frame.style.height = height;
    plot.draw();
    const hidden = plot.tracks.length - plot.shown;
    this.more.hidden = hidden <= 0;
    this.more.textContent = `Show ${hidden} less busy track${hidden === 1 ? "" : "s"}`;
    this.drawAbove();
  }

  showAll() {
    this.plot.shown = this.plot.tracks.length;
    this.ask();
  }

  // ---- what is pointed at, picked or in flight ----

  momentTime() {
    const { view, axisData } = this;
    if (this.pointer) return this.plot.timeOfX(this.pointer.x);
    if (!axisData.byEvent) return null;
    const event = view.hover?.event ?? view.moment;
    return event === null || event === undefined || event < 0 ? null : axisData.times[event];
  }

  outline(c, box, colour, width) {
    if (!box) return;
    c.strokeStyle = themeColor(colour);
    c.lineWidth = width;
    c.strokeRect(box.x - 0.5, box.y - 0.5, Math.max(2, box.w) + 1, box.h + 1);
  }

  drawAbove() {
    const { plot, above } = this;
    const c = above.getContext("2d");
    if (above.width !== plot.canvas.width || above.height !== plot.canvas.height) {
      above.width = plot.canvas.width;
      above.height = plot.canvas.height;
    }
    c.setTransform(plot.ratio, 0, 0, plot.ratio, 0, 0);
    c.clearRect(0, 0, plot.width, plot.height_);
    const time = this.momentTime();
    const flying = time === null ? [] : plot.inFlight(time);
    const x = time === null ? null : plot.xOfTime(time);
    if (x !== null) {
      c.fillStyle = themeColor("--axis");
      c.fillRect(Math.round(x), 18, 1, plot.height_);
    }
    for (const [data, row] of flying) this.outline(c, plot.boxOf(data, row), "--capacity", 2);
    if (this.picked) this.outline(c, plot.boxOf(this.picked.data, this.picked.row), "--text", 2.5);
    this.sayFlight(time, flying);
  }

  sayFlight(time, flying) {
    if (time === null) {
      this.flight.textContent = "Point at a moment to see which collectives are in flight; their waiting for other ranks is hatched.";
      return;
    }
    const names = flying.slice(0, MOST_NAMED).map(([data, row]) => {
      const seq = data.attributes(row).find(([key]) => key === "collective_seq_id" || key === "seq");
      return `${data.name(row).slice(0, 60)}${seq ? ` #${seq[1]}` : ""} for ${formatDuration(time - data.start[row])}`;
    });
    const more = flying.length - names.length;
    this.flight.replaceChildren(`At ${formatDuration(time)}: `, flying.length ? bdi(`${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`) : "no collective is in flight");
  }

  point(x, y, type) {
    this.pointer = { x, y };
    const hit = this.plot.hit(x, y);
    this.frame.dataset.over = hit ? (hit.bar ? "span" : "track") : "";
    if (hit?.bar && type !== "touch") this.showTip(spanLines(hit.track.data, hit.bar.row, hit.bar.count, hit.track), x, y);
    else this.tip.hidden = true;
    this.drawAbove();
  }

  leave() {
    this.pointer = null;
    this.tip.hidden = true;
    this.drawAbove();
  }

  showTip(lines, x, y) {
    this.tip.replaceChildren(...lines.map((line, k) => el("div", { class: k ? "" : "first", dir: "auto" }, line)));
    this.tip.hidden = false;
    const { offsetWidth: w, offsetHeight: h } = this.tip;
    const left = x + 16 + w <= this.frame.clientWidth ? x + 16 : Math.max(0, x - 16 - w);
    const top = y + 18 + h <= this.frame.clientHeight ? y + 18 : Math.max(0, y - 10 - h);
    this.tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }

  pick(x, y) {
    const hit = this.plot.hit(x, y);
    if (hit && !hit.bar) {
      if (hit.track.lanes.length <= FEW_LEVELS) return;
      if (!this.plot.allLevels.delete(hit.track)) this.plot.allLevels.add(hit.track);
      this.ask();
    } else if (hit) this.take(hit.track, hit.lane, hit.bar.row);
    else this.escape();
  }

  // A picked span also sets the moment of the memory beside it.
  take(track, lane, row) {
    this.picked = { data: track.data, row, track, lane };
    this.details.replaceChildren(...spanDetails(track.data, row, track));
    if (this.axisData.byEvent) this.view.moment = this.axisData.eventAt(Math.max(0, track.data.start[row]));
    this.drawAbove();
  }

  escape() {
    this.picked = null;
    this.details.replaceChildren();
    this.drawAbove();
  }

  focusShare() {
    const x = this.pointer?.x ?? (this.picked && this.plot.boxOf(this.picked.data, this.picked.row)?.x);
    return x === null || x === undefined ? 0.5 : Math.min(1, Math.max(0, (x - this.plot.place.x) / this.plot.place.w));
  }

  placeOfTime(time) {
    const { view, axisData } = this;
    return this.plot.byTime() ? time : placeOfEvent(axisData, view.axis, axisData.eventAt(time));
  }

  // A window that holds the time, as wide as now.
  windowAt(time) {
    const { view, axisData } = this;
    const at = this.placeOfTime(time);
    const half = (view.to - view.from) / 2;
    return at >= view.from && at <= view.to ? {} : clampWindow(axisData, view.axis, at - half, at + half);
  }

  step(by) {
    if (!this.picked) {
      const line = this.plot.lines.find((l) => l.bars.length);
      if (line) this.take(line.track, line.lane, line.bars[0].row);
      return {};
    }
    const { lane, track, row } = this.picked;
    const next = lane.rows.indexOf(row) + by;
    if (next < 0 || next >= lane.rows.length) return {};
    this.take(track, lane, lane.rows[next]);
    return this.windowAt(track.data.start[lane.rows[next]]);
  }

  zoomToPicked() {
    if (!this.picked) return {};
    const { data, row } = this.picked;
    const from = this.placeOfTime(data.start[row]);
    const to = data.isOpen(row) ? this.view.to : this.placeOfTime(data.end[row]);
    const room = Math.max((to - from) * 0.25, this.plot.byTime() ? 1000 : 2);
    return clampWindow(this.axisData, this.view.axis, from - room, to + room);
  }

  // ---- search ----

  search(words) {
    this.plot.matches = words ? new Map(this.sources.map(({ data }) => [data, data.matchingNames(words)])) : null;
    let count = 0;
    for (const [data, names] of this.plot.matches ?? []) for (let i = 0; i < data.n; i++) count += names.has(data.columns.name[i]);
    this.found.textContent = words ? `${formatCount(count)} match${count === 1 ? "" : "es"}` : "";
    this.ask();
  }

  // The next match by start, over all lanes that are shown.
  nextMatch(by) {
    if (!this.plot.matches) return;
    const from = this.picked ? this.picked.data.start[this.picked.row] : -Infinity;
    let best = null;
    for (const track of this.plot.tracks.slice(0, this.plot.shown)) {
      const names = this.plot.matches.get(track.data);
      for (const lane of track.lanes) {
        for (const row of lane.rows) {
          const start = track.data.start[row];
          const ahead = by > 0 ? start > from && (!best || start < best.start) : start < from && (!best || start > best.start);
          if (ahead && names.has(track.data.columns.name[row])) best = { start, track, lane, row };
        }
      }
    }
    if (!best) return;
    this.take(best.track, best.lane, best.row);
    this.view.set(this.windowAt(best.start));
  }
}

// `sources` are {data: SpanData, clocks: sentence}; `axisData` is the MemoryData whose axis the view
// has (with times), or spanAxis().
export function spanLanes(element, sources, axisData, view) {
  return new LanesPart(element, sources, axisData, view);
}

// Of an axis by events: so that both kinds of axis can be asked alike.
export function eventAxis(data) {
  return Object.assign(Object.create(data), { byEvent: true });
}

