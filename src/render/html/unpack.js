// SPDX-License-Identifier: MIT
// Data blocks of the page: where they are and how their packs are read. The other side, and the
// layout of a pack, is pack.h.

// Blocks in the order of the page: {id, kind, title}.
export function blocks() {
  return Array.from(document.querySelectorAll("script[data-kind]"), (element) => ({
    id: element.id,
    kind: element.dataset.kind,
    title: element.dataset.title,
  }));
}

// The document of a JSON block; null if there is none of that id.
export function jsonBlock(id) {
  const element = document.getElementById(id);
  return element ? JSON.parse(element.textContent) : null;
}

// {meta, columns: {name: Uint32Array or Float64Array}} of a pack; the header of each column knows
// where it is, so that none is read before it is used.
export async function unpackBlock(id) {
  return readPack(await inflate(fromBase64(document.getElementById(id).textContent)));
}

function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Of an inflated pack.
export function readPack(bytes) {
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)));
  const columns = {};
  for (const c of header.columns) {
    const data = bytes.subarray(4 + size + c.at, 4 + size + c.at + c.bytes);
    let values = null;
    // Read when they are asked for: the first picture needs half of them.
    Object.defineProperty(columns, c.name, { enumerable: true, get: () => (values ??= c.kind === "u32" ? readU32(data, c.rows) : readI64(data, c.rows)) });
  }
  return { meta: header.meta, columns };
}

// Sums of differences below 2^32 wrap around as the writer's did.
function readU32(data, rows) {
  const out = new Uint32Array(rows);
  let at = 0;
  let value = 0;
  for (let i = 0; i < rows; i++) {
    let byte = data[at++];
    if (byte < 0x80) {
      value = (value + ((byte >>> 1) ^ -(byte & 1))) >>> 0;
      out[i] = value;
      continue;
    }
    let low = byte & 0x7f;
    let high = 0; // the 33rd bit and up: a difference of 32 bits has one for its sign
    for (let shift = 7; byte & 0x80; shift += 7) {
      byte = data[at++];
      if (shift < 28) low |= (byte & 0x7f) << shift;
      else {
        low |= (byte & 0x0f) << 28;
        high = byte >> 4;
      }
    }
    const half = (low >>> 1) | ((high & 1) << 31);
    value = (value + (low & 1 ? ~half : half)) >>> 0;
    out[i] = value;
  }
  return out;
}

// Doubles: exact up to 2^53.
function readI64(data, rows) {
  const out = new Float64Array(rows);
  let at = 0;
  let value = 0;
  for (let i = 0; i < rows; i++) {
    let byte = data[at++];
    if (byte < 0x80) {
      value += (byte >>> 1) ^ -(byte & 1);
      out[i] = value;
      continue;
    }
    // The lower 28 bits, which are all of most, need no doubles.
    let low = byte & 0x7f;
    for (let shift = 7; byte & 0x80 && shift < 28; shift += 7) {
      byte = data[at++];
      low |= (byte & 0x7f) << shift;
    }
    if (byte < 0x80) {
      value += (low >>> 1) ^ -(low & 1);
      out[i] = value;
      continue;
    }
    let code = low;
    for (let scale = 2 ** 28; byte & 0x80; scale *= 128) {
      byte = data[at++];
      code += (byte & 0x7f) * scale;
    }
    value += code % 2 ? -(code + 1) / 2 : code / 2;
    out[i] = value;
  }
  return out;
}
