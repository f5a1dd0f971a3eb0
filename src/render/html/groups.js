// SPDX-License-Identifier: MIT
// Sums of allocations by call site: what search, ranges and segments list.

// What a set of allocations is, as a whole and by site. `has(i)` says whether i belongs to it.
export function sumBySite(data, has) {
  const groups = new Map();
  const total = { count: 0, bytes: 0 };
  for (let i = 0; i < data.n; i++) {
    if (!has(i)) continue;
    const site = data.site[i];
    let group = groups.get(site);
    if (!group) groups.set(site, (group = { site, count: 0, bytes: 0, first: i, largest: i }));
    group.count++;
    group.bytes += data.bytes[i];
    if (data.bytes[i] > data.bytes[group.largest]) group.largest = i;
    total.count++;
    total.bytes += data.bytes[i];
  }
  return { total, groups: [...groups.values()] };
}

// Sorts in place: by "bytes" or "count", the most first, or by "name".
export function sortGroups(groups, by, nameOf) {
  const name = (a, b) => (nameOf(a.site) < nameOf(b.site) ? -1 : nameOf(a.site) > nameOf(b.site) ? 1 : a.site - b.site);
  if (by === "name") return groups.sort(name);
  return groups.sort((a, b) => b[by] - a[by] || b.bytes - a.bytes || name(a, b));
}
