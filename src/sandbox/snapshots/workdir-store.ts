/** The stored contents of one workdir. The caller has exclusive access. */
import type { LoopYield } from "../../infra/loop-yield.ts";
import type { WorkdirOpener } from "../workdir-opener.ts";
import type { Disk } from "./disk.ts";
import { isAddedObject, shrunkStores } from "./git-objects.ts";
import { keepPaths, unlessRefused } from "./keep-paths.ts";
import { createTreeReader, type KeepParts, type KeepSettings } from "./keep-tree.ts";
import { canMake, emptyTree, type Change, type Kept, type State, type Tree, isSame } from "./kept.ts";
import { isOwnDirectory } from "./restore-paths.ts";
import type { Store } from "./store.ts";
import type { TurnRecord } from "./turn-records.ts";

export interface WorkdirStoreParts {
  store: Store;
  opener: WorkdirOpener;
  disk: Disk;
  loopYield: LoopYield;
  settings(): KeepSettings;
  /** Whether another turn that is under way needs the listing. */
  isListingUsed(listing: string, byOtherThan: string): boolean;
}

export interface WorkdirStore extends Store {
  disk: Disk;
  opener: WorkdirOpener;
  /** Adds to the record what is there now, and writes it down; answers what could not be kept. */
  keep(record: TurnRecord, paths: readonly string[] | "anything", signal?: AbortSignal): Promise<string[]>;
  /**
   * Compares and stores the difference; without any, and if nothing was lost, it deletes the record. Returns the
   * changes.
   */
  close(record: TurnRecord): Promise<Change[]>;
  /** What a path holds now, stored; undefined if unknown. */
  look(path: string): Promise<State | undefined>;
}

export function openWorkdirStore(parts: WorkdirStoreParts): WorkdirStore {
  const { store, opener, disk, loopYield } = parts;
  const { blobs, records, listings } = store;

  const keeping = (
    exclude: readonly string[],
    known: ReadonlyMap<string, Kept> = new Map(),
    startedNs = 0n,
    signal?: AbortSignal,
  ): KeepParts => ({
    opener,
    blobs,
    disk,
    loopYield,
    settings: { ...parts.settings(), exclude },
    known,
    startedNs,
    signal,
  });

  /** Everything, with the listing of it on the disk. */
  async function scan(exclude: readonly string[], signal?: AbortSignal): Promise<Tree & { listing: string }> {
    const latest = await listings.latest();
    const tree = emptyTree();
    const how = keeping(exclude, latest?.entries, await store.now(), signal);
    await createTreeReader(how, tree).everything();
    await blobs.flush();
    return { ...tree, listing: await listings.write(tree.entries, latest) };
  }

  async function keep(
    record: TurnRecord,
    paths: readonly string[] | "anything",
    signal?: AbortSignal,
  ): Promise<string[]> {
    const { unknown, notKept } = await (paths === "anything"
      ? keepAll(record, signal)
      : keepNamed(record, paths, signal));
    record.unknown.push(...unknown.filter((path) => !record.kept.has(path)));
    await records.write(record);
    return notKept;
  }

  async function keepAll(record: TurnRecord, signal?: AbortSignal): Promise<Tree> {
    const { listing, ...tree } = await scan(record.exclude, signal);
    record.listing = listing;
    return tree;
  }

  /** What was kept first is what the turn found. */
  async function keepNamed(
    record: TurnRecord,
    paths: readonly string[],
    signal?: AbortSignal,
  ): Promise<Tree> {
    const tree = emptyTree();
    const { absent } = await keepPaths(keeping(record.exclude, undefined, undefined, signal), paths, tree);
    await blobs.flush();
    const isNew = (path: string) => !record.kept.has(path);
    for (const path of absent.filter(isNew)) record.kept.set(path, null);
    for (const [path, kept] of tree.entries) if (isNew(path)) record.kept.set(path, kept);
    record.notKept.push(...tree.unknown);
    return tree;
  }

  async function close(record: TurnRecord): Promise<Change[]> {
    const { changes, gone } = await compare(record);
    const lost = changes.filter(({ before }) => !canMake(before)).map(({ path }) => path);
    const { listing, ...rest } = record;
    const closed: TurnRecord = {
      ...rest,
      state: "closed",
      changes,
      notKept: [...new Set([...record.notKept, ...lost, ...gone])],
      kept: new Map(),
      unknown: [],
    };
    if (changes.length === 0 && gone.length === 0) await records.remove(record);
    else await records.write(closed);
    if (listing !== undefined && (await isOfNoUse(listing, record))) await listings.remove(listing);
    return changes;
  }

  /** What another process wrote is thrown away by age alone: turns of it may wait to be ended. */
  const isOfNoUse = async (listing: string, { turnId }: TurnRecord) =>
    listings.isOwn(listing) && !parts.isListingUsed(listing, turnId) && !(await isLatest(listing));

  const isLatest = async (listing: string) => (await listings.names()).at(-1) === listing;

  /** What is other than before, and what was there and is lost for good. */
  async function compare(record: TurnRecord): Promise<{ changes: Change[]; gone: string[] }> {
    const listed = record.listing === undefined ? undefined : await listings.read(record.listing);
    const base = new Map(listed);
    for (const [path, state] of record.kept) {
      if (state === null) base.delete(path);
      else base.set(path, state);
    }
    // Without the listing the earlier state is unknown, and everything would look created by the turn.
    const after = listed ? await scan(record.exclude) : await lookAtKept(record);
    const found = await compareTrees({ entries: base, unknown: record.unknown }, after, loopYield);
    const changes = record.undoes === undefined ? found.filter((change) => !isAddedObject(change)) : found;
    const isDamaged = record.listing !== undefined && !listed;
    return { changes, gone: isDamaged ? [everything] : shrunkStores(base, after.entries) };
  }

  async function lookAtKept({ kept, undoes, exclude }: TurnRecord): Promise<Tree> {
    const tree = emptyTree();
    // A turn may have put things into a directory that it was said to change; an undoing changes its own paths only.
    const below = undoes === undefined ? (await opener.limits()).isOpen : undefined;
    for (const path of kept.keys()) if (!tree.entries.has(path)) await lookAt(path, tree, exclude, below);
    await blobs.flush();
    return tree;
  }

  /** Whether it could be told what has the path, which is not followed. */
  async function lookAt(
    path: string,
    tree: Tree,
    exclude: readonly string[],
    below?: (real: string) => boolean,
  ): Promise<boolean> {
    const named = await unlessRefused(opener.openParent(path, { make: false }));
    if (typeof named === "string") return named === "missing";
    const { directory: parent, name } = named;
    try {
      if (!(await isOwnDirectory(opener, parent.real, path))) return false;
      await createTreeReader(keeping(exclude), tree).name(parent, directoryOf(path), name, below);
      return !tree.unknown.includes(path);
    } finally {
      await parent.handle.close();
    }
  }

  return {
    ...store,
    disk,
    opener,
    keep,
    close,
    async look(path) {
      const tree = emptyTree();
      if (!(await lookAt(path, tree, []))) return undefined;
      return tree.entries.get(path) ?? null;
    },
  };
}

/** The workdir, as a path in it. */
const everything = ".";

const directoryOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

interface Side {
  entries: ReadonlyMap<string, Kept>;
  unknown: readonly string[];
}

/** What is not the same on both sides, by path. What either side knows nothing of is left out: to call it made would be to remove it. */
async function compareTrees(before: Side, after: Side, loopYield: LoopYield): Promise<Change[]> {
  const unknown = new Set([...before.unknown, ...after.unknown]);
  const paths = new Set([...before.entries.keys(), ...after.entries.keys()]);
  const changes: Change[] = [];
  for (const path of paths) {
    while (loopYield.isSpent()) await loopYield.turned();
    const change = { path, before: before.entries.get(path) ?? null, after: after.entries.get(path) ?? null };
    if (isSame(change.before, change.after)) continue;
    if (isUnknown(path, unknown)) continue;
    changes.push(change);
  }
  return changes.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

function isUnknown(path: string, unknown: ReadonlySet<string>): boolean {
  if (unknown.size === 0) return false;
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1))
    if (unknown.has(path.slice(0, end))) return true;
  return false;
}
