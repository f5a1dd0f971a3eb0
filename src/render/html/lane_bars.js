// SPDX-License-Identifier: MIT
// What a lane shows in a window, as bars of whole pixels. The window is the times of the edges of
// its columns, ascending, so that it may lie along time or along events. A span of a column or more
// is a bar of its own; spans that lie within one column are one bar, which stands for the longest
// of them and knows how many they are; where the last column of a longer one is theirs too, they
// are counted there. Cost: a few searches for each column, however many spans.
import { firstBeyond } from "./span_data.js";

// {x0, x1, row, count} from left to right; rows are numbers of spans. x1 is exclusive.
export function laneBars(lane, edges) {
  const bars = [];
  const { start, end } = lane;
  const columns = edges.length - 1;
  const last = edges[columns];
  let x = 0;
  for (let k = lane.firstEndingAfter(edges[0]); k < lane.rows.length && start[k] < last; ) {
    const row = lane.rows[k];
    const x0 = Math.max(0, firstBeyond(edges, start[k], x, false) - 1);
    const x1 = Math.min(columns, Math.max(x0 + 1, firstBeyond(edges, end[k], x0, true)));
    if (x1 - x0 > 1) {
      const from = Math.max(x0, x); // its first column may have a bar already
      if (x1 > from) bars.push({ x0: from, x1, row, count: 1 });
      else bars[bars.length - 1].count++;
      x = Math.max(x, x1);
      k++;
      continue;
    }
    let next = Math.max(k + 1, lane.firstStartingAt(edges[x0 + 1], k));
    // The last of them may go on beyond the column: then it is a bar of its own.
    if (next > k + 1 && end[next - 1] > edges[x0 + 1]) next--;
    if (x0 < x) bars[bars.length - 1].count += next - k;
    else bars.push({ x0, x1: x0 + 1, row: lane.rows[lane.longest(k, next)], count: next - k });
    x = Math.max(x, x0 + 1);
    k = next;
  }
  return bars;
}

// The bar at a column; null where there is none.
export function barAt(bars, x) {
  let lo = 0;
  let hi = bars.length;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if (bars[mid].x1 > x) hi = mid;
    else lo = mid + 1;
  }
  return lo < bars.length && bars[lo].x0 <= x ? bars[lo] : null;
}

// The times of the edges of `columns` columns. Along events, the time between two events is shared
// out between them; `times` are those of the events, or null along time.
export function edgeTimes(from, to, columns, times) {
  const edges = new Float64Array(columns + 1);
  for (let x = 0; x <= columns; x++) {
    const at = from + ((to - from) * x) / columns;
    if (!times) {
      edges[x] = at;
      continue;
    }
    const e = Math.min(times.length - 1, Math.max(0, Math.floor(at)));
    const next = e + 1 < times.length ? times[e + 1] : times[e];
    edges[x] = times[e] + (next - times[e]) * Math.min(1, Math.max(0, at - e));
  }
  return edges;
}

// The column that holds a time; below 0 or at the end where it is outside.
export function columnOfTime(edges, time) {
  return time < edges[0] ? -1 : Math.min(edges.length - 1, firstBeyond(edges, time, 0, false) - 1);
}
