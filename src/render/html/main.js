// SPDX-License-Identifier: MIT
// Where the page begins: which blocks it has, which place shows each, and the way between them. A
// place is made when it is gone to for the first time, so that a page of many ranks opens at once.
import { el } from "./dom.js";
import { overview, overviewParts } from "./overview.js";
import { groupTimelines, timelinePlace } from "./places.js";
import { currentRoute, onRoute } from "./router.js";
import { pageHead } from "./shell.js";
import { startTheme } from "./theme.js";
import { blocks, jsonBlock } from "./unpack.js";

function start() {
  startTheme();
  const report = jsonBlock("report");
  const index = jsonBlock("index");
  const timelines = groupTimelines(blocks(), index);
  const parts = report ? overviewParts(report) : [];
  const head = pageHead({ title: report?.title ?? document.title, state: report?.state, parts, timelines: timelines.length > 1 || report ? timelines : [] });
  const main = el("main", { id: "main", tabindex: "-1" });
  document.getElementById("app").append(head.element, main);

  const made = new Map();
  function show(place, make) {
    for (const element of main.children) element.hidden = true;
    if (!made.has(place)) {
      const element = el("div", { class: "place" });
      main.append(element);
      made.set(place, { element, open: make(element) });
    }
    made.get(place).element.hidden = false;
    return made.get(place).open;
  }

  function go(route) {
    const timeline = timelines.find((t) => t.place === route.place) ?? (report ? null : timelines[0]);
    if (timeline) {
      show(timeline.place, (element) => timelinePlace(element, timeline))(route.state);
      head.mark(timeline.place);
      scrollTo(0, 0);
      return;
    }
    if (!report) return;
    show("overview", (element) => element.append(overview(report, timelineOf, index?.left_out ?? [])));
    const target = document.getElementById(route.place);
    head.mark(target && main.contains(target) ? route.place : "overview");
    if (target && main.contains(target) && route.place !== "overview") target.scrollIntoView();
    else scrollTo(0, 0);
  }

  function timelineOf(rank, device) {
    return (timelines.find((t) => t.rank === rank && (device === undefined || t.device === device)) ?? timelines.find((t) => t.rank === rank))?.place ?? null;
  }

  onRoute(go);
  go(currentRoute());
}

start();
