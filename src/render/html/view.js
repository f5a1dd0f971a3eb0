// SPDX-License-Identifier: MIT
// What one view shows and what is picked in it. Panels and drawings know each other only through
// it: they set values and listen for "change", whose detail is the set of keys that changed.
//
//   from, to    window along the axis: events (fractions are between two), or ns with axis "time"
//   low, high   window of heights in bytes; high null: as high as the recording needs
//   axis        "event" or "time"
//   colour      one of KINDS (memory_data.js)
//   query       text of a search; search: its matches as a Uint8Array with a 1 for each allocation
//               that matches, or null
//   selection   {from, to}: events from … to - 1, or null
//   moment      the state after this event (-1: the initial one), or null
//   alloc       the allocation that was picked, or null
//   hover       what the pointer rests on: {event, alloc, count, bytes} (alloc null: a band of
//               `count` allocations that share a pixel), or null
//
// search and hover are of the moment; the others can be written into a link.

const VIEW_DEFAULTS = {
  from: 0,
  to: 1,
  low: 0,
  high: null,
  axis: "event",
  colour: "site",
  query: "",
  search: null,
  selection: null,
  moment: null,
  alloc: null,
  hover: null,
};

// How each key is read from a link; undefined: it is no such value.
const readNumber = (text) => (text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : undefined);
const readWhole = (text) => (/^-?\d{1,10}$/.test(text) ? Number(text) : undefined);
const VIEW_READERS = {
  from: readNumber,
  to: readNumber,
  low: readNumber,
  high: readNumber,
  axis: (text) => (text === "event" || text === "time" ? text : undefined),
  colour: (text) => (/^[a-z]{1,20}$/.test(text) ? text : undefined),
  query: (text) => text.slice(0, 1000),
  selection: (text) => {
    const m = /^(\d{1,10})-(\d{1,10})$/.exec(text);
    return m && Number(m[1]) < Number(m[2]) ? { from: Number(m[1]), to: Number(m[2]) } : undefined;
  },
  moment: readWhole,
  alloc: (text) => (/^\d{1,10}$/.test(text) ? Number(text) : undefined),
};

const viewValueText = (key, value) => (key === "selection" ? `${value.from}-${value.to}` : String(value));

export class View extends EventTarget {
  // `home` overrides defaults: what is shown when nothing was chosen.
  constructor(home = {}) {
    super();
    this.home = { ...VIEW_DEFAULTS, ...home };
    this.state = { ...this.home };
  }

  // Change several keys at once; one event tells of all that differ.
  set(values) {
    const keys = new Set();
    for (const [key, value] of Object.entries(values)) {
      if (!(key in VIEW_DEFAULTS)) throw new Error(`a view has no ${key}`);
      const old = this.state[key];
      if (Object.is(old, value)) continue;
      if (key === "selection" && old && value && old.from === value.from && old.to === value.to) continue;
      this.state[key] = value;
      keys.add(key);
    }
    if (keys.size) this.dispatchEvent(new CustomEvent("change", { detail: keys }));
  }

  // fn(keys) on every change, and once now. Returns what ends it.
  listen(fn) {
    const on = (event) => fn(event.detail);
    this.addEventListener("change", on);
    fn(new Set(Object.keys(VIEW_DEFAULTS)));
    return () => this.removeEventListener("change", on);
  }

  // "from=100&to=200&alloc=7": what differs from home; "" if nothing does.
  toFragment() {
    const out = new URLSearchParams();
    for (const key of Object.keys(VIEW_READERS)) {
      const value = this.state[key];
      const same = key === "selection" ? value === null : Object.is(value, this.home[key]);
      if (!same && value !== null) out.set(key, viewValueText(key, value));
    }
    return out.toString();
  }

  // The other way; what is not there goes home, and what is wrong is left out.
  fromFragment(text) {
    const given = new URLSearchParams(text);
    const values = {};
    for (const [key, read] of Object.entries(VIEW_READERS)) {
      const value = given.has(key) ? read(given.get(key)) : undefined;
      values[key] = value === undefined ? this.home[key] : value;
    }
    if (!(values.from < values.to)) {
      values.from = this.home.from;
      values.to = this.home.to;
    }
    this.set(values);
  }
}

for (const key of Object.keys(VIEW_DEFAULTS)) {
  Object.defineProperty(View.prototype, key, {
    get() {
      return this.state[key];
    },
    set(value) {
      this.set({ [key]: value });
    },
  });
}
