/**
 * One page of a SQLite b-tree and the records in it, as https://www.sqlite.org/fileformat2.html describes them. What does not fit the
 * description is left out and counted: it is damaged.
 */
import type { PageImage } from "./page-image.ts";

export type Value = string | number | bigint | Buffer | null;

export interface TreeRecord {
  values: Value[];
  /** Of a table that has row ids. */
  rowId: number;
}

export interface TreePage {
  /** `rows`: of a table with row ids. `keys`: of an index, or of a table in the order of its primary key. */
  kind: "rows" | "keys";
  children: number[];
  records: TreeRecord[];
  /** Pages that continue its records. */
  overflow: number[];
  /** Cells that cannot be read. */
  badCells: number;
}

const kinds: Record<number, { kind: TreePage["kind"]; isLeaf: boolean }> = {
  0x0d: { kind: "rows", isLeaf: true },
  0x05: { kind: "rows", isLeaf: false },
  0x0a: { kind: "keys", isLeaf: true },
  0x02: { kind: "keys", isLeaf: false },
};

/** Undefined where the page is none of a b-tree. */
export function readTreePage(image: PageImage, number: number): TreePage | undefined {
  const bytes = image.page(number);
  if (!bytes) return undefined;
  const start = number === 1 ? 100 : 0;
  const type = kinds[bytes[start] ?? 0];
  if (!type) return undefined;
  const { kind, isLeaf } = type;
  const cells = bytes.readUInt16BE(start + 3);
  const pointers = start + (isLeaf ? 8 : 12);
  if (pointers + cells * 2 > image.usable) return undefined;
  const page: TreePage = { kind, children: [], records: [], overflow: [], badCells: 0 };
  for (let cell = 0; cell < cells; cell++) {
    const at = bytes.readUInt16BE(pointers + cell * 2);
    if (at < pointers + cells * 2 || at >= image.usable) page.badCells++;
    else readCell(image, bytes, at, page, isLeaf);
  }
  if (!isLeaf) page.children.push(bytes.readUInt32BE(start + 8));
  return page;
}

function readCell(image: PageImage, bytes: Buffer, at: number, page: TreePage, isLeaf: boolean): void {
  try {
    let place = at;
    if (!isLeaf) {
      page.children.push(bytes.readUInt32BE(place));
      place += 4;
      // In a table with row ids only the leaves have records.
      if (page.kind === "rows") return;
    }
    const length = readVarint(bytes, place);
    place += length.size;
    let rowId = 0;
    if (page.kind === "rows") {
      const id = readVarint(bytes, place);
      place += id.size;
      rowId = id.value;
    }
    const payload = readPayload(
      image,
      bytes,
      { place, length: length.value, kind: page.kind },
      page.overflow,
    );
    page.records.push({ values: readRecord(payload), rowId });
  } catch {
    // Whatever it was: it is not what SQLite wrote.
    page.badCells++;
  }
}

const damaged = (): never => {
  throw new Error("damaged");
};

const longest = 1024 ** 3;

function readPayload(
  image: PageImage,
  bytes: Buffer,
  { place, length, kind }: { place: number; length: number; kind: TreePage["kind"] },
  overflow: number[],
): Buffer {
  const { usable } = image;
  if (length > longest) damaged();
  const most = kind === "rows" ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  if (length <= most) return sliceOf(bytes, place, length);
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = least + ((length - least) % (usable - 4));
  const local = fitting <= most ? fitting : least;
  const parts = [sliceOf(bytes, place, local)];
  let missing = length - local;
  let next = sliceOf(bytes, place + local, 4).readUInt32BE(0);
  const chain: number[] = [];
  while (missing > 0) {
    const more = chain.includes(next) ? undefined : image.page(next);
    if (!more) return damaged();
    chain.push(next);
    const size = Math.min(missing, usable - 4);
    parts.push(more.subarray(4, 4 + size));
    missing -= size;
    next = more.readUInt32BE(0);
  }
  // A chain that goes on beyond its end has a page in it that is not its own.
  if (next !== 0) damaged();
  overflow.push(...chain);
  return Buffer.concat(parts);
}

function readRecord(payload: Buffer): Value[] {
  const header = readVarint(payload, 0);
  if (header.value > payload.length) damaged();
  const values: Value[] = [];
  let at = header.value;
  for (let place = header.size; place < header.value;) {
    const serial = readVarint(payload, place);
    place += serial.size;
    if (place > header.value) damaged();
    const { size, value } = readValue(payload, at, serial.value);
    values.push(value);
    at += size;
  }
  if (at !== payload.length) damaged();
  return values;
}

const integerSizes = [0, 1, 2, 3, 4, 6, 8];
const words = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function readValue(payload: Buffer, at: number, serial: number): { size: number; value: Value } {
  if (serial === 0) return { size: 0, value: null };
  if (serial === 8 || serial === 9) return { size: 0, value: serial - 8 };
  if (serial === 7) return { size: 8, value: sliceOf(payload, at, 8).readDoubleBE(0) };
  if (serial <= 6) {
    const size = integerSizes[serial] ?? 0;
    const bytes = sliceOf(payload, at, size);
    if (size < 8) return { size, value: bytes.readIntBE(0, size) };
    const large = bytes.readBigInt64BE(0);
    return { size, value: Number.isSafeInteger(Number(large)) ? Number(large) : large };
  }
  if (serial < 12) return damaged();
  const size = Math.floor((serial - 12) / 2);
  const bytes = sliceOf(payload, at, size);
  return { size, value: serial % 2 === 0 ? bytes : words.decode(bytes) };
}

function sliceOf(bytes: Buffer, at: number, size: number): Buffer {
  if (at + size > bytes.length) damaged();
  return bytes.subarray(at, at + size);
}

/** A number of up to nine bytes, seven bits in each but the last. */
function readVarint(bytes: Buffer, at: number): { value: number; size: number } {
  let value = 0n;
  for (let size = 1; size <= 9; size++) {
    const byte = bytes[at + size - 1];
    if (byte === undefined) return damaged();
    if (size === 9) {
      value = (value << 8n) | BigInt(byte);
      return { value: Number(BigInt.asIntN(64, value)), size };
    }
    value = (value << 7n) | BigInt(byte & 0x7f);
    if (byte < 0x80) return { value: Number(value), size };
  }
  return damaged();
}
