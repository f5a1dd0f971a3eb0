// SPDX-License-Identifier: MIT
// The state of the caching allocator after any event: the segments that it holds, and the blocks in
// them. Segments follow from those that were there before the first event and from the events that
// take and give back memory; a mapped range of an expandable segment counts as a segment of its own.
// Blocks follow from the allocations alive then, as large as the replay found them; what lies
// between is free, and free neighbours are one block, as the allocator keeps them.

const BLOCK_UNIT = 512;
const CHECKPOINT_EVERY = 256; // changes of segments

// Bytes of an allocation's block; where the replay knows none, of its request rounded up.
export function blockBytes(data, i) {
  const least = Math.max(1, Math.ceil(data.bytes[i] / BLOCK_UNIT));
  const extra = data.extra?.[i] ?? 0;
  return (least + Math.max(0, extra - 1)) * BLOCK_UNIT;
}

// Position of the last range that begins at or before an address; -1: none.
function rangeBefore(ranges, addr) {
  let lo = 0;
  let hi = ranges.length;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if (ranges[mid].addr <= addr) lo = mid + 1;
    else hi = mid;
  }
  return lo - 1;
}

function sameOwner(a, b) {
  return a.expandable && b.expandable && a.stream === b.stream && a.poolOwner === b.poolOwner && a.poolId === b.poolId;
}

function takeRange(ranges, range) {
  let at = rangeBefore(ranges, range.addr) + 1;
  let merged = range;
  const before = ranges[at - 1];
  const after = ranges[at];
  let drop = 0;
  if (before && before.end === merged.addr && sameOwner(before, merged)) {
    merged = { ...before, end: merged.end };
    at--;
    drop++;
  }
  if (after && after.addr === merged.end && sameOwner(after, merged)) {
    merged = { ...merged, end: after.end };
    drop++;
  }
  ranges.splice(at, drop, merged);
}

function giveRange(ranges, addr, end) {
  let at = Math.max(0, rangeBefore(ranges, addr));
  while (at < ranges.length && ranges[at].addr < end) {
    const old = ranges[at];
    const parts = [];
    if (old.addr < addr) parts.push({ ...old, end: Math.min(old.end, addr) });
    if (old.end > end) parts.push({ ...old, addr: Math.max(old.addr, end) });
    ranges.splice(at, 1, ...parts);
    at += parts.length;
  }
}

function firstRanges(segments) {
  const ranges = [];
  for (let k = 0; k < segments.count; k++)
    takeRange(ranges, {
      addr: segments.addr[k],
      end: segments.addr[k] + segments.bytes[k],
      stream: segments.stream[k],
      poolOwner: segments.poolOwner[k],
      poolId: segments.poolId[k],
      expandable: segments.expandable(k),
    });
  return ranges;
}

// Events that change segments: rows of data.others.
function segmentChanges(others) {
  const rows = [];
  for (let k = 0; k < others.count; k++) if (/^segment_(alloc|free|map|unmap)$/.test(others.action(k)) && others.bytes[k] > 0) rows.push(k);
  return rows;
}

export class SegmentHistory {
  constructor(data) {
    this.data = data;
    this.known = data.segments !== null && (data.segments.count > 0 || segmentChanges(data.others).length > 0);
    this.changes = this.known ? segmentChanges(data.others) : [];
    this.marks = this.known ? [firstRanges(data.segments)] : [[]]; // the ranges before changes 0, 256, …
    this.at = 0; // so many changes are in this.ranges
    this.ranges = [...this.marks[0]];
  }

  // How many changes happened up to event e.
  changesUpTo(e) {
    const { event } = this.data.others;
    let lo = 0;
    let hi = this.changes.length;
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      if (event[this.changes[mid]] <= e) lo = mid + 1;
      else hi = mid;
    }
    return lo;
  }

  applyChange(k) {
    const { others } = this.data;
    const row = this.changes[k];
    const action = others.action(row);
    const addr = others.addr[row];
    const end = addr + others.bytes[row];
    if (action === "segment_free" || action === "segment_unmap") giveRange(this.ranges, addr, end);
    else
      takeRange(this.ranges, {
        addr,
        end,
        stream: others.stream[row],
        poolOwner: others.poolOwner[row],
        poolId: others.poolId[row],
        expandable: action === "segment_map",
      });
  }

  rangesAt(e) {
    const wanted = this.changesUpTo(e);
    const mark = Math.min(Math.floor(wanted / CHECKPOINT_EVERY), this.marks.length - 1);
    if (wanted < this.at || mark * CHECKPOINT_EVERY > this.at) {
      this.at = mark * CHECKPOINT_EVERY;
      this.ranges = [...this.marks[mark]];
    }
    while (this.at < wanted) {
      this.applyChange(this.at++);
      if (this.at % CHECKPOINT_EVERY === 0 && this.at / CHECKPOINT_EVERY === this.marks.length) this.marks.push([...this.ranges]);
    }
    return this.ranges;
  }

  // {event, segments, sums}: the segments by pool, stream and address, each {addr, bytes, stream,
  // poolOwner, poolId, expandable, free, blocks}; blocks tile it, each {addr, bytes, state, alloc}
  // with state "allocated", "pending" (given back, a stream still uses it) or "free" (alloc -1).
  stateAt(e) {
    const segments = this.rangesAt(e).map((r) => ({ ...r, bytes: r.end - r.addr, free: 0, blocks: [] }));
    const sums = { reserved: 0, allocated: 0, requested: 0, pending: 0, free: 0, largest: 0, freeBlocks: 0, liveBlocks: 0, outside: 0, outsideBytes: 0, overlapping: 0 };
    placeBlocks(this.data, e, segments, sums);
    for (const segment of segments) addFreeBlocks(segment, sums);
    segments.sort((a, b) => a.poolOwner - b.poolOwner || a.poolId - b.poolId || a.stream - b.stream || a.addr - b.addr);
    return { event: e, segments, sums };
  }
}

function placeBlocks(data, e, segments, sums) {
  const alive = data.aliveAt(e);
  const { addr: addresses } = data;
  const byAddress = Array.from(alive).sort((a, b) => addresses[a] - addresses[b] || a - b);
  let at = 0;
  for (const i of byAddress) {
    const addr = addresses[i];
    while (at < segments.length && segments[at].end <= addr) at++;
    const segment = segments[at];
    const last = segment?.blocks[segment.blocks.length - 1];
    if (!segment || segment.addr > addr) {
      sums.outside++;
      sums.outsideBytes += data.bytes[i];
      continue;
    }
    // A recording that contradicts itself may have two at one place.
    if (last && last.addr + last.bytes > addr) {
      sums.overlapping++;
      last.bytes = addr - last.addr;
      if (last.bytes === 0) segment.blocks.pop();
    }
    const bytes = Math.min(blockBytes(data, i), segment.end - addr);
    segment.blocks.push({ addr, bytes, state: data.isPending(i, e) ? "pending" : "allocated", alloc: i });
  }
  for (const segment of segments) {
    for (const block of segment.blocks) {
      sums.liveBlocks++;
      sums[block.state] += block.bytes;
      if (block.state === "allocated") sums.requested += Math.min(block.bytes, data.bytes[block.alloc]);
    }
  }
}

function addFreeBlocks(segment, sums) {
  const tiles = [];
  let at = segment.addr;
  const free = (end) => {
    if (end <= at) return;
    const bytes = end - at;
    tiles.push({ addr: at, bytes, state: "free", alloc: -1 });
    segment.free += bytes;
    sums.freeBlocks++;
    sums.largest = Math.max(sums.largest, bytes);
  };
  for (const block of segment.blocks) {
    free(block.addr);
    tiles.push(block);
    at = block.addr + block.bytes;
  }
  free(segment.end);
  segment.blocks = tiles;
  sums.free += segment.free;
  sums.reserved += segment.bytes;
}
