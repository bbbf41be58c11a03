/** What a whole tree held, a line for each path. The newest also tells which files need not be read again. */
import type { Disk } from "./disk.ts";
import { unlessMissing } from "./disk.ts";
import type { Kept } from "./kept.ts";
import type { LineFiles } from "./line-file.ts";

export interface Listing {
  name: string;
  entries: ReadonlyMap<string, Kept>;
}

export interface Listings {
  /** It is left in peace for a while then. */
  latest(): Promise<Listing | undefined>;
  /** Undefined when it is gone or not whole. */
  read(name: string): Promise<ReadonlyMap<string, Kept> | undefined>;
  /** Answers its name; where nothing is other than in `latest`, and that is our own, that is the one. */
  write(entries: ReadonlyMap<string, Kept>, latest: Listing | undefined): Promise<string>;
  /** The oldest first. */
  names(): Promise<string[]>;
  /** Whether no other process needs it. */
  isOwn(name: string): boolean;
  /** When it was written or last taken as the latest, in milliseconds of the file system. */
  usedAt(name: string): Promise<number>;
  remove(name: string): Promise<void>;
}

export function createListings({
  directory,
  owner,
  disk,
  lines,
}: {
  directory: string;
  /** Letters and digits that no other process has. */
  owner: string;
  disk: Disk;
  lines: LineFiles;
}): Listings {
  const fileOf = (name: string) => `${directory}/${name}`;

  const isOwn = (name: string) => name.endsWith(`-${owner}`);

  async function names(): Promise<string[]> {
    const found = (await unlessMissing(disk.readdir(directory))) ?? [];
    return found.filter((name) => /^\d{12}-\w+$/.test(name)).toSorted();
  }

  async function read(name: string): Promise<ReadonlyMap<string, Kept> | undefined> {
    const found = await lines.read(fileOf(name));
    return found && new Map(found as Array<[string, Kept]>);
  }

  return {
    names,
    read,
    isOwn,
    async latest() {
      const name = (await names()).at(-1);
      if (name === undefined) return undefined;
      await unlessMissing(disk.utimes(fileOf(name), new Date()));
      const entries = await read(name);
      return entries && { name, entries };
    },
    async write(entries, latest) {
      if (latest && isOwn(latest.name) && isEqual(entries, latest.entries)) return latest.name;
      const number = Number.parseInt((await names()).at(-1) ?? "0", 10) + 1;
      const name = `${String(number).padStart(12, "0")}-${owner}`;
      await lines.write(fileOf(name), entries);
      return name;
    },
    usedAt: async (name) => (await unlessMissing(disk.lstat(fileOf(name))))?.ctimeMs ?? 0,
    async remove(name) {
      await unlessMissing(disk.unlink(fileOf(name)));
    },
  };
}

/** What was not read again is the very same object. */
function isEqual(entries: ReadonlyMap<string, Kept>, known: ReadonlyMap<string, Kept>): boolean {
  if (entries.size !== known.size) return false;
  for (const [path, kept] of entries) {
    const before = known.get(path);
    if (before === kept) continue;
    if (before?.type !== kept.type || kept.type === "file") return false;
    if (kept.type === "link" && before.type === "link" && kept.target === before.target) continue;
    if (kept.type === "directory" && before.type === "directory" && isSameDirectory(kept, before)) continue;
    return false;
  }
  return true;
}

type KeptDirectory = Extract<Kept, { type: "directory" }>;

const isSameDirectory = (one: KeptDirectory, other: KeptDirectory): boolean =>
  one.mode === other.mode && one.unkeptBytes === other.unkeptBytes;
