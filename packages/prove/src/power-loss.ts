/**
 * What a disk would hold after the power went at a given moment. What was synced is there. Of what was written later any part may
 * be: whole, in torn pieces, or not at all. Names (new files, renames, deletions) reach the disk in order, as on a journalling file
 * system: a sync of a directory, or of a file that is new or has grown, takes along all that came before.
 */
import type { Random } from "./random.ts";
import type { TraceEvent } from "./strace-log.ts";

/** A file as such, whatever it is called. */
interface Content {
  initial: Buffer;
  changes: Array<Extract<TraceEvent, { type: "write" | "truncate" | "open" }>>;
  /** Completed before the cut. */
  syncs: Array<{ begun: number }>;
  isAppended: boolean;
}

type Naming = { at: number } & (
  | { type: "create"; path: string; content: Content }
  | { type: "rename"; from: string; to: string }
  | { type: "unlink"; path: string }
);

const sectorBytes = 512;

/** `before` and the answer are files by path. Only events under `root` count; the cut comes before the line `cut`. */
export function rebuildFiles(parts: {
  root: string;
  before: ReadonlyMap<string, Buffer>;
  events: readonly TraceEvent[];
  cut: number;
  random: Random;
}): Map<string, Buffer> {
  const { before, random } = parts;
  const original = new Map([...before].map(([path, initial]) => [path, newContent(initial)]));
  const { namings, firmUntil } = follow(parts, original);

  // Any number of the later namings may have reached the disk, but none without those before it.
  const loose = namings.filter(({ at }) => at > firmUntil);
  const kept = namings.length - loose.length + (loose.length > 0 ? random.below(loose.length + 1) : 0);
  const names = new Map(original);
  for (const naming of namings.slice(0, kept)) rename(names, naming);

  const files = new Map<string, Buffer>();
  for (const [path, content] of names) files.set(path, contentAfterCut(content, random));
  return files;
}

/** Lays each change to the file that had the name at that time. */
function follow(
  { root, events, cut }: Parameters<typeof rebuildFiles>[0],
  original: ReadonlyMap<string, Content>,
): { namings: Naming[]; firmUntil: number } {
  const names = new Map(original);
  const namings: Naming[] = [];
  const grown = new Set<Content>();
  let firmUntil = -1;
  const name = (naming: Naming) => {
    namings.push(naming);
    rename(names, naming);
  };

  for (const event of events) {
    if (event.ended >= cut) continue;
    const at = event.ended;
    if (event.type === "rename" && event.to.startsWith(root))
      name({ at, type: "rename", from: event.from, to: event.to });
    if (!("path" in event) || !event.path.startsWith(root)) continue;
    let content = names.get(event.path);
    switch (event.type) {
      case "open":
        if (!content && event.create) {
          content = newContent(Buffer.alloc(0));
          grown.add(content);
          name({ at, type: "create", path: event.path, content });
        }
        if (content && event.append) content.isAppended = true;
        if (content && event.truncate) content.changes.push(event);
        break;
      case "write":
      case "truncate":
        if (!content) break;
        content.changes.push(event);
        grown.add(content);
        break;
      case "sync":
        // A name is firm when the directory, or the new file itself, was synced after it.
        if (!content || grown.has(content)) firmUntil = Math.max(firmUntil, event.begun);
        if (!content) break;
        content.syncs.push({ begun: event.begun });
        grown.delete(content);
        break;
      case "unlink":
        name({ at, type: "unlink", path: event.path });
        break;
      default:
    }
  }
  return { namings, firmUntil };
}

const newContent = (initial: Buffer): Content => ({ initial, changes: [], syncs: [], isAppended: false });

function rename(names: Map<string, Content>, naming: Naming): void {
  if (naming.type === "create") names.set(naming.path, naming.content);
  if (naming.type === "unlink") names.delete(naming.path);
  if (naming.type !== "rename") return;
  const content = names.get(naming.from);
  names.delete(naming.from);
  if (content) names.set(naming.to, content);
}

function contentAfterCut({ initial, changes, syncs, isAppended }: Content, random: Random): Buffer {
  const lastSync = Math.max(-1, ...syncs.map(({ begun }) => begun));
  const file = createGrowingBytes(initial);
  for (const change of changes) {
    const isFirm = change.ended < lastSync;
    if (!isFirm && !random.chance(0.6)) {
      // What is appended grows in order: behind a gap there is nothing.
      if (isAppended) break;
      continue;
    }
    if (change.type === "open") file.resize(0);
    if (change.type === "truncate") file.resize(change.length);
    if (change.type !== "write") continue;
    const offset = change.offset ?? file.length();
    const isTorn = !isFirm && random.chance(0.25);
    if (!isTorn) file.place(change.data, offset);
    else if (!isAppended) tear(file, change.data, offset, random);
    else {
      file.place(change.data.subarray(0, random.below(change.data.length)), offset);
      break;
    }
  }
  return file.bytes();
}

/** Some of its sectors. */
function tear(file: GrowingBytes, data: Buffer, offset: number, random: Random): void {
  for (let from = 0; from < data.length;) {
    // Sectors are counted from the beginning of the file.
    const to = Math.min(data.length, from + sectorBytes - ((offset + from) % sectorBytes));
    if (random.chance(0.5)) file.place(data.subarray(from, to), offset + from);
    from = to;
  }
}

interface GrowingBytes {
  length(): number;
  /** A gap before it is zeros. */
  place(data: Buffer, offset: number): void;
  resize(length: number): void;
  bytes(): Buffer;
}

/** Grows by doubling: a log of thousands of writes is not copied for each. */
function createGrowingBytes(initial: Buffer): GrowingBytes {
  let room = Buffer.from(initial);
  let length = initial.length;
  function resize(wanted: number): void {
    if (wanted > room.length) {
      const larger = Buffer.alloc(Math.max(wanted, room.length * 2));
      room.copy(larger, 0, 0, length);
      room = larger;
    }
    if (wanted < length) room.fill(0, wanted, length);
    length = wanted;
  }
  return {
    length: () => length,
    resize,
    place(data, offset) {
      resize(Math.max(length, offset + data.length));
      data.copy(room, offset);
    },
    bytes: () => room.subarray(0, length),
  };
}
