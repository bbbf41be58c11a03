/** What is written down of a turn: a file of lines, named by its moment, so that the newest are found without reading the rest. */
import { unlessMissing, type Disk } from "./disk.ts";
import type { Host } from "./hosts.ts";
import type { Change, State } from "./kept.ts";
import type { LineFiles } from "./line-file.ts";
import type { TurnPlace } from "./snapshots.ts";

export interface TurnRecord extends TurnPlace {
  /** Milliseconds. */
  at: number;
  state: "open" | "closed";
  /** The process that it runs in, or ran in. */
  host?: Host;
  /** Where it is an undoing: what it undoes, and whether also what was changed since. */
  undoes?: string;
  force?: boolean;
  undoneBy?: string;
  /** What its undoing is called, while that is under way. */
  undoing?: string;
  /** What was passed over when it began. */
  exclude: readonly string[];
  /** The listing of everything as it was before, where anything might be changed. */
  listing?: string;
  unknown: string[];
  notKept: string[];
  /** What single paths held before. */
  kept: Map<string, State>;
  /** Of one that is closed. */
  changes: Change[];
  /** The owner was shown all of it. */
  seen?: true;
}

export interface TurnRecords {
  /** On the disk when it resolves, whole or not at all. Throws what the disk does. */
  write(record: TurnRecord): Promise<void>;
  remove(record: TurnRecord): Promise<void>;
  find(turnId: string): Promise<TurnRecord | undefined>;
  /**
   * Whether there is such a one. `passed` are those of which it is known that they are none, until they are written
   * again: each by its name.
   */
  some(is: (record: TurnRecord) => boolean, passed: Map<string, string>): Promise<boolean>;
  /** One after another, the newest first; what cannot be read is passed over. */
  newest(): AsyncGenerator<TurnRecord>;
}

type Line = ["kept", string, State] | ["change", string, State, State];

export function createTurnRecords({
  directory,
  disk,
  lines,
}: {
  directory: string;
  disk: Disk;
  lines: LineFiles;
}): TurnRecords {
  const nameOf = ({ at, turnId }: TurnRecord) => `${String(at).padStart(15, "0")}.${turnId}.lines`;

  async function names(): Promise<string[]> {
    const found = (await unlessMissing(disk.readdir(directory))) ?? [];
    return found
      .filter((name) => name.endsWith(".lines"))
      .toSorted()
      .toReversed();
  }

  async function stampOf(name: string): Promise<string | undefined> {
    const found = await unlessMissing(disk.lstat(`${directory}/${name}`));
    return found && `${found.ino}:${found.ctimeMs}`;
  }

  async function read(name: string): Promise<TurnRecord | undefined> {
    const [head, ...rest] = (await lines.read(`${directory}/${name}`)) ?? [];
    if (head === undefined) return undefined;
    const { version, ...facts } = head as Omit<TurnRecord, "kept" | "changes"> & { version: number };
    if (version !== 1) return undefined;
    const record: TurnRecord = { ...facts, kept: new Map(), changes: [] };
    for (const line of rest as Line[]) {
      if (line[0] === "kept") record.kept.set(line[1], line[2]);
      else record.changes.push({ path: line[1], before: line[2], after: line[3] });
    }
    return record;
  }

  return {
    write: (record) => lines.write(`${directory}/${nameOf(record)}`, linesOf(record)),
    async remove(record) {
      await unlessMissing(disk.unlink(`${directory}/${nameOf(record)}`));
    },
    async find(turnId) {
      if (!/^[\w-]{1,200}$/.test(turnId)) return undefined;
      const name = (await names()).find((each) => each.endsWith(`.${turnId}.lines`));
      return name === undefined ? undefined : read(name);
    },
    async some(is, passed) {
      for (const name of await names()) {
        const stamp = await stampOf(name);
        if (stamp === undefined || passed.get(name) === stamp) continue;
        const record = await read(name);
        if (record && is(record)) return true;
        passed.set(name, stamp);
      }
      return false;
    },
    async *newest() {
      for (const name of await names()) {
        const record = await read(name);
        if (record) yield record;
      }
    },
  };
}

function* linesOf({ kept, changes, ...facts }: TurnRecord): Generator<unknown> {
  yield { version: 1, ...facts };
  for (const [path, state] of kept) yield ["kept", path, state] satisfies Line;
  for (const { path, before, after } of changes) yield ["change", path, before, after] satisfies Line;
}
